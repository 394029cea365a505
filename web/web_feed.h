/* SPDX-License-Identifier: ISC */
/* Feeds of several games: a player's, an event's. */
#ifndef UMPIRE_WEB_WEB_FEED_H
#define UMPIRE_WEB_WEB_FEED_H

#include "web/web_http.h"

struct web_feeds;
struct web_site;

struct web_feeds *web_feed_open_all(struct web_site *s);
void web_feed_close_all(struct web_feeds *fs);

/* Replies to a request for one, at once or later. */
void web_feed_reply(struct web_feeds *fs, struct web_request *rq);

/* A text of a game was erased: what has its words is made anew. */
void web_feed_stale(struct web_feeds *fs);

#endif
