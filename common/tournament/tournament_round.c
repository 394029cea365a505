/* SPDX-License-Identifier: ISC */
/*
 * Rounds (record S18.1): when the next may be paired, what its line says, and
 * when the tournament is over (S20.4).
 */
#include <stdlib.h>
#include <string.h>

#include "common/json/js.h"
#include "common/tournament/tournament_int.h"

struct tournament_round *
tournament_round(const struct tournament *t, int64_t round)
{
	return (round >= 1 && round <= (int64_t)t->n_rounds
		? &t->rounds[round - 1]
		: NULL);
}

struct tournament_table *
tournament_table(const struct tournament *t, int64_t round, int64_t table)
{
	const struct tournament_round *rd = tournament_round(t, round);

	return (rd != NULL && table >= 1 && table <= (int64_t)rd->n_tables
		? &rd->tables[table - 1]
		: NULL);
}

const struct tournament_table *
tournament_table_of(
    const struct tournament_round *rd, int number, bool *has_bye)
{
	size_t i;

	*has_bye = false;
	for (i = 0; i < rd->n_tables; i++) {
		if (rd->tables[i].a == number || rd->tables[i].b == number)
			return (&rd->tables[i]);
	}
	for (i = 0; i < rd->n_byes; i++)
		*has_bye |= rd->byes[i] == number;
	return (NULL);
}

bool
tournament_is_knockout(const struct tournament *t, int round)
{
	return (terms_has_knockout(&t->terms) && round > t->rounds_swiss);
}

bool
tournament_is_complete(const struct tournament *t, int round)
{
	const struct tournament_round *rd = tournament_round(t, round);
	size_t i;
	int leg;

	for (i = 0; i < rd->n_tables; i++) {
		for (leg = 0; leg < rd->tables[i].n_legs; leg++) {
			if (!tournament_is_result(
				rd->tables[i].legs[leg].result))
				return (false);
		}
	}
	return (true);
}

/*
 * Until when protests about a round held, or hold, things up: their answers, or
 * the end of their time; -1: there are none.
 */
static int64_t
tournament_protest_until(const struct tournament *t, int round, bool *is_open)
{
	int64_t answered = -1, end = -1;
	size_t i;

	*is_open = false;
	for (i = 0; i < t->n_protests; i++) {
		if (t->protests[i].round != round)
			continue;
		if (end < 0)
			end = t->protests[i].at_ms + 1000 * t->terms.protest_s;
		if (t->protests[i].answered_ms > answered)
			answered = t->protests[i].answered_ms;
		*is_open |= t->protests[i].answered_seq < 0;
	}
	return (*is_open || answered > end ? end : answered);
}

bool
tournament_protest_holds(const struct tournament *t)
{
	int64_t until;
	bool is_open;
	int round;

	for (round = 1; round <= (int)t->n_rounds; round++) {
		until = tournament_protest_until(t, round, &is_open);
		if (is_open && !tournament_passed(t, until, 0))
			return (true);
	}
	return (false);
}

/* The last instant at which a protest held; -1: there were none. */
static int64_t
tournament_protest_last(const struct tournament *t)
{
	int64_t last = -1, until;
	bool is_open;
	int round;

	for (round = 1; round <= (int)t->n_rounds; round++) {
		until = tournament_protest_until(t, round, &is_open);
		if (until > last)
			last = until;
	}
	return (last);
}

/* How many are in for a round. */
static int
tournament_count_in(const struct tournament *t, int round)
{
	size_t i;
	int n = 0;

	for (i = 0; i < t->n_entrants; i++)
		n += tournament_is_in(&t->entrants[i], round);
	return (n);
}

/* Whether there is anybody to pair: two who are in, or in the draw. */
static bool
tournament_has_two(const struct tournament *t, int round)
{
	if (tournament_is_knockout(t, round) && t->n_seeds > 0)
		return (tournament_bracket_left(t) >= 2);
	return (tournament_count_in(t, round) >= 2);
}

/* Whether the rounds before are over, and the time for the next has come. */
static int
tournament_may_follow(
    const struct tournament *t, const struct tournament_line *l, int64_t *since)
{
	const struct terms *terms = &t->terms;
	const int round = tournament_next(t);
	int64_t at;
	int i;

	for (i = 1; i < round; i++) {
		if (!tournament_is_complete(t, i))
			return (tournament_illegal(l, "order.args.round",
			    "round %d is not complete: each table needs its "
			    "result first",
			    i));
	}
	if (round > 1 && t->result_ms >= 0) {
		at = t->result_ms + 1000 * terms->gap_s;
		if (at > *since)
			*since = at;
		if (!tournament_passed(t, at, 0))
			return (tournament_early(l, "order.kind",
			    "after the last result of a round there is time "
			    "to protest, to ask for a bye and to withdraw",
			    at));
	}
	if ((size_t)round <= terms->n_dates) {
		at = terms->dates[round - 1];
		if (at > *since)
			*since = at;
		if (!tournament_passed(t, at, 0))
			return (tournament_early(l, "order.kind",
			    "the terms give the round a later date", at));
	}
	return (0);
}

