/* SPDX-License-Identifier: ISC */
/*
 * ECVRF-P256-SHA256-TAI (RFC 9381, suite 01) on OpenSSL's EC_POINT and BN.
 * Secret are the scalar x and the nonce k: each goes through one scalar
 * multiplication at a time, as a flagged number, and is wiped.  The input is
 * public, so that encode-to-curve may take the time that it takes.  A failed
 * allocation is never taken for a bad point: that would change the output.
 * The only state is the curve, which is made once and never changed.
 */
#include "common/crypt/vrf.h"

#include <stdatomic.h>
#include <string.h>

#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/obj_mac.h>

#include "common/base/err.h"
#include "common/crypt/hash.h"

#define VRF_SUITE 0x01 /* ECVRF-P256-SHA256-TAI */

/* What a hash is for, RFC 9381 5.4.1.1, 5.4.3 and 5.2, and its last byte. */
#define VRF_DO_ENCODE 0x01
#define VRF_DO_CHALLENGE 0x02
#define VRF_DO_BETA 0x03
#define VRF_DO_BACK 0x00

#define VRF_C_LEN 16
#define VRF_S_LEN 32
#define VRF_TRIES 256 /* encode-to-curve fails once in 2^256 inputs */

/* What one proof or check needs of OpenSSL; all but group owned. */
struct vrf_work {
	const EC_GROUP *group; /* borrowed */
	const BIGNUM *q; /* borrowed: the group's order */
	BN_CTX *bn;
	EC_POINT *y; /* public key */
	EC_POINT *h; /* input on the curve */
	EC_POINT *gamma;
	EC_POINT *u;
	EC_POINT *v;
	EC_POINT *t; /* scratch */
	BIGNUM *x; /* secret scalar, flagged */
	BIGNUM *k; /* nonce, flagged */
	BIGNUM *c; /* challenge, flagged */
	BIGNUM *s; /* response, flagged */
};

/*
 * Returns P-256, or NULL when there is no memory.  It is made at the first
 * use and is constant afterwards; making it each time costs more than a
 * twentieth of a check.  Two threads that meet here make one each and keep
 * one.  Unlike with a once-function, a failed attempt may be repeated.
 */
static const EC_GROUP *
vrf_group(void)
{
	static _Atomic(EC_GROUP *) shared;
	EC_GROUP *made, *seen;

	seen = atomic_load_explicit(&shared, memory_order_acquire);
	if (seen != NULL)
		return (seen);
	made = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
	if (made == NULL)
		return (NULL);
	if (atomic_compare_exchange_strong(&shared, &seen, made))
		return (made);
	EC_GROUP_free(made);
	return (seen);
}

/* Makes a number that OpenSSL treats as secret; NULL: no memory. */
static BIGNUM *
vrf_number_new(void)
{
	BIGNUM *b;

	b = BN_secure_new();
	if (b != NULL)
		BN_set_flags(b, BN_FLG_CONSTTIME);
	return (b);
}

/* Wipes and frees what vrf_work_init() made, as far as it came. */
static void
vrf_work_clear(struct vrf_work *w)
{
	EC_POINT_clear_free(w->y);
	EC_POINT_clear_free(w->h);
	EC_POINT_clear_free(w->gamma);
	EC_POINT_clear_free(w->u);
	EC_POINT_clear_free(w->v);
	EC_POINT_clear_free(w->t);
	BN_clear_free(w->x);
	BN_clear_free(w->k);
	BN_clear_free(w->c);
	BN_clear_free(w->s);
	BN_CTX_free(w->bn);
}

