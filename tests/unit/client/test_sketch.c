/* SPDX-License-Identifier: ISC */
/*
 * Texts in pictures and the table for terminals; what pictures look like is
 * read back by tests/e2e/sketch.sh.
 */
#include "client/report/sketch.h"
#include "client/report/svg.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/out.h"
#include "common/base/buf.h"
#include "common/rules/show/scene.h"
#include "common/rules/systems/systems.h"

#include "tests/lib/quoted.h"

#define HOSTILE                                                       \
	"</text><script>\"&'\x1b[31m\xe2\x80\xae\xff\xef\xbf\xbe]]> " \
	"\xf0\x9f\x90\x8e\xd0\x96"

/* The lines of a text are these, joined by '|'. */
static void
lines_are(const char *text, int width, size_t most, const char *want)
{
	struct svg_lines l;
	struct buf b;
	size_t i;

	svg_lines(&l, text, width, most, 10, false);
	assert_true(l.n <= most);
	buf_init(&b, 0);
	for (i = 0; i < l.n; i++)
		buf_printf(&b, "%s%s", i > 0 ? "|" : "", l.line[i]);
	assert_string_equal(buf_str(&b), want);
	assert_int_equal(l.is_cut, strstr(want, "\xe2\x80\xa6") != NULL);
	assert_true(svg_lines_width(&l, 10, false) <= width || width < 12);
	buf_clear(&b);
	svg_lines_clear(&l);
}

static void
texts_break_between_words_and_are_cut(void **state)
{
	(void)state;
	lines_are("", 100, 3, "");
	lines_are("   ", 100, 3, "");
	lines_are("one two", 100, 3, "one two");
	lines_are("one two", 30, 3, "one|two");
	lines_are("one two", 33, 1, "one\xe2\x80\xa6");
	lines_are("a-hyphen", 30, 3, "a-|hyph|en");
	lines_are("  one  two  ", 30, 3, "one|two");
	lines_are("onetwothree", 30, 3, "onet|wothr|ee");
	lines_are("onetwothree", 30, 2, "onet|wo\xe2\x80\xa6");
	/* A letter that is wider than the line is one all the same. */
	lines_are("WW", 1, 3, "W|W");
}

static void
what_tells_names_apart_is_not_cut(void **state)
{
	struct svg_lines l;

	(void)state;
	svg_lines_named(
	    &l, "a long name of a unit (u-1)", "u-1", 50, 2, 10, false);
	assert_int_equal(l.n, 2);
	assert_string_equal(l.line[1], "(u-1)");
	assert_non_null(strstr(l.line[0], "\xe2\x80\xa6"));
	svg_lines_clear(&l);
	/* What only looks like it is the name's own. */
	svg_lines_named(
	    &l, "a long name of a unit (u-1)", "u-2", 50, 2, 10, false);
	assert_string_not_equal(l.line[1], "(u-1)");
	svg_lines_clear(&l);
}

static void
a_text_is_as_wide_as_its_letters(void **state)
{
	(void)state;
	assert_int_equal(svg_width("", 0, 10, false), 0);
	assert_int_equal(svg_width("i", 1, 100, false), 28);
	assert_true(svg_width("i", 1, 100, true) > 28);
	assert_true(svg_width("W", 1, 10, false) > svg_width("i", 1, 10, true));
	/* Others are taken for the widest. */
	assert_true(
	    svg_width("\xd0\x96", 2, 10, false) > svg_width("W", 1, 10, false));
	assert_true(svg_width("\xf0\x9f\x90\x8e", 4, 10, false) >
	    svg_width("\xd0\x96", 2, 10, false));
}

static void
a_text_is_no_markup(void **state)
{
	const char *p;
	struct buf b;

	(void)state;
	buf_init(&b, 0);
	svg_text(&b, HOSTILE);
	assert_null(strpbrk(buf_str(&b), "<>\"\x1b\xff"));
	assert_null(strstr(buf_str(&b), "\xef\xbf\xbe"));
	assert_null(strstr(buf_str(&b), "\xe2\x80\xae"));
	for (p = buf_str(&b); (p = strchr(p, '&')) != NULL; p++)
		assert_true(strncmp(p, "&lt;", 4) == 0 ||
		    strncmp(p, "&gt;", 4) == 0 || strncmp(p, "&amp;", 5) == 0 ||
		    strncmp(p, "&quot;", 6) == 0);
	assert_non_null(strstr(buf_str(&b), "\xf0\x9f\x90\x8e\xd0\x96"));
	buf_clear(&b);
}

/* The scene of events of a system. */
static struct scene *
scene_of(const char *system, const char *events)
{
	json_t *v = quoted_json(events);
	struct scene *s;

	assert_int_equal(scene_make(systems_find(system), NULL, v, &s), 0);
	assert_non_null(s);
	json_decref(v);
	return (s);
}

static void
a_table_has_a_row_a_contact(void **state)
{
	struct scene *s = scene_of("lasalle2",
	    "[{'e':'combat','attackers':["
	    "{'id':'a','arm':'infantry','strength':6,'formation':'line'},"
	    "{'id':'b','arm':'cavalry','strength':5,'formation':'line'}],"
	    "'defenders':[{'id':'c','name':'The battery of the left wing, and "
	    "what is with it','arm':'artillery','strength':12,"
	    "'formation':'limbered'}],'contacts':["
	    "{'attacker':'a','defender':'c','edge':'front'},"
	    "{'attacker':'b','defender':'c','edge':'right'}]}]");
	struct buf b;

	(void)state;
	buf_init(&b, 0);
	sketch_text_write(s, &b, NULL);
	assert_string_equal(buf_str(&b),
	    "         Attackers                            Defenders\n"
	    "  [X] 6  a          front        -->  [o] 12  The battery of the "
	    "left wing, and\n"
	    "                                              what is with it\n"
	    "  [/] 5  b          right flank  -->  [o] 12  The battery of the "
	    "left wing, and\n"
	    "                                              what is with it\n"
	    "\n"
	    "  [X] infantry  [/] cavalry  [o] artillery\n");
	buf_clear(&b);
	scene_free(s);
}

static void
nothing_to_draw_is_drawn(void **state)
{
	static const char *const systems[] = {"lasalle2", "tlnb",
	    "invasion-1812", "imagi-nations", "leniston-2009"};
	struct scene *s;
	struct buf b;
	size_t i;

	(void)state;
	for (i = 0; i < 5; i++) {
		s = scene_of(systems[i], "[{'e':'combat'}]");
		buf_init(&b, 0);
		sketch_svg_write(s, &b);
		assert_int_equal(buf_error(&b), 0);
		assert_non_null(strstr(buf_str(&b), "</svg>\n"));
		buf_reset(&b);
		sketch_text_write(s, &b, NULL);
		assert_true(b.len > 0);
		buf_clear(&b);
		scene_free(s);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(texts_break_between_words_and_are_cut),
	    cmocka_unit_test(what_tells_names_apart_is_not_cut),
	    cmocka_unit_test(a_text_is_as_wide_as_its_letters),
	    cmocka_unit_test(a_text_is_no_markup),
	    cmocka_unit_test(a_table_has_a_row_a_contact),
	    cmocka_unit_test(nothing_to_draw_is_drawn),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
