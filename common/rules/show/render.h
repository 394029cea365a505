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

/*
 * Learns what units are called from any JSON that holds them, such as a game's
 * rosters (borrowed, NULL: nothing), for what happens between combats; what a
 * combat's facts call them goes before.  A name that units share here or there
 * is told with the id.
 */
void render_know(struct render *rd, const json_t *units);

/* What it calls a unit, borrowed: its name, or the id if it has none. */
const char *render_name(const struct render *rd, const char *id);

/* Frees it; NULL is allowed. */
void render_free(struct render *rd);

/* Gives the rows of one event, in the order in which they are read. */
void render_rows(
    struct render *rd, const json_t *event, struct render_sink *out);

/* Appends the lines of one event, each ended by LF and at most 80 columns. */
void render_event(struct render *rd, const json_t *event, struct buf *out);

#endif
