/* SPDX-License-Identifier: ISC */
#include "tests/lib/tlnb.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

json_t *
tlnb_json(const char *text)
{
	json_t *v = NULL;

	if (js_load(text, strlen(text), JS_DEPTH_RECORD, &v, NULL) != 0)
		fail_msg("no JSON: %s", text);
	return (v);
}

void
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
