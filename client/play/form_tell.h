/* SPDX-License-Identifier: ISC */
/*
 * A combat while a form puts it together, and what it has put together in
 * words.
 */
#ifndef UMPIRE_CLIENT_PLAY_FORM_TELL_H
#define UMPIRE_CLIENT_PLAY_FORM_TELL_H

#include <jansson.h>

#include "client/play/form_tape.h"
#include "common/rules/show/declare.h"

#define FORM_TELL_UNIT "unit" /* names the id in an element of an order */

struct buf;
struct form_past;
struct form_past_combat;
struct render;
struct rules_system;

struct form_walk {
	struct form_tape tape;
	const struct rules_system *sys;
	const json_t *roster; /* borrowed: both sides' */
	const json_t *rosters[2]; /* of it: the attacker's, the defender's */
	struct render *rd; /* owned */
	json_t *combat; /* owned: what was made so far */
	/*
	 * Owned: {"path","label","soft","such"} of what can be changed by
	 * itself; soft: it may be assumed; such: what there may be of it.
	 * Then those of a member, until its own.
	 */
	json_t *sections;
	json_t *inner;
	/* Owned: {"what","value"} of what this run assumed; no value: "what"
	 * has nothing special about it. */
	json_t *assumed;
	const struct form_past *past; /* borrowed: earlier combats */
	int declarer; /* the side that declares it */
	/* Borrowed: its last combat, lawful now; NULL. */
	const struct form_past_combat *last;
	bool is_again; /* that one is declared again */
	unsigned lists; /* how many lists we are in */
	enum combat_side side; /* whose member of the combat we are in */
};

/* A unit of a roster for a list: "fr-1  1er Ligne: infantry, ..."; free(). */
char *form_tell_unit(const struct render *rd, const json_t *unit);

/*
 * One object that the member in is a list of, in short: an id, or the ends of
 * a pair; free().  It is for keys: people are told form_tell_named().
 */
char *form_tell_short(const struct declare_field *in, const json_t *element);

/* As form_tell_short(), with what rd calls the units instead of ids; free(). */
char *form_tell_named(const struct render *rd, const struct declare_field *in,
    const json_t *element);

/* Appends a list of names, which may have commas of their own. */
void form_tell_join(struct buf *b, const json_t *names);

/*
 * A decision without its kind: a single member's value alone, several with
 * their names; units by what rd calls them (NULL: by their ids).  free().
 */
char *form_tell_decision(const struct render *rd, const json_t *decision);

/* The words for one of a row's words, borrowed; itself if it is none. */
const char *form_tell_word(const struct declare_field *in, const char *word);

/* A copy with a capital letter at its beginning; free(). */
char *form_tell_capital(const char *s);

/*
 * Tells the whole combat of a walk under a heading, and in a line what was
 * assumed of it.
 */
void form_tell_combat(const struct form_walk *w, const char *heading);

#endif
