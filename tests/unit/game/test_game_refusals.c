/* SPDX-License-Identifier: ISC */
/*
 * What a game refuses, with which code and why, and that nothing changes by
 * it (umpire-record.7, S3 to S6).
 */
#include "common/game/game.h"
#include "common/game/game_make.h"
#include "common/game/game_take.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/lib/table.h"

/* Sets a member of the order in t->text, at the top (value is stolen). */
static void
edit(struct table *t, int seat, const char *name, json_t *value)
{
	json_t *order = table_order(t);

	if (value == NULL)
		assert_int_equal(json_object_del(order, name), 0);
	else
		assert_int_equal(json_object_set_new(order, name, value), 0);
	table_reword(t, seat, order);
	json_decref(order);
}

/* As edit(), in its args. */
static void
edit_arg(struct table *t, int seat, const char *name, json_t *value)
{
	json_t *order = table_order(t), *args;

	args = json_object_get(order, "args");
	if (value == NULL)
		assert_int_equal(json_object_del(args, name), 0);
	else
		assert_int_equal(json_object_set_new(args, name, value), 0);
	table_reword(t, seat, order);
	json_decref(order);
}

/* Makes an order that would be taken, args a text. */
static void
make(struct table *t, int seat, enum order_kind kind, const char *args)
{
	if (table_make(t, seat, kind, table_json(args)) != 0)
		fail_msg("%s: %s", t->e.where, t->e.text);
}

/* A contribution to another place, with a seat's key, as a new value. */
static json_t *
proof_of(struct table *t, int seat, const char *tag, const char *place)
{
	uint8_t in[64], base[HASH_LEN], proof[VRF_PROOF_LEN];
	uint8_t beta[VRF_BETA_LEN];
	size_t n = strlen(tag) + 1;

	assert_int_equal(
	    game_base(game_id(t->game), game_pool(t->game), place, base), 0);
	memcpy(in, tag, n);
	memcpy(in + n, base, HASH_LEN);
	assert_int_equal(
	    vrf_prove(&t->keys[seat].dice, in, n + HASH_LEN, proof, beta), 0);
	return (js_hex(proof, VRF_PROOF_LEN));
}

/*
 * The order in t->text is taken for its place and own alone: other places
 * are stale, other proofs illegal.
 */
static void
refuses_other_proofs(struct table *t, int seat)
{
	static const char *const places[] = {"", "p/7", "p/00", "c/1/x/1/1",
	    "c/1/ru-1/2/1", "c/1/ru-1/1/2", "c/2/ru-1/1/1", "c/01/ru-1/1/1",
	    "c/1/ru-2/1/1", "c/1/ru-a1/1/2", "u/1/ru-1/1", "f/1/1", "/", "//",
	    "///"};
	json_t *order = table_order(t), *own, *place;
	const char *right;
	size_t i;

	own = json_deep_copy(json_object_get(order, "own"));
	place = json_deep_copy(json_object_get(order, "place"));
	right = json_string_value(place);
	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		assert_string_not_equal(places[i], right);
		edit(t, seat, "place", json_string(places[i]));
		table_refuses(t, seat, ERR_STALE, "");
		/* Nor with a proof that holds for it. */
		edit(t, seat, "own",
		    proof_of(t, seat, "umpire/own/1", places[i]));
		table_refuses(t, seat, ERR_STALE, "");
	}
	edit(t, seat, "place", json_incref(place));
	edit(t, seat, "own", proof_of(t, seat, "umpire/own/1", "p/7"));
	table_refuses(t, seat, ERR_ILLEGAL, "order.own");
	edit(t, seat, "own", proof_of(t, seat, "umpire/other/1", right));
	table_refuses(t, seat, ERR_ILLEGAL, "order.own");
	edit(t, seat, "own", proof_of(t, 3 - seat, "umpire/own/1", right));
	table_refuses(t, seat, ERR_ILLEGAL, "order.own");
	edit(t, seat, "own", json_deep_copy(own));
	/* Both halves of it count. */
	json_decref(order);
	order = table_order(t);
	edit(t, seat, "own", json_pack("s+", "02", json_string_value(own) + 2));
	if (strncmp(json_string_value(own), "02", 2) != 0)
		table_refuses(t, seat, ERR_ILLEGAL, "order.own");
	table_reword(t, seat, order);
	json_decref(order);
	json_decref(own);
	json_decref(place);
}

