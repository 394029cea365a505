/* SPDX-License-Identifier: ISC */
/*
 * A seat for somebody else (umpire-record.7, S4.2): who must consent, what is
 * void by it, and who signs afterwards.  Each game is saved and read back on
 * its way, and a verifier must find it good, and in the same state.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/buf.h"
#include "common/game/game_entry.h"
#include "common/game/game_facts.h"
#include "common/game/game_int.h"
#include "common/game/game_newcomer.h"

#include "tests/lib/claim.h"

#define LIVE "{'scheme':'live-1'}"
#define DRAW "{'what':'draw'}"
#define FREE "{'dice':2,'sides':6}"
#define RETIRE_NONE "{\"kind\":\"retire\",\"do\":\"none\"}"
#define ZEROS "0000000000000000000000000000000000000000000000000000000000000000"
#define DIRECTOR "{'options':{'director':true}}"
#define PER_ORDER "{'clock':{'per':'order','first_s':3600,'then':'forfeit'}}"
#define FACTS "{'confirm':'facts'}"

/* Keys of somebody who was not in the game. */
static struct game_keys
keys_of(uint8_t number)
{
	struct game_keys k = {0};
	uint8_t seed[32] = {0};

	seed[31] = number;
	assert_int_equal(sign_key_from_seed(&k.sign, seed), 0);
	assert_int_equal(vrf_key_from_secret(&k.dice, seed), 0);
	return (k);
}

/* What the line says, with one member set or, if value is NULL, left out. */
static const char *
data_with(int seat, const struct game_keys *k, const char *account,
    const char *name, json_t *value)
{
	static char text[2048];
	json_t *v;
	char *dump;

	v = json_pack("{s:i, s:s, s:o, s:o, s:i, s:s, s:s}", "seat", seat,
	    "account", account, "key", js_hex(k->sign.public_key, SIGN_KEY_LEN),
	    "dice_key", js_hex(k->dice.public_key, VRF_KEY_LEN), "kn", 0,
	    "kprev", ZEROS, "why", ZEROS);
	assert_non_null(v);
	if (name != NULL && value == NULL)
		(void)json_object_del(v, name);
	else if (name != NULL)
		assert_int_equal(json_object_set_new(v, name, value), 0);
	assert_non_null(dump = json_dumps(v, JSON_COMPACT));
	(void)snprintf(text, sizeof(text), "%s", dump);
	free(dump);
	json_decref(v);
	return (text);
}

/* The operator would seat somebody; the number of the line. */
static int64_t
propose_as(
    struct table *t, int seat, const struct game_keys *k, const char *account)
{
	const int epoch = t->game->epoch;
	const int64_t state = game_state_seq(t->game);

	if (table_server(t, "operator-key",
		data_with(seat, k, account, NULL, NULL)) != 0)
		fail_msg("%s: %s", t->e.where, t->e.text);
	/* It moves nothing. */
	assert_false(t->fx.has_pool);
	assert_int_equal(t->game->epoch, epoch);
	assert_int_equal(game_state_seq(t->game), state);
	table_reload(t);
	return (game_seq(t->game));
}

/* The same with a name of its own. */
static int64_t
propose(struct table *t, int seat, const struct game_keys *k)
{
	return (propose_as(t, seat, k, "new"));
}

/* Refuses to propose this. */
static void
no_propose(struct table *t, const char *data, const char *where)
{
	if (table_server(t, "operator-key", data) != ERR_ILLEGAL)
		fail_msg("taken: %s", data);
	if (strcmp(t->e.where, where) != 0)
		fail_msg("%s: %s, not %s", t->e.where, t->e.text, where);
}

/* Plays an order and reads the game back. */
static void
play(struct table *t, int seat, enum order_kind kind, const char *args)
{
	table_play(t, seat, kind, args);
	table_reload(t);
}

