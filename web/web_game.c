/* SPDX-License-Identifier: ISC */
#include "web/web_game.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/replica/evidence.h"
#include "client/replica/replica.h"
#include "client/report/report_sheet.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/record/record.h"
#include "server/base/log.h"
#include "web/web_conf.h"
#include "web/web_erased.h"
#include "web/web_game_int.h"
#include "web/web_store.h"
#include "web/web_watch.h"

#define WEB_GAME_RENEW_MS 200 /* for so long it is not asked for again */
#define WEB_GAME_READ ((size_t)1 << 18) /* bytes of the disk at a time */
#define WEB_GAME_LINE 800 /* bytes that a line takes beside its own */
#define WEB_GAME_BASE 65536 /* bytes that a game takes at least */
/* What the chances of a combat may cost, in runs of it. */
#define WEB_GAME_SHEETS REPORT_SHEET_ODDS

/* How many texts were erased, at *end of the first line; 0: it does not say. */
static int64_t
web_game_number(struct buf *b, char **end)
{
	const long long n = strtoll(buf_str(b), end, 10);

	return (**end == '\n' && n > 0 && n <= INT32_MAX ? n : 0);
}

int64_t
web_game_recalled(struct web_games *gs, const char *hex)
{
	int64_t n = 0;
	struct buf b;
	char *end;

	buf_init(&b, 0);
	if (web_store_read(gs->gone, hex, &b) > 0)
		n = web_game_number(&b, &end);
	buf_clear(&b);
	return (n);
}

/*
 * Begins with what was known to be erased when it was here before, which holds
 * until the umpire is asked: all is asked for anew then.
 */
static void
web_game_recall(struct web_game *g)
{
	struct buf b;
	char *end;
	int64_t n;

	buf_init(&b, 0);
	if (web_store_read(g->gs->gone, g->hex, &b) > 0) {
		n = web_game_number(&b, &end);
		if (n > 0 &&
		    web_erased_read(g->gone, end + 1,
			b.len - (size_t)(end + 1 - buf_str(&b)))) {
			g->erasures = n;
			g->is_recalled = true;
		} else {
			web_store_drop(g->gs->gone, g->hex);
			web_erased_free(g->gone);
			g->gone = web_erased_new();
		}
	}
	buf_clear(&b);
}

/* Keeps it, for whoever shows the game while the umpire is away. */
static void
web_game_remember(struct web_game *g)
{
	struct buf b;

	if (g->erasures == 0) {
		web_store_drop(g->gs->gone, g->hex);
		return;
	}
	buf_init(&b, 0);
	buf_printf(&b, "%lld\n", (long long)g->erasures);
	web_erased_write(g->gone, &b);
	if (buf_error(&b) != 0)
		xalloc_die();
	(void)web_store_put(g->gs->gone, g->hex, b.data, b.len);
	buf_clear(&b);
	web_store_trim(g->gs->gone);
}

struct web_game *
web_game_new(struct web_games *gs, const uint8_t id[HASH_LEN])
{
	struct errinfo e = {.text = ""};
	struct web_game *g = xalloc(sizeof(*g));
	json_t *files;

	hex_format(g->hex, id, HASH_LEN);
	if (replica_open(&gs->profile, id, &g->c, &e) != 0) {
		log_errorx("game %s: %s", g->hex, e.text);
		free(g);
		return (NULL);
	}
	g->gs = gs;
	memcpy(g->id, id, HASH_LEN);
	g->digits = 12;
	g->title = xalloc_str("");
	g->sheets = report_sheets_new(WEB_GAME_SHEETS);
	g->next = -1;
	g->used_ms = clock_mono_ms();
	g->at_ms = clock_wall_ms();
	g->erased = xalloc_json(json_array());
	g->gone = web_erased_new();
	TAILQ_INIT(&g->waits);
	buf_init(&g->queue, 0);
	buf_init(&g->blobs, 0);
	buf_init(&g->unsaved, 0);
	files = evidence_list(&gs->profile, id);
	if (json_array_size(files) > 0)
		g->evidence = xalloc_str(json_string_value(
		    json_array_get(files, json_array_size(files) - 1)));
	json_decref(files);
	g->disk = g->disk_end = web_store_size(gs->store, g->hex);
	g->from_disk = g->disk > 0;
	g->total = web_store_last(gs->store, g->hex) + 1;
	web_game_recall(g);
	return (g);
}

void
web_game_free(struct web_game *g)
{
	report_sheets_free(g->sheets);
	replica_close(g->c);
	buf_clear(&g->queue);
	buf_clear(&g->blobs);
	buf_clear(&g->unsaved);
	json_decref(g->erased);
	web_erased_free(g->gone);
	free(g->evidence);
	free(g->trouble);
	free(g->title);
	free(g);
}

