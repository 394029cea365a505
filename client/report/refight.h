/* SPDX-License-Identifier: ISC */
/*
 * A combat of a record fought again, with the dice that fell and the answers
 * that were given: what it came to, and what else might have come of it.
 */
#ifndef UMPIRE_CLIENT_REPORT_REFIGHT_H
#define UMPIRE_CLIENT_REPORT_REFIGHT_H

#include <stdint.h>

#include "common/rules/rules.h"
#include "common/rules/show/odds.h"

struct battle;
struct odds_view;
struct refight;

/*
 * Fights the combat that line seq declares; new.  NULL if it has not ended, or
 * cannot be fought here: its rules are not known, or their data not held.
 */
struct refight *refight_new(const struct battle *b, int64_t seq);

/* Frees it; NULL is allowed. */
void refight_free(struct refight *rf);

/* What it came to, borrowed. */
const struct rules_outcome *refight_outcome(const struct refight *rf);

/*
 * The odds of the combat (odds_exact()), given the answers that were given:
 * each kind of question is answered by the first word of its policy that gives
 * all the answers that the side gave, in whatever order; if no word does, by
 * those answers (struct odds_policy's said); and by the default where it was
 * not asked.  0; ERR_NOTFOUND if a question has no policy; ERR_TOOBIG if that
 * takes more than `budget` runs; ERR_FAULT.
 * Only once.
 */
int refight_odds(struct refight *rf, uint64_t budget, struct odds *out)
    __attribute__((warn_unused_result));

/*
 * The same in steps of so many runs: ERR_BUSY until the last.  Once it has
 * returned anything else, no more.
 */
int refight_walk(struct refight *rf, uint64_t budget, uint64_t runs,
    struct odds *out) __attribute__((warn_unused_result));

/*
 * The same for who shows all of it, but a combat that takes more than `budget`
 * runs is sampled (odds_sample()), always with the same dice.  *v shows it,
 * borrowed of both.
 */
int refight_view(struct refight *rf, uint64_t budget, struct odds *out,
    struct odds_view *v) __attribute__((warn_unused_result));

#endif
