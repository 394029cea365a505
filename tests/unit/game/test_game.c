/* SPDX-License-Identifier: ISC */
/*
 * Games as they are played: pools, places, dice, turns, the state saved and
 * read back after every line (umpire-record.7, S3 to S6).  What is refused
 * is test_game_refusals.c's, how games end test_game_end.c's.
 */
#include "common/game/game.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/crypt/expand.h"
#include "common/game/game_make.h"
#include "common/game/game_take.h"

#include "tests/lib/table.h"

/* A member of game_view(), which must be an integer. */
static int
view_int(const struct table *t, const char *name)
{
	json_t *view = game_view(t->game);
	const json_t *v = json_object_get(view, name);
	int n;

	assert_true(json_is_integer(v));
	n = (int)json_integer_value(v);
	json_decref(view);
	return (n);
}

/* True if what is owed first is `what`, by n as seat or side. */
static bool
owes(const struct table *t, const char *who, int n, const char *what)
{
	json_t *owed = table_owed(t);
	bool is;

	is = owed != NULL &&
	    json_integer_value(json_object_get(owed, who)) == n &&
	    strcmp(json_string_value(json_object_get(owed, "what")), what) == 0;
	json_decref(owed);
	return (is);
}

/* A member of a unit in the roster as it now is, borrowed from *view (new). */
static const json_t *
unit_member(
    const struct table *t, const char *id, const char *name, json_t **view)
{
	const json_t *units, *unit;
	const char *side;
	size_t i;

	*view = game_view(t->game);
	side = strncmp(id, "fr-", 3) == 0 ? "1" : "2";
	units = json_object_get(
	    json_object_get(json_object_get(*view, "roster"), side), "units");
	json_array_foreach(units, i, unit)
	{
		if (strcmp(json_string_value(json_object_get(unit, "id")),
			id) == 0)
			return (json_object_get(unit, name));
	}
	fail_msg("no unit %s", id);
	return (NULL);
}

/* Fails unless the order made last has this place. */
static void
place_is(const struct table *t, const char *place)
{
	json_t *order = table_order(t);

	assert_string_equal(
	    json_string_value(json_object_get(order, "place")), place);
	json_decref(order);
}

/* S6.5: H(T(tag) || first || rest). */
static void
hash_of(uint8_t out[HASH_LEN], const char *tag, const void *p, size_t n)
{
	assert_int_equal(hash_tagged(out, tag, p, n), 0);
}

/* beta of a seat's contribution to a place under a pool, worked out anew. */
static void
beta_of(const struct table *t, int seat, const uint8_t pool[HASH_LEN],
    const char *place, uint8_t beta[VRF_BETA_LEN])
{
	uint8_t in[64 + 2 + 128], base[HASH_LEN], alpha[14 + HASH_LEN];
	uint8_t proof[VRF_PROOF_LEN];
	size_t n = strlen(place);

	memcpy(in, game_id(t->game), 32);
	memcpy(in + 32, pool, 32);
	in[64] = 0;
	in[65] = (uint8_t)n;
	memcpy(in + 66, place, n);
	hash_of(base, "umpire/base/1", in, 66 + n);
	memcpy(alpha, "umpire/own/1", 13);
	memcpy(alpha + 13, base, HASH_LEN);
	assert_int_equal(
	    vrf_prove(&t->keys[seat].dice, alpha, 13 + HASH_LEN, proof, beta),
	    0);
}

