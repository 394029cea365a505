/* SPDX-License-Identifier: ISC */
/*
 * Verifying what this version cannot check, server lines and blobs: what is
 * unknown is never called bad, and what is known is still checked
 * (umpire-record.7, S4, S9, S10).
 */
#include "common/game/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/record/statement.h"

#include "tests/lib/tamper.h"

#define CLOSED "{'why':" TABLE_REF "}"

/* Line i with this order (stolen), signed by seat; new. */
static json_t *
order_line(size_t i, int seat, json_t *order)
{
	json_t *line = tamper_line_value(i);

	tamper_sign_into(line, seat, order);
	return (line);
}

static void
what_newer_umpires_make_is_not_checkable_and_never_bad(void **state)
{
	json_t *line;

	(void)state;
	tamper_newer(CHAT_1,
	    tamper_with_order(CHAT_1, 1, "kind", json_string("dance")),
	    "\"dance\"");
	tamper_newer(CHAT_1,
	    tamper_with_order(CHAT_1, 1, "kind", json_string("note")),
	    "not in this version");
	tamper_newer(CHAT_1, tamper_with_arg(CHAT_1, 1, "x", json_true()),
	    "not in this version");
	tamper_newer(END_1, tamper_with_arg(END_1, 1, "x", json_true()),
	    "not in this version");
	tamper_newer(FIGHT, tamper_with_arg(FIGHT, 1, "x", json_true()),
	    "not in this version");
	tamper_newer(STAGGER, tamper_with_arg(STAGGER, 1, "x", json_true()),
	    "not in this version");
	tamper_newer(JOIN, tamper_with_arg(JOIN, 2, "x", json_true()),
	    "not in this version");
	line = tamper_line_value(CHAT_1);
	json_object_set_new(line, "kind", json_string("poem"));
	tamper_newer(CHAT_1, line, "\"poem\"");
	line = tamper_line_value(CHAT_1);
	json_object_set_new(line, "v", json_integer(2));
	tamper_newer(CHAT_1, line, "newer umpire");
	/* What else is wrong in the order does not count then, S10. */
	line = tamper_order_value(END_1);
	json_object_set_new(json_object_get(line, "args"), "x", json_true());
	json_object_del(line, "own");
	json_object_set_new(line, "place", json_string("p/9"));
	tamper_newer(END_1, order_line(END_1, 1, line), "not in this version");
	line = tamper_order_value(END_1);
	json_object_set_new(json_object_get(line, "args"), "x", json_true());
	json_object_set_new(line, "x", json_true());
	tamper_bad(END_1, order_line(END_1, 1, line), "order.x", "");
	/* A line of any kind and format is tied to the chain. */
	tamper_bad(CHAT_1, table_json("{'v':9,'x':{}}"), "game", "");
	line = tamper_with(CHAT_1, "v", json_integer(2));
	json_object_set_new(line, "prev", table_json(TABLE_REF));
	tamper_bad(CHAT_1, line, "prev", "");
	line = tamper_with(CHAT_1, "v", json_integer(2));
	json_object_set_new(line, "kind", json_integer(2));
	tamper_bad(CHAT_1, line, "kind", "missing");
	line = tamper_with(CHAT_1, "kind", json_string("poem"));
	json_object_set_new(line, "prev", table_json(TABLE_REF));
	tamper_bad(CHAT_1, line, "prev", "");
	line = tamper_with(CHAT_1, "kind", json_string("poem"));
	json_object_set_new(line, "seq", json_integer(9));
	tamper_bad(CHAT_1, line, "seq", "");
	line = tamper_with(CHAT_1, "kind", json_string("poem"));
	json_object_set_new(line, "game", table_json(TABLE_REF));
	tamper_bad(CHAT_1, line, "game", "");
	line = tamper_with(CHAT_1, "kind", json_string("poem"));
	json_object_set_new(line, "at", json_string("yesterday"));
	tamper_bad(CHAT_1, line, "at", "");
}

/* A create order with an arg set, alone in its record; new. */
static json_t *
created_with(const char *name, json_t *value)
{
	json_t *line = tamper_with_arg(CREATE, 1, name, value);
	const json_t *s = json_object_get(line, "order");
	uint8_t id[HASH_LEN];

	assert_int_equal(hash_tagged(id, "umpire/game/1", json_string_value(s),
			     json_string_length(s)),
	    0);
	json_object_set_new(line, "game", js_hex(id, HASH_LEN));
	return (line);
}

