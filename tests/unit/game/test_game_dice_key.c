/* SPDX-License-Identifier: ISC */
/*
 * New dice keys and later rounds of ready (umpire-record.7, S6.5): when a key
 * counts, what is taken meanwhile, and what a cheat could try.
 */
#include "common/game/game.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/game/game_ahead.h"
#include "common/game/game_dice.h"
#include "common/game/game_int.h"
#include "tests/lib/claim.h"
#include "tests/lib/table.h"
#include "tests/lib/vectors.h"

#define VECTORS_KEY TOP_SRCDIR "/tests/record/key-vectors.json"
#define HOUR INT64_C(3600000)
#define FREE "{'dice':2,'sides':6}"

/* The nth of the keys that are in no game yet. */
static void
fresh(int n, struct vrf_key *key)
{
	uint8_t secret[32] = {0};

	secret[0] = 7;
	secret[31] = (uint8_t)n;
	assert_int_equal(vrf_key_from_secret(key, secret), 0);
}

/* The args of an order with this key; new. */
static json_t *
key_args(const uint8_t key[VRF_KEY_LEN])
{
	json_t *args = json_object();

	json_object_set_new(args, "dice_key", js_hex(key, VRF_KEY_LEN));
	return (args);
}

/* A seat gives the nth key, which the game must take. */
static void
gives(struct table *t, int seat, int n)
{
	struct vrf_key key;

	fresh(n, &key);
	if (table_try(t, seat, ORDER_DICE_KEY, key_args(key.public_key)) != 0)
		fail_msg("seat %d: %s: %s", seat, t->e.where, t->e.text);
	table_reload(t);
}

/* A seat gives a key that the game must refuse. */
static void
gives_not(
    struct table *t, int seat, const uint8_t key[VRF_KEY_LEN], const char *why)
{
	assert_int_equal(table_make(t, seat, ORDER_DICE_KEY, key_args(key)), 0);
	table_refuses(t, seat, ERR_ILLEGAL, why);
}

/* From now on a seat makes its part of the dice with the nth key. */
static void
uses(struct table *t, int seat, int n)
{
	fresh(n, &t->keys[seat].dice);
	assert_memory_equal(game_dice_key(t->game, seat),
	    t->keys[seat].dice.public_key, VRF_KEY_LEN);
}

/* pool becomes what rekeying the seat with the nth key makes of it. */
static void
rekeyed(uint8_t pool[HASH_LEN], int seat, int n)
{
	struct vrf_key key;

	fresh(n, &key);
	assert_int_equal(game_dice_rekey(pool, seat, key.public_key, pool), 0);
}

/* The pool as it would be if seat 1 ended its turn now, by its present key. */
static void
ended(struct table *t, uint8_t pool[HASH_LEN])
{
	struct game *g = table_copy(t);
	uint8_t proof[VRF_PROOF_LEN], beta[VRF_BETA_LEN];
	char place[ORDER_PLACE_MAX + 1];
	uint8_t input[VRF_MEMO_MAX];
	size_t n;

	game_place_pool(g, place);
	assert_int_equal(game_dice_input(game_id(g), game_pool(g),
			     GAME_DICE_OWN, place, input, &n),
	    0);
	assert_int_equal(vrf_prove(&t->keys[1].dice, input, n, proof, beta), 0);
	assert_int_equal(game_dice_move(game_pool(g), beta, 1, pool), 0);
	game_free(g);
}