void
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

void
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

bool
web_game_is_idle(const struct web_game *g)
{
	return (g->busy == 0 && g->readers == 0 && !g->is_asking &&
	    g->omitted == 0 && TAILQ_EMPTY(&g->waits));
}

bool
web_game_is_whole(const struct web_game *g)
{
	if (g->c->n == 0 || g->taken < g->queue.len || g->from_disk)
		return (false);
	if (g->is_forked || g->is_gone || !web_watch_is_up(g))
		return (true);
	return (g->watcher != NULL
		? g->synced_ms > 0 && g->c->n >= g->total && !g->is_asking
		: g->synced_ms > 0 &&
		    clock_mono_ms() - g->synced_ms < WEB_GAME_FRESH_MS);
}

bool
web_game_is_short(const struct web_game *g)
{
	return (g->from_disk || g->taken < g->queue.len || g->next >= 0 ||
	    g->c->n < g->total || (g->synced_ms == 0 && web_watch_is_up(g)));
}

bool
web_game_is_hopeless(const struct web_game *g)
{
	return (g->taken >= g->queue.len && !g->from_disk && !g->is_asking &&
	    (g->is_gone || !web_watch_is_up(g)));
}

void
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
	g->erasures = g->told = 0;
	g->is_recalled = g->is_renumbered = false;
	(void)json_array_clear(g->erased);
	web_erased_free(g->gone);
	g->gone = web_erased_new();
	g->from_disk = g->is_torn = false;
	g->is_rewriting = g->is_unkept = g->is_full = false;
	g->starts_over = false;
	g->lucky_n = 0;
	web_store_drop(gs->store, g->hex);
	web_store_drop(gs->gone, g->hex);
	gs->calls.erased(gs->calls.arg, g);
}

void
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

/* True if the next entry, and the one behind it, are whole in the queue. */
static bool
web_game_is_filled(const struct web_game *g)
{
	const char *p = g->queue.data + g->taken, *end;
	const char *last = g->queue.data + g->queue.len;
	int i;

	for (i = 0; i < 2; i++) {
		if (p == last ||
		    (end = memchr(p, '\n', (size_t)(last - p))) == NULL)
			return (false);
		p = end + 1;
	}
	return (true);
}

void
web_game_fill(struct web_game *g)
{
	struct buf rest;
	size_t n;

	while (g->from_disk && g->disk_at < g->disk_end &&
	    !web_game_is_filled(g)) {
		buf_init(&rest, 0);
		buf_add(
		    &rest, g->queue.data + g->taken, g->queue.len - g->taken);
		n = g->disk_end - g->disk_at;
		n = web_store_part(g->gs->store, g->hex, g->disk_at,
		    n < WEB_GAME_READ ? n : WEB_GAME_READ, &rest);
		if (buf_error(&rest) != 0)
			xalloc_die();
		buf_clear(&g->queue);
		g->queue = rest;
		g->taken = 0;
		g->disk_at += n;
		/* It has become shorter: what there is is taken. */
		if (n == 0)
			g->disk_end = g->disk_at;
		if (g->disk_at < g->disk_end)
			continue;
		/* Half a line is what a crash has left. */
		while (g->queue.len > 0 &&
		    g->queue.data[g->queue.len - 1] != '\n') {
			g->queue.len--;
			g->is_torn = true;
		}
	}
}

bool
web_game_take(struct web_game *g)
{
	const char *p = g->queue.data + g->taken, *end, *next = "";
	const size_t left = g->queue.len - g->taken;
	const size_t held = g->c->lines.len + g->c->side.len;
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
		/* Texts of the last line come again each time. */
		if (!g->from_disk && g->c->lines.len + g->c->side.len > held)
			buf_add(&g->unsaved, p, len + 1);
		return (true);
	}
	if (g->from_disk) {
		log_warnx("game %s: what was kept of it does not hold: %s",
		    g->hex, e.text);
		web_game_anew(g);
		g->wants_more = true;
	} else if (r == ERR_FORK) {
		web_game_fork(g);
	} else {
		xalloc_die();
	}
	return (false);
}

