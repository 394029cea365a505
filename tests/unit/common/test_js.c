/* SPDX-License-Identifier: ISC */
/*
 * JSON values: the compact form (record S2), and readers of members with
 * their paths.
 */
#include "common/json/js.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/buf.h"

/* Loads a text that must be good. */
static json_t *
load(const char *text)
{
	struct errinfo e;
	json_t *v;

	if (js_load(text, strlen(text), JS_DEPTH_RPC, &v, &e) != 0)
		fail_msg("%s: %s: %s", text, e.where, e.text);
	return (v);
}

static void
load_keeps_the_order_of_members_and_big_integers(void **state)
{
	static const char text[] =
	    "{\"z\":9007199254740991,\"a\":-9007199254740991,\"m\":[0]}";
	struct buf b;
	json_t *v = load(text);

	(void)state;
	buf_init(&b, 0);
	js_dump(v, &b);
	assert_string_equal(buf_str(&b), text);
	buf_clear(&b);
	json_decref(v);
}

/* Fails unless v is written as want. */
static void
dumps(const json_t *v, const char *want)
{
	struct buf b;

	assert_non_null(v);
	buf_init(&b, 0);
	js_dump(v, &b);
	assert_int_equal(buf_error(&b), 0);
	assert_string_equal(buf_str(&b), want);
	buf_clear(&b);
}

static void
texts_in_the_compact_form_come_back_byte_by_byte(void **state)
{
	static const char *const texts[] = {"{}", "[]", "\"\"", "0", "-1",
	    "true", "false", "null", "[[],[[]],{}]",
	    "{\"b\":{\"a\":{}},\"a\":[{},{}]}",
	    "[1,2,[3,{\"a\":4,\"b\":[5]},6],7]", "\"\\\"\\\\\\b\\f\\n\\r\\t\"",
	    "\"\\u0001\\u0007\\u000b\\u000e\\u001b\\u001f\"", "\"\x7f/\"",
	    "\"caf\xc3\xa9 \xe2\x80\xa8 \xef\xbb\xbf \xf0\x9f\x98\x80\"",
	    "{\"\\u001f\\\"\":\"\\\\u0061\"}", "{\"\":\"\"}",
	    "\"</script>'&\""};
	json_t *v;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		v = load(texts[i]);
		dumps(v, texts[i]);
		json_decref(v);
	}
}

static void
other_spellings_become_the_compact_form(void **state)
{
	static const char *const rows[][2] = {
	    {" { \"a\" : [ 1 , 2 ] } ", "{\"a\":[1,2]}"},
	    {"\"\\/\"", "\"/\""},
	    {"\"\\u0061\"", "\"a\""},
	    {"\"\\u007f\"", "\"\x7f\""},
	    {"\"\\u001F\"", "\"\\u001f\""},
	    {"\"\\u000A\\u0009\\u0008\\u000C\\u000D\"", "\"\\n\\t\\b\\f\\r\""},
	    {"\"\\u0022\\u005C\"", "\"\\\"\\\\\""},
	    {"\"\\u00e9\\ud83d\\ude00\"", "\"\xc3\xa9\xf0\x9f\x98\x80\""},
	    {"\"\\u2028\"", "\"\xe2\x80\xa8\""},
	};
	json_t *v;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		v = load(rows[i][0]);
		dumps(v, rows[i][1]);
		json_decref(v);
	}
}

static void
every_character_below_u0080_is_written_in_its_one_form(void **state)
{
	static const char *const short_forms[128] = {['"'] = "\"\\\"\"",
	    ['\\'] = "\"\\\\\"",
	    ['\b'] = "\"\\b\"",
	    ['\f'] = "\"\\f\"",
	    ['\n'] = "\"\\n\"",
	    ['\r'] = "\"\\r\"",
	    ['\t'] = "\"\\t\""};
	char s[2] = "", want[16];
	json_t *v;
	int c;

	(void)state;
	for (c = 1; c < 128; c++) {
		s[0] = (char)c;
		if (short_forms[c] != NULL)
			(void)snprintf(
			    want, sizeof(want), "%s", short_forms[c]);
		else
			(void)snprintf(want, sizeof(want),
			    c < 0x20 ? "\"\\u%04x\"" : "\"%c\"", c);
		v = json_string(s);
		dumps(v, want);
		json_decref(v);
	}
	v = json_stringn("a\0b", 3);
	dumps(v, "\"a\\u0000b\"");
	json_decref(v);
}

