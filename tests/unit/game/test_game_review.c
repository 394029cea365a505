/* SPDX-License-Identifier: ISC */
/*
 * Bounds and odd ends of play by turns (record S5 to S8): what one player
 * alone could make grow or get stuck, a verifier that runs no rules, and a
 * game that outlives what it was read from.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/game/game_take.h"
#include "tests/lib/agree.h"
#include "tests/lib/table.h"

#define RETIRE_NONE "{'kind':'retire','do':'none'}"

/* A text of so many bytes, padded by what JSON writes with two; new. */
static char *
padded(size_t n)
{
	static const char text[] = RETIRE_NONE;
	char *s = malloc(n + 1);

	assert_non_null(s);
	memset(s, '\n', n);
	memcpy(s + n - (sizeof(text) - 1), text, sizeof(text));
	return (s);
}

/* Puts n standing orders of a seat into the game, as if they had come. */
static void
fill(struct table *t, int seat, size_t n, bool is_withdrawn)
{
	struct game_standing *list, *s;
	char *text = padded(GAME_STANDING_TEXT_MAX);
	size_t i, have = t->game->n_standings;

	list = realloc(t->game->standings, (have + n) * sizeof(*list));
	assert_non_null(list);
	t->game->standings = list;
	for (i = have; i < have + n; i++) {
		s = &list[i];
		memset(s, 0, sizeof(*s));
		s->seq = t->game->seq;
		s->seat = seat;
		s->is_withdrawn = is_withdrawn;
		s->is_held = true;
		memcpy(s->text, text, GAME_STANDING_TEXT_MAX + 1);
	}
	t->game->n_standings = have + n;
	free(text);
}

static void
a_side_gives_so_many_standing_orders_in_a_game(void **state)
{
	struct table t;

	(void)state;
	agree_begun(&t, table_roster, "{'options':{'seats':4}}");
	fill(&t, 2, GAME_STANDING_SIDE_MAX - 1, true);
	assert_int_equal(table_stand(&t, 4, RETIRE_NONE), 0);
	assert_int_equal(table_stand(&t, 2, RETIRE_NONE), ERR_ILLEGAL);
	assert_non_null(strstr(t.e.text, "256 standing orders"));
	assert_int_equal(table_stand(&t, 4, RETIRE_NONE), ERR_ILLEGAL);
	assert_int_equal(table_stand(&t, 3, RETIRE_NONE), 0);
	table_clear(&t);
}

static void
a_standing_order_has_a_short_text(void **state)
{
	char *most = padded(GAME_STANDING_TEXT_MAX),
	     *more = padded(GAME_STANDING_TEXT_MAX + 1);
	struct table t;

	(void)state;
	agree_begun(&t, table_roster, "{}");
	assert_int_equal(table_stand(&t, 2, more), ERR_MISSING);
	assert_non_null(strstr(t.e.text, "128 bytes"));
	assert_int_equal(table_stand(&t, 2, most), 0);
	table_reload(&t);
	table_play(&t, 1, ORDER_CLOSE, "{}");
	table_play(&t, 2, ORDER_CLOSE, "{}");
	agree_done(&t);
	free(most);
	free(more);
}

static void
the_line_of_the_last_close_has_room_for_all(void **state)
{
	struct game_effects fx;
	struct table t;
	struct order o;
	struct buf b;

	(void)state;
	buf_init(&b, 0);
	agree_begun(&t, table_roster, "{'options':{'seats':16}}");
	fill(&t, 15, GAME_STANDING_SIDE_MAX, false);
	fill(&t, 16, GAME_STANDING_SIDE_MAX, true);
	table_play(&t, 1, ORDER_CLOSE, "{}");
	assert_int_equal(table_make(&t, 2, ORDER_CLOSE, table_json("{}")), 0);
	assert_int_equal(order_parse(t.text.data, t.text.len, &o, &t.e), 0);
	assert_int_equal(game_take(t.game, &o, t.keys[2].sign.public_key, NULL,
			     NULL, &fx, &t.e),
	    0);
	assert_int_equal(
	    json_array_size(fx.opened), 2 * GAME_STANDING_SIDE_MAX);
	js_dump(fx.opened, &b);
	/* An order is escaped to at most twice its bytes. */
	assert_true(b.len + 2 * ORDER_TEXT_MAX + 1024 < RECORD_LINE_MAX);
	buf_clear(&b);
	game_effects_clear(&fx);
	order_clear(&o);
	table_clear(&t);
}

static void
a_refused_joiner_leaves_no_standing_order(void **state)
{
	struct table t;
	json_t *args;

	(void)state;
	agree_seated(&t, table_roster, "{}");
	assert_int_equal(table_stand(&t, 2, RETIRE_NONE), 0);
	assert_int_equal(table_stand(&t, 1, RETIRE_NONE), 0);
	assert_int_equal(table_stand(&t, 2, RETIRE_NONE), 0);
	agree_play(&t, 2, ORDER_NOTE, "{'to':2,'say':'withdraw'}");
	assert_int_equal(t.n_standing, 3);
	agree_play(&t, 1, ORDER_NOTE, "{'to':1,'say':'refuse'}");
	assert_null(t.fx.opened);
	assert_int_equal(t.n_standing, 1);
	assert_int_equal(t.game->n_standings, 1);
	assert_int_equal(t.game->standings[0].seat, 1);
	args = table_seat_args(&t, 2);
	json_object_set_new(args, "account", json_string("p9"));
	assert_int_equal(table_try(&t, 2, ORDER_JOIN, args), 0);
	agree_start(&t);
	agree_play(&t, 1, ORDER_CLOSE, "{}");
	agree_play(&t, 2, ORDER_CLOSE, "{}");
	agree_done(&t);
}

