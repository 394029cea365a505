/* SPDX-License-Identifier: ISC */
/*
 * The dice keys of a profile: the one that its next games get, and those by
 * which dice fall, or fell, in games that go on, since each game changes over
 * at a line of its own (record S6.5):
 *   dice.key           for the next games
 *   dice.key.DIGITS    kept: the first digits of the public key
 *   dice.key.new       being given, until all games that go on have it
 */
#ifndef UMPIRE_CLIENT_PROFILE_DICE_KEYS_H
#define UMPIRE_CLIENT_PROFILE_DICE_KEYS_H

#include <stdint.h>

#include "client/profile/profile.h"
#include "common/crypt/vrf.h"

/*
 * Loads the key with this public half, whichever file it is in; the caller
 * clears it.  ERR_NOTFOUND if this profile does not have it, ERR_IO.
 */
int dice_keys_find(const struct profile *p, const uint8_t key[VRF_KEY_LEN],
    struct vrf_key *k, struct errinfo *e) __attribute__((warn_unused_result));

/* Keeps a key, unless the profile has it already.  ERR_IO. */
int dice_keys_keep(const struct profile *p, const struct vrf_key *k,
    struct errinfo *e) __attribute__((warn_unused_result));

/* Makes a key that of the next games; the one before it is kept.  ERR_IO. */
int dice_keys_use(struct profile *p, const struct vrf_key *k, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Loads the key that is being given.  ERR_NOTFOUND if none is, ERR_IO. */
int dice_keys_begun(const struct profile *p, struct vrf_key *k,
    struct errinfo *e) __attribute__((warn_unused_result));

/* Notes that a key is being given, before the server hears of it.  ERR_IO. */
int dice_keys_begin(const struct profile *p, const struct vrf_key *k,
    struct errinfo *e) __attribute__((warn_unused_result));

/* Notes that it has been given, after dice_keys_use() of it.  ERR_IO. */
int dice_keys_end(const struct profile *p, struct errinfo *e)
    __attribute__((warn_unused_result));

#endif