/* Makes the numbers and points; vrf_work_clear() frees them, also then. */
static int
vrf_work_init(struct vrf_work *w)
{
	memset(w, 0, sizeof(*w));
	w->group = vrf_group();
	if (w->group == NULL)
		return (ERR_NOMEM);
	w->q = EC_GROUP_get0_order(w->group);
	w->bn = BN_CTX_secure_new();
	w->y = EC_POINT_new(w->group);
	w->h = EC_POINT_new(w->group);
	w->gamma = EC_POINT_new(w->group);
	w->u = EC_POINT_new(w->group);
	w->v = EC_POINT_new(w->group);
	w->t = EC_POINT_new(w->group);
	w->x = vrf_number_new();
	w->k = vrf_number_new();
	w->c = vrf_number_new();
	w->s = vrf_number_new();
	if (w->bn == NULL || w->y == NULL || w->h == NULL || w->gamma == NULL ||
	    w->u == NULL || w->v == NULL || w->t == NULL || w->x == NULL ||
	    w->k == NULL || w->c == NULL || w->s == NULL)
		return (ERR_NOMEM);
	return (0);
}

/*
 * Decodes a compressed point.  ERR_PROOF if no point has that encoding,
 * ERR_NOMEM for every failure that says nothing about the bytes.
 */
static int
vrf_point_decode(
    const struct vrf_work *w, EC_POINT *p, const uint8_t in[VRF_KEY_LEN])
{
	unsigned long e;
	int reason;

	if (in[0] != POINT_CONVERSION_COMPRESSED &&
	    in[0] != (POINT_CONVERSION_COMPRESSED | 1))
		return (ERR_PROOF);
	ERR_clear_error();
	if (EC_POINT_oct2point(w->group, p, in, VRF_KEY_LEN, w->bn) == 1)
		return (0);
	e = ERR_peek_last_error();
	reason = ERR_GET_REASON(e);
	ERR_clear_error();
	if (ERR_GET_LIB(e) == ERR_LIB_EC &&
	    (reason == EC_R_INVALID_COMPRESSED_POINT ||
		reason == EC_R_INVALID_ENCODING))
		return (ERR_PROOF);
	return (ERR_NOMEM);
}

/* Encodes a point; ERR_PROOF for infinity, which has no such encoding. */
static int
vrf_point_encode(
    const struct vrf_work *w, const EC_POINT *p, uint8_t out[VRF_KEY_LEN])
{
	if (EC_POINT_is_at_infinity(w->group, p))
		return (ERR_PROOF);
	if (EC_POINT_point2oct(w->group, p, POINT_CONVERSION_COMPRESSED, out,
		VRF_KEY_LEN, w->bn) != VRF_KEY_LEN)
		return (ERR_NOMEM);
	return (0);
}

/* Encode-to-curve by try and increment, RFC 9381 5.4.1.1. */
static int
vrf_encode_to_curve(const struct vrf_work *w, const uint8_t key[VRF_KEY_LEN],
    const void *alpha, size_t n, uint8_t h[VRF_KEY_LEN])
{
	const uint8_t front[2] = {VRF_SUITE, VRF_DO_ENCODE};
	uint8_t back[2] = {0, VRF_DO_BACK};
	const struct hash_part parts[] = {{front, sizeof(front)},
	    {key, VRF_KEY_LEN}, {alpha, n}, {back, sizeof(back)}};
	unsigned ctr;
	int r;

	h[0] = POINT_CONVERSION_COMPRESSED;
	r = ERR_PROOF;
	for (ctr = 0; r == ERR_PROOF && ctr < VRF_TRIES; ctr++) {
		back[0] = (uint8_t)ctr;
		if ((r = hash_parts(h + 1, parts, 4)) != 0)
			return (r);
		r = vrf_point_decode(w, w->h, h);
	}
	return (r);
}

