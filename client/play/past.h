/* SPDX-License-Identifier: ISC */
/*
 * What became of the lines of a copy: which were taken back, how offers,
 * proposals and rulings ended, what was changed by agreement, which claims
 * took effect.  What the orders alone say is read at once; the rest, by going
 * through the record again, when it is first asked for.
 */
#ifndef UMPIRE_CLIENT_PLAY_PAST_H
#define UMPIRE_CLIENT_PLAY_PAST_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "common/record/order.h"
#include "common/record/order_kind.h"
#include "common/record/record.h"

struct copy;
struct past;

enum past_fate {
	PAST_NONE, /* nothing that is accepted or declined */
	PAST_OPEN,
	PAST_ACCEPTED, /* and in force */
	PAST_DECLINED,
	PAST_WITHDRAWN,
	PAST_LAPSED,
};

/* A line with its order, as read; past_entry_clear() frees it. */
struct past_entry {
	struct record_line ln;
	struct order o;
};

/* Reads what a copy holds now; the copy must outlive it. */
struct past *past_new(const struct copy *c);

/* Frees it; NULL is allowed. */
void past_free(struct past *p);

/*
 * Reads line seq.  False if it holds no order, or cannot be read; *en then
 * holds nothing.
 */
bool past_read(const struct copy *c, int64_t seq, struct past_entry *en);
void past_entry_clear(struct past_entry *en);

/* The kind of the order in a line; ORDER_UNKNOWN if it holds none. */
enum order_kind past_kind(const struct past *p, int64_t seq);

/* The seat that gave a line's order; -1 if it holds none. */
int past_seat(const struct past *p, int64_t seq);

/* How an offer, proposal or ruling ended; *by is the line that did it or -1. */
enum past_fate past_fate(const struct past *p, int64_t seq, int64_t *by);

/* The line by which line seq was taken back; -1 if it was not. */
int64_t past_taken_back(const struct past *p, int64_t seq);

/* The line that answered the owing line seq; -1.  *is_objected says how. */
int64_t past_answer(const struct past *p, int64_t seq, bool *is_objected);

/*
 * True for a line of a kind that a takeback may name (record S5.2), if it
 * stands; whether it is in reach is game_undoable()'s.
 */
bool past_is_undoable(const struct past *p, int64_t seq);

/* True if the claim of this line took effect (record S6.7). */
bool past_is_effective(struct past *p, int64_t seq);

/*
 * The units that the adjustment of this line names as they were before it
 * was accepted, or when it was given: id -> entry, borrowed; NULL if that
 * cannot be known.
 */
const json_t *past_before(struct past *p, int64_t seq);

#endif
