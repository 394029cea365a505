/* SPDX-License-Identifier: ISC */
/*
 * The writers of documents, told what a stranger's record may hold: nothing
 * that is text becomes markup, whatever is open is closed, and dice that are
 * none are no picture.
 */
#include "client/report/doc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "common/rules/show/render.h"

#define HOSTILE "<b onx=\"'\">&amp;\xe2\x80\xae\x1b[1m\xff| *_`[](x)#~\\"

/* A document that is written to memory. */
struct sheet {
	struct out o;
	char *bytes;
	size_t len;
	struct doc *d;
};

/* Begins a sheet. */
static void
sheet_open(struct sheet *s, struct doc *(*new)(struct out *o))
{
	memset(s, 0, sizeof(*s));
	s->o.width = OUT_WIDTH;
	s->o.f = open_memstream(&s->bytes, &s->len);
	assert_non_null(s->o.f);
	s->d = new (&s->o);
}

/* Ends it; what was written, borrowed until sheet_clear(). */
static const char *
sheet_end(struct sheet *s)
{
	s->d->finish(s->d);
	s->d->free(s->d);
	assert_int_equal(fclose(s->o.f), 0);
	return (s->bytes);
}

static void
sheet_clear(struct sheet *s)
{
	free(s->bytes);
}

/* Tells a row of all its parts. */
static void
sheet_row(struct sheet *s, enum render_row_kind kind, unsigned indent,
    const char *text, const char *lead, const char *rest, const char *values,
    json_int_t sides)
{
	struct render_row row = {.kind = kind, .indent = indent};
	json_t *v = NULL;

	if (values != NULL) {
		v = json_loads(values, JSON_DECODE_ANY, NULL);
		assert_non_null(v);
	}
	row.text = text;
	row.lead = lead;
	row.rest = rest;
	row.values = v;
	row.sides = sides;
	s->d->row(s->d, &row);
	json_decref(v);
}

/* Tells everything that can be told, with the same text everywhere. */
static void
sheet_fill(struct sheet *s, const char *text)
{
	const char *const headings[] = {"Unit", ">Left", NULL};
	const char *const cells[] = {text, text};
	struct doc_title t = {text, text, text, text, {text, text},
	    {text, text}, text, text, 0, 1800000000000};
	struct doc_entry en = {.seq = 7, .at_ms = 1800000000000, .text = text};
	struct doc_head head = {
	    .n = 1, .text = text, .undone = -1, .outcome = text};

	s->d->title(s->d, &t);
	s->d->warn(s->d, text);
	s->d->turn(s->d, text);
	s->d->entry(s->d, &en);
	s->d->more(s->d, text);
	s->d->combat(s->d, &head);
	s->d->entry(s->d, &en);
	sheet_row(s, RENDER_ROW_COMBAT, 0, text, "", text, NULL, 0);
	sheet_row(s, RENDER_ROW_HEAD, 0, text, "", text, NULL, 0);
	sheet_row(s, RENDER_ROW_TEXT, 2, text, "", text, NULL, 0);
	sheet_row(s, RENDER_ROW_HEAD, 2, text, "", text, NULL, 0);
	sheet_row(s, RENDER_ROW_TEXT, 40, text, "", text, NULL, 0);
	sheet_row(s, RENDER_ROW_GAP, 0, "", "", "", NULL, 0);
	sheet_row(s, RENDER_ROW_DICE, 0, text, text, text, "[1,6]", 6);
	sheet_row(s, RENDER_ROW_CHITS, 0, text, text, text,
	    "[\"<i>\",{\"<u>\":\"<s>\"},3]", 0);
	sheet_row(s, RENDER_ROW_SCORE, 0, text, "", text, NULL, 0);
	sheet_row(s, RENDER_ROW_TERM, 2, text, text, text, NULL, 0);
	sheet_row(s, RENDER_ROW_TOTAL, 2, "", text, "", NULL, 0);
	sheet_row(s, RENDER_ROW_RESULT, 0, text, "", text, NULL, 0);
	sheet_row(s, RENDER_ROW_TEXT, 2, text, "", text, NULL, 0);
	s->d->gap(s->d);
	en.who = text;
	s->d->entry(s->d, &en);
	s->d->combat_end(s->d);
	s->d->combat_more(s->d, &head);
	s->d->combat_end(s->d);
	s->d->combat_end(s->d);
	head.undone = 9;
	s->d->combat(s->d, &head);
	en.is_undone = true;
	en.who = NULL;
	s->d->entry(s->d, &en);
	s->d->combat_end(s->d);
	s->d->entry(s->d, &en);
	s->d->combat_more(s->d, &head);
	s->d->combat_end(s->d);
	s->d->section(s->d, text);
	s->d->paragraph(s->d, text);
	s->d->field(s->d, text, text);
	s->d->field(s->d, text, text);
	s->d->table(s->d, text, 2, headings);
	s->d->cells(s->d, cells);
	s->d->table_end(s->d);
}

