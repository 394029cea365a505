/* SPDX-License-Identifier: ISC */
/* What stands at the end of a told game: both sides, and what is proved. */
#ifndef UMPIRE_CLIENT_REPORT_REPORT_END_H
#define UMPIRE_CLIENT_REPORT_REPORT_END_H

#include <jansson.h>

struct copy;
struct doc;

/*
 * Tells how the game ended and what each unit has left, then what the record
 * proves.  doubt is what does not hold or was not checked (NULL: all is
 * well).
 */
void report_end(struct doc *d, const struct copy *c, const char *doubt);

/*
 * The sentence that tells how the game of a view ended, or that it goes on;
 * who is the winner's name, if there is one (NULL: that of the side).  free().
 */
char *report_end_result(const json_t *view, const char *who);

#endif
