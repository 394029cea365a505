/* SPDX-License-Identifier: ISC */
/*
 * Those that are there, the ones used last first; who waits for one; what is
 * replied.  Reading one is web_cup_read's.
 */
#include "web/web_cup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>

#include "client/base/xalloc.h"
#include "client/profile/file.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/json/js.h"
#include "common/tournament/tournament.h"
#include "common/tournament/verify_tournament.h"
#include "web/page/page.h"
#include "web/web_body.h"
#include "web/web_cache.h"
#include "web/web_check.h"
#include "web/web_conf.h"
#include "web/web_cup_int.h"
#include "web/web_link.h"
#include "web/web_site.h"
#include "web/web_static.h"
#include "web/web_store.h"

#define WEB_CUP_SHARE 4 /* of what games may take: a part of that more */
#define WEB_CUP_LINE 1500 /* bytes that a line takes beside its own */
#define WEB_CUP_VIEW 500 /* and in what is kept for pages */
#define WEB_CUP_BASE 65536 /* bytes that one takes at least */
#define WEB_CUP_PAGE_MS 500 /* that a page waits for all lines */
#define WEB_CUP_DATA_MS 10000 /* likewise what is of no use without them */
#define WEB_CUP_PROOF ((size_t)1 << 28) /* bytes of a file */
#define WEB_CUP_TICK_MS 100

struct web_cup *
web_cup_find(struct web_cups *cs, const char *hex)
{
	struct web_cup *c;

	TAILQ_FOREACH(c, &cs->used, used)
	{
		if (strcmp(c->hex, hex) == 0)
			break;
	}
	return (c);
}

void
web_cup_weigh(struct web_cup *c)
{
	const size_t n = WEB_CUP_BASE + 2 * c->lines.cap + c->before.cap +
	    c->queue.cap + 2 * c->side_bytes + (size_t)c->n * WEB_CUP_LINE +
	    (c->view == NULL ? 0 : (size_t)c->n * WEB_CUP_VIEW);

	c->cs->bytes += n - c->bytes;
	c->bytes = n;
}

void
web_cup_view_drop(struct web_cup *c)
{
	page_cup_view_free(c->view);
	c->view = NULL;
}

void
web_cup_stale(struct web_cup *c)
{
	web_cache_drop(c->cs->s->cache, c->hex);
}

void
web_cup_queue(struct web_cup *c)
{
	static const struct timeval now = {.tv_sec = 0};

	if (!c->is_due) {
		c->is_due = true;
		TAILQ_INSERT_TAIL(&c->cs->due, c, due);
	}
	/* By a timer: what comes from outside has its turn before. */
	if (!evtimer_pending(c->cs->pump, NULL))
		(void)evtimer_add(c->cs->pump, &now);
}

/* Has one verified for a slice of time; then others have their turn. */
static void
web_cup_pump_cb(evutil_socket_t fd, short what, void *arg)
{
	struct web_cups *cs = arg;
	struct web_cup *c;

	(void)fd;
	(void)what;
	TAILQ_FOREACH(c, &cs->due, due)
	{
		if (c->making == 0)
			break;
	}
	if (c == NULL)
		return;
	TAILQ_REMOVE(&cs->due, c, due);
	c->is_due = false;
	web_cup_read_slice(c);
	if (!TAILQ_EMPTY(&cs->due))
		web_cup_queue(TAILQ_FIRST(&cs->due));
}

/* True if nobody has to do with it, and no answer is on its way. */
static bool
web_cup_is_idle(const struct web_cup *c)
{
	return (!web_cup_check_is_on(c) && !c->is_asking && c->omitted == 0 &&
	    c->making == 0 && TAILQ_EMPTY(&c->waits));
}

/* Frees one for which nobody waits. */
static void
web_cup_free(struct web_cup *c)
{
	struct web_cups *cs = c->cs;

	if (c->is_due)
		TAILQ_REMOVE(&cs->due, c, due);
	TAILQ_REMOVE(&cs->used, c, used);
	cs->bytes -= c->bytes;
	cs->counts.cups--;
	web_cup_read_clear(c);
	web_cup_check_clear(c);
	web_cup_view_drop(c);
	json_decref(c->sides);
	json_decref(c->values);
	free(c->trouble);
	free(c->evidence);
	free(c);
}

