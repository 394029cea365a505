/* SPDX-License-Identifier: ISC */
/*
 * The sentences for people: one renderer over events (umpire-record.7).  It
 * is no part of the rules version; a reader must be able to redo the combat
 * by hand from what it prints.
 */
#ifndef UMPIRE_COMMON_RULES_RENDER_H
#define UMPIRE_COMMON_RULES_RENDER_H

#include <jansson.h>

struct buf;
struct rules_system;

struct render; /* remembers names of units between events of one combat */

/* Makes a renderer for one combat; NULL without memory. */
struct render *render_new(const struct rules_system *sys);

/* Frees it; NULL is allowed. */
void render_free(struct render *rd);

/* Appends the lines of one event, each ended by LF and at most 80 columns. */
void render_event(struct render *rd, const json_t *event, struct buf *out);

/*
 * Appends an open question {"side","kind","options"} and the ways to answer
 * it, in words: what is asked, by whom, and what may be said.
 */
void render_question(struct render *rd, const json_t *asked, struct buf *out);

#endif
