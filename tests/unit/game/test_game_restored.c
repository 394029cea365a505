/* SPDX-License-Identifier: ISC */
/*
 * The server line `restored` (record S4.3): what it voids and what stays, the
 * accepts and the round after it, and where it may not stand.  Every game is
 * saved and read back at each of its lines, and its record verified.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/hex.h"
#include "common/game/game_dice.h"
#include "common/game/game_entry.h"
#include "common/game/game_int.h"
#include "common/json/js.h"

#include "tests/lib/claim.h"

#define LIVE "{'scheme':'live-1'}"
#define DRAW "{'what':'draw'}"
#define RETIRE_NONE "{\"kind\":\"retire\",\"do\":\"none\"}"
#define PER_ORDER                                                    \
	"{'clock':{'per':'order','first_s':3600,'then':'director'}," \
	"'options':{'director':true}}"
#define PER_SIDE                                            \
	"{'clock':{'per':'side','first_s':3600,'add_s':60," \
	"'then':'forfeit'}}"

/* Plays an order and reads the game back. */
static void
play(struct table *t, int seat, enum order_kind kind, const char *args)
{
	table_play(t, seat, kind, args);
	table_reload(t);
}

/* The line `restored`; its number. */
static int64_t
restore(struct table *t)
{
	const int epoch = t->game->epoch;
	char data[40];

	(void)snprintf(data, sizeof(data), "{'seq':%lld}",
	    (long long)game_seq(t->game) + 1);
	if (table_server(t, "restored", data) != 0)
		fail_msg("%s: %s", t->e.where, t->e.text);
	assert_true(t->fx.has_pool);
	assert_memory_equal(t->fx.pool, game_pool(t->game), HASH_LEN);
	assert_int_equal(t->game->epoch, epoch + 1);
	assert_int_equal(game_state_seq(t->game), game_seq(t->game));
	assert_int_equal(game_restored_seq(t->game), game_seq(t->game));
	table_reload(t);
	return (game_seq(t->game));
}

/* What is owed is this, by these seats alone: "12" are seats 1 and 2. */
static void
owes(const struct table *t, enum owed what, const char *seats)
{
	struct game_waits w;
	size_t i;

	game_waits_owed(t->game, &w);
	assert_int_equal(w.n, strlen(seats));
	for (i = 0; i < w.n; i++) {
		assert_int_equal(w.list[i].what, what);
		assert_int_equal(w.list[i].seat, seats[i] - '0');
	}
}

/* Both accept the line, and are ready again. */
static void
go_on(struct table *t, int64_t to)
{
	owes(t, OWED_ACCEPT, "12");
	claim_accept(t, 1, to);
	table_reload(t);
	claim_accept(t, 2, to);
	table_reload(t);
	assert_int_equal(game_restored_seq(t->game), -1);
	owes(t, OWED_READY, "12");
	play(t, 1, ORDER_READY, "{}");
	play(t, 2, ORDER_READY, "{}");
	assert_true(t->fx.has_pool);
	assert_int_equal(game_phase(t->game), GAME_PLAY);
}

/* What became of a line, as a verifier of the whole record tells it. */
static struct game_entry
entry_of(const struct table *t, int64_t seq)
{
	const struct verify_options opt = {.head_seq = -1};
	struct verify_report rep;
	struct verify *v = NULL;
	struct game_entry en;
	struct errinfo e;
	struct buf out;

	buf_init(&out, 0);
	table_export(t, &out);
	assert_int_equal(verify_held(out.data, out.len, &opt, &rep, &v, &e), 0);
	en = *game_history_get(verify_history(v), seq);
	verify_free(v);
	buf_clear(&out);
	return (en);
}

