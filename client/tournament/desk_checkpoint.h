/* SPDX-License-Identifier: ISC */
/*
 * The file beside a copy of a tournament, games/<id>.tournament-checkpoint,
 * that saves working out its pairings again, as client/replica/checkpoint.h has
 * it for games.  It holds no state: only which lines were verified, as their
 * hash, by an umpire of which sources, under a MAC.
 */
#ifndef UMPIRE_CLIENT_TOURNAMENT_DESK_CHECKPOINT_H
#define UMPIRE_CLIENT_TOURNAMENT_DESK_CHECKPOINT_H

#include <stddef.h>
#include <stdint.h>

#include "common/crypt/hash.h"

struct buf;
struct profile;

/*
 * How many bytes of these lines it covers: those that an umpire of the same
 * sources verified for this profile; 0: there is none that fits.
 */
size_t desk_checkpoint_read(const struct profile *p, const uint8_t id[HASH_LEN],
    const struct buf *lines);

/* Writes it for all of these, which are on the disk; failures are ignored. */
void desk_checkpoint_write(const struct profile *p, const uint8_t id[HASH_LEN],
    const struct buf *lines);

#endif
