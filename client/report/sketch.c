/* SPDX-License-Identifier: ISC */
/*
 * The layout of a sketch: rows of groups, bands between them for the labels
 * of links, and lines from group to group.  All in whole pixels.
 */
#include "client/report/sketch.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/report/svg.h"
#include "common/rules/show/scene.h"

#define SKETCH_GAP 30 /* between groups of a row, with room for lines */
#define SKETCH_CARD_GAP 6 /* between the cards of a group */
#define SKETCH_FRAME 6 /* from a frame to what is in it */
#define SKETCH_BAND 46 /* between rows, without labels */
#define SKETCH_CHIP 17 /* height of a label */
#define SKETCH_CHIP_ROW 22
#define SKETCH_CHIP_WIDTH 170 /* of its text, at most */
#define SKETCH_TIP 12 /* the straight end of a line */
#define SKETCH_COLUMNS 6 /* cards of a group side by side */
#define SKETCH_LEAST 360 /* width of a picture */

/* How wide cards are where a row has up to so many columns. */
static const struct {
	size_t columns;
	int width;
} sketch_cards[] = {{3, 190}, {6, 140}, {SIZE_MAX, 116}};

/* A layout while it is made. */
struct sketch_plan {
	struct sketch *k;
	int card_width, card_height;
	int row_y[SCENE_ROWS], row_height[SCENE_ROWS];
};

const char *
sketch_heading(const struct scene *s, int row)
{
	static const char *const words[SCENE_ROWS][2] = {
	    [SCENE_BEYOND] = {"Attackers, from the rear",
		"Behind the defenders"},
	    [SCENE_DEFENDING] = {"Defenders", "Defenders"},
	    [SCENE_ATTACKING] = {"Attackers", "Attackers"},
	    [SCENE_BEHIND] = {"Behind the attackers", "Behind the attackers"},
	};
	size_t i;

	for (i = 0; i < s->n_groups; i++) {
		if ((int)s->groups[i].row == row)
			return (words[row][s->groups[i].side]);
	}
	return (NULL);
}

/* How many cards of a group lie side by side. */
static size_t
sketch_columns(const struct scene_group *g)
{
	size_t n = g->end - g->first, rows;

	if (n == 0)
		return (1);
	rows = (n + SKETCH_COLUMNS - 1) / SKETCH_COLUMNS;
	return ((n + rows - 1) / rows);
}

/* The height that lines of a text take. */
static size_t
sketch_count(const char *s, int width, size_t most, int size, bool is_bold)
{
	struct svg_lines l;
	size_t n;

	svg_lines(&l, s, width, most, size, is_bold);
	n = l.n;
	svg_lines_clear(&l);
	return (n);
}

/* Decides how large cards are: all are the same. */
static void
sketch_card(struct sketch_plan *p)
{
	const struct scene *s = p->k->s;
	size_t columns[SCENE_ROWS] = {0}, most = 0, i, n, lines = 0;
	struct svg_lines l;
	int width;

	for (i = 0; i < s->n_groups; i++) {
		columns[s->groups[i].row] += p->k->groups[i].columns;
		if (columns[s->groups[i].row] > most)
			most = columns[s->groups[i].row];
	}
	for (i = 0; most > sketch_cards[i].columns; i++)
		;
	p->card_width = sketch_cards[i].width;
	width = p->card_width - 2 * SKETCH_PAD;
	for (i = 0; i < s->n_nodes; i++) {
		svg_lines_named(&l, s->nodes[i].name, s->nodes[i].id, width,
		    SKETCH_NAME_LINES, SKETCH_NAME, true);
		n = l.n +
		    sketch_count(s->nodes[i].detail, width, SKETCH_DETAIL_LINES,
			SKETCH_SMALL, false) +
		    sketch_count(s->nodes[i].end, width, SKETCH_END_LINES,
			SKETCH_SMALL, true);
		svg_lines_clear(&l);
		lines = n > lines ? n : lines;
	}
	/* The sign and the figure stand above. */
	p->card_height = 2 * SKETCH_PAD + 18 + (int)lines * SKETCH_LINE;
}

