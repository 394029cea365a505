/* SPDX-License-Identifier: ISC */
/*
 * common/crypt/vrf.c against RFC 9381's vectors, against the record's whole
 * dice scheme, and against proofs and keys that must be refused.  A prover of
 * its own, with a nonce of choice, makes the proofs that no honest one makes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/obj_mac.h>
#include <pthread.h>

#include "common/base/err.h"
#include "common/crypt/expand.h"
#include "common/crypt/hash.h"
#include "common/crypt/vrf.h"

#include "tests/lib/failing.h"
#include "tests/lib/vectors.h"

#define ORDER_Q \
	"ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"

/* Bytes put together for a hash or an alpha. */
struct bytes {
	uint8_t p[512];
	size_t n;
};

/* Appends n bytes. */
static void
bytes_add(struct bytes *b, const void *p, size_t n)
{
	assert_true(b->n + n <= sizeof(b->p));
	memcpy(b->p + b->n, p, n);
	b->n += n;
}

/* Appends one byte. */
static void
bytes_u8(struct bytes *b, unsigned v)
{
	const uint8_t one = (uint8_t)v;

	bytes_add(b, &one, 1);
}

/* Makes the key of a secret in hex. */
static void
key_of(struct vrf_key *k, const char *secret)
{
	uint8_t x[VRF_SECRET_LEN];

	vectors_bytes(secret, x, sizeof(x));
	assert_int_equal(vrf_key_from_secret(k, x), 0);
}

/* Makes the key of RFC 9381's example 10. */
static void
key_ten(struct vrf_key *k)
{
	key_of(k,
	    "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721");
}

/* Asserts that a proof is refused, with beta as it was and no error left. */
static void
assert_refused(const uint8_t key[VRF_KEY_LEN], const void *alpha, size_t n,
    const uint8_t proof[VRF_PROOF_LEN])
{
	uint8_t beta[VRF_BETA_LEN], guard[VRF_BETA_LEN];

	memset(guard, 0x5a, sizeof(guard));
	memcpy(beta, guard, sizeof(beta));
	assert_int_equal(vrf_check(key, alpha, n, proof, beta), ERR_PROOF);
	assert_memory_equal(beta, guard, sizeof(beta));
	assert_int_equal(ERR_peek_error(), 0);
}

/*
 * A prover for tests: RFC 9381 5.1 with small numbers x and k, by OpenSSL
 * alone.  k = 0 makes U and V infinity, which SEC 1 writes as one byte 00.
 */
static void
small_prove(unsigned x, unsigned k, uint8_t key[VRF_KEY_LEN], const char *alpha,
    uint8_t proof[VRF_PROOF_LEN])
{
	EC_GROUP *g = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
	EC_POINT *h, *t;
	BIGNUM *bx = BN_new(), *bk = BN_new(), *c = BN_new(), *s = BN_new();
	BN_CTX *ctx = BN_CTX_new();
	struct bytes m;
	uint8_t try[VRF_KEY_LEN], p[VRF_KEY_LEN], md[HASH_LEN];
	size_t n;
	unsigned ctr = 0;

	assert_non_null(g);
	assert_true(bx != NULL && bk != NULL && c != NULL && s != NULL);
	assert_true(BN_set_word(bx, x) == 1 && BN_set_word(bk, k) == 1);
	assert_non_null(h = EC_POINT_new(g));
	assert_non_null(t = EC_POINT_new(g));
	assert_int_equal(EC_POINT_mul(g, t, bx, NULL, NULL, ctx), 1);
	assert_int_equal(EC_POINT_point2oct(g, t, POINT_CONVERSION_COMPRESSED,
			     key, VRF_KEY_LEN, ctx),
	    VRF_KEY_LEN);
	try[0] = 2;
	do {
		m.n = 0;
		bytes_add(&m, "\x01\x01", 2);
		bytes_add(&m, key, VRF_KEY_LEN);
		bytes_add(&m, alpha, strlen(alpha));
		bytes_u8(&m, ctr++);
		bytes_u8(&m, 0);
		assert_int_equal(hash_sha256(try + 1, m.p, m.n), 0);
	} while (EC_POINT_oct2point(g, h, try, sizeof(try), ctx) != 1);
	ERR_clear_error();
	assert_int_equal(EC_POINT_mul(g, t, NULL, h, bx, ctx), 1);
	assert_int_equal(EC_POINT_point2oct(g, t, POINT_CONVERSION_COMPRESSED,
			     proof, VRF_KEY_LEN, ctx),
	    VRF_KEY_LEN);
	m.n = 0;
	bytes_add(&m, "\x01\x02", 2);
	bytes_add(&m, key, VRF_KEY_LEN);
	bytes_add(&m, try, VRF_KEY_LEN);
	bytes_add(&m, proof, VRF_KEY_LEN);
	assert_int_equal(EC_POINT_mul(g, t, bk, NULL, NULL, ctx), 1);
	n = EC_POINT_point2oct(
	    g, t, POINT_CONVERSION_COMPRESSED, p, sizeof(p), ctx);
	bytes_add(&m, p, n);
	assert_int_equal(EC_POINT_mul(g, t, NULL, h, bk, ctx), 1);
	n = EC_POINT_point2oct(
	    g, t, POINT_CONVERSION_COMPRESSED, p, sizeof(p), ctx);
	bytes_add(&m, p, n);
	bytes_u8(&m, 0);
	assert_int_equal(hash_sha256(md, m.p, m.n), 0);
	memcpy(proof + VRF_KEY_LEN, md, 16);
	assert_non_null(BN_bin2bn(md, 16, c));
	assert_int_equal(BN_mod_mul(s, c, bx, EC_GROUP_get0_order(g), ctx), 1);
	assert_int_equal(BN_mod_add(s, s, bk, EC_GROUP_get0_order(g), ctx), 1);
	assert_int_equal(BN_bn2binpad(s, proof + VRF_KEY_LEN + 16, 32), 32);
	BN_free(bx);
	BN_free(bk);
	BN_free(c);
	BN_free(s);
	BN_CTX_free(ctx);
	EC_POINT_free(h);
	EC_POINT_free(t);
	EC_GROUP_free(g);
}

