/* SPDX-License-Identifier: ISC */
/*
 * Order texts: the profile, the members of each kind, the args of create and
 * join (umpire-record.7, S3).
 */
#include "common/record/order.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/json/js.h"

#include "tests/lib/failing.h"
#include "tests/lib/table.h"

#define OPTIONS "order.args.options."
#define NONCE "'0123456789abcdef0123456789abcdef'"

static struct table table;

/* Keys for create and join. */
static int
group_setup(void **state)
{
	(void)state;
	table_init(&table);
	return (0);
}

static int
group_teardown(void **state)
{
	(void)state;
	table_clear(&table);
	return (0);
}

/* A proof in hex: only its length is looked at. */
static json_t *
proof(void)
{
	static const uint8_t bytes[VRF_PROOF_LEN] = {2, 1};

	return (js_hex(bytes, sizeof(bytes)));
}

/* An order of a kind without place, own and other; new. */
static json_t *
order_value(const char *kind)
{
	json_t *v;

	v = table_json(
	    "{'v':1,'server':" TABLE_REF ",'nonce':" NONCE ",'args':{}}");
	assert_int_equal(json_object_set_new(v, "kind", json_string(kind)), 0);
	if (strcmp(kind, "create") == 0) {
		json_object_set_new(v, "args", table_json("{'seat':1}"));
		return (v);
	}
	json_object_set_new(v, "game", table_json(TABLE_REF));
	json_object_set_new(v, "seat", json_integer(2));
	json_object_set_new(v, "after", json_integer(5));
	json_object_set_new(v, "head", table_json(TABLE_REF));
	return (v);
}

/* Reads a text that is expected to give r. */
static void
text_gives(const char *text, size_t len, int r, struct errinfo *e)
{
	struct order o;
	int got;

	memset(e, 0, sizeof(*e));
	got = order_parse(text, len, &o, e);
	if (got != r)
		print_error(
		    "%.*s\n%s: %s\n", (int)len, text, e->where, e->text);
	assert_int_equal(got, r);
	if (got == 0)
		order_clear(&o);
	else
		assert_true(e->text[0] != '\0');
}

/* Reads a value that is expected to give r; v is stolen. */
static void
value_gives(json_t *v, int r, struct errinfo *e)
{
	struct buf b;

	buf_init(&b, 0);
	js_dump(v, &b);
	text_gives(b.data, b.len, r, e);
	buf_clear(&b);
	json_decref(v);
}

/* Kinds with whether place, own and other must, may or cannot be there. */
static const struct {
	const char *name;
	enum order_class class;
	char needs[4]; /* m: must, o: may, n: cannot */
} kinds[] = {
    {"create", ORDER_CLASS_START, "nnn"},
    {"join", ORDER_CLASS_START, "nnn"},
    {"ready", ORDER_CLASS_REPLY, "mmn"},
    {"declare", ORDER_CLASS_TURN, "mmn"},
    {"decide", ORDER_CLASS_TURN, "mmn"},
    {"commit", ORDER_CLASS_TURN, "mon"},
    {"open", ORDER_CLASS_REPLY, "mon"},
    {"answer", ORDER_CLASS_REPLY, "ono"},
    {"upkeep", ORDER_CLASS_TURN, "mmn"},
    {"free", ORDER_CLASS_TURN, "mmn"},
    {"turn.end", ORDER_CLASS_TURN, "mmn"},
    {"ruling", ORDER_CLASS_TURN, "nnn"},
    {"accept", ORDER_CLASS_REPLY, "oon"},
    {"resign", ORDER_CLASS_END, "nnn"},
    {"claim", ORDER_CLASS_END, "oon"},
    {"pause", ORDER_CLASS_END, "nnn"},
    {"close", ORDER_CLASS_END, "nnn"},
    {"chat", ORDER_CLASS_TALK, "nnn"},
    {"propose", ORDER_CLASS_TALK, "nnn"},
    {"offer", ORDER_CLASS_TALK, "nnn"},
    {"standing", ORDER_CLASS_TALK, "nnn"},
    {"cup", ORDER_CLASS_TALK, "nnn"},
    {"note", ORDER_CLASS_TALK, "nnn"},
    {"dice-key", ORDER_CLASS_TALK, "nnn"},
    {"of.a.later.version", ORDER_CLASS_TALK, "ooo"},
};

