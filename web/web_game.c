/* SPDX-License-Identifier: ISC */
#include "web/web_game.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>

#include "client/base/xalloc.h"
#include "client/profile/profile.h"
#include "client/replica/evidence.h"
#include "client/replica/replica.h"
#include "client/report/report_sheet.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "server/base/log.h"
#include "web/web_conf.h"
#include "web/web_link.h"
#include "web/web_store.h"

#define WEB_GAME_SLOTS 1024 /* of the table, a power of two */
#define WEB_GAME_FRESH_MS 2000 /* for so long a game counts as up to date */
#define WEB_GAME_LINE 800 /* bytes that a line takes beside its own */
#define WEB_GAME_BASE 65536 /* bytes that a game takes at least */
#define WEB_GAME_TICK_MS 100
#define WEB_GAME_PAGE 200 /* lines that are asked for at a time */
/* What the chances of a combat may cost, in runs of it. */
#define WEB_GAME_SHEETS REPORT_SHEET_ODDS

struct web_games {
	struct event_base *base; /* borrowed */
	const struct web_conf *conf; /* borrowed */
	struct web_link *link; /* borrowed; NULL: not yet */
	struct web_game_calls calls;
	struct web_store *store; /* owned */
	struct profile profile; /* for evidence: its folder and the key */
	struct event *pump; /* owned: something is to be verified */
	struct event *tick; /* owned */
	struct web_game *slots[WEB_GAME_SLOTS];
	struct web_game_list used;
	struct web_game_list due;
	size_t bytes;
	struct web_game_counts counts;
};

static void web_game_ask(struct web_game *g);

/* Where a game is in the table. */
static struct web_game **
web_games_slot(struct web_games *gs, const uint8_t id[HASH_LEN])
{
	/* Ids are hashes: any of their bytes will do, and some must. */
	unsigned at = (unsigned)id[0] << 8 | id[1];
	unsigned i;

	for (i = 0; i < WEB_GAME_SLOTS; i++) {
		struct web_game **g =
		    &gs->slots[(at + i) & (WEB_GAME_SLOTS - 1)];

		if (*g == NULL || memcmp((*g)->id, id, HASH_LEN) == 0)
			return (g);
	}
	return (NULL);
}

/* Fills the table anew, as one has left it. */
static void
web_games_rehash(struct web_games *gs)
{
	struct web_game *g;

	memset(gs->slots, 0, sizeof(gs->slots));
	TAILQ_FOREACH(g, &gs->used, used)
	*web_games_slot(gs, g->id) = g;
}

/* Reckons what a game takes. */
static void
web_game_weigh(struct web_game *g)
{
	size_t n = WEB_GAME_BASE;

	if (g->c != NULL)
		n += 2 * g->c->lines.cap + 3 * g->c->side.cap +
		    (size_t)g->c->n * WEB_GAME_LINE;
	n += g->queue.cap;
	g->gs->bytes += n - g->bytes;
	g->bytes = n;
}

/* The first of those who wait that is to be called now; NULL. */
static struct web_wait *
web_game_waiting(struct web_game *g, bool all, int64_t wake, int64_t now_ms)
{
	struct web_wait *w;

	TAILQ_FOREACH(w, &g->waits, next)
	{
		if (w->born < wake && (all || w->until_ms <= now_ms))
			break;
	}
	return (w);
}

/*
 * Calls those who wait, if it is time: all, or those whose time is over.  They
 * stand in the list until each is called, since one may take another out; those
 * that come meanwhile wait for the next time.
 */
static void
web_game_wake(struct web_game *g, bool all)
{
	const int64_t now_ms = clock_mono_ms(), wake = ++g->wakes;
	struct web_wait *w;

	/* They may make it go: it is held until all were called. */
	g->busy++;
	while ((w = web_game_waiting(g, all, wake, now_ms)) != NULL) {
		TAILQ_REMOVE(&g->waits, w, next);
		w->ready(w->arg, g);
	}
	web_game_release(g);
}