static void
the_widest_integers_are_written_whole(void **state)
{
	json_t *v = json_pack(
	    "[I,I,i]", (json_int_t)JS_INT_MAX, -(json_int_t)JS_INT_MAX, 0);

	(void)state;
	dumps(v, "[9007199254740991,-9007199254740991,0]");
	json_decref(v);
}

static void
members_are_written_in_the_order_they_were_made(void **state)
{
	json_t *v = json_object();
	char name[16], *want;
	struct buf b;
	int i;

	(void)state;
	buf_init(&b, 0);
	buf_putc(&b, '{');
	for (i = 500; i > 0; i--) {
		(void)snprintf(name, sizeof(name), "k%d", i);
		assert_int_equal(
		    json_object_set_new(v, name, json_integer(i)), 0);
		buf_printf(&b, "%s\"k%d\":%d", i == 500 ? "" : ",", i, i);
	}
	buf_putc(&b, '}');
	want = buf_take(&b, NULL);
	dumps(v, want);
	free(want);
	json_decref(v);
}

static void
dump_goes_as_deep_as_it_says(void **state)
{
	json_t *v = json_array(), *up;
	char want[2 * JS_DEPTH_DUMP + 1];
	int i;

	(void)state;
	for (i = 1; i < JS_DEPTH_DUMP; i++) {
		up = json_array();
		assert_int_equal(json_array_append_new(up, v), 0);
		v = up;
	}
	memset(want, '[', JS_DEPTH_DUMP);
	memset(want + JS_DEPTH_DUMP, ']', JS_DEPTH_DUMP);
	want[2 * JS_DEPTH_DUMP] = '\0';
	dumps(v, want);
	json_decref(v);
}

static void
dump_over_the_buffers_maximum_fails_in_the_buffer(void **state)
{
	json_t *v = load("{\"a\":[1,2,3]}");
	struct buf b;

	(void)state;
	buf_init(&b, 12);
	js_dump(v, &b);
	assert_int_equal(buf_error(&b), ERR_TOOBIG);
	buf_clear(&b);
	buf_init(&b, 13);
	js_dump(v, &b);
	assert_int_equal(buf_error(&b), 0);
	buf_clear(&b);
	json_decref(v);
}

static void
dump_appends_to_what_is_there(void **state)
{
	json_t *v = load("[1]");
	struct buf b;

	(void)state;
	buf_init(&b, 0);
	buf_puts(&b, "x");
	js_dump(v, &b);
	js_dump_string("y\n", 2, &b);
	js_dump_string("", 0, &b);
	assert_string_equal(buf_str(&b), "x[1]\"y\\n\"\"\"");
	buf_clear(&b);
	json_decref(v);
}

static void
paths_name_members_and_elements(void **state)
{
	const struct js_at combat = {NULL, "combat", 0};
	const struct js_at contacts = {&combat, "contacts", 0};
	const struct js_at third = {&contacts, NULL, 2};
	const struct js_at first = {NULL, NULL, 0};
	const struct js_at inner = {&first, NULL, 12};
	struct errinfo e;

	(void)state;
	assert_int_equal(
	    js_fail_member(&third, "edge", &e, "must be %s", "x"), ERR_INVALID);
	assert_string_equal(e.where, "combat.contacts[2].edge");
	assert_string_equal(e.text, "must be x");
	assert_int_equal(js_fail(&third, &e, "bad"), ERR_INVALID);
	assert_string_equal(e.where, "combat.contacts[2]");
	assert_int_equal(js_fail(&combat, &e, "bad"), ERR_INVALID);
	assert_string_equal(e.where, "combat");
	assert_int_equal(js_fail(NULL, &e, "bad"), ERR_INVALID);
	assert_string_equal(e.where, "");
	assert_int_equal(js_fail_member(NULL, "v", &e, "bad"), ERR_INVALID);
	assert_string_equal(e.where, "v");
	assert_int_equal(js_fail_member(&inner, "v", &e, "bad"), ERR_INVALID);
	assert_string_equal(e.where, "[0][12].v");
	assert_int_equal(js_fail(&third, NULL, "bad"), ERR_INVALID);
}