/* Proves and checks in a thread of its own; *arg is 0 if all went well. */
static void *
prove_often_cb(void *arg)
{
	static const uint8_t x[VRF_SECRET_LEN] = {1, 2, 3};
	struct vrf_key k;
	uint8_t proof[VRF_PROOF_LEN], beta[VRF_BETA_LEN], got[VRF_BETA_LEN];
	unsigned i;
	int *r = arg;

	*r = vrf_key_from_secret(&k, x);
	for (i = 0; *r == 0 && i < 20; i++) {
		if ((*r = vrf_prove(&k, &i, sizeof(i), proof, beta)) != 0)
			break;
		*r = vrf_check(k.public_key, &i, sizeof(i), proof, got);
		if (*r == 0 && memcmp(beta, got, sizeof(got)) != 0)
			*r = 1;
	}
	return (NULL);
}

/* This test is the first, so that the threads meet where the curve is made. */
static void
vrf_may_be_used_first_by_many_threads_at_once(void **state)
{
	pthread_t t[4];
	int r[4], i;

	(void)state;
	for (i = 0; i < 4; i++)
		assert_int_equal(
		    pthread_create(&t[i], NULL, prove_often_cb, &r[i]), 0);
	/* All end before the first failure leaves the stack that they use. */
	for (i = 0; i < 4; i++)
		assert_int_equal(pthread_join(t[i], NULL), 0);
	for (i = 0; i < 4; i++)
		assert_int_equal(r[i], 0);
}

static void
vrf_gives_the_published_keys_proofs_and_betas(void **state)
{
	const json_t *all, *v;
	json_t *root;
	struct vrf_key k;
	const char *hex;
	uint8_t pk[VRF_KEY_LEN], pi[VRF_PROOF_LEN], want[VRF_BETA_LEN];
	uint8_t proof[VRF_PROOF_LEN], beta[VRF_BETA_LEN], alpha[128];
	size_t i, n;

	(void)state;
	root = vectors_load(VECTORS_VRF);
	all = vectors_get(root, "vectors", JSON_ARRAY);
	assert_int_equal(json_array_size(all), 3);
	json_array_foreach(all, i, v)
	{
		hex = vectors_str(v, "alpha");
		n = strlen(hex) / 2;
		assert_true(n <= sizeof(alpha));
		vectors_bytes(hex, alpha, n);
		vectors_hex(v, "pk", pk, sizeof(pk));
		vectors_hex(v, "pi", pi, sizeof(pi));
		vectors_hex(v, "beta", want, sizeof(want));
		key_of(&k, vectors_str(v, "sk"));
		assert_memory_equal(k.public_key, pk, sizeof(pk));
		assert_int_equal(vrf_key_check(pk), 0);
		assert_int_equal(vrf_prove(&k, alpha, n, proof, beta), 0);
		assert_memory_equal(proof, pi, sizeof(pi));
		assert_memory_equal(beta, want, sizeof(want));
		memset(beta, 0, sizeof(beta));
		assert_int_equal(vrf_check(pk, alpha, n, pi, beta), 0);
		assert_memory_equal(beta, want, sizeof(want));
	}
	json_decref(root);
}