static void
settings_of_later_versions_are_refused_by_name(void **state)
{
	static const struct {
		const char *name, *value, *text;
	} later[] = {
	    {"system", "'chess'", "\"chess\""},
	    {"rules", "'lasalle2/2'", "\"lasalle2/2\""},
	};
	struct table t;
	json_t *args;
	size_t i;

	(void)state;
	table_init(&t);
	for (i = 0; i < sizeof(later) / sizeof(later[0]); i++) {
		args = table_create_args(&t, table_roster);
		json_object_set_new(
		    args, later[i].name, table_json(later[i].value));
		table_make_create(&t, args);
		assert_int_equal(table_open(&t), ERR_NEWER);
		if (strstr(t.e.text, later[i].text) == NULL ||
		    strstr(t.e.text, "not in this version") == NULL)
			fail_msg("%s: %s", later[i].name, t.e.text);
		assert_null(t.game);
	}
	/* Each table is a blob that must be read; their number is bounded. */
	args = table_create_args(&t, table_roster);
	for (i = 0; i < 17; i++)
		json_array_append_new(
		    json_object_get(args, "tables"), table_json(TABLE_REF));
	table_make_create(&t, args);
	assert_int_equal(table_open(&t), ERR_NEWER);
	assert_string_equal(t.e.where, "order.args.tables");
	args = table_create_args(&t, table_roster);
	json_object_set_new(args, "x", json_true());
	table_make_create(&t, args);
	assert_int_equal(table_open(&t), ERR_NEWER);
	args = table_create_args(&t, table_roster);
	json_object_set_new(args, "options", table_json("{'x':1}"));
	table_make_create(&t, args);
	assert_int_equal(table_open(&t), ERR_NEWER);
	/* What it can play: the same said at length. */
	args = table_create_args(&t, table_roster);
	json_object_set_new(args, "options",
	    table_json("{'seats':2,'director':false,'takeback':true}"));
	json_object_set_new(args, "confirm", json_false());
	json_object_set_new(args, "private", json_false());
	json_object_set_new(args, "event", json_string("Cup"));
	table_make_create(&t, args);
	assert_int_equal(table_open(&t), 0);
	table_clear(&t);
}

/* Opens a game with one arg changed; r is what must come of it. */
static void
create_gives(
    struct table *t, const char *name, json_t *value, int r, const char *why)
{
	json_t *args = table_create_args(t, table_roster);
	int got;

	json_object_set_new(args, name, value);
	table_make_create(t, args);
	got = table_open(t);
	if (got != r ||
	    (strstr(t->e.text, why) == NULL && strstr(t->e.where, why) == NULL))
		fail_msg("%s: %d %s: %s", name, got, t->e.where, t->e.text);
	assert_true(r == 0 || t->fx.events == NULL);
}

/* A blob's hash as a new value. */
static json_t *
blob_of(struct table *t, const char *text)
{
	uint8_t hash[HASH_LEN];

	table_put(t, text, hash);
	return (js_hex(hash, HASH_LEN));
}

