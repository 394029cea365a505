/* SPDX-License-Identifier: ISC */
/*
 * Which game the digits of an address mean: the umpire is asked, as anybody
 * may, so that a game that is hidden is one that does not exist.
 */
#ifndef UMPIRE_WEB_WEB_FIND_H
#define UMPIRE_WEB_WEB_FIND_H

#include <jansson.h>

#include "common/crypt/hash.h"

struct web_find;
struct web_site;

/* What they are digits of. */
enum web_find_what {
	WEB_FIND_GAME,
	WEB_FIND_CUP, /* a tournament */
};

/* What digits mean. */
struct web_found {
	int r; /* 0; ERR_NOTFOUND; ERR_EXISTS: several; ERR_CLOSED; ERR_BUSY */
	char hex[2 * HASH_LEN + 1]; /* the game */
	int digits; /* of its address */
	char title[256]; /* of its row, cut; "" */
	const json_t *games; /* ERR_EXISTS: rows of games, borrowed; NULL */
};

typedef void web_find_answer(void *arg, const struct web_found *f);

struct web_find *web_find_new(struct web_site *s);
void web_find_free(struct web_find *fi);

/*
 * Asks; answer is called at once or later.  What it gives is good for the
 * call.  NULL: it was called; else web_find_cancel() takes it back.
 */
struct web_finding *web_find_ask(struct web_find *fi, enum web_find_what what,
    const char *digits, web_find_answer *answer, void *arg);
void web_find_cancel(struct web_finding *f);

#endif
