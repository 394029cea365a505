/* SPDX-License-Identifier: ISC */
/* Values out of JSON text of the record's profile (record S3). */
#ifndef UMPIRE_COMMON_JSON_JS_LOAD_H
#define UMPIRE_COMMON_JSON_JS_LOAD_H

#include <stddef.h>

#include <jansson.h>

#include "common/base/err.h"

/*
 * As js_check(), and gives the value: *out is new.  It is what the text says
 * or nothing at all, also where memory runs out in the middle of it.
 */
int js_load(const char *text, size_t len, unsigned depth, json_t **out,
    struct errinfo *e) __attribute__((warn_unused_result));

#endif
