/* SPDX-License-Identifier: ISC */
/* Standings: as FIDE's program has them, and what it does not decide. */
#include "common/pairing/standings.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/buf.h"
#include "common/pairing/crosstable.h"
#include "common/pairing/trf.h"

#include "tests/lib/alloc.h"

#define TABLES TOP_SRCDIR "/tests/pairing/ties"
#define COLUMNS 24

/* The tie-breaks in the order of the tables' columns. */
static const enum tiebreak ties[] = {TIEBREAK_DE, TIEBREAK_BH, TIEBREAK_BH_C1,
    TIEBREAK_BH_C2, TIEBREAK_BH_M1, TIEBREAK_SB, TIEBREAK_FB, TIEBREAK_WIN,
    TIEBREAK_WON, TIEBREAK_BPG, TIEBREAK_PS, TIEBREAK_REP};

#define N_TIES (sizeof(ties) / sizeof(ties[0]))

/* Reads a file whole; free(). */
static char *
whole(const char *path, size_t *len)
{
	char *text, chunk[4096];
	struct buf b;
	FILE *f;
	size_t n;

	f = fopen(path, "r");
	if (f == NULL)
		fail_msg("%s is not there", path);
	buf_init(&b, 0);
	while ((n = fread(chunk, 1, sizeof(chunk), f)) > 0)
		buf_add(&b, chunk, n);
	(void)fclose(f);
	text = buf_take(&b, len);
	assert_non_null(text);
	return (text);
}

/* Splits a line in place at tabs; returns how many cells there are. */
static size_t
split(char *line, char *cells[COLUMNS])
{
	size_t n = 0;
	char *cell;

	while ((cell = strsep(&line, "\t")) != NULL) {
		assert_true(n < COLUMNS);
		cells[n++] = cell;
	}
	return (n);
}

/* Expects a cell to be a value of so many parts a unit. */
static void
is(const char *where, const char *cell, int64_t value, int unit)
{
	double d = strtod(cell, NULL) * unit;

	if (d != (double)value)
		fail_msg(
		    "%s: %s, not %lld/%d", where, cell, (long long)value, unit);
}

/* Compares a line of a table with the row of that player. */
static size_t
line(const char *name, char *const headings[], char *const cells[], size_t n,
    const struct trf *t, const struct standing *rows)
{
	const struct standing *s = rows;
	char where[128];
	size_t i, k, values = 0;
	int number = (int)strtol(cells[0], NULL, 10);

	while (t->table->players[s->player].number != number)
		s++;
	for (i = 1; i < n; i++) {
		(void)snprintf(where, sizeof(where), "%s, %s of %d", name,
		    headings[i], number);
		if (strcmp(headings[i], "Rank") == 0)
			is(where, cells[i], s->rank, 1);
		else if (strcmp(headings[i], "PTS") == 0)
			is(where, cells[i], s->points, 2);
		else {
			for (k = 0; k < N_TIES; k++)
				if (strcmp(headings[i],
					tiebreak_def(ties[k])->code) == 0)
					break;
			if (k == N_TIES)
				continue;
			is(where, cells[i], s->value[k],
			    tiebreak_def(ties[k])->unit);
		}
		values++;
	}
	return (values);
}

/* Compares a table; returns how many values it has. */
static size_t
table(const char *name)
{
	char *cells[COLUMNS], *file, *headings[COLUMNS], path[512], *row, *rest;
	struct errinfo e = {.text = ""};
	struct tiebreak_in in = {0};
	struct standing *rows;
	size_t len, n, values = 0;
	struct trf *t;

	(void)snprintf(path, sizeof(path), "%s/tests/pairing/random/%.*s.trf",
	    TOP_SRCDIR, (int)(strlen(name) - 4), name);
	file = whole(path, &len);
	if (trf_read(file, len, &t, &e) != 0)
		fail_msg("%s: %s: %s", path, e.where, e.text);
	free(file);
	in.table = t->table;
	in.rounds = crosstable_paired(t->table);
	rows = calloc(t->table->n_players + 1, sizeof(*rows));
	assert_non_null(rows);
	assert_int_equal(standings_make(&in, ties, N_TIES, NULL, rows, &e), 0);
	(void)snprintf(path, sizeof(path), "%s/%s", TABLES, name);
	rest = file = whole(path, &len);
	n = split(strsep(&rest, "\n"), headings);
	assert_string_equal(headings[0], "StartNo");
	while ((row = strsep(&rest, "\n")) != NULL && *row != '\0') {
		assert_int_equal(split(row, cells), n);
		values += line(name, headings, cells, n, t, rows);
	}
	free(file);
	free(rows);
	trf_free(t);
	return (values);
}

static void
every_value_is_that_of_fides_program(void **state)
{
	size_t files = 0, values = 0;
	const struct dirent *d;
	DIR *dir;

	(void)state;
	dir = opendir(TABLES);
	assert_non_null(dir);
	while ((d = readdir(dir)) != NULL)
		if (strstr(d->d_name, ".tsv") != NULL) {
			values += table(d->d_name);
			files++;
		}
	(void)closedir(dir);
	assert_int_equal(files, 34);
	assert_int_equal(values, 12432);
}