/* Has it verified soon. */
static void
web_game_queue(struct web_game *g)
{
	static const struct timeval now = {.tv_sec = 0};

	if (!g->is_due) {
		g->is_due = true;
		TAILQ_INSERT_TAIL(&g->gs->due, g, due);
	}
	/* By a timer: what comes from outside has its turn before. */
	if (!evtimer_pending(g->gs->pump, NULL))
		(void)evtimer_add(g->gs->pump, &now);
}

/* Frees a game; nobody may have it. */
static void
web_game_free(struct web_game *g)
{
	struct web_games *gs = g->gs;

	gs->calls.going(gs->calls.arg, g);
	if (g->is_due)
		TAILQ_REMOVE(&gs->due, g, due);
	TAILQ_REMOVE(&gs->used, g, used);
	gs->bytes -= g->bytes;
	gs->counts.games--;
	report_sheets_free(g->sheets);
	replica_close(g->c);
	buf_clear(&g->queue);
	buf_clear(&g->unsaved);
	json_decref(g->erased);
	free(g->evidence);
	free(g->trouble);
	free(g->title);
	free(g);
	web_games_rehash(gs);
}

/* True if nobody has to do with it, and no answer is on its way. */
static bool
web_game_is_idle(const struct web_game *g)
{
	return (g->busy == 0 && g->readers == 0 && !g->is_asking &&
	    g->omitted == 0 && TAILQ_EMPTY(&g->waits));
}

/* Ends a watch. */
static void
web_game_unwatch(struct web_game *g)
{
	struct web_games *gs = g->gs;

	if (!g->is_watched)
		return;
	g->is_watched = false;
	gs->counts.watched--;
	if (web_link_is_up(gs->link))
		web_link_call(gs->link, "game.unwatch",
		    xalloc_json(json_pack("{s:s}", "game", g->hex)),
		    web_link_none, NULL);
}

/* Gives games up, those unused for longest first, until there is room. */
static void
web_games_make_room(struct web_games *gs)
{
	const size_t max = (size_t)gs->conf->games_memory << 20;
	struct web_game *g, *prev;

	for (g = TAILQ_LAST(&gs->used, web_game_list); g != NULL &&
	     (gs->bytes > max || gs->counts.games > WEB_GAME_SLOTS * 3 / 4);
	     g = prev) {
		prev = TAILQ_PREV(g, web_game_list, used);
		if (web_game_is_idle(g)) {
			web_game_unwatch(g);
			web_game_free(g);
		}
	}
}

bool
web_game_is_whole(const struct web_game *g)
{
	if (g->c->n == 0 || g->taken < g->queue.len || g->from_disk)
		return (false);
	if (g->is_forked || g->is_gone || !web_link_is_up(g->gs->link))
		return (true);
	return (g->is_watched
		? g->synced_ms > 0 && g->c->n >= g->total && !g->is_asking
		: g->synced_ms > 0 &&
		    clock_mono_ms() - g->synced_ms < WEB_GAME_FRESH_MS);
}

bool
web_game_is_short(const struct web_game *g)
{
	return (g->from_disk || g->taken < g->queue.len || g->next >= 0 ||
	    g->c->n < g->total ||
	    (g->synced_ms == 0 && web_link_is_up(g->gs->link)));
}

/* How many lines of games a file of the disk has. */
static int64_t
web_game_count_lines(const struct buf *b)
{
	const char *p = b->data, *end = p + b->len, *lf;
	int64_t n = 0;

	for (; p < end && (lf = memchr(p, '\n', (size_t)(end - p))) != NULL;
	     p = lf + 1)
		n += !record_is_side(p, (size_t)(lf - p));
	return (n);
}

/* True if waiting is of no use: there is nothing, and nothing will come. */
static bool
web_game_is_hopeless(const struct web_game *g)
{
	return (g->taken >= g->queue.len && !g->from_disk && !g->is_asking &&
	    (g->is_gone || !web_link_is_up(g->gs->link)));
}