/* Gives some up, those unused for longest, until there is room. */
static void
web_cup_make_room(struct web_cups *cs)
{
	const size_t max =
	    ((size_t)cs->s->conf->games_memory << 20) / WEB_CUP_SHARE;
	struct web_cup *c, *prev;

	for (c = TAILQ_LAST(&cs->used, web_cup_list);
	     c != NULL && cs->bytes > max; c = prev) {
		prev = TAILQ_PREV(c, web_cup_list, used);
		if (web_cup_is_idle(c))
			web_cup_free(c);
	}
}

/* ---- what is replied ---- */

/* Texts before blobs, each kind by its hash; qsort(). */
static int
web_cup_compare_cb(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return ((*x)[2] != (*y)[2] ? (*y)[2] - (*x)[2] : strcmp(*x, *y));
}

/* Appends the record, to be verified. */
static void
web_cup_export(const struct web_cup *c, struct buf *out)
{
	const char **list, *hex;
	const json_t *line;
	size_t i, n = 0;

	buf_add(out, c->lines.data, c->lines.len);
	list = xalloc((json_object_size(c->sides) + 1) * sizeof(*list));
	json_object_foreach(c->sides, hex, line)
	{
		if (verify_tournament_names(c->v, hex))
			list[n++] = json_string_value(line);
	}
	qsort(list, n, sizeof(*list), web_cup_compare_cb);
	for (i = 0; i < n; i++)
		buf_printf(out, "%s\n", list[i]);
	free(list);
}

/* A number for what a page says beside the record. */
static unsigned
web_cup_mood(const struct web_cup *c)
{
	const struct web_cup_check *k = &c->check;
	const char *const said[] = {c->trouble, c->evidence, k->why};
	/* That nobody checks any more is told, too. */
	uint32_t h = 2166136261U ^ (uint32_t)k->is_done ^
	    ((uint32_t)web_check_is_up(c->cs->s->check) << 1);
	const char *p;
	size_t i;

	for (i = 0; i < sizeof(said) / sizeof(said[0]); i++) {
		for (p = said[i]; p != NULL && *p != '\0'; p++)
			h = (h ^ (unsigned char)*p) * 16777619U;
		h = (h ^ (said[i] != NULL)) * 16777619U;
	}
	h = (h ^ (uint32_t)k->lines) * 16777619U;
	h = (h ^ (uint32_t)k->has) * 16777619U;
	h = (h ^ (uint32_t)k->dice) * 16777619U;
	return (h ^ (uint32_t)(k->at_ms / 60000));
}

void
web_cup_mark(const struct web_cup *c, char *out, size_t max)
{
	(void)snprintf(out, max, "%lld-%lld-%08x", (long long)c->n - 1,
	    (long long)c->erasures, web_cup_mood(c));
}

void
web_cup_send(struct web_cup *c, struct web_request *rq, struct web_body *body,
    bool is_short)
{
	const struct web_route *rt = rq->t.route;
	const bool is_away =
	    web_site_away_ms(c->cs->s) > 0 && rt->csp != WEB_CSP_DATA;
	char file[32];
	const struct web_head head = {
	    .status = is_away ? 503 : 200,
	    .type = rt->type,
	    .keep = is_away || is_short ? "no-store"
					: web_route_keep(rt->keep, false),
	    .csp = rt->csp,
	    .is_open = rt->is_open,
	    .etag = body->etag[0] == '\0' ? NULL : body->etag,
	    .takes_range = rt->what == WEB_CUP_RECORD,
	    .file = rt->what == WEB_CUP_RECORD ? file : NULL,
	    .retry_s = is_away ? 10 : 0,
	    .refresh_s = is_short ? 2 : 0,
	};

	(void)snprintf(file, sizeof(file), "umpire-%.12s.jsonl", c->hex);
	web_http_reply(rq, &head, body);
}