/* Each kind with each of the eight choices of the three members. */
static void
each_kind_has_its_place_own_and_other(void **state)
{
	static const char *const names[] = {"place", "own", "other"};
	struct errinfo e;
	unsigned has, i;
	const char *wrong;
	size_t k;
	json_t *v;

	(void)state;
	for (k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		for (has = 0; has < 8; has++) {
			v = order_value(kinds[k].name);
			wrong = NULL;
			for (i = 0; i < 3; i++) {
				if ((has & 1U << i) != 0)
					json_object_set_new(v, names[i],
					    i == 0 ? json_string("p/0")
						   : proof());
				if (wrong == NULL &&
				    kinds[k].needs[i] ==
					((has & 1U << i) != 0 ? 'n' : 'm'))
					wrong = names[i];
			}
			value_gives(v, wrong == NULL ? 0 : ERR_INVALID, &e);
			if (wrong != NULL) {
				assert_memory_equal(e.where, "order.", 6);
				assert_string_equal(e.where + 6, wrong);
			}
		}
	}
}

static void
kinds_have_their_names_and_classes(void **state)
{
	size_t n = sizeof(kinds) / sizeof(kinds[0]), k;
	struct errinfo e;
	struct order o;
	struct buf b;
	json_t *v;
	int i;

	(void)state;
	assert_int_equal(n, ORDER_UNKNOWN + 1);
	for (k = 0; k < n; k++) {
		assert_int_equal(
		    order_class_of((enum order_kind)k), kinds[k].class);
		v = order_value(kinds[k].name);
		for (i = 0; i < 3; i++) {
			if (kinds[k].needs[i] == 'm')
				json_object_set_new(v, i == 0 ? "place" : "own",
				    i == 0 ? json_string("p/0") : proof());
		}
		buf_init(&b, 0);
		js_dump(v, &b);
		assert_int_equal(order_parse(b.data, b.len, &o, &e), 0);
		assert_int_equal(o.kind, k);
		assert_string_equal(o.kind_name, kinds[k].name);
		if (k < ORDER_UNKNOWN)
			assert_string_equal(
			    order_kind_name((enum order_kind)k), kinds[k].name);
		order_clear(&o);
		assert_null(o.root);
		buf_clear(&b);
		json_decref(v);
	}
}

static void
each_kind_of_order_says_what_it_may_hold(void **state)
{
	const struct order_row *row;
	size_t i, k, n;
	json_t *schema;

	(void)state;
	for (k = 0; k < ORDER_UNKNOWN; k++) {
		row = order_kind_row((enum order_kind)k);
		assert_int_equal(order_kind_of(row->name), k);
		assert_true(*row->what != '\0' && row->errors[0] != 0);
		for (n = 0; row->args[n].name != NULL; n++) {
			for (i = 0; i < n; i++)
				assert_string_not_equal(
				    row->args[i].name, row->args[n].name);
			schema = json_loads(row->args[n].schema, 0, NULL);
			assert_non_null(schema);
			json_decref(schema);
			assert_true(*row->args[n].what != '\0');
		}
		assert_true(n <= ORDER_ARGS_MAX);
		/* What names a text is one of its args. */
		for (i = 0; row->text != NULL; i++) {
			assert_non_null(row->args[i].name);
			if (strcmp(row->args[i].name, row->text) == 0)
				break;
		}
	}
	assert_int_equal(order_kind_of("dance"), ORDER_UNKNOWN);
}

static void
what_an_order_says_is_read(void **state)
{
	static const uint8_t ones[HASH_LEN] = {0x11, 0x11, 0x11, 0x11, 0x11,
	    0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11,
	    0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11,
	    0x11, 0x11, 0x11, 0x11, 0x11};
	uint8_t nonce[ORDER_NONCE_LEN], oid[HASH_LEN];
	struct errinfo e;
	struct order o;
	struct buf b;
	json_t *v = order_value("turn.end");

	(void)state;
	json_object_set_new(v, "place", json_string("p/3"));
	json_object_set_new(v, "own", proof());
	buf_init(&b, 0);
	buf_puts(&b, " \t\r\n");
	js_dump(v, &b);
	buf_puts(&b, " \n");
	assert_int_equal(order_parse(b.data, b.len, &o, &e), 0);
	assert_ptr_equal(o.text, b.data);
	assert_int_equal(o.len, b.len);
	assert_int_equal(hash_tagged(oid, "umpire/order/1", b.data, b.len), 0);
	assert_memory_equal(o.oid, oid, HASH_LEN);
	assert_memory_equal(o.server, ones, SIGN_KEY_LEN);
	assert_memory_equal(o.game, ones, HASH_LEN);
	assert_memory_equal(o.head, ones, HASH_LEN);
	assert_int_equal(hex_parse(nonce, ORDER_NONCE_LEN,
			     "0123456789abcdef0123456789abcdef", 32),
	    0);
	assert_memory_equal(o.nonce, nonce, ORDER_NONCE_LEN);
	assert_int_equal(o.seat, 2);
	assert_int_equal(o.after, 5);
	assert_string_equal(o.place, "p/3");
	assert_true(o.has_own);
	assert_int_equal(o.own[0], 2);
	assert_false(o.has_other);
	order_clear(&o);
	buf_clear(&b);
	json_decref(v);
}