/* Writes H(T("umpire/base/1") || game || pool || u16 len || place). */
static void
scheme_base(uint8_t base[HASH_LEN], const uint8_t game[HASH_LEN],
    const uint8_t pool[HASH_LEN], const char *place)
{
	struct bytes m = {.n = 0};

	bytes_add(&m, game, HASH_LEN);
	bytes_add(&m, pool, HASH_LEN);
	bytes_u8(&m, 0);
	bytes_u8(&m, (unsigned)strlen(place));
	bytes_add(&m, place, strlen(place));
	assert_int_equal(hash_tagged(base, "umpire/base/1", m.p, m.n), 0);
}

/*
 * Proves over T(tag) || base, asserts that the vector has these very bytes,
 * that they hold for this key alone, and gives their output.
 */
static void
scheme_own(const json_t *v, const char *name, const struct vrf_key *k,
    const struct vrf_key *stranger, const char *tag,
    const uint8_t base[HASH_LEN], uint8_t beta[VRF_BETA_LEN])
{
	struct bytes m = {.n = 0};
	uint8_t proof[VRF_PROOF_LEN], want[VRF_PROOF_LEN], again[VRF_BETA_LEN];

	bytes_add(&m, tag, strlen(tag) + 1);
	bytes_add(&m, base, HASH_LEN);
	assert_int_equal(vrf_prove(k, m.p, m.n, proof, beta), 0);
	vectors_hex(v, name, want, sizeof(want));
	assert_memory_equal(proof, want, sizeof(want));
	assert_int_equal(vrf_check(k->public_key, m.p, m.n, want, again), 0);
	assert_memory_equal(again, beta, sizeof(again));
	assert_refused(stranger->public_key, m.p, m.n, want);
}

/* Asserts that a member holds these bytes. */
static void
assert_member(const json_t *v, const char *name, const uint8_t *got, size_t n)
{
	uint8_t want[512];

	assert_true(n <= sizeof(want));
	vectors_hex(v, name, want, n);
	assert_memory_equal(got, want, n);
}

/* Asserts that the rolls of a scheme come out of its beta. */
static void
scheme_rolls(const json_t *v, const uint8_t beta[VRF_BETA_LEN])
{
	const json_t *rolls, *roll, *dice;
	uint16_t got[16];
	size_t i, j;

	rolls = vectors_get(v, "rolls", JSON_ARRAY);
	assert_int_equal(json_array_size(rolls), 2);
	json_array_foreach(rolls, i, roll)
	{
		dice = vectors_get(roll, "dice", JSON_ARRAY);
		assert_int_equal(json_array_size(dice), 5);
		assert_int_equal(expand_roll(beta, vectors_str(roll, "label"),
				     vectors_unsigned(roll, "sides"), 5, got),
		    0);
		for (j = 0; j < 5; j++)
			assert_int_equal(got[j],
			    json_integer_value(json_array_get(dice, j)));
	}
}

/* Goes through one scheme from pool_0 to pool_2 (record S6). */
static void
scheme_run(const json_t *v, bool live, const struct vrf_key *server,
    const struct vrf_key seats[2])
{
	struct bytes m = {.n = 0};
	uint8_t game[HASH_LEN], pool[HASH_LEN], base[HASH_LEN];
	uint8_t beta[VRF_BETA_LEN], proof[VRF_PROOF_LEN];

	vectors_hex(v, "game", game, sizeof(game));
	bytes_add(&m, game, sizeof(game));
	bytes_u8(&m, live ? 2 : 1);
	bytes_add(&m, server->public_key, VRF_KEY_LEN);
	bytes_u8(&m, 2);
	bytes_u8(&m, 1);
	bytes_add(&m, seats[0].public_key, VRF_KEY_LEN);
	bytes_u8(&m, 2);
	bytes_add(&m, seats[1].public_key, VRF_KEY_LEN);
	assert_int_equal(hash_tagged(pool, "umpire/start/1", m.p, m.n), 0);
	assert_member(v, "pool_0", pool, sizeof(pool));

	scheme_base(base, game, pool, "p/0");
	assert_member(v, "base_ready", base, sizeof(base));
	m.n = 0;
	bytes_add(&m, pool, sizeof(pool));
	scheme_own(
	    v, "ready_1", &seats[0], &seats[1], "umpire/own/1", base, beta);
	bytes_add(&m, beta, sizeof(beta));
	scheme_own(
	    v, "ready_2", &seats[1], &seats[0], "umpire/own/1", base, beta);
	bytes_add(&m, beta, sizeof(beta));
	assert_int_equal(hash_tagged(pool, "umpire/pool/1", m.p, m.n), 0);
	assert_member(v, "pool_1", pool, sizeof(pool));

	scheme_base(base, game, pool, vectors_str(v, "place"));
	assert_member(v, "base", base, sizeof(base));
	m.n = 0;
	bytes_add(&m, "umpire/dice/1", 14);
	bytes_add(&m, base, sizeof(base));
	scheme_own(v, "own", &seats[0], server, "umpire/own/1", base, beta);
	assert_member(v, "own_beta", beta, sizeof(beta));
	bytes_add(&m, beta, sizeof(beta));
	if (live) {
		scheme_own(v, "other", &seats[1], server, "umpire/other/1",
		    base, beta);
		assert_member(v, "other_beta", beta, sizeof(beta));
		bytes_add(&m, beta, sizeof(beta));
	}
	assert_int_equal(m.n, live ? 110 : 78);
	assert_member(v, "alpha", m.p, m.n);
	assert_int_equal(vrf_prove(server, m.p, m.n, proof, beta), 0);
	assert_member(v, "proof", proof, sizeof(proof));
	assert_member(v, "beta", beta, sizeof(beta));
	assert_refused(seats[0].public_key, m.p, m.n, proof);
	scheme_rolls(v, beta);

	scheme_base(base, game, pool, "p/1");
	m.n = 0;
	bytes_add(&m, pool, sizeof(pool));
	scheme_own(v, "turn_end_own_1", &seats[0], &seats[1], "umpire/own/1",
	    base, beta);
	bytes_add(&m, beta, sizeof(beta));
	assert_int_equal(hash_tagged(pool, "umpire/pool/1", m.p, m.n), 0);
	assert_member(v, "pool_2", pool, sizeof(pool));
}