/* How often a text has another in it. */
static size_t
count(const char *s, const char *what)
{
	size_t n = 0;

	for (; (s = strstr(s, what)) != NULL; s += strlen(what))
		n++;
	return (n);
}

/* Each of these tags is closed as often as it is opened. */
static void
is_closed(const char *page)
{
	static const char *const tags[] = {"section", "article", "div", "ul",
	    "ol", "li", "table", "tbody", "tr", "td", "dl", "dt", "dd", "p",
	    "span", "svg", "bdi", "nav", "main", "header", "title", "h1", "h2",
	    "h3", "a", "b"};
	char open[16], open_with[16], close[16];
	size_t i, n;

	for (i = 0; i < sizeof(tags) / sizeof(tags[0]); i++) {
		(void)snprintf(open, sizeof(open), "<%s>", tags[i]);
		(void)snprintf(open_with, sizeof(open_with), "<%s ", tags[i]);
		(void)snprintf(close, sizeof(close), "</%s>", tags[i]);
		n = count(page, open) + count(page, open_with);
		if (n != count(page, close))
			fail_msg("%s: %zu opened, %zu closed", tags[i], n,
			    count(page, close));
	}
}

static void
a_page_holds_no_markup_but_its_own(void **state)
{
	struct sheet s;
	const char *page;

	(void)state;
	sheet_open(&s, doc_html_new);
	sheet_fill(&s, HOSTILE);
	page = sheet_end(&s);
	is_closed(page);
	assert_null(strstr(page, "<b onx"));
	assert_null(strstr(page, "<i>"));
	assert_null(strstr(page, "<u>"));
	assert_null(strstr(page, "<s>"));
	assert_null(strstr(page, "\xe2\x80\xae"));
	assert_null(strchr(page, '\x1b'));
	assert_null(strchr(page, '\xff'));
	assert_null(strstr(page, "\"'\""));
	assert_non_null(strstr(
	    page, "<title>&lt;b onx=&quot;&#39;&quot;&gt;&amp;amp;??[1m?|"));
	assert_non_null(strstr(page, "&lt;i&gt;"));
	sheet_clear(&s);
}

static void
a_page_closes_what_was_left_open(void **state)
{
	/* How far the telling goes. */
	static const enum render_row_kind last[] = {RENDER_ROW_HEAD,
	    RENDER_ROW_RESULT, RENDER_ROW_SCORE, RENDER_ROW_TERM,
	    RENDER_ROW_TOTAL, RENDER_ROW_TEXT};
	const struct doc_head head = {
	    .n = 1, .text = "combat", .undone = -1, .outcome = ""};
	struct doc_entry en = {.seq = 1, .text = "x"};
	const char *page;
	struct sheet s;
	size_t i, j;

	(void)state;
	for (i = 0; i < sizeof(last) / sizeof(last[0]); i++) {
		for (j = 0; j < 4; j++) {
			sheet_open(&s, doc_html_new);
			if (j >= 1)
				s.d->turn(s.d, "turn");
			if (j >= 2)
				s.d->combat(s.d, &head);
			s.d->entry(s.d, &en);
			sheet_row(&s, last[i], 2, "text", "+1", "why", NULL, 0);
			if (j == 3)
				s.d->more(s.d, "more");
			page = sheet_end(&s);
			is_closed(page);
			/* A list without items is none. */
			if (last[i] == RENDER_ROW_HEAD)
				assert_null(
				    strstr(page, "<ul class=\"facts\">\n</ul"));
			sheet_clear(&s);
		}
	}
	/* Nothing was told at all. */
	sheet_open(&s, doc_html_new);
	page = sheet_end(&s);
	is_closed(page);
	assert_null(strstr(page, "<nav"));
	sheet_clear(&s);
}