/* S3: the game that a create order makes is the hash of its bytes. */
static void
a_create_order_names_its_game_by_its_text(void **state)
{
	json_t *v = order_value("create");
	uint8_t id[HASH_LEN];
	struct errinfo e;
	struct order o;
	struct buf b;

	(void)state;
	buf_init(&b, 0);
	js_dump(v, &b);
	assert_int_equal(order_parse(b.data, b.len, &o, &e), 0);
	assert_int_equal(hash_tagged(id, "umpire/game/1", b.data, b.len), 0);
	assert_memory_equal(o.game, id, HASH_LEN);
	assert_int_equal(o.after, -1);
	assert_int_equal(o.seat, 1);
	order_clear(&o);
	buf_clear(&b);
	json_decref(v);
}

static void
an_order_has_2_to_16384_bytes(void **state)
{
	json_t *v = order_value("chat");
	struct errinfo e;
	struct buf b;

	(void)state;
	text_gives("", 0, ERR_TOOBIG, &e);
	text_gives("1", 1, ERR_TOOBIG, &e);
	text_gives("{}", 2, ERR_INVALID, &e);
	text_gives("12", 2, ERR_INVALID, &e);
	buf_init(&b, 0);
	js_dump(v, &b);
	while (b.len < ORDER_TEXT_MAX)
		buf_putc(&b, ' ');
	text_gives(b.data, b.len, 0, &e);
	buf_putc(&b, ' ');
	text_gives(b.data, b.len, ERR_TOOBIG, &e);
	buf_clear(&b);
	json_decref(v);
}

/* S3's profile, of which test_js_profile.c has every corner. */
static void
the_profile_holds_on_the_bytes(void **state)
{
	static const char *const texts[] = {
	    "{\"v\":1",
	    "{\"v\":1}x",
	    "\xef\xbb\xbf{}",
	    "{\"v\":1,\"v\":1}",
	    "{\"v\":1,\"\\u0076\":1}",
	    "{\"args\":{\"a\":[{\"b\":1,\"b\":2}]}}",
	    "{\"v\":1.0}",
	    "{\"v\":1e0}",
	    "{\"v\":-0}",
	    "{\"v\":9007199254740992}",
	    "{\"v\":01}",
	    "{\"v\":\"\\u0000\"}",
	    "{\"v\":\"\\ud800\"}",
	    "{\"v\":\"\xff\"}",
	    "{\"v\":\"\x01\"}",
	    "{\"v\":[[[[[[[[[[[[[[[[0]]]]]]]]]]]]]]]]}",
	    "{\"v\":1,}",
	    "{'v':1}",
	    "nul",
	};
	struct errinfo e;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		text_gives(texts[i], strlen(texts[i]), ERR_MALFORMED, &e);
	text_gives("{\"v\":1\0}", 8, ERR_MALFORMED, &e);
}

/* Depth 16 is the deepest: the order is 1, args 2. */
static void
args_nest_to_sixteen(void **state)
{
	struct errinfo e;
	json_t *v, *nest, *in;
	int depth, i;

	(void)state;
	for (depth = 16; depth <= 17; depth++) {
		nest = json_object();
		for (i = 2; i < depth; i++) {
			in = nest;
			nest = json_pack("{s:o}", "x", in);
		}
		v = order_value("note");
		json_object_set_new(v, "args", nest);
		value_gives(v, depth == 16 ? 0 : ERR_MALFORMED, &e);
	}
}

static void
each_missing_member_of_an_order_is_told(void **state)
{
	static const char *const of_create[] = {
	    "v", "server", "nonce", "kind", "args"};
	static const char *const of_others[] = {"v", "server", "nonce", "kind",
	    "args", "game", "seat", "after", "head"};
	struct errinfo e;
	json_t *v;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(of_create) / sizeof(of_create[0]); i++) {
		v = order_value("create");
		assert_int_equal(json_object_del(v, of_create[i]), 0);
		value_gives(v, ERR_INVALID, &e);
		assert_string_equal(e.where + strlen("order."), of_create[i]);
	}
	for (i = 0; i < sizeof(of_others) / sizeof(of_others[0]); i++) {
		v = order_value("resign");
		assert_int_equal(json_object_del(v, of_others[i]), 0);
		value_gives(v, ERR_INVALID, &e);
		assert_string_equal(e.where + strlen("order."), of_others[i]);
	}
	v = order_value("create");
	json_object_set_new(v, "args", json_object());
	value_gives(v, ERR_INVALID, &e);
	assert_string_equal(e.where, "order.args.seat");
}