/* The last accept: the seat is theirs, and a round is due. */
static void
seat_them(struct table *t, int by, int64_t to, int seat,
    const struct game_keys *k, const char *account)
{
	const int epoch = t->game->epoch;

	claim_accept(t, by, to);
	assert_true(t->fx.has_pool);
	assert_memory_equal(t->fx.pool, game_pool(t->game), HASH_LEN);
	assert_int_equal(t->fx.given_seat, seat);
	assert_int_equal(t->game->epoch, epoch + 1);
	assert_int_equal(game_state_seq(t->game), game_seq(t->game));
	assert_string_equal(game_account(t->game, seat), account);
	assert_true(game_has_key(t->game, seat, k->sign.public_key));
	assert_null(game_key(t->game, seat, 1));
	assert_memory_equal(
	    game_dice_key(t->game, seat), k->dice.public_key, VRF_KEY_LEN);
	assert_true(game_is_round(t->game));
	table_reload(t);
	assert_string_equal(game_account(t->game, seat), account);
	t->keys[game_slot(seat)] = *k;
}

/* All seats of the game are ready again. */
static void
round_over(struct table *t)
{
	int seat;

	for (seat = 0; seat <= game_seats(t->game); seat++) {
		if (game_is_joined(t->game, seat))
			play(t, seat, ORDER_READY, "{}");
	}
	assert_true(t->fx.has_pool);
	assert_false(game_is_round(t->game));
}

/* Who is asked whether somebody gets a seat: "12" are seats 1 and 2. */
static void
asks(const struct table *t, const char *seats)
{
	struct game_waits w;
	size_t i, n = 0;

	game_waiting(t->game, &w);
	for (i = 0; i < w.n; i++) {
		if (w.list[i].what != OWED_NEWCOMER)
			continue;
		assert_true(n < strlen(seats));
		assert_int_equal(w.list[i].seat, seats[n++] - '0');
		assert_int_equal(w.list[i].until_ms, -1);
	}
	assert_int_equal(n, strlen(seats));
}

/* A copy of what a line did and became, as a verifier of all tells it. */
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

/* It stops nothing, needs all others, and the old key is refused then. */
static void
all_others_consent(void **state)
{
	const struct game_keys k = keys_of(150);
	struct game_keys old;
	struct table t;
	int64_t to;

	(void)state;
	claim_begun(&t, DIRECTOR);
	to = propose(&t, 2, &k);
	asks(&t, "01");
	claim_no_accept(&t, 2, to, ERR_STALE, "does not wait for seat 2");
	claim_accept(&t, 1, to);
	assert_false(t.fx.has_pool);
	assert_int_equal(t.fx.given_seat, -1);
	table_reload(&t);
	asks(&t, "0");
	claim_no_accept(&t, 1, to, ERR_STALE, "does not wait for seat 1");
	/* The game goes on meanwhile, by the keys that are valid. */
	play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
	table_settle(&t);
	play(&t, 1, ORDER_TURN_END, "{}");
	play(&t, 2, ORDER_TURN_END, "{}");
	assert_string_equal(game_account(t.game, 2), "p2");
	old = t.keys[2];
	seat_them(&t, 0, to, 2, &k, "new");
	asks(&t, "");
	assert_int_equal(entry_of(&t, to).fate, GAME_FATE_ACCEPTED);
	assert_int_equal(entry_of(&t, to).given, 2);
	assert_string_equal(entry_of(&t, to).account, "new");
	assert_string_equal(entry_of(&t, game_seq(t.game)).account, "p2");
	claim_no_accept(&t, 1, to, ERR_STALE, "");
	/* Until all are ready only that is taken, and by the new key. */
	table_no(&t, 1, ORDER_TURN_END, "{}", ERR_STALE, "ready");
	t.keys[2] = old;
	table_no(&t, 2, ORDER_CHAT, TABLE_CHAT, ERR_ILLEGAL, "key");
	t.keys[2] = k;
	round_over(&t);
	play(&t, 1, ORDER_TURN_END, "{}");
	play(&t, 2, ORDER_DECLARE,
	    "{'combat':{'attackers':[{'id':'ru-1','formation':'column'}],"
	    "'defenders':[{'id':'fr-1','formation':'line'}],"
	    "'contacts':[{'attacker':'ru-1','defender':'fr-1',"
	    "'edge':'front'}]}}");
	table_settle(&t);
	claim_is_good(&t);
}

