/* SPDX-License-Identifier: ISC */
/*
 * How the odds calculator plays tlnb, and what it counts (umpire-rules.7,
 * 14.10).  The functions are those of struct rules_system.
 */
#ifndef UMPIRE_COMMON_RULES_TLNB_TLNB_POLICY_H
#define UMPIRE_COMMON_RULES_TLNB_TLNB_POLICY_H

#include <stddef.h>

#include "common/rules/rules.h"

extern const struct rules_policy tlnb_policy_list[];

/* Answers a question as word number `word` of its kind's policy says. */
int tlnb_policy_answer(const struct combat *c, const struct question *q,
    int word, struct question_answer *a, struct question_item *room,
    size_t n_room) __attribute__((warn_unused_result));

/* Counts a run that ended: code, ends, strength points lost. */
void tlnb_policy_outcome(const struct combat *c, struct rules_outcome *out);

#endif
