/* SPDX-License-Identifier: ISC */
/* TRF files: each line is understood, or named. */
#include "common/pairing/trf.h"

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

#include "tests/lib/alloc.h"

/* A player without anything but number and points; then come the games. */
#define PLAYER(number, points)                                             \
	"001 " number "      Player " number "                       1500" \
	"                            " points "     "

#define TWO                    \
	PLAYER("   1", " 1.0") \
	"     2 w 1\n" PLAYER("   2", " 0.0") "     1 b 0\n"

/* Reads what must be good. */
static struct trf *
good(const char *text)
{
	struct errinfo e = {.text = ""};
	struct trf *t = NULL;

	if (trf_read(text, strlen(text), &t, &e) != 0)
		fail_msg("%s: %s\n%s", e.where, e.text, text);
	return (t);
}

/* Reads what must be refused with that reason, at a line ("": none). */
static void
bad(const char *text, const char *where, const char *reason)
{
	struct errinfo e = {.text = ""};
	struct trf *t = NULL;

	if (trf_read(text, strlen(text), &t, &e) == 0)
		fail_msg("this was read:\n%s", text);
	assert_null(t);
	assert_string_equal(e.where, where);
	if (strstr(e.text, reason) == NULL)
		fail_msg("\"%s\" has no \"%s\"\n%s", e.text, reason, text);
}

/* What is written must be that. */
static void
writes(const struct trf *t, const char *text)
{
	struct buf out;

	buf_init(&out, 0);
	trf_write(t, &out);
	assert_int_equal(buf_error(&out), 0);
	assert_string_equal(buf_str(&out), text);
	buf_clear(&out);
}

/* A file of 2026 in the form in which it is written. */
static const char whole[] =
    "012 Grand \303\211t\303\251\r\n"
    "132                                                         "
    "                               26/11/28\r\n"
    "192 FIDE_DUTCH_2025\r\n"
    "142 3\r\n"
    "152 B\r\n"
    "162  W 3.0    D 1.0    L 0.0    P 1.5\r\n"
    "001    1 m GM \303\211t\303\251, Jean               "
    "          1978 FRA    13400304 1978/01/02  4.0    1     2 b 1     3 w "
    "=\r\n"
    "001    2 w    Zwei                                          "
    "                     4.5    2     1 w 0     7 b W\r\n"
    "001    3                                                    "
    "                     2.5    3  0000 - U     1 b =  0000 - H\r\n"
    "001    7                                        1200        "
    "                     0.0    4  0000 - Z     2 w L\r\n"
    "260   1   2    1    7\r\n"
    "299           1.5    0    2\r\n"
    "299          -1.0    3    7\r\n";

static void
a_file_is_read_and_written_as_it_was(void **state)
{
	const struct cross_game *g;
	const struct crosstable *c;
	struct trf *t;

	(void)state;
	t = good(whole);
	c = t->table;
	assert_int_equal(c->n_players, 4);
	assert_int_equal(c->n_rounds, 3);
	assert_int_equal(c->rounds, 3);
	assert_int_equal(c->initial, 2);
	assert_int_equal(c->points.win, 6);
	assert_int_equal(c->points.draw, 2);
	assert_int_equal(c->points.bye, 3);
	assert_int_equal(crosstable_paired(c), 2);
	assert_int_equal(c->players[3].number, 7);
	assert_int_equal(c->players[0].rating, 1978);
	assert_string_equal(t->players[0].name, "\303\211t\303\251, Jean");
	assert_string_equal(t->players[0].title, "GM");
	assert_string_equal(t->players[0].sex, "m");
	assert_string_equal(t->players[0].federation, "FRA");
	assert_string_equal(t->players[0].id, "13400304");
	assert_string_equal(t->players[0].birth, "1978/01/02");
	assert_int_equal(t->players[3].rank, 4);
	assert_string_equal(trf_text(t, "192"), "FIDE_DUTCH_2025");
	assert_null(trf_text(t, "022"));
	assert_int_equal(t->unpairable_line, 0);
	g = crosstable_game(c, 1, 2);
	assert_int_equal(g->opponent, 3);
	assert_int_equal(g->side, 2);
	assert_int_equal(g->result, CROSS_WIN);
	assert_true(g->is_unrated);
	assert_int_equal(crosstable_game(c, 2, 3)->result, CROSS_HALF_BYE);
	assert_int_equal(crosstable_game(c, 3, 1)->result, CROSS_ZERO_BYE);
	assert_true(crosstable_is_apart(c, 0, 3, 2));
	assert_false(crosstable_is_apart(c, 0, 3, 3));
	assert_int_equal(crosstable_corrected(c, 3, 2), 0);
	assert_int_equal(crosstable_corrected(c, 3, 3), -2);
	writes(t, whole);
	trf_free(t);
}

