/* SPDX-License-Identifier: ISC */
/*
 * The interface of a rule system, the list of them, and what a game or a
 * scenario sets for one: rulings and tables.
 */
#ifndef UMPIRE_COMMON_RULES_RULES_H
#define UMPIRE_COMMON_RULES_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/base/err.h"
#include "common/rules/side.h"

struct combat;
struct js_at;
struct question;
struct question_answer;
struct question_item;
struct roster;
struct rules_system;
struct schema_row;

#define RULES_COUNT_MAX 9999 /* counts in facts and rosters */
#define RULES_NAME_MAX 64 /* bytes of a name for people */

/* One ruling of a system: a question that the printed rules leave open. */
struct rules_ruling {
	const char *name;
	const char *question; /* for people, in our own words */
	bool is_bool; /* true or false; else one of words */
	const char *const *words; /* values that are words, NULL if none */
	/* Values that are numbers: none is the index of a word. */
	const int *numbers;
	size_t n_numbers;
	int fallback; /* default: 0/1, index into words, or the number */
};

#define RULES_RULINGS_MAX 8

/* Rulings in force, each as rules_ruling's fallback is written. */
struct rules_settings {
	const struct rules_system *sys;
	int rulings[RULES_RULINGS_MAX]; /* by index into sys->rulings */
	void *data; /* owned: sys->data_size bytes; NULL if it has none */
};

/* What a roster unit is read for. */
enum rules_roster {
	RULES_ROSTER_GIVEN, /* a player's roster: nothing that the game keeps */
	RULES_ROSTER_KEPT, /* as the game keeps it */
	RULES_ROSTER_OUT, /* the same, out of play: it may have lost all */
};

/* A roll that an upkeep order asks for. */
struct rules_upkeep_roll {
	char label[COMBAT_LABEL_MAX + 1];
	unsigned sides;
	unsigned n; /* dice, at most RULES_UPKEEP_DICE_MAX; 0: no roll */
};

#define RULES_UPKEEP_DICE_MAX 8

/*
 * Whether the answers to a kind of question are its side's choice or state what
 * is so on the table, where the other side can see it, too.  There is no
 * default, so that no kind is left out by mistake.
 */
enum rules_fact {
	RULES_FACT_UNMARKED, /* no table has this */
	RULES_FACT_NO,
	RULES_FACT_YES,
};

/*
 * A kind of question, and how the odds calculator answers it: the words that a
 * file may say, the default first.
 */
struct rules_policy {
	const char *kind;
	const char *const *words; /* ended by NULL */
	const char *what; /* for people: what the words do */
	enum rules_fact is_fact;
};

#define RULES_POLICIES_MAX 16
#define RULES_OUTCOME_UNITS_MAX (2 * COMBAT_SIDE_UNITS_MAX)

/* What one run of a combat came to; plain data, for counting. */
struct rules_outcome {
	/* The combat as a whole in a word or code; lives as long as it. */
	const char *whole;
	/* Hits that each side suffered before it could cancel or cap any. */
	int hits[2];
	size_t n_units;
	struct {
		const char *id; /* borrowed from the combat */
		enum combat_side side;
		int end; /* index into rules_system's ends */
		int loss; /* what rules_system's loss counts */
	} units[RULES_OUTCOME_UNITS_MAX];
};

/* How combats of a system take part in a game: its rosters and rounds. */
struct rules_game {
	/*
	 * Fills in every unit object of a declared combat from the roster by
	 * roster_fill(); side (1 or 2) is the attacker's.
	 */
	int (*merge)(const struct roster *r, int side, json_t *combat,
	    struct errinfo *e);
	/*
	 * Writes a combat's result back, by roster_set() and
	 * roster_set_out(); also what the game keeps itself.  decisions is
	 * the array of all that were given.
	 */
	int (*apply)(struct roster *r, const json_t *facts,
	    const json_t *decisions, const json_t *result);
	/*
	 * The end of a round, or of every turn: changes the roster and
	 * appends its `upkeep` events to the array events.
	 */
	int (*upkeep)(struct roster *r, json_t *events);
	bool has_upkeep_each_turn;
	/*
	 * Turns are activations: a round ends not with the turn of side 2 but
	 * with the second turn in a row in which the side gave no order
	 * (13.11).
	 */
	bool has_activations;
	/* Args that upkeep orders may have; NULL-ended, NULL if none. */
	const char *const *upkeep_args;
	/*
	 * The end of a side's turn, before that of a round: what is kept for
	 * the turn alone goes.  NULL: nothing is.
	 */
	int (*turn_end)(struct roster *r);
	/*
	 * An upkeep order of a side (args as in umpire-record.7, S5): first
	 * it is checked and *roll says what it needs, then it is carried out
	 * with those dice, by the rulings in force, and appends its `upkeep`
	 * events.  Both NULL: the
	 * system has no such orders.  ERR_INVALID with the place (from
	 * "args" on); after the check upkeep_do() fails by ERR_NOMEM only.
	 */
	int (*upkeep_check)(const struct roster *r,
	    const struct rules_settings *set, int side, const json_t *args,
	    struct rules_upkeep_roll *roll, struct errinfo *e);
	int (*upkeep_do)(struct roster *r, const struct rules_settings *set,
	    const json_t *args, const uint16_t *dice, json_t *events);
	/*
	 * What a unit of a roster, its object, is worth to its side while it
	 * is in play: what it has left, from 0 (umpire-rules.7, 3).  Whoever
	 * asks sees to units out of play; commanders are worth nothing.
	 */
	int64_t (*worth)(const json_t *unit);
	/*
	 * What its events and the marks of its rosters call a unit that has
	 * nothing left: "broken".
	 */
	const char *removed;
	/*
	 * The least id in byte order among the defending units of a declared
	 * combat (record S6.1), borrowed; NULL if the facts have none.
	 */
	const char *(*place_id)(const json_t *combat);
};