/* It is declined, also by who has accepted it; replaced; and it lapses. */
static void
it_ends_in_other_ways(void **state)
{
	const struct game_keys a = keys_of(150), b = keys_of(151);
	struct table t;
	int64_t first, second;

	(void)state;
	claim_begun(&t, DIRECTOR);
	first = propose(&t, 2, &a);
	claim_no_note(&t, 2, first, "decline", ERR_ILLEGAL, "not this seat's");
	claim_no_note(&t, 1, first, "withdraw", ERR_ILLEGAL, "not this seat's");
	claim_accept(&t, 1, first);
	claim_note(&t, 1, first, "decline");
	table_reload(&t);
	assert_int_equal(entry_of(&t, first).fate, GAME_FATE_DECLINED);
	claim_no_accept(&t, 0, first, ERR_STALE, "not an open offer");
	/* What was never taken may be proposed again. */
	first = propose(&t, 2, &a);
	claim_accept(&t, 1, first);
	second = propose(&t, 2, &b);
	claim_no_accept(&t, 0, first, ERR_STALE, "not an open offer");
	assert_int_equal(entry_of(&t, first).fate, GAME_FATE_LAPSED);
	asks(&t, "01");
	/* Beside it one for another seat. */
	first = propose_as(&t, 1, &a, "other");
	asks(&t, "0102");
	play(&t, 1, ORDER_RESIGN, "{}");
	asks(&t, "");
	claim_no_accept(&t, 0, second, ERR_STALE, "");
	assert_int_equal(entry_of(&t, second).fate, GAME_FATE_LAPSED);
	claim_is_good(&t);
}

/* An answer that the seat owes is owed no longer, and its place unused. */
static void
what_the_seat_owes_is_void(void **state)
{
	static const struct {
		enum order_kind kind;
		const char *args;
	} orders[] = {{ORDER_DECLARE, TABLE_FIGHT}, {ORDER_FREE, FREE}};
	struct game_keys k;
	struct table t;
	int64_t owing, to;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		k = keys_of(150);
		table_begun_with(&t, table_roster, LIVE);
		to = propose(&t, 1, &k);
		play(&t, 1, orders[i].kind, orders[i].args);
		owing = game_seq(t.game);
		/* Another seat's answer is waited for first. */
		claim_no_accept(&t, 2, to, ERR_STALE, "another seat first");
		to = propose_as(&t, 2, &k, "other");
		seat_them(&t, 1, to, 2, &k, "other");
		assert_false(t.game->owed.is_owed);
		assert_int_equal(game_combat_seq(t.game), -1);
		assert_int_equal(
		    entry_of(&t, owing).taken_back, game_seq(t.game));
		round_over(&t);
		play(&t, 1, orders[i].kind, orders[i].args);
		assert_string_equal(
		    t.game->owed.place, i == 0 ? "c/1/ru-1/1/1" : "f/1/1");
		claim_is_good(&t);
	}
}

/* An open combat goes on under the new pool; offers stand. */
static void
an_open_combat_goes_on(void **state)
{
	const struct game_keys k = keys_of(150);
	int64_t declare, offer, to;
	struct table t;
	size_t n;

	(void)state;
	table_begun(&t);
	assert_int_equal(table_stand(&t, 2,
			     "{\"kind\":\"reroll\",\"do\":"
			     "\"all\"}"),
	    0);
	play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	declare = game_seq(t.game);
	assert_true(table_is_asked(&t));
	play(&t, 2, ORDER_OFFER, DRAW);
	offer = game_seq(t.game);
	to = propose(&t, 2, &k);
	seat_them(&t, 1, to, 2, &k, "new");
	assert_int_equal(game_combat_seq(t.game), declare);
	assert_int_equal(t.game->n_offers, 1);
	assert_false(game_standings(t.game, &n)->is_withdrawn);
	round_over(&t);
	assert_true(table_is_asked(&t));
	/* Whoever has the seat has what it gave. */
	claim_note(&t, 2, offer, "withdraw");
	table_settle(&t);
	assert_int_equal(game_combat_seq(t.game), -1);
	claim_is_good(&t);
}

