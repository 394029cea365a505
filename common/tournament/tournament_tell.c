/* SPDX-License-Identifier: ISC */
#include "common/tournament/tournament_tell.h"

#include <stdlib.h>
#include <string.h>

#include "common/tournament/tournament_int.h"

#define TOURNAMENT_TELL_DAY_MS (24 * 3600 * INT64_C(1000))

/* Who is given what is told. */
struct tournament_telling {
	const struct tournament *t;
	int (*each)(void *arg, const struct tournament_tell *tell);
	void *arg;
	int r; /* not 0: nothing more is told */
};

const char *
tournament_tell_account(
    const struct tournament *t, const struct tournament_tell *tell)
{
	return (t->accounts[tell->account].name);
}

int
tournament_tell_index(const struct tournament *t, const char *account)
{
	const struct tournament_account *a =
	    tournament_account_find(t, account);

	return (a == NULL ? -1 : tournament_account_index(t, a));
}

/* Tells one thing to an account. */
static void
tournament_tell_put(
    struct tournament_telling *w, struct tournament_tell tell, int account)
{
	/* A name of another server may be somebody else's here. */
	if (w->r != 0 || (account >= 0 && w->t->accounts[account].is_former))
		return;
	tell.account = account;
	w->r = w->each(w->arg, &tell);
}

/* Tells the entrant of a number. */
static void
tournament_tell_entrant(
    struct tournament_telling *w, struct tournament_tell tell, int number)
{
	const struct tournament_entrant *x = tournament_entrant(w->t, number);

	if (x != NULL)
		tournament_tell_put(w, tell, x->account);
}

/* Tells the directors, but not those whom numbers name. */
static void
tournament_tell_directors(struct tournament_telling *w,
    struct tournament_tell tell, const int *except, size_t n)
{
	const struct tournament *t = w->t;
	size_t i, k;

	for (i = 0; i < t->n_accounts; i++) {
		if (!t->accounts[i].is_director)
			continue;
		for (k = 0; k < n; k++) {
			if (t->accounts[i].number == except[k])
				break;
		}
		if (k == n)
			tournament_tell_put(w, tell, (int)i);
	}
}

/* Tells one thing again a day before its end, if it is longer than that. */
static void
tournament_tell_before(struct tournament_telling *w,
    struct tournament_tell tell, enum told what, int64_t from_ms, int number)
{
	tell.what = what;
	tell.due_ms = tell.until_ms - TOURNAMENT_TELL_DAY_MS;
	if (tell.due_ms > from_ms)
		tournament_tell_entrant(w, tell, number);
}

/* Whom a director has not said anything about. */
static void
tournament_tell_admit(struct tournament_telling *w)
{
	const struct tournament *t = w->t;
	const struct tournament_entrant *x;
	struct tournament_tell tell = {
	    .what = TOLD_ADMIT, .due_ms = -1, .until_ms = -1};
	size_t i;

	for (i = 0; i < t->n_entrants; i++) {
		x = &t->entrants[i];
		tell.number = (int)i + 1;
		tell.since = x->entered_seq;
		if (tournament_waits_admit(t, x))
			tournament_tell_directors(w, tell, &tell.number, 1);
	}
}