/* The name under which what a request asks for is kept, and its ETag. */
static void
web_cup_name(const struct web_cup *c, const struct web_target *t,
    char key[WEB_CUP_KEY], char etag[WEB_ETAG])
{
	const int64_t away_ms = web_site_away_ms(c->cs->s);
	char head[9], away[24] = "";

	hex_format(head, verify_tournament_hash(c->v, c->n - 1), 4);
	if (away_ms > 0)
		(void)snprintf(away, sizeof(away), "-away%lld",
		    (long long)away_ms / 60000);
	(void)snprintf(etag, WEB_ETAG, "%s-%lld-%lld-%.6s-%08x%s", head,
	    (long long)c->n - 1, (long long)c->erasures,
	    web_static_mark(c->cs->s->files), web_cup_mood(c), away);
	(void)snprintf(key, WEB_CUP_KEY, "cup %d %s %lld %s %d", t->route->what,
	    c->hex, (long long)t->n, etag, c->digits);
}

/* Replies with proof against the server. */
static void
web_cup_evidence(struct web_cup *c, struct web_request *rq)
{
	struct web_site *s = c->cs->s;
	struct errinfo e = {.text = ""};
	struct web_body *body;
	struct buf b;

	if (c->evidence == NULL) {
		web_site_error(s, rq, 404,
		    "There is no evidence: the server has told one history of "
		    "this tournament.");
		return;
	}
	buf_init(&b, 0);
	if (file_read(c->evidence, WEB_CUP_PROOF, &b, &e) != 0) {
		buf_clear(&b);
		web_site_error(s, rq, 500, "The evidence cannot be read.");
		return;
	}
	body = web_body_gzip(&b);
	web_cup_send(c, rq, body, false);
	web_body_unref(body);
}

/* Why nothing can be said of it: no line is here, or none can be judged. */
void
web_cup_nothing(struct web_cup *c, struct web_request *rq)
{
	struct web_site *s = c->cs->s;

	if (c->n > 0 && !web_cup_read_is_short(c))
		web_site_error(s, rq, 501,
		    "A newer umpire-web is needed to show this tournament.");
	else if (c->is_gone)
		web_site_error(s, rq, 404, "There is no such tournament.");
	else if (!web_link_is_up(s->link))
		web_site_error(s, rq, 503, "The umpire does not answer.");
	else
		web_site_error(s, rq, 503,
		    c->trouble != NULL
			? c->trouble
			: "The tournament is being read.  Try again in a "
			  "moment.");
}

/* Replies to a request about one that is here. */
static void
web_cup_serve(struct web_cup *c, struct web_request *rq)
{
	struct web_site *s = c->cs->s;
	const bool is_short = web_cup_read_is_short(c);
	char key[WEB_CUP_KEY], etag[WEB_ETAG];
	struct web_body *body;
	struct buf b;

	if (rq->t.route->what == WEB_CUP_EVIDENCE) {
		web_cup_evidence(c, rq);
		return;
	}
	if (c->n == 0 || verify_tournament_state(c->v) == NULL ||
	    (is_short && rq->t.route->csp == WEB_CSP_DATA)) {
		web_cup_nothing(c, rq);
		return;
	}
	if (rq->t.route->csp != WEB_CSP_DATA && !is_short)
		web_cup_check_want(c);
	web_cup_name(c, &rq->t, key, etag);
	if (!is_short && (body = web_cache_find(s->cache, key)) != NULL) {
		web_cup_send(c, rq, body, false);
		return;
	}
	if (rq->t.route->what != WEB_CUP_RECORD) {
		web_cup_make_ask(c, rq, key, etag);
		return;
	}
	buf_init(&b, 0);
	web_cup_export(c, &b);
	if (buf_error(&b) != 0)
		xalloc_die();
	body = web_body_plain(&b);
	memcpy(body->etag, etag, sizeof(body->etag));
	web_cache_put(s->cache, key, body);
	web_cup_send(c, rq, body, false);
	web_body_unref(body);
}

void
web_cup_wake(struct web_cup *c, bool all)
{
	const int64_t now_ms = clock_mono_ms();
	struct web_cup_wait *w;
	struct web_request *rq;

	for (;;) {
		TAILQ_FOREACH(w, &c->waits, next)
		{
			if (all || w->until_ms <= now_ms)
				break;
		}
		if (w == NULL)
			return;
		TAILQ_REMOVE(&c->waits, w, next);
		rq = w->rq;
		rq->gone = NULL;
		c->cs->s->waiting--;
		free(w);
		web_cup_serve(c, rq);
	}
}

