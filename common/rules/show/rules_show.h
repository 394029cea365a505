/* SPDX-License-Identifier: ISC */
/*
 * How a rule system is shown to people, and how they declare its combats.
 * Nothing here has a say in what happens: the daemon does without it.
 */
#ifndef UMPIRE_COMMON_RULES_SHOW_RULES_SHOW_H
#define UMPIRE_COMMON_RULES_SHOW_RULES_SHOW_H

#include <stdbool.h>

#include "common/rules/rules.h"

struct combat;
struct declare_field;
struct declare_member;
struct question;
struct question_picks;
struct scene;

/* Whose a roll is if its label does not say so. */
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

/* A label as rules_show_roll() understands it. */
struct rules_rolled {
	const struct rules_roll *roll;
	char id[COMBAT_LABEL_MAX + 1]; /* "" if the label has none */
	bool has_side;
	enum combat_side side;
};

/*
 * What a unit of a roster can lose, so that what it has left can be told: what
 * it is worth (struct rules_game).
 */
struct rules_losses {
	const char *what; /* in the plural: "strength points" */
	const char *parts; /* member that is a list of parts; NULL: none */
	/* Members that what is left says already, NULL-ended; NULL: none. */
	const char *const *counted;
	const char
	    *removes; /* how an answer that does so is told: "It breaks" */
};

/*
 * Words for the renderer (common/rules/show/render.h): the text for a key such
 * as "change/broken/upset", with members of the event in braces.  A decision
 * whose kind has several forms has one for each, by the member that only
 * that form has: "decision/reduce/units"; one that names nobody may have its
 * own: "decision/retreat/none".  A change in which both scores are the same may
 * have words of its own, too: "change/in-place/score-tie".  A modifier of a
 * score has one for each of its causes, "modifier/outnumber/together", with
 * members of the cause, and a number of it may have one for each value,
 * "part/types/4", or be told with its sign, "signed/enemy".  What a score is
 * comes from "score/final", where {} is whose; one that is counted in half
 * points, and shown in points, has "halves/WHAT", and the modifier that doubles
 * it "doubled/REASON".  A bound may say where it comes from, "most/row".  Terms
 * by units may have words of their own, "limited/commander", where they are not
 * what the facts of the unit have in a member, "fact/commander".  Terms that a
 * score begins with, rather than change it, have "base/LIST"; a score that
 * names a unit for the group that it belongs to, "group/WHAT".  A score that
 * tells how close a combat was stands in the line of its outcome under
 * "against/WHAT", which may be "".  A fact that is added to something is told
 * with its sign if "sign/NAME" is there.  A value that ends in a number may
 * have words for all numbers, in which that is {}: "value/effects/A#".  What a
 * word that may be chosen means is "choice/KIND/WORD"; a pick that only one can
 * be is told by "pick/KIND/only", {pick} being which it is.
 */
struct rules_word {
	const char *key;
	const char *text;
};

/* Every member but those that may be NULL is set; a table of constants. */
struct rules_show {
	const struct rules_system *sys;
	const struct rules_word *words; /* ended by a NULL key */
	/* A declaration to fill in, as text for people; static. */
	const char *template_text;
	/* What a player who declares is asked; ended by a NULL name. */
	const struct declare_field *inputs;
	/*
	 * What the rules put behind a modifier's reason to keep reasons
	 * apart, to be left out for people; NULL: nothing.
	 */
	const char *reason_mark;
	/*
	 * Which of several causes one has, where its event says no more and
	 * the facts of its combat do: the last part of a key of words, to be
	 * tried first, borrowed from the facts or static; NULL: it stays.
	 * `what` is that part of the event ("cover", "trapped"), or "divide".
	 */
	const char *(*cause)(
	    const json_t *facts, const json_t *event, const char *what);
	/* What one who makes a roster is asked of a unit; of a commander, or
	 * NULL. */
	const struct declare_member *enlist, *enlist_commander;
	const char *loss; /* what a unit loses, in the plural: "casualties" */
	const struct rules_roll *rolls; /* ended by a NULL form */
	const struct rules_losses *losses;
	/*
	 * Writes to note what a pick of the open question, which has a rule,
	 * means; it is shown behind the pick's name.  NULL: picks have no
	 * notes.
	 */
	void (*pick)(const struct combat *c, const struct question *q,
	    const struct question_picks *p, size_t i, char *note, size_t size);
	/*
	 * Adds the units, groups and links of a combat (its event) to a scene
	 * (common/rules/show/scene.h): NAME_scene.c.
	 */
	void (*scene)(struct scene *s, const json_t *facts);
};

/*
 * Reads the label of a roll by the system's forms.  False if it has none of
 * them; *out is then unspecified.
 */
bool rules_show_roll(
    const struct rules_show *show, const char *label, struct rules_rolled *out);

#endif
