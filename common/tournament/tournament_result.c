/* SPDX-License-Identifier: ISC */
/*
 * Results of legs and tables (record S19.1), and what follows from one: a leg
 * more in a knockout, no-shows that take somebody out.
 */
#include <stdlib.h>
#include <string.h>

#include "common/json/js.h"
#include "common/tournament/tournament_int.h"

bool
tournament_is_result(enum tournament_result result)
{
	return (result != TOURNAMENT_NONE && result != TOURNAMENT_AWAITED);
}

bool
tournament_is_played(enum tournament_result result)
{
	return (result == TOURNAMENT_1 || result == TOURNAMENT_2 ||
	    result == TOURNAMENT_DRAW);
}

enum tournament_result
tournament_result_swapped(enum tournament_result result)
{
	switch (result) {
	case TOURNAMENT_1:
		return (TOURNAMENT_2);
	case TOURNAMENT_2:
		return (TOURNAMENT_1);
	case TOURNAMENT_PLUS:
		return (TOURNAMENT_MINUS);
	case TOURNAMENT_MINUS:
		return (TOURNAMENT_PLUS);
	default:
		return (result);
	}
}

int
tournament_result_parse(const char *word, enum tournament_result *result)
{
	int i;

	for (i = TOURNAMENT_1; i <= TOURNAMENT_AWAITED; i++) {
		if (strcmp(word, tournament_result_word(i)) == 0) {
			*result = (enum tournament_result)i;
			return (0);
		}
	}
	return (ERR_INVALID);
}

bool
tournament_is_complete_table(const struct tournament_table *table)
{
	int leg;

	for (leg = 0; leg < table->n_legs; leg++) {
		if (!tournament_is_result(table->legs[leg].result))
			return (false);
	}
	return (true);
}

/* Compares two numbers for qsort(). */
static int
tournament_compare(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return (*x < *y ? -1 : *x > *y);
}

void
tournament_sort(int *numbers, size_t n)
{
	if (n > 1)
		qsort(numbers, n, sizeof(*numbers), tournament_compare);
}

int
tournament_side(const struct tournament_table *table, int leg, int side)
{
	return ((side == 1) == (leg == 1) ? table->a : table->b);
}

/* What a result counts for side 1 where two legs are added up. */
static int
tournament_weight(enum tournament_result result)
{
	switch (result) {
	case TOURNAMENT_1:
	case TOURNAMENT_PLUS:
		return (2);
	case TOURNAMENT_DRAW:
		return (1);
	default:
		return (0);
	}
}

enum tournament_result
tournament_table_result(
    const struct tournament *t, const struct tournament_table *table)
{
	enum tournament_result result = TOURNAMENT_NONE;
	bool is_played = false;
	int leg, mine = 0, other = 0;

	(void)t;
	for (leg = 0; leg < table->n_base; leg++) {
		result = table->legs[leg].result;
		if (!tournament_is_result(result))
			return (TOURNAMENT_NONE);
		if (leg > 0)
			result = tournament_result_swapped(result);
		is_played |= tournament_is_played(result);
		mine += tournament_weight(result);
		other += tournament_weight(tournament_result_swapped(result));
	}
	if (table->n_base == 1)
		return (result);
	if (mine == other)
		return (is_played ? TOURNAMENT_DRAW : TOURNAMENT_BOTH);
	if (is_played)
		return (mine > other ? TOURNAMENT_1 : TOURNAMENT_2);
	return (mine > other ? TOURNAMENT_PLUS : TOURNAMENT_MINUS);
}

struct tournament_leg *
tournament_leg(const struct tournament *t, const struct tournament_place *place)
{
	struct tournament_table *table =
	    tournament_table(t, place->round, place->table);

	return (table != NULL && place->leg >= 1 && place->leg <= table->n_legs
		? &table->legs[place->leg - 1]
		: NULL);
}

int
tournament_check_table(const struct tournament *t, const struct js_at *at,
    int64_t round, int64_t table, struct errinfo *e)
{
	if (tournament_round(t, round) == NULL)
		return (t->n_rounds == 0
			? js_fail_member(at, "round", e, "no round is paired")
			: js_fail_member(at, "round", e,
			      "round %d is not paired: rounds 1 to %d are",
			      (int)round, (int)t->n_rounds));
	if (table > 0 && tournament_table(t, round, table) == NULL)
		return (js_fail_member(at, "table", e,
		    "there are tables 1 to %d in that round",
		    (int)tournament_round(t, round)->n_tables));
	return (0);
}

