/* SPDX-License-Identifier: ISC */
/*
 * A battle told in parts of a page.  The outcome of a combat and its score
 * sheet come first, then the dice with links to their proofs; its lines are
 * folded below, as they tell how that came about.  Everything has the number
 * of its line or combat for its id, so that each can be linked to.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/report/battle.h"
#include "client/report/doc.h"
#include "client/report/doc_dice.h"
#include "client/report/doc_int.h"
#include "client/report/doc_rows.h"
#include "client/report/markup.h"
#include "common/base/clock.h"
#include "common/rules/show/render.h"
#include "web/page/page_int.h"

#define PAGE_TELL_NARROW 400 /* pixels of a drawing that leaves room */

struct page_tell {
	struct doc_rows rows; /* its body is what is being told */
	const struct page_game *g; /* borrowed, as the next */
	const struct page_plan *plan;
	char *at; /* owned: where the game is, as links have it */
	struct buf out; /* what is told, and whole or on its way */
	struct buf rolls; /* of the open combat */
	struct buf lines; /* likewise: links to its lines, */
	int n_lines; /* so many */
	int combat; /* that is open */
	int64_t seq; /* of the entry */
	bool in_combat;
	bool in_steps; /* the combat's entries are being told */
	bool in_fold; /* it does not count */
	bool is_open; /* it has no outcome yet */
	bool in_entry;
	bool in_sheet; /* a score sheet is open; its headings, borrowed: */
	const char *headings[DOC_ROWS_COLUMNS];
	int brief; /* combats before that leave their steps to their page */
};

/* Ends an entry. */
static void
page_tell_end_entry(struct page_tell *t)
{
	doc_rows_end(&t->rows);
	if (t->in_entry)
		buf_puts(&t->rows.body, "</div></article>\n");
	t->in_entry = false;
}

/* Moves what the body holds to the end of what is told. */
static void
page_tell_flush(struct page_tell *t)
{
	buf_add(&t->out, buf_str(&t->rows.body), t->rows.body.len);
	buf_reset(&t->rows.body);
}

/* Links to where the lines of a combat are told, instead of them. */
static void
page_tell_brief(struct page_tell *t)
{
	buf_reset(&t->rows.body);
	markup_add(&t->out,
	    "<p class=\"steps\"><a href=\"%sc/%d\">Step by step"
	    "<span class=\"sr\">, combat %d</span></a>; line%s",
	    t->at, t->combat, t->combat, t->n_lines == 1 ? "" : "s");
	buf_add(&t->out, buf_str(&t->lines), t->lines.len);
	buf_puts(&t->out, "</p>\n");
}

/* Ends a combat: its dice, then its steps. */
static void
page_tell_combat_end_cb(void *st)
{
	struct page_tell *t = st;
	struct buf *b = &t->out;

	if (!t->in_combat)
		return;
	page_tell_end_entry(t);
	if (t->rolls.len > 0) {
		buf_puts(b,
		    "<ul class=\"rolls\" title=\"Proof\" "
		    "aria-label=\"Dice and chits, each with its proof\">\n");
		buf_add(b, buf_str(&t->rolls), t->rolls.len);
		buf_puts(b, "</ul>\n");
		buf_reset(&t->rolls);
	}
	if (t->in_steps && t->combat < t->brief)
		page_tell_brief(t);
	else if (t->in_steps)
		buf_printf(b,
		    "<details class=\"steps\"%s>\n<summary>Step by step"
		    "<span class=\"sr\">, combat %d</span></summary>\n",
		    t->is_open ? " open" : "", t->combat);
	page_tell_flush(t);
	if (t->in_steps && t->combat >= t->brief)
		buf_puts(b, "</details>\n");
	buf_reset(&t->lines);
	t->n_lines = 0;
	buf_puts(b, t->in_fold ? "</details></section>\n" : "</section>\n");
	t->in_combat = t->in_steps = t->in_fold = false;
}

/* The title is the page's. */
static void
page_tell_title_cb(void *st, const struct doc_title *title)
{
	(void)st;
	(void)title;
}

/* So are the headings of turns. */
static void
page_tell_turn_cb(void *st, const char *text)
{
	(void)st;
	(void)text;
}

/* A warning, in a box. */
static void
page_tell_warn_cb(void *st, const char *text)
{
	struct page_tell *t = st;

	page_tell_end_entry(t);
	page_warn(&t->rows.body, text);
}

