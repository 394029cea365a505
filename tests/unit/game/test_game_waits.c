/* SPDX-License-Identifier: ISC */
/*
 * What a game waits for, as a list: it and the view's `owed` agree at every
 * line of a game, and it says whom each is for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/lib/claim.h"

/* The waits as text: "seat1 ready 2, side2 offer 5". */
static void
waits_are(const struct table *t, const char *want)
{
	const struct game_wait *w;
	struct game_waits waits;
	struct buf b;
	size_t i;

	game_waiting(t->game, &waits);
	buf_init(&b, 0);
	for (i = 0; i < waits.n; i++) {
		w = &waits.list[i];
		buf_printf(&b, "%s%s%d %s %lld", i == 0 ? "" : ", ",
		    w->seat >= 0 ? "seat" : "side",
		    w->seat >= 0 ? w->seat : w->side, owed_words(w->what)->name,
		    (long long)w->since);
	}
	assert_string_equal(buf_str(&b), want);
	buf_clear(&b);
}

/* What is owed must be what the view says, and the offers the view's. */
static void
agrees_with_the_view(const struct table *t)
{
	json_t *view = game_view(t->game), *one;
	const json_t *owed = json_object_get(view, "owed");
	struct game_waits waits, all;
	const struct game_wait *w;
	size_t i;

	game_waits_owed(t->game, &waits);
	game_waiting(t->game, &all);
	assert_int_equal(json_array_size(owed), waits.n);
	for (i = 0; i < waits.n; i++) {
		w = &waits.list[i];
		assert_int_equal(w->seat, all.list[i].seat);
		assert_int_equal(w->side, all.list[i].side);
		assert_int_equal(w->what, all.list[i].what);
		assert_int_equal(w->since, all.list[i].since);
		assert_int_equal(w->since_ms, all.list[i].since_ms);
		assert_int_equal(w->until_ms, all.list[i].until_ms);
		one = json_array_get(owed, i);
		assert_int_equal(json_integer_value(json_object_get(
				     one, w->seat >= 0 ? "seat" : "side")),
		    w->seat >= 0 ? w->seat : w->side);
		assert_string_equal(
		    json_string_value(json_object_get(one, "what")),
		    owed_words(w->what)->name);
		assert_int_equal(
		    json_integer_value(json_object_get(one, "since")),
		    w->since);
		assert_int_equal(
		    json_object_get(one, "until") != NULL, w->until_ms >= 0);
	}
	for (; i < all.n; i++) {
		assert_int_equal(all.list[i].what, OWED_OFFER);
		assert_int_equal(all.list[i].until_ms, -1);
	}
	json_decref(view);
}

/* Seats on which an account is waited for by the i'th wait. */
static bool
is_for(const struct table *t, size_t i, const char *account)
{
	struct game_waits waits;

	game_waiting(t->game, &waits);
	assert_true(i < waits.n);
	return (game_wait_is_for(t->game, &waits.list[i], account));
}

static void
a_game_waits_from_its_first_line_to_its_last(void **state)
{
	struct table t;

	(void)state;
	claim_seated(&t, "{}");
	waits_are(&t, "seat1 ready 0, seat2 ready 0");
	agrees_with_the_view(&t);
	table_play(&t, 2, ORDER_READY, "{}");
	waits_are(&t, "seat1 ready 0");
	table_play(&t, 1, ORDER_READY, "{}");
	waits_are(&t, "side1 turn 3");
	table_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	waits_are(&t, "side2 decide 4");
	agrees_with_the_view(&t);
	table_play(&t, 1, ORDER_CHAT, TABLE_CHAT);
	waits_are(&t, "side2 decide 4");
	table_play(&t, 2, ORDER_OFFER, "{'what':'draw'}");
	waits_are(&t, "side2 decide 4, side1 offer 6");
	agrees_with_the_view(&t);
	table_play(&t, 2, ORDER_RESIGN, "{}");
	waits_are(&t, "seat1 close 7, seat2 close 7");
	agrees_with_the_view(&t);
	table_play(&t, 1, ORDER_CLOSE, "{}");
	waits_are(&t, "seat2 close 7");
	table_play(&t, 2, ORDER_CLOSE, "{}");
	waits_are(&t, "");
	agrees_with_the_view(&t);
	table_clear(&t);
}

static void
free_seats_wait_for_nobody_who_is_named(void **state)
{
	struct table t;

	(void)state;
	table_init(&t);
	table_make_create(&t, table_create_args(&t, table_roster));
	assert_int_equal(table_open(&t), 0);
	waits_are(&t, "seat2 join 0");
	assert_false(is_for(&t, 0, ""));
	assert_false(is_for(&t, 0, game_account(t.game, 1)));
	agrees_with_the_view(&t);
	table_clear(&t);
}

static void
a_side_waits_for_each_of_its_seats(void **state)
{
	struct table t;
	int seat;

	(void)state;
	claim_begun(&t,
	    "{'options':{'seats':4,'director':true},'clock':{'per':'order',"
	    "'first_s':600,'then':'director'}}");
	agrees_with_the_view(&t);
	for (seat = 0; seat <= 4; seat++)
		assert_int_equal(is_for(&t, 0, game_account(t.game, seat)),
		    game_side_of(seat) == 1);
	assert_false(is_for(&t, 0, "nobody"));
	assert_false(is_for(&t, 0, ""));
	assert_true(is_for(&t, 0, game_account(t.game, 3)));
	/* A ruling of the director's is for seats 1 and 2 alone. */
	table_play(&t, 0, ORDER_RULING, "{'why':" TABLE_REF "}");
	waits_are(&t, "side1 turn 10, seat1 offer 10, seat2 offer 10");
	assert_true(is_for(&t, 2, game_account(t.game, 2)));
	assert_false(is_for(&t, 2, game_account(t.game, 4)));
	agrees_with_the_view(&t);
	table_play(&t, 1, ORDER_ACCEPT, "{'to':10}");
	waits_are(&t, "side1 turn 11, seat2 offer 10");
	/* A claim waits for the director, and nobody's clock runs. */
	t.at_ms = game_deadline_ms(t.game, 1);
	table_play(&t, 4, ORDER_CLAIM, "{}");
	waits_are(&t, "side1 turn 12, seat0 ruling 12, seat2 offer 10");
	assert_true(is_for(&t, 1, game_account(t.game, 0)));
	assert_false(is_for(&t, 1, game_account(t.game, 1)));
	agrees_with_the_view(&t);
	table_clear(&t);
}

static void
dice_may_wait_for_an_answer(void **state)
{
	struct table t;

	(void)state;
	claim_seated(&t, "{'scheme':'live-1'}");
	claim_ready(&t);
	/* Dice that wait for the other side's seat. */
	table_play(&t, 1, ORDER_FREE, "{'dice':1,'sides':6}");
	waits_are(&t, "seat2 answer 4");
	agrees_with_the_view(&t);
	table_clear(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_game_waits_from_its_first_line_to_its_last),
	    cmocka_unit_test(free_seats_wait_for_nobody_who_is_named),
	    cmocka_unit_test(a_side_waits_for_each_of_its_seats),
	    cmocka_unit_test(dice_may_wait_for_an_answer),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
