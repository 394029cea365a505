/* SPDX-License-Identifier: ISC */
/*
 * The writer for Markdown, as forums and plain readers show it: an item a
 * line of the record, a table a score.  Text by players is escaped, so
 * that it stays what they wrote: marks by a backslash, "<" and "&" as
 * entities, which also those understand that know no backslash before them.
 */
#include <stdlib.h>
#include <string.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/report/doc.h"
#include "client/report/doc_int.h"
#include "common/base/buf.h"
#include "common/base/utf8.h"
#include "common/rules/show/render.h"

#define DOC_MARKDOWN_COLUMNS 8 /* of a table */

struct doc_markdown {
	struct doc doc;
	struct out *o; /* borrowed */
	size_t n_columns; /* of the open table */
	unsigned base; /* how deep the list's first item lies */
	unsigned depth; /* and its last one */
	char day[DOC_DAY]; /* of the last entry */
	bool in_part;
	bool in_combat;
	bool in_list; /* the last line is an item of a list */
	bool in_score;
	bool in_facts; /* sentences with an indent are items */
};

/* Appends one plain character, escaped. */
static void
doc_markdown_char(struct buf *b, const char *s, size_t n, uint32_t cp)
{
	if (cp == '<') {
		buf_puts(b, "&lt;");
	} else if (cp == '>') {
		buf_puts(b, "&gt;");
	} else if (cp == '&') {
		buf_puts(b, "&amp;");
	} else {
		if (cp < 0x80 && strchr("\\`*_{}[]#|~$@^", (int)cp) != NULL)
			buf_putc(b, '\\');
		buf_add(b, s, n);
	}
}

/*
 * Appends the character that would make the beginning of a line a list, a
 * rule or a heading, with a backslash; returns the bytes it took.
 */
static size_t
doc_markdown_start(struct buf *b, const char *s)
{
	size_t n = strspn(s, "0123456789");

	if (n > 0 && (s[n] == '.' || s[n] == ')')) {
		buf_add(b, s, n);
		buf_printf(b, "\\%c", s[n]);
		return (n + 1);
	}
	if (*s == '-' || *s == '+' || *s == '=') {
		buf_printf(b, "\\%c", *s);
		return (1);
	}
	return (0);
}

/*
 * Appends a text, escaped.  Its line ends become `joint`, NULL: blanks; what
 * is at the beginning of a line is no mark of one if at_start says so.
 */
static void
doc_markdown_text(
    struct buf *b, const char *s, const char *joint, bool at_start)
{
	size_t len = strlen(s), n;
	uint32_t cp;

	for (; len > 0; s += n, len -= n) {
		if (at_start && (*s == ' ' || *s == '\t')) {
			n = 1;
			continue;
		}
		if (at_start && (n = doc_markdown_start(b, s)) > 0) {
			at_start = false;
			continue;
		}
		at_start = false;
		if ((n = utf8_get(s, len, &cp)) == 0) {
			n = 1;
			buf_putc(b, '?');
		} else if (cp == '\n' && joint != NULL) {
			buf_puts(b, joint);
			at_start = true;
		} else if (cp == '\n' || cp == '\t') {
			buf_putc(b, ' ');
		} else if (utf8_is_plain(cp)) {
			doc_markdown_char(b, s, n, cp);
		} else {
			buf_putc(b, '?');
		}
	}
}

/* A text, escaped, for the beginning or the inside of a line; free(). */
static char *
doc_markdown_safe(const char *s, bool at_start)
{
	struct buf b;

	buf_init(&b, 0);
	doc_markdown_text(&b, s, NULL, at_start);
	return (xalloc_take(&b));
}

/* Ends what would swallow the next line: a list, a table. */
static void
doc_markdown_end(struct doc_markdown *m)
{
	if (m->in_list || m->in_score)
		out_print(m->o, "\n");
	m->in_list = m->in_score = m->in_facts = false;
}

/* Prints a paragraph: before, the text, after. */
static void
doc_markdown_line(struct doc_markdown *m, const char *before, const char *text,
    const char *after)
{
	char *s;

	doc_markdown_end(m);
	s = doc_markdown_safe(text, *before == '\0');
	out_print(m->o, "%s%s%s\n\n", before, s, after);
	free(s);
}

/* Prints an item of a list, `depth` lists deep. */
static void
doc_markdown_item(struct doc_markdown *m, unsigned depth, const char *text)
{
	char *s;

	if (!m->in_list || depth < m->base) {
		doc_markdown_end(m);
		m->base = m->depth = depth;
	}
	/* An item that no item stands above would be code. */
	if (depth > m->depth + 1)
		depth = m->depth + 1;
	m->depth = depth;
	s = doc_markdown_safe(text, true);
	out_print(m->o, "%*s- %s\n", (int)(2 * (depth - m->base)), "", s);
	free(s);
	m->in_list = true;
}

