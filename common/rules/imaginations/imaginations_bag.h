/* SPDX-License-Identifier: ISC */
/*
 * A bag of chits of imagi-nations as plain structs, read from JSON and
 * written back (umpire-rules.7, 13.2).
 */
#ifndef UMPIRE_COMMON_RULES_IMAGINATIONS_IMAGINATIONS_BAG_H
#define UMPIRE_COMMON_RULES_IMAGINATIONS_IMAGINATIONS_BAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/base/err.h"
#include "common/rules/facts.h"
#include "common/rules/rules.h"

struct js_at;

#define IMAGINATIONS_BAG_MAX 1000 /* chits */
#define IMAGINATIONS_EFFECTS_MAX 8 /* of one face */
#define IMAGINATIONS_EFFECT_MAX 99 /* hits of one effect */
#define IMAGINATIONS_TERRAIN_MAX RULES_NAME_MAX
#define IMAGINATIONS_OPEN "open" /* the terrain without cover */

enum imaginations_arm {
	IMAGINATIONS_INFANTRY,
	IMAGINATIONS_CAVALRY,
	IMAGINATIONS_ARTILLERY,
};

/* 13.3: the attacker's cards, then the defender's. */
enum imaginations_tactic {
	IMAGINATIONS_FEINT,
	IMAGINATIONS_CAVALRY_CHARGE,
	IMAGINATIONS_PREPARED_ATTACK,
	IMAGINATIONS_HASTY_ATTACK,
	IMAGINATIONS_PINNING_ATTACK,
	IMAGINATIONS_HOLD,
	IMAGINATIONS_DEFEND,
	IMAGINATIONS_EVADE,
	IMAGINATIONS_COUNTER_ATTACK,
	IMAGINATIONS_TACTICS,
};

enum imaginations_what {
	IMAGINATIONS_A, /* n hits on the defender, or n off the attacker's */
	IMAGINATIONS_D, /* n hits on the attacker, or n off the defender's */
	IMAGINATIONS_F, /* fatigue */
	IMAGINATIONS_M, /* morale */
};

struct imaginations_effect {
	enum imaginations_what what;
	int n; /* A, D: not 0; below 0 it takes hits away */
};

/* Each condition is 0 or empty where a face does not have it. */
struct imaginations_face {
	bool is_there;
	int ratio;
	int ratio_against;
	char terrain[IMAGINATIONS_TERRAIN_MAX + 1];
	int power; /* 1 + enum combat_side */
	int tactic; /* 1 + enum imaginations_tactic */
	int arm; /* 1 + enum imaginations_arm */
	struct imaginations_effect effects[IMAGINATIONS_EFFECTS_MAX];
	size_t n_effects;
};

enum imaginations_takes {
	IMAGINATIONS_FRONT,
	IMAGINATIONS_BACK,
	IMAGINATIONS_BOTH,
};

struct imaginations_chit {
	char id[FACTS_ID_MAX + 1];
	struct imaginations_face faces[2]; /* front, back */
	enum imaginations_takes takes;
};

struct imaginations_bag {
	struct imaginations_chit chits[IMAGINATIONS_BAG_MAX];
	size_t n;
};

/* Bytes of a face in words, and of one effect. */
#define IMAGINATIONS_FACE_TEXT 320
#define IMAGINATIONS_EFFECT_TEXT 8

/* Words, each list ended by NULL. */
extern const char *const imaginations_bag_arms[];
extern const char *const imaginations_bag_tactics[];
extern const char *const imaginations_bag_takes[];

/*
 * Reads a bag over the struct imaginations_bag at bag.  ERR_INVALID,
 * ERR_NOMEM.
 */
int imaginations_bag_read(const json_t *value, const struct js_at *at,
    void *bag, struct errinfo *e) __attribute__((warn_unused_result));

/* Reads a terrain: a name in lower case, not empty.  ERR_INVALID. */
int imaginations_bag_terrain(const json_t *obj, const char *name,
    const struct js_at *at, char out[IMAGINATIONS_TERRAIN_MAX + 1],
    struct errinfo *e) __attribute__((warn_unused_result));

/* The bag as a new array; NULL without memory. */
json_t *imaginations_bag_json(const struct imaginations_bag *bag);

/* Writes an effect as it is read: "A1", "D-2", "F". */
void imaginations_bag_effect(const struct imaginations_effect *effect,
    char out[IMAGINATIONS_EFFECT_TEXT]);

/*
 * Writes what a face that is there says: its conditions with commas between,
 * ": ", its effects with blanks between.
 */
void imaginations_bag_face(
    const struct imaginations_face *face, char out[IMAGINATIONS_FACE_TEXT]);

#endif