static void
the_pool_is_that_of_the_vectors(void **state)
{
	json_t *root = json_load_file(
	    TOP_SRCDIR "/tests/record/key-vectors.json", 0, NULL);
	const json_t *list = json_object_get(root, "restored"), *v;
	uint8_t pool[HASH_LEN], moved[HASH_LEN];
	char hex[2 * HASH_LEN + 1];
	size_t i;

	(void)state;
	assert_int_equal(json_array_size(list), 4);
	json_array_foreach(list, i, v)
	{
		assert_int_equal(
		    js_get_hex(v, "pool", NULL, pool, HASH_LEN, NULL), 0);
		assert_int_equal(
		    game_dice_restore(pool, js_int(v, "seq"), moved), 0);
		hex_format(hex, moved, HASH_LEN);
		assert_string_equal(hex, js_str(v, "after"));
	}
	json_decref(root);
}

/* What was begun is void, and what waits lapses. */
static void
an_open_combat_is_void(void **state)
{
	int64_t declare, offer, stands, to;
	const struct game_standing *s;
	struct table t;
	json_t *before;
	size_t n;

	(void)state;
	table_begun_with(&t, table_roster, "{'options':{'takeback':false}}");
	before = json_deep_copy(game_roster(t.game));
	assert_int_equal(table_stand(&t, 1, RETIRE_NONE), 0);
	stands = game_seq(t.game);
	play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	declare = game_seq(t.game);
	assert_true(table_is_asked(&t));
	play(&t, 2, ORDER_OFFER, DRAW);
	offer = game_seq(t.game);
	play(&t, 1, ORDER_CLOSE, "{}");
	to = restore(&t);
	assert_int_equal(game_combat_seq(t.game), -1);
	assert_true(json_equal(before, game_roster(t.game)));
	assert_int_equal(t.game->n_offers, 0);
	assert_false(game_has_closed(t.game, 1));
	s = game_standings(t.game, &n);
	assert_int_equal(n, 1);
	assert_true(s->is_withdrawn && s->is_lost && !s->is_held);
	/* Whoever keeps its text may forget it. */
	assert_int_equal(t.n_standing, 0);
	assert_int_equal(entry_of(&t, declare).taken_back, to);
	assert_int_equal(entry_of(&t, offer).fate, GAME_FATE_LAPSED);
	assert_int_equal(entry_of(&t, to).fate, GAME_FATE_OPEN);
	go_on(&t, to);
	assert_int_equal(entry_of(&t, to).fate, GAME_FATE_ACCEPTED);
	/* The combat again, for another place: no order acts in it. */
	play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	table_settle(&t);
	play(&t, 1, ORDER_TURN_END, "{}");
	play(&t, 2, ORDER_CLOSE, "{}");
	play(&t, 1, ORDER_CLOSE, "{}");
	assert_true(game_is_finished(t.game));
	assert_null(t.fx.opened);
	assert_true(stands < declare);
	json_decref(before);
	claim_is_good(&t);
}

/* A standing order that has acted stands, and acts again. */
static void
what_has_acted_stands(void **state)
{
	struct table t;
	size_t n;

	(void)state;
	table_begun(&t);
	assert_int_equal(table_stand(&t, 2, RETIRE_NONE), 0);
	play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	assert_true(game_standings(t.game, &n)->is_open);
	table_settle(&t);
	go_on(&t, restore(&t));
	assert_false(game_standings(t.game, &n)->is_withdrawn);
	claim_is_good(&t);
}

/* The dice that the combat drew stay drawn: the next one has another place. */
static void
counts_of_places_stay(void **state)
{
	struct table t;
	int64_t to;

	(void)state;
	table_begun(&t);
	play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
	assert_string_equal(t.fx.place, "c/1/ru-1/1/1");
	table_settle(&t);
	to = restore(&t);
	go_on(&t, to);
	assert_int_equal(game_turn(t.game), 1);
	play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
	assert_string_equal(t.fx.place, "c/1/ru-1/2/1");
	claim_is_good(&t);
}