static void
ready_moves_the_pool_as_the_format_says(void **state)
{
	uint8_t in[32 + 1 + 33 + 1 + 2 * 34], pool[HASH_LEN], moved[96];
	struct table t;

	(void)state;
	table_seated(&t);
	assert_int_equal(game_phase(t.game), GAME_MUSTER);
	assert_int_equal(game_turn(t.game), 0);
	memcpy(in, game_id(t.game), 32);
	in[32] = 1; /* dual-1 */
	memcpy(in + 33, t.server_dice.public_key, 33);
	in[66] = 2;
	in[67] = 1;
	memcpy(in + 68, t.keys[1].dice.public_key, 33);
	in[101] = 2;
	memcpy(in + 102, t.keys[2].dice.public_key, 33);
	hash_of(pool, "umpire/start/1", in, sizeof(in));
	assert_memory_equal(game_pool(t.game), pool, HASH_LEN);
	assert_true(owes(&t, "seat", 1, "ready"));
	table_play(&t, 2, ORDER_READY, "{}");
	place_is(&t, "p/0");
	assert_false(t.fx.has_pool);
	assert_string_equal(t.fx.place, "");
	assert_memory_equal(game_pool(t.game), pool, HASH_LEN);
	table_reload(&t);
	table_play(&t, 1, ORDER_READY, "{}");
	place_is(&t, "p/0");
	assert_true(t.fx.has_pool);
	assert_string_equal(t.fx.place, "p/0");
	assert_memory_equal(t.fx.place_pool, pool, HASH_LEN);
	/* By seat, whoever was first. */
	memcpy(moved, pool, 32);
	beta_of(&t, 1, pool, "p/0", moved + 32);
	beta_of(&t, 2, pool, "p/0", moved + 64);
	hash_of(pool, "umpire/pool/1", moved, 96);
	assert_memory_equal(game_pool(t.game), pool, HASH_LEN);
	assert_memory_equal(t.fx.pool, pool, HASH_LEN);
	assert_int_equal(game_phase(t.game), GAME_PLAY);
	assert_int_equal(game_turn(t.game), 1);
	assert_int_equal(view_int(&t, "epoch"), 1);
	assert_true(owes(&t, "side", 1, "turn"));
	table_clear(&t);
}

static void
turn_end_moves_pool_turn_and_round(void **state)
{
	uint8_t moved[64], pool[HASH_LEN];
	char place[16];
	struct table t;
	int turn;

	(void)state;
	table_begun(&t);
	for (turn = 1; turn <= 5; turn++) {
		assert_int_equal(game_turn(t.game), turn);
		assert_int_equal(game_side(t.game), turn % 2 == 1 ? 1 : 2);
		assert_int_equal(view_int(&t, "round"), (turn + 1) / 2);
		(void)snprintf(place, sizeof(place), "p/%d", turn);
		memcpy(moved, game_pool(t.game), 32);
		beta_of(&t, game_side(t.game), moved, place, moved + 32);
		hash_of(pool, "umpire/pool/1", moved, 64);
		table_play(&t, game_side(t.game), ORDER_TURN_END, "{}");
		place_is(&t, place);
		assert_memory_equal(game_pool(t.game), pool, HASH_LEN);
		assert_string_equal(t.fx.place, place);
		assert_memory_equal(t.fx.place_pool, moved, HASH_LEN);
		assert_int_equal(json_array_size(t.fx.events), 0);
		assert_null(t.fx.dice);
		table_reload(&t);
	}
	table_clear(&t);
}

/* S6.4, S7: the dice of a line, worked out anew from keys and place. */
static void
check_dice(const struct table *t, int seat, const uint8_t pool[HASH_LEN])
{
	uint8_t alpha[14 + 32 + 32], in[66 + 128], proof[VRF_PROOF_LEN];
	uint8_t beta[VRF_BETA_LEN];
	uint16_t dice[EXPAND_DICE_MAX];
	const json_t *rolls, *roll, *shown;
	const char *place;
	size_t i, j, n;

	place = json_string_value(json_object_get(t->fx.dice, "place"));
	assert_string_equal(place, t->fx.place);
	n = strlen(place);
	memcpy(in, game_id(t->game), 32);
	memcpy(in + 32, pool, 32);
	in[64] = 0;
	in[65] = (uint8_t)n;
	memcpy(in + 66, place, n);
	memcpy(alpha, "umpire/dice/1", 14);
	hash_of(alpha + 14, "umpire/base/1", in, 66 + n);
	beta_of(t, seat, pool, place, alpha + 46);
	assert_int_equal(
	    vrf_prove(&t->server_dice, alpha, sizeof(alpha), proof, beta), 0);
	rolls = json_object_get(t->fx.dice, "rolls");
	assert_true(json_array_size(rolls) > 0);
	json_array_foreach(rolls, i, roll)
	{
		shown = json_object_get(roll, "dice");
		n = json_array_size(shown);
		assert_int_equal(
		    expand_roll(beta,
			json_string_value(json_object_get(roll, "label")),
			(unsigned)json_integer_value(
			    json_object_get(roll, "sides")),
			(unsigned)n, dice),
		    0);
		for (j = 0; j < n; j++)
			assert_int_equal(
			    json_integer_value(json_array_get(shown, j)),
			    dice[j]);
	}
}