static void
settings_of_newer_umpires_are_not_checkable(void **state)
{
	(void)state;
	tamper_good(CREATE, created_with("event", json_string("Cup")));
	tamper_good(CREATE, created_with("kn", json_integer(3)));
	tamper_newer(
	    CREATE, created_with("x", json_true()), "not in this version");
	tamper_newer(CREATE, created_with("options", table_json("{'x':1}")),
	    "not in this version");
	tamper_good(CREATE, created_with("scheme", json_string("live-1")));
	tamper_good(CREATE, created_with("private", json_true()));
	tamper_good(CREATE, created_with("options", table_json("{'seats':4}")));
	tamper_newer(CREATE, created_with("clock", table_json("{'x':1}")),
	    "not in this version");
	tamper_newer(CREATE, created_with("rules", json_string("lasalle2/9")),
	    "lasalle2/9");
	tamper_newer(
	    CREATE, created_with("system", json_string("go")), "\"go\"");
	tamper_bad(CREATE, created_with("kprev", table_json(TABLE_REF)),
	    "args.kprev", "");
	tamper_bad(CREATE, created_with("rulings", table_json("{'x':1}")),
	    "args.rulings.x", "");
	tamper_bad(CREATE, created_with("scheme", json_string("x")),
	    "args.scheme", "");
	/* The id is the hash of the order. */
	tamper_bad(CREATE,
	    tamper_with_arg(CREATE, 1, "event", json_string("x")), "order.game",
	    "");
}

/* A server line of this kind as number n; data is a text. */
static json_t *
server_line(size_t n, const char *what, const char *data)
{
	json_t *line;

	line = json_pack("{s:i, s:o, s:I, s:o, s:o, s:s, s:s, s:o, s:[]}", "v",
	    1, "game", tamper_line_member(CREATE, "game"), "seq", (json_int_t)n,
	    "prev", tamper_line_hash(n - 1), "at",
	    tamper_line_member(n - 1, "at"), "kind", "server", "what", what,
	    "data", table_json(data), "events");
	assert_non_null(line);
	return (line);
}

/* A key line of seat 1 as line CHAT_1, signed under this tag. */
static json_t *
key_line(const char *what, const char *tag)
{
	static const uint8_t zeros[HASH_LEN];
	const struct statement_parts p = {tamper_table.server.public_key, "p1",
	    1, zeros, STATEMENT_ADD, tamper_table.keys[9].sign.public_key,
	    TABLE_AT_MS};
	json_t *line, *v, *statement;
	uint8_t sig[SIGN_LEN];
	struct buf b;

	buf_init(&b, 0);
	assert_int_equal(statement_write(&p, &b), 0);
	assert_int_equal(
	    js_load(b.data, b.len, JS_DEPTH_RECORD, &statement, NULL), 0);
	json_object_set_new(statement, "do", json_string(what));
	if (strcmp(what, "dice-key") == 0)
		json_object_set_new(statement, "key",
		    js_hex(tamper_table.keys[1].dice.public_key, VRF_KEY_LEN));
	buf_reset(&b);
	js_dump(statement, &b);
	json_decref(statement);
	assert_int_equal(
	    sign_make(&tamper_table.keys[1].sign, tag, b.data, b.len, sig), 0);
	assert_non_null(line = json_object());
	v = tamper_line_value(CHAT_1);
	json_object_update(line, v);
	json_decref(v);
	json_object_del(line, "order");
	json_object_del(line, "sig");
	json_object_del(line, "events");
	json_object_del(line, "mark");
	json_object_set_new(line, "kind", json_string("key"));
	json_object_set_new(line, "statement", json_string(buf_str(&b)));
	json_object_set_new(line, "sig", js_hex(sig, SIGN_LEN));
	buf_clear(&b);
	return (line);
}

/* Something newer as line CHAT_1: four sorts of it. */
static json_t *
newer_line(int sort)
{
	if (sort == 0)
		return (
		    tamper_with_order(CHAT_1, 1, "kind", json_string("dance")));
	if (sort == 1)
		return (tamper_with(CHAT_1, "kind", json_string("poem")));
	if (sort == 2)
		return (server_line(CHAT_1, "weather", "{}"));
	return (key_line("lend", SIGN_TAG_KEY));
}