static void
rekeying_is_as_in_the_vectors(void **state)
{
	json_t *all = vectors_load(VECTORS_KEY);
	uint8_t pool[HASH_LEN], want[HASH_LEN], key[VRF_KEY_LEN];
	const json_t *v, *w;
	size_t i, k;

	(void)state;
	json_array_foreach(vectors_get(all, "rekey", JSON_ARRAY), i, v)
	{
		vectors_hex(v, "pool_2", pool, HASH_LEN);
		json_array_foreach(vectors_get(v, "waiting", JSON_ARRAY), k, w)
		{
			vectors_hex(w, "dice_key", key, VRF_KEY_LEN);
			assert_int_equal(
			    game_dice_rekey(pool,
				(int)vectors_unsigned(w, "seat"), key, pool),
			    0);
			vectors_hex(w, "pool", want, HASH_LEN);
			assert_memory_equal(pool, want, HASH_LEN);
		}
		assert_int_equal(k, 2);
		vectors_hex(v, "pool", want, HASH_LEN);
		assert_memory_equal(pool, want, HASH_LEN);
	}
	assert_int_equal(i, 2);
	json_decref(all);
}

static void
before_the_first_ready_a_key_counts_at_once(void **state)
{
	uint8_t pool[HASH_LEN];
	struct table t;

	(void)state;
	table_seated(&t);
	memcpy(pool, game_pool(t.game), HASH_LEN);
	gives(&t, 2, 1);
	uses(&t, 2, 1);
	/* pool_0 is another, and has not moved: the line has none. */
	assert_memory_not_equal(pool, game_pool(t.game), HASH_LEN);
	assert_false(t.fx.has_pool);
	assert_int_equal(t.game->epoch, 0);
	assert_int_not_equal(t.game->state_seq, t.game->seq);
	table_play(&t, 2, ORDER_READY, "{}");
	/* From the first ready on it waits, and the game begins meanwhile. */
	gives(&t, 1, 2);
	assert_non_null(game_next_dice_key(t.game, 1));
	assert_null(game_next_dice_key(t.game, 2));
	table_play(&t, 1, ORDER_READY, "{}");
	assert_int_equal(t.game->phase, GAME_PLAY);
	assert_false(game_is_round(t.game));
	table_play(&t, 1, ORDER_FREE, FREE);
	table_play(&t, 1, ORDER_TURN_END, "{}");
	uses(&t, 1, 2);
	table_play(&t, 1, ORDER_READY, "{}");
	table_play(&t, 2, ORDER_READY, "{}");
	claim_is_good(&t);
}

static void
a_key_before_all_have_joined_is_in_the_first_pool(void **state)
{
	struct table t;
	json_t *args;

	(void)state;
	table_init(&t);
	table_make_create(&t, table_create_args(&t, table_roster));
	assert_int_equal(table_open(&t), 0);
	gives(&t, 1, 1);
	uses(&t, 1, 1);
	args = table_seat_args(&t, 2);
	assert_int_equal(table_try(&t, 2, ORDER_JOIN, args), 0);
	/* Whoever is refused takes their key along, but it was one. */
	table_play(&t, 1, ORDER_NOTE, "{'to':2,'say':'refuse'}");
	table_reload(&t);
	gives_not(&t, 1, t.keys[2].dice.public_key, "is or was");
	table_clear(&t);
}

