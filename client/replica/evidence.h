/* SPDX-License-Identifier: ISC */
/*
 * Evidence against a server: a line that its identity key has signed and that
 * cannot stand beside the lines that it has signed before.  It is kept as
 * games/<id>.evidence, a further one as games/<id>.evidence-2 and so on: the
 * first line is an object that holds the line and tells of both; below it
 * stands our own copy as export writes it, which the line contradicts.
 */
#ifndef UMPIRE_CLIENT_REPLICA_EVIDENCE_H
#define UMPIRE_CLIENT_REPLICA_EVIDENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/base/err.h"
#include "common/crypt/hash.h"
#include "common/crypt/sign.h"

struct replica;
struct profile;

/*
 * Says where the server's record does not continue the copy (copy->fork), and
 * returns the exit status.  Proof is on the disk before: EX_PROTOCOL, or
 * EX_IOERR if it cannot be written.  Anything else is no proof:
 * EX_UNAVAILABLE.
 */
int evidence_tell(const struct replica *c);

/*
 * Writes the proof that a copy's fork is, unless it is on the disk already.
 * *path is where, new, and set even if that fails.  ERR_IO, ERR_BUSY.
 */
int evidence_keep(const struct replica *c, char **path, struct errinfo *e)
    __attribute__((warn_unused_result));

/* The files that are kept of a game, oldest first: an array of paths, new. */
json_t *evidence_list(const struct profile *p, const uint8_t id[HASH_LEN]);

/* True if a file's bytes are evidence, by how they begin. */
bool evidence_is(const char *bytes, size_t len);

/* What a file of evidence proves. */
struct evidence {
	uint8_t server[SIGN_KEY_LEN]; /* whose marks are on the lines */
	uint8_t game[HASH_LEN];
	int64_t seq; /* of the line */
	bool is_two; /* two lines of one number; else one that is unlawful */
	bool is_unchecked; /* a newer umpire has to judge it */
	struct errinfo why; /* the fault of the unlawful line; or unchecked */
	/*
	 * Owned: {"seq","salt","text"} of the standing order that the line
	 * passes over; null if it is bad for another reason.  NULL: none.
	 */
	json_t *opened;
	char *line; /* owned: the line */
	char *held; /* owned: the other one, if is_two */
	char *arrived; /* owned: when the line came; NULL: unknown */
	char *held_arrived; /* owned: likewise the other one */
};

/*
 * Reads the members of a file's head that games and tournaments have in common;
 * of is the one that names the game, or the tournament.  The line must be
 * signed by the server.  ERR_BAD.
 */
int evidence_get(const json_t *o, const char *of, struct evidence *ev,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Whether the record, of which so many lines were read and the line of that
 * number is ev->held, has the line's place: ev->is_two.  ERR_BAD: it ends
 * before it, or has the very same.
 */
int evidence_is_two(struct evidence *ev, int64_t lines, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Judges the bytes of a file of evidence, without any server.  0: it proves
 * what *ev says, or is_unchecked; ERR_BAD: it proves nothing, e says why;
 * ERR_NOMEM.  evidence_clear() in any case.
 */
int evidence_judge(const char *bytes, size_t len, struct evidence *ev,
    struct errinfo *e) __attribute__((warn_unused_result));
void evidence_clear(struct evidence *ev);

#endif
