/* SPDX-License-Identifier: ISC */
/*
 * How a tournament's rounds were paired, and its results, are checked behind
 * its pages: first its games are read, one after the other, as if somebody
 * looked at each; then the tournament is read once more, so that it is not
 * behind its games; then another process verifies all that (web_check).  Some
 * tournaments have their turn at a time, and none that nobody looks at.  A
 * large one may take minutes at first, so that there is always room for a small
 * one.
 */
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/replica/replica.h"
#include "client/tournament/desk_prove.h"
#include "common/base/clock.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/tournament/verify_tournament.h"
#include "server/base/log.h"
#include "web/web_check.h"
#include "web/web_cup_int.h"
#include "web/web_game.h"
#include "web/web_games.h"
#include "web/web_link.h"
#include "web/web_site.h"

#define WEB_CUP_CHECK_GAME_MS 10000 /* that is waited for a game */
#define WEB_CUP_CHECK_PAUSE_MS 5 /* after one that had to be read */
#define WEB_CUP_CHECK_REST_MS 3000 /* until it is checked again */
#define WEB_CUP_CHECK_REST 3 /* and so many times what that took, */
#define WEB_CUP_CHECK_MOST_MS 30000 /* but no more: the next is shorter */
#define WEB_CUP_CHECK_AGAIN_MS 600000 /* where games were not to be had */
#define WEB_CUP_CHECK_TURNS 3 /* while lines come in the meantime */
#define WEB_CUP_CHECK_LARGE 64 /* games: more than a small one has */

/* ---- what was found ---- */

void
web_cup_check_clear(struct web_cup *c)
{
	struct web_cup_check *k = &c->check;

	web_cup_named_clear(&k->named);
	free(k->why);
	memset(k, 0, sizeof(*k));
}

void
web_cup_check_reset(struct web_cup *c)
{
	web_cup_check_clear(c);
	web_cup_named_init(&c->check.named);
}

enum page_cup_game
web_cup_check_told(const struct web_cup *c, const char *hex)
{
	const struct web_cup_check *k = &c->check;
	const struct web_cup_game *g = web_cup_named_game(&k->named, hex);

	if (g == NULL || !k->is_done || k->is_bad)
		return (PAGE_CUP_GAME_UNKNOWN);
	return (g->told);
}

/* ---- when ---- */

void
web_cup_check_want(struct web_cup *c)
{
	struct web_cup_check *k = &c->check;
	const int64_t now_ms = clock_mono_ms();

	if (c->turn.state != WEB_CUP_CHECK_IDLE || c->is_forked ||
	    !web_check_is_up(c->cs->s->check) || now_ms < k->after_ms ||
	    !web_link_is_up(c->cs->s->link))
		return;
	if (k->is_done && k->lines == c->n &&
	    (k->has == k->games ||
		now_ms - k->done_ms < WEB_CUP_CHECK_AGAIN_MS))
		return;
	c->turn.state = WEB_CUP_CHECK_WANTED;
}

bool
web_cup_check_is_on(const struct web_cup *c)
{
	return (c->turn.state > WEB_CUP_CHECK_WANTED);
}

/* How long it rests after a check that took so long. */
static int64_t
web_cup_check_rest(int64_t took_ms)
{
	const int64_t rest_ms = WEB_CUP_CHECK_REST * took_ms;

	return (WEB_CUP_CHECK_REST_MS +
	    (rest_ms < WEB_CUP_CHECK_MOST_MS ? rest_ms
					     : WEB_CUP_CHECK_MOST_MS));
}

/* Ends its turn. */
static void
web_cup_check_end(struct web_cup *c, int64_t rest_ms)
{
	struct web_cup **on = c->cs->checking;

	while (*on != c)
		on++;
	*on = NULL;
	json_decref(c->turn.verdict);
	memset(&c->turn, 0, sizeof(c->turn));
	c->check.after_ms = clock_mono_ms() + rest_ms;
}

/* ---- reading the games ---- */

/* A game was looked at, as far as it is here. */
static void
web_cup_check_have(struct web_cup *c, struct web_game *g)
{
	struct web_cup_check *k = &c->check;

	/* Games that people look at stay warm. */
	if (g != NULL && !c->turn.was_here)
		web_games_yield(c->cs->s->games, g);
	if (k->at < k->named.n)
		k->named.games[k->at++].have =
		    g == NULL || g->is_gone ? 0 : g->c->n;
}

/* web_wait.ready: the game is there, or time is over. */
static void
web_cup_check_ready_cb(void *arg, struct web_game *g)
{
	struct web_cup *c = arg;

	c->turn.waits_for = NULL;
	web_cup_check_have(c, g);
	web_cup_check_later(c->cs, WEB_CUP_CHECK_PAUSE_MS);
}

/* All of them are here: the tournament must not be behind them. */
static void
web_cup_check_sync(struct web_cup *c)
{
	c->turn.state = WEB_CUP_CHECK_SYNCING;
	c->synced_ms = 0;
	web_cup_read_ask(c);
	/* Without an answer there is nothing to hold it against. */
	if (!c->is_asking && !c->is_due && c->omitted == 0)
		web_cup_check_end(c, WEB_CUP_CHECK_REST_MS);
}

