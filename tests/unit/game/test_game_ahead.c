/* SPDX-License-Identifier: ISC */
/*
 * VRF inputs that are guessed ahead of the game: that they are those of the
 * game, that a result for them is taken, and that one for anything else is
 * not.  A result is told apart by an output that no proof has.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/game/game_ahead.h"
#include "common/game/game_int.h"

#include "common/game/game_make.h"
#include "tests/lib/table.h"

#define LIVE "{'scheme':'live-1'}"
#define CONFIRM "{'confirm':true}"
#define FREE "{'dice':2,'sides':6}"
#define FORGED 0xee /* each byte of an output that is not one */

/* What a game did with an order. */
struct taken {
	int r;
	bool is_thrown; /* the server was asked, over this */
	uint8_t alpha[VRF_MEMO_MAX];
	size_t n;
	bool has_pool;
	uint8_t pool[HASH_LEN];
	struct table *t;
};

static int
taken_prove_cb(void *arg, const uint8_t *alpha, size_t n,
    uint8_t proof[VRF_PROOF_LEN], uint8_t beta[VRF_BETA_LEN])
{
	struct taken *k = arg;

	assert_true(n <= sizeof(k->alpha));
	k->is_thrown = true;
	memcpy(k->alpha, alpha, n);
	k->n = n;
	return (table_prove_cb(k->t, alpha, n, proof, beta));
}

/* Makes an order and reads it; order_clear() frees what that gives. */
static void
make(struct table *t, int seat, enum order_kind kind, const char *args,
    struct order *o)
{
	struct errinfo e = {.text = ""};

	if (table_make(t, seat, kind, table_json(args)) != 0)
		fail_msg("%s: %s", t->e.where, t->e.text);
	assert_int_equal(order_parse(t->text.data, t->text.len, o, &e), 0);
	o->at_ms = t->at_ms;
}

/* Lets a copy of the game take an order with a memo. */
static struct taken
take(struct table *t, struct order *o, const struct vrf_memo *memo)
{
	struct taken k = {.t = t};
	const struct game_dice dice = {taken_prove_cb, &k};
	struct game *g = table_copy(t);
	struct game_effects fx;
	struct errinfo e = {.text = ""};

	o->memo = memo;
	k.r = game_take(
	    g, o, t->keys[o->seat].sign.public_key, &dice, NULL, &fx, &e);
	o->memo = NULL;
	if (k.r == 0) {
		k.has_pool = fx.has_pool;
		memcpy(k.pool, fx.pool, HASH_LEN);
		game_effects_clear(&fx);
	}
	game_free(g);
	return (k);
}

/* Checks the order's proof ahead, and forges the output. */
static void
forge(const struct game_ahead *a, struct table *t, const struct order *o,
    struct vrf_memo *m)
{
	struct game_ahead_input in;

	memset(m, 0, sizeof(*m));
	assert_int_equal(
	    game_ahead_check(a, o, t->keys[o->seat].sign.public_key, &in), 0);
	assert_memory_equal(
	    in.key, t->keys[o->seat].dice.public_key, VRF_KEY_LEN);
	assert_int_equal(vrf_memo_check(m, in.key, in.alpha, in.n,
			     o->has_own ? o->own : o->other),
	    0);
	memset(m->beta, FORGED, sizeof(m->beta));
}

/*
 * The guess for an order is what the game proves over: a forged output shows
 * in what the server is asked, or in the pool; and it is as guessed.
 */
static void
guessed(struct table *t, int seat, enum order_kind kind, const char *args,
    bool rolls)
{
	struct game_ahead_input in;
	struct game_ahead a;
	struct taken honest, forged;
	struct vrf_memo m;
	struct order o;

	make(t, seat, kind, args, &o);
	game_ahead_get(t->game, &a);
	forge(&a, t, &o, &m);
	honest = take(t, &o, NULL);
	forged = take(t, &o, &m);
	assert_int_equal(honest.r, 0);
	assert_int_equal(forged.r, 0);
	assert_int_equal(honest.is_thrown, rolls);
	assert_int_equal(forged.is_thrown, rolls);
	assert_int_equal(honest.has_pool, forged.has_pool);
	if (honest.has_pool)
		assert_memory_not_equal(honest.pool, forged.pool, HASH_LEN);
	if (rolls) {
		assert_int_equal(game_ahead_throw(&a, &o, m.beta, &in), 0);
		assert_memory_equal(
		    in.key, t->server_dice.public_key, VRF_KEY_LEN);
		assert_int_equal(in.n, forged.n);
		assert_memory_equal(in.alpha, forged.alpha, in.n);
		assert_memory_not_equal(honest.alpha, forged.alpha, in.n);
	}
	order_clear(&o);
	table_play(t, seat, kind, args);
}