static void
a_key_waits_for_the_end_of_the_turn(void **state)
{
	uint8_t pool[HASH_LEN];
	struct vrf_key old;
	struct table t;
	int64_t seq, after;
	char text[80];

	(void)state;
	table_begun(&t);
	after = t.game->state_seq;
	gives(&t, 2, 1);
	gives(&t, 1, 2);
	/* A newer one of the same seat takes its place. */
	gives(&t, 1, 3);
	assert_int_equal(t.game->state_seq, after);
	assert_int_equal(t.game->epoch, 1);
	table_play(&t, 1, ORDER_FREE, FREE);
	ended(&t, pool);
	rekeyed(pool, 1, 3);
	rekeyed(pool, 2, 1);
	old = t.keys[1].dice;
	table_play(&t, 1, ORDER_TURN_END, "{}");
	assert_memory_equal(pool, game_pool(t.game), HASH_LEN);
	assert_memory_equal(pool, t.fx.pool, HASH_LEN);
	assert_int_equal(t.game->epoch, 4);
	assert_int_equal(t.game->turn, 2);
	uses(&t, 1, 3);
	uses(&t, 2, 1);
	table_reload(&t);
	/* Every seat owes a ready, and nobody anything else. */
	assert_true(game_is_round(t.game));
	table_no(&t, 2, ORDER_FREE, FREE, ERR_STALE, "until all players");
	table_no(&t, 2, ORDER_TURN_END, "{}", ERR_STALE, "until all players");
	/* The old key is worth nothing any more: nothing is made with it. */
	t.keys[1].dice = old;
	assert_int_equal(
	    table_try(&t, 1, ORDER_READY, json_object()), ERR_MISSING);
	uses(&t, 1, 3);
	table_play(&t, 1, ORDER_READY, "{}");
	assert_false(t.fx.has_pool);
	table_no(&t, 1, ORDER_READY, "{}", ERR_STALE, "does not wait");
	table_reload(&t);
	table_play(&t, 2, ORDER_READY, "{}");
	assert_true(t.fx.has_pool);
	assert_int_equal(t.game->epoch, 5);
	assert_false(game_is_round(t.game));
	assert_int_equal(t.game->turn, 2);
	assert_int_equal(t.game->state_seq, t.game->seq);
	seq = t.game->seq;
	table_play(&t, 2, ORDER_FREE, FREE);
	table_play(&t, 2, ORDER_TURN_END, "{}");
	assert_int_equal(t.game->epoch, 6);
	assert_false(game_is_round(t.game));
	/* A takeback takes back neither keys nor pool. */
	(void)snprintf(text, sizeof(text), "{'what':'takeback','from':%lld}",
	    (long long)seq + 2);
	table_play(&t, 2, ORDER_OFFER, text);
	(void)snprintf(
	    text, sizeof(text), "{'to':%lld}", (long long)t.game->seq);
	table_play(&t, 1, ORDER_ACCEPT, text);
	uses(&t, 1, 3);
	uses(&t, 2, 1);
	assert_int_equal(t.game->epoch, 7);
	claim_is_good(&t);
}

static void
in_a_round_a_key_counts_at_once_and_the_round_begins_anew(void **state)
{
	uint8_t pool[HASH_LEN];
	struct table t;

	(void)state;
	table_begun(&t);
	gives(&t, 1, 1);
	table_play(&t, 1, ORDER_TURN_END, "{}");
	uses(&t, 1, 1);
	table_play(&t, 1, ORDER_READY, "{}");
	memcpy(pool, game_pool(t.game), HASH_LEN);
	rekeyed(pool, 2, 2);
	gives(&t, 2, 2);
	uses(&t, 2, 2);
	assert_true(t.fx.has_pool);
	assert_memory_equal(pool, t.fx.pool, HASH_LEN);
	assert_memory_equal(pool, game_pool(t.game), HASH_LEN);
	assert_int_equal(t.game->epoch, 4);
	assert_int_equal(t.game->state_seq, t.game->seq);
	assert_false(game_is_ready(t.game, 1));
	table_play(&t, 2, ORDER_READY, "{}");
	assert_true(game_is_round(t.game));
	table_play(&t, 1, ORDER_READY, "{}");
	assert_false(game_is_round(t.game));
	table_play(&t, 2, ORDER_FREE, FREE);
	claim_is_good(&t);
}

