/* SPDX-License-Identifier: ISC */
/*
 * What a run of invasion-1812 keeps, and those of its questions whose lawful
 * answers cannot be listed: which units take hits, who advances with
 * commanders, where a commander escapes to (umpire-rules.7, 11.4 to 11.6).
 * Also how the odds calculator answers each of its questions (11.10).
 */
#ifndef UMPIRE_COMMON_RULES_INVASION1812_INVASION1812_ASK_H
#define UMPIRE_COMMON_RULES_INVASION1812_INVASION1812_ASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/rules/combat.h"
#include "common/rules/event.h"
#include "common/rules/invasion1812/invasion1812_facts.h"
#include "common/rules/question.h"
#include "common/rules/rules.h"

#define INVASION1812_WITHDRAW_BEFORE "withdraw-before"
#define INVASION1812_HITS "hits"
#define INVASION1812_WITHDRAW "withdraw"
#define INVASION1812_FORCED_WITHDRAW "forced-withdraw"
#define INVASION1812_PURSUIT_HIT "pursuit-hit"
#define INVASION1812_ADVANCE "advance"
#define INVASION1812_COMMANDER_ESCAPE "commander-escape"

enum invasion1812_end {
	INVASION1812_GOOD,
	INVASION1812_DISRUPTED,
	INVASION1812_ELIMINATED,
};

/* What became of a commander. */
enum invasion1812_test {
	INVASION1812_UNTESTED,
	INVASION1812_LOST,
	INVASION1812_ESCAPED,
};

/* The combat as a whole. */
enum invasion1812_whole {
	INVASION1812_ATTACKER_WINS,
	INVASION1812_DEFENDER_WINS,
	INVASION1812_TIE,
	INVASION1812_SLIPPED_AWAY,
	INVASION1812_COMMANDERS_ALONE,
};

/* One who advances: a unit, or a commander behind all units. */
#define INVASION1812_ADVANCE_MAX \
	(COMBAT_SIDE_UNITS_MAX + INVASION1812_SIDE_COMMANDERS_MAX)

struct invasion1812_state {
	enum invasion1812_end ends[INVASION1812_UNITS_MAX];
	enum invasion1812_test tests[INVASION1812_COMMANDERS_MAX];
	enum invasion1812_whole whole;
	int values[2]; /* FAV, FDV, by enum combat_side */
	int hits[2]; /* suffered, before what the side could take */
	bool has_withdrawn;
	/* Units by index; commander k as the number of units plus k. */
	size_t advanced[INVASION1812_ADVANCE_MAX];
	size_t n_advanced;

	/* The last question that was asked. */
	enum combat_side side; /* hits: who takes them */
	int count; /* hits: how many */
	int stack_least; /* hits: how many the fighting stack must take */
	bool is_stack_only; /* hits: supports take none */
	/* advance, pursuit-hit: units that may be named, and their ids. */
	size_t eligible[COMBAT_SIDE_UNITS_MAX];
	const char *ids[COMBAT_SIDE_UNITS_MAX];
	size_t n_eligible;

	/* Space for the members of a score's object. */
	struct event_field fields[COMBAT_SIDE_UNITS_MAX];
};

/*
 * Which units of the state's side take its hits, those of the fighting stack
 * first; and one more of each stack that takes an odd number.
 */
extern const struct question_rule invasion1812_ask_hits;

/* How many hits unit i of that side can still take. */
int invasion1812_ask_left(
    const struct combat *c, const struct question_picks *p, size_t i);

/* Who advances: the units of the state's eligible, then commanders. */
extern const struct question_rule invasion1812_ask_advance;

/* How many hits a unit in this state can still take. */
int invasion1812_ask_room(enum invasion1812_end end);

/* rules_system's policies and policy. */
extern const struct rules_policy invasion1812_ask_policies[];
int invasion1812_ask_policy(const struct combat *c, const struct question *q,
    int word, struct question_answer *a, struct question_item *room,
    size_t n_room) __attribute__((warn_unused_result));

#endif