/* The challenge over Y, H, Gamma, U and V, RFC 9381 5.4.3. */
static int
vrf_challenge(const struct vrf_work *w, const uint8_t y[VRF_KEY_LEN],
    const uint8_t h[VRF_KEY_LEN], const uint8_t gamma[VRF_KEY_LEN],
    uint8_t c[VRF_C_LEN])
{
	const uint8_t front[2] = {VRF_SUITE, VRF_DO_CHALLENGE};
	const uint8_t back[1] = {VRF_DO_BACK};
	uint8_t u[VRF_KEY_LEN], v[VRF_KEY_LEN], md[HASH_LEN];
	const struct hash_part parts[] = {{front, sizeof(front)},
	    {y, VRF_KEY_LEN}, {h, VRF_KEY_LEN}, {gamma, VRF_KEY_LEN},
	    {u, sizeof(u)}, {v, sizeof(v)}, {back, sizeof(back)}};
	int r;

	if ((r = vrf_point_encode(w, w->u, u)) != 0)
		return (r);
	if ((r = vrf_point_encode(w, w->v, v)) != 0)
		return (r);
	if ((r = hash_parts(md, parts, 7)) != 0)
		return (r);
	memcpy(c, md, VRF_C_LEN);
	return (0);
}

int
vrf_output(const uint8_t proof[VRF_PROOF_LEN], uint8_t beta[VRF_BETA_LEN])
{
	/* RFC 9381 5.2; a proof begins with Gamma, and the cofactor is 1. */
	const uint8_t front[2] = {VRF_SUITE, VRF_DO_BETA};
	const uint8_t back[1] = {VRF_DO_BACK};
	const struct hash_part parts[] = {
	    {front, sizeof(front)}, {proof, VRF_KEY_LEN}, {back, sizeof(back)}};

	return (hash_parts(beta, parts, 3));
}

/* Reads a scalar; ERR_PROOF unless it is 1 .. q - 1. */
static int
vrf_scalar(const struct vrf_work *w, BIGNUM *b, const uint8_t in[32])
{
	if (BN_bin2bn(in, 32, b) == NULL)
		return (ERR_NOMEM);
	if (BN_is_zero(b) || BN_cmp(b, w->q) >= 0)
		return (ERR_PROOF);
	return (0);
}

/* Writes SHA-256 of h, reduced by q, as 32 bytes: RFC 6979 2.3.4. */
static int
vrf_nonce_digest(
    const struct vrf_work *w, const uint8_t h[VRF_KEY_LEN], uint8_t out[32])
{
	uint8_t md[HASH_LEN];
	int r;

	if ((r = hash_sha256(md, h, VRF_KEY_LEN)) != 0)
		return (r);
	/* w->s is free until the response is made; one subtraction will do. */
	if (BN_bin2bn(md, sizeof(md), w->s) == NULL ||
	    (BN_cmp(w->s, w->q) >= 0 && BN_sub(w->s, w->s, w->q) != 1) ||
	    BN_bn2binpad(w->s, out, 32) != 32)
		return (ERR_NOMEM);
	return (0);
}

/* Sets w->k to the nonce of RFC 6979 3.2 over the encoded point h. */
static int
vrf_nonce(const struct vrf_work *w, const uint8_t secret[VRF_SECRET_LEN],
    const uint8_t h[VRF_KEY_LEN])
{
	uint8_t key[HASH_LEN];
	uint8_t in[HASH_LEN + 1 + VRF_SECRET_LEN + HASH_LEN]; /* V and more */
	uint8_t *const v = in;
	uint8_t *const more = in + HASH_LEN;
	int r;

	memset(key, 0x00, sizeof(key));
	memset(v, 0x01, HASH_LEN);
	memcpy(more + 1, secret, VRF_SECRET_LEN);
	r = vrf_nonce_digest(w, h, more + 1 + VRF_SECRET_LEN);
	/* Steps d to g: twice a new key and a new V. */
	for (more[0] = 0; r == 0 && more[0] < 2; more[0]++) {
		if ((r = hash_mac(key, key, HASH_LEN, in, sizeof(in))) == 0)
			r = hash_mac(v, key, HASH_LEN, v, HASH_LEN);
	}
	/* Step h; another turn is needed once in 2^32 inputs. */
	more[0] = 0;
	while (r == 0) {
		if ((r = hash_mac(v, key, HASH_LEN, v, HASH_LEN)) != 0)
			break;
		if ((r = vrf_scalar(w, w->k, v)) != ERR_PROOF)
			break;
		if ((r = hash_mac(key, key, HASH_LEN, in, HASH_LEN + 1)) == 0)
			r = hash_mac(v, key, HASH_LEN, v, HASH_LEN);
	}
	OPENSSL_cleanse(key, sizeof(key));
	OPENSSL_cleanse(in, sizeof(in));
	return (r);
}