/* Notes what is wrong with the server's account. */
static void
web_game_trouble(struct web_game *g, const char *why)
{
	if (g->trouble == NULL || strcmp(g->trouble, why) != 0)
		log_warnx("game %s: %s", g->hex, why);
	free(g->trouble);
	g->trouble = xalloc_str(why);
}

/* Starts over without lines: in its turn alone, when it is not being shown. */
static void
web_game_anew(struct web_game *g)
{
	struct web_games *gs = g->gs;
	struct errinfo e = {.text = ""};

	report_sheets_free(g->sheets);
	g->sheets = report_sheets_new(WEB_GAME_SHEETS);
	replica_close(g->c);
	g->c = NULL;
	if (replica_open(&gs->profile, g->id, &g->c, &e) != 0)
		xalloc_die();
	buf_reset(&g->queue);
	buf_reset(&g->unsaved);
	g->taken = 0;
	g->next = -1;
	g->erasures = 0;
	g->from_disk = false;
	g->starts_over = false;
	web_store_drop(gs->store, g->hex);
	gs->calls.erased(gs->calls.arg, g);
}

/* The server's record does not continue ours: proof of that is kept. */
static void
web_game_fork(struct web_game *g)
{
	struct web_games *gs = g->gs;
	const struct replica_fork *f = &g->c->fork;
	const bool is_restored = f->is_restored;
	struct errinfo e = {.text = ""};
	char why[sizeof(f->why.text) + 64];

	buf_reset(&g->queue);
	g->taken = 0;
	g->next = -1;
	if (!replica_is_proof(f)) {
		web_game_trouble(g, f->why.text);
		return;
	}
	free(g->evidence);
	if (evidence_keep(g->c, &g->evidence, &e) != 0)
		log_errorx("game %s: no evidence was kept: %s", g->hex, e.text);
	(void)snprintf(why, sizeof(why), "line %lld contradicts the record: %s",
	    (long long)f->seq, f->why.text);
	web_game_trouble(g, why);
	gs->counts.forks++;
	if (is_restored) {
		/* It says so itself: its history is shown, and the proof. */
		g->starts_over = true;
	} else {
		g->is_forked = true;
		gs->calls.erased(gs->calls.arg, g);
	}
}

/* Takes the next entry of the queue; false if there is none to be taken. */
static bool
web_game_take(struct web_game *g)
{
	const char *p = g->queue.data + g->taken, *end, *next = "";
	const size_t left = g->queue.len - g->taken;
	struct errinfo e = {.text = ""};
	size_t len, more;
	char *peek = NULL;
	int r;

	if (left == 0 || (end = memchr(p, '\n', left)) == NULL)
		return (false);
	len = (size_t)(end - p);
	more = left - len - 1;
	if (record_is_side(p, len)) {
		r = replica_add_side(g->c, p, len, &e);
	} else {
		/* What follows may change how a line is judged (a fault). */
		if (more == 0 && g->next >= 0)
			return (false);
		if (more > 0)
			next = peek = xalloc_strn(end + 1,
			    (size_t)((char *)memchr(end + 1, '\n', more) - end -
				1));
		r = replica_add(g->c, g->c->n, p, len, next, &e);
		free(peek);
		g->gs->counts.verified += r == 0;
	}
	if (r == 0) {
		g->taken += len + 1;
		if (!g->from_disk)
			buf_add(&g->unsaved, p, len + 1);
		return (true);
	}
	if (g->from_disk) {
		log_warnx("game %s: what was kept of it does not hold: %s",
		    g->hex, e.text);
		web_game_anew(g);
	} else if (r == ERR_FORK) {
		web_game_fork(g);
	} else {
		xalloc_die();
	}
	return (false);
}

/* Writes what was verified since to the disk. */
static void
web_game_save(struct web_game *g)
{
	if (g->unsaved.len == 0)
		return;
	g->disk = web_store_add(
	    g->gs->store, g->hex, g->unsaved.data, g->unsaved.len);
	buf_reset(&g->unsaved);
}

