/* SPDX-License-Identifier: ISC */
/* Who is here: counted by account, from many threads at once. */
#include "server/net/presence.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define THREADS 4
#define ROUNDS 2000

/* Who has left, and how often anybody has. */
struct gone {
	atomic_int n;
	char last[40];
};

static void
left_cb(void *arg, const char *account)
{
	struct gone *gone = arg;

	(void)snprintf(gone->last, sizeof(gone->last), "%s", account);
	atomic_fetch_add(&gone->n, 1);
}

static void
an_account_is_here_until_its_last_connection_ends(void **state)
{
	static const char name[] = "a2345678901234567890123456789012";
	struct gone gone = {.n = 0};
	struct presence *p;

	(void)state;
	assert_int_equal(presence_new(left_cb, &gone, &p), 0);
	assert_false(presence_is_here(p, "ann"));
	assert_int_equal(presence_enter(p, "ann"), 0);
	assert_int_equal(presence_enter(p, "ann"), 0);
	assert_int_equal(presence_enter(p, name), 0);
	assert_true(presence_is_here(p, "ann"));
	assert_true(presence_is_here(p, name));
	assert_false(presence_is_here(p, "an"));
	assert_false(presence_is_here(p, "annn"));
	assert_false(presence_is_here(p, ""));
	presence_leave(p, "ann");
	assert_int_equal(gone.n, 0);
	assert_true(presence_is_here(p, "ann"));
	presence_leave(p, "ann");
	assert_int_equal(gone.n, 1);
	assert_string_equal(gone.last, "ann");
	assert_false(presence_is_here(p, "ann"));
	presence_leave(p, name);
	assert_string_equal(gone.last, name);
	/* Again, as if for the first time. */
	assert_int_equal(presence_enter(p, "ann"), 0);
	assert_true(presence_is_here(p, "ann"));
	presence_leave(p, "ann");
	assert_int_equal(gone.n, 3);
	presence_free(p);
}

static void
nobody_need_want_to_know(void **state)
{
	struct presence *p;
	char name[16];
	int i;

	(void)state;
	assert_int_equal(presence_new(NULL, NULL, &p), 0);
	for (i = 0; i < 100; i++) {
		(void)snprintf(name, sizeof(name), "p%d", i * 7 % 100);
		assert_int_equal(presence_enter(p, name), 0);
	}
	presence_leave(p, "p50");
	assert_false(presence_is_here(p, "p50"));
	/* Those who are still here go with it. */
	presence_free(p);
	presence_free(NULL);
}

/* One thread's comings and goings. */
static void *
crowd_cb(void *arg)
{
	struct presence *p = arg;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		if (presence_enter(p, "ann") != 0 ||
		    presence_enter(p, i % 2 == 0 ? "bob" : "cat") != 0 ||
		    !presence_is_here(p, "ann"))
			return (p);
		presence_leave(p, i % 2 == 0 ? "bob" : "cat");
		presence_leave(p, "ann");
	}
	return (NULL);
}

static void
threads_come_and_go_at_once(void **state)
{
	pthread_t threads[THREADS];
	struct presence *p;
	void *failed;
	int i;

	(void)state;
	assert_int_equal(presence_new(NULL, NULL, &p), 0);
	for (i = 0; i < THREADS; i++)
		assert_int_equal(
		    pthread_create(&threads[i], NULL, crowd_cb, p), 0);
	for (i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(threads[i], &failed), 0);
		assert_null(failed);
	}
	assert_false(presence_is_here(p, "ann"));
	assert_false(presence_is_here(p, "bob"));
	assert_false(presence_is_here(p, "cat"));
	presence_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_account_is_here_until_its_last_connection_ends),
	    cmocka_unit_test(nobody_need_want_to_know),
	    cmocka_unit_test(threads_come_and_go_at_once),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