static void
a_path_that_is_too_long_is_cut(void **state)
{
	struct js_at at[40];
	struct errinfo e;
	size_t i;

	(void)state;
	for (i = 0; i < 40; i++)
		at[i] = (struct js_at){
		    i == 0 ? NULL : &at[i - 1], i % 2 == 0 ? "name" : NULL, i};
	assert_int_equal(js_fail(&at[39], &e, "bad"), ERR_INVALID);
	assert_int_equal(strlen(e.where), sizeof(e.where) - 1);
	assert_memory_equal(e.where, "name[1].name[3].name[5]", 23);
}

static void
the_place_of_a_part_is_put_before_its_errors(void **state)
{
	const struct js_at order = {NULL, "order", 0};
	const struct js_at args = {&order, "args", 0};
	struct errinfo e;

	(void)state;
	err_set(&e, ERR_INVALID, "combat.contacts[2]", "text");
	js_within(&args, &e);
	assert_string_equal(e.where, "order.args.combat.contacts[2]");
	assert_string_equal(e.text, "text");
	err_set(&e, ERR_INVALID, "", "text");
	js_within(&args, &e);
	assert_string_equal(e.where, "");
	js_within(&args, NULL);
	memset(e.where, 'x', sizeof(e.where) - 1);
	js_within(&args, &e);
	assert_int_equal(strlen(e.where), sizeof(e.where) - 1);
	assert_memory_equal(e.where, "order.args.xxx", 14);
}

static void
members_refuses_the_first_that_is_not_known(void **state)
{
	static const char *const known[] = {"a", "b", NULL};
	static const char *const none[] = {NULL};
	const struct js_at at = {NULL, "args", 0};
	json_t *v = load("{\"b\":1,\"x\":{},\"a\":2,\"y\":3}");
	struct errinfo e;

	(void)state;
	assert_int_equal(js_members(v, &at, known, &e), ERR_INVALID);
	assert_string_equal(e.where, "args.x");
	assert_string_equal(e.text, "is not a known member");
	assert_int_equal(js_members(v, NULL, known, &e), ERR_INVALID);
	assert_string_equal(e.where, "x");
	json_object_del(v, "x");
	json_object_del(v, "y");
	assert_int_equal(js_members(v, &at, known, &e), 0);
	assert_int_equal(js_members(v, &at, none, &e), ERR_INVALID);
	json_decref(v);
	v = load("{}");
	assert_int_equal(js_members(v, &at, none, &e), 0);
	json_decref(v);
	v = load("[]");
	assert_int_equal(js_members(v, &at, known, &e), ERR_INVALID);
	assert_string_equal(e.where, "args");
	assert_string_equal(e.text, "must be an object");
	json_decref(v);
	assert_int_equal(js_members(NULL, &at, known, &e), ERR_INVALID);
}

static void
members_makes_hostile_names_harmless(void **state)
{
	static const char *const known[] = {"a", NULL};
	json_t *v = load("{\"\\u001b[2J\\n\\u202e\":1}");
	struct errinfo e;

	(void)state;
	assert_int_equal(js_members(v, NULL, known, &e), ERR_INVALID);
	assert_string_equal(e.where, "?[2J??");
	json_decref(v);
}

