/* SPDX-License-Identifier: ISC */
/*
 * Keys from words (record S4.1): 160 random bits that their owner writes down,
 * from which the recovery key and the dice keys come.  Whoever holds them here
 * wipes them.
 */
#ifndef UMPIRE_COMMON_CRYPT_WORDS_H
#define UMPIRE_COMMON_CRYPT_WORDS_H

#include <stdint.h>

#include "common/base/err.h"
#include "common/crypt/sign.h"
#include "common/crypt/vrf.h"

#define WORDS_SEED_LEN 20
#define WORDS_LEN 39 /* eight groups of four, with hyphens between them */

/* Writes a seed as words, with a NUL. */
void words_format(
    char words[WORDS_LEN + 1], const uint8_t seed[WORDS_SEED_LEN]);

/*
 * Reads words as people type them: case, spaces and hyphens do not matter, O
 * is 0, I and L are 1.  ERR_INVALID.
 */
int words_parse(const char *words, uint8_t seed[WORDS_SEED_LEN])
    __attribute__((warn_unused_result));

/* The recovery key of a seed; the caller clears it. */
int words_recovery(const uint8_t seed[WORDS_SEED_LEN], struct sign_key *key)
    __attribute__((warn_unused_result));

/* Dice key number i, from 1 on; likewise. */
int words_dice(const uint8_t seed[WORDS_SEED_LEN], uint32_t i,
    struct vrf_key *key) __attribute__((warn_unused_result));

#endif