/* Before `start`. */
static void
tournament_tell_lots(struct tournament_telling *w)
{
	const struct tournament *t = w->t;
	struct tournament_tell tell = {.due_ms = -1, .until_ms = -1};
	const struct tournament_entrant *x;
	size_t i;

	if (t->phase == TOURNAMENT_ENTRIES) {
		tell.what = TOLD_SHUT;
		tell.due_ms = t->terms.until_ms;
		tournament_tell_directors(w, tell, NULL, 0);
		return;
	}
	tell.since = t->shut_seq;
	for (i = 0; i < t->n_entrants; i++) {
		x = &t->entrants[i];
		if (x->is_late || !tournament_is_admitted(t, x) ||
		    x->has_checked_in)
			continue;
		tell.what = TOLD_CHECKIN;
		tell.due_ms = -1;
		tell.until_ms = t->shut_ms + 1000 * t->terms.checkin_s;
		tournament_tell_entrant(w, tell, (int)i + 1);
		tournament_tell_before(
		    w, tell, TOLD_CHECKIN_ENDS, t->shut_ms, (int)i + 1);
	}
	tell.what = TOLD_START;
	tell.due_ms = tournament_start_ms(t);
	tell.until_ms = -1;
	if (t->terms.has_witness) {
		tournament_tell_put(
		    w, tell, tournament_tell_index(t, t->witness_account));
		tell.due_ms += INT64_C(1000) * TOURNAMENT_ALONE_S;
	}
	tournament_tell_directors(w, tell, NULL, 0);
}

/* A leg without a result: those of its table. */
static void
tournament_tell_leg(struct tournament_telling *w,
    const struct tournament_round *rd, const struct tournament_table *table,
    const struct tournament_place *place)
{
	const struct tournament *t = w->t;
	const struct tournament_leg *leg = &table->legs[place->leg - 1];
	struct tournament_tell tell = {
	    .place = *place, .due_ms = -1, .until_ms = -1};
	const int both[2] = {table->a, table->b};
	int i;

	if (leg->result == TOURNAMENT_AWAITED) {
		tell.what = TOLD_RULE;
		tell.since = leg->result_seq;
		tell.until_ms = tournament_due_ms(t, leg, TOURNAMENT_UNRULED);
		tournament_tell_directors(w, tell, both, 2);
	}
	for (i = 0; i < 2; i++) {
		if (leg->notice.seq >= 0) {
			tell.what = TOLD_CLAIM;
			tell.is_once = true;
			tell.since = leg->notice.seq;
			tell.until_ms =
			    leg->notice.at_ms + 1000 * t->terms.notice_s;
			tournament_tell_entrant(w, tell, both[i]);
		}
		if (leg->result == TOURNAMENT_AWAITED)
			continue;
		tell.until_ms = tournament_due_ms(t, leg, TOURNAMENT_ABSENT);
		if (leg->has_game) {
			tell.what = TOLD_OPPONENT;
			tell.is_once = true;
			tell.since = leg->game_seq;
			tournament_tell_entrant(w, tell, both[i]);
		}
		tell.is_once = false;
		tell.what = TOLD_TABLE;
		tell.since = rd->seq;
		tournament_tell_entrant(w, tell, both[i]);
		tournament_tell_before(
		    w, tell, TOLD_START_ENDS, leg->since_ms, both[i]);
		tell.until_ms = tournament_due_ms(t, leg, TOURNAMENT_LATE);
		tournament_tell_before(
		    w, tell, TOLD_ROUND_ENDS, leg->since_ms, both[i]);
	}
}

/* Who lives with a result that a claim has brought, or an opponent's end. */
static void
tournament_tell_result(struct tournament_telling *w,
    const struct tournament_table *table, const struct tournament_place *place)
{
	const struct tournament_leg *leg = &table->legs[place->leg - 1];
	struct tournament_tell tell = {.what = TOLD_RESULT,
	    .place = *place,
	    .since = leg->result_seq,
	    .due_ms = -1,
	    .until_ms = -1,
	    .is_once = true};
	const bool is_out =
	    leg->given_by != NULL && strcmp(leg->given_by, "out") == 0;
	int side;

	if (leg->given_by == NULL || leg->result == TOURNAMENT_NONE)
		return;
	for (side = 1; side <= 2; side++) {
		/* Who is out has been told of that, or wanted it. */
		if (is_out &&
		    leg->result !=
			(side == 1 ? TOURNAMENT_PLUS : TOURNAMENT_MINUS))
			continue;
		tournament_tell_entrant(
		    w, tell, tournament_side(table, place->leg, side));
	}
}

