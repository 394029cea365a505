/* SPDX-License-Identifier: ISC */
/*
 * The keys of the account that this profile knows beside its own: those that
 * its owner added here, or compared and trusts.  Whatever else the server says
 * belongs to the account is signed for by nobody here.  And how a
 * new device's key is handed over.
 */
#ifndef UMPIRE_CLIENT_PROFILE_KNOWN_H
#define UMPIRE_CLIENT_PROFILE_KNOWN_H

#include <stdbool.h>
#include <stdint.h>

#include "client/profile/profile.h"
#include "common/record/statement.h"

#define KNOWN_CODE_LEN 69 /* fourteen groups of four */

/*
 * Finds the key of an account by its fingerprint, as typed, or by its 64 hex
 * digits; NULL: none.  What is returned is borrowed from k.
 */
const uint8_t *known_find(const struct statement_keys *k, const char *typed);

/* True if it is the profile's own key (loaded), or one that it knows. */
bool known_has(const struct profile *p, const uint8_t key[SIGN_KEY_LEN]);

/* Knows a key from now on.  ERR_IO. */
int known_add(const struct profile *p, const uint8_t key[SIGN_KEY_LEN],
    struct errinfo *e) __attribute__((warn_unused_result));

/* Knows none of the keys any longer that the account has not.  ERR_IO. */
int known_keep(const struct profile *p, const struct statement_keys *k,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Writes the code by which another device adds the profile's key (loaded) to
 * its account.  It is no secret; it holds for the account, and the recovery
 * key, that the profile has.
 */
int known_code(const struct profile *p, char code[KNOWN_CODE_LEN + 1])
    __attribute__((warn_unused_result));

/*
 * Reads one for the profile's account.  ERR_INVALID for what is no code;
 * ERR_DENIED if account or recovery key are others, or it is mistyped.
 */
int known_code_parse(const struct profile *p, const char *code,
    uint8_t key[SIGN_KEY_LEN]) __attribute__((warn_unused_result));

#endif
