/* SPDX-License-Identifier: ISC */
/*
 * What a director's ruling says, in words, for verdicts and pages alike
 * (umpire-tournament-record(7), rule).
 */
#ifndef UMPIRE_CLIENT_REPORT_RULING_H
#define UMPIRE_CLIENT_REPORT_RULING_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

/* To whom it is told, piece by piece. */
struct ruling_told {
	void (*text)(void *arg, const char *text);
	/* An entrant; the number is as somebody wrote it. */
	void (*entrant)(void *arg, int64_t number);
	void *arg;
	bool has_legs; /* tables have several, of which the first is named, too
			*/
};

/* "round 1, table 2", and which leg; table and leg may be 0: none. */
void ruling_tell_place(
    const struct ruling_told *to, int64_t round, int64_t table, int64_t leg);

/* What a ruling of a form says, whose args have v; no more than the form if it
 * is none of those that there are.
 */
void ruling_tell(
    const struct ruling_told *to, const char *form, const json_t *v);

#endif
