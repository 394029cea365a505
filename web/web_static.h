/* SPDX-License-Identifier: ISC */
/*
 * Files that never change: style, scripts, and the program that checks records
 * in the browser.  The address of each has the hash of its bytes.
 */
#ifndef UMPIRE_WEB_WEB_STATIC_H
#define UMPIRE_WEB_WEB_STATIC_H

#include "common/base/err.h"

struct page_site;
struct web_body;
struct web_static;

/*
 * Takes those that are built in, and the program and the reader at these paths
 * ("": none).
 */
int web_static_new(const char *wasm, const char *reader,
    struct web_static **out, struct errinfo *e)
    __attribute__((warn_unused_result));
void web_static_free(struct web_static *st);

/* Fills in their addresses; borrowed from st. */
void web_static_page(const struct web_static *st, struct page_site *ps);

/* A file, and its type; borrowed; NULL: there is none. */
struct web_body *web_static_find(const struct web_static *st, const char *hash,
    const char *name, const char **type);

/* Six digits that change with any of them; borrowed. */
const char *web_static_mark(const struct web_static *st);

#endif
