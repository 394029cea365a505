/* SPDX-License-Identifier: ISC */
/*
 * The sentences for people: one renderer over events (umpire-record.7).  It
 * is not part of the rules version; a reader must be able to redo the combat
 * by hand from what it prints.
 */
#ifndef UMPIRE_COMMON_RULES_SHOW_RENDER_H
#define UMPIRE_COMMON_RULES_SHOW_RENDER_H

#include <jansson.h>

#include "common/rules/show/render_row.h"

struct buf;
struct rules_system;

struct render; /* remembers names of units between events of one combat */

/* Makes a renderer for one combat; NULL without memory. */
struct render *render_new(const struct rules_system *sys);

/* Shows units only by name, except those that share one. */
void render_hide_ids(struct render *rd);

/* Frees it; NULL is allowed. */
void render_free(struct render *rd);

/* Gives the rows of one event, in the order in which they are read. */
void render_rows(
    struct render *rd, const json_t *event, struct render_sink *out);

/* Appends the lines of one event, each ended by LF and at most 80 columns. */
void render_event(struct render *rd, const json_t *event, struct buf *out);

#endif
