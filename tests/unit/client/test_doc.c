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

#include <glob.h>

#include <cmocka.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "common/rules/show/render.h"
#include "common/rules/show/scenario.h"
#include "common/rules/systems/systems.h"

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
	struct doc_head head = {.n = 1, .text = text, .outcome = text};

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
	head.fate = "taken back by line 9";
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
	const struct doc_head head = {.n = 1, .text = "combat", .outcome = ""};
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

/* Every tag is one of BBCode's own, and closed in the order of opening. */
static void
is_nested(const char *text)
{
	static const char *const tags[] = {"b", "i", "u", "list", "code"};
	const char *open[8], *p;
	size_t depth = 0, i, n;

	for (p = text; (p = strchr(p, '[')) != NULL; p++) {
		const bool is_end = p[1] == '/';
		const char *name = p + (is_end ? 2 : 1);

		n = strcspn(name, "]");
		if (strncmp(p, "[*]", 3) == 0) {
			assert_true(depth > 0);
			assert_string_equal(open[depth - 1], "list");
			continue;
		}
		for (i = 0; i < sizeof(tags) / sizeof(tags[0]); i++) {
			if (strlen(tags[i]) == n &&
			    strncmp(tags[i], name, n) == 0)
				break;
		}
		if (i == sizeof(tags) / sizeof(tags[0]))
			fail_msg("no tag: %.20s", p);
		if (!is_end) {
			assert_true(depth < sizeof(open) / sizeof(open[0]));
			open[depth++] = tags[i];
		} else {
			assert_true(depth > 0);
			assert_string_equal(open[--depth], tags[i]);
		}
	}
	assert_int_equal(depth, 0);
	/* No bracket closes what none has opened. */
	assert_int_equal(count(text, "["), count(text, "]"));
}

static void
bbcode_holds_no_tags_but_its_own(void **state)
{
	static const char *const texts[] = {HOSTILE, "[b]", "[/b]", "[/list]",
	    "[*]", "[/code]", "[url=javascript:x]y[/url]", "][", "[[b]]",
	    "[code]", "a\n[/list]\n[*]b", ""};
	const char *text;
	struct sheet s;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		sheet_open(&s, doc_bbcode_new);
		sheet_fill(&s, texts[i]);
		text = sheet_end(&s);
		is_nested(text);
		assert_null(strchr(text, '\x1b'));
		assert_null(strstr(text, "\xe2\x80\xae"));
		assert_null(strstr(text, "[url"));
		sheet_clear(&s);
	}
	sheet_open(&s, doc_bbcode_new);
	s.d->paragraph(s.d, "[GER] anna: @carl");
	assert_string_equal(sheet_end(&s), "(GER) anna: @ carl\n");
	sheet_clear(&s);
}

static void
bbcode_lines_up_what_it_changes(void **state)
{
	static const char *const headings[] = {"Unit", ">Left"};
	static const char *const rows[][2] = {{"[1] @carl", "7"}, {"b", "12"}};
	struct sheet s;

	(void)state;
	sheet_open(&s, doc_bbcode_new);
	s.d->table(s.d, NULL, 2, headings);
	s.d->cells(s.d, rows[0]);
	s.d->cells(s.d, rows[1]);
	s.d->table_end(s.d);
	assert_string_equal(sheet_end(&s),
	    "[code]\n"
	    "Unit        Left\n"
	    "(1) @ carl     7\n"
	    "b             12\n"
	    "[/code]\n");
	sheet_clear(&s);
}

static void
bbcode_closes_what_was_left_open(void **state)
{
	static const char *const headings[] = {"Unit", ">Left"};
	static const char *const cells[] = {"a long name", "7"};
	const struct doc_head head = {.n = 1, .text = "combat", .outcome = ""};
	struct doc_entry en = {.seq = 1, .who = "anna", .text = "x\ny"};
	struct sheet s;

	(void)state;
	sheet_open(&s, doc_bbcode_new);
	s.d->combat(s.d, &head);
	s.d->entry(s.d, &en);
	s.d->more(s.d, "more");
	is_nested(sheet_end(&s));
	sheet_clear(&s);
	sheet_open(&s, doc_bbcode_new);
	sheet_row(&s, RENDER_ROW_SCORE, 0, "Score: 3", "", "", NULL, 0);
	sheet_row(&s, RENDER_ROW_TERM, 2, "+3 a", "+3", "a", NULL, 0);
	is_nested(sheet_end(&s));
	sheet_clear(&s);
	sheet_open(&s, doc_bbcode_new);
	s.d->table(s.d, "What is left", 2, headings);
	s.d->cells(s.d, cells);
	s.d->table_end(s.d);
	assert_string_equal(sheet_end(&s),
	    "[b]What is left[/b]\n"
	    "[code]\n"
	    "Unit         Left\n"
	    "a long name     7\n"
	    "[/code]\n");
	sheet_clear(&s);
}