static void
members_that_do_not_belong_in_an_order_are_refused(void **state)
{
	static const char *const names[] = {"game", "seat", "after", "head"};
	struct errinfo e;
	json_t *v;
	size_t i;

	(void)state;
	for (i = 0; i < 4; i++) {
		v = order_value("create");
		json_object_set_new(v, names[i],
		    i == 0 || i == 3 ? table_json(TABLE_REF) : json_integer(1));
		value_gives(v, ERR_INVALID, &e);
	}
	v = order_value("chat");
	json_object_set_new(v, "x", json_null());
	value_gives(v, ERR_INVALID, &e);
	v = order_value("chat");
	json_object_set_new(v, "sig", table_json(TABLE_REF));
	value_gives(v, ERR_INVALID, &e);
}

static void
values_of_an_order_out_of_range_are_refused(void **state)
{
	static const struct {
		const char *name, *value;
	} bad[] = {
	    {"v", "0"},
	    {"v", "2"},
	    {"v", "'1'"},
	    {"server", "'11'"},
	    {"server", "7"},
	    {"nonce", "''"},
	    {"nonce", "'0123456789abcdef0123456789abcde'"},
	    {"nonce", "'0123456789abcdef0123456789abcdef0'"},
	    {"nonce", "'0123456789ABCDEF0123456789abcdef'"},
	    {"nonce", "1"},
	    {"now", "null"},
	    {"now", "1795176061042"},
	    {"now", "'2026-11-20T11:21:01Z'"},
	    {"now", "'2026-02-29T11:21:01.042Z'"},
	    {"kind", "7"},
	    {"kind", "null"},
	    {"args", "[]"},
	    {"args", "null"},
	    {"args", "'{}'"},
	    {"game", "'11'"},
	    {"game", "null"},
	    {"seat", "-1"},
	    {"seat", "17"},
	    {"seat", "'1'"},
	    {"after", "-1"},
	    {"after", "'5'"},
	    {"head", "'00'"},
	    {"place", "7"},
	    {"place", "null"},
	    {"own", "'02'"},
	    {"own", "null"},
	};
	struct errinfo e;
	char where[32];
	json_t *v;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		v = order_value("turn.end");
		json_object_set_new(v, "place", json_string("p/1"));
		json_object_set_new(v, "own", proof());
		json_object_set_new(v, bad[i].name, table_json(bad[i].value));
		value_gives(v, ERR_INVALID, &e);
		(void)snprintf(where, sizeof(where), "order.%s", bad[i].name);
		assert_string_equal(e.where, where);
	}
}

static void
a_place_has_at_most_128_bytes(void **state)
{
	char place[ORDER_PLACE_MAX + 2];
	struct errinfo e;
	json_t *v;
	int n;

	(void)state;
	memset(place, '7', sizeof(place));
	for (n = ORDER_PLACE_MAX; n <= ORDER_PLACE_MAX + 1; n++) {
		v = order_value("commit");
		json_object_set_new(v, "place", json_stringn(place, (size_t)n));
		value_gives(v, n == ORDER_PLACE_MAX ? 0 : ERR_INVALID, &e);
	}
}

static void
account_names_are_narrow(void **state)
{
	static const char *const good[] = {
	    "a", "0", "a.b", "a-", "a_", "abcdefghijklmnopqrstuvwxyz012345"};
	static const char *const bad[] = {"", ".", "-a", "_a", "A", "aB", "a b",
	    "a/b", "a@b", "\xc3\xa4", "a\n",
	    "abcdefghijklmnopqrstuvwxyz0123456"};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		assert_true(order_is_account(good[i]));
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(order_is_account(bad[i]));
}

/* Reads create's args (stolen), which are expected to give r. */
static void
create_gives(json_t *args, int r, struct errinfo *e)
{
	json_t *v = order_value("create");
	struct order_create c;
	struct order o;
	struct buf b;
	int got;

	json_object_set_new(v, "args", args);
	buf_init(&b, 0);
	js_dump(v, &b);
	memset(e, 0, sizeof(*e));
	if ((got = order_parse(b.data, b.len, &o, e)) == 0) {
		got = order_create_parse(&o, &c, e);
		order_clear(&o);
	}
	if (got != r)
		print_error("%s\n%s: %s\n", buf_str(&b), e->where, e->text);
	assert_int_equal(got, r);
	assert_true(got == 0 || e->text[0] != '\0');
	buf_clear(&b);
	json_decref(v);
}

