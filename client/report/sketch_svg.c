/* SPDX-License-Identifier: ISC */
/*
 * A sketch as SVG.  Its title is each link in words, its description each
 * unit: who cannot see it loses nothing.  Sides differ by their place, arms
 * by a sign, so that no colour is needed to read it.  What a stranger wrote
 * goes through svg_text(), and cannot be drawn outside its card.
 */
#include <stdbool.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/report/sketch.h"
#include "client/report/svg.h"
#include "common/base/buf.h"
#include "common/rules/show/scene.h"

#define SKETCH_FIT 900 /* pixels of width that a page may shrink */
#define SKETCH_SIGN_WIDTH 24
#define SKETCH_SIGN_HEIGHT 15

/* A picture while it is written. */
struct sketch_svg {
	struct sketch k;
	const struct scene *s;
	struct buf *out;
};

static const char *const sketch_svg_sides[] = {
    [COMBAT_ATTACKER] = "sk-att",
    [COMBAT_DEFENDER] = "sk-def",
};

/*
 * The signs, within 24 by 15: infantry a cross, cavalry a bar, artillery a
 * dot, vedettes half a bar, commanders a star.
 */
static const char *const sketch_svg_signs[] = {
    [SCENE_INFANTRY] = "<path class=\"sk-sign\" d=\"M0 0L24 15M0 15L24 0\"/>",
    [SCENE_CAVALRY] = "<path class=\"sk-sign\" d=\"M0 15L24 0\"/>",
    [SCENE_ARTILLERY] = "<circle class=\"sk-dot\" cx=\"12\" cy=\"7\" r=\"4\"/>",
    [SCENE_VEDETTE] = "<path class=\"sk-sign\" d=\"M0 15L12 7\"/>",
    [SCENE_COMMANDER] = "<path class=\"sk-dot\" d=\"M12 1L14 5L18 6L15 9"
			"L16 14L12 11L8 14L9 9L6 6L10 5Z\"/>",
    [SCENE_PLAIN] = "",
};

static const char *const sketch_svg_words[] = {
    [SCENE_INFANTRY] = "infantry",
    [SCENE_CAVALRY] = "cavalry",
    [SCENE_ARTILLERY] = "artillery",
    [SCENE_VEDETTE] = "vedette",
    [SCENE_COMMANDER] = "commander",
    [SCENE_PLAIN] = "",
};

enum sketch_palette {
	SKETCH_LIGHT,
	SKETCH_DARK,
	SKETCH_PAGE, /* the variables of doc_look.css */
};

/* How a drawing looks; a letter in braces is a colour of the palette. */
static const char sketch_svg_look[] =
    ".sketch text { font-family: \"DejaVu Sans\", Verdana, Helvetica, Arial, "
    "sans-serif; fill: {i}; stroke: none; }\n"
    ".sk-back { fill: {p}; }\n"
    ".sk-face, .sk-chip { fill: {c}; stroke-width: 1.5; }\n"
    ".sk-frame { fill: none; stroke-width: 1; }\n"
    ".sk-chip { stroke: {s}; stroke-width: 1; }\n"
    ".sk-sign, .sk-line { fill: none; stroke-width: 1.5; }\n"
    ".sk-support, .sk-out .sk-face { stroke-dasharray: 5 3; }\n"
    ".sk-att, .sk-att .sk-face, .sk-att .sk-sign { stroke: {a}; }\n"
    ".sk-def, .sk-def .sk-face, .sk-def .sk-sign { stroke: {d}; }\n"
    ".sk-att .sk-dot, .sk-tip.sk-att { fill: {a}; }\n"
    ".sk-def .sk-dot, .sk-tip.sk-def { fill: {d}; }\n"
    ".sk-head { font-size: 12px; font-weight: bold; }\n"
    ".sk-name { font-size: 11px; font-weight: bold; }\n"
    ".sk-end { font-size: 10px; font-weight: bold; }\n"
    ".sketch .sk-out .sk-end { fill: {e}; }\n"
    ".sk-label, .sk-detail { font-size: 10px; }\n"
    ".sketch .sk-detail { fill: {s}; }\n"
    ".sk-figure { font-size: 13px; font-weight: bold; text-anchor: end; }\n";

/* The colours: letters, paper, cards, soft letters, sides, the worst end. */
static const struct {
	char letter;
	const char *colors[3];
} sketch_svg_colors[] = {
    {'i', {"#221d17", "#ece5d8", "var(--ink)"}},
    {'p', {"#fffdf8", "#171614", "none"}},
    {'c', {"#ffffff", "#242220", "var(--face-card)"}},
    {'s', {"#5d5447", "#b3a996", "var(--soft)"}},
    {'a', {"#1d4f91", "#8db8ec", "var(--att)"}},
    {'d', {"#855400", "#e3b25e", "var(--def)"}},
    {'e', {"#7a2018", "#e9a58f", "var(--accent)"}},
};

