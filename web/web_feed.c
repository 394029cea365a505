/* SPDX-License-Identifier: ISC */
#include "web/web_feed.h"

#include <sys/queue.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/crypt/hash.h"
#include "common/json/js.h"
#include "web/page/page.h"
#include "web/web_body.h"
#include "web/web_cache.h"
#include "web/web_game.h"
#include "web/web_games.h"
#include "web/web_link.h"
#include "web/web_make.h"
#include "web/web_site.h"

#define WEB_FEED_GAMES 10 /* the newest */
#define WEB_FEED_CUPS 100 /* tournaments that are looked through */
#define WEB_FEED_WAIT_MS 3000 /* that one may take to be read */
#define WEB_FEED_MS 30000 /* for so long a feed counts as new */
#define WEB_FEED_MAX 16 /* in the making at a time */
#define WEB_FEED_KEY 192
#define WEB_FEED_DIGITS 12

/* A request that waits. */
struct web_feed_wait {
	TAILQ_ENTRY(web_feed_wait) next;
	struct web_feed *f;
	struct web_request *rq;
};
TAILQ_HEAD(web_feed_waits, web_feed_wait);

/* A feed in the making. */
struct web_feed {
	TAILQ_ENTRY(web_feed) next;
	struct web_feeds *fs; /* borrowed */
	char key[WEB_FEED_KEY];
	struct web_target t;
	struct web_feed_waits waits;
	json_t *games; /* owned: rows; NULL: they are asked for */
	size_t i; /* the next of them */
	struct web_game *g; /* that is waited for; NULL */
	struct web_wait wait;
	struct buf out;
};
TAILQ_HEAD(web_feed_list, web_feed);

struct web_feeds {
	struct web_site *s; /* borrowed */
	struct web_feed_list list;
	int n;
	int64_t epoch;
};

static void web_feed_next(struct web_feed *f);

/* web_request.gone. */
static void
web_feed_gone_cb(void *arg)
{
	struct web_feed_wait *w = arg;

	TAILQ_REMOVE(&w->f->waits, w, next);
	w->f->fs->s->waiting--;
	free(w);
}

/* Frees one, which nobody waits for. */
static void
web_feed_free(struct web_feed *f)
{
	TAILQ_REMOVE(&f->fs->list, f, next);
	f->fs->n--;
	json_decref(f->games);
	buf_clear(&f->out);
	free(f);
}

/* Replies with a feed that is there. */
static void
web_feed_send(
    struct web_feeds *fs, struct web_request *rq, struct web_body *body)
{
	const struct web_route *rt = rq->t.route;
	const struct web_head head = {
	    .status = 200,
	    .type = rt->type,
	    .keep = web_route_keep(rt->keep, false),
	    .csp = rt->csp,
	    .is_open = rt->is_open,
	    .is_noindex = rt->what == WEB_PLAYER_FEED,
	    .etag = body->etag,
	};

	(void)fs;
	web_http_reply(rq, &head, body);
}

/* It is done: all who wait have it, or an error. */
static void
web_feed_done(struct web_feed *f, int r)
{
	struct web_feeds *fs = f->fs;
	struct web_body *body = NULL;
	uint8_t hash[HASH_LEN];
	struct web_feed_wait *w;
	struct web_request *rq;

	if (r == 0)
		r = page_feed_close(&f->out);
	if (r == 0 && hash_sha256(hash, f->out.data, f->out.len) == 0) {
		body = web_body_gzip(&f->out);
		hex_format(body->etag, hash, 8);
		body->made_ms = clock_mono_ms();
		body->epoch = fs->epoch;
		web_cache_put(fs->s->cache, f->key, body);
	}
	while ((w = TAILQ_FIRST(&f->waits)) != NULL) {
		TAILQ_REMOVE(&f->waits, w, next);
		rq = w->rq;
		rq->gone = NULL;
		fs->s->waiting--;
		free(w);
		if (body != NULL)
			web_feed_send(fs, rq, body);
		else if (r == ERR_NOTFOUND || r == ERR_INVALID)
			web_site_error(
			    fs->s, rq, 404, "There are no such games.");
		else
			web_site_error(
			    fs->s, rq, 503, "The umpire does not answer.");
	}
	web_body_unref(body);
	web_feed_free(f);
}

/* web_wait.ready: a game is there, or time is over. */
static void
web_feed_ready_cb(void *arg, struct web_game *g)
{
	struct web_feed *f = arg;
	int r = 0;

	f->g = NULL;
	/* What could not be read in time is left out, once. */
	if (g->c != NULL && web_game_is_whole(g))
		r = page_feed_add(web_site_page(f->fs->s),
		    web_make_game(f->fs->s->make, g), &f->out);
	if (r != 0)
		web_feed_done(f, r);
	else
		web_feed_next(f);
}

/* Goes on with the next game. */
static void
web_feed_next(struct web_feed *f)
{
	struct web_game *g = NULL;
	const char *hex;

	while (g == NULL && f->i < json_array_size(f->games)) {
		hex = js_str(json_array_get(f->games, f->i++), "game");
		if (hex != NULL)
			g = web_games_get(f->fs->s->games, hex);
	}
	if (g == NULL) {
		web_feed_done(f, 0);
		return;
	}
	if (web_game_is_whole(g)) {
		web_feed_ready_cb(f, g);
		return;
	}
	f->g = g;
	f->wait.ready = web_feed_ready_cb;
	f->wait.arg = f;
	f->wait.until_ms = clock_mono_ms() + WEB_FEED_WAIT_MS;
	web_game_wait(g, &f->wait);
}

