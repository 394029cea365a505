/* SPDX-License-Identifier: ISC */
/* The terms of a tournament as people read them. */
#ifndef UMPIRE_CLIENT_TOURNAMENT_DESK_TERMS_H
#define UMPIRE_CLIENT_TOURNAMENT_DESK_TERMS_H

struct out;
struct terms;

/* Prints them, a line each. */
void desk_terms_print(struct out *o, const struct terms *t);

#endif
