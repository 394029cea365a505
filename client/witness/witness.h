/* SPDX-License-Identifier: ISC */
/*
 * The program of a witness (record S6.9): it holds each game that names its
 * key, verifies each line, and answers each roll once, for as long as it runs.
 */
#ifndef UMPIRE_CLIENT_WITNESS_WITNESS_H
#define UMPIRE_CLIENT_WITNESS_WITNESS_H

#include <stdint.h>

#include "common/crypt/hash.h"

struct cmd_ctx;
struct profile;

/*
 * Draws the lots of a tournament that names this witness and waits for them;
 * what is signed is kept until it has its answer.  Prints what fails; an exit
 * status.
 */
typedef int witness_draw(struct cmd_ctx *cx, const uint8_t id[HASH_LEN]);

/*
 * Runs until SIGINT or SIGTERM; prints a line for each event, and what fails.
 * The profile's keys are loaded, and it has an account.  Returns an exit
 * status: EX_OK; EX_PROTOCOL if it stopped in a game meanwhile; or why it
 * cannot run.
 */
int witness_run(struct cmd_ctx *cx, struct profile *p, witness_draw *draw);

/* Tells what the store holds: how many games, and those that were stopped. */
int witness_status(struct cmd_ctx *cx, struct profile *p);

/*
 * A person has decided: the game that is meant by these first digits follows
 * the server's lines again, those that it contradicts are set aside.
 */
int witness_follow(struct cmd_ctx *cx, struct profile *p, const char *digits);

#endif