static void
what_waits_for_an_answer_is_void(void **state)
{
	static const struct {
		enum order_kind kind;
		const char *args;
	} orders[] = {
	    {ORDER_DECLARE, TABLE_FIGHT}, {ORDER_FREE, "{'dice':2,'sides':6}"}};
	struct table t;
	int64_t owing, to;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		table_begun_with(&t, table_roster, LIVE);
		play(&t, 1, orders[i].kind, orders[i].args);
		owing = game_seq(t.game);
		owes(&t, OWED_ANSWER, "2");
		to = restore(&t);
		assert_int_equal(game_combat_seq(t.game), -1);
		assert_int_equal(entry_of(&t, owing).taken_back, to);
		go_on(&t, to);
		/* Nothing was drawn, so the place is called for again. */
		play(&t, 1, orders[i].kind, orders[i].args);
		owes(&t, OWED_ANSWER, "2");
		assert_string_equal(
		    t.game->owed.place, i == 0 ? "c/1/ru-1/1/1" : "f/1/1");
		claim_is_good(&t);
	}
}

/* Until all are ready again little is taken (S5). */
static void
until_the_round_is_over_the_game_stands(void **state)
{
	struct table t;
	int64_t offer, to;
	int i;

	(void)state;
	table_begun(&t);
	to = restore(&t);
	for (i = 0; i < 2; i++) {
		table_no(&t, 1, ORDER_DECLARE, TABLE_GUNS, ERR_STALE,
		    i == 0 ? "lines were lost" : "ready");
		table_no(&t, 1, ORDER_TURN_END, "{}", ERR_STALE, "");
		table_no(
		    &t, 1, ORDER_FREE, "{'dice':1,'sides':6}", ERR_STALE, "");
		play(&t, 2, ORDER_CHAT, TABLE_CHAT);
		play(&t, 2, ORDER_OFFER, DRAW);
		offer = game_seq(t.game);
		claim_no_accept(&t, 1, offer, ERR_STALE, "");
		if (i == 1)
			break;
		table_no(&t, 1, ORDER_READY, "{}", ERR_STALE, "ready");
		claim_no_accept(&t, 1, to - 1, ERR_STALE, "accepted line");
		claim_accept(&t, 1, to);
		table_reload(&t);
		owes(&t, OWED_ACCEPT, "2");
		claim_no_accept(&t, 1, to, ERR_STALE, "already accepted");
		claim_accept(&t, 2, to);
		table_reload(&t);
	}
	claim_no_accept(&t, 2, to, ERR_STALE, "");
	play(&t, 2, ORDER_READY, "{}");
	owes(&t, OWED_READY, "1");
	table_no(&t, 2, ORDER_READY, "{}", ERR_STALE, "ready");
	play(&t, 1, ORDER_READY, "{}");
	/* Over: no more of it, and the offer may be accepted. */
	table_no(&t, 1, ORDER_READY, "{}", ERR_STALE, "ready");
	claim_accept(&t, 1, offer);
	claim_result(&t, "draw", 0);
	claim_is_good(&t);
}

/* Resigning and closing end a game also then. */
static void
a_game_ends_while_it_waits(void **state)
{
	struct table t;
	int i;

	(void)state;
	for (i = 0; i < 3; i++) {
		table_begun(&t);
		(void)restore(&t);
		if (i == 0) {
			play(&t, 1, ORDER_RESIGN, "{}");
			owes(&t, OWED_CLOSE, "12");
		} else if (i == 1) {
			play(&t, 1, ORDER_CLOSE, "{}");
			play(&t, 2, ORDER_CLOSE, "{}");
			assert_true(game_is_finished(t.game));
		} else {
			assert_int_equal(
			    table_server(&t, "closed", "{'why':" TABLE_REF "}"),
			    0);
			table_reload(&t);
			assert_true(game_is_finished(t.game));
		}
		assert_int_equal(game_restored_seq(t.game), -1);
		claim_is_good(&t);
	}
}

