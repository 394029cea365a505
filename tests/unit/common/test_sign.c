/* SPDX-License-Identifier: ISC */
/*
 * common/crypt/sign.c against RFC 8032's vectors, against OpenSSL used
 * directly, and against keys and signatures that must be refused (record S1).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <openssl/bn.h>
#include <openssl/err.h>
#include <openssl/evp.h>

#include "common/base/err.h"
#include "common/crypt/sign.h"

#include "tests/lib/failing.h"
#include "tests/lib/vectors.h"

/* RFC 8032 7.1, tests 1 to 3. */
static const struct {
	const char *seed;
	const char *public_key;
	const char *message;
	const char *sig;
} rfc8032[] = {
    {"9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
	"d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
	"e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
	"5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"},
    {"4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
	"3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
	"72",
	"92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
	"085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"},
    {"c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
	"fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
	"af82",
	"6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
	"18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"},
};

/* The keys that record S1 lists, without the sign of x. */
static const char *const small_order[] = {
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
};

#define SMALL_ORDER (sizeof(small_order) / sizeof(small_order[0]))

/* The group order L, little-endian. */
static const uint8_t order_l[32] = {0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12,
    0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0x10};

/* Makes the key of RFC 8032's test number i + 1. */
static void
rfc_key(struct sign_key *k, size_t i)
{
	uint8_t seed[SIGN_KEY_LEN];

	vectors_bytes(rfc8032[i].seed, seed, sizeof(seed));
	assert_int_equal(sign_key_from_seed(k, seed), 0);
}

/* Signs the bytes as they are, by OpenSSL alone. */
static void
raw_make(const uint8_t seed[SIGN_KEY_LEN], const void *p, size_t n,
    uint8_t sig[SIGN_LEN])
{
	EVP_PKEY *pkey;
	EVP_MD_CTX *ctx;
	size_t len = SIGN_LEN;

	pkey = EVP_PKEY_new_raw_private_key(
	    EVP_PKEY_ED25519, NULL, seed, SIGN_KEY_LEN);
	assert_non_null(pkey);
	ctx = EVP_MD_CTX_new();
	assert_non_null(ctx);
	assert_int_equal(EVP_DigestSignInit(ctx, NULL, NULL, NULL, pkey), 1);
	assert_int_equal(EVP_DigestSign(ctx, sig, &len, p, n), 1);
	assert_int_equal(len, SIGN_LEN);
	EVP_MD_CTX_free(ctx);
	EVP_PKEY_free(pkey);
}

/* Returns whether OpenSSL alone takes a signature over the bytes. */
static bool
raw_check(const uint8_t key[SIGN_KEY_LEN], const void *p, size_t n,
    const uint8_t sig[SIGN_LEN])
{
	EVP_PKEY *pkey;
	EVP_MD_CTX *ctx;
	bool ok;

	pkey = EVP_PKEY_new_raw_public_key(
	    EVP_PKEY_ED25519, NULL, key, SIGN_KEY_LEN);
	assert_non_null(pkey);
	ctx = EVP_MD_CTX_new();
	assert_non_null(ctx);
	assert_int_equal(EVP_DigestVerifyInit(ctx, NULL, NULL, NULL, pkey), 1);
	ok = EVP_DigestVerify(ctx, sig, SIGN_LEN, p, n) == 1;
	EVP_MD_CTX_free(ctx);
	EVP_PKEY_free(pkey);
	return (ok);
}

/* Asserts that a signature is refused and that no error stays behind. */
static void
assert_refused(const uint8_t key[SIGN_KEY_LEN], const char *tag, const void *p,
    size_t n, const uint8_t sig[SIGN_LEN])
{
	assert_int_equal(sign_check(key, tag, p, n, sig), ERR_SIGNATURE);
	assert_int_equal(ERR_peek_error(), 0);
}

static void
sign_key_from_seed_gives_the_published_public_keys(void **state)
{
	struct sign_key k;
	uint8_t want[SIGN_KEY_LEN];
	size_t i;

	(void)state;
	for (i = 0; i < 3; i++) {
		rfc_key(&k, i);
		vectors_bytes(rfc8032[i].public_key, want, sizeof(want));
		assert_memory_equal(k.public_key, want, sizeof(want));
		vectors_bytes(rfc8032[i].seed, want, sizeof(want));
		assert_memory_equal(k.seed, want, sizeof(want));
		assert_int_equal(sign_key_check(k.public_key), 0);
		assert_int_equal(sign_key_from_seed(&k, k.seed), 0);
		assert_memory_equal(k.seed, want, sizeof(want));
	}
}

