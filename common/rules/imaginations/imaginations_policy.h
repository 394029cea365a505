/* SPDX-License-Identifier: ISC */
/* The policies of imagi-nations (umpire-rules.7, 13.12). */
#ifndef UMPIRE_COMMON_RULES_IMAGINATIONS_IMAGINATIONS_POLICY_H
#define UMPIRE_COMMON_RULES_IMAGINATIONS_IMAGINATIONS_POLICY_H

#include <stddef.h>

#include "common/rules/combat.h"
#include "common/rules/question.h"
#include "common/rules/rules.h"

/* rules_system's policies. */
extern const struct rules_policy imaginations_policy_table[];

/* rules_system's secret_kinds. */
extern const char *const imaginations_policy_secret[];

/* rules_system's policy. */
int imaginations_policy_answer(const struct combat *c, const struct question *q,
    int word, struct question_answer *a, struct question_item *room,
    size_t n_room) __attribute__((warn_unused_result));

#endif