/* Before play it is the first round anew; between rounds likewise. */
static void
a_round_is_begun_anew(void **state)
{
	int64_t first, to;
	struct table t;

	(void)state;
	table_seated(&t);
	table_play(&t, 1, ORDER_READY, "{}");
	to = restore(&t);
	assert_int_equal(game_phase(t.game), GAME_MUSTER);
	assert_false(game_is_ready(t.game, 1));
	table_no(&t, 2, ORDER_READY, "{}", ERR_STALE, "ready");
	go_on(&t, to);
	assert_int_equal(game_turn(t.game), 1);
	/* A ready that was given, and an accept, have lost their effect. */
	first = restore(&t);
	claim_accept(&t, 1, first);
	claim_accept(&t, 2, first);
	play(&t, 1, ORDER_READY, "{}");
	first = restore(&t);
	claim_accept(&t, 2, first);
	to = restore(&t);
	assert_int_equal(entry_of(&t, first).fate, GAME_FATE_LAPSED);
	claim_no_accept(&t, 1, first, ERR_STALE, "accepted line");
	go_on(&t, to);
	play(&t, 1, ORDER_TURN_END, "{}");
	play(&t, 2, ORDER_TURN_END, "{}");
	assert_int_equal(game_turn(t.game), 3);
	go_on(&t, restore(&t));
	assert_int_equal(game_turn(t.game), 3);
	play(&t, 1, ORDER_TURN_END, "{}");
	claim_is_good(&t);
}

/* What was lost is nobody's time, and per order all of it is left. */
static void
clocks_stand_still(void **state)
{
	const bool is_side[] = {false, true};
	int64_t left, to;
	struct table t;
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++) {
		claim_begun(&t, is_side[i] ? PER_SIDE : PER_ORDER);
		t.at_ms += 600000;
		play(&t, 1, ORDER_CHAT, TABLE_CHAT);
		left = t.game->clock.sides[1].left;
		assert_true(left <= 3000000);
		t.at_ms += 600000;
		to = restore(&t);
		assert_int_equal(
		    t.game->clock.sides[1].left, is_side[i] ? left : 3600000);
		assert_int_equal(game_deadline_ms(t.game, 1), -1);
		assert_int_equal(game_deadline_ms(t.game, 2), -1);
		t.at_ms += 86400000;
		if (!is_side[i])
			claim_accept(&t, 0, to);
		claim_accept(&t, 1, to);
		assert_int_equal(game_deadline_ms(t.game, 1), -1);
		claim_accept(&t, 2, to);
		table_reload(&t);
		/* Who owes a ready has a clock that runs. */
		left = t.game->clock.sides[1].left;
		assert_int_equal(
		    game_deadline_ms(t.game, 1), game_at_ms(t.game) + left);
		assert_true(game_deadline_ms(t.game, 2) >= 0);
		t.at_ms = game_at_ms(t.game) + 1000;
		play(&t, 1, ORDER_READY, "{}");
		assert_int_equal(t.game->clock.sides[1].left, left - 1000);
		assert_int_equal(game_deadline_ms(t.game, 1), -1);
		if (!is_side[i])
			play(&t, 0, ORDER_READY, "{}");
		play(&t, 2, ORDER_READY, "{}");
		/* Neither is given anything for it. */
		assert_int_equal(t.game->clock.sides[1].left, left - 1000);
		assert_int_equal(game_deadline_ms(t.game, 2), -1);
		assert_int_equal(game_deadline_ms(t.game, 1),
		    game_at_ms(t.game) + left - 1000);
		claim_is_good(&t);
	}
}

