/* SPDX-License-Identifier: ISC */
/*
 * Proof that a server tells two histories of a tournament: a line that its
 * identity key has signed, and below it the record that it contradicts.  It is
 * kept as games/<id>.tournament-evidence-XXXXXXXX, by the line's hash.
 */
#ifndef UMPIRE_CLIENT_TOURNAMENT_DESK_PROVE_H
#define UMPIRE_CLIENT_TOURNAMENT_DESK_PROVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/crypt/hash.h"
#include "common/crypt/sign.h"

struct buf;
struct profile;

/* How a server's account is wrong: only the first two are proof. */
enum desk_wrong {
	DESK_TWO_LINES, /* it signed another line for a place that we hold */
	DESK_UNLAWFUL, /* it signed a next line that does not hold */
	DESK_BEHIND, /* it has fewer lines */
	DESK_GONE, /* it does not know the tournament */
	DESK_NONSENSE, /* its lines are not signed, or out of place */
};

/* Where the server's record does not continue the copy. */
struct desk_fork {
	enum desk_wrong what;
	int64_t seq;
	char *line; /* owned: the line that is proof; NULL: there is none */
	int64_t at_ms; /* when it arrived */
	struct errinfo why;
};

/* True if the server has signed a line for that place of the tournament. */
bool desk_is_signed(const uint8_t server[SIGN_KEY_LEN],
    const uint8_t id[HASH_LEN], int64_t seq, const char *line, size_t len);

/*
 * True if a line says that those from its number on were lost, and follows the
 * one of this hash.
 */
bool desk_is_lost(const char *line, size_t len, const uint8_t prev[HASH_LEN]);

/*
 * Writes the proof that a fork is, unless it is there; held is the record that
 * its line contradicts, as verifiers read it, with what that goes back to
 * behind it.  *path is new, and set even if that fails.  ERR_IO.
 */
int desk_prove(const struct profile *p, const uint8_t id[HASH_LEN],
    const struct desk_fork *f, const struct buf *held, char **path,
    struct errinfo *e) __attribute__((warn_unused_result));

/* The newest such file of a tournament, new; NULL: there is none. */
char *desk_proof_kept(const struct profile *p, const uint8_t id[HASH_LEN]);

#endif
