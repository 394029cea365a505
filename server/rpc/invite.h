/* SPDX-License-Identifier: ISC */
/*
 * One-time codes to register with.  A code holds its own expiry and a MAC by
 * the server's invite key, so that making one needs no database; that it is
 * used once only is the store's to see, by the code's hash.
 */
#ifndef UMPIRE_SERVER_RPC_INVITE_H
#define UMPIRE_SERVER_RPC_INVITE_H

#include <stdint.h>

#include "common/crypt/hash.h"
#include "common/crypt/keyfile.h"

#define INVITE_TEXT 47 /* eight groups, hyphens and a terminator */

/*
 * Makes a code that is valid until expiry_s, seconds since 1970.
 * ERR_INTERNAL without randomness, ERR_NOMEM.
 */
int invite_make(const uint8_t key[KEYFILE_LEN], uint32_t expiry_s,
    char out[INVITE_TEXT]) __attribute__((warn_unused_result));

/*
 * Reads a code that a person typed: hyphens, spaces and case do not matter.
 * On success gives its hash.  ERR_DENIED if it is not a code of this key
 * or now_s is past its expiry, ERR_NOMEM.
 */
int invite_check(const uint8_t key[KEYFILE_LEN], const char *text,
    int64_t now_s, uint8_t hash[HASH_LEN]) __attribute__((warn_unused_result));

#endif
