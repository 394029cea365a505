/* SPDX-License-Identifier: ISC */
/* Jobs on threads: each is done once, before whoever needs it goes on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdatomic.h>
#include <stdlib.h>

#include <cmocka.h>

#include "common/base/crew.h"

#define MANY 5000

static atomic_int done[MANY];

static void
job_cb(void *arg, size_t i)
{
	assert_ptr_equal(arg, done);
	atomic_fetch_add(&done[i], 1);
}

static void
reset(void)
{
	size_t i;

	for (i = 0; i < MANY; i++)
		atomic_store(&done[i], 0);
}

/* Needs all jobs, the first one last; each is then done, and once. */
static void
need_all(bool is_parallel)
{
	struct crew *c;
	size_t i;

	reset();
	assert_int_equal(crew_new(MANY, job_cb, done, is_parallel, &c), 0);
	for (i = 1; i <= MANY; i++) {
		crew_need(c, i % MANY);
		assert_int_equal(atomic_load(&done[i % MANY]), 1);
	}
	crew_need(c, 7);
	assert_int_equal(crew_done(c), MANY);
	crew_free(c);
	for (i = 0; i < MANY; i++)
		assert_int_equal(atomic_load(&done[i]), 1);
}

static void
test_parallel(void **state)
{
	(void)state;
	need_all(true);
}

static void
test_alone(void **state)
{
	(void)state;
	need_all(false);
}

/* Alone nothing is done that nobody needs. */
static void
test_lazy(void **state)
{
	struct crew *c;

	(void)state;
	reset();
	assert_int_equal(crew_new(MANY, job_cb, done, false, &c), 0);
	crew_need(c, 3);
	assert_int_equal(crew_done(c), 1);
	assert_int_equal(atomic_load(&done[3]), 1);
	assert_int_equal(atomic_load(&done[2]), 0);
	crew_free(c);
}

/* It can be left at any time, and there may be nothing to do. */
static void
test_left(void **state)
{
	struct crew *c;
	size_t i;
	int k;

	(void)state;
	crew_free(NULL);
	for (k = 0; k < 20; k++) {
		reset();
		assert_int_equal(crew_new(MANY, job_cb, done, true, &c), 0);
		crew_need(c, (size_t)k);
		crew_free(c);
		for (i = 0; i < MANY; i++)
			assert_true(atomic_load(&done[i]) <= 1);
		assert_int_equal(atomic_load(&done[k]), 1);
	}
	assert_int_equal(crew_new(0, job_cb, done, true, &c), 0);
	assert_int_equal(crew_done(c), 0);
	crew_free(c);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_parallel),
	    cmocka_unit_test(test_alone),
	    cmocka_unit_test(test_lazy),
	    cmocka_unit_test(test_left),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