/* The last event's kind. */
static const char *
last_event(const struct table *t)
{
	size_t n = json_array_size(t->fx.events);

	return (json_string_value(
	    json_object_get(json_array_get(t->fx.events, n - 1), "e")));
}

static void
a_declare_rolls_its_dice_and_settles(void **state)
{
	uint8_t pool[HASH_LEN];
	struct table t;
	json_t *view;
	const json_t *rolls;

	(void)state;
	table_begun(&t);
	memcpy(pool, game_pool(t.game), HASH_LEN);
	table_play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
	place_is(&t, "c/1/ru-1/1/1");
	assert_false(t.fx.has_pool);
	assert_memory_equal(t.fx.place_pool, pool, HASH_LEN);
	check_dice(&t, 1, pool);
	rolls = json_object_get(t.fx.dice, "rolls");
	assert_int_equal(json_array_size(rolls), 2);
	assert_string_equal(json_string_value(json_object_get(
				json_array_get(rolls, 0), "label")),
	    "score/fr-1");
	/* The roster is merged in, the dice are those of the line. */
	assert_string_equal(
	    json_string_value(json_object_get(
		json_array_get(json_object_get(
				   json_array_get(t.fx.events, 0), "attackers"),
		    0),
		"name")),
	    "1er Ligne");
	table_reload(&t);
	table_settle(&t);
	assert_string_equal(last_event(&t), "result");
	view = game_view(t.game);
	assert_true(json_is_null(json_object_get(view, "combat")));
	json_decref(view);
	assert_true(owes(&t, "side", 1, "turn"));
	table_reload(&t);
	table_clear(&t);
}

/* A question comes first: nothing is drawn, and the place stays unused. */
static void
a_question_comes_before_the_dice_and_its_answer_rolls_them(void **state)
{
	uint8_t pool[HASH_LEN];
	struct table t;
	json_t *owed, *view;
	int64_t declared;

	(void)state;
	table_begun(&t);
	memcpy(pool, game_pool(t.game), HASH_LEN);
	table_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	declared = game_seq(t.game);
	place_is(&t, "c/1/ru-a1/1/1");
	assert_null(t.fx.dice);
	assert_string_equal(t.fx.place, "");
	assert_string_equal(last_event(&t), "ask");
	table_reload(&t);
	owed = table_owed(&t);
	assert_int_equal(json_integer_value(json_object_get(owed, "side")), 2);
	assert_int_equal(
	    json_integer_value(json_object_get(owed, "ask")), declared);
	assert_string_equal(
	    json_string_value(json_object_get(owed, "kind")), "retire");
	json_decref(owed);
	view = game_view(t.game);
	assert_int_equal(json_integer_value(json_object_get(
			     json_object_get(view, "combat"), "declare")),
	    declared);
	json_decref(view);
	/* Chat does not answer it, nor make the answer stale. */
	table_play(&t, 1, ORDER_CHAT, TABLE_CHAT);
	table_reload(&t);
	table_answer(&t);
	place_is(&t, "c/1/ru-a1/1/1");
	check_dice(&t, 2, pool);
	assert_string_equal(json_string_value(json_object_get(
				json_array_get(t.fx.events, 0), "e")),
	    "decision");
	table_reload(&t);
	table_settle(&t);
	assert_string_equal(last_event(&t), "result");
	table_clear(&t);
}

