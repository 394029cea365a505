/* SPDX-License-Identifier: ISC */
/*
 * The program of a witness (record S6.9): it holds each game that names its
 * key, verifies each line, and answers each roll once, for as long as it runs.
 * It holds the tournaments that name it, too, whose lots it draws.
 */
#ifndef UMPIRE_CLIENT_WITNESS_WITNESS_H
#define UMPIRE_CLIENT_WITNESS_WITNESS_H

#include <stdint.h>

#include "common/crypt/hash.h"

struct buf;
struct cmd_ctx;
struct errinfo;
struct profile;

/* What is done by copies of tournaments as players have them. */
struct witness_desk {
	/*
	 * Draws the lots of a tournament that names this witness and waits for
	 * them; what is signed is kept until it has its answer.  Prints what
	 * fails; an exit status.
	 */
	int (*draw)(struct cmd_ctx *cx, const uint8_t id[HASH_LEN]);
	/*
	 * Writes the proof that the server has signed this line, number seq,
	 * which cannot stand beside those that are held, as an export has them:
	 * *path is where, new.  ERR_BAD: it is none, e says why; ERR_IO.
	 */
	int (*prove)(const struct profile *p, const uint8_t id[HASH_LEN],
	    const struct buf *held, int64_t seq, const struct buf *line,
	    char **path, struct errinfo *e);
};

/*
 * Runs until SIGINT or SIGTERM; prints a line for each event, and what fails.
 * The profile's keys are loaded, and it has an account.  Returns an exit
 * status: EX_OK; EX_PROTOCOL if it stopped in a game meanwhile; or why it
 * cannot run.
 */
int witness_run(
    struct cmd_ctx *cx, struct profile *p, const struct witness_desk *desk);

/* Tells what the store holds: how many games and tournaments, and those that
 * were stopped. */
int witness_status(struct cmd_ctx *cx, struct profile *p);

/*
 * A person has decided: the game or tournament that is meant by these first
 * digits follows the server's lines again, those that it contradicts are set
 * aside.
 */
int witness_follow(struct cmd_ctx *cx, struct profile *p, const char *digits);

#endif
