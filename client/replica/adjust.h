/* SPDX-License-Identifier: ISC */
/*
 * Changes of the rosters as players write them (record S5, propose):
 *   fr-1 hits=2 disordered=yes fr-2 out=left fr-3 out=none
 *   don joins=units side=2 arm=artillery battery=horse strength=2 fr-4 gone=yes
 * A word without '=' names a unit or commander; the words after it set its
 * members.  If joins= is the first of them, there may be none of this id.  A
 * value has the type that the member has now; where it has none, numbers, yes
 * and no are what they look like, and the rest are words.
 */
#ifndef UMPIRE_CLIENT_REPLICA_ADJUST_H
#define UMPIRE_CLIENT_REPLICA_ADJUST_H

#include <jansson.h>

#include "common/base/err.h"

/*
 * Reads n words; roster is the view's (NULL: not known).  ERR_INVALID with a
 * text for people.  *units is new.
 */
int adjust_parse(const json_t *roster, int n, const char *const *words,
    json_t **units, struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Takes the list out of a file's JSON: an array, or an object with the one
 * member "units".  ERR_INVALID.  *units is new.
 */
int adjust_take(const json_t *root, json_t **units, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Takes what a file's JSON has as rosters, of one side or both, as joining:
 * a change a unit or commander.  system is the game's.  ERR_INVALID with a
 * text for people.  *units is new.
 */
int adjust_join(const json_t *root, const char *system, json_t **units,
    struct errinfo *e) __attribute__((warn_unused_result));

/* The entry of a unit or commander of the view's roster, borrowed; NULL. */
const json_t *adjust_entry(const json_t *roster, const char *id);

/*
 * The unit that has a part (a battalion) with this id, borrowed, and the
 * member that holds it; NULL if none has.
 */
const json_t *adjust_holder(
    const json_t *roster, const char *id, const char **member);

#endif
