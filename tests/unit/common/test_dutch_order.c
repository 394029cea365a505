/* SPDX-License-Identifier: ISC */
/*
 * The order of Article 4 of the Dutch system: all candidates of a bracket are
 * made one after the other, as the article tells it, and the first that goes
 * must be the result.
 */
#include "common/pairing/dutch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/err.h"

#define MOST 12 /* entrants */
#define EXCHANGES_MOST 500

/* The next number of a fixed sequence (xorshift64). */
static uint64_t
next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (*state);
}

/* A first round in which some may not meet. */
struct field {
	struct entrant entrants[MOST];
	struct entrant_apart apart[MOST * MOST];
	struct entrant_field f;
};

/* Makes one of n entrants without points. */
static void
make(struct field *field, size_t n)
{
	size_t i;

	memset(field, 0, sizeof(*field));
	for (i = 0; i < n; i++)
		field->entrants[i].is_here = true;
	field->f = (struct entrant_field){.entrants = field->entrants,
	    .n = n,
	    .rounds_all = 9,
	    .win = 2,
	    .first_side = 1,
	    .apart = field->apart};
}

/* Forbids a pair. */
static void
forbid(struct field *field, int a, int b)
{
	field->apart[field->f.n_apart++] = (struct entrant_apart){a, b};
}

/* True if two may meet. */
static bool
may(const struct field *field, int a, int b)
{
	size_t i;

	for (i = 0; i < field->f.n_apart; i++) {
		if ((field->apart[i].a == a && field->apart[i].b == b) ||
		    (field->apart[i].a == b && field->apart[i].b == a))
			return (false);
	}
	return (true);
}

/* A set of m numbers: which k are in S1; bit i is number i + 1. */
struct exchange {
	unsigned high;
	int n, difference; /* 4.3.2.1, 4.3.2.2 */
	unsigned to_low, to_high; /* who changed */
};

/* 4.3.2: the order of exchanges. */
static int
compare_exchanges(const void *x, const void *y)
{
	const struct exchange *a = x, *b = y;
	unsigned bit, differ;

	if (a->n != b->n)
		return (a->n - b->n);
	if (a->difference != b->difference)
		return (a->difference - b->difference);
	if ((differ = a->to_low ^ b->to_low) != 0) {
		for (bit = 1U << 31; (differ & bit) == 0;)
			bit >>= 1;
		return ((a->to_low & bit) != 0 ? -1 : 1);
	}
	differ = a->to_high ^ b->to_high;
	if (differ == 0)
		return (0);
	bit = differ & -differ;
	return ((a->to_high & bit) != 0 ? -1 : 1);
}

/* Lists the exchanges of m numbers, of which k are in S1; returns how many. */
static size_t
exchanges(int m, int k, struct exchange *list)
{
	unsigned high, original;
	struct exchange *e;
	size_t n = 0;
	int i;

	original = (1U << k) - 1;
	for (high = 0; high < 1U << m; high++) {
		if (__builtin_popcount(high) != k)
			continue;
		assert_true(n < EXCHANGES_MOST);
		e = &list[n++];
		memset(e, 0, sizeof(*e));
		e->high = high;
		e->to_low = original & ~high;
		e->to_high = high & ~original;
		e->n = __builtin_popcount(e->to_low);
		for (i = 0; i < m; i++) {
			if ((e->to_high >> i & 1) != 0)
				e->difference += i + 1;
			if ((e->to_low >> i & 1) != 0)
				e->difference -= i + 1;
		}
	}
	qsort(list, n, sizeof(*list), compare_exchanges);
	return (n);
}

/*
 * 4.2: the next choice of k of n, in order of their first k numbers; false: it
 * was the last.  at[i] is a place of S2.
 */
static bool
transpose(int *at, int k, int n)
{
	bool used[MOST] = {false};
	int i, j;

	for (i = 0; i < k; i++)
		used[at[i]] = true;
	for (i = k - 1; i >= 0; i--) {
		used[at[i]] = false;
		for (j = at[i] + 1; j < n && used[j]; j++)
			continue;
		if (j < n) {
			at[i] = j;
			used[j] = true;
			for (i++; i < k; i++) {
				for (j = 0; used[j]; j++)
					continue;
				at[i] = j;
				used[j] = true;
			}
			return (true);
		}
	}
	return (false);
}

/*
 * The first candidate of a remainder of `who`, k pairs of m: fills mates; false
 * if none goes.
 */
static bool
first_of(const struct field *field, const int *who, int m, int k, int *mates)
{
	struct exchange list[EXCHANGES_MOST];
	int at[MOST], high[MOST], i, low[MOST], n_high, n_low;
	size_t e, n;

	n = exchanges(m, k, list);
	for (e = 0; e < n; e++) {
		for (i = n_high = n_low = 0; i < m; i++) {
			if ((list[e].high >> i & 1) != 0)
				high[n_high++] = who[i];
			else
				low[n_low++] = who[i];
		}
		for (i = 0; i < k; i++)
			at[i] = i;
		do {
			for (i = 0; i < k; i++) {
				if (!may(field, high[i], low[at[i]]))
					break;
			}
			if (i < k)
				continue;
			for (i = 0; i < m; i++)
				mates[who[i]] = -1;
			for (i = 0; i < k; i++) {
				mates[high[i]] = low[at[i]];
				mates[low[at[i]]] = high[i];
			}
			return (true);
		} while (transpose(at, k, n_low));
	}
	return (false);
}

