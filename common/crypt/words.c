/* SPDX-License-Identifier: ISC */
/* Keys from words (record S4.1): Crockford's base 32, HKDF, two kinds of key.
 */
#include "common/crypt/words.h"

#include <string.h>

#include <openssl/bn.h>
#include <openssl/crypto.h>

#include "common/crypt/base32.h"
#include "common/crypt/hash.h"

#define WORDS_DIGITS 32
#define WORDS_GROUP 4
#define WORDS_DICE_LEN 48

/* The order of P-256, big-endian, less one. */
static const uint8_t words_order_less_1[32] = {0xff, 0xff, 0xff, 0xff, 0x00,
    0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xbc,
    0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc,
    0x63, 0x25, 0x50};

void
words_format(char words[WORDS_LEN + 1], const uint8_t seed[WORDS_SEED_LEN])
{
	base32_write(words, seed, WORDS_DIGITS, WORDS_GROUP);
}

int
words_parse(const char *words, uint8_t seed[WORDS_SEED_LEN])
{
	uint8_t out[WORDS_SEED_LEN];
	int r;

	if ((r = base32_read(words, out, WORDS_DIGITS)) == 0)
		memcpy(seed, out, WORDS_SEED_LEN);
	OPENSSL_cleanse(out, sizeof(out));
	return (r);
}

/*
 * HKDF (RFC 5869) with SHA-256, the seed its input, the tag umpire/words/1 its
 * salt; at most two blocks.
 */
static int
words_hkdf(const uint8_t seed[WORDS_SEED_LEN], const void *info, size_t n,
    uint8_t *out, size_t len)
{
	static const char salt[] = "umpire/words/1";
	uint8_t prk[HASH_LEN], block[HASH_LEN] = {0};
	uint8_t in[HASH_LEN + 64 + 1];
	size_t had = 0, take;
	int r;

	r = hash_mac(prk, salt, sizeof(salt), seed, WORDS_SEED_LEN);
	for (uint8_t i = 1; r == 0 && len > 0; i++) {
		memcpy(in, block, had);
		memcpy(in + had, info, n);
		in[had + n] = i;
		r = hash_mac(block, prk, sizeof(prk), in, had + n + 1);
		had = HASH_LEN;
		take = len < HASH_LEN ? len : HASH_LEN;
		memcpy(out, block, take);
		out += take;
		len -= take;
	}
	OPENSSL_cleanse(prk, sizeof(prk));
	OPENSSL_cleanse(block, sizeof(block));
	OPENSSL_cleanse(in, sizeof(in));
	return (r);
}

int
words_recovery(const uint8_t seed[WORDS_SEED_LEN], struct sign_key *key)
{
	static const char info[] = "umpire/recovery/1";
	uint8_t secret[HASH_LEN];
	int r;

	r = words_hkdf(seed, info, sizeof(info), secret, sizeof(secret));
	if (r == 0)
		r = sign_key_from_seed(key, secret);
	OPENSSL_cleanse(secret, sizeof(secret));
	return (r);
}

int
words_dice(const uint8_t seed[WORDS_SEED_LEN], uint32_t i, struct vrf_key *key)
{
	static const char tag[] = "umpire/dice-key/1";
	uint8_t info[sizeof(tag) + 4], x[WORDS_DICE_LEN];
	uint8_t secret[VRF_SECRET_LEN];
	BIGNUM *a = BN_secure_new(), *q = BN_new(), *m = BN_secure_new();
	BN_CTX *ctx = BN_CTX_secure_new();
	int k, r;

	memcpy(info, tag, sizeof(tag));
	for (k = 0; k < 4; k++)
		info[sizeof(tag) + (size_t)k] = (uint8_t)(i >> (24 - 8 * k));
	r = words_hkdf(seed, info, sizeof(info), x, sizeof(x));
	if (r == 0 &&
	    (a == NULL || q == NULL || m == NULL || ctx == NULL ||
		BN_bin2bn(x, sizeof(x), a) == NULL ||
		BN_bin2bn(words_order_less_1, sizeof(words_order_less_1), q) ==
		    NULL))
		r = ERR_NOMEM;
	if (r == 0) {
		BN_set_flags(a, BN_FLG_CONSTTIME);
		if (BN_mod(m, a, q, ctx) != 1 || BN_add_word(m, 1) != 1 ||
		    BN_bn2binpad(m, secret, sizeof(secret)) !=
			(int)sizeof(secret))
			r = ERR_NOMEM;
	}
	if (r == 0)
		r = vrf_key_from_secret(key, secret);
	OPENSSL_cleanse(x, sizeof(x));
	OPENSSL_cleanse(secret, sizeof(secret));
	BN_clear_free(a);
	BN_clear_free(m);
	BN_free(q);
	BN_CTX_free(ctx);
	return (r);
}