/* What may be wrong in the line after it. */
enum blind {
	BLIND_GOOD,
	BLIND_STRANGER, /* who may have come to the seat: not known */
	BLIND_HEAD,
	BLIND_GAME,
	BLIND_PREV,
	BLIND_SIG,
	BLIND_AT,
	BLIND_ENDS,
};

/* The line after something newer, whose hash is h. */
static json_t *
line_after(enum blind wrong, const uint8_t h[HASH_LEN])
{
	json_t *line = tamper_line_value(CHAT_2);
	json_t *order = tamper_order_value(CHAT_2);

	json_object_set_new(order, "after", json_integer(CHAT_1));
	json_object_set_new(order, "head", js_hex(h, HASH_LEN));
	if (wrong == BLIND_HEAD)
		json_object_set_new(order, "head", table_json(TABLE_REF));
	if (wrong == BLIND_GAME)
		json_object_set_new(order, "game", table_json(TABLE_REF));
	tamper_sign_into(line, wrong == BLIND_STRANGER ? 5 : 2, order);
	json_object_set_new(line, "seq", json_integer(FIGHT));
	json_object_set_new(line, "prev", js_hex(h, HASH_LEN));
	if (wrong == BLIND_PREV)
		json_object_set_new(line, "prev", table_json(TABLE_REF));
	if (wrong == BLIND_SIG)
		json_object_set_new(
		    line, "sig", tamper_line_member(CHAT_2, "sig"));
	if (wrong == BLIND_AT)
		json_object_set_new(
		    line, "at", json_string("2026-11-20T00:00:00.000Z"));
	return (line);
}

/* After what it cannot check a verifier goes on with the chain alone. */
static void
a_blind_verifier_still_sees_the_chain(void **state)
{
	struct verify_report rep;
	struct errinfo e;
	uint8_t h[HASH_LEN];
	json_t *line;
	struct buf b;
	size_t from;
	int sort, wrong, r;

	(void)state;
	for (sort = 0; sort < 4; sort++) {
		for (wrong = 0; wrong < BLIND_ENDS; wrong++) {
			buf_init(&b, 0);
			tamper_put_lines(&b, CHAT_1);
			from = b.len;
			line = newer_line(sort);
			tamper_put_marked(&b, line);
			json_decref(line);
			assert_int_equal(
			    hash_sha256(h, b.data + from, b.len - from - 1), 0);
			line = line_after((enum blind)wrong, h);
			tamper_put_marked(&b, line);
			json_decref(line);
			tamper_put_roster(&b);
			r = tamper_verify(&b, &tamper_plain, &rep, &e);
			assert_int_equal(r, wrong < BLIND_HEAD ? 0 : ERR_BAD);
			assert_int_equal(
			    rep.file_line, wrong < BLIND_HEAD ? 0 : FIGHT + 1);
			assert_true(rep.is_unchecked);
		}
	}
}

static void
server_lines_are_checked(void **state)
{
	struct verify_report rep;
	struct errinfo e;
	json_t *line;
	struct buf b;

	(void)state;
	buf_init(&b, 0);
	tamper_put_lines(&b, GUNS);
	line = server_line(GUNS, "closed", CLOSED);
	tamper_put_marked(&b, line);
	tamper_put_roster(&b);
	assert_int_equal(tamper_verify(&b, &tamper_plain, &rep, &e), 0);
	assert_true(rep.is_finished);
	assert_false(rep.is_unchecked);
	json_object_set_new(line, "game", table_json(TABLE_REF));
	tamper_bad(GUNS, line, "game", "not the game of the record");
	line = server_line(GUNS, "closed", CLOSED);
	json_object_set_new(line, "events", table_json("[{'e':'x'}]"));
	tamper_bad(GUNS, line, "events", "");
	tamper_bad(GUNS, server_line(GUNS, "closed", "{}"), "data.why", "");
	tamper_newer(GUNS, server_line(GUNS, "weather", "{}"), "\"weather\"");
	tamper_bad(GUNS, server_line(GUNS, "restored", "{}"), "data.seq", "");
	/* S4.3: it moves the pool. */
	line = server_line(GUNS, "restored", "{'seq':7}");
	tamper_bad(GUNS, line, "pool", "not the pool");
	tamper_bad(GUNS, server_line(GUNS, "fault", "{}"), "data.seq", "");
	tamper_bad(GUNS, server_line(GUNS, "fault", "{'seq':5,'text':'x'}"),
	    "data.seq", "right after");
	tamper_bad(GUNS,
	    server_line(GUNS, "fault", "{'seq':6,'text':'x','y':1}"), "data.y",
	    "");
	line = server_line(GUNS, "closed", CLOSED);
	json_object_set_new(line, "seq", json_integer(0));
	tamper_bad(CREATE, line, "prev", "");
	line = server_line(GUNS, "closed", CLOSED);
	json_object_set_new(line, "seq", json_integer(0));
	json_object_set_new(
	    line, "prev", js_hex((const uint8_t[HASH_LEN]){0}, HASH_LEN));
	tamper_bad(CREATE, line, "kind", "first line");
}