/* Writes how it looks in the colours of a palette. */
static void
sketch_svg_rules(enum sketch_palette palette, struct buf *out)
{
	const char *p = sketch_svg_look, *open;
	size_t i;

	for (; (open = strchr(p, '{')) != NULL; p = open + 1) {
		buf_add(out, p, (size_t)(open - p));
		/* A rule begins with a brace, too, and a blank. */
		if (open[1] == ' ') {
			buf_putc(out, '{');
			continue;
		}
		for (i = 0; sketch_svg_colors[i].letter != open[1]; i++)
			;
		buf_puts(out, sketch_svg_colors[i].colors[palette]);
		open += 2;
	}
	buf_puts(out, p);
}

void
sketch_svg_style(struct buf *out)
{
	sketch_svg_rules(SKETCH_PAGE, out);
}

/* Writes lines from y on, and frees them; returns where the next one goes. */
static int
sketch_svg_put_lines(struct sketch_svg *d, const char *class,
    struct svg_lines *l, int x, int y, int size)
{
	size_t i;

	for (i = 0; i < l->n; i++) {
		buf_printf(d->out, "<text class=\"%s\" x=\"%d\" y=\"%d\">",
		    class, x, y + size);
		svg_text(d->out, l->line[i]);
		buf_puts(d->out, "</text>\n");
		y += SKETCH_LINE;
	}
	svg_lines_clear(l);
	return (y);
}

/* Writes a text in lines. */
static int
sketch_svg_lines(struct sketch_svg *d, const char *class, const char *s, int x,
    int y, int width, size_t most, int size, bool is_bold)
{
	struct svg_lines l;

	svg_lines(&l, s, width, most, size, is_bold);
	return (sketch_svg_put_lines(d, class, &l, x, y, size));
}

/* Begins what is cut off at the border of a box; "</svg>" ends it. */
static void
sketch_svg_clip(struct sketch_svg *d, const struct sketch_box *b)
{
	buf_printf(d->out,
	    "<svg x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
	    "viewBox=\"%d %d %d %d\">\n",
	    b->x, b->y, b->width, b->height, b->x, b->y, b->width, b->height);
}

/* Writes a rectangle. */
static void
sketch_svg_box(struct sketch_svg *d, const char *class, const char *more,
    const struct sketch_box *b)
{
	buf_printf(d->out,
	    "<rect class=\"%s%s\" x=\"%d\" y=\"%d\" width=\"%d\" "
	    "height=\"%d\" rx=\"3\"/>\n",
	    class, more, b->x, b->y, b->width, b->height);
}

/*
 * Adds what there is to say of a unit: "A (infantry, strength 6, line):
 * broken".
 */
static void
sketch_svg_tell(struct sketch_svg *d, const struct scene_node *n)
{
	const char *word = sketch_svg_words[n->arm], *joint = " (";

	svg_text(d->out, n->name);
	if (*word != '\0') {
		buf_printf(d->out, "%s%s", joint, word);
		joint = ", ";
	}
	if (n->strength >= 0) {
		buf_printf(d->out, "%sstrength %lld", joint, n->strength);
		joint = ", ";
	}
	if (*n->detail != '\0') {
		buf_puts(d->out, joint);
		svg_text(d->out, n->detail);
		joint = ", ";
	}
	if (*joint == ',')
		buf_putc(d->out, ')');
	if (*n->end != '\0') {
		buf_puts(d->out, ": ");
		svg_text(d->out, n->end);
	}
}