int
tournament_may_pair(const struct tournament *t, const struct tournament_line *l,
    int64_t *since_ms)
{
	const int round = tournament_next(t);
	int64_t since = t->start_ms, at;
	int r;

	if (round > tournament_rounds(t))
		return (tournament_illegal(l, "order.args.round",
		    "round %d is the last: after it comes finish",
		    tournament_rounds(t)));
	if (!t->terms.is_concurrent &&
	    (r = tournament_may_follow(t, l, &since)) != 0)
		return (r);
	if (!tournament_has_two(t, round))
		return (tournament_illegal(
		    l, "order.kind", "fewer than two are left: finish it"));
	if (tournament_protest_holds(t))
		return (tournament_illegal(l, "order.kind",
		    "a protest waits for a director's answer"));
	if ((at = tournament_protest_last(t)) > since)
		since = at;
	*since_ms = since;
	return (0);
}

int64_t
tournament_pair_ms(const struct tournament *t)
{
	const int round = tournament_next(t);
	int64_t due = t->start_ms, at;
	int i;

	if (round > tournament_rounds(t) || !tournament_has_two(t, round))
		return (-1);
	for (i = 1; !t->terms.is_concurrent && i < round; i++) {
		if (!tournament_is_complete(t, i))
			return (-1);
	}
	if (!t->terms.is_concurrent) {
		if (round > 1 && t->result_ms >= 0 &&
		    t->result_ms + 1000 * t->terms.gap_s > due)
			due = t->result_ms + 1000 * t->terms.gap_s;
		if ((size_t)round <= t->terms.n_dates &&
		    t->terms.dates[round - 1] > due)
			due = t->terms.dates[round - 1];
	}
	if ((at = tournament_protest_last(t)) > due)
		due = at;
	return (due);
}

int64_t
tournament_finish_ms(const struct tournament *t)
{
	int64_t due = t->start_ms, at;
	int round;

	round = tournament_next(t);
	if (round <= tournament_rounds(t) && tournament_has_two(t, round))
		return (-1);
	for (round = 1; round <= (int)t->n_rounds; round++) {
		if (!tournament_is_complete(t, round))
			return (-1);
	}
	if (t->result_ms > due)
		due = t->result_ms;
	if (t->ruling_ms > due)
		due = t->ruling_ms;
	due += 1000 * t->terms.review_s;
	if ((at = tournament_protest_last(t)) > due)
		due = at;
	return (due);
}

void
tournament_pairing_clear(struct tournament_pairing *p)
{
	free(p->tables);
	free(p->byes);
	free(p->absent);
	memset(p, 0, sizeof(*p));
}

int
tournament_pairing_make(struct tournament_pairing *p, size_t n)
{
	memset(p, 0, sizeof(*p));
	p->is_apart = true;
	p->tables = calloc(n + 1, sizeof(*p->tables));
	p->byes = calloc(n + 1, sizeof(*p->byes));
	p->absent = calloc(n + 1, sizeof(*p->absent));
	if (p->tables != NULL && p->byes != NULL && p->absent != NULL)
		return (0);
	tournament_pairing_clear(p);
	return (ERR_NOMEM);
}

void
tournament_leg_begin(const struct tournament *t, struct tournament_leg *leg)
{
	memset(leg, 0, sizeof(*leg));
	leg->since_ms = t->at_ms;
	leg->result_seq = -1;
	leg->game_seq = -1;
	leg->awaited_ms = -1;
	leg->notice.seq = -1;
}

/* The legs that a table begins with. */
static void
tournament_table_begin(
    const struct tournament *t, struct tournament_table *table)
{
	int leg;

	table->n_legs = table->n_base = t->terms.is_mirror ? 2 : 1;
	for (leg = 0; leg < TOURNAMENT_LEGS_MAX; leg++)
		tournament_leg_begin(t, &table->legs[leg]);
}