/* Any seat's unit ids: what became of them stands in the roster. */
static void
results_are_written_into_the_roster(void **state)
{
	const json_t *events, *result, *units, *fate;
	const char *id, *end, *out;
	struct table t;
	json_t *view, *copy;

	(void)state;
	table_begun(&t);
	table_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	table_settle(&t);
	events = t.fx.events;
	result = json_array_get(events, json_array_size(events) - 1);
	copy = json_deep_copy(json_object_get(result, "units"));
	units = copy;
	assert_int_equal(json_object_size(units), 3);
	json_object_foreach((json_t *)(uintptr_t)units, id, copy)
	{
		fate = copy;
		assert_true(json_equal(unit_member(&t, id, "strength", &view),
		    json_object_get(fate, "strength")));
		json_decref(view);
		end = json_string_value(json_object_get(fate, "state"));
		out = json_string_value(unit_member(&t, id, "out", &view));
		if (strcmp(end, "broken") == 0 || strcmp(end, "retired") == 0)
			assert_string_equal(out, end);
		else
			assert_null(out);
		json_decref(view);
	}
	json_decref((json_t *)(uintptr_t)units);
	table_clear(&t);
}

/* k counts combats of the turn that drew, step the lines that drew. */
static void
places_count_what_drew_dice(void **state)
{
	static const char two[] =
	    "{'combat':{'attackers':[{'id':'fr-3','formation':'column'}],"
	    "'defenders':[{'id':'ru-3','formation':'line'},{'id':'ru-2',"
	    "'formation':'line'}],'contacts':[{'attacker':'fr-3',"
	    "'defender':'ru-3','edge':'front'},{'attacker':'fr-3',"
	    "'defender':'ru-2','edge':'front'}]}}";
	char place[ORDER_PLACE_MAX + 1];
	struct table t;
	json_t *args;

	(void)state;
	table_begun(&t);
	/* The least id in byte order, wherever it stands. */
	table_play(&t, 1, ORDER_DECLARE, two);
	place_is(&t, "c/1/ru-2/1/1");
	table_settle(&t);
	/* These dice lead to a question, whose answer draws nothing. */
	table_play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
	place_is(&t, "c/1/ru-1/1/1");
	table_reload(&t);
	assert_true(table_is_asked(&t));
	table_answer(&t);
	place_is(&t, "c/1/ru-1/1/2");
	assert_null(t.fx.dice);
	assert_string_equal(t.fx.place, "");
	assert_false(table_is_asked(&t));
	args = table_json(two);
	assert_int_equal(
	    game_place(t.game, 1, ORDER_DECLARE, args, place, &t.e), 0);
	assert_string_equal(place, "c/1/ru-2/2/1");
	json_decref(args);
	/* Another id counts for itself. */
	args = table_json(TABLE_FIGHT);
	assert_int_equal(
	    game_place(t.game, 1, ORDER_DECLARE, args, place, &t.e), 0);
	assert_string_equal(place, "c/1/ru-1/2/1");
	json_decref(args);
	args = table_json(TABLE_GUNS);
	assert_int_equal(
	    game_place(t.game, 1, ORDER_DECLARE, args, place, &t.e), 0);
	assert_string_equal(place, "c/1/ru-a1/1/1");
	json_decref(args);
	table_play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
	place_is(&t, "c/1/ru-1/2/1");
	table_reload(&t);
	table_settle(&t);
	args = table_json(TABLE_FIGHT);
	assert_int_equal(
	    game_place(t.game, 1, ORDER_DECLARE, args, place, &t.e), 0);
	assert_string_equal(place, "c/1/ru-1/3/1");
	json_decref(args);
	/* A new turn begins anew. */
	table_play(&t, 1, ORDER_TURN_END, "{}");
	table_reload(&t);
	args = table_json(two);
	assert_int_equal(
	    game_place(t.game, 1, ORDER_DECLARE, args, place, &t.e), 0);
	assert_string_equal(place, "c/2/ru-2/1/1");
	json_decref(args);
	table_clear(&t);
}

