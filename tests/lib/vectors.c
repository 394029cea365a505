/* SPDX-License-Identifier: ISC */
#include "tests/lib/vectors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

json_t *
vectors_load(const char *path)
{
	json_error_t e;
	json_t *root;

	root = json_load_file(path, JSON_REJECT_DUPLICATES, &e);
	if (root == NULL)
		print_error("%s:%d: %s\n", path, e.line, e.text);
	assert_non_null(root);
	return (root);
}

const json_t *
vectors_get(const json_t *obj, const char *name, json_type type)
{
	const json_t *v;

	v = json_object_get(obj, name);
	if (v == NULL || json_typeof(v) != type)
		fail_msg("no \"%s\" of the expected type", name);
	return (v);
}

const char *
vectors_str(const json_t *obj, const char *name)
{
	return (json_string_value(vectors_get(obj, name, JSON_STRING)));
}

unsigned
vectors_unsigned(const json_t *obj, const char *name)
{
	json_int_t n;

	n = json_integer_value(vectors_get(obj, name, JSON_INTEGER));
	assert_in_range(n, 0, UINT16_MAX);
	return ((unsigned)n);
}

void
vectors_bytes(const char *hex, uint8_t *out, size_t n)
{
	assert_int_equal(hex_parse(out, n, hex, strlen(hex)), 0);
}

void
vectors_hex(const json_t *obj, const char *name, uint8_t *out, size_t n)
{
	vectors_bytes(vectors_str(obj, name), out, n);
}
