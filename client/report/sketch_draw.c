/* SPDX-License-Identifier: ISC */
/*
 * A scene drawn in letters: the attackers' groups as boxes on the left, the
 * defenders' on the right, and a straight arrow for each link between.  A
 * group that has several links is as high as all of their arrows.  For that,
 * the links need an order in which those of each group follow each other;
 * whatever stands in one line of battle has one.
 */
#include <stdlib.h>
#include <string.h>

#include "client/base/out.h"
#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/report/doc_table.h"
#include "client/report/sketch.h"
#include "client/report/sketch_int.h"
#include "common/base/buf.h"
#include "common/rules/show/scene.h"

#define DRAW_WIDTH (OUT_WIDTH - 1)
#define DRAW_GAP 21 /* columns between boxes at most */
#define DRAW_EDGE 2 /* a border and a blank */
#define DRAW_TREE 4 /* columns by which a box of support is narrower */
#define DRAW_SHAFT 8 /* least of an arrow that has its words in its line */

/* What lines are made of. */
struct draw_signs {
	const char *level, *upright;
	const char *corner[4]; /* from the upper left, as one reads */
	const char *left, *right; /* where a level meets an upright */
};

static const struct draw_signs draw_plain = {
    "-", "|", {"+", "+", "+", "+"}, "+", "+"};
static const struct draw_signs draw_lines = {"\xe2\x94\x80", "\xe2\x94\x82",
    {"\xe2\x94\x8c", "\xe2\x94\x90", "\xe2\x94\x94", "\xe2\x94\x98"},
    "\xe2\x94\x9c", "\xe2\x94\xa4"};

/* Lines, owned; NULL is one that goes across the box. */
struct draw_list {
	char **line;
	size_t n;
};

enum {
	DRAW_LEFT,
	DRAW_MIDDLE,
	DRAW_RIGHT,
	DRAW_COLUMNS,
};

struct draw {
	const struct scene *s;
	int (*columns)(const char *s, size_t n);
	const struct draw_signs *signs;
	int box, gap; /* columns of a box, and those between two */
	struct draw_list column[DRAW_COLUMNS];
	bool *is_done; /* of each link: it has its place in the order */
	bool *is_drawn; /* of each group */
	size_t *order, n_order; /* links, from above */
};

/* Adds a line (stolen). */
static void
draw_add(struct draw_list *l, char *line)
{
	l->line = xalloc_more(l->line, l->n, sizeof(*l->line));
	l->line[l->n++] = line;
}

static void
draw_clear(struct draw_list *l)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		free(l->line[i]);
	free(l->line);
	*l = (struct draw_list){NULL, 0};
}

/* Leaves a column's lines empty up to line y. */
static void
draw_skip(struct draw_list *l, size_t y)
{
	while (l->n < y)
		draw_add(l, xalloc_str(""));
}

/* How many columns a clean text takes. */
static int
draw_wide(const struct draw *d, const char *s)
{
	int w = 0;

	if (d->columns != NULL)
		return (d->columns(s, strlen(s)));
	for (; *s != '\0'; s++)
		w += ((unsigned char)*s & 0xc0) != 0x80;
	return (w);
}

/* Appends a sign n times. */
static void
draw_repeat(struct buf *b, const char *sign, int n)
{
	for (; n > 0; n--)
		buf_puts(b, sign);
}

/* Adds a text that may be a stranger's, on lines, after a sign ("": none). */
static void
draw_wrap(const struct draw *d, struct draw_list *l, const char *sign,
    const char *text, int width)
{
	const int hang = *sign == '\0' ? 0 : draw_wide(d, sign) + 1;
	char *safe = text_safe(text);
	const char *p = safe;
	size_t n;

	do {
		n = doc_table_part(p, (unsigned)(width - hang), d->columns);
		draw_add(l,
		    xalloc_printf(
			"%-*s%.*s", hang, p == safe ? sign : "", (int)n, p));
		p += n;
		p += strspn(p, " ");
	} while (*p != '\0');
	free(safe);
}