static void
sign_rests_on_a_library_that_makes_the_published_signatures(void **state)
{
	uint8_t seed[32], key[32], sig[64], want[64], message[2];
	size_t i, n;

	(void)state;
	for (i = 0; i < 3; i++) {
		n = strlen(rfc8032[i].message) / 2;
		vectors_bytes(rfc8032[i].seed, seed, sizeof(seed));
		vectors_bytes(rfc8032[i].public_key, key, sizeof(key));
		vectors_bytes(rfc8032[i].sig, want, sizeof(want));
		vectors_bytes(rfc8032[i].message, message, n);
		raw_make(seed, message, n, sig);
		assert_memory_equal(sig, want, sizeof(want));
		assert_true(raw_check(key, message, n, sig));
	}
}

static void
sign_make_signs_tag_zero_and_bytes_of_every_length(void **state)
{
	static const size_t sizes[] = {
	    0, 1, 2, 1007, 1008, 1009, 1010, 1011, 1024, 5000, 16384};
	struct sign_key k;
	uint8_t sig[SIGN_LEN], want[SIGN_LEN];
	uint8_t *m;
	size_t i, n;

	(void)state;
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		n = sizes[i];
		rfc_key(&k, i % 3);
		m = malloc(15 + n);
		assert_non_null(m);
		memcpy(m, "umpire/order/1", 15);
		memset(m + 15, (int)i, n);
		raw_make(k.seed, m, 15 + n, want);
		assert_int_equal(
		    sign_make(&k, SIGN_TAG_ORDER, m + 15, n, sig), 0);
		assert_memory_equal(sig, want, SIGN_LEN);
		assert_int_equal(
		    sign_check(k.public_key, SIGN_TAG_ORDER, m + 15, n, sig),
		    0);
		m[14 + n] ^= 0x80;
		assert_refused(k.public_key,
		    n == 0 ? "umpire/order/2" : SIGN_TAG_ORDER, m + 15, n, sig);
		free(m);
	}
}

static void
sign_takes_no_bytes_at_a_null_pointer(void **state)
{
	struct sign_key k;
	uint8_t sig[SIGN_LEN], want[SIGN_LEN];

	(void)state;
	rfc_key(&k, 0);
	assert_int_equal(sign_make(&k, SIGN_TAG_KEY, "", 0, want), 0);
	assert_int_equal(sign_make(&k, SIGN_TAG_KEY, NULL, 0, sig), 0);
	assert_memory_equal(sig, want, SIGN_LEN);
	assert_int_equal(
	    sign_check(k.public_key, SIGN_TAG_KEY, NULL, 0, sig), 0);
}

static void
sign_check_refuses_another_tag_key_or_message(void **state)
{
	static const char *const tags[] = {SIGN_TAG_LOGIN, SIGN_TAG_HELLO,
	    SIGN_TAG_KEY, SIGN_TAG_MARK, SIGN_TAG_REFUSAL, "umpire/order/",
	    "umpire/order/11", ""};
	struct sign_key k, other;
	uint8_t sig[SIGN_LEN];
	size_t i;

	(void)state;
	rfc_key(&k, 0);
	rfc_key(&other, 1);
	assert_int_equal(sign_make(&k, SIGN_TAG_ORDER, "{}", 2, sig), 0);
	assert_int_equal(
	    sign_check(k.public_key, SIGN_TAG_ORDER, "{}", 2, sig), 0);
	for (i = 0; i < sizeof(tags) / sizeof(tags[0]); i++)
		assert_refused(k.public_key, tags[i], "{}", 2, sig);
	assert_refused(other.public_key, SIGN_TAG_ORDER, "{}", 2, sig);
	assert_refused(k.public_key, SIGN_TAG_ORDER, "{} ", 3, sig);
	assert_refused(k.public_key, SIGN_TAG_ORDER, "{", 1, sig);
	assert_refused(k.public_key, SIGN_TAG_ORDER, "{}", 0, sig);
	assert_refused(k.public_key, SIGN_TAG_ORDER, "[]", 2, sig);
}