/* Three who are equal by all, and a fourth without points. */
static struct crosstable *
equals(void)
{
	struct crosstable *t = crosstable_new(4, 1);
	size_t i;

	assert_non_null(t);
	for (i = 0; i < 4; i++)
		crosstable_game(t, i, 1)->result =
		    i == 1 ? CROSS_ZERO_BYE : CROSS_BYE;
	return (t);
}

static void
equals_share_a_rank(void **state)
{
	static const enum tiebreak by[] = {TIEBREAK_DE, TIEBREAK_BH};
	static const size_t order[] = {0, 2, 3, 1};
	static const int ranks[] = {1, 1, 1, 4};
	struct tiebreak_in in = {.rounds = 1};
	struct standing rows[4];
	struct crosstable *t;
	struct errinfo e;
	size_t i;

	(void)state;
	in.table = t = equals();
	assert_int_equal(standings_make(&in, by, 2, NULL, rows, &e), 0);
	for (i = 0; i < 4; i++) {
		assert_int_equal(rows[i].player, order[i]);
		assert_int_equal(rows[i].rank, ranks[i]);
		assert_int_equal(rows[i].value[0], 0);
		assert_false(rows[i].is_by_lot);
	}
	crosstable_free(t);
}

static void
lots_part_equals(void **state)
{
	static const size_t lots[] = {3, 0, 1, 2}, order[] = {2, 3, 0, 1};
	struct tiebreak_in in = {.rounds = 1};
	struct standing rows[4];
	struct crosstable *t;
	struct errinfo e;
	size_t i;

	(void)state;
	in.table = t = equals();
	assert_int_equal(standings_make(&in, NULL, 0, lots, rows, &e), 0);
	for (i = 0; i < 4; i++) {
		assert_int_equal(rows[i].player, order[i]);
		assert_int_equal(rows[i].rank, i + 1);
		assert_int_equal(rows[i].is_by_lot, i == 1 || i == 2);
	}
	crosstable_free(t);
}

static void
what_has_no_sense_is_refused(void **state)
{
	static const struct tiebreak_game game = {1, 1, {0, 1}, 5};
	enum tiebreak tie = TIEBREAK_BH;
	struct tiebreak_in in = {.rounds = 1, .is_roundrobin = true};
	struct standing rows[4];
	struct crosstable *t;
	struct errinfo e;

	(void)state;
	in.table = t = equals();
	assert_int_equal(
	    standings_make(&in, &tie, 1, NULL, rows, &e), ERR_ILLEGAL);
	assert_non_null(strstr(e.text, "BH is not for a round robin"));
	tie = TIEBREAK_BPA;
	assert_int_equal(
	    standings_make(&in, &tie, 1, NULL, rows, &e), ERR_ILLEGAL);
	assert_non_null(strstr(e.text, "BPA needs battle points"));
	in.games = &game;
	in.n_games = 1;
	assert_int_equal(standings_make(&in, &tie, 1, NULL, rows, &e), 0);
	crosstable_free(t);
}

static void
each_allocation_that_fails_is_told(void **state)
{
#ifdef ALLOC_SANITIZED
	(void)state;
	skip();
#else
	static const size_t lots[] = {3, 0, 1, 2};
	struct tiebreak_in in = {.rounds = 1};
	struct standing rows[4];
	struct crosstable *t;
	struct errinfo e;
	long nth;
	int r;

	(void)state;
	in.table = t = equals();
	for (nth = 0;; nth++) {
		alloc_start(nth);
		r = standings_make(&in, ties, N_TIES, lots, rows, &e);
		if (!alloc_stop())
			break;
		assert_int_equal(r, ERR_NOMEM);
	}
	assert_int_equal(r, 0);
	assert_true(nth > 20);
	crosstable_free(t);
#endif
}

static void
defaults_are_those_of_the_kind(void **state)
{
	enum tiebreak by[TIEBREAK_N];

	(void)state;
	assert_int_equal(standings_default(false, true, by), 5);
	assert_int_equal(by[0], TIEBREAK_DE);
	assert_int_equal(by[1], TIEBREAK_BH_C1);
	assert_int_equal(by[2], TIEBREAK_BH);
	assert_int_equal(by[3], TIEBREAK_BPA);
	assert_int_equal(by[4], TIEBREAK_WON);
	assert_int_equal(standings_default(true, true, by), 4);
	assert_int_equal(by[1], TIEBREAK_SB);
	assert_int_equal(by[2], TIEBREAK_WON);
	assert_int_equal(by[3], TIEBREAK_BPA);
	assert_int_equal(standings_default(false, false, by), 4);
	assert_int_equal(by[3], TIEBREAK_WON);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_value_is_that_of_fides_program),
	    cmocka_unit_test(equals_share_a_rank),
	    cmocka_unit_test(lots_part_equals),
	    cmocka_unit_test(what_has_no_sense_is_refused),
	    cmocka_unit_test(each_allocation_that_fails_is_told),
	    cmocka_unit_test(defaults_are_those_of_the_kind),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
