/* SPDX-License-Identifier: ISC */
/* Working out odds: exactly, or from a sample, with a bar of progress. */
#ifndef UMPIRE_CLIENT_CMD_ODDS_RUN_H
#define UMPIRE_CLIENT_CMD_ODDS_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "common/base/err.h"

struct combat;
struct odds;
struct odds_policy;
struct out;
struct rules_system;

/* How they are to be worked out. */
struct odds_run {
	bool is_exact; /* all outcomes are walked, however many */
	int64_t samples; /* combats that are fought; 0: only where needed */
	int64_t seed; /* of a sample's dice */
};

/*
 * Works out the odds of a combat that has not begun.  Ctrl-C ends the program
 * as it does any other, but not before the terminal is as it was.  As
 * odds_exact() and odds_sample().
 */
int odds_run_watch(const struct odds_run *od, struct combat *c,
    const struct odds_policy *policy, struct odds *odds, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * The same with the usual policy and a seed by chance, and prints it for
 * people; facts are the combat's, for names.
 */
int odds_run_tell(struct out *o, const struct rules_system *sys,
    const json_t *facts, struct combat *c, struct errinfo *e)
    __attribute__((warn_unused_result));

#endif