static void
sign_check_refuses_every_flipped_bit(void **state)
{
	struct sign_key k;
	uint8_t sig[SIGN_LEN], key[SIGN_KEY_LEN];
	unsigned i;

	(void)state;
	rfc_key(&k, 2);
	assert_int_equal(sign_make(&k, SIGN_TAG_MARK, "line", 4, sig), 0);
	for (i = 0; i < 8 * SIGN_LEN; i++) {
		sig[i / 8] ^= (uint8_t)(1 << i % 8);
		assert_refused(k.public_key, SIGN_TAG_MARK, "line", 4, sig);
		sig[i / 8] ^= (uint8_t)(1 << i % 8);
	}
	memcpy(key, k.public_key, sizeof(key));
	for (i = 0; i < 8 * SIGN_KEY_LEN; i++) {
		key[i / 8] ^= (uint8_t)(1 << i % 8);
		assert_refused(key, SIGN_TAG_MARK, "line", 4, sig);
		key[i / 8] ^= (uint8_t)(1 << i % 8);
	}
	assert_int_equal(sign_check(key, SIGN_TAG_MARK, "line", 4, sig), 0);
}

/* Adds L to the second half of a signature; the sum fits in 32 bytes. */
static void
add_order(uint8_t sig[SIGN_LEN])
{
	unsigned i, sum, carry = 0;

	for (i = 0; i < 32; i++) {
		sum = (unsigned)sig[32 + i] + order_l[i] + carry;
		sig[32 + i] = (uint8_t)sum;
		carry = sum >> 8;
	}
	assert_int_equal(carry, 0);
}

static void
sign_check_refuses_a_response_with_the_order_added(void **state)
{
	struct sign_key k;
	uint8_t sig[SIGN_LEN];
	unsigned i;

	(void)state;
	rfc_key(&k, 0);
	assert_int_equal(sign_make(&k, SIGN_TAG_ORDER, "{}", 2, sig), 0);
	/* S + 14 L is still below 2^256, since S < L < 2^252 + 2^125. */
	for (i = 0; i < 14; i++) {
		add_order(sig);
		assert_refused(k.public_key, SIGN_TAG_ORDER, "{}", 2, sig);
	}
}

/*
 * R has a part of order 8 here, so that the equation holds only after
 * multiplying by the cofactor.  Made once with the key of RFC 8032's test 1,
 * beside a signature of the same r without that part.
 */
static void
sign_check_does_not_multiply_by_the_cofactor(void **state)
{
	struct sign_key k;
	uint8_t sig[SIGN_LEN];

	(void)state;
	rfc_key(&k, 0);
	vectors_bytes(
	    "b31b20f50426242514d81b383548bd90de72fd0b8cf2382a88f9f52ce5076b23"
	    "c41e5e245553d368f8386220a54d9f99a42d9eb60768bfa3af4a61b0bd1da100",
	    sig, sizeof(sig));
	assert_int_equal(
	    sign_check(k.public_key, SIGN_TAG_ORDER, "{}", 2, sig), 0);
	vectors_bytes(
	    "4c261951fba9f4ba7ece40431f212269f58becc2473c54cecda0e8f1e6f9d253"
	    "6ed16f36a300c6e6eb0474c7eec7b5d581ffde757f6ea1c43fae2b336fb2e70b",
	    sig, sizeof(sig));
	assert_refused(k.public_key, SIGN_TAG_ORDER, "{}", 2, sig);
}

static void
sign_refuses_every_key_of_small_order(void **state)
{
	uint8_t key[SIGN_KEY_LEN];
	uint8_t sig[SIGN_LEN] = {0x01};
	size_t i;

	(void)state;
	/* R is the neutral point and S is 0. */
	for (i = 0; i < SMALL_ORDER; i++) {
		vectors_bytes(small_order[i], key, sizeof(key));
		assert_int_equal(sign_key_check(key), ERR_SIGNATURE);
		assert_refused(key, SIGN_TAG_ORDER, "{}", 2, sig);
		key[31] |= 0x80;
		assert_int_equal(sign_key_check(key), ERR_SIGNATURE);
		assert_refused(key, SIGN_TAG_ORDER, "{}", 2, sig);
	}
}

static void
sign_refuses_a_key_under_which_everything_is_signed(void **state)
{
	const uint8_t key[SIGN_KEY_LEN] = {0x01};
	const uint8_t sig[SIGN_LEN] = {0x01};

	(void)state;
	assert_true(raw_check(key, "umpire/order/1\0{}", 17, sig));
	assert_true(raw_check(key, "umpire/order/1\0[]", 17, sig));
	assert_refused(key, SIGN_TAG_ORDER, "{}", 2, sig);
	assert_refused(key, SIGN_TAG_ORDER, "[]", 2, sig);
}

