/* SPDX-License-Identifier: ISC */
#include "web/web_stream.h"

#include <sys/queue.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>

#include "client/base/xalloc.h"
#include "client/replica/replica.h"
#include "client/report/battle.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/game/game.h"
#include "web/page/page.h"
#include "web/web_conf.h"
#include "web/web_erased.h"
#include "web/web_game.h"
#include "web/web_make.h"
#include "web/web_site.h"

#define WEB_STREAM_FAN 256 /* streams that are sent to in a turn */
#define WEB_STREAM_PACE 16384 /* bytes that one is sent before it reads */
#define WEB_STREAM_GAP 1000 /* lines that one may lack, else it reads anew */
#define WEB_STREAM_SLOTS 4096 /* of the table of addresses */
#define WEB_STREAM_KEPT 64 /* lines whose words are kept */
#define WEB_STREAM_RETRY_S 30 /* after which there may be room: live.js's */
#define WEB_STREAM_PART 48 /* bytes of a part's name */
#define WEB_STREAM_PARTS 8 /* of what was erased; else all is read anew */
#define WEB_STREAM_HELLO "retry: 3000\n\n"

/* A stream.  There are many, so it is small. */
struct web_stream {
	struct web_wire wire;
	TAILQ_ENTRY(web_stream) next; /* of the game's; the slowest first */
	TAILQ_ENTRY(web_stream) heard; /* of all: the longest silent first */
	struct web_hall *hall; /* borrowed */
	int64_t heard_ms; /* monotonic: when anything was sent */
	int64_t paused_ms; /* monotonic: it had not read what it was sent */
	int seq; /* the next line that it is to be told */
	unsigned epoch; /* texts whose erasing it was told of */
	unsigned short life; /* of the game that it was told of */
	unsigned short slot; /* of its address */
	bool is_paused;
};
TAILQ_HEAD(web_stream_list, web_stream);

/* What is said of a line. */
struct web_said {
	int64_t seq; /* -1: nothing */
	char *text; /* owned */
	size_t len;
};

/* The streams of a game. */
struct web_hall {
	TAILQ_ENTRY(web_hall) due;
	struct web_streams *st; /* borrowed */
	struct web_game *g; /* borrowed */
	struct web_stream_list list;
	struct web_said said[WEB_STREAM_KEPT];
	unsigned epoch; /* texts that were erased */
	unsigned short life; /* how often the game began anew */
	int64_t gone_since; /* what `gone` says was erased since; -1: nothing */
	struct buf gone;
	bool is_due;
};
TAILQ_HEAD(web_halls, web_hall);

struct web_streams {
	struct web_site *s; /* borrowed */
	struct event *fan; /* owned */
	struct event *tick; /* owned: comments */
	struct web_halls due; /* have something to send */
	struct web_stream_list heard;
	struct web_stream_list paused; /* in the list of no game */
	int64_t n;
	/* Streams of addresses with this hash: a bound, not a count. */
	uint16_t slots[WEB_STREAM_SLOTS];
};

int64_t
web_stream_count(const struct web_streams *st)
{
	return (st->n);
}

/* A number for a reader. */
static unsigned
web_stream_slot(const struct web_from *from)
{
	uint32_t h = 2166136261U;
	size_t i;

	for (i = 0; i < sizeof(from->net); i++)
		h = (h ^ from->net[i]) * 16777619U;
	return (h % WEB_STREAM_SLOTS);
}

/* True if a reader, if it is known who that is, has as many as one may. */
static bool
web_stream_is_full(const struct web_streams *st, const struct web_from *from)
{
	return (from->is_known &&
	    st->slots[web_stream_slot(from)] >=
		st->s->conf->max_streams_address);
}

/* Has the fan go round soon. */
static void
web_stream_soon(struct web_streams *st)
{
	static const struct timeval now = {.tv_sec = 0};

	if (!TAILQ_EMPTY(&st->due) && !evtimer_pending(st->fan, NULL))
		(void)evtimer_add(st->fan, &now);
}