/* Opens the section of a combat. */
static void
page_tell_section(struct page_tell *t, const struct doc_head *head)
{
	page_tell_combat_end_cb(t);
	page_tell_end_entry(t);
	page_tell_flush(t);
	t->combat = head->n;
	t->in_combat = true;
	t->in_fold = head->fate != NULL;
}

/* Draws a combat; what is narrow leaves room beside it. */
static void
page_tell_drawing(struct buf *b, const struct doc_head *head)
{
	struct buf drawing;
	char id[32];
	int width;

	(void)snprintf(id, sizeof(id), "c%d-s", head->n);
	buf_init(&drawing, 0);
	width = page_sketch(&drawing, head->scene, id);
	buf_printf(b,
	    "<div class=\"wide drawing%s\" tabindex=\"0\" role=\"region\" "
	    "aria-label=\"Drawing of combat %d\">\n",
	    width <= PAGE_TELL_NARROW ? " beside" : "", head->n);
	buf_add(b, buf_str(&drawing), drawing.len);
	buf_puts(b, "</div>\n");
	buf_clear(&drawing);
}

/* A class for combats in which side 2 attacks: each side keeps its colour. */
static const char *
page_tell_side(const struct page_tell *t, int combat)
{
	int64_t declared;

	if (combat < 1 || combat > t->plan->combats)
		return ("");
	declared = t->plan->declared[combat];
	return (game_side_of(battle_entry(t->g->b, declared)->seat) == 2
		? " by2"
		: "");
}

/* A combat: its heading, how it came out, a drawing. */
static void
page_tell_combat_cb(void *st, const struct doc_head *head)
{
	struct page_tell *t = st;
	struct buf *b = &t->out;

	page_tell_section(t, head);
	t->is_open = *head->outcome == '\0';
	buf_printf(b,
	    "<section class=\"combat%s%s\" id=\"c%d\" "
	    "aria-labelledby=\"c%d-h\">\n%s<h3 id=\"c%d-h\">",
	    t->in_fold ? " undone" : "", page_tell_side(t, head->n), head->n,
	    head->n, t->in_fold ? "<details><summary>" : "", head->n);
	if (t->in_fold)
		markup_add(b,
		    "<del>%s</del> <small>%s</small></h3></summary>\n",
		    head->text, head->fate);
	else
		markup_add(b, "<a class=\"self\" href=\"%sc/%d\">%s</a></h3>\n",
		    t->at, head->n, head->text);
	if (!t->is_open)
		markup_add(b, "<p class=\"outcome\">%s</p>\n", head->outcome);
	else if (!t->in_fold &&
	    t->plan->declared[head->n] == game_combat_seq(battle_game(t->g->b)))
		page_now_combat(b, t->g->b);
	if (head->scene != NULL)
		page_tell_drawing(b, head);
}

/* Goes on with a combat. */
static void
page_tell_combat_more_cb(void *st, const struct doc_head *head)
{
	struct page_tell *t = st;

	if (t->in_combat)
		return;
	page_tell_section(t, head);
	t->is_open = true;
	buf_printf(&t->out,
	    "<section class=\"combat%s\" aria-label=\"Combat %d, "
	    "continued\">\n",
	    t->in_fold ? " undone" : "", head->n);
	if (t->in_fold)
		markup_add(&t->out,
		    "<details><summary><del>Combat %d, continued</del> "
		    "<small>%s</small></summary>\n",
		    head->n, head->fate);
}

/*
 * Adds to the links to a combat's lines; what was said meanwhile is not on its
 * page, but on that of the turn.
 */
static void
page_tell_line(struct page_tell *t, int64_t seq)
{
	const bool is_in = battle_entry(t->g->b, seq)->combat >= 0;

	markup_add(&t->lines,
	    " <a id=\"l%lld\" href=\"%s%s/%d#l%lld\">%lld</a>", (long long)seq,
	    t->at, is_in ? "c" : "t",
	    is_in ? t->combat : page_plan_find(t->plan, seq)->turn,
	    (long long)seq, (long long)seq);
	t->n_lines++;
}

