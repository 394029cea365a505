/* SPDX-License-Identifier: ISC */
/* Berger tables: the published ones, and what makes them good for all sizes. */
#include "common/pairing/berger.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#define MOST 40 /* players */

/* True if the pairs have that one. */
static bool
has(const struct berger_pair *pairs, size_t n, const json_t *pair)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (pairs[i].side[0] ==
			(int)json_integer_value(json_array_get(pair, 0)) &&
		    pairs[i].side[1] ==
			(int)json_integer_value(json_array_get(pair, 1)))
			return (true);
	return (false);
}

static void
tables_are_the_published_ones(void **state)
{
	struct berger_pair pairs[MOST];
	json_t *all, *pair, *round, *table;
	size_t i, k, n;
	const char *name;
	int rests, tables = 0;

	(void)state;
	all = json_load_file(TOP_SRCDIR "/tests/pairing/berger.json", 0, NULL);
	assert_non_null(all);
	json_object_foreach(all, name, table)
	{
		int players = (int)strtol(name, NULL, 10);

		assert_int_equal(
		    berger_rounds(players, 1), json_array_size(table));
		json_array_foreach(table, i, round)
		{
			n = berger_round(players, 1, (int)i + 1, pairs, &rests);
			assert_int_equal(n, json_array_size(round));
			assert_int_equal(rests, 0);
			json_array_foreach(round, k, pair)
			    assert_true(has(pairs, n, pair));
			tables++;
		}
	}
	assert_true(tables > 100);
	json_decref(all);
}

/* Plays a whole round robin and checks it. */
static void
check(int n, int cycles)
{
	struct berger_pair pairs[MOST];
	int last[MOST + 1] = {0}, met[MOST + 1][MOST + 1] = {{0}}, r, rests;
	int row[MOST + 1] = {0}, first[MOST + 1] = {0}, games[MOST + 1] = {0};
	int rested[MOST + 1] = {0}, side, player, a, b;
	size_t i, k;

	for (r = 1; r <= berger_rounds(n, cycles); r++) {
		k = berger_round(n, cycles, r, pairs, &rests);
		assert_int_equal(k, n / 2);
		assert_int_equal(rests != 0, n % 2);
		rested[rests]++;
		for (i = 0; i < k; i++) {
			met[pairs[i].side[0]][pairs[i].side[1]]++;
			for (side = 1; side <= 2; side++) {
				player = pairs[i].side[side - 1];
				games[player]++;
				first[player] += side == 1;
				row[player] =
				    last[player] == side ? row[player] + 1 : 1;
				assert_in_range(row[player], 1, 2);
				last[player] = side;
			}
		}
	}
	for (a = 1; a <= n; a++) {
		if (n % 2 == 1)
			assert_int_equal(rested[a], cycles);
		assert_int_equal(games[a], (n - 1) * cycles);
		assert_true(abs(2 * first[a] - games[a]) <= 2 - cycles);
		for (b = a + 1; b <= n; b++) {
			assert_int_equal(met[a][b] + met[b][a], cycles);
			if (cycles == 2)
				assert_int_equal(met[a][b], 1);
		}
	}
}

static void
all_meet_all_on_balanced_sides(void **state)
{
	int n;

	(void)state;
	for (n = 2; n <= MOST; n++) {
		check(n, 1);
		check(n, 2);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(tables_are_the_published_ones),
	    cmocka_unit_test(all_meet_all_on_balanced_sides),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