/* Decides what the open combat asks, to its end. */
static void
decided(struct table *t)
{
	const struct game_combat *c = &t->game->combat;
	struct buf args;
	json_t *v;

	buf_init(&args, 0);
	while (c->is_open) {
		assert_int_equal(
		    game_suggest_decision(t->game, c->ask_side, &v), 0);
		v = json_pack(
		    "{s:I, s:o}", "ask", (json_int_t)c->ask_seq, "decision", v);
		buf_reset(&args);
		js_dump(v, &args);
		json_decref(v);
		guessed(t, c->ask_side, ORDER_DECIDE, buf_str(&args), false);
	}
	buf_clear(&args);
}

/* No work is done ahead for an order by a key. */
static void
unknown(const struct game_ahead *a, const struct order *o, const uint8_t *key)
{
	struct game_ahead_input in;

	assert_int_equal(game_ahead_check(a, o, key, &in), ERR_STALE);
}

static void
inputs_of_dual_1_are_guessed(void **state)
{
	struct table t;

	(void)state;
	table_seated(&t);
	guessed(&t, 2, ORDER_READY, "{}", false);
	guessed(&t, 1, ORDER_READY, "{}", false);
	guessed(&t, 1, ORDER_FREE, FREE, true);
	guessed(&t, 1, ORDER_FREE, FREE, true);
	guessed(&t, 1, ORDER_DECLARE, TABLE_FIGHT, true);
	decided(&t);
	guessed(&t, 1, ORDER_TURN_END, "{}", false);
	guessed(&t, 2, ORDER_TURN_END, "{}", false);
	guessed(&t, 1, ORDER_DECLARE, TABLE_FIGHT, true);
	table_clear(&t);
}

static void
inputs_of_live_1_are_guessed(void **state)
{
	struct game_ahead_input in;
	struct game_ahead a;
	struct order o;
	struct table t;
	char args[64];

	(void)state;
	table_begun_with(&t, table_roster, LIVE);
	make(&t, 1, ORDER_FREE, FREE, &o);
	game_ahead_get(t.game, &a);
	/* The roll waits: the server proves nothing yet. */
	assert_int_equal(
	    game_ahead_throw(&a, &o, t.game->owed.own_beta, &in), ERR_STALE);
	order_clear(&o);
	guessed(&t, 1, ORDER_FREE, FREE, false);
	(void)snprintf(args, sizeof(args), "{'to':%lld,'say':'agree'}",
	    (long long)t.game->owed.seq);
	make(&t, 2, ORDER_ANSWER, args, &o);
	game_ahead_get(t.game, &a);
	unknown(&a, &o, t.keys[1].sign.public_key);
	a.owed_seat = 1;
	unknown(&a, &o, t.keys[2].sign.public_key);
	order_clear(&o);
	guessed(&t, 2, ORDER_ANSWER, args, true);
	table_clear(&t);
}

static void
a_declaration_that_is_shown_first_is_not_rolled_for(void **state)
{
	struct game_ahead_input in;
	struct game_ahead a;
	struct order o;
	struct table t;

	(void)state;
	table_begun_with(&t, table_roster, CONFIRM);
	make(&t, 1, ORDER_DECLARE, TABLE_FIGHT, &o);
	game_ahead_get(t.game, &a);
	assert_int_equal(
	    game_ahead_throw(&a, &o, t.game->owed.own_beta, &in), ERR_STALE);
	order_clear(&o);
	guessed(&t, 1, ORDER_DECLARE, TABLE_FIGHT, false);
	/* While it waits, nothing else is worked upon. */
	game_ahead_get(t.game, &a);
	memset(&o, 0, sizeof(o));
	o.kind = ORDER_FREE;
	o.seat = 1;
	o.after = t.game->seq;
	o.place = "f/1/1";
	o.has_own = true;
	unknown(&a, &o, t.keys[1].sign.public_key);
	table_clear(&t);
}

