/* SPDX-License-Identifier: ISC */
/*
 * The writer for one HTML page that needs nothing but itself: no script, no
 * picture or style from elsewhere.  The page is gathered first, since its
 * contents stand before what they point to.  What an entry holds is written by
 * doc_rows.c, every text by markup.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/report/doc.h"
#include "client/report/doc_dice.h"
#include "client/report/doc_int.h"
#include "client/report/doc_look.h"
#include "client/report/doc_rows.h"
#include "client/report/markup.h"
#include "client/report/sketch.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/rules/show/render.h"

struct doc_html {
	struct doc_rows rows; /* the body, and what is open in an entry */
	struct out *o; /* borrowed */
	struct buf head; /* title and heading */
	struct buf contents; /* items of the list of contents */
	int parts; /* so far, for their ids */
	char day[DOC_DAY]; /* of the last entry of the part or combat */
	bool in_part; /* likewise: what is open */
	bool in_combat;
	bool in_fold; /* of a combat that does not count */
	bool in_entry;
	bool has_drawing; /* the page needs the style of drawings */
	bool has_item; /* contents: the part's item is open */
	bool has_items; /* contents: with a list of combats in it */
};

/* Ends an entry. */
static void
doc_html_end_entry(struct doc_html *h)
{
	doc_rows_end(&h->rows);
	if (h->in_entry)
		buf_puts(&h->rows.body, "</div>\n</article>\n");
	h->in_entry = false;
}

/* Ends a combat. */
static void
doc_html_combat_end_cb(void *st)
{
	struct doc_html *h = st;

	if (!h->in_combat)
		return;
	doc_html_end_entry(h);
	buf_puts(&h->rows.body,
	    h->in_fold ? "</details>\n</section>\n" : "</section>\n");
	h->in_combat = h->in_fold = false;
}

/* Ends a part. */
static void
doc_html_end_part(struct doc_html *h)
{
	doc_html_combat_end_cb(h);
	doc_html_end_entry(h);
	if (h->in_part)
		buf_puts(&h->rows.body, "</section>\n");
	if (h->has_items)
		buf_puts(&h->contents, "</ul>");
	if (h->has_item)
		buf_puts(&h->contents, "</li>\n");
	h->in_part = h->has_item = h->has_items = false;
}

/* The page's title and its first heading. */
static void
doc_html_title_cb(void *st, const struct doc_title *t)
{
	struct doc_html *h = st;
	struct buf *b = &h->rows.body;
	char *days = doc_days(t);

	markup_add(&h->head, "<title>%s against %s (%s)</title>\n", t->sides[0],
	    t->sides[1], t->name);
	markup_add(b, "<header>\n<p class=\"rules\">%s</p>\n", t->rules);
	if (*t->event != '\0')
		markup_add(b, "<p class=\"rules\">%s</p>\n", t->event);
	markup_add(b,
	    "<h1><bdi>%s</bdi> <span class=\"against\">against</span> "
	    "<bdi>%s</bdi></h1>\n<p class=\"players\">%s against %s",
	    t->sides[0], t->sides[1], t->players[0], t->players[1]);
	if (*t->director != '\0')
		markup_add(b, ", director %s", t->director);
	markup_add(b,
	    ", game %s</p>\n<p class=\"days\">%s</p>\n"
	    "<p class=\"summary\">%s</p>\n</header>\n",
	    t->name, days, t->result);
	free(days);
}

/* A warning, in a box. */
static void
doc_html_warn_cb(void *st, const char *text)
{
	struct doc_html *h = st;

	doc_html_end_entry(h);
	markup_add(&h->rows.body,
	    "<p class=\"warning\"><strong>Warning:</strong> %s</p>\n", text);
}

/* Begins a part under its heading, and puts it into the contents. */
static void
doc_html_part(struct doc_html *h, const char *class, const char *text)
{
	doc_html_end_part(h);
	h->parts++;
	markup_add(&h->rows.body,
	    "<section class=\"%s\" aria-labelledby=\"part-%d\">\n"
	    "<h2 id=\"part-%d\">%s</h2>\n",
	    class, h->parts, h->parts, text);
	markup_add(
	    &h->contents, "<li><a href=\"#part-%d\">%s</a>", h->parts, text);
	h->in_part = h->has_item = true;
}

/* A turn. */
static void
doc_html_turn_cb(void *st, const char *text)
{
	doc_html_part(st, "turn", text);
}