static void
lines_end_in_any_way(void **state)
{
	char text[sizeof(TWO) + 8];
	struct trf *t;
	char *p;

	(void)state;
	(void)snprintf(text, sizeof(text), "%s", TWO);
	for (p = text; (p = strchr(p, '\n')) != NULL;)
		*p = '\r';
	t = good(text);
	assert_int_equal(t->table->n_players, 2);
	assert_int_equal(t->players[1].line, 2);
	trf_free(t);
	t = good("\357\273\277" TWO "\r\n\r\n\n### nothing");
	assert_int_equal(t->table->n_players, 2);
	trf_free(t);
	bad("\r\n\rZZ9\n", "line 3", "\"ZZ9\" is not understood");
}

static void
bytes_that_are_no_utf8_are_latin1(void **state)
{
	struct trf *t;

	(void)state;
	t = good("012 Caf\351\n" TWO);
	assert_string_equal(trf_text(t, "012"), "Caf\303\251");
	trf_free(t);
}

static void
older_files_say_it_in_other_ways(void **state)
{
	struct crosstable *c;
	struct trf *t;

	(void)state;
	t = good("XXR 5\nXXC white1\nXXP 1 4\nXXZ 2 4\nBBW  2.0\nBBD  1.0\n"
		 "BBU  1.5\nBBL  0.5\nBBZ  0.5\nBBF  0.0\n" PLAYER(
		     "   1", " 2.0") "     2 w 1  0000 - =\n" PLAYER("   2",
		     " 0.5") "     1 b 0\n" PLAYER("   3",
		     " 1.5") "  0000 - +\n" PLAYER("   4",
		     " 0.5") "  0000 - -  0000 - Z\n");
	c = t->table;
	assert_int_equal(c->rounds, 5);
	assert_int_equal(c->initial, 1);
	assert_int_equal(c->points.win, 4);
	assert_int_equal(c->points.loss, 1);
	assert_int_equal(c->points.absent, 1);
	assert_int_equal(c->points.forfeit_loss, 0);
	assert_int_equal(crosstable_paired(c), 1);
	assert_int_equal(crosstable_game(c, 0, 2)->result, CROSS_HALF_BYE);
	assert_int_equal(crosstable_game(c, 2, 1)->result, CROSS_BYE);
	assert_int_equal(crosstable_game(c, 3, 1)->result, CROSS_ZERO_BYE);
	assert_int_equal(crosstable_game(c, 1, 2)->result, CROSS_ZERO_BYE);
	assert_int_equal(crosstable_game(c, 3, 2)->result, CROSS_ZERO_BYE);
	assert_true(crosstable_is_apart(c, 0, 3, 60));
	trf_free(t);
}

static void
byes_may_stand_beside_the_games(void **state)
{
	struct trf *t;

	(void)state;
	t = good("240 F 001    3\n240 H 002    1    2\n" TWO PLAYER(
	    "   3", " 1.0") "\n");
	assert_int_equal(
	    crosstable_game(t->table, 2, 1)->result, CROSS_FULL_BYE);
	assert_int_equal(
	    crosstable_game(t->table, 1, 2)->result, CROSS_HALF_BYE);
	trf_free(t);
	bad("240 H 001    2\n" TWO, "line 1", "something else in round 1");
	bad("240 H 000    2\n" TWO, "line 1", "the round must be a number");
	bad("240 P 001    2\n" TWO, "line 1", "type F, H or Z");
	bad("240 H 001    3\n" TWO, "line 1", "there is no player 3");
}

static void
what_pairings_do_not_do_is_told(void **state)
{
	static const struct {
		const char *line;
		const char *what;
	} cases[] = {
	    {"250      1.0   1   2    1    2\n", "acceleration"},
	    {"XXA    1  1.0\n", "acceleration"},
	    {"XXC rank black1\n", "pairing numbers by rank"},
	    {"192 FIDE_DUTCH_BAKU\n", "pairings of FIDE_DUTCH_BAKU"},
	};
	char text[512];
	struct trf *t;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		(void)snprintf(
		    text, sizeof(text), "\n%s%s", cases[i].line, TWO);
		t = good(text);
		assert_int_equal(t->unpairable_line, 2);
		assert_string_equal(t->unpairable, cases[i].what);
		trf_free(t);
	}
}

