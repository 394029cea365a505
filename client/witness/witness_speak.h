/* SPDX-License-Identifier: ISC */
/* Which word a witness gives next in a game (record S6.9), and giving it. */
#ifndef UMPIRE_CLIENT_WITNESS_WITNESS_SPEAK_H
#define UMPIRE_CLIENT_WITNESS_WITNESS_SPEAK_H

#include <stdint.h>

#include <jansson.h>

#include "client/witness/witness_store.h"
#include "common/base/err.h"

struct profile;
struct witness_game;

#define WITNESS_SPEAK_AHEAD_MS \
	120000 /* a line so far ahead has no answer yet */

/* Who speaks; all is borrowed. */
struct witness_speaker {
	struct witness_store *store;
	const struct profile *p; /* with its keys and account */
	const json_t *join; /* what the server knows of the account's keys */
	/*
	 * Two clocks: the machine's, and one by which nothing passes sooner
	 * than it does, if somebody sets that.
	 */
	int64_t now_ms;
	int64_t passed_ms;
};

/*
 * After the last line of a game: what that means for what the witness owes is
 * noted.  ERR_IO.
 */
int witness_speak_heard(struct witness_speaker *s,
    const struct witness_row *row, const struct witness_game *g)
    __attribute__((warn_unused_result));

/*
 * Makes the word that is due in a game of which all lines are held, and of
 * whose words none waits: it is in the store, and *w is it.  ERR_NOTFOUND if
 * none is due, and *due_ms is when one may be (INT64_MAX: not without another
 * line).  ERR_DENIED: this is no game for this witness, e says why.
 */
int witness_speak(struct witness_speaker *s, const struct witness_row *row,
    const struct witness_game *g, struct witness_word *w, int64_t *due_ms,
    struct errinfo *e) __attribute__((warn_unused_result));

#endif
