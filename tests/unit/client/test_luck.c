/* SPDX-License-Identifier: ISC */
/*
 * The dice of played records, counted by hand, and what is printed of them.
 * tests/oracle/luck.py counts more of them a second time.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/cmd/luck_text.h"
#include "client/replica/recordfile.h"
#include "client/report/luck.h"

#define LONG_NAME \
	"An Army With a Name of Sixty-Four Bytes, Which Is the Most Here."

/* Counts a played record. */
static struct luck *
played(const char *system)
{
	struct luck *l;
	struct recordfile *pa;
	char *path;

	path =
	    xalloc_printf("%s/tests/rules/%s/played.jsonl", TOP_SRCDIR, system);
	assert_int_equal(recordfile_open(path, &pa), 0);
	assert_int_equal(recordfile_status(pa), 0);
	l = luck_new(pa->b);
	recordfile_close(pa);
	free(path);
	return (l);
}

/* Checks the dice of a side: how many, and their sum. */
static void
dice_are(const struct luck *l, const char *what, unsigned sides, int side,
    uint64_t n, uint64_t sum)
{
	const struct luck_kind *k;
	size_t i;

	for (i = 0; i < l->n_kinds; i++) {
		k = &l->kinds[i];
		if (strcmp(k->what, what) != 0 || k->sides != sides)
			continue;
		if (k->stats[side].n != n || k->stats[side].sum != sum)
			fail_msg("%s of side %d: %d dice, sum %d", what, side,
			    (int)k->stats[side].n, (int)k->stats[side].sum);
		return;
	}
	fail_msg("no %s d%u", what, sides);
}

/* What is printed of a count; free(). */
static char *
printed(const struct luck *l, const char *one, const char *two)
{
	char *names[LUCK_SIDES] = {
	    xalloc_str("director"), xalloc_str(one), xalloc_str(two)};
	struct out o = {.width = OUT_WIDTH};
	char *text = NULL;
	size_t i, len;

	o.f = open_memstream(&text, &len);
	assert_non_null(o.f);
	luck_print(&o, l, names);
	(void)fclose(o.f);
	for (i = 0; i < LUCK_SIDES; i++)
		free(names[i]);
	return (text);
}

/*
 * Checks that no line of a text in ASCII is too wide, and makes one line of
 * all.
 */
static void
fits(char *text)
{
	size_t n;

	if (getenv("UMPIRE_SHOW") != NULL)
		(void)fputs(text, stderr);
	for (; *text != '\0'; text += n + 1) {
		n = strcspn(text, "\n");
		if (n > OUT_WIDTH)
			fail_msg("%zu columns: %.*s", n, (int)n, text);
		if (text[n] == '\n')
			text[n] = ' ';
		else
			break;
	}
}

static void
units_and_sides_own_their_dice(void **state)
{
	struct luck *l = played("lasalle2");

	(void)state;
	assert_int_equal(l->n_kinds, 3);
	assert_string_equal(l->kinds[0].what, "score");
	assert_string_equal(l->kinds[2].what, "retiring guns");
	dice_are(l, "score", 6, 1, 14, 47);
	dice_are(l, "score", 6, 2, 12, 40);
	dice_are(l, "re-roll", 6, 1, 0, 0);
	dice_are(l, "re-roll", 6, 2, 1, 1);
	/* The battery is the defender's, the two dice are the attacker's. */
	dice_are(l, "retiring guns", 6, 1, 1, 1);
	dice_are(l, "retiring guns", 6, 2, 2, 8);
	assert_int_equal(l->n, 30);
	assert_int_equal(l->n_draws, 0);
	assert_int_equal(l->all[1].n, 15);
	assert_true(fabs(l->all[1].pips + 4.5) < 1e-9);
	assert_true(fabs(l->all[2].pips + 3.5) < 1e-9);
	assert_true(fabs(l->all[1].variance - 15 * 35.0 / 12) < 1e-9);
	assert_true(l->p_between < 0);
	assert_int_equal(l->tests, 0);
	luck_free(l);
}

