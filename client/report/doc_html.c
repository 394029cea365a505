/* SPDX-License-Identifier: ISC */
/*
 * The writer for one HTML page that needs nothing but itself: no script, no
 * picture or style from elsewhere.  The page is gathered first, since its
 * contents stand before what they point to.
 *
 * Every text goes through doc_html_lines(): what could be markup is escaped,
 * and what is not plain, such as marks that turn the direction of writing,
 * becomes a question mark.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/out.h"
#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/report/doc.h"
#include "client/report/doc_dice.h"
#include "client/report/doc_int.h"
#include "client/report/doc_look.h"
#include "client/report/sketch.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/rules/show/render.h"

#define DOC_HTML_COLUMNS 8 /* of a table */

struct doc_html {
	struct doc doc;
	struct out *o; /* borrowed */
	struct buf head; /* title and heading */
	struct buf contents; /* items of the list of contents */
	struct buf body;
	size_t n_columns; /* of the open table */
	bool is_right[DOC_HTML_COLUMNS];
	int parts; /* so far, for their ids */
	char day[DOC_DAY]; /* of the last entry of the part or combat */
	bool in_part; /* likewise: what is open */
	bool in_combat;
	bool in_fold; /* of a combat that does not count */
	bool in_entry;
	bool in_list;
	bool in_score;
	bool in_fields;
	bool has_drawing; /* the page needs the style of drawings */
	bool has_item; /* contents: the part's item is open */
	bool has_items; /* contents: with a list of combats in it */
};

/* Appends a text, escaped; line ends become <br> if may_break. */
static void
doc_html_lines(struct buf *b, const char *s, bool may_break)
{
	static const char marks[] = "&<>\"'\n";
	static const char *const entities[] = {
	    "&amp;", "&lt;", "&gt;", "&quot;", "&#39;", "<br>\n"};
	struct buf clean;
	const char *p;
	char *text;
	size_t n;

	buf_init(&clean, 0);
	text_clean(&clean, s, may_break);
	text = xalloc_take(&clean);
	for (p = text;; p += n + 1) {
		n = strcspn(p, marks);
		buf_add(b, p, n);
		if (p[n] == '\0')
			break;
		buf_puts(b, entities[strchr(marks, p[n]) - marks]);
	}
	free(text);
}

/* Appends a text, escaped, also for attributes. */
static void
doc_html_put(struct buf *b, const char *s)
{
	doc_html_lines(b, s, false);
}

/*
 * Appends our own markup around what may be anybody's: of a format "%s" is a
 * text, which is escaped, and "%d" a number.
 */
