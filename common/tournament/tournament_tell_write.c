/* SPDX-License-Identifier: ISC */
/* What there is to say of each thing that people are told, as JSON. */
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/game/game_take.h"
#include "common/json/js.h"
#include "common/json/js_put.h"
#include "common/tournament/tournament_int.h"
#include "common/tournament/tournament_tell.h"

void
tournament_tell_memo_clear(struct tournament_tell_memo *memo)
{
	free(memo->rows);
	memset(memo, 0, sizeof(*memo));
}

/* Where it is: round of how many, table, leg of how many. */
static void
tournament_tell_write_place(const struct tournament *t,
    const struct tournament_tell *tell, struct buf *out)
{
	const struct tournament_place *place = &tell->place;
	const struct tournament_table *table =
	    tournament_table(t, place->round, place->table);

	if (place->round > 0) {
		js_put_int(out, "round", place->round);
		js_put_int(out, "rounds", tournament_rounds(t));
	}
	if (place->table > 0)
		js_put_int(out, "table", place->table);
	if (place->leg > 0)
		js_put_int(out, "leg", place->leg);
	if (table != NULL && place->leg > 0)
		js_put_int(out, "legs", table->n_legs);
}

/* Finds what a round's roster calls its armies; names that mails can hold. */
static int
tournament_tell_armies(
    const struct tournament *t, int round, struct tournament_tell_memo *memo)
{
	const struct terms *terms = &t->terms;
	const char *const hex = json_string_value(
	    terms->scenarios[(size_t)(round - 1) % terms->n_scenarios].roster);
	uint8_t hash[HASH_LEN];
	const char *bytes, *name;
	json_t *roster;
	size_t len;
	int r, side;

	if (memo->blobs == NULL || memo->round == round)
		return (0);
	memset(memo->armies, 0, sizeof(memo->armies));
	memo->round = round;
	if (hex_parse(hash, HASH_LEN, hex, strlen(hex)) != 0)
		return (0);
	r = memo->blobs->get(memo->blobs->arg, hash, &bytes, &len);
	if (r == 0)
		r = js_load(bytes, len, JS_DEPTH_RECORD, &roster, NULL);
	/* One that is not at hand names nobody. */
	if (r != 0)
		return (r == ERR_NOMEM || r == ERR_STORAGE ? r : 0);
	for (side = 1; side <= 2; side++) {
		name = js_str(json_object_get(json_object_get(roster, "sides"),
				  side == 1 ? "1" : "2"),
		    "name");
		if (name != NULL && order_is_event(name))
			memcpy(memo->armies[side], name, strlen(name) + 1);
	}
	json_decref(roster);
	return (0);
}

/*
 * A table as one of its two sees it: side, opponent, scenario, end; with memo,
 * also the army.
 */
static int
tournament_tell_write_table(const struct tournament *t,
    const struct tournament_tell *tell, struct tournament_tell_memo *memo,
    struct buf *out)
{
	const struct tournament_place *place = &tell->place;
	const struct tournament_table *table =
	    tournament_table(t, place->round, place->table);
	const int number = t->accounts[tell->account].number;
	const struct tournament_leg *leg = tournament_leg(t, place);
	const struct terms *terms = &t->terms;
	int r, side;

	if (leg == NULL || (number != table->a && number != table->b))
		return (0);
	side = tournament_side(table, place->leg, 1) == number ? 1 : 2;
	js_put_int(out, "side", side);
	if (memo != NULL) {
		if ((r = tournament_tell_armies(t, place->round, memo)) != 0)
			return (r);
		if (memo->armies[side][0] != '\0')
			js_put_str(out, "army", memo->armies[side]);
	}
	js_put_str(out, "opponent",
	    tournament_account(
		t, tournament_side(table, place->leg, 3 - side)));
	if (place->leg > table->n_base)
		js_put_bool(out, "play_off", true);
	js_put_str(out, "scenario",
	    terms->scenarios[(size_t)(place->round - 1) % terms->n_scenarios]
		.name);
	js_put_at(out, "ends", tournament_due_ms(t, leg, TOURNAMENT_LATE));
	return (0);
}

/* The two of a table. */
static void
tournament_tell_write_players(const struct tournament *t,
    const struct tournament_tell *tell, struct buf *out)
{
	const struct tournament_table *table =
	    tournament_table(t, tell->place.round, tell->place.table);

	if (table == NULL)
		return;
	js_put_open(out, "players", '[');
	js_put_str(out, NULL, tournament_account(t, table->a));
	js_put_str(out, NULL, tournament_account(t, table->b));
	js_put_close(out, ']');
}