static const char *const colours[] = {"red", "green", "blue", NULL};

/* Everything that the readers fill, to see that they leave it alone. */
struct results {
	const char *s;
	int64_t i;
	bool b;
	int choice;
	const json_t *v;
	uint8_t hex[4];
	bool has;
};

/* Makes results that no reader gives. */
static struct results
results_before(void)
{
	struct results res;

	memset(&res, 0, sizeof(res));
	res.s = "before";
	res.i = -77;
	res.choice = -77;
	memset(res.hex, 0xee, sizeof(res.hex));
	return (res);
}

/* Calls the reader number n: first the seven that must find, then may. */
static int
read_by(int n, const json_t *obj, const char *name, const struct js_at *at,
    struct results *res, struct errinfo *e)
{
	switch (n) {
	case 0:
		return (js_get_str(obj, name, at, &res->s, e));
	case 1:
		return (js_get_int(obj, name, at, -5, 10, &res->i, e));
	case 2:
		return (js_get_bool(obj, name, at, &res->b, e));
	case 3:
		return (js_get_enum(obj, name, at, colours, &res->choice, e));
	case 4:
		return (js_get_array(obj, name, at, &res->v, e));
	case 5:
		return (js_get_object(obj, name, at, &res->v, e));
	case 6:
		return (js_get_hex(obj, name, at, res->hex, 4, e));
	case 7:
		return (js_opt_str(obj, name, at, &res->s, e));
	case 8:
		return (js_opt_int(obj, name, at, -5, 10, &res->i, e));
	case 9:
		return (js_opt_bool(obj, name, at, &res->b, e));
	case 10:
		return (js_opt_enum(obj, name, at, colours, &res->choice, e));
	case 11:
		return (js_opt_array(obj, name, at, &res->v, e));
	case 12:
		return (js_opt_object(obj, name, at, &res->v, e));
	default:
		return (js_opt_hex(obj, name, at, res->hex, 4, &res->has, e));
	}
}

#define READERS 14
#define READERS_GET 7

static void
a_missing_member_is_a_failure_only_where_it_must_be_there(void **state)
{
	const struct js_at at = {NULL, "args", 0};
	struct results before = results_before(), res;
	json_t *v = load("{\"other\":1}");
	struct errinfo e;
	int n;

	(void)state;
	for (n = 0; n < READERS; n++) {
		res = before;
		memset(&e, 0, sizeof(e));
		if (n < READERS_GET) {
			assert_int_equal(
			    read_by(n, v, "x", &at, &res, &e), ERR_INVALID);
			assert_string_equal(e.where, "args.x");
			assert_string_equal(e.text, "is missing");
		} else {
			assert_int_equal(read_by(n, v, "x", &at, &res, &e), 0);
			assert_string_equal(e.text, "");
		}
		assert_memory_equal(&res, &before, sizeof(res));
	}
	json_decref(v);
}

static void
a_member_of_the_wrong_kind_is_refused_and_nothing_is_written(void **state)
{
	static const char *const values[] = {"\"\"", "3", "true", "\"red\"",
	    "[]", "{}", "\"00ff10a0\"", "null", "11", "-6", "\"grey\"",
	    "\"00FF10A0\"", "\"00ff10a\"", "\"00ff10a000\""};
	/* For each value, the readers (of the first seven) that take it. */
	static const char *const takers[] = {"0", "1", "2", "03", "4", "5",
	    "06", "", "", "", "0", "0", "0", "0"};
	static const char *const reasons[] = {"must be a string",
	    "must be an integer from -5 to 10", "must be true or false",
	    "must be \"red\", \"green\" or \"blue\"", "must be an array",
	    "must be an object", "must be 8 lower-case hex digits"};
	const struct js_at top = {NULL, "list", 0}, at = {&top, NULL, 3};
	struct results before = results_before(), res;
	struct errinfo e;
	json_t *v;
	char text[64];
	size_t i;
	int n, r, kind;

	(void)state;
	for (i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		(void)snprintf(text, sizeof(text), "{\"m\":%s}", values[i]);
		v = load(text);
		for (n = 0; n < READERS; n++) {
			kind = n % READERS_GET;
			res = before;
			memset(&e, 0, sizeof(e));
			r = read_by(n, v, "m", &at, &res, &e);
			if (strchr(takers[i], '0' + kind) != NULL) {
				assert_int_equal(r, 0);
				continue;
			}
			assert_int_equal(r, ERR_INVALID);
			assert_memory_equal(&res, &before, sizeof(res));
			assert_string_equal(e.where, "list[3].m");
			assert_string_equal(e.text, reasons[kind]);
		}
		json_decref(v);
	}
}