/* Draws a unit. */
static void
sketch_svg_card(struct sketch_svg *d, size_t i, enum combat_side side)
{
	const struct scene_node *n = &d->s->nodes[i];
	const struct sketch_box *b = &d->k.nodes[i];
	const int x = b->x + SKETCH_PAD, width = b->width - 2 * SKETCH_PAD;
	int y = b->y + SKETCH_PAD;
	struct svg_lines l;

	buf_printf(d->out, "<g class=\"sk-card %s%s\"><title>",
	    sketch_svg_sides[side], n->is_out ? " sk-out" : "");
	sketch_svg_tell(d, n);
	buf_puts(d->out, "</title>\n");
	sketch_svg_box(d, "sk-face", "", b);
	buf_printf(d->out, "<g transform=\"translate(%d %d)\">", x, y);
	buf_printf(d->out,
	    "<rect class=\"sk-sign\" width=\"%d\" height=\"%d\"/>%s</g>\n",
	    SKETCH_SIGN_WIDTH, SKETCH_SIGN_HEIGHT, sketch_svg_signs[n->arm]);
	sketch_svg_clip(d, b);
	if (n->strength >= 0)
		buf_printf(d->out,
		    "<text class=\"sk-figure\" x=\"%d\" y=\"%d\">%lld"
		    "</text>\n",
		    x + width, y + SKETCH_SIGN_HEIGHT - 2, n->strength);
	svg_lines_named(
	    &l, n->name, n->id, width, SKETCH_NAME_LINES, SKETCH_NAME, true);
	y = sketch_svg_put_lines(d, "sk-name", &l, x, y + 18, SKETCH_NAME);
	y = sketch_svg_lines(d, "sk-detail", n->detail, x, y, width,
	    SKETCH_DETAIL_LINES, SKETCH_SMALL, false);
	(void)sketch_svg_lines(d, "sk-end", n->end, x, y, width,
	    SKETCH_END_LINES, SKETCH_SMALL, true);
	buf_puts(d->out, "</svg></g>\n");
}

/* Draws a group: its frame, what is said of it, its units. */
static void
sketch_svg_group(struct sketch_svg *d, size_t i)
{
	const struct scene_group *g = &d->s->groups[i];
	const struct sketch_group *q = &d->k.groups[i];
	size_t n;
	int x, y;

	if (g->has_frame || q->label > 0)
		sketch_svg_box(
		    d, "sk-frame ", sketch_svg_sides[g->side], &q->box);
	if (q->label > 0) {
		x = q->box.x + SKETCH_PAD;
		y = q->box.y + SKETCH_PAD;
		sketch_svg_clip(d, &q->box);
		(void)sketch_svg_lines(d, "sk-label", g->label, x, y,
		    q->box.width - 2 * SKETCH_PAD, SKETCH_LABEL_LINES,
		    SKETCH_SMALL, false);
		buf_puts(d->out, "</svg>\n");
	}
	for (n = g->first; n < g->end; n++)
		sketch_svg_card(d, n, g->side);
}

/* Draws the line of a link, and its head at the end. */
static void
sketch_svg_line(struct sketch_svg *d, size_t i)
{
	const struct scene_link *link = &d->s->links[i];
	const char *side = sketch_svg_sides[d->s->groups[link->from].side];
	const struct sketch_line *l = &d->k.lines[i];
	const size_t e = l->n - 1;
	/* The last part is straight: where it points, and across that. */
	const int dx = (l->x[e] > l->x[e - 1]) - (l->x[e] < l->x[e - 1]);
	const int dy = (l->y[e] > l->y[e - 1]) - (l->y[e] < l->y[e - 1]);
	size_t p;

	buf_printf(d->out, "<path class=\"sk-line %s%s\" d=\"", side,
	    link->is_support ? " sk-support" : "");
	for (p = 0; p < l->n; p++)
		buf_printf(
		    d->out, "%c%d %d", p == 0 ? 'M' : 'L', l->x[p], l->y[p]);
	buf_printf(d->out,
	    "\"/><path class=\"sk-tip %s\" d=\"M%d %dL%d %dL%d %dZ\"/>\n", side,
	    l->x[e], l->y[e], l->x[e] - 8 * dx + 4 * dy,
	    l->y[e] - 8 * dy + 4 * dx, l->x[e] - 8 * dx - 4 * dy,
	    l->y[e] - 8 * dy - 4 * dx);
}

/* Draws what is said of a link. */
static void
sketch_svg_chip(struct sketch_svg *d, size_t i)
{
	const struct sketch_box *b = &d->k.lines[i].label;

	if (b->width == 0)
		return;
	sketch_svg_box(d, "sk-chip", "", b);
	sketch_svg_clip(d, b);
	(void)sketch_svg_lines(d, "sk-label", d->s->links[i].label,
	    b->x + SKETCH_PAD, b->y + 2, b->width - 2 * SKETCH_PAD, 1,
	    SKETCH_SMALL, false);
	buf_puts(d->out, "</svg>\n");
}

/* True if a group is told in the sentence of the one before. */
static bool
sketch_svg_goes_on(const struct scene *s, size_t i)
{
	return (i > 0 && s->groups[i].side == s->groups[i - 1].side &&
	    *s->groups[i].label == '\0' && *s->groups[i - 1].label == '\0');
}

