/* SPDX-License-Identifier: ISC */
/*
 * Dice are drawn on a square of 32 units: six-sided ones with their pips,
 * others as the outline of such a die with the number in it.
 */
#include "client/report/doc_dice.h"

#include <stdbool.h>
#include <stdlib.h>

#include "client/base/xalloc.h"
#include "common/base/buf.h"

#define DOC_DICE_SMALL 99 /* greater numbers are set smaller */

/* Where the pips of each face are: bit 3 * row + column. */
static const unsigned doc_dice_pips[7] = {
    0, 0x010, 0x101, 0x111, 0x145, 0x155, 0x16d};

/* A die's outline. */
struct doc_dice_shape {
	json_int_t sides;
	const char *points;
	int middle; /* where the number stands */
};

static const struct doc_dice_shape doc_dice_outlines[] = {
    {4, "16,2 31,29 1,29", 21},
    {8, "16,1 31,16 16,31 1,16", 16},
    {10, "16,1 31,13 31,19 16,31 1,19 1,13", 16},
    {12, "16,1 31,12 25,30 7,30 1,12", 17},
    {20, "16,1 30,8.5 30,23.5 16,31 2,23.5 2,8.5", 16},
};

/* The outline of a die; NULL: a circle. */
static const struct doc_dice_shape *
doc_dice_find(json_int_t sides)
{
	size_t i;

	for (i = 0;
	     i < sizeof(doc_dice_outlines) / sizeof(doc_dice_outlines[0]);
	     i++) {
		if (doc_dice_outlines[i].sides == sides)
			return (&doc_dice_outlines[i]);
	}
	return (NULL);
}

void
doc_dice_shapes(struct buf *b)
{
	int bit, face;

	buf_puts(b, "<svg class=\"shapes\" aria-hidden=\"true\">\n");
	for (face = 1; face <= 6; face++) {
		buf_printf(b,
		    "<symbol id=\"d6-%d\" viewBox=\"0 0 32 32\">"
		    "<rect class=\"face\" x=\"1.5\" y=\"1.5\" width=\"29\" "
		    "height=\"29\" rx=\"6\"/>",
		    face);
		for (bit = 0; bit < 9; bit++) {
			if ((doc_dice_pips[face] & (1U << bit)) == 0)
				continue;
			buf_printf(b,
			    "<circle class=\"pip\" cx=\"%d\" cy=\"%d\" "
			    "r=\"2.9\"/>",
			    8 + 8 * (bit % 3), 8 + 8 * (bit / 3));
		}
		buf_puts(b, "</symbol>\n");
	}
	buf_puts(b, "</svg>\n");
}

/* One die. */
static void
doc_dice_one(struct buf *b, json_int_t sides, json_int_t n)
{
	const struct doc_dice_shape *sh = doc_dice_find(sides);

	if (sides == 6 && n >= 1 && n <= 6) {
		buf_printf(b,
		    "<svg class=\"die\" aria-hidden=\"true\">"
		    "<use href=\"#d6-%d\"/></svg>",
		    (int)n);
		return;
	}
	buf_puts(b,
	    "<svg class=\"die\" viewBox=\"0 0 32 32\" aria-hidden=\"true\">");
	if (sh == NULL)
		buf_puts(b,
		    "<circle class=\"face\" cx=\"16\" cy=\"16\" r=\"14.5\"/>");
	else
		buf_printf(
		    b, "<polygon class=\"face\" points=\"%s\"/>", sh->points);
	buf_printf(b,
	    "<text x=\"16\" y=\"%d\"%s>%" JSON_INTEGER_FORMAT "</text></svg>",
	    sh == NULL ? 16 : sh->middle,
	    n > DOC_DICE_SMALL || n < 0 ? " class=\"small\"" : "", n);
}

/* True for a list of numbers. */
static bool
doc_dice_is_plain(const json_t *values)
{
	const json_t *v;
	size_t i;

	json_array_foreach(values, i, v)
	{
		if (!json_is_integer(v))
			return (false);
	}
	return (json_array_size(values) > 0);
}

void
doc_dice_html(struct buf *b, json_int_t sides, const json_t *values)
{
	const json_t *v;
	size_t i;

	if (!doc_dice_is_plain(values)) {
		buf_puts(b, "<span class=\"dice\">?</span>");
		return;
	}
	buf_puts(b, "<span class=\"dice\"><span class=\"sr\">");
	json_array_foreach(values, i, v)
	    buf_printf(b, "%s%" JSON_INTEGER_FORMAT, i == 0 ? "" : ", ",
		json_integer_value(v));
	buf_puts(b, "</span>");
	json_array_foreach(values, i, v)
	    doc_dice_one(b, sides, json_integer_value(v));
	buf_puts(b, "</span>");
}

void
doc_dice_chits(struct buf *b, const json_t *values,
    void (*put_cb)(struct buf *b, const char *s))
{
	const json_t *v;
	size_t i;
	char *s;

	buf_puts(b, "<span class=\"dice\">");
	json_array_foreach(values, i, v)
	{
		s = json_is_string(v) ? xalloc_str(json_string_value(v))
				      : xalloc_dump(v);
		buf_puts(b,
		    i == 0 ? "<span class=\"chit\">"
			   : " <span class=\"chit\">");
		put_cb(b, s);
		buf_puts(b, "</span>");
		free(s);
	}
	buf_puts(b, "</span>");
}