static void
a_create_order_is_refused_for_what_is_wrong_in_it(void **state)
{
	static const char *const rosters[] = {
	    "not JSON",
	    "[]",
	    "{}",
	    "{'blob':'roster'}",
	    "{'blob':'tables','tables':{}}",
	    "{'system':'lasalle2','blob':'roster','sides':{'1':{'units':["
	    "{'id':'a','arm':'infantry','strength':1}]},'2':{'units':["
	    "{'id':'b','arm':'infantry','strength':1}]}}}",
	    "{'blob':'roster','system':'tlnb','sides':{'1':{'units':["
	    "{'id':'a','arm':'infantry','strength':1}]},'2':{'units':["
	    "{'id':'b','arm':'infantry','strength':1}]}}}",
	    "{'blob':'roster','system':'lasalle2','sides':{'1':{'units':["
	    "{'id':'a','arm':'infantry','strength':1}]},'2':{'units':["
	    "{'id':'a','arm':'infantry','strength':1}]}}}",
	    "{'blob':'roster','system':'lasalle2','sides':{'1':{'units':["
	    "{'id':'a','arm':'infantry','strength':1.0}]},'2':{'units':["
	    "{'id':'b','arm':'infantry','strength':1}]}}}",
	};
	struct game *g = NULL;
	struct game_effects fx;
	struct game_blobs blobs;
	struct table t;
	struct order o;
	char *big;
	size_t i;

	(void)state;
	table_init(&t);
	blobs = (struct game_blobs){table_blob_cb, &t};
	create_gives(&t, "roster", table_json(TABLE_REF), ERR_MISSING,
	    "order.args.roster");
	create_gives(&t, "tables", table_json("[" TABLE_REF "]"), ERR_MISSING,
	    "order.args.tables");
	for (i = 0; i < sizeof(rosters) / sizeof(rosters[0]); i++)
		create_gives(
		    &t, "roster", blob_of(&t, rosters[i]), ERR_ILLEGAL, "");
	big = malloc(RECORD_BLOB_MAX + 2);
	assert_non_null(big);
	memset(big, ' ', RECORD_BLOB_MAX + 1);
	memcpy(big, table_roster, strlen(table_roster));
	big[RECORD_BLOB_MAX + 1] = '\0';
	create_gives(
	    &t, "roster", blob_of(&t, big), ERR_ILLEGAL, "order.args.roster");
	free(big);
	create_gives(&t, "tables", json_pack("[o]", blob_of(&t, table_roster)),
	    ERR_ILLEGAL, "order.args.tables");
	create_gives(&t, "tables",
	    json_pack("[o]", blob_of(&t, "{'blob':'bag','tables':{}}")),
	    ERR_ILLEGAL, "order.args.tables");
	create_gives(&t, "tables",
	    json_pack(
		"[o]", blob_of(&t, "{'blob':'tables','tables':{'x':[]}}")),
	    ERR_ILLEGAL, "tables");
	create_gives(&t, "tables",
	    json_pack("[o]", blob_of(&t, "{'tables':{},'blob':'tables'}")),
	    ERR_ILLEGAL, "blob");
	create_gives(
	    &t, "rulings", table_json("{'x':true}"), ERR_ILLEGAL, "rulings");
	create_gives(&t, "rulings", table_json("{'garrison_has_flanks':1}"),
	    ERR_ILLEGAL, "rulings.garrison_has_flanks");
	create_gives(&t, "scheme", json_string("dual"), ERR_ILLEGAL,
	    "order.args.scheme");
	create_gives(&t, "key", js_hex(t.keys[2].sign.public_key, SIGN_KEY_LEN),
	    ERR_ILLEGAL, "order.args.key");
	create_gives(
	    &t, "seat", json_integer(0), ERR_ILLEGAL, "order.args.seat");
	create_gives(&t, "kprev", table_json(TABLE_REF), ERR_ILLEGAL,
	    "order.args.kprev");
	assert_null(t.game);
	/* Tables that are none, and rulings that are some. */
	create_gives(&t, "tables",
	    json_pack("[o]", blob_of(&t, "{'blob':'tables','tables':{}}")), 0,
	    "");
	/* An order of another kind. */
	make(&t, 1, ORDER_CHAT, TABLE_CHAT);
	assert_int_equal(order_parse(t.text.data, t.text.len, &o, &t.e), 0);
	assert_int_equal(game_create(&o, t.keys[1].sign.public_key, &blobs,
			     true, &g, &fx, &t.e),
	    ERR_ILLEGAL);
	assert_null(g);
	order_clear(&o);
	table_clear(&t);
}

/* A game that waits for seat 2. */
static void
table_waiting(struct table *t)
{
	table_init(t);
	table_make_create(t, table_create_args(t, table_roster));
	assert_int_equal(table_open(t), 0);
}

/* Makes a join of seat 2 with one arg changed. */
static void
make_join(struct table *t, const char *name, json_t *value)
{
	assert_int_equal(
	    table_make(t, 2, ORDER_JOIN, table_seat_args(t, 2)), 0);
	edit_arg(t, 2, name, value);
}

