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

#include "common/game/game_entry.h"
#include "common/record/order.h"

struct battle;
struct game;
struct battle_line;

/* True for the kinds that describe_line() tells. */
bool describe_has(enum order_kind kind);

/* A line in a sentence without a full stop: who does what; free(). */
char *describe_line(const struct battle *bt, const struct battle_line *bl);

/*
 * What the offer, proposal or ruling of a line is about, for "anna offers
 * ..."; free().
 */
char *describe_offer(const struct battle *bt, int64_t seq);

/*
 * What a server line operator-key would do: "give seat 2, which is anna's, to
 * carl", and if its data is not NULL and the reason is held: ": "she asked me
 * to""; free().
 */
char *describe_newcomer(
    const struct battle *bt, int64_t seq, const json_t *data);

/* A line in a few words, for "line 14, anna ends the turn"; free(). */
char *describe_brief(const struct battle *bt, int64_t seq);

/*
 * A list of changes in words: "fr-1: hits 2, out left; fr-2: hits 1"; with
 * the former entries (id -> entry, NULL: not known) "hits 1 -> 2".  g (NULL:
 * not known) is asked what the sides and the units are called.  free().
 */
char *describe_units(
    const struct game *g, const json_t *units, const json_t *before);

/*
 * The same after a verb, "changing" or "to change"; where some of them join or
 * go for good, "that don joins side 2: strength 2; fr-4 is taken away for
 * good; fr-1 changes: hits 1".  free().
 */
char *describe_adjust(const struct game *g, const char *verb,
    const json_t *units, const json_t *before);

/* What the dice of a scheme are made from: "from two hands (dual-1)". */
const char *describe_hands(const struct order_create *c);

/* The same of a game, whose witness may be out (record S6.9). */
const char *describe_hands_now(const struct game *g);

/*
 * How an offer ended, in a word: "open", "accepted"; "" for what nobody
 * accepts.
 */
const char *describe_fate(enum game_fate fate);

/*
 * The event, round and table of a create order's args (NULL: none), "" if it
 * has none: "Waterloo Cup, round 2, table 3 (tournament 5f8fec50)"; free().
 */
char *describe_event(const json_t *args);

#endif
