/* SPDX-License-Identifier: ISC */
/*
 * The question of a tlnb exchange: which units the stronger side loses
 * (umpire-rules.7, 14.4).  Its picks are the units of that side, in order.
 */
#ifndef UMPIRE_COMMON_RULES_TLNB_TLNB_EXCHANGE_H
#define UMPIRE_COMMON_RULES_TLNB_TLNB_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/rules/question.h"

extern const struct question_rule tlnb_exchange_rule;

/* What pick i counts, and whether it must go before others. */
int tlnb_exchange_worth(const struct combat *c, size_t i);
bool tlnb_exchange_is_first(const struct combat *c, size_t i);

#endif
