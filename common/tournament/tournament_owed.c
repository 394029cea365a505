/* SPDX-License-Identifier: ISC */
/*
 * What a tournament waits for from an account.  What anybody may do is told to
 * everybody who is here, but claims only to directors and the two of the table.
 */
#include <string.h>

#include "common/base/buf.h"
#include "common/json/js_put.h"
#include "common/tournament/tournament_int.h"

/* Who asks, and where the answer goes. */
struct tournament_owed {
	struct tournament *t;
	const struct tournament_account *a;
	const struct tournament_games *games; /* NULL: none is looked at */
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
		if (tournament_waits_admit(t, x))
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
	if (tournament_passed(t, tournament_start_ms(t), 0) &&
	    (!t->terms.has_witness || tournament_is_witness(t, w->a->name) ||
		tournament_passed(
		    t, tournament_start_ms(t), TOURNAMENT_ALONE_S)))
		tournament_owed_put(w, "start", NULL, 0);
}

/* What a leg's game tells, and whether that is known. */
static int
tournament_owed_look(const struct tournament_owed *w,
    const struct tournament_leg *leg, struct tournament_look *look, bool *knows)
{
	struct errinfo why = {.text = ""};
	int r = 0;

	memset(look, 0, sizeof(*look));
	look->waits[1] = look->waits[2] = true;
	*knows = !leg->has_game;
	if (*knows || w->games == NULL)
		return (0);
	r = w->games->look(w->games->arg, leg->game, -1, look, &why);
	*knows = r == 0;
	return (r == ERR_MISSING || r == ERR_NEWER || r == ERR_BAD ? 0 : r);
}

/* A row about a leg, which the caller ends. */
static void
tournament_owed_open_leg(const struct tournament_owed *w, const char *what,
    const struct tournament_leg *leg, const struct tournament_place *place)
{
	tournament_owed_open(w, what);
	js_put_int(w->out, "round", place->round);
	js_put_int(w->out, "table", place->table);
	js_put_int(w->out, "leg", place->leg);
	if (leg->has_game)
		js_put_hex(w->out, "game", leg->game, HASH_LEN);
	if (leg->notice.seq >= 0) {
		js_put_int(w->out, "notice", leg->notice.seq);
		js_put_at(w->out, "stands", tournament_notice_ms(w->t, leg));
	}
}

/* Our own leg, to which we have not come yet. */
static void
tournament_owed_come(const struct tournament_owed *w,
    const struct tournament_table *table, const struct tournament_leg *leg,
    const struct tournament_place *place)
{
	const struct tournament *t = w->t;
	const int other = w->a->number == table->a ? table->b : table->a;

	tournament_owed_open_leg(w, "play", leg, place);
	js_put_str(w->out, "opponent", tournament_account(t, other));
	if (place->leg > table->n_base)
		js_put_bool(w->out, "play_off", true);
	js_put_at(
	    w->out, "until", tournament_due_ms(t, leg, TOURNAMENT_ABSENT));
	js_put_at(w->out, "ends", tournament_due_ms(t, leg, TOURNAMENT_LATE));
	js_put_close(w->out, '}');
}

/* Whether somebody whom a leg concerns may claim it. */
static void
tournament_owed_claim(const struct tournament_owed *w,
    const struct tournament_leg *leg, const struct tournament_place *place,
    const struct tournament_look *look)
{
	const enum tournament_ground ground =
	    tournament_may_claim(w->t, w->a, place, look);

	if (ground == TOURNAMENT_GROUNDS)
		return;
	tournament_owed_open_leg(w, "claim", leg, place);
	js_put_str(w->out, "ground", tournament_grounds[ground]);
	js_put_close(w->out, '}');
}

/* A leg that has no result. */
static int
tournament_owed_leg(const struct tournament_owed *w,
    const struct tournament_table *table, const struct tournament_place *place)
{
	const struct tournament_leg *leg = &table->legs[place->leg - 1];
	const bool is_awaited = leg->result == TOURNAMENT_AWAITED;
	const int number = w->a->number;
	const bool is_mine =
	    number > 0 && (number == table->a || number == table->b);
	const bool directs = w->a->is_director;
	struct tournament_look look;
	bool knows;
	int r, side;

	if (tournament_is_result(leg->result) || (!directs && !is_mine))
		return (0);
	if ((r = tournament_owed_look(w, leg, &look, &knows)) != 0)
		return (r);
	side = tournament_side(table, place->leg, 1) == number ? 1 : 2;
	if (is_awaited && directs) {
		tournament_owed_open_leg(w, "rule", leg, place);
		js_put_close(w->out, '}');
	} else if (!is_awaited && is_mine && !look.has_come[side]) {
		tournament_owed_come(w, table, leg, place);
	}
	/* With that option no director enters. */
	if (!is_awaited && directs && knows && look.lacks_director &&
	    (*look.director == '\0' ||
		strcmp(look.director, w->a->name) == 0)) {
		tournament_owed_open_leg(w, "umpire", leg, place);
		js_put_close(w->out, '}');
	}
	if (knows)
		tournament_owed_claim(w, leg, place, &look);
	return (0);
}

/* All legs that have none. */
static int
tournament_owed_legs(const struct tournament_owed *w)
{
	const struct tournament *t = w->t;
	const struct tournament_table *table;
	struct tournament_place place;
	size_t i, k;
	int leg, r = 0;

	for (i = 0; i < t->n_rounds; i++) {
		for (k = 0; k < t->rounds[i].n_tables; k++) {
			table = &t->rounds[i].tables[k];
			place.round = (int)i + 1;
			place.table = (int)k + 1;
			for (leg = 1; r == 0 && leg <= table->n_legs; leg++) {
				place.leg = leg;
				r = tournament_owed_leg(w, table, &place);
			}
		}
	}
	return (r);
}

/* While it is played. */
static int
tournament_owed_play(const struct tournament_owed *w)
{
	struct tournament *t = w->t;
	struct errinfo why = {.text = ""};
	const struct tournament_line l = {.e = &why};
	const int64_t finish_ms = tournament_finish_ms(t);
	int64_t since;
	size_t i;
	int r;

	if ((r = tournament_owed_legs(w)) != 0)
		return (r);
	for (i = 0; w->a->is_director && i < t->n_protests; i++) {
		if (t->protests[i].answered_seq < 0)
			tournament_owed_put(
			    w, "answer", "line", t->protests[i].seq);
	}
	if (tournament_may_pair(t, &l, &since) == 0 &&
	    (!t->terms.pairs_director || w->a->is_director ||
		tournament_passed(t, since, t->terms.ruling_s)))
		tournament_owed_put(w, "pair", "round", tournament_next(t));
	else if (finish_ms >= 0 && tournament_passed(t, finish_ms, 0))
		tournament_owed_put(w, "finish", NULL, 0);
	return (0);
}

int
tournament_owed_write(struct tournament *t, const char *account, int64_t now_ms,
    const struct tournament_games *games, struct buf *out)
{
	const struct tournament_owed w = {
	    t, tournament_account_find(t, account), games, out};
	int r = 0;

	js_put_open(out, NULL, '[');
	if (w.a != NULL && !t->is_closed && !t->is_halted) {
		t->at_ms = t->now_ms = now_ms;
		if (t->phase != TOURNAMENT_OVER)
			tournament_owed_admit(&w);
		if (t->phase == TOURNAMENT_PLAY)
			r = tournament_owed_play(&w);
		else if (t->phase != TOURNAMENT_OVER)
			tournament_owed_before(&w);
	}
	js_put_close(out, ']');
	return (r != 0 ? r : buf_error(out));
}
