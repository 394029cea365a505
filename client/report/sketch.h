/* SPDX-License-Identifier: ISC */
/*
 * Where the parts of a scene (common/rules/show/scene.h) lie in a picture, in
 * pixels, and the picture as SVG.  The defenders are above, the attackers
 * below; whoever stands to the rear is at the outer end.  Links run between,
 * what is said of them in boxes of their own, so that no text lies on another.
 */
#ifndef UMPIRE_CLIENT_REPORT_SKETCH_H
#define UMPIRE_CLIENT_REPORT_SKETCH_H

#include <stdbool.h>
#include <stddef.h>

struct buf;
struct scene;

#define SKETCH_POINTS 6

struct sketch_box {
	int x, y, width, height;
};

/* A link: a line through n points, and its label unless that is empty. */
struct sketch_line {
	struct sketch_box label;
	int x[SKETCH_POINTS], y[SKETCH_POINTS];
	size_t n;
	int at_from, at_to; /* where it leaves and arrives, from the left */
};

/* A group: its cards in columns below its label. */
struct sketch_group {
	struct sketch_box box;
	size_t columns;
	int label; /* height of its label */
	int order; /* its place in its row */
};

/* Owned arrays, as long as those of the scene. */
struct sketch {
	const struct scene *s; /* borrowed */
	struct sketch_box *nodes;
	struct sketch_group *groups;
	struct sketch_line *lines;
	struct sketch_box heads[4]; /* of each row (enum scene_row) */
	int place; /* height of what stands at the top */
	int width, height;
};

/* Sizes of letters, and heights of lines of them. */
#define SKETCH_NAME 11
#define SKETCH_SMALL 10
#define SKETCH_HEAD 12
#define SKETCH_LINE 14

/* How many lines of each a card has at most, and a label. */
#define SKETCH_NAME_LINES 3
#define SKETCH_DETAIL_LINES 4
#define SKETCH_END_LINES 2
#define SKETCH_LABEL_LINES 4
#define SKETCH_PAD 6 /* around texts */
#define SKETCH_MARGIN 12 /* of the picture */

/* Lays a scene out, which must outlive it. */
void sketch_init(struct sketch *k, const struct scene *s);
void sketch_clear(struct sketch *k);

/* How a row is headed; NULL if nobody is in it. */
const char *sketch_heading(const struct scene *s, int row);

/*
 * Appends the scene as an SVG document that needs nothing beside it, runs
 * nothing and reads in light and in dark.
 */
void sketch_svg_write(const struct scene *s, struct buf *out);

/*
 * Appends it as an element of an HTML page, `id` being its own there, and
 * the style that these need, in the colours of doc_look.css.
 */
void sketch_svg_put(const struct scene *s, const char *id, struct buf *out);
void sketch_svg_style(struct buf *out);

/* Appends the title and the description of such an element. */
void sketch_svg_tell_all(
    const struct scene *s, const char *id, struct buf *out);

/*
 * Appends it as a table for terminals, of letters that all of them have, in
 * less than OUT_WIDTH columns.  columns() is as in doc_table.h.
 */
void sketch_text_write(const struct scene *s, struct buf *out,
    int (*columns)(const char *s, size_t n));

/*
 * Appends it as a drawing for terminals, in as many columns: a box for each
 * group, the attackers' on the left, an arrow for each link, and who supports
 * a group below it.  has_lines: in the lines that are letters of Unicode, else
 * in '-', '|' and '+'.  False if nothing was appended, as there is no drawing
 * in which no arrows cross, or one with over SKETCH_DRAW_UNITS units a side.
 */
#define SKETCH_DRAW_UNITS 12
bool sketch_draw_write(const struct scene *s, struct buf *out,
    int (*columns)(const char *s, size_t n), bool has_lines)
    __attribute__((warn_unused_result));

#endif