/* S9: a reason may lie beside the chain as any text does. */
static void
a_text_that_a_server_line_names_may_follow(void **state)
{
	static const uint8_t salt[RECORD_SALT_LEN] = {3};
	uint8_t ref[HASH_LEN], other[HASH_LEN];
	struct verify_report rep;
	struct errinfo e;
	json_t *line;
	struct buf b;
	int i;

	(void)state;
	assert_int_equal(record_text_ref(ref, salt, "late", 4), 0);
	assert_int_equal(record_text_ref(other, salt, "Late", 4), 0);
	for (i = 0; i < 2; i++) {
		buf_init(&b, 0);
		tamper_put_lines(&b, GUNS);
		line = server_line(GUNS, "closed", CLOSED);
		json_object_set_new(json_object_get(line, "data"), "why",
		    js_hex(i == 0 ? ref : other, HASH_LEN));
		tamper_put_marked(&b, line);
		record_write_text(&b, ref, salt, "late", 4);
		buf_putc(&b, '\n');
		tamper_put_roster(&b);
		assert_int_equal(tamper_verify(&b, &tamper_plain, &rep, &e),
		    i == 0 ? 0 : ERR_BAD);
		json_decref(line);
	}
	assert_non_null(strstr(e.text, "no line of the record names"));
}

/* Lines up to FIGHT as it is (or as given) and a fault line for it. */
static int
verify_fault(json_t *fight_line, int64_t seq, const char *what,
    struct verify_report *rep, struct errinfo *e)
{
	uint8_t h[HASH_LEN];
	char data[64];
	size_t from;
	json_t *line;
	struct buf b;

	buf_init(&b, 0);
	tamper_put_lines(&b, FIGHT);
	from = b.len;
	tamper_put_marked(&b, fight_line);
	json_decref(fight_line);
	(void)snprintf(data, sizeof(data), "{'seq':%d,'text':'x'}", (int)seq);
	line = server_line(STAGGER, what, data);
	assert_int_equal(hash_sha256(h, b.data + from, b.len - from - 1), 0);
	json_object_set_new(line, "prev", js_hex(h, HASH_LEN));
	tamper_put_marked(&b, line);
	tamper_put_roster(&b);
	json_decref(line);
	return (tamper_verify(&b, &tamper_plain, rep, e));
}

static void
a_fault_line_halts_the_rules_and_nothing_else(void **state)
{
	struct verify_report rep;
	struct errinfo e;
	json_t *line, *dice, *rolls;

	(void)state;
	/* Its order holds what fell until then, and that is checked. */
	line = tamper_fight(&dice, &rolls);
	json_array_remove(rolls, 1);
	json_object_set_new(line, "events", table_json("[{'e':'combat'}]"));
	assert_int_equal(verify_fault(line, FIGHT, "fault", &rep, &e), 0);
	assert_true(rep.is_unchecked);
	assert_non_null(strstr(rep.unchecked.text, "failed in line 5"));
	assert_false(rep.is_finished);
	line = tamper_fight(&dice, &rolls);
	json_array_remove(rolls, 1);
	json_object_set_new(
	    json_array_get(rolls, 0), "label", json_string("x"));
	assert_int_equal(verify_fault(line, FIGHT, "fault", &rep, &e), ERR_BAD);
	assert_int_equal(rep.file_line, FIGHT + 1);
	/* Of another line, and another kind in its place. */
	assert_int_equal(
	    verify_fault(tamper_line_value(FIGHT), 4, "fault", &rep, &e),
	    ERR_BAD);
	assert_int_equal(rep.file_line, STAGGER + 1);
	line = tamper_fight(&dice, &rolls);
	json_array_remove(rolls, 1);
	assert_int_equal(
	    verify_fault(line, FIGHT, "closed", &rep, &e), ERR_BAD);
	assert_int_equal(rep.file_line, FIGHT + 1);
}