/* Adds what stands in a group's box: its label, a line, its units piled. */
static void
draw_fill(const struct draw *d, size_t group, int width, struct draw_list *l)
{
	const struct scene_group *g = &d->s->groups[group];
	struct sketch_text_cells c;
	size_t i;

	if (*g->label != '\0') {
		draw_wrap(d, l, "", g->label, width);
		if (g->first < g->end)
			draw_add(l, NULL);
	}
	for (i = g->first; i < g->end; i++) {
		c = sketch_text_unit(&d->s->nodes[i]);
		draw_wrap(d, l, c.sign, c.name, width);
		free(c.sign);
		free(c.name);
	}
}

/* Adds a line of a box from border to border; text (stolen) NULL: a level. */
static void
draw_line(const struct draw *d, struct draw_list *to, const char *before,
    const char *left, char *text, const char *right, int width)
{
	struct buf b;

	buf_init(&b, 0);
	buf_printf(&b, "%s%s", before, left);
	if (text == NULL) {
		draw_repeat(&b, d->signs->level, width - 2);
	} else {
		buf_printf(&b, " %s", text);
		draw_repeat(&b, " ", width - 3 - draw_wide(d, text));
	}
	buf_puts(&b, right);
	draw_add(to, xalloc_take(&b));
	free(text);
}

/* Adds a box of these lines (used up), at least `height` lines high. */
static void
draw_box(const struct draw *d, struct draw_list *to, struct draw_list *text,
    size_t height)
{
	const struct draw_signs *g = d->signs;
	size_t i;

	draw_line(d, to, "", g->corner[0], NULL, g->corner[1], d->box);
	for (i = 0; i < text->n || i + 2 < height; i++) {
		if (i < text->n && text->line[i] == NULL)
			draw_line(d, to, "", g->left, NULL, g->right, d->box);
		else
			draw_line(d, to, "", g->upright,
			    i < text->n ? text->line[i] : xalloc_str(""),
			    g->upright, d->box);
	}
	draw_line(d, to, "", g->corner[2], NULL, g->corner[3], d->box);
	free(text->line);
	*text = (struct draw_list){NULL, 0};
}

/* Adds the box of a group that supports the one above. */
static void
draw_support(struct draw *d, const struct scene_link *k, bool is_last,
    struct draw_list *to)
{
	const struct draw_signs *g = d->signs;
	const int width = d->box - DRAW_TREE;
	struct draw_list text = {NULL, 0};
	char *trunk = xalloc_printf("  %s ", g->upright);
	char *branch =
	    xalloc_printf("  %s%s", is_last ? g->corner[2] : g->left, g->level);
	const char *after = is_last ? "    " : trunk;
	size_t i;

	draw_fill(d, k->from, width - 2 * DRAW_EDGE, &text);
	draw_line(d, to, trunk, g->corner[0], NULL, g->corner[1], width);
	for (i = 0; i < text.n; i++) {
		if (text.line[i] == NULL)
			draw_line(d, to, i == 0 ? branch : after, g->left, NULL,
			    g->right, width);
		else
			draw_line(d, to, i == 0 ? branch : after, g->upright,
			    text.line[i], g->upright, width);
	}
	draw_line(d, to, after, g->corner[2], NULL, g->corner[3], width);
	free(text.line);
	free(trunk);
	free(branch);
	d->is_drawn[k->from] = true;
}

/* ---- the order of links ---- */

/* Whether a link counts for the order, and touches this group. */
static bool
draw_touches(const struct scene_link *k, size_t group)
{
	return (!k->is_support && (k->from == group || k->to == group));
}

/* The group at the other end. */
static size_t
draw_other(const struct scene_link *k, size_t group)
{
	return (k->from == group ? k->to : k->from);
}

