/* SPDX-License-Identifier: ISC */
/* Random facts of a leniston-2009 combat. */
#ifndef UMPIRE_TESTS_LIB_FACTS_LENISTON2009_H
#define UMPIRE_TESTS_LIB_FACTS_LENISTON2009_H

#include <stdint.h>

#include <jansson.h>

/* It includes this file where it has made what is used here. */
#include "tests/lib/facts.h"

json_t *facts_leniston2009(uint64_t *seed);

#endif
