/* SPDX-License-Identifier: ISC */
/*
 * Streams of events: each page that is open is told of each new line.  A line
 * is put into words once, and sent to some hundred streams at a time, so that
 * nobody else waits for all of them.
 */
#ifndef UMPIRE_WEB_WEB_STREAM_H
#define UMPIRE_WEB_WEB_STREAM_H

#include <stdint.h>

#include "web/web_http.h"

struct web_game;
struct web_site;
struct web_streams;

struct web_streams *web_stream_open_all(struct web_site *s);
void web_stream_close_all(struct web_streams *st);

/* Replies to a request for a game's events, of which there is a line. */
void web_stream_reply(
    struct web_streams *st, struct web_request *rq, struct web_game *g);

/* There are new lines; or a text was erased; or the game goes. */
void web_stream_lines(struct web_streams *st, struct web_game *g);
void web_stream_erased(struct web_streams *st, struct web_game *g);
void web_stream_going(struct web_streams *st, struct web_game *g);

/* How many there are. */
int64_t web_stream_count(const struct web_streams *st);

#endif