/* Good args of create with all that is optional; new. */
static json_t *
create_args(void)
{
	json_t *v = table_create_args(&table, table_roster), *more;

	more = table_json(
	    "{'name':" TABLE_REF ",'tables':[" TABLE_REF
	    "],'scheme':'live-1','secret':'sealed','silence':'director',"
	    "'confirm':true,'clock':{'per':'order','first_s':60,"
	    "'then':'forfeit'},'private':true,'event':'Cup 1','round':3,"
	    "'table':0,'options':{'seats':4,'director':true,'takeback':false,"
	    "'owner_fields':['strength'],'delay':2}}");
	json_object_update(v, more);
	json_decref(more);
	json_object_set_new(
	    v, "recovery", js_hex(table.keys[9].sign.public_key, SIGN_KEY_LEN));
	return (v);
}

static void
the_settings_of_a_game_are_read(void **state)
{
	json_t *v = order_value("create");
	struct order_create c;
	struct errinfo e;
	struct order o;
	struct buf b;

	(void)state;
	json_object_set_new(v, "args", create_args());
	buf_init(&b, 0);
	js_dump(v, &b);
	assert_int_equal(order_parse(b.data, b.len, &o, &e), 0);
	assert_int_equal(order_create_parse(&o, &c, &e), 0);
	assert_int_equal(c.who.seat, 1);
	assert_memory_equal(
	    c.who.key, table.keys[1].sign.public_key, SIGN_KEY_LEN);
	assert_memory_equal(
	    c.who.dice_key, table.keys[1].dice.public_key, VRF_KEY_LEN);
	assert_true(c.who.keys.has_recovery);
	assert_memory_equal(
	    c.who.keys.recovery, table.keys[9].sign.public_key, SIGN_KEY_LEN);
	assert_true(c.who.has_name);
	assert_int_equal(c.who.name[0], 0x11);
	assert_string_equal(c.system, "lasalle2");
	assert_string_equal(c.rules, "lasalle2/1");
	assert_string_equal(c.who.account, "p1");
	assert_int_equal(c.who.keys.n, 0);
	assert_int_equal(json_array_size(c.tables), 1);
	assert_true(c.is_live && c.is_sealed && c.is_director);
	assert_true(c.is_confirm && c.is_private && c.has_director);
	assert_false(c.may_take_back);
	assert_memory_equal(
	    c.server_dice, table.server_dice.public_key, VRF_KEY_LEN);
	assert_true(c.has_clock);
	assert_int_equal(c.clock.first_s, 60);
	assert_int_equal(json_object_size(c.clock_json), 3);
	assert_string_equal(c.event, "Cup 1");
	assert_int_equal(c.round, 3);
	assert_int_equal(c.table, 0);
	assert_int_equal(c.seats, 4);
	assert_int_equal(c.delay, 2);
	assert_int_equal(c.delay_minutes, -1);
	assert_int_equal(json_array_size(c.owner_fields), 1);
	order_clear(&o);
	/* Without what is optional. */
	json_object_set_new(v, "args", table_create_args(&table, table_roster));
	buf_reset(&b);
	js_dump(v, &b);
	assert_int_equal(order_parse(b.data, b.len, &o, &e), 0);
	assert_int_equal(order_create_parse(&o, &c, &e), 0);
	assert_false(c.who.keys.has_recovery || c.who.has_name || c.is_live ||
	    c.is_sealed || c.is_director || c.is_confirm || c.is_private ||
	    c.has_director || c.has_options);
	assert_true(c.may_take_back);
	assert_false(c.has_clock);
	assert_null(c.clock_json);
	assert_null(c.event);
	assert_null(c.owner_fields);
	assert_int_equal(c.round, -1);
	assert_int_equal(c.table, -1);
	assert_int_equal(c.seats, 2);
	assert_int_equal(c.delay, -1);
	assert_int_equal(c.delay_minutes, -1);
	order_clear(&o);
	buf_clear(&b);
	json_decref(v);
}

static void
each_missing_arg_of_create_is_told(void **state)
{
	static const char *const needed[] = {"seat", "key", "dice_key",
	    "system", "rules", "account", "kn", "kprev", "rulings", "tables",
	    "roster", "scheme", "server_dice", "secret", "silence"};
	static const char *const optional[] = {"recovery", "name", "confirm",
	    "clock", "private", "event", "round", "table", "options"};
	struct errinfo e;
	json_t *v;
	size_t i;

	(void)state;
	v = create_args();
	assert_int_equal(json_object_size(v),
	    sizeof(needed) / sizeof(needed[0]) +
		sizeof(optional) / sizeof(optional[0]));
	create_gives(v, 0, &e);
	for (i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
		v = create_args();
		assert_int_equal(json_object_del(v, needed[i]), 0);
		create_gives(v, ERR_INVALID, &e);
		assert_string_equal(e.where + strlen("order.args."), needed[i]);
	}
	for (i = 0; i < sizeof(optional) / sizeof(optional[0]); i++) {
		v = create_args();
		assert_int_equal(json_object_del(v, optional[i]), 0);
		json_object_set_new(v, "silence", json_string("forfeit"));
		create_gives(v, 0, &e);
	}
}

