/* SPDX-License-Identifier: ISC */
/*
 * SHA-256, HMAC-SHA256 and random bytes as thin wrappers of OpenSSL.  Every
 * wrapper leaves OpenSSL's error queue empty when it fails, and writes its
 * result only on success.  Nothing here keeps state between calls.
 */
#include "common/crypt/hash.h"

#include <limits.h>
#include <string.h>

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include "common/base/err.h"

int
hash_parts(uint8_t out[HASH_LEN], const struct hash_part *parts, size_t count)
{
	EVP_MD_CTX *ctx;
	uint8_t md[HASH_LEN];
	size_t i;
	int r;

	r = ERR_NOMEM;
	ctx = EVP_MD_CTX_new();
	if (ctx == NULL)
		goto out;
	if (EVP_DigestInit_ex(ctx, EVP_sha256(), NULL) != 1)
		goto out;
	for (i = 0; i < count; i++) {
		if (EVP_DigestUpdate(ctx, parts[i].p, parts[i].n) != 1)
			goto out;
	}
	if (EVP_DigestFinal_ex(ctx, md, NULL) != 1)
		goto out;
	memcpy(out, md, sizeof(md));
	r = 0;
out:
	EVP_MD_CTX_free(ctx);
	if (r != 0)
		ERR_clear_error();
	return (r);
}

int
hash_sha256(uint8_t out[HASH_LEN], const void *p, size_t n)
{
	const struct hash_part part = {p, n};

	return (hash_parts(out, &part, 1));
}

int
hash_tagged(uint8_t out[HASH_LEN], const char *tag, const void *p, size_t n)
{
	/* The tag's own terminator is the byte 00 of T(tag). */
	const struct hash_part parts[] = {{tag, strlen(tag) + 1}, {p, n}};

	return (hash_parts(out, parts, 2));
}

int
hash_mac(uint8_t out[HASH_LEN], const void *key, size_t keylen, const void *p,
    size_t n)
{
	uint8_t md[HASH_LEN];

	if (keylen > INT_MAX)
		return (ERR_TOOBIG);
	/* The library refuses two null pointers, whatever their lengths. */
	if (keylen == 0)
		key = "";
	if (HMAC(EVP_sha256(), key, (int)keylen, p, n, md, NULL) == NULL) {
		ERR_clear_error();
		return (ERR_NOMEM);
	}
	memcpy(out, md, sizeof(md));
	OPENSSL_cleanse(md, sizeof(md));
	return (0);
}

int
hash_random(void *p, size_t n)
{
	if (RAND_priv_bytes_ex(NULL, p, n, 0) != 1) {
		ERR_clear_error();
		return (ERR_INTERNAL);
	}
	return (0);
}