static void
sign_refuses_every_key_that_is_not_canonical(void **state)
{
	uint8_t key[SIGN_KEY_LEN];
	const uint8_t sig[SIGN_LEN] = {0x01};
	unsigned low, sign;

	(void)state;
	for (low = 0xed; low <= 0xff; low++) {
		for (sign = 0; sign < 2; sign++) {
			memset(key, 0xff, sizeof(key));
			key[0] = (uint8_t)low;
			key[31] = sign ? 0xff : 0x7f;
			assert_int_equal(sign_key_check(key), ERR_SIGNATURE);
			assert_refused(key, SIGN_TAG_ORDER, "{}", 2, sig);
		}
	}
}

/* What record S1 says of a key, by big numbers and its own list. */
static int
reference_key_check(const uint8_t key[SIGN_KEY_LEN])
{
	uint8_t y[SIGN_KEY_LEN], listed[SIGN_KEY_LEN];
	BIGNUM *n, *p;
	size_t i;
	int r;

	memcpy(y, key, sizeof(y));
	y[31] &= 0x7f;
	n = BN_lebin2bn(y, sizeof(y), NULL);
	p = NULL;
	assert_true(BN_hex2bn(&p,
			"7fffffffffffffffffffffffffffffff"
			"ffffffffffffffffffffffffffffffed") != 0);
	assert_non_null(n);
	r = BN_cmp(n, p) >= 0 ? ERR_SIGNATURE : 0;
	BN_free(n);
	BN_free(p);
	for (i = 0; i < SMALL_ORDER; i++) {
		vectors_bytes(small_order[i], listed, sizeof(listed));
		if (memcmp(y, listed, sizeof(y)) == 0)
			r = ERR_SIGNATURE;
	}
	return (r);
}

static void
sign_key_check_refuses_no_neighbour_of_what_it_refuses(void **state)
{
	uint8_t key[SIGN_KEY_LEN];
	unsigned bit, low, refused = 0, taken = 0;
	size_t i;
	int r;

	(void)state;
	for (i = 0; i < SMALL_ORDER; i++) {
		vectors_bytes(small_order[i], key, sizeof(key));
		for (bit = 0; bit < 256; bit++) {
			key[bit / 8] ^= (uint8_t)(1 << bit % 8);
			r = sign_key_check(key);
			assert_int_equal(r, reference_key_check(key));
			if (r == 0)
				taken++;
			else
				refused++;
			key[bit / 8] ^= (uint8_t)(1 << bit % 8);
		}
	}
	assert_true(refused > SMALL_ORDER);
	assert_true(taken > 1700);
	for (low = 0; low <= 0xff; low++) {
		memset(key, 0xff, sizeof(key));
		key[0] = (uint8_t)low;
		assert_int_equal(sign_key_check(key), reference_key_check(key));
		assert_int_equal(
		    sign_key_check(key), low >= 0xec ? ERR_SIGNATURE : 0);
	}
}

static void
sign_key_make_gives_a_new_key_each_time(void **state)
{
	struct sign_key a, b, c;
	uint8_t sig[SIGN_LEN];

	(void)state;
	assert_int_equal(sign_key_make(&a), 0);
	assert_int_equal(sign_key_make(&b), 0);
	assert_memory_not_equal(a.seed, b.seed, SIGN_KEY_LEN);
	assert_memory_not_equal(a.public_key, b.public_key, SIGN_KEY_LEN);
	assert_int_equal(sign_key_from_seed(&c, a.seed), 0);
	assert_memory_equal(a.public_key, c.public_key, SIGN_KEY_LEN);
	assert_int_equal(sign_make(&a, SIGN_TAG_HELLO, "x", 1, sig), 0);
	assert_int_equal(
	    sign_check(a.public_key, SIGN_TAG_HELLO, "x", 1, sig), 0);
	assert_refused(b.public_key, SIGN_TAG_HELLO, "x", 1, sig);
}

static void
sign_key_clear_leaves_nothing(void **state)
{
	struct sign_key k, zero;

	(void)state;
	memset(&zero, 0, sizeof(zero));
	rfc_key(&k, 0);
	sign_key_clear(&k);
	assert_memory_equal(&k, &zero, sizeof(k));
}

static void
sign_make_without_memory_writes_nothing(void **state)
{
	struct sign_key k;
	uint8_t sig[SIGN_LEN], want[SIGN_LEN], guard[SIGN_LEN];
	long n;
	int r;

	(void)state;
	memset(guard, 0x5a, sizeof(guard));
	rfc_key(&k, 0);
	assert_int_equal(sign_make(&k, SIGN_TAG_ORDER, "{}", 2, want), 0);
	for (n = 0, r = ERR_NOMEM; r != 0; n++) {
		memcpy(sig, guard, sizeof(sig));
		failing_after(n);
		r = sign_make(&k, SIGN_TAG_ORDER, "{}", 2, sig);
		failing_after(-1);
		assert_int_equal(ERR_peek_error(), 0);
		assert_true(r == 0 || r == ERR_NOMEM);
		assert_memory_equal(sig, r == 0 ? want : guard, SIGN_LEN);
	}
	assert_true(n > 1);
}

