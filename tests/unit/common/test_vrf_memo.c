/* SPDX-License-Identifier: ISC */
/* Memos of VRF work: used for the very same bytes, and for no others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/err.h"
#include "common/crypt/vrf_memo.h"

/* A key, an input, and what proving gives. */
struct known {
	struct vrf_key k;
	uint8_t alpha[VRF_MEMO_MAX];
	size_t n;
	uint8_t proof[VRF_PROOF_LEN];
	uint8_t beta[VRF_BETA_LEN];
};

static void
known_init(struct known *w, size_t n)
{
	static const uint8_t secret[VRF_SECRET_LEN] = {1, 2, 3};

	memset(w, 0, sizeof(*w));
	assert_int_equal(vrf_key_from_secret(&w->k, secret), 0);
	memset(w->alpha, 0x5a, sizeof(w->alpha));
	w->n = n;
	assert_int_equal(vrf_prove(&w->k, w->alpha, n, w->proof, w->beta), 0);
}

static void
a_memo_gives_what_the_work_gives(void **state)
{
	uint8_t proof[VRF_PROOF_LEN], beta[VRF_BETA_LEN];
	struct vrf_memo m = {.is_set = false};
	struct known w;
	size_t n;

	(void)state;
	for (n = 0; n <= VRF_MEMO_MAX; n += VRF_MEMO_MAX / 2) {
		known_init(&w, n);
		memset(beta, 0, sizeof(beta));
		assert_int_equal(
		    vrf_memo_check(&m, w.k.public_key, w.alpha, n, w.proof), 0);
		assert_true(vrf_memo_find_check(
		    &m, w.k.public_key, w.alpha, n, w.proof, beta));
		assert_memory_equal(beta, w.beta, sizeof(beta));
		memset(beta, 0, sizeof(beta));
		assert_int_equal(vrf_memo_prove(&m, &w.k, w.alpha, n), 0);
		assert_true(vrf_memo_find_proof(
		    &m, w.k.public_key, w.alpha, n, proof, beta));
		assert_memory_equal(beta, w.beta, sizeof(beta));
		assert_memory_equal(proof, w.proof, sizeof(proof));
	}
}

static void
a_memo_is_not_of_other_bytes(void **state)
{
	uint8_t proof[VRF_PROOF_LEN], beta[VRF_BETA_LEN], zeros[VRF_BETA_LEN];
	struct vrf_memo m = {.is_set = false};
	struct known w;
	size_t i;

	(void)state;
	known_init(&w, 110);
	assert_int_equal(
	    vrf_memo_check(&m, w.k.public_key, w.alpha, w.n, w.proof), 0);
	memset(beta, 0, sizeof(beta));
	memset(zeros, 0, sizeof(zeros));
	for (i = 0; i < 8 * VRF_KEY_LEN; i++) {
		w.k.public_key[i / 8] ^= (uint8_t)(1 << i % 8);
		assert_false(vrf_memo_find_check(
		    &m, w.k.public_key, w.alpha, w.n, w.proof, beta));
		assert_false(vrf_memo_find_proof(
		    &m, w.k.public_key, w.alpha, w.n, proof, beta));
		w.k.public_key[i / 8] ^= (uint8_t)(1 << i % 8);
	}
	for (i = 0; i < 8 * w.n; i++) {
		w.alpha[i / 8] ^= (uint8_t)(1 << i % 8);
		assert_false(vrf_memo_find_check(
		    &m, w.k.public_key, w.alpha, w.n, w.proof, beta));
		assert_false(vrf_memo_find_proof(
		    &m, w.k.public_key, w.alpha, w.n, proof, beta));
		w.alpha[i / 8] ^= (uint8_t)(1 << i % 8);
	}
	for (i = 0; i < 8 * VRF_PROOF_LEN; i++) {
		w.proof[i / 8] ^= (uint8_t)(1 << i % 8);
		assert_false(vrf_memo_find_check(
		    &m, w.k.public_key, w.alpha, w.n, w.proof, beta));
		w.proof[i / 8] ^= (uint8_t)(1 << i % 8);
	}
	assert_false(vrf_memo_find_check(
	    &m, w.k.public_key, w.alpha, w.n - 1, w.proof, beta));
	assert_false(vrf_memo_find_check(
	    &m, w.k.public_key, w.alpha, w.n + 1, w.proof, beta));
	assert_memory_equal(beta, zeros, sizeof(beta));
	assert_true(vrf_memo_find_check(
	    &m, w.k.public_key, w.alpha, w.n, w.proof, beta));
}

static void
a_memo_that_failed_or_was_cleared_is_empty(void **state)
{
	uint8_t beta[VRF_BETA_LEN], proof[VRF_PROOF_LEN];
	const struct vrf_memo zeros = {.is_set = false};
	struct vrf_memo m;
	struct known w;

	(void)state;
	known_init(&w, 40);
	assert_false(vrf_memo_find_check(
	    NULL, w.k.public_key, w.alpha, w.n, w.proof, beta));
	assert_false(vrf_memo_find_proof(
	    NULL, w.k.public_key, w.alpha, w.n, proof, beta));
	memset(&m, 0, sizeof(m));
	assert_false(vrf_memo_find_check(
	    &m, w.k.public_key, w.alpha, w.n, w.proof, beta));
	assert_int_equal(
	    vrf_memo_check(&m, w.k.public_key, w.alpha, w.n, w.proof), 0);
	/* A proof that does not hold takes what was there before along. */
	w.proof[40] ^= 1;
	assert_int_equal(
	    vrf_memo_check(&m, w.k.public_key, w.alpha, w.n, w.proof),
	    ERR_PROOF);
	assert_memory_equal(&m, &zeros, sizeof(m));
	assert_int_equal(vrf_memo_prove(&m, &w.k, w.alpha, w.n), 0);
	assert_int_equal(
	    vrf_memo_prove(&m, &w.k, w.alpha, VRF_MEMO_MAX + 1), ERR_TOOBIG);
	assert_memory_equal(&m, &zeros, sizeof(m));
	assert_int_equal(vrf_memo_check(&m, w.k.public_key, w.alpha,
			     VRF_MEMO_MAX + 1, w.proof),
	    ERR_TOOBIG);
	assert_int_equal(vrf_memo_prove(&m, &w.k, w.alpha, w.n), 0);
	vrf_memo_clear(&m);
	assert_memory_equal(&m, &zeros, sizeof(m));
	/* A key whose halves do not belong together proves nothing. */
	w.k.public_key[5] ^= 1;
	assert_int_not_equal(vrf_memo_prove(&m, &w.k, w.alpha, w.n), 0);
	assert_memory_equal(&m, &zeros, sizeof(m));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_memo_gives_what_the_work_gives),
	    cmocka_unit_test(a_memo_is_not_of_other_bytes),
	    cmocka_unit_test(a_memo_that_failed_or_was_cleared_is_empty),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
