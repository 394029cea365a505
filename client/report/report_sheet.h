/* SPDX-License-Identifier: ISC */
/*
 * The score sheet of a combat: in a line how it came out, and in a table who
 * had what and what became of them.
 */
#ifndef UMPIRE_CLIENT_REPORT_REPORT_SHEET_H
#define UMPIRE_CLIENT_REPORT_REPORT_SHEET_H

#include <stdbool.h>
#include <stdint.h>

struct battle;
struct doc;
struct report_sheet;
struct report_sheets;
struct rules_system;

/* What walking the dice of a combat's odds may cost, in runs of it. */
#define REPORT_SHEET_ODDS 200000 /* of one combat */
#define REPORT_SHEET_ODDS_ALL 400000 /* of all that are told together */

/*
 * Makes the sheet of the combat that line seq declares; new.  NULL if it has
 * not ended, or cannot be fought again (client/report/refight.h).  It has the
 * chance of what became of each unit if that costs no more than `most`, and no
 * more than *left (NULL: no bound), from which the cost is taken.
 */
struct report_sheet *report_sheet_new(const struct battle *b,
    const struct rules_system *sys, int64_t seq, uint64_t most, uint64_t *left);

/* Frees it; NULL is allowed. */
void report_sheet_free(struct report_sheet *s);

/* How the combat came out, in a line; borrowed. */
const char *report_sheet_outcome(const struct report_sheet *s);

/* Tells the table to a document, and what its chances mean. */
void report_sheet_tell(const struct report_sheet *s, struct doc *d);

/*
 * Sheets that are kept for who tells the same battle again and again: of each
 * combat the chances cost no more than `most`.  New.
 */
struct report_sheets *report_sheets_new(uint64_t most);

/* Frees it; NULL is allowed. */
void report_sheets_free(struct report_sheets *ss);

/*
 * Makes that of a combat in steps, each of so many runs of it: false if there
 * is more to do, which report_sheets_stop() gives up; the battle must stay as
 * it is meanwhile.
 */
bool report_sheets_step(struct report_sheets *ss, const struct battle *b,
    const struct rules_system *sys, int64_t seq, uint64_t runs);
void report_sheets_stop(struct report_sheets *ss);

/*
 * The sheet of a combat, made when it is asked for first; borrowed.  NULL as
 * report_sheet_new().
 */
const struct report_sheet *report_sheets_get(struct report_sheets *ss,
    const struct battle *b, const struct rules_system *sys, int64_t seq);

#endif
