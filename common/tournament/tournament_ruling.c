/* SPDX-License-Identifier: ISC */
/*
 * Rulings of directors (record S19.4): a row a form.  A director who plays
 * rules on nothing that is their own.
 */
#include <stdlib.h>
#include <string.h>

#include "common/json/js.h"
#include "common/tournament/tournament_int.h"

const char *const tournament_forms[] = {"result", "replay", "extend", "points",
    "expel", "back", "apart", "pairs", "witness", "rules", "answer", "accept",
    NULL};

/* A ruling as it is read: what some forms name. */
struct tournament_rule {
	enum tournament_form form;
	const json_t *v; /* the form's value */
	struct js_at at; /* its place */
	struct tournament_place place; /* of a leg; 0 */
	int round, table; /* 0: not named */
	struct tournament_entrant *x; /* NULL: none */
	struct tournament_protest *protest; /* NULL: none */
};

/* In a knockout only before the next round is paired. */
static int
tournament_check_open(const struct tournament *t,
    const struct tournament_line *l, const struct tournament_rule *u)
{
	if (tournament_is_knockout(t, u->place.round) &&
	    u->place.round != (int)t->n_rounds)
		return (tournament_illegal(l, "order.args",
		    "the next round of the knockout is paired"));
	return (0);
}

static int
tournament_rule_result(struct tournament *t, const struct tournament_line *l,
    const struct tournament_rule *u)
{
	static const char *const known[] = {
	    "round", "table", "leg", "value", "bp", NULL};
	const struct tournament_leg *leg = tournament_leg(t, &u->place);
	struct tournament_given g = {.place = u->place, .how = "ruling"};
	const char *value;
	int64_t bp = leg->game_bp;
	int r;

	if ((r = tournament_final(js_members(u->v, &u->at, known, l->e))) !=
		0 ||
	    (r = tournament_final(
		 js_get_str(u->v, "value", &u->at, &value, l->e))) != 0 ||
	    (r = tournament_final(js_opt_int(
		 u->v, "bp", &u->at, -1000, 1000, &bp, l->e))) != 0 ||
	    (r = tournament_check_open(t, l, u)) != 0)
		return (r);
	if (tournament_result_parse(value, &g.result) != 0 ||
	    !tournament_is_result(g.result))
		return (tournament_illegal(l, "order.args.result.value",
		    "must be one of 1, 2, =, +, -, --"));
	if (!tournament_is_played(g.result) &&
	    json_object_get(u->v, "bp") != NULL)
		return (tournament_illegal(l, "order.args.result.bp",
		    "stands with a result that is played"));
	g.bp = tournament_is_played(g.result) ? (int)bp : 0;
	return (tournament_result_give(t, l, &g));
}

static int
tournament_rule_replay(struct tournament *t, const struct tournament_line *l,
    const struct tournament_rule *u)
{
	static const char *const known[] = {"round", "table", "leg", NULL};
	struct tournament_leg *leg = tournament_leg(t, &u->place);
	int r;

	if ((r = tournament_final(js_members(u->v, &u->at, known, l->e))) !=
		0 ||
	    (r = tournament_check_open(t, l, u)) != 0)
		return (r);
	tournament_leg_void(t, leg);
	tournament_leg_begin(t, leg);
	return (tournament_play_off(t, u->place.round));
}

static int
tournament_rule_extend(struct tournament *t, const struct tournament_line *l,
    const struct tournament_rule *u)
{
	static const char *const known[] = {"round", "table", "seconds", NULL};
	struct tournament_round *rd = tournament_round(t, u->round);
	struct tournament_leg *leg;
	int64_t seconds;
	size_t i;
	int k, r;

	if ((r = tournament_final(js_members(u->v, &u->at, known, l->e))) !=
		0 ||
	    (r = tournament_final(js_get_int(u->v, "seconds", &u->at, 3600,
		 31536000, &seconds, l->e))) != 0)
		return (r);
	for (i = 0; i < rd->n_tables; i++) {
		if (u->table != 0 && u->table != (int)i + 1)
			continue;
		for (k = 0; k < rd->tables[i].n_legs; k++) {
			leg = &rd->tables[i].legs[k];
			leg->more_s += seconds;
			/* Its ground may hold no longer. */
			if (leg->result != TOURNAMENT_AWAITED)
				leg->notice.seq = -1;
		}
	}
	return (0);
}