/* Asserts that SHA-256("umpire test dice key 2") mod q is the secret. */
static void
assert_second_secret(const uint8_t secret[VRF_SECRET_LEN])
{
	BIGNUM *n, *q = NULL;
	BN_CTX *ctx = BN_CTX_new();
	uint8_t md[HASH_LEN];

	assert_int_equal(hash_sha256(md, "umpire test dice key 2", 22), 0);
	assert_non_null(n = BN_bin2bn(md, sizeof(md), NULL));
	assert_true(BN_hex2bn(&q, ORDER_Q) != 0);
	assert_int_equal(BN_nnmod(n, n, q, ctx), 1);
	assert_int_equal(BN_bn2binpad(n, md, sizeof(md)), 32);
	assert_memory_equal(md, secret, sizeof(md));
	BN_free(n);
	BN_free(q);
	BN_CTX_free(ctx);
}

static void
vrf_carries_the_whole_dice_scheme_of_the_record(void **state)
{
	const json_t *keys, *schemes, *v;
	json_t *root;
	struct vrf_key server, seats[2];
	const char *name;
	size_t i;

	(void)state;
	root = vectors_load(VECTORS_DICE);
	keys = vectors_get(root, "keys", JSON_OBJECT);
	key_of(&server, vectors_str(keys, "server_sk"));
	key_of(&seats[0], vectors_str(keys, "1_sk"));
	key_of(&seats[1], vectors_str(keys, "2_sk"));
	assert_member(keys, "server_pk", server.public_key, VRF_KEY_LEN);
	assert_member(keys, "1_pk", seats[0].public_key, VRF_KEY_LEN);
	assert_member(keys, "2_pk", seats[1].public_key, VRF_KEY_LEN);
	assert_second_secret(seats[1].secret);
	schemes = vectors_get(root, "scheme", JSON_ARRAY);
	assert_int_equal(json_array_size(schemes), 2);
	json_array_foreach(schemes, i, v)
	{
		name = vectors_str(v, "scheme");
		assert_string_equal(name, i == 0 ? "dual-1" : "live-1");
		scheme_run(v, i == 1, &server, seats);
	}
	json_decref(root);
}

static void
vrf_check_refuses_every_flipped_bit_of_the_proof(void **state)
{
	struct vrf_key k;
	uint8_t proof[VRF_PROOF_LEN], beta[VRF_BETA_LEN];
	unsigned i;

	(void)state;
	key_ten(&k);
	assert_int_equal(vrf_prove(&k, "alpha", 5, proof, beta), 0);
	for (i = 0; i < 8 * VRF_PROOF_LEN; i++) {
		proof[i / 8] ^= (uint8_t)(1 << i % 8);
		assert_refused(k.public_key, "alpha", 5, proof);
		proof[i / 8] ^= (uint8_t)(1 << i % 8);
	}
	assert_int_equal(vrf_check(k.public_key, "alpha", 5, proof, beta), 0);
}

