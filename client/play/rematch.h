/* SPDX-License-Identifier: ISC */
/*
 * A further game like one that was played: what it takes over.  Only games
 * that we have a copy of, and in which we sat.
 */
#ifndef UMPIRE_CLIENT_PLAY_REMATCH_H
#define UMPIRE_CLIENT_PLAY_REMATCH_H

#include <stdint.h>

#include <jansson.h>

struct cmd_ctx;

/* rematch_clear() frees it. */
struct rematch {
	int seat; /* in which we sat */
	json_t *system; /* owned: text */
	json_t *rulings; /* owned */
	json_t *tables; /* owned: array of blobs */
	json_t *terms; /* owned, as settings_of() gives them */
	json_t *roster; /* owned: the blob that play began with */
	json_t *others; /* owned: accounts that sat there, too */
};

/*
 * Reads the game of a word.  Prints what fails; 0, or an exit status.
 */
int rematch_read(struct cmd_ctx *cx, const char *word, struct rematch *rm)
    __attribute__((warn_unused_result));
void rematch_clear(struct rematch *rm);

/*
 * The roster for the new game, in which we sit in `seat`: the armies change
 * sides if they must for us to have the other one.  New.
 */
json_t *rematch_roster(const struct rematch *rm, int64_t seat);

#endif
