/* SPDX-License-Identifier: ISC */
/* Making rows of the renderer: what each says, given to who asked for it. */
#ifndef UMPIRE_COMMON_RULES_SHOW_RENDER_ROW_H
#define UMPIRE_COMMON_RULES_SHOW_RENDER_ROW_H

#include <stdbool.h>
#include <stddef.h>

#include "common/rules/show/render.h"

struct buf;

/* Gives a row of this text, and clears b. */
void render_row_put(struct render_sink *out, enum render_row_kind kind,
    unsigned indent, struct buf *b);

/* Gives a row of formatted text. */
void render_row_printf(struct render_sink *out, enum render_row_kind kind,
    unsigned indent, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Gives a term of a score: its value, a blank, its reason; clears b. */
void render_row_term(
    struct render_sink *out, const char *value, struct buf *reason);

/* Gives a number of a score under its name: "strength 5". */
void render_row_number(struct render_sink *out, const char *name, json_int_t n);

/*
 * Gives a term that is no addend: in a sentence, and as a mark such as ">= 1"
 * with its reason.
 */
void render_row_mark(struct render_sink *out, const char *text,
    const char *mark, const char *reason);

/* Gives the score itself, which may be missing. */
void render_row_total(struct render_sink *out, const json_t *score);

/*
 * Gives a roll or, if sides is NULL, a draw: its sentence, which from byte n
 * on says what fell, and what it is for beside a picture.  The values are
 * borrowed and may be missing.  Clears b and lead.
 */
void render_row_dice(struct render_sink *out, struct buf *b, size_t n,
    struct buf *lead, const json_t *values, const json_t *sides);

/* Gives an empty row. */
void render_row_gap(struct render_sink *out);

#endif