/* Keys that are no keys: of small order, not canonical; no point. */
#define SMALL \
	"'0100000000000000000000000000000000000000000000000000000000000000'"
#define NOT_CANONICAL \
	"'f0ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f'"
#define NO_POINT \
	"'020000000000000000000000000000000000000000000000000000000000000007'"
#define INFINITE \
	"'000000000000000000000000000000000000000000000000000000000000000000'"

static void
args_of_create_out_of_range_are_refused(void **state)
{
	static const struct {
		const char *name, *value, *where;
		int r;
	} bad[] = {
	    {"seat", "2", "order.args.seat", ERR_INVALID},
	    {"seat", "-1", "order.args.seat", ERR_INVALID},
	    {"key", "'11'", "order.args.key", ERR_INVALID},
	    {"key", SMALL, "order.args.key", ERR_INVALID},
	    {"key", NOT_CANONICAL, "order.args.key", ERR_INVALID},
	    {"recovery", SMALL, "order.args.recovery", ERR_INVALID},
	    {"dice_key", TABLE_REF, "order.args.dice_key", ERR_INVALID},
	    {"dice_key", NO_POINT, "order.args.dice_key", ERR_INVALID},
	    {"dice_key", INFINITE, "order.args.dice_key", ERR_INVALID},
	    {"server_dice", NO_POINT, "order.args.server_dice", ERR_INVALID},
	    {"server_dice", "null", "order.args.server_dice", ERR_INVALID},
	    {"name", "'Anna'", "order.args.name", ERR_INVALID},
	    {"system", "1", "order.args.system", ERR_INVALID},
	    {"rules", "null", "order.args.rules", ERR_INVALID},
	    {"account", "''", "order.args.account", ERR_INVALID},
	    {"account", "'Anna'", "order.args.account", ERR_INVALID},
	    {"kn", "-1", "order.args.kn", ERR_INVALID},
	    {"kn", "'0'", "order.args.kn", ERR_INVALID},
	    {"kprev", TABLE_REF, "order.args.kprev", ERR_INVALID},
	    {"kprev", "'00'", "order.args.kprev", ERR_INVALID},
	    {"rulings", "[]", "order.args.rulings", ERR_INVALID},
	    {"tables", "{}", "order.args.tables", ERR_INVALID},
	    {"tables", "['11']", "order.args.tables", ERR_INVALID},
	    {"tables", "[" TABLE_REF ",1]", "order.args.tables", ERR_INVALID},
	    {"roster", "''", "order.args.roster", ERR_INVALID},
	    {"scheme", "'dual-2'", "order.args.scheme", ERR_INVALID},
	    {"secret", "'open'", "order.args.secret", ERR_INVALID},
	    {"silence", "''", "order.args.silence", ERR_INVALID},
	    {"confirm", "1", "order.args.confirm", ERR_INVALID},
	    {"clock", "[]", "order.args.clock", ERR_INVALID},
	    {"private", "'yes'", "order.args.private", ERR_INVALID},
	    {"event", "''", "order.args.event", ERR_INVALID},
	    {"event", "'a\\tb'", "order.args.event", ERR_INVALID},
	    {"event", "'\\u007f'", "order.args.event", ERR_INVALID},
	    {"event", "'\xc3\xa4'", "order.args.event", ERR_INVALID},
	    {"event", "1", "order.args.event", ERR_INVALID},
	    {"round", "-1", "order.args.round", ERR_INVALID},
	    {"table", "'1'", "order.args.table", ERR_INVALID},
	    {"options", "[]", "order.args.options", ERR_INVALID},
	    {"options", "{'seats':1}", OPTIONS "seats", ERR_INVALID},
	    {"options", "{'seats':17}", OPTIONS "seats", ERR_INVALID},
	    {"options", "{'director':0}", OPTIONS "director", ERR_INVALID},
	    {"options", "{'takeback':null}", OPTIONS "takeback", ERR_INVALID},
	    {"options", "{'owner_fields':{}}", OPTIONS "owner_fields",
		ERR_INVALID},
	    {"options", "{'owner_fields':[1]}", OPTIONS "owner_fields",
		ERR_INVALID},
	    {"options", "{'delay':-1}", OPTIONS "delay", ERR_INVALID},
	    {"options", "{'x':1}", OPTIONS "x", ERR_NEWER},
	    {"x", "1", "order.args.x", ERR_NEWER},
	};
	struct errinfo e;
	json_t *v;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		v = create_args();
		json_object_set_new(v, bad[i].name, table_json(bad[i].value));
		create_gives(v, bad[i].r, &e);
		assert_string_equal(e.where, bad[i].where);
	}
}

