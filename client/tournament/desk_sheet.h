/* SPDX-License-Identifier: ISC */
/*
 * A table about a tournament that is printed for a terminal, as CSV for a
 * spreadsheet, or as HTML to print and hang up: one file, no script.
 */
#ifndef UMPIRE_CLIENT_TOURNAMENT_DESK_SHEET_H
#define UMPIRE_CLIENT_TOURNAMENT_DESK_SHEET_H

#include "client/ui/opt.h"

struct cmd_ctx;
struct desk;
struct desk_sheet;

/* The options --csv and --html, for a table of options. */
#define DESK_SHEET_OPTS                                                \
	{"csv", 0, NULL, false, "for a spreadsheet"},                  \
	{                                                              \
		"html", 0, NULL, false, "a page, to print and hang up" \
	}

/*
 * Opens the tournament of the first operand for a table; of the two options one
 * is taken.  0, or an exit status.
 */
int desk_sheet_open(struct cmd_ctx *cx, struct desk **out)
    __attribute__((warn_unused_result));

/*
 * Makes a table: its title, what stands below that (""), and its headings,
 * ended by NULL, with the marks of out_table_new(), or '@' for one of times,
 * which no stranger has written.
 */
struct desk_sheet *desk_sheet_new(
    const char *title, const char *below, const char *const headings[]);

/* Adds a row of as many cells as there are headings; strangers' texts, too. */
void desk_sheet_row(struct desk_sheet *s, const char *const cells[]);

/* Prints it as the options say, and frees it; nothing with --json. */
void desk_sheet_end(const struct desk *d, struct desk_sheet *s);

#endif
