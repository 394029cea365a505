/* SPDX-License-Identifier: ISC */
/* JSON in tests, written with ' for ", so that it can be read. */
#ifndef UMPIRE_TESTS_LIB_QUOTED_H
#define UMPIRE_TESTS_LIB_QUOTED_H

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "common/base/buf.h"
#include "common/json/js.h"

/*
 * The text with " for ', or as it is if it has a " itself, since then ' is one;
 * new, free() frees it.
 */
char *quoted_text(const char *text);

/* Parses JSON of a test, a quoted_text(); new. */
json_t *quoted_json(const char *text);

/* The value (stolen) has this text, a quoted_text(). */
void quoted_is(json_t *v, const char *want);

/*
 * The elements of an array from that place on are these lines, a
 * quoted_text().
 */
void quoted_lines_are(const json_t *list, size_t from, const char *want);

#endif