static int
tournament_rule_points(struct tournament *t, const struct tournament_line *l,
    const struct tournament_rule *u)
{
	static const char *const known[] = {"entrant", "half", NULL};
	struct tournament_half *grown;
	int64_t half;
	int r;

	if ((r = tournament_final(js_members(u->v, &u->at, known, l->e))) !=
		0 ||
	    (r = tournament_final(
		 js_get_int(u->v, "half", &u->at, -20, 20, &half, l->e))) != 0)
		return (r);
	if (half == 0)
		return (tournament_illegal(
		    l, "order.args.points.half", "must not be 0"));
	grown = tournament_grow(t->halves, &t->n_halves, sizeof(*grown));
	if (grown == NULL)
		return (ERR_NOMEM);
	t->halves = grown;
	grown[t->n_halves - 1] = (struct tournament_half){
	    tournament_number_of(t, u->x), (int)t->n_rounds, (int)half};
	return (0);
}

static int
tournament_rule_expel(struct tournament *t, const struct tournament_line *l,
    const struct tournament_rule *u)
{
	static const char *const known[] = {"entrant", "from", "games", NULL};
	static const char *const games[] = {"stand", "forfeit", NULL};
	const int number = tournament_number_of(t, u->x);
	int64_t from;
	int game, i, r;

	if ((r = tournament_final(js_members(u->v, &u->at, known, l->e))) !=
		0 ||
	    (r = tournament_final(js_get_int(
		 u->v, "from", &u->at, 1, JS_INT_MAX, &from, l->e))) != 0 ||
	    (r = tournament_final(js_get_enum(
		 u->v, "games", &u->at, games, &game, l->e))) != 0 ||
	    (r = tournament_check_from(t, l, "order.args.expel.from", from)) !=
		0)
		return (r);
	if (!tournament_is_in(u->x, (int)from))
		return (tournament_illegal(l, "order.args.expel.from",
		    "they are not in for round %lld", (long long)from));
	for (i = 1; game == 1 && i < from && i <= (int)t->n_rounds; i++) {
		if ((r = tournament_result_expel(t, l, i, number)) != 0)
			return (r);
	}
	return (tournament_go_out(t, l, number, (int)from));
}

static int
tournament_rule_back(struct tournament *t, const struct tournament_line *l,
    const struct tournament_rule *u)
{
	static const char *const known[] = {"entrant", "from", NULL};
	struct tournament_entrant *x = u->x;
	bool was_admitted;
	int64_t from;
	int r;

	if ((r = tournament_final(js_members(u->v, &u->at, known, l->e))) !=
		0 ||
	    (r = tournament_final(js_get_int(
		 u->v, "from", &u->at, 1, JS_INT_MAX, &from, l->e))) != 0)
		return (r);
	if (!terms_has_swiss(&t->terms) || from != tournament_next(t) ||
	    from > t->rounds_swiss)
		return (tournament_illegal(l, "order.args.back.from",
		    "somebody comes back with the next round of a Swiss"));
	if (tournament_is_in(x, (int)from))
		return (tournament_illegal(
		    l, "order.args.back.entrant", "they are in"));
	if (x->is_former)
		return (tournament_illegal(l, "order.args.back.entrant",
		    "they have not entered here"));
	was_admitted = x->is_said ? x->is_admitted
				  : t->terms.has_continues ||
		(!t->terms.admits && !t->terms.is_rated);
	if (x->since == 0 && (x->is_late || !was_admitted))
		return (tournament_illegal(
		    l, "order.args.back.entrant", "they were never admitted"));
	tournament_turn(x, (int)from, true);
	return (0);
}

