/* SPDX-License-Identifier: ISC */
/* The end of a told game: both sides, and what the record proves. */
#ifndef UMPIRE_CLIENT_REPORT_REPORT_END_H
#define UMPIRE_CLIENT_REPORT_REPORT_END_H

#include "common/game/game.h"

struct battle;
struct doc;
struct overview;

/*
 * Tells how the game ended and what each unit has left, then what the record
 * proves.  doubt is what does not hold or was not checked (NULL: all is
 * well).
 */
void report_end(struct doc *d, const struct battle *b, const char *doubt);

/* The same where somebody has gone through the battle already. */
void report_end_known(
    struct doc *d, const struct overview *ov, const char *doubt);

/*
 * Tells what each unit has left, who has objected to what, how far clocks were
 * apart, and what wants looking at.
 */
void report_stand(struct doc *d, const struct battle *b);

/*
 * Tells who has objected to what, in a game where that is counted, and how far
 * clocks were apart, for a document that has no such end.
 */
void report_counted(struct doc *d, const struct battle *b);

/*
 * The sentence that tells how a game ended, or that it goes on; winner is how
 * that side or its player is called, NULL if there is none.  free().
 */
char *report_end_result(
    enum game_phase phase, enum game_how how, const char *winner);

/*
 * The sentence that says to who played a tournament's game where it goes on
 * there: a drawn one may want another.  free(); NULL if it is none's.
 */
char *report_end_cup(const struct game *g);

#endif