/* Has a game's streams sent to. */
static void
web_hall_due(struct web_hall *h)
{
	if (!h->is_due) {
		h->is_due = true;
		TAILQ_INSERT_TAIL(&h->st->due, h, due);
	}
	web_stream_soon(h->st);
}

/* Takes a stream off the books. */
static void
web_stream_free(struct web_stream *sm)
{
	struct web_hall *h = sm->hall;
	struct web_streams *st = h->st;

	TAILQ_REMOVE(sm->is_paused ? &st->paused : &h->list, sm, next);
	TAILQ_REMOVE(&st->heard, sm, heard);
	st->slots[sm->slot]--;
	st->n--;
	web_game_unfollow(h->g);
	free(sm);
}

/* web_wire.gone: the connection has ended. */
static void
web_stream_gone_cb(void *arg)
{
	web_stream_free(arg);
}

/* Sends to a stream; false: it is gone. */
static bool
web_stream_send(struct web_stream *sm, const char *p, size_t n)
{
	struct web_streams *st = sm->hall->st;

	if (!web_http_send(&sm->wire, p, n))
		return (false);
	sm->heard_ms = clock_mono_ms();
	TAILQ_REMOVE(&st->heard, sm, heard);
	TAILQ_INSERT_TAIL(&st->heard, sm, heard);
	return (true);
}

/* Writes the name of the part of a page that a place is in; its bytes. */
static size_t
web_stream_part(const struct page_place *at, char out[WEB_STREAM_PART])
{
	const int n = at->combat > 0
	    ? snprintf(out, WEB_STREAM_PART, "c%d", at->combat)
	    : snprintf(out, WEB_STREAM_PART, "t%d", at->turn);

	return ((size_t)n);
}

/*
 * Adds the parts of a game's page that had words which were erased since;
 * false: there are too many of them, or it was a name, which may stand
 * anywhere.
 */
static bool
web_hall_parts(const struct web_hall *h, int64_t since, json_t *parts)
{
	const struct page_game *pg = web_make_game(h->st->s->make, h->g);
	const struct web_game *g = h->g;
	char part[WEB_STREAM_PART];
	struct page_place at;
	bool is_name = false;
	int64_t seq = -1;
	int n = 0;

	while ((seq = web_erased_next(
		    g->gone, g->c, seq + 1, since, &is_name)) >= 0) {
		if (is_name || ++n > WEB_STREAM_PARTS)
			return (false);
		at = page_where(pg, seq);
		(void)web_stream_part(&at, part);
		xalloc_append(parts, xalloc_json_str(part));
	}
	return (true);
}

/* Puts what was erased since into words: an event. */
static void
web_hall_word_gone(struct web_hall *h, int64_t since, struct buf *out)
{
	json_t *parts = xalloc_json(json_array()), *v;
	char *text;

	v = xalloc_json(json_pack("{s:I}", "epoch", (json_int_t)h->epoch));
	if (web_hall_parts(h, since, parts))
		xalloc_set(v, "parts", json_incref(parts));
	text = xalloc_dump(v);
	buf_printf(out, "event: erased\ndata: %s\n\n", text);
	free(text);
	json_decref(v);
	json_decref(parts);
}

/* Puts a line into words: an event. */
static void
web_hall_word(struct web_hall *h, int64_t seq, struct buf *out)
{
	struct web_streams *st = h->st;
	const struct page_game *pg = web_make_game(st->s->make, h->g);
	struct page_place at = {.combat = 0};
	struct buf say;
	json_t *v;
	char part[WEB_STREAM_PART], *text;
	size_t n;

	buf_init(&say, 0);
	if (page_say(pg, seq, &say, &at) != 0)
		xalloc_die();
	n = web_stream_part(&at, part);
	(void)snprintf(part + n, sizeof(part) - n, "@%lld", (long long)seq);
	v = xalloc_json(
	    json_pack("{s:I, s:i, s:s, s:o}", "seq", (json_int_t)seq, "turn",
		at.turn, "part", part, "say", xalloc_json_str(buf_str(&say))));
	text = xalloc_dump(v);
	json_decref(v);
	buf_clear(&say);
	buf_printf(
	    out, "id: %lld\nevent: line\ndata: %s\n\n", (long long)seq, text);
	free(text);
}