/* Says how large a group is, at a place that is yet to be found. */
static void
sketch_size(struct sketch_plan *p, size_t i)
{
	const struct scene_group *g = &p->k->s->groups[i];
	struct sketch_group *q = &p->k->groups[i];
	const int columns = (int)q->columns;
	int rows = ((int)(g->end - g->first) + columns - 1) / columns;

	q->box.width =
	    columns * (p->card_width + SKETCH_CARD_GAP) - SKETCH_CARD_GAP;
	q->label = SKETCH_LINE *
	    (int)sketch_count(g->label, q->box.width, SKETCH_LABEL_LINES,
		SKETCH_SMALL, false);
	q->box.height =
	    rows * (p->card_height + SKETCH_CARD_GAP) - SKETCH_CARD_GAP;
	if (rows == 0)
		q->box.height = 0;
	if (q->label > 0)
		q->box.height += q->label + SKETCH_CARD_GAP;
	if (g->has_frame || q->label > 0) {
		q->box.width += 2 * SKETCH_FRAME;
		q->box.height += 2 * SKETCH_FRAME;
	}
}

/*
 * Where a group would stand by those that it acts against: the mean of their
 * places, in 256ths.
 */
static int
sketch_wish(const struct sketch *k, size_t group)
{
	const struct scene *s = k->s;
	long long sum = 0, n = 0;
	size_t i;

	for (i = 0; i < s->n_links; i++) {
		if (s->links[i].from != group)
			continue;
		sum += 256LL * k->groups[s->links[i].to].order;
		n++;
	}
	return (n == 0 ? 0 : (int)(sum / n));
}

/*
 * Gives the groups of a row their places: in the order in which they were
 * given or, if they follow those that they act against, by these.
 */
static void
sketch_order(struct sketch *k, enum scene_row row, bool follows)
{
	const struct scene *s = k->s;
	size_t *list = xalloc((s->n_groups + 1) * sizeof(*list)), n = 0, i, j;
	int *wish = xalloc((s->n_groups + 1) * sizeof(*wish));

	for (i = 0; i < s->n_groups; i++) {
		if (s->groups[i].row != row)
			continue;
		wish[i] = follows ? sketch_wish(k, i) : 0;
		for (j = n++; j > 0 && wish[list[j - 1]] > wish[i]; j--)
			list[j] = list[j - 1];
		list[j] = i;
	}
	for (i = 0; i < n; i++)
		k->groups[list[i]].order = (int)i;
	free(wish);
	free(list);
}

/* The group of a row with this place; s->n_groups if there is none. */
static size_t
sketch_at(const struct sketch *k, enum scene_row row, int order)
{
	size_t i;

	for (i = 0; i < k->s->n_groups; i++) {
		if (k->s->groups[i].row == row && k->groups[i].order == order)
			break;
	}
	return (i);
}

/* The width of a row; as high as its highest group. */
static int
sketch_row(struct sketch_plan *p, enum scene_row row)
{
	const struct sketch *k = p->k;
	int width = 0, order;
	size_t i;

	p->row_height[row] = 0;
	for (order = 0; (i = sketch_at(k, row, order)) < k->s->n_groups;
	     order++) {
		width += k->groups[i].box.width + (order > 0 ? SKETCH_GAP : 0);
		if (k->groups[i].box.height > p->row_height[row])
			p->row_height[row] = k->groups[i].box.height;
	}
	return (width);
}

/* Puts the cards of a group into it. */
static void
sketch_put_cards(struct sketch_plan *p, size_t i)
{
	const struct scene_group *g = &p->k->s->groups[i];
	const struct sketch_group *q = &p->k->groups[i];
	const int frame = g->has_frame || q->label > 0 ? SKETCH_FRAME : 0;
	struct sketch_box *b;
	size_t n, at;

	for (n = g->first; n < g->end; n++) {
		b = &p->k->nodes[n];
		at = n - g->first;
		b->width = p->card_width;
		b->height = p->card_height;
		b->x = q->box.x + frame +
		    (int)(at % q->columns) * (b->width + SKETCH_CARD_GAP);
		b->y = q->box.y + frame +
		    (int)(at / q->columns) * (b->height + SKETCH_CARD_GAP);
		if (q->label > 0)
			b->y += q->label + SKETCH_CARD_GAP;
	}
}

