/* SPDX-License-Identifier: ISC */
/* Where in a text of JSON an error is: line and column. */
#ifndef UMPIRE_COMMON_JSON_JS_PLACE_H
#define UMPIRE_COMMON_JSON_JS_PLACE_H

#include <stdbool.h>
#include <stddef.h>

struct errinfo;

/* Both count from 1, columns in characters. */
struct js_place {
	size_t line;
	size_t column;
};

/*
 * Finds the place of an error in the text, whatever that holds: the byte that
 * js_load() has named, or the member of its path, "sides.1.units[3].arm" - the
 * value of it or, with is_name, its name.  What is not there is where it
 * should be: in the last object or array of the path that is there.
 */
void js_place_find(const char *text, size_t len, const struct errinfo *e,
    bool is_name, struct js_place *out);

/* The place of a byte, from 0; one past the end is the end's. */
void js_place_byte(
    const char *text, size_t len, size_t byte, struct js_place *out);

#endif
