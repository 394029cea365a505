/* SPDX-License-Identifier: ISC */
/* Random facts of tlnb, of all three kinds (see tests/lib/facts.h). */
#ifndef UMPIRE_TESTS_LIB_FACTS_TLNB_H
#define UMPIRE_TESTS_LIB_FACTS_TLNB_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

#include "tests/lib/chance.h"

/* A combat of one of the kinds, the attack most of all. */
json_t *facts_tlnb(uint64_t *seed);

#endif