/* web_request.gone. */
static void
web_cup_gone_cb(void *arg)
{
	struct web_cup_wait *w = arg;

	TAILQ_REMOVE(&w->cup->waits, w, next);
	w->cup->cs->s->waiting--;
	free(w);
}

/* One that is not there yet; new. */
static struct web_cup *
web_cup_new(struct web_cups *cs, const char *hex)
{
	struct web_cup *c = xalloc(sizeof(*c));

	c->cs = cs;
	memcpy(c->hex, hex, sizeof(c->hex));
	/* It was found by this id. */
	if (hex_parse(c->id, HASH_LEN, hex, 2 * HASH_LEN) != 0)
		abort();
	c->sides = xalloc_json(json_object());
	c->values = xalloc_json(json_object());
	buf_init(&c->lines, 0);
	buf_init(&c->before, 0);
	buf_init(&c->queue, 0);
	buf_init(&c->unsaved, 0);
	TAILQ_INIT(&c->waits);
	TAILQ_INSERT_HEAD(&cs->used, c, used);
	cs->counts.cups++;
	web_cup_weigh(c);
	web_cup_read_begin(c);
	return (c);
}

/* One that is not there is read; NULL: there is no room now. */
static struct web_cup *
web_cup_get(struct web_cups *cs, const char *hex)
{
	web_cup_make_room(cs);
	if (!cs->profile.has_pin ||
	    cs->bytes >
		((size_t)cs->s->conf->games_memory << 20) / WEB_CUP_SHARE)
		return (NULL);
	return (web_cup_new(cs, hex));
}

/* True if it can be replied about at once. */
static bool
web_cup_is_ready(const struct web_cup *c)
{
	if (web_cup_read_is_short(c) || c->is_due)
		return (false);
	return (c->is_forked || !web_link_is_up(c->cs->s->link) ||
	    (c->synced_ms > 0 &&
		clock_mono_ms() - c->synced_ms < WEB_CUP_FRESH_MS));
}

void
web_cup_reply(
    struct web_cups *cs, struct web_request *rq, const char *hex, int digits)
{
	struct web_cup *c = web_cup_find(cs, hex);
	struct web_cup_wait *w;

	if (c == NULL) {
		if ((c = web_cup_get(cs, hex)) == NULL) {
			web_site_error(cs->s, rq, 503,
			    "Too many tournaments are being read at once.");
			return;
		}
	} else {
		TAILQ_REMOVE(&cs->used, c, used);
		TAILQ_INSERT_HEAD(&cs->used, c, used);
	}
	c->digits = digits;
	if (web_cup_is_ready(c)) {
		web_cup_serve(c, rq);
		return;
	}
	w = xalloc(sizeof(*w));
	w->cup = c;
	w->rq = rq;
	w->until_ms = clock_mono_ms() +
	    (rq->t.route->csp == WEB_CSP_DATA ? WEB_CUP_DATA_MS
					      : WEB_CUP_PAGE_MS);
	rq->gone = web_cup_gone_cb;
	rq->arg = w;
	cs->s->waiting++;
	TAILQ_INSERT_TAIL(&c->waits, w, next);
	web_cup_read_ask(c);
}

void
web_cup_notice(struct web_cups *cs, const char *method, const json_t *params)
{
	const char *hex = js_str(params, "tournament");
	uint8_t id[HASH_LEN];
	struct web_cup *c;

	if (hex == NULL || strcmp(method, "tournament.erased") != 0 ||
	    hex_parse(id, HASH_LEN, hex, strlen(hex)) != 0)
		return;
	web_cache_drop(cs->s->cache, hex);
	if ((c = web_cup_find(cs, hex)) == NULL) {
		/* It is read anew when somebody asks. */
		web_store_drop(cs->store, hex);
		return;
	}
	web_cup_read_erase(c, js_str(params, "ref"));
	c->synced_ms = 0;
}

struct web_store_id *
web_cup_ids(const struct web_cups *cs, size_t *n)
{
	return (web_store_ids(cs->store, n));
}

void
web_cup_erased(struct web_cups *cs, const char *hex, int64_t erasures)
{
	struct web_cup *c = web_cup_find(cs, hex);

	/* How many its file knows of is not kept. */
	if (c == NULL) {
		web_cache_drop(cs->s->cache, hex);
		/* Its lines may still show that the server tells others. */
		if (web_cup_get(cs, hex) == NULL)
			web_store_drop(cs->store, hex);
	} else if (c->erasures < erasures) {
		c->synced_ms = 0;
		web_cup_read_ask(c);
	}
}

