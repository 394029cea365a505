/* SPDX-License-Identifier: ISC */
/*
 * JSON text: the one compact form that lines are written in (S2), and readers
 * of members that say where the input is wrong.
 */
#ifndef UMPIRE_COMMON_JSON_JS_H
#define UMPIRE_COMMON_JSON_JS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/base/err.h"
#include "common/json/js_load.h"

struct buf;

#define JS_DEPTH_DUMP 64 /* what js_dump() writes at most */

/* json_object_foreach() for what is const: jansson's iterators know none. */
#define js_foreach(object, name, v) \
	json_object_foreach((json_t *)(uintptr_t)(object), name, v)

/*
 * A place in a document, kept as a chain on the callers' stacks, so that a
 * path such as "combat.contacts[2].edge" is only written when it is needed.
 */
struct js_at {
	const struct js_at *up; /* NULL at the top */
	const char *name; /* member, or NULL for an element */
	size_t index; /* element, if name is NULL */
};

/*
 * True if two values have the same text: json_equal() does not mind in which
 * order members stand.  False without memory.
 */
bool js_same(const json_t *a, const json_t *b);

/*
 * Appends v in the record's compact form (S2): no spaces, members in their
 * order, \" \\ \b \f \n \r \t, other control characters as \u00xx in lower
 * case, nothing else escaped.  Failures stay in the buffer; a real number or
 * nesting over JS_DEPTH_DUMP is a fault of the program and is asserted away
 * (without assertions, *out fails with ERR_TOOBIG).
 */
void js_dump(const json_t *v, struct buf *out);

/* Appends s, which has len bytes of UTF-8, as a JSON string, quotes too. */
void js_dump_string(const char *s, size_t len, struct buf *out);

/* Appends an integer. */
void js_dump_int(int64_t n, struct buf *out);

/*
 * Fills e with the formatted text and the path of at (NULL: the document
 * itself, no path); returns ERR_INVALID.
 */
int js_fail(const struct js_at *at, struct errinfo *e, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* As js_fail() for the member name of the object at. */
int js_fail_member(const struct js_at *at, const char *name, struct errinfo *e,
    const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/*
 * Puts the path of at before the place of an error (if e has one) in a part
 * of the document that was checked by itself.
 */
void js_within(const struct js_at *at, struct errinfo *e);

/*
 * Checks that v, which is at `at`, is an object that has no members but those
 * of known, a list ended by NULL.  ERR_INVALID names the first unknown one.
 */
int js_members(const json_t *v, const struct js_at *at,
    const char *const known[], struct errinfo *e)
    __attribute__((warn_unused_result));

/* The same, and that they stand in the order of the names. */
int js_members_ordered(const json_t *v, const struct js_at *at,
    const char *const names[], struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Readers of a member of obj, which is at `at`.  js_get_*: a missing member
 * is ERR_INVALID.  js_opt_*: a missing member leaves *out alone.  A member of
 * the wrong type or outside its range is ERR_INVALID, and so is an obj that
 * is not an object.  Strings, arrays and objects are borrowed from obj.
 */
int js_get_str(const json_t *obj, const char *name, const struct js_at *at,
    const char **out, struct errinfo *e) __attribute__((warn_unused_result));
int js_opt_str(const json_t *obj, const char *name, const struct js_at *at,
    const char **out, struct errinfo *e) __attribute__((warn_unused_result));
int js_get_int(const json_t *obj, const char *name, const struct js_at *at,
    int64_t lo, int64_t hi, int64_t *out, struct errinfo *e)
    __attribute__((warn_unused_result));
int js_opt_int(const json_t *obj, const char *name, const struct js_at *at,
    int64_t lo, int64_t hi, int64_t *out, struct errinfo *e)
    __attribute__((warn_unused_result));
int js_get_bool(const json_t *obj, const char *name, const struct js_at *at,
    bool *out, struct errinfo *e) __attribute__((warn_unused_result));
int js_opt_bool(const json_t *obj, const char *name, const struct js_at *at,
    bool *out, struct errinfo *e) __attribute__((warn_unused_result));

/*
 * The text or the number of a member of what was checked before, or where it
 * does not matter why there is none: NULL, or 0, for a missing member and for
 * one of another type.  The text is borrowed from obj.
 */
const char *js_str(const json_t *obj, const char *name);
json_int_t js_int(const json_t *obj, const char *name);

/* The value must be one of values (ended by NULL); *out is its index. */
int js_get_enum(const json_t *obj, const char *name, const struct js_at *at,
    const char *const values[], int *out, struct errinfo *e)
    __attribute__((warn_unused_result));
int js_opt_enum(const json_t *obj, const char *name, const struct js_at *at,
    const char *const values[], int *out, struct errinfo *e)
    __attribute__((warn_unused_result));
int js_get_array(const json_t *obj, const char *name, const struct js_at *at,
    const json_t **out, struct errinfo *e) __attribute__((warn_unused_result));
int js_opt_array(const json_t *obj, const char *name, const struct js_at *at,
    const json_t **out, struct errinfo *e) __attribute__((warn_unused_result));
int js_get_object(const json_t *obj, const char *name, const struct js_at *at,
    const json_t **out, struct errinfo *e) __attribute__((warn_unused_result));
int js_opt_object(const json_t *obj, const char *name, const struct js_at *at,
    const json_t **out, struct errinfo *e) __attribute__((warn_unused_result));

/* Exactly 2n lower-case hex digits, into out, which has n bytes. */
int js_get_hex(const json_t *obj, const char *name, const struct js_at *at,
    uint8_t *out, size_t n, struct errinfo *e)
    __attribute__((warn_unused_result));

/* As js_get_hex(); *has says whether the member is there. */
int js_opt_hex(const json_t *obj, const char *name, const struct js_at *at,
    uint8_t *out, size_t n, bool *has, struct errinfo *e)
    __attribute__((warn_unused_result));

/* As js_get_hex() for element i of an array; ERR_MALFORMED, no text. */
int js_element_hex(const json_t *array, size_t i, uint8_t *out, size_t n)
    __attribute__((warn_unused_result));

/*
 * True for an id of a unit, battalion or chit:
 * [a-z0-9][a-z0-9._-]{0,31}.
 */
bool js_is_id(const char *s);

/*
 * Ends the making of v (stolen): returns it, or frees it and returns NULL if
 * something of it went wrong.
 */
json_t *js_made(json_t *v, int bad);

/* A new JSON string of n bytes in hex; NULL when there is no memory. */
json_t *js_hex(const void *p, size_t n);

#endif