/* A decision that states a fact is forgotten, and counts as no objection. */
static void
a_fact_is_asked_again(void **state)
{
	const struct game_keys k = keys_of(150);
	struct table t;
	json_t *objections;
	int64_t to;

	(void)state;
	table_begun_with(&t, table_roster, FACTS);
	play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
	assert_int_equal(t.game->owed.seat, 2);
	to = propose(&t, 2, &k);
	seat_them(&t, 1, to, 2, &k, "new");
	assert_false(t.game->owed.is_owed);
	assert_int_equal(game_combat_seq(t.game), -1);
	objections = game_objections(t.game);
	assert_int_equal(json_array_size(objections), 0);
	json_decref(objections);
	round_over(&t);
	play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
	assert_int_equal(t.game->owed.seat, 2);
	claim_is_good(&t);
}

/* Nobody gets time by it: the accept is no move. */
static void
no_clock_is_given_time(void **state)
{
	const struct game_keys k = keys_of(150);
	struct table t;
	int64_t left, to;

	(void)state;
	claim_begun(&t, PER_ORDER);
	t.at_ms += 600000;
	to = propose(&t, 2, &k);
	left = t.game->clock.sides[1].left;
	assert_true(left <= 3000000);
	t.at_ms += 60000;
	seat_them(&t, 1, to, 2, &k, "new");
	assert_true(t.game->clock.sides[1].left <= left - 60000);
	/* Both owe a ready, by what they had left. */
	assert_true(game_deadline_ms(t.game, 1) >= 0);
	assert_true(game_deadline_ms(t.game, 2) >= 0);
	round_over(&t);
	assert_true(t.game->clock.sides[1].left <= left - 60000);
	claim_is_good(&t);
}

/* Lost lines leave it as it is, and so does a takeback. */
static void
lost_lines_and_takebacks_leave_it(void **state)
{
	const struct game_keys k = keys_of(150);
	char data[40], args[80];
	int64_t declare, to, lost;
	struct table t;

	(void)state;
	claim_begun(&t, "{'options':{'director':true,'takeback':true}}");
	play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	declare = game_seq(t.game);
	to = propose(&t, 2, &k);
	claim_accept(&t, 0, to);
	(void)snprintf(args, sizeof(args), "{'what':'takeback','from':%lld}",
	    (long long)declare);
	play(&t, 2, ORDER_OFFER, args);
	claim_accept(&t, 1, game_seq(t.game));
	assert_int_equal(game_combat_seq(t.game), -1);
	asks(&t, "1");
	(void)snprintf(data, sizeof(data), "{'seq':%lld}",
	    (long long)game_seq(t.game) + 1);
	assert_int_equal(table_server(&t, "restored", data), 0);
	lost = game_seq(t.game);
	table_reload(&t);
	asks(&t, "1");
	claim_accept(&t, 0, lost);
	claim_accept(&t, 2, lost);
	/* The newcomer is seated while lost lines wait, which still do. */
	claim_accept(&t, 1, to);
	table_reload(&t);
	t.keys[2] = k;
	assert_string_equal(game_account(t.game, 2), "new");
	assert_true(game_asks_accept(t.game, 1));
	claim_accept(&t, 1, lost);
	round_over(&t);
	claim_is_good(&t);
}

