/* SPDX-License-Identifier: ISC */
/* Records of other servers' tournaments: whose they are, and when they go. */
#include "server/store/store_former.h"

#include <string.h>

#include "server/store/store_tournament.h"
#include "tests/lib/db.h"

/* A row of that id and last line, which an account brings. */
static struct store_former_row
begin(struct db *p, const char *account, uint8_t id, int64_t seq)
{
	struct store_former_row row = {.seq = seq};

	memset(row.id, id, HASH_LEN);
	memset(row.head, (int)seq, HASH_LEN);
	assert_int_equal(store_former_insert(p->st, account, &row), 0);
	return (row);
}

/* All of its lines come, and it is good. */
static void
complete(struct db *p, struct store_former_row *row)
{
	for (; row->lines <= row->seq; row->lines++) {
		assert_int_equal(
		    store_former_line(p->st, row->fid, row->lines, "{}", 2), 0);
		row->bytes += 2;
	}
	row->is_good = true;
	assert_int_equal(store_former_update(p->st, row), 0);
}

/* How many of an account nobody uses, with their bytes. */
static void
assert_unused(
    struct db *p, const char *account, int64_t n, int64_t bytes, int64_t oldest)
{
	int64_t is_n, is_bytes, is_oldest;

	assert_int_equal(
	    store_former_unused(p->st, account, &is_n, &is_bytes, &is_oldest),
	    0);
	assert_int_equal(is_n, n);
	assert_int_equal(is_bytes, bytes);
	assert_int_equal(is_oldest, oldest);
}

static int
count_cb(void *arg, int64_t seq, const char *bytes, size_t len)
{
	int *n = arg;

	assert_int_equal(seq, *n + 1);
	assert_int_equal(len, 2);
	assert_memory_equal(bytes, "{}", 2);
	++*n;
	return (0);
}

static void
an_account_brings_one_at_a_time(void **state)
{
	struct db *p = *state;
	struct store_former_row row, found;

	assert_int_equal(db_add_account(p->st, "ann", 1), 0);
	assert_int_equal(db_add_account(p->st, "bob", 2), 0);
	assert_int_equal(
	    store_former_begun(p->st, "ann", &found), ERR_NOTFOUND);
	row = begin(p, "ann", 7, 3);
	assert_int_equal(store_former_begun(p->st, "ann", &found), 0);
	assert_int_equal(found.fid, row.fid);
	assert_int_equal(found.seq, 3);
	assert_false(found.is_good);
	assert_int_equal(
	    store_former_begun(p->st, "bob", &found), ERR_NOTFOUND);
	assert_int_equal(store_former_insert(p->st, "ann", &found), ERR_EXISTS);
	/* Not good: it is not found to be gone back to. */
	assert_int_equal(
	    store_former_find(p->st, row.id, row.head, &found), ERR_NOTFOUND);
	complete(p, &row);
	assert_int_equal(store_former_find(p->st, row.id, row.head, &found), 0);
	assert_true(found.is_good);
	assert_int_equal(found.bytes, 8);
	/* Another may begin now, even of the same; good it is but once. */
	row = begin(p, "ann", 7, 3);
	row.is_good = true;
	assert_int_equal(store_former_update(p->st, &row), ERR_EXISTS);
}

static void
what_a_tournament_goes_back_to_is_kept(void **state)
{
	struct db *p = *state;
	const struct store_tournament_row cup = {.phase = "entries"};
	struct store_former_row used, row, found;
	int64_t tid;
	int n = 0;

	assert_int_equal(db_add_account(p->st, "ann", 1), 0);
	assert_unused(p, "ann", 0, 0, 0);
	used = begin(p, "ann", 7, 3);
	complete(p, &used);
	row = begin(p, "ann", 8, 1);
	complete(p, &row);
	assert_unused(p, "ann", 2, 12, used.fid);
	assert_int_equal(store_tournament_insert(p->st, &cup, &tid), 0);
	assert_int_equal(store_former_name(p->st, tid, used.fid), 0);
	assert_unused(p, "ann", 1, 4, row.fid);
	assert_int_equal(
	    store_former_each(p->st, used.fid, 1, INT64_MAX, count_cb, &n), 0);
	assert_int_equal(n, 3);
	assert_int_equal(store_former_drop(p->st, row.fid), 0);
	assert_unused(p, "ann", 0, 0, 0);
	assert_int_equal(
	    store_former_find(p->st, row.id, row.head, &found), ERR_NOTFOUND);
	/* The other cannot go. */
	assert_int_not_equal(store_former_drop(p->st, used.fid), 0);
}

int
main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, db_setup, db_teardown)
	const struct CMUnitTest tests[] = {
	    CASE(an_account_brings_one_at_a_time),
	    CASE(what_a_tournament_goes_back_to_is_kept),
	};
#undef CASE

	faulty_install();
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
