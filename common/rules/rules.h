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
#include "common/rules/combat.h"

struct combat;
struct input;
struct js_at;
struct question;
struct question_answer;
struct question_item;
struct roster;
struct rules_system;

#define RULES_COUNT_MAX 9999 /* counts in facts and rosters */
#define RULES_NAME_MAX 64 /* bytes of a name for people */

/* One ruling of a system: a question that the printed rules leave open. */
struct rules_ruling {
	const char *name;
	const char *question; /* for people, in our own words */
	bool is_bool; /* true or false; else one of words */
	const char *const *words; /* values that are words, NULL if none */
	const int *numbers; /* values that are numbers, with n_numbers */
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

/* A member of a unit that the roster owns, for documents and checks. */
struct rules_field {
	const char *name;
	const char *what; /* for people: type and meaning */
	bool is_required;
};

/* What a roster unit is read for. */
enum rules_roster {
	RULES_ROSTER_GIVEN, /* a player's roster: nothing that the game keeps */
	RULES_ROSTER_KEPT, /* as the game keeps it */
	RULES_ROSTER_OUT, /* so, and out of play: it may have lost all */
};

/* A roll that an upkeep order asks for. */
struct rules_upkeep_roll {
	char label[COMBAT_LABEL_MAX + 1];
	unsigned sides;
	unsigned n; /* dice, at most RULES_UPKEEP_DICE_MAX; 0: no roll */
};

#define RULES_UPKEEP_DICE_MAX 8

/*
 * How the odds calculator answers questions of one kind: what a file may
 * say, the first word being what it does if the file says nothing.
 */
struct rules_policy {
	const char *kind;
	const char *const *words; /* ended by NULL */
	const char *what; /* for people: what the words do */
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

/* Whose a roll is where its label does not say it. */
enum rules_roller {
	RULES_ROLLER_LABEL, /* it does: by a side or by an id */
	RULES_ROLLER_ATTACKER,
	RULES_ROLLER_DEFENDER,
	RULES_ROLLER_SCORE, /* whose the next `score` event of the line is */
};

/* A kind of rolls that a system asks for, in combats and upkeep. */
struct rules_roll {
	/*
	 * The label with "ID" for the part that is a unit's or commander's
	 * id and "SIDE" for the one that is "attacker" or "defender".
	 */
	const char *form;
	const char *what; /* for people, in at most 15 columns */
	enum rules_roller roller;
	bool is_upkeep;
};

/* A label as rules_roll_read() understands it. */
struct rules_rolled {
	const struct rules_roll *roll;
	char id[COMBAT_LABEL_MAX + 1]; /* "" if the label has none */
	bool has_side;
	enum combat_side side;
};

/*
 * What a unit of a roster can lose, so that what it has left can be told:
 * `full` of the unit, or the sum over its parts, less what is taken.
 */
struct rules_left {
	const char *what; /* in the plural: "strength points" */
	const char *parts; /* member that is a list of parts; NULL: none */
	const char *full; /* member; NULL: always `most` */
	int most; /* also where the unit has no member `full` */
	const char *taken; /* member that is subtracted; NULL: none */
	/* A member that, if true, puts another in the place of `full`... */
	const char *flag; /* NULL: none */
	const char *flag_full; /* NULL: ...the number flag_most */
	int flag_most;
	/* Marks of units out of play that have nothing left, NULL-ended. */
	const char *const *gone;
};

/*
 * Words for the renderer (common/rules/show/render.h): the text for a key such
 * as "change/broken/upset", with members of the event in braces.  A decision
 * whose kind has several forms has one for each, by the member that only
 * that form has: "decision/reduce/units".
 */
struct rules_word {
	const char *key;
	const char *text;
};

/*
 * A rule system.  Every member is set; a table of constants, so that a
 * reader finds all that a system is in one place at the end of its file.
 */
struct rules_system {
	const char *id; /* "lasalle2" */
	const char *version; /* "lasalle2/1": of results and of events */
	const char *name; /* for people */
	const struct rules_ruling *rulings;
	size_t n_rulings;
	const struct rules_field *fields; /* of a roster unit */
	size_t n_fields;
	/* Members of a unit in the facts, in order, ended by NULL. */
	const char *const *unit_members;
	const struct rules_word *words; /* ended by a NULL key */
	size_t facts_size; /* bytes of the system's own facts struct */
	size_t state_size; /* bytes of what a run keeps (combat_state()) */

