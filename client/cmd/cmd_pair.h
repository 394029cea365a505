/* SPDX-License-Identifier: ISC */
/* Why a round is paired as it is. */
#ifndef UMPIRE_CLIENT_CMD_CMD_PAIR_H
#define UMPIRE_CLIENT_CMD_CMD_PAIR_H

struct cmd_ctx;
struct trf;

/*
 * Says why a player (index) of a file has this opponent in a round and no
 * other, under the numbers of the table; 0, or an exit status.
 */
int cmd_pair_tell(
    struct cmd_ctx *cx, const struct trf *t, int round, int player);

#endif
