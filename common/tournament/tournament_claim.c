/* SPDX-License-Identifier: ISC */
/*
 * Claims, in two lines (record S19.3), and protests (S19.5): what anybody can
 * do where a table stands still, so that nothing hangs on a director.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/game/game_clock.h"
#include "common/json/js.h"
#include "common/tournament/tournament_int.h"

static const struct js_at *const args_at = &order_at_args;

const char *const tournament_grounds[] = {"absent", "late", "unruled", NULL};

/* How long a round may take, in seconds. */
static int64_t
tournament_round_s(const struct tournament *t)
{
	return (t->terms.round_s *
	    (t->terms.is_concurrent ? tournament_rounds(t) : 1));
}

int64_t
tournament_due_ms(const struct tournament *t, const struct tournament_leg *leg,
    enum tournament_ground ground)
{
	const unsigned skip =
	    t->terms.set.has_clock ? t->terms.set.clock.skip : 0;
	int64_t s;

	if (ground == TOURNAMENT_UNRULED)
		return (leg->awaited_ms + 1000 * t->terms.ruling_s);
	s = ground == TOURNAMENT_ABSENT ? t->terms.start_s
					: tournament_round_s(t);
	return (
	    game_clock_reach(skip, leg->since_ms, 1000 * (s + leg->more_s)));
}

int64_t
tournament_notice_ms(
    const struct tournament *t, const struct tournament_leg *leg)
{
	const struct tournament_notice *n = &leg->notice;

	if (n->seq < 0)
		return (-1);
	return ((n->at_ms > n->now_ms ? n->at_ms : n->now_ms) +
	    1000 * t->terms.notice_s);
}

/* True if the time of a ground has passed at two instants. */
static bool
tournament_ground_holds(const struct tournament *t,
    const struct tournament_leg *leg, enum tournament_ground ground,
    int64_t at_ms, int64_t now_ms)
{
	int64_t due;

	if ((ground == TOURNAMENT_UNRULED) !=
	    (leg->result == TOURNAMENT_AWAITED))
		return (false);
	due = tournament_due_ms(t, leg, ground);
	return (at_ms >= due && now_ms >= due);
}

/* Refuses a notice about a leg of which no time is over, with which is next. */
static int
tournament_refuse_ground(const struct tournament *t,
    const struct tournament_line *l, const struct tournament_leg *leg)
{
	int64_t due, next = -1;
	int i;

	for (i = 0; i < TOURNAMENT_GROUNDS; i++) {
		if ((i == TOURNAMENT_UNRULED) !=
		    (leg->result == TOURNAMENT_AWAITED))
			continue;
		due = tournament_due_ms(t, leg, i);
		if ((due > t->at_ms || due > t->now_ms) &&
		    (next < 0 || due < next))
			next = due;
	}
	return (tournament_early(
	    l, "order.args.leg", "no time of this table is over", next));
}

/* Gives notice. */
static int
tournament_claim_notice(struct tournament *t, const struct tournament_line *l)
{
	struct tournament_place place;
	struct tournament_leg *leg;
	int i, r;

	if ((r = tournament_final(tournament_get_place(
		 t, l->o->args, args_at, &place, l->e))) != 0)
		return (r);
	leg = tournament_leg(t, &place);
	if (leg->result_seq > l->o->after)
		return (err_set(l->e, ERR_STALE, "order.args.leg",
		    "line %lld gave it a result", (long long)leg->result_seq));
	if (tournament_is_result(leg->result))
		return (tournament_illegal(l, "order.args.leg",
		    "it has its result: only a director can rule another"));
	if (leg->notice.seq >= 0)
		return (tournament_illegal(l, "order.args.leg",
		    "line %lld is a notice that stands: a claim names it",
		    (long long)leg->notice.seq));
	for (i = 0; i < TOURNAMENT_GROUNDS &&
	     !tournament_ground_holds(t, leg, i, t->at_ms, t->now_ms);
	     i++)
		continue;
	if (i == TOURNAMENT_GROUNDS)
		return (tournament_refuse_ground(t, l, leg));
	leg->notice.seq = t->seq + 1;
	leg->notice.at_ms = t->at_ms;
	leg->notice.now_ms = t->now_ms;
	return (0);
}

/* Finds the leg of a notice that stands. */
static struct tournament_leg *
tournament_notice_find(
    const struct tournament *t, int64_t seq, struct tournament_place *place)
{
	struct tournament_table *table;
	size_t i, k;
	int leg;

	for (i = 0; i < t->n_rounds; i++) {
		for (k = 0; k < t->rounds[i].n_tables; k++) {
			table = &t->rounds[i].tables[k];
			for (leg = 0; leg < table->n_legs; leg++) {
				if (table->legs[leg].notice.seq != seq)
					continue;
				*place = (struct tournament_place){
				    (int)i + 1, (int)k + 1, leg + 1};
				return (&table->legs[leg]);
			}
		}
	}
	return (NULL);
}

