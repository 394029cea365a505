/* SPDX-License-Identifier: ISC */
/* The table of what io threads know of games: what is in, and how much. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <pthread.h>

#include "server/ledger/precompute_cache.h"

#define GAMES 4 /* that the table holds */
#define THREADS 4
#define TURNS 2000

/* A game whose bytes all come of a number. */
static struct game_ahead
game(unsigned n)
{
	struct game_ahead a;

	memset(&a, 0, sizeof(a));
	memset(a.game, (int)n, HASH_LEN);
	a.game[HASH_LEN - 1] = (uint8_t)(n >> 8);
	memset(a.pool, (int)n + 1, HASH_LEN);
	a.epoch = (int)n;
	return (a);
}

static void
a_game_is_found_as_it_was_put_last(void **state)
{
	struct game_ahead a = game(1), b;
	struct precompute_cache *p;
	uint32_t dry;

	(void)state;
	assert_int_equal(precompute_cache_new(GAMES, &p), 0);
	assert_false(precompute_cache_find(p, a.game, &b, &dry));
	precompute_cache_put(p, &a);
	assert_true(precompute_cache_find(p, a.game, &b, &dry));
	assert_memory_equal(&a, &b, sizeof(a));
	a.epoch = 77;
	precompute_cache_put(p, &a);
	assert_int_equal(precompute_cache_count(p), 1);
	assert_true(precompute_cache_find(p, a.game, &b, &dry));
	assert_int_equal(b.epoch, 77);
	/* One byte of the id is another game, in the same bucket too. */
	a.game[HASH_LEN - 1] ^= 1;
	assert_false(precompute_cache_find(p, a.game, &b, &dry));
	precompute_cache_drop(p, a.game);
	assert_int_equal(precompute_cache_count(p), 1);
	a.game[HASH_LEN - 1] ^= 1;
	precompute_cache_drop(p, a.game);
	assert_int_equal(precompute_cache_count(p), 0);
	assert_false(precompute_cache_find(p, a.game, &b, &dry));
	precompute_cache_put(p, &a);
	precompute_cache_free(p);
	precompute_cache_free(NULL);
}

static void
it_is_kept_which_kinds_drew_no_dice(void **state)
{
	struct game_ahead a = game(1), b;
	struct precompute_cache *p;
	uint32_t dry = 99;

	(void)state;
	assert_int_equal(precompute_cache_new(GAMES, &p), 0);
	precompute_cache_note(
	    p, a.game, ORDER_DECIDE, false); /* it is not in */
	precompute_cache_put(p, &a);
	assert_true(precompute_cache_find(p, a.game, &b, &dry));
	assert_int_equal(dry, 0);
	precompute_cache_note(p, a.game, ORDER_DECIDE, false);
	precompute_cache_note(p, a.game, ORDER_FREE, true);
	precompute_cache_put(p, &a);
	assert_true(precompute_cache_find(p, a.game, &b, &dry));
	assert_int_equal(dry, 1 << ORDER_DECIDE);
	precompute_cache_note(p, a.game, ORDER_DECIDE, true);
	assert_true(precompute_cache_find(p, a.game, &b, &dry));
	assert_int_equal(dry, 0);
	precompute_cache_free(p);
}

static void
the_game_used_longest_ago_makes_way(void **state)
{
	struct game_ahead a, b;
	struct precompute_cache *p;
	uint32_t dry;
	unsigned n;

	(void)state;
	assert_int_equal(precompute_cache_new(GAMES, &p), 0);
	for (n = 0; n < GAMES; n++) {
		a = game(n);
		precompute_cache_put(p, &a);
	}
	/* Number 0 was looked at since, and number 1 was put again. */
	a = game(0);
	assert_true(precompute_cache_find(p, a.game, &b, &dry));
	a = game(1);
	precompute_cache_put(p, &a);
	for (n = GAMES; n < GAMES + 2; n++) {
		a = game(n);
		precompute_cache_put(p, &a);
		assert_int_equal(precompute_cache_count(p), GAMES);
	}
	for (n = 0; n < GAMES + 2; n++) {
		a = game(n);
		assert_int_equal(
		    precompute_cache_find(p, a.game, &b, &dry), n < 2 || n > 3);
	}
	for (n = 0; n < 1000; n++) {
		a = game(n);
		precompute_cache_put(p, &a);
	}
	assert_int_equal(precompute_cache_count(p), GAMES);
	precompute_cache_free(p);
	/* A table of no games holds none. */
	assert_int_equal(precompute_cache_new(0, &p), 0);
	precompute_cache_put(p, &a);
	assert_int_equal(precompute_cache_count(p), 0);
	assert_false(precompute_cache_find(p, a.game, &b, &dry));
	precompute_cache_free(p);
}

static void *
thread_cb(void *arg)
{
	struct precompute_cache *p = arg;
	struct game_ahead a, b;
	uint32_t dry;
	unsigned i;

	for (i = 0; i < TURNS; i++) {
		a = game(i % (GAMES + 3));
		if (i % 5 == 0)
			precompute_cache_put(p, &a);
		else if (i % 97 == 0)
			precompute_cache_drop(p, a.game);
		else if (precompute_cache_find(p, a.game, &b, &dry) &&
		    memcmp(&a, &b, sizeof(a)) != 0)
			return (arg);
	}
	return (NULL);
}

static void
threads_find_whole_games(void **state)
{
	pthread_t threads[THREADS];
	struct precompute_cache *p;
	void *bad;
	int i;

	(void)state;
	assert_int_equal(precompute_cache_new(GAMES, &p), 0);
	for (i = 0; i < THREADS; i++)
		assert_int_equal(
		    pthread_create(&threads[i], NULL, thread_cb, p), 0);
	for (i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(threads[i], &bad), 0);
		assert_null(bad);
	}
	assert_true(precompute_cache_count(p) <= GAMES);
	precompute_cache_free(p);
}

static void
the_whole_table_stays_within_what_is_said_of_it(void **state)
{
	(void)state;
	assert_true(sizeof(struct game_ahead) < 2048);
	assert_true(PRECOMPUTE_CACHE_GAMES * sizeof(struct game_ahead) <
	    2 * 1024 * 1024);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_game_is_found_as_it_was_put_last),
	    cmocka_unit_test(it_is_kept_which_kinds_drew_no_dice),
	    cmocka_unit_test(the_game_used_longest_ago_makes_way),
	    cmocka_unit_test(threads_find_whole_games),
	    cmocka_unit_test(the_whole_table_stays_within_what_is_said_of_it),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
