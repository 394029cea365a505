/* SPDX-License-Identifier: ISC */
/*
 * Rosters as a table for spreadsheets: a row a unit or commander, a column for
 * all that the system's table has (common/rules/schema.h), and four before
 * those: system, side, side_name and kind.
 */
#ifndef UMPIRE_CLIENT_REPORT_ROSTER_CSV_H
#define UMPIRE_CLIENT_REPORT_ROSTER_CSV_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

struct buf;
struct rules_system;

#define ROSTER_CSV_MAX 2000000 /* bytes of a table */

#define ROSTER_CSV_FAULTS_MAX 1000 /* that are kept; others are counted */

/* Something wrong with a table. */
struct roster_csv_fault {
	size_t row; /* 0: of the whole */
	size_t nth; /* in the order of finding */
	char *heading; /* owned, safe to print; NULL: none */
	char *what; /* owned, safe to print */
};

/* All that is wrong with one, by rows. */
struct roster_csv_faults {
	struct roster_csv_fault *list; /* owned */
	size_t n; /* of the list */
	size_t all; /* that there are */
};

/* Appends a roster blob that roster_check() takes. */
void roster_csv_write(
    const struct rules_system *sys, const json_t *blob, struct buf *out);

/*
 * Reads a table for the system id (NULL: the one that it names).  With
 * is_joining it holds what joins a game of that system, where a side may have
 * no units.  Returns the roster's blob, new: what roster_csv_write() was given,
 * member for member, if all units have theirs in one order, as the columns
 * then have it.  NULL if something is wrong: f, which is set in any case.
 */
json_t *roster_csv_read(const char *text, size_t len, const char *id,
    bool is_joining, struct roster_csv_faults *f);

/* "FILE: row 3, cf: must be ..."; file is safe to print; free(). */
char *roster_csv_say(const char *file, const struct roster_csv_fault *fault);

/* Forgets faults. */
void roster_csv_faults_clear(struct roster_csv_faults *f);

/* Appends a roster's blob as JSON with a line a unit. */
void roster_csv_json(const json_t *blob, struct buf *out);

#endif
