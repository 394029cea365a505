/* SPDX-License-Identifier: ISC */
/*
 * Invitations: a game, the server that keeps it and that server's identity
 * key, in one address (protocol, CONVENTIONS), so that the first contact is
 * no trust on first use:
 *   umpire://HOST[:PORT]/GAME#KEY
 */
#ifndef UMPIRE_CLIENT_PROFILE_INVITATION_H
#define UMPIRE_CLIENT_PROFILE_INVITATION_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/crypt/hash.h"
#include "common/crypt/sign.h"

#define INVITATION_FORM "umpire://HOST[:PORT]/GAME#KEY"

struct profile;

struct invitation {
	char *server; /* owned: HOST[:PORT] */
	uint8_t game[HASH_LEN];
	uint8_t key[SIGN_KEY_LEN]; /* the server's identity key */
};

/* True if the word is meant for an address: no game is called so. */
bool invitation_is(const char *word);

/*
 * Reads an address, whose scheme and digits may be in either case.  ERR_INVALID
 * with what is wrong.  The caller clears *inv.
 */
int invitation_read(const char *word, struct invitation *inv, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Reads an identity key, whose 64 hex digits may be in either case. */
bool invitation_key(const char *s, uint8_t key[SIGN_KEY_LEN]);

/* Frees what it owns. */
void invitation_clear(struct invitation *inv);

/* True if the word is the address of this game on the server of this key. */
bool invitation_is_of(const char *word, const uint8_t game[HASH_LEN],
    const uint8_t key[SIGN_KEY_LEN]);

/*
 * Has the profile know the server and accept its key alone, unless it knows a
 * server by its key, which must be this one, and stays as it is.  Nothing is
 * saved: p->is_invited says that it is to be, once the server has proved the
 * key.  ERR_DENIED if the profile belongs to another server; then it is
 * unchanged.
 */
int invitation_take(const struct invitation *inv, struct profile *p,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * The address of a game on the profile's server; free().  NULL if the profile
 * does not know the server or its key.
 */
char *invitation_text(const struct profile *p, const uint8_t game[HASH_LEN]);

#endif