/*
 * A rule system: a table of constants with every member set, so that the end of
 * its file shows all that the system is.
 */
struct rules_system {
	const char *id; /* "lasalle2" */
	const char *version; /* "lasalle2/1": of results and of events */
	const char *name; /* for people */
	const struct rules_ruling *rulings;
	size_t n_rulings;
	/* The members of a unit, and of a commander; NULL: there are none. */
	const struct schema_row *unit, *commander;
	size_t facts_size; /* bytes of the system's own facts struct */
	size_t state_size; /* bytes of what a run keeps (combat_state()) */

	/*
	 * Data of its own that a game may bring: "tables" (an object that may
	 * leave any member out) or "bag" (an array).  NULL and 0 where a system
	 * has none.  data_text is the text of the built-in file
	 * {"note"?,DATA_NAME:...}, which is installed too.
	 */
	const char *data_name;
	const char *data_text;
	size_t data_size; /* of the system's own plain struct */
	/*
	 * Reads a value of data_name over what *data holds (zeroed at
	 * first); `at` is its place.  ERR_INVALID, ERR_NOMEM.
	 */
	int (*data)(const json_t *value, const struct js_at *at, void *data,
	    struct errinfo *e);

	/* Fills the facts struct (zeroed) from JSON; refuses by ERR_INVALID. */
	int (*parse)(const json_t *combat, const struct rules_settings *set,
	    void *facts, struct errinfo *e);
	/* The facts with their defaults; new, NULL without memory. */
	json_t *(*facts)(const struct combat *c);
	/* The rules, in the order of the rulebook; see common/rules/rulekit.h.
	 */
	int (*run)(struct combat *c);
	/* The result of a run that ended; new, NULL without memory. */
	json_t *(*result)(const struct combat *c);

	/*
	 * Checks one roster unit and writes it with its defaults, in the
	 * system's order of members, as *out (new).  Members that the game
	 * itself keeps come last, and are refused in a roster that a player
	 * gives.
	 */
	int (*roster_unit)(const json_t *unit, enum rules_roster how,
	    const struct js_at *at, json_t **out, struct errinfo *e);
	/* The same for a commander; NULL: the system knows none. */
	int (*roster_commander)(const json_t *commander, enum rules_roster how,
	    const struct js_at *at, json_t **out, struct errinfo *e);
	const struct rules_game *game; /* NAME_roster.c */

	/* For the odds calculator (common/rules/show/odds.h). */
	const char *const *ends; /* of a unit, from best to worst, NULL-ended */
	const struct rules_policy *policies; /* ended by a NULL kind */
	/*
	 * Answers a question as word number `word` of its kind's policy
	 * says; items lie in room.  0, or ERR_TOOBIG without room.
	 */
	int (*policy)(const struct combat *c, const struct question *q,
	    int word, struct question_answer *a, struct question_item *room,
	    size_t n_room);
	/* Kinds that are asked in secret, ended by NULL; NULL: none. */
	const char *const *secret_kinds;
	/* What a run that ended came to; allocates nothing. */
	void (*outcome)(const struct combat *c, struct rules_outcome *out);
};

/* Finds the policy for a kind; NULL if there is none. */
const struct rules_policy *rules_policy_find(
    const struct rules_system *sys, const char *kind);

/* Returns the number of a word of a policy, or -1. */
int rules_policy_word(const struct rules_policy *p, const char *word);

/* Returns word number `word` of a policy; NULL if there is none. */
const char *rules_policy_text(const struct rules_policy *p, int word);

/* True for a kind of question that both sides answer in secret. */
bool rules_is_secret(const struct rules_system *sys, const char *kind);

/*
 * Reads rulings (a JSON object, NULL: none) and tables (an object, NULL:
 * none) over the defaults.  ERR_INVALID names the place ("rulings.x");
 * tables are refused by a system that has none.  rules_settings_clear()
 * frees what *set holds.
 */
int rules_settings_parse(const struct rules_system *sys, const json_t *rulings,
    const json_t *tables, struct rules_settings *set, struct errinfo *e)
    __attribute__((warn_unused_result));
void rules_settings_clear(struct rules_settings *set);

/*
 * Reads the data that a file or blob holds over those of *set: the member
 * `name` ("tables" or "bag") with this value, found at `at`.  ERR_INVALID if
 * the system has no data of this name, and for what it refuses; *set is then
 * good for rules_settings_clear() alone.
 */
int rules_settings_data(struct rules_settings *set, const char *name,
    const json_t *value, const struct js_at *at, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * True for a name for people: UTF-8 of at most RULES_NAME_MAX bytes without
 * control characters.
 */
bool rules_is_name(const char *s);

/* A value of a ruling, as rules_ruling's fallback is written; new or NULL. */
json_t *rules_ruling_value(const struct rules_ruling *ruling, int value);

/* The rulings in force as an object name -> value; new or NULL. */
json_t *rules_settings_rulings(const struct rules_settings *set);

#endif