static void
keys_that_are_refused(void **state)
{
	uint8_t none[VRF_KEY_LEN] = {2};
	struct vrf_key first, key;
	struct table t;

	(void)state;
	table_begun(&t);
	first = t.keys[2].dice;
	gives_not(&t, 1, t.keys[1].dice.public_key, "is or was");
	gives_not(&t, 1, t.keys[2].dice.public_key, "is or was");
	gives_not(&t, 1, t.server_dice.public_key, "is or was");
	memset(none + 1, 0xff, VRF_KEY_LEN - 1);
	gives_not(&t, 1, none, "P-256");
	table_no(&t, 1, ORDER_DICE_KEY, "{}", ERR_ILLEGAL, "missing");
	/* One that waits, or that waited until another took its place. */
	gives(&t, 2, 1);
	fresh(1, &key);
	gives_not(&t, 1, key.public_key, "is or was");
	gives_not(&t, 2, key.public_key, "is or was");
	gives(&t, 2, 2);
	gives_not(&t, 1, key.public_key, "is or was");
	/* The third in a turn; a refused one was none. */
	fresh(3, &key);
	gives_not(&t, 2, key.public_key, "third");
	gives(&t, 1, 3);
	table_play(&t, 1, ORDER_TURN_END, "{}");
	uses(&t, 1, 3);
	uses(&t, 2, 2);
	/* Another turn, and the round is in it. */
	gives_not(&t, 1, first.public_key, "is or was");
	gives(&t, 2, 4);
	gives(&t, 2, 5);
	fresh(6, &key);
	gives_not(&t, 2, key.public_key, "third");
	uses(&t, 2, 5);
	table_play(&t, 1, ORDER_READY, "{}");
	table_play(&t, 2, ORDER_READY, "{}");
	gives_not(&t, 2, key.public_key, "third");
	table_play(&t, 1, ORDER_RESIGN, "{}");
	gives_not(&t, 1, key.public_key, "over");
	claim_is_good(&t);
}

static void
a_key_comes_in_a_combat_and_while_an_answer_is_owed(void **state)
{
	struct table t;
	char text[80];

	(void)state;
	table_begun_with(&t, table_roster, "{'scheme':'live-1'}");
	table_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	table_play(&t, 2, ORDER_ANSWER, "{'to':4,'say':'agree'}");
	assert_true(table_is_asked(&t));
	gives(&t, 1, 2);
	assert_true(table_is_asked(&t));
	table_play(&t, 2, ORDER_OFFER, "{'what':'takeback','from':4}");
	table_play(&t, 1, ORDER_ACCEPT, "{'to':7}");
	table_play(&t, 1, ORDER_FREE, FREE);
	assert_true(t.game->owed.is_owed);
	/* It makes no order stale and waits for no dice. */
	gives(&t, 2, 1);
	assert_true(t.game->owed.is_owed);
	(void)snprintf(text, sizeof(text), "{'to':%lld,'say':'agree'}",
	    (long long)t.game->owed.seq);
	table_play(&t, 2, ORDER_ANSWER, text);
	assert_non_null(t.fx.dice);
	table_play(&t, 1, ORDER_TURN_END, "{}");
	uses(&t, 1, 2);
	uses(&t, 2, 1);
	table_play(&t, 2, ORDER_READY, "{}");
	table_play(&t, 1, ORDER_READY, "{}");
	table_play(&t, 2, ORDER_FREE, FREE);
	claim_is_good(&t);
}

static void
what_is_taken_in_a_round(void **state)
{
	struct game_waits w;
	struct game_ahead a;
	struct table t;
	char text[80];

	(void)state;
	table_begun(&t);
	table_play(&t, 1, ORDER_OFFER, "{'what':'draw'}");
	(void)snprintf(
	    text, sizeof(text), "{'to':%lld}", (long long)t.game->seq);
	gives(&t, 2, 1);
	table_play(&t, 1, ORDER_TURN_END, "{}");
	uses(&t, 2, 1);
	game_waiting(t.game, &w);
	assert_int_equal(w.list[0].what, OWED_READY);
	assert_int_equal(w.list[0].seat, 1);
	assert_int_equal(w.list[1].what, OWED_READY);
	assert_int_equal(w.list[1].seat, 2);
	assert_int_equal(w.list[1].since, t.game->seq);
	game_ahead_get(t.game, &a);
	assert_true(a.is_round);
	table_play(&t, 1, ORDER_CHAT, TABLE_CHAT);
	table_play(&t, 2, ORDER_OFFER, "{'what':'draw'}");
	table_no(&t, 2, ORDER_ACCEPT, text, ERR_STALE, "until all players");
	table_no(
	    &t, 2, ORDER_DECLARE, TABLE_FIGHT, ERR_STALE, "until all players");
	table_no(&t, 2, ORDER_PAUSE, "{'do':'resume'}", ERR_STALE,
	    "until all players");
	table_play(&t, 1, ORDER_CLOSE, "{}");
	table_play(&t, 2, ORDER_READY, "{}");
	table_play(&t, 2, ORDER_RESIGN, "{}");
	assert_false(game_is_round(t.game));
	claim_is_good(&t);
}

