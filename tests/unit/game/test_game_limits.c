/* SPDX-License-Identifier: ISC */
/*
 * The limits of a game: its biggest lines, want of memory, and snapshots
 * that somebody spoilt.
 */
#include "common/game/game.h"
#include "common/game/game_take.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/lib/alloc.h"
#include "tests/lib/table.h"

/* An id of n bytes. */
static json_t *
long_id(char side, int i, size_t n)
{
	char s[40];
	size_t len;

	len = (size_t)snprintf(s, sizeof(s), "%c%d", side, i);
	for (; len < n; len++)
		s[len] = 'x';
	return (json_stringn(s, len));
}

/* Names of quotes take two bytes each in a line; artillery if guns. */
static char *
big_roster(size_t id_len, const char *arm)
{
	json_t *sides[2], *unit, *roster;
	char name[65], *text;
	int side, i;

	memset(name, '"', 64);
	name[64] = '\0';
	for (side = 0; side < 2; side++) {
		sides[side] = json_array();
		for (i = 0; i < 64; i++) {
			unit = json_pack("{s:o, s:s, s:s, s:i}", "id",
			    long_id((char)('a' + side), i, id_len), "name",
			    name, "arm", side == 0 ? "cavalry" : arm,
			    "strength", 9999);
			if (side == 0)
				json_object_set_new(unit, "traits",
				    json_pack("[s, s]", "shock", "lancers"));
			if (side == 1 && strcmp(arm, "artillery") == 0)
				json_object_set_new(
				    unit, "battery", json_string("horse"));
			json_array_append_new(sides[side], unit);
		}
	}
	roster = json_pack("{s:s, s:s, s:{s:{s:o}, s:{s:o}}}", "blob", "roster",
	    "system", "lasalle2", "sides", "1", "units", sides[0], "2", "units",
	    sides[1]);
	text = json_dumps(roster, JSON_COMPACT);
	assert_non_null(text);
	json_decref(roster);
	return (text);
}

/* A declare of 64 units on 64 with n contacts. */
static json_t *
big_combat(size_t id_len, int n, const char *formation)
{
	json_t *sides[2], *contacts = json_array();
	int side, i;

	for (side = 0; side < 2; side++) {
		sides[side] = json_array();
		for (i = 0; i < 64; i++)
			json_array_append_new(sides[side],
			    json_pack("{s:o, s:s}", "id",
				long_id((char)('a' + side), i, id_len),
				"formation", side == 0 ? "march" : formation));
	}
	for (i = 0; i < n; i++)
		json_array_append_new(contacts,
		    json_pack("{s:o, s:o, s:s}", "attacker",
			long_id('a', i % 64, id_len), "defender",
			long_id('b', (i + i / 64) % 64, id_len), "edge",
			"left"));
	return (json_pack("{s:{s:o, s:o, s:o}}", "combat", "attackers",
	    sides[0], "defenders", sides[1], "contacts", contacts));
}

/* Fills the order up with line ends, which take two bytes each in a line. */
static void
pad_and_take(struct table *t, int seat, size_t *longest)
{
	size_t n;
	int r;

	while (t->text.len < ORDER_TEXT_MAX)
		buf_putc(&t->text, '\n');
	table_sign(t, seat);
	if ((r = table_take(t, seat)) != 0)
		fail_msg("%d %s: %s", r, t->e.where, t->e.text);
	n = t->starts[t->n_lines] - t->starts[t->n_lines - 1];
	*longest = n > *longest ? n : *longest;
}

/* Plays the biggest combat of this shape; gives its longest line. */
static size_t
big_line(size_t id_len, int contacts, const char *arm, const char *formation)
{
	char *roster = big_roster(id_len, arm);
	size_t longest = 0;
	struct table t;
	json_t *owed;
	int seat;

	assert_true(strlen(roster) <= RECORD_BLOB_MAX);
	table_init(&t);
	table_make_create(&t, table_create_args(&t, roster));
	assert_int_equal(table_open(&t), 0);
	assert_int_equal(
	    table_try(&t, 2, ORDER_JOIN, table_seat_args(&t, 2)), 0);
	table_play(&t, 1, ORDER_READY, "{}");
	table_play(&t, 2, ORDER_READY, "{}");
	assert_int_equal(table_make(&t, 1, ORDER_DECLARE,
			     big_combat(id_len, contacts, formation)),
	    0);
	pad_and_take(&t, 1, &longest);
	while (table_is_asked(&t)) {
		owed = table_owed(&t);
		seat = (int)json_integer_value(json_object_get(owed, "side"));
		json_decref(owed);
		assert_int_equal(
		    table_make(&t, seat, ORDER_DECIDE, table_answer_args(&t)),
		    0);
		pad_and_take(&t, seat, &longest);
	}
	table_clear(&t);
	free(roster);
	return (longest);
}

/*
 * No combat of lasalle2 can make a line that is too long, which would be
 * found out after the dice.  An order of 16,384 bytes takes at most twice
 * that in its line; the facts of 128 units and of the contacts that fit in
 * it at most 63,000; and each unit at most 950 in rolls, scores, changes,
 * questions and results: 219,000 of 262,144 in all.
 */
