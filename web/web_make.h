/* SPDX-License-Identifier: ISC */
/*
 * Bodies that are made of games: once, however many ask, a few milliseconds at
 * a time, and kept in the cache.
 */
#ifndef UMPIRE_WEB_WEB_MAKE_H
#define UMPIRE_WEB_WEB_MAKE_H

#include <stdint.h>

#include "web/web_http.h"

struct web_game;
struct web_make;
struct web_site;

struct web_make *web_make_new(struct web_site *s);
void web_make_free(struct web_make *mk);

/*
 * Replies to a request about a game, of which there is at least one line: at
 * once or later.  The game may be short of lines.
 */
void web_make_reply(
    struct web_make *mk, struct web_request *rq, struct web_game *g);

/* The longest step since this was asked last, microseconds. */
int64_t web_make_slowest(struct web_make *mk);

/* What pages are told of a game; borrowed until it is asked again. */
const struct page_game *web_make_game(
    struct web_make *mk, const struct web_game *g);

#endif
