/* SPDX-License-Identifier: ISC */
#include "web/web_cup.h"

#include <sys/queue.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>

#include "client/base/xalloc.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/tournament/verify_tournament.h"
#include "server/base/log.h"
#include "web/page/page.h"
#include "web/web_body.h"
#include "web/web_cache.h"
#include "web/web_conf.h"
#include "web/web_link.h"
#include "web/web_site.h"

#define WEB_CUPS 64 /* in memory at a time */
#define WEB_CUP_BYTES ((size_t)64 << 20) /* of lines of one */
#define WEB_CUP_FRESH_MS 2000 /* for so long one counts as up to date */
#define WEB_CUP_WAIT_MS 10000 /* that a request waits at most */
#define WEB_CUP_KEY 256
#define WEB_CUP_TICK_MS 100

/* A request that waits for it. */
struct web_cup_wait {
	TAILQ_ENTRY(web_cup_wait) next;
	struct web_cup *cup;
	struct web_request *rq;
	int64_t until_ms; /* monotonic */
};
TAILQ_HEAD(web_cup_waits, web_cup_wait);

/* A tournament. */
struct web_cup {
	TAILQ_ENTRY(web_cup) used; /* the newest first */
	TAILQ_ENTRY(web_cup) due; /* has lines to verify */
	struct web_cups *cs; /* borrowed */
	char hex[2 * HASH_LEN + 1];
	int digits;
	struct verify_tournament *v; /* owned */
	struct buf lines; /* verified, with LF */
	size_t last; /* where the last of them begins */
	int64_t n;
	json_t *sides; /* owned: hash in hex -> side line */
	json_t *values; /* owned: hash in hex -> its value */
	struct buf queue; /* to be verified, with LF */
	size_t taken;
	int64_t next; /* line to go on with; -1 */
	int64_t asked;
	int64_t erasures;
	int64_t at_ms;
	int64_t synced_ms; /* monotonic; 0: never */
	char *trouble; /* owned; NULL: all is well */
	bool is_asking;
	bool is_due;
	struct web_cup_waits waits;
};
TAILQ_HEAD(web_cup_list, web_cup);

struct web_cups {
	struct web_site *s; /* borrowed */
	struct web_cup_list used;
	struct web_cup_list due;
	struct event *pump; /* owned */
	struct event *tick; /* owned */
	int n;
};

static void web_cup_ask(struct web_cup *c);

/* The tournament of an id; NULL: it is not here. */
static struct web_cup *
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

/* Frees one for which nobody waits. */
static void
web_cup_free(struct web_cup *c)
{
	struct web_cups *cs = c->cs;

	if (c->is_due)
		TAILQ_REMOVE(&cs->due, c, due);
	TAILQ_REMOVE(&cs->used, c, used);
	cs->n--;
	verify_tournament_free(c->v);
	buf_clear(&c->lines);
	buf_clear(&c->queue);
	json_decref(c->sides);
	json_decref(c->values);
	free(c->trouble);
	free(c);
}