int
tournament_get_place(const struct tournament *t, const json_t *v,
    const struct js_at *at, struct tournament_place *place, struct errinfo *e)
{
	int64_t round, table, leg;
	int r;

	if ((r = js_get_int(v, "round", at, 1, INT32_MAX, &round, e)) != 0 ||
	    (r = js_get_int(v, "table", at, 1, INT32_MAX, &table, e)) != 0 ||
	    (r = js_get_int(v, "leg", at, 1, TOURNAMENT_LEGS_MAX, &leg, e)) !=
		0)
		return (r);
	place->round = (int)round;
	place->table = (int)table;
	place->leg = (int)leg;
	if ((r = tournament_check_table(t, at, round, table, e)) != 0)
		return (r);
	if (tournament_leg(t, place) == NULL)
		return (js_fail_member(at, "leg", e,
		    "there is no leg %d at that table", place->leg));
	return (0);
}

struct tournament_game *
tournament_game(const struct tournament *t, const uint8_t game[HASH_LEN])
{
	size_t i;

	for (i = 0; i < t->n_games; i++) {
		if (memcmp(t->games[i].game, game, HASH_LEN) == 0)
			return (&t->games[i]);
	}
	return (NULL);
}

void
tournament_leg_void(struct tournament *t, struct tournament_leg *leg)
{
	struct tournament_game *game;

	if (leg->has_game && (game = tournament_game(t, leg->game)) != NULL)
		game->is_void = true;
	leg->has_game = false;
	leg->game_seq = -1;
	leg->notice.seq = -1;
}

int
tournament_look(const struct tournament_leg *leg,
    const struct tournament_line *l, int64_t seq, struct tournament_look *look)
{
	memset(look, 0, sizeof(*look));
	if (!leg->has_game)
		return (ERR_NOTFOUND);
	return (l->games->look(l->games->arg, leg->game, seq, look, l->e));
}

enum tournament_result
tournament_result_of(const struct tournament_look *look)
{
	const bool is_given = look->is_played &&
	    (strcmp(look->how, "resign") == 0 ||
		strcmp(look->how, "forfeit") == 0);

	if (look->is_halted || strcmp(look->how, "stopped") == 0 ||
	    strcmp(look->how, "closed") == 0)
		return (TOURNAMENT_AWAITED);
	if (look->winner == 0)
		return (TOURNAMENT_DRAW);
	if (is_given || strcmp(look->how, "agreed") == 0 ||
	    strcmp(look->how, "ruling") == 0)
		return (look->winner == 1 ? TOURNAMENT_1 : TOURNAMENT_2);
	return (look->winner == 1 ? TOURNAMENT_PLUS : TOURNAMENT_MINUS);
}

/* The event of a result; new, NULL without memory. */
static json_t *
tournament_result_event(
    const struct tournament_leg *leg, const struct tournament_given *g)
{
	json_t *event;
	int bad = 0;

	event = json_pack("{s:s, s:i, s:i, s:i, s:s, s:i, s:s}", "e", "result",
	    "round", g->place.round, "table", g->place.table, "leg",
	    g->place.leg, "result", tournament_result_word(g->result), "bp",
	    g->bp, "how", g->how);
	if (g->line != NULL) {
		bad |= json_object_set_new(
		    event, "game", js_hex(leg->game, HASH_LEN));
		bad |= json_object_set_new(event, "seq", json_integer(g->seq));
		bad |= json_object_set_new(
		    event, "line", js_hex(g->line, HASH_LEN));
	}
	return (js_made(event, bad));
}

int
tournament_play_off(struct tournament *t, int round)
{
	struct tournament_round *rd = tournament_round(t, round);
	struct tournament_table *table;
	bool is_due;
	size_t i;

	if (!tournament_is_knockout(t, round))
		return (0);
	for (i = 0; i < rd->n_tables; i++) {
		table = &rd->tables[i];
		is_due = tournament_bracket_plays_off(t, table);
		if (is_due == (table->n_legs > table->n_base))
			continue;
		if (is_due) {
			table->legs[table->n_legs++].since_ms = t->at_ms;
			continue;
		}
		tournament_leg_void(t, &table->legs[--table->n_legs]);
		memset(&table->legs[table->n_legs], 0,
		    sizeof(struct tournament_leg));
		tournament_leg_begin(t, &table->legs[table->n_legs]);
	}
	return (0);
}

/* True if the results of games alone call for a table's play-off. */
static bool
tournament_is_drawn_by_game(const struct tournament_table *table)
{
	int leg;

	for (leg = 0; leg < table->n_base; leg++) {
		if (table->legs[leg].is_of_game &&
		    table->legs[leg].given_by == NULL)
			return (true);
	}
	return (false);
}