/* Writes all of it anew, without the texts that are gone. */
static void
web_game_rewrite(struct web_game *g)
{
	struct buf b;

	buf_init(&b, 0);
	web_store_lines(&b, g->c);
	if (buf_error(&b) != 0)
		xalloc_die();
	g->disk = web_store_put(g->gs->store, g->hex, b.data, b.len);
	buf_clear(&b);
}

/* Drops the texts that were erased, once the lines are here. */
static void
web_game_erase(struct web_game *g)
{
	struct errinfo e = {.text = ""};
	bool was_here, any = false;
	const char *hex;
	const json_t *v;
	uint8_t hash[HASH_LEN];
	size_t i;

	json_array_foreach(g->erased, i, v)
	{
		hex = json_string_value(v);
		if (hex == NULL ||
		    hex_parse(hash, HASH_LEN, hex, strlen(hex)) != 0)
			continue;
		if (replica_erase(g->c, hex, &was_here, &e) == 0 && was_here)
			any = true;
	}
	if (json_array_size(g->erased) > 0)
		(void)json_array_clear(g->erased);
	if (any) {
		web_game_rewrite(g);
		g->gs->calls.erased(g->gs->calls.arg, g);
	}
}

/* All that came was taken: goes on, or all is well. */
static void
web_game_caught_up(struct web_game *g)
{
	const bool asks =
	    g->from_disk || g->starts_over || g->next >= 0 || g->wants_more;

	if (g->starts_over)
		web_game_anew(g);
	g->from_disk = false;
	buf_reset(&g->queue);
	g->taken = 0;
	if (g->is_forked)
		return;
	if (asks) {
		web_game_ask(g);
		return;
	}
	web_game_erase(g);
	if (g->synced_ms == 0 || g->c->n >= g->total)
		g->synced_ms = clock_mono_ms();
	web_store_trim(g->gs->store);
}

/* Verifies for a slice of time, one game; then others have their turn. */
static void
web_games_pump_cb(evutil_socket_t fd, short what, void *arg)
{
	struct web_games *gs = arg;
	struct web_game *g = TAILQ_FIRST(&gs->due);
	const int64_t began_us = clock_thread_us();
	int64_t n, us;
	bool is_more = true;

	(void)fd;
	(void)what;
	/* Those that are being shown wait. */
	while (g != NULL && g->busy > 0) {
		TAILQ_REMOVE(&gs->due, g, due);
		g->is_due = false;
		g->is_held = true;
		g = TAILQ_FIRST(&gs->due);
	}
	if (g == NULL)
		return;
	TAILQ_REMOVE(&gs->due, g, due);
	g->is_due = false;
	n = g->c->n;
	while (is_more && clock_thread_us() - began_us < gs->conf->slice_us)
		is_more = web_game_take(g);
	if ((us = clock_thread_us() - began_us) > gs->counts.slowest_us)
		gs->counts.slowest_us = us;
	web_game_save(g);
	web_game_weigh(g);
	if (is_more) {
		web_game_queue(g);
	} else {
		if (g->c->n > n)
			g->at_ms = clock_wall_ms();
		web_game_caught_up(g);
	}
	if (g->c->n > n && g->synced_ms > 0)
		gs->calls.lines(gs->calls.arg, g, n);
	if (!is_more && (web_game_is_whole(g) || web_game_is_hopeless(g)))
		web_game_wake(g, true);
	if (!TAILQ_EMPTY(&gs->due))
		web_game_queue(TAILQ_FIRST(&gs->due));
	web_games_make_room(gs);
}

/* ---- asking the umpire ---- */

/* A game that an answer is about may have gone: answers name it by its id. */
struct web_game_answer {
	struct web_games *gs; /* borrowed */
	uint8_t id[HASH_LEN];
};

