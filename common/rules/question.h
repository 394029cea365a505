/* SPDX-License-Identifier: ISC */
/*
 * The questions of a combat: what a side may answer, as plain structs that
 * the rules fill in and as the JSON that players see (umpire-rules.7, 4).
 * An answer is read against the question, so that an unlawful one never
 * reaches the rules.
 */
#ifndef UMPIRE_COMMON_RULES_QUESTION_H
#define UMPIRE_COMMON_RULES_QUESTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/base/err.h"
#include "common/rules/combat.h"

struct js_at;

#define QUESTION_MEMBERS_MAX 2
#define QUESTION_IDS_MAX 256 /* ids that one member may offer */

/* How a member of a decision may be filled in. */
enum question_shape {
	QUESTION_ONE, /* one of some values */
	QUESTION_SOME, /* some of the ids, none twice */
	QUESTION_ORDER, /* all of the ids, in an order, and a word on each */
	QUESTION_INT, /* a number of a range */
};

/* One element of a list: which of the ids, and what was said of it. */
struct question_item {
	int16_t id;
	int16_t value;
};

/*
 * One member of a decision.  The ids are borrowed and must live as long as
 * the combat: they lie in its facts or are constants.
 */
struct question_member {
	const char *name;
	enum question_shape shape;
	const char *const *ids; /* ONE, SOME, ORDER */
	size_t n_ids;
	bool is_bool; /* ONE: false or true, and no ids */
	bool has_null; /* ONE: null too */
	int lo, hi; /* INT: the range; SOME: how many */
	const char *each; /* ORDER: the boolean said of each */
};

/*
 * An answer, plain.  number: for each member that is ONE (index of the id,
 * 0 or 1 for false or true, -1 for null) or INT.  items: the list of the one
 * member that is SOME or ORDER, or what the question's rule makes of them.
 */
struct question_answer {
	int number[QUESTION_MEMBERS_MAX];
	const struct question_item *items; /* borrowed */
	size_t n_items;
};

/* Where chance comes from for question_sample(): uniform in 0 .. n - 1. */
struct question_pick {
	uint32_t (*pick)(void *arg, uint32_t n);
	void *arg;
};

/*
 * A question whose lawful answers no list can tell: the system reads and
 * writes the decision's members itself.  `room` has space for n_room items.
 */
struct question_rule {
	const char *name;
	/* Adds the members of the options, each {"rule":name,...}. */
	int (*options)(const struct combat *c, json_t *options);
	/* Reads a decision at `at`: ERR_INVALID if it is not lawful. */
	int (*read)(const struct combat *c, const json_t *decision,
	    const struct js_at *at, struct question_answer *a,
	    struct question_item *room, size_t n_room, struct errinfo *e);
	/* True if *a, plain, is a lawful answer. */
	bool (*holds)(const struct combat *c, const struct question_answer *a);
	/* Adds the members of the decision that *a is. */
	int (*write)(const struct combat *c, const struct question_answer *a,
	    json_t *decision);
	/* Makes a lawful answer by chance. */
	int (*sample)(const struct combat *c, const struct question_pick *p,
	    struct question_answer *a, struct question_item *room,
	    size_t n_room);
};

struct question {
	enum combat_side side;
	const char *kind; /* static */
	struct question_member members[QUESTION_MEMBERS_MAX];
	size_t n_members;
	const struct question_rule *rule; /* NULL: the members tell all */
	bool is_secret; /* answered together with the other side's */
};

/* Makes a member that names some of the ids: at least lo, at most hi. */
struct question_member question_some(
    const char *name, const char *const *ids, size_t n, int lo, int hi);

/* Makes a member that orders all the ids and says a boolean of each. */
struct question_member question_order(
    const char *name, const char *const *ids, size_t n, const char *each);

/* Returns "attacker" or "defender". */
const char *question_side(enum combat_side side);

/*
 * The question as the members "side", "kind" and "options", added to the
 * object obj.  ERR_NOMEM.
 */
int question_ask(const struct combat *c, const struct question *q, json_t *obj)
    __attribute__((warn_unused_result));

/*
 * Reads a decision object {"kind":...,...} against the question into *a,
 * whose items lie in room.  ERR_INVALID (places from "decision" on) for
 * another kind, unknown or missing members and unlawful values.
 */
int question_read(const struct combat *c, const struct question *q,
    const json_t *decision, struct question_answer *a,
    struct question_item *room, size_t n_room, struct errinfo *e)
    __attribute__((warn_unused_result));

/* True if *a is a lawful answer to the question. */
bool question_holds(const struct combat *c, const struct question *q,
    const struct question_answer *a);

/* Adds the members "kind" and the decision's own to obj.  ERR_NOMEM. */
int question_write(const struct combat *c, const struct question *q,
    const struct question_answer *a, json_t *obj)
    __attribute__((warn_unused_result));

/* Makes a lawful answer by chance; its items lie in room.  ERR_TOOBIG. */
int question_sample(const struct combat *c, const struct question *q,
    const struct question_pick *p, struct question_answer *a,
    struct question_item *room, size_t n_room)
    __attribute__((warn_unused_result));

#endif
