/* SPDX-License-Identifier: ISC */
/*
 * Something that may be done in a game.  It is a value; a command line is only
 * how it is shown to people.
 */
#ifndef UMPIRE_CLIENT_PLAY_ACTION_H
#define UMPIRE_CLIENT_PLAY_ACTION_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

enum action_kind {
	ACTION_DECLARE,
	ACTION_END_TURN,
	ACTION_DECIDE,
	ACTION_OPEN,
	ACTION_AGREE,
	ACTION_OBJECT,
	ACTION_ACCEPT, /* an offer; as the next two it has a line */
	ACTION_DECLINE,
	ACTION_WITHDRAW,
	ACTION_READY,
	ACTION_CLOSE,
	ACTION_CLAIM,
	ACTION_JOIN,
	ACTION_JOIN_DIRECTOR,
	ACTION_FORFEIT, /* rulings on a claim */
	ACTION_EXTEND,
	ACTION_SEND, /* an order that waits for its answer */
	ACTION_MORE, /* something that is asked for step by step */
	/* What may be done at any time, or nearly. */
	ACTION_SAY,
	ACTION_ROLL, /* free dice, or chits out of a cup */
	ACTION_UPKEEP,
	ACTION_ADJUST, /* answer: the file of what joins; NULL: none */
	ACTION_OFFER,
	ACTION_RULING,
	ACTION_ROSTER, /* answer: the file */
	ACTION_HOLIDAY,
	ACTION_RESIGN,
	ACTION_CANCEL,
};

struct action {
	enum action_kind kind;
	/* The line that it is about or answers, the seat of a join; -1. */
	int64_t seq;
	char *answer; /* owned: of decide, in words; NULL */
	/* Owned: what goes into its order, a decision, ...; NULL: ask for it */
	json_t *args;
	char *text; /* owned: what is said, or why, or what for; NULL */
};

/* Frees what one holds; it is as at first. */
void action_clear(struct action *a);

/* True if both are the same. */
bool action_is_same(const struct action *a, const struct action *b);

/*
 * An action as a command line: profile is what goes before the subcommand (""
 * or " --profile NAME"), name how the game is called there.  free().
 */
char *action_command(
    const struct action *a, const char *profile, const char *name);

/* The same as it is typed inside of `umpire play`: "accept 14"; free(). */
char *action_words(const struct action *a);

#endif
