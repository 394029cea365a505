/* SPDX-License-Identifier: ISC */
/*
 * Whose move it is, and the commands that are offered: each decision that is
 * offered must be one that the game takes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/answer.h"
#include "client/moves.h"
#include "client/xalloc.h"
#include "tests/unit/table.h"

#define WORDS_MAX 64

/* What a seat may do now. */
static void
find(const struct table *t, int seat, struct moves *m)
{
	json_t *view = game_view(t->game);

	assert_non_null(view);
	moves_find(m, view, seat, "", "duel");
	m->ask = NULL; /* it lies in the view */
	json_decref(view);
}

/* Checks that the commands of a seat are these, parted by '|'. */
static void
offers(const struct table *t, int seat, bool is_mine, const char *commands)
{
	struct buf b;
	const json_t *v;
	struct moves m;
	size_t i;

	find(t, seat, &m);
	buf_init(&b, 0);
	json_array_foreach(m.commands, i, v)
	    buf_printf(&b, "%s%s", i == 0 ? "" : "|", json_string_value(v));
	assert_string_equal(buf_str(&b), commands);
	assert_true(m.is_mine == is_mine);
	assert_true(json_array_size(m.says) > 0);
	assert_true(*m.what != '\0');
	buf_clear(&b);
	moves_clear(&m);
}

static void
before_the_game_seats_and_ready_are_owed(void **state)
{
	struct table t;

	(void)state;
	table_init(&t);
	table_make_create(&t, table_create_args(&t, table_roster));
	assert_int_equal(table_open(&t), 0);
	offers(&t, 1, false, "");
	offers(&t, -1, false, "umpire join duel");
	assert_int_equal(
	    table_try(&t, 2, ORDER_JOIN, table_seat_args(&t, 2)), 0);
	offers(&t, 1, true, "umpire ready duel");
	offers(&t, 2, true, "umpire ready duel");
	offers(&t, -1, false, "");
	table_play(&t, 2, ORDER_READY, "{}");
	offers(&t, 2, false, "");
	table_clear(&t);
}

static void
the_side_in_turn_declares_or_ends_it(void **state)
{
	struct table t;

	(void)state;
	table_begun(&t);
	offers(&t, 1, true, "umpire declare duel FILE|umpire end-turn duel");
	offers(&t, 2, false, "");
	offers(&t, -1, false, "");
	table_play(&t, 1, ORDER_TURN_END, "{}");
	offers(&t, 1, false, "");
	offers(&t, 2, true, "umpire declare duel FILE|umpire end-turn duel");
	table_clear(&t);
}

static void
the_profile_goes_into_the_commands(void **state)
{
	struct table t;
	struct moves m;
	json_t *view;

	(void)state;
	table_begun(&t);
	view = game_view(t.game);
	moves_find(&m, view, 1, " --profile anna", "0123abcd");
	assert_string_equal(json_string_value(json_array_get(m.commands, 1)),
	    "umpire --profile anna end-turn 0123abcd");
	moves_clear(&m);
	json_decref(view);
	table_clear(&t);
}

/* Reads an offered command as the client would; the args of the order. */
static json_t *
read_command(const struct table *t, const char *command)
{
	struct errinfo e = {.text = ""};
	const char *words[WORDS_MAX];
	char *copy = xalloc_str(command), *w, *save = NULL;
	json_t *owed = table_owed(t), *decision, *args;
	int n = 0;

	for (w = strtok_r(copy, " ", &save); w != NULL;
	     w = strtok_r(NULL, " ", &save))
		words[n++] = w;
	assert_true(n > 4);
	assert_string_equal(words[1], "decide");
	if (answer_parse(json_string_value(json_object_get(owed, "kind")),
		json_object_get(owed, "options"), n - 3, words + 3, &decision,
		&e) != 0)
		fail_msg("'%s': %s", command, e.text);
	args = json_pack("{s:O, s:o}", "ask", json_object_get(owed, "ask"),
	    "decision", decision);
	assert_non_null(args);
	json_decref(owed);
	free(copy);
	return (args);
}

/* Gives every offered decision to a copy of the game. */
static size_t
try_offers(struct table *t)
{
	struct game *g = t->game;
	json_t *owed = table_owed(t);
	int side = (int)json_integer_value(json_object_get(owed, "side"));
	size_t i, n, lines = t->n_lines, len = t->record.len;
	struct moves m;
	int r;

	json_decref(owed);
	find(t, side == 1 ? 2 : 1, &m);
	assert_false(m.is_mine);
	assert_int_equal(json_array_size(m.commands), 0);
	moves_clear(&m);
	find(t, side, &m);
	assert_true(m.is_mine);
	n = json_array_size(m.commands);
	assert_true(n > 0);
	for (i = 0; i < n; i++) {
		t->game = g;
		t->game = table_copy(t);
		r = table_try(t, side, ORDER_DECIDE,
		    read_command(
			t, json_string_value(json_array_get(m.commands, i))));
		if (r != 0)
			fail_msg("'%s' is refused: %s: %s",
			    json_string_value(json_array_get(m.commands, i)),
			    t->e.where, t->e.text);
		game_free(t->game);
		t->n_lines = lines;
		t->record.len = len;
	}
	t->game = g;
	moves_clear(&m);
	return (n);
}

static void
every_decision_that_is_offered_is_taken(void **state)
{
	struct table t;
	size_t n = 0;

	(void)state;
	table_begun(&t);
	table_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	while (table_is_asked(&t)) {
		n += try_offers(&t);
		table_answer(&t);
	}
	/* ru-a1, ru-a2, all, none; then what the dice bring. */
	assert_true(n >= 4);
	table_clear(&t);
}

static void
the_end_is_closed_by_both(void **state)
{
	struct table t;

	(void)state;
	table_begun(&t);
	table_play(&t, 2, ORDER_RESIGN, "{}");
	offers(&t, 1, true, "umpire close duel");
	offers(&t, 2, true, "umpire close duel");
	table_play(&t, 2, ORDER_CLOSE, "{}");
	offers(&t, 2, false, "");
	table_play(&t, 1, ORDER_CLOSE, "{}");
	offers(&t, 1, false, "");
	table_clear(&t);
}

static void
an_offer_to_stop_is_told_to_both(void **state)
{
	struct table t;

	(void)state;
	table_begun(&t);
	table_play(&t, 1, ORDER_CLOSE, "{}");
	offers(&t, 1, true, "umpire declare duel FILE|umpire end-turn duel");
	offers(&t, 2, false, "umpire close duel");
	table_clear(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(before_the_game_seats_and_ready_are_owed),
	    cmocka_unit_test(the_side_in_turn_declares_or_ends_it),
	    cmocka_unit_test(the_profile_goes_into_the_commands),
	    cmocka_unit_test(every_decision_that_is_offered_is_taken),
	    cmocka_unit_test(the_end_is_closed_by_both),
	    cmocka_unit_test(an_offer_to_stop_is_told_to_both),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