json_t *
tournament_pairing_event(
    const struct tournament *t, int round, const struct tournament_pairing *p)
{
	json_t *tables = json_array(), *bye = json_array();
	json_t *absent = json_array();
	size_t i;
	int bad = 0;

	for (i = 0; i < p->n_tables; i++)
		bad |= json_array_append_new(tables,
		    json_pack("[i, i]", p->tables[i].a, p->tables[i].b));
	for (i = 0; i < p->n_byes; i++)
		bad |= json_array_append_new(bye, json_integer(p->byes[i]));
	for (i = 0; i < p->n_absent; i++)
		bad |=
		    json_array_append_new(absent, json_integer(p->absent[i]));
	return (js_made(
	    json_pack("{s:s, s:i, s:i, s:o, s:o, s:o, s:b}", "e", "pairing",
		"round", round, "scenario",
		(int)((size_t)(round - 1) % t->terms.n_scenarios), "tables",
		tables, "bye", bye, "absent", absent, "apart", p->is_apart),
	    bad));
}

int
tournament_round_make(struct tournament *t, const struct tournament_line *l,
    int round, struct tournament_pairing *p, bool is_by_hand)
{
	struct tournament_round *rd, *grown;
	json_t *event;
	size_t i;
	int r;

	if ((event = tournament_pairing_event(t, round, p)) == NULL)
		return (ERR_NOMEM);
	if (round > (int)t->n_rounds) {
		grown =
		    tournament_grow(t->rounds, &t->n_rounds, sizeof(*grown));
		if (grown == NULL) {
			json_decref(event);
			return (ERR_NOMEM);
		}
		t->rounds = grown;
	}
	rd = tournament_round(t, round);
	free(rd->tables);
	free(rd->absent);
	free(rd->byes);
	memset(rd, 0, sizeof(*rd));
	rd->seq = t->seq + 1;
	rd->at_ms = t->at_ms;
	rd->tables = p->tables;
	rd->n_tables = p->n_tables;
	rd->byes = p->byes;
	rd->n_byes = p->n_byes;
	rd->absent = p->absent;
	rd->n_absent = p->n_absent;
	rd->is_apart = p->is_apart;
	rd->is_by_hand = is_by_hand;
	memset(p, 0, sizeof(*p));
	for (i = 0; i < rd->n_tables; i++)
		tournament_table_begin(t, &rd->tables[i]);
	r = tournament_event(l, event);
	return (r != 0 ? r : tournament_result_out(t, l, round));
}

/* True if the round is paired by the Dutch system, which takes long. */
static bool
tournament_is_swiss(const struct tournament *t, int round)
{
	return (t->terms.format != TERMS_ROUNDROBIN &&
	    !tournament_is_knockout(t, round));
}

/* Gives the pairing of a round of a Swiss, worked out here or elsewhere. */
static int
tournament_find_out(const struct tournament *t, const struct tournament_line *l,
    int round, struct tournament_pairing *p, struct errinfo *e)
{
	if (l->paired != NULL && json_is_null(l->paired))
		return (ERR_NOTFOUND);
	if (l->paired != NULL)
		return (tournament_swiss_told(t, round, l->paired, p));
	return (l->is_hasty ? ERR_BUSY : tournament_swiss_pair(t, round, p, e));
}

/* Works the pairing of a round out. */
static int
tournament_work_out(struct tournament *t, const struct tournament_line *l,
    int round, struct tournament_pairing *p)
{
	if (tournament_is_swiss(t, round))
		return (tournament_find_out(t, l, round, p, l->e));
	if (tournament_is_knockout(t, round))
		return (tournament_bracket_pair(t, round, p, l->e));
	return (tournament_berger_pair(t, round, p, l->e));
}

int
tournament_work_pairing(const struct tournament *t, json_t **event)
{
	const int round = tournament_next(t);
	struct tournament_pairing p = {0};
	struct errinfo why = {.text = ""};
	int r;

	if (t->phase != TOURNAMENT_PLAY || round > tournament_rounds(t) ||
	    !tournament_is_swiss(t, round))
		return (ERR_NOTFOUND);
	r = tournament_swiss_pair(t, round, &p, &why);
	if (r == 0 || r == ERR_NOTFOUND) {
		*event = r == 0 ? tournament_pairing_event(t, round, &p)
				: json_null();
		r = *event == NULL ? ERR_NOMEM : 0;
	}
	tournament_pairing_clear(&p);
	return (r);
}

const json_t *
tournament_told_pairing(const json_t *events)
{
	const json_t *event = json_array_get(events, 0);
	const char *e = js_str(event, "e");

	return (e != NULL && strcmp(e, "pairing") == 0 ? event : json_null());
}

int64_t
tournament_rests_seq(const struct tournament *t)
{
	return (t->rests_seq);
}

