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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/out.h"
#include "client/ui/text_columns.h"
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

/* What a drawing of the scene is; "" if there is none.  free() */
static char *
drawn(struct scene *s, bool has_lines)
{
	struct buf b;
	bool is_drawn;
	char *text;

	buf_init(&b, 0);
	is_drawn = sketch_draw_write(s, &b, text_columns, has_lines);
	assert_int_equal(is_drawn, b.len > 0);
	text = strdup(buf_str(&b));
	assert_non_null(text);
	buf_clear(&b);
	scene_free(s);
	return (text);
}

static void
a_drawing_has_an_arrow_a_contact(void **state)
{
	const char *events =
	    "[{'e':'combat','attackers':["
	    "{'id':'a','arm':'infantry','strength':6,'formation':'line'},"
	    "{'id':'b','name':'\xe8\xbb\x8d\xe9\x9a\x8a\xe8\xbb\x8d\xe9\x9a\x8a"
	    "\xe8\xbb\x8d\xe9\x9a\x8a\xe8\xbb\x8d\xe9\x9a\x8a"
	    "','arm':'cavalry','strength':5,"
	    "'formation':'line'}],"
	    "'defenders':[{'id':'c','name':'The battery of the left wing, and "
	    "what is with it','arm':'artillery','strength':12,"
	    "'formation':'limbered'},{'id':'d','arm':'infantry','strength':6,"
	    "'formation':'line'}],'contacts':["
	    "{'attacker':'a','defender':'c','edge':'front'},"
	    "{'attacker':'b','defender':'c','edge':'right','uphill':true},"
	    "{'attacker':'a','defender':'d','edge':'rear'}]}]";
	const char *wide = "\xe8\xbb\x8d\xe9\x9a\x8a";
	char *text = drawn(scene_of("lasalle2", events), false);
	struct buf b;

	(void)state;
	/* So that nothing crosses, a's arrows stand next to each other. */
	buf_init(&b, 0);
	buf_printf(&b,
	    "Attackers                                         Defenders\n"
	    "+---------------------------+                     "
	    "+---------------------------+\n"
	    "| [X] 6 a                   |- rear ------------->"
	    "| [X] 6 d                   |\n"
	    "|                           |                     "
	    "+---------------------------+\n"
	    "|                           |                     "
	    "+---------------------------+\n"
	    "|                           |- front ------------>"
	    "| [o] 12 The battery of the |\n"
	    "+---------------------------+                     "
	    "|        left wing, and     |\n"
	    "+---------------------------+                     "
	    "|        what is with it    |\n"
	    "| [/] 5 %s%s%s%s    |  right flank, the   "
	    "|                           |\n"
	    "|                           |  defender is uphill "
	    "|                           |\n"
	    "|                           |-------------------->"
	    "|                           |\n"
	    "+---------------------------+                     "
	    "+---------------------------+\n"
	    "\n"
	    "  [X] infantry  [/] cavalry  [o] artillery\n",
	    wide, wide, wide, wide);
	assert_string_equal(text, buf_str(&b));
	free(text);
	buf_clear(&b);
	text = drawn(scene_of("lasalle2", events), true);
	assert_non_null(
	    strstr(text, "\xe2\x94\x82\xe2\x94\x80 rear \xe2\x94\x80"));
	assert_null(strchr(text, '|'));
	free(text);
}

/* Where the arrows of a drawing would cross, there is none. */
static void
what_crosses_is_not_drawn(void **state)
{
	char *text = drawn(scene_of("lasalle2",
			       "[{'e':'combat','attackers':["
			       "{'id':'a','arm':'infantry','strength':6},"
			       "{'id':'b','arm':'cavalry','strength':5}],"
			       "'defenders':["
			       "{'id':'c','arm':'infantry','strength':6},"
			       "{'id':'d','arm':'cavalry','strength':5}],"
			       "'contacts':["
			       "{'attacker':'a','defender':'c','edge':'front'},"
			       "{'attacker':'a','defender':'d','edge':'front'},"
			       "{'attacker':'b','defender':'c','edge':'left'},"
			       "{'attacker':'b','defender':'d','edge':'left'}"
			       "]}]"),
	    true);

	(void)state;
	assert_string_equal(text, "");
	free(text);
}

/* Adds n units of a side, with strangers' names, from unit `from` on. */
static void
put_units(struct buf *b, char side, size_t from, size_t n)
{
	static const char *const names[] = {"Foot", "\\u001b[31m\\u202eabc",
	    "\xe8\xbb\x8d\xe9\x9a\x8a\xe8\xbb\x8d\xe9\x9a\x8a\xe8\xbb\x8d",
	    "\\u0085e\xcc\x81\\n|+--->", "wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww",
	    "The first battalion of the line, with what is left of its guns"};
	size_t i;

	buf_putc(b, '[');
	for (i = from; i < from + n; i++)
		buf_printf(b,
		    "%s{'id':'%c%zu','name':'%c%zu %s','arm':'infantry',"
		    "'type':'infantry','strength':6,'sp':6,'cf':6,'hex':'%04zu'"
		    ","
		    "'battalions':[{'id':'x','sp':6,'hits':0}]}",
		    i > from ? "," : "", side, i, side, i,
		    names[(i + (size_t)side) % 6], i / 2);
	buf_putc(b, ']');
}