static void
a_join_is_refused_for_what_is_wrong_in_it(void **state)
{
	struct table t;
	json_t *args;

	(void)state;
	table_waiting(&t);
	make_join(&t, "key", js_hex(t.keys[3].sign.public_key, SIGN_KEY_LEN));
	table_refuses(&t, 2, ERR_ILLEGAL, "order.args.key");
	make_join(
	    &t, "dice_key", js_hex(t.keys[1].dice.public_key, VRF_KEY_LEN));
	table_refuses(&t, 2, ERR_ILLEGAL, "sits in seat 1");
	make_join(&t, "key", js_hex(t.keys[1].sign.public_key, SIGN_KEY_LEN));
	table_sign(&t, 1);
	table_refuses(&t, 1, ERR_ILLEGAL, "sits in seat 1");
	make_join(&t, "x", json_integer(1));
	table_refuses(&t, 2, ERR_NEWER, "order.args.x");
	make_join(&t, "account", json_string("-"));
	table_refuses(&t, 2, ERR_ILLEGAL, "order.args.account");
	make_join(&t, "kprev", table_json(TABLE_REF));
	table_refuses(&t, 2, ERR_ILLEGAL, "order.args.kprev");
	make_join(&t, "seat", json_integer(1));
	table_refuses(&t, 2, ERR_ILLEGAL, "order.args.seat");
	/* Seats that are taken, or that there are not. */
	args = table_seat_args(&t, 3);
	json_object_set_new(args, "seat", json_integer(1));
	assert_int_equal(table_make(&t, 1, ORDER_JOIN, args), 0);
	table_sign(&t, 3);
	table_refuses(&t, 3, ERR_ILLEGAL, "taken");
	assert_int_equal(
	    table_make(&t, 3, ORDER_JOIN, table_seat_args(&t, 3)), 0);
	table_refuses(&t, 3, ERR_ILLEGAL, "no seat 3");
	assert_int_equal(
	    table_make(&t, 0, ORDER_JOIN, table_seat_args(&t, 0)), 0);
	table_refuses(&t, 0, ERR_ILLEGAL, "no seat 0");
	/* Who does not sit there gives no other order. */
	table_no(&t, 2, ORDER_CHAT, TABLE_CHAT, ERR_ILLEGAL, "key");
	table_no(&t, 2, ORDER_RESIGN, "{}", ERR_ILLEGAL, "key");
	table_no(&t, 2, ORDER_CLOSE, "{}", ERR_ILLEGAL, "key");
	/* It joins once. */
	assert_int_equal(
	    table_try(&t, 2, ORDER_JOIN, table_seat_args(&t, 2)), 0);
	make_join(&t, "account", json_string("p2"));
	table_refuses(&t, 2, ERR_ILLEGAL, "taken");
	table_play(&t, 1, ORDER_READY, "{}");
	make_join(&t, "account", json_string("p2"));
	table_refuses(&t, 2, ERR_ILLEGAL, "any more");
	table_clear(&t);
	/* Nor is there a seat in a game that was cancelled. */
	table_waiting(&t);
	table_play(&t, 1, ORDER_RESIGN, "{}");
	make_join(&t, "account", json_string("p2"));
	table_refuses(&t, 2, ERR_ILLEGAL, "any more");
	table_clear(&t);
}

static void
an_order_by_another_key_is_refused(void **state)
{
	static const struct {
		enum order_kind kind;
		const char *args;
	} orders[] = {
	    {ORDER_DECLARE, TABLE_FIGHT},
	    {ORDER_TURN_END, "{}"},
	    {ORDER_RESIGN, "{}"},
	    {ORDER_CLOSE, "{}"},
	    {ORDER_CHAT, TABLE_CHAT},
	    {ORDER_NOTE, "{}"},
	};
	struct table t;
	size_t i;

	(void)state;
	table_begun(&t);
	for (i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		make(&t, 1, orders[i].kind, orders[i].args);
		table_refuses(&t, 2, ERR_ILLEGAL, "key");
		table_refuses(&t, 7, ERR_ILLEGAL, "key");
		edit(&t, 1, "seat", json_integer(2));
		table_refuses(&t, 1, ERR_ILLEGAL, "key");
		edit(&t, 1, "seat", json_integer(0));
		table_refuses(&t, 1, ERR_ILLEGAL, "key");
		edit(&t, 1, "seat", json_integer(16));
		table_refuses(&t, 1, ERR_ILLEGAL, "key");
	}
	table_clear(&t);
}

static void
a_second_create_order_is_refused(void **state)
{
	struct table t;

	(void)state;
	table_begun(&t);
	table_make_create(&t, table_create_args(&t, table_roster));
	table_refuses(&t, 1, ERR_ILLEGAL, "once");
	table_clear(&t);
}

static void
a_ready_is_refused_unless_it_is_awaited(void **state)
{
	struct table t;

	(void)state;
	table_waiting(&t);
	table_no(&t, 1, ORDER_READY, "{}", ERR_ILLEGAL, "free");
	table_clear(&t);
	table_seated(&t);
	table_no(&t, 1, ORDER_READY, "{'x':1}", ERR_NEWER, "order.args.x");
	make(&t, 1, ORDER_READY, "{}");
	refuses_other_proofs(&t, 1);
	assert_int_equal(table_take(&t, 1), 0);
	table_no(&t, 1, ORDER_READY, "{}", ERR_STALE, "does not wait");
	table_play(&t, 2, ORDER_READY, "{}");
	table_no(&t, 1, ORDER_READY, "{}", ERR_STALE, "does not wait");
	table_no(&t, 2, ORDER_READY, "{}", ERR_STALE, "does not wait");
	table_clear(&t);
}

