/* SPDX-License-Identifier: ISC */
/*
 * Games in which one side agrees to what the other says is so on the table
 * (umpire-record.7, S6.3): what is said, and who has objected, in words.
 */
#ifndef UMPIRE_CLIENT_REPORT_STATED_H
#define UMPIRE_CLIENT_REPORT_STATED_H

struct game;

/*
 * What a decision says that waits to be agreed to, as sentences on one line,
 * or "" where they cannot be made; NULL if none waits.  free().
 */
char *stated_words(const struct game *g);

/*
 * How often who has objected to what: "bert 3 (stagger 2, declare 1)", others
 * behind a semicolon; NULL if nobody has, or nothing is counted.  free().
 */
char *stated_objections(const struct game *g);

#endif