static void
vrf_check_refuses_every_flipped_bit_of_key_and_alpha(void **state)
{
	struct vrf_key k;
	uint8_t proof[VRF_PROOF_LEN], beta[VRF_BETA_LEN];
	uint8_t key[VRF_KEY_LEN], alpha[8] = "an alpha";
	unsigned i;

	(void)state;
	key_ten(&k);
	memcpy(key, k.public_key, sizeof(key));
	assert_int_equal(vrf_prove(&k, alpha, 8, proof, beta), 0);
	for (i = 0; i < 8 * VRF_KEY_LEN; i++) {
		key[i / 8] ^= (uint8_t)(1 << i % 8);
		assert_refused(key, alpha, 8, proof);
		key[i / 8] ^= (uint8_t)(1 << i % 8);
	}
	for (i = 0; i < 8 * sizeof(alpha); i++) {
		alpha[i / 8] ^= (uint8_t)(1 << i % 8);
		assert_refused(key, alpha, 8, proof);
		alpha[i / 8] ^= (uint8_t)(1 << i % 8);
	}
	assert_refused(key, alpha, 7, proof);
	assert_refused(key, alpha, 0, proof);
	assert_int_equal(vrf_check(key, alpha, 8, proof, beta), 0);
}

static void
vrf_check_refuses_gamma_negated(void **state)
{
	struct vrf_key k;
	uint8_t proof[VRF_PROOF_LEN], beta[VRF_BETA_LEN];

	(void)state;
	key_ten(&k);
	assert_int_equal(vrf_prove(&k, "alpha", 5, proof, beta), 0);
	assert_true(proof[0] == 2 || proof[0] == 3);
	proof[0] ^= 1;
	assert_refused(k.public_key, "alpha", 5, proof);
}

static void
vrf_check_refuses_a_gamma_that_is_no_compressed_point(void **state)
{
	static const uint8_t firsts[] = {
	    0x00, 0x01, 0x04, 0x05, 0x06, 0x07, 0x82, 0x83, 0xff};
	struct vrf_key k;
	uint8_t proof[VRF_PROOF_LEN], beta[VRF_BETA_LEN];
	size_t i;

	(void)state;
	key_ten(&k);
	assert_int_equal(vrf_prove(&k, "alpha", 5, proof, beta), 0);
	for (i = 0; i < sizeof(firsts); i++) {
		proof[0] = firsts[i];
		assert_refused(k.public_key, "alpha", 5, proof);
	}
	memset(proof, 0, VRF_KEY_LEN);
	assert_refused(k.public_key, "alpha", 5, proof);
	memset(proof, 0xff, VRF_KEY_LEN);
	proof[0] = 2;
	assert_refused(k.public_key, "alpha", 5, proof);
}

static void
vrf_check_refuses_a_response_with_the_order_added(void **state)
{
	uint8_t key[VRF_KEY_LEN], proof[VRF_PROOF_LEN], beta[VRF_BETA_LEN];
	uint8_t *const s = proof + VRF_KEY_LEN + 16;
	uint8_t q[32];
	unsigned sum, carry = 0;
	int i;

	(void)state;
	/* With x = 1 and k = 5 s is so small that s + q fits in 32 bytes. */
	small_prove(1, 5, key, "alpha", proof);
	assert_int_equal(vrf_check(key, "alpha", 5, proof, beta), 0);
	vectors_bytes(ORDER_Q, q, sizeof(q));
	for (i = 31; i >= 0; i--) {
		sum = (unsigned)s[i] + q[i] + carry;
		s[i] = (uint8_t)sum;
		carry = sum >> 8;
	}
	assert_int_equal(carry, 0);
	assert_refused(key, "alpha", 5, proof);
	memcpy(s, q, 32);
	assert_refused(key, "alpha", 5, proof);
	memset(s, 0xff, 32);
	assert_refused(key, "alpha", 5, proof);
	memset(s, 0, 32);
	assert_refused(key, "alpha", 5, proof);
	memset(proof + VRF_KEY_LEN, 0, 16);
	assert_refused(key, "alpha", 5, proof);
}

static void
vrf_proofs_are_many_but_their_output_is_one(void **state)
{
	struct vrf_key k;
	uint8_t key[VRF_KEY_LEN], proof[VRF_PROOF_LEN], other[VRF_PROOF_LEN];
	uint8_t beta[VRF_BETA_LEN], got[VRF_BETA_LEN];
	uint8_t x[VRF_SECRET_LEN] = {0};
	unsigned nonce;

	(void)state;
	x[31] = 77;
	assert_int_equal(vrf_key_from_secret(&k, x), 0);
	assert_int_equal(vrf_prove(&k, "alpha", 5, proof, beta), 0);
	for (nonce = 1; nonce < 5; nonce++) {
		small_prove(77, nonce, key, "alpha", other);
		assert_memory_equal(key, k.public_key, sizeof(key));
		assert_memory_not_equal(other, proof, sizeof(proof));
		assert_int_equal(vrf_check(key, "alpha", 5, other, got), 0);
		assert_memory_equal(got, beta, sizeof(beta));
	}
}

