/* SPDX-License-Identifier: ISC */
/* A cavalry charge of tlnb, from its odds to its losses. */
#ifndef UMPIRE_COMMON_RULES_TLNB_TLNB_CHARGE_H
#define UMPIRE_COMMON_RULES_TLNB_TLNB_CHARGE_H

struct tlnb;

/* Runs it; non-zero ends the run. */
int tlnb_charge_run(const struct tlnb *l) __attribute__((warn_unused_result));

#endif
