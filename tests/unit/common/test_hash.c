/* SPDX-License-Identifier: ISC */
/*
 * common/crypt/hash.c against FIPS 180-4, RFC 4231 and the record's own
 * vectors, and without memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <openssl/err.h>
#include <pthread.h>

#include "common/base/err.h"
#include "common/crypt/hash.h"

#include "tests/lib/failing.h"
#include "tests/lib/vectors.h"

/* Asserts that 32 bytes are those of hex. */
static void
assert_hash(const uint8_t got[HASH_LEN], const char *hex)
{
	char text[2 * HASH_LEN + 1];

	hex_format(text, got, HASH_LEN);
	assert_string_equal(text, hex);
}

static void
hash_sha256_gives_the_published_digests(void **state)
{
	uint8_t out[HASH_LEN];
	char *a;

	(void)state;
	assert_int_equal(hash_sha256(out, "", 0), 0);
	assert_hash(out,
	    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	assert_int_equal(hash_sha256(out, NULL, 0), 0);
	assert_hash(out,
	    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	assert_int_equal(hash_sha256(out, "abc", 3), 0);
	assert_hash(out,
	    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	a = malloc(1000000);
	assert_non_null(a);
	memset(a, 'a', 1000000);
	assert_int_equal(hash_sha256(out, a, 1000000), 0);
	assert_hash(out,
	    "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
	free(a);
}

static void
hash_sha256_may_write_over_its_input(void **state)
{
	uint8_t buf[HASH_LEN] = "abc";

	(void)state;
	assert_int_equal(hash_sha256(buf, buf, 3), 0);
	assert_hash(buf,
	    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

static void
hash_tagged_is_the_hash_of_tag_zero_and_bytes(void **state)
{
	uint8_t got[HASH_LEN], want[HASH_LEN];

	(void)state;
	assert_int_equal(hash_tagged(got, "umpire/x/1", "ab\0c", 4), 0);
	assert_int_equal(hash_sha256(want, "umpire/x/1\0ab\0c", 15), 0);
	assert_memory_equal(got, want, HASH_LEN);
	assert_int_equal(hash_tagged(got, "umpire/x/1", NULL, 0), 0);
	assert_int_equal(hash_sha256(want, "umpire/x/1", 11), 0);
	assert_memory_equal(got, want, HASH_LEN);
	assert_int_equal(hash_tagged(got, "", "", 0), 0);
	assert_int_equal(hash_sha256(want, "", 1), 0);
	assert_memory_equal(got, want, HASH_LEN);
}

static void
hash_tagged_keeps_tag_and_bytes_apart(void **state)
{
	uint8_t a[HASH_LEN], b[HASH_LEN];

	(void)state;
	assert_int_equal(hash_tagged(a, "umpire/order/1", "1x", 2), 0);
	assert_int_equal(hash_tagged(b, "umpire/order/11", "x", 1), 0);
	assert_memory_not_equal(a, b, HASH_LEN);
}

static void
hash_parts_does_not_see_where_the_parts_end(void **state)
{
	static const char text[] = "a message that is longer than one block "
				   "of the hash, so that the cut may fall "
				   "on either side of its border";
	const size_t n = sizeof(text) - 1;
	struct hash_part parts[3];
	uint8_t got[HASH_LEN], want[HASH_LEN];
	size_t i, j;

	(void)state;
	assert_int_equal(hash_sha256(want, text, n), 0);
	for (i = 0; i <= n; i++) {
		for (j = i; j <= n; j++) {
			parts[0] = (struct hash_part){text, i};
			parts[1] = (struct hash_part){text + i, j - i};
			parts[2] = (struct hash_part){text + j, n - j};
			assert_int_equal(hash_parts(got, parts, 3), 0);
			assert_memory_equal(got, want, HASH_LEN);
		}
	}
	assert_int_equal(hash_parts(got, NULL, 0), 0);
	assert_int_equal(hash_sha256(want, "", 0), 0);
	assert_memory_equal(got, want, HASH_LEN);
}

static void
hash_mac_gives_the_published_macs(void **state)
{
	static const char six[] =
	    "Test Using Larger Than Block-Size Key - Hash Key First";
	static const char seven[] =
	    "This is a test using a larger than block-size key and a larger "
	    "than block-size data. The key needs to be hashed before being "
	    "used by the HMAC algorithm.";
	uint8_t key[131], text[50], out[HASH_LEN];
	uint8_t i;

	(void)state;
	memset(key, 0x0b, 20);
	assert_int_equal(hash_mac(out, key, 20, "Hi There", 8), 0);
	assert_hash(out,
	    "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
	assert_int_equal(
	    hash_mac(out, "Jefe", 4, "what do ya want for nothing?", 28), 0);
	assert_hash(out,
	    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
	memset(key, 0xaa, 20);
	memset(text, 0xdd, sizeof(text));
	assert_int_equal(hash_mac(out, key, 20, text, sizeof(text)), 0);
	assert_hash(out,
	    "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
	for (i = 0; i < 25; i++)
		key[i] = i + 1;
	memset(text, 0xcd, sizeof(text));
	assert_int_equal(hash_mac(out, key, 25, text, sizeof(text)), 0);
	assert_hash(out,
	    "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b");
	memset(key, 0xaa, sizeof(key));
	assert_int_equal(
	    hash_mac(out, key, sizeof(key), six, sizeof(six) - 1), 0);
	assert_hash(out,
	    "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
	assert_int_equal(
	    hash_mac(out, key, sizeof(key), seven, sizeof(seven) - 1), 0);
	assert_hash(out,
	    "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2");
}

static void
hash_mac_takes_an_empty_key_and_an_empty_message(void **state)
{
	uint8_t out[HASH_LEN];

	(void)state;
	assert_int_equal(hash_mac(out, NULL, 0, NULL, 0), 0);
	assert_hash(out,
	    "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad");
	assert_int_equal(hash_mac(out, "", 0, "", 0), 0);
	assert_hash(out,
	    "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad");
}

static void
hash_mac_may_write_over_its_key_and_its_message(void **state)
{
	uint8_t a[HASH_LEN] = {1}, b[HASH_LEN] = {2}, want[HASH_LEN];

	(void)state;
	assert_int_equal(hash_mac(want, a, HASH_LEN, b, HASH_LEN), 0);
	assert_int_equal(hash_mac(b, a, HASH_LEN, b, HASH_LEN), 0);
	assert_memory_equal(b, want, HASH_LEN);
	memset(b, 0, sizeof(b));
	b[0] = 2;
	assert_int_equal(hash_mac(a, a, HASH_LEN, b, HASH_LEN), 0);
	assert_memory_equal(a, want, HASH_LEN);
}

static void
hash_mac_refuses_a_key_that_the_library_cannot_count(void **state)
{
	uint8_t out[HASH_LEN] = {7};

	(void)state;
	assert_int_equal(
	    hash_mac(out, "", (size_t)INT32_MAX + 1, "", 0), ERR_TOOBIG);
	assert_int_equal(out[0], 7);
}

static void
hash_random_fills_exactly_what_is_asked(void **state)
{
	static const size_t sizes[] = {1, 15, 16, 17, 32, 100000};
	uint8_t *a, *b;
	size_t i, n;

	(void)state;
	assert_int_equal(hash_random(NULL, 0), 0);
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		n = sizes[i];
		a = calloc(1, n + 16);
		b = calloc(1, n + 16);
		assert_non_null(a);
		assert_non_null(b);
		assert_int_equal(hash_random(a, n), 0);
		assert_int_equal(hash_random(b, n), 0);
		/* 15 bytes are alike once in 2^120 times. */
		if (n >= 15) {
			assert_memory_not_equal(a, b, 15);
			assert_memory_not_equal(a + n - 15, b + n - 15, 15);
		}
		memset(b, 0, n);
		assert_memory_equal(a + n, b, 16);
		free(a);
		free(b);
	}
}

/* What a thread is to do and how it went. */
struct starved {
	long n; /* allocations that succeed */
	int r;
	unsigned long left; /* error that stayed behind */
};

/* Asks for random bytes in a thread, whose generator must be made first. */
static void *
random_without_memory_cb(void *arg)
{
	struct starved *s = arg;
	uint8_t out[HASH_LEN];

	failing_after(s->n);
	s->r = hash_random(out, sizeof(out));
	failing_after(-1);
	s->left = ERR_peek_error();
	return (NULL);
}

static void
hash_random_says_when_it_has_no_randomness(void **state)
{
	struct starved s;
	pthread_t t;

	(void)state;
	for (s.n = 0, s.r = ERR_INTERNAL; s.r != 0; s.n++) {
		assert_int_equal(
		    pthread_create(&t, NULL, random_without_memory_cb, &s), 0);
		assert_int_equal(pthread_join(t, NULL), 0);
		assert_true(s.r == 0 || s.r == ERR_INTERNAL);
		assert_int_equal(s.left, 0);
	}
	assert_true(s.n > 1);
}

static void
hash_without_memory_writes_nothing(void **state)
{
	uint8_t out[HASH_LEN], want[HASH_LEN], guard[HASH_LEN];
	long n;
	int r;

	(void)state;
	memset(guard, 0x5a, sizeof(guard));
	assert_int_equal(hash_sha256(want, "abc", 3), 0);
	for (n = 0, r = ERR_NOMEM; r != 0; n++) {
		memcpy(out, guard, sizeof(out));
		failing_after(n);
		r = hash_sha256(out, "abc", 3);
		failing_after(-1);
		assert_int_equal(ERR_peek_error(), 0);
		assert_true(r == 0 || r == ERR_NOMEM);
		assert_memory_equal(out, r == 0 ? want : guard, HASH_LEN);
	}
	assert_true(n > 1);
	assert_int_equal(hash_mac(want, "k", 1, "abc", 3), 0);
	for (n = 0, r = ERR_NOMEM; r != 0; n++) {
		memcpy(out, guard, sizeof(out));
		failing_after(n);
		r = hash_mac(out, "k", 1, "abc", 3);
		failing_after(-1);
		assert_int_equal(ERR_peek_error(), 0);
		assert_true(r == 0 || r == ERR_NOMEM);
		assert_memory_equal(out, r == 0 ? want : guard, HASH_LEN);
	}
	assert_true(n > 1);
}

static void
hash_gives_the_game_and_the_order_id_of_the_record(void **state)
{
	const json_t *scheme, *v;
	json_t *root;
	uint8_t out[HASH_LEN];
	size_t i;

	(void)state;
	root = vectors_load(VECTORS_DICE);
	scheme = vectors_get(root, "scheme", JSON_ARRAY);
	assert_int_equal(json_array_size(scheme), 2);
	json_array_foreach(scheme, i, v)
	{
		assert_int_equal(hash_sha256(out, "umpire test game", 16), 0);
		assert_hash(out, vectors_str(v, "game"));
		assert_int_equal(
		    hash_tagged(out, "umpire/order/1", vectors_str(v, "order"),
			strlen(vectors_str(v, "order"))),
		    0);
		assert_hash(out, vectors_str(v, "oid"));
	}
	json_decref(root);
}

static void
hash_gives_the_secret_commitment_of_the_record(void **state)
{
	const json_t *v;
	json_t *root;
	const char *text;
	uint8_t in[32 + 1 + 8 + 32 + 256] = {0}, out[HASH_LEN];
	size_t n;

	(void)state;
	root = vectors_load(VECTORS_DICE);
	v = vectors_get(root, "secret", JSON_OBJECT);
	text = vectors_str(v, "text");
	n = strlen(text);
	assert_true(n <= 256);
	vectors_hex(v, "game", in, 32);
	in[32] = (uint8_t)vectors_unsigned(v, "seat");
	in[39] = (uint8_t)(vectors_unsigned(v, "ask") >> 8);
	in[40] = (uint8_t)vectors_unsigned(v, "ask");
	vectors_hex(v, "salt", in + 41, 32);
	memcpy(in + 73, text, n);
	assert_int_equal(hash_tagged(out, "umpire/secret/1", in, 73 + n), 0);
	assert_hash(out, vectors_str(v, "commit"));
	json_decref(root);
}

static void
hash_gives_the_text_reference_of_the_record(void **state)
{
	const json_t *v;
	json_t *root;
	const char *text;
	uint8_t in[32 + 256], out[HASH_LEN];
	size_t n;

	(void)state;
	root = vectors_load(VECTORS_DICE);
	v = vectors_get(root, "text", JSON_OBJECT);
	text = vectors_str(v, "text");
	n = strlen(text);
	assert_true(n <= 256);
	vectors_hex(v, "salt", in, 32);
	memcpy(in + 32, text, n);
	assert_int_equal(hash_tagged(out, "umpire/text/1", in, 32 + n), 0);
	assert_hash(out, vectors_str(v, "ref"));
	json_decref(root);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(hash_sha256_gives_the_published_digests),
	    cmocka_unit_test(hash_sha256_may_write_over_its_input),
	    cmocka_unit_test(hash_tagged_is_the_hash_of_tag_zero_and_bytes),
	    cmocka_unit_test(hash_tagged_keeps_tag_and_bytes_apart),
	    cmocka_unit_test(hash_parts_does_not_see_where_the_parts_end),
	    cmocka_unit_test(hash_mac_gives_the_published_macs),
	    cmocka_unit_test(hash_mac_takes_an_empty_key_and_an_empty_message),
	    cmocka_unit_test(hash_mac_may_write_over_its_key_and_its_message),
	    cmocka_unit_test(
		hash_mac_refuses_a_key_that_the_library_cannot_count),
	    cmocka_unit_test(hash_random_fills_exactly_what_is_asked),
	    cmocka_unit_test(hash_random_says_when_it_has_no_randomness),
	    cmocka_unit_test(hash_without_memory_writes_nothing),
	    cmocka_unit_test(
		hash_gives_the_game_and_the_order_id_of_the_record),
	    cmocka_unit_test(hash_gives_the_secret_commitment_of_the_record),
	    cmocka_unit_test(hash_gives_the_text_reference_of_the_record),
	};

	if (!failing_install())
		return (1);
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
