/* SPDX-License-Identifier: ISC */
/*
 * A whole record for tests that tamper with it as its own server could: each
 * line is marked anew with the server's key, so that only what it says can
 * give it away.  Include cmocka.h and its companions before it.
 */
#ifndef UMPIRE_TESTS_LIB_TAMPER_H
#define UMPIRE_TESTS_LIB_TAMPER_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "common/game/verify.h"
#include "common/json/js_load.h"
#include "common/record/order_kind.h"

#include "tests/lib/table.h"

/* The lines of the record, by number. */
enum tamper_line {
	CREATE,
	JOIN,
	READY_2,
	READY_1, /* moves the pool */
	CHAT_1,
	FIGHT, /* dice, then an open question */
	STAGGER, /* side 1's answer, which draws nothing */
	GUNS, /* a question first, no dice */
	RETIRE, /* side 2's answer: dice, result */
	END_1, /* moves the pool */
	CHAT_2,
	END_2,
	RESIGN_2,
	CLOSE_1,
	CLOSE_2,
	LINES,
};

static const struct verify_options tamper_plain = {.head_seq = -1};
static const struct verify_options tamper_no_rules = {
    .no_rules = true, .head_seq = -1};

static struct table tamper_table;

/* Plays the game that all tests tamper with. */
static inline int
tamper_setup_cb(void **state)
{
	struct table *t = &tamper_table;

	(void)state;
	table_begun(t);
	table_play(t, 1, ORDER_CHAT, TABLE_CHAT);
	table_play(t, 1, ORDER_DECLARE, TABLE_FIGHT);
	table_answer(t);
	table_play(t, 1, ORDER_DECLARE, TABLE_GUNS);
	table_answer(t);
	table_play(t, 1, ORDER_TURN_END, "{}");
	table_play(t, 2, ORDER_CHAT, TABLE_CHAT);
	table_play(t, 2, ORDER_TURN_END, "{}");
	table_play(t, 2, ORDER_RESIGN, "{}");
	table_play(t, 1, ORDER_CLOSE, "{}");
	table_play(t, 2, ORDER_CLOSE, "{}");
	assert_int_equal(t->n_lines, LINES);
	return (0);
}

static inline int
tamper_teardown_cb(void **state)
{
	(void)state;
	table_clear(&tamper_table);
	return (0);
}

/* Line i as a value; new. */
static inline json_t *
tamper_line_value(size_t i)
{
	json_t *v = NULL;

	assert_int_equal(
	    js_load(tamper_table.record.data + tamper_table.starts[i],
		tamper_table.starts[i + 1] - tamper_table.starts[i],
		JS_DEPTH_RECORD, &v, NULL),
	    0);
	return (v);
}

/* The lines before number n, with their LF. */
static inline void
tamper_put_lines(struct buf *b, size_t n)
{
	buf_add(b, tamper_table.record.data, tamper_table.starts[n]);
}

/* Appends a line, marked anew, with its LF. */
static inline void
tamper_put_marked(struct buf *b, const json_t *line)
{
	uint8_t h[HASH_LEN], mark[SIGN_LEN];
	json_t *copy = json_copy((json_t *)(uintptr_t)line);
	size_t from = b->len;

	(void)json_object_del(copy, "mark");
	js_dump(copy, b);
	json_decref(copy);
	b->len--; /* the brace */
	assert_int_equal(hash_sha256(h, b->data + from, b->len - from), 0);
	assert_int_equal(
	    sign_make(&tamper_table.server, SIGN_TAG_MARK, h, HASH_LEN, mark),
	    0);
	buf_puts(b, ",\"mark\":\"");
	buf_hex(b, mark, SIGN_LEN);
	buf_puts(b, "\"}\n");
}

/* Appends the side line of the roster. */
static inline void
tamper_put_roster(struct buf *b)
{
	uint8_t hash[HASH_LEN];

	assert_int_equal(
	    record_blob_hash(hash, table_roster, strlen(table_roster)), 0);
	record_write_blob(b, hash, table_roster, strlen(table_roster));
	buf_putc(b, '\n');
}

/* Verifies what b holds and frees it. */
static inline int
tamper_verify(struct buf *b, const struct verify_options *opt,
    struct verify_report *rep, struct errinfo *e)
{
	int r;

	memset(e, 0, sizeof(*e));
	assert_int_equal(buf_error(b), 0);
	r = verify_bytes(b->data, b->len, opt, rep, NULL, e);
	buf_clear(b);
	return (r);
}

/* Verifies the lines before number i and then this one. */
static inline int
tamper_verify_line(
    size_t i, const json_t *line, struct verify_report *rep, struct errinfo *e)
{
	struct buf b;

	buf_init(&b, 0);
	tamper_put_lines(&b, i);
	tamper_put_marked(&b, line);
	tamper_put_roster(&b);
	return (tamper_verify(&b, &tamper_plain, rep, e));
}

/* Line i is this one (stolen): bad, there, at this place, for this reason. */
static inline void
tamper_bad(size_t i, json_t *line, const char *where, const char *why)
{
	struct verify_report rep;
	struct errinfo e;
	int r;

	r = tamper_verify_line(i, line, &rep, &e);
	if (r != ERR_BAD || rep.file_line != (int64_t)i + 1 ||
	    strcmp(e.where, where) != 0 || strstr(e.text, why) == NULL)
		fail_msg("line %zu: %d in line %d, %s: %s; not %s: %s", i + 1,
		    r, (int)rep.file_line, e.where, e.text, where, why);
	assert_int_equal(rep.lines, i);
	json_decref(line);
}