/* What an answer needs; new. */
static struct web_game_answer *
web_game_answer(const struct web_game *g)
{
	struct web_game_answer *a = xalloc(sizeof(*a));

	a->gs = g->gs;
	memcpy(a->id, g->id, HASH_LEN);
	return (a);
}

/* The game of an answer, which this frees; NULL: it has gone. */
static struct web_game *
web_game_answered(struct web_game_answer *a)
{
	struct web_game **slot = web_games_slot(a->gs, a->id);

	free(a);
	return (slot == NULL ? NULL : *slot);
}

/* A blob that was too long for the reply. */
static void
web_game_blob_cb(void *arg, int r, const json_t *result)
{
	struct web_game *g = web_game_answered(arg);
	const char *value;
	uint8_t hash[HASH_LEN];
	struct buf b;

	if (g == NULL)
		return;
	g->omitted--;
	value = js_str(result, "value");
	if (r == 0 && value != NULL &&
	    hash_sha256(hash, value, strlen(value)) == 0) {
		/* Before the lines that name it. */
		buf_init(&b, 0);
		record_write_blob(&b, hash, value, strlen(value));
		buf_putc(&b, '\n');
		buf_add(&b, g->queue.data + g->taken, g->queue.len - g->taken);
		buf_clear(&g->queue);
		g->queue = b;
		g->taken = 0;
	}
	if (g->omitted == 0)
		web_game_queue(g);
}

/* Puts the texts of an array into the queue. */
static void
web_game_put(struct web_game *g, const json_t *list, size_t from)
{
	const json_t *v;
	size_t i;

	json_array_foreach(list, i, v)
	{
		if (i < from || !json_is_string(v) ||
		    memchr(json_string_value(v), '\n', json_string_length(v)) !=
			NULL)
			continue;
		buf_add(&g->queue, json_string_value(v), json_string_length(v));
		buf_putc(&g->queue, '\n');
	}
}

/* Asks for the blobs that a reply left out. */
static void
web_game_blobs(struct web_game *g, const json_t *omitted)
{
	const json_t *v;
	size_t i;

	json_array_foreach(omitted, i, v)
	{
		if (!json_is_string(v))
			continue;
		g->omitted++;
		web_link_call(g->gs->link, "blob.get",
		    xalloc_json(json_pack("{s:O}", "hash", v)),
		    web_game_blob_cb, web_game_answer(g));
	}
}

/* Takes what game.record says. */
static int
web_game_record(struct web_game *g, const json_t *result)
{
	const json_t *lines = json_object_get(result, "lines"), *v;
	struct js_at at = {.name = "game.record"};
	struct errinfo e = {.text = ""};
	uint8_t head[HASH_LEN];
	size_t skip = 0, i;
	int64_t seq;
	int r = 0;

	if (js_get_int(result, "seq", &at, 0, JS_INT_MAX, &seq, &e) != 0 ||
	    js_get_hex(result, "head", &at, head, HASH_LEN, &e) != 0 ||
	    !json_is_array(lines)) {
		web_game_trouble(g, "the server's answer makes no sense");
		return (ERR_FORK);
	}
	g->total = seq + 1;
	/* It is asked for some lines at a time, so that none takes long. */
	g->next = g->asked + (int64_t)json_array_size(lines) < g->total
	    ? g->asked + (int64_t)json_array_size(lines)
	    : -1;
	/* The last line that is held comes again: it must be the same. */
	if (g->asked < g->c->n && json_array_size(lines) > 0) {
		v = json_array_get(lines, 0);
		skip = 1;
		r = replica_add(g->c, g->asked, json_string_value(v),
		    json_string_length(v), "", &e);
	}
	if (r == 0)
		r = replica_check_head(g->c, seq, head);
	if (r == 0 && json_array_size(lines) == skip && g->total > g->c->n) {
		web_game_trouble(
		    g, "the server withholds lines that it says it has");
		return (ERR_FORK);
	}
	if (r == ERR_FORK && g->c->fork.what == REPLICA_BEHIND) {
		web_game_trouble(g, g->c->fork.why.text);
		g->total = g->c->n;
		return (ERR_FORK);
	}
	if (r != 0) {
		web_game_fork(g);
		return (ERR_FORK);
	}
	json_array_foreach(json_object_get(result, "erased"), i, v)
	    xalloc_append(g->erased, xalloc_copy(v));
	if (json_is_integer(json_object_get(result, "erasures")))
		g->erasures = js_int(result, "erasures");
	web_game_put(g, json_object_get(result, "side"), 0);
	web_game_put(g, lines, skip);
	web_game_blobs(g, json_object_get(result, "omitted"));
	return (0);
}

