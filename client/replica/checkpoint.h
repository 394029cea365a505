/* SPDX-License-Identifier: ISC */
/*
 * The file beside a copy, games/<id>.checkpoint, that saves verifying it
 * again.  It holds how many bytes of lines and side lines were read, their
 * hashes and the verifier's state after them, under a MAC whose key is derived
 * from the profile's signing key.  It is believed only if all of that fits,
 * byte for byte, and an umpire of the same sources wrote it (verify_save());
 * else the copy is verified again.
 */
#ifndef UMPIRE_CLIENT_REPLICA_CHECKPOINT_H
#define UMPIRE_CLIENT_REPLICA_CHECKPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/crypt/hash.h"

struct buf;
struct profile;
struct verify;

/* The bytes that it covers. */
struct checkpoint {
	size_t lines;
	size_t side;
};

/*
 * Reads it, if there is one that covers a beginning of these lines and side
 * lines: *saved then holds what verify_save() wrote.  False if there is none.
 */
bool checkpoint_read(const struct profile *p, const uint8_t id[HASH_LEN],
    const struct buf *lines, const struct buf *side, struct checkpoint *cp,
    struct buf *saved);

/* Writes it for all of these, which are on the disk; failures are ignored. */
void checkpoint_write(const struct profile *p, const uint8_t id[HASH_LEN],
    const struct buf *lines, const struct buf *side, struct verify *v);

/*
 * The MAC of such a file's bytes, under a key that only this profile can derive
 * from its own, another for each label.  ERR_IO and the like: it has none.
 */
int checkpoint_mac(const struct profile *p, const char *label,
    const void *bytes, size_t n, uint8_t mac[HASH_LEN])
    __attribute__((warn_unused_result));

#endif
