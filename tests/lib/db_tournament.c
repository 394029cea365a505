/* SPDX-License-Identifier: ISC */
#include "tests/lib/db_tournament.h"

#include <stdio.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/err.h"
#include "server/store/store.h"
#include "server/store/store_former.h"
#include "server/store/store_tell.h"
#include "server/store/store_tournament.h"
#include "tests/lib/db.h"

/* Takes a line. */
static int
db_tournament_line_cb(void *arg, int64_t seq, const char *bytes, size_t len)
{
	(void)arg;
	(void)seq;
	(void)bytes;
	(void)len;
	return (0);
}

/* Takes a text or blob. */
static int
db_tournament_side_cb(void *arg, bool is_blob, const uint8_t hash[HASH_LEN],
    const uint8_t *salt, const char *value, size_t len)
{
	(void)arg;
	(void)is_blob;
	(void)hash;
	(void)salt;
	(void)value;
	(void)len;
	return (0);
}

/* Takes a tournament; 1 ends it. */
static int
db_tournament_drop(void *arg, const struct store_tournament_row *row)
{
	(void)row;
	return (*(int *)arg);
}

/* Takes the id of one, likewise. */
static int
db_tournament_drop_id(void *arg, const uint8_t id[HASH_LEN])
{
	(void)id;
	return (*(int *)arg);
}

/* A tournament with a line, whose row is *row. */
static void
db_tournament_add(
    struct store *st, const char *name, struct store_tournament_row *row)
{
	struct store_tournament_line line = {
	    .bytes = "{}", .len = 2, .account = name};
	uint8_t h[HASH_LEN];

	*row = (struct store_tournament_row){.event = "Cup",
	    .system = "lasalle2",
	    .format = "swiss",
	    .director = "p300",
	    .phase = "entries",
	    .is_private = true};
	db_hash_of(h, 300);
	line.oid = line.nonce = h;
	assert_int_equal(store_tournament_insert(st, row, &row->tid), 0);
	row->seq = 1;
	assert_int_equal(store_tournament_update(st, row), 0);
	line.tid = row->tid;
	assert_int_equal(store_tournament_line(st, &line), 0);
	assert_int_equal(
	    store_tournament_text(st, row->tid, h, h, "words", 5), 0);
	assert_int_equal(store_tournament_name(st, row->tid, 0, false, h), 0);
	assert_int_equal(store_tournament_name(st, row->tid, 0, true, h), 0);
}

/* Who is there, and the game that belongs to it. */
static void
db_tournament_people(struct store *st, int64_t tid, int64_t gid,
    const char *name, const uint8_t blob[HASH_LEN])
{
	uint8_t id[HASH_LEN], zeros[HASH_LEN] = {0};

	assert_int_equal(store_tournament_is_here(st, tid, name), ERR_NOTFOUND);
	assert_int_equal(store_tournament_enter(st, tid, name, 0), 0);
	assert_int_equal(store_tournament_enter(st, tid, name, 3), 0);
	assert_int_equal(store_tournament_enter(st, tid, "nobody", 4), 0);
	assert_int_equal(store_tournament_is_here(st, tid, name), 0);
	assert_int_equal(store_tournament_of_game(st, gid, id), ERR_NOTFOUND);
	assert_int_equal(store_tournament_game(st, tid, gid, 1, 1, 1), 0);
	assert_int_equal(store_tournament_of_game(st, gid, id), 0);
	assert_memory_equal(id, zeros, HASH_LEN);
	assert_int_equal(store_tournament_has_game(st, gid, name), 0);
	assert_int_equal(
	    store_tournament_has_game(st, gid, "nobody"), ERR_NOTFOUND);
	assert_int_equal(store_tournament_has_blob(st, blob, name), 0);
	assert_int_equal(
	    store_tournament_has_blob(st, blob, "nobody"), ERR_NOTFOUND);
}

