/* SPDX-License-Identifier: ISC */
/*
 * Lists of games: what they show to whom, in which order, and that nobody's
 * private games make them dearer for anybody else.
 */
#include "server/store/store.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "common/base/buf.h"
#include "tests/lib/db.h"

static int
see_game(void *arg, const struct store_game_row *row)
{
	struct buf *out = arg;

	assert_string_equal(row->system, "lasalle2");
	assert_string_equal(row->event, "Cup");
	buf_printf(out, "%d ", row->id[1]);
	return (0);
}

/* What a viewer's list has, as the numbers of the games. */
static void
assert_seen(struct db *p, const char *viewer, const char *account,
    const char *phase, const char *prefix, const char *want)
{
	const struct store_list list = {.viewer = viewer,
	    .account = account,
	    .phase = phase,
	    .prefix = prefix,
	    .before_ms = INT64_MAX,
	    .before_gid = INT64_MAX};
	struct buf out;

	buf_init(&out, 0);
	assert_int_equal(store_list_each(p->st, &list, see_game, &out), 0);
	assert_string_equal(buf_str(&out), want);
	buf_clear(&out);
}

/* The same for nobody. */
static void
assert_list(struct db *p, const char *account, const char *phase,
    const char *prefix, const char *want)
{
	assert_seen(p, "", account, phase, prefix, want);
}

static void
games_are_listed_newest_first_by_every_filter(void **state)
{
	struct db *p = *state;
	struct store_list list = {.viewer = ""};
	int64_t gid[6];
	struct buf out;

	assert_int_equal(db_add_account(p->st, "ann", 1), 0);
	assert_int_equal(db_add_account(p->st, "bob", 2), 0);
	gid[1] = db_add_game(p->st, 1, "muster", 50);
	gid[2] = db_add_game(p->st, 2, "play", 40);
	gid[3] = db_add_game(p->st, 3, "play", 70);
	gid[4] = db_add_game(p->st, 4, "play", 40);
	gid[5] = db_add_game(p->st, 0x15, "over", 10);
	assert_int_equal(store_game_seat(p->st, gid[1], 1, "ann"), 0);
	assert_int_equal(store_game_seat(p->st, gid[2], 1, "ann"), 0);
	assert_int_equal(store_game_seat(p->st, gid[2], 2, "bob"), 0);
	assert_int_equal(store_game_seat(p->st, gid[5], 1, "bob"), 0);
	assert_int_equal(store_game_seat(p->st, gid[5], 2, "bob"), 0);
	assert_int_equal(store_game_seat(p->st, gid[5], 2, "ann"), ERR_EXISTS);
	assert_int_equal(
	    store_game_seat(p->st, gid[5], 3, "eve"), ERR_NOTFOUND);
	assert_list(p, NULL, NULL, NULL, "3 1 4 2 21 ");
	assert_list(p, NULL, "play", NULL, "3 4 2 ");
	assert_list(p, "ann", NULL, NULL, "1 2 ");
	assert_list(p, "bob", NULL, NULL, "2 21 ");
	assert_list(p, "bob", "over", NULL, "21 ");
	assert_list(p, "eve", NULL, NULL, "");
	assert_list(p, NULL, NULL, "0", "3 1 4 2 21 ");
	assert_list(p, NULL, NULL, "000", "3 1 4 2 ");
	assert_list(p, NULL, NULL, "0015", "21 ");
	assert_list(p, NULL, "play", "000", "3 4 2 ");
	assert_list(p, "ann", "play", "000", "2 ");
	assert_list(p, "ann", NULL, "0015", "");
	assert_list(p, NULL, NULL, "1", "");
	buf_init(&out, 0);
	/* The next page goes on where two games share a time. */
	list.before_ms = 40;
	list.before_gid = gid[4];
	assert_int_equal(store_list_each(p->st, &list, see_game, &out), 0);
	assert_string_equal(buf_str(&out), "2 21 ");
	buf_reset(&out);
	list.before_gid = gid[2];
	list.phase = "play";
	assert_int_equal(store_list_each(p->st, &list, see_game, &out), 0);
	assert_string_equal(buf_str(&out), "");
	list.prefix = "";
	assert_int_equal(
	    store_list_each(p->st, &list, see_game, &out), ERR_INVALID);
	list.prefix = "00G";
	assert_int_equal(
	    store_list_each(p->st, &list, see_game, &out), ERR_INVALID);
	list.prefix = "0' OR 1 --";
	assert_int_equal(
	    store_list_each(p->st, &list, see_game, &out), ERR_INVALID);
	buf_clear(&out);
}

