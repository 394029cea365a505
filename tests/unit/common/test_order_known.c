/* SPDX-License-Identifier: ISC */
/*
 * Order texts as a verifier reads them: what a newer umpire made is known
 * before the rest is judged (umpire-record.7, S10).
 */
#include "common/record/order.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/buf.h"
#include "common/json/js.h"

#include "tests/lib/table.h"

#define NONCE "'0123456789abcdef0123456789abcdef'"

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

/* Reads all of a value but what hangs on its kind; v is stolen. */
static int
value_is_known(json_t *v, const char *const *upkeep, int *kind_r)
{
	struct errinfo e = {0};
	struct order o;
	struct buf b;
	int r;

	buf_init(&b, 0);
	js_dump(v, &b);
	json_decref(v);
	r = order_parse_members(b.data, b.len, &o, &e);
	if (r == 0) {
		r = order_check_known(&o, upkeep, &e);
		*kind_r = order_check_kind(&o, &e);
		order_clear(&o);
	}
	buf_clear(&b);
	return (r);
}

static void
what_is_newer_is_known_before_the_rest_is_judged(void **state)
{
	static const char *const upkeep[] = {"unit", NULL};
	static const struct {
		const char *kind, *args;
		int r;
	} cases[] = {
	    {"create", "{'seat':9}", 0},
	    {"create", "{'seat':9,'x':1}", ERR_NEWER},
	    {"create", "{'options':{'x':1}}", ERR_NEWER},
	    {"create", "{'options':[],'clock':7}", 0},
	    {"create", "{'clock':{'per':9}}", 0},
	    {"create", "{'clock':{'x':1}}", ERR_NEWER},
	    {"dance", "{}", ERR_NEWER},
	    {"upkeep", "{'unit':1}", 0},
	    {"upkeep", "{'do':1}", ERR_NEWER},
	    {"turn.end", "{}", 0},
	    {"turn.end", "{'x':1}", ERR_NEWER},
	    {"offer", "{'what':7,'days':0}", 0},
	    {"offer", "{'what':'draw','days':0}", 0},
	    {"offer", "{'what':'adjust'}", ERR_NEWER},
	    {"propose", "{'what':'adjust'}", 0},
	    {"propose", "{'what':'draw'}", ERR_NEWER},
	    {"note", "{'say':'moo'}", 0},
	};
	int kind_r, r;
	json_t *v;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		v = order_value(cases[i].kind);
		json_object_set_new(v, "args", table_json(cases[i].args));
		json_object_set_new(v, "place", json_string("p/0"));
		r = value_is_known(v, upkeep, &kind_r);
		if (r != cases[i].r)
			fail_msg("%s %s: %d", cases[i].kind, cases[i].args, r);
		/* The place is wrong, or a proof beside it is missing. */
		assert_int_equal(kind_r,
		    strcmp(cases[i].kind, "dance") == 0 ? 0 : ERR_INVALID);
	}
	v = order_value("upkeep");
	json_object_set_new(v, "args", table_json("{'do':1}"));
	assert_int_equal(value_is_known(v, NULL, &kind_r), 0);
	/* Members of the order itself are all known. */
	v = order_value("dance");
	json_object_set_new(v, "x", json_true());
	assert_int_equal(value_is_known(v, NULL, &kind_r), ERR_INVALID);
}

/* Reads the head alone; v is stolen. */
static int
head_gives(json_t *v, struct order *o)
{
	struct errinfo e = {0};
	struct buf b;
	int r;

	buf_init(&b, 0);
	js_dump(v, &b);
	json_decref(v);
	if ((r = order_parse_head(b.data, b.len, o, &e)) != 0)
		assert_true(e.text[0] != '\0');
	else
		order_clear(o);
	buf_clear(&b);
	return (r);
}

static void
the_head_of_any_order_can_be_read(void **state)
{
	static const char *const needs[] = {
	    "server", "game", "seat", "after", "head"};
	struct order o;
	json_t *v;
	size_t i;

	(void)state;
	v = order_value("dance");
	json_object_set_new(v, "v", json_integer(7));
	json_object_set_new(v, "x", json_true());
	json_object_set_new(v, "place", json_integer(7));
	json_object_del(v, "nonce");
	json_object_del(v, "args");
	assert_int_equal(head_gives(json_deep_copy(v), &o), 0);
	for (i = 0; i < sizeof(needs) / sizeof(needs[0]); i++) {
		json_t *w = json_deep_copy(v);

		json_object_del(w, needs[i]);
		assert_int_equal(head_gives(w, &o), ERR_INVALID);
	}
	json_decref(v);
	assert_int_equal(head_gives(table_json("[]"), &o), ERR_INVALID);
}

static void
an_order_may_tell_its_authors_clock(void **state)
{
	json_t *v = order_value("chat");
	struct errinfo e;
	struct order o;
	char *text;

	(void)state;
	text = json_dumps(v, JSON_COMPACT);
	assert_int_equal(order_parse(text, strlen(text), &o, &e), 0);
	assert_false(o.has_now);
	order_clear(&o);
	free(text);
	json_object_set_new(v, "now", json_string("2026-11-20T12:01:01.042Z"));
	text = json_dumps(v, JSON_COMPACT);
	assert_int_equal(order_parse(text, strlen(text), &o, &e), 0);
	assert_true(o.has_now);
	assert_int_equal(o.now_ms, TABLE_AT_MS);
	order_clear(&o);
	free(text);
	json_decref(v);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_order_may_tell_its_authors_clock),
	    cmocka_unit_test(what_is_newer_is_known_before_the_rest_is_judged),
	    cmocka_unit_test(the_head_of_any_order_can_be_read),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