static void
after_lost_lines_a_key_counts_at_once_and_one_that_waits_stays(void **state)
{
	struct table t;
	char text[40];

	(void)state;
	table_begun(&t);
	gives(&t, 1, 1);
	(void)snprintf(text, sizeof(text), "{'seq':%lld}",
	    (long long)game_seq(t.game) + 1);
	assert_int_equal(table_server(&t, "restored", text), 0);
	(void)snprintf(
	    text, sizeof(text), "{'to':%lld}", (long long)game_seq(t.game));
	assert_non_null(game_next_dice_key(t.game, 1));
	table_play(&t, 1, ORDER_ACCEPT, text);
	gives(&t, 2, 2);
	uses(&t, 2, 2);
	assert_true(t.fx.has_pool);
	/* The accept stands, and the other one is still owed. */
	assert_false(game_asks_accept(t.game, 1));
	assert_true(game_asks_accept(t.game, 2));
	table_play(&t, 2, ORDER_ACCEPT, text);
	table_play(&t, 1, ORDER_READY, "{}");
	table_play(&t, 2, ORDER_READY, "{}");
	assert_non_null(game_next_dice_key(t.game, 1));
	table_play(&t, 1, ORDER_TURN_END, "{}");
	uses(&t, 1, 1);
	assert_true(game_is_round(t.game));
	claim_is_good(&t);
}

static void
a_key_that_waits_is_forgotten_for_one_that_counts_at_once(void **state)
{
	struct vrf_key old;
	struct table t;
	char text[40];

	(void)state;
	table_begun(&t);
	gives(&t, 1, 1);
	(void)snprintf(text, sizeof(text), "{'seq':%lld}",
	    (long long)game_seq(t.game) + 1);
	assert_int_equal(table_server(&t, "restored", text), 0);
	(void)snprintf(
	    text, sizeof(text), "{'to':%lld}", (long long)game_seq(t.game));
	gives(&t, 1, 2);
	uses(&t, 1, 2);
	assert_null(game_next_dice_key(t.game, 1));
	fresh(1, &old);
	gives_not(&t, 2, old.public_key, "is or was a dice key");
	table_play(&t, 1, ORDER_ACCEPT, text);
	table_play(&t, 2, ORDER_ACCEPT, text);
	table_play(&t, 1, ORDER_READY, "{}");
	table_play(&t, 2, ORDER_READY, "{}");
	/* The newest counts; the older one does not come back. */
	table_play(&t, 1, ORDER_TURN_END, "{}");
	uses(&t, 1, 2);
	assert_false(game_is_round(t.game));
	claim_is_good(&t);
}