void
tournament_play_off_none(struct tournament *t, const struct tournament_line *l)
{
	struct tournament_table *table;
	struct tournament_leg *leg;
	size_t i, k;

	if (!tournament_is_old(t, l))
		return;
	for (i = 0; i < t->n_rounds; i++) {
		for (k = 0; k < t->rounds[i].n_tables; k++) {
			table = &t->rounds[i].tables[k];
			leg = &table->legs[table->n_base];
			if (table->n_legs > table->n_base && !leg->has_game &&
			    leg->result == TOURNAMENT_NONE &&
			    !tournament_is_drawn_by_game(table)) {
				table->n_legs = table->n_base;
				tournament_note_older(t);
			}
		}
	}
}

/* True if somebody forfeited every leg of a table as not come. */
static bool
tournament_is_no_show(const struct tournament_table *table, int number)
{
	int leg, side;

	for (leg = 1; leg <= table->n_legs; leg++) {
		side = tournament_side(table, leg, 1) == number ? 1 : 2;
		if (!tournament_is_result(table->legs[leg - 1].result) ||
		    !table->legs[leg - 1].is_absent[side])
			return (false);
	}
	return (true);
}

/* How many tables in a row, from one on, somebody did not come to. */
static int
tournament_missed(
    const struct tournament *t, int round, int step, int number, int *last)
{
	const struct tournament_table *table;
	bool has_bye;
	int n = 0;

	for (; round >= 1 && round <= (int)t->n_rounds; round += step) {
		table = tournament_table_of(
		    tournament_round(t, round), number, &has_bye);
		if (table == NULL)
			continue;
		if (!tournament_is_no_show(table, number))
			break;
		*last = round;
		n++;
	}
	return (n);
}

/* Takes somebody out after so many tables in a row at which they were not. */
static int
tournament_no_shows(struct tournament *t, const struct tournament_line *l,
    int round, int number)
{
	struct tournament_entrant *x = tournament_entrant(t, number);
	int first = round, last = round, from, n, r;
	bool has_later = false;
	json_t *event;

	n = tournament_missed(t, round, -1, number, &first);
	/* Where all rounds are paired, a later table can be done before. */
	if (n > 0 && n < t->terms.out_after) {
		n += tournament_missed(t, round + 1, 1, number, &last);
		has_later = true;
	}
	from = t->terms.is_concurrent ? last + 1 : tournament_next(t);
	if (n < t->terms.out_after || from > tournament_rounds(t) ||
	    !tournament_is_in(x, from))
		return (0);
	event = json_pack(
	    "{s:s, s:i, s:i}", "e", "out", "entrant", number, "from", from);
	if (has_later && tournament_lacks(t, l, event)) {
		json_decref(event);
		return (0);
	}
	r = tournament_event(l, event);
	x->out_seq = t->seq + 1;
	return (r != 0 ? r : tournament_go_out(t, l, number, from));
}

/* What gave a result, if that is news to its table: static; NULL. */
static const char *
tournament_given_by(const char *how)
{
	int i;

	for (i = 0; i < TOURNAMENT_GROUNDS; i++) {
		if (strcmp(how, tournament_grounds[i]) == 0)
			return (tournament_grounds[i]);
	}
	return (strcmp(how, "out") == 0 ? "out" : NULL);
}

int
tournament_result_give(struct tournament *t, const struct tournament_line *l,
    const struct tournament_given *g)
{
	struct tournament_table *table =
	    tournament_table(t, g->place.round, g->place.table);
	struct tournament_leg *leg = tournament_leg(t, &g->place);
	int side, r;

	if (!g->is_quiet &&
	    (r = tournament_event(l, tournament_result_event(leg, g))) != 0)
		return (r);
	leg->notice.seq = -1;
	leg->result = g->result;
	leg->bp = g->bp;
	leg->result_seq = t->seq + 1;
	leg->is_of_game = g->is_of_game && g->result != TOURNAMENT_AWAITED;
	leg->given_by = tournament_given_by(g->how);
	memcpy(leg->is_absent, g->is_absent, sizeof(leg->is_absent));
	if (g->result == TOURNAMENT_AWAITED) {
		if (leg->awaited_ms < 0)
			leg->awaited_ms = t->at_ms;
		return (0);
	}
	leg->awaited_ms = -1;
	t->result_ms = t->at_ms;
	if ((r = tournament_play_off(t, g->place.round)) != 0 ||
	    !tournament_is_complete_table(table))
		return (r);
	for (side = 1; side <= 2; side++) {
		r = tournament_no_shows(t, l, g->place.round,
		    tournament_side(table, g->place.leg, side));
		if (r != 0)
			return (r);
	}
	return (0);
}