/* Puts a row into the middle of the picture. */
static void
sketch_put_row(struct sketch_plan *p, enum scene_row row)
{
	struct sketch *k = p->k;
	int x = (k->width - sketch_row(p, row)) / 2, order;
	struct sketch_box *b;
	size_t i;

	for (order = 0; (i = sketch_at(k, row, order)) < k->s->n_groups;
	     order++) {
		b = &k->groups[i].box;
		b->x = x;
		/* Groups face each other: those above stand on the line. */
		b->y = p->row_y[row];
		if (row <= SCENE_DEFENDING)
			b->y += p->row_height[row] - b->height;
		x += b->width + SKETCH_GAP;
		sketch_put_cards(p, i);
	}
}

/* True if a link comes to its group from below. */
static bool
sketch_is_up(const struct scene *s, size_t link)
{
	return (s->groups[s->links[link].from].row >
	    s->groups[s->links[link].to].row);
}

/* Whether a link arrives at the side of its group that faces it. */
static bool
sketch_is_straight(const struct scene *s, size_t link)
{
	const struct scene_link *l = &s->links[link];

	return (l->edge == SCENE_FRONT ||
	    (l->edge == SCENE_REAR &&
		(!sketch_is_up(s, link) ||
		    s->groups[l->to].row == SCENE_ATTACKING)));
}

/*
 * Which end of a link counts, at this group and this of its sides: 0 none, 1
 * the one that it leaves from, 2 the one that it arrives at.
 */
static int
sketch_end(const struct scene *s, size_t link, size_t group, bool is_top)
{
	const struct scene_link *l = &s->links[link];

	if (l->from == group && sketch_is_up(s, link) == is_top)
		return (1);
	if (l->to == group && sketch_is_straight(s, link) &&
	    sketch_is_up(s, link) != is_top)
		return (2);
	return (0);
}

/* The middle of a group. */
static int
sketch_middle(const struct sketch *k, size_t group)
{
	return (k->groups[group].box.x + k->groups[group].box.width / 2);
}

/* Spreads the ends of links over one side of a group, by where they go. */
static void
sketch_spread(struct sketch *k, size_t group, bool is_top)
{
	const struct scene *s = k->s;
	const struct sketch_box *b = &k->groups[group].box;
	size_t *list = xalloc((s->n_links + 1) * sizeof(*list)), n = 0, i, j;
	int *far = xalloc((s->n_links + 1) * sizeof(*far)), end, at;

	for (i = 0; i < s->n_links; i++) {
		if ((end = sketch_end(s, i, group, is_top)) == 0)
			continue;
		far[i] = sketch_middle(
		    k, end == 1 ? s->links[i].to : s->links[i].from);
		for (j = n++; j > 0 && far[list[j - 1]] > far[i]; j--)
			list[j] = list[j - 1];
		list[j] = i;
	}
	for (i = 0; i < n; i++) {
		at = b->x + (int)(i + 1) * b->width / (int)(n + 1);
		if (sketch_end(s, list[i], group, is_top) == 1)
			k->lines[list[i]].at_from = at;
		else
			k->lines[list[i]].at_to = at;
	}
	free(far);
	free(list);
}

/* The band that a link crosses: that below its upper row. */
static int
sketch_band(const struct scene *s, size_t link)
{
	const enum scene_row from = s->groups[s->links[link].from].row;
	const enum scene_row to = s->groups[s->links[link].to].row;

	return ((int)(from < to ? from : to));
}

/*
 * Places the labels of one band, from the left on, each in the first row that
 * has room where it wants to be.  Returns how many rows there are.
 */
