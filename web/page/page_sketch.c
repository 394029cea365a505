/* SPDX-License-Identifier: ISC */
/*
 * The drawing of a combat, in as few bytes as tell it: a page has ten of them.
 * It lies as sketch_init() has it and says what sketch_svg_put() says, but its
 * style is that of the page, each card has its own coordinates, and what a unit
 * is stands in the description alone.
 */
#include <stdio.h>

#include "client/report/sketch.h"
#include "client/report/svg.h"
#include "common/rules/show/scene.h"
#include "web/page/page_int.h"

#define PAGE_SKETCH_FIT 900 /* pixels of width that a page may shrink */
#define PAGE_SKETCH_SIGN 15 /* height of the sign of an arm */
#define PAGE_SKETCH_BELOW 18 /* from its top to the name */

static const char *const page_sketch_sides[] = {
    [COMBAT_ATTACKER] = "ka",
    [COMBAT_DEFENDER] = "kb",
};

/* The signs of the arms, each in its box of 24 by 15 in the card's corner. */
static const char *const page_sketch_signs[] = {
    [SCENE_INFANTRY] = "<path d=\"M6 6h24v15H6zL30 21M6 21L30 6\"/>",
    [SCENE_CAVALRY] = "<path d=\"M6 6h24v15H6zM6 21L30 6\"/>",
    [SCENE_ARTILLERY] = "<path d=\"M6 6h24v15H6z\"/>"
			"<circle class=\"kt\" cx=\"18\" cy=\"13\" r=\"4\"/>",
    [SCENE_VEDETTE] = "<path d=\"M6 6h24v15H6zM6 21L18 13\"/>",
    [SCENE_COMMANDER] = "<path d=\"M6 6h24v15H6z\"/><path class=\"kt\" "
			"d=\"M18 7l2 4 4 1-3 3 1 5-4-3-4 3 1-5-3-3 4-1z\"/>",
    [SCENE_PLAIN] = "<path d=\"M6 6h24v15H6z\"/>",
};

/* Writes lines from y on, and frees them; returns where the next one goes. */
static int
page_sketch_lines(
    struct buf *b, const char *class, struct svg_lines *l, int x, int y)
{
	size_t i;

	for (i = 0; i < l->n; i++, y += SKETCH_LINE) {
		buf_printf(b, "<text%s x=\"%d\" y=\"%d\">", class, x, y);
		svg_text(b, l->line[i]);
		buf_puts(b, "</text>");
	}
	svg_lines_clear(l);
	return (y);
}

/* Begins what has its own coordinates, and is cut off at its border. */
static void
page_sketch_open(struct buf *b, const char *class, const struct sketch_box *at)
{
	buf_printf(b, "<svg%s x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\">",
	    class, at->x, at->y, at->width, at->height);
}

/* A unit. */
static void
page_sketch_card(struct buf *b, const struct sketch *k, size_t i)
{
	const struct scene_node *n = &k->s->nodes[i];
	const struct sketch_box *at = &k->nodes[i];
	const int x = SKETCH_PAD, width = at->width - 2 * SKETCH_PAD;
	struct svg_lines l;
	int y = SKETCH_PAD + PAGE_SKETCH_BELOW;

	page_sketch_open(
	    b, n->is_out ? " class=\"kc ko\"" : " class=\"kc\"", at);
	buf_printf(b, "<rect width=\"%d\" height=\"%d\"/>%s", at->width,
	    at->height, page_sketch_signs[n->arm]);
	if (n->strength >= 0)
		buf_printf(b,
		    "<text class=\"kg\" x=\"%d\" y=\"%d\">%lld</text>",
		    x + width, SKETCH_PAD + PAGE_SKETCH_SIGN - 2, n->strength);
	svg_lines_named(
	    &l, n->name, n->id, width, SKETCH_NAME_LINES, SKETCH_NAME, true);
	y = page_sketch_lines(b, "", &l, x, y + SKETCH_NAME) - SKETCH_NAME;
	y += SKETCH_SMALL;
	svg_lines(
	    &l, n->detail, width, SKETCH_DETAIL_LINES, SKETCH_SMALL, false);
	y = page_sketch_lines(b, " class=\"kd\"", &l, x, y);
	svg_lines(&l, n->end, width, SKETCH_END_LINES, SKETCH_SMALL, true);
	(void)page_sketch_lines(b, " class=\"ke\"", &l, x, y);
	buf_puts(b, "</svg>\n");
}