/* The result of a leg of which those are there who are not out. */
static enum tournament_result
tournament_forfeit(bool is_one_here, bool is_two_here)
{
	if (is_one_here == is_two_here)
		return (TOURNAMENT_BOTH);
	return (is_one_here ? TOURNAMENT_PLUS : TOURNAMENT_MINUS);
}

/* Gives a leg away for those who are out of its round, and one more. */
static int
tournament_give_away(struct tournament *t, const struct tournament_line *l,
    int round, size_t i, int leg, int number)
{
	const struct tournament_table *table =
	    &tournament_round(t, round)->tables[i];
	const int one = tournament_side(table, leg, 1),
		  two = tournament_side(table, leg, 2);
	const struct tournament_given given = {
	    .place = {round, (int)i + 1, leg},
	    .result = tournament_forfeit(one != number &&
		    tournament_is_in(tournament_entrant(t, one), round),
		two != number &&
		    tournament_is_in(tournament_entrant(t, two), round)),
	    .how = "out"};

	return (tournament_result_give(t, l, &given));
}

int
tournament_result_out(
    struct tournament *t, const struct tournament_line *l, int round)
{
	const struct tournament_round *rd = tournament_round(t, round);
	const struct tournament_leg *leg;
	const struct tournament_table *table;
	size_t i;
	int k, r;

	if (t->terms.format != TERMS_ROUNDROBIN &&
	    !tournament_is_knockout(t, round))
		return (0);
	for (i = 0; i < rd->n_tables; i++) {
		table = &rd->tables[i];
		if (tournament_is_in(tournament_entrant(t, table->a), round) &&
		    tournament_is_in(tournament_entrant(t, table->b), round))
			continue;
		for (k = 1; k <= table->n_legs; k++) {
			leg = &table->legs[k - 1];
			if (tournament_is_result(leg->result) || leg->has_game)
				continue;
			if ((r = tournament_give_away(t, l, round, i, k, 0)) !=
			    0)
				return (r);
		}
	}
	return (0);
}

/* Both lose a leg, if the line is not of those that do without that. */
static int
tournament_lose_both(struct tournament *t, const struct tournament_line *l,
    const struct tournament_place *place)
{
	const struct tournament_given g = {
	    .place = *place, .how = "out", .result = TOURNAMENT_BOTH};
	json_t *event = tournament_result_event(tournament_leg(t, place), &g);
	const bool lacks = tournament_lacks(t, l, event);

	json_decref(event);
	return (lacks ? 0 : tournament_result_give(t, l, &g));
}

/* Tables both of whose entrants are out now, and that no game decides. */
static int
tournament_result_both(
    struct tournament *t, const struct tournament_line *l, int round)
{
	const struct tournament_table *table;
	const int next = tournament_next(t);
	struct tournament_place place;
	size_t i;
	int k, r;

	for (i = 0; i < tournament_round(t, round)->n_tables; i++) {
		table = &tournament_round(t, round)->tables[i];
		if (tournament_is_in(tournament_entrant(t, table->a), next) ||
		    tournament_is_in(tournament_entrant(t, table->b), next))
			continue;
		for (k = 1; k <= table->n_legs; k++) {
			if (tournament_is_result(table->legs[k - 1].result) ||
			    table->legs[k - 1].has_game)
				continue;
			place = (struct tournament_place){round, (int)i + 1, k};
			if ((r = tournament_lose_both(t, l, &place)) != 0)
				return (r);
		}
	}
	return (0);
}

int
tournament_go_out(
    struct tournament *t, const struct tournament_line *l, int number, int from)
{
	int round, r;

	tournament_turn(tournament_entrant(t, number), from, false);
	for (round = 1; round <= (int)t->n_rounds; round++) {
		if (round >= from &&
		    (r = tournament_result_out(t, l, round)) != 0)
			return (r);
		if ((r = tournament_result_both(t, l, round)) != 0)
			return (r);
	}
	return (0);
}

int
tournament_result_expel(struct tournament *t, const struct tournament_line *l,
    int round, int number)
{
	const struct tournament_round *rd = tournament_round(t, round);
	const struct tournament_table *table;
	size_t i;
	int k, r;

	for (i = 0; i < rd->n_tables; i++) {
		table = &rd->tables[i];
		if (table->a != number && table->b != number)
			continue;
		for (k = 1; k <= table->n_legs; k++) {
			if (tournament_is_result(table->legs[k - 1].result))
				continue;
			r = tournament_give_away(t, l, round, i, k, number);
			if (r != 0)
				return (r);
		}
	}
	return (0);
}
