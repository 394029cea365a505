/* SPDX-License-Identifier: ISC */
/* The writer for terminals: entries after their number and time. */
#include <stdlib.h>
#include <string.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/report/doc.h"
#include "client/report/doc_int.h"
#include "client/report/doc_table.h"
#include "common/base/buf.h"
#include "common/rules/show/paragraph.h"
#include "common/rules/show/render.h"

#define DOC_TEXT_INDENT 24 /* columns before an entry's sentence */

struct doc_text {
	struct doc doc;
	struct out *o; /* borrowed */
	struct doc_table *table; /* owned: the open one; NULL */
};

/* Tells the game in one line. */
static void
doc_text_title_cb(void *st, const struct doc_title *t)
{
	struct doc_text *dt = st;
	char *line;

	line = xalloc_printf("%s: %s, %s (%s) against %s (%s)", t->name,
	    t->system, t->sides[0], t->players[0], t->sides[1], t->players[1]);
	/* One that is long enough is seen without being bold. */
	if (strlen(line) <= (size_t)dt->o->width)
		out_title(dt->o, "%s", line);
	else
		out_text(dt->o, 0, 2, line);
	free(line);
	if (*t->event == '\0')
		return;
	out_print(dt->o, "  ");
	out_text(dt->o, 2, 2, t->event);
}

/* A warning, before all entries. */
static void
doc_text_warn_cb(void *st, const char *text)
{
	struct doc_text *dt = st;

	out_print(dt->o, "Warning: ");
	out_text(dt->o, 9, 2, text);
}

/* The heading of a turn. */
static void
doc_text_turn_cb(void *st, const char *text)
{
	struct doc_text *dt = st;

	out_print(dt->o, "\n");
	out_title(dt->o, "%s", text);
}

/* The heading of a combat. */
static void
doc_text_combat_cb(void *st, const struct doc_head *head)
{
	struct doc_text *dt = st;

	out_print(dt->o, "\n");
	out_title(dt->o, "%s", head->text);
	if (*head->outcome != '\0')
		out_text(dt->o, 0, 2, head->outcome);
}

/* Sets what goes on off from what came between. */
static void
doc_text_combat_more_cb(void *st, const struct doc_head *head)
{
	struct doc_text *dt = st;

	(void)head;
	out_print(dt->o, "\n");
}

/* A line of the record. */
static void
doc_text_entry_cb(void *st, const struct doc_entry *en)
{
	struct doc_text *dt = st;
	char *line = NULL, when[32];
	int hang = en->is_raw ? 0 : 2;

	out_print(dt->o, "%4lld  %s  ", (long long)en->seq,
	    out_time(when, en->at_ms));
	if (en->who != NULL)
		line = xalloc_printf("%s: %s", en->who, en->text);
	out_text(dt->o, DOC_TEXT_INDENT, DOC_TEXT_INDENT + hang,
	    line != NULL ? line : en->text);
	free(line);
}

/* A further sentence, below the first. */
static void
doc_text_more_cb(void *st, const char *text)
{
	struct doc_text *dt = st;

	out_print(dt->o, "%*s", DOC_TEXT_INDENT, "");
	out_text(dt->o, DOC_TEXT_INDENT, DOC_TEXT_INDENT + 2, text);
}

/* A row of an event, as the renderer lays it out. */
static void
doc_text_row_cb(void *st, const struct render_row *row)
{
	struct doc_text *dt = st;
	struct buf b;

	if (row->kind == RENDER_ROW_TOTAL)
		return;
	buf_init(&b, 0);
	if (row->kind == RENDER_ROW_GAP)
		buf_putc(&b, '\n');
	else
		paragraph_write(&b, row->indent, row->text);
	out_print(dt->o, "%s", buf_str(&b));
	buf_clear(&b);
}

/* An empty line. */
static void
doc_text_gap_cb(void *st)
{
	struct doc_text *dt = st;

	out_print(dt->o, "\n");
}

/* A paragraph from the first column on. */
static void
doc_text_paragraph_cb(void *st, const char *text)
{
	struct doc_text *dt = st;

	out_text(dt->o, 0, 0, text);
}

/* A name and a value in a line. */
static void
doc_text_field_cb(void *st, const char *name, const char *value)
{
	struct doc_text *dt = st;
	char *line = xalloc_printf("%s: %s", name, value);

	out_print(dt->o, "  ");
	out_text(dt->o, 2, 4, line);
	free(line);
}

/* Begins a table under its caption. */
static void
doc_text_table_cb(
    void *st, const char *caption, size_t n, const char *const headings[])
{
	struct doc_text *dt = st;

	if (caption != NULL)
		doc_text_paragraph_cb(st, caption);
	doc_table_free(dt->table);
	dt->table = doc_table_new(n, headings);
}

/* Keeps a row of it. */
static void
doc_text_cells_cb(void *st, const char *const cells[])
{
	struct doc_text *dt = st;

	doc_table_cells(dt->table, cells);
}

/* Prints the table, its columns below each other. */
static void
doc_text_table_end_cb(void *st)
{
	struct doc_text *dt = st;
	struct buf b;

	buf_init(&b, 0);
	doc_table_write(
	    dt->table, &b, 2, (unsigned)dt->o->width, dt->o->columns);
	out_print(dt->o, "%s", buf_str(&b));
	buf_clear(&b);
	doc_table_free(dt->table);
	dt->table = NULL;
}

/* Frees the writer. */
static void
doc_text_free_cb(void *st)
{
	struct doc_text *dt = st;

	doc_table_free(dt->table);
	free(dt);
}

static const struct doc doc_text_ops = {
    .title = doc_text_title_cb,
    .warn = doc_text_warn_cb,
    .turn = doc_text_turn_cb,
    .combat = doc_text_combat_cb,
    .combat_more = doc_text_combat_more_cb,
    .combat_end = doc_nothing_cb,
    .entry = doc_text_entry_cb,
    .more = doc_text_more_cb,
    .row = doc_text_row_cb,
    .dice = doc_no_dice_cb,
    .gap = doc_text_gap_cb,
    .section = doc_text_turn_cb,
    .paragraph = doc_text_paragraph_cb,
    .field = doc_text_field_cb,
    .table = doc_text_table_cb,
    .cells = doc_text_cells_cb,
    .table_end = doc_text_table_end_cb,
    .finish = doc_nothing_cb,
    .free = doc_text_free_cb,
    .is_whole = false,
};

struct doc *
doc_text_new(struct out *o)
{
	struct doc_text *dt;

	dt = xalloc(sizeof(*dt));
	dt->doc = doc_text_ops;
	dt->o = o;
	return (&dt->doc);
}