/* A combat's heading, struck if it does not count. */
static void
doc_html_struck(struct buf *b, const struct doc_head *head)
{
	markup_add(b, head->fate == NULL ? "%s" : "<del>%s</del>", head->text);
}

/* Puts a combat into the contents. */
static void
doc_html_list_combat(struct doc_html *h, const struct doc_head *head)
{
	struct buf *b = &h->contents;

	if (h->has_item && !h->has_items) {
		buf_puts(b, "\n<ul>\n");
		h->has_items = true;
	}
	buf_printf(b, "<li><a href=\"#combat-%d\">", head->n);
	doc_html_struck(b, head);
	buf_puts(b, "</a>");
	if (head->fate != NULL)
		markup_add(b, " %s", head->fate);
	buf_puts(b, "</li>\n");
}

/* Draws a combat. */
static void
doc_html_scene(struct doc_html *h, const struct doc_head *head)
{
	char id[32];

	(void)snprintf(id, sizeof(id), "sketch-%d", head->n);
	/* What is too wide is scrolled, with the keyboard, too. */
	buf_printf(&h->rows.body,
	    "<div class=\"wide drawing\" tabindex=\"0\" role=\"region\" "
	    "aria-label=\"Drawing of combat %d\">\n",
	    head->n);
	sketch_svg_put(head->scene, id, &h->rows.body);
	buf_puts(&h->rows.body, "</div>\n");
	h->has_drawing = true;
}

/* A combat under its heading; where no turns are told it is a part. */
static void
doc_html_combat_cb(void *st, const struct doc_head *head)
{
	struct doc_html *h = st;
	int level = h->in_part ? 3 : 2;

	doc_html_combat_end_cb(h);
	doc_html_end_entry(h);
	h->in_fold = head->fate != NULL;
	buf_printf(&h->rows.body,
	    "<section class=\"combat%s\" aria-labelledby=\"combat-%d\">\n"
	    "%s<h%d id=\"combat-%d\">",
	    h->in_fold ? " undone" : "", head->n,
	    h->in_fold ? "<details>\n<summary>" : "", level, head->n);
	doc_html_struck(&h->rows.body, head);
	if (h->in_fold)
		markup_add(&h->rows.body, " <small>%s</small>", head->fate);
	buf_printf(
	    &h->rows.body, "</h%d>%s\n", level, h->in_fold ? "</summary>" : "");
	if (*head->outcome != '\0')
		markup_add(&h->rows.body, "<p class=\"outcome\">%s</p>\n",
		    head->outcome);
	if (head->scene != NULL)
		doc_html_scene(h, head);
	doc_html_list_combat(h, head);
	h->in_combat = true;
}

/* Goes on with a combat. */
static void
doc_html_combat_more_cb(void *st, const struct doc_head *head)
{
	struct doc_html *h = st;

	if (h->in_combat)
		return;
	doc_html_end_entry(h);
	h->in_fold = head->fate != NULL;
	buf_printf(&h->rows.body,
	    "<section class=\"combat%s\" aria-label=\"Combat %d, "
	    "continued\">\n",
	    h->in_fold ? " undone" : "", head->n);
	if (h->in_fold) {
		buf_printf(&h->rows.body,
		    "<details>\n<summary><del>Combat %d, continued</del> ",
		    head->n);
		markup_add(
		    &h->rows.body, "<small>%s</small></summary>\n", head->fate);
	}
	h->in_combat = true;
}

/* A line of the record. */
static void
doc_html_entry_cb(void *st, const struct doc_entry *en)
{
	struct doc_html *h = st;
	char at[CLOCK_AT_LEN + 1], when[32];
	struct buf *b = &h->rows.body;

	doc_html_end_entry(h);
	buf_printf(b,
	    "<article class=\"entry%s\" id=\"line-%lld\">\n"
	    "<p class=\"stamp\"><span class=\"no\"><span class=\"sr\">Line "
	    "</span>%lld</span> ",
	    en->who != NULL     ? " speech"
		: en->is_undone ? " undone"
				: "",
	    (long long)en->seq, (long long)en->seq);
	clock_format(at, en->at_ms);
	buf_printf(b, "<time datetime=\"%s\"", at);
	if (en->has_now) {
		clock_format(at, en->now_ms);
		buf_printf(b, " title=\"signed %s\"", at);
	}
	buf_printf(b,
	    ">%s</time></p>\n<div class=\"told\">\n<p class=\"sentence\">",
	    doc_when(when, h->day, en->at_ms));
	if (en->who != NULL)
		markup_add(b, "<b>%s:</b> <span dir=\"auto\">", en->who);
	if (en->is_undone && !h->in_fold)
		buf_puts(b, "<del>");
	if (en->who != NULL)
		markup_lines(b, en->text);
	else
		markup_text(b, en->text);
	if (en->is_undone && !h->in_fold)
		buf_puts(b, "</del>");
	buf_puts(b, en->who != NULL ? "</span></p>\n" : "</p>\n");
	h->in_entry = true;
}

