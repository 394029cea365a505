/* SPDX-License-Identifier: ISC */
/* JSON in tests, written with ' for ", so that it can be read. */
#ifndef UMPIRE_TESTS_LIB_QUOTED_H
#define UMPIRE_TESTS_LIB_QUOTED_H

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "common/base/buf.h"
#include "common/json/js.h"

/* Parses JSON of a test, with ' for ". */
json_t *quoted_json(const char *text);

/* The value (stolen) has this text, with ' for ". */
void quoted_is(json_t *v, const char *want);

#endif