/* Notes which games a list has, whatever they are of. */
static int
note_game(void *arg, const struct store_game_row *row)
{
	buf_printf(arg, "%d ", row->id[1]);
	return (0);
}

/* What a list has by system and event. */
static void
assert_of(struct db *p, const struct store_list *want, const char *games)
{
	struct store_list list = *want;
	struct buf out;

	list.before_ms = list.before_gid = INT64_MAX;
	if (list.viewer == NULL)
		list.viewer = "";
	buf_init(&out, 0);
	assert_int_equal(store_list_each(p->st, &list, note_game, &out), 0);
	assert_string_equal(buf_str(&out), games);
	buf_clear(&out);
}

/* Adds a game of a system and event, opened by ann. */
static int64_t
add_of(struct db *p, int i, const char *system, const char *event,
    const char *phase)
{
	struct store_game_row row = {.at_ms = 10 * i};
	uint8_t id[HASH_LEN];

	assert_int_equal(store_game_insert(p->st, db_hash_of(id, i), system,
			     event, "ann", row.at_ms, &row.gid),
	    0);
	(void)snprintf(row.phase, sizeof(row.phase), "%s", phase);
	assert_int_equal(store_game_update(p->st, &row, id, "{}", 2), 0);
	assert_int_equal(store_game_seat(p->st, row.gid, 1, "ann"), 0);
	return (row.gid);
}

static void
games_of_a_system_or_an_event_are_listed(void **state)
{
	struct db *p = *state;
	struct store_game_row row = {.is_private = true};

	assert_int_equal(db_add_account(p->st, "ann", 1), 0);
	assert_int_equal(db_add_account(p->st, "bob", 2), 0);
	(void)add_of(p, 1, "lasalle2", "", "play");
	(void)add_of(p, 2, "tlnb", "Cup", "play");
	(void)add_of(p, 3, "lasalle2", "Cup", "over");
	(void)add_of(p, 4, "lasalle2", "Cup", "muster");
	(void)add_of(p, 5, "lasalle2", "cup", "muster");
	(void)add_of(p, 6, "tlnb", "Cup", "muster");
	row.gid = add_of(p, 7, "tlnb", "Cup", "muster");
	assert_int_equal(store_game_set_view(p->st, &row), 0);
#define OF(games, ...) \
	assert_of(p, &(const struct store_list){__VA_ARGS__}, games)
	OF("5 4 3 1 ", .system = "lasalle2");
	OF("6 2 ", .system = "tlnb");
	OF("", .system = "leniston-2009");
	OF("7 6 2 ", .system = "tlnb", .viewer = "ann");
	OF("6 4 3 2 ", .event = "Cup");
	OF("7 6 4 3 2 ", .event = "Cup", .viewer = "ann");
	OF("6 4 3 2 ", .event = "Cup", .viewer = "bob");
	OF("5 ", .event = "cup");
	OF("", .event = "Cu");
	OF("", .event = "Cup' OR '1");
	OF("4 3 ", .event = "Cup", .system = "lasalle2");
	OF("6 4 ", .event = "Cup", .phase = "muster");
	OF("4 ", .event = "Cup", .phase = "muster", .system = "lasalle2");
	OF("5 4 ", .system = "lasalle2", .phase = "muster");
	OF("3 ", .system = "lasalle2", .phase = "over");
	/* The newest of the system: one of another system hides none. */
	OF("5 3 1 ", .system = "lasalle2", .is_newest = true);
	OF("5 ", .system = "lasalle2", .is_newest = true, .phase = "muster");
	OF("6 ", .system = "tlnb", .is_newest = true, .phase = "muster");
	OF("6 3 2 1 ", .is_newest = true);
	/* Of an event all are listed. */
	OF("6 4 ", .event = "Cup", .is_newest = true, .phase = "muster");
	/* By account and by id, too. */
	OF("6 2 ", .account = "ann", .system = "tlnb");
	OF("6 4 3 2 ", .account = "ann", .event = "Cup");
	OF("", .account = "bob", .event = "Cup");
	OF("4 3 ", .prefix = "00", .event = "Cup", .system = "lasalle2");
#undef OF
}

