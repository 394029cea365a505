/* SPDX-License-Identifier: ISC */
/* What the writer and the reader of tables of rosters share. */
#ifndef UMPIRE_CLIENT_REPORT_ROSTER_CSV_INT_H
#define UMPIRE_CLIENT_REPORT_ROSTER_CSV_INT_H

#include <stddef.h>

struct rules_system;
struct schema_row;

/* Columns that every table has, but for the last, which some have. */
enum roster_csv_fixed {
	ROSTER_CSV_SYSTEM,
	ROSTER_CSV_SIDE,
	ROSTER_CSV_SIDE_NAME,
	ROSTER_CSV_KIND, /* where there are commanders */
	ROSTER_CSV_FIXED
};

/* Their headings, ended by NULL. */
extern const char *const roster_csv_fixed[];

/* The lists of a side and what a row of each is called; the sides. */
extern const char *const roster_csv_lists[];
extern const char *const roster_csv_kinds[];
extern const char *const roster_csv_sides[];

/* The members of what such a list holds; NULL: the system has none. */
const struct schema_row *roster_csv_rows(
    const struct rules_system *sys, size_t list);

#endif
