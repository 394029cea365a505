/* SPDX-License-Identifier: ISC */
/*
 * Ed25519 over tagged messages with OpenSSL's EVP.  OpenSSL checks without
 * cofactor and refuses S >= L; what it does not refuse, keys that are not
 * canonical or of small order, is refused here before.  An order's bytes may
 * be signed in more than one way, so no id may depend on a signature.
 */
#include "common/crypt/sign.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include "common/base/err.h"
#include "common/crypt/hash.h"

/* A tagged message up to this size is put together on the stack. */
#define SIGN_STACK 1024

/* T(tag) || p in one piece, as Ed25519 hashes its message twice. */
struct sign_message {
	const uint8_t *p; /* borrowed: small or heap */
	size_t n;
	uint8_t *heap; /* owned; NULL while small is enough */
	uint8_t small[SIGN_STACK];
};

/*
 * The canonical points of small order, without the sign of x (record S1).
 * The record's list also has p and p + 1, which are not canonical.
 */
static const uint8_t sign_small_order[][SIGN_KEY_LEN] = {
    {0x00},
    {0x01},
    {0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89,
	0xf2, 0xef, 0x98, 0xf0, 0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39,
	0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05},
    {0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76,
	0x0d, 0x10, 0x67, 0x0f, 0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6,
	0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a},
    {0xec, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f},
};

/* Puts T(tag) || p together; sign_message_clear() frees it. */
static int
sign_message_init(
    struct sign_message *m, const char *tag, const void *p, size_t n)
{
	uint8_t *to;
	size_t taglen;

	/* The tag's own terminator is the byte 00 of T(tag). */
	taglen = strlen(tag) + 1;
	m->heap = NULL;
	to = m->small;
	if (n > SIZE_MAX - taglen)
		return (ERR_NOMEM);
	if (n + taglen > sizeof(m->small)) {
		m->heap = malloc(n + taglen);
		if (m->heap == NULL)
			return (ERR_NOMEM);
		to = m->heap;
	}
	memcpy(to, tag, taglen);
	if (n > 0)
		memcpy(to + taglen, p, n);
	m->p = to;
	m->n = n + taglen;
	return (0);
}

/* Frees what sign_message_init() made. */
static void
sign_message_clear(struct sign_message *m)
{
	free(m->heap);
	m->heap = NULL;
}

/* True if y, the key without its top bit, is not below p = 2^255 - 19. */
static bool
sign_is_noncanonical(const uint8_t y[SIGN_KEY_LEN])
{
	size_t i;

	for (i = 1; i < SIGN_KEY_LEN - 1; i++) {
		if (y[i] != 0xff)
			return (false);
	}
	return (y[SIGN_KEY_LEN - 1] == 0x7f && y[0] >= 0xed);
}

/*
 * True if a SHA-512 can be made.  OpenSSL may refuse a signature without an
 * error when it has no memory for the hash; it has none for this one then.
 */
static bool
sign_has_memory(void)
{
	uint8_t md[EVP_MAX_MD_SIZE];

	return (EVP_Digest("", 0, md, NULL, EVP_sha512(), NULL) == 1);
}

int
sign_key_make(struct sign_key *k)
{
	uint8_t seed[SIGN_KEY_LEN];
	int r;

	if ((r = hash_random(seed, sizeof(seed))) == 0)
		r = sign_key_from_seed(k, seed);
	OPENSSL_cleanse(seed, sizeof(seed));
	return (r);
}

int
sign_key_from_seed(struct sign_key *k, const uint8_t seed[SIGN_KEY_LEN])
{
	EVP_PKEY *pkey;
	uint8_t public_key[SIGN_KEY_LEN];
	size_t n;
	int r;

	r = ERR_NOMEM;
	n = sizeof(public_key);
	pkey = EVP_PKEY_new_raw_private_key(
	    EVP_PKEY_ED25519, NULL, seed, SIGN_KEY_LEN);
	if (pkey == NULL)
		goto out;
	if (EVP_PKEY_get_raw_public_key(pkey, public_key, &n) != 1)
		goto out;
	memmove(k->seed, seed, SIGN_KEY_LEN);
	memcpy(k->public_key, public_key, SIGN_KEY_LEN);
	r = 0;
out:
	EVP_PKEY_free(pkey);
	if (r != 0)
		ERR_clear_error();
	return (r);
}

void
sign_key_clear(struct sign_key *k)
{
	OPENSSL_cleanse(k, sizeof(*k));
}

