/* SPDX-License-Identifier: ISC */
/*
 * Whether a new game has a witness as the third hand for its dice (record
 * S6.9): by --witness, or as is proposed where the server names one; and what
 * the terms of one that has, also those of a tournament, say.
 */
#ifndef UMPIRE_CLIENT_CMD_NEW_WITNESS_H
#define UMPIRE_CLIENT_CMD_NEW_WITNESS_H

#include <stdbool.h>

#include <jansson.h>

struct cmd_ctx;
struct link;

/*
 * Reads --witness into terms, over what a rematch has brought, as far as that
 * can be said without the server.  Prints what is wrong; 0, or an exit status.
 */
int new_witness_read(struct cmd_ctx *cx, json_t *terms)
    __attribute__((warn_unused_result));

/*
 * Puts the witness's key into terms that name one, or, where nobody has said
 * how dice are made, proposes the one of the server.  The connection is open.
 * Prints what is wrong; 0, or an exit status.
 */
int new_witness_choose(struct cmd_ctx *cx, const struct link *l, json_t *terms,
    bool is_rematch) __attribute__((warn_unused_result));

/* Sets in terms what a game with the witness of this key has. */
void new_witness_set(json_t *terms, const char *key);

#endif
