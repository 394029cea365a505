/* SPDX-License-Identifier: ISC */
/* Numbers by chance that are the same in every run of a test (splitmix64). */
#ifndef UMPIRE_TESTS_LIB_CHANCE_H
#define UMPIRE_TESTS_LIB_CHANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/rules/combat.h"

/* Returns the next number below n; arg is a uint64_t. */
uint32_t chance_pick_cb(void *arg, uint32_t n);

/* combat_dice: rolls; arg as above. */
int chance_roll_cb(void *arg, const char *label, unsigned sides, unsigned count,
    uint16_t *dice, struct errinfo *e);

/* combat_dice: draws; arg as above. */
int chance_draw_cb(void *arg, const char *label, const char *const *ids,
    unsigned n, const uint16_t *had, unsigned nhad, uint16_t *pick,
    struct errinfo *e);

#endif
