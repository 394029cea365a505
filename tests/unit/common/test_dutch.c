/* SPDX-License-Identifier: ISC */
/*
 * The Dutch system: every round of the tournaments that other programs made is
 * paired as they did, and each criterion decides where it is to.
 */
#include "common/pairing/dutch.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/buf.h"
#include "common/base/err.h"
#include "common/pairing/crosstable.h"
#include "common/pairing/trf.h"

#include "tests/lib/alloc.h"

#define FOLDER TOP_SRCDIR "/tests/pairing"
#define MOST 16 /* players of a case that is made here */
#define ROUNDS 4

/* Reads a file of tests/pairing; the caller frees. */
static struct trf *
load(const char *folder, const char *name)
{
	struct errinfo e = {.text = ""};
	char bytes[4096], path[256];
	struct trf *t = NULL;
	struct buf text;
	size_t n;
	FILE *f;

	(void)snprintf(path, sizeof(path), "%s/%s/%s", FOLDER, folder, name);
	assert_non_null(f = fopen(path, "r"));
	buf_init(&text, 0);
	while ((n = fread(bytes, 1, sizeof(bytes), f)) > 0)
		buf_add(&text, bytes, n);
	(void)fclose(f);
	if (trf_read(buf_str(&text), text.len, &t, &e) != 0)
		fail_msg("%s: %s: %s", path, e.where, e.text);
	buf_clear(&text);
	return (t);
}

/* True if a round of the table is the one that was paired. */
static bool
same(const struct crosstable *t, int round, const struct dutch_round *d)
{
	const struct cross_game *g;
	size_t i, paired = 0;

	for (i = 0; i < d->n_tables; i++) {
		g = crosstable_game(t, (size_t)d->tables[i].a, round);
		if (g->opponent != d->tables[i].b || g->side == 2)
			return (false);
	}
	for (i = 0; i < t->n_players; i++) {
		g = crosstable_game(t, i, round);
		paired += g->opponent >= 0;
		if ((g->result == CROSS_BYE) != (d->bye == (int)i))
			return (false);
	}
	return (paired == 2 * d->n_tables);
}

/* Pairs every round of every file; returns how many there were. */
static int
every_round(const char *folder)
{
	struct entrant_field field;
	struct dutch_round d;
	struct dirent *entry;
	int n = 0, r, round;
	char path[256];
	struct trf *t;
	DIR *dir;

	(void)snprintf(path, sizeof(path), "%s/%s", FOLDER, folder);
	assert_non_null(dir = opendir(path));
	while ((entry = readdir(dir)) != NULL) {
		if (strstr(entry->d_name, ".trf") == NULL)
			continue;
		t = load(folder, entry->d_name);
		for (round = 1; round <= crosstable_paired(t->table); round++) {
			r = entrant_field_load(&field, t->table, round);
			assert_int_equal(r, 0);
			if ((r = dutch_pair(&field, NULL, &d)) != 0)
				fail_msg("%s, round %d: %s", entry->d_name,
				    round, err_text(r));
			if (!same(t->table, round, &d))
				fail_msg("%s, round %d: another pairing",
				    entry->d_name, round);
			dutch_clear(&d);
			entrant_field_clear(&field);
			n++;
		}
		trf_free(t);
	}
	(void)closedir(dir);
	return (n);
}

static void
every_round_of_bbppairings_is_paired_so(void **state)
{
	(void)state;
	assert_int_equal(every_round("random"), 932);
}

static void
every_round_of_gacrux_is_paired_so(void **state)
{
	(void)state;
	assert_int_equal(every_round("gacrux"), 140);
}

/* Holds a round against the answer of the other program. */
static void
answers(const struct dutch_round *d, FILE *f)
{
	size_t i, n, found = 0;
	int a, b;

	assert_int_equal(fscanf(f, "%zu", &n), 1);
	assert_int_equal(n, d->n_tables + (d->bye >= 0));
	while (fscanf(f, "%d %d", &a, &b) == 2) {
		if (b == 0) {
			assert_int_equal(d->bye, a - 1);
			found++;
			continue;
		}
		for (i = 0; i < d->n_tables; i++)
			found +=
			    d->tables[i].a == a - 1 && d->tables[i].b == b - 1;
	}
	assert_int_equal(found, n);
}

