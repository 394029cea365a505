/* SPDX-License-Identifier: ISC */
/*
 * Readers of the vectors in tests/record for the unit tests: whatever is
 * missing or malformed fails the test that asks for it.  Include cmocka.h
 * and its companions before it.
 */
#ifndef UMPIRE_TESTS_LIB_VECTORS_H
#define UMPIRE_TESTS_LIB_VECTORS_H

#include <stdint.h>
#include <string.h>

#include <jansson.h>

#include "common/base/hex.h"

#define VECTORS_DICE TOP_SRCDIR "/tests/record/dice-vectors.json"
#define VECTORS_VRF TOP_SRCDIR "/tests/record/rfc9381-p256-tai.json"

/* Loads a file of vectors; the result is new. */
static inline json_t *
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

/* Returns a member of the expected type, borrowed. */
static inline const json_t *
vectors_get(const json_t *obj, const char *name, json_type type)
{
	const json_t *v;

	v = json_object_get(obj, name);
	if (v == NULL || json_typeof(v) != type)
		fail_msg("no \"%s\" of the expected type", name);
	return (v);
}

/* Returns a string member, borrowed. */
static inline const char *
vectors_str(const json_t *obj, const char *name)
{
	return (json_string_value(vectors_get(obj, name, JSON_STRING)));
}

/* Returns a whole number. */
static inline unsigned
vectors_unsigned(const json_t *obj, const char *name)
{
	json_int_t n;

	n = json_integer_value(vectors_get(obj, name, JSON_INTEGER));
	assert_in_range(n, 0, UINT16_MAX);
	return ((unsigned)n);
}

/* Decodes a string of exactly n bytes in hex. */
static inline void
vectors_bytes(const char *hex, uint8_t *out, size_t n)
{
	assert_int_equal(hex_parse(out, n, hex, strlen(hex)), 0);
}

/* Decodes a member of exactly n bytes in hex. */
static inline void
vectors_hex(const json_t *obj, const char *name, uint8_t *out, size_t n)
{
	vectors_bytes(vectors_str(obj, name), out, n);
}

#endif