static int
sketch_chips(struct sketch *k, int band)
{
	const struct scene *s = k->s;
	size_t *list = xalloc((s->n_links + 1) * sizeof(*list)), n = 0, i, j;
	int *ends = xalloc((s->n_links + 1) * sizeof(*ends)), rows = 0, r;
	struct sketch_box *b;
	struct svg_lines l;

	for (i = 0; i < s->n_links; i++) {
		if (*s->links[i].label == '\0' || sketch_band(s, i) != band)
			continue;
		b = &k->lines[i].label;
		svg_lines(&l, s->links[i].label, SKETCH_CHIP_WIDTH, 1,
		    SKETCH_SMALL, false);
		b->width =
		    svg_lines_width(&l, SKETCH_SMALL, false) + 2 * SKETCH_PAD;
		svg_lines_clear(&l);
		b->height = SKETCH_CHIP;
		b->x = (k->lines[i].at_from + k->lines[i].at_to - b->width) / 2;
		if (b->x < SKETCH_MARGIN)
			b->x = SKETCH_MARGIN;
		if (b->x + b->width > k->width - SKETCH_MARGIN)
			b->x = k->width - SKETCH_MARGIN - b->width;
		for (j = n++; j > 0 && k->lines[list[j - 1]].label.x > b->x;
		     j--)
			list[j] = list[j - 1];
		list[j] = i;
	}
	for (i = 0; i < n; i++) {
		b = &k->lines[list[i]].label;
		for (r = 0; r < rows && ends[r] + SKETCH_PAD > b->x; r++)
			;
		rows = r == rows ? rows + 1 : rows;
		ends[r] = b->x + b->width;
		b->y = r; /* a place from here on: sketch_put_chips() */
	}
	free(ends);
	free(list);
	return (rows);
}

/* Turns the rows of labels into places, below this one. */
static void
sketch_put_chips(struct sketch *k, int band, int y)
{
	struct sketch_box *b;
	size_t i;

	for (i = 0; i < k->s->n_links; i++) {
		b = &k->lines[i].label;
		if (b->width > 0 && sketch_band(k->s, i) == band)
			b->y = y + b->y * SKETCH_CHIP_ROW;
	}
}

/* Adds a point to a line. */
static void
sketch_point(struct sketch_line *l, int x, int y)
{
	l->x[l->n] = x;
	l->y[l->n] = y;
	l->n++;
}

/* Draws the line of a link, through its label. */
static void
sketch_line(struct sketch *k, size_t i)
{
	const struct sketch_box *from = &k->groups[k->s->links[i].from].box;
	const struct sketch_box *to = &k->groups[k->s->links[i].to].box;
	const enum scene_edge edge = k->s->links[i].edge;
	const bool is_up = sketch_is_up(k->s, i);
	struct sketch_line *l = &k->lines[i];
	const int near = is_up ? to->y + to->height : to->y;
	const int tip = is_up ? SKETCH_TIP : -SKETCH_TIP;
	int x;

	sketch_point(l, l->at_from, is_up ? from->y : from->y + from->height);
	if (l->label.width > 0)
		sketch_point(l, l->label.x + l->label.width / 2,
		    l->label.y + l->label.height / 2);
	if (sketch_is_straight(k->s, i)) {
		sketch_point(l, l->at_to, near + tip);
		sketch_point(l, l->at_to, near);
		return;
	}
	/* Who faces us has the left where we see the right. */
	x = edge == SCENE_RIGHT ? to->x - SKETCH_TIP
				: to->x + to->width + SKETCH_TIP;
	sketch_point(l, x, near + tip);
	if (edge == SCENE_REAR) {
		sketch_point(l, x, to->y - SKETCH_TIP);
		x = to->x + to->width - SKETCH_TIP;
		sketch_point(l, x, to->y - SKETCH_TIP);
		sketch_point(l, x, to->y);
		return;
	}
	sketch_point(l, x, to->y + to->height / 2);
	sketch_point(l, edge == SCENE_RIGHT ? to->x : to->x + to->width,
	    to->y + to->height / 2);
}