/* They would otherwise be looked at one by one for everybody's list. */
static void
private_games_are_listed_for_those_who_know_them(void **state)
{
	struct db *p = *state;
	struct store_game_row row = {.is_private = true};
	int64_t gid[5];
	int i;

	assert_int_equal(db_add_account(p->st, "ann", 1), 0);
	assert_int_equal(db_add_account(p->st, "bob", 2), 0);
	assert_int_equal(db_add_account(p->st, "eve", 3), 0);
	for (i = 1; i <= 4; i++) {
		gid[i] = db_add_game(p->st, i, "muster", 10 * i);
		assert_int_equal(store_game_seat(p->st, gid[i], 1, "ann"), 0);
		row.gid = gid[i];
		if (i != 2)
			assert_int_equal(store_game_set_view(p->st, &row), 0);
	}
	assert_int_equal(store_game_seat(p->st, gid[3], 2, "bob"), 0);
	assert_int_equal(store_invite(p->st, gid[4], "bob", 1), 0);
	assert_seen(p, "", NULL, NULL, NULL, "2 ");
	assert_seen(p, "eve", NULL, NULL, NULL, "2 ");
	assert_seen(p, "ann", NULL, NULL, NULL, "4 3 2 1 ");
	assert_seen(p, "bob", NULL, NULL, NULL, "4 3 2 ");
	assert_seen(p, "bob", NULL, "muster", NULL, "4 3 2 ");
	assert_seen(p, "eve", NULL, "muster", NULL, "2 ");
	assert_seen(p, "bob", "ann", NULL, NULL, "4 3 2 ");
	assert_seen(p, "", "ann", NULL, NULL, "2 ");
	assert_seen(p, "bob", NULL, NULL, "000", "4 3 2 ");
	assert_seen(p, "", NULL, NULL, "000", "2 ");
	assert_seen(p, "bob", "bob", "muster", "000", "3 ");
}

/*
 * What the statements of the store have done since the last call.  To be
 * prepared anew costs more than most of them do, but is not counted in steps.
 */
static int64_t
steps(struct db *p)
{
	sqlite3_stmt *s;
	int64_t n = 0;
	int i;

	for (i = 0; i < STORE_SQL_COUNT; i++) {
		if ((s = p->st->stmts[i]) == NULL)
			continue;
		n += sqlite3_stmt_status(s, SQLITE_STMTSTATUS_VM_STEP, 1) +
		    1000 *
			sqlite3_stmt_status(s, SQLITE_STMTSTATUS_REPREPARE, 1);
	}
	return (n);
}

/* Takes so many games; more than that is a page. */
static int
take_page(void *arg, const struct store_game_row *row)
{
	int *left = arg;

	(void)row;
	return (--*left == 0 ? 1 : 0);
}

#define LISTS 19

/* What the first page of each list costs. */
static void
price(struct db *p, int64_t out[LISTS])
{
	static const struct store_list lists[LISTS] = {
	    {.viewer = ""},
	    {.viewer = "", .phase = "muster"},
	    {.viewer = "", .prefix = "0"},
	    {.viewer = "", .account = "ann"},
	    {.viewer = "", .account = "ann", .phase = "muster", .prefix = "0"},
	    {.viewer = "bob"},
	    {.viewer = "bob", .phase = "muster"},
	    {.viewer = "bob", .account = "ann", .prefix = "0"},
	    {.viewer = "bob", .account = "bob"},
	    {.viewer = "", .is_newest = true},
	    {.viewer = "", .phase = "muster", .is_newest = true},
	    {.viewer = "bob", .phase = "muster", .is_newest = true},
	    {.viewer = "", .system = "lasalle2"},
	    {.viewer = "", .phase = "muster", .system = "lasalle2"},
	    {.viewer = "", .is_newest = true, .system = "lasalle2"},
	    {.viewer = "bob",
		.phase = "muster",
		.is_newest = true,
		.system = "lasalle2"},
	    {.viewer = "", .event = "Cup"},
	    {.viewer = "bob",
		.phase = "muster",
		.is_newest = true,
		.event = "Cup"},
	    {.viewer = "bob",
		.phase = "muster",
		.system = "lasalle2",
		.event = "Cup"},
	};
	struct store_list list;
	int i, left, r;

	for (i = 0; i < LISTS; i++) {
		left = 3;
		list = lists[i];
		list.before_ms = list.before_gid = INT64_MAX;
		(void)steps(p);
		r = store_list_each(p->st, &list, take_page, &left);
		assert_in_range(r, 0, 1);
		out[i] = steps(p);
	}
}

/* Adds private games of ann's, newer than all others. */
static void
hide_games(struct db *p, int from, int n)
{
	struct store_game_row row = {.is_private = true};
	int i;

	assert_int_equal(store_begin(p->st), 0);
	for (i = from; i < from + n; i++) {
		row.gid = db_add_game(
		    p->st, i, i % 2 == 0 ? "muster" : "play", 1000 + i);
		assert_int_equal(store_game_seat(p->st, row.gid, 1, "ann"), 0);
		assert_int_equal(store_game_set_view(p->st, &row), 0);
	}
	assert_int_equal(store_commit(p->st), 0);
}

