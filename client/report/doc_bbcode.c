/* SPDX-License-Identifier: ISC */
/*
 * The writer for forums that know BBCode, with the tags that all of them have:
 * b, i, u, list, * and code.  There is no way to write a bracket that every
 * forum leaves alone, so those of players become round ones, and an "@" is
 * followed by a blank, so that it calls nobody.  Tables are code, where
 * letters are of one width.
 */
#include <stdlib.h>
#include <string.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/report/doc.h"
#include "client/report/doc_int.h"
#include "client/report/doc_table.h"
#include "common/base/buf.h"
#include "common/base/utf8.h"
#include "common/rules/show/render.h"

struct doc_bbcode {
	struct doc doc;
	struct out *o; /* borrowed */
	struct doc_table *table; /* owned: the open one; NULL */
	size_t columns; /* that it has */
	unsigned lists; /* that are open, one in the other */
	char day[DOC_DAY]; /* of the last entry */
	bool in_combat;
	bool in_entry; /* the open list is that of the record's lines */
	bool in_facts; /* sentences with an indent are items */
};

/* A text that is no markup; line ends stay if may_break; free(). */
static char *
doc_bbcode_safe(const char *s, bool may_break)
{
	size_t len = strlen(s), n;
	struct buf b;
	uint32_t cp;

	buf_init(&b, 0);
	for (; len > 0; s += n, len -= n) {
		if ((n = utf8_get(s, len, &cp)) == 0) {
			n = 1;
			buf_putc(&b, '?');
		} else if (cp == '[') {
			buf_putc(&b, '(');
		} else if (cp == ']') {
			buf_putc(&b, ')');
		} else if (cp == '@') {
			buf_puts(&b, "@ ");
		} else if (cp == '\n' || cp == '\t') {
			buf_putc(&b, cp == '\n' && may_break ? '\n' : ' ');
		} else if (utf8_is_plain(cp)) {
			buf_add(&b, s, n);
		} else {
			buf_putc(&b, '?');
		}
	}
	return (xalloc_take(&b));
}

/* Closes lists until only n are open. */
static void
doc_bbcode_lists(struct doc_bbcode *d, unsigned n)
{
	for (; d->lists > n; d->lists--)
		out_print(d->o, "[/list]\n");
	if (n == 0)
		d->in_entry = d->in_facts = false;
}

/* Prints a paragraph: before, the text, after. */
static void
doc_bbcode_line(struct doc_bbcode *d, const char *before, const char *text,
    const char *after)
{
	char *s = doc_bbcode_safe(text, false);

	doc_bbcode_lists(d, 0);
	out_print(d->o, "%s%s%s\n", before, s, after);
	free(s);
}

/* Prints an item of the nth list, 1 or more, one in the other. */
static void
doc_bbcode_item(struct doc_bbcode *d, unsigned n, const char *text)
{
	char *s = doc_bbcode_safe(text, false);

	/* No list begins with a list. */
	if (n > d->lists + 1)
		n = d->lists + 1;
	doc_bbcode_lists(d, n);
	if (d->lists < n) {
		out_print(d->o, "[list]\n");
		d->lists++;
	}
	out_print(d->o, "[*]%s\n", s);
	free(s);
}

/* The title. */
static void
doc_bbcode_title_cb(void *st, const struct doc_title *t)
{
	struct doc_bbcode *d = st;
	char *line;

	line = xalloc_printf("%s against %s", t->sides[0], t->sides[1]);
	doc_bbcode_line(d, "[b][u]", line, "[/u][/b]\n");
	free(line);
	line = doc_players(t);
	doc_bbcode_line(d, "", line, "\n");
	free(line);
	doc_bbcode_line(d, "[b]", t->result, "[/b]");
}

/* A warning. */
static void
doc_bbcode_warn_cb(void *st, const char *text)
{
	doc_bbcode_line(st, "\n[b]Warning:[/b] ", text, "");
}

/* A turn, or a part at the end. */
static void
doc_bbcode_turn_cb(void *st, const char *text)
{
	struct doc_bbcode *d = st;

	doc_bbcode_line(d, "\n[b][u]", text, "[/u][/b]");
	d->in_combat = false;
}