/* Takes t->text on a copy of the game; what the line would hold, new. */
static json_t *
would_be(struct table *t, int seat)
{
	const struct game_dice dice = {table_prove_cb, t};
	struct game *g = table_copy(t);
	struct game_effects fx;
	struct errinfo e = {0};
	struct order o;
	json_t *v;
	int r;

	assert_int_equal(order_parse(t->text.data, t->text.len, &o, &e), 0);
	r = game_take(
	    g, &o, t->keys[seat].sign.public_key, &dice, NULL, &fx, &e);
	if (r != 0)
		fail_msg("%d %s: %s", r, e.where, e.text);
	v = json_pack("[O, O]", fx.dice, fx.events);
	assert_non_null(v);
	game_effects_clear(&fx);
	order_clear(&o);
	game_free(g);
	return (v);
}

/* True if the last of the events asks for a decision of this kind. */
static bool
asks(const json_t *events, const char *kind)
{
	const char *is;

	is = json_string_value(json_object_get(
	    json_array_get(events, json_array_size(events) - 1), "kind"));
	return (is != NULL && strcmp(is, kind) == 0);
}

/* Lancers that roll low before a square: dice fall in two lines. */
static void
a_second_line_of_a_combat_draws_at_its_own_step(void **state)
{
	static const char charge[] =
	    "{'combat':{'attackers':[{'id':'fr-c1','formation':'line'}],"
	    "'defenders':[{'id':'ru-2','formation':'square'}],'contacts':["
	    "{'attacker':'fr-c1','defender':'ru-2','edge':'front'}]}}";
	uint8_t pool[HASH_LEN];
	struct table t;
	json_t *line;

	(void)state;
	table_begun(&t);
	/* Turn by turn until the dice are such; they are fixed by the keys. */
	for (;;) {
		assert_int_equal(
		    table_make(&t, 1, ORDER_DECLARE, table_json(charge)), 0);
		line = would_be(&t, 1);
		if (asks(json_array_get(line, 1), "reroll"))
			break;
		json_decref(line);
		assert_true(game_turn(t.game) < 60);
		table_play(&t, 1, ORDER_TURN_END, "{}");
		table_play(&t, 2, ORDER_TURN_END, "{}");
	}
	memcpy(pool, game_pool(t.game), HASH_LEN);
	assert_int_equal(table_take(&t, 1), 0);
	assert_true(json_equal(json_array_get(line, 0), t.fx.dice));
	assert_true(json_equal(json_array_get(line, 1), t.fx.events));
	json_decref(line);
	check_dice(&t, 1, pool);
	table_reload(&t);
	table_answer(&t);
	assert_memory_equal(
	    t.fx.place + strlen(t.fx.place) - 9, "/ru-2/1/2", 9);
	check_dice(&t, 1, pool);
	table_reload(&t);
	table_settle(&t);
	table_clear(&t);
}

