/* SPDX-License-Identifier: ISC */
/* Pictures of dice and chits for HTML pages. */
#ifndef UMPIRE_CLIENT_REPORT_DOC_DICE_H
#define UMPIRE_CLIENT_REPORT_DOC_DICE_H

#include <jansson.h>

struct buf;

/* Appends the shapes that the pictures use; once in a page, before them. */
void doc_dice_shapes(struct buf *b);

/*
 * Appends the dice of a roll: a picture each, and their numbers for those
 * who do not see it.  Anything but a list of numbers is written as text.
 */
void doc_dice_html(struct buf *b, json_int_t sides, const json_t *values);

/* Appends chits; put_cb appends a text and escapes it. */
void doc_dice_chits(struct buf *b, const json_t *values,
    void (*put_cb)(struct buf *b, const char *s));

#endif