/* Line i is this one (stolen): good. */
static inline void
tamper_good(size_t i, json_t *line)
{
	struct verify_report rep;
	struct errinfo e;

	if (tamper_verify_line(i, line, &rep, &e) != 0 || rep.is_unchecked)
		fail_msg("line %zu: %s: %s", i + 1, e.where, e.text);
	assert_int_equal(rep.lines, i + 1);
	json_decref(line);
}

/* Line i is this one (stolen): not checkable here, for this reason. */
static inline void
tamper_newer(size_t i, json_t *line, const char *why)
{
	struct verify_report rep;
	struct errinfo e;

	if (tamper_verify_line(i, line, &rep, &e) != 0)
		fail_msg("line %zu: %s: %s", i + 1, e.where, e.text);
	assert_true(rep.is_unchecked);
	assert_int_equal(rep.unchecked_line, i + 1);
	if (strstr(rep.unchecked.text, why) == NULL)
		fail_msg("%s, not %s", rep.unchecked.text, why);
	json_decref(line);
}

/* Line i with a member set, or gone if value is NULL; new. */
static inline json_t *
tamper_with(size_t i, const char *name, json_t *value)
{
	json_t *line = tamper_line_value(i);

	if (value == NULL)
		assert_int_equal(json_object_del(line, name), 0);
	else
		assert_int_equal(json_object_set_new(line, name, value), 0);
	return (line);
}

/* Line i with a member put before `events`, where it stands in lines; new. */
static inline json_t *
tamper_with_more(size_t i, const char *name, json_t *value)
{
	json_t *line = tamper_line_value(i), *events;

	events = json_incref(json_object_get(line, "events"));
	json_object_del(line, "events");
	json_object_set_new(line, name, value);
	json_object_set_new(line, "events", events);
	return (line);
}

/* Puts an order (stolen) into a line, signed with a seat's key. */
static inline void
tamper_sign_into(json_t *line, int seat, json_t *order)
{
	uint8_t sig[SIGN_LEN];
	struct buf b;

	buf_init(&b, 0);
	js_dump(order, &b);
	assert_int_equal(sign_make(&tamper_table.keys[seat].sign,
			     SIGN_TAG_ORDER, b.data, b.len, sig),
	    0);
	json_object_set_new(line, "order", json_stringn(b.data, b.len));
	json_object_set_new(line, "sig", js_hex(sig, SIGN_LEN));
	json_object_set_new(line, "key",
	    js_hex(tamper_table.keys[seat].sign.public_key, SIGN_KEY_LEN));
	buf_clear(&b);
	json_decref(order);
}

/* The order in line i as a value; new. */
static inline json_t *
tamper_order_value(size_t i)
{
	json_t *line = tamper_line_value(i), *order = NULL;
	const json_t *s = json_object_get(line, "order");

	assert_int_equal(js_load(json_string_value(s), json_string_length(s),
			     JS_DEPTH_RECORD, &order, NULL),
	    0);
	json_decref(line);
	return (order);
}

/* Line i, whose order has a member set and is signed again by seat; new. */
static inline json_t *
tamper_with_order(size_t i, int seat, const char *name, json_t *value)
{
	json_t *line = tamper_line_value(i), *order = tamper_order_value(i);

	json_object_set_new(order, name, value);
	tamper_sign_into(line, seat, order);
	return (line);
}

/* As tamper_with_order() for a member of its args. */
static inline json_t *
tamper_with_arg(size_t i, int seat, const char *name, json_t *value)
{
	json_t *line = tamper_line_value(i), *order = tamper_order_value(i);

	json_object_set_new(json_object_get(order, "args"), name, value);
	tamper_sign_into(line, seat, order);
	return (line);
}

/* A member of line i's order; new. */
static inline json_t *
tamper_order_member(size_t i, const char *name)
{
	json_t *order = tamper_order_value(i), *v;

	v = json_deep_copy(json_object_get(order, name));
	assert_non_null(v);
	json_decref(order);
	return (v);
}

/* A member of line i; new. */
static inline json_t *
tamper_line_member(size_t i, const char *name)
{
	json_t *line = tamper_line_value(i), *v;

	v = json_deep_copy(json_object_get(line, name));
	assert_non_null(v);
	json_decref(line);
	return (v);
}

/* The hash of line i; new. */
static inline json_t *
tamper_line_hash(size_t i)
{
	uint8_t h[HASH_LEN];

	assert_int_equal(
	    hash_sha256(h, tamper_table.record.data + tamper_table.starts[i],
		tamper_table.starts[i + 1] - tamper_table.starts[i] - 1),
	    0);
	return (js_hex(h, HASH_LEN));
}

/* Line FIGHT with its rolls; *rolls is borrowed from it. */
static inline json_t *
tamper_fight(json_t **dice, json_t **rolls)
{
	json_t *line = tamper_line_value(FIGHT);

	*dice = json_object_get(line, "dice");
	*rolls = json_object_get(*dice, "rolls");
	assert_int_equal(json_array_size(*rolls), 2);
	return (line);
}

#endif