static int
tournament_rule_apart(struct tournament *t, const struct tournament_line *l,
    const struct tournament_rule *u)
{
	static const char *const known[] = {"entrants", "from", "to", NULL};
	const json_t *list, *v;
	struct tournament_apart *grown;
	int64_t from, to;
	size_t i, n;
	int *numbers, r;

	if ((r = tournament_final(js_members(u->v, &u->at, known, l->e))) !=
		0 ||
	    (r = tournament_final(
		 js_get_array(u->v, "entrants", &u->at, &list, l->e))) != 0 ||
	    (r = tournament_final(js_get_int(
		 u->v, "from", &u->at, 1, 1000, &from, l->e))) != 0 ||
	    (r = tournament_final(
		 js_get_int(u->v, "to", &u->at, 1, 1000, &to, l->e))) != 0)
		return (r);
	if (!terms_has_swiss(&t->terms) || from < tournament_next(t) ||
	    to < from)
		return (tournament_illegal(l, "order.args.apart.from",
		    "only in rounds of a Swiss that are still to be paired"));
	n = json_array_size(list);
	if (n < 2 || n > 32)
		return (tournament_illegal(
		    l, "order.args.apart.entrants", "a list of 2 to 32"));
	json_array_foreach(list, i, v)
	{
		if (tournament_entrant(t, json_integer_value(v)) == NULL ||
		    (i > 0 &&
			json_integer_value(v) <=
			    json_integer_value(json_array_get(list, i - 1))))
			return (
			    tournament_illegal(l, "order.args.apart.entrants",
				"must be numbers of entrants, ascending"));
	}
	if ((numbers = calloc(n, sizeof(*numbers))) == NULL)
		return (ERR_NOMEM);
	grown = tournament_grow(t->aparts, &t->n_aparts, sizeof(*grown));
	if (grown == NULL) {
		free(numbers);
		return (ERR_NOMEM);
	}
	t->aparts = grown;
	for (i = 0; i < n; i++)
		numbers[i] = (int)json_integer_value(json_array_get(list, i));
	grown[t->n_aparts - 1] =
	    (struct tournament_apart){numbers, n, (int)from, (int)to};
	return (0);
}

/* Reads a pairing by hand: those named are in, and named once. */
static int
tournament_read_pairs(const struct tournament *t,
    const struct tournament_line *l, const struct tournament_rule *u, int round,
    struct tournament_pairing *p)
{
	const json_t *tables, *pair;
	bool *named;
	int64_t bye = 0, n;
	size_t i, k;
	int r;

	if ((r = tournament_final(
		 js_get_array(u->v, "tables", &u->at, &tables, l->e))) != 0 ||
	    (r = tournament_final(js_opt_int(
		 u->v, "bye", &u->at, 1, JS_INT_MAX, &bye, l->e))) != 0)
		return (r);
	if (json_array_size(tables) < 1 ||
	    json_array_size(tables) > t->n_entrants / 2)
		return (tournament_illegal(
		    l, "order.args.pairs.tables", "as many as there can be"));
	if ((named = calloc(t->n_entrants + 1, sizeof(*named))) == NULL)
		return (ERR_NOMEM);
	r = 0;
	for (i = 0; r == 0 && i < 2 * json_array_size(tables) + 1; i++) {
		pair = json_array_get(tables, i / 2);
		k = i % 2;
		n = bye;
		if (pair != NULL)
			n = json_array_size(pair) == 2
			    ? json_integer_value(json_array_get(pair, k))
			    : -1;
		if (pair == NULL && bye == 0)
			break;
		if (tournament_entrant(t, n) == NULL || named[n] ||
		    !tournament_is_in(tournament_entrant(t, n), round)) {
			r = tournament_illegal(l, "order.args.pairs",
			    "those named must be in, and named once");
			break;
		}
		named[n] = true;
		if (pair == NULL)
			p->byes[p->n_byes++] = (int)n;
		else if (k == 0)
			p->tables[p->n_tables].a = (int)n;
		else
			p->tables[p->n_tables++].b = (int)n;
	}
	for (i = 1; r == 0 && i <= t->n_entrants; i++) {
		if (!named[i] && tournament_is_in(&t->entrants[i - 1], round))
			p->absent[p->n_absent++] = (int)i;
	}
	free(named);
	return (r);
}

