/* SPDX-License-Identifier: ISC */
/* A bombardment of tlnb, from its odds to its losses. */
#ifndef UMPIRE_COMMON_RULES_TLNB_TLNB_BOMBARD_H
#define UMPIRE_COMMON_RULES_TLNB_TLNB_BOMBARD_H

struct tlnb;

/* Runs it; non-zero ends the run. */
int tlnb_bombard_run(const struct tlnb *l) __attribute__((warn_unused_result));

#endif