/* Writes some of the lines of a copy; side lines first, as it has them. */
static void
web_game_rewrite_step(struct web_game *g)
{
	const struct buf *side = &g->c->side, *lines = &g->c->lines;
	const char *p, *lf, *end = side->data + g->side_end;
	struct buf b;
	size_t n;

	buf_init(&b, 0);
	while (g->side_at < g->side_end && b.len < WEB_GAME_READ) {
		p = side->data + g->side_at;
		if ((lf = memchr(p, '\n', (size_t)(end - p))) == NULL)
			lf = end - 1;
		if (record_is_side(p, (size_t)(lf - p)))
			buf_add(&b, p, (size_t)(lf - p) + 1);
		g->side_at = (size_t)(lf + 1 - side->data);
	}
	if (b.len < WEB_GAME_READ) {
		n = g->lines_end - g->lines_at;
		if (n > WEB_GAME_READ)
			n = WEB_GAME_READ;
		buf_add(&b, lines->data + g->lines_at, n);
		g->lines_at += n;
	}
	if (buf_error(&b) != 0)
		xalloc_die();
	if (b.len > 0)
		g->disk = web_store_add(g->gs->store, g->hex, b.data, b.len);
	buf_clear(&b);
	g->is_rewriting =
	    g->side_at < g->side_end || g->lines_at < g->lines_end;
	web_games_queue(g);
}

/* Has all of it written anew, without the texts that are gone. */
static void
web_game_rewrite(struct web_game *g)
{
	/* What must not stay does not. */
	web_store_drop(g->gs->store, g->hex);
	g->disk = 0;
	/* What was verified by now is in the copy. */
	buf_reset(&g->unsaved);
	/* One that would push out all others is not kept. */
	g->is_unkept = g->c->side.len + g->c->lines.len >
	    ((size_t)g->gs->conf->cache_disk << 20) / 2;
	if (g->is_unkept)
		return;
	g->side_at = g->lines_at = 0;
	g->side_end = g->c->side.len;
	g->lines_end = g->c->lines.len;
	g->is_rewriting = true;
	web_games_queue(g);
}

void
web_game_save(struct web_game *g)
{
	if (g->is_unkept)
		buf_reset(&g->unsaved);
	if (g->is_rewriting) {
		web_game_rewrite_step(g);
		return;
	}
	if (g->unsaved.len == 0)
		return;
	if (web_store_size(g->gs->store, g->hex) != g->disk) {
		/* There was no room for it; that may be otherwise by now. */
		web_game_rewrite(g);
		return;
	}
	g->disk = web_store_add(
	    g->gs->store, g->hex, g->unsaved.data, g->unsaved.len);
	buf_reset(&g->unsaved);
}

/* Drops the texts that were erased, once the lines are here. */
static void
web_game_erase(struct web_game *g)
{
	struct errinfo e = {.text = ""};
	const bool is_new =
	    !g->is_recalled && (g->is_renumbered || g->erasures != g->told);
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
	if (!g->is_recalled)
		g->erasures = g->told;
	g->is_renumbered = false;
	if (any)
		web_game_rewrite(g);
	/* The words go before it is known that they are gone. */
	if (is_new)
		web_game_remember(g);
	if (any) {
		g->gs->calls.erased(g->gs->calls.arg, g);
	}
}

void
web_game_fill_up(struct web_game *g)
{
	if (!g->is_full)
		log_warnx("game %s is too long for game_memory: it is shown up "
			  "to line %lld",
		    g->hex, (long long)g->c->n - 1);
	g->is_full = true;
	buf_clear(&g->queue);
	buf_init(&g->queue, 0);
	g->taken = 0;
	g->next = -1;
	g->total = g->c->n;
	/* For what was erased. */
	g->wants_more = true;
}

void
web_game_caught_up(struct web_game *g)
{
	const bool asks =
	    g->from_disk || g->starts_over || g->next >= 0 || g->wants_more;

	if (g->starts_over)
		web_game_anew(g);
	if (g->is_torn)
		web_game_rewrite(g);
	g->from_disk = g->is_torn = false;
	buf_reset(&g->queue);
	g->taken = 0;
	if (g->is_forked)
		return;
	if (asks) {
		web_game_ask(g);
		return;
	}
	/* It is only its file that is being written. */
	if (g->is_asking)
		return;
	web_game_erase(g);
	if (g->synced_ms == 0 || g->c->n >= g->total)
		g->synced_ms = clock_mono_ms();
	web_store_trim(g->gs->store);
}

bool
web_game_renew(struct web_game *g)
{
	if (g->watcher != NULL || g->is_forked || g->is_gone ||
	    !web_watch_is_up(g) ||
	    clock_mono_ms() - g->renewed_ms < WEB_GAME_RENEW_MS)
		return (false);
	g->renewed_ms = clock_mono_ms();
	web_game_ask_news(g);
	return (true);
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
	web_games_queue(g);
}

void
web_game_follow(struct web_game *g)
{
	g->readers++;
	web_watch_want(g);
}

void
web_game_unfollow(struct web_game *g)
{
	if (--g->readers == 0 && g->wants_watch)
		web_watch_end(g);
	g->used_ms = clock_mono_ms();
}
