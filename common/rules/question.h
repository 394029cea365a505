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
#include "common/rules/side.h"

struct combat;
struct js_at;

#define QUESTION_MEMBERS_MAX 2
#define QUESTION_IDS_MAX 256 /* ids that one member may offer */
#define QUESTION_PICKS_MAX 320 /* that a rule may offer */

/* How a member of a decision may be filled in. */
enum question_shape {
	QUESTION_ONE, /* one of some values */
	QUESTION_SOME, /* some of the ids, none twice */
	QUESTION_ORDER, /* all of the ids, in an order, and a word on each */
	QUESTION_INT, /* a number of a range */
	QUESTION_TEXT, /* a text of the player's own */
};

/*
 * One element of a list: which id, and what was said of it.  Of a rule: which
 * pick, and how often.
 */
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
	bool has_null; /* ONE, TEXT: null too */
	int lo, hi; /* INT: the range; SOME: how many */
	/* ORDER: the boolean said of each; TEXT: what its only id is. */
	const char *each;
	const char *what; /* TEXT: what it names, for people */
};

/*
 * An answer, plain.  number: for each member that is ONE (index of the id,
 * 0 or 1 for false or true, -1 for null) or INT.  items: the list of the one
 * member that is SOME or ORDER, or what was picked by the question's rule.
 */
struct question_answer {
	int number[QUESTION_MEMBERS_MAX];
	const struct question_item *items; /* borrowed */
	size_t n_items;
	const char *text; /* TEXT: borrowed; NULL for null */
};

/* Where chance comes from for question_sample(): uniform in 0 .. n - 1. */
struct question_pick {
	uint32_t (*pick)(void *arg, uint32_t n);
	void *arg;
};

/* The picks so far: how often each was made, and how many in all. */
struct question_picks {
	int n;
	int16_t of[QUESTION_PICKS_MAX];
};

/* Why a pick, or an end, is not lawful. */
struct question_why {
	const char *member; /* of the decision; NULL: the pick's own place */
	const char *id; /* a member within, or NULL */
	char text[128]; /* "": it is lawful */
};

/*
 * A question whose lawful answers cannot be listed.  An answer is made pick by
 * pick; the rule says which may come next, and everything else follows from
 * that: what is lawful, what chance or a policy answers, what a player is
 * offered.  Picks are numbered from 0.  Once a pick is lawful it must stay so
 * until it is made, whatever is picked first, so that the order of an answer
 * does not matter.
 */
struct question_rule {
	const char *name;
	/*
	 * The member of a decision that lists the ids of all picks, and one
	 * that names more, if any, as an id or as a list of several: its
	 * picks are numbered from count() on.  NULL: read() and write() are the
	 * rule's own, and an item says how often it is picked.
	 */
	const char *list, *last;
	bool is_set; /* a player is asked for all picks at once */
	/* Adds the members of the options, each {"rule":name,...}. */
	int (*options)(const struct combat *c, json_t *options);
	/* How many picks there are, not counting those of `last`. */
	size_t (*count)(const struct combat *c);
	/* The id of pick i < count(). */
	const char *(*id)(const struct combat *c, size_t i);
	/* How much must be picked, in a unit that players are told. */
	int (*goal)(const struct combat *c);
	/* True if pick i may be next; else *why, unless NULL, says why not. */
	bool (*may)(const struct combat *c, const struct question_picks *p,
	    size_t i, struct question_why *why);
	/* True if an answer may end so; *why as may() has it. */
	bool (*ends)(const struct combat *c, const struct question_picks *p,
	    struct question_why *why);
	/* The index of what a policy picks of ids[0 .. n - 1]; n: nothing. */
	size_t (*choose)(const struct combat *c, int word,
	    const struct question_picks *p, const int16_t *ids, size_t n);
	/* Where list is NULL: reads the members of a decision into *a. */
	int (*read)(const struct combat *c, const json_t *decision,
	    const struct js_at *at, struct question_answer *a,
	    struct question_item *room, size_t n_room, struct errinfo *e);
	/* Likewise: adds the members of the decision that the picks are. */
	int (*write)(const struct combat *c, const struct question_picks *p,
	    json_t *decision);
};

struct question {
	enum combat_side side;
	const char *kind; /* static */
	struct question_member members[QUESTION_MEMBERS_MAX];
	size_t n_members;
	const struct question_rule *rule; /* NULL: the members tell all */
	bool is_secret; /* answered together with the other side's */
};

/* Makes a member that is one of the ids. */
struct question_member question_one_of(
    const char *name, const char *const *ids, size_t n);

/* Makes a member that names some of the ids: at least lo, at most hi. */
struct question_member question_some(
    const char *name, const char *const *ids, size_t n, int lo, int hi);

/* Makes a member that orders all the ids and says a boolean of each. */
struct question_member question_order(
    const char *name, const char *const *ids, size_t n, const char *each);

/* Returns "attacker" or "defender". */
const char *question_side(enum combat_side side);

/* Returns the other side. */
enum combat_side question_enemy(enum combat_side side);

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

/* ---- questions that have a rule ---- */

/* Sets *why, unless it is NULL, for may() or ends(); returns false. */
bool question_refuse(struct question_why *why, const char *member,
    const char *id, const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/*
 * Lists what may be picked next; returns how many.  ids has room for
 * QUESTION_PICKS_MAX.
 */
size_t question_next(const struct combat *c, const struct question_rule *rule,
    const struct question_picks *p, int16_t *ids);

/* Adds up the picks of an answer; false if it is not lawful. */
bool question_picks(const struct combat *c, const struct question_rule *rule,
    const struct question_answer *a, struct question_picks *p);

/*
 * Adds one pick to an answer whose items lie in room, and to *p.
 * ERR_TOOBIG.
 */
int question_add(const struct question_rule *rule, int16_t id,
    struct question_answer *a, struct question_picks *p,
    struct question_item *room, size_t n_room)
    __attribute__((warn_unused_result));

/* Picks as the rule's choose() does; items lie in room.  ERR_TOOBIG. */
int question_choose(const struct combat *c, const struct question_rule *rule,
    int word, struct question_answer *a, struct question_item *room,
    size_t n_room) __attribute__((warn_unused_result));

#endif
