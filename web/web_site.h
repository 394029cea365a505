/* SPDX-License-Identifier: ISC */
/* The parts of the process, and what pages are told of the site. */
#ifndef UMPIRE_WEB_WEB_SITE_H
#define UMPIRE_WEB_WEB_SITE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "web/page/page.h"
#include "web/web_http.h"

struct event_base;
struct web_body;
struct web_cache;
struct web_check;
struct web_conf;
struct web_cups;
struct web_feeds;
struct web_find;
struct web_game;
struct web_games;
struct web_link;
struct web_list;
struct web_make;
struct web_past;
struct web_png;
struct web_static;
struct web_streams;

/* All of it is main's, which makes and frees it. */
struct web_site {
	struct event_base *base;
	const struct web_conf *conf;
	struct web_link *link;
	struct web_games *games;
	struct web_cache *cache;
	struct web_http *http;
	struct web_find *find;
	struct web_list *list;
	struct web_make *make;
	struct web_check *check;
	struct web_png *png; /* NULL: there are no pictures */
	struct web_past *past; /* games as they were */
	struct web_cups *cups;
	struct web_feeds *feeds;
	struct web_forget *forget;
	struct web_static *files;
	struct web_streams *streams;
	char key[65]; /* the server's, in hex */
	int64_t waiting; /* requests that wait */
	bool has_expired; /* security.txt: the log has it */
	int64_t slowest_turn_us; /* of the loop, by processor time */
};

/* What pages are told now; borrowed until it is asked again. */
const struct page_site *web_site_page(struct web_site *s);

/* For how long the umpire has been away, ms; 0: it answers. */
int64_t web_site_away_ms(const struct web_site *s);

/* Replies with a page that says what is wrong. */
void web_site_error(
    struct web_site *s, struct web_request *rq, int status, const char *why);

/* Likewise, with how long it is of no use to ask again. */
void web_site_later(struct web_site *s, struct web_request *rq, int status,
    int64_t retry_s, const char *why);

/* Replies with another address, to be asked for a time or for good. */
void web_site_moved(struct web_site *s, struct web_request *rq, const char *to);

/* web_http_serve: the reply to a request; arg is the site. */
void web_site_serve(void *arg, struct web_request *rq);

#endif