static void
vrf_check_refuses_a_nonce_of_zero(void **state)
{
	uint8_t key[VRF_KEY_LEN], proof[VRF_PROOF_LEN];

	(void)state;
	small_prove(77, 0, key, "alpha", proof);
	assert_refused(key, "alpha", 5, proof);
}

static void
vrf_prove_gives_the_same_bytes_each_time(void **state)
{
	struct vrf_key k;
	uint8_t a[VRF_PROOF_LEN], b[VRF_PROOF_LEN], beta[VRF_BETA_LEN];

	(void)state;
	assert_int_equal(vrf_key_make(&k), 0);
	assert_int_equal(vrf_prove(&k, "x", 1, a, beta), 0);
	assert_int_equal(vrf_prove(&k, "x", 1, b, beta), 0);
	assert_memory_equal(a, b, sizeof(a));
}

static void
vrf_takes_an_empty_alpha_and_a_long_one(void **state)
{
	static const size_t sizes[] = {0, 1, 63, 64, 65, 1000000};
	struct vrf_key k;
	uint8_t proof[VRF_PROOF_LEN], beta[VRF_BETA_LEN], got[VRF_BETA_LEN];
	uint8_t *alpha;
	size_t i, n;

	(void)state;
	key_ten(&k);
	alpha = malloc(1000001);
	assert_non_null(alpha);
	memset(alpha, 0x61, 1000001);
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		n = sizes[i];
		assert_int_equal(vrf_prove(&k, alpha, n, proof, beta), 0);
		assert_int_equal(
		    vrf_check(k.public_key, alpha, n, proof, got), 0);
		assert_memory_equal(got, beta, sizeof(beta));
		assert_refused(k.public_key, alpha, n + 1, proof);
	}
	assert_int_equal(vrf_prove(&k, NULL, 0, proof, beta), 0);
	assert_int_equal(vrf_check(k.public_key, "", 0, proof, got), 0);
	assert_memory_equal(got, beta, sizeof(beta));
	free(alpha);
}

static void
vrf_key_check_refuses_every_other_form_of_a_point(void **state)
{
	struct vrf_key k;
	uint8_t key[VRF_KEY_LEN], proof[VRF_PROOF_LEN], beta[VRF_BETA_LEN];
	unsigned first;

	(void)state;
	key_ten(&k);
	assert_int_equal(vrf_prove(&k, "alpha", 5, proof, beta), 0);
	memcpy(key, k.public_key, sizeof(key));
	for (first = 0; first <= 0xff; first++) {
		key[0] = (uint8_t)first;
		assert_int_equal(vrf_key_check(key),
		    first == 2 || first == 3 ? 0 : ERR_PROOF);
		assert_int_equal(ERR_peek_error(), 0);
		if (first != k.public_key[0])
			assert_refused(key, "alpha", 5, proof);
	}
	memset(key, 0, sizeof(key));
	assert_int_equal(vrf_key_check(key), ERR_PROOF);
	assert_refused(key, "alpha", 5, proof);
}

static void
vrf_key_check_takes_exactly_the_points_of_the_curve(void **state)
{
	static const char prime[] =
	    "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff";
	static const char b_hex[] =
	    "5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b";
	BIGNUM *p = NULL, *b = NULL, *y = BN_new(), *x = BN_new();
	BN_CTX *ctx = BN_CTX_new();
	uint8_t key[VRF_KEY_LEN];
	unsigned i, on = 0;
	int want;

	(void)state;
	assert_true(BN_hex2bn(&p, prime) != 0 && BN_hex2bn(&b, b_hex) != 0);
	for (i = 0; i < 200; i++) {
		/* x^3 - 3x + b must be a square. */
		assert_int_equal(BN_set_word(x, i), 1);
		assert_int_equal(BN_mod_sqr(y, x, p, ctx), 1);
		assert_int_equal(BN_sub_word(y, 3), 1);
		assert_int_equal(BN_nnmod(y, y, p, ctx), 1);
		assert_int_equal(BN_mod_mul(y, y, x, p, ctx), 1);
		assert_int_equal(BN_mod_add(y, y, b, p, ctx), 1);
		want = BN_kronecker(y, p, ctx) == 1 ? 0 : ERR_PROOF;
		on += want == 0;
		key[0] = (uint8_t)(2 + i % 2);
		assert_int_equal(BN_bn2binpad(x, key + 1, 32), 32);
		assert_int_equal(vrf_key_check(key), want);
		assert_int_equal(ERR_peek_error(), 0);
		/* The same x, written as x + p. */
		assert_int_equal(BN_add(x, x, p), 1);
		assert_int_equal(BN_bn2binpad(x, key + 1, 32), 32);
		assert_int_equal(vrf_key_check(key), ERR_PROOF);
	}
	assert_in_range(on, 70, 130);
	BN_free(p);
	BN_free(b);
	BN_free(x);
	BN_free(y);
	BN_CTX_free(ctx);
}

