/* SPDX-License-Identifier: ISC */
/*
 * Rosters as a table for spreadsheets: a row a unit or commander, a column for
 * all that the system's table has (common/rules/schema.h), and four before
 * those: system, side, side_name and kind.
 */
#ifndef UMPIRE_CLIENT_REPORT_ROSTER_CSV_H
#define UMPIRE_CLIENT_REPORT_ROSTER_CSV_H

#include <stddef.h>

#include <jansson.h>

struct buf;
struct rules_system;

#define ROSTER_CSV_MAX 2000000 /* bytes of a table */

/* Who is told of what is wrong with a table. */
struct roster_csv_faults {
	/* row: 0 for the whole; heading: NULL for none. */
	void (*tell)(
	    void *arg, size_t row, const char *heading, const char *what);
	void *arg;
	size_t n; /* how many were told */
};

/* Appends a roster blob that roster_check() takes. */
void roster_csv_write(
    const struct rules_system *sys, const json_t *blob, struct buf *out);

/*
 * Reads a table for the system id (NULL: the one that it names).  Returns the
 * roster's blob, new: what roster_csv_write() was given, member for member,
 * if all units have theirs in one order, as the columns then have it.  NULL
 * if something is wrong, all of which is told.
 */
json_t *roster_csv_read(
    const char *text, size_t len, const char *id, struct roster_csv_faults *f);

/* Appends a roster's blob as JSON with a line a unit. */
void roster_csv_json(const json_t *blob, struct buf *out);

#endif