static void
a_roll_without_a_side_is_whose_score_it_makes(void **state)
{
	struct luck *l = played("invasion-1812");

	(void)state;
	dice_are(l, "combat", 6, 1, 7, 24);
	dice_are(l, "combat", 6, 2, 7, 23);
	/* The loser rolls for the hits on the winner. */
	dice_are(l, "hits on winner", 6, 1, 6, 31);
	dice_are(l, "hits on winner", 6, 2, 1, 2);
	/* Commanders are of the rosters, too. */
	dice_are(l, "commander", 6, 1, 1, 1);
	dice_are(l, "commander", 6, 2, 1, 4);
	luck_free(l);
}

static void
upkeep_and_chits_are_counted_apart(void **state)
{
	struct luck *l = played("imagi-nations");
	const struct luck_draw *d = &l->draws[0];

	(void)state;
	dice_are(l, "combat die roll", 20, 1, 10, 87);
	dice_are(l, "combat die roll", 20, 2, 10, 125);
	dice_are(l, "rest", 3, 1, 3, 4);
	dice_are(l, "rally/recover", 6, 1, 1, 5);
	assert_int_equal(l->kinds[l->n_kinds - 1].what_for, LUCK_UPKEEP);
	assert_int_equal(l->n_draws, 1);
	assert_false(d->is_cup);
	assert_string_equal(d->what, "chits");
	assert_int_equal(d->draws, 10);
	assert_int_equal(d->chits, 44);
	assert_int_equal(d->bag_least, 40);
	assert_int_equal(d->bag_most, 40);
	assert_true(fabs(d->expected - 44 / 40.0) < 1e-9);
	assert_int_equal(json_integer_value(json_object_get(d->ids, "c11")), 2);
	assert_int_equal(json_object_size(d->ids), 25);
	luck_free(l);
}

static void
few_dice_are_called_few(void **state)
{
	struct luck *l = played("leniston-2009");
	char *text;

	(void)state;
	text = printed(l, "Prussians", "French");
	fits(text);
	assert_non_null(strstr(text, "too few to tell"));
	/* Nothing is judged, so nothing that judges stands in the table. */
	assert_null(strstr(text, "CHI2"));
	assert_null(strstr(text, "odd"));
	free(text);
	luck_free(l);
}

/* Adds a kind to a count; each face of each side fell so often. */
static void
add(struct luck *l, const char *what, enum luck_for what_for, unsigned sides,
    uint64_t times)
{
	struct luck_kind *k = &l->kinds[l->n_kinds++];
	unsigned i;
	int side;

	k->what = xalloc_str(what);
	k->what_for = what_for;
	k->sides = sides;
	for (side = 0; side < LUCK_SIDES; side++) {
		k->faces[side] = xalloc(sides * sizeof(*k->faces[side]));
		for (i = 0; side > 0 && i < sides; i++)
			k->faces[side][i] = times;
		stats_dice(k->faces[side], sides, &k->stats[side]);
		l->tests += k->stats[side].is_judged ? 2 : 0;
	}
}

