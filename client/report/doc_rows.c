/* SPDX-License-Identifier: ISC */
#include "client/report/doc_rows.h"

#include <stddef.h>
#include <string.h>

#include "client/report/doc_dice.h"
#include "client/report/markup.h"
#include "common/rules/show/render.h"

/* Removes a list that nothing was put into. */
static void
doc_rows_drop_list(struct doc_rows *h)
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

void
doc_rows_end(struct doc_rows *h)
{
	doc_rows_drop_list(h);
	if (h->in_list)
		buf_puts(&h->body, "</ul>\n");
	if (h->in_score)
		buf_puts(&h->body, "</tbody>\n</table></div>\n");
	if (h->in_fields)
		buf_puts(&h->body, "</dl>\n");
	h->in_list = h->in_score = h->in_fields = false;
}

void
doc_rows_more_cb(void *st, const char *text)
{
	struct doc_rows *h = st;

	doc_rows_end(h);
	markup_add(&h->body, "<p class=\"more\">%s</p>\n", text);
}

/* A term of a score, or its sum. */
static void
doc_rows_term(struct doc_rows *h, const struct render_row *row)
{
	bool is_total = row->kind == RENDER_ROW_TOTAL;

	buf_puts(&h->body, is_total ? "<tr class=\"total\">" : "<tr>");
	markup_add(&h->body,
	    "<th scope=\"row\">%s</th><td class=\"num\">%s</td></tr>\n",
	    is_total ? "Total" : row->rest, row->lead);
	if (is_total)
		doc_rows_end(h);
}

/* A sentence of an event: an item where a list has begun. */
static void
doc_rows_sentence(struct doc_rows *h, const struct render_row *row)
{
	unsigned depth = row->indent / 2;

	if (h->in_list && depth == 0)
		doc_rows_end(h);
	buf_puts(&h->body, h->in_list ? "<li" : "<p");
	if (depth > (h->in_list ? 1U : 0U))
		buf_printf(&h->body, " class=\"in%u\"", depth > 4 ? 4 : depth);
	markup_add(
	    &h->body, h->in_list ? ">%s</li>\n" : ">%s</p>\n", row->text);
}

void
doc_rows_row_cb(void *st, const struct render_row *row)
{
	const int depth = row->indent / 2 > 4 ? 4 : (int)row->indent / 2;
	bool is_result = row->kind == RENDER_ROW_RESULT;
	struct doc_rows *h = st;

	switch (row->kind) {
	case RENDER_ROW_GAP:
		doc_rows_end(h);
		break;
	case RENDER_ROW_DICE:
	case RENDER_ROW_CHITS:
		doc_rows_end(h);
		markup_add(&h->body,
		    "<div class=\"roll\"><span class=\"what\">%s:</span> ",
		    row->lead);
		if (row->kind == RENDER_ROW_DICE)
			doc_dice_html(&h->body, row->sides, row->values);
		else
			doc_dice_chits(&h->body, row->values, markup_text);
		buf_puts(&h->body, "</div>\n");
		break;
	case RENDER_ROW_SCORE:
		doc_rows_end(h);
		markup_add(&h->body,
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
			doc_rows_term(h, row);
		break;
	case RENDER_ROW_HEAD:
	case RENDER_ROW_RESULT:
		doc_rows_end(h);
		/* A word over a list; the list begins. */
		markup_add(&h->body,
		    "<p class=\"%s in%d\">%s</p>\n<ul class=\"%s\">\n",
		    is_result ? "result" : "list", depth, row->text,
		    is_result ? "results" : "facts");
		h->in_list = true;
		break;
	case RENDER_ROW_COMBAT:
		doc_rows_end(h);
		markup_add(
		    &h->body, "<p class=\"rulebook\">%s</p>\n", row->text);
		break;
	default:
		if (h->in_score)
			doc_rows_end(h);
		doc_rows_sentence(h, row);
		break;
	}
}

void
doc_rows_dice_cb(void *st, json_int_t sides, const json_t *values)
{
	struct doc_rows *h = st;

	doc_rows_end(h);
	buf_puts(&h->body, "<div class=\"roll\" aria-hidden=\"true\">");
	doc_dice_html(&h->body, sides, values);
	buf_puts(&h->body, "</div>\n");
}

void
doc_rows_paragraph_cb(void *st, const char *text)
{
	struct doc_rows *h = st;

	doc_rows_end(h);
	markup_add(&h->body, "<p>%s</p>\n", text);
}

void
doc_rows_field_cb(void *st, const char *name, const char *value)
{
	struct doc_rows *h = st;

	if (!h->in_fields) {
		doc_rows_end(h);
		buf_puts(&h->body, "<dl>\n");
		h->in_fields = true;
	}
	markup_add(
	    &h->body, "<div><dt>%s</dt> <dd>%s</dd></div>\n", name, value);
}

void
doc_rows_table_cb(
    void *st, const char *caption, size_t n, const char *const headings[])
{
	struct doc_rows *h = st;
	size_t i;

	doc_rows_end(h);
	h->n_columns = n < DOC_ROWS_COLUMNS ? n : DOC_ROWS_COLUMNS;
	if (caption == NULL)
		buf_puts(&h->body,
		    "<div class=\"wide\" tabindex=\"0\" role=\"group\" "
		    "aria-label=\"Score sheet\"><table class=\"sheet\">\n"
		    "<caption class=\"sr\">Score sheet</caption>\n");
	else
		markup_add(&h->body,
		    "<div class=\"wide\"><table class=\"units\">\n"
		    "<caption>%s</caption>\n",
		    caption);
	buf_puts(&h->body, "<thead><tr>");
	for (i = 0; i < h->n_columns; i++) {
		h->is_right[i] = headings[i][0] == '>';
		if (h->is_right[i])
			markup_add(&h->body,
			    "<th scope=\"col\" class=\"num\">%s</th>",
			    headings[i] + 1);
		else
			markup_add(
			    &h->body, "<th scope=\"col\">%s</th>", headings[i]);
	}
	buf_puts(&h->body, "</tr></thead>\n<tbody>\n");
}

void
doc_rows_cells_cb(void *st, const char *const cells[])
{
	struct doc_rows *h = st;
	size_t i;

	buf_puts(&h->body, "<tr>");
	for (i = 0; i < h->n_columns; i++) {
		markup_add(&h->body,
		    i == 0               ? "<th scope=\"row\">%s</th>"
			: h->is_right[i] ? "<td class=\"num\">%s</td>"
					 : "<td>%s</td>",
		    cells[i]);
	}
	buf_puts(&h->body, "</tr>\n");
}

void
doc_rows_table_end_cb(void *st)
{
	struct doc_rows *h = st;

	buf_puts(&h->body, "</tbody>\n</table></div>\n");
}
