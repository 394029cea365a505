/* SPDX-License-Identifier: ISC */
/* Values out of text: the same as jansson's, or none where memory runs out. */
#include "common/json/js_load.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define FILE_MAX 65536

static int fail_at; /* the allocation of jansson's that fails; 0: none */

/* Allocates for jansson, but for the one allocation that fails. */
static void *
allocate(size_t n)
{
	return (fail_at > 0 && --fail_at == 0 ? NULL : malloc(n));
}

/* Loads from memory that ends with the text. */
static int
load(const char *text, size_t len, json_t **v)
{
	char *exact = malloc(len > 0 ? len : 1);
	int r;

	assert_non_null(exact);
	memcpy(exact, text, len);
	r = js_load(exact, len, JS_DEPTH_RPC, v, NULL);
	free(exact);
	return (r);
}

/* What js_load() takes must be what jansson makes of it. */
static void
must_be_jansson(const char *text, size_t len)
{
	json_t *ours = NULL, *theirs;

	if (load(text, len, &ours) != 0)
		return;
	theirs = json_loadb(
	    text, len, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(theirs);
	assert_true(json_equal(ours, theirs));
	json_decref(ours);
	json_decref(theirs);
}

/* The texts of most tests: each kind of value, and each form of it. */
static const char *const texts[] = {"0", "-1", "9007199254740991",
    "-9007199254740991", "true", "false", "null", "\"\"", "\"a\"", " [ ] ",
    "{}", "[[],[[]],{}]", "{\"a\":{\"b\":{\"c\":[1,-2,3]}}}",
    " { \"a\" : 1 ,\n\t\"b\" : [ true , false , null ] \r} ",
    "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\u0041\\u00e4\\u20AC\\ud83d\\ude00\"",
    "{\"\\u006bey\":\"v\\u00e4lue\",\"\":\"\",\"k\\\\\":[\"\\u0001\"]}",
    "\"Gr\xc3\xbc\xc3\x9f"
    "e \xf0\x9f\x98\x80\"",
    "{\"a name that is longer than sixteen bytes\":"
    "\"and a text that is longer than sixteen, too\"}"};

static void
each_text_becomes_what_jansson_makes_of_it(void **state)
{
	json_t *v;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		assert_int_equal(load(texts[i], strlen(texts[i]), &v), 0);
		json_decref(v);
		must_be_jansson(texts[i], strlen(texts[i]));
	}
}

static void
escapes_become_their_characters(void **state)
{
	static const char text[] = "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0001\\u0041"
				   "\\u00E4\\u20ac\\uD83D\\ude00\"";
	static const char want[] = "\"\\/\b\f\n\r\t\x01"
				   "A\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80";
	json_t *v;

	(void)state;
	assert_int_equal(load(text, strlen(text), &v), 0);
	assert_string_equal(json_string_value(v), want);
	assert_int_equal(json_string_length(v), sizeof(want) - 1);
	json_decref(v);
}

static void
nesting_goes_as_deep_as_it_may(void **state)
{
	char text[2 * JS_DEPTH_RPC + 2];
	json_t *v;
	size_t n;

	(void)state;
	memset(text, '[', JS_DEPTH_RPC + 1);
	memset(text + JS_DEPTH_RPC + 1, ']', JS_DEPTH_RPC + 1);
	for (n = 1; n <= JS_DEPTH_RPC; n++) {
		assert_int_equal(
		    load(text + 1 + JS_DEPTH_RPC - n, 2 * n, &v), 0);
		json_decref(v);
	}
	assert_int_not_equal(load(text, 2 * JS_DEPTH_RPC + 2, &v), 0);
}

static void
corpus_files_become_what_jansson_makes_of_them(void **state)
{
	static const char dir[] = TOP_SRCDIR "/tests/fuzz/corpus/js";
	char path[512], text[FILE_MAX];
	struct dirent *entry;
	size_t files = 0, len;
	DIR *d = opendir(dir);
	FILE *f;

	(void)state;
	assert_non_null(d);
	while ((entry = readdir(d)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		(void)snprintf(
		    path, sizeof(path), "%s/%.255s", dir, entry->d_name);
		assert_non_null(f = fopen(path, "rb"));
		len = fread(text, 1, sizeof(text), f);
		(void)fclose(f);
		must_be_jansson(text, len);
		files++;
	}
	(void)closedir(d);
	assert_true(files > 0);
}

static void
one_allocation_that_fails_never_changes_what_a_text_says(void **state)
{
	json_t *v, *whole;
	int n, r;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		assert_int_equal(load(texts[i], strlen(texts[i]), &whole), 0);
		json_set_alloc_funcs(allocate, free);
		for (n = 1;; n++) {
			fail_at = n;
			r = load(texts[i], strlen(texts[i]), &v);
			if (r == 0 && !json_equal(v, whole))
				fail_msg("text %zu, allocation %d", i, n);
			if (r == 0)
				json_decref(v);
			else
				assert_int_equal(r, ERR_NOMEM);
			if (fail_at > 0)
				break;
		}
		fail_at = 0;
		json_set_alloc_funcs(malloc, free);
		json_decref(whole);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_text_becomes_what_jansson_makes_of_it),
	    cmocka_unit_test(escapes_become_their_characters),
	    cmocka_unit_test(nesting_goes_as_deep_as_it_may),
	    cmocka_unit_test(corpus_files_become_what_jansson_makes_of_them),
	    cmocka_unit_test(
		one_allocation_that_fails_never_changes_what_a_text_says),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
