/* SPDX-License-Identifier: ISC */
/*
 * What a declaration of a system may say beyond the rosters, as a table of
 * questions in the order in which a player thinks of them.  The table holds
 * no rule: only the system's parser says what is lawful, and it may still
 * refuse what the table offers.
 *
 * A condition is a text such as "kind=attack,charge arm!=artillery": all of
 * its terms hold, and a term holds if the member is (or is not) one of the
 * words.  The member is looked for in the unit's roster object, in the object
 * that is being made, and outwards up to the whole combat; "side" is the side
 * of the combat's member that all of this belongs to.
 */
#ifndef UMPIRE_COMMON_RULES_SHOW_DECLARE_H
#define UMPIRE_COMMON_RULES_SHOW_DECLARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/rules/combat.h"

enum declare_type {
	DECLARE_WORD, /* one of the words */
	DECLARE_WORDS, /* some of the words: an array */
	DECLARE_FLAGS, /* some of the words: an object of those that are true */
	DECLARE_YES, /* true, or left out */
	DECLARE_NUMBER, /* an integer from lo to hi */
	DECLARE_TEXT, /* 1 to RULES_NAME_MAX bytes */
	DECLARE_UNIT, /* one unit of a side: its object */
	DECLARE_UNITS, /* lo to hi units of a side: an array of objects */
	DECLARE_COMMANDERS, /* likewise commanders */
	DECLARE_OBJECT, /* an object of the members */
	DECLARE_LIST, /* objects of the members, at most hi: asked for in turn
		       */
	DECLARE_PAIRS, /* which of two lists of units meet: objects */
};

/* A word that may be said. */
struct declare_word {
	const char *word;
	const char *label; /* for people */
	const char *when; /* condition under which it is offered; NULL */
};

/* The two ends of a pair: lists of the combat, members of the pair. */
struct declare_ends {
	const char *lists[2];
	const char *members[2];
	const char *question; /* which of lists[1] a unit of lists[0] meets */
};

/* One member; a table of them is ended by a NULL name. */
struct declare_field {
	const char *name;
	const char *label; /* short, for lists and summaries */
	/*
	 * For people; {} is what it is about: a unit or units, a pair.  NULL
	 * where nothing is asked of the member itself (OBJECT).
	 */
	const char *question;
	enum declare_type type;
	/*
	 * Asked only of a player who says that something is special.  All
	 * other members are asked for, but those that have an `enter`, a
	 * YES and a LIST: of these what is usual (no, none) is assumed, and
	 * told, until a player says that it differs.
	 */
	bool is_special;
	bool is_open; /* WORD: any other text will do, too */
	/* UNIT, UNITS, COMMANDERS, members of the whole combat: whose. */
	enum combat_side side;
	const char *when; /* condition under which it is asked; NULL */
	/* UNIT, UNITS: condition on those that are offered; NULL */
	const char *only;
	const struct declare_word *words; /* ended by a NULL word */
	int64_t lo, hi;
	/* What is usual, and what an empty line means; NULL: nothing. */
	const char *enter;
	/*
	 * WORDS: a member whose word alone would say nothing more, so that
	 * another one must be among them; NULL: none.
	 */
	const char *besides;
	/*
	 * The value that the rules take for a missing member, so that it is
	 * left out; NULL: it is always stated.
	 */
	const char *missing;
	const char *more; /* LIST: the question after the first object */
	const struct declare_ends *ends; /* PAIRS */
	const struct declare_field *members; /* of each object; NULL: none */
};

/* How every row begins: the member's name, its type and its label. */
#define DECLARE_ROW(member, kind, words) \
	.name = (member), .type = DECLARE_##kind, .label = (words)

/* So for what is special and either true or left out. */
#define DECLARE_MARK(member, words) \
	DECLARE_ROW(member, YES, words), .is_special = true

/* The tables of the systems, in NAME_declare.c. */
extern const struct declare_field imaginations_declare[],
    invasion1812_declare[], lasalle2_declare[], leniston2009_declare[],
    tlnb_declare[];

/*
 * What a player who makes a roster is asked of a member of a unit, beside what
 * the system's row of that member says (common/rules/schema.h): its type, its
 * words and bounds, whether it must be there.  A table has all members that a
 * player gives, but for the id and the name, in the order of asking; it is
 * ended by a NULL name.
 */
struct declare_member {
	const char *name; /* of the row */
	const char *label; /* short, for lists */
	const char *question; /* {} is the unit's id */
	/*
	 * Condition on the unit under which it is asked; NULL: always.  A word
	 * that is asked under one has to be said.
	 */
	const char *when;
	/* A number that need not be there: the question whether it is. */
	const char *whether;
	bool is_special; /* asked only of a player who says that it is so */
	const struct declare_member *parts; /* a list: of each of its objects */
};

/* The tables of the systems, in NAME_declare.c. */
extern const struct declare_member imaginations_enlist[], invasion1812_enlist[],
    invasion1812_enlist_commander[], lasalle2_enlist[], leniston2009_enlist[],
    tlnb_enlist[];

/*
 * True if a condition (NULL: always) holds for a side; scopes are n objects,
 * the innermost first, any of them NULL.
 */
bool declare_holds(const char *when, enum combat_side side,
    const json_t *const scopes[], size_t n);

/* True unless a condition says that it is only for the other side. */
bool declare_is_for(const char *when, enum combat_side side);

#endif