/*
 * The first candidate of a bracket of m whose first n_down came from above, of
 * which m1 are paired, and k pairs in the remainder: 3.3.3, 3.7.
 */
static bool
first_below(
    const struct field *field, int n_down, int m, int m1, int k, int *mates)
{
	int at[MOST], i, j, n, residents[MOST], s1[MOST];
	bool used[MOST];
	unsigned set;

	/* Sets in the order of their smallest differing number (4.4.2). */
	for (set = 1U << n_down; set-- > 0;) {
		if (__builtin_popcount(set) != m1)
			continue;
		for (i = n = 0; i < n_down; i++) {
			if ((set >> (n_down - 1 - i) & 1) != 0)
				s1[n++] = i;
		}
		for (i = 0; i < m1; i++)
			at[i] = i;
		do {
			memset(used, 0, sizeof(used));
			for (i = 0; i < m1; i++) {
				if (!may(field, s1[i], n_down + at[i]))
					break;
				used[n_down + at[i]] = true;
			}
			if (i < m1)
				continue;
			for (i = n_down, n = 0; i < m; i++) {
				if (!used[i])
					residents[n++] = i;
			}
			if (!first_of(field, residents, n, k, mates))
				continue;
			for (j = 0; j < n_down; j++)
				mates[j] = -1;
			for (i = 0; i < m1; i++) {
				mates[s1[i]] = n_down + at[i];
				mates[n_down + at[i]] = s1[i];
			}
			return (true);
		} while (transpose(at, m1, m - n_down));
	}
	return (false);
}

/* Holds a round against mates; at most one has none. */
static void
same(const struct field *field, const struct dutch_round *round,
    const int *mates)
{
	size_t i, n = 0;

	for (i = 0; i < round->n_tables; i++)
		assert_int_equal(mates[round->tables[i].a], round->tables[i].b);
	for (i = 0; i < field->f.n; i++) {
		n += mates[i] >= 0;
		if (mates[i] < 0)
			assert_int_equal(round->bye, i);
	}
	assert_int_equal(n, 2 * round->n_tables);
}

static void
transpositions_are_those_of_the_text(void **state)
{
	int at[5] = {0, 1, 2, 3, 4}, n = 1, two[2] = {0, 1};

	(void)state;
	/* 4.2.2: 11 players, numbers 6 to 11 in S2: places 0 to 5. */
	assert_true(transpose(at, 5, 6));
	assert_memory_equal(at, ((int[]){0, 1, 2, 3, 5}), sizeof(at));
	assert_true(transpose(at, 5, 6));
	assert_memory_equal(at, ((int[]){0, 1, 2, 4, 3}), sizeof(at));
	for (n = 3; transpose(at, 5, 6); n++) {
		if (n == 119)
			assert_memory_equal(
			    at, ((int[]){0, 5, 4, 3, 2}), sizeof(at));
		if (n == 120)
			assert_memory_equal(
			    at, ((int[]){1, 0, 2, 3, 4}), sizeof(at));
	}
	assert_int_equal(n, 720);
	assert_memory_equal(at, ((int[]){5, 4, 3, 2, 1}), sizeof(at));
	/* Two from above, numbers 3 to 11: 72, from 3-4 to 11-10. */
	for (n = 1; transpose(two, 2, 9); n++) {
		if (n == 8)
			assert_memory_equal(two, ((int[]){1, 0}), sizeof(two));
	}
	assert_int_equal(n, 72);
	assert_memory_equal(two, ((int[]){8, 7}), sizeof(two));
}

/* Which place an exchange has among those of 11 players. */
static size_t
place(const struct exchange *list, size_t n, unsigned to_low, unsigned to_high)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (list[i].to_low == to_low && list[i].to_high == to_high)
			return (i);
	}
	fail_msg("no such exchange");
	return (0);
}

#define B(x) (1U << ((x)-1))