/* True if all links of a group lead to one other. */
static bool
draw_is_leaf(const struct draw *d, size_t group)
{
	const size_t none = d->s->n_groups;
	size_t other = none, i;

	for (i = 0; i < d->s->n_links; i++) {
		if (!draw_touches(&d->s->links[i], group))
			continue;
		if (other != none &&
		    draw_other(&d->s->links[i], group) != other)
			return (false);
		other = draw_other(&d->s->links[i], group);
	}
	return (true);
}

/* Puts the links between two groups into the order. */
static void
draw_take(struct draw *d, size_t a, size_t b)
{
	size_t i;

	for (i = 0; i < d->s->n_links; i++) {
		if (d->is_done[i] || !draw_touches(&d->s->links[i], a) ||
		    draw_other(&d->s->links[i], a) != b)
			continue;
		d->is_done[i] = true;
		d->order[d->n_order++] = i;
	}
}

/*
 * Whether those that hang together with this group can be put in order from
 * it on: at most one of its neighbours has others, too.
 */
static bool
draw_is_end(const struct draw *d, size_t group)
{
	const size_t none = d->s->n_groups;
	size_t next = none, i, o;

	for (i = 0; i < d->s->n_links; i++) {
		if (!draw_touches(&d->s->links[i], group))
			continue;
		o = draw_other(&d->s->links[i], group);
		if (draw_is_leaf(d, o))
			continue;
		if (draw_is_leaf(d, group) || (next != none && next != o))
			return (false);
		next = o;
	}
	return (true);
}

/* Orders the links from a group on; false if there is no order. */
static bool
draw_walk(struct draw *d, size_t group)
{
	const size_t none = d->s->n_groups;
	size_t next, i, o;

	for (; group != none; group = next) {
		next = none;
		for (i = 0; i < d->s->n_links; i++) {
			if (d->is_done[i] ||
			    !draw_touches(&d->s->links[i], group))
				continue;
			o = draw_other(&d->s->links[i], group);
			if (draw_is_leaf(d, o))
				draw_take(d, group, o);
			else if (next == none || next == o)
				next = o;
			else
				return (false);
		}
		if (next != none)
			draw_take(d, group, next);
	}
	return (true);
}

/*
 * Orders all links, as they were given as far as that goes; false if there is
 * no such order.
 */
static bool
draw_order(struct draw *d)
{
	const struct scene_link *k = d->s->links;
	size_t i;

	for (i = 0; i < d->s->n_links; i++) {
		if ((draw_is_end(d, k[i].from) && !draw_walk(d, k[i].from)) ||
		    (draw_is_end(d, k[i].to) && !draw_walk(d, k[i].to)))
			return (false);
	}
	for (i = 0; i < d->s->n_links; i++) {
		if (!d->is_done[i] && !k[i].is_support)
			return (false);
	}
	return (true);
}

/* ---- what fits ---- */

/* How many arrows come from or go to a group. */
static size_t
draw_count(const struct scene *s, size_t group)
{
	size_t n = 0, i;

	for (i = 0; i < s->n_links; i++)
		n += draw_touches(&s->links[i], group) ? 1 : 0;
	return (n);
}

/* Whether a support can hang below what it supports, alone on its side. */
static bool
draw_hangs(const struct scene *s, size_t link)
{
	const struct scene_link *k = &s->links[link];
	size_t i;

	if (s->groups[k->from].side != s->groups[k->to].side ||
	    draw_count(s, k->from) > 0 || draw_count(s, k->to) == 0)
		return (false);
	for (i = 0; i < s->n_groups; i++) {
		if (i != k->to && s->groups[i].side == s->groups[k->to].side &&
		    draw_count(s, i) > 0)
			return (false);
	}
	for (i = 0; i < link; i++) {
		if (s->links[i].is_support && s->links[i].from == k->from)
			return (false);
	}
	return (true);
}