static void
a_holder_that_is_no_object_is_refused_by_every_reader(void **state)
{
	const struct js_at at = {NULL, "args", 0};
	struct results before = results_before(), res;
	json_t *v = load("[{\"m\":1}]");
	struct errinfo e;
	int n;

	(void)state;
	for (n = 0; n < READERS; n++) {
		res = before;
		assert_int_equal(
		    read_by(n, v, "m", &at, &res, &e), ERR_INVALID);
		assert_string_equal(e.where, "args");
		assert_string_equal(e.text, "must be an object");
		assert_int_equal(
		    read_by(n, NULL, "m", &at, &res, &e), ERR_INVALID);
		assert_memory_equal(&res, &before, sizeof(res));
	}
	json_decref(v);
}

static void
readers_give_what_is_there(void **state)
{
	json_t *v = load("{\"s\":\"text\",\"i\":-5,\"b\":true,\"c\":\"blue\","
			 "\"a\":[1],\"o\":{\"x\":1},\"h\":\"00ff10a0\"}");
	struct results res;
	struct errinfo e;
	int may;

	(void)state;
	for (may = 0; may <= READERS_GET; may += READERS_GET) {
		res = results_before();
		assert_int_equal(read_by(may + 0, v, "s", NULL, &res, &e), 0);
		assert_string_equal(res.s, "text");
		assert_int_equal(read_by(may + 1, v, "i", NULL, &res, &e), 0);
		assert_int_equal(res.i, -5);
		assert_int_equal(read_by(may + 2, v, "b", NULL, &res, &e), 0);
		assert_true(res.b);
		assert_int_equal(read_by(may + 3, v, "c", NULL, &res, &e), 0);
		assert_int_equal(res.choice, 2);
		assert_int_equal(read_by(may + 4, v, "a", NULL, &res, &e), 0);
		assert_ptr_equal(res.v, json_object_get(v, "a"));
		assert_int_equal(read_by(may + 5, v, "o", NULL, &res, &e), 0);
		assert_ptr_equal(res.v, json_object_get(v, "o"));
		assert_int_equal(read_by(may + 6, v, "h", NULL, &res, &e), 0);
		assert_memory_equal(res.hex, "\x00\xff\x10\xa0", 4);
		assert_int_equal(res.has, may != 0);
	}
	json_decref(v);
}

static void
booleans_may_be_false(void **state)
{
	json_t *v = load("{\"b\":false}");
	struct errinfo e;
	bool b = true;

	(void)state;
	assert_int_equal(js_get_bool(v, "b", NULL, &b, &e), 0);
	assert_false(b);
	b = true;
	assert_int_equal(js_opt_bool(v, "b", NULL, &b, &e), 0);
	assert_false(b);
	json_decref(v);
}