static void
exchanges_are_in_the_order_of_the_text(void **state)
{
	static struct exchange list[EXCHANGES_MOST];
	size_t n;

	(void)state;
	n = exchanges(11, 5, list);
	assert_int_equal(n, 462);
	assert_int_equal(place(list, n, 0, 0), 0);
	/* 4.3.2: exchanging 6 with 4 is better than 8 with 5, and so on. */
	assert_true(place(list, n, B(4), B(6)) < place(list, n, B(5), B(8)));
	assert_true(place(list, n, B(4) | B(3), B(8) | B(6)) <
	    place(list, n, B(5) | B(4), B(9) | B(8)));
	assert_true(place(list, n, B(5), B(11)) <
	    place(list, n, B(5) | B(4), B(6) | B(7)));
	assert_true(place(list, n, B(5), B(7)) < place(list, n, B(4), B(6)));
	assert_true(place(list, n, B(5) | B(2), B(6) | B(7)) <
	    place(list, n, B(4) | B(3), B(6) | B(7)));
	assert_true(place(list, n, B(5) | B(4) | B(1), B(6) | B(7) | B(8)) <
	    place(list, n, B(5) | B(3) | B(2), B(6) | B(7) | B(8)));
	assert_true(place(list, n, B(5) | B(4), B(6) | B(9)) <
	    place(list, n, B(5) | B(4), B(7) | B(8)));
	assert_true(place(list, n, B(5) | B(4) | B(3), B(6) | B(7) | B(10)) <
	    place(list, n, B(5) | B(4) | B(3), B(6) | B(8) | B(9)));
}

static void
a_bracket_has_the_first_candidate_that_goes(void **state)
{
	int i, k, m, mates[MOST], r, tried = 0, who[MOST];
	uint64_t seed = 1815;
	struct dutch_round round;
	struct field field;

	(void)state;
	for (i = 0; i < MOST; i++)
		who[i] = i;
	for (i = 0; i < 400; i++) {
		m = 2 + (int)(next(&seed) % 7);
		make(&field, (size_t)m);
		for (k = (int)(next(&seed) % (unsigned)(m * m / 2)); k > 0; k--)
			forbid(&field, (int)(next(&seed) % (unsigned)m),
			    (int)(next(&seed) % (unsigned)m));
		r = dutch_pair(&field.f, NULL, &round);
		if (!first_of(&field, who, m, m / 2, mates)) {
			assert_int_equal(r, ERR_NOTFOUND);
			continue;
		}
		assert_int_equal(r, 0);
		same(&field, &round, mates);
		dutch_clear(&round);
		tried++;
	}
	assert_true(tried > 200 && tried < 400);
}

static void
those_from_above_go_first(void **state)
{
	int a, b, i, k, m, m1, mates[MOST], n_down, r, tried = 0;
	uint64_t seed = 1809;
	struct dutch_round round;
	struct field field;

	(void)state;
	for (i = 0; i < 600; i++) {
		/* Those on top may not meet each other: they all go down. */
		n_down = 1 + (int)(next(&seed) % 3);
		m = n_down + 1 + (int)(next(&seed) % 6);
		make(&field, (size_t)m);
		for (a = 0; a < n_down; a++) {
			field.entrants[a].score = 2;
			for (b = 0; b < a; b++)
				forbid(&field, a, b);
		}
		for (k = (int)(next(&seed) % (unsigned)(2 * m)); k > 0; k--)
			forbid(&field, (int)(next(&seed) % (unsigned)m),
			    (int)(next(&seed) % (unsigned)m));
		/* C5: the bye is for somebody below if that goes. */
		m1 = n_down;
		r = dutch_pair(&field.f, NULL, &round);
		if (m - 2 * m1 < 0 ||
		    !first_below(
			&field, n_down, m, m1, (m - 2 * m1) / 2, mates)) {
			if (r == 0)
				dutch_clear(&round);
			continue;
		}
		assert_int_equal(r, 0);
		same(&field, &round, mates);
		dutch_clear(&round);
		tried++;
	}
	assert_true(tried > 200);
}

static void
of_those_who_cannot_all_be_paired_the_highest_are(void **state)
{
	int a, b, mates[MOST], r;
	struct dutch_round round;
	struct field field;

	(void)state;
	/* Three on top, who cannot meet, two below: one more goes on. */
	make(&field, 5);
	for (a = 0; a < 3; a++) {
		field.entrants[a].score = 2;
		for (b = 0; b < a; b++)
			forbid(&field, a, b);
	}
	r = dutch_pair(&field.f, NULL, &round);
	assert_int_equal(r, 0);
	assert_true(first_below(&field, 3, 5, 2, 0, mates));
	same(&field, &round, mates);
	assert_int_equal(round.bye, 2);
	dutch_clear(&round);
	/* The next set, once the first cannot meet anybody. */
	forbid(&field, 0, 3);
	forbid(&field, 0, 4);
	r = dutch_pair(&field.f, NULL, &round);
	assert_int_equal(r, 0);
	assert_true(first_below(&field, 3, 5, 2, 0, mates));
	same(&field, &round, mates);
	assert_int_equal(round.bye, 0);
	dutch_clear(&round);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(transpositions_are_those_of_the_text),
	    cmocka_unit_test(exchanges_are_in_the_order_of_the_text),
	    cmocka_unit_test(a_bracket_has_the_first_candidate_that_goes),
	    cmocka_unit_test(those_from_above_go_first),
	    cmocka_unit_test(of_those_who_cannot_all_be_paired_the_highest_are),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