static void doc_html_add(struct buf *b, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
static void
doc_html_add(struct buf *b, const char *fmt, ...)
{
	const char *mark;
	va_list ap;

	va_start(ap, fmt);
	for (; (mark = strchr(fmt, '%')) != NULL; fmt = mark + 2) {
		buf_add(b, fmt, (size_t)(mark - fmt));
		if (mark[1] == 's')
			doc_html_put(b, va_arg(ap, const char *));
		else
			buf_printf(b, "%d", va_arg(ap, int));
	}
	va_end(ap);
	buf_puts(b, fmt);
}

/* Removes a list that nothing was put into. */
static void
doc_html_drop_list(struct doc_html *h)
{
	static const char *const empty[] = {
	    "<ul class=\"facts\">\n", "<ul class=\"results\">\n"};
	size_t i, n;

	for (i = 0; h->in_list && i < 2; i++) {
		n = strlen(empty[i]);
		if (h->body.len < n ||
		    memcmp(h->body.data + h->body.len - n, empty[i], n) != 0)
			continue;
		h->body.len -= n;
		h->in_list = false;
	}
}

/* Ends the list or table of an event. */
static void
doc_html_end_rows(struct doc_html *h)
{
	doc_html_drop_list(h);
	if (h->in_list)
		buf_puts(&h->body, "</ul>\n");
	if (h->in_score)
		buf_puts(&h->body, "</tbody>\n</table></div>\n");
	if (h->in_fields)
		buf_puts(&h->body, "</dl>\n");
	h->in_list = h->in_score = h->in_fields = false;
}

/* Ends an entry. */
static void
doc_html_end_entry(struct doc_html *h)
{
	doc_html_end_rows(h);
	if (h->in_entry)
		buf_puts(&h->body, "</div>\n</article>\n");
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
	buf_puts(
	    &h->body, h->in_fold ? "</details>\n</section>\n" : "</section>\n");
	h->in_combat = h->in_fold = false;
}

/* Ends a part. */
static void
doc_html_end_part(struct doc_html *h)
{
	doc_html_combat_end_cb(h);
	doc_html_end_entry(h);
	if (h->in_part)
		buf_puts(&h->body, "</section>\n");
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
	struct buf *b = &h->body;
	char *days = doc_days(t);

	doc_html_add(&h->head, "<title>%s against %s (%s)</title>\n",
	    t->sides[0], t->sides[1], t->name);
	doc_html_add(b, "<header>\n<p class=\"rules\">%s</p>\n", t->rules);
	if (*t->event != '\0')
		doc_html_add(b, "<p class=\"rules\">%s</p>\n", t->event);
	doc_html_add(b,
	    "<h1><bdi>%s</bdi> <span class=\"against\">against</span> "
	    "<bdi>%s</bdi></h1>\n<p class=\"players\">%s against %s",
	    t->sides[0], t->sides[1], t->players[0], t->players[1]);
	if (*t->director != '\0')
		doc_html_add(b, ", director %s", t->director);
	doc_html_add(b,
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
	doc_html_add(&h->body,
	    "<p class=\"warning\"><strong>Warning:</strong> %s</p>\n", text);
}

/* Begins a part under its heading, and puts it into the contents. */
static void
doc_html_part(struct doc_html *h, const char *class, const char *text)
{
	doc_html_end_part(h);
	h->parts++;
	doc_html_add(&h->body,
	    "<section class=\"%s\" aria-labelledby=\"part-%d\">\n"
	    "<h2 id=\"part-%d\">%s</h2>\n",
	    class, h->parts, h->parts, text);
	doc_html_add(
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
	doc_html_add(
	    b, head->fate == NULL ? "%s" : "<del>%s</del>", head->text);
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
		doc_html_add(b, " %s", head->fate);
	buf_puts(b, "</li>\n");
}

/* Draws a combat. */
static void
doc_html_scene(struct doc_html *h, const struct doc_head *head)
{
	char id[32];

	(void)snprintf(id, sizeof(id), "sketch-%d", head->n);
	/* What is too wide is scrolled, with the keyboard, too. */
	buf_printf(&h->body,
	    "<div class=\"wide drawing\" tabindex=\"0\" role=\"region\" "
	    "aria-label=\"Drawing of combat %d\">\n",
	    head->n);
	sketch_svg_put(head->scene, id, &h->body);
	buf_puts(&h->body, "</div>\n");
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
	buf_printf(&h->body,
	    "<section class=\"combat%s\" aria-labelledby=\"combat-%d\">\n"
	    "%s<h%d id=\"combat-%d\">",
	    h->in_fold ? " undone" : "", head->n,
	    h->in_fold ? "<details>\n<summary>" : "", level, head->n);
	doc_html_struck(&h->body, head);
	if (h->in_fold)
		doc_html_add(&h->body, " <small>%s</small>", head->fate);
	buf_printf(
	    &h->body, "</h%d>%s\n", level, h->in_fold ? "</summary>" : "");
	if (*head->outcome != '\0')
		doc_html_add(
		    &h->body, "<p class=\"outcome\">%s</p>\n", head->outcome);
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
	buf_printf(&h->body,
	    "<section class=\"combat%s\" aria-label=\"Combat %d, "
	    "continued\">\n",
	    h->in_fold ? " undone" : "", head->n);
	if (h->in_fold) {
		buf_printf(&h->body,
		    "<details>\n<summary><del>Combat %d, continued</del> ",
		    head->n);
		doc_html_add(
		    &h->body, "<small>%s</small></summary>\n", head->fate);
	}
	h->in_combat = true;
}

/* A line of the record. */
static void
doc_html_entry_cb(void *st, const struct doc_entry *en)
{
	struct doc_html *h = st;
	char at[CLOCK_AT_LEN + 1], when[32];
	struct buf *b = &h->body;

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
		doc_html_add(b, "<b>%s:</b> <span dir=\"auto\">", en->who);
	if (en->is_undone && !h->in_fold)
		buf_puts(b, "<del>");
	doc_html_lines(b, en->text, en->who != NULL);
	if (en->is_undone && !h->in_fold)
		buf_puts(b, "</del>");
	buf_puts(b, en->who != NULL ? "</span></p>\n" : "</p>\n");
	h->in_entry = true;
}

/* A further sentence. */
static void
doc_html_more_cb(void *st, const char *text)
{
	struct doc_html *h = st;

	doc_html_end_rows(h);
	doc_html_add(&h->body, "<p class=\"more\">%s</p>\n", text);
}

/* A term of a score, or its sum. */
static void
doc_html_term(struct doc_html *h, const struct render_row *row)
{
	bool is_total = row->kind == RENDER_ROW_TOTAL;

	buf_puts(&h->body, is_total ? "<tr class=\"total\">" : "<tr>");
	doc_html_add(&h->body,
	    "<th scope=\"row\">%s</th><td class=\"num\">%s</td></tr>\n",
	    is_total ? "Total" : row->rest, row->lead);
	if (is_total)
		doc_html_end_rows(h);
}

/* A sentence of an event: an item where a list has begun. */
static void
doc_html_sentence(struct doc_html *h, const struct render_row *row)
{
	unsigned depth = row->indent / 2;

	if (h->in_list && depth == 0)
		doc_html_end_rows(h);
	buf_puts(&h->body, h->in_list ? "<li" : "<p");
	if (depth > (h->in_list ? 1U : 0U))
		buf_printf(&h->body, " class=\"in%u\"", depth > 4 ? 4 : depth);
	doc_html_add(
	    &h->body, h->in_list ? ">%s</li>\n" : ">%s</p>\n", row->text);
}

/* A row of an event. */
static void
doc_html_row_cb(void *st, const struct render_row *row)
{
	const int depth = row->indent / 2 > 4 ? 4 : (int)row->indent / 2;
	bool is_result = row->kind == RENDER_ROW_RESULT;
	struct doc_html *h = st;

	switch (row->kind) {
	case RENDER_ROW_GAP:
		doc_html_end_rows(h);
		break;
	case RENDER_ROW_DICE:
	case RENDER_ROW_CHITS:
		doc_html_end_rows(h);
		doc_html_add(&h->body,
		    "<div class=\"roll\"><span class=\"what\">%s:</span> ",
		    row->lead);
		if (row->kind == RENDER_ROW_DICE)
			doc_dice_html(&h->body, row->sides, row->values);
		else
			doc_dice_chits(&h->body, row->values, doc_html_put);
		buf_puts(&h->body, "</div>\n");
		break;
	case RENDER_ROW_SCORE:
		doc_html_end_rows(h);
		doc_html_add(&h->body,
		    "<div class=\"wide\"><table class=\"score\">\n"
		    "<caption>%s</caption>\n"
		    "<thead><tr><th scope=\"col\">What counts</th>"
		    "<th scope=\"col\" class=\"num\">Value</th></tr></thead>\n"
		    "<tbody>\n",
		    row->text);
		h->in_score = true;
		break;
	case RENDER_ROW_TERM:
	case RENDER_ROW_TOTAL:
		if (h->in_score)
			doc_html_term(h, row);
		break;
	case RENDER_ROW_HEAD:
	case RENDER_ROW_RESULT:
		doc_html_end_rows(h);
		/* A word over a list; the list begins. */
		doc_html_add(&h->body,
		    "<p class=\"%s in%d\">%s</p>\n<ul class=\"%s\">\n",
		    is_result ? "result" : "list", depth, row->text,
		    is_result ? "results" : "facts");
		h->in_list = true;
		break;
	case RENDER_ROW_COMBAT:
		doc_html_end_rows(h);
		doc_html_add(
		    &h->body, "<p class=\"rulebook\">%s</p>\n", row->text);
		break;
	default:
		if (h->in_score)
			doc_html_end_rows(h);
		doc_html_sentence(h, row);
		break;
	}
}

/* Dice that the sentence has told: only for the eye. */
static void
doc_html_dice_cb(void *st, json_int_t sides, const json_t *values)
{
	struct doc_html *h = st;

	doc_html_end_rows(h);
	buf_puts(&h->body, "<div class=\"roll\" aria-hidden=\"true\">");
	doc_dice_html(&h->body, sides, values);
	buf_puts(&h->body, "</div>\n");
}

/* A part at the end. */
static void
doc_html_section_cb(void *st, const char *heading)
{
	doc_html_part(st, "end", heading);
}

/* A paragraph of such a part. */
static void
doc_html_paragraph_cb(void *st, const char *text)
{
	struct doc_html *h = st;

	doc_html_end_rows(h);
	doc_html_add(&h->body, "<p>%s</p>\n", text);
}

/* A name and a value. */
static void
doc_html_field_cb(void *st, const char *name, const char *value)
{
	struct doc_html *h = st;

	if (!h->in_fields) {
		doc_html_end_rows(h);
		buf_puts(&h->body, "<dl>\n");
		h->in_fields = true;
	}
	doc_html_add(
	    &h->body, "<div><dt>%s</dt> <dd>%s</dd></div>\n", name, value);
}

/* Begins a table. */
static void
doc_html_table_cb(
    void *st, const char *caption, size_t n, const char *const headings[])
{
	struct doc_html *h = st;
	size_t i;

	doc_html_end_rows(h);
	h->n_columns = n < DOC_HTML_COLUMNS ? n : DOC_HTML_COLUMNS;
	if (caption == NULL)
		buf_puts(&h->body,
		    "<div class=\"wide\" tabindex=\"0\" role=\"group\" "
		    "aria-label=\"Score sheet\"><table class=\"sheet\">\n"
		    "<caption class=\"sr\">Score sheet</caption>\n");
	else
		doc_html_add(&h->body,
		    "<div class=\"wide\"><table class=\"units\">\n"
		    "<caption>%s</caption>\n",
		    caption);
	buf_puts(&h->body, "<thead><tr>");
	for (i = 0; i < h->n_columns; i++) {
		h->is_right[i] = headings[i][0] == '>';
		if (h->is_right[i])
			doc_html_add(&h->body,
			    "<th scope=\"col\" class=\"num\">%s</th>",
			    headings[i] + 1);
		else
			doc_html_add(
			    &h->body, "<th scope=\"col\">%s</th>", headings[i]);
	}
	buf_puts(&h->body, "</tr></thead>\n<tbody>\n");
}

/* A row of a table. */
static void
doc_html_cells_cb(void *st, const char *const cells[])
{
	struct doc_html *h = st;
	size_t i;

	buf_puts(&h->body, "<tr>");
	for (i = 0; i < h->n_columns; i++) {
		doc_html_add(&h->body,
		    i == 0               ? "<th scope=\"row\">%s</th>"
			: h->is_right[i] ? "<td class=\"num\">%s</td>"
					 : "<td>%s</td>",
		    cells[i]);
	}
	buf_puts(&h->body, "</tr>\n");
}

/* Ends a table. */
static void
doc_html_table_end_cb(void *st)
{
	struct doc_html *h = st;

	buf_puts(&h->body, "</tbody>\n</table></div>\n");
}

/* Writes the page. */
static void
doc_html_finish_cb(void *st)
{
	struct doc_html *h = st;
	const char *body, *split;
	struct buf style;

	doc_html_end_part(h);
	if (buf_error(&h->head) != 0 || buf_error(&h->contents) != 0 ||
	    buf_error(&h->body) != 0)
		xalloc_die();
	body = buf_str(&h->body);
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
	doc_dice_shapes(h->o);
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
	buf_clear(&h->body);
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
    .more = doc_html_more_cb,
    .row = doc_html_row_cb,
    .dice = doc_html_dice_cb,
    .gap = doc_nothing_cb,
    .section = doc_html_section_cb,
    .paragraph = doc_html_paragraph_cb,
    .field = doc_html_field_cb,
    .table = doc_html_table_cb,
    .cells = doc_html_cells_cb,
    .table_end = doc_html_table_end_cb,
    .finish = doc_html_finish_cb,
    .free = doc_html_free_cb,
    .is_whole = true,
};

struct doc *
doc_html_new(struct out *o)
{
	struct doc_html *h;

	h = xalloc(sizeof(*h));
	h->doc = doc_html_ops;
	h->o = o;
	buf_init(&h->head, 0);
	buf_init(&h->contents, 0);
	buf_init(&h->body, 0);
	return (&h->doc);
}
