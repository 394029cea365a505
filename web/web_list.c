/* SPDX-License-Identifier: ISC */
#include "web/web_list.h"

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
#include "web/web_link.h"
#include "web/web_luck.h"
#include "web/web_site.h"

#define WEB_LIST_ROWS 100
#define WEB_LIST_MS 2000 /* for so long a list counts as new */
#define WEB_LIST_LIVE_MS 3600000 /* that a line may be old, in /live */
#define WEB_LIST_DIGITS 12
#define WEB_LIST_KEY 512
#define WEB_LIST_ASKING 64 /* questions at a time */

/* Somebody who waits. */
struct web_listed {
	TAILQ_ENTRY(web_listed) next;
	struct web_listing *q;
	struct web_request *rq;
};
TAILQ_HEAD(web_listeds, web_listed);

/* A question on its way. */
struct web_listing {
	TAILQ_ENTRY(web_listing) next;
	struct web_list *li;
	char key[WEB_LIST_KEY];
	struct web_target t;
	struct web_listeds waits;
	json_t *games; /* owned: what game.list has said; NULL: not yet */
};
TAILQ_HEAD(web_listings, web_listing);

struct web_list {
	struct web_site *s; /* borrowed */
	struct web_listings asking;
	int n;
	int64_t epoch; /* changes with what is known of games */
	int64_t erasures; /* and with what was erased of them */
};

struct web_list *
web_list_new(struct web_site *s)
{
	struct web_list *li = xalloc(sizeof(*li));

	li->s = s;
	TAILQ_INIT(&li->asking);
	return (li);
}

void
web_list_free(struct web_list *li)
{
	free(li);
}

void
web_list_stale(struct web_list *li)
{
	li->epoch++;
}

void
web_list_erased(struct web_list *li)
{
	li->epoch++;
	li->erasures++;
}

/* web_request.gone. */
static void
web_list_gone_cb(void *arg)
{
	struct web_listed *w = arg;

	TAILQ_REMOVE(&w->q->waits, w, next);
	w->q->li->s->waiting--;
	free(w);
}

/* The params of game.list; new. */
static json_t *
web_list_params(const struct web_target *t)
{
	json_t *v = xalloc_json(json_object());

	xalloc_set(v, "limit", json_integer(WEB_LIST_ROWS));
	switch (t->route->what) {
	case WEB_LIVE:
		xalloc_set(v, "phase", json_string("play"));
		break;
	case WEB_EVENT:
		xalloc_set(v, "event", json_string(t->name));
		break;
	case WEB_PLAYER:
		xalloc_set(v, "account", json_string(t->name));
		break;
	default:
		if (t->system[0] != '\0')
			xalloc_set(v, "system", json_string(t->system));
		if (t->event[0] != '\0')
			xalloc_set(v, "event", json_string(t->event));
		if (t->phase[0] != '\0')
			xalloc_set(v, "phase", json_string(t->phase));
	}
	if (t->before[0] != '\0')
		xalloc_set(v, "before", json_string(t->before));
	return (v);
}

/* Those with a line in the last hour; new. */
static json_t *
web_list_live(const json_t *games)
{
	json_t *list = xalloc_json(json_array());
	const int64_t now_ms = clock_wall_ms();
	const json_t *v;
	const char *at;
	int64_t ms;
	size_t i;

	json_array_foreach(games, i, v)
	{
		at = js_str(v, "at");
		if (at != NULL && clock_parse(at, strlen(at), &ms) == 0 &&
		    now_ms - ms < WEB_LIST_LIVE_MS)
			xalloc_append(list, xalloc_copy(v));
	}
	return (list);
}