/* Looks at its next game. */
static void
web_cup_check_next(struct web_cup *c)
{
	struct web_games *games = c->cs->s->games;
	struct web_cup_check *k = &c->check;
	struct web_cup_turn *t = &c->turn;
	struct web_game *g;

	/* What its last line but one tells stays so. */
	while (k->at < k->named.n && k->named.games[k->at].need >= 0 &&
	    k->named.games[k->at].have > k->named.games[k->at].need)
		k->at++;
	if (k->at >= k->named.n) {
		web_cup_check_sync(c);
		return;
	}
	t->was_here = web_games_has(games, k->named.games[k->at].hex);
	g = web_games_get(games, k->named.games[k->at].hex);
	if (g == NULL || web_game_is_whole(g)) {
		web_cup_check_have(c, g);
		web_cup_check_later(c->cs, 0);
		return;
	}
	t->waits_for = g;
	t->wait.ready = web_cup_check_ready_cb;
	t->wait.arg = c;
	t->wait.until_ms = clock_mono_ms() + WEB_CUP_CHECK_GAME_MS;
	web_game_wait(g, &t->wait);
}

void
web_cup_check_step(struct web_cups *cs)
{
	struct web_cup *c;
	size_t i;

	for (i = 0; i < WEB_CHECKER_JOBS; i++) {
		c = cs->checking[i];
		if (c != NULL && c->turn.state == WEB_CUP_CHECK_READING &&
		    c->turn.waits_for == NULL)
			web_cup_check_next(c);
	}
}

/* Begins with the games, from the first on. */
static void
web_cup_check_read(struct web_cup *c)
{
	c->turn.state = WEB_CUP_CHECK_READING;
	c->turn.read_n = c->n;
	c->check.at = 0;
	web_cup_check_later(c->cs, 0);
}

/* Where there is room for one; NULL: there is none for it. */
static struct web_cup **
web_cup_check_room(struct web_cups *cs, const struct web_cup *c)
{
	const bool is_large = c->check.named.n > WEB_CUP_CHECK_LARGE;
	struct web_cup **room = NULL;
	size_t i, n = 0;

	for (i = 0; i < WEB_CHECKER_JOBS; i++) {
		n += cs->checking[i] == NULL;
		if (cs->checking[i] == NULL)
			room = &cs->checking[i];
	}
	return (n > (is_large ? 1 : 0) ? room : NULL);
}

void
web_cup_check_tick(struct web_cups *cs)
{
	struct web_cup *c, **room;

	if (!web_check_is_up(cs->s->check))
		return;
	TAILQ_FOREACH(c, &cs->used, used)
	{
		if (c->turn.state == WEB_CUP_CHECK_WANTED &&
		    (room = web_cup_check_room(cs, c)) != NULL) {
			*room = c;
			web_cup_check_read(c);
		}
	}
}

/* ---- the verdict ---- */

/* True if a game lacks lines that the tournament names, and may have them. */
static bool
web_cup_check_lacks(const struct web_cup_check *k)
{
	size_t i;

	for (i = 0; i < k->named.n; i++) {
		if (k->named.games[i].have == 0 ||
		    (k->named.games[i].need >= 0 &&
			k->named.games[i].have <= k->named.games[i].need))
			return (true);
	}
	return (false);
}

/* Keeps proof that a line is not lawful, whatever the games are. */
static void
web_cup_check_prove(struct web_cup *c, int64_t seq, const char *why)
{
	struct desk_fork f = {
	    .what = DESK_UNLAWFUL, .seq = seq, .at_ms = clock_wall_ms()};
	const char *at = c->lines.data, *end = at + c->lines.len;
	struct record_span s = {0};
	int64_t i;

	for (i = 0; i <= seq || s.bytes == NULL; i++) {
		if (!record_next(&at, end, &s))
			return;
	}
	f.line = xalloc_strn(s.bytes, s.len);
	(void)err_set(&f.why, ERR_BAD, "", "%s", why);
	web_cup_read_prove(c, &f, (size_t)(s.bytes - c->lines.data));
	free(f.line);
}