/* A round: its tables, and who has none. */
static void
tournament_tell_round(struct tournament_telling *w, int round)
{
	const struct tournament_round *rd = tournament_round(w->t, round);
	struct tournament_tell tell = {.what = TOLD_BYE,
	    .place.round = round,
	    .since = rd->seq,
	    .due_ms = -1,
	    .until_ms = -1,
	    .is_once = true};
	struct tournament_place place = {.round = round};
	size_t i;

	for (i = 0; i < rd->n_tables; i++) {
		place.table = (int)i + 1;
		for (place.leg = 1; place.leg <= rd->tables[i].n_legs;
		     place.leg++) {
			tournament_tell_result(w, &rd->tables[i], &place);
			if (!tournament_is_result(
				rd->tables[i].legs[place.leg - 1].result))
				tournament_tell_leg(
				    w, rd, &rd->tables[i], &place);
		}
	}
	for (i = 0; i < rd->n_byes; i++)
		tournament_tell_entrant(w, tell, rd->byes[i]);
	/* Elsewhere who is absent has asked for that, or is out. */
	for (i = 0; w->t->terms.format == TERMS_ROUNDROBIN && i < rd->n_absent;
	     i++)
		tournament_tell_entrant(w, tell, rd->absent[i]);
}

/* Protests that nobody has answered. */
static void
tournament_tell_protest(
    struct tournament_telling *w, const struct tournament_protest *p)
{
	const struct tournament_table *table =
	    tournament_table(w->t, p->round, p->table);
	struct tournament_tell tell = {.what = TOLD_ANSWER,
	    .place = {p->round, p->table, 0},
	    .since = p->seq,
	    .due_ms = -1,
	    .until_ms = -1,
	    .number = p->number};
	int about[3] = {p->number, 0, 0};

	if (table != NULL) {
		about[1] = table->a;
		about[2] = table->b;
	}
	tournament_tell_directors(w, tell, about, table == NULL ? 1 : 3);
	tell.what = TOLD_PROTEST;
	tell.is_once = true;
	if (table != NULL && table->a != p->number)
		tournament_tell_entrant(w, tell, table->a);
	if (table != NULL && table->b != p->number)
		tournament_tell_entrant(w, tell, table->b);
}

/* Who is out for not having been at their tables. */
static void
tournament_tell_out(struct tournament_telling *w)
{
	const struct tournament *t = w->t;
	struct tournament_tell tell = {
	    .what = TOLD_OUT, .due_ms = -1, .until_ms = -1, .is_once = true};
	const struct tournament_entrant *x;
	size_t i;

	for (i = 0; i < t->n_entrants; i++) {
		x = &t->entrants[i];
		if (x->out_seq == 0 || x->n_turns == 0 ||
		    x->turns[x->n_turns - 1].is_in)
			continue;
		tell.since = x->out_seq;
		tell.place.round = x->turns[x->n_turns - 1].from;
		tournament_tell_entrant(w, tell, (int)i + 1);
	}
}

/* When a table's round is over; -1: it has its result. */
static int64_t
tournament_tell_end(
    const struct tournament *t, const struct tournament_table *table)
{
	int leg;

	for (leg = 0; leg < table->n_legs; leg++) {
		if (!tournament_is_result(table->legs[leg].result))
			return (tournament_due_ms(
			    t, &table->legs[leg], TOURNAMENT_LATE));
	}
	return (-1);
}

/* Whom a ruling names: an entrant, those of its tables, whose protest it was.
 */
static void
tournament_tell_ruling(
    struct tournament_telling *w, const struct tournament_ruling *u)
{
	const struct tournament_round *rd = tournament_round(w->t, u->round);
	struct tournament_tell tell = {.what = TOLD_RULING,
	    .place = {u->round, u->table, u->leg},
	    .since = u->seq,
	    .due_ms = -1,
	    .until_ms = -1,
	    .is_once = true};
	const struct tournament_apart *apart;
	size_t i;