/* The title. */
static void
doc_markdown_title_cb(void *st, const struct doc_title *t)
{
	struct doc_markdown *m = st;
	char *line;

	line = xalloc_printf("%s against %s", t->sides[0], t->sides[1]);
	doc_markdown_line(m, "# ", line, "");
	free(line);
	line = doc_players(t);
	doc_markdown_line(m, "", line, "");
	free(line);
	doc_markdown_line(m, "**", t->result, "**");
}

/* A warning. */
static void
doc_markdown_warn_cb(void *st, const char *text)
{
	doc_markdown_line(st, "**Warning:** ", text, "");
}

/* A turn. */
static void
doc_markdown_turn_cb(void *st, const char *text)
{
	struct doc_markdown *m = st;

	doc_markdown_line(m, "## ", text, "");
	m->in_part = true;
	m->in_combat = false;
}

/* A combat's heading, struck if it does not count. */
static void
doc_markdown_combat(
    struct doc_markdown *m, const struct doc_head *head, const char *text)
{
	const char *level = m->in_part ? "### " : "## ";
	char *after, *before;

	if (head->fate == NULL) {
		doc_markdown_line(m, level, text, "");
		return;
	}
	before = xalloc_printf("%s~~", level);
	after = xalloc_printf("~~ (%s)", head->fate);
	doc_markdown_line(m, before, text, after);
	free(before);
	free(after);
}

/* A combat, and how it ended. */
static void
doc_markdown_combat_cb(void *st, const struct doc_head *head)
{
	struct doc_markdown *m = st;

	doc_markdown_combat(m, head, head->text);
	if (*head->outcome != '\0')
		doc_markdown_line(m, "**Outcome:** ", head->outcome, "");
	m->in_combat = true;
}

/* Goes on with a combat that was left. */
static void
doc_markdown_combat_more_cb(void *st, const struct doc_head *head)
{
	struct doc_markdown *m = st;
	char *line;

	if (m->in_combat)
		return;
	line = xalloc_printf("Combat %d, continued", head->n);
	doc_markdown_combat(m, head, line);
	free(line);
	m->in_combat = true;
}

/* Sets what follows a combat off from it. */
static void
doc_markdown_combat_end_cb(void *st)
{
	struct doc_markdown *m = st;

	if (!m->in_combat)
		return;
	doc_markdown_end(m);
	out_print(m->o, "---\n\n");
	m->in_combat = false;
}

/* A line of the record: an item, whose further lines hang. */
static void
doc_markdown_entry_cb(void *st, const struct doc_entry *en)
{
	struct doc_markdown *m = st;
	char when[32];
	struct buf b;

	if (!m->in_list || m->in_facts)
		doc_markdown_end(m);
	buf_init(&b, 0);
	buf_printf(&b, "- **%lld** %s: ", (long long)en->seq,
	    doc_when(when, m->day, en->at_ms));
	if (en->who != NULL) {
		doc_markdown_text(&b, en->who, NULL, false);
		buf_puts(&b, ": ");
	}
	buf_puts(&b, en->is_undone ? "~~" : "");
	doc_markdown_text(&b, en->text, "\\\n  ", false);
	buf_puts(&b, en->is_undone ? "~~" : "");
	out_print(m->o, "%s\n", buf_str(&b));
	buf_clear(&b);
	m->base = m->depth = 0;
	m->in_list = true;
}

/* A further sentence, in the item if one is open. */
static void
doc_markdown_more_cb(void *st, const char *text)
{
	struct doc_markdown *m = st;
	char *s;

	/* After facts it is none of them, but a paragraph of its own. */
	if (!m->in_list || m->in_facts) {
		doc_markdown_line(m, "*", text, "*");
		return;
	}
	s = doc_markdown_safe(text, true);
	out_print(m->o, "  - *%s*\n", s);
	free(s);
}

/* A roll or a draw. */
static void
doc_markdown_roll(struct doc_markdown *m, const struct render_row *row)
{
	char *s, *what;

	doc_markdown_end(m);
	what = doc_markdown_safe(row->lead, true);
	s = doc_markdown_safe(row->rest, false);
	out_print(m->o, "%s: **%s**\n\n", what, s);
	free(s);
	free(what);
}

/* A row of a table of two columns. */
static void
doc_markdown_pair(struct doc_markdown *m, const char *name, const char *value,
    const char *mark)
{
	char *a = doc_markdown_safe(name, true);
	char *b = doc_markdown_safe(value, false);
	const char *mark_b = *b == '\0' ? "" : mark;

	out_print(
	    m->o, "| %s%s%s | %s%s%s |\n", mark, a, mark, mark_b, b, mark_b);
	free(a);
	free(b);
}

