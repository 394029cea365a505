/* SPDX-License-Identifier: ISC */
/*
 * How a tournament's rounds were paired, and its results, are checked behind
 * its pages: first its games are read, one after the other, as if somebody
 * looked at each; then the tournament is read once more, so that it is not
 * behind its games; then another process verifies all that (web_check).  One
 * tournament has its turn at a time, and none that nobody looks at.
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
#define WEB_CUP_CHECK_REST 3 /* and so many times what that took */
#define WEB_CUP_CHECK_AGAIN_MS 600000 /* where games were not to be had */
#define WEB_CUP_CHECK_TURNS 3 /* while lines come in the meantime */

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
	const enum web_cup_check_state state = c->check.state;

	web_cup_check_clear(c);
	web_cup_named_init(&c->check.named);
	c->check.state = state;
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

	if (k->state != WEB_CUP_CHECK_IDLE || c->is_forked ||
	    !web_check_is_up(c->cs->s->check) || now_ms < k->after_ms ||
	    !web_link_is_up(c->cs->s->link))
		return;
	if (k->is_done && k->lines == c->n &&
	    (k->has == k->games ||
		now_ms - k->done_ms < WEB_CUP_CHECK_AGAIN_MS))
		return;
	k->state = WEB_CUP_CHECK_WANTED;
}

/* Ends its turn. */
static void
web_cup_check_end(struct web_cup *c, int64_t rest_ms)
{
	c->check.state = WEB_CUP_CHECK_IDLE;
	c->check.after_ms = clock_mono_ms() + rest_ms;
	json_decref(c->cs->verdict);
	c->cs->verdict = NULL;
	c->cs->checking = NULL;
}

/* ---- reading the games ---- */

/* A game was looked at, as far as it is here. */
static void
web_cup_check_have(struct web_cups *cs, struct web_game *g)
{
	struct web_cup_check *k = &cs->checking->check;

	/* Games that people look at stay warm. */
	if (g != NULL && !cs->was_here)
		web_games_yield(cs->s->games, g);
	if (k->at < k->named.n)
		k->named.games[k->at++].have =
		    g == NULL || g->is_gone ? 0 : g->c->n;
}

/* web_wait.ready: the game is there, or time is over. */
static void
web_cup_check_ready_cb(void *arg, struct web_game *g)
{
	struct web_cups *cs = arg;

	cs->waits_for = NULL;
	if (cs->checking == NULL)
		return;
	web_cup_check_have(cs, g);
	web_cup_check_later(cs, WEB_CUP_CHECK_PAUSE_MS);
}

/* All of them are here: the tournament must not be behind them. */
static void
web_cup_check_sync(struct web_cup *c)
{
	c->check.state = WEB_CUP_CHECK_SYNCING;
	c->synced_ms = 0;
	web_cup_read_ask(c);
	/* Without an answer there is nothing to hold it against. */
	if (!c->is_asking && !c->is_due && c->omitted == 0)
		web_cup_check_end(c, WEB_CUP_CHECK_REST_MS);
}

void
web_cup_check_step(struct web_cups *cs)
{
	struct web_cup *c = cs->checking;
	struct web_cup_check *k;
	struct web_game *g;

	if (c == NULL || cs->waits_for != NULL ||
	    c->check.state != WEB_CUP_CHECK_READING)
		return;
	k = &c->check;
	/* What its last line but one tells stays so. */
	while (k->at < k->named.n && k->named.games[k->at].need >= 0 &&
	    k->named.games[k->at].have > k->named.games[k->at].need)
		k->at++;
	if (k->at >= k->named.n) {
		web_cup_check_sync(c);
		return;
	}
	cs->was_here = web_games_has(cs->s->games, k->named.games[k->at].hex);
	g = web_games_get(cs->s->games, k->named.games[k->at].hex);
	if (g == NULL || web_game_is_whole(g)) {
		web_cup_check_have(cs, g);
		web_cup_check_later(cs, 0);
		return;
	}
	cs->waits_for = g;
	cs->wait.ready = web_cup_check_ready_cb;
	cs->wait.arg = cs;
	cs->wait.until_ms = clock_mono_ms() + WEB_CUP_CHECK_GAME_MS;
	web_game_wait(g, &cs->wait);
}

/* Begins with the games, from the first on. */
static void
web_cup_check_read(struct web_cup *c)
{
	c->check.state = WEB_CUP_CHECK_READING;
	c->check.at = 0;
	c->cs->read_n = c->n;
	web_cup_check_later(c->cs, 0);
}

