/* SPDX-License-Identifier: ISC */
/* The form of key statements (umpire-record.7, S4). */
#include "common/record/statement.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/buf.h"
#include "common/json/js.h"
#include "common/record/order.h"

#include "tests/lib/table.h"

static const uint8_t zeros[HASH_LEN];

/* A good statement, with one member set or, where value is NULL, gone; new. */
static struct buf
text_with(const char *member, const char *value)
{
	struct table t;
	struct statement_parts p = {
	    .account = "ann", .n = 1, .prev = zeros, .now_ms = TABLE_AT_MS};
	struct buf b;
	json_t *v;

	table_init(&t);
	p.server = t.server.public_key;
	p.key = t.keys[3].sign.public_key;
	buf_init(&b, 0);
	assert_int_equal(statement_write(&p, &b), 0);
	table_clear(&t);
	if (member == NULL)
		return (b);
	assert_int_equal(js_load(b.data, b.len, JS_DEPTH_RECORD, &v, NULL), 0);
	if (value == NULL)
		json_object_del(v, member);
	else
		json_object_set_new(v, member, table_json(value));
	buf_reset(&b);
	js_dump(v, &b);
	json_decref(v);
	return (b);
}

static void
what_was_written_is_read(void **state)
{
	struct buf b = text_with(NULL, NULL);
	uint8_t hash[HASH_LEN];
	struct statement s;
	struct errinfo e;

	(void)state;
	assert_int_equal(statement_parse(b.data, b.len, &s, &e), 0);
	assert_string_equal(s.account, "ann");
	assert_int_equal(s.n, 1);
	assert_int_equal(s.what, STATEMENT_ADD);
	assert_int_equal(s.now_ms, TABLE_AT_MS);
	assert_memory_equal(s.prev, zeros, HASH_LEN);
	assert_int_equal(hash_tagged(hash, "umpire/key/1", b.data, b.len), 0);
	assert_memory_equal(s.hash, hash, HASH_LEN);
	statement_clear(&s);
	buf_clear(&b);
	b = text_with("do", "'lend'");
	assert_int_equal(statement_parse(b.data, b.len, &s, &e), 0);
	assert_int_equal(s.what, STATEMENT_UNKNOWN);
	assert_string_equal(s.what_name, "lend");
	statement_clear(&s);
	buf_clear(&b);
}

static void
what_is_wrong_is_named(void **state)
{
	static const struct {
		const char *member, *value, *where;
		int r;
	} bad[] = {
	    {"v", NULL, "statement.v", ERR_INVALID},
	    {"v", "2", "statement.v", ERR_INVALID},
	    {"lent", "true", "statement.lent", ERR_INVALID},
	    {"do", "1", "statement.do", ERR_INVALID},
	    {"do", NULL, "statement.do", ERR_INVALID},
	    {"server", "''", "statement.server", ERR_INVALID},
	    {"account", "'Ann'", "statement.account", ERR_INVALID},
	    {"account", NULL, "statement.account", ERR_INVALID},
	    {"n", "0", "statement.n", ERR_INVALID},
	    {"n", "'1'", "statement.n", ERR_INVALID},
	    {"prev", TABLE_REF, "statement.prev", ERR_INVALID},
	    {"prev", NULL, "statement.prev", ERR_INVALID},
	    {"key", "'00'", "statement.key", ERR_INVALID},
	    {"key",
		"'0000000000000000000000000000000000000000000000000000000000"
		"000000'",
		"statement.key", ERR_INVALID},
	    {"now", "'today'", "statement.now", ERR_INVALID},
	    {"now", NULL, "statement.now", ERR_INVALID},
	    {"now", "1", "statement.now", ERR_INVALID},
	};
	struct statement s;
	struct errinfo e;
	struct buf b;
	size_t i;
	int r;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		b = text_with(bad[i].member, bad[i].value);
		r = statement_parse(b.data, b.len, &s, &e);
		if (r != bad[i].r || strcmp(e.where, bad[i].where) != 0)
			fail_msg("%s %s: %d at %s", bad[i].member,
			    bad[i].value == NULL ? "-" : bad[i].value, r,
			    e.where);
		buf_clear(&b);
	}
	assert_int_equal(statement_parse("{ ", 2, &s, &e), ERR_MALFORMED);
	assert_int_equal(statement_parse("", 0, &s, &e), ERR_TOOBIG);
	b = text_with("account", NULL);
	while (b.len <= ORDER_TEXT_MAX)
		buf_putc(&b, ' ');
	assert_int_equal(statement_parse(b.data, b.len, &s, &e), ERR_TOOBIG);
	buf_clear(&b);
}

static void
an_account_has_so_many_keys(void **state)
{
	struct statement s = {.n = 1, .what = STATEMENT_ADD};
	struct statement_keys k = {.n_keys = 1};
	struct errinfo e;
	int i;

	(void)state;
	for (i = 1; i < STATEMENT_KEYS_MAX; i++) {
		s.key[0] = (uint8_t)i;
		assert_int_equal(statement_apply(&k, &s, zeros, &e), 0);
		s.n++;
	}
	assert_int_equal(k.n_keys, STATEMENT_KEYS_MAX);
	s.key[0] = (uint8_t)i;
	assert_int_equal(statement_apply(&k, &s, zeros, &e), ERR_ILLEGAL);
	assert_non_null(strstr(e.text, "at most 16 keys"));
	/* Any of them goes, and the others stay. */
	s.what = STATEMENT_DROP;
	s.key[0] = 3;
	assert_int_equal(statement_apply(&k, &s, zeros, &e), 0);
	assert_false(statement_has_key(&k, s.key));
	for (i = 0; i < STATEMENT_KEYS_MAX; i++) {
		s.key[0] = (uint8_t)i;
		assert_int_equal(statement_has_key(&k, s.key), i != 3);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_was_written_is_read),
	    cmocka_unit_test(what_is_wrong_is_named),
	    cmocka_unit_test(an_account_has_so_many_keys),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