/* Whether a scene is one that can be drawn, but for the order of its links. */
static bool
draw_fits(const struct scene *s)
{
	size_t units[2] = {0, 0}, i, n;
	const struct scene_link *k;

	for (i = 0; i < s->n_groups; i++) {
		for (n = s->groups[i].first; n < s->groups[i].end; n++) {
			if (s->nodes[n].arm != SCENE_COMMANDER)
				units[s->groups[i].side]++;
		}
	}
	if (s->n_links == 0 || units[0] > SKETCH_DRAW_UNITS ||
	    units[1] > SKETCH_DRAW_UNITS)
		return (false);
	for (i = 0; i < s->n_links; i++) {
		k = &s->links[i];
		if (k->is_support
			? !draw_hangs(s, i)
			: s->groups[k->from].side != COMBAT_ATTACKER ||
			    s->groups[k->to].side != COMBAT_DEFENDER)
			return (false);
	}
	return (true);
}

/* ---- drawing ---- */

/* Says how a link acts, and whether its words stand in the arrow's line. */
static char *
draw_words(const struct draw *d, const struct scene_link *k, bool *is_short)
{
	char *how = sketch_text_how(k), *safe = text_safe(how);

	free(how);
	*is_short = draw_wide(d, safe) <= DRAW_GAP - DRAW_SHAFT;
	return (safe);
}

/* Leaves to boxes what arrows do not need. */
static void
draw_widths(struct draw *d)
{
	int most = 0, wide;
	bool is_short;
	char *how;
	size_t i;

	for (i = 0; i < d->n_order; i++) {
		how = draw_words(d, &d->s->links[d->order[i]], &is_short);
		wide = is_short ? draw_wide(d, how) : DRAW_GAP - DRAW_SHAFT;
		most = wide > most ? wide : most;
		free(how);
	}
	d->box = (DRAW_WIDTH - most - DRAW_SHAFT) / 2;
	d->gap = DRAW_WIDTH - 2 * d->box;
}

/* Adds the arrow of a link, below its words if they are long. */
static void
draw_arrow(struct draw *d, const struct scene_link *k, struct draw_list *to)
{
	int width = d->gap - 1;
	bool is_short;
	char *how = draw_words(d, k, &is_short);
	struct buf b;

	if (!is_short)
		draw_wrap(d, to, " ", how, d->gap - 1);
	buf_init(&b, 0);
	if (is_short && *how != '\0') {
		buf_printf(&b, "%s %s ", d->signs->level, how);
		width -= draw_wide(d, how) + 3;
	}
	draw_repeat(&b, d->signs->level, width);
	buf_putc(&b, '>');
	draw_add(to, xalloc_take(&b));
	free(how);
}

/* The group at one end of the link at this place in the order. */
static size_t
draw_at(const struct draw *d, size_t i, int column)
{
	const struct scene_link *k = &d->s->links[d->order[i]];

	return (column == DRAW_LEFT ? k->from : k->to);
}

/*
 * Makes the links high enough for the boxes of a column or, with is_final,
 * draws these.
 */
static void
draw_boxes(struct draw *d, int column, size_t *heights, bool is_final)
{
	struct draw_list text = {NULL, 0};
	size_t i, end, group, height;

	for (i = 0; i < d->n_order; i = end) {
		group = draw_at(d, i, column);
		height = 0;
		for (end = i;
		     end < d->n_order && draw_at(d, end, column) == group;
		     end++)
			height += heights[end];
		draw_fill(d, group, d->box - 2 * DRAW_EDGE, &text);
		if (is_final) {
			draw_box(d, &d->column[column], &text, height);
			d->is_drawn[group] = true;
			continue;
		}
		if (text.n + 2 > height)
			heights[end - 1] += text.n + 2 - height;
		draw_clear(&text);
	}
}

/* Draws the groups that act against each other. */
static void
draw_contacts(struct draw *d)
{
	size_t *heights = xalloc((d->n_order + 1) * sizeof(*heights));
	struct draw_list arrow = {NULL, 0};
	size_t i, y = 0;

	for (i = 0; i < d->n_order; i++) {
		draw_arrow(d, &d->s->links[d->order[i]], &arrow);
		heights[i] = arrow.n + 2;
		draw_clear(&arrow);
	}
	draw_boxes(d, DRAW_LEFT, heights, false);
	draw_boxes(d, DRAW_RIGHT, heights, false);
	for (i = 0; i < d->n_order; i++) {
		draw_skip(&d->column[DRAW_MIDDLE], y + 1);
		draw_arrow(
		    d, &d->s->links[d->order[i]], &d->column[DRAW_MIDDLE]);
		y += heights[i];
	}
	draw_boxes(d, DRAW_LEFT, heights, true);
	draw_boxes(d, DRAW_RIGHT, heights, true);
	free(heights);
}

