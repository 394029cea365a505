/* SPDX-License-Identifier: ISC */
/*
 * The question of a tlnb exchange: which units the stronger side loses
 * (umpire-rules.7, 14.4).  An item of its answers is the index of a unit.
 */
#ifndef UMPIRE_COMMON_RULES_TLNB_TLNB_EXCHANGE_H
#define UMPIRE_COMMON_RULES_TLNB_TLNB_EXCHANGE_H

#include "common/rules/question.h"

extern const struct question_rule tlnb_exchange_rule;

#endif
