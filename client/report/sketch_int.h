/* SPDX-License-Identifier: ISC */
/* What the two sketches of letters share: sketch_text.c and sketch_draw.c. */
#ifndef UMPIRE_CLIENT_REPORT_SKETCH_INT_H
#define UMPIRE_CLIENT_REPORT_SKETCH_INT_H

struct buf;
struct scene;
struct scene_group;
struct scene_link;
struct scene_node;

/* The cells of a unit: "[X] 6" and "61st Line"; owned by who wants them. */
struct sketch_text_cells {
	char *sign, *name;
};

/* What stands in them for a unit. */
struct sketch_text_cells sketch_text_unit(const struct scene_node *n);

/* How a link acts: "right flank, the defender is uphill"; free(). */
char *sketch_text_how(const struct scene_link *k);

/* Appends what the signs mean, those that are there. */
void sketch_text_key(const struct scene *s, struct buf *out);

#endif
