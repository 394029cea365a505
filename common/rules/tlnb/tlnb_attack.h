/* SPDX-License-Identifier: ISC */
/* An attack of tlnb, from its odds to its losses. */
#ifndef UMPIRE_COMMON_RULES_TLNB_TLNB_ATTACK_H
#define UMPIRE_COMMON_RULES_TLNB_TLNB_ATTACK_H

struct tlnb;

/* Runs it; non-zero ends the run. */
int tlnb_attack_run(const struct tlnb *l) __attribute__((warn_unused_result));

#endif