int
web_cup_kept(
    const struct web_cups *cs, const char *digits, char hex[2 * HASH_LEN + 1])
{
	return (web_store_find(cs->store, digits, hex));
}

void
web_cup_count(struct web_cups *cs, struct web_cup_counts *out)
{
	size_t i;

	*out = cs->counts;
	out->bytes = (int64_t)cs->bytes;
	out->disk = (int64_t)web_store_bytes(cs->store);
	for (i = 0; i < WEB_CHECKER_JOBS; i++)
		out->checking += cs->checking[i] != NULL;
	cs->counts.slowest_us = cs->counts.slowest_page_us = 0;
}

/* Those who have waited for too long. */
static void
web_cup_tick_cb(evutil_socket_t fd, short what, void *arg)
{
	struct web_cups *cs = arg;
	struct web_cup *c;

	(void)fd;
	(void)what;
	TAILQ_FOREACH(c, &cs->used, used)
	web_cup_wake(c, false);
	web_cup_check_tick(cs);
	web_cup_make_room(cs);
}

void
web_cup_make_soon(struct web_cups *cs)
{
	static const struct timeval now = {.tv_sec = 0};

	if (!TAILQ_EMPTY(&cs->makings) && !evtimer_pending(cs->maker, NULL))
		(void)evtimer_add(cs->maker, &now);
}

/* The next turn of pages in the making. */
static void
web_cup_maker_cb(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	web_cup_make_turn(arg);
}

/* The next game of each check. */
static void
web_cup_step_cb(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	web_cup_check_step(arg);
}

void
web_cup_check_later(struct web_cups *cs, int64_t ms)
{
	const struct timeval tv = {.tv_usec = (suseconds_t)ms * 1000};

	if (!evtimer_pending(cs->step, NULL))
		(void)evtimer_add(cs->step, &tv);
}

void
web_cup_set_key(struct web_cups *cs, const uint8_t key[SIGN_KEY_LEN])
{
	memcpy(cs->profile.pin, key, SIGN_KEY_LEN);
	cs->profile.has_pin = true;
}

int
web_cup_open_all(struct web_site *s, struct web_cups **out, struct errinfo *e)
{
	const struct timeval often = {.tv_usec = WEB_CUP_TICK_MS * 1000};
	struct web_cups *cs = xalloc(sizeof(*cs));
	int r;

	cs->s = s;
	cs->profile.data_dir = s->conf->cache;
	TAILQ_INIT(&cs->used);
	TAILQ_INIT(&cs->due);
	TAILQ_INIT(&cs->makings);
	cs->maker = evtimer_new(s->base, web_cup_maker_cb, cs);
	cs->pump = evtimer_new(s->base, web_cup_pump_cb, cs);
	cs->tick = event_new(s->base, -1, EV_PERSIST, web_cup_tick_cb, cs);
	cs->step = evtimer_new(s->base, web_cup_step_cb, cs);
	if (cs->maker == NULL || cs->pump == NULL || cs->tick == NULL ||
	    cs->step == NULL || event_add(cs->tick, &often) != 0)
		xalloc_die();
	r = web_store_new("cups", s->conf->cache,
	    ((size_t)s->conf->cache_disk << 20) / WEB_CUP_SHARE, &cs->store, e);
	if (r != 0)
		web_cup_close_all(cs);
	else
		*out = cs;
	return (r);
}

void
web_cup_close_all(struct web_cups *cs)
{
	struct web_cup *c;
	struct web_cup_wait *w;

	if (cs == NULL)
		return;
	web_cup_check_stop(cs);
	web_cup_make_stop(cs);
	while ((c = TAILQ_FIRST(&cs->used)) != NULL) {
		while ((w = TAILQ_FIRST(&c->waits)) != NULL) {
			w->rq->gone = NULL;
			TAILQ_REMOVE(&c->waits, w, next);
			free(w);
		}
		web_cup_free(c);
	}
	event_free(cs->maker);
	event_free(cs->pump);
	event_free(cs->tick);
	event_free(cs->step);
	web_store_free(cs->store);
	free(cs);
}
