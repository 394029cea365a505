/* SPDX-License-Identifier: ISC */
/*
 * What a tournament waits for from an account, as far as it can be told without
 * looking at games.  What anybody may do is told to everybody who is here.
 */
#include <string.h>

#include "common/base/buf.h"
#include "common/json/js_put.h"
#include "common/tournament/tournament_int.h"

/* Who asks, and where the answer goes. */
struct tournament_owed {
	struct tournament *t;
	const struct tournament_account *a;
	struct buf *out;
};

/* Begins a row, which the caller ends. */
static void
tournament_owed_open(const struct tournament_owed *w, const char *what)
{
	js_put_open(w->out, NULL, '{');
	js_put_str(w->out, "what", what);
}

/* A row with at most one number in it. */
static void
tournament_owed_put(const struct tournament_owed *w, const char *what,
    const char *name, int64_t n)
{
	tournament_owed_open(w, what);
	if (name != NULL)
		js_put_int(w->out, name, n);
	js_put_close(w->out, '}');
}

/* Whom a director has not said anything about. */
static void
tournament_owed_admit(const struct tournament_owed *w)
{
	const struct tournament *t = w->t;
	const struct tournament_entrant *x;
	size_t i;

	for (i = 0; w->a->is_director && i < t->n_entrants; i++) {
		x = &t->entrants[i];
		if (!x->is_said && !x->is_withdrawn &&
		    (x->is_late ||
			(t->phase == TOURNAMENT_ENTRIES &&
			    (t->terms.admits || t->terms.is_rated))))
			tournament_owed_put(
			    w, "admit", "entrant", (int64_t)i + 1);
	}
}

/* Before play. */
static void
tournament_owed_before(const struct tournament_owed *w)
{
	const struct tournament *t = w->t;
	const struct tournament_entrant *x =
	    tournament_entrant(t, w->a->number);

	if (t->phase == TOURNAMENT_ENTRIES) {
		if (tournament_passed(t, t->terms.until_ms, 0))
			tournament_owed_put(w, "shut", NULL, 0);
		return;
	}
	if (x != NULL && !x->is_late && tournament_is_admitted(t, x) &&
	    !x->has_checked_in) {
		tournament_owed_open(w, "checkin");
		js_put_at(
		    w->out, "until", t->shut_ms + 1000 * t->terms.checkin_s);
		js_put_close(w->out, '}');
	}
	if (t->complete_ms >= 0 ||
	    tournament_passed(t, t->shut_ms, t->terms.checkin_s))
		tournament_owed_put(w, "start", NULL, 0);
}

/* A leg that has no result. */
static void
tournament_owed_leg(const struct tournament_owed *w,
    const struct tournament_table *table, const struct tournament_place *place)
{
	const struct tournament_leg *leg = &table->legs[place->leg - 1];
	const bool is_awaited = leg->result == TOURNAMENT_AWAITED;
	const bool is_mine =
	    w->a->number == table->a || w->a->number == table->b;

	if (tournament_is_result(leg->result) ||
	    !(is_awaited ? w->a->is_director : w->a->number > 0 && is_mine))
		return;
	tournament_owed_open(w, is_awaited ? "rule" : "play");
	js_put_int(w->out, "round", place->round);
	js_put_int(w->out, "table", place->table);
	js_put_int(w->out, "leg", place->leg);
	if (leg->has_game)
		js_put_hex(w->out, "game", leg->game, HASH_LEN);
	if (leg->notice.seq >= 0)
		js_put_int(w->out, "notice", leg->notice.seq);
	js_put_close(w->out, '}');
}

/* All legs that have none. */
static void
tournament_owed_legs(const struct tournament_owed *w)
{
	const struct tournament *t = w->t;
	const struct tournament_table *table;
	struct tournament_place place;
	size_t i, k;
	int leg;

	for (i = 0; i < t->n_rounds; i++) {
		for (k = 0; k < t->rounds[i].n_tables; k++) {
			table = &t->rounds[i].tables[k];
			place.round = (int)i + 1;
			place.table = (int)k + 1;
			for (leg = 1; leg <= table->n_legs; leg++) {
				place.leg = leg;
				tournament_owed_leg(w, table, &place);
			}
		}
	}
}

/* Whether the end may be told. */
static bool
tournament_owed_is_over(const struct tournament *t)
{
	int round;

	for (round = 1; round <= (int)t->n_rounds; round++) {
		if (!tournament_is_complete(t, round))
			return (false);
	}
	return (tournament_next(t) > tournament_rounds(t) &&
	    !tournament_protest_holds(t) &&
	    tournament_passed(t,
		t->ruling_ms > t->result_ms ? t->ruling_ms : t->result_ms,
		t->terms.review_s));
}

/* While it is played. */
static void
tournament_owed_play(const struct tournament_owed *w)
{
	struct tournament *t = w->t;
	struct errinfo why = {.text = ""};
	const struct tournament_line l = {.e = &why};
	int64_t since;
	size_t i;

	tournament_owed_legs(w);
	for (i = 0; w->a->is_director && i < t->n_protests; i++) {
		if (t->protests[i].answered_seq < 0)
			tournament_owed_put(
			    w, "answer", "line", t->protests[i].seq);
	}
	if (tournament_may_pair(t, &l, &since) == 0 &&
	    (!t->terms.pairs_director || w->a->is_director ||
		tournament_passed(t, since, t->terms.ruling_s)))
		tournament_owed_put(w, "pair", "round", tournament_next(t));
	else if (tournament_owed_is_over(t))
		tournament_owed_put(w, "finish", NULL, 0);
}

int
tournament_owed_write(
    struct tournament *t, const char *account, int64_t now_ms, struct buf *out)
{
	const struct tournament_owed w = {
	    t, tournament_account_find(t, account), out};

	js_put_open(out, NULL, '[');
	if (w.a != NULL && !t->is_closed && !t->is_halted) {
		t->at_ms = t->now_ms = now_ms;
		if (t->phase != TOURNAMENT_OVER)
			tournament_owed_admit(&w);
		if (t->phase == TOURNAMENT_PLAY)
			tournament_owed_play(&w);
		else if (t->phase != TOURNAMENT_OVER)
			tournament_owed_before(&w);
	}
	js_put_close(out, ']');
	return (buf_error(out));
}
