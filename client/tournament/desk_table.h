/* SPDX-License-Identifier: ISC */
/*
 * Sitting down at a table of a tournament: its game is opened as the terms have
 * it, or joined, and ready is said, without a question, since whoever entered
 * agreed to all of it (record S16).
 */
#ifndef UMPIRE_CLIENT_TOURNAMENT_DESK_TABLE_H
#define UMPIRE_CLIENT_TOURNAMENT_DESK_TABLE_H

#include <stdbool.h>

#include "client/tournament/desk.h"
#include "common/tournament/tournament.h"

/*
 * Steps through the legs of our entrant that have no result; *place begins as
 * zeros.  False after the last.
 */
bool desk_table_next(const struct desk *d, struct tournament_place *place);

/* True if there is such a leg: what a server tells may not be so. */
bool desk_table_is_there(
    const struct desk *d, const struct tournament_place *place);

/* The leg that a row of what waits names. */
struct tournament_place desk_table_of(const json_t *row);

/*
 * Reads a leg as people name it, ROUND.TABLE or ROUND.TABLE.LEG, in a
 * tournament that has it (*place); leg 0 where none is said.  Prints what is
 * wrong; 0, or an exit status.
 */
int desk_table_read(const struct desk *d, const char *word,
    struct tournament_place *place) __attribute__((warn_unused_result));

/* A leg in words: "Round 2, table 3"; free(). */
char *desk_table_words(
    const struct desk *d, const struct tournament_place *place);

/*
 * Sends what an earlier run signed to open a table and had no answer for; the
 * tournament is brought up to date.  0, or an exit status.
 */
int desk_table_settle(struct desk *d) __attribute__((warn_unused_result));

/* A game at which we sit; desk_sat_clear() frees it. */
struct desk_sat {
	uint8_t game[HASH_LEN];
	char *nick; /* owned: how commands call it */
	char *side; /* owned: what the roster calls our side; NULL: none */
	bool was_here; /* before this call, ready and all */
	bool has_begun;
	bool has_other; /* the other side sits there, too */
	bool is_left; /* it is over, or began without us */
};

void desk_sat_clear(struct desk_sat *sat);

/*
 * Sits down at our leg of *place in seat 1 or 2, or as a director in seat 0 of
 * its game, which then must be open.  Where the other side opens the game at
 * the same time it is joined.  Nothing is done twice.  Prints what fails; 0
 * and *sat, or an exit status.
 */
int desk_table_sit(struct desk *d, const struct tournament_place *place,
    int seat, struct desk_sat *sat) __attribute__((warn_unused_result));

/* Says at which table we sit, and how the game stands; the same as JSON, new.
 */
void desk_table_tell(const struct desk *d, const struct tournament_place *place,
    int seat, const struct desk_sat *sat);
json_t *desk_table_json(
    const struct tournament_place *place, int seat, const struct desk_sat *sat);

/* The seat of our entrant in a leg; 0: none. */
int desk_table_seat(const struct desk *d, const struct tournament_place *place);

#endif