/* Makes Gamma, c and s of RFC 9381 5.1 into proof. */
static int
vrf_proof_make(struct vrf_work *w, const struct vrf_key *key, const void *alpha,
    size_t n, uint8_t proof[VRF_PROOF_LEN])
{
	uint8_t h[VRF_KEY_LEN];
	uint8_t *const c = proof + VRF_KEY_LEN;
	uint8_t *const s = c + VRF_C_LEN;
	int r;

	if ((r = vrf_scalar(w, w->x, key->secret)) != 0)
		return (r);
	r = vrf_encode_to_curve(w, key->public_key, alpha, n, h);
	if (r != 0)
		return (r);
	if ((r = vrf_nonce(w, key->secret, h)) != 0)
		return (r);
	if (EC_POINT_mul(w->group, w->gamma, NULL, w->h, w->x, w->bn) != 1 ||
	    EC_POINT_mul(w->group, w->u, w->k, NULL, NULL, w->bn) != 1 ||
	    EC_POINT_mul(w->group, w->v, NULL, w->h, w->k, w->bn) != 1)
		return (ERR_NOMEM);
	if ((r = vrf_point_encode(w, w->gamma, proof)) != 0)
		return (r);
	if ((r = vrf_challenge(w, key->public_key, h, proof, c)) != 0)
		return (r);
	if (BN_bin2bn(c, VRF_C_LEN, w->c) == NULL ||
	    BN_mod_mul(w->s, w->c, w->x, w->q, w->bn) != 1 ||
	    BN_mod_add_quick(w->s, w->s, w->k, w->q) != 1 ||
	    BN_bn2binpad(w->s, s, VRF_S_LEN) != VRF_S_LEN)
		return (ERR_NOMEM);
	return (0);
}

/* Sets p to a - c b; all of it is public. */
static int
vrf_combine(
    const struct vrf_work *w, EC_POINT *p, const EC_POINT *a, const EC_POINT *b)
{
	if (EC_POINT_mul(w->group, w->t, NULL, b, w->c, w->bn) != 1 ||
	    EC_POINT_invert(w->group, w->t, w->bn) != 1 ||
	    EC_POINT_add(w->group, p, a, w->t, w->bn) != 1)
		return (ERR_NOMEM);
	return (0);
}

/* Checks a proof as RFC 9381 5.3 with key validation. */
static int
vrf_proof_check(struct vrf_work *w, const uint8_t key[VRF_KEY_LEN],
    const void *alpha, size_t n, const uint8_t proof[VRF_PROOF_LEN])
{
	const uint8_t *const c = proof + VRF_KEY_LEN;
	const uint8_t *const s = c + VRF_C_LEN;
	uint8_t h[VRF_KEY_LEN], want[VRF_C_LEN];
	int r;

	if ((r = vrf_point_decode(w, w->y, key)) != 0)
		return (r);
	if ((r = vrf_point_decode(w, w->gamma, proof)) != 0)
		return (r);
	if (BN_bin2bn(c, VRF_C_LEN, w->c) == NULL ||
	    BN_bin2bn(s, VRF_S_LEN, w->s) == NULL)
		return (ERR_NOMEM);
	if (BN_cmp(w->s, w->q) >= 0)
		return (ERR_PROOF);
	if ((r = vrf_encode_to_curve(w, key, alpha, n, h)) != 0)
		return (r);
	if (EC_POINT_mul(w->group, w->u, w->s, NULL, NULL, w->bn) != 1 ||
	    EC_POINT_mul(w->group, w->v, NULL, w->h, w->s, w->bn) != 1)
		return (ERR_NOMEM);
	if ((r = vrf_combine(w, w->u, w->u, w->y)) != 0)
		return (r);
	if ((r = vrf_combine(w, w->v, w->v, w->gamma)) != 0)
		return (r);
	if ((r = vrf_challenge(w, key, h, proof, want)) != 0)
		return (r);
	return (memcmp(c, want, sizeof(want)) == 0 ? 0 : ERR_PROOF);
}