/* Orders of the class turn before play, out of turn, late, and after it. */
static void
turn_orders_are_stale_out_of_their_time(void **state)
{
	struct table t;

	(void)state;
	table_seated(&t);
	table_no(&t, 1, ORDER_DECLARE, TABLE_FIGHT, ERR_STALE, "started");
	table_no(&t, 1, ORDER_TURN_END, "{}", ERR_STALE, "started");
	table_play(&t, 1, ORDER_READY, "{}");
	table_play(&t, 2, ORDER_READY, "{}");
	/* Made before the last ready, which is a state line. */
	make(&t, 1, ORDER_TURN_END, "{}");
	edit(&t, 1, "after", json_integer(2));
	table_refuses(&t, 1, ERR_STALE, "order.after");
	table_no(&t, 2, ORDER_TURN_END, "{}", ERR_STALE, "other side's turn");
	table_no(
	    &t, 2, ORDER_DECLARE, TABLE_FIGHT, ERR_STALE, "other side's turn");
	table_clear(&t);
}

/* Lines between an order and the head that it names. */
static void
only_state_lines_make_an_order_stale(void **state)
{
	struct buf text;
	struct table t;
	int i;

	(void)state;
	buf_init(&text, 0);
	for (i = 0; i < 3; i++) {
		table_begun(&t);
		make(&t, 1, i == 2 ? ORDER_RESIGN : ORDER_TURN_END, "{}");
		buf_reset(&text);
		buf_add(&text, t.text.data, t.text.len);
		if (i == 0) {
			table_play(&t, 2, ORDER_CHAT, TABLE_CHAT);
			table_play(&t, 2, ORDER_CLOSE, "{}");
			table_play(&t, 1, ORDER_CHAT, TABLE_CHAT);
		} else {
			table_play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
			table_settle(&t);
		}
		buf_reset(&t.text);
		buf_add(&t.text, text.data, text.len);
		table_sign(&t, 1);
		if (i == 0)
			assert_int_equal(table_take(&t, 1), 0);
		else
			table_refuses(&t, 1, ERR_STALE, "moved on");
		table_clear(&t);
	}
	buf_clear(&text);
}