/* Makes the page out of the rows.  ERR_NOTFOUND. */
static int
web_list_page(struct web_list *li, const struct web_target *t,
    const json_t *result, const json_t *tournaments, struct buf *out)
{
	json_t *games = json_object_get(result, "games"), *live = NULL;
	struct page_rows rows = {.what = PAGE_ROWS_LOBBY,
	    .games = games,
	    .more = js_str(result, "more"),
	    .tournaments = tournaments,
	    .digits = WEB_LIST_DIGITS};
	struct page_luck luck;
	const json_t *v;
	size_t i;
	int r;

	switch (t->route->what) {
	case WEB_LIVE:
		rows.what = PAGE_ROWS_LIVE;
		rows.games = live = web_list_live(games);
		rows.more = NULL;
		break;
	case WEB_EVENT:
		rows.what = PAGE_ROWS_EVENT;
		rows.name = t->name;
		break;
	case WEB_PLAYER:
		rows.what = PAGE_ROWS_PLAYER;
		rows.name = t->name;
		web_luck_count(li->s, t->name, games, &luck);
		rows.luck = &luck;
		json_array_foreach(games, i, v)
		{
			if (rows.called == NULL)
				rows.called = js_str(
				    json_object_get(v, "names"), t->name);
		}
		break;
	default:
		rows.system = t->system[0] == '\0' ? NULL : t->system;
		rows.event = t->event[0] == '\0' ? NULL : t->event;
		rows.phase = t->phase[0] == '\0' ? NULL : t->phase;
	}
	if (rows.name != NULL && json_array_size(games) == 0 &&
	    json_array_size(tournaments) == 0)
		r = ERR_NOTFOUND;
	else
		r = page_lobby(web_site_page(li->s), &rows, out);
	json_decref(live);
	return (r);
}

/* Makes the body of a page, which this takes; new. */
static struct web_body *
web_list_body(const struct web_list *li, struct buf *b)
{
	uint8_t hash[HASH_LEN];
	struct web_body *body;

	if (hash_sha256(hash, b->data, b->len) != 0)
		xalloc_die();
	body = web_body_gzip(b);
	hex_format(body->etag, hash, 8);
	body->made_ms = clock_mono_ms();
	body->epoch = li->epoch;
	return (body);
}

/* Replies with a list that is there. */
static void
web_list_send(
    struct web_list *li, struct web_request *rq, struct web_body *body)
{
	const struct web_route *rt = rq->t.route;
	const bool is_away = web_site_away_ms(li->s) > 0;
	const struct web_head head = {
	    .status = is_away ? 503 : 200,
	    .type = rt->type,
	    .keep = is_away ? "no-store" : web_route_keep(rt->keep, false),
	    .csp = rt->csp,
	    .is_open = rt->is_open,
	    .is_noindex = rt->what == WEB_PLAYER,
	    .etag = body->etag,
	    .retry_s = is_away ? 10 : 0,
	    .refresh_s = rq->t.refresh,
	};

	web_http_reply(rq, &head, body);
}

/*
 * The name under which the cache has a list, as it is after so many ms without
 * the umpire; -1: its rows.  No control character is in any of its texts.
 */
static void
web_list_name(
    const struct web_target *t, int64_t away_ms, char key[WEB_LIST_KEY])
{
	(void)snprintf(key, WEB_LIST_KEY, "list %d\n%s\n%s\n%s\n%s\n%s\n%lld",
	    t->route->what, t->name, t->system, t->event, t->phase, t->before,
	    away_ms > 0 ? 1 + (long long)away_ms / 60000 : (long long)away_ms);
}

/* Keeps the rows of a list, so that it can be told while the umpire is away. */
static void
web_list_keep(struct web_list *li, const struct web_target *t,
    const json_t *result, const json_t *tournaments)
{
	char key[WEB_LIST_KEY], *text;
	struct web_body *body;
	struct buf b;
	json_t *v;

	web_list_name(t, -1, key);
	v = xalloc_json(json_pack(
	    "{s:O, s:O*}", "games", result, "tournaments", tournaments));
	text = xalloc_dump(v);
	json_decref(v);
	buf_init(&b, 0);
	buf_puts(&b, text);
	free(text);
	body = web_body_gzip(&b);
	body->epoch = li->erasures;
	web_cache_put(li->s->cache, key, body);
	web_body_unref(body);
}

/* Makes a list of rows that were kept; new; NULL: there are none. */
static struct web_body *
web_list_again(struct web_list *li, const struct web_target *t)
{
	struct web_body *rows, *body = NULL;
	char key[WEB_LIST_KEY];
	struct buf b;
	json_t *v;

	web_list_name(t, -1, key);
	rows = web_cache_find(li->s->cache, key);
	if (rows == NULL || rows->epoch != li->erasures)
		return (NULL);
	buf_init(&b, 0);
	if (web_body_inflate(rows, &b) != 0)
		xalloc_die();
	v = xalloc_json(json_loadb(b.data, b.len, 0, NULL));
	buf_reset(&b);
	if (web_list_page(li, t, json_object_get(v, "games"),
		json_object_get(v, "tournaments"), &b) == 0)
		body = web_list_body(li, &b);
	json_decref(v);
	buf_clear(&b);
	return (body);
}