static void
prohibited_pairs_are_not_made(void **state)
{
	struct entrant_field field;
	struct dutch_round d;
	struct dirent *entry;
	int n = 0, none = 0, r;
	char path[320];
	struct trf *t;
	DIR *dir;
	FILE *f;

	(void)state;
	assert_non_null(dir = opendir(FOLDER "/prohibited"));
	while ((entry = readdir(dir)) != NULL) {
		if (strstr(entry->d_name, ".trf") == NULL)
			continue;
		(void)snprintf(path, sizeof(path),
		    FOLDER "/prohibited/%.3s.expected", entry->d_name);
		assert_non_null(f = fopen(path, "r"));
		t = load("prohibited", entry->d_name);
		r = entrant_field_load(
		    &field, t->table, crosstable_paired(t->table) + 1);
		assert_int_equal(r, 0);
		r = dutch_pair(&field, NULL, &d);
		if (fgetc(f) == 'n') {
			assert_int_equal(r, ERR_NOTFOUND);
			none++;
		} else {
			assert_int_equal(r, 0);
			rewind(f);
			answers(&d, f);
			dutch_clear(&d);
		}
		(void)fclose(f);
		entrant_field_clear(&field);
		trf_free(t);
		n++;
	}
	(void)closedir(dir);
	assert_int_equal(n, 30);
	assert_int_equal(none, 5);
}

/*
 * A case that is made here: player i has a ghost, MOST + i, who is not here any
 * more, to have played against.
 */
struct play {
	struct entrant entrants[2 * MOST];
	struct entrant_round rounds[2 * MOST][ROUNDS];
	struct entrant_apart apart[MOST];
	struct entrant_field f;
};

/* Starts one with so many rounds behind it and in all. */
static void
start(struct play *p, size_t rounds, size_t all)
{
	int i;

	memset(p, 0, sizeof(*p));
	for (i = 0; i < 2 * MOST; i++)
		p->entrants[i].rounds = p->rounds[i];
	p->f = (struct entrant_field){.entrants = p->entrants,
	    .n = 2 * MOST,
	    .rounds = rounds,
	    .rounds_all = all,
	    .win = 2,
	    .first_side = 1,
	    .apart = p->apart};
}

/*
 * Adds player i: the sides of their rounds ("-": not played; "B": the bye) and
 * the floats of them ("d", "u" or "-").
 */
static void
add(struct play *p, int i, int score, const char *sides, const char *floats)
{
	struct entrant_round *own, *ghost;
	size_t r;

	p->entrants[i].is_here = true;
	p->entrants[i].score = score;
	assert_int_equal(strlen(sides), p->f.rounds);
	assert_int_equal(strlen(floats), p->f.rounds);
	for (r = 0; r < p->f.rounds; r++) {
		own = &p->rounds[i][r];
		ghost = &p->rounds[MOST + i][r];
		own->played = sides[r] == '1' || sides[r] == '2';
		own->paired = sides[r] != '-';
		own->opponent = own->played ? MOST + i : -1;
		own->side = own->played ? sides[r] - '0' : 0;
		own->points = sides[r] == 'B'          ? 2
		    : !own->played && floats[r] == 'd' ? 1
						       : 0;
		own->score = floats[r] == 'd' ? 1 : 0;
		ghost->score = floats[r] == 'u' ? 1 : 0;
		ghost->opponent = i;
	}
}

/* Forbids a pair. */
static void
forbid(struct play *p, int a, int b)
{
	p->apart[p->f.n_apart++] = (struct entrant_apart){a, b};
}

/* The mate of a player in a round; -1: the bye. */
static int
mate(const struct dutch_round *d, int player)
{
	size_t i;

	for (i = 0; i < d->n_tables; i++) {
		if (d->tables[i].a == player)
			return (d->tables[i].b);
		if (d->tables[i].b == player)
			return (d->tables[i].a);
	}
	return (-1);
}