/* Whether the round that was paired last may be paired by hand instead. */
static int
tournament_check_replace(
    const struct tournament *t, const struct tournament_line *l)
{
	const struct tournament_round *rd =
	    tournament_round(t, (int)t->n_rounds);
	struct tournament_look look;
	const struct tournament_leg *leg;
	size_t i;
	int k, r;

	for (i = 0; i < rd->n_tables; i++) {
		for (k = 0; k < rd->tables[i].n_legs; k++) {
			leg = &rd->tables[i].legs[k];
			if (leg->result != TOURNAMENT_NONE)
				return (tournament_illegal(l,
				    "order.args.pairs.round",
				    "a table of the round has a result"));
			/* What is not at hand says nothing against it. */
			r = leg->has_game ? tournament_look(leg, l, -1, &look)
					  : ERR_NOTFOUND;
			if (r == 0 && look.is_begun &&
			    (l->given == NULL || look.begun_ms < t->at_ms))
				return (tournament_illegal(l,
				    "order.args.pairs.round",
				    "a game of the round has begun"));
			if (r != 0 && r != ERR_NOTFOUND && l->given == NULL)
				return (r);
		}
	}
	return (0);
}

static int
tournament_rule_pairs(struct tournament *t, const struct tournament_line *l,
    const struct tournament_rule *u)
{
	static const char *const known[] = {"round", "tables", "bye", NULL};
	struct tournament_pairing p = {0};
	struct tournament_round *rd;
	int64_t round, since;
	size_t i;
	int k, r;

	if ((r = tournament_final(js_members(u->v, &u->at, known, l->e))) !=
		0 ||
	    (r = tournament_final(js_get_int(
		 u->v, "round", &u->at, 1, JS_INT_MAX, &round, l->e))) != 0)
		return (r);
	if (!terms_has_swiss(&t->terms) || round > t->rounds_swiss ||
	    (round != tournament_next(t) && round != (int64_t)t->n_rounds))
		return (tournament_illegal(l, "order.args.pairs.round",
		    "not the round of a Swiss that was paired last, or the "
		    "next"));
	r = round == tournament_next(t) ? tournament_may_pair(t, l, &since)
					: tournament_check_replace(t, l);
	if (r == 0)
		r = tournament_pairing_make(&p, t->n_entrants);
	if (r == 0)
		r = tournament_read_pairs(t, l, u, (int)round, &p);
	rd = r == 0 ? tournament_round(t, round) : NULL;
	for (i = 0; rd != NULL && i < rd->n_tables; i++) {
		for (k = 0; k < rd->tables[i].n_legs; k++)
			tournament_leg_void(t, &rd->tables[i].legs[k]);
	}
	if (r == 0)
		r = tournament_round_make(t, l, (int)round, &p, true);
	tournament_pairing_clear(&p);
	return (r);
}

static int
tournament_rule_witness(struct tournament *t, const struct tournament_line *l,
    const struct tournament_rule *u)
{
	struct terms_witness w;
	int r;

	if (!t->terms.has_witness)
		return (tournament_illegal(
		    l, "order.args.witness", "the terms have no witness"));
	if ((r = tournament_final(
		 terms_witness_parse(u->v, &u->at, &w, l->e))) != 0)
		return (r);
	return (tournament_final(tournament_witness_name(t, &w, &u->at, l->e)));
}