/* Whatever a player can vary, the same dice fall. */
static void
an_order_in_other_words_has_the_same_dice(void **state)
{
	json_t *first, *again, *order, *turned, *combat;
	struct table t;
	void *iter;
	int i;

	(void)state;
	table_begun(&t);
	assert_int_equal(
	    table_make(&t, 1, ORDER_DECLARE, table_json(TABLE_FIGHT)), 0);
	first = would_be(&t, 1);
	/* Another nonce. */
	for (i = 0; i < 3; i++) {
		assert_int_equal(
		    table_make(&t, 1, ORDER_DECLARE, table_json(TABLE_FIGHT)),
		    0);
		again = would_be(&t, 1);
		assert_true(json_equal(first, again));
		json_decref(again);
	}
	/* Spaces. */
	for (i = 0; i < 50; i++)
		buf_putc(&t.text, ' ');
	table_sign(&t, 1);
	again = would_be(&t, 1);
	assert_true(json_equal(first, again));
	json_decref(again);
	/* The members turned round. */
	order = table_order(&t);
	turned = json_object();
	while ((iter = json_object_iter(order)) != NULL) {
		again = json_object();
		json_object_set(again, json_object_iter_key(iter),
		    json_object_iter_value(iter));
		json_object_update(again, turned);
		json_object_del(order, json_object_iter_key(iter));
		json_decref(turned);
		turned = again;
	}
	table_reword(&t, 1, turned);
	again = would_be(&t, 1);
	assert_true(json_equal(first, again));
	json_decref(again);
	/* Facts that the roster gives anyway, and others in the situation. */
	combat = json_object_get(
	    json_object_get(json_object_get(turned, "args"), "combat"),
	    "attackers");
	json_object_set_new(
	    json_array_get(combat, 0), "strength", json_integer(5));
	table_reword(&t, 1, turned);
	again = would_be(&t, 1);
	assert_true(json_equal(first, again));
	json_decref(again);
	json_object_set_new(
	    json_array_get(combat, 0), "difficult", json_true());
	table_reword(&t, 1, turned);
	again = would_be(&t, 1);
	assert_true(
	    json_equal(json_array_get(first, 0), json_array_get(again, 0)));
	assert_false(json_equal(first, again));
	json_decref(again);
	json_decref(order);
	json_decref(turned);
	json_decref(first);
	table_clear(&t);
}

/* After other orders that draw nothing, and as late as one likes. */
static void
time_and_talk_do_not_change_the_dice(void **state)
{
	json_t *first, *again;
	struct table t;

	(void)state;
	table_begun(&t);
	assert_int_equal(
	    table_make(&t, 1, ORDER_DECLARE, table_json(TABLE_FIGHT)), 0);
	first = would_be(&t, 1);
	table_play(&t, 2, ORDER_CHAT, TABLE_CHAT);
	table_play(&t, 2, ORDER_CLOSE, "{}");
	t.at_ms += 86400000;
	table_play(&t, 1, ORDER_CHAT, TABLE_CHAT);
	/* Refused ones too. */
	table_no(&t, 2, ORDER_DECLARE, TABLE_FIGHT, ERR_STALE, "turn");
	table_no(&t, 1, ORDER_DECLARE,
	    "{'combat':{'attackers':[],'defenders':[{'id':'ru-1'}],"
	    "'contacts':[]}}",
	    ERR_ILLEGAL, "formation");
	assert_int_equal(
	    table_make(&t, 1, ORDER_DECLARE, table_json(TABLE_FIGHT)), 0);
	again = would_be(&t, 1);
	assert_true(json_equal(first, again));
	json_decref(first);
	json_decref(again);
	table_clear(&t);
}