static void
vrf_key_from_secret_takes_one_to_q_less_one(void **state)
{
	struct vrf_key k, guard, last;
	uint8_t x[VRF_SECRET_LEN], proof[VRF_PROOF_LEN], beta[VRF_BETA_LEN];
	unsigned add;

	(void)state;
	memset(&guard, 0x5a, sizeof(guard));
	memcpy(&k, &guard, sizeof(k));
	memset(x, 0, sizeof(x));
	assert_int_equal(vrf_key_from_secret(&k, x), ERR_PROOF);
	for (add = 0; add < 3; add++) {
		vectors_bytes(ORDER_Q, x, sizeof(x));
		x[31] = (uint8_t)(x[31] + add);
		assert_int_equal(vrf_key_from_secret(&k, x), ERR_PROOF);
	}
	memset(x, 0xff, sizeof(x));
	assert_int_equal(vrf_key_from_secret(&k, x), ERR_PROOF);
	assert_memory_equal(&k, &guard, sizeof(k));

	/* 1 and q - 1 give the generator and its negative. */
	memset(x, 0, sizeof(x));
	x[31] = 1;
	assert_int_equal(vrf_key_from_secret(&k, x), 0);
	vectors_bytes("036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0"
		      "f4a13945d898c296",
	    guard.public_key, VRF_KEY_LEN);
	assert_memory_equal(k.public_key, guard.public_key, VRF_KEY_LEN);
	assert_int_equal(vrf_prove(&k, "a", 1, proof, beta), 0);
	vectors_bytes(ORDER_Q, x, sizeof(x));
	x[31]--;
	assert_int_equal(vrf_key_from_secret(&last, x), 0);
	assert_int_equal(last.public_key[0], 2);
	assert_memory_equal(last.public_key + 1, k.public_key + 1, 32);
	assert_int_equal(vrf_prove(&last, "a", 1, proof, beta), 0);
	assert_int_equal(vrf_check(last.public_key, "a", 1, proof, beta), 0);
	assert_int_equal(vrf_key_from_secret(&last, last.secret), 0);
	assert_memory_equal(last.secret, x, sizeof(x));
}

static void
vrf_prove_gives_nothing_for_a_key_that_does_not_fit(void **state)
{
	struct vrf_key k, other;
	uint8_t proof[VRF_PROOF_LEN] = {7}, beta[VRF_BETA_LEN] = {8};

	(void)state;
	key_ten(&k);
	assert_int_equal(vrf_key_make(&other), 0);
	memcpy(k.public_key, other.public_key, VRF_KEY_LEN);
	assert_int_equal(vrf_prove(&k, "a", 1, proof, beta), ERR_FAULT);
	key_ten(&k);
	k.secret[3] ^= 0x10;
	assert_int_equal(vrf_prove(&k, "a", 1, proof, beta), ERR_FAULT);
	memset(k.secret, 0, sizeof(k.secret));
	assert_int_equal(vrf_prove(&k, "a", 1, proof, beta), ERR_FAULT);
	memset(k.secret, 0xff, sizeof(k.secret));
	assert_int_equal(vrf_prove(&k, "a", 1, proof, beta), ERR_FAULT);
	key_ten(&k);
	k.public_key[0] = 4;
	assert_int_equal(vrf_prove(&k, "a", 1, proof, beta), ERR_FAULT);
	assert_int_equal(proof[0], 7);
	assert_int_equal(beta[0], 8);
	assert_int_equal(ERR_peek_error(), 0);
}

static void
vrf_key_make_gives_a_new_key_each_time(void **state)
{
	struct vrf_key a, b, c;

	(void)state;
	assert_int_equal(vrf_key_make(&a), 0);
	assert_int_equal(vrf_key_make(&b), 0);
	assert_memory_not_equal(a.secret, b.secret, VRF_SECRET_LEN);
	assert_memory_not_equal(a.public_key, b.public_key, VRF_KEY_LEN);
	assert_int_equal(vrf_key_check(a.public_key), 0);
	assert_int_equal(vrf_key_from_secret(&c, a.secret), 0);
	assert_memory_equal(a.public_key, c.public_key, VRF_KEY_LEN);
}

static void
vrf_key_clear_leaves_nothing(void **state)
{
	struct vrf_key k, zero;

	(void)state;
	memset(&zero, 0, sizeof(zero));
	key_ten(&k);
	vrf_key_clear(&k);
	assert_memory_equal(&k, &zero, sizeof(k));
}