static void
what_would_be_refused_is_not_worked_upon(void **state)
{
	struct game_ahead a, now;
	struct order o;
	struct table t;

	(void)state;
	table_begun(&t);
	make(&t, 1, ORDER_FREE, FREE, &o);
	game_ahead_get(t.game, &now);
	a = now;
	unknown(&a, &o, t.keys[2].sign.public_key);
	a.seats[1].is_joined = false;
	unknown(&a, &o, t.keys[1].sign.public_key);
	a = now;
	a.phase = GAME_OVER;
	unknown(&a, &o, t.keys[1].sign.public_key);
	a = now;
	a.state_seq = o.after + 1;
	unknown(&a, &o, t.keys[1].sign.public_key);
	a = now;
	a.side = 2;
	unknown(&a, &o, t.keys[1].sign.public_key);
	a = now;
	a.frees[1]++;
	unknown(&a, &o, t.keys[1].sign.public_key);
	a = now;
	memcpy(a.combat, "c/1/ru-1/1/1", 13);
	unknown(&a, &o, t.keys[1].sign.public_key);
	a = now;
	o.place = "f/1/10";
	unknown(&a, &o, t.keys[1].sign.public_key);
	o.place = "f/1/";
	unknown(&a, &o, t.keys[1].sign.public_key);
	o.place = NULL;
	unknown(&a, &o, t.keys[1].sign.public_key);
	o.place = "f/1/1";
	o.seat = GAME_SEATS;
	unknown(&a, &o, t.keys[1].sign.public_key);
	o.seat = 1;
	o.has_other = true;
	unknown(&a, &o, t.keys[1].sign.public_key);
	o.has_other = o.has_own = false;
	unknown(&a, &o, t.keys[1].sign.public_key);
	o.has_own = true;
	o.kind = ORDER_CHAT;
	unknown(&a, &o, t.keys[1].sign.public_key);
	o.kind = ORDER_DECIDE; /* no combat is open */
	unknown(&a, &o, t.keys[1].sign.public_key);
	o.kind = ORDER_ANSWER; /* nothing waits */
	unknown(&a, &o, t.keys[1].sign.public_key);
	order_clear(&o);
	table_clear(&t);
}

static void
a_memo_under_another_pool_is_not_used(void **state)
{
	struct game_ahead before;
	struct taken honest, other;
	struct vrf_memo m;
	struct order o;
	struct table t;
	char args[64];

	(void)state;
	table_begun(&t);
	make(&t, 1, ORDER_FREE, FREE, &o);
	game_ahead_get(t.game, &before);
	forge(&before, &t, &o, &m);
	order_clear(&o);
	/* The pool moves twice, and is taken back: it moves once more. */
	table_play(&t, 1, ORDER_TURN_END, "{}");
	table_play(&t, 2, ORDER_TURN_END, "{}");
	make(&t, 1, ORDER_FREE, FREE, &o);
	honest = take(&t, &o, NULL);
	other = take(&t, &o, &m);
	assert_int_equal(honest.r, 0);
	assert_int_equal(other.r, 0);
	assert_memory_equal(honest.alpha, other.alpha, honest.n);
	order_clear(&o);
	(void)snprintf(args, sizeof(args), "{'what':'takeback','from':%lld}",
	    (long long)t.game->seq);
	table_play(&t, 2, ORDER_OFFER, args);
	make(&t, 1, ORDER_FREE, FREE, &o);
	game_ahead_get(t.game, &before);
	forge(&before, &t, &o, &m);
	order_clear(&o);
	(void)snprintf(
	    args, sizeof(args), "{'to':%lld}", (long long)t.game->seq);
	table_play(&t, 1, ORDER_ACCEPT, args);
	assert_int_equal(game_side(t.game), 2);
	make(&t, 2, ORDER_FREE, FREE, &o);
	honest = take(&t, &o, NULL);
	other = take(&t, &o, &m);
	assert_int_equal(honest.r, 0);
	assert_int_equal(other.r, 0);
	assert_memory_equal(honest.alpha, other.alpha, honest.n);
	order_clear(&o);
	table_clear(&t);
}

static void
a_memo_of_another_seat_key_or_proof_is_not_used(void **state)
{
	struct game_ahead a;
	struct taken honest, other;
	struct vrf_memo m, changed;
	struct order o;
	struct table t;

	(void)state;
	table_begun(&t);
	make(&t, 1, ORDER_FREE, FREE, &o);
	game_ahead_get(t.game, &a);
	forge(&a, &t, &o, &m);
	honest = take(&t, &o, NULL);
	changed = m;
	memcpy(changed.key, t.keys[2].dice.public_key, VRF_KEY_LEN);
	other = take(&t, &o, &changed);
	assert_int_equal(other.r, 0);
	assert_memory_equal(honest.alpha, other.alpha, honest.n);
	changed = m;
	changed.alpha[changed.n - 1] ^= 1;
	other = take(&t, &o, &changed);
	assert_int_equal(other.r, 0);
	assert_memory_equal(honest.alpha, other.alpha, honest.n);
	/* A proof that does not hold is refused, whatever was found of another.
	 */
	o.own[50] ^= 1;
	other = take(&t, &o, &m);
	assert_int_equal(other.r, ERR_ILLEGAL);
	order_clear(&o);
	table_clear(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(inputs_of_dual_1_are_guessed),
	    cmocka_unit_test(inputs_of_live_1_are_guessed),
	    cmocka_unit_test(
		a_declaration_that_is_shown_first_is_not_rolled_for),
	    cmocka_unit_test(what_would_be_refused_is_not_worked_upon),
	    cmocka_unit_test(a_memo_under_another_pool_is_not_used),
	    cmocka_unit_test(a_memo_of_another_seat_key_or_proof_is_not_used),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