/* Plays turns with all combats that there are, saving after each line. */
static void
a_whole_game_survives_saving_after_every_line(void **state)
{
	static const char *const fights[] = {TABLE_FIGHT, TABLE_GUNS};
	struct table t;
	json_t *view;
	size_t i;
	int turn;

	(void)state;
	table_init(&t);
	table_make_create(&t, table_create_args(&t, table_roster));
	assert_int_equal(table_open(&t), 0);
	table_reload(&t);
	assert_true(owes(&t, "seat", 2, "join"));
	assert_int_equal(
	    table_try(&t, 2, ORDER_JOIN, table_seat_args(&t, 2)), 0);
	table_reload(&t);
	table_play(&t, 1, ORDER_READY, "{}");
	table_reload(&t);
	table_play(&t, 2, ORDER_READY, "{}");
	table_reload(&t);
	for (turn = 0; turn < 4; turn++) {
		for (i = 0; turn % 2 == 0 && i < 2; i++) {
			if (table_try(&t, 1, ORDER_DECLARE,
				table_json(fights[i])) != 0)
				continue;
			table_reload(&t);
			while (table_is_asked(&t)) {
				table_answer(&t);
				table_reload(&t);
			}
		}
		table_play(&t, game_side(t.game), ORDER_TURN_END, "{}");
		table_reload(&t);
		table_play(&t, 2, ORDER_CHAT, TABLE_CHAT);
		table_reload(&t);
	}
	table_play(&t, 2, ORDER_RESIGN, "{}");
	table_reload(&t);
	assert_int_equal(game_phase(t.game), GAME_OVER);
	table_play(&t, 1, ORDER_CLOSE, "{}");
	table_reload(&t);
	assert_false(game_is_finished(t.game));
	assert_true(owes(&t, "seat", 2, "close"));
	table_play(&t, 2, ORDER_CLOSE, "{}");
	table_reload(&t);
	assert_true(game_is_finished(t.game));
	view = game_view(t.game);
	assert_int_equal(json_integer_value(json_object_get(
			     json_object_get(view, "result"), "winner")),
	    1);
	assert_int_equal(json_array_size(json_object_get(view, "owed")), 0);
	json_decref(view);
	table_clear(&t);
}

static void
plain_questions_have_plain_answers(void **state)
{
	struct table t;
	struct errinfo e;

	(void)state;
	table_begun(&t);
	assert_string_equal(game_system(t.game), "lasalle2");
	assert_string_equal(game_rules(t.game), "lasalle2/1");
	assert_memory_equal(
	    game_server(t.game), t.server.public_key, SIGN_KEY_LEN);
	assert_memory_equal(
	    game_server_dice(t.game), t.server_dice.public_key, VRF_KEY_LEN);
	assert_memory_equal(
	    game_dice_key(t.game, 2), t.keys[2].dice.public_key, VRF_KEY_LEN);
	assert_int_equal(game_seq(t.game), 3);
	assert_int_equal(game_at_ms(t.game), TABLE_AT_MS + 3000);
	assert_int_equal(game_seats(t.game), 2);
	assert_true(game_is_joined(t.game, 1) && game_is_joined(t.game, 2));
	assert_false(game_is_joined(t.game, 0) || game_is_joined(t.game, 3));
	assert_false(game_is_joined(t.game, -1) || game_is_joined(t.game, 99));
	assert_false(game_is_private(t.game));
	assert_string_equal(game_account(t.game, 2), "p2");
	assert_string_equal(game_account(t.game, 3), "");
	assert_true(game_has_key(t.game, 1, t.keys[1].sign.public_key));
	assert_false(game_has_key(t.game, 1, t.keys[2].sign.public_key));
	assert_int_equal(game_is_checkable(t.game, &e), 0);
	assert_string_equal(game_phase_name(game_phase(t.game)), "play");
	assert_int_equal(game_side_of(0), 0);
	assert_int_equal(game_side_of(3), 1);
	assert_int_equal(game_side_of(16), 2);
	table_clear(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(ready_moves_the_pool_as_the_format_says),
	    cmocka_unit_test(turn_end_moves_pool_turn_and_round),
	    cmocka_unit_test(a_declare_rolls_its_dice_and_settles),
	    cmocka_unit_test(
		a_question_comes_before_the_dice_and_its_answer_rolls_them),
	    cmocka_unit_test(results_are_written_into_the_roster),
	    cmocka_unit_test(places_count_what_drew_dice),
	    cmocka_unit_test(a_second_line_of_a_combat_draws_at_its_own_step),
	    cmocka_unit_test(an_order_in_other_words_has_the_same_dice),
	    cmocka_unit_test(time_and_talk_do_not_change_the_dice),
	    cmocka_unit_test(a_whole_game_survives_saving_after_every_line),
	    cmocka_unit_test(plain_questions_have_plain_answers),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