/* Gives the fault line of CHAT_1 and, untold of any more, a chat. */
static void
check_after_fault(struct verify *v)
{
	struct errinfo e = {0};
	uint8_t h[HASH_LEN];
	json_t *line, *order;
	struct game *g;
	struct buf b;

	buf_init(&b, 0);
	line = server_line(FIGHT, "fault", "{'seq':4,'text':'x'}");
	tamper_put_marked(&b, line);
	json_decref(line);
	assert_int_equal(verify_line(v, b.data, b.len - 1, &e), 0);
	assert_int_equal(hash_sha256(h, b.data, b.len - 1), 0);
	line = tamper_line_value(CHAT_2);
	order = tamper_order_value(CHAT_2);
	json_object_set_new(order, "after", json_integer(FIGHT));
	json_object_set_new(order, "head", js_hex(h, HASH_LEN));
	tamper_sign_into(line, 2, order);
	json_object_set_new(line, "seq", json_integer(FIGHT + 1));
	json_object_set_new(line, "prev", js_hex(h, HASH_LEN));
	buf_reset(&b);
	tamper_put_marked(&b, line);
	json_decref(line);
	assert_int_equal(verify_line(v, b.data, b.len - 1, &e), 0);
	assert_int_equal(verify_end(v, &e), 0);
	assert_true(verify_report(v)->is_unchecked);
	/* Once the game is taken out there is nothing to verify with. */
	g = verify_take_game(v);
	assert_int_equal(game_phase(g), GAME_HALTED);
	game_free(g);
	assert_null(verify_game(v));
	assert_int_equal(verify_line(v, b.data, b.len - 1, &e), ERR_BAD);
	buf_clear(&b);
}

/* Told that the rules failed in a line, a verifier waits for the reason. */
static void
a_fault_line_that_was_announced_must_come(void **state)
{
	static const char fault[] = "{\"kind\":\"server\",\"what\":\"fault\"";
	const size_t *starts = tamper_table.starts;
	const char *p = tamper_table.record.data;
	struct errinfo e = {0};
	struct verify *v;
	json_t *line;
	struct buf b;
	size_t i;
	int way;

	(void)state;
	for (way = 0; way < 4; way++) {
		assert_int_equal(verify_new(&tamper_plain, &v), 0);
		assert_int_equal(
		    verify_add_blob(v, table_roster, strlen(table_roster)), 0);
		for (i = 0; i <= CHAT_1; i++) {
			if (i == CHAT_1)
				verify_peek(v, fault, strlen(fault));
			assert_int_equal(verify_line(v, p + starts[i],
					     starts[i + 1] - starts[i] - 1, &e),
			    0);
		}
		if (way == 0) {
			assert_int_equal(verify_end(v, &e), ERR_BAD);
		} else if (way == 3) {
			check_after_fault(v);
		} else {
			buf_init(&b, 0);
			line = tamper_line_value(FIGHT);
			if (way == 2)
				json_object_set_new(
				    line, "kind", json_string("poem"));
			tamper_put_marked(&b, line);
			json_decref(line);
			assert_int_equal(
			    verify_line(v, b.data, b.len - 1, &e), ERR_BAD);
			buf_clear(&b);
			assert_non_null(strstr(e.text, "a fault line is due"));
			/* And no other line will do now. */
			assert_int_equal(
			    verify_line(v, p + starts[FIGHT],
				starts[FIGHT + 1] - starts[FIGHT] - 1, &e),
			    ERR_BAD);
			assert_non_null(strstr(e.text, "before this one"));
		}
		verify_free(v);
	}
}

/* Right after create there is no game yet whose rules could be off. */
static void
a_fault_line_after_the_create_order_is_taken(void **state)
{
	struct verify_report rep;
	struct errinfo e;
	json_t *line;
	struct buf b;

	(void)state;
	buf_init(&b, 0);
	tamper_put_lines(&b, JOIN);
	line = server_line(JOIN, "fault", "{'seq':0,'text':'x'}");
	tamper_put_marked(&b, line);
	tamper_put_roster(&b);
	json_decref(line);
	assert_int_equal(tamper_verify(&b, &tamper_plain, &rep, &e), 0);
	assert_true(rep.is_unchecked);
}

