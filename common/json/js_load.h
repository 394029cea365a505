/* SPDX-License-Identifier: ISC */
/* Values out of JSON text of the record's strict profile (record S3). */
#ifndef UMPIRE_COMMON_JSON_JS_LOAD_H
#define UMPIRE_COMMON_JSON_JS_LOAD_H

#include <stddef.h>

#include <jansson.h>

#include "common/base/err.h"

#define JS_DEPTH_RECORD 16 /* orders, lines, side lines, blobs */
#define JS_DEPTH_RPC 32 /* requests and replies */
#define JS_INT_MAX 9007199254740991 /* 2^53 - 1 */

/*
 * Reads text, which must be one JSON value of the profile: valid UTF-8, no
 * BOM, no duplicate keys at any depth, numbers that are integers without
 * fraction or exponent, not -0, of magnitude at most 2^53 - 1, no U+0000, no
 * unpaired surrogate escape, nesting of at most depth, nothing but white
 * space after it.  A number or string has depth 0, an object or array of
 * those 1; depth is at most JS_DEPTH_RPC.  *out is new: what the text says or
 * nothing at all, also where memory runs out in the middle of it.
 * ERR_MALFORMED (e says what, and at which byte, counted from 1) or
 * ERR_NOMEM.
 */
int js_load(const char *text, size_t len, unsigned depth, json_t **out,
    struct errinfo *e) __attribute__((warn_unused_result));

#endif