/* The answer of game.record. */
static void
web_game_record_cb(void *arg, int r, const json_t *result)
{
	struct web_game *g = web_game_answered(arg);

	if (g == NULL)
		return;
	g->is_asking = false;
	if (r == ERR_NOTFOUND) {
		g->is_gone = true;
		if (g->c->n > 0)
			web_game_trouble(
			    g, "the server does not know this game any more");
	} else if (r != 0) {
		log_debug("game %s: %s", g->hex, err_text(r));
	} else {
		g->is_gone = false;
		r = web_game_record(g, result);
		if (r == 0) {
			free(g->trouble);
			g->trouble = NULL;
		} else {
			/* As far as it goes it is up to date. */
			g->synced_ms = clock_mono_ms();
		}
	}
	if (r == 0 || g->wants_more || g->starts_over) {
		if (g->omitted == 0)
			web_game_queue(g);
		return;
	}
	web_game_wake(g, true);
}

/* Asks for what is missing. */
static void
web_game_ask(struct web_game *g)
{
	if (g->is_forked || g->starts_over || g->is_asking || g->omitted > 0 ||
	    !web_link_is_up(g->gs->link)) {
		g->wants_more = g->is_asking || g->omitted > 0;
		return;
	}
	g->wants_more = false;
	g->asked = g->next >= 0 ? g->c->n : g->c->n > 0 ? g->c->n - 1 : 0;
	g->next = -1;
	g->is_asking = true;
	web_link_call(g->gs->link, "game.record",
	    xalloc_json(json_pack("{s:s, s:I, s:I, s:b, s:I}", "game", g->hex,
		"from", (json_int_t)g->asked, "to",
		(json_int_t)(g->asked + WEB_GAME_PAGE), "side", 1, "erased",
		(json_int_t)g->erasures)),
	    web_game_record_cb, web_game_answer(g));
}

/* Asks, unless it is being read already. */
static void
web_game_refresh(struct web_game *g)
{
	if (g->from_disk || g->taken < g->queue.len)
		g->wants_more = true;
	else
		web_game_ask(g);
}

/* The answer of game.watch. */
static void
web_game_watch_cb(void *arg, int r, const json_t *result)
{
	struct web_game *g = web_game_answered(arg);

	(void)result;
	if (g == NULL || r == 0)
		return;
	/* Without one it is asked for again and again. */
	if (g->is_watched)
		g->gs->counts.watched--;
	g->is_watched = false;
	log_debug("game %s is not watched: %s", g->hex, err_text(r));
}

/* Has the umpire tell of new lines. */
static void
web_game_watch(struct web_game *g)
{
	if (g->is_watched || g->is_gone || g->is_forked ||
	    !web_link_is_up(g->gs->link))
		return;
	g->is_watched = true;
	g->gs->counts.watched++;
	web_link_call(g->gs->link, "game.watch",
	    xalloc_json(json_pack("{s:s}", "game", g->hex)), web_game_watch_cb,
	    web_game_answer(g));
	/* What came before the watch. */
	web_game_refresh(g);
}

