/* SPDX-License-Identifier: ISC */
/*
 * Our own secret choice while only a commitment to it stands in the record
 * (record S8): games/<id>.secret, mode 0600.  It is on the disk before the
 * commit is sent and stays there until the choice is open or can no longer be
 * opened.  Without it a sealed choice can never be opened.
 */
#ifndef UMPIRE_CLIENT_REPLICA_SECRET_H
#define UMPIRE_CLIENT_REPLICA_SECRET_H

#include <stdint.h>

#include <jansson.h>

#include "common/base/err.h"
#include "common/crypt/hash.h"
#include "common/record/record.h"

struct replica;
struct game;

/* Where a side stands with the secret question that is open. */
enum secret_state {
	SECRET_NONE, /* no secret question is open */
	SECRET_OWED, /* it must commit */
	SECRET_WAITS, /* it has committed, the other side has not */
	SECRET_DUE, /* sealed: its choice waits to be opened */
	SECRET_OPEN, /* sealed: its choice is open, the other's is not */
};

/* A choice as its file holds it; secret_clear() frees it. */
struct secret {
	json_t *root; /* owned: {"seat","ask","commit","salt","text"} */
	int64_t seat;
	int64_t ask; /* line that asked */
	uint8_t commit[HASH_LEN];
	uint8_t salt[RECORD_SALT_LEN];
	const char *text; /* borrowed from root */
};

/* Where the side of `seat` stands; *ask is set but for SECRET_NONE. */
enum secret_state secret_state(const struct game *g, int seat, int64_t *ask);

/*
 * Draws a salt and writes the file of a choice on the question of line
 * `ask`; a file of the very same choice is used again.  The caller holds the
 * copy's lock.  ERR_EXISTS if an order is pending, ERR_TOOBIG, ERR_IO.
 */
int secret_make(const struct replica *c, int seat, int64_t ask,
    const json_t *decision, struct secret *s, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Loads the file: 0, ERR_NOTFOUND if there is none, ERR_BAD if it does not
 * hold together, ERR_IO.
 */
int secret_load(const struct replica *c, struct secret *s, struct errinfo *e)
    __attribute__((warn_unused_result));
void secret_clear(struct secret *s);

/*
 * Finds the commit of seat's side to the question of line `ask` in the copy:
 * the seat that gave it and its commitment.  ERR_NOTFOUND.
 */
int secret_find(const struct replica *c, int seat, int64_t ask, int *by,
    uint8_t commit[HASH_LEN]) __attribute__((warn_unused_result));

/*
 * Removes the file if the line that opens the choice stands in the copy, or
 * the question is no longer open.  ERR_IO.
 */
int secret_tidy(struct replica *c, struct errinfo *e)
    __attribute__((warn_unused_result));

#endif