/* A combat of n a side of a system; how many arrows it has is returned. */
static size_t
put_combat(struct buf *b, const char *system, size_t n)
{
	static const char *const edges[] = {"front", "left", "right", "rear"};
	const bool is_lasalle = strcmp(system, "lasalle2") == 0;
	const bool is_tlnb = strcmp(system, "tlnb") == 0;
	const char *name = is_lasalle || is_tlnb ? "ers'" : "er'";
	size_t i;
	int side;

	buf_puts(b, "[{'e':'combat'");
	for (side = 0; side < 2; side++) {
		buf_printf(b, ",'%s%s:", side == 0 ? "attack" : "defend", name);
		if (strcmp(system, "leniston-2009") == 0)
			buf_printf(b,
			    "{'id':'%c1','name':'%c1 x','arm':"
			    "'infantry'}",
			    "ad"[side], "ad"[side]);
		else if (is_lasalle || is_tlnb)
			put_units(b, "ad"[side], 1, n);
		else if (strcmp(system, "imagi-nations") == 0) {
			buf_puts(b, "{'units':");
			put_units(b, "ad"[side], 1, n);
			buf_putc(b, '}');
		} else {
			buf_puts(b,
			    "{'stack':{'commanders':[{'id':'g','name':"
			    "'General','cr':2}],'units':");
			put_units(b, "ad"[side], 1, (n + 2) / 3);
			buf_puts(b, "},'supports':[");
			for (i = (n + 2) / 3 + 1; i <= n; i++) {
				buf_puts(b, "{'units':");
				put_units(b, "ad"[side], i, 1);
				buf_puts(b, i < n ? "}," : "}");
			}
			buf_puts(b, "]}");
		}
	}
	if (is_lasalle)
		buf_puts(b, ",'contacts':[");
	for (i = 1; is_lasalle && i < 2 * n; i++)
		buf_printf(b,
		    "%s{'attacker':'a%zu','defender':'d%zu','edge':'%s'}",
		    i > 1 ? "," : "", (i + 1) / 2, i / 2 + 1, edges[i % 4]);
	buf_puts(b, is_lasalle ? "]}]" : "}]");
	/* In tlnb there is one a hex. */
	return (is_lasalle ? 2 * n - 1 : is_tlnb ? n / 2 + 1 : 1);
}

/* The character in a column of a line of n bytes, by its first byte. */
static char
in_column(const char *line, size_t n, int column)
{
	size_t i;

	for (i = 0; i < n && text_columns(line, i + 1) <= column; i++)
		;
	return ((char)(i < n ? line[i] : ' '));
}

/* How often a text stands in another. */
static size_t
count_of(const char *text, const char *what)
{
	size_t n = 0;

	for (; (text = strstr(text, what)) != NULL; text++)
		n++;
	return (n);
}

/* Nothing lies on anything: each box has both of its borders. */
static void
lines_are_whole(const char *text)
{
	const char *p;
	size_t n;
	int at, right, width;

	p = strstr(text, "Defenders\n");
	assert_non_null(p);
	right = (int)(p - text);
	width = OUT_WIDTH - 1 - right;
	assert_true(width >= 29);
	for (p = text; *p != '\0'; p += n + 1) {
		n = strcspn(p, "\n");
		assert_true(text_columns(p, n) <= OUT_WIDTH - 1);
		for (at = 0; at <= right; at += right) {
			if (strchr("|+", in_column(p, n, at)) != NULL)
				assert_non_null(strchr(
				    "|+", in_column(p, n, at + width - 1)));
		}
	}
}

static void
all_sizes_are_drawn(void **state)
{
	static const char *const systems[] = {"lasalle2", "tlnb",
	    "invasion-1812", "imagi-nations", "leniston-2009"};
	size_t i, n, unit, arrows;
	char what[16], *text;
	struct buf b;

	(void)state;
	buf_init(&b, 0);
	for (i = 0; i < 5; i++) {
		for (n = 1; n <= SKETCH_DRAW_UNITS + 1; n++) {
			buf_reset(&b);
			arrows = put_combat(&b, systems[i], n);
			text = drawn(scene_of(systems[i], buf_str(&b)), false);
			if (n > SKETCH_DRAW_UNITS && i < 4) {
				assert_string_equal(text, "");
				free(text);
				continue;
			}
			lines_are_whole(text);
			assert_null(strchr(text, '\x1b'));
			assert_null(strstr(text, "\xe2\x80\xae"));
			assert_null(strstr(text, "\xc2\x85"));
			assert_int_equal(count_of(text, "->|"), arrows);
			for (unit = 1; unit <= n && i < 4; unit++) {
				(void)snprintf(
				    what, sizeof(what), " 6 a%zu ", unit);
				assert_int_equal(count_of(text, what), 1);
				(void)snprintf(
				    what, sizeof(what), " 6 d%zu ", unit);
				assert_int_equal(count_of(text, what), 1);
			}
			free(text);
		}
	}
	buf_clear(&b);
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
		free(drawn(s, true));
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
	    cmocka_unit_test(a_drawing_has_an_arrow_a_contact),
	    cmocka_unit_test(what_crosses_is_not_drawn),
	    cmocka_unit_test(all_sizes_are_drawn),
	    cmocka_unit_test(nothing_to_draw_is_drawn),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