/* The event of a line, borrowed. */
static const struct web_said *
web_hall_say(struct web_hall *h, int64_t seq)
{
	struct web_said *sd = &h->said[seq % WEB_STREAM_KEPT];
	struct buf b;

	if (sd->text != NULL && sd->seq == seq)
		return (sd);
	free(sd->text);
	buf_init(&b, 0);
	web_hall_word(h, seq, &b);
	sd->seq = seq;
	if ((sd->text = buf_take(&b, &sd->len)) == NULL)
		xalloc_die();
	return (sd);
}

/* The event of what was erased since, borrowed. */
static const struct buf *
web_hall_gone(struct web_hall *h, int64_t since)
{
	/* All who are told now were told of the same before, mostly. */
	if (h->gone_since != since) {
		buf_reset(&h->gone);
		web_hall_word_gone(h, since, &h->gone);
		if (buf_error(&h->gone) != 0)
			xalloc_die();
		h->gone_since = since;
	}
	return (&h->gone);
}

/* True if no more lines can come. */
static bool
web_hall_is_over(const struct web_hall *h)
{
	const struct game *gm = replica_game(h->g->c);

	/* Of one that is read anew there may be no line yet. */
	return (gm != NULL && game_phase(gm) == GAME_FINISHED);
}

/*
 * Tells a stream what it has not been told, one thing; false: it is gone, or
 * knows all.
 */
static bool
web_stream_tell(struct web_stream *sm)
{
	static const char anew[] = "event: erased\ndata: {}\n\n";
	static const char over[] = "event: over\ndata: {}\n\n";
	struct web_hall *h = sm->hall;
	const struct web_said *sd;
	const struct buf *gone;

	if (sm->life != h->life) {
		sm->life = h->life;
		sm->epoch = h->epoch;
		return (web_stream_send(sm, anew, sizeof(anew) - 1));
	}
	if (sm->epoch < h->epoch) {
		gone = web_hall_gone(h, sm->epoch);
		sm->epoch = h->epoch;
		return (web_stream_send(sm, gone->data, gone->len));
	}
	if (sm->seq < h->g->c->n) {
		sd = web_hall_say(h, sm->seq++);
		return (web_stream_send(sm, sd->text, sd->len));
	}
	if (web_hall_is_over(h) &&
	    web_stream_send(sm, over, sizeof(over) - 1)) {
		web_http_end(&sm->wire);
		web_stream_free(sm);
	}
	return (false);
}

/* True if a stream has something to be told. */
static bool
web_stream_lacks(const struct web_stream *sm)
{
	return (sm->life != sm->hall->life || sm->epoch < sm->hall->epoch ||
	    sm->seq < sm->hall->g->c->n || web_hall_is_over(sm->hall));
}

/*
 * Leaves a stream alone until it has read what it was sent: who lacks many
 * lines is not to have them all at once.
 */
static void
web_stream_pause(struct web_stream *sm)
{
	struct web_hall *h = sm->hall;

	TAILQ_REMOVE(&h->list, sm, next);
	TAILQ_INSERT_TAIL(&h->st->paused, sm, next);
	sm->is_paused = true;
	sm->paused_ms = clock_mono_ms();
}

/* Goes on with one. */
static void
web_stream_resume(struct web_stream *sm)
{
	TAILQ_REMOVE(&sm->hall->st->paused, sm, next);
	TAILQ_INSERT_HEAD(&sm->hall->list, sm, next);
	sm->is_paused = false;
	web_hall_due(sm->hall);
}

/* Goes on with those that have read, and ends those that do not. */
static void
web_stream_wake(struct web_streams *st)
{
	const int64_t before_ms = clock_mono_ms() - st->s->conf->reply_s * 1000;
	struct web_stream *sm, *next;

	for (sm = TAILQ_FIRST(&st->paused); sm != NULL; sm = next) {
		next = TAILQ_NEXT(sm, next);
		if (web_http_pending(&sm->wire) <= WEB_STREAM_PACE)
			web_stream_resume(sm);
		else if (sm->paused_ms < before_ms)
			web_http_cut(&sm->wire);
	}
}

