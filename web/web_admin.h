/* SPDX-License-Identifier: ISC */
/*
 * The operator's socket: /healthz says whether all is well, /metrics counts.
 * Whoever may open the socket may ask.
 */
#ifndef UMPIRE_WEB_WEB_ADMIN_H
#define UMPIRE_WEB_WEB_ADMIN_H

#include "common/base/err.h"

struct web_admin;
struct web_site;

/* Listens at a path; "": *out is NULL.  ERR_BUSY, ERR_IO. */
int web_admin_new(struct web_site *s, const char *path, struct web_admin **out,
    struct errinfo *e) __attribute__((warn_unused_result));
void web_admin_free(struct web_admin *a);

#endif