static void
the_widest_table_fits(void **state)
{
	struct luck *l = xalloc(sizeof(*l));
	char *text;

	(void)state;
	l->kinds = xalloc(6 * sizeof(*l->kinds));
	l->p_least = 1;
	l->p_between = 0.62;
	add(l, "combat die roll", LUCK_COMBAT, 1000, 99);
	add(l, "hits on winner", LUCK_COMBAT, 6, 9000);
	add(l, "retiring guns", LUCK_COMBAT, 6, 5);
	add(l, "bombardment", LUCK_COMBAT, 6, 1);
	add(l, "rest", LUCK_UPKEEP, 3, 30);
	add(l, "free roll", LUCK_FREE, 1000, 99);
	l->all[1].n = l->all[2].n = 153060;
	l->all[1].pips = 1234567;
	l->all[1].deviates = 7;
	l->all[1].variance = 1e9;
	l->taken_back = 7;
	text = printed(l, LONG_NAME, LONG_NAME);
	fits(text);
	assert_non_null(strstr(text, "combat die roll d1000"));
	assert_non_null(strstr(text, " 500.50 "));
	assert_non_null(strstr(text, "in 62 of 100 games"));
	assert_non_null(strstr(text, "it may well be chance"));
	assert_non_null(strstr(text, "20 chances at once"));
	assert_non_null(strstr(text, "none is"));
	assert_non_null(strstr(text, "taken back later"));
	assert_non_null(strstr(text, "A free roll counts"));
	free(text);
	luck_free(l);
}

static void
uneven_dice_are_named(void **state)
{
	struct luck *l = xalloc(sizeof(*l));
	char *text;

	(void)state;
	l->kinds = xalloc(2 * sizeof(*l->kinds));
	add(l, "score", LUCK_COMBAT, 6, 5);
	add(l, "shock", LUCK_COMBAT, 6, 5);
	l->kinds[1].faces[2][5] = 40;
	stats_dice(l->kinds[1].faces[2], 6, &l->kinds[1].stats[2]);
	l->p_least =
	    fmin(l->kinds[1].stats[2].p_faces, l->kinds[1].stats[2].p_mean);
	l->p_between = 0.004;
	l->all[1].n = l->all[2].n = 60;
	l->all[2].deviates = 20;
	l->all[2].pips = 35;
	text = printed(l, "French", "Russians");
	fits(text);
	assert_non_null(strstr(text, "Die for die Russians rolled higher"));
	assert_non_null(strstr(text, "in 4 of 1000 games"));
	assert_non_null(strstr(text, "that is rare"));
	assert_non_null(strstr(text, "the dice of Russians for shock d6"));
	assert_non_null(strstr(text, "fewer than 1 of 1000"));
	assert_non_null(
	    strstr(text, "one is, but so it is in 1 fair game of 20"));
	assert_non_null(strstr(text, "<.001"));
	free(text);
	luck_free(l);
}

static void
no_dice_are_said_to_be_none(void **state)
{
	struct luck *l = xalloc(sizeof(*l));
	char *text = printed(l, "a", "b");

	(void)state;
	assert_non_null(strstr(text, "no dice have fallen"));
	free(text);
	luck_free(l);
}

static void
chances_are_told_in_words(void **state)
{
	static const struct {
		double p;
		const char *words;
	} table[] = {
	    {0, "fewer than 1 of 1000"},
	    {0.0004, "fewer than 1 of 1000"},
	    {0.0005, "fewer than 1 of 1000"},
	    {0.0006, "1 of 1000"},
	    {0.0094, "9 of 1000"},
	    {0.01, "1 of 100"},
	    {0.414, "41 of 100"},
	    {0.9949, "99 of 100"},
	    {0.995, "nearly all"},
	    {1, "nearly all"},
	};
	size_t i;
	char *s;

	(void)state;
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		s = luck_words(table[i].p);
		assert_string_equal(s, table[i].words);
		free(s);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(units_and_sides_own_their_dice),
	    cmocka_unit_test(a_roll_without_a_side_is_whose_score_it_makes),
	    cmocka_unit_test(upkeep_and_chits_are_counted_apart),
	    cmocka_unit_test(few_dice_are_called_few),
	    cmocka_unit_test(the_widest_table_fits),
	    cmocka_unit_test(uneven_dice_are_named),
	    cmocka_unit_test(no_dice_are_said_to_be_none),
	    cmocka_unit_test(chances_are_told_in_words),
	};

	/* Tables are laid out by the locale; what is wanted is ASCII. */
	(void)setenv("LC_ALL", "C", 1);
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