int
sign_key_check(const uint8_t key[SIGN_KEY_LEN])
{
	uint8_t y[SIGN_KEY_LEN];
	size_t i;

	memcpy(y, key, sizeof(y));
	y[SIGN_KEY_LEN - 1] &= 0x7f;
	if (sign_is_noncanonical(y))
		return (ERR_SIGNATURE);
	for (i = 0; i < sizeof(sign_small_order) / sizeof(sign_small_order[0]);
	     i++) {
		if (memcmp(y, sign_small_order[i], sizeof(y)) == 0)
			return (ERR_SIGNATURE);
	}
	return (0);
}

/*
 * Gives OpenSSL a key with its public half, which it would else work out from
 * the seed each time: that costs as much as the signature.  The two belong
 * together, since nothing but sign_key_from_seed() fills in a key; signing
 * with another public half would give the seed away.  NULL: no memory.
 */
static EVP_PKEY *
sign_key_open(const struct sign_key *k)
{
	struct sign_key copy = *k;
	OSSL_PARAM params[] = {OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PRIV_KEY,
				   copy.seed, SIGN_KEY_LEN),
	    OSSL_PARAM_octet_string(
		OSSL_PKEY_PARAM_PUB_KEY, copy.public_key, SIGN_KEY_LEN),
	    OSSL_PARAM_END};
	EVP_PKEY_CTX *ctx;
	EVP_PKEY *pkey = NULL;

	ctx = EVP_PKEY_CTX_new_from_name(NULL, "ED25519", NULL);
	if (ctx == NULL || EVP_PKEY_fromdata_init(ctx) != 1 ||
	    EVP_PKEY_fromdata(ctx, &pkey, EVP_PKEY_KEYPAIR, params) != 1)
		pkey = NULL;
	EVP_PKEY_CTX_free(ctx);
	sign_key_clear(&copy);
	return (pkey);
}

int
sign_make(const struct sign_key *k, const char *tag, const void *p, size_t n,
    uint8_t sig[SIGN_LEN])
{
	struct sign_message m;
	EVP_PKEY *pkey;
	EVP_MD_CTX *ctx;
	uint8_t made[SIGN_LEN];
	size_t madelen;
	int r;

	pkey = NULL;
	ctx = NULL;
	madelen = sizeof(made);
	if ((r = sign_message_init(&m, tag, p, n)) != 0)
		return (r);
	r = ERR_NOMEM;
	if ((pkey = sign_key_open(k)) == NULL)
		goto out;
	ctx = EVP_MD_CTX_new();
	if (ctx == NULL)
		goto out;
	if (EVP_DigestSignInit(ctx, NULL, NULL, NULL, pkey) != 1)
		goto out;
	if (EVP_DigestSign(ctx, made, &madelen, m.p, m.n) != 1)
		goto out;
	memcpy(sig, made, SIGN_LEN);
	r = 0;
out:
	EVP_MD_CTX_free(ctx);
	EVP_PKEY_free(pkey);
	sign_message_clear(&m);
	if (r != 0)
		ERR_clear_error();
	return (r);
}

/* Checks the signature of a message once. */
static int
sign_check_once(const uint8_t key[SIGN_KEY_LEN], const struct sign_message *m,
    const uint8_t sig[SIGN_LEN])
{
	EVP_PKEY *pkey;
	EVP_MD_CTX *ctx = NULL;
	int r = ERR_NOMEM;

	pkey = EVP_PKEY_new_raw_public_key(
	    EVP_PKEY_ED25519, NULL, key, SIGN_KEY_LEN);
	if (pkey == NULL)
		goto out;
	ctx = EVP_MD_CTX_new();
	if (ctx == NULL)
		goto out;
	if (EVP_DigestVerifyInit(ctx, NULL, NULL, NULL, pkey) != 1)
		goto out;
	ERR_clear_error();
	if (EVP_DigestVerify(ctx, sig, SIGN_LEN, m->p, m->n) == 1)
		r = 0;
	else if (ERR_peek_error() == 0 && sign_has_memory())
		r = ERR_SIGNATURE;
out:
	EVP_MD_CTX_free(ctx);
	EVP_PKEY_free(pkey);
	if (r != 0)
		ERR_clear_error();
	return (r);
}

int
sign_check(const uint8_t key[SIGN_KEY_LEN], const char *tag, const void *p,
    size_t n, const uint8_t sig[SIGN_LEN])
{
	struct sign_message m;
	int r;

	if ((r = sign_key_check(key)) != 0)
		return (r);
	if ((r = sign_message_init(&m, tag, p, n)) != 0)
		return (r);
	r = sign_check_once(key, &m, sig);
	/* Memory may have been short only for a moment. */
	if (r == ERR_SIGNATURE)
		r = sign_check_once(key, &m, sig);
	sign_message_clear(&m);
	return (r);
}
