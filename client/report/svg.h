/* SPDX-License-Identifier: ISC */
/*
 * Texts in pictures: escaped, and measured by a table of widths that no usual
 * typeface exceeds, so that pictures are the same on every machine.
 */
#ifndef UMPIRE_CLIENT_REPORT_SVG_H
#define UMPIRE_CLIENT_REPORT_SVG_H

#include <stdbool.h>
#include <stddef.h>

struct buf;

/* The typefaces that the widths are for. */
#define SVG_FACES "\"DejaVu Sans\",Verdana,Helvetica,Arial,sans-serif"

#define SVG_LINES_MAX 8

/* A text in lines, each of them safe; svg_lines_clear() frees them. */
struct svg_lines {
	char *line[SVG_LINES_MAX]; /* owned */
	size_t n;
	bool is_cut; /* not all of it is there */
};

/*
 * Appends text of any origin to XML: what is not plain as '?', what could be
 * markup escaped.
 */
void svg_text(struct buf *out, const char *s);

/*
 * How wide n bytes of safe text are in letters of `size` pixels: in pixels,
 * rounded up, rather too wide than too narrow.
 */
int svg_width(const char *s, size_t n, int size, bool is_bold);

/*
 * Breaks text of any origin into at most `most` lines (SVG_LINES_MAX at most)
 * of at most `width` pixels, between words and behind hyphens where it can;
 * what does not fit is cut, and an ellipsis says so.  An empty text has no
 * lines.
 */
void svg_lines(struct svg_lines *l, const char *s, int width, size_t most,
    int size, bool is_bold);

/*
 * The same of a name that may end in " (id)", by which units of one name are
 * told apart: if it is too long, what is before that is cut.
 */
void svg_lines_named(struct svg_lines *l, const char *name, const char *id,
    int width, size_t most, int size, bool is_bold);

/* The width of the widest line. */
int svg_lines_width(const struct svg_lines *l, int size, bool is_bold);

/* Frees the lines. */
void svg_lines_clear(struct svg_lines *l);

#endif