static int
tournament_rule_rules(struct tournament *t, const struct tournament_line *l,
    const struct tournament_rule *u)
{
	static const char *const known[] = {"version", "from", NULL};
	const char *version;
	struct tournament_rules *grown;
	int64_t from;
	int r;

	if ((r = tournament_final(js_members(u->v, &u->at, known, l->e))) !=
		0 ||
	    (r = tournament_final(
		 js_get_str(u->v, "version", &u->at, &version, l->e))) != 0 ||
	    (r = tournament_final(
		 js_get_int(u->v, "from", &u->at, 1, 1000, &from, l->e))) != 0)
		return (r);
	if (from < tournament_next(t))
		return (tournament_illegal(l, "order.args.rules.from",
		    "round %lld is paired", (long long)from));
	if (strlen(version) >= sizeof(grown->version))
		return (tournament_illegal(
		    l, "order.args.rules.version", "is too long"));
	grown = tournament_grow(t->rules, &t->n_rules, sizeof(*grown));
	if (grown == NULL)
		return (ERR_NOMEM);
	t->rules = grown;
	grown[t->n_rules - 1].from = (int)from;
	memcpy(grown[t->n_rules - 1].version, version, strlen(version) + 1);
	return (0);
}

static int
tournament_rule_answer(struct tournament *t, const struct tournament_line *l,
    const struct tournament_rule *u)
{
	if (u->protest->answered_seq >= 0)
		return (tournament_illegal(l, "order.args.answer",
		    "line %lld has answered it",
		    (long long)u->protest->answered_seq));
	u->protest->answered_seq = t->seq + 1;
	u->protest->answered_ms = t->at_ms;
	return (0);
}

static int
tournament_rule_accept(struct tournament *t, const struct tournament_line *l,
    const struct tournament_rule *u)
{
	struct tournament_account *a;
	size_t i;

	for (i = 0; i < t->n_accounts; i++) {
		a = &t->accounts[i];
		if (a->proposed_seq < 0 || !json_is_integer(u->v) ||
		    a->proposed_seq != json_integer_value(u->v))
			continue;
		if (a == tournament_author(t, l->o))
			return (tournament_illegal(l, "order.by",
			    "another director accepts the keys of one"));
		return (tournament_account_replace(t, a));
	}
	return (tournament_illegal(l, "order.args.accept",
	    "not the line of an operator-key that waits"));
}

static int (*const tournament_rules_by_form[])(struct tournament *t,
    const struct tournament_line *l, const struct tournament_rule *u) = {
    [TOURNAMENT_RESULT] = tournament_rule_result,
    [TOURNAMENT_REPLAY] = tournament_rule_replay,
    [TOURNAMENT_EXTEND] = tournament_rule_extend,
    [TOURNAMENT_POINTS] = tournament_rule_points,
    [TOURNAMENT_EXPEL] = tournament_rule_expel,
    [TOURNAMENT_BACK] = tournament_rule_back,
    [TOURNAMENT_KEEP_APART] = tournament_rule_apart,
    [TOURNAMENT_PAIRS] = tournament_rule_pairs,
    [TOURNAMENT_WITNESS] = tournament_rule_witness,
    [TOURNAMENT_RULES] = tournament_rule_rules,
    [TOURNAMENT_ANSWER] = tournament_rule_answer,
    [TOURNAMENT_ACCEPT] = tournament_rule_accept,
};

/* Finds the one form of a ruling, and its value. */
static int
tournament_read_form(const struct tournament_line *l, struct tournament_rule *u)
{
	const json_t *v;
	int i, n = 0;

	for (i = 0; tournament_forms[i] != NULL; i++) {
		if ((v = json_object_get(l->o->args, tournament_forms[i])) ==
		    NULL)
			continue;
		u->form = (enum tournament_form)i;
		u->v = v;
		u->at = (struct js_at){&order_at_args, tournament_forms[i], 0};
		n++;
	}
	if (n == 1)
		return (0);
	return (tournament_illegal(
	    l, "order.args", "a ruling has exactly one form"));
}

