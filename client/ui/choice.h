/* SPDX-License-Identifier: ISC */
/*
 * What a player may do now, in words and by number: the commands that
 * moves.h finds, each with a label, and what the game waits for.
 */
#ifndef UMPIRE_CLIENT_UI_CHOICE_H
#define UMPIRE_CLIENT_UI_CHOICE_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

struct out;
struct play;

#define CHOICE_MORE "more" /* the one word of the last choice */

struct choice {
	char *label; /* owned */
	json_t *words; /* owned: a command line without the game's name */
};

struct choices {
	struct choice *list; /* owned */
	size_t n;
	json_t *says; /* owned: sentences on what the game waits for */
	bool is_mine; /* something is ours to do or to answer */
	bool is_over; /* nothing will be done any more */
	bool is_secret; /* what is asked of us is answered by a commit */
};

/* Finds them for our seat. */
void choice_find(struct choices *c, struct play *pl);

/* Frees what choice_find() gave; *c may be zero. */
void choice_clear(struct choices *c);

/*
 * Prints the turn, the sentences and the numbered list, with a blank line
 * between them.
 */
void choice_tell(const struct choices *c, struct play *pl);

/* True if both offer the same under the same numbers. */
bool choice_is_same(const struct choices *a, const struct choices *b);

#endif