static void
what_is_not_understood_is_named(void **state)
{
	static const struct {
		const char *line;
		const char *reason;
	} cases[] = {
	    {"XXS WW=2", "the tag \"XXS\" is not understood"},
	    {"Z", "the tag \"Z\" is not understood"},
	    {"012-Name", "a blank must follow the tag"},
	    {"012 a\tb", "column 6 has a tab"},
	    {"012 a\033b", "column 6 has a control character"},
	    {"013 Team                                1    2", "tag 013"},
	    {"310   1 Team", "teams are not supported: tag 310"},
	    {"082 4", "teams are not supported"},
	    {"082 many", "the number of teams must be a number"},
	    {"192 FIDE_TEAM_BAKU", "teams are not supported"},
	    {"142 0", "the number of rounds must be a number, 1 to 99"},
	    {"142 100", "the number of rounds must be a number, 1 to 99"},
	    {"XXR", "the number of rounds must be a number, 1 to 99"},
	    {"152 w", "x"},
	    {"152 WB", "must be W or B"},
	    {"XXC white2", "white1, black1 or rank"},
	    {"XXC absolutely", "white1, black1 or rank"},
	    {"162  W 0.3", "must be points, whole or half"},
	    {"162  W 100", "must be points, whole or half"},
	    {"162  W", "nine columns apart"},
	    {"162  Q 1.0", "nine columns apart"},
	    {"162  W 1.0  D 0.5", "nine columns apart"},
	    {"162 W 1.0", "points"},
	    {"BBW", "the points are missing"},
	    {"BBX 1.0", "the tag \"BBX\" is not understood"},
	    {"260   1   2    1", "two players at least"},
	    {"260   2   1    1    2", "comes before the first"},
	    {"260   0   1    1    2", "the first round must be a number"},
	    {"260   1   2    1    9", "there is no player 9"},
	    {"XXP 1 x", "a player must be a number"},
	    {"XXZ 77", "there is no player 77"},
	    {"299 W          1.0    1    1", "only those that come on top"},
	    {"299           1.0    1", "points and a player"},
	    {"299                  1    1", "points and a player"},
	    {"299           1.2    1    1", "must be points"},
	    {"NOR    9      Nine", "there is no player 9"},
	    {"NOR", "the tag \"NOR\" is not understood"},
	};
	char text[512];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		(void)snprintf(
		    text, sizeof(text), "%s\n%s", cases[i].line, TWO);
		if (cases[i].reason[1] == '\0') /* small letters will do */
			trf_free(good(text));
		else
			bad(text, "line 1", cases[i].reason);
	}
	trf_free(good("NOR    1      One\n" TWO));
}

static void
what_is_wrong_with_a_player_is_told(void **state)
{
	static const struct {
		const char *games;
		const char *reason;
	} cases[] = {
	    {"     2 w 1    2 b 1", "round 2 is not in its columns, 102"},
	    {"     x w 1", "the opponent must be a number"},
	    {"     1 w 1", "round 1 is against themselves"},
	    {"     9 w 1", "there is no player 9"},
	    {"     2 c 1", "the colour of round 1 must be w, b or -"},
	    {"     2 - 1", "the colour of round 1 is missing"},
	    {"     2 w", "the game of round 1 has no result yet"},
	    {"     2 w H", "must be 1, =, 0, W, D, L, + or -"},
	    {"  0000 - 1", "must be U, F, H or Z"},
	    {"  0000 w U", "must be U, F, H or Z"},
	    {"     2 b 1", "no other side"},
	    {"     2 w =", "has 1.0 points here, but 0.5 by their games"},
	    {"     2 w +", "that does not fit"},
	    {"  0000 - Z", "has 1.0 points here, but 0.0 by their games"},
	};
	char text[512];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		(void)snprintf(text, sizeof(text), "%s%s\n%s%s\n",
		    PLAYER("   1", " 1.0"), cases[i].games,
		    PLAYER("   2", " 0.0"),
		    i + 1 == sizeof(cases) / sizeof(cases[0]) ? ""
							      : "     1 b 0");
		bad(text, "line 1", cases[i].reason);
	}
	bad(PLAYER("   1", "    ") "\n", "line 1", "the points are missing");
	bad(PLAYER("   x", " 0.0") "\n", "line 1", "the pairing number must");
	bad(PLAYER("   1", " 0.0") "\n" PLAYER("   1", " 0.0"), "line 2",
	    "player 1 is in line 1, too");
	bad("142 1\n" PLAYER("   1", " 0.0") "  0000 - Z  0000 - U\n" PLAYER(
		"   2", " 0.0") "\n",
	    "", "there are 2 rounds of games, and the tournament has 1");
}