/* When the newest line of any of them was written; 0: there are none. */
static int64_t
web_feed_updated(const json_t *games)
{
	int64_t ms, newest_ms = 0;
	const json_t *v;
	const char *at;
	size_t i;

	json_array_foreach(games, i, v)
	{
		at = js_str(v, "at");
		if (at != NULL && clock_parse(at, strlen(at), &ms) == 0 &&
		    ms > newest_ms)
			newest_ms = ms;
	}
	return (newest_ms);
}

/* Begins the feed of the games that were found. */
static void
web_feed_begin(struct web_feed *f)
{
	const bool is_player = f->t.route->what == WEB_PLAYER_FEED;
	char *self;
	int r;

	self =
	    xalloc_printf("/%s/%s/feed.atom", is_player ? "u" : "e", f->t.raw);
	r = page_feed_open(web_site_page(f->fs->s), self, f->t.name,
	    web_feed_updated(f->games), &f->out);
	free(self);
	if (r != 0)
		web_feed_done(f, r);
	else
		web_feed_next(f);
}

/* The answer of tournament.list: whether there is any, without a game yet. */
static void
web_feed_cups_cb(void *arg, int r, const json_t *result)
{
	struct web_feed *f = arg;
	const json_t *v;
	const char *event;
	bool has_any = false;
	size_t i;

	json_array_foreach(json_object_get(result, "tournaments"), i, v)
	{
		event = js_str(v, "event");
		if (f->t.route->what == WEB_PLAYER_FEED ||
		    (event != NULL && strcmp(event, f->t.name) == 0))
			has_any = true;
	}
	if (r != 0 || !has_any)
		web_feed_done(f, r != 0 ? r : ERR_NOTFOUND);
	else
		web_feed_begin(f);
}

/* The answer of game.list. */
static void
web_feed_list_cb(void *arg, int r, const json_t *result)
{
	struct web_feed *f = arg;
	json_t *params;

	if (r != 0) {
		web_feed_done(f, r);
		return;
	}
	f->games = xalloc_copy(json_object_get(result, "games"));
	if (json_array_size(f->games) > 0) {
		web_feed_begin(f);
		return;
	}
	params = xalloc_json(json_object());
	xalloc_set(params, "limit", json_integer(WEB_FEED_CUPS));
	if (f->t.route->what == WEB_PLAYER_FEED)
		xalloc_set(params, "account", json_string(f->t.name));
	web_link_call(
	    f->fs->s->link, "tournament.list", params, web_feed_cups_cb, f);
}

void
web_feed_reply(struct web_feeds *fs, struct web_request *rq)
{
	const bool is_player = rq->t.route->what == WEB_PLAYER_FEED;
	char key[WEB_FEED_KEY];
	struct web_feed_wait *w;
	struct web_body *body;
	struct web_feed *f;

	(void)snprintf(key, sizeof(key), "feed %d %s", is_player, rq->t.name);
	body = web_cache_find(fs->s->cache, key);
	if (body != NULL &&
	    (!web_link_is_up(fs->s->link) ||
		(body->epoch == fs->epoch &&
		    clock_mono_ms() - body->made_ms < WEB_FEED_MS))) {
		web_feed_send(fs, rq, body);
		return;
	}
	TAILQ_FOREACH(f, &fs->list, next)
	{
		if (strcmp(f->key, key) == 0)
			break;
	}
	if (f == NULL && fs->n >= WEB_FEED_MAX) {
		web_site_error(fs->s, rq, 503, "Too many ask at once.");
		return;
	}
	w = xalloc(sizeof(*w));
	w->rq = rq;
	rq->gone = web_feed_gone_cb;
	rq->arg = w;
	fs->s->waiting++;
	if ((w->f = f) != NULL) {
		TAILQ_INSERT_TAIL(&f->waits, w, next);
		return;
	}
	w->f = f = xalloc(sizeof(*f));
	f->fs = fs;
	f->t = rq->t;
	memcpy(f->key, key, sizeof(key));
	TAILQ_INIT(&f->waits);
	TAILQ_INSERT_TAIL(&f->waits, w, next);
	buf_init(&f->out, 0);
	TAILQ_INSERT_TAIL(&fs->list, f, next);
	fs->n++;
	web_link_call(fs->s->link, "game.list",
	    xalloc_json(json_pack("{s:s, s:i}", is_player ? "account" : "event",
		f->t.name, "limit", WEB_FEED_GAMES)),
	    web_feed_list_cb, f);
}

void
web_feed_stale(struct web_feeds *fs)
{
	fs->epoch++;
}

struct web_feeds *
web_feed_open_all(struct web_site *s)
{
	struct web_feeds *fs = xalloc(sizeof(*fs));

	fs->s = s;
	TAILQ_INIT(&fs->list);
	return (fs);
}

void
web_feed_close_all(struct web_feeds *fs)
{
	struct web_feed_wait *w;
	struct web_feed *f;

	if (fs == NULL)
		return;
	while ((f = TAILQ_FIRST(&fs->list)) != NULL) {
		while ((w = TAILQ_FIRST(&f->waits)) != NULL) {
			TAILQ_REMOVE(&f->waits, w, next);
			w->rq->gone = NULL;
			free(w);
		}
		if (f->g != NULL)
			web_game_unwait(f->g, &f->wait);
		web_feed_free(f);
	}
	free(fs);
}