static void
sign_check_without_memory_calls_no_signature_bad(void **state)
{
	struct sign_key k;
	uint8_t sig[SIGN_LEN];
	long n;
	int r;

	(void)state;
	rfc_key(&k, 0);
	assert_int_equal(sign_make(&k, SIGN_TAG_ORDER, "{}", 2, sig), 0);
	for (n = 0, r = ERR_NOMEM; r != 0; n++) {
		failing_after(n);
		r = sign_check(k.public_key, SIGN_TAG_ORDER, "{}", 2, sig);
		failing_after(-1);
		assert_int_equal(ERR_peek_error(), 0);
		assert_true(r == 0 || r == ERR_NOMEM);
	}
	assert_true(n > 1);
	sig[0] ^= 1;
	for (n = 0, r = ERR_NOMEM; r != ERR_SIGNATURE; n++) {
		failing_after(n);
		r = sign_check(k.public_key, SIGN_TAG_ORDER, "{}", 2, sig);
		failing_after(-1);
		assert_int_equal(ERR_peek_error(), 0);
		assert_true(r == ERR_SIGNATURE || r == ERR_NOMEM);
	}
}

static void
sign_check_without_memory_once_calls_no_signature_bad(void **state)
{
	struct sign_key k;
	uint8_t sig[SIGN_LEN];
	bool has_failed = true;
	long n;
	int r;

	(void)state;
	rfc_key(&k, 0);
	assert_int_equal(sign_make(&k, SIGN_TAG_ORDER, "{}", 2, sig), 0);
	failing_is_once = true;
	for (n = 0; has_failed; n++) {
		failing_after(n);
		r = sign_check(k.public_key, SIGN_TAG_ORDER, "{}", 2, sig);
		has_failed = failing_left == -1;
		failing_after(-1);
		assert_int_equal(ERR_peek_error(), 0);
		assert_true(r == 0 || r == ERR_NOMEM);
	}
	failing_is_once = false;
	assert_true(n > 1);
}

static void
sign_key_from_seed_without_memory_writes_nothing(void **state)
{
	struct sign_key k, zero, want;
	long n;
	int r;

	(void)state;
	memset(&zero, 0, sizeof(zero));
	rfc_key(&want, 1);
	for (n = 0, r = ERR_NOMEM; r != 0; n++) {
		memset(&k, 0, sizeof(k));
		failing_after(n);
		r = sign_key_from_seed(&k, want.seed);
		failing_after(-1);
		assert_int_equal(ERR_peek_error(), 0);
		assert_true(r == 0 || r == ERR_NOMEM);
		assert_memory_equal(&k, r == 0 ? &want : &zero, sizeof(k));
	}
	assert_true(n > 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(
		sign_key_from_seed_gives_the_published_public_keys),
	    cmocka_unit_test(
		sign_rests_on_a_library_that_makes_the_published_signatures),
	    cmocka_unit_test(
		sign_make_signs_tag_zero_and_bytes_of_every_length),
	    cmocka_unit_test(sign_takes_no_bytes_at_a_null_pointer),
	    cmocka_unit_test(sign_check_refuses_another_tag_key_or_message),
	    cmocka_unit_test(sign_check_refuses_every_flipped_bit),
	    cmocka_unit_test(
		sign_check_refuses_a_response_with_the_order_added),
	    cmocka_unit_test(sign_check_does_not_multiply_by_the_cofactor),
	    cmocka_unit_test(sign_refuses_every_key_of_small_order),
	    cmocka_unit_test(
		sign_refuses_a_key_under_which_everything_is_signed),
	    cmocka_unit_test(sign_refuses_every_key_that_is_not_canonical),
	    cmocka_unit_test(
		sign_key_check_refuses_no_neighbour_of_what_it_refuses),
	    cmocka_unit_test(sign_key_make_gives_a_new_key_each_time),
	    cmocka_unit_test(sign_key_clear_leaves_nothing),
	    cmocka_unit_test(sign_make_without_memory_writes_nothing),
	    cmocka_unit_test(sign_check_without_memory_calls_no_signature_bad),
	    cmocka_unit_test(
		sign_check_without_memory_once_calls_no_signature_bad),
	    cmocka_unit_test(sign_key_from_seed_without_memory_writes_nothing),
	};

	if (!failing_install())
		return (1);
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
