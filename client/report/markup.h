/* SPDX-License-Identifier: ISC */
/*
 * Texts in HTML and XML: the one place where they are escaped.  What could be
 * markup is, and what is not plain, such as marks that turn the direction of
 * writing, becomes a question mark; so any text may stand anywhere in a page,
 * in attributes between quotes, too.
 */
#ifndef UMPIRE_CLIENT_REPORT_MARKUP_H
#define UMPIRE_CLIENT_REPORT_MARKUP_H

struct buf;

/* Appends a text, escaped, in one line. */
void markup_text(struct buf *b, const char *s);

/* The same of one whose line ends become <br>. */
void markup_lines(struct buf *b, const char *s);

/*
 * Appends our own markup around what may be anybody's: of a format "%s" is a
 * text, which is escaped, "%d" and "%lld" a number; there are no others.
 */
void markup_add(struct buf *b, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