void
web_game_notice(struct web_games *gs, const char *method, const json_t *params)
{
	const char *hex = js_str(params, "game");
	uint8_t id[HASH_LEN];
	struct web_game **g;

	if (hex == NULL || hex_parse(id, HASH_LEN, hex, strlen(hex)) != 0 ||
	    (g = web_games_slot(gs, id)) == NULL)
		return;
	if (*g == NULL) {
		/* It is read anew when somebody asks. */
		if (strcmp(method, "game.erased") == 0)
			web_store_drop(gs->store, hex);
		return;
	}
	if (strcmp(method, "game.entry") == 0 &&
	    json_is_integer(json_object_get(params, "seq"))) {
		if (js_int(params, "seq") < (*g)->c->n)
			return;
		if (js_int(params, "seq") + 1 > (*g)->total)
			(*g)->total = js_int(params, "seq") + 1;
		web_game_refresh(*g);
	} else if (strcmp(method, "game.erased") == 0) {
		web_game_refresh(*g);
	}
}

/* Each so often: those who waited for too long, and watches without use. */
static void
web_games_tick_cb(evutil_socket_t fd, short what, void *arg)
{
	struct web_games *gs = arg;
	const int64_t now_ms = clock_mono_ms();
	struct web_game *g, *next;

	(void)fd;
	(void)what;
	for (g = TAILQ_FIRST(&gs->used); g != NULL; g = next) {
		/* Those that are called may ask for games: it is not to go. */
		if ((next = TAILQ_NEXT(g, used)) != NULL)
			web_game_hold(next);
		web_game_wake(g, false);
		if (g->is_watched && g->readers == 0 &&
		    now_ms - g->used_ms > gs->conf->watch_s * 1000)
			web_game_unwatch(g);
		/* Streams of a game that could not be watched. */
		if (!g->is_watched && g->readers > 0 && !g->is_forked &&
		    now_ms - g->synced_ms > WEB_GAME_FRESH_MS)
			web_game_refresh(g);
		if (next != NULL)
			web_game_release(next);
	}
}

void
web_game_link_up(struct web_games *gs)
{
	struct web_game *g;

	TAILQ_FOREACH(g, &gs->used, used)
	{
		if (g->readers > 0)
			web_game_watch(g);
		else if (!TAILQ_EMPTY(&g->waits))
			web_game_refresh(g);
	}
}

void
web_game_link_down(struct web_games *gs)
{
	struct web_game *g;

	gs->counts.watched = 0;
	TAILQ_FOREACH(g, &gs->used, used)
	{
		g->is_watched = false;
		g->next = -1;
		if (web_game_is_hopeless(g))
			web_game_wake(g, true);
	}
}

struct web_game *
web_game_get(struct web_games *gs, const char *hex)
{
	struct errinfo e = {.text = ""};
	uint8_t id[HASH_LEN];
	struct web_game *g, **slot;
	json_t *files;

	/* Lines of another server are not to be taken for good. */
	if (!gs->profile.has_pin ||
	    hex_parse(id, HASH_LEN, hex, strlen(hex)) != 0)
		return (NULL);
	web_games_make_room(gs);
	if ((slot = web_games_slot(gs, id)) == NULL)
		return (NULL);
	if ((g = *slot) != NULL) {
		TAILQ_REMOVE(&gs->used, g, used);
		TAILQ_INSERT_HEAD(&gs->used, g, used);
		g->used_ms = clock_mono_ms();
		if (!web_game_is_whole(g))
			web_game_refresh(g);
		return (g);
	}
	/* All of them are in use. */
	if (gs->bytes > (size_t)gs->conf->games_memory << 20 ||
	    gs->counts.games >= WEB_GAME_SLOTS * 3 / 4)
		return (NULL);
	g = xalloc(sizeof(*g));
	if (replica_open(&gs->profile, id, &g->c, &e) != 0) {
		log_errorx("game %s: %s", hex, e.text);
		free(g);
		return (NULL);
	}
	*slot = g;
	g->gs = gs;
	memcpy(g->id, id, HASH_LEN);
	hex_format(g->hex, id, HASH_LEN);
	g->digits = 12;
	g->title = xalloc_str("");
	g->sheets = report_sheets_new(WEB_GAME_SHEETS);
	g->next = -1;
	g->used_ms = clock_mono_ms();
	g->at_ms = clock_wall_ms();
	g->erased = xalloc_json(json_array());
	TAILQ_INIT(&g->waits);
	buf_init(&g->queue, 0);
	buf_init(&g->unsaved, 0);
	files = evidence_list(&gs->profile, id);
	if (json_array_size(files) > 0)
		g->evidence = xalloc_str(json_string_value(
		    json_array_get(files, json_array_size(files) - 1)));
	json_decref(files);
	TAILQ_INSERT_HEAD(&gs->used, g, used);
	gs->counts.games++;
	g->disk = web_store_read(gs->store, g->hex, &g->queue);
	g->from_disk = g->queue.len > 0;
	g->total = web_game_count_lines(&g->queue);
	web_game_weigh(g);
	if (g->from_disk)
		web_game_queue(g);
	else
		web_game_ask(g);
	return (g);
}

