/* SPDX-License-Identifier: ISC */
/* The keys of our account, as the server has them, and changing them. */
#ifndef UMPIRE_CLIENT_NET_ACCOUNT_H
#define UMPIRE_CLIENT_NET_ACCOUNT_H

#include <jansson.h>

#include "client/net/link.h"
#include "common/record/statement.h"

/*
 * Asks for the keys of the account that is logged in; or, of the profile's
 * account without a login, for the last statement's number and hash alone.
 * Prints what fails; 0, or an exit status.
 */
int account_keys(struct link *l, bool is_logged_in, struct statement_keys *k)
    __attribute__((warn_unused_result));

/*
 * Sets in the args of a create or join what the server knows of our account's
 * keys (record S3): kn, kprev, keys, recovery.  No key comes in that this
 * profile does not know.  Prints what fails; 0, or an exit status: EX_NOPERM
 * if the account has a key that the profile does not know.
 */
int account_args(struct link *l, json_t *args)
    __attribute__((warn_unused_result));

/*
 * Makes the statement that follows the last of k, signed by signer, and has
 * the server take it.  Prints what fails; 0, or an exit status.
 */
int account_state(struct link *l, const struct statement_keys *k,
    enum statement_do what, const uint8_t key[SIGN_KEY_LEN],
    const struct sign_key *signer) __attribute__((warn_unused_result));

#endif
