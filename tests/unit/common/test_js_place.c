/* SPDX-License-Identifier: ISC */
/* Places in a text: lines and columns of bytes, members and elements. */
#include "common/json/js_place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/err.h"

/* A member of each kind, keys that look like paths, and escapes. */
static const char text[] =
    "{ \"a\": [1, \"x]}\\\"\", {\"b\" : [[7]] } ],\n"
    "\t\"\\u0063\": {\"d\":null,\"e.f\":true},\r\n"
    "  \"Spl\xc3\xa9ny\": \"\xc3\xa9\", \"g[0]\": -12}\n";

/* The path, or byte, is there. */
static void
stands_at(const char *where, bool is_name, size_t line, size_t column)
{
	struct errinfo e = {.text = ""};
	struct js_place p = {0, 0};

	(void)snprintf(e.where, sizeof(e.where), "%s", where);
	js_place_find(text, sizeof(text) - 1, &e, is_name, &p);
	if (p.line != line || p.column != column)
		fail_msg("%s: %zu:%zu, not %zu:%zu", where, p.line, p.column,
		    line, column);
}

static void
members_and_elements_are_found(void **state)
{
	(void)state;
	stands_at("", false, 1, 1);
	stands_at("a", false, 1, 8);
	stands_at("a", true, 1, 3);
	stands_at("a[0]", false, 1, 9);
	stands_at("a[1]", false, 1, 12);
	stands_at("a[2]", false, 1, 21);
	stands_at("a[2].b", false, 1, 28);
	stands_at("a[2].b", true, 1, 22);
	stands_at("a[2].b[0][0]", false, 1, 30);
	stands_at("c.d", false, 2, 17);
	stands_at("c.d", true, 2, 13);
	stands_at("Spl\xc3\xa9ny", false, 3, 13);
}

static void
keys_may_look_like_paths(void **state)
{
	(void)state;
	stands_at("c.e.f", false, 2, 28);
	stands_at("g[0]", false, 3, 26);
}

static void
what_is_missing_is_in_what_is_there(void **state)
{
	(void)state;
	stands_at("z", false, 1, 1);
	stands_at("z", true, 1, 1);
	stands_at("a[3]", false, 1, 8);
	stands_at("a[", false, 1, 8);
	stands_at("a[99999999999999999999]", false, 1, 8);
	stands_at("a[0].b", false, 1, 9);
	stands_at("c.x.y", true, 2, 12);
	stands_at("c.", false, 2, 12);
	stands_at("c[0]", false, 2, 12);
}

static void
bytes_have_places(void **state)
{
	(void)state;
	stands_at("byte 1", false, 1, 1);
	stands_at("byte 38", false, 1, 38);
	stands_at("byte 39", false, 2, 1);
	stands_at("byte 0", false, 1, 1);
	stands_at("byte 99999", false, 4, 1);
}

/* What is no JSON has some place, and nothing is read beyond it. */
static void
every_beginning_has_places(void **state)
{
	static const char *const paths[] = {
	    "a[2].b[0][0]", "c.e.f", "g[0]", "byte 70"};
	struct errinfo e = {.text = ""};
	struct js_place p;
	size_t n, i;

	(void)state;
	for (n = 0; n < sizeof(text); n++) {
		for (i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
			(void)snprintf(
			    e.where, sizeof(e.where), "%s", paths[i]);
			js_place_find(text, n, &e, i % 2 == 0, &p);
			assert_in_range(p.line, 1, 4);
			assert_in_range(p.column, 1, n + 1);
		}
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(members_and_elements_are_found),
	    cmocka_unit_test(keys_may_look_like_paths),
	    cmocka_unit_test(what_is_missing_is_in_what_is_there),
	    cmocka_unit_test(bytes_have_places),
	    cmocka_unit_test(every_beginning_has_places),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
