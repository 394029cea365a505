/* SPDX-License-Identifier: ISC */
/* Lists of games: the lobby, what is on, an event's and a player's. */
#ifndef UMPIRE_WEB_WEB_LIST_H
#define UMPIRE_WEB_WEB_LIST_H

#include "web/web_http.h"

struct web_list;
struct web_site;

struct web_list *web_list_new(struct web_site *s);
void web_list_free(struct web_list *li);

/* Replies to a request for a list, at once or later. */
void web_list_reply(struct web_list *li, struct web_request *rq);

/* A game has changed: what is kept of lists is old. */
void web_list_stale(struct web_list *li);

/* A text was erased: what is kept of lists may have it. */
void web_list_erased(struct web_list *li);

#endif