static void
vrf_prove_without_memory_gives_no_other_proof(void **state)
{
	struct vrf_key k;
	uint8_t want[VRF_PROOF_LEN], beta_want[VRF_BETA_LEN];
	uint8_t proof[VRF_PROOF_LEN], beta[VRF_BETA_LEN];
	uint8_t guard[VRF_PROOF_LEN];
	long n;
	int r;

	(void)state;
	memset(guard, 0x5a, sizeof(guard));
	key_ten(&k);
	/* "test" takes more than one try to reach the curve. */
	assert_int_equal(vrf_prove(&k, "test", 4, want, beta_want), 0);
	for (n = 0, r = ERR_NOMEM; r != 0; n++) {
		memcpy(proof, guard, sizeof(proof));
		memcpy(beta, guard, sizeof(beta));
		failing_after(n);
		r = vrf_prove(&k, "test", 4, proof, beta);
		failing_after(-1);
		assert_int_equal(ERR_peek_error(), 0);
		assert_true(r == 0 || r == ERR_NOMEM);
		assert_memory_equal(
		    proof, r == 0 ? want : guard, sizeof(proof));
		assert_memory_equal(
		    beta, r == 0 ? beta_want : guard, sizeof(beta));
	}
	assert_true(n > 100);
}

static void
vrf_check_without_memory_calls_no_proof_bad(void **state)
{
	struct vrf_key k;
	uint8_t proof[VRF_PROOF_LEN], want[VRF_BETA_LEN], beta[VRF_BETA_LEN];
	long n;
	int r;

	(void)state;
	key_ten(&k);
	assert_int_equal(vrf_prove(&k, "test", 4, proof, want), 0);
	for (n = 0, r = ERR_NOMEM; r != 0; n++) {
		memset(beta, 0x5a, sizeof(beta));
		failing_after(n);
		r = vrf_check(k.public_key, "test", 4, proof, beta);
		failing_after(-1);
		assert_int_equal(ERR_peek_error(), 0);
		assert_true(r == 0 || r == ERR_NOMEM);
		assert_int_equal(beta[0], r == 0 ? want[0] : 0x5a);
	}
	assert_true(n > 50);
	for (n = 0, r = ERR_NOMEM; r != 0; n++) {
		failing_after(n);
		r = vrf_key_check(k.public_key);
		failing_after(-1);
		assert_int_equal(ERR_peek_error(), 0);
		assert_true(r == 0 || r == ERR_NOMEM);
	}
	for (n = 0, r = ERR_NOMEM; r != 0; n++) {
		failing_after(n);
		r = vrf_key_from_secret(&k, k.secret);
		failing_after(-1);
		assert_int_equal(ERR_peek_error(), 0);
		assert_true(r == 0 || r == ERR_NOMEM);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(vrf_may_be_used_first_by_many_threads_at_once),
	    cmocka_unit_test(vrf_gives_the_published_keys_proofs_and_betas),
	    cmocka_unit_test(vrf_carries_the_whole_dice_scheme_of_the_record),
	    cmocka_unit_test(vrf_check_refuses_every_flipped_bit_of_the_proof),
	    cmocka_unit_test(
		vrf_check_refuses_every_flipped_bit_of_key_and_alpha),
	    cmocka_unit_test(vrf_check_refuses_gamma_negated),
	    cmocka_unit_test(
		vrf_check_refuses_a_gamma_that_is_no_compressed_point),
	    cmocka_unit_test(vrf_check_refuses_a_response_with_the_order_added),
	    cmocka_unit_test(vrf_proofs_are_many_but_their_output_is_one),
	    cmocka_unit_test(vrf_check_refuses_a_nonce_of_zero),
	    cmocka_unit_test(vrf_prove_gives_the_same_bytes_each_time),
	    cmocka_unit_test(vrf_takes_an_empty_alpha_and_a_long_one),
	    cmocka_unit_test(vrf_key_check_refuses_every_other_form_of_a_point),
	    cmocka_unit_test(
		vrf_key_check_takes_exactly_the_points_of_the_curve),
	    cmocka_unit_test(vrf_key_from_secret_takes_one_to_q_less_one),
	    cmocka_unit_test(
		vrf_prove_gives_nothing_for_a_key_that_does_not_fit),
	    cmocka_unit_test(vrf_key_make_gives_a_new_key_each_time),
	    cmocka_unit_test(vrf_key_clear_leaves_nothing),
	    cmocka_unit_test(vrf_prove_without_memory_gives_no_other_proof),
	    cmocka_unit_test(vrf_check_without_memory_calls_no_proof_bad),
	};

	if (!failing_install())
		return (1);
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