/* Tells the units of a group. */
static void
sketch_svg_tell_group(struct sketch_svg *d, size_t i)
{
	const struct scene_group *g = &d->s->groups[i];
	bool goes_on = sketch_svg_goes_on(d->s, i);
	size_t n;

	if (!goes_on)
		buf_puts(d->out,
		    g->side == COMBAT_ATTACKER ? "Attackers" : "Defenders");
	if (*g->label != '\0') {
		buf_puts(d->out, " (");
		svg_text(d->out, g->label);
		buf_puts(d->out, ")");
	}
	for (n = g->first; n < g->end; n++) {
		buf_puts(d->out, goes_on || n > g->first ? ". " : ": ");
		sketch_svg_tell(d, &d->s->nodes[n]);
	}
	if (i + 1 == d->s->n_groups || !sketch_svg_goes_on(d->s, i + 1))
		buf_puts(d->out, ". ");
}

/* Says it all in words: the title the links, the description the rest. */
static void
sketch_svg_words_of(struct sketch_svg *d, const char *id)
{
	const struct scene *s = d->s;
	size_t i;

	buf_printf(d->out, "<title id=\"%s-title\">", id);
	for (i = 0; i < s->n_links; i++) {
		buf_puts(d->out, i > 0 ? " " : "");
		svg_text(d->out, s->links[i].text);
		buf_puts(d->out, ".");
	}
	buf_printf(d->out, "</title>\n<desc id=\"%s-desc\">", id);
	if (*s->place != '\0') {
		svg_text(d->out, s->place);
		buf_puts(d->out, ". ");
	}
	for (i = 0; i < s->n_groups; i++)
		sketch_svg_tell_group(d, i);
	buf_puts(d->out, "</desc>\n");
}

/* Draws everything after the words. */
static void
sketch_svg_body(struct sketch_svg *d)
{
	const struct scene *s = d->s;
	size_t i;
	int row;

	(void)sketch_svg_lines(d, "sk-label", s->place, SKETCH_MARGIN,
	    SKETCH_MARGIN, d->k.width - 2 * SKETCH_MARGIN, SKETCH_LABEL_LINES,
	    SKETCH_SMALL, false);
	for (i = 0; i < s->n_links; i++)
		sketch_svg_line(d, i);
	for (row = 0; row < SCENE_ROWS; row++) {
		if (sketch_heading(s, row) == NULL)
			continue;
		(void)sketch_svg_lines(d, "sk-head", sketch_heading(s, row),
		    d->k.heads[row].x, d->k.heads[row].y, d->k.width, 1,
		    SKETCH_HEAD, true);
	}
	for (i = 0; i < s->n_groups; i++)
		sketch_svg_group(d, i);
	for (i = 0; i < s->n_links; i++)
		sketch_svg_chip(d, i);
}

/* Begins a picture: everything to its description. */
static void
sketch_svg_begin(struct sketch_svg *d, const struct scene *s, const char *id,
    struct buf *out)
{
	d->s = s;
	d->out = out;
	sketch_init(&d->k, s);
	buf_printf(out,
	    "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"sketch%s\" "
	    "width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\" "
	    "aria-labelledby=\"%s-title\" aria-describedby=\"%s-desc\">\n",
	    d->k.width > SKETCH_FIT ? "" : " sk-fit", d->k.width, d->k.height,
	    d->k.width, d->k.height, id, id);
	sketch_svg_words_of(d, id);
}

/* Ends it. */
static void
sketch_svg_end(struct sketch_svg *d)
{
	sketch_svg_body(d);
	buf_puts(d->out, "</svg>\n");
	sketch_clear(&d->k);
}

void
sketch_svg_tell_all(const struct scene *s, const char *id, struct buf *out)
{
	struct sketch_svg d = {.s = s, .out = out};

	sketch_svg_words_of(&d, id);
}

void
sketch_svg_put(const struct scene *s, const char *id, struct buf *out)
{
	struct sketch_svg d;

	sketch_svg_begin(&d, s, id, out);
	sketch_svg_end(&d);
}

void
sketch_svg_write(const struct scene *s, struct buf *out)
{
	struct sketch_svg d;

	buf_puts(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	sketch_svg_begin(&d, s, "sketch", out);
	buf_puts(out, "<style>\nsvg { color-scheme: light dark; }\n");
	sketch_svg_rules(SKETCH_LIGHT, out);
	buf_puts(out, "@media (prefers-color-scheme: dark) {\n");
	sketch_svg_rules(SKETCH_DARK, out);
	buf_puts(out,
	    "}\n</style>\n"
	    "<rect class=\"sk-back\" width=\"100%\" height=\"100%\"/>\n");
	sketch_svg_end(&d);
}