/* Draws those of a side that support others, and then those that only stand. */
static void
draw_rest(struct draw *d, enum combat_side side, struct draw_list *to)
{
	const struct scene *s = d->s;
	struct draw_list text = {NULL, 0};
	size_t i, last = s->n_links;
	bool is_first = true;
	char *how;

	for (i = 0; i < s->n_links; i++) {
		if (s->links[i].is_support &&
		    s->groups[s->links[i].from].side == side)
			last = i;
	}
	for (i = 0; i < s->n_links; i++) {
		if (!s->links[i].is_support ||
		    s->groups[s->links[i].from].side != side)
			continue;
		how = sketch_text_how(&s->links[i]);
		if (is_first)
			draw_wrap(d, to, "  ^", how, d->box);
		free(how);
		is_first = false;
		draw_support(d, &s->links[i], i == last, to);
	}
	for (i = 0; i < s->n_groups; i++) {
		if (s->groups[i].side != side || d->is_drawn[i])
			continue;
		draw_add(to, xalloc_str(""));
		if (*s->groups[i].label == '\0')
			draw_add(to,
			    xalloc_str(side == COMBAT_ATTACKER
				    ? "Behind the attackers"
				    : "Behind the defenders"));
		draw_fill(d, i, d->box - 2 * DRAW_EDGE, &text);
		draw_box(d, to, &text, 0);
	}
}

/* Appends the columns side by side. */
static void
draw_join(const struct draw *d, struct buf *out)
{
	const int at[DRAW_COLUMNS] = {0, d->box, d->box + d->gap};
	size_t y, most = 0;
	const char *s;
	int c, x;

	for (c = 0; c < DRAW_COLUMNS; c++) {
		if (d->column[c].n > most)
			most = d->column[c].n;
	}
	buf_printf(out, "%-*sDefenders\n", at[DRAW_RIGHT], "Attackers");
	for (y = 0; y < most; y++) {
		for (c = 0, x = 0; c < DRAW_COLUMNS; c++) {
			s = y < d->column[c].n ? d->column[c].line[y] : "";
			if (*s == '\0')
				continue;
			draw_repeat(out, " ", at[c] - x);
			buf_puts(out, s);
			x = at[c] + draw_wide(d, s);
		}
		buf_putc(out, '\n');
	}
}

bool
sketch_draw_write(const struct scene *s, struct buf *out,
    int (*columns)(const char *s, size_t n), bool has_lines)
{
	struct draw d = {.s = s,
	    .columns = columns,
	    .signs = has_lines ? &draw_lines : &draw_plain};
	bool is_fit;
	int c;

	if (!draw_fits(s))
		return (false);
	d.is_done = xalloc((s->n_links + 1) * sizeof(*d.is_done));
	d.is_drawn = xalloc((s->n_groups + 1) * sizeof(*d.is_drawn));
	d.order = xalloc((s->n_links + 1) * sizeof(*d.order));
	if ((is_fit = draw_order(&d))) {
		draw_widths(&d);
		draw_contacts(&d);
		draw_rest(&d, COMBAT_ATTACKER, &d.column[DRAW_LEFT]);
		draw_rest(&d, COMBAT_DEFENDER, &d.column[DRAW_RIGHT]);
		draw_join(&d, out);
		sketch_text_key(s, out);
	}
	for (c = 0; c < DRAW_COLUMNS; c++)
		draw_clear(&d.column[c]);
	free(d.is_done);
	free(d.is_drawn);
	free(d.order);
	return (is_fit);
}