static void
the_biggest_combats_fit_in_a_line(void **state)
{
	static const struct {
		size_t id_len;
		int contacts;
		const char *arm, *formation;
	} shapes[] = {
	    {32, 64, "cavalry", "march"},
	    {32, 64, "infantry", "square"},
	    {32, 64, "artillery", "limbered"},
	    {12, 150, "infantry", "garrison"},
	    {3, 230, "cavalry", "march"},
	};
	size_t i, n, most = 0;

	(void)state;
	for (i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		n = big_line(shapes[i].id_len, shapes[i].contacts,
		    shapes[i].arm, shapes[i].formation);
		most = n > most ? n : most;
	}
	print_message("# longest line: %zu bytes\n", most);
	assert_true(most > 100000);
	assert_true(most < 219000);
}

/* Whatever allocation fails, the game can be thrown away and read again. */
static void
want_of_memory_breaks_nothing_that_is_on_disk(void **state)
{
	static const char *const args[] = {TABLE_FIGHT, TABLE_GUNS};
	struct game_dice dice = {table_prove_cb, NULL};
	struct game_effects fx;
	struct table t;
	struct order o;
	struct game *g;
	struct errinfo e;
	struct buf saved, b;
	bool has_failed;
	long n, step;
	size_t i;
	int r;

	(void)state;
	table_begun(&t);
	dice.arg = &t;
	buf_init(&saved, 0);
	table_save(&t, &saved);
	for (i = 0; i < 2; i++) {
		assert_int_equal(
		    table_make(&t, 1, ORDER_DECLARE, table_json(args[i])), 0);
		assert_int_equal(
		    order_parse(t.text.data, t.text.len, &o, &e), 0);
		for (n = 0, step = 1;; n += step, step += n / 100) {
			g = table_copy(&t);
			alloc_start(n);
			r = game_take(g, &o, t.keys[1].sign.public_key, &dice,
			    NULL, &fx, &e);
			has_failed = alloc_stop();
			assert_true(r == 0 || r == ERR_NOMEM);
			if (r == 0)
				game_effects_clear(&fx);
			game_free(g);
			if (!has_failed)
				break;
		}
		assert_int_equal(r, 0);
		order_clear(&o);
	}
	for (n = 0;; n++) {
		buf_init(&b, 0);
		alloc_start(n);
		r = game_save(t.game, &b);
		if (!alloc_stop())
			break;
		assert_int_equal(r, ERR_NOMEM);
		buf_clear(&b);
	}
	assert_string_equal(buf_str(&b), buf_str(&saved));
	buf_clear(&b);
	buf_clear(&saved);
	table_clear(&t);
}

static void
snapshots_that_are_none_are_refused(void **state)
{
	static const struct {
		const char *name, *value;
	} edits[] = {
	    {"create", "'{}'"},
	    {"create", "1"},
	    {"seq", "-1"},
	    {"head", "''"},
	    {"phase", "9"},
	    {"halted", "1"},
	    {"has_ready", "null"},
	    {"pool", "1"},
	    {"epoch", "-1"},
	    {"turn", "2147483648"},
	    {"winner", "3"},
	    {"how", "'won'"},
	    {"seats", "[{}]"},
	    {"seats", "{}"},
	    {"counts", "[[1,2]]"},
	    {"counts", "[['a',0]]"},
	    {"roster", "{}"},
	    {"roster", "null"},
	    {"combat", "{}"},
	    {"combat", "1"},
	};
	struct game_blobs blobs = {table_blob_cb, NULL};
	struct game *g = NULL;
	struct table t;
	struct buf b;
	json_t *saved = NULL, *bad;
	const char *name;
	void *iter;
	size_t i;

	(void)state;
	table_begun(&t);
	table_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	blobs.arg = &t;
	buf_init(&b, 0);
	table_save(&t, &b);
	assert_int_equal(game_load("", 0, &blobs, &g, &t.e), ERR_MALFORMED);
	assert_int_not_equal(game_load("[]", 2, &blobs, &g, &t.e), 0);
	assert_int_equal(js_load(b.data, b.len, JS_DEPTH_RPC, &saved, NULL), 0);
	for (i = 0; i < sizeof(edits) / sizeof(edits[0]); i++) {
		bad = json_copy(saved);
		json_object_set_new(
		    bad, edits[i].name, table_json(edits[i].value));
		buf_reset(&b);
		js_dump(bad, &b);
		if (game_load(b.data, b.len, &blobs, &g, &t.e) == 0)
			fail_msg("%s", edits[i].value);
		json_decref(bad);
	}
	/* Members that are gone, of the whole and of the combat. */
	for (iter = json_object_iter(saved); iter != NULL;
	     iter = json_object_iter_next(saved, iter)) {
		name = json_object_iter_key(iter);
		if (strcmp(name, "v") == 0 || strcmp(name, "how") == 0 ||
		    strcmp(name, "undos") == 0)
			continue;
		bad = json_copy(saved);
		json_object_del(bad, name);
		buf_reset(&b);
		js_dump(bad, &b);
		if (game_load(b.data, b.len, &blobs, &g, &t.e) == 0)
			fail_msg("without %s", name);
		json_decref(bad);
	}
	assert_null(g);
	json_decref(saved);
	buf_clear(&b);
	table_clear(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_biggest_combats_fit_in_a_line),
	    cmocka_unit_test(want_of_memory_breaks_nothing_that_is_on_disk),
	    cmocka_unit_test(snapshots_that_are_none_are_refused),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