/* What a game that was played brings by its battle points. */
static enum tournament_result
tournament_by_points(const struct tournament *t, int bp)
{
	if (abs(bp) < t->terms.margin)
		return (TOURNAMENT_DRAW);
	return (bp > 0 ? TOURNAMENT_1 : TOURNAMENT_2);
}

/* Somebody has not come.  False: that is no ground for this claimant. */
static bool
tournament_judge_absent(const struct tournament *t,
    const struct tournament_account *a, const struct tournament_look *look,
    struct tournament_given *g)
{
	const struct tournament_table *table =
	    tournament_table(t, g->place.round, g->place.table);
	const bool one = look->has_come[1], two = look->has_come[2];
	bool is_one, is_two;

	is_one = a->number > 0 &&
	    a->number == tournament_side(table, g->place.leg, 1);
	is_two = a->number > 0 &&
	    a->number == tournament_side(table, g->place.leg, 2);
	if (look->is_begun)
		return (false);
	if (one && two) {
		/* A seat that is neither's is still free. */
		g->result = TOURNAMENT_AWAITED;
		return (is_one || is_two);
	}
	if ((one && !is_one) || (two && !is_two))
		return (false);
	g->is_absent[1] = !one;
	g->is_absent[2] = !two;
	g->result = one ? TOURNAMENT_PLUS
	    : two       ? TOURNAMENT_MINUS
			: TOURNAMENT_BOTH;
	return (true);
}

/* The round is over time. */
static bool
tournament_judge_late(const struct tournament *t,
    const struct tournament_look *look, struct tournament_given *g)
{
	if (!look->is_played) {
		if (!look->waits[1] && !look->waits[2])
			g->result = TOURNAMENT_AWAITED;
		else if (look->waits[1] && look->waits[2])
			g->result = TOURNAMENT_BOTH;
		else
			g->result =
			    look->waits[1] ? TOURNAMENT_MINUS : TOURNAMENT_PLUS;
		return (true);
	}
	switch (t->terms.late_rule) {
	case TERMS_LATE_DIRECTOR:
		g->result = TOURNAMENT_AWAITED;
		break;
	case TERMS_LATE_DRAW:
		g->result = TOURNAMENT_DRAW;
		break;
	case TERMS_LATE_LOSE:
		g->result = TOURNAMENT_BOTH;
		break;
	case TERMS_LATE_POINTS:
		g->result = tournament_by_points(t, look->bp);
		break;
	}
	return (true);
}

/* What a ground brings; false: it is none for this claimant. */
static bool
tournament_judge(const struct tournament *t, const struct tournament_account *a,
    enum tournament_ground ground, const struct tournament_look *look,
    struct tournament_given *g)
{
	g->how = tournament_grounds[ground];
	memset(g->is_absent, 0, sizeof(g->is_absent));
	switch (ground) {
	case TOURNAMENT_ABSENT:
		return (tournament_judge_absent(t, a, look, g));
	case TOURNAMENT_LATE:
		return (tournament_judge_late(t, look, g));
	default:
		g->result = look->is_played ? tournament_by_points(t, look->bp)
					    : TOURNAMENT_BOTH;
		return (true);
	}
}

/* The first event of the line as it stands; NULL: there is none. */
static const json_t *
tournament_given_event(const struct tournament_line *l)
{
	return (json_array_get(l->given, 0));
}

/* What a claim can bring by each ground, as words of results. */
static const char *const tournament_brings[] = {
    [TOURNAMENT_ABSENT] = " + - -- ? ",
    [TOURNAMENT_LATE] = " + - -- ? 1 2 = ",
    [TOURNAMENT_UNRULED] = " -- 1 2 = ",
};

/* Checks what a claim is told to bring by a ground: a result, and points. */
static int
tournament_check_brought(const struct tournament_line *l,
    enum tournament_ground ground, enum tournament_result result, int64_t *bp)
{
	char word[8];

	(void)snprintf(
	    word, sizeof(word), " %s ", tournament_result_word(result));
	if (strstr(tournament_brings[ground], word) == NULL)
		return (tournament_illegal(
		    l, "events", "not what a claim brings on that ground"));
	if (js_get_int(tournament_given_event(l), "bp", NULL, -1000, 1000, bp,
		NULL) != 0 ||
	    (*bp != 0 && !tournament_is_played(result)))
		return (tournament_illegal(
		    l, "events", "not battle points of such a result"));
	return (0);
}