static void
more_than_columns_hold_is_not_written(void **state)
{
	struct buf out;
	struct trf *t;

	(void)state;
	t = trf_new(1, 2);
	assert_non_null(t);
	t->table->points.bye = 100;
	crosstable_game(t->table, 0, 1)->result = CROSS_BYE;
	crosstable_game(t->table, 0, 2)->result = CROSS_BYE;
	buf_init(&out, 0);
	trf_write(t, &out);
	assert_int_equal(buf_error(&out), ERR_TOOBIG);
	buf_clear(&out);
	trf_free(t);
}

/* Reads a file of another program, writes it, and does so again. */
static void
twice(const char *path)
{
	char *text, chunk[4096];
	struct buf file, first, second;
	struct trf *t;
	FILE *f;
	size_t n;

	buf_init(&file, 0);
	f = fopen(path, "r");
	assert_non_null(f);
	while ((n = fread(chunk, 1, sizeof(chunk), f)) > 0)
		buf_add(&file, chunk, n);
	(void)fclose(f);
	t = good(buf_str(&file));
	buf_init(&first, 0);
	trf_write(t, &first);
	trf_free(t);
	text = buf_take(&first, NULL);
	assert_non_null(text);
	t = good(text);
	buf_init(&second, 0);
	trf_write(t, &second);
	assert_string_equal(buf_str(&second), text);
	trf_free(t);
	buf_clear(&second);
	free(text);
	buf_clear(&file);
}

static void
files_of_other_programs_are_read_and_written(void **state)
{
	static const char *const folders[] = {"random", "gacrux", "prohibited"};
	const struct dirent *d;
	char path[512];
	size_t i, files = 0;
	DIR *dir;

	(void)state;
	for (i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		(void)snprintf(path, sizeof(path), "%s/tests/pairing/%s",
		    TOP_SRCDIR, folders[i]);
		dir = opendir(path);
		assert_non_null(dir);
		while ((d = readdir(dir)) != NULL) {
			if (strstr(d->d_name, ".trf") == NULL)
				continue;
			(void)snprintf(path, sizeof(path),
			    "%s/tests/pairing/%s/%s", TOP_SRCDIR, folders[i],
			    d->d_name);
			twice(path);
			files++;
		}
		(void)closedir(dir);
	}
	assert_int_equal(files, 206);
}

static void
each_allocation_that_fails_is_told(void **state)
{
#ifdef ALLOC_SANITIZED
	(void)state;
	skip();
#else
	struct errinfo e;
	struct trf *t;
	long nth;
	int r;

	(void)state;
	for (nth = 0;; nth++) {
		t = NULL;
		alloc_start(nth);
		r = trf_read(whole, sizeof(whole) - 1, &t, &e);
		if (!alloc_stop())
			break;
		assert_int_equal(r, ERR_NOMEM);
		assert_null(t);
	}
	assert_int_equal(r, 0);
	trf_free(t);
	assert_true(nth > 10);
#endif
}

static void
an_empty_file_is_a_tournament_of_nobody(void **state)
{
	struct trf *t;

	(void)state;
	t = good("");
	assert_int_equal(t->table->n_players, 0);
	writes(t, "");
	trf_free(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_file_is_read_and_written_as_it_was),
	    cmocka_unit_test(lines_end_in_any_way),
	    cmocka_unit_test(bytes_that_are_no_utf8_are_latin1),
	    cmocka_unit_test(older_files_say_it_in_other_ways),
	    cmocka_unit_test(byes_may_stand_beside_the_games),
	    cmocka_unit_test(what_pairings_do_not_do_is_told),
	    cmocka_unit_test(what_is_not_understood_is_named),
	    cmocka_unit_test(what_is_wrong_with_a_player_is_told),
	    cmocka_unit_test(more_than_columns_hold_is_not_written),
	    cmocka_unit_test(files_of_other_programs_are_read_and_written),
	    cmocka_unit_test(each_allocation_that_fails_is_told),
	    cmocka_unit_test(an_empty_file_is_a_tournament_of_nobody),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