/* Sends to some streams, of one game after the other. */
static void
web_stream_fan_cb(evutil_socket_t fd, short what, void *arg)
{
	struct web_streams *st = arg;
	/* Who comes back after many lines has each of them put into words. */
	const int64_t until_us = clock_mono_us() + st->s->conf->slice_us;
	struct web_stream *sm, *other;
	struct web_hall *h;
	int n;

	(void)fd;
	(void)what;
	if ((h = TAILQ_FIRST(&st->due)) == NULL)
		return;
	/* Those that know all stand at the end. */
	for (n = 0; n < WEB_STREAM_FAN && clock_mono_us() < until_us; n++) {
		sm = TAILQ_FIRST(&h->list);
		if (sm == NULL || !web_stream_lacks(sm))
			break;
		if (web_http_pending(&sm->wire) > WEB_STREAM_PACE) {
			web_stream_pause(sm);
			continue;
		}
		if (!web_stream_tell(sm))
			continue;
		/* One that lacks many lets others have their turn between. */
		other = TAILQ_NEXT(sm, next);
		if (!web_stream_lacks(sm)) {
			TAILQ_REMOVE(&h->list, sm, next);
			TAILQ_INSERT_TAIL(&h->list, sm, next);
		} else if (other != NULL && web_stream_lacks(other)) {
			TAILQ_REMOVE(&h->list, sm, next);
			TAILQ_INSERT_AFTER(&h->list, other, sm, next);
		}
	}
	TAILQ_REMOVE(&st->due, h, due);
	h->is_due = false;
	sm = TAILQ_FIRST(&h->list);
	if (sm != NULL && web_stream_lacks(sm))
		web_hall_due(h);
	web_stream_soon(st);
}

/* Comments for those who have not been told anything for long. */
static void
web_stream_tick_cb(evutil_socket_t fd, short what, void *arg)
{
	struct web_streams *st = arg;
	const int64_t before_ms = clock_mono_ms() - st->s->conf->comment_ms;
	struct web_stream *sm;
	int n;

	(void)fd;
	(void)what;
	for (n = 0; n < WEB_STREAM_FAN &&
	     (sm = TAILQ_FIRST(&st->heard)) != NULL && sm->heard_ms < before_ms;
	     n++)
		(void)web_stream_send(sm, ":\n\n", 3);
	web_stream_wake(st);
}

/* The hall of a game, which is made if there is none. */
static struct web_hall *
web_hall_get(struct web_streams *st, struct web_game *g)
{
	struct web_hall *h = g->streams;

	if (h != NULL)
		return (h);
	h = xalloc(sizeof(*h));
	h->st = st;
	h->g = g;
	h->epoch = (unsigned)g->erasures;
	h->gone_since = -1;
	buf_init(&h->gone, 0);
	TAILQ_INIT(&h->list);
	g->streams = h;
	return (h);
}

void
web_stream_reply(
    struct web_streams *st, struct web_request *rq, struct web_game *g)
{
	const unsigned slot = web_stream_slot(&rq->from);
	const struct web_head end = {
	    .status = 204, .keep = "no-store", .csp = WEB_CSP_DATA};
	const struct web_head begin = {.status = 200,
	    .type = rq->t.route->type,
	    .keep = "no-store",
	    .csp = WEB_CSP_DATA};
	int64_t after = rq->last_id != -1 ? rq->last_id : rq->t.after;
	struct web_stream *sm;
	struct web_hall *h;