/* A part at the end. */
static void
doc_html_section_cb(void *st, const char *heading)
{
	doc_html_part(st, "end", heading);
}

/* Writes the page. */
static void
doc_html_finish_cb(void *st)
{
	struct doc_html *h = st;
	const char *body, *split;
	struct buf shapes, style;

	doc_html_end_part(h);
	if (buf_error(&h->head) != 0 || buf_error(&h->contents) != 0 ||
	    buf_error(&h->rows.body) != 0)
		xalloc_die();
	body = buf_str(&h->rows.body);
	/* The contents stand after the heading, which is ours, and is first. */
	split = strstr(body, "</header>\n");
	split = split == NULL ? body : split + strlen("</header>\n");
	out_print(h->o,
	    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
	    "<meta charset=\"utf-8\">\n"
	    "<meta http-equiv=\"Content-Security-Policy\" "
	    "content=\"default-src 'none'; style-src 'unsafe-inline'; "
	    "img-src data:\">\n"
	    "<meta name=\"viewport\" "
	    "content=\"width=device-width, initial-scale=1\">\n"
	    "<meta name=\"color-scheme\" content=\"light dark\">\n"
	    "<meta name=\"referrer\" content=\"no-referrer\">\n"
	    "<meta name=\"generator\" content=\"umpire %s\">\n",
	    PACKAGE_VERSION);
	out_print(h->o, "%s<style>\n", buf_str(&h->head));
	out_print(h->o, "%s", doc_look);
	if (h->has_drawing) {
		buf_init(&style, 0);
		sketch_svg_style(&style);
		out_print(h->o, "%s", buf_str(&style));
		buf_clear(&style);
	}
	out_print(h->o,
	    "</style>\n</head>\n<body>\n"
	    "<a class=\"skip\" href=\"#game\">Skip to the game</a>\n");
	buf_init(&shapes, 0);
	doc_dice_shapes(&shapes);
	out_print(h->o, "%s", buf_str(&shapes));
	buf_clear(&shapes);
	out_print(h->o, "%.*s", (int)(split - body), body);
	if (h->contents.len > 0)
		out_print(h->o,
		    "<nav aria-label=\"Contents\">\n<ol>\n%s</ol>\n</nav>\n",
		    buf_str(&h->contents));
	out_print(h->o,
	    "<main id=\"game\" tabindex=\"-1\">\n%s</main>\n</body>\n"
	    "</html>\n",
	    split);
}

/* Frees the writer. */
static void
doc_html_free_cb(void *st)
{
	struct doc_html *h = st;

	buf_clear(&h->head);
	buf_clear(&h->contents);
	buf_clear(&h->rows.body);
	free(h);
}

static const struct doc doc_html_ops = {
    .title = doc_html_title_cb,
    .warn = doc_html_warn_cb,
    .turn = doc_html_turn_cb,
    .combat = doc_html_combat_cb,
    .combat_more = doc_html_combat_more_cb,
    .combat_end = doc_html_combat_end_cb,
    .entry = doc_html_entry_cb,
    .more = doc_rows_more_cb,
    .row = doc_rows_row_cb,
    .dice = doc_rows_dice_cb,
    .gap = doc_nothing_cb,
    .section = doc_html_section_cb,
    .paragraph = doc_rows_paragraph_cb,
    .field = doc_rows_field_cb,
    .table = doc_rows_table_cb,
    .cells = doc_rows_cells_cb,
    .table_end = doc_rows_table_end_cb,
    .finish = doc_html_finish_cb,
    .free = doc_html_free_cb,
    .is_whole = true,
};

struct doc *
doc_html_new(struct out *o)
{
	struct doc_html *h;

	h = xalloc(sizeof(*h));
	h->rows.doc = doc_html_ops;
	h->o = o;
	buf_init(&h->head, 0);
	buf_init(&h->contents, 0);
	buf_init(&h->rows.body, 0);
	return (&h->rows.doc);
}
