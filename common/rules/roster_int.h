/* SPDX-License-Identifier: ISC */
/*
 * Inside of roster.h: a roster itself, shared by roster.c, which reads it and
 * fills in combats from it, and roster_change.c, and by nobody else.
 */
#ifndef UMPIRE_COMMON_RULES_ROSTER_INT_H
#define UMPIRE_COMMON_RULES_ROSTER_INT_H

#include "common/rules/roster.h"
#include "common/rules/rules.h"

#define ROSTER_OUT "out" /* why a unit is out of play */
#define ROSTER_GONE "gone" /* true: it is out of play for good */

struct roster {
	const struct rules_system *sys;
	json_t *sides; /* owned: what roster_json() gives a copy of */
	/* Owned: id -> the object in sides of a unit or commander. */
	json_t *index[2];
	json_t *commanders; /* owned: id -> true, of both sides */
	/* Owned: id -> its object before the first change; NULL: none. */
	json_t *journal;
	/* While one is checked: told of what is wrong; borrowed.  NULL: not. */
	struct schema_faults *faults;
};

/* The members of a roster that hold the sides, side 1 first. */
extern const char *const roster_sides[2];

/* A system's reader of a unit or of a commander. */
typedef int (*roster_reader)(const json_t *unit, enum rules_roster how,
    const struct js_at *at, json_t **out, struct errinfo *e);

/*
 * Has the system read a unit as the game keeps it, without its marks, and puts
 * the mark `why` behind if it is out of play (NULL: it is in play), and that
 * it is gone for good.  ERR_INVALID, ERR_NOMEM.
 */
int roster_read_kept(roster_reader read, const json_t *plain, const char *why,
    bool is_gone, const struct js_at *at, json_t **out, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * A unit's object as a new one, with its marks or without, or NULL; the values
 * are shared, which nothing changes in place.
 */
json_t *roster_copy(const json_t *unit);
json_t *roster_plain(const json_t *unit);

/* Finds a unit or commander, to change it; NULL. */
json_t *roster_unit(const struct roster *r, const char *id, int *side);

/* True if an object of the roster is a commander. */
bool roster_is_commander(const struct roster *r, const json_t *has);

/*
 * Writes down in the journal what a unit is before it changes (NULL: it is
 * not there yet), once.  ERR_NOMEM.
 */
int roster_log(struct roster *r, const char *id, const json_t *unit)
    __attribute__((warn_unused_result));

/*
 * Adds the object of a unit or commander (made, stolen) to a list of the
 * side (0 or 1) and to the index.  ERR_NOMEM.
 */
int roster_index(struct roster *r, size_t side, bool is_commander, json_t *list,
    json_t *made) __attribute__((warn_unused_result));

#endif