static void
args_of_create_at_their_limits_are_taken(void **state)
{
	static const struct {
		const char *name, *value;
	} good[] = {
	    {"event",
		"'0123456789012345678901234567890123456789012345678901234567890"
		"123'"},
	    {"event", "' '"},
	    {"event", "'~'"},
	    {"kn", "3"},
	    {"tables", "[]"},
	    {"options", "{}"},
	    {"options", "{'seats':16}"},
	    {"options", "{'delay':0}"},
	    {"round", "9007199254740991"},
	    {"account", "'a'"},
	};
	struct errinfo e;
	json_t *v;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		v = create_args();
		json_object_set_new(v, good[i].name, table_json(good[i].value));
		json_object_set_new(v, "silence", json_string("forfeit"));
		create_gives(v, 0, &e);
	}
	v = create_args();
	json_object_set_new(v, "event",
	    json_string("0123456789012345678901234567890123456789012345678901"
			"2345678901234"));
	create_gives(v, ERR_INVALID, &e);
	/* The director creates where there is one. */
	v = create_args();
	json_object_set_new(v, "seat", json_integer(0));
	create_gives(v, 0, &e);
	v = create_args();
	json_object_set_new(v, "seat", json_integer(0));
	json_object_del(v, "options");
	create_gives(v, ERR_INVALID, &e);
	assert_string_equal(e.where, "order.args.seat");
}

/* Reads join's args (stolen) in an order of seat 2. */
static void
join_gives(json_t *args, int r, struct errinfo *e)
{
	json_t *v = order_value("join");
	struct order_join j;
	struct order o;
	struct buf b;

	json_object_set_new(v, "args", args);
	buf_init(&b, 0);
	js_dump(v, &b);
	memset(e, 0, sizeof(*e));
	assert_int_equal(order_parse(b.data, b.len, &o, e), 0);
	assert_int_equal(order_join_parse(&o, &j, e), r);
	if (r == 0)
		assert_memory_equal(
		    j.key, table.keys[2].sign.public_key, SIGN_KEY_LEN);
	order_clear(&o);
	buf_clear(&b);
	json_decref(v);
}

static void
args_of_create_without_memory_are_not_called_wrong(void **state)
{
	json_t *v = order_value("create");
	struct order_create c;
	struct errinfo e;
	struct order o;
	struct buf b;
	bool has_failed = true;
	int n, once, r;

	(void)state;
	json_object_set_new(v, "args", create_args());
	buf_init(&b, 0);
	js_dump(v, &b);
	assert_int_equal(order_parse(b.data, b.len, &o, &e), 0);
	for (once = 0; once < 2; once++) {
		failing_is_once = once == 1;
		for (n = 0, r = ERR_NOMEM; r != 0 || has_failed; n++) {
			failing_after(n);
			r = order_create_parse(&o, &c, &e);
			has_failed = failing_left == (once == 1 ? -1 : 0);
			failing_after(-1);
			assert_true(r == 0 || r == ERR_NOMEM);
		}
		assert_true(n > 1);
	}
	failing_is_once = false;
	order_clear(&o);
	json_decref(v);
	buf_clear(&b);
}

static void
args_of_join_are_checked(void **state)
{
	static const struct {
		const char *name, *value;
		int r;
	} edits[] = {
	    {"recovery", TABLE_REF, 0},
	    {"name", TABLE_REF, 0},
	    {"kn", "2", 0},
	    {"recovery", SMALL, ERR_INVALID},
	    {"name", "1", ERR_INVALID},
	    {"seat", "1", ERR_INVALID},
	    {"seat", "17", ERR_INVALID},
	    {"seat", "null", ERR_INVALID},
	    {"key", SMALL, ERR_INVALID},
	    {"key", "1", ERR_INVALID},
	    {"dice_key", NO_POINT, ERR_INVALID},
	    {"dice_key", "''", ERR_INVALID},
	    {"account", "'-'", ERR_INVALID},
	    {"account", "1", ERR_INVALID},
	    {"kn", "-1", ERR_INVALID},
	    {"kprev", TABLE_REF, ERR_INVALID},
	    {"kprev", "'0'", ERR_INVALID},
	    {"system", "'lasalle2'", ERR_NEWER},
	    {"x", "1", ERR_NEWER},
	};
	static const char *const needed[] = {
	    "seat", "key", "dice_key", "account", "kn", "kprev"};
	struct errinfo e;
	json_t *v;
	size_t i;

	(void)state;
	join_gives(table_seat_args(&table, 2), 0, &e);
	for (i = 0; i < sizeof(edits) / sizeof(edits[0]); i++) {
		v = table_seat_args(&table, 2);
		json_object_set_new(
		    v, edits[i].name, table_json(edits[i].value));
		join_gives(v, edits[i].r, &e);
		if (edits[i].r != 0)
			assert_string_equal(
			    e.where + strlen("order.args."), edits[i].name);
	}
	for (i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
		v = table_seat_args(&table, 2);
		assert_int_equal(json_object_del(v, needed[i]), 0);
		join_gives(v, ERR_INVALID, &e);
		assert_string_equal(e.where + strlen("order.args."), needed[i]);
	}
}