/* What a result is to somebody: "win", "draw", "loss"; NULL: none. */
static const char *
tournament_tell_outcome(
    const struct tournament *t, const struct tournament_tell *tell)
{
	const struct tournament_place *place = &tell->place;
	const struct tournament_table *table =
	    tournament_table(t, place->round, place->table);
	const struct tournament_leg *leg = tournament_leg(t, place);
	const int number = t->accounts[tell->account].number;
	bool is_one;

	if (leg == NULL)
		return (NULL);
	is_one = tournament_side(table, place->leg, 1) == number;
	switch (leg->result) {
	case TOURNAMENT_1:
	case TOURNAMENT_PLUS:
		return (is_one ? "win" : "loss");
	case TOURNAMENT_2:
	case TOURNAMENT_MINUS:
		return (is_one ? "loss" : "win");
	case TOURNAMENT_DRAW:
		return ("draw");
	case TOURNAMENT_BOTH:
		return ("loss");
	default:
		return (NULL);
	}
}

/* A ruling: of what form, by whom, and what comes of it. */
static void
tournament_tell_write_ruling(const struct tournament *t,
    const struct tournament_tell *tell, struct buf *out)
{
	const struct tournament_ruling *u = NULL;
	const char *outcome = NULL;
	size_t i;

	for (i = 0; i < t->n_rulings; i++) {
		if (t->rulings[i].seq == tell->since)
			u = &t->rulings[i];
	}
	if (u == NULL)
		return;
	js_put_str(out, "by", t->accounts[u->account].name);
	js_put_str(out, "form", tournament_forms[u->form]);
	if (u->form == TOURNAMENT_RESULT)
		outcome = tournament_tell_outcome(t, tell);
	if (outcome != NULL)
		js_put_str(out, "outcome", outcome);
	if (u->form == TOURNAMENT_POINTS)
		js_put_int(out, "half", u->half);
}

/* A table that was decided: against whom, by what, and how. */
static void
tournament_tell_write_result(const struct tournament *t,
    const struct tournament_tell *tell, const char *by, struct buf *out)
{
	const struct tournament_leg *leg = tournament_leg(t, &tell->place);
	const char *outcome = tournament_tell_outcome(t, tell);

	if (by != NULL)
		js_put_str(out, "by", by);
	(void)tournament_tell_write_table(t, tell, NULL, out);
	js_put_str(out, "how", leg->given_by);
	if (outcome != NULL)
		js_put_str(out, "outcome", outcome);
}

/* Where somebody has come out, and who has won. */
static int
tournament_tell_write_over(const struct tournament *t,
    const struct tournament_tell *tell, struct tournament_tell_memo *memo,
    struct buf *out)
{
	const int number = t->accounts[tell->account].number;
	struct errinfo why = {.text = ""};
	size_t i;
	int r;

	if (t->n_lots == 0)
		return (0);
	if (memo->rows == NULL) {
		r = tournament_standings(t, &memo->rows, &memo->n, &why);
		if (r != 0)
			return (r);
	}
	js_put_int(out, "of", (int64_t)memo->n);
	for (i = 0; i < memo->n; i++) {
		if (memo->rows[i].number != number)
			continue;
		js_put_int(out, "rank", memo->rows[i].rank);
		js_put_int(out, "half", memo->rows[i].points);
	}
	js_put_open(out, "winners", '[');
	/* More than a few share a place only where nothing was played. */
	for (i = 0; i < memo->n && i < 4 && memo->rows[i].rank == 1; i++)
		js_put_str(
		    out, NULL, tournament_account(t, memo->rows[i].number));
	js_put_close(out, ']');
	return (0);
}

int
tournament_tell_write(const struct tournament *t,
    const struct tournament_tell *tell, const char *by,
    struct tournament_tell_memo *memo, struct buf *out)
{
	const char *who = tournament_account(t, tell->number);
	int r = 0;

	js_put_open(out, NULL, '{');
	tournament_tell_write_place(t, tell, out);
	switch (tell->what) {
	case TOLD_ADMIT:
		js_put_int(out, "entrant", tell->number);
		js_put_str(out, "account", who == NULL ? "" : who);
		break;
	case TOLD_CLAIM:
		if (by != NULL)
			js_put_str(out, "by", by);
		r = tournament_tell_write_table(t, tell, NULL, out);
		break;
	case TOLD_RESULT:
		tournament_tell_write_result(t, tell, by, out);
		break;
	case TOLD_TABLE:
	case TOLD_OPPONENT:
	case TOLD_START_ENDS:
	case TOLD_ROUND_ENDS:
		r = tournament_tell_write_table(t, tell, memo, out);
		break;
	case TOLD_BYE:
		js_put_int(out, "half",
		    tournament_round_points(t,
			t->accounts[tell->account].number, tell->place.round));
		break;
	case TOLD_ANSWER:
	case TOLD_PROTEST:
		js_put_str(out, "by", who == NULL ? "" : who);
		tournament_tell_write_players(t, tell, out);
		break;
	case TOLD_START:
		/* Nobody asks a witness whether they want to be one. */
		if (t->accounts[tell->account].is_witness)
			js_put_bool(out, "witness", true);
		break;
	case TOLD_RULE:
		tournament_tell_write_players(t, tell, out);
		break;
	case TOLD_RULING:
		tournament_tell_write_ruling(t, tell, out);
		break;
	case TOLD_OVER:
		r = tournament_tell_write_over(t, tell, memo, out);
		break;
	default:
		break;
	}
	js_put_close(out, '}');
	return (r != 0 ? r : buf_error(out));
}
