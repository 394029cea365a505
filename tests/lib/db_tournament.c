/* SPDX-License-Identifier: ISC */
#include "tests/lib/db_tournament.h"

#include <string.h>

#include "common/base/buf.h"
#include "common/base/err.h"
#include "server/store/store.h"
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
	buf_clear(&out);
}