/* What is told of a leg's game where that cannot be looked at. */
static int
tournament_claim_told(const struct tournament *t,
    const struct tournament_line *l, const struct tournament_leg *leg,
    struct tournament_given *g, uint8_t line[HASH_LEN])
{
	const json_t *event = tournament_given_event(l);
	const char *word = js_str(event, "result");
	const char *how = js_str(event, "how");
	int64_t bp;
	int i, r;

	if (word == NULL || how == NULL ||
	    tournament_result_parse(word, &g->result) != 0)
		return (tournament_illegal(
		    l, "events", "a claim with effect has a result"));
	for (i = 0;
	     i < TOURNAMENT_GROUNDS && strcmp(tournament_grounds[i], how) != 0;
	     i++)
		continue;
	if (i == TOURNAMENT_GROUNDS ||
	    !tournament_ground_holds(
		t, leg, i, leg->notice.at_ms, leg->notice.now_ms) ||
	    !tournament_ground_holds(t, leg, i, t->at_ms, t->now_ms))
		return (tournament_illegal(
		    l, "events", "a claim on a ground that does not hold"));
	if ((r = tournament_check_brought(l, i, g->result, &bp)) != 0)
		return (r);
	g->how = tournament_grounds[i];
	g->bp = (int)bp;
	g->seq = js_int(event, "seq");
	if (js_get_hex(event, "line", NULL, line, HASH_LEN, NULL) == 0)
		g->line = line;
	if (i == TOURNAMENT_ABSENT && g->result != TOURNAMENT_AWAITED) {
		g->is_absent[1] = g->result != TOURNAMENT_PLUS;
		g->is_absent[2] = g->result != TOURNAMENT_MINUS;
	}
	return (0);
}

/* Looks at a leg's game, as the line names its line, or as it now is. */
static int
tournament_claim_look(const struct tournament_line *l,
    const struct tournament_leg *leg, struct tournament_look *look)
{
	const json_t *event = tournament_given_event(l);
	int r;

	r = tournament_look(leg, l,
	    event != NULL && leg->has_game ? js_int(event, "seq") : -1, look);
	if (r == ERR_NOTFOUND && !leg->has_game) {
		look->waits[1] = look->waits[2] = true;
		return (0);
	}
	return (r);
}

/*
 * Checks that a claim was given at the line of the game that it names, and that
 * what the game had come to by then was told.
 */
static int
tournament_check_claimed(const struct tournament *t,
    const struct tournament_line *l, const struct tournament_leg *leg,
    const struct tournament_look *look)
{
	json_t *data;
	int r;

	if (!leg->has_game)
		return (0);
	if (look->next_ms > 0 && look->next_ms < t->at_ms)
		return (tournament_illegal(
		    l, "events", "not the last line that the game had then"));
	r = tournament_result_data(t, leg->game, look, &data);
	if (r != 0 || data == NULL)
		return (r);
	json_decref(data);
	return (tournament_illegal(
	    l, "events", "the game is over, and its result is missing"));
}

/* Gives a claim its effect. */
static int
tournament_claim_effect(struct tournament *t, const struct tournament_line *l)
{
	struct tournament_given g = {.how = ""};
	struct tournament_look look;
	uint8_t line[HASH_LEN];
	struct tournament_leg *leg;
	int64_t to;
	int i, r;

	if ((r = tournament_final(js_get_int(
		 l->o->args, "to", args_at, 0, JS_INT_MAX, &to, l->e))) != 0)
		return (r);
	if ((leg = tournament_notice_find(t, to, &g.place)) == NULL)
		return (tournament_illegal(l, "order.args.to",
		    "line %lld is no notice that stands", (long long)to));
	if (leg->result_seq > l->o->after)
		return (err_set(l->e, ERR_STALE, "order.args.to",
		    "line %lld gave it a result", (long long)leg->result_seq));
	if (t->at_ms - leg->notice.at_ms < 1000 * t->terms.notice_s ||
	    t->now_ms - leg->notice.now_ms < 1000 * t->terms.notice_s)
		return (tournament_early(l, "order.args.to",
		    "the notice has not stood for its time",
		    tournament_notice_ms(t, leg)));
	r = tournament_claim_look(l, leg, &look);
	if (r == ERR_MISSING || r == ERR_NEWER) {
		if (l->given == NULL)
			return (r);
		r = tournament_claim_told(t, l, leg, &g, line);
		g.is_of_game = tournament_is_played(g.result);
		return (r != 0 ? r : tournament_result_give(t, l, &g));
	}
	if (r != 0 || (r = tournament_check_claimed(t, l, leg, &look)) != 0)
		return (r);
	for (i = 0; i < TOURNAMENT_GROUNDS; i++) {
		if (tournament_ground_holds(
			t, leg, i, leg->notice.at_ms, leg->notice.now_ms) &&
		    tournament_ground_holds(t, leg, i, t->at_ms, t->now_ms) &&
		    tournament_judge(
			t, tournament_author(t, l->o), i, &look, &g))
			break;
	}
	if (i == TOURNAMENT_GROUNDS)
		return (tournament_illegal(
		    l, "order.args.to", "its ground does not hold"));
	/* No claim brings such a result but of a game that was played. */
	g.is_of_game = tournament_is_played(g.result);
	g.bp = g.is_of_game ? look.bp : 0;
	if (leg->has_game) {
		g.seq = look.seq;
		g.line = look.line;
	}
	return (tournament_result_give(t, l, &g));
}

