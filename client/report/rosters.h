/* SPDX-License-Identifier: ISC */
/*
 * Both sides' rosters with their losses: what each unit began or joined with,
 * what it has left, and the totals of a side.  What counts is data of the
 * system (struct rules_losses).
 */
#ifndef UMPIRE_CLIENT_REPORT_ROSTERS_H
#define UMPIRE_CLIENT_REPORT_ROSTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

struct battle;
struct rules_show;
struct rules_system;

/* A unit; pointers are borrowed from the rosters. */
struct rosters_unit {
	const json_t *now; /* as the roster has it */
	const json_t *before; /* as it began or joined; NULL: not known */
	const char *id;
	const char *name; /* a stranger's; "" if it has none */
	const char *out; /* why it is out of play; NULL: it is in play */
	bool has_joined; /* later, by agreement */
	bool is_gone; /* out of play for good, by agreement */
	int64_t began; /* what it had then; -1: not known */
	int64_t left;
};

/* One side. */
struct rosters_side {
	char *name; /* owned: plain text, as battle_side() gives it */
	char *players; /* owned: as battle_players() gives them */
	struct rosters_unit *units; /* owned; in the order of the roster */
	size_t n_units;
	const json_t *commanders; /* NULL: none; borrowed */
	/* Sums over the units; began == in_play + away + lost. */
	int64_t began; /* -1: not known */
	int64_t in_play; /* left to the units in play */
	int64_t away; /* left to those out of play: they retired, ... */
	int64_t lost; /* below 0 where a side has gained */
	int64_t worth; /* of what is in play (roster_worth()) */
};

struct rosters {
	const struct rules_system *sys;
	const struct rules_show *show;
	const char *what; /* what is counted, in the plural; static */
	json_t *first; /* owned: those that the game began with; NULL */
	json_t *joined; /* owned: id -> what joined, as it did; NULL */
	json_t *began; /* owned: id -> a unit as it began, or joined */
	bool is_given; /* no game has them: nothing was lost */
	struct rosters_side sides[2]; /* of side 1 and of side 2 */
};

/*
 * Reads the rosters as the lines leave them; borrows from the game.  NULL if
 * they cannot be read here: the game has none yet, or is of a system that is
 * not known.
 */
struct rosters *rosters_new(const struct battle *b);

/*
 * The same of rosters that no game has, as roster_value() gives them, which
 * are borrowed.
 */
struct rosters *rosters_given(
    const struct rules_system *sys, const json_t *sides);

/* Frees them; NULL is allowed. */
void rosters_free(struct rosters *rs);

/*
 * The parts of a unit, or commanders (unit NULL), in a line for people:
 * "a (lead) elite 3/4, b veteran 4/4", "Ney (ney) cr 2"; free().
 */
char *rosters_parts(
    const struct rosters *rs, const json_t *unit, const json_t *parts);

/*
 * What else a unit says of itself, but for its name and what is counted,
 * in words for people: "shock, shaken"; free().
 */
char *rosters_words(const struct rosters *rs, const struct rosters_unit *u);

/* The object of an array with this id, borrowed; NULL if there is none. */
const json_t *rosters_find(const json_t *units, const char *id);

/*
 * The part of a unit that a member names, such as its lead; borrowed, NULL if
 * none.
 */
const json_t *rosters_named(
    const struct rosters *rs, const json_t *unit, const char *name);

/* True for a list of objects, which no cell of a table can hold. */
bool rosters_is_parts(const json_t *v);

/* True for a member that what is counted says already, or the name. */
bool rosters_is_counted(const struct rosters *rs, const char *name);

/*
 * The words of a unit that stand after its columns: why it is out of play, and
 * what is true of it; free().
 */
char *rosters_flags(const struct rosters *rs, const struct rosters_unit *u);

/*
 * For programs, new: {"what","sides":{"1":{"began","in_play","away","lost",
 * "worth","units":[{"id","began","left","joined"?,"out"?,
 * "gone"?}]},"2":{...}}}; what is not known is
 * null.
 */
json_t *rosters_json(const struct rosters *rs);

#endif