int
web_game_kept(
    struct web_games *gs, const char *digits, char hex[2 * HASH_LEN + 1])
{
	return (web_store_find(gs->store, digits, hex));
}

void
web_game_wait(struct web_game *g, struct web_wait *w)
{
	w->born = g->wakes;
	TAILQ_INSERT_TAIL(&g->waits, w, next);
	if (web_game_is_hopeless(g))
		web_game_wake(g, true);
}

void
web_game_unwait(struct web_game *g, struct web_wait *w)
{
	TAILQ_REMOVE(&g->waits, w, next);
}

void
web_game_hold(struct web_game *g)
{
	g->busy++;
}

void
web_game_release(struct web_game *g)
{
	if (--g->busy > 0 || !g->is_held)
		return;
	g->is_held = false;
	web_game_queue(g);
}

void
web_game_follow(struct web_game *g)
{
	g->readers++;
	web_game_watch(g);
}

void
web_game_unfollow(struct web_game *g)
{
	g->readers--;
	g->used_ms = clock_mono_ms();
}

void
web_game_count(struct web_games *gs, struct web_game_counts *out)
{
	*out = gs->counts;
	out->bytes = (int64_t)gs->bytes;
	out->disk = (int64_t)web_store_bytes(gs->store);
	gs->counts.slowest_us = 0;
}

void
web_game_set_link(struct web_games *gs, struct web_link *l)
{
	gs->link = l;
}

void
web_game_set_key(struct web_games *gs, const uint8_t key[SIGN_KEY_LEN])
{
	memcpy(gs->profile.pin, key, SIGN_KEY_LEN);
	gs->profile.has_pin = true;
}

int
web_game_open_all(struct event_base *base, const struct web_conf *conf,
    const struct web_game_calls *calls, struct web_games **out,
    struct errinfo *e)
{
	const struct timeval often = {.tv_usec = WEB_GAME_TICK_MS * 1000};
	struct web_games *gs = xalloc(sizeof(*gs));
	int r;

	gs->base = base;
	gs->conf = conf;
	gs->calls = *calls;
	TAILQ_INIT(&gs->used);
	TAILQ_INIT(&gs->due);
	gs->profile.data_dir = conf->cache;
	gs->pump = evtimer_new(base, web_games_pump_cb, gs);
	gs->tick = event_new(base, -1, EV_PERSIST, web_games_tick_cb, gs);
	if (gs->pump == NULL || gs->tick == NULL ||
	    event_add(gs->tick, &often) != 0)
		xalloc_die();
	r = web_store_new(
	    conf->cache, (size_t)conf->cache_disk << 20, &gs->store, e);
	if (r != 0)
		web_game_close_all(gs);
	else
		*out = gs;
	return (r);
}

void
web_game_close_all(struct web_games *gs)
{
	if (gs == NULL)
		return;
	while (!TAILQ_EMPTY(&gs->used))
		web_game_free(TAILQ_FIRST(&gs->used));
	event_free(gs->pump);
	event_free(gs->tick);
	web_store_free(gs->store);
	free(gs);
}
