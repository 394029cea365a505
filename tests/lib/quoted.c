/* SPDX-License-Identifier: ISC */
#include "tests/lib/quoted.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

json_t *
quoted_json(const char *text)
{
	json_t *v = NULL;
	char *copy, *p;
	struct buf b;

	buf_init(&b, 0);
	buf_puts(&b, text);
	copy = buf_take(&b, NULL);
	assert_non_null(copy);
	for (p = copy; *p != '\0'; p++) {
		if (*p == '\'')
			*p = '"';
	}
	if (js_load(copy, strlen(copy), JS_DEPTH_RECORD, &v, NULL) != 0)
		fail_msg("no JSON: %s", copy);
	free(copy);
	return (v);
}

void
quoted_is(json_t *v, const char *want)
{
	struct buf b;
	char *has, *p;

	buf_init(&b, 0);
	js_dump(v, &b);
	has = buf_take(&b, NULL);
	assert_non_null(has);
	for (p = has; *p != '\0'; p++) {
		if (*p == '"')
			*p = '\'';
	}
	assert_string_equal(has, want);
	free(has);
	json_decref(v);
}