/* A row of an event. */
static void
doc_markdown_row_cb(void *st, const struct render_row *row)
{
	struct doc_markdown *m = st;
	unsigned depth = row->indent / 2;
	bool is_head =
	    row->kind == RENDER_ROW_HEAD || row->kind == RENDER_ROW_RESULT;

	switch (row->kind) {
	case RENDER_ROW_GAP:
		break;
	case RENDER_ROW_DICE:
	case RENDER_ROW_CHITS:
		doc_markdown_roll(m, row);
		break;
	case RENDER_ROW_SCORE:
		doc_markdown_line(m, "", row->text, "");
		out_print(m->o, "| What counts | Value |\n| :-- | --: |\n");
		m->in_score = true;
		break;
	case RENDER_ROW_TERM:
		if (m->in_score)
			doc_markdown_pair(m, row->rest, row->lead, "");
		break;
	case RENDER_ROW_TOTAL:
		if (m->in_score)
			doc_markdown_pair(m, "Total", row->lead, "**");
		doc_markdown_end(m);
		break;
	default:
		/* A heading beside that of a list is an item, too. */
		if (depth > 0 && m->in_facts &&
		    (!is_head || !m->in_list || depth > m->base)) {
			doc_markdown_item(m, depth - 1, row->text);
			m->in_facts = true;
			break;
		}
		doc_markdown_line(
		    m, is_head ? "**" : "", row->text, is_head ? "**" : "");
		m->in_facts = is_head;
		break;
	}
}

/* A paragraph of a part at the end. */
static void
doc_markdown_paragraph_cb(void *st, const char *text)
{
	doc_markdown_line(st, "", text, "");
}

/* A name and a value. */
static void
doc_markdown_field_cb(void *st, const char *name, const char *value)
{
	struct doc_markdown *m = st;
	char *s;

	s = xalloc_printf("%s: %s", name, value);
	doc_markdown_item(m, 0, s);
	free(s);
}

/* Begins a table under its caption. */
static void
doc_markdown_table_cb(
    void *st, const char *caption, size_t n, const char *const headings[])
{
	struct doc_markdown *m = st;
	size_t i;

	if (caption == NULL)
		doc_markdown_end(m);
	else
		doc_markdown_line(m, "**", caption, "**");
	m->n_columns = n < DOC_MARKDOWN_COLUMNS ? n : DOC_MARKDOWN_COLUMNS;
	for (i = 0; i < m->n_columns; i++)
		out_print(m->o, "| %s ",
		    headings[i] + (headings[i][0] == '>' ? 1 : 0));
	out_print(m->o, "|\n");
	for (i = 0; i < m->n_columns; i++)
		out_print(m->o, "| %s ", headings[i][0] == '>' ? "--:" : ":--");
	out_print(m->o, "|\n");
}

/* A row of it. */
static void
doc_markdown_cells_cb(void *st, const char *const cells[])
{
	struct doc_markdown *m = st;
	char *s;
	size_t i;

	for (i = 0; i < m->n_columns; i++) {
		s = doc_markdown_safe(cells[i], true);
		out_print(m->o, "| %s ", s);
		free(s);
	}
	out_print(m->o, "|\n");
}

/* Ends a table. */
static void
doc_markdown_table_end_cb(void *st)
{
	struct doc_markdown *m = st;

	out_print(m->o, "\n");
}

static const struct doc doc_markdown_ops = {
    .title = doc_markdown_title_cb,
    .warn = doc_markdown_warn_cb,
    .turn = doc_markdown_turn_cb,
    .combat = doc_markdown_combat_cb,
    .combat_more = doc_markdown_combat_more_cb,
    .combat_end = doc_markdown_combat_end_cb,
    .entry = doc_markdown_entry_cb,
    .more = doc_markdown_more_cb,
    .row = doc_markdown_row_cb,
    .dice = doc_no_dice_cb,
    .gap = doc_nothing_cb,
    .section = doc_markdown_turn_cb,
    .paragraph = doc_markdown_paragraph_cb,
    .field = doc_markdown_field_cb,
    .table = doc_markdown_table_cb,
    .cells = doc_markdown_cells_cb,
    .table_end = doc_markdown_table_end_cb,
    .finish = doc_nothing_cb,
    .free = free,
    .is_whole = true,
};

struct doc *
doc_markdown_new(struct out *o)
{
	struct doc_markdown *m;

	m = xalloc(sizeof(*m));
	m->doc = doc_markdown_ops;
	m->o = o;
	return (&m->doc);
}