/* Takes a verdict over. */
static void
web_cup_check_take(struct web_cup *c, const json_t *v)
{
	const char *verdict = js_str(v, "verdict"), *why = js_str(v, "why"),
		   *where = js_str(v, "where"), *at_hand = js_str(v, "at_hand");
	struct web_cup_check *k = &c->check;
	size_t i;

	free(k->why);
	k->why = NULL;
	k->is_done = true;
	k->is_bad = strcmp(verdict, "bad") == 0;
	k->lines = js_int(v, "lines");
	k->line = js_int(v, "line");
	k->dice = js_int(v, "dice");
	k->games = k->has = 0;
	k->at_ms = clock_wall_ms();
	k->done_ms = clock_mono_ms();
	for (i = 0; i < k->named.n && at_hand[i] != '\0'; i++) {
		const bool is_there = at_hand[i] != '0';

		k->games++;
		k->has += is_there;
		k->named.games[i].told = at_hand[i] == '1' ? PAGE_CUP_GAME_GOOD
		    : is_there                             ? PAGE_CUP_GAME_NEWER
							   : PAGE_CUP_GAME_AWAY;
		if (!is_there)
			k->named.games[i].have = 0;
	}
	if (strcmp(verdict, "good") != 0 && (k->is_bad || k->has == k->games))
		k->why = xalloc_printf("line %lld: %s%s%s", (long long)k->line,
		    where, *where == '\0' ? "" : ": ", why);
	c->cs->counts.checks++;
	if (!k->is_bad)
		return;
	log_warnx(
	    "tournament %s does not hold with its games: %s", c->hex, k->why);
	if (json_is_true(json_object_get(v, "alone")))
		web_cup_check_prove(c, k->line, why);
}

/* True if the tournament is still the one of which the verdict tells. */
static bool
web_cup_check_is_same(const struct web_cup *c)
{
	const struct web_cup_turn *t = &c->turn;

	return (c->n >= t->job.lines &&
	    memcmp(verify_tournament_hash(c->v, t->job.lines - 1), t->head,
		HASH_LEN) == 0);
}

/* web_check_done: a bad one counts once it is known that nothing is missing. */
static void
web_cup_check_done_cb(void *arg, const json_t *verdict)
{
	struct web_cup *c = arg;
	struct web_cup_counts *counts = &c->cs->counts;
	const int64_t took_ms = clock_mono_ms() - c->turn.began_ms;

	if (took_ms > counts->slowest_check_ms)
		counts->slowest_check_ms = took_ms;
	counts->games_verified += js_int(verdict, "verified");
	counts->games_found += js_int(verdict, "found");
	if (verdict == NULL || js_str(verdict, "verdict") == NULL ||
	    js_str(verdict, "where") == NULL ||
	    js_str(verdict, "why") == NULL ||
	    js_str(verdict, "at_hand") == NULL || !web_cup_check_is_same(c)) {
		web_cup_check_end(c,
		    WEB_CUP_CHECK_AGAIN_MS / 10 + WEB_CUP_CHECK_REST * took_ms);
		return;
	}
	if (strcmp(js_str(verdict, "verdict"), "bad") == 0) {
		c->turn.verdict = xalloc_copy(verdict);
		web_cup_check_sync(c);
		return;
	}
	web_cup_check_take(c, verdict);
	web_cup_check_end(c, web_cup_check_rest(took_ms));
}

/* Has it verified as it is now. */
static void
web_cup_check_run(struct web_cup *c)
{
	struct web_cup_turn *t = &c->turn;

	memcpy(t->job.id, c->id, HASH_LEN);
	memcpy(t->job.server, c->cs->profile.pin, SIGN_KEY_LEN);
	t->job.lines = c->n;
	t->began_ms = clock_mono_ms();
	memcpy(t->head, verify_tournament_hash(c->v, c->n - 1), HASH_LEN);
	t->state = WEB_CUP_CHECK_RUNNING;
	web_check_begin(c->cs->s->check, &t->job, web_cup_check_done_cb, c);
}

void
web_cup_check_stop(struct web_cups *cs)
{
	struct web_cup *c;
	size_t i;

	web_check_forget(cs->s->check);
	for (i = 0; i < WEB_CHECKER_JOBS; i++) {
		if ((c = cs->checking[i]) == NULL)
			continue;
		if (c->turn.waits_for != NULL)
			web_game_unwait(c->turn.waits_for, &c->turn.wait);
		web_cup_check_end(c, 0);
	}
}

void
web_cup_check_synced(struct web_cup *c)
{
	struct web_cup_turn *t = &c->turn;
	bool has_more;

	if (t->state != WEB_CUP_CHECK_SYNCING)
		return;
	has_more = ++t->times <= WEB_CUP_CHECK_TURNS && c->n != t->read_n &&
	    web_cup_check_lacks(&c->check);
	if (c->is_forked || c->trouble != NULL || c->n == 0 ||
	    web_cup_read_is_short(c) || !web_check_is_up(c->cs->s->check)) {
		web_cup_check_end(c, WEB_CUP_CHECK_REST_MS);
	} else if (t->verdict == NULL) {
		/* Lines that came meanwhile may name lines of games. */
		if (has_more)
			web_cup_check_read(c);
		else
			web_cup_check_run(c);
	} else if (c->n == t->job.lines && web_cup_check_is_same(c)) {
		web_cup_check_take(c, t->verdict);
		web_cup_check_end(
		    c, web_cup_check_rest(clock_mono_ms() - t->began_ms));
	} else {
		json_decref(t->verdict);
		t->verdict = NULL;
		if (t->times <= 2 * WEB_CUP_CHECK_TURNS)
			web_cup_check_read(c);
		else
			web_cup_check_end(c, WEB_CUP_CHECK_REST_MS);
	}
}
