/* SPDX-License-Identifier: ISC */
/*
 * The dice keys of an account in its games: which of those that come of the
 * words they had (record S4.1), and giving a new one in all of them (S6.5).
 */
#ifndef UMPIRE_CLIENT_CMD_KEYS_DICE_H
#define UMPIRE_CLIENT_CMD_KEYS_DICE_H

#include "client/net/link.h"
#include "client/profile/profile.h"
#include "client/ui/cmd.h"
#include "common/crypt/words.h"

/*
 * Looks through the account's games that go on, and has the profile keep the
 * dice keys of the words that they have, the last one for its next games.
 * The profile's keys must be those on disk; l is logged in.  Prints what
 * fails; 0, or an exit status.
 */
int keys_dice_restore(struct cmd_ctx *cx, struct profile *p, struct link *l,
    const uint8_t seed[WORDS_SEED_LEN]) __attribute__((warn_unused_result));

/*
 * Gives the next dice key in all games that go on; or, where another device
 * has given one that is not here, takes that over.  Asks for the words.
 */
int keys_dice_new(struct cmd_ctx *cx, struct profile *p, struct link *l)
    __attribute__((warn_unused_result));

/* Says in how many games dice fall by a key that is not here, if any. */
int keys_dice_tell(struct cmd_ctx *cx, struct link *l)
    __attribute__((warn_unused_result));

#endif