static void
in_a_round_the_clocks_of_both_may_run(void **state)
{
	struct table t;
	int64_t left1, left2, at;

	(void)state;
	claim_begun(&t,
	    "{'clock':{'per':'side','first_s':86400,'add_s':3600,"
	    "'then':'forfeit'}}");
	gives(&t, 2, 1);
	/* Side 1 gets its addition for the turn, although it owes a ready. */
	left1 = t.game->clock.sides[1].left;
	left2 = t.game->clock.sides[2].left;
	t.at_ms = t.game->clock.sides[1].since;
	at = t.at_ms;
	left1 = t.game->clock.sides[1].left;
	table_play(&t, 1, ORDER_TURN_END, "{}");
	uses(&t, 2, 1);
	assert_int_equal(t.game->clock.sides[1].left, left1 + HOUR);
	assert_int_equal(t.game->clock.sides[1].since, at);
	assert_int_equal(t.game->clock.sides[2].since, at);
	/* Its ready ends its time, and gives nothing. */
	t.at_ms = at + HOUR;
	table_play(&t, 1, ORDER_READY, "{}");
	assert_int_equal(t.game->clock.sides[1].left, left1);
	assert_int_equal(t.game->clock.sides[1].since, -1);
	t.at_ms = at + 2 * HOUR;
	table_play(&t, 2, ORDER_READY, "{}");
	/* Side 2 goes on with its turn: no addition yet. */
	assert_int_equal(t.game->clock.sides[2].left, left2 - 2 * HOUR);
	assert_int_equal(t.game->clock.sides[2].since, at + 2 * HOUR);
	t.at_ms = at + 3 * HOUR;
	table_play(&t, 2, ORDER_TURN_END, "{}");
	assert_int_equal(t.game->clock.sides[2].left, left2 - 2 * HOUR);
	claim_is_good(&t);
}

static void
time_for_an_order_is_not_renewed_by_a_ready(void **state)
{
	struct table t;
	int64_t at, left;

	(void)state;
	claim_begun(
	    &t, "{'clock':{'per':'order','first_s':86400,'then':'default'}}");
	left = t.game->clock.sides[1].left;
	gives(&t, 1, 1);
	at = t.at_ms;
	table_play(&t, 1, ORDER_TURN_END, "{}");
	uses(&t, 1, 1);
	assert_int_equal(t.game->clock.sides[1].left, left);
	assert_int_equal(t.game->clock.sides[2].left, left);
	t.at_ms = at + HOUR;
	table_play(&t, 2, ORDER_READY, "{}");
	t.at_ms = at + 2 * HOUR;
	/* A new key begins the round anew, but is no move. */
	gives(&t, 1, 2);
	uses(&t, 1, 2);
	assert_int_equal(t.game->clock.sides[1].left, left - 2 * HOUR);
	assert_int_equal(t.game->clock.sides[2].left, left - HOUR);
	t.at_ms = at + 3 * HOUR;
	table_play(&t, 2, ORDER_READY, "{}");
	t.at_ms = at + 4 * HOUR;
	table_play(&t, 1, ORDER_READY, "{}");
	assert_int_equal(t.game->clock.sides[2].left, left - 2 * HOUR);
	assert_int_equal(t.game->clock.sides[2].since, at + 4 * HOUR);
	/* Nothing has a default in a round: who lets it lie loses. */
	t.at_ms = at + 5 * HOUR;
	gives(&t, 1, 3);
	table_play(&t, 2, ORDER_TURN_END, "{}");
	uses(&t, 1, 3);
	table_play(&t, 2, ORDER_READY, "{}");
	t.at_ms = game_deadline_ms(t.game, 1);
	table_play(&t, 2, ORDER_CLAIM, "{}");
	claim_result(&t, "forfeit", 2);
	claim_is_good(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(rekeying_is_as_in_the_vectors),
	    cmocka_unit_test(before_the_first_ready_a_key_counts_at_once),
	    cmocka_unit_test(a_key_before_all_have_joined_is_in_the_first_pool),
	    cmocka_unit_test(a_key_waits_for_the_end_of_the_turn),
	    cmocka_unit_test(
		in_a_round_a_key_counts_at_once_and_the_round_begins_anew),
	    cmocka_unit_test(keys_that_are_refused),
	    cmocka_unit_test(
		a_key_comes_in_a_combat_and_while_an_answer_is_owed),
	    cmocka_unit_test(what_is_taken_in_a_round),
	    cmocka_unit_test(
		after_lost_lines_a_key_counts_at_once_and_one_that_waits_stays),
	    cmocka_unit_test(
		a_key_that_waits_is_forgotten_for_one_that_counts_at_once),
	    cmocka_unit_test(in_a_round_the_clocks_of_both_may_run),
	    cmocka_unit_test(time_for_an_order_is_not_renewed_by_a_ready),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