/* All is there, or not: those who wait are replied to. */
static void
web_list_done(struct web_listing *q, int r, const json_t *tournaments)
{
	struct web_list *li = q->li;
	struct web_body *body = NULL;
	struct web_request *rq;
	struct web_listed *w;
	struct buf b;

	TAILQ_REMOVE(&li->asking, q, next);
	li->n--;
	buf_init(&b, 0);
	if (r == 0)
		r = web_list_page(li, &q->t, q->games, tournaments, &b);
	if (r == 0) {
		web_list_keep(li, &q->t, q->games, tournaments);
		body = web_list_body(li, &b);
		web_cache_put(li->s->cache, q->key, body);
	}
	buf_clear(&b);
	while ((w = TAILQ_FIRST(&q->waits)) != NULL) {
		TAILQ_REMOVE(&q->waits, w, next);
		rq = w->rq;
		rq->gone = NULL;
		li->s->waiting--;
		free(w);
		if (body != NULL)
			web_list_send(li, rq, body);
		else if (r == ERR_NOTFOUND || r == ERR_INVALID)
			web_site_error(
			    li->s, rq, 404, "There are no such games.");
		else
			web_site_error(
			    li->s, rq, 503, "The umpire does not answer.");
	}
	web_body_unref(body);
	json_decref(q->games);
	free(q);
}

/* The answer of tournament.list. */
static void
web_list_cups_cb(void *arg, int r, const json_t *result)
{
	json_t *list = xalloc_json(json_array());
	struct web_listing *q = arg;
	const json_t *v;
	const char *event;
	size_t i;

	json_array_foreach(json_object_get(result, "tournaments"), i, v)
	{
		event = js_str(v, "event");
		if (q->t.route->what != WEB_EVENT ||
		    (event != NULL && strcmp(event, q->t.name) == 0))
			xalloc_append(list, xalloc_copy(v));
	}
	web_list_done(q, r, list);
	json_decref(list);
}

/* The answer of game.list; then tournaments are asked for, where they show. */
static void
web_list_cb(void *arg, int r, const json_t *result)
{
	struct web_listing *q = arg;
	json_t *params;

	if (r != 0 || q->t.route->what == WEB_LIVE || q->t.before[0] != '\0') {
		q->games = xalloc_copy(result == NULL ? json_null() : result);
		web_list_done(q, r, NULL);
		return;
	}
	q->games = xalloc_copy(result);
	params = xalloc_json(json_object());
	xalloc_set(params, "limit", json_integer(WEB_LIST_ROWS));
	if (q->t.route->what == WEB_PLAYER)
		xalloc_set(params, "account", json_string(q->t.name));
	web_link_call(
	    q->li->s->link, "tournament.list", params, web_list_cups_cb, q);
}

void
web_list_reply(struct web_list *li, struct web_request *rq)
{
	const struct web_target *t = &rq->t;
	struct web_listing *q;
	struct web_listed *w;
	struct web_body *body;
	char key[WEB_LIST_KEY];

	web_list_name(t, web_site_away_ms(li->s), key);
	body = web_cache_find(li->s->cache, key);
	if (body != NULL &&
	    (!web_link_is_up(li->s->link) ||
		(body->epoch == li->epoch &&
		    clock_mono_ms() - body->made_ms < WEB_LIST_MS))) {
		web_list_send(li, rq, body);
		return;
	}
	if (!web_link_is_up(li->s->link) &&
	    (body = web_list_again(li, t)) != NULL) {
		web_cache_put(li->s->cache, key, body);
		web_list_send(li, rq, body);
		web_body_unref(body);
		return;
	}
	TAILQ_FOREACH(q, &li->asking, next)
	{
		if (strcmp(q->key, key) == 0)
			break;
	}
	if (q == NULL && li->n >= WEB_LIST_ASKING) {
		web_site_error(li->s, rq, 503, "Too many ask at once.");
		return;
	}
	w = xalloc(sizeof(*w));
	w->rq = rq;
	rq->gone = web_list_gone_cb;
	rq->arg = w;
	li->s->waiting++;
	if ((w->q = q) != NULL) {
		TAILQ_INSERT_TAIL(&q->waits, w, next);
		return;
	}
	w->q = q = xalloc(sizeof(*q));
	q->li = li;
	q->t = *t;
	memcpy(q->key, key, sizeof(key));
	TAILQ_INIT(&q->waits);
	TAILQ_INSERT_TAIL(&q->waits, w, next);
	TAILQ_INSERT_TAIL(&li->asking, q, next);
	li->n++;
	web_link_call(
	    li->s->link, "game.list", web_list_params(t), web_list_cb, q);
}