	/* The new pairing is told as every pairing is. */
	if (u->form == TOURNAMENT_PAIRS)
		return;
	if (u->about > 0)
		tournament_tell_entrant(w, tell, u->about);
	if (u->form == TOURNAMENT_KEEP_APART) {
		apart = &w->t->aparts[w->t->n_aparts - 1];
		for (i = 0; i < apart->n; i++)
			tournament_tell_entrant(w, tell, apart->numbers[i]);
	}
	for (i = 0; rd != NULL && i < rd->n_tables; i++) {
		if (u->form == TOURNAMENT_ANSWER ||
		    (u->table > 0 && u->table != (int)i + 1))
			continue;
		/* There is more time: until when. */
		tell.until_ms =
		    u->form == TOURNAMENT_EXTEND || u->form == TOURNAMENT_REPLAY
		    ? tournament_tell_end(w->t, &rd->tables[i])
		    : -1;
		/* Who is done needs none. */
		if (u->form == TOURNAMENT_EXTEND && tell.until_ms < 0)
			continue;
		tournament_tell_entrant(w, tell, rd->tables[i].a);
		tournament_tell_entrant(w, tell, rd->tables[i].b);
	}
}

/* While it is played. */
static void
tournament_tell_play(struct tournament_telling *w)
{
	const struct tournament *t = w->t;
	struct tournament_tell tell = {.until_ms = -1};
	size_t i;

	for (i = 1; i <= t->n_rounds; i++) {
		if (!t->rounds[i - 1].is_former)
			tournament_tell_round(w, (int)i);
	}
	tournament_tell_out(w);
	for (i = 0; i < t->n_protests; i++) {
		if (t->protests[i].answered_seq < 0)
			tournament_tell_protest(w, &t->protests[i]);
	}
	if (t->n_rulings > 0 && t->rulings[t->n_rulings - 1].seq == t->seq)
		tournament_tell_ruling(w, &t->rulings[t->n_rulings - 1]);
	tell.due_ms = tournament_pair_ms(t);
	if (tell.due_ms >= 0) {
		tell.what = TOLD_PAIR;
		tell.place.round = tournament_next(t);
		tournament_tell_directors(w, tell, NULL, 0);
		return;
	}
	tell.due_ms = tournament_finish_ms(t);
	tell.what = TOLD_FINISH;
	if (tell.due_ms >= 0)
		tournament_tell_directors(w, tell, NULL, 0);
}

/* Once it is over: directors, and all who were ever in. */
static void
tournament_tell_over(struct tournament_telling *w)
{
	const struct tournament *t = w->t;
	struct tournament_tell tell = {.what = TOLD_OVER,
	    .since = t->over_seq,
	    .due_ms = -1,
	    .until_ms = -1,
	    .is_once = true};
	const struct tournament_account *a;
	const struct tournament_entrant *x;
	size_t i;

	for (i = 0; i < t->n_accounts; i++) {
		a = &t->accounts[i];
		x = tournament_entrant(t, a->number);
		if (a->is_director ||
		    (x != NULL &&
			(x->since > 0 ||
			    (t->n_lots == 0 && tournament_is_admitted(t, x)))))
			tournament_tell_put(w, tell, (int)i);
	}
}

int
tournament_tell_each(const struct tournament *t,
    int (*each)(void *arg, const struct tournament_tell *tell), void *arg)
{
	struct tournament_telling w = {.t = t, .each = each, .arg = arg};

	if (t->is_closed || t->is_halted)
		return (0);
	if (t->phase == TOURNAMENT_OVER) {
		tournament_tell_over(&w);
		return (w.r);
	}
	tournament_tell_admit(&w);
	if (t->phase == TOURNAMENT_PLAY)
		tournament_tell_play(&w);
	else
		tournament_tell_lots(&w);
	return (w.r);
}
