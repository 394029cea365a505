/* SPDX-License-Identifier: ISC */
/*
 * Bars of text: blocks in eighths of a column where the environment's locale
 * is one of UTF-8, and '#' elsewhere.
 */
#ifndef UMPIRE_CLIENT_UI_BARCHART_H
#define UMPIRE_CLIENT_UI_BARCHART_H

#include <stdbool.h>

struct buf;

/* True if the environment asks for UTF-8, which out_init() may make up. */
bool barchart_has_blocks(void);

/*
 * Appends a bar of p (0 to 1) of `width` columns, nothing after its end; a p
 * above 0 shows at least an eighth.
 */
void barchart_append(struct buf *b, double p, int width, bool has_blocks);

/*
 * The same in whole columns, and shades (or '.') for the rest of `width`.
 * What is above 0 and below 1 shows at least one column of each.
 */
void barchart_append_of(struct buf *b, double p, int width, bool has_blocks);

/*
 * A stranger's text made safe and cut to at most `width` columns, with a mark
 * at its end where it was cut; free().  width >= 2.
 */
char *barchart_cut(const char *s, int width, bool has_blocks);

#endif