static void
a_table_of_text_fits_its_lines(void **state)
{
	static const char *const headings[] = {"Who", ">Base", "Modifiers"};
	static const char *const rows[][3] = {
	    {"a", "7", "+1 -4"},
	    {"the 61st regiment of the line of the second brigade of the third "
	     "division",
		"12", "+1 +1 +1 +1 +1 +1 +1 +1 +1 +1 +1 +1 +1 +1 +1 +1"},
	    {"wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww"
	     "w"
	     "wwwwwwwwwwwwwwwwwwww",
		"", ""},
	    {"", "", ""},
	    {HOSTILE, HOSTILE, HOSTILE},
	};
	const char *line, *text;
	struct sheet s;
	size_t i;

	(void)state;
	sheet_open(&s, doc_text_new);
	s.d->table(s.d, NULL, 3, headings);
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		s.d->cells(s.d, rows[i]);
	s.d->table_end(s.d);
	text = sheet_end(&s);
	for (line = text; *line != '\0'; line += strcspn(line, "\n") + 1) {
		assert_true(strcspn(line, "\n") <= OUT_WIDTH);
		/* No blanks at its end. */
		assert_true(line[strcspn(line, "\n") - 1] != ' ');
	}
	assert_null(strchr(text, '\x1b'));
	assert_non_null(strstr(text, "\n  a "));
	sheet_clear(&s);
	/* One that was never ended. */
	sheet_open(&s, doc_text_new);
	s.d->table(s.d, NULL, 3, headings);
	s.d->cells(s.d, rows[0]);
	assert_string_equal(sheet_end(&s), "");
	sheet_clear(&s);
}

/* render_sink: gives a row to a document. */
static void
told_row_cb(void *arg, const struct render_row *row)
{
	struct doc *d = arg;

	d->row(d, row);
}

/* Tells the events of a scenario's file to a document; false: it has none. */
static bool
told_file(const char *path, struct doc *d)
{
	struct render_sink sink = {.row_cb = told_row_cb, .arg = d};
	const json_t *v;
	json_t *file, *out = NULL;
	struct render *rd;
	size_t i;

	assert_non_null(file = json_load_file(path, 0, NULL));
	if (scenario_run(file, NULL, NULL, &out, NULL) == 0) {
		rd = render_new(systems_find(
		    json_string_value(json_object_get(out, "system"))));
		assert_non_null(rd);
		json_array_foreach(json_object_get(out, "events"), i, v)
		    render_rows(rd, v, &sink);
		assert_int_equal(sink.error, 0);
		render_free(rd);
	}
	json_decref(file);
	json_decref(out);
	return (out != NULL);
}

/* With UMPIRE_SLOW a scenario is told by one of them, by turns. */
static void
every_writer_tells_every_scenario_in_words(void **state)
{
	const bool is_slow =
	    getenv("UMPIRE_SLOW") != NULL && getenv("UMPIRE_LONG") == NULL;
	static struct doc *(*const makers[])(struct out * o) = {
	    doc_text_new, doc_markdown_new, doc_bbcode_new, doc_html_new};
	static const char *const bad[] = {
	    "(modifier", "\\(modifier", " scores ", "half point", "{}"};
	const size_t n_makers = sizeof(makers) / sizeof(makers[0]);
	struct sheet s;
	const char *text;
	size_t i, j, k, n = 0;
	glob_t files;

	(void)state;
	assert_int_equal(
	    glob(TOP_SRCDIR "/tests/rules/*/*.json", 0, NULL, &files), 0);
	for (i = 0; i < files.gl_pathc; i++) {
		for (j = 0; j < n_makers; j++) {
			if (is_slow && i % n_makers != j)
				continue;
			sheet_open(&s, makers[j]);
			n += told_file(files.gl_pathv[i], s.d) ? 1 : 0;
			text = sheet_end(&s);
			for (k = 0; k < sizeof(bad) / sizeof(bad[0]); k++) {
				if (strstr(text, bad[k]) != NULL)
					fail_msg("%s: \"%s\" in\n%s",
					    files.gl_pathv[i], bad[k], text);
			}
			if (makers[j] == doc_html_new)
				is_closed(text);
			if (makers[j] == doc_bbcode_new)
				is_nested(text);
			sheet_clear(&s);
		}
	}
	assert_true(n > (is_slow ? 250 : 1000));
	globfree(&files);
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
	    cmocka_unit_test(bbcode_holds_no_tags_but_its_own),
	    cmocka_unit_test(bbcode_lines_up_what_it_changes),
	    cmocka_unit_test(bbcode_closes_what_was_left_open),
	    cmocka_unit_test(a_table_of_text_fits_its_lines),
	    cmocka_unit_test(every_writer_tells_every_scenario_in_words),
	    cmocka_unit_test(text_is_plain_whatever_is_told),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