/* A combat's heading, and why it does not count. */
static void
doc_bbcode_combat(
    struct doc_bbcode *d, const struct doc_head *head, const char *text)
{
	char *after;

	after = head->fate == NULL
	    ? xalloc_str("[/b]")
	    : xalloc_printf("[/b] [i](%s)[/i]", head->fate);
	doc_bbcode_line(d, "\n[b]", text, after);
	free(after);
	d->in_combat = true;
}

/* A combat, and how it ended. */
static void
doc_bbcode_combat_cb(void *st, const struct doc_head *head)
{
	struct doc_bbcode *d = st;

	doc_bbcode_combat(d, head, head->text);
	if (*head->outcome != '\0')
		doc_bbcode_line(d, "[b]Outcome:[/b] ", head->outcome, "");
}

/* Goes on with a combat that was left. */
static void
doc_bbcode_combat_more_cb(void *st, const struct doc_head *head)
{
	struct doc_bbcode *d = st;
	char *line;

	if (d->in_combat)
		return;
	line = xalloc_printf("Combat %d, continued", head->n);
	doc_bbcode_combat(d, head, line);
	free(line);
}

/* Sets what follows a combat off from it. */
static void
doc_bbcode_combat_end_cb(void *st)
{
	struct doc_bbcode *d = st;

	if (!d->in_combat)
		return;
	doc_bbcode_lists(d, 0);
	out_print(d->o, "\n");
	d->in_combat = false;
}

/* A line of the record. */
static void
doc_bbcode_entry_cb(void *st, const struct doc_entry *en)
{
	struct doc_bbcode *d = st;
	char *text, *who, when[32];

	if (!d->in_entry)
		doc_bbcode_lists(d, 0);
	doc_bbcode_lists(d, 1);
	if (d->lists == 0) {
		out_print(d->o, "[list]\n");
		d->lists = 1;
	}
	who = doc_bbcode_safe(en->who == NULL ? "" : en->who, false);
	text = doc_bbcode_safe(en->text, true);
	out_print(d->o, "[*][b]%lld[/b] %s: %s%s%s%s%s\n", (long long)en->seq,
	    doc_when(when, d->day, en->at_ms), who, en->who == NULL ? "" : ": ",
	    en->is_undone ? "[i]" : "", text, en->is_undone ? "[/i]" : "");
	free(text);
	free(who);
	d->in_entry = true;
}

/* A further sentence of it. */
static void
doc_bbcode_more_cb(void *st, const char *text)
{
	struct doc_bbcode *d = st;
	char *s;

	if (!d->in_entry) {
		doc_bbcode_line(d, "[i]", text, "[/i]");
		return;
	}
	s = doc_bbcode_safe(text, false);
	out_print(d->o, "[i]%s[/i]\n", s);
	free(s);
}

/* A roll or a draw: what it is for, and what fell. */
static void
doc_bbcode_roll(struct doc_bbcode *d, const struct render_row *row)
{
	char *fell = doc_bbcode_safe(row->rest, false);
	char *what = doc_bbcode_safe(row->lead, false);

	doc_bbcode_lists(d, 0);
	out_print(d->o, "%s: [b]%s[/b]\n", what, fell);
	free(what);
	free(fell);
}

/* A row of an event. */
static void
doc_bbcode_row_cb(void *st, const struct render_row *row)
{
	const bool is_head =
	    row->kind == RENDER_ROW_HEAD || row->kind == RENDER_ROW_RESULT;
	unsigned depth = row->indent / 2;
	struct doc_bbcode *d = st;

	switch (row->kind) {
	case RENDER_ROW_GAP:
		doc_bbcode_lists(d, 0);
		out_print(d->o, "\n");
		break;
	case RENDER_ROW_DICE:
	case RENDER_ROW_CHITS:
		doc_bbcode_roll(d, row);
		break;
	case RENDER_ROW_TERM:
		doc_bbcode_item(d, 1, row->text);
		break;
	case RENDER_ROW_TOTAL:
		/* It stands in the line before the terms. */
		doc_bbcode_lists(d, 0);
		break;
	default:
		if (depth > 0 && d->in_facts) {
			doc_bbcode_item(d, depth, row->text);
			break;
		}
		doc_bbcode_line(d,
		    is_head || row->kind == RENDER_ROW_SCORE ? "[b]" : "",
		    row->text,
		    is_head || row->kind == RENDER_ROW_SCORE ? "[/b]" : "");
		d->in_facts = is_head;
		break;
	}
}