int
tournament_pair(struct tournament *t, const struct tournament_line *l)
{
	const struct tournament_account *a = tournament_author(t, l->o);
	struct tournament_pairing p = {0};
	int64_t round, since;
	int r;

	if ((r = tournament_final(js_get_int(l->o->args, "round",
		 &order_at_args, 1, JS_INT_MAX, &round, l->e))) != 0)
		return (r);
	if (round <= (int64_t)t->n_rounds)
		return (err_set(l->e, ERR_STALE, "order.args.round",
		    "round %lld is paired already", (long long)round));
	if (round != tournament_next(t))
		return (tournament_illegal(l, "order.args.round",
		    "round %d is the next", tournament_next(t)));
	tournament_play_off_none(t, l);
	if ((r = tournament_may_pair(t, l, &since)) != 0)
		return (r);
	if (t->terms.pairs_director && !a->is_director &&
	    !tournament_passed(t, since, t->terms.ruling_s))
		return (tournament_illegal(
		    l, "order.by", "the terms leave pairing to a director"));
	r = tournament_work_out(t, l, (int)round, &p);
	if (r == ERR_NOTFOUND)
		return (tournament_illegal(l, "order.kind",
		    "no complete pairing exists: a director rules pairs, or "
		    "stop"));
	if (r == 0)
		r = tournament_round_make(t, l, (int)round, &p, false);
	tournament_pairing_clear(&p);
	return (r);
}

/* Whether no round is left to be paired (S20.4). */
static int
tournament_is_done(
    const struct tournament *t, const struct tournament_line *l, bool *is_done)
{
	const int round = tournament_next(t);
	struct errinfo why = {.where = ""};
	struct tournament_line quiet = *l;
	struct tournament_pairing p = {0};
	int64_t since;
	int r;

	*is_done =
	    round > tournament_rounds(t) || !tournament_has_two(t, round);
	/* Only a Swiss can have no pairing that is complete. */
	if (*is_done || !tournament_is_swiss(t, round))
		return (0);
	quiet.e = &why;
	if (tournament_may_pair(t, &quiet, &since) != 0 ||
	    !tournament_passed(t, since, t->terms.ruling_s))
		return (0);
	r = tournament_find_out(t, l, round, &p, &why);
	tournament_pairing_clear(&p);
	*is_done = r == ERR_NOTFOUND;
	return (r == ERR_NOTFOUND ? 0 : r);
}

/* The standings as an event; new, NULL without memory. */
static int
tournament_tell_standings(
    const struct tournament *t, const struct tournament_line *l)
{
	struct tournament_standing *rows;
	json_t *list, *row;
	size_t i, k, n;
	int bad = 0, r;

	if ((r = tournament_standings(t, &rows, &n, l->e)) != 0)
		return (r);
	list = json_array();
	for (i = 0; i < n; i++) {
		row = json_pack(
		    "[i, i, i]", rows[i].rank, rows[i].number, rows[i].points);
		for (k = 0; k < t->terms.n_ties; k++)
			bad |= json_array_append_new(
			    row, json_integer(rows[i].values[k]));
		bad |= json_array_append_new(list, row);
	}
	free(rows);
	return (tournament_event(l,
	    js_made(
		json_pack("{s:s, s:o}", "e", "standings", "rows", list), bad)));
}

int
tournament_finish(struct tournament *t, const struct tournament_line *l)
{
	int64_t since = t->start_ms;
	bool is_done;
	int round, r;

	tournament_play_off_none(t, l);
	for (round = 1; round <= (int)t->n_rounds; round++) {
		if (!tournament_is_complete(t, round))
			return (tournament_illegal(l, "order.kind",
			    "round %d is not complete: each table needs its "
			    "result first",
			    round));
	}
	if ((r = tournament_is_done(t, l, &is_done)) != 0)
		return (r);
	if (!is_done)
		return (tournament_illegal(l, "order.kind",
		    "round %d of %d is to be paired first", tournament_next(t),
		    tournament_rounds(t)));
	if (tournament_protest_holds(t))
		return (tournament_illegal(l, "order.kind",
		    "a protest waits for a director's answer"));
	if (t->result_ms > since)
		since = t->result_ms;
	if (t->ruling_ms > since)
		since = t->ruling_ms;
	if (!tournament_passed(t, since, t->terms.review_s))
		return (tournament_early(l, "order.kind",
		    "after the last result there is time to look at it",
		    since + 1000 * t->terms.review_s));
	if ((r = tournament_tell_standings(t, l)) != 0)
		return (r);
	t->phase = TOURNAMENT_OVER;
	t->over_seq = t->seq + 1;
	return (0);
}