/* A line of the record. */
static void
page_tell_entry_cb(void *st, const struct doc_entry *en)
{
	struct page_tell *t = st;
	struct buf *b = &t->rows.body;
	char at[CLOCK_AT_LEN + 1];

	page_tell_end_entry(t);
	if (t->in_combat && !t->in_steps) {
		/* What came before stands above the steps. */
		page_tell_flush(t);
		t->in_steps = true;
	}
	t->seq = en->seq;
	if (t->in_combat)
		page_tell_line(t, en->seq);
	clock_format(at, en->at_ms);
	buf_printf(b,
	    "<article class=\"entry%s\" id=\"l%lld\"><p class=\"stamp\">"
	    "<a href=\"#l%lld\"><span class=\"sr\">Line </span>%lld</a> "
	    "<time datetime=\"%s\">%.5s</time></p><div class=\"told\">"
	    "<p class=\"sentence\">",
	    en->who != NULL     ? " speech"
		: en->is_undone ? " undone"
				: "",
	    (long long)en->seq, (long long)en->seq, (long long)en->seq, at,
	    at + 11);
	if (en->who != NULL)
		markup_add(b, "<b>%s:</b> <span dir=\"auto\">", en->who);
	if (en->is_undone && !t->in_fold)
		buf_puts(b, "<del>");
	if (en->who != NULL)
		markup_lines(b, en->text);
	else
		markup_text(b, en->text);
	if (en->is_undone && !t->in_fold)
		buf_puts(b, "</del>");
	buf_puts(b, en->who != NULL ? "</span></p>\n" : "</p>\n");
	t->in_entry = true;
}

/* Dice or chits, as a link to their proof. */
static void
page_tell_roll(struct page_tell *t, struct buf *b, const struct render_row *row)
{
	markup_add(b, "<a class=\"roll\" href=\"%s%lld/dice\">%s: ", t->at,
	    (long long)t->seq, row->lead);
	if (row->kind == RENDER_ROW_DICE)
		doc_dice_html(b, row->sides, row->values);
	else
		doc_dice_chits(b, row->values, markup_text);
	buf_puts(b, "</a>");
}

/* A row of an event; dice of a combat are told above its steps, too. */
static void
page_tell_row_cb(void *st, const struct render_row *row)
{
	struct page_tell *t = st;
	struct buf *b = &t->rows.body;

	if (row->kind != RENDER_ROW_DICE && row->kind != RENDER_ROW_CHITS) {
		doc_rows_row_cb(st, row);
		return;
	}
	doc_rows_end(&t->rows);
	if (t->in_combat) {
		buf_puts(&t->rolls, "<li>");
		page_tell_roll(t, &t->rolls, row);
		buf_puts(&t->rolls, "</li>\n");
		markup_add(b, "<p>%s: %s</p>\n", row->lead, row->rest);
		return;
	}
	buf_puts(b, "<p>");
	page_tell_roll(t, b, row);
	buf_puts(b, "</p>\n");
}

/* Dice that the sentence has told. */
static void
page_tell_dice_cb(void *st, json_int_t sides, const json_t *values)
{
	struct page_tell *t = st;

	doc_rows_end(&t->rows);
	markup_add(&t->rows.body,
	    "<p><a class=\"roll\" href=\"%s%lld/dice\" title=\"Proof\">", t->at,
	    (long long)t->seq);
	doc_dice_html(&t->rows.body, sides, values);
	buf_puts(&t->rows.body, "</a></p>\n");
}

/* A paragraph; that of a score sheet says what its figures mean. */
static void
page_tell_paragraph_cb(void *st, const char *text)
{
	struct page_tell *t = st;

	if (!t->in_combat || t->in_steps) {
		doc_rows_paragraph_cb(st, text);
		return;
	}
	doc_rows_end(&t->rows);
	markup_add(&t->rows.body, "<p class=\"note\">%s</p>\n", text);
}

/* Begins a table. */
static void
page_tell_table_cb(
    void *st, const char *caption, size_t n, const char *const headings[])
{
	struct page_tell *t = st;
	size_t i;

	doc_rows_table_cb(st, caption, n, headings);
	t->in_sheet = caption == NULL;
	for (i = 0; i < t->rows.n_columns; i++)
		t->headings[i] =
		    headings[i][0] == '>' ? headings[i] + 1 : headings[i];
}

/*
 * Classes for the columns of a score sheet, by which look.css has their
 * headings: on a narrow screen a row becomes a list.  NULL: it has none.
 */
