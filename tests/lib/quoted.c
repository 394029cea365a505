/* SPDX-License-Identifier: ISC */
#include "tests/lib/quoted.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

char *
quoted_text(const char *text)
{
	char *copy = strdup(text), *p;

	assert_non_null(copy);
	if (strchr(text, '"') == NULL) {
		for (p = copy; *p != '\0'; p++) {
			if (*p == '\'')
				*p = '"';
		}
	}
	return (copy);
}

json_t *
quoted_json(const char *text)
{
	char *copy = quoted_text(text);
	json_t *v = NULL;

	if (js_load(copy, strlen(copy), JS_DEPTH_RECORD, &v, NULL) != 0)
		fail_msg("no JSON: %s", copy);
	free(copy);
	return (v);
}

void
quoted_is(json_t *v, const char *want)
{
	char *text = quoted_text(want);
	struct buf b;

	assert_non_null(v);
	buf_init(&b, 0);
	js_dump(v, &b);
	assert_string_equal(buf_str(&b), text);
	buf_clear(&b);
	free(text);
	json_decref(v);
}

void
quoted_lines_are(const json_t *list, size_t from, const char *want)
{
	char *text = quoted_text(want);
	struct buf b;
	size_t i;

	buf_init(&b, 0);
	for (i = from; i < json_array_size(list); i++) {
		js_dump(json_array_get(list, i), &b);
		buf_putc(&b, '\n');
	}
	assert_string_equal(buf_str(&b), text);
	buf_clear(&b);
	free(text);
}
