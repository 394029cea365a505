/* SPDX-License-Identifier: ISC */
/*
 * Random facts of a combat, lawful and different at every call, for each
 * system: a system that has none here fails the tests that play combats.
 */
#ifndef UMPIRE_TESTS_LIB_FACTS_H
#define UMPIRE_TESTS_LIB_FACTS_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "common/rules/rules.h"

#include "tests/lib/chance.h"

/* Sets a member of an object of the test. */
void facts_put(json_t *o, const char *name, json_t *value);

/* One of the n words, by chance. */
json_t *facts_word(uint64_t *seed, const char *const words[], uint32_t n);

/* Makes facts for a system; new. */
json_t *facts_random(const struct rules_system *sys, uint64_t *seed);

#endif
