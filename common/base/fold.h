/* SPDX-License-Identifier: ISC */
/* Lines that fit a terminal, broken between words; without allocating. */
#ifndef UMPIRE_COMMON_BASE_FOLD_H
#define UMPIRE_COMMON_BASE_FOLD_H

#include <stddef.h>

#define FOLD_LEAST 20 /* columns of a terminal that are reckoned with */

/* The columns of the terminal at fd; 0 if it is none or does not say. */
int fold_width(int fd);

/*
 * Copies s, UTF-8 whose characters take a column each, to out, which has room
 * for max bytes, with line ends and `hang` blanks in place of blanks where a
 * word would begin in a column before `width` and end behind it, unless the
 * line is no longer than the blanks.  s begins in column `column`.  Returns
 * the bytes; the text ends before the first word that does not fit.
 */
size_t fold_text(
    char *out, size_t max, const char *s, int column, int hang, int width);

#endif