void
web_cup_check_tick(struct web_cups *cs)
{
	struct web_cup *c;

	if (cs->checking != NULL || !web_check_is_free(cs->s->check))
		return;
	TAILQ_FOREACH(c, &cs->used, used)
	{
		if (c->check.state == WEB_CUP_CHECK_WANTED)
			break;
	}
	if (c == NULL)
		return;
	cs->checking = c;
	cs->turns = 0;
	web_cup_check_read(c);
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
		const bool is_there = at_hand[i] == '1';

		k->games++;
		k->has += is_there;
		k->named.games[i].told =
		    is_there ? PAGE_CUP_GAME_GOOD : PAGE_CUP_GAME_AWAY;
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
	const struct web_cups *cs = c->cs;

	return (c->n >= cs->job.lines &&
	    memcmp(verify_tournament_hash(c->v, cs->job.lines - 1),
		cs->job_head, HASH_LEN) == 0);
}

/* web_check_done: a bad one counts once it is known that nothing is missing. */
static void
web_cup_check_done_cb(void *arg, const json_t *verdict)
{
	struct web_cups *cs = arg;
	struct web_cup *c = cs->checking;
	int64_t took_ms;

	if (c == NULL)
		return;
	took_ms = clock_mono_ms() - cs->job_ms;
	if (took_ms > cs->counts.slowest_check_ms)
		cs->counts.slowest_check_ms = took_ms;
	if (verdict == NULL || js_str(verdict, "verdict") == NULL ||
	    js_str(verdict, "where") == NULL ||
	    js_str(verdict, "why") == NULL ||
	    js_str(verdict, "at_hand") == NULL || !web_cup_check_is_same(c)) {
		web_cup_check_end(c,
		    WEB_CUP_CHECK_AGAIN_MS / 10 + WEB_CUP_CHECK_REST * took_ms);
		return;
	}
	if (strcmp(js_str(verdict, "verdict"), "bad") == 0) {
		cs->verdict = xalloc_copy(verdict);
		web_cup_check_sync(c);
		return;
	}
	web_cup_check_take(c, verdict);
	web_cup_check_end(
	    c, WEB_CUP_CHECK_REST_MS + WEB_CUP_CHECK_REST * took_ms);
}

/* Has it verified as it is now. */
static void
web_cup_check_run(struct web_cup *c)
{
	struct web_cups *cs = c->cs;

	memcpy(cs->job.id, c->id, HASH_LEN);
	memcpy(cs->job.server, cs->profile.pin, SIGN_KEY_LEN);
	cs->job.lines = c->n;
	cs->job_ms = clock_mono_ms();
	memcpy(cs->job_head, verify_tournament_hash(c->v, c->n - 1), HASH_LEN);
	c->check.state = WEB_CUP_CHECK_RUNNING;
	web_check_begin(cs->s->check, &cs->job, web_cup_check_done_cb, cs);
}

void
web_cup_check_stop(struct web_cups *cs)
{
	if (cs->waits_for != NULL)
		web_game_unwait(cs->waits_for, &cs->wait);
	cs->waits_for = NULL;
	if (cs->checking != NULL)
		web_check_forget(cs->s->check);
	cs->checking = NULL;
	json_decref(cs->verdict);
	cs->verdict = NULL;
}

void
web_cup_check_synced(struct web_cup *c)
{
	struct web_cups *cs = c->cs;
	bool has_more;

	if (c->check.state != WEB_CUP_CHECK_SYNCING)
		return;
	has_more = ++cs->turns <= WEB_CUP_CHECK_TURNS && c->n != cs->read_n &&
	    web_cup_check_lacks(&c->check);
	if (c->is_forked || c->trouble != NULL || c->n == 0 ||
	    web_cup_read_is_short(c) || !web_check_is_free(cs->s->check)) {
		web_cup_check_end(c, WEB_CUP_CHECK_REST_MS);
	} else if (cs->verdict == NULL) {
		/* Lines that came meanwhile may name lines of games. */
		if (has_more)
			web_cup_check_read(c);
		else
			web_cup_check_run(c);
	} else if (c->n == cs->job.lines && web_cup_check_is_same(c)) {
		web_cup_check_take(c, cs->verdict);
		web_cup_check_end(c,
		    WEB_CUP_CHECK_REST_MS +
			WEB_CUP_CHECK_REST * (clock_mono_ms() - cs->job_ms));
	} else {
		json_decref(cs->verdict);
		cs->verdict = NULL;
		if (cs->turns <= 2 * WEB_CUP_CHECK_TURNS)
			web_cup_check_read(c);
		else
			web_cup_check_end(c, WEB_CUP_CHECK_REST_MS);
	}
}