/* The round has a pair, and another loses by a criterion. */
static void
decides(struct play *p, const char *criterion, int a, int b, int rival_a,
    int rival_b)
{
	struct entrant_apart rival = {rival_a, rival_b};
	struct dutch_reason why;
	struct dutch_round d;

	assert_int_equal(dutch_pair(&p->f, NULL, &d), 0);
	assert_int_equal(mate(&d, a), b);
	assert_int_equal(dutch_explain(&p->f, &d, &rival, &why), 0);
	assert_string_equal(why.criterion, criterion);
	assert_non_null(why.text);
	rival = (struct entrant_apart){a, b};
	assert_int_equal(dutch_explain(&p->f, &d, &rival, &why), ERR_EXISTS);
	dutch_clear(&d);
}

/* Adds players of that score who have done nothing. */
static void
add_idle(struct play *p, int from, int to, int score)
{
	int i;

	for (i = from; i <= to; i++)
		add(p, i, score, &"----"[4 - p->f.rounds],
		    &"----"[4 - p->f.rounds]);
}

static void
nobody_meets_twice(void **state)
{
	struct play p;

	(void)state;
	start(&p, 1, 5);
	add_idle(&p, 0, 3, 0);
	p.rounds[0][0] = (struct entrant_round){
	    .opponent = 2, .side = 1, .played = true, .paired = true};
	p.rounds[2][0] = (struct entrant_round){
	    .opponent = 0, .side = 2, .played = true, .paired = true};
	decides(&p, "C1", 0, 3, 0, 2);
	/* A game that was not played is no meeting. */
	p.rounds[0][0].played = p.rounds[2][0].played = false;
	decides(&p, "4.2", 0, 2, 0, 3);
	/* Nor do they who are kept apart. */
	forbid(&p, 0, 2);
	decides(&p, "C1", 0, 3, 0, 2);
}

static void
nobody_has_two_byes(void **state)
{
	struct play p;

	(void)state;
	start(&p, 1, 5);
	add_idle(&p, 0, 1, 0);
	add(&p, 2, 0, "B", "-");
	decides(&p, "C2", 1, -1, 2, -1);
	/* Half a point without a game is none, a win's points are. */
	start(&p, 1, 5);
	add_idle(&p, 0, 1, 0);
	add(&p, 2, 0, "-", "d");
	assert_int_equal(p.rounds[2][0].points, 1);
	p.rounds[2][0].paired = false;
	decides(&p, "C14", 1, -1, 2, -1);
	p.rounds[2][0].points = 2;
	decides(&p, "C2", 1, -1, 2, -1);
	/* Nobody is left who may have it. */
	add(&p, 0, 0, "B", "-");
	add(&p, 1, 0, "B", "-");
	assert_int_equal(
	    dutch_pair(&p.f, NULL, &(struct dutch_round){0}), ERR_NOTFOUND);
}

static void
absolute_wishes_are_kept_but_for_topscorers(void **state)
{
	struct dutch_round d;
	struct play p;

	(void)state;
	start(&p, 2, 5);
	add(&p, 0, 4, "11", "--");
	add(&p, 1, 4, "22", "--");
	add(&p, 2, 4, "11", "--");
	add(&p, 3, 4, "22", "--");
	decides(&p, "C3", 0, 3, 0, 2);
	/* The last round: they may, but one has three more of a side. */
	p.f.rounds_all = 3;
	decides(&p, "C10", 0, 3, 0, 2);
	/* Half of what can be won is not over half. */
	p.entrants[0].score = p.entrants[2].score = 2;
	p.entrants[1].score = p.entrants[3].score = 2;
	decides(&p, "C3", 0, 3, 0, 2);
	/* One topscorer is enough. */
	start(&p, 2, 3);
	add(&p, 0, 3, "11", "--");
	add(&p, 1, 2, "11", "--");
	assert_int_equal(dutch_pair(&p.f, NULL, &d), 0);
	dutch_clear(&d);
	p.f.rounds_all = 4;
	assert_int_equal(dutch_pair(&p.f, NULL, &d), ERR_NOTFOUND);
	/* C11: the same side three times, without a difference of three. */
	start(&p, 3, 4);
	add(&p, 0, 6, "211", "---");
	add(&p, 1, 6, "122", "---");
	add(&p, 2, 6, "211", "---");
	add(&p, 3, 6, "122", "---");
	decides(&p, "C11", 0, 3, 0, 2);
}

