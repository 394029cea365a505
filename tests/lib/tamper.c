/* SPDX-License-Identifier: ISC */
#include "tests/lib/tamper.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

const struct verify_options tamper_plain = {.head_seq = -1};

const struct verify_options tamper_no_rules = {
    .no_rules = true, .head_seq = -1};

struct table tamper_table;

/* Infantry on one battery, which may retire: one question, then dice. */
#define TAMPER_GUN                                                     \
	"{'combat':{'attackers':[{'id':'fr-2','formation':'column'}]," \
	"'defenders':[{'id':'ru-a1','formation':'unlimbered'}],"       \
	"'contacts':[{'attacker':'fr-2','defender':'ru-a1','edge':'front'}]}}"

int
tamper_setup_cb(void **state)
{
	struct table *t = &tamper_table;

	(void)state;
	table_begun(t);
	table_play(t, 1, ORDER_CHAT, TABLE_CHAT);
	table_play(t, 1, ORDER_DECLARE, TABLE_FIGHT);
	table_answer(t);
	table_play(t, 1, ORDER_DECLARE, TAMPER_GUN);
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

int
tamper_teardown_cb(void **state)
{
	(void)state;
	table_clear(&tamper_table);
	return (0);
}

json_t *
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

void
tamper_put_lines(struct buf *b, size_t n)
{
	buf_add(b, tamper_table.record.data, tamper_table.starts[n]);
}

void
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

void
tamper_put_roster(struct buf *b)
{
	uint8_t hash[HASH_LEN];

	assert_int_equal(
	    record_blob_hash(hash, table_roster, strlen(table_roster)), 0);
	record_write_blob(b, hash, table_roster, strlen(table_roster));
	buf_putc(b, '\n');
}

int
tamper_verify(struct buf *b, const struct verify_options *opt,
    struct verify_report *rep, struct errinfo *e)
{
	struct verify_options parallel = *opt;
	struct verify_report same;
	struct errinfo why;
	int r;

	memset(e, 0, sizeof(*e));
	memset(&why, 0, sizeof(why));
	assert_int_equal(buf_error(b), 0);
	r = verify_bytes(b->data, b->len, opt, rep, NULL, e);
	parallel.is_parallel = true;
	assert_int_equal(
	    verify_bytes(b->data, b->len, &parallel, &same, NULL, &why), r);
	assert_string_equal(why.where, e->where);
	assert_string_equal(why.text, e->text);
	assert_int_equal(same.lines, rep->lines);
	assert_int_equal(same.file_line, rep->file_line);
	assert_int_equal(same.rolls, rep->rolls);
	assert_int_equal(same.combats, rep->combats);
	assert_int_equal(same.is_unchecked, rep->is_unchecked);
	assert_int_equal(same.unchecked_line, rep->unchecked_line);
	assert_string_equal(same.unchecked.text, rep->unchecked.text);
	assert_memory_equal(same.head, rep->head, HASH_LEN);
	buf_clear(b);
	return (r);
}

/* Verifies the lines before number i and then this one. */
static int
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

void
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

void
tamper_good(size_t i, json_t *line)
{
	struct verify_report rep;
	struct errinfo e;

	if (tamper_verify_line(i, line, &rep, &e) != 0 || rep.is_unchecked)
		fail_msg("line %zu: %s: %s", i + 1, e.where, e.text);
	assert_int_equal(rep.lines, i + 1);
	json_decref(line);
}

void
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

json_t *
tamper_with(size_t i, const char *name, json_t *value)
{
	json_t *line = tamper_line_value(i);

	if (value == NULL)
		assert_int_equal(json_object_del(line, name), 0);
	else
		assert_int_equal(json_object_set_new(line, name, value), 0);
	return (line);
}

json_t *
tamper_with_more(size_t i, const char *name, json_t *value)
{
	json_t *line = tamper_line_value(i), *events;

	events = json_incref(json_object_get(line, "events"));
	json_object_del(line, "events");
	json_object_set_new(line, name, value);
	json_object_set_new(line, "events", events);
	return (line);
}

void
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

json_t *
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

json_t *
tamper_with_order(size_t i, int seat, const char *name, json_t *value)
{
	json_t *line = tamper_line_value(i), *order = tamper_order_value(i);

	json_object_set_new(order, name, value);
	tamper_sign_into(line, seat, order);
	return (line);
}

json_t *
tamper_with_arg(size_t i, int seat, const char *name, json_t *value)
{
	json_t *line = tamper_line_value(i), *order = tamper_order_value(i);

	json_object_set_new(json_object_get(order, "args"), name, value);
	tamper_sign_into(line, seat, order);
	return (line);
}

json_t *
tamper_order_member(size_t i, const char *name)
{
	json_t *order = tamper_order_value(i), *v;

	v = json_deep_copy(json_object_get(order, name));
	assert_non_null(v);
	json_decref(order);
	return (v);
}

json_t *
tamper_line_member(size_t i, const char *name)
{
	json_t *line = tamper_line_value(i), *v;

	v = json_deep_copy(json_object_get(line, name));
	assert_non_null(v);
	json_decref(line);
	return (v);
}

json_t *
tamper_line_hash(size_t i)
{
	uint8_t h[HASH_LEN];

	assert_int_equal(
	    hash_sha256(h, tamper_table.record.data + tamper_table.starts[i],
		tamper_table.starts[i + 1] - tamper_table.starts[i] - 1),
	    0);
	return (js_hex(h, HASH_LEN));
}

json_t *
tamper_fight(json_t **dice, json_t **rolls)
{
	json_t *line = tamper_line_value(FIGHT);

	*dice = json_object_get(line, "dice");
	*rolls = json_object_get(*dice, "rolls");
	assert_int_equal(json_array_size(*rolls), 2);
	return (line);
}
