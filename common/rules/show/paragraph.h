/* SPDX-License-Identifier: ISC */
/* Text for people in lines of at most 80 columns. */
#ifndef UMPIRE_COMMON_RULES_SHOW_PARAGRAPH_H
#define UMPIRE_COMMON_RULES_SHOW_PARAGRAPH_H

struct buf;

/*
 * Appends text as one paragraph: words are separated by single spaces, the
 * first line begins after indent columns, the others hang, and each ends with
 * LF.
 */
void paragraph_write(struct buf *out, unsigned indent, const char *text);

/* Appends what b holds as a paragraph, and clears b; a failure is passed on. */
void paragraph_flush(struct buf *b, unsigned indent, struct buf *out);

/* Appends formatted text as a paragraph. */
void paragraph_printf(struct buf *out, unsigned indent, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#endif