static void
the_director_who_answers_owes_what_follows(void **state)
{
	struct table t;
	json_t *line, *owes;

	(void)state;
	agree_begun(&t, table_roster,
	    "{'scheme':'live-1','silence':'director','clock':{'per':'order',"
	    "'first_s':60,'then':'forfeit'},'options':{'director':true}}");
	assert_int_equal(table_stand(&t, 2, RETIRE_NONE), 0);
	table_reload(&t);
	agree_play(&t, 1, ORDER_DECLARE, "%s", TABLE_GUNS);
	t.at_ms += 61000;
	agree_play(&t, 1, ORDER_CLAIM, "{}");
	assert_int_equal(t.game->owed.seat, 0);
	agree_play(&t, 0, ORDER_ANSWER, "{'to':%lld,'say':'agree'}",
	    (long long)t.game->owed.seq);
	line = table_line(&t, t.n_lines - 1);
	owes = json_object_get(line, "owes");
	assert_non_null(owes);
	assert_int_equal(json_integer_value(json_object_get(owes, "seat")), 0);
	json_decref(line);
	agree_no(&t, 0, ORDER_ANSWER, ERR_ILLEGAL, "nothing is left",
	    "{'to':%lld,'say':'object'}", (long long)t.game->owed.seq);
	agree_play(&t, 0, ORDER_ANSWER, "{'to':%lld,'say':'agree'}",
	    (long long)t.game->owed.seq);
	assert_non_null(t.fx.dice);
	agree_done(&t);
}

static void
without_rules_lapsed_adjustments_take_no_room(void **state)
{
	static const struct verify_options no_rules = {
	    .no_rules = true, .head_seq = -1};
	struct verify_report rep;
	struct errinfo e = {.where = ""};
	struct table t;
	struct buf out;
	int64_t a, b;
	int i, r;

	(void)state;
	agree_begun(&t, table_roster, "{}");
	for (i = 0; i < 9; i++) {
		a = agree_play(&t, 1, ORDER_PROPOSE,
		    "{'what':'adjust','units':[{'id':'fr-1','strength':%d}]}",
		    3);
		b = agree_play(&t, 1, ORDER_PROPOSE,
		    "{'what':'adjust','units':[{'id':'fr-1','strength':%d}]}",
		    i % 2 == 0 ? 4 : 5);
		(void)agree_accept(&t, 2, b);
		assert_false(agree_is_offered(&t, a));
	}
	buf_init(&out, 0);
	table_export(&t, &out);
	r = verify_bytes(out.data, out.len, &no_rules, &rep, NULL, &e);
	if (r != 0)
		fail_msg(
		    "%lld: %s: %s", (long long)rep.file_line, e.where, e.text);
	buf_clear(&out);
	agree_done(&t);
}

static void
a_game_outlives_its_verifier(void **state)
{
	static const struct verify_options plain = {.head_seq = -1};
	char args[AGREE_ARGS_MAX], hex[2 * HASH_LEN + 1];
	struct verify_report rep;
	struct errinfo e = {.where = ""};
	struct game *g = NULL, *was;
	uint8_t hash[HASH_LEN];
	struct table t;
	struct buf out;

	(void)state;
	agree_seated(&t, table_roster, "{}");
	assert_int_equal(
	    record_blob_hash(hash, table_roster, strlen(table_roster)), 0);
	hex_format(hex, hash, HASH_LEN);
	buf_init(&out, 0);
	table_export(&t, &out);
	assert_int_equal(
	    verify_bytes(out.data, out.len, &plain, &rep, &g, &e), 0);
	buf_clear(&out);
	was = t.game;
	t.game = g;
	(void)snprintf(
	    args, sizeof(args), "{'what':'roster','roster':'%s'}", hex);
	assert_int_equal(
	    table_try(&t, 1, ORDER_PROPOSE, table_json(args)), ERR_MISSING);
	t.game = was;
	game_free(g);
	table_clear(&t);
}

static void
no_claim_waits_when_the_record_is_closed(void **state)
{
	struct table t;
	json_t *view;

	(void)state;
	agree_begun(&t, table_roster,
	    "{'clock':{'per':'order','first_s':60,'then':'director'},"
	    "'options':{'director':true}}");
	t.at_ms += 61000;
	agree_play(&t, 2, ORDER_CLAIM, "{}");
	assert_true(t.game->clock.claim_seq >= 0);
	agree_play(&t, 1, ORDER_CLOSE, "{}");
	assert_true(t.game->clock.claim_seq >= 0);
	agree_play(&t, 2, ORDER_CLOSE, "{}");
	view = game_view(t.game);
	assert_true(json_is_null(json_object_get(view, "adjudication")));
	json_decref(view);
	agree_done(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_side_gives_so_many_standing_orders_in_a_game),
	    cmocka_unit_test(a_standing_order_has_a_short_text),
	    cmocka_unit_test(the_line_of_the_last_close_has_room_for_all),
	    cmocka_unit_test(a_refused_joiner_leaves_no_standing_order),
	    cmocka_unit_test(the_director_who_answers_owes_what_follows),
	    cmocka_unit_test(without_rules_lapsed_adjustments_take_no_room),
	    cmocka_unit_test(a_game_outlives_its_verifier),
	    cmocka_unit_test(no_claim_waits_when_the_record_is_closed),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