static void
the_rest_can_always_be_paired(void **state)
{
	struct play p;

	(void)state;
	start(&p, 0, 5);
	add_idle(&p, 0, 1, 2);
	add_idle(&p, 2, 3, 0);
	decides(&p, "C6", 0, 1, 0, 2);
	forbid(&p, 2, 3);
	decides(&p, "C4", 0, 2, 0, 1);
}

static void
the_bye_goes_as_far_down_as_it_can(void **state)
{
	struct play p;

	(void)state;
	start(&p, 0, 5);
	add_idle(&p, 0, 2, 2);
	add_idle(&p, 3, 4, 0);
	decides(&p, "C5", 4, -1, 0, -1);
	/* C9: of those below to who has played most. */
	start(&p, 2, 5);
	add_idle(&p, 0, 0, 2);
	add(&p, 1, 0, "12", "--");
	add(&p, 2, 0, "-1", "--");
	decides(&p, "C9", 1, -1, 2, -1);
}

static void
downfloaters_are_few_and_low(void **state)
{
	struct play p;

	(void)state;
	/* C7 of two from above: the bracket before sees it coming (C8). */
	start(&p, 0, 5);
	add_idle(&p, 0, 0, 6);
	add_idle(&p, 1, 1, 4);
	add_idle(&p, 2, 2, 2);
	add_idle(&p, 3, 3, 0);
	forbid(&p, 0, 1);
	decides(&p, "C8", 0, 2, 1, 2);
	/* C8: who goes down is to be of use there. */
	start(&p, 0, 5);
	add_idle(&p, 0, 2, 4);
	add_idle(&p, 3, 5, 2);
	add_idle(&p, 6, 7, 0);
	forbid(&p, 2, 3);
	forbid(&p, 2, 4);
	forbid(&p, 2, 5);
	decides(&p, "C8", 0, 2, 0, 1);
}

static void
sides_are_as_preferred(void **state)
{
	struct play p;

	(void)state;
	start(&p, 1, 5);
	add(&p, 0, 2, "1", "-");
	add(&p, 1, 2, "1", "-");
	add(&p, 2, 2, "2", "-");
	add(&p, 3, 2, "2", "-");
	decides(&p, "C12", 0, 2, 0, 1);
	/* C13: all want the same, two of them strongly. */
	start(&p, 2, 5);
	add(&p, 0, 2, "1-", "--");
	add(&p, 1, 2, "21", "--");
	add(&p, 2, 2, "-1", "--");
	add(&p, 3, 2, "21", "--");
	decides(&p, "C13", 0, 3, 0, 2);
}

/* Three on top, of whom the last floated in the round that floats shows. */
static void
float_again(const char *floats, const char *criterion)
{
	struct play p;

	start(&p, 2, 5);
	add_idle(&p, 0, 1, 4);
	add(&p, 2, 4, "--", floats);
	add_idle(&p, 3, 5, 2);
	decides(&p, criterion, 0, 2, 0, 1);
}

/* One comes down to three, of whom the first floated up. */
static void
float_up_again(const char *sides, const char *floats, const char *criterion)
{
	struct play p;

	start(&p, 2, 5);
	add_idle(&p, 0, 0, 4);
	add(&p, 1, 2, sides, floats);
	add_idle(&p, 2, 3, 2);
	decides(&p, criterion, 0, 2, 0, 1);
}

static void
nobody_floats_again_soon(void **state)
{
	(void)state;
	float_again("-d", "C14");
	float_again("d-", "C16");
	float_up_again("-1", "-u", "C15");
	float_up_again("1-", "u-", "C17");
}

/* Two come down to one, the second of whom floated before. */
static void
land(const char *floats, const char *criterion)
{
	struct play p;

	start(&p, 2, 5);
	add_idle(&p, 0, 0, 4);
	add(&p, 1, 4, "--", floats);
	add_idle(&p, 2, 2, 2);
	add_idle(&p, 3, 3, 0);
	forbid(&p, 0, 1);
	decides(&p, criterion, 1, 2, 0, 2);
}