	/*
	 * Data that a game may bring of its own: "tables" (an object, each
	 * of whose members may be left out) or "bag" (an array).  NULL and 0
	 * where a system has none.  data_text is the text of the built-in
	 * file {"note"?,DATA_NAME:...}, which is installed too.
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
	/* The rules, in the order of the rulebook; see common/rules/run.h. */
	int (*run)(struct combat *c);
	/* The result of a run that ended; new, NULL without memory. */
	json_t *(*result)(const struct combat *c);

	/*
	 * Checks one roster unit and writes it with its defaults, in the
	 * system's order of members, as *out (new).  What the game itself
	 * keeps of a unit stands behind, and is refused in a roster that is
	 * given.
	 */
	int (*roster_unit)(const json_t *unit, enum rules_roster how,
	    const struct js_at *at, json_t **out, struct errinfo *e);
	/* The same for a commander; NULL: the system knows none. */
	int (*roster_commander)(const json_t *commander, enum rules_roster how,
	    const struct js_at *at, json_t **out, struct errinfo *e);
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
	 * The end of a round: changes the roster and appends its `upkeep`
	 * events to the array events.
	 */
	int (*upkeep)(struct roster *r, json_t *events);
	/* Args that upkeep orders may have; NULL-ended, NULL if none. */
	const char *const *upkeep_args;
	/*
	 * An upkeep order of a side (args as in umpire-record.7, S5): first
	 * it is checked and *roll says what it needs, then it is carried out
	 * with those dice and appends its `upkeep` events.  Both NULL: the
	 * system has no such orders.  ERR_INVALID with the place (from
	 * "args" on); after the check upkeep_do() fails by ERR_NOMEM only.
	 */
	int (*upkeep_check)(const struct roster *r, int side,
	    const json_t *args, struct rules_upkeep_roll *roll,
	    struct errinfo *e);
	int (*upkeep_do)(struct roster *r, const json_t *args,
	    const uint16_t *dice, json_t *events);
	/*
	 * The least id in byte order among the defending units of a declared
	 * combat (record S6.1), borrowed; NULL if the facts have none.
	 */
	const char *(*place_id)(const json_t *combat);
	/* A declaration to fill in, as text for people; static. */
	const char *template_text;
	/* What is asked of somebody who declares; ended by a NULL name. */
	const struct input *inputs;

	/* For the odds calculator (common/rules/show/odds.h). */
	const char *const *ends; /* of a unit, from best to worst, NULL-ended */
	const char *loss; /* what a unit loses, in the plural: "casualties" */
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

	/* For people who look at a record (client/report/luck.h, rosters.h). */
	const struct rules_roll *rolls; /* ended by a NULL form */
	const struct rules_left *left;
};

/* Finds a system by its id; NULL if there is none. */
const struct rules_system *rules_find(const char *id);

/* All systems, in the order of their ids, ended by NULL. */
const struct rules_system *const *rules_all(void);

/* Finds the policy for a kind; NULL if there is none. */
const struct rules_policy *rules_policy_find(
    const struct rules_system *sys, const char *kind);

/* Returns the number of a word of a policy, or -1. */
int rules_policy_word(const struct rules_policy *p, const char *word);

/* Returns word number `word` of a policy; NULL if it has none such. */
const char *rules_policy_text(const struct rules_policy *p, int word);

/*
 * Reads the label of a roll by the system's forms.  False if it has none of
 * them; *out is then unspecified.
 */
bool rules_roll_read(const struct rules_system *sys, const char *label,
    struct rules_rolled *out);

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
 * `name` ("tables" or "bag") with this value, found at `at`.  ERR_INVALID
 * if the system has no data of this name, and for what it refuses; *set is
 * then unspecified but for rules_settings_clear().
 */
int rules_settings_data(struct rules_settings *set, const char *name,
    const json_t *value, const struct js_at *at, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * True for a name for people: UTF-8 of at most RULES_NAME_MAX bytes without
 * control characters.
 */
bool rules_is_name(const char *s);

/* The rulings in force as an object name -> value; new or NULL. */
json_t *rules_settings_rulings(const struct rules_settings *set);

#endif