int
vrf_key_make(struct vrf_key *k)
{
	uint8_t secret[VRF_SECRET_LEN];
	int r;

	/* One try in 2^32 is not below q. */
	do {
		if ((r = hash_random(secret, sizeof(secret))) == 0)
			r = vrf_key_from_secret(k, secret);
	} while (r == ERR_PROOF);
	OPENSSL_cleanse(secret, sizeof(secret));
	return (r);
}

int
vrf_key_from_secret(struct vrf_key *k, const uint8_t secret[VRF_SECRET_LEN])
{
	struct vrf_work w;
	uint8_t public_key[VRF_KEY_LEN];
	int r;

	if ((r = vrf_work_init(&w)) != 0)
		goto out;
	if ((r = vrf_scalar(&w, w.x, secret)) != 0)
		goto out;
	r = ERR_NOMEM;
	if (EC_POINT_mul(w.group, w.y, w.x, NULL, NULL, w.bn) != 1)
		goto out;
	if ((r = vrf_point_encode(&w, w.y, public_key)) != 0)
		goto out;
	memmove(k->secret, secret, VRF_SECRET_LEN);
	memcpy(k->public_key, public_key, VRF_KEY_LEN);
out:
	vrf_work_clear(&w);
	if (r != 0)
		ERR_clear_error();
	return (r);
}

void
vrf_key_clear(struct vrf_key *k)
{
	OPENSSL_cleanse(k, sizeof(*k));
}

int
vrf_key_check(const uint8_t key[VRF_KEY_LEN])
{
	struct vrf_work w;
	int r;

	if ((r = vrf_work_init(&w)) == 0)
		r = vrf_point_decode(&w, w.y, key);
	vrf_work_clear(&w);
	if (r != 0)
		ERR_clear_error();
	return (r);
}

int
vrf_prove(const struct vrf_key *k, const void *alpha, size_t n,
    uint8_t proof[VRF_PROOF_LEN], uint8_t beta[VRF_BETA_LEN])
{
	struct vrf_work w;
	uint8_t made[VRF_PROOF_LEN];
	int r;

	/*
	 * The check starts over from alpha and the key, so that no wrong value
	 * that the proof was made from can hide from it.
	 */
	if ((r = vrf_work_init(&w)) == 0)
		r = vrf_proof_make(&w, k, alpha, n, made);
	vrf_work_clear(&w);
	if (r == 0)
		r = vrf_check(k->public_key, alpha, n, made, beta);
	if (r == 0)
		memcpy(proof, made, sizeof(made));
	else
		ERR_clear_error();
	OPENSSL_cleanse(made, sizeof(made));
	return (r == ERR_PROOF ? ERR_FAULT : r);
}

int
vrf_check(const uint8_t key[VRF_KEY_LEN], const void *alpha, size_t n,
    const uint8_t proof[VRF_PROOF_LEN], uint8_t beta[VRF_BETA_LEN])
{
	struct vrf_work w;
	int r;

	if ((r = vrf_work_init(&w)) == 0)
		r = vrf_proof_check(&w, key, alpha, n, proof);
	vrf_work_clear(&w);
	if (r == 0)
		r = vrf_output(proof, beta);
	if (r != 0)
		ERR_clear_error();
	return (r);
}
