/* SPDX-License-Identifier: ISC */
/* What came out of games counts again for the same bytes and lines alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/err.h"
#include "common/tournament/verify_kept.h"
#include "common/tournament/verify_shelf.h"

#define ROOM (1U << 20)

static const uint8_t seal[HASH_LEN] = {1}, other[HASH_LEN] = {2};

/* A game with two lines that were asked about, verified. */
struct verified {
	struct verify_shelf_game g;
	struct verify_shelf_line lines[2];
	struct tournament_joined join;
	struct tournament_look end;
};

static void
make(struct verified *v)
{
	memset(v, 0, sizeof(*v));
	v->g.game[0] = 7;
	v->g.seq = -1;
	v->g.rolls = 12;
	v->g.opened_ms = 1000;
	v->g.create = json_pack("{s:i}", "seat", 0);
	assert_non_null(v->g.create);
	v->join.seat = 2;
	v->g.joins = &v->join;
	v->g.n_joins = 1;
	v->lines[0] =
	    (struct verify_shelf_line){.seq = 3, .is_there = true, .line = {3}};
	v->lines[0].look.winner = 1;
	v->lines[1] = (struct verify_shelf_line){
	    .seq = 5, .is_there = true, .is_weighed = true, .line = {5}};
	v->lines[1].look.winner = 2;
	v->g.lines = v->lines;
	v->g.n_lines = 2;
	v->end.is_over = true;
	v->g.ends = &v->end;
	v->g.n_ends = 1;
}

/* The same game, about which a line is asked; finish() frees it. */
static struct verify_shelf_game
ask(int64_t seq)
{
	struct verify_shelf_game g = {.game = {7}, .seq = 40, .n_lines = 1};

	g.is_counted = true;
	g.lines = calloc(1, sizeof(*g.lines));
	assert_non_null(g.lines);
	g.lines[0].seq = seq;
	g.lines[0].line[0] = 99;
	return (g);
}

static void
finish(struct verify_shelf_game *g)
{
	verify_shelf_checked(g);
	json_decref(g->texts);
	free(g->joins);
	free(g->lines);
	free(g->ends);
}

/* A store with one game. */
static struct verify_kept *
store(size_t room)
{
	struct verify_kept *k;
	struct verified v;

	make(&v);
	assert_int_equal(verify_kept_new(room, &k), 0);
	assert_int_equal(verify_kept_put(k, seal, &v.g), 0);
	json_decref(v.g.create);
	return (k);
}

static void
test_same(void **state)
{
	struct verify_kept *k = store(ROOM);
	struct verify_shelf_game g;
	int i;

	(void)state;
	/* Whoever has it may do with it as they like. */
	for (i = 0; i < 2; i++) {
		g = ask(5);
		assert_int_equal(verify_kept_find(k, seal, &g), 0);
		assert_int_equal(g.rolls, 12);
		assert_int_equal(g.opened_ms, 1000);
		assert_non_null(g.create);
		assert_int_equal(g.n_joins, 1);
		assert_int_equal(g.joins[0].seat, 2);
		assert_int_equal(g.n_ends, 1);
		assert_true(g.ends[0].is_over);
		/* Of lines, those that are asked about now, as they are named.
		 */
		assert_int_equal(g.n_lines, 1);
		assert_true(g.lines[0].is_there && g.lines[0].is_weighed);
		assert_int_equal(g.lines[0].look.winner, 2);
		assert_int_equal(g.lines[0].line[0], 99);
		/* The caller's own. */
		assert_int_equal(g.seq, 40);
		assert_true(g.is_counted);
		g.ends[0].is_over = false;
		finish(&g);
	}
	assert_int_equal(verify_kept_count(k).found, 2);
	assert_int_equal(verify_kept_count(k).verified, 1);
	verify_kept_free(k);
}

static void
test_other(void **state)
{
	struct verify_kept *k = store(ROOM);
	struct verify_shelf_game g = ask(5);

	(void)state;
	/* Other bytes. */
	assert_int_equal(verify_kept_find(k, other, &g), ERR_NOTFOUND);
	assert_null(g.joins);
	assert_false(g.lines[0].is_there);
	/* Another game. */
	g.game[0] = 8;
	assert_int_equal(verify_kept_find(k, seal, &g), ERR_NOTFOUND);
	finish(&g);
	/* A line that was not asked about. */
	g = ask(4);
	assert_int_equal(verify_kept_find(k, seal, &g), ERR_NOTFOUND);
	assert_null(g.joins);
	finish(&g);
	assert_int_equal(verify_kept_count(k).found, 0);
	verify_kept_free(k);
}

static void
test_again(void **state)
{
	struct verify_kept *k = store(ROOM);
	struct verify_shelf_game g = ask(3);
	struct verified v;

	(void)state;
	/* It has become bad, which counts from now on. */
	make(&v);
	v.g.r = ERR_BAD;
	assert_int_equal(verify_kept_put(k, other, &v.g), 0);
	json_decref(v.g.create);
	assert_int_equal(verify_kept_find(k, seal, &g), ERR_NOTFOUND);
	assert_int_equal(verify_kept_find(k, other, &g), 0);
	assert_int_equal(g.r, ERR_BAD);
	finish(&g);
	assert_int_equal(verify_kept_count(k).verified, 2);
	verify_kept_free(k);
}

static void
test_room(void **state)
{
	struct verify_shelf_game g = ask(3);
	struct verify_kept *k = store(1);

	(void)state;
	/* There is none. */
	assert_int_equal(verify_kept_find(k, seal, &g), ERR_NOTFOUND);
	assert_int_equal(verify_kept_count(k).verified, 1);
	verify_kept_free(k);
	/* There is for two, one of which is renewed for ever. */
	k = store(16384);
	for (int i = 0; i < 100; i++) {
		struct verified v;

		make(&v);
		v.g.game[0] = 8;
		assert_int_equal(verify_kept_put(k, other, &v.g), 0);
		json_decref(v.g.create);
	}
	assert_int_equal(verify_kept_find(k, seal, &g), 0);
	finish(&g);
	g = ask(3);
	g.game[0] = 8;
	assert_int_equal(verify_kept_find(k, other, &g), 0);
	finish(&g);
	verify_kept_free(k);
	verify_kept_free(NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_same),
	    cmocka_unit_test(test_other),
	    cmocka_unit_test(test_again),
	    cmocka_unit_test(test_room),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
