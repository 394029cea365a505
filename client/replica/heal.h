/* SPDX-License-Identifier: ISC */
/*
 * Giving back what a server has lost (record S10.1): whoever holds lines after
 * its last one brings them, with the texts and blobs that they name and our own
 * secret texts, in the bytes in which they were.
 */
#ifndef UMPIRE_CLIENT_REPLICA_HEAL_H
#define UMPIRE_CLIENT_REPLICA_HEAL_H

#include <stdint.h>

#include <jansson.h>

#include "client/net/conn.h"
#include "common/crypt/hash.h"

struct link;
struct profile;
struct replica;

/*
 * After sync_copy() has found that the server has fewer lines, or does not know
 * the game: gives it what it lacks, says so, and brings the copy up to date.
 * Returns what sync_copy() does; where the server takes nothing back, ERR_FORK
 * and copy->fork are as before.
 */
int heal_lost(struct link *l, struct replica *c, struct conn_error *ce)
    __attribute__((warn_unused_result));

/*
 * What is healed before the games, on each connection: tournaments, which rest
 * on what is here (client/tournament/desk_heal.h).  0, or EX_PROTOCOL.
 */
typedef int heal_before(struct link *l, const struct profile *p);

void heal_set_before(heal_before *before);

/* What of last lines is compared, and by which method. */
struct heal_kind {
	const char *method; /* "game.heads" */
	const char *list; /* "games": of its params and result */
	const char *member; /* "game": that names the id */
	const char *suffix; /* ".jsonl": of the file of a copy */
	/* Takes one row of the result.  0, or EX_PROTOCOL. */
	int (*take)(void *arg, const json_t *row);
};

/*
 * Compares the last lines of n copies, as their files have them, with the
 * server's; what was closed long ago is left out.  0, or the first that take
 * returned and is not 0.
 */
int heal_compare(struct link *l, const struct profile *p,
    const struct heal_kind *k, uint8_t (*ids)[HASH_LEN], size_t n, void *arg)
    __attribute__((warn_unused_result));

/*
 * Compares the last lines of all games that the profile holds with the
 * server's, and gives back what that lacks; the lines of game `but` (NULL:
 * none) are left to whoever brings it up to date.  The connection is logged in,
 * and the keys are loaded.  Prints what differs: 0, or EX_PROTOCOL with
 * evidence on the disk; what fails otherwise is left to the next time.
 */
int heal_all(struct link *l, const struct profile *p, const uint8_t *but)
    __attribute__((warn_unused_result));

/*
 * The same once on each connection, and again after an hour.  0 where it is not
 * due, or nobody is logged in.
 */
int heal_when_due(struct link *l, const struct profile *p, const uint8_t *but)
    __attribute__((warn_unused_result));

/* In how many ms that is due again on this connection. */
int64_t heal_due_ms(const struct link *l);

#endif
