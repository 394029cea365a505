/* SPDX-License-Identifier: ISC */
/* Checks on threads: they say what the checks say, and leave no thread. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <dirent.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/err.h"
#include "common/crypt/checker.h"

#define MANY 600 /* more than wait at a time */
#define TRIES 10000

/* One message that is signed, and one that is proved. */
struct known {
	struct sign_key sign;
	struct vrf_key dice;
	uint8_t message[4096];
	uint8_t sig[SIGN_LEN];
	uint8_t proof[VRF_PROOF_LEN];
	uint8_t beta[VRF_BETA_LEN];
};

static void
known_init(struct known *w, size_t n)
{
	static const uint8_t secret[VRF_SECRET_LEN] = {1, 2, 3};

	memset(w, 0, sizeof(*w));
	memset(w->message, 0x5a, sizeof(w->message));
	assert_int_equal(sign_key_from_seed(&w->sign, secret), 0);
	assert_int_equal(vrf_key_from_secret(&w->dice, secret), 0);
	assert_int_equal(
	    sign_make(&w->sign, SIGN_TAG_ORDER, w->message, n, w->sig), 0);
	assert_int_equal(
	    vrf_prove(&w->dice, w->message, n, w->proof, w->beta), 0);
}

/* Has both checked. */
static int
known_check(const struct known *w, struct checker *c, size_t n)
{
	uint8_t beta[VRF_BETA_LEN];
	int r;

	r = checker_sign(
	    c, w->sign.public_key, SIGN_TAG_ORDER, w->message, n, w->sig);
	if (r != 0)
		return (r);
	r = checker_vrf(c, w->dice.public_key, w->message, n, w->proof, beta);
	if (r == 0)
		assert_memory_equal(beta, w->beta, sizeof(beta));
	return (r);
}

/* How many threads this program has. */
static int
threads(void)
{
	DIR *d = opendir("/proc/self/task");
	const struct dirent *f;
	int n = 0;

	assert_non_null(d);
	while ((f = readdir(d)) != NULL)
		n += f->d_name[0] != '.';
	assert_int_equal(closedir(d), 0);
	return (n);
}

/*
 * Expects so many threads.  One that was joined can be listed for a moment
 * yet; one that is left would be listed for good.
 */
static void
threads_are(int n)
{
	int i;

	for (i = 0; i < TRIES && threads() != n; i++)
		(void)sched_yield();
	assert_int_equal(threads(), n);
}

/* A checker, or a test that is skipped: there is one CPU. */
static struct checker *
start(void)
{
	struct checker *c;

	assert_int_equal(checker_new(&c), 0);
	if (c == NULL)
		skip();
	return (c);
}

static void
without_threads_it_is_checked_at_once(void **state)
{
	struct known w;

	(void)state;
	known_init(&w, 100);
	assert_int_equal(known_check(&w, NULL, 100), 0);
	w.message[50] ^= 1;
	assert_int_equal(known_check(&w, NULL, 100), ERR_SIGNATURE);
	w.message[50] ^= 1;
	w.proof[60] ^= 1;
	assert_int_equal(known_check(&w, NULL, 100), ERR_PROOF);
}

static void
what_holds_holds_and_no_thread_is_left(void **state)
{
	static const size_t sizes[] = {0, 1, 1000, 2048, 2049, 4096};
	const int before = threads();
	struct checker *c;
	struct known w;
	size_t i;
	int n;

	(void)state;
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		known_init(&w, sizes[i]);
		c = start();
		assert_true(threads() > before);
		for (n = 0; n < (i == 2 ? MANY : 3); n++)
			assert_int_equal(known_check(&w, c, sizes[i]), 0);
		assert_int_equal(checker_end(c), 0);
		threads_are(before);
	}
	c = start();
	assert_int_equal(checker_end(c), 0);
	threads_are(before);
}

static void
one_that_fails_among_many_is_found(void **state)
{
	static const int places[] = {0, 1, MANY / 2, MANY - 1};
	struct checker *c;
	struct known w;
	/* With UMPIRE_SLOW either kind, and all places but one. */
	const int step = getenv("UMPIRE_SLOW") != NULL ? 3 : 1;
	int i, n, what;

	(void)state;
	known_init(&w, 100);
	for (i = 0; i < 8; i += step) {
		what = i % 2;
		c = start();
		for (n = 0; n < MANY; n++) {
			if (n == places[i / 2])
				*(what == 0 ? &w.sig[40] : &w.proof[60]) ^= 1;
			assert_int_equal(known_check(&w, c, 100), 0);
			if (n == places[i / 2])
				*(what == 0 ? &w.sig[40] : &w.proof[60]) ^= 1;
		}
		assert_int_equal(
		    checker_end(c), what == 0 ? ERR_SIGNATURE : ERR_PROOF);
	}
}

/* Counts, in any thread; what it gives is the number that it got. */
struct counted {
	int *count;
	int r;
};

static int
count_cb(void *arg)
{
	const struct counted *c = arg;

	(void)__atomic_add_fetch(c->count, 1, __ATOMIC_SEQ_CST);
	return (c->r);
}

/* Waiting says what has failed since the last time, and it goes on. */
static void
one_may_wait_and_go_on(void **state)
{
	struct counted good, bad;
	struct checker *c;
	struct known w;
	int count = 0, n, turn;

	(void)state;
	good = (struct counted){&count, 0};
	bad = (struct counted){&count, ERR_BUSY};
	known_init(&w, 100);
	assert_int_equal(checker_do(NULL, count_cb, &bad), ERR_BUSY);
	assert_int_equal(checker_wait(NULL), 0);
	assert_int_equal(count, 1);
	c = start();
	assert_int_equal(checker_wait(c), 0);
	for (turn = 0; turn < 3; turn++) {
		count = 0;
		for (n = 0; n < MANY; n++) {
			if (turn == 1 && n == MANY / 2)
				w.sig[40] ^= 1;
			assert_int_equal(
			    checker_sign(c, w.sign.public_key, SIGN_TAG_ORDER,
				w.message, 100, w.sig),
			    0);
			if (turn == 1 && n == MANY / 2)
				w.sig[40] ^= 1;
			assert_int_equal(checker_do(c, count_cb, &good), 0);
		}
		assert_int_equal(
		    checker_wait(c), turn == 1 ? ERR_SIGNATURE : 0);
		assert_int_equal(count, MANY);
	}
	assert_int_equal(checker_do(c, count_cb, &bad), 0);
	assert_int_equal(checker_wait(c), ERR_BUSY);
	assert_int_equal(checker_wait(c), 0);
	assert_int_equal(checker_end(c), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(without_threads_it_is_checked_at_once),
	    cmocka_unit_test(what_holds_holds_and_no_thread_is_left),
	    cmocka_unit_test(one_that_fails_among_many_is_found),
	    cmocka_unit_test(one_may_wait_and_go_on),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
