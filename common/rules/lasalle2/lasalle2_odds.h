/* SPDX-License-Identifier: ISC */
/* How the odds calculator answers the questions of lasalle2. */
#ifndef UMPIRE_COMMON_RULES_LASALLE2_LASALLE2_ODDS_H
#define UMPIRE_COMMON_RULES_LASALLE2_LASALLE2_ODDS_H

#include <stddef.h>

#include "common/rules/question.h"
#include "common/rules/rules.h"

/* The kinds and their words. */
extern const struct rules_policy lasalle2_odds_policies[];

/* rules_system's policy: answers a question as word number `word` says. */
int lasalle2_odds_policy(const struct combat *c, const struct question *q,
    int word, struct question_answer *a, struct question_item *room,
    size_t n_room) __attribute__((warn_unused_result));

#endif