static void
a_written_order_reads_back_and_its_nonce_is_fresh(void **state)
{
	static const uint8_t own[VRF_PROOF_LEN] = {3, 9};
	static const uint8_t game[HASH_LEN] = {5}, head[HASH_LEN] = {6};
	json_t *args = table_json("{\"a\":[1,\"\\u0001\\\"\"]}");
	struct order_parts p = {.server = table.server.public_key,
	    .now_ms = TABLE_AT_MS,
	    .game = game,
	    .seat = 1,
	    .after = 12,
	    .head = head,
	    .kind = ORDER_DECLARE,
	    .place = "c/1/x/1/1",
	    .own = own,
	    .args = args};
	struct order o, again;
	struct errinfo e;
	struct buf b, c;

	(void)state;
	buf_init(&b, 0);
	buf_init(&c, 0);
	assert_int_equal(order_write(&p, &b), 0);
	assert_int_equal(order_write(&p, &c), 0);
	assert_int_equal(order_parse(b.data, b.len, &o, &e), 0);
	assert_int_equal(order_parse(c.data, c.len, &again, &e), 0);
	assert_memory_not_equal(o.nonce, again.nonce, ORDER_NONCE_LEN);
	assert_memory_not_equal(o.oid, again.oid, HASH_LEN);
	assert_int_equal(o.kind, ORDER_DECLARE);
	assert_int_equal(o.seat, 1);
	assert_int_equal(o.after, 12);
	assert_true(o.has_now);
	assert_int_equal(o.now_ms, TABLE_AT_MS);
	assert_memory_equal(o.game, game, HASH_LEN);
	assert_memory_equal(o.head, head, HASH_LEN);
	assert_memory_equal(o.server, table.server.public_key, SIGN_KEY_LEN);
	assert_memory_equal(o.own, own, VRF_PROOF_LEN);
	assert_string_equal(o.place, "c/1/x/1/1");
	assert_true(json_equal(o.args, args));
	order_clear(&o);
	order_clear(&again);
	/* An order that is too big is not written. */
	json_object_set_new(args, "long", table_json("''"));
	while (b.len <= ORDER_TEXT_MAX)
		buf_putc(&b, 'x');
	json_object_set_new(args, "long", json_stringn(b.data, b.len));
	buf_reset(&c);
	assert_int_equal(order_write(&p, &c), ERR_TOOBIG);
	assert_int_equal(c.len, 0);
	buf_clear(&b);
	buf_clear(&c);
	json_decref(args);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_kind_has_its_place_own_and_other),
	    cmocka_unit_test(kinds_have_their_names_and_classes),
	    cmocka_unit_test(each_kind_of_order_says_what_it_may_hold),
	    cmocka_unit_test(what_an_order_says_is_read),
	    cmocka_unit_test(a_create_order_names_its_game_by_its_text),
	    cmocka_unit_test(an_order_has_2_to_16384_bytes),
	    cmocka_unit_test(the_profile_holds_on_the_bytes),
	    cmocka_unit_test(args_nest_to_sixteen),
	    cmocka_unit_test(each_missing_member_of_an_order_is_told),
	    cmocka_unit_test(
		members_that_do_not_belong_in_an_order_are_refused),
	    cmocka_unit_test(values_of_an_order_out_of_range_are_refused),
	    cmocka_unit_test(a_place_has_at_most_128_bytes),
	    cmocka_unit_test(account_names_are_narrow),
	    cmocka_unit_test(the_settings_of_a_game_are_read),
	    cmocka_unit_test(each_missing_arg_of_create_is_told),
	    cmocka_unit_test(args_of_create_out_of_range_are_refused),
	    cmocka_unit_test(args_of_create_at_their_limits_are_taken),
	    cmocka_unit_test(
		args_of_create_without_memory_are_not_called_wrong),
	    cmocka_unit_test(args_of_join_are_checked),
	    cmocka_unit_test(a_written_order_reads_back_and_its_nonce_is_fresh),
	};

	if (!failing_install())
		return (1);
	return (cmocka_run_group_tests(tests, group_setup, group_teardown));
}