static void
key_lines_are_checked(void **state)
{
	(void)state;
	tamper_good(CHAT_1, key_line("add", SIGN_TAG_KEY));
	tamper_bad(CHAT_1, key_line("add", SIGN_TAG_ORDER), "sig", "statement");
	tamper_newer(CHAT_1, key_line("lend", SIGN_TAG_KEY), "\"lend\"");
	/* Its key may be of another kind then. */
	tamper_newer(CHAT_1, key_line("dice-key", SIGN_TAG_KEY), "dice-key");
	tamper_bad(CHAT_1, key_line("lend", SIGN_TAG_ORDER), "sig", "");
	tamper_bad(CHAT_1, key_line("reset", SIGN_TAG_KEY), "statement.do",
	    "no recovery key");
}

static void
blobs_are_the_ones_that_the_record_names(void **state)
{
	static const char other[] =
	    "{\"blob\":\"roster\",\"system\":\"lasalle2\",\"sides\":{\"1\":{"
	    "\"units\":[{\"id\":\"a\",\"arm\":\"infantry\",\"strength\":1}]},"
	    "\"2\":{\"units\":[{\"id\":\"b\",\"arm\":\"infantry\","
	    "\"strength\":1}]}}}";
	struct verify_report rep;
	uint8_t hash[HASH_LEN];
	struct errinfo e;
	struct buf b;
	char *five;

	(void)state;
	/* A stronger unit in it. */
	buf_init(&b, 0);
	table_export(&tamper_table, &b);
	five = strstr(buf_str(&b) + tamper_table.record.len, "strength\\\":5");
	assert_non_null(five);
	five[strlen("strength\\\":")] = '6';
	assert_int_equal(tamper_verify(&b, &tamper_plain, &rep, &e), ERR_BAD);
	/* Without it the rules are not run, line 1 already. */
	buf_init(&b, 0);
	tamper_put_lines(&b, LINES);
	assert_int_equal(tamper_verify(&b, &tamper_plain, &rep, &e), 0);
	assert_true(rep.is_unchecked && rep.is_finished);
	assert_int_equal(rep.unchecked_line, 1);
	assert_int_equal(rep.combats, 2); /* declared */
	/* Another in its place, under its own hash. */
	buf_init(&b, 0);
	tamper_put_lines(&b, LINES);
	assert_int_equal(record_blob_hash(hash, other, strlen(other)), 0);
	record_write_blob(&b, hash, other, strlen(other));
	buf_putc(&b, '\n');
	assert_int_equal(tamper_verify(&b, &tamper_plain, &rep, &e), ERR_BAD);
	assert_int_equal(rep.file_line, LINES + 1);
	/* Twice. */
	buf_init(&b, 0);
	tamper_put_lines(&b, LINES);
	tamper_put_roster(&b);
	tamper_put_roster(&b);
	assert_int_equal(tamper_verify(&b, &tamper_plain, &rep, &e), ERR_BAD);
	assert_int_equal(rep.file_line, LINES + 2);
	assert_non_null(strstr(e.text, "sorted"));
	/* A line after it. */
	buf_init(&b, 0);
	tamper_put_lines(&b, CLOSE_2);
	tamper_put_roster(&b);
	buf_add(&b, tamper_table.record.data + tamper_table.starts[CLOSE_2],
	    tamper_table.starts[LINES] - tamper_table.starts[CLOSE_2]);
	assert_int_equal(tamper_verify(&b, &tamper_plain, &rep, &e), ERR_BAD);
	assert_int_equal(rep.file_line, LINES + 1);
	assert_non_null(strstr(e.text, "has ended"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(
		what_newer_umpires_make_is_not_checkable_and_never_bad),
	    cmocka_unit_test(settings_of_newer_umpires_are_not_checkable),
	    cmocka_unit_test(a_blind_verifier_still_sees_the_chain),
	    cmocka_unit_test(server_lines_are_checked),
	    cmocka_unit_test(a_text_that_a_server_line_names_may_follow),
	    cmocka_unit_test(a_fault_line_halts_the_rules_and_nothing_else),
	    cmocka_unit_test(a_fault_line_that_was_announced_must_come),
	    cmocka_unit_test(a_fault_line_after_the_create_order_is_taken),
	    cmocka_unit_test(key_lines_are_checked),
	    cmocka_unit_test(blobs_are_the_ones_that_the_record_names),
	};

	return (
	    cmocka_run_group_tests(tests, tamper_setup_cb, tamper_teardown_cb));
}
