/* SPDX-License-Identifier: ISC */
/* What the tests of tlnb share: JSON of tests, and facts in few words. */
#ifndef UMPIRE_TESTS_LIB_TLNB_H
#define UMPIRE_TESTS_LIB_TLNB_H

#include <string.h>

#include <jansson.h>

#include "common/base/buf.h"
#include "common/json/js.h"

#define ATTACK(attackers, defenders)                     \
	"{\"kind\":\"attack\",\"attackers\":[" attackers \
	"],\"defenders\":[" defenders "]}"
#define FIRE(batteries, units)                                \
	"{\"kind\":\"bombardment\",\"batteries\":[" batteries \
	"],\"target\":{\"units\":[" units "]}}"

#define UNIT(id, arm, sp, initiative, more)                 \
	"{\"id\":\"" id "\",\"arm\":\"" arm "\",\"sp\":" sp \
	",\"initiative\":" initiative more "}"

/* Parses JSON of a test. */
json_t *tlnb_json(const char *text);

/* The JSON value v (stolen) has this text. */
void tlnb_is(json_t *v, const char *text);

#endif
