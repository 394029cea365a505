/* SPDX-License-Identifier: ISC */
/*
 * In words: what players do with each other, outside combats.  Offers,
 * proposals, rulings, free rolls, cups, claims, pauses, standing orders.
 */
#ifndef UMPIRE_CLIENT_REPORT_DESCRIBE_H
#define UMPIRE_CLIENT_REPORT_DESCRIBE_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "common/record/order.h"
#include "common/record/order_kind.h"

struct copy;
struct past;
struct past_entry;
struct story;

/* Reads a copy that has a game; it must outlive the story. */
struct story *story_new(const struct copy *c);

/* Frees it; NULL is allowed. */
void story_free(struct story *st);

/* What became of the lines; borrowed. */
struct past *story_past(struct story *st);

/*
 * The account that sat in a seat when line seq was written, which is another
 * than now if it was refused since; "" if nobody.
 */
const char *story_account(const struct story *st, int seat, int64_t seq);

/* What people call an account; borrowed from the story. */
const char *story_called(struct story *st, const char *account);

/* The name that an account gave itself; NULL if it has none.  Borrowed. */
const char *story_name(const struct story *st, const char *account);

/* True for the kinds that describe_line() tells. */
bool describe_has(enum order_kind kind);

/* Who sits in a seat: "Anna K.", "the director", "seat 3"; free(). */
char *story_who(struct story *st, int seat);

/* A line in a sentence without a full stop: who does what; free(). */
char *describe_line(struct story *st, const struct past_entry *en);

/*
 * What the offer, proposal or ruling of a line is about, for "anna offers
 * ..."; free().
 */
char *describe_offer(struct story *st, int64_t seq);

/* A line in a few words, for "line 14, anna ends the turn"; free(). */
char *describe_brief(struct story *st, int64_t seq);

/*
 * The text beside an order that says why or what for: NULL if it has none,
 * "(erased)" if it is not held.  Borrowed.
 */
const char *story_why(const struct copy *c, const struct order *o);

/*
 * A list of changes in words: "fr-1: hits 2, out left; fr-2: hits 1"; with
 * the former entries (id -> entry, NULL: not known) "hits 1 -> 2".  free().
 */
char *describe_units(const json_t *units, const json_t *before);

/* How an offer ended, in a word: "open", "accepted"; "" for PAST_NONE. */
const char *describe_fate(struct story *st, int64_t seq, int64_t *by);

#endif
