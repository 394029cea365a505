/* SPDX-License-Identifier: ISC */
/* Which word a witness gives next in a game (record S6.9), and making it. */
#ifndef UMPIRE_CLIENT_WITNESS_WITNESS_SPEAK_H
#define UMPIRE_CLIENT_WITNESS_WITNESS_SPEAK_H

#include <stdint.h>

#include <jansson.h>

#include "client/witness/witness_store.h"
#include "common/base/err.h"
#include "common/game/game_make.h"
#include "common/game/verify.h"

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

/* A word on its way to be made: witness_speak_clear() frees it. */
struct witness_speak_job {
	struct witness_row row;
	const struct game *state; /* borrowed */
	int64_t now_ms;
	int64_t due_ms; /* when another word may be due */
	enum order_kind kind;
	json_t *args; /* owned */
	struct game_keys keys;
	struct witness_word w; /* owned; made by witness_speak_make() */
	struct verify_own own; /* likewise: the same for the verifier */
	int r; /* how that went */
	struct errinfo e;
};

/*
 * Finds the word that is due in a game of which all lines are held, and of
 * whose words none waits: *job is as witness_speak_make() needs it, as long as
 * g is not touched.  ERR_NOTFOUND if none is due, and *due_ms is when one may
 * be (INT64_MAX: not without another line).  ERR_DENIED: this is no game for
 * this witness, e says why.
 */
int witness_speak(struct witness_speaker *s, const struct witness_row *row,
    const struct witness_game *g, struct witness_speak_job *job,
    int64_t *due_ms, struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Writes and signs it, and makes its proof: in any thread, since it touches
 * nothing but the job.  Always 0: job->r and job->e say how it went.
 */
int witness_speak_make(void *job) __attribute__((warn_unused_result));

/*
 * Puts it into the store, in which *w, moved out of the job, is then.
 * ERR_NOTFOUND if this word was given before, and refused; ERR_NOMEM,
 * ERR_CONFIG if it could not be made, job->e says why.
 */
int witness_speak_keep(struct witness_speaker *s, struct witness_speak_job *job,
    struct witness_word *w) __attribute__((warn_unused_result));

/* Frees a job, and wipes its keys. */
void witness_speak_clear(struct witness_speak_job *job);

#endif