/* Takes what somebody is told, and notes its row. */
static int
db_tournament_tell_cb(void *arg, const struct store_tell *s)
{
	*(int64_t *)arg = s->id;
	return (0);
}

/* What people are told of it. */
static void
db_tournament_tell(struct store *st, int64_t tid, const char *name)
{
	struct store_tell s = {.tell = {.what = TOLD_TABLE,
				   .place = {.round = 1, .table = 2, .leg = 1},
				   .due_ms = 5,
				   .until_ms = -1},
	    .channel = STORE_CHANNEL_MAIL,
	    .at_ms = 4,
	    .next_ms = 5,
	    .data = "{}"};
	int64_t id = 0;

	(void)snprintf(s.account, sizeof(s.account), "%s", name);
	assert_int_equal(store_tell_insert(st, tid, &s), 0);
	assert_int_equal(store_tell_update(st, tid, &s), 0);
	assert_int_equal(
	    store_tell_come(st, tid, name, &s.tell.place, true), 0);
	assert_int_equal(
	    store_tell_come(st, tid, name, &s.tell.place, false), 0);
	assert_int_equal(
	    store_tell_each(st, tid, db_tournament_tell_cb, &id), 0);
	assert_int_not_equal(id, 0);
	assert_int_equal(store_tell_delete(st, tid, name, &s.tell), 0);
	assert_int_equal(store_tell_delete_row(st, id), 0);
}

/* Takes a tournament that waits for lines. */
static int
db_tournament_wait_cb(
    void *arg, const uint8_t id[HASH_LEN], int64_t from_ms, const char *why)
{
	(void)arg;
	(void)id;
	(void)from_ms;
	(void)why;
	return (0);
}

/* Takes one of its games. */
static int
db_tournament_game_cb(void *arg, const struct store_tournament_game *g)
{
	(void)arg;
	(void)g;
	return (0);
}

/* Takes a text that was erased. */
static int
db_tournament_erased_cb(void *arg, int64_t n, const uint8_t ref[HASH_LEN])
{
	(void)arg;
	(void)n;
	(void)ref;
	return (0);
}

/* Lines that may be missing, and a text that is erased. */
static void
db_tournament_comeback(
    struct store *st, int64_t tid, const uint8_t ref[HASH_LEN])
{
	char account[ORDER_ACCOUNT_MAX + 1], why[STORE_WHY_MAX];
	uint8_t id[HASH_LEN];
	struct buf out;
	int64_t n, seq;

	buf_init(&out, 0);
	assert_int_equal(
	    store_tournament_wait_begin(st, tid, 5, STORE_WHY_BEHIND), 0);
	assert_int_equal(store_tournament_wait_begin_all(st, 6), 0);
	assert_int_equal(store_tournament_wait_why(st, tid, why), 0);
	assert_string_equal(why, STORE_WHY_RESTORED);
	assert_int_equal(
	    store_tournament_wait_each(st, db_tournament_wait_cb, NULL), 0);
	assert_int_equal(store_tournament_wait_end(st, tid), 0);
	assert_int_equal(store_tournament_wait_why(st, tid, why), ERR_NOTFOUND);
	assert_int_equal(store_tournament_hashes(st, tid, &out), 0);
	assert_int_equal(out.len, HASH_LEN);
	buf_clear(&out);
	assert_int_equal(store_tournament_digits(st, "zz", id), ERR_NOTFOUND);
	assert_int_equal(
	    store_tournament_games(st, tid, db_tournament_game_cb, NULL), 0);
	assert_int_equal(
	    store_tournament_author(st, tid, ref, &seq, account), 0);
	assert_int_equal(store_tournament_erase(st, tid, ref, account), 0);
	assert_int_equal(store_tournament_is_erased(st, tid, ref), 0);
	assert_int_equal(store_tournament_erased(
			     st, tid, 0, 9, db_tournament_erased_cb, NULL),
	    0);
	assert_int_equal(store_tournament_erased_last(st, tid, &n), 0);
	assert_int_equal(n, 1);
}