static const char *
page_tell_column(const char *heading)
{
	static const struct {
		const char *heading, *class;
	} columns[] = {
	    {"Base", "b"},
	    {"Die", "d"},
	    {"Modifiers", "m"},
	    {"Total", "t"},
	    {"End", "e"},
	    {"Lost", "l"},
	    {"Chance", "c"},
	};
	size_t i;

	for (i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
		if (strcmp(columns[i].heading, heading) == 0)
			return (columns[i].class);
	}
	return (NULL);
}

/* A row of a table. */
static void
page_tell_cells_cb(void *st, const char *const cells[])
{
	struct page_tell *t = st;
	struct buf *b = &t->rows.body;
	const char *class;
	size_t i;

	if (!t->in_sheet) {
		doc_rows_cells_cb(st, cells);
		return;
	}
	markup_add(b, "<tr><th scope=\"row\">%s</th>", cells[0]);
	for (i = 1; i < t->rows.n_columns; i++) {
		class = page_tell_column(t->headings[i]);
		if (*cells[i] == '\0')
			buf_puts(b, "<td></td>");
		else if (class != NULL)
			markup_add(
			    b, "<td class=\"%s\">%s</td>", class, cells[i]);
		else
			markup_add(b, "<td data-of=\"%s\">%s</td>",
			    t->headings[i], cells[i]);
	}
	buf_puts(b, "</tr>\n");
}

/* A part about the game as a whole, below a heading that the page has. */
static void
page_tell_section_cb(void *st, const char *heading)
{
	struct page_tell *t = st;

	page_tell_combat_end_cb(t);
	page_tell_end_entry(t);
	markup_add(&t->rows.body, "<h3>%s</h3>\n", heading);
}

/* What is told is taken by the page. */
static void
page_tell_finish_cb(void *st)
{
	(void)st;
}

/* Frees the writer. */
static void
page_tell_free_cb(void *st)
{
	struct page_tell *t = st;

	buf_clear(&t->rows.body);
	buf_clear(&t->rolls);
	buf_clear(&t->lines);
	buf_clear(&t->out);
	free(t->at);
	free(t);
}

static const struct doc page_tell_ops = {
    .title = page_tell_title_cb,
    .warn = page_tell_warn_cb,
    .turn = page_tell_turn_cb,
    .combat = page_tell_combat_cb,
    .combat_more = page_tell_combat_more_cb,
    .combat_end = page_tell_combat_end_cb,
    .entry = page_tell_entry_cb,
    .more = doc_rows_more_cb,
    .row = page_tell_row_cb,
    .dice = page_tell_dice_cb,
    .gap = doc_nothing_cb,
    .section = page_tell_section_cb,
    .paragraph = page_tell_paragraph_cb,
    .field = doc_rows_field_cb,
    .table = page_tell_table_cb,
    .cells = page_tell_cells_cb,
    .table_end = doc_rows_table_end_cb,
    .finish = page_tell_finish_cb,
    .free = page_tell_free_cb,
    .is_whole = true,
};

struct page_tell *
page_tell_new(
    const struct page_game *g, const struct page_plan *plan, bool is_here)
{
	struct page_tell *t = xalloc(sizeof(*t));

	t->rows.doc = page_tell_ops;
	t->g = g;
	t->plan = plan;
	t->at = is_here ? xalloc_str("") : xalloc_printf("/g/%s/", g->id);
	buf_init(&t->rows.body, 0);
	buf_init(&t->rolls, 0);
	buf_init(&t->lines, 0);
	buf_init(&t->out, 0);
	return (t);
}

void
page_tell_free(struct page_tell *t)
{
	if (t != NULL)
		page_tell_free_cb(t);
}

struct doc *
page_tell_doc(struct page_tell *t)
{
	return (&t->rows.doc);
}

void
page_tell_set_brief(struct page_tell *t, int before)
{
	t->brief = before;
}

void
page_tell_take(struct page_tell *t, struct buf *out)
{
	if (buf_error(&t->out) != 0 || buf_error(&t->rows.body) != 0 ||
	    buf_error(&t->rolls) != 0 || buf_error(&t->lines) != 0)
		xalloc_die();
	buf_add(out, buf_str(&t->out), t->out.len);
	buf_reset(&t->out);
}

void
page_tell_end(struct page_tell *t, struct buf *out)
{
	page_tell_combat_end_cb(t);
	page_tell_end_entry(t);
	page_tell_flush(t);
	page_tell_take(t, out);
}