/* What a list of the newest has, likewise for nobody. */
static void
assert_newest(struct db *p, const char *phase, int64_t lapsed_ms,
    int64_t before_ms, const char *want)
{
	const struct store_list list = {.viewer = "",
	    .phase = phase,
	    .is_newest = true,
	    .lapsed_ms = lapsed_ms,
	    .before_ms = before_ms,
	    .before_gid = INT64_MAX};
	struct buf out;

	buf_init(&out, 0);
	assert_int_equal(store_list_each(p->st, &list, see_game, &out), 0);
	assert_string_equal(buf_str(&out), want);
	buf_clear(&out);
}

static void
of_an_account_that_waits_often_the_newest_game_is_listed(void **state)
{
	struct db *p = *state;
	struct store_game_row row = {.is_private = true};
	char opener[STORE_ACCOUNT_MAX + 1];
	uint8_t oldest[HASH_LEN], id[HASH_LEN];
	int64_t gid[8], n;
	int i;

	/* All are opened by ann. */
	assert_int_equal(db_add_account(p->st, "ann", 1), 0);
	for (i = 1; i <= 7; i++)
		gid[i] = db_add_game(
		    p->st, i, i == 2 || i == 6 ? "play" : "muster", 10 * i);
	row.gid = gid[7];
	assert_int_equal(store_game_set_view(p->st, &row), 0);
	/* 7 is private, and hides none. */
	assert_newest(p, NULL, 0, INT64_MAX, "6 5 2 ");
	assert_newest(p, "muster", 0, INT64_MAX, "5 ");
	assert_newest(p, "muster", 0, 50, "5 ");
	assert_newest(p, "muster", 0, 49, "");
	/* Those that lapsed stand for themselves. */
	assert_newest(p, NULL, 35, INT64_MAX, "6 5 3 2 1 ");
	assert_newest(p, "muster", 55, INT64_MAX, "");
	assert_int_equal(store_list_others(p->st, gid[5], 0, &n, opener), 0);
	assert_int_equal(n, 3);
	assert_string_equal(opener, "ann");
	assert_int_equal(store_list_others(p->st, gid[5], 35, &n, opener), 0);
	assert_int_equal(n, 1);
	assert_int_equal(store_list_musters(p->st, "ann", 0, &n, oldest), 0);
	assert_int_equal(n, 5);
	assert_memory_equal(oldest, db_hash_of(id, 1), HASH_LEN);
	assert_int_equal(store_list_musters(p->st, "ann", 35, &n, oldest), 0);
	assert_int_equal(n, 3);
	assert_memory_equal(oldest, db_hash_of(id, 4), HASH_LEN);
	assert_int_equal(store_list_musters(p->st, "bob", 0, &n, oldest), 0);
	assert_int_equal(n, 0);
}

/* Steps of SQLite's machine are counted: a clock would be too kind. */
static void
private_games_cost_those_who_do_not_know_them_nothing(void **state)
{
	struct db *p = *state;
	int64_t few[LISTS], many[LISTS], gid;
	struct buf ids;
	int i;

	assert_int_equal(db_add_account(p->st, "ann", 1), 0);
	assert_int_equal(db_add_account(p->st, "bob", 2), 0);
	for (i = 1; i <= 5; i++) {
		gid = db_add_game(p->st, i, i < 3 ? "play" : "muster", 10 * i);
		assert_int_equal(store_game_seat(p->st, gid, 1, "ann"), 0);
		if (i == 3)
			assert_int_equal(
			    store_game_seat(p->st, gid, 2, "bob"), 0);
	}
	hide_games(p, 10, 20);
	buf_init(&ids, 0);
	assert_int_equal(store_game_ids(p->st, &ids), 0);
	assert_int_equal(ids.len, 25 * HASH_LEN);
	buf_clear(&ids);
	price(p, few);
	hide_games(p, 30, 2000);
	price(p, many);
	for (i = 0; i < LISTS; i++) {
		assert_in_range(few[i], 1, 1000);
		if (many[i] > few[i])
			fail_msg("list %d: %lld steps instead of %lld", i,
			    (long long)many[i], (long long)few[i]);
	}
}

int
main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, db_setup, db_teardown)
	const struct CMUnitTest tests[] = {
	    CASE(games_are_listed_newest_first_by_every_filter),
	    CASE(games_of_a_system_or_an_event_are_listed),
	    CASE(private_games_are_listed_for_those_who_know_them),
	    CASE(of_an_account_that_waits_often_the_newest_game_is_listed),
	    CASE(private_games_cost_those_who_do_not_know_them_nothing),
	};
#undef CASE

	faulty_install();
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