/* Reads what a form names: a leg, a round, an entrant, a protest. */
static int
tournament_read_named(const struct tournament *t,
    const struct tournament_line *l, struct tournament_rule *u)
{
	int64_t round, table = 0;
	size_t i;
	int r;

	switch (u->form) {
	case TOURNAMENT_RESULT:
	case TOURNAMENT_REPLAY:
		r = tournament_get_place(t, u->v, &u->at, &u->place, l->e);
		u->round = u->place.round;
		u->table = u->place.table;
		return (tournament_final(r));
	case TOURNAMENT_EXTEND:
		if ((r = tournament_final(js_get_int(u->v, "round", &u->at, 1,
			 INT32_MAX, &round, l->e))) != 0 ||
		    (r = tournament_final(js_opt_int(u->v, "table", &u->at, 1,
			 INT32_MAX, &table, l->e))) != 0)
			return (r);
		if ((r = tournament_final(tournament_check_table(
			 t, &u->at, round, table, l->e))) != 0)
			return (r);
		u->round = (int)round;
		u->table = (int)table;
		return (0);
	case TOURNAMENT_POINTS:
	case TOURNAMENT_EXPEL:
	case TOURNAMENT_BACK:
		return (tournament_final(tournament_get_entrant(
		    t, u->v, "entrant", &u->at, &u->x, l->e)));
	case TOURNAMENT_ANSWER:
		for (i = 0; i < t->n_protests; i++) {
			if (json_is_integer(u->v) &&
			    t->protests[i].seq == json_integer_value(u->v))
				u->protest = &t->protests[i];
		}
		return (u->protest != NULL
			? 0
			: tournament_illegal(l, "order.args.answer",
			      "not the line of a protest"));
	default:
		return (0);
	}
}

/* Whether the ruling is about something that has changed since (S15.5). */
static int
tournament_check_fresh(const struct tournament *t,
    const struct tournament_line *l, const struct tournament_rule *u)
{
	const struct tournament_leg *leg = tournament_leg(t, &u->place);
	const struct tournament_entrant *x;
	const json_t *v;
	size_t i;

	if (leg != NULL && leg->result_seq > l->o->after)
		return (err_set(l->e, ERR_STALE, "order.after",
		    "line %lld gave that table a result",
		    (long long)leg->result_seq));
	if (u->x != NULL && u->x->named_seq > l->o->after)
		return (err_set(l->e, ERR_STALE, "order.after",
		    "line %lld is about the same entrant",
		    (long long)u->x->named_seq));
	if (u->form != TOURNAMENT_KEEP_APART)
		return (0);
	json_array_foreach(json_object_get(u->v, "entrants"), i, v)
	{
		x = tournament_entrant(t, json_integer_value(v));
		if (x != NULL && x->named_seq > l->o->after)
			return (err_set(l->e, ERR_STALE, "order.after",
			    "line %lld is about the same entrant",
			    (long long)x->named_seq));
	}
	return (0);
}

/* True if an entrant is the director, or their opponent in what runs. */
static bool
tournament_is_near(const struct tournament *t, int director, int number)
{
	const struct tournament_table *table;
	bool has_bye;
	size_t i;

	if (number == director)
		return (true);
	for (i = 0; i < t->n_rounds; i++) {
		if (!t->terms.is_concurrent && i + 1 < t->n_rounds)
			continue;
		table = tournament_table_of(&t->rounds[i], director, &has_bye);
		if (table != NULL && (table->a == number || table->b == number))
			return (true);
	}
	return (false);
}

/* True if the director sits at a table that the ruling is about. */
static bool
tournament_is_own_table(
    const struct tournament *t, int director, const struct tournament_rule *u)
{
	const struct tournament_round *rd = tournament_round(t, u->round);
	const struct tournament_table *table;
	bool has_bye;

	if (rd == NULL)
		return (false);
	table = tournament_table_of(rd, director, &has_bye);
	if (table == NULL)
		return (false);
	if (u->table > 0)
		return (table == &rd->tables[u->table - 1]);
	return (!tournament_is_complete_table(table));
}