static void
integers_are_held_to_their_range_at_both_ends(void **state)
{
	json_t *v = load("{\"n\":7,\"max\":9007199254740991}");
	struct errinfo e;
	int64_t n = 0;

	(void)state;
	assert_int_equal(js_get_int(v, "n", NULL, 7, 7, &n, &e), 0);
	assert_int_equal(n, 7);
	assert_int_equal(js_get_int(v, "n", NULL, 8, 9, &n, &e), ERR_INVALID);
	assert_int_equal(js_get_int(v, "n", NULL, 0, 6, &n, &e), ERR_INVALID);
	assert_string_equal(e.text, "must be an integer from 0 to 6");
	assert_int_equal(js_get_int(v, "max", NULL, 0, JS_INT_MAX, &n, &e), 0);
	assert_true(n == JS_INT_MAX);
	assert_int_equal(
	    js_get_int(v, "max", NULL, 0, JS_INT_MAX - 1, &n, &e), ERR_INVALID);
	json_decref(v);
}

static void
an_absent_hex_member_says_so(void **state)
{
	json_t *v = load("{\"bad\":\"zz\",\"good\":\"\"}");
	struct errinfo e;
	uint8_t out[1];
	bool has = true;

	(void)state;
	assert_int_equal(js_opt_hex(v, "x", NULL, out, 1, &has, &e), 0);
	assert_false(has);
	has = true;
	assert_int_equal(
	    js_opt_hex(v, "bad", NULL, out, 1, &has, &e), ERR_INVALID);
	assert_true(has);
	has = false;
	assert_int_equal(js_opt_hex(v, "good", NULL, out, 0, &has, &e), 0);
	assert_true(has);
	json_decref(v);
}

static void
an_enum_of_one_or_of_very_many_has_a_readable_reason(void **state)
{
	static const char *const one[] = {"only", NULL};
	static const char *const two[] = {"a", "b", NULL};
	const char *many[65];
	json_t *v = load("{\"k\":\"x\"}");
	struct errinfo e;
	int i, choice;

	(void)state;
	assert_int_equal(
	    js_get_enum(v, "k", NULL, one, &choice, &e), ERR_INVALID);
	assert_string_equal(e.text, "must be \"only\"");
	assert_int_equal(
	    js_get_enum(v, "k", NULL, two, &choice, &e), ERR_INVALID);
	assert_string_equal(e.text, "must be \"a\" or \"b\"");
	for (i = 0; i < 64; i++)
		many[i] = "something long";
	many[64] = NULL;
	assert_int_equal(
	    js_get_enum(v, "k", NULL, many, &choice, &e), ERR_INVALID);
	assert_int_equal(strlen(e.text), sizeof(e.text) - 1);
	json_decref(v);
}