/* Finds an account that is here, by its name. */
static int
db_tournament_account_cb(void *arg, const char *account, int number)
{
	const char **name = arg;

	assert_true(number >= 0);
	if (strcmp(account, *name) == 0)
		*name = "found";
	return (0);
}

/* One of another server, to which that one goes back, and one that is gone. */
static void
db_tournament_former(
    struct store *st, int64_t tid, const char *name, const uint8_t *h)
{
	struct store_former_row row = {.seq = 0}, got;
	int64_t n, bytes, oldest;

	memcpy(row.id, h, HASH_LEN);
	memcpy(row.head, h, HASH_LEN);
	assert_int_equal(store_former_insert(st, name, &row), 0);
	assert_int_equal(store_former_line(st, row.fid, 0, "{}", 2), 0);
	row.lines = 1;
	row.bytes = 2;
	row.is_good = true;
	assert_int_equal(store_former_update(st, &row), 0);
	assert_int_equal(store_former_name(st, tid, row.fid), 0);
	assert_int_equal(store_former_find(st, h, h, &got), 0);
	assert_int_equal(
	    store_former_each(st, row.fid, 0, 9, db_tournament_line_cb, NULL),
	    0);
	assert_int_equal(store_former_insert(st, name, &row), 0);
	assert_int_equal(store_former_begun(st, name, &got), 0);
	assert_int_equal(store_former_unused(st, name, &n, &bytes, &oldest), 0);
	assert_int_equal(oldest, row.fid);
	assert_int_equal(store_former_drop(st, row.fid), 0);
}

void
db_tournament_use(struct store *st, int64_t gid, const char *name)
{
	const struct store_tournament_list list = {.viewer = name,
	    .account = name,
	    .phase = "entries",
	    .prefix = "00",
	    .before_ms = INT64_MAX,
	    .before_tid = INT64_MAX};
	struct store_tournament_row got, row;
	uint8_t h[HASH_LEN], hash[HASH_LEN];
	const char *who = name;
	struct buf out;
	int64_t seq;
	int stop = 1;

	db_hash_of(h, 300);
	buf_init(&out, 0);
	db_tournament_add(st, name, &row);
	db_tournament_people(st, row.tid, gid, name, h);
	assert_int_equal(store_tournament_find(st, row.id, &got), 0);
	assert_int_equal(got.seq, 1);
	assert_int_equal(
	    store_tournament_list(st, &list, db_tournament_drop, &stop), 1);
	assert_int_equal(
	    store_tournament_of_account(st, name, db_tournament_drop_id, &stop),
	    1);
	assert_int_equal(store_tournament_hash(st, row.tid, 0, hash), 0);
	assert_int_equal(store_tournament_get(st, row.tid, 0, &out), 0);
	assert_int_equal(
	    store_tournament_find_oid(st, row.tid, h, &out, &seq), 0);
	assert_string_equal(buf_str(&out), "{}{}");
	assert_int_equal(store_tournament_find_nonce(st, row.tid, name, h), 0);
	assert_int_equal(store_tournament_each(
			     st, row.tid, 0, 9, db_tournament_line_cb, NULL),
	    0);
	assert_int_equal(store_tournament_find_text(st, row.tid, h), 0);
	assert_int_equal(store_tournament_side_each(
			     st, row.tid, 0, 9, db_tournament_side_cb, NULL),
	    0);
	assert_int_equal(store_tournament_accounts(
			     st, row.tid, db_tournament_account_cb, &who),
	    0);
	assert_string_equal(who, "found");
	buf_clear(&out);
	buf_init(&out, 0);
	assert_int_equal(store_tournament_ids(st, &out), 0);
	assert_true(out.len >= HASH_LEN);
	buf_clear(&out);
	db_tournament_tell(st, row.tid, name);
	db_tournament_comeback(st, row.tid, h);
	db_tournament_former(st, row.tid, name, h);
}