enum tournament_ground
tournament_may_claim(const struct tournament *t,
    const struct tournament_account *a, const struct tournament_place *place,
    const struct tournament_look *look)
{
	const struct tournament_leg *leg = tournament_leg(t, place);
	struct tournament_given g = {.place = *place};
	int64_t at_ms = t->at_ms;
	int i;

	if (t->at_ms < tournament_notice_ms(t, leg))
		return (TOURNAMENT_GROUNDS);
	/* A notice has effect by what held when it was given. */
	if (leg->notice.seq >= 0)
		at_ms = leg->notice.at_ms < leg->notice.now_ms
		    ? leg->notice.at_ms
		    : leg->notice.now_ms;
	for (i = 0; i < TOURNAMENT_GROUNDS; i++) {
		if (tournament_ground_holds(t, leg, i, at_ms, at_ms) &&
		    tournament_judge(t, a, i, look, &g))
			break;
	}
	return (i);
}

int
tournament_claim(struct tournament *t, const struct tournament_line *l)
{
	if (json_object_get(l->o->args, "to") == NULL)
		return (tournament_claim_notice(t, l));
	if (json_object_size(l->o->args) != 1)
		return (tournament_illegal(l, "order.args",
		    "the second line of a claim names the first, and nothing "
		    "else"));
	return (tournament_claim_effect(t, l));
}

int
tournament_protest(struct tournament *t, const struct tournament_line *l)
{
	const int number = tournament_author(t, l->o)->number;
	uint8_t why[HASH_LEN];
	struct tournament_protest *grown;
	int64_t round, table = 0;
	size_t i;
	int r;

	if ((r = tournament_final(js_get_int(l->o->args, "round", args_at, 1,
		 JS_INT_MAX, &round, l->e))) != 0 ||
	    (r = tournament_final(js_opt_int(l->o->args, "table", args_at, 1,
		 JS_INT_MAX, &table, l->e))) != 0 ||
	    (r = tournament_final(js_get_hex(
		 l->o->args, "why", args_at, why, HASH_LEN, l->e))) != 0)
		return (r);
	if (number == 0)
		return (tournament_illegal(
		    l, "order.by", "only an entrant does; a director rules"));
	if (tournament_round(t, round) == NULL ||
	    (!t->terms.is_concurrent && round != (int64_t)t->n_rounds))
		return (t->n_rounds == 0
			? tournament_illegal(l, "order.args.round",
			      "one protests about a round that is paired, and "
			      "none is")
			: tournament_illegal(l, "order.args.round",
			      "round %d was paired last: one protests about it",
			      (int)t->n_rounds));
	if (table > 0 && tournament_table(t, round, table) == NULL)
		return (tournament_illegal(l, "order.args.table",
		    "there are tables 1 to %d in that round",
		    (int)tournament_round(t, round)->n_tables));
	for (i = 0; i < t->n_protests; i++) {
		if (t->protests[i].number == number &&
		    t->protests[i].round == round)
			return (tournament_illegal(l, "order.kind",
			    "they have protested in this round, in line %lld",
			    (long long)t->protests[i].seq));
	}
	grown = tournament_grow(t->protests, &t->n_protests, sizeof(*grown));
	if (grown == NULL)
		return (ERR_NOMEM);
	t->protests = grown;
	grown[t->n_protests - 1] =
	    (struct tournament_protest){.seq = t->seq + 1,
		.at_ms = t->at_ms,
		.number = number,
		.round = (int)round,
		.table = (int)table,
		.answered_seq = -1,
		.answered_ms = -1};
	return (0);
}