/* Refuses what a director who plays may not rule upon. */
static int
tournament_check_favour(const struct tournament *t,
    const struct tournament_line *l, const struct tournament_rule *u)
{
	const int number = tournament_author(t, l->o)->number;
	const struct tournament_table *table;
	const json_t *v;
	bool is_own, has_bye;
	size_t i;

	if (number == 0)
		return (0);
	is_own = tournament_is_own_table(t, number, u) ||
	    u->form == TOURNAMENT_PAIRS ||
	    (u->x != NULL &&
		tournament_is_near(t, number, tournament_number_of(t, u->x)));
	if (u->form == TOURNAMENT_KEEP_APART) {
		json_array_foreach(json_object_get(u->v, "entrants"), i, v)
		    is_own |=
		    tournament_is_near(t, number, (int)json_integer_value(v));
	}
	if (u->protest != NULL) {
		table = tournament_table_of(
		    tournament_round(t, u->protest->round), number, &has_bye);
		is_own |= u->protest->number == number ||
		    (table != NULL && u->protest->table > 0 &&
			table ==
			    tournament_table(
				t, u->protest->round, u->protest->table));
	}
	return (is_own ? tournament_illegal(l, "order.by",
			     "a director who plays leaves this to another")
		       : 0);
}

/* Remembers whom a ruling names, and that it was given. */
static int
tournament_keep_ruling(struct tournament *t, const struct tournament_line *l,
    const struct tournament_rule *u, const uint8_t why[HASH_LEN])
{
	struct tournament_ruling *grown;
	struct tournament_entrant *x;
	const json_t *v;
	size_t i;

	grown = tournament_grow(t->rulings, &t->n_rulings, sizeof(*grown));
	if (grown == NULL)
		return (ERR_NOMEM);
	t->rulings = grown;
	grown += t->n_rulings - 1;
	grown->seq = t->seq + 1;
	grown->account =
	    tournament_account_index(t, tournament_author(t, l->o));
	grown->form = u->form;
	grown->number = u->x != NULL ? tournament_number_of(t, u->x) : 0;
	grown->about = u->protest != NULL ? u->protest->number : grown->number;
	grown->round = u->protest != NULL ? u->protest->round : u->round;
	grown->table = u->protest != NULL ? u->protest->table : u->table;
	grown->leg = u->place.leg;
	grown->half =
	    u->form == TOURNAMENT_POINTS ? t->halves[t->n_halves - 1].half : 0;
	memcpy(grown->why, why, HASH_LEN);
	t->ruling_ms = t->at_ms;
	if (u->x != NULL)
		u->x->named_seq = t->seq + 1;
	if (u->form != TOURNAMENT_KEEP_APART)
		return (0);
	json_array_foreach(json_object_get(u->v, "entrants"), i, v)
	{
		x = tournament_entrant(t, json_integer_value(v));
		if (x != NULL)
			x->named_seq = t->seq + 1;
	}
	return (0);
}

int
tournament_ruling(struct tournament *t, const struct tournament_line *l)
{
	struct tournament_rule u = {.v = NULL};
	uint8_t why[HASH_LEN];
	int r;

	if ((r = tournament_final(js_get_hex(l->o->args, "why", &order_at_args,
		 why, HASH_LEN, l->e))) != 0 ||
	    (r = tournament_read_form(l, &u)) != 0)
		return (r);
	if (t->phase != TOURNAMENT_PLAY && u.form != TOURNAMENT_ACCEPT &&
	    u.form != TOURNAMENT_WITNESS)
		return (tournament_illegal(l, "order.args",
		    "before the start a ruling is of a witness or a key alone; "
		    "admit and shut need none"));
	if ((r = tournament_read_named(t, l, &u)) != 0 ||
	    (r = tournament_check_fresh(t, l, &u)) != 0 ||
	    (r = tournament_check_favour(t, l, &u)) != 0 ||
	    (r = tournament_rules_by_form[u.form](t, l, &u)) != 0)
		return (r);
	return (tournament_keep_ruling(t, l, &u, why));
}
