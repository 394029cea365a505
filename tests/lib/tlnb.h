/* SPDX-License-Identifier: ISC */
/* What the tests of tlnb share: JSON of tests, and facts in few words. */
#ifndef UMPIRE_TESTS_LIB_TLNB_H
#define UMPIRE_TESTS_LIB_TLNB_H

#include <string.h>

#include <jansson.h>

#include "common/base/buf.h"
#include "common/json/js.h"
#include "common/json/js_load.h"

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
static inline json_t *
tlnb_json(const char *text)
{
	json_t *v = NULL;

	if (js_load(text, strlen(text), JS_DEPTH_RECORD, &v, NULL) != 0)
		fail_msg("no JSON: %s", text);
	return (v);
}

/* The JSON value v (stolen) has this text. */
static inline void
tlnb_is(json_t *v, const char *text)
{
	struct buf b;

	assert_non_null(v);
	buf_init(&b, 0);
	js_dump(v, &b);
	assert_string_equal(buf_str(&b), text);
	buf_clear(&b);
	json_decref(v);
}

#endif