/* A claim that waits for a ruling lapses; one of a ready may follow. */
static void
claims_lapse_and_a_ready_can_be_claimed(void **state)
{
	struct table t;
	char args[140];
	int64_t to;

	(void)state;
	claim_begun(&t, PER_ORDER);
	t.at_ms = game_deadline_ms(t.game, 1);
	play(&t, 2, ORDER_CLAIM, "{}");
	assert_true(game_claim_seq(t.game) >= 0);
	to = restore(&t);
	assert_int_equal(game_claim_seq(t.game), -1);
	t.at_ms += 86400000;
	claim_fails(&t, 2, t.at_ms);
	claim_accept(&t, 0, to);
	claim_accept(&t, 1, to);
	claim_accept(&t, 2, to);
	play(&t, 2, ORDER_READY, "{}");
	t.at_ms = game_deadline_ms(t.game, 1);
	play(&t, 2, ORDER_CLAIM, "{}");
	to = game_seq(t.game);
	assert_int_equal(game_claim_seq(t.game), to);
	table_no(&t, 0, ORDER_RULING, "{'why':" TABLE_REF "}", ERR_STALE, "");
	play(&t, 0, ORDER_READY, "{}");
	assert_int_equal(game_claim_seq(t.game), to);
	play(&t, 1, ORDER_READY, "{}");
	assert_int_equal(game_claim_seq(t.game), -1);
	claim_is_good(&t);
	/* The director may rule on it. */
	claim_begun(&t, PER_ORDER);
	to = restore(&t);
	claim_accept(&t, 0, to);
	claim_accept(&t, 1, to);
	claim_accept(&t, 2, to);
	play(&t, 2, ORDER_READY, "{}");
	t.at_ms = game_deadline_ms(t.game, 1);
	play(&t, 2, ORDER_CLAIM, "{}");
	(void)snprintf(args, sizeof(args),
	    "{'claim':%lld,'do':'forfeit','why':%s}",
	    (long long)game_seq(t.game), TABLE_REF);
	play(&t, 0, ORDER_RULING, args);
	claim_result(&t, "forfeit", 2);
	claim_is_good(&t);
}

static void
where_it_may_not_stand(void **state)
{
	struct table t;

	(void)state;
	table_seated(&t);
	/* Before the first ready nothing is lost that anybody knows of. */
	assert_int_equal(
	    table_server(&t, "restored", "{'seq':2}"), ERR_ILLEGAL);
	table_play(&t, 1, ORDER_READY, "{}");
	assert_int_equal(
	    table_server(&t, "restored", "{'seq':2}"), ERR_ILLEGAL);
	assert_string_equal(t.e.where, "data.seq");
	assert_int_equal(
	    table_server(&t, "restored", "{'seq':4}"), ERR_ILLEGAL);
	assert_int_equal(table_server(&t, "restored", "{}"), ERR_ILLEGAL);
	assert_int_equal(
	    table_server(&t, "restored", "{'seq':3,'from':2}"), ERR_ILLEGAL);
	table_play(&t, 2, ORDER_READY, "{}");
	table_play(&t, 1, ORDER_RESIGN, "{}");
	assert_int_equal(
	    table_server(&t, "restored", "{'seq':5}"), ERR_ILLEGAL);
	assert_true(strstr(t.e.text, "end of play") != NULL);
	claim_is_good(&t);
	/* Nor in a game that a fault of the rules has halted. */
	table_begun(&t);
	assert_int_equal(table_server(&t, "fault", "{'seq':3,'text':'x'}"), 0);
	assert_int_equal(
	    table_server(&t, "restored", "{'seq':5}"), ERR_ILLEGAL);
	table_clear(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_pool_is_that_of_the_vectors),
	    cmocka_unit_test(an_open_combat_is_void),
	    cmocka_unit_test(what_has_acted_stands),
	    cmocka_unit_test(counts_of_places_stay),
	    cmocka_unit_test(what_waits_for_an_answer_is_void),
	    cmocka_unit_test(until_the_round_is_over_the_game_stands),
	    cmocka_unit_test(a_game_ends_while_it_waits),
	    cmocka_unit_test(a_round_is_begun_anew),
	    cmocka_unit_test(clocks_stand_still),
	    cmocka_unit_test(claims_lapse_and_a_ready_can_be_claimed),
	    cmocka_unit_test(where_it_may_not_stand),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