static void
a_declare_is_refused_for_what_is_wrong_in_it(void **state)
{
	static const struct {
		const char *from, *to, *why;
	} edits[] = {
	    {"fr-1", "fr-9", "fr-9"},
	    {"fr-1", "ru-2", "ru-2"},
	    {"'ru-1','formation'", "'fr-2','formation'", "fr-2"},
	    {"column", "limbered", "formation"},
	    {"column", "garrison", "garrison"},
	    {"'formation':'line'", "'formation':'line','strength':4",
		"strength"},
	    {"'formation':'line'", "'formation':'line','x':1", ".x"},
	    {"'edge':'front'", "'edge':'top'", "edge"},
	    {"'attacker':'fr-1'", "'attacker':'fr-2'", "fr-2"},
	    {"'contacts':[", "'contact':[", "contact"},
	    {"'attackers'", "'attacker'", "attacker"},
	    {"'formation':'column'", "'formation':7", "formation"},
	};
	struct table t;
	struct buf b;
	const char *hit;
	size_t i;

	(void)state;
	table_begun(&t);
	buf_init(&b, 0);
	for (i = 0; i < sizeof(edits) / sizeof(edits[0]); i++) {
		hit = strstr(TABLE_FIGHT, edits[i].from);
		assert_non_null(hit);
		buf_reset(&b);
		buf_add(&b, TABLE_FIGHT, (size_t)(hit - TABLE_FIGHT));
		buf_puts(&b, edits[i].to);
		buf_puts(&b, hit + strlen(edits[i].from));
		table_no(&t, 1, ORDER_DECLARE, buf_str(&b), ERR_ILLEGAL,
		    edits[i].why);
	}
	make(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
	edit_arg(&t, 1, "x", json_true());
	table_refuses(&t, 1, ERR_NEWER, "order.args.x");
	/* Facts that name no place. */
	make(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
	edit_arg(&t, 1, "combat", table_json("[]"));
	table_refuses(&t, 1, ERR_ILLEGAL, "defending");
	edit_arg(&t, 1, "combat", table_json("{}"));
	table_refuses(&t, 1, ERR_ILLEGAL, "defending");
	edit_arg(&t, 1, "combat", table_json("{'defenders':[{'id':'RU'}]}"));
	table_refuses(&t, 1, ERR_ILLEGAL, "defending");
	edit_arg(&t, 1, "combat", NULL);
	table_refuses(&t, 1, ERR_ILLEGAL, "defending");
	assert_int_equal(table_make(&t, 1, ORDER_DECLARE,
			     table_json("{'combat':{'defenders':[]}}")),
	    ERR_INVALID);
	make(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
	refuses_other_proofs(&t, 1);
	assert_int_equal(table_take(&t, 1), 0);
	table_settle(&t);
	buf_clear(&b);
	table_clear(&t);
}

/* Units that broke or retired stay where they are. */
static void
units_out_of_play_are_not_declared(void **state)
{
	struct table t;

	(void)state;
	table_begun(&t);
	table_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	table_settle(&t);
	table_no(&t, 1, ORDER_DECLARE, TABLE_GUNS, ERR_ILLEGAL, "out of play");
	table_clear(&t);
}

static void
an_open_combat_takes_a_decision_alone(void **state)
{
	struct table t;

	(void)state;
	table_begun(&t);
	table_no(&t, 1, ORDER_CHAT, "{}", ERR_ILLEGAL, "order.args.ref");
	table_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	table_no(&t, 1, ORDER_TURN_END, "{}", ERR_ILLEGAL, "combat is open");
	table_no(&t, 2, ORDER_TURN_END, "{}", ERR_ILLEGAL, "combat is open");
	table_no(
	    &t, 1, ORDER_DECLARE, TABLE_FIGHT, ERR_ILLEGAL, "combat is open");
	table_no(&t, 1, ORDER_DECLARE, TABLE_GUNS, ERR_ILLEGAL, "open");
	table_answer(&t);
	table_settle(&t);
	table_play(&t, 1, ORDER_TURN_END, "{}");
	table_clear(&t);
}

static void
a_decision_is_refused_for_what_is_wrong_in_it(void **state)
{
	static const struct {
		const char *decision;
		int r;
		const char *why;
	} bad[] = {
	    {"{'kind':'reroll','units':[]}", ERR_ILLEGAL, "retire"},
	    {"{'kind':'retire'}", ERR_ILLEGAL, "units"},
	    {"{'units':[]}", ERR_ILLEGAL, "kind"},
	    {"{}", ERR_ILLEGAL, "kind"},
	    {"{'kind':'retire','units':{}}", ERR_ILLEGAL, "units"},
	    {"{'kind':'retire','units':[7]}", ERR_ILLEGAL, "units[0]"},
	    {"{'kind':'retire','units':['fr-2']}", ERR_ILLEGAL, "fr-2"},
	    {"{'kind':'retire','units':['ru-a1','ru-a1']}", ERR_ILLEGAL,
		"twice"},
	    {"{'kind':'retire','units':[],'x':1}", ERR_ILLEGAL, ".x"},
	    {"[]", ERR_ILLEGAL, "order.args.decision"},
	    {"null", ERR_ILLEGAL, "order.args.decision"},
	};
	struct table t;
	json_t *args;
	size_t i;

	(void)state;
	table_begun(&t);
	table_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		args =
		    json_pack("{s:I, s:o}", "ask", (json_int_t)game_seq(t.game),
			"decision", table_json(bad[i].decision));
		assert_int_equal(table_make(&t, 2, ORDER_DECIDE, args), 0);
		table_refuses(&t, 2, bad[i].r, bad[i].why);
	}
	/* Another question than the open one; none; no decision. */
	for (i = 0; i < 2; i++) {
		args = table_answer_args(&t);
		json_object_set_new(args, "ask",
		    json_integer(
			i == 0 ? game_seq(t.game) - 1 : game_seq(t.game) + 1));
		assert_int_equal(table_make(&t, 2, ORDER_DECIDE, args), 0);
		table_refuses(&t, 2, ERR_STALE, "order.args.ask");
	}
	assert_int_equal(
	    table_make(&t, 2, ORDER_DECIDE, table_answer_args(&t)), 0);
	edit_arg(&t, 2, "ask", json_string("4"));
	table_refuses(&t, 2, ERR_ILLEGAL, "order.args.ask");
	edit_arg(&t, 2, "ask", NULL);
	table_refuses(&t, 2, ERR_ILLEGAL, "order.args.ask");
	edit_arg(&t, 2, "x", json_true());
	table_refuses(&t, 2, ERR_NEWER, "order.args.x");
	assert_int_equal(
	    table_make(&t, 2, ORDER_DECIDE, table_answer_args(&t)), 0);
	edit_arg(&t, 2, "decision", NULL);
	table_refuses(&t, 2, ERR_ILLEGAL, "order.args.decision");
	/* The other side's question. */
	assert_int_equal(
	    table_make(&t, 1, ORDER_DECIDE, table_answer_args(&t)), 0);
	table_refuses(&t, 1, ERR_STALE, "other side's");
	/* A lawful decision with a wrong proof is taken back whole. */
	assert_int_equal(
	    table_make(&t, 2, ORDER_DECIDE, table_answer_args(&t)), 0);
	refuses_other_proofs(&t, 2);
	assert_int_equal(table_take(&t, 2), 0);
	table_settle(&t);
	/* Nothing is owed any more. */
	assert_int_equal(
	    table_make(&t, 2, ORDER_DECIDE, table_json("{}")), ERR_STALE);
	table_clear(&t);
}

static void
a_decision_without_a_question_is_stale(void **state)
{
	struct table t;

	(void)state;
	table_begun(&t);
	make(&t, 1, ORDER_TURN_END, "{}");
	edit(&t, 1, "kind", json_string("decide"));
	table_refuses(&t, 1, ERR_STALE, "no decision");
	table_clear(&t);
}

static void
a_turn_end_is_refused_for_what_is_wrong_in_it(void **state)
{
	struct table t;

	(void)state;
	table_begun(&t);
	table_no(&t, 1, ORDER_TURN_END, "{'x':1}", ERR_NEWER, "order.args.x");
	make(&t, 1, ORDER_TURN_END, "{}");
	refuses_other_proofs(&t, 1);
	assert_int_equal(table_take(&t, 1), 0);
	table_clear(&t);
}

static void
a_chat_is_refused_for_what_is_wrong_in_it(void **state)
{
	struct table t;

	(void)state;
	table_waiting(&t);
	table_no(&t, 1, ORDER_CHAT, "{}", ERR_ILLEGAL, "order.args.ref");
	table_no(&t, 1, ORDER_CHAT, "{'ref':'hi'}", ERR_ILLEGAL, "ref");
	table_no(&t, 1, ORDER_CHAT, "{'ref':" TABLE_REF ",'to':'all'}",
	    ERR_ILLEGAL, "order.args.to");
	table_no(&t, 1, ORDER_CHAT, "{'ref':" TABLE_REF ",'x':1}", ERR_NEWER,
	    "order.args.x");
	table_play(&t, 1, ORDER_CHAT, TABLE_CHAT);
	table_play(&t, 1, ORDER_CHAT, "{'ref':" TABLE_REF ",'to':'side'}");
	table_clear(&t);
}

static void
who_answers_a_line_has_seen_it(void **state)
{
	struct table t;
	int64_t to;

	(void)state;
	table_begun(&t);
	table_play(&t, 1, ORDER_OFFER, "{'what':'draw'}");
	to = game_seq(t.game);
	t.now_ms = t.at_ms;
	make(&t, 2, ORDER_ACCEPT, "{'to':1000}");
	table_refuses(&t, 2, ERR_ILLEGAL, "order.after");
	table_make(&t, 2, ORDER_ACCEPT, json_pack("{s:I}", "to", to));
	edit(&t, 2, "after", json_integer(to - 1));
	table_refuses(&t, 2, ERR_ILLEGAL, "order.after");
	/* Old orders, which tell no time, were not asked for that. */
	t.now_ms = -1;
	make(&t, 2, ORDER_ACCEPT, "{'to':1000}");
	table_refuses(&t, 2, ERR_STALE, "order.args.to");
	table_make(&t, 2, ORDER_ACCEPT, json_pack("{s:I}", "to", to));
	edit(&t, 2, "after", json_integer(to - 1));
	assert_int_equal(table_take(&t, 2), 0);
	table_clear(&t);
}

static void
resign_and_close_are_refused_when_they_have_no_effect(void **state)
{
	struct table t;

	(void)state;
	table_begun(&t);
	table_no(&t, 2, ORDER_RESIGN, "{'x':1}", ERR_NEWER, "order.args.x");
	table_no(&t, 2, ORDER_CLOSE, "{'x':1}", ERR_NEWER, "order.args.x");
	table_play(&t, 2, ORDER_CLOSE, "{}");
	table_no(&t, 2, ORDER_CLOSE, "{}", ERR_ILLEGAL, "already closed");
	make(&t, 2, ORDER_RESIGN, "{}");
	edit(&t, 2, "after", json_integer(2));
	table_refuses(&t, 2, ERR_STALE, "order.after");
	make(&t, 1, ORDER_CLOSE, "{}");
	edit(&t, 1, "after", json_integer(2));
	table_refuses(&t, 1, ERR_STALE, "order.after");
	table_play(&t, 1, ORDER_RESIGN, "{}");
	table_no(&t, 1, ORDER_RESIGN, "{}", ERR_ILLEGAL, "over");
	table_no(&t, 2, ORDER_RESIGN, "{}", ERR_ILLEGAL, "over");
	table_no(&t, 1, ORDER_TURN_END, "{}", ERR_ILLEGAL, "over");
	table_no(&t, 1, ORDER_DECLARE, TABLE_FIGHT, ERR_ILLEGAL, "over");
	table_no(&t, 1, ORDER_READY, "{}", ERR_STALE, "does not wait");
	table_play(&t, 2, ORDER_CHAT, TABLE_CHAT);
	table_play(&t, 2, ORDER_CLOSE, "{}");
	table_no(&t, 2, ORDER_CLOSE, "{}", ERR_ILLEGAL, "already closed");
	table_play(&t, 1, ORDER_CLOSE, "{}");
	/* Nothing follows. */
	table_no(&t, 1, ORDER_CLOSE, "{}", ERR_ILLEGAL, "no line may follow");
	table_no(&t, 1, ORDER_RESIGN, "{}", ERR_ILLEGAL, "no line may follow");
	table_no(&t, 1, ORDER_TURN_END, "{}", ERR_ILLEGAL, "no line");
	table_no(
	    &t, 1, ORDER_CHAT, TABLE_CHAT, ERR_ILLEGAL, "no line may follow");
	table_no(&t, 1, ORDER_NOTE, "{}", ERR_ILLEGAL, "no line may follow");
	assert_int_equal(
	    table_make(&t, 3, ORDER_JOIN, table_seat_args(&t, 3)), 0);
	table_refuses(&t, 3, ERR_ILLEGAL, "no line may follow");
	table_clear(&t);
}

static void
kinds_of_later_versions_are_refused_by_name(void **state)
{
	struct table t;

	(void)state;
	table_begun(&t);
	make(&t, 1, ORDER_NOTE, "{}");
	edit(&t, 1, "kind", json_string("dance"));
	table_refuses(&t, 1, ERR_NEWER, "\"dance\"");
	table_clear(&t);
}

/* What a player's machine asks before it sends a declaration. */
static void
facts_can_be_checked_without_declaring_them(void **state)
{
	json_t *args = table_json(TABLE_FIGHT), *facts = NULL;
	struct table t;
	struct buf a, b;

	(void)state;
	table_begun(&t);
	buf_init(&a, 0);
	buf_init(&b, 0);
	table_save(&t, &a);
	assert_int_equal(game_check_combat(t.game, 1,
			     json_object_get(args, "combat"), &facts, &t.e),
	    0);
	assert_string_equal(
	    json_string_value(json_object_get(
		json_array_get(json_object_get(facts, "attackers"), 0), "arm")),
	    "infantry");
	json_decref(facts);
	facts = NULL;
	assert_int_equal(game_check_combat(t.game, 2,
			     json_object_get(args, "combat"), &facts, &t.e),
	    ERR_INVALID);
	assert_int_equal(
	    game_check_combat(t.game, 1, args, &facts, &t.e), ERR_INVALID);
	assert_null(facts);
	table_save(&t, &b);
	assert_string_equal(buf_str(&a), buf_str(&b));
	buf_clear(&a);
	buf_clear(&b);
	json_decref(args);
	table_clear(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(settings_of_later_versions_are_refused_by_name),
	    cmocka_unit_test(a_create_order_is_refused_for_what_is_wrong_in_it),
	    cmocka_unit_test(a_join_is_refused_for_what_is_wrong_in_it),
	    cmocka_unit_test(an_order_by_another_key_is_refused),
	    cmocka_unit_test(a_second_create_order_is_refused),
	    cmocka_unit_test(a_ready_is_refused_unless_it_is_awaited),
	    cmocka_unit_test(turn_orders_are_stale_out_of_their_time),
	    cmocka_unit_test(only_state_lines_make_an_order_stale),
	    cmocka_unit_test(a_declare_is_refused_for_what_is_wrong_in_it),
	    cmocka_unit_test(units_out_of_play_are_not_declared),
	    cmocka_unit_test(an_open_combat_takes_a_decision_alone),
	    cmocka_unit_test(a_decision_is_refused_for_what_is_wrong_in_it),
	    cmocka_unit_test(a_decision_without_a_question_is_stale),
	    cmocka_unit_test(a_turn_end_is_refused_for_what_is_wrong_in_it),
	    cmocka_unit_test(a_chat_is_refused_for_what_is_wrong_in_it),
	    cmocka_unit_test(who_answers_a_line_has_seen_it),
	    cmocka_unit_test(
		resign_and_close_are_refused_when_they_have_no_effect),
	    cmocka_unit_test(kinds_of_later_versions_are_refused_by_name),
	    cmocka_unit_test(facts_can_be_checked_without_declaring_them),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
