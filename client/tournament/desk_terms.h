/* SPDX-License-Identifier: ISC */
/* The terms of a tournament as people read them. */
#ifndef UMPIRE_CLIENT_TOURNAMENT_DESK_TERMS_H
#define UMPIRE_CLIENT_TOURNAMENT_DESK_TERMS_H

#include <stdint.h>

struct out;
struct terms;

/*
 * Prints the calendar that they make, each step at its latest; and warns on
 * standard error of what may bite.
 */
void desk_terms_calendar(struct out *o, const struct terms *t);
void desk_terms_warn(const struct terms *t, int64_t now_ms);

/* Prints them, a line each. */
void desk_terms_print(struct out *o, const struct terms *t);

#endif
