/* SPDX-License-Identifier: ISC */
/*
 * Random facts of imagi-nations, lawful and different at every call: bags of
 * their own or the default one, leads and whole units without strength,
 * reasons twice.  Included by tests/lib/facts.h.
 */
#ifndef UMPIRE_TESTS_LIB_FACTS_IMAGINATIONS_H
#define UMPIRE_TESTS_LIB_FACTS_IMAGINATIONS_H

#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

#include "tests/lib/chance.h"

/* Sets a member of an object. */
void facts_imaginations_set(json_t *o, const char *name, json_t *value);

/* Facts, with a bag of their own or without. */
json_t *facts_imaginations(uint64_t *seed);

#endif