/* Stacks the rows, headings and bands, and says how high all is. */
static void
sketch_stack(struct sketch_plan *p)
{
	struct sketch *k = p->k;
	int y = SKETCH_MARGIN + k->place, chips;
	const char *word;
	int row;

	for (row = 0; row < SCENE_ROWS; row++) {
		if ((word = sketch_heading(k->s, row)) == NULL)
			continue;
		k->heads[row] = (struct sketch_box){SKETCH_MARGIN, y,
		    svg_width(word, strlen(word), SKETCH_HEAD, true),
		    SKETCH_LINE};
		if (row <= SCENE_DEFENDING)
			y += SKETCH_LINE + SKETCH_PAD + SKETCH_TIP;
		p->row_y[row] = y;
		y += p->row_height[row];
		if (row > SCENE_DEFENDING) {
			k->heads[row].y = y + SKETCH_PAD;
			y += SKETCH_PAD + SKETCH_LINE;
		}
		if (row + 1 == SCENE_ROWS ||
		    sketch_heading(k->s, row + 1) == NULL)
			continue;
		chips = sketch_chips(k, row);
		y += SKETCH_BAND / 2;
		sketch_put_chips(k, row, y);
		y += chips * SKETCH_CHIP_ROW + SKETCH_BAND / 2;
	}
	k->height = y + SKETCH_MARGIN;
}

/* Says how wide the picture is. */
static void
sketch_width(struct sketch_plan *p)
{
	struct sketch *k = p->k;
	int row, width;

	k->width = SKETCH_LEAST;
	for (row = 0; row < SCENE_ROWS; row++) {
		/* Lines pass on both sides. */
		width = sketch_row(p, (enum scene_row)row) +
		    2 * (SKETCH_MARGIN + SKETCH_GAP);
		k->width = width > k->width ? width : k->width;
	}
}

void
sketch_init(struct sketch *k, const struct scene *s)
{
	struct sketch_plan p = {.k = k};
	size_t i;
	int row;

	memset(k, 0, sizeof(*k));
	k->s = s;
	k->nodes = xalloc((s->n_nodes + 1) * sizeof(*k->nodes));
	k->groups = xalloc((s->n_groups + 1) * sizeof(*k->groups));
	k->lines = xalloc((s->n_links + 1) * sizeof(*k->lines));
	for (i = 0; i < s->n_groups; i++)
		k->groups[i].columns = sketch_columns(&s->groups[i]);
	sketch_card(&p);
	for (i = 0; i < s->n_groups; i++)
		sketch_size(&p, i);
	/* The defenders stand first, and those who act on them follow. */
	sketch_order(k, SCENE_DEFENDING, false);
	sketch_order(k, SCENE_BEYOND, true);
	sketch_order(k, SCENE_ATTACKING, true);
	sketch_order(k, SCENE_BEHIND, true);
	sketch_width(&p);
	k->place = SKETCH_LINE *
	    (int)sketch_count(s->place, k->width - 2 * SKETCH_MARGIN,
		SKETCH_LABEL_LINES, SKETCH_SMALL, false);
	if (k->place > 0)
		k->place += SKETCH_PAD;
	for (row = 0; row < SCENE_ROWS; row++)
		sketch_put_row(&p, (enum scene_row)row);
	for (i = 0; i < s->n_groups; i++) {
		sketch_spread(k, i, false);
		sketch_spread(k, i, true);
	}
	for (i = 0; i < s->n_links; i++) {
		/* For the place of its label alone. */
		if (!sketch_is_straight(s, i))
			k->lines[i].at_to = sketch_middle(k, s->links[i].to);
	}
	sketch_stack(&p);
	for (row = 0; row < SCENE_ROWS; row++)
		sketch_put_row(&p, (enum scene_row)row);
	for (i = 0; i < s->n_links; i++)
		sketch_line(k, i);
}

void
sketch_clear(struct sketch *k)
{
	free(k->nodes);
	free(k->groups);
	free(k->lines);
	memset(k, 0, sizeof(*k));
}