/* Two come down from two scores; one floated up before. */
static void
meet(const char *sides, const char *floats, const char *criterion)
{
	struct play p;

	start(&p, 2, 5);
	add_idle(&p, 0, 0, 6);
	add_idle(&p, 1, 1, 4);
	add(&p, 2, 2, sides, floats);
	add_idle(&p, 3, 3, 2);
	forbid(&p, 0, 1);
	decides(&p, criterion, 0, 3, 0, 2);
}

static void
who_floats_again_does_not_float_far(void **state)
{
	(void)state;
	land("-d", "C18");
	land("d-", "C20");
	meet("-1", "-u", "C19");
	meet("1-", "u-", "C21");
}

static void
the_order_decides_last(void **state)
{
	struct play p;

	(void)state;
	start(&p, 0, 5);
	add_idle(&p, 0, 3, 0);
	decides(&p, "4.2", 0, 2, 0, 3);
	decides(&p, "4.3", 0, 2, 0, 1);
	/* Two from above, one below and one far below. */
	start(&p, 0, 5);
	add_idle(&p, 0, 1, 4);
	add_idle(&p, 2, 2, 2);
	add_idle(&p, 3, 3, 0);
	forbid(&p, 0, 1);
	decides(&p, "4.4", 0, 2, 1, 2);
}

static void
what_cannot_be_explained_is_refused(void **state)
{
	struct entrant_apart pair = {0, -1};
	struct dutch_reason why;
	struct dutch_round d;
	struct play p;

	(void)state;
	start(&p, 0, 5);
	assert_int_equal(dutch_pair(&p.f, NULL, &d), 0);
	assert_int_equal(d.n_tables, 0);
	assert_int_equal(d.bye, -1);
	dutch_clear(&d);
	add_idle(&p, 0, 1, 0);
	assert_int_equal(dutch_pair(&p.f, NULL, &d), 0);
	assert_int_equal(dutch_explain(&p.f, &d, &pair, &why), ERR_INVALID);
	pair.b = 3;
	assert_int_equal(dutch_explain(&p.f, &d, &pair, &why), ERR_INVALID);
	dutch_clear(&d);
	p.f.rounds = ENTRANT_ROUNDS_MAX + 1;
	assert_int_equal(dutch_pair(&p.f, NULL, &d), ERR_TOOBIG);
}

static void
no_memory_is_no_pairing(void **state)
{
	struct entrant_apart rival = {0, 4};
	struct entrant_field field;
	struct dutch_reason why;
	struct dutch_round d;
	struct trf *t;
	long nth;
	int r;

	(void)state;
	t = load("random", "small-001.trf");
	for (nth = 0;; nth++) {
		alloc_start(nth);
		r = entrant_field_load(&field, t->table, 3);
		if (r == 0) {
			r = dutch_pair(&field, NULL, &d);
			if (r == 0) {
				r = dutch_explain(&field, &d, &rival, &why);
				dutch_clear(&d);
			}
			entrant_field_clear(&field);
		}
		if (!alloc_stop())
			break;
		assert_int_equal(r, ERR_NOMEM);
	}
	assert_int_equal(r, 0);
	trf_free(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_round_of_bbppairings_is_paired_so),
	    cmocka_unit_test(every_round_of_gacrux_is_paired_so),
	    cmocka_unit_test(prohibited_pairs_are_not_made),
	    cmocka_unit_test(nobody_meets_twice),
	    cmocka_unit_test(nobody_has_two_byes),
	    cmocka_unit_test(absolute_wishes_are_kept_but_for_topscorers),
	    cmocka_unit_test(the_rest_can_always_be_paired),
	    cmocka_unit_test(the_bye_goes_as_far_down_as_it_can),
	    cmocka_unit_test(downfloaters_are_few_and_low),
	    cmocka_unit_test(sides_are_as_preferred),
	    cmocka_unit_test(nobody_floats_again_soon),
	    cmocka_unit_test(who_floats_again_does_not_float_far),
	    cmocka_unit_test(the_order_decides_last),
	    cmocka_unit_test(what_cannot_be_explained_is_refused),
	    cmocka_unit_test(no_memory_is_no_pairing),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