static void
ids_are_short_lower_case_and_start_with_a_letter_or_digit(void **state)
{
	static const char *const good[] = {"a", "0", "z9", "fr-a", "a.b_c-d",
	    "1st-bn", "a-", "abcdefghijklmnopqrstuvwxyz012345"};
	static const char *const bad[] = {"", "-a", ".a", "_a", "A", "aB",
	    "a b", "a/b", "a\n", "\xc3\xa9", "a\xc3\xa9",
	    "abcdefghijklmnopqrstuvwxyz0123456"};
	char s[3] = "aa";
	size_t i;
	int c;

	(void)state;
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		assert_true(js_is_id(good[i]));
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(js_is_id(bad[i]));
	for (c = 1; c < 256; c++) {
		s[0] = 'a';
		s[1] = (char)c;
		assert_int_equal(js_is_id(s),
		    (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
			c == '.' || c == '_' || c == '-');
		s[0] = (char)c;
		s[1] = 'a';
		assert_int_equal(js_is_id(s),
		    (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'));
	}
}

static void
bytes_become_a_string_of_hex(void **state)
{
	json_t *v = js_hex("\x00\xab\xff", 3);

	(void)state;
	assert_non_null(v);
	assert_string_equal(json_string_value(v), "00abff");
	json_decref(v);
	v = js_hex("", 0);
	assert_non_null(v);
	assert_string_equal(json_string_value(v), "");
	json_decref(v);
}

static void
elements_of_an_array_are_read_as_hex(void **state)
{
	json_t *v = load("[\"00ff\",\"00FF\",\"00ff0\",7,\"0102\"]");
	uint8_t out[2] = {0xee, 0xee};
	size_t i;

	(void)state;
	for (i = 1; i < 4; i++)
		assert_int_equal(js_element_hex(v, i, out, 2), ERR_MALFORMED);
	assert_int_equal(js_element_hex(v, 5, out, 2), ERR_MALFORMED);
	assert_int_equal(js_element_hex(NULL, 0, out, 2), ERR_MALFORMED);
	assert_memory_equal(out, "\xee\xee", 2);
	assert_int_equal(js_element_hex(v, 0, out, 2), 0);
	assert_memory_equal(out, "\x00\xff", 2);
	assert_int_equal(js_element_hex(v, 4, out, 2), 0);
	assert_memory_equal(out, "\x01\x02", 2);
	json_decref(v);
}

static int allocations_left;

/* Allocates for jansson until allocations_left is used up. */
static void *
allocate_a_few_times(size_t n)
{
	return (allocations_left-- > 0 ? malloc(n) : NULL);
}

static void
load_without_memory_for_jansson_says_so(void **state)
{
	static const char text[] =
	    "{\"a\":[1,\"two\",{\"\\u0033\":null}],\"b\":{}}";
	json_t untouched, *v;
	struct errinfo e;
	int n, r = ERR_NOMEM;

	(void)state;
	json_set_alloc_funcs(allocate_a_few_times, free);
	for (n = 0; r != 0 && n < 1000; n++) {
		allocations_left = n;
		v = &untouched;
		r = js_load(text, sizeof(text) - 1, 16, &v, &e);
		if (r != 0 && (r != ERR_NOMEM || v != &untouched))
			break;
	}
	allocations_left = 0;
	if (r == 0)
		json_decref(v);
	v = js_hex("x", 1);
	json_set_alloc_funcs(malloc, free);
	assert_int_equal(r, 0);
	assert_in_range(n, 10, 999);
	assert_null(v);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(load_keeps_the_order_of_members_and_big_integers),
	    cmocka_unit_test(texts_in_the_compact_form_come_back_byte_by_byte),
	    cmocka_unit_test(other_spellings_become_the_compact_form),
	    cmocka_unit_test(
		every_character_below_u0080_is_written_in_its_one_form),
	    cmocka_unit_test(the_widest_integers_are_written_whole),
	    cmocka_unit_test(members_are_written_in_the_order_they_were_made),
	    cmocka_unit_test(dump_goes_as_deep_as_it_says),
	    cmocka_unit_test(dump_over_the_buffers_maximum_fails_in_the_buffer),
	    cmocka_unit_test(dump_appends_to_what_is_there),
	    cmocka_unit_test(paths_name_members_and_elements),
	    cmocka_unit_test(a_path_that_is_too_long_is_cut),
	    cmocka_unit_test(members_refuses_the_first_that_is_not_known),
	    cmocka_unit_test(members_makes_hostile_names_harmless),
	    cmocka_unit_test(
		a_missing_member_is_a_failure_only_where_it_must_be_there),
	    cmocka_unit_test(
		a_member_of_the_wrong_kind_is_refused_and_nothing_is_written),
	    cmocka_unit_test(
		a_holder_that_is_no_object_is_refused_by_every_reader),
	    cmocka_unit_test(readers_give_what_is_there),
	    cmocka_unit_test(booleans_may_be_false),
	    cmocka_unit_test(integers_are_held_to_their_range_at_both_ends),
	    cmocka_unit_test(an_absent_hex_member_says_so),
	    cmocka_unit_test(
		an_enum_of_one_or_of_very_many_has_a_readable_reason),
	    cmocka_unit_test(
		ids_are_short_lower_case_and_start_with_a_letter_or_digit),
	    cmocka_unit_test(the_place_of_a_part_is_put_before_its_errors),
	    cmocka_unit_test(bytes_become_a_string_of_hex),
	    cmocka_unit_test(elements_of_an_array_are_read_as_hex),
	    cmocka_unit_test(load_without_memory_for_jansson_says_so),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
