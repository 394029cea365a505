/* SPDX-License-Identifier: ISC */
/*
 * The order of battle of both sides in a game (record S9): units with their
 * printed values and their losses.  A declared combat names its units and adds
 * the situation; results are written back.
 */
#ifndef UMPIRE_COMMON_RULES_ROSTER_H
#define UMPIRE_COMMON_RULES_ROSTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/base/err.h"

struct js_at;
struct roster;
struct rules_system;
struct schema_faults;

#define ROSTER_UNITS_MAX 400 /* a side */

/*
 * Reads a roster blob (the object with "blob":"roster").  ERR_INVALID with
 * the place ("sides.1.units[3].arm"), ERR_NOMEM.  *out is new.
 */
int roster_parse(const struct rules_system *sys, const json_t *blob,
    struct roster **out, struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Tells of all that roster_parse() would refuse for its first fault: nothing,
 * if it would take the blob.  Of how a unit's members depend on each other
 * it tells once they are all right by themselves.  ERR_NOMEM.
 */
int roster_check(const struct rules_system *sys, const json_t *blob,
    struct schema_faults *f) __attribute__((warn_unused_result));

/* Frees a roster; NULL is allowed. */
void roster_free(struct roster *r);

/*
 * The roster as it now is: {"1":{"name"?,"units":[...],"commanders"?:[...]},
 * "2":{...}}; each unit has its present values, then what the game keeps of
 * it, and, where it is out of play, "out": "broken", "retired", ...  New;
 * NULL without memory.
 */
json_t *roster_json(const struct roster *r);

/* The same, borrowed until the roster changes. */
const json_t *roster_value(const struct roster *r);

/* Reads back what roster_json() gave. */
int roster_restore(const struct rules_system *sys, const json_t *saved,
    struct roster **out, struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Makes the complete facts of a declared combat: a copy of combat in which
 * each unit object has the roster's values filled in.  side (1 or 2) is the
 * attacker's.  ERR_INVALID for a unit that is not in that side's roster, is
 * out of play, or is stated differently from the roster.  *facts is new.
 */
int roster_merge(const struct roster *r, int side, const json_t *combat,
    json_t **facts, struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Writes a combat's result back; decisions are all that were given in it.
 * ERR_NOMEM; then *r must be thrown away.
 */
int roster_apply(struct roster *r, const json_t *facts, const json_t *decisions,
    const json_t *result) __attribute__((warn_unused_result));

/* The end of a side's turn.  ERR_NOMEM; then *r must be thrown away. */
int roster_turn_end(struct roster *r) __attribute__((warn_unused_result));

/*
 * The system's upkeep at the end of a round, or of a turn where it has it then;
 * appends to the array events.
 */
int roster_upkeep(struct roster *r, json_t *events)
    __attribute__((warn_unused_result));

/*
 * For the systems' merge: fills in the unit or commander object `unit`
 * (borrowed, changed), which belongs to side and stands at `at`, from the
 * roster, and puts its members in the system's order.  ERR_INVALID,
 * ERR_NOMEM.
 */
int roster_fill(const struct roster *r, int side, json_t *unit,
    const struct js_at *at, struct errinfo *e)
    __attribute__((warn_unused_result));
int roster_fill_commander(const struct roster *r, int side, json_t *commander,
    const struct js_at *at, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * The same for every object of the list that is the member `name` of obj,
 * which stands at `at`; a list that is missing is refused.
 */
int roster_fill_units(const struct roster *r, int side, json_t *obj,
    const char *name, const struct js_at *at, struct errinfo *e)
    __attribute__((warn_unused_result));
int roster_fill_commanders(const struct roster *r, int side, json_t *obj,
    const char *name, const struct js_at *at, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Finds the unit or commander of a side, in play, whose id is the member
 * `name` of obj, which stands at `at`; *has is borrowed.  ERR_INVALID.
 */
int roster_pick(const struct roster *r, int side, bool is_commander,
    const json_t *obj, const char *name, const struct js_at *at,
    const json_t **has, struct errinfo *e) __attribute__((warn_unused_result));

/*
 * For the systems' apply: sets one member of a unit (value is stolen), or
 * marks it out of play; ERR_NOMEM, ERR_NOTFOUND.
 */
int roster_set(struct roster *r, const char *id, const char *name,
    json_t *value) __attribute__((warn_unused_result));
int roster_set_out(struct roster *r, const char *id, const char *why)
    __attribute__((warn_unused_result));

/* Takes one member from a unit, which need not have it; errors likewise. */
int roster_unset(struct roster *r, const char *id, const char *name)
    __attribute__((warn_unused_result));

/*
 * The journal: of every unit and commander that has changed since the journal
 * was last taken, its object before the first change.  Gives {id -> object},
 * new and the caller's, NULL if nothing was changed; a unit that was set back
 * to what it had been is there too.  What joined has null.
 */
json_t *roster_journal_take(struct roster *r);

/*
 * Gives a unit or commander the members of this object, which
 * roster_journal_take() or roster_change() made, in place of all that it
 * has.  ERR_NOTFOUND, ERR_NOMEM.
 */
int roster_put(struct roster *r, const char *id, const json_t *value)
    __attribute__((warn_unused_result));

/*
 * Works out what a unit or commander becomes by a change, {"id", members to
 * set..., "out"?: a word or null, "gone"?: true}, which stands at `at`: *unit
 * is new, as its system writes it, with the marks behind; nothing is changed.
 * ERR_INVALID for an id that no side has, for a unit that is gone for good,
 * for what the system refuses of a unit in play or out of it, and for a change
 * that changes nothing.
 */
int roster_change(const struct roster *r, const json_t *change,
    const struct js_at *at, json_t **unit, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * True for a change by which a unit or commander joins: it has "joins"; and
 * for one that takes it away for good: it has "gone".
 */
bool roster_joins(const json_t *change);
bool roster_goes(const json_t *change);

/*
 * Checks what a change says that has the same form whatever the roster: "out"
 * is a word or null; for one that joins "joins" is "units" or "commanders",
 * "side" 1 or 2, and there is no "out"; for one that goes "gone" is true, and
 * only "id" and an "out" that is a word stand beside it.  ERR_INVALID.
 */
int roster_change_form(const json_t *change, const struct js_at *at,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Works out what a unit or commander is that joins by a change, {"id","joins",
 * "side", the members that a player's roster would have}, which stands at
 * `at`: *unit is new, as its system writes it; nothing is changed.  more is
 * how many others join the same list before it.  ERR_INVALID for an id that
 * is taken, for a list that is full, and for what the system refuses.
 */
int roster_join(const struct roster *r, const json_t *change, size_t more,
    const struct js_at *at, json_t **unit, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Adds at the end of its list what roster_join() made of a change, and takes
 * it out again as if it had never been there, which the journal does not
 * know of.  ERR_NOMEM, then *r must be thrown away; ERR_NOTFOUND.
 */
int roster_add(struct roster *r, const json_t *change, const json_t *unit)
    __attribute__((warn_unused_result));
int roster_drop(struct roster *r, const char *id)
    __attribute__((warn_unused_result));

/* True for a unit's object that was taken away for good. */
bool roster_is_gone(const json_t *unit);

/*
 * The present object of a unit or commander, borrowed, and its side; NULL
 * if unknown.
 */
const json_t *roster_find(const struct roster *r, const char *id, int *side);

/*
 * What a unit's object is worth to its side, as its system has it
 * (umpire-rules.7, 3): 0 out of play.
 */
int64_t roster_unit_worth(const struct rules_system *sys, const json_t *unit);

/*
 * The worth of a side, whose units these are: the sum over those in play.
 * first: id -> the object of each as it began the game or joined it, borrowed;
 * none counts for more than that.  NULL, and for one that is not in it: as
 * they are.
 */
int64_t roster_worth(
    const struct rules_system *sys, const json_t *units, const json_t *first);

/*
 * For the systems' upkeep: unit number i of both sides in turn, side 1 first,
 * as roster_find() gives it; NULL past the last.
 */
const json_t *roster_unit_at(const struct roster *r, size_t i);

/* Why a unit's object is out of play; NULL if it is in play. */
const char *roster_out(const json_t *unit);

#endif
