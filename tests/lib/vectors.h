/* SPDX-License-Identifier: ISC */
/*
 * Readers of the vectors in tests/record for the unit tests: whatever is
 * missing or malformed fails the test that asks for it.
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
json_t *vectors_load(const char *path);

/* Returns a member of the expected type, borrowed. */
const json_t *vectors_get(const json_t *obj, const char *name, json_type type);

/* Returns a string member, borrowed. */
const char *vectors_str(const json_t *obj, const char *name);

/* Returns a whole number. */
unsigned vectors_unsigned(const json_t *obj, const char *name);

/* Decodes a string of exactly n bytes in hex. */
void vectors_bytes(const char *hex, uint8_t *out, size_t n);

/* Decodes a member of exactly n bytes in hex. */
void vectors_hex(const json_t *obj, const char *name, uint8_t *out, size_t n);

#endif
