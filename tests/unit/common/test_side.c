/* SPDX-License-Identifier: ISC */
/* Sides: what games leave somebody to wish (1.6, 1.7), and Article 5. */
#include "common/pairing/side.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MOST 9 /* rounds */

/* Somebody's rounds: "1" and "2" were played on that side, "-" was not. */
struct past {
	struct entrant_round rounds[MOST];
	size_t n;
	struct side_past side;
};

/* Reads them. */
static struct past
past(const char *s)
{
	struct past p;

	memset(&p, 0, sizeof(p));
	for (p.n = 0; s[p.n] != '\0'; p.n++) {
		p.rounds[p.n].opponent = -1;
		p.rounds[p.n].played = s[p.n] != '-';
		p.rounds[p.n].side = s[p.n] == '-' ? 0 : s[p.n] - '0';
	}
	side_read(&p.side, p.rounds, p.n);
	return (p);
}

/* The side of the higher ranked; first side 1. */
static int
side(const char *high, const char *low, int number)
{
	struct past h = past(high), l = past(low);

	assert_int_equal(h.n, l.n);
	return (side_of(&h.side, h.rounds, &l.side, l.rounds, h.n, number, 1));
}

/* Checks what a past leaves to wish. */
static void
wishes(const char *s, enum side_wish wish, int wants)
{
	struct past p = past(s);

	assert_int_equal(p.side.wish, wish);
	assert_int_equal(p.side.wants, wants);
}

static void
games_leave_wishes(void **state)
{
	(void)state;
	wishes("", SIDE_NONE, 0);
	wishes("---", SIDE_NONE, 0);
	wishes("1", SIDE_STRONG, 2);
	wishes("2-", SIDE_STRONG, 1);
	wishes("12", SIDE_MILD, 1);
	wishes("21", SIDE_MILD, 2);
	wishes("122", SIDE_ABSOLUTE, 1);
	wishes("11", SIDE_ABSOLUTE, 2);
	wishes("1211", SIDE_ABSOLUTE, 2);
	/* The last two of those that were played. */
	wishes("2-2", SIDE_ABSOLUTE, 1);
	wishes("11212", SIDE_STRONG, 2);
	/* Twice in a row goes before one more of the other ... */
	wishes("11122", SIDE_ABSOLUTE, 1);
	wishes("1121122", SIDE_ABSOLUTE, 1);
	/* ... and a difference of two before that. */
	wishes("111122", SIDE_ABSOLUTE, 2);
	wishes("2221", SIDE_ABSOLUTE, 1);
}

static void
both_wishes_are_granted(void **state)
{
	(void)state;
	assert_int_equal(side("1", "2", 1), 2);
	assert_int_equal(side("2", "1", 1), 1);
	/* Who has none takes what is left. */
	assert_int_equal(side("-", "1", 2), 1);
	assert_int_equal(side("1", "-", 1), 2);
}

static void
the_stronger_wish_is_granted(void **state)
{
	(void)state;
	assert_int_equal(side("12-", "122", 1), 2);
	assert_int_equal(side("122", "12-", 1), 1);
	assert_int_equal(side("1-", "21", 2), 2);
	assert_int_equal(side("21", "1-", 2), 1);
	/* Both absolute: the wider difference, whoever is higher. */
	assert_int_equal(side("1122211", "1121121", 1), 1);
	assert_int_equal(side("1121121", "1122211", 1), 2);
}

static void
sides_alternate_from_where_they_differed(void **state)
{
	(void)state;
	/* The second last round is the one that tells. */
	assert_int_equal(side("1221", "2121", 1), 1);
	assert_int_equal(side("2121", "1221", 1), 2);
	assert_int_equal(side("1212", "2112", 1), 1);
	/* Rounds without a game are left out, each on its own (C.04.2 3.4). */
	assert_int_equal(side("12-", "-12", 1), 1);
	assert_int_equal(side("1-221", "2121-", 1), 1);
}

static void
the_higher_ranked_is_granted_their_wish(void **state)
{
	(void)state;
	assert_int_equal(side("12", "12", 1), 1);
	assert_int_equal(side("21", "21", 1), 2);
	/* One had fewer games: no round tells. */
	assert_int_equal(side("--1", "121", 1), 2);
	assert_int_equal(side("--2", "-2-", 2), 1);
}

static void
odd_numbers_get_the_first_side(void **state)
{
	struct past none = past("--");

	(void)state;
	assert_int_equal(side("", "", 1), 1);
	assert_int_equal(side("", "", 2), 2);
	assert_int_equal(side("--", "--", 7), 1);
	assert_int_equal(
	    side_of(&none.side, none.rounds, &none.side, none.rounds, 2, 7, 2),
	    2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(games_leave_wishes),
	    cmocka_unit_test(both_wishes_are_granted),
	    cmocka_unit_test(the_stronger_wish_is_granted),
	    cmocka_unit_test(sides_alternate_from_where_they_differed),
	    cmocka_unit_test(the_higher_ranked_is_granted_their_wish),
	    cmocka_unit_test(odd_numbers_get_the_first_side),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