	if (after < -1) {
		web_site_error(
		    st->s, rq, 400, "Last-Event-ID is no line's number.");
		return;
	}
	if (after == -1)
		after = g->c->n - 1;
	if (after >= g->c->n || g->c->n - 1 - after > WEB_STREAM_GAP) {
		web_site_error(st->s, rq, 409,
		    "The game has other lines: the page is to be read anew.");
		return;
	}
	h = web_hall_get(st, g);
	if (web_hall_is_over(h) && after == g->c->n - 1) {
		/* By this EventSource ends for good. */
		web_http_reply(rq, &end, NULL);
		return;
	}
	if (rq->is_head) {
		web_http_reply(rq, &begin, NULL);
		return;
	}
	if (st->n >= st->s->conf->max_streams ||
	    web_stream_is_full(st, &rq->from)) {
		web_site_later(st->s, rq, 503, WEB_STREAM_RETRY_S,
		    "There are too many streams: ask for /at instead.");
		return;
	}
	sm = xalloc(sizeof(*sm));
	sm->hall = h;
	sm->seq = (int)(after + 1);
	sm->life = h->life;
	/* A page may have been read before something was erased. */
	sm->epoch = rq->t.has_epoch && rq->t.epoch < h->epoch
	    ? (unsigned)rq->t.epoch
	    : h->epoch;
	sm->slot = (unsigned short)slot;
	sm->heard_ms = clock_mono_ms();
	sm->wire.gone = web_stream_gone_cb;
	sm->wire.arg = sm;
	st->slots[slot]++;
	st->n++;
	TAILQ_INSERT_HEAD(&h->list, sm, next);
	TAILQ_INSERT_TAIL(&st->heard, sm, heard);
	web_http_stream(rq, &sm->wire);
	web_game_follow(g);
	if (web_stream_send(sm, WEB_STREAM_HELLO, sizeof(WEB_STREAM_HELLO) - 1))
		web_hall_due(h);
}

void
web_stream_lines(struct web_streams *st, struct web_game *g)
{
	(void)st;
	if (g->streams != NULL)
		web_hall_due(g->streams);
}

/* Forgets the words of a game. */
static void
web_hall_forget(struct web_hall *h)
{
	int i;

	for (i = 0; i < WEB_STREAM_KEPT; i++) {
		free(h->said[i].text);
		h->said[i].text = NULL;
	}
	h->gone_since = -1;
	buf_clear(&h->gone);
}

void
web_stream_erased(struct web_streams *st, struct web_game *g)
{
	struct web_hall *h = g->streams;

	(void)st;
	if (h == NULL)
		return;
	web_hall_forget(h);
	h->epoch = (unsigned)g->erasures;
	/* It begins anew, or is told of otherwise: as a whole. */
	if (g->c->n == 0 || g->is_forked)
		h->life++;
	web_hall_due(h);
}

void
web_stream_going(struct web_streams *st, struct web_game *g)
{
	struct web_hall *h = g->streams;
	struct web_stream *sm, *next;

	if (h == NULL)
		return;
	for (sm = TAILQ_FIRST(&st->paused); sm != NULL; sm = next) {
		next = TAILQ_NEXT(sm, next);
		if (sm->hall == h)
			web_stream_resume(sm);
	}
	while ((sm = TAILQ_FIRST(&h->list)) != NULL) {
		web_http_end(&sm->wire);
		web_stream_free(sm);
	}
	if (h->is_due)
		TAILQ_REMOVE(&st->due, h, due);
	web_hall_forget(h);
	free(h);
	g->streams = NULL;
}

struct web_streams *
web_stream_open_all(struct web_site *s)
{
	struct web_streams *st = xalloc(sizeof(*st));
	struct timeval often = {.tv_usec = 100000};

	st->s = s;
	TAILQ_INIT(&st->due);
	TAILQ_INIT(&st->heard);
	TAILQ_INIT(&st->paused);
	st->fan = evtimer_new(s->base, web_stream_fan_cb, st);
	st->tick = event_new(s->base, -1, EV_PERSIST, web_stream_tick_cb, st);
	if (st->fan == NULL || st->tick == NULL ||
	    event_add(st->tick, &often) != 0)
		xalloc_die();
	return (st);
}

void
web_stream_close_all(struct web_streams *st)
{
	if (st == NULL)
		return;
	event_free(st->fan);
	event_free(st->tick);
	free(st);
}
