/* SPDX-License-Identifier: ISC */
/*
 * Readers for what the facts of all systems have: ids, names, sets of words,
 * the id that names a combat's place.  A system's own members are its own
 * business.
 */
#ifndef UMPIRE_COMMON_RULES_FACTS_H
#define UMPIRE_COMMON_RULES_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "common/base/err.h"
#include "common/rules/rules.h"

struct js_at;

#define FACTS_ID_MAX 32 /* bytes of an id */

/* A text for people that may be missing. */
struct facts_text {
	char text[RULES_NAME_MAX + 1];
	bool has;
};

/* How a unit is named: by id, and by a name for people if it has one. */
struct facts_name {
	char id[FACTS_ID_MAX + 1];
	struct facts_text name;
};

/* Reads the id in member `name` into out.  ERR_INVALID. */
int facts_id(const json_t *obj, const char *name, const struct js_at *at,
    char out[FACTS_ID_MAX + 1], struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Returns the index of the struct with this id among n of `size` bytes, each
 * of which begins with its id; n if there is none.
 */
size_t facts_find(const void *first, size_t n, size_t size, const char *id);

/*
 * Reads a member that may be missing and holds a name for people: a place,
 * a terrain.  *out is borrowed and unchanged where it is missing.
 */
int facts_opt_text(const json_t *obj, const char *name, const struct js_at *at,
    const char **out, struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Reads a list of some of words (ended by NULL) as a set of bits; a word
 * twice is there once.  *set is unchanged where the member is missing.
 */
int facts_set(const json_t *obj, const char *name, const struct js_at *at,
    const char *const words[], unsigned *set, struct errinfo *e)
    __attribute__((warn_unused_result));

/* The set as a new array of words, or NULL. */
json_t *facts_set_json(const char *const words[], unsigned set);

/*
 * Returns the lesser in byte order of the id `least` (NULL: none yet) and
 * those of the objects in list (borrowed; it may be NULL or malformed).
 */
const char *facts_least_id(const json_t *list, const char *least);

#endif
