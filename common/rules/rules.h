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

#include "common/err.h"

struct combat;
struct js_at;
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
	void *tables; /* the system's own, NULL: the built-in ones */
};

/* A member of a unit that the roster owns, for documents and checks. */
struct rules_field {
	const char *name;
	const char *what; /* for people: type and meaning */
	bool is_required;
};

/*
 * Words for the renderer (common/rules/render.h): the text for a key such as
 * "change/broken/upset", with members of the event in braces.
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
	 * system's order of members, as *out (new).  is_out: it is out of
	 * play, so that it may have lost all its strength.
	 */
	int (*roster_unit)(const json_t *unit, bool is_out,
	    const struct js_at *at, json_t **out, struct errinfo *e);
	/*
	 * Fills in every unit object of a declared combat from the roster by
	 * roster_fill(); side (1 or 2) is the attacker's.
	 */
	int (*merge)(const struct roster *r, int side, json_t *combat,
	    struct errinfo *e);
	/* Writes a combat's result back, by roster_set(). */
	int (*apply)(
	    struct roster *r, const json_t *facts, const json_t *result);
	/*
	 * The end of a round: changes the roster and appends its `upkeep`
	 * events to the array events.
	 */
	int (*upkeep)(struct roster *r, json_t *events);
	/*
	 * The least id in byte order among the defending units of a declared
	 * combat (record S6.1), borrowed; NULL if the facts have none.
	 */
	const char *(*place_id)(const json_t *combat);
	/* A declaration to fill in, as text for people; static. */
	const char *template_text;
};

/* Finds a system by its id; NULL if there is none. */
const struct rules_system *rules_find(const char *id);

/* All systems, in the order of their ids, ended by NULL. */
const struct rules_system *const *rules_all(void);

/*
 * Reads rulings (a JSON object, NULL: none) and tables (an object, NULL:
 * none) over the defaults.  ERR_INVALID names the place ("rulings.x").
 * rules_settings_clear() frees what *set holds.
 */
int rules_settings_parse(const struct rules_system *sys, const json_t *rulings,
    const json_t *tables, struct rules_settings *set, struct errinfo *e)
    __attribute__((warn_unused_result));
void rules_settings_clear(struct rules_settings *set);

/*
 * True for a name for people: UTF-8 of at most RULES_NAME_MAX bytes without
 * control characters.
 */
bool rules_is_name(const char *s);

/* The rulings in force as an object name -> value; new or NULL. */
json_t *rules_settings_rulings(const struct rules_settings *set);

#endif
