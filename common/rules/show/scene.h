/* SPDX-License-Identifier: ISC */
/*
 * What there is to draw of a combat: units with their arm and strength, how
 * they stand together, who acts against whom and, once it is known, how each
 * came out of it.  It is made from the events of the record, in the words of
 * the renderer; where things lie in a picture is decided by who draws.
 */
#ifndef UMPIRE_COMMON_RULES_SHOW_SCENE_H
#define UMPIRE_COMMON_RULES_SHOW_SCENE_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "common/rules/side.h"

struct buf;
struct render;
struct rules_system;

/* The sign that a unit bears. */
enum scene_arm {
	SCENE_INFANTRY,
	SCENE_CAVALRY,
	SCENE_ARTILLERY,
	SCENE_VEDETTE,
	SCENE_COMMANDER,
	SCENE_PLAIN, /* none of these */
};

/* Where a group stands, from one end of a picture to the other. */
enum scene_row {
	SCENE_BEYOND, /* behind the defenders, whoever it is */
	SCENE_DEFENDING,
	SCENE_ATTACKING,
	SCENE_BEHIND, /* behind the attackers */
	SCENE_ROWS,
};

/* The side of a group at which a link arrives, as the group faces its enemy. */
enum scene_edge {
	SCENE_FRONT,
	SCENE_LEFT,
	SCENE_RIGHT,
	SCENE_REAR,
};

/* A unit, or a commander.  All texts are owned, and never NULL. */
struct scene_node {
	enum scene_arm arm;
	char *id;
	char *name; /* as the renderer calls it */
	char *detail; /* what else is said of it: "line, shaken"; "" */
	char *end; /* how it came out, "" if that is not known */
	long long strength; /* -1: nothing counts as such */
	bool is_out; /* it came to the worst of ends */
};

/* Units that stand together: nodes first .. end - 1. */
struct scene_group {
	enum combat_side side;
	enum scene_row row;
	size_t first, end;
	char *label; /* owned: what is said of all of them, "" */
	bool has_frame; /* it is a stack, even if it is one unit */
};

/* One group acts against another, or supports it. */
struct scene_link {
	size_t from, to; /* groups */
	enum scene_edge edge;
	bool is_support;
	const char *word; /* how, static: "against"; "": the label says it */
	char *label; /* owned: what is to be read beside the arrow, "" */
	char *text; /* owned: the whole in words */
};

struct scene {
	struct scene_node *nodes; /* owned arrays */
	size_t n_nodes;
	struct scene_group *groups;
	size_t n_groups;
	struct scene_link *links;
	size_t n_links;
	char *place; /* owned: what is said of the combat as a whole, "" */
	struct render *rd; /* owned: its words and names */
	int error; /* ERR_NOMEM: not all of it is there */
};

/*
 * Makes the scene of a combat from its events (an array as umpire-record.7 has
 * it: the first that is a `combat` counts, and a `result`, if there is one).
 * *out is new, and NULL if there is no combat among them: that is no failure.
 * roster (NULL: none) is where units share names, besides the combat.
 * ERR_NOMEM.
 */
int scene_make(const struct rules_system *sys, const json_t *roster,
    const json_t *events, struct scene **out)
    __attribute__((warn_unused_result));

/* Frees it; NULL is allowed. */
void scene_free(struct scene *s);

/* ---- for rules_show's scene ---- */

/*
 * Begins a group, to which the units that follow belong, and returns its
 * number.  What b holds is its label; b is cleared.
 */
size_t scene_group(struct scene *s, enum combat_side side, enum scene_row row,
    bool has_frame, struct buf *b);

/* Which members of a unit object say what. */
struct scene_unit {
	const char *arm; /* NULL: it is what `is` says */
	const char *strength; /* NULL: it has none */
	const char *said; /* others that are not told: "{fought}"; "" */
	enum scene_arm is;
};

/* Adds a unit of the facts to the last group; bad JSON adds a poor one. */
void scene_unit(
    struct scene *s, const struct scene_unit *how, const json_t *unit);

/* Adds each unit of an array (NULL: none). */
void scene_units(
    struct scene *s, const struct scene_unit *how, const json_t *units);

/* Sets what the last unit has for its strength. */
void scene_strength(struct scene *s, long long strength);

/*
 * Adds to what is said of the combat as a whole the members of obj (NULL:
 * none), without those that `said` names in braces.
 */
void scene_place(struct scene *s, const json_t *obj, const char *said);

/*
 * Adds a link; what label and text hold are its texts, and both are cleared.
 * NULL for text: the names of both groups' units, the link's word between.
 */
void scene_link(struct scene *s, const struct scene_link *link,
    struct buf *label, struct buf *text);

/*
 * Adds to b what the members of obj say, without those that `said` names in
 * braces.
 */
void scene_say(
    const struct scene *s, const json_t *obj, const char *said, struct buf *b);

/*
 * Finds the group that holds the unit with this id; s->n_groups if there is
 * none.
 */
size_t scene_find(const struct scene *s, const char *id);

#endif