/* page_cup_in.text: a text by its hash. */
static const char *
web_cup_text_cb(void *arg, const char *hex)
{
	const struct web_cup *c = arg;

	return (js_str(c->values, hex));
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

/* Which page a request is for. */
static enum page_cup
web_cup_page(enum web_what what)
{
	switch (what) {
	case WEB_CUP_STANDINGS:
		return (PAGE_CUP_STANDINGS);
	case WEB_CUP_CROSSTABLE:
		return (PAGE_CUP_CROSSTABLE);
	case WEB_CUP_ROUND:
		return (PAGE_CUP_ROUND);
	case WEB_CUP_WHY:
		return (PAGE_CUP_WHY);
	default:
		return (PAGE_CUP_SHOW);
	}
}

/* Makes what a request asks for.  ERR_NOTFOUND. */
static int
web_cup_make(struct web_cup *c, const struct web_target *t, struct buf *out)
{
	char id[2 * HASH_LEN + 1];
	const struct page_cup_in in = {
	    .t = verify_tournament_state(c->v),
	    .id = id,
	    .text = web_cup_text_cb,
	    .arg = c,
	    .doubt = c->trouble,
	    .at_ms = c->at_ms,
	};

	if (t->route->what == WEB_CUP_RECORD) {
		web_cup_export(c, out);
		return (buf_error(out));
	}
	(void)snprintf(id, sizeof(id), "%.*s", c->digits, c->hex);
	if (in.t == NULL)
		return (ERR_NEWER);
	return (page_cup(web_cup_page(t->route->what), web_site_page(c->cs->s),
	    &in, (int)t->n, out));
}

/* Replies with a body. */
static void
web_cup_send(struct web_cup *c, struct web_request *rq, struct web_body *body)
{
	const struct web_route *rt = rq->t.route;
	const bool is_away =
	    web_site_away_ms(c->cs->s) > 0 && rt->csp != WEB_CSP_DATA;
	char file[32];
	const struct web_head head = {
	    .status = is_away ? 503 : 200,
	    .type = rt->type,
	    .keep = is_away ? "no-store" : web_route_keep(rt->keep, false),
	    .csp = rt->csp,
	    .is_open = rt->is_open,
	    .etag = body->etag,
	    .takes_range = rt->what == WEB_CUP_RECORD,
	    .file = rt->what == WEB_CUP_RECORD ? file : NULL,
	    .retry_s = is_away ? 10 : 0,
	};

	(void)snprintf(file, sizeof(file), "umpire-%.12s.jsonl", c->hex);
	web_http_reply(rq, &head, body);
}

/* Replies to a request about one that is here. */
static void
web_cup_serve(struct web_cup *c, struct web_request *rq)
{
	struct web_site *s = c->cs->s;
	char key[WEB_CUP_KEY], etag[WEB_ETAG];
	struct web_body *body;
	char head[9];
	struct buf b;
	int r;

	if (c->n == 0 || verify_tournament_state(c->v) == NULL) {
		web_site_error(s, rq, c->n > 0 ? 501 : 503,
		    c->trouble != NULL ? c->trouble
				       : "The umpire does not answer.");
		return;
	}
	hex_format(head, verify_tournament_hash(c->v, c->n - 1), 4);
	(void)snprintf(etag, sizeof(etag), "%s-%lld-%lld%s", head,
	    (long long)c->n - 1, (long long)c->erasures,
	    web_site_away_ms(s) > 0 ? "-away" : "");
	(void)snprintf(key, sizeof(key), "cup %d %s %lld %s %d%s",
	    rq->t.route->what, c->hex, (long long)rq->t.n, etag, c->digits,
	    c->trouble == NULL ? "" : "!");
	if ((body = web_cache_find(s->cache, key)) != NULL) {
		web_cup_send(c, rq, body);
		return;
	}
	buf_init(&b, 0);
	if ((r = web_cup_make(c, &rq->t, &b)) != 0) {
		buf_clear(&b);
		web_site_error(s, rq, r == ERR_NOTFOUND ? 404 : 500,
		    r == ERR_NOTFOUND ? "The tournament has no such part."
				      : "This page cannot be made.");
		return;
	}
	body = rq->t.route->what == WEB_CUP_RECORD ? web_body_plain(&b)
						   : web_body_gzip(&b);
	memcpy(body->etag, etag, sizeof(body->etag));
	web_cache_put(s->cache, key, body);
	web_cup_send(c, rq, body);
	web_body_unref(body);
}

/* Calls those who wait: all, or those whose time is over. */
static void
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

/* ---- the record ---- */

/* Notes what does not hold. */
static void
web_cup_trouble(struct web_cup *c, const char *why)
{
	log_warnx("tournament %s: %s", c->hex, why);
	free(c->trouble);
	c->trouble = xalloc_str(why);
}

/* Takes a side line in. */
static void
web_cup_side(struct web_cup *c, const char *line, size_t len)
{
	char hex[2 * HASH_LEN + 1];
	struct record_side sd;

	if (record_side_parse(line, len, &sd, NULL) != 0)
		return;
	hex_format(hex, sd.hash, HASH_LEN);
	xalloc_set(c->sides, hex, json_stringn(line, len));
	xalloc_set(c->values, hex, json_stringn(sd.value, sd.len));
	record_side_clear(&sd);
}

/* Takes the next line of the queue; false: there is none, or it is wrong. */
static bool
web_cup_take(struct web_cup *c)
{
	const char *p = c->queue.data + c->taken, *end;
	struct errinfo e = {.text = ""};
	size_t len;

	if (c->taken >= c->queue.len ||
	    (end = memchr(p, '\n', c->queue.len - c->taken)) == NULL)
		return (false);
	len = (size_t)(end - p);
	c->taken += len + 1;
	if (record_is_side(p, len)) {
		web_cup_side(c, p, len);
		return (true);
	}
	if (verify_tournament_add(c->v, p, len, &e) != 0) {
		web_cup_trouble(c, e.text);
		buf_reset(&c->queue);
		c->taken = 0;
		c->next = -1;
		return (false);
	}
	c->last = c->lines.len;
	buf_add(&c->lines, p, len + 1);
	c->n++;
	c->at_ms = clock_wall_ms();
	return (true);
}

/* Has it verified soon. */
static void
web_cup_queue(struct web_cup *c)
{
	static const struct timeval now = {.tv_sec = 0};

	if (!c->is_due) {
		c->is_due = true;
		TAILQ_INSERT_TAIL(&c->cs->due, c, due);
	}
	if (!evtimer_pending(c->cs->pump, NULL))
		(void)evtimer_add(c->cs->pump, &now);
}

/* Verifies for a slice of time. */
static void
web_cup_pump_cb(evutil_socket_t fd, short what, void *arg)
{
	struct web_cups *cs = arg;
	struct web_cup *c = TAILQ_FIRST(&cs->due);
	const int64_t until_us = clock_mono_us() + cs->s->conf->slice_us;
	bool is_more = true;

	(void)fd;
	(void)what;
	if (c == NULL)
		return;
	TAILQ_REMOVE(&cs->due, c, due);
	c->is_due = false;
	while (is_more && clock_mono_us() < until_us)
		is_more = web_cup_take(c);
	if (is_more) {
		web_cup_queue(c);
	} else {
		buf_reset(&c->queue);
		c->taken = 0;
		if (c->next >= 0) {
			web_cup_ask(c);
		} else {
			c->synced_ms = clock_mono_ms();
			web_cup_wake(c, true);
		}
	}
	if (!TAILQ_EMPTY(&cs->due))
		web_cup_queue(TAILQ_FIRST(&cs->due));
}

/* Begins anew, without a line. */
static void
web_cup_anew(struct web_cup *c)
{
	verify_tournament_free(c->v);
	if (verify_tournament_new(web_link_key(c->cs->s->link), &c->v) != 0)
		xalloc_die();
	verify_tournament_trust(c->v, true);
	buf_reset(&c->lines);
	buf_reset(&c->queue);
	c->taken = c->last = 0;
	c->n = 0;
	c->next = -1;
	c->erasures = 0;
	(void)json_object_clear(c->sides);
	(void)json_object_clear(c->values);
}

/* Drops a text that was erased. */
static void
web_cup_erase(struct web_cup *c, const char *hex)
{
	if (hex == NULL || json_object_get(c->sides, hex) == NULL)
		return;
	(void)json_object_del(c->sides, hex);
	(void)json_object_del(c->values, hex);
	web_cache_drop(c->cs->s->cache, c->hex);
}

/* Puts texts of an array into the queue, from the i-th on. */
static void
web_cup_put(struct web_cup *c, const json_t *list, size_t from)
{
	const json_t *v;
	size_t i;

	json_array_foreach(list, i, v)
	{
		if (i < from || !json_is_string(v))
			continue;
		buf_add(&c->queue, json_string_value(v), json_string_length(v));
		buf_putc(&c->queue, '\n');
	}
}

/* Takes what tournament.record says. */
static void
web_cup_record(struct web_cup *c, const json_t *result)
{
	const json_t *lines = json_object_get(result, "lines"), *v;
	const json_t *first = json_array_get(lines, 0);
	const size_t len = json_string_length(first);
	size_t skip = 0, i;

	json_array_foreach(json_object_get(result, "erased"), i, v)
	    web_cup_erase(c, json_string_value(v));
	if (json_is_integer(json_object_get(result, "erasures")))
		c->erasures = js_int(result, "erasures");
	c->next = json_is_integer(json_object_get(result, "next"))
	    ? js_int(result, "next")
	    : -1;
	/* The last line that is here comes again: it must be the same. */
	if (c->asked < c->n) {
		skip = 1;
		if (!json_is_string(first) ||
		    len != c->lines.len - 1 - c->last ||
		    memcmp(json_string_value(first), c->lines.data + c->last,
			len) != 0) {
			web_cup_trouble(
			    c, "the server tells another history than before");
			c->next = -1;
			return;
		}
	}
	if (c->lines.len > WEB_CUP_BYTES) {
		web_cup_trouble(c, "the record is too long to be shown here");
		c->next = -1;
		return;
	}
	web_cup_put(c, json_object_get(result, "side"), 0);
	web_cup_put(c, lines, skip);
	if (json_array_size(lines) == skip)
		c->next = -1;
}

/* The answer of tournament.record; while it is out the tournament stays. */
static void
web_cup_record_cb(void *arg, int r, const json_t *result)
{
	struct web_cup *c = arg;

	c->is_asking = false;
	if (r == 0) {
		if (c->n == 0) {
			free(c->trouble);
			c->trouble = NULL;
		}
		web_cup_record(c, result);
	} else if (r == ERR_NOTFOUND) {
		web_cup_trouble(c, "the server does not know this tournament");
	}
	web_cup_queue(c);
}

/* Asks for what is missing. */
static void
web_cup_ask(struct web_cup *c)
{
	if (c->is_asking)
		return;
	c->asked = c->next >= 0 ? c->n : c->n > 0 ? c->n - 1 : 0;
	c->next = -1;
	c->is_asking = true;
	web_link_call(c->cs->s->link, "tournament.record",
	    xalloc_json(json_pack("{s:s, s:I, s:b, s:I}", "tournament", c->hex,
		"from", (json_int_t)c->asked, "side", 1, "erased",
		(json_int_t)c->erasures)),
	    web_cup_record_cb, c);
}

/* Makes room for one more; false: all are in use. */
static bool
web_cup_make_room(struct web_cups *cs)
{
	struct web_cup *c, *prev;

	for (c = TAILQ_LAST(&cs->used, web_cup_list);
	     c != NULL && cs->n >= WEB_CUPS; c = prev) {
		prev = TAILQ_PREV(c, web_cup_list, used);
		if (!c->is_asking && TAILQ_EMPTY(&c->waits))
			web_cup_free(c);
	}
	return (cs->n < WEB_CUPS);
}

void
web_cup_reply(
    struct web_cups *cs, struct web_request *rq, const char *hex, int digits)
{
	struct web_cup *c = web_cup_find(cs, hex);
	struct web_cup_wait *w;

	if (c == NULL) {
		if (!web_cup_make_room(cs) ||
		    web_link_key(cs->s->link) == NULL) {
			web_site_error(cs->s, rq, 503,
			    "Too many tournaments are being read at once.");
			return;
		}
		c = xalloc(sizeof(*c));
		c->cs = cs;
		memcpy(c->hex, hex, sizeof(c->hex));
		c->sides = xalloc_json(json_object());
		c->values = xalloc_json(json_object());
		buf_init(&c->lines, 0);
		buf_init(&c->queue, 0);
		TAILQ_INIT(&c->waits);
		TAILQ_INSERT_HEAD(&cs->used, c, used);
		cs->n++;
		web_cup_anew(c);
	} else {
		TAILQ_REMOVE(&cs->used, c, used);
		TAILQ_INSERT_HEAD(&cs->used, c, used);
	}
	c->digits = digits;
	if (!web_link_is_up(cs->s->link) ||
	    (c->synced_ms > 0 && !c->is_asking && !c->is_due &&
		clock_mono_ms() - c->synced_ms < WEB_CUP_FRESH_MS)) {
		web_cup_serve(c, rq);
		return;
	}
	w = xalloc(sizeof(*w));
	w->cup = c;
	w->rq = rq;
	w->until_ms = clock_mono_ms() + WEB_CUP_WAIT_MS;
	rq->gone = web_cup_gone_cb;
	rq->arg = w;
	cs->s->waiting++;
	TAILQ_INSERT_TAIL(&c->waits, w, next);
	if (!c->is_due)
		web_cup_ask(c);
}

void
web_cup_notice(struct web_cups *cs, const char *method, const json_t *params)
{
	const char *hex = js_str(params, "tournament");
	struct web_cup *c;

	if (hex == NULL || strcmp(method, "tournament.erased") != 0 ||
	    (c = web_cup_find(cs, hex)) == NULL)
		return;
	web_cup_erase(c, js_str(params, "ref"));
	c->synced_ms = 0;
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
}

struct web_cups *
web_cup_open_all(struct web_site *s)
{
	const struct timeval often = {.tv_usec = WEB_CUP_TICK_MS * 1000};
	struct web_cups *cs = xalloc(sizeof(*cs));

	cs->s = s;
	TAILQ_INIT(&cs->used);
	TAILQ_INIT(&cs->due);
	cs->pump = evtimer_new(s->base, web_cup_pump_cb, cs);
	cs->tick = event_new(s->base, -1, EV_PERSIST, web_cup_tick_cb, cs);
	if (cs->pump == NULL || cs->tick == NULL ||
	    event_add(cs->tick, &often) != 0)
		xalloc_die();
	return (cs);
}

void
web_cup_close_all(struct web_cups *cs)
{
	struct web_cup *c;
	struct web_cup_wait *w;

	if (cs == NULL)
		return;
	while ((c = TAILQ_FIRST(&cs->used)) != NULL) {
		while ((w = TAILQ_FIRST(&c->waits)) != NULL) {
			w->rq->gone = NULL;
			TAILQ_REMOVE(&c->waits, w, next);
			free(w);
		}
		web_cup_free(c);
	}
	event_free(cs->pump);
	event_free(cs->tick);
	free(cs);
}