/* A paragraph of a part at the end. */
static void
doc_bbcode_paragraph_cb(void *st, const char *text)
{
	doc_bbcode_line(st, "", text, "");
}

/* A name and a value. */
static void
doc_bbcode_field_cb(void *st, const char *name, const char *value)
{
	struct doc_bbcode *d = st;
	char *s;

	if (d->in_entry)
		doc_bbcode_lists(d, 0);
	s = xalloc_printf("%s: %s", name, value);
	doc_bbcode_item(d, 1, s);
	free(s);
}

/* Begins a table under its caption. */
static void
doc_bbcode_table_cb(
    void *st, const char *caption, size_t n, const char *const headings[])
{
	struct doc_bbcode *d = st;

	if (caption == NULL)
		doc_bbcode_lists(d, 0);
	else
		doc_bbcode_line(d, "[b]", caption, "[/b]");
	doc_table_free(d->table);
	d->table = doc_table_new(n, headings);
	d->columns = n < DOC_TABLE_COLUMNS ? n : DOC_TABLE_COLUMNS;
}

/* A row of it. */
static void
doc_bbcode_cells_cb(void *st, const char *const cells[])
{
	char *safe[DOC_TABLE_COLUMNS] = {NULL};
	struct doc_bbcode *d = st;
	size_t i;

	/* Brackets would end the code.  What is changed may become wider. */
	for (i = 0; i < d->columns; i++)
		safe[i] = doc_bbcode_safe(cells[i], false);
	doc_table_cells(d->table, (const char *const *)safe);
	for (i = 0; i < d->columns; i++)
		free(safe[i]);
}

/* Prints the table as code. */
static void
doc_bbcode_table_end_cb(void *st)
{
	struct doc_bbcode *d = st;
	struct buf b;

	buf_init(&b, 0);
	doc_table_write(d->table, &b, 0, OUT_WIDTH, d->o->columns);
	out_print(d->o, "[code]\n%s[/code]\n", buf_str(&b));
	buf_clear(&b);
	doc_table_free(d->table);
	d->table = NULL;
}

/* Closes what is open. */
static void
doc_bbcode_finish_cb(void *st)
{
	doc_bbcode_lists(st, 0);
}

/* Frees the writer. */
static void
doc_bbcode_free_cb(void *st)
{
	struct doc_bbcode *d = st;

	doc_table_free(d->table);
	free(d);
}

static const struct doc doc_bbcode_ops = {
    .title = doc_bbcode_title_cb,
    .warn = doc_bbcode_warn_cb,
    .turn = doc_bbcode_turn_cb,
    .combat = doc_bbcode_combat_cb,
    .combat_more = doc_bbcode_combat_more_cb,
    .combat_end = doc_bbcode_combat_end_cb,
    .entry = doc_bbcode_entry_cb,
    .more = doc_bbcode_more_cb,
    .row = doc_bbcode_row_cb,
    .dice = doc_no_dice_cb,
    .gap = doc_nothing_cb,
    .section = doc_bbcode_turn_cb,
    .paragraph = doc_bbcode_paragraph_cb,
    .field = doc_bbcode_field_cb,
    .table = doc_bbcode_table_cb,
    .cells = doc_bbcode_cells_cb,
    .table_end = doc_bbcode_table_end_cb,
    .finish = doc_bbcode_finish_cb,
    .free = doc_bbcode_free_cb,
    .is_whole = true,
};

struct doc *
doc_bbcode_new(struct out *o)
{
	struct doc_bbcode *d;

	d = xalloc(sizeof(*d));
	d->doc = doc_bbcode_ops;
	d->o = o;
	return (&d->doc);
}