/* A key, an account or a dice key that is, or was, somebody's. */
static void
nothing_of_it_was_there_before(void **state)
{
	const struct game_keys k = keys_of(150), more = keys_of(151);
	struct table t;
	json_t *v;
	int64_t to;

	(void)state;
	claim_begun(&t, DIRECTOR);
	no_propose(&t, data_with(2, &k, "p1", NULL, NULL), "data.account");
	no_propose(&t,
	    data_with(2, &k, "new", "key",
		js_hex(t.keys[2].sign.public_key, SIGN_KEY_LEN)),
	    "data.key");
	no_propose(&t,
	    data_with(2, &k, "new", "key",
		js_hex(t.keys[1].sign.public_key, SIGN_KEY_LEN)),
	    "data.key");
	no_propose(&t,
	    data_with(2, &k, "new", "dice_key",
		js_hex(t.keys[2].dice.public_key, VRF_KEY_LEN)),
	    "data.dice_key");
	no_propose(&t,
	    data_with(2, &k, "new", "dice_key",
		js_hex(t.server_dice.public_key, VRF_KEY_LEN)),
	    "data.dice_key");
	no_propose(&t, data_with(3, &k, "new", NULL, NULL), "data.seat");
	no_propose(
	    &t, data_with(GAME_WITNESS, &k, "new", NULL, NULL), "data.seat");
	no_propose(&t, data_with(17, &k, "new", NULL, NULL), "data.seat");
	no_propose(&t, data_with(2, &k, "new", "kn", NULL), "data.kn");
	no_propose(&t, data_with(2, &k, "new", "why", NULL), "data.why");
	no_propose(&t, data_with(2, &k, "new", "x", json_true()), "data.x");
	no_propose(&t, data_with(2, &k, "NEW", NULL, NULL), "data.account");
	/* Members that stand elsewhere: `keys` comes before `why`. */
	v = json_pack("[o]", js_hex(more.sign.public_key, SIGN_KEY_LEN));
	no_propose(&t, data_with(2, &k, "new", "keys", v), "data.keys");
	/* What was taken since: the accept comes too late. */
	to = propose(&t, 2, &k);
	claim_accept(&t, 0, to);
	seat_them(&t, 2,
	    (propose_as(&t, 1, &k, "other"),
		claim_accept(&t, 0, game_seq(t.game)), game_seq(t.game) - 1),
	    1, &k, "other");
	claim_no_accept(&t, 1, to, ERR_ILLEGAL, "key");
	asks(&t, "1");
	claim_note(&t, 1, to, "decline");
	round_over(&t);
	/* The keys that left never come back. */
	no_propose(&t,
	    data_with(1, &more, "new", "dice_key",
		js_hex(k.dice.public_key, VRF_KEY_LEN)),
	    "data.dice_key");
	claim_is_good(&t);
}

/* Before play, in a game that is over or halted, and by nobody's accept. */
static void
where_it_may_not_stand(void **state)
{
	const struct game_keys k = keys_of(150);
	struct table t;

	(void)state;
	table_seated(&t);
	no_propose(&t, data_with(2, &k, "new", NULL, NULL), "what");
	table_play(&t, 1, ORDER_READY, "{}");
	no_propose(&t, data_with(2, &k, "new", NULL, NULL), "what");
	table_play(&t, 2, ORDER_READY, "{}");
	play(&t, 1, ORDER_RESIGN, "{}");
	no_propose(&t, data_with(2, &k, "new", NULL, NULL), "what");
	claim_is_good(&t);
	table_begun(&t);
	(void)propose(&t, 2, &k);
	asks(&t, "1");
	assert_int_equal(table_server(&t, "fault", "{'seq':4,'text':'x'}"), 0);
	asks(&t, "");
	no_propose(&t, data_with(2, &k, "new", NULL, NULL), "what");
	table_clear(&t);
}

/* A new dice key that waits is forgotten, and was one of the game's. */
static void
a_key_that_waits_is_forgotten(void **state)
{
	const struct game_keys k = keys_of(150), next = keys_of(152);
	char args[100], hex[2 * VRF_KEY_LEN + 1];
	struct table t;

	(void)state;
	table_begun(&t);
	hex_format(hex, next.dice.public_key, VRF_KEY_LEN);
	(void)snprintf(args, sizeof(args), "{'dice_key':'%s'}", hex);
	play(&t, 2, ORDER_DICE_KEY, args);
	assert_non_null(game_next_dice_key(t.game, 2));
	seat_them(&t, 1, propose(&t, 2, &k), 2, &k, "new");
	assert_null(game_next_dice_key(t.game, 2));
	round_over(&t);
	play(&t, 1, ORDER_TURN_END, "{}");
	assert_false(game_is_round(t.game));
	table_no(&t, 2, ORDER_DICE_KEY, args, ERR_ILLEGAL, "was a dice key");
	claim_is_good(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(all_others_consent),
	    cmocka_unit_test(it_ends_in_other_ways),
	    cmocka_unit_test(what_the_seat_owes_is_void),
	    cmocka_unit_test(an_open_combat_goes_on),
	    cmocka_unit_test(a_fact_is_asked_again),
	    cmocka_unit_test(no_clock_is_given_time),
	    cmocka_unit_test(lost_lines_and_takebacks_leave_it),
	    cmocka_unit_test(nothing_of_it_was_there_before),
	    cmocka_unit_test(where_it_may_not_stand),
	    cmocka_unit_test(a_key_that_waits_is_forgotten),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