/* A group: its frame, what is said of it, its units. */
static void
page_sketch_group(struct buf *b, const struct sketch *k, size_t i)
{
	const struct scene_group *g = &k->s->groups[i];
	const struct sketch_group *q = &k->groups[i];
	struct svg_lines l;
	size_t n;

	buf_printf(b, "<g class=\"%s\">\n", page_sketch_sides[g->side]);
	if (g->has_frame || q->label > 0)
		buf_printf(b,
		    "<rect class=\"kf\" x=\"%d\" y=\"%d\" width=\"%d\" "
		    "height=\"%d\" rx=\"3\"/>",
		    q->box.x, q->box.y, q->box.width, q->box.height);
	if (q->label > 0) {
		page_sketch_open(b, "", &q->box);
		svg_lines(&l, g->label, q->box.width - 2 * SKETCH_PAD,
		    SKETCH_LABEL_LINES, SKETCH_SMALL, false);
		(void)page_sketch_lines(b, " class=\"kl\"", &l, SKETCH_PAD,
		    SKETCH_PAD + SKETCH_SMALL);
		buf_puts(b, "</svg>\n");
	}
	for (n = g->first; n < g->end; n++)
		page_sketch_card(b, k, n);
	buf_puts(b, "</g>\n");
}

/* The line of a link, and its head at the end. */
static void
page_sketch_line(struct buf *b, const struct sketch *k, size_t i)
{
	const struct scene_link *link = &k->s->links[i];
	const char *side = page_sketch_sides[k->s->groups[link->from].side];
	const struct sketch_line *l = &k->lines[i];
	const size_t e = l->n - 1;
	/* The last part is straight: where it points, and across that. */
	const int dx = (l->x[e] > l->x[e - 1]) - (l->x[e] < l->x[e - 1]);
	const int dy = (l->y[e] > l->y[e - 1]) - (l->y[e] < l->y[e - 1]);
	size_t p;

	buf_printf(b, "<path class=\"%s%s\" d=\"", side,
	    link->is_support ? " ku" : "");
	for (p = 0; p < l->n; p++)
		buf_printf(b, "%c%d %d", p == 0 ? 'M' : 'L', l->x[p], l->y[p]);
	buf_printf(b, "\"/><path class=\"%s kt\" d=\"M%d %dL%d %dL%d %dz\"/>\n",
	    side, l->x[e], l->y[e], l->x[e] - 8 * dx + 4 * dy,
	    l->y[e] - 8 * dy + 4 * dx, l->x[e] - 8 * dx - 4 * dy,
	    l->y[e] - 8 * dy - 4 * dx);
}

/* What is said of a link. */
static void
page_sketch_chip(struct buf *b, const struct sketch *k, size_t i)
{
	const struct sketch_box *at = &k->lines[i].label;
	struct svg_lines l;

	if (at->width == 0)
		return;
	page_sketch_open(b, "", at);
	buf_printf(b, "<rect class=\"kp\" width=\"%d\" height=\"%d\"/>",
	    at->width, at->height);
	svg_lines(&l, k->s->links[i].label, at->width - 2 * SKETCH_PAD, 1,
	    SKETCH_SMALL, false);
	(void)page_sketch_lines(
	    b, " class=\"kl\"", &l, SKETCH_PAD, 2 + SKETCH_SMALL);
	buf_puts(b, "</svg>\n");
}

int
page_sketch(struct buf *b, const struct scene *s, const char *id)
{
	struct svg_lines l;
	struct sketch k;
	int row, width;
	size_t i;

	sketch_init(&k, s);
	width = k.width;
	buf_printf(b,
	    "<svg class=\"sketch%s\" width=\"%d\" height=\"%d\" "
	    "viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"%s-title\" "
	    "aria-describedby=\"%s-desc\">\n",
	    width > PAGE_SKETCH_FIT ? "" : " sk-fit", width, k.height, width,
	    k.height, id, id);
	sketch_svg_tell_all(s, id, b);
	svg_lines(&l, s->place, width - 2 * SKETCH_MARGIN, SKETCH_LABEL_LINES,
	    SKETCH_SMALL, false);
	(void)page_sketch_lines(b, " class=\"kl\"", &l, SKETCH_MARGIN,
	    SKETCH_MARGIN + SKETCH_SMALL);
	for (i = 0; i < s->n_links; i++)
		page_sketch_line(b, &k, i);
	for (row = 0; row < SCENE_ROWS; row++) {
		if (sketch_heading(s, row) == NULL)
			continue;
		svg_lines(
		    &l, sketch_heading(s, row), width, 1, SKETCH_HEAD, true);
		(void)page_sketch_lines(b, " class=\"kh\"", &l, k.heads[row].x,
		    k.heads[row].y + SKETCH_HEAD);
	}
	for (i = 0; i < s->n_groups; i++)
		page_sketch_group(b, &k, i);
	for (i = 0; i < s->n_links; i++)
		page_sketch_chip(b, &k, i);
	buf_puts(b, "</svg>\n");
	sketch_clear(&k);
	return (width);
}