static void
dice_are_drawn_as_they_fell(void **state)
{
	static const char *const strange[] = {
	    "[]", "{}", "[1,\"6\"]", "\"<b>\"", "[[1]]", "[null]"};
	struct doc_entry en = {.seq = 1, .text = "x"};
	const char *page;
	struct sheet s;
	size_t i;

	(void)state;
	sheet_open(&s, doc_html_new);
	s.d->entry(s.d, &en);
	sheet_row(&s, RENDER_ROW_DICE, 0, "", "a", "", "[1,6,6]", 6);
	sheet_row(&s, RENDER_ROW_DICE, 0, "", "b", "", "[7,-1]", 6);
	sheet_row(&s, RENDER_ROW_DICE, 0, "", "c", "", "[10]", 10);
	sheet_row(
	    &s, RENDER_ROW_DICE, 0, "", "d", "", "[-9223372036854775807]", 0);
	for (i = 0; i < sizeof(strange) / sizeof(strange[0]); i++)
		sheet_row(&s, RENDER_ROW_DICE, 0, "", "e", "", strange[i], 6);
	sheet_row(&s, RENDER_ROW_DICE, 0, "", "f", "", NULL, 6);
	page = sheet_end(&s);
	is_closed(page);
	assert_int_equal(count(page, "<use href=\"#d6-1\"/>"), 1);
	assert_int_equal(count(page, "<use href=\"#d6-6\"/>"), 2);
	assert_int_equal(count(page, "<use href="), 3);
	/* Whoever cannot see them is told. */
	assert_non_null(strstr(page, "<span class=\"sr\">1, 6, 6</span>"));
	/* No face of a six-sided die: numbers in circles. */
	assert_non_null(strstr(page, ">7</text>"));
	assert_non_null(strstr(page, "class=\"small\">-1</text>"));
	assert_int_equal(count(page, "<polygon"), 1);
	assert_non_null(strstr(page, ">10</text>"));
	assert_int_equal(count(page, "<span class=\"dice\">?</span>"), i + 1);
	sheet_clear(&s);
}

static void
markdown_holds_no_marks_but_its_own(void **state)
{
	static const char *const starts[] = {"- x", "+ x", "1. x", "23) x",
	    "# x", "> x", "=== x", "--- x", "* x", "    x", "| x", "~~~ x"};
	static const char *const wants[] = {"\\- x", "\\+ x", "1\\. x",
	    "23\\) x", "\\# x", "&gt; x", "\\=== x", "\\--- x", "\\* x", "x",
	    "\\| x", "\\~\\~\\~ x"};
	const char *text;
	struct sheet s;
	char want[32];
	size_t i;

	(void)state;
	sheet_open(&s, doc_markdown_new);
	sheet_fill(&s, HOSTILE);
	text = sheet_end(&s);
	assert_null(strchr(text, '<'));
	assert_null(strchr(text, '\x1b'));
	assert_null(strstr(text, "\xe2\x80\xae"));
	/* Each that stands for itself has its backslash. */
	assert_int_equal(count(text, "*\\_\\`\\[\\](x)\\#\\~\\\\"),
	    count(text, "&lt;b onx"));
	assert_int_equal(count(text, "\\| \\*"), count(text, "&lt;b onx"));
	sheet_clear(&s);
	for (i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
		sheet_open(&s, doc_markdown_new);
		s.d->paragraph(s.d, starts[i]);
		(void)snprintf(want, sizeof(want), "%s\n\n", wants[i]);
		assert_string_equal(sheet_end(&s), want);
		sheet_clear(&s);
	}
}

static void
markdown_sets_a_chat_s_lines_off(void **state)
{
	struct doc_entry en = {
	    .seq = 3, .who = "anna", .text = "one\n- two\n\n  3. three"};
	const char *text;
	struct sheet s;

	(void)state;
	sheet_open(&s, doc_markdown_new);
	s.d->entry(s.d, &en);
	text = sheet_end(&s);
	assert_non_null(
	    strstr(text, ": anna: one\\\n  \\- two\\\n  \\\n  3\\. three\n"));
	sheet_clear(&s);
}

static void
text_is_plain_whatever_is_told(void **state)
{
	const char *text, *line;
	struct sheet s;

	(void)state;
	sheet_open(&s, doc_text_new);
	/* Who calls for a title has made its names safe (text_safe()). */
	sheet_fill(&s, "a b c");
	text = sheet_end(&s);
	assert_non_null(strstr(text, "a b c: a b c, a b c (a b c) against"));
	sheet_clear(&s);
	sheet_open(&s, doc_text_new);
	s.d->warn(s.d, HOSTILE);
	s.d->more(s.d, HOSTILE);
	s.d->paragraph(s.d, HOSTILE);
	sheet_row(&s, RENDER_ROW_TEXT, 4, HOSTILE, "", "", NULL, 0);
	text = sheet_end(&s);
	assert_null(strchr(text, '\x1b'));
	assert_null(strchr(text, '\xff'));
	assert_null(strstr(text, "\xe2\x80\xae"));
	for (line = text; *line != '\0'; line += strcspn(line, "\n") + 1)
		assert_true(strcspn(line, "\n") <= OUT_WIDTH);
	sheet_clear(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_page_holds_no_markup_but_its_own),
	    cmocka_unit_test(a_page_closes_what_was_left_open),
	    cmocka_unit_test(dice_are_drawn_as_they_fell),
	    cmocka_unit_test(markdown_holds_no_marks_but_its_own),
	    cmocka_unit_test(markdown_sets_a_chat_s_lines_off),
	    cmocka_unit_test(text_is_plain_whatever_is_told),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
