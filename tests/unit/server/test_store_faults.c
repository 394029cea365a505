/* SPDX-License-Identifier: ISC */
/*
 * The store: what a failing disk or allocation leaves behind, how often it
 * waits for the disk, and that what it costs does not grow.
 */
#include "server/store/store.h"

#include <sys/stat.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/game/game.h"
#include "common/game/game_take.h"
#include "tests/lib/db_tournament.h"

static void
a_full_disk_fails_and_passes(void **state)
{
	struct db *p = *state;
	struct store_game_row row;
	char *big;
	int r;

	/* More than the page cache holds, so that it goes to disk before. */
	big = calloc(1, 40 << 20);
	assert_non_null(big);
	row = (struct store_game_row){.phase = "play"};
	row.gid = db_add_game(p->st, 1, "play", 1);
	atomic_store(&faulty.disk_is_full, true);
	assert_int_equal(store_begin(p->st), 0);
	assert_int_equal(store_savepoint(p->st), 0);
	assert_int_equal(db_add_account(p->st, "ann", 1), 0);
	assert_int_equal(store_release(p->st), 0);
	assert_int_equal(store_savepoint(p->st), 0);
	r = store_game_update(p->st, &row, row.id, big, 40 << 20);
	assert_int_equal(r, ERR_STORAGE);
	/* The whole transaction is gone; what is said of it must be known. */
	assert_false(store_is_open_transaction(p->st));
	assert_int_not_equal(store_rollback_savepoint(p->st), 0);
	store_rollback(p->st);
	assert_int_equal(store_account_find(p->st, "ann"), ERR_NOTFOUND);
	assert_int_equal(store_begin(p->st), 0);
	assert_int_equal(db_add_account(p->st, "ann", 1), 0);
	assert_int_equal(store_commit(p->st), ERR_STORAGE);
	store_rollback(p->st);
	assert_int_equal(store_account_find(p->st, "ann"), ERR_NOTFOUND);
	atomic_store(&faulty.disk_is_full, false);
	assert_int_equal(store_begin(p->st), 0);
	assert_int_equal(db_add_account(p->st, "ann", 1), 0);
	assert_int_equal(store_commit(p->st), 0);
	assert_int_equal(store_account_find(p->st, "ann"), 0);
	free(big);
}

static void
a_failed_fsync_is_the_last_that_is_written(void **state)
{
	struct db *p = *state;
	struct errinfo e;

	assert_int_equal(db_add_account(p->st, "ann", 1), 0);
	assert_int_equal(store_begin(p->st), 0);
	assert_int_equal(db_add_account(p->st, "bob", 2), 0);
	atomic_store(&faulty.sync_rc, SQLITE_IOERR_FSYNC);
	assert_int_equal(store_commit(p->st), ERR_IO);
	store_rollback(p->st);
	atomic_store(&faulty.sync_rc, 0);
	assert_int_equal(store_begin(p->st), ERR_IO);
	store_close(p->st);
	p->st = NULL;
	assert_int_equal(store_open_writer(p->path, false, &p->st, &e), 0);
	assert_int_equal(store_account_find(p->st, "ann"), 0);
	assert_int_equal(store_check(p->st, NULL, NULL, &e), 0);
}

static void
a_commit_is_one_fsync_of_the_wal(void **state)
{
	struct db *p = *state;
	int before, i;

	assert_int_equal(db_add_account(p->st, "ann", 1), 0);
	before = atomic_load(&faulty.wal_syncs);
	assert_int_equal(store_begin(p->st), 0);
	for (i = 2; i < 40; i++) {
		assert_int_equal(store_savepoint(p->st), 0);
		(void)db_add_game(p->st, i, "play", i);
		assert_int_equal(store_release(p->st), 0);
	}
	assert_int_equal(atomic_load(&faulty.wal_syncs), before);
	assert_int_equal(store_commit(p->st), 0);
	assert_int_equal(atomic_load(&faulty.wal_syncs), before + 1);
}

static void
the_wal_does_not_grow_for_ever(void **state)
{
	struct db *p = *state;
	struct store_game_row row;
	struct store *rd;
	struct errinfo e;
	struct stat sb;
	char wal[160];
	char *big;
	int i;

	big = calloc(1, 1 << 20);
	assert_non_null(big);
	row = (struct store_game_row){.phase = "play"};
	row.gid = db_add_game(p->st, 1, "play", 1);
	assert_int_equal(store_open_reader(p->path, &rd, &e), 0);
	for (i = 0; i < 60; i++) {
		big[5] = (char)i;
		assert_int_equal(store_begin(p->st), 0);
		assert_int_equal(
		    store_game_update(p->st, &row, row.id, big, 1 << 20), 0);
		assert_int_equal(store_commit(p->st), 0);
		assert_int_equal(store_checkpoint(p->st), 0);
		assert_int_equal(db_ask(rd, "SELECT count(*) FROM game"), 1);
	}
	snprintf(wal, sizeof(wal), "%s-wal", p->path);
	assert_int_equal(stat(wal, &sb), 0);
	assert_true(sb.st_size < 8 << 20);
	/* A reader that stays delays it, and fails nothing. */
	assert_int_equal(store_begin(rd), 0);
	assert_int_equal(db_ask(rd, "SELECT count(*) FROM game"), 1);
	for (i = 0; i < 12; i++) {
		assert_int_equal(
		    store_game_update(p->st, &row, row.id, big, 1 << 20), 0);
		assert_int_equal(store_checkpoint(p->st), 0);
	}
	store_rollback(rd);
	store_close(rd);
	free(big);
}

/* Counts how often somebody is waited for, and waits for nobody. */
static int
count_wait_cb(void *arg, int n)
{
	int *waits = arg;

	(void)n;
	(*waits)++;
	return (0);
}

/*
 * A backup reads one state for as long as it takes: 200 ms were waited for it
 * after each batch, once the log had 20000 pages.
 */
static void
a_reader_that_stays_is_not_waited_for_each_time(void **state)
{
	struct db *p = *state;
	struct store_game_row row;
	int i, waits = 0;
	struct store *rd;
	struct errinfo e;

	row = (struct store_game_row){.phase = "play"};
	row.gid = db_add_game(p->st, 1, "play", 1);
	assert_int_equal(store_open_reader(p->path, &rd, &e), 0);
	assert_int_equal(store_begin(rd), 0);
	assert_int_equal(db_ask(rd, "SELECT count(*) FROM game"), 1);
	assert_int_equal(store_begin(p->st), 0);
	assert_int_equal(store_game_update(p->st, &row, row.id, "{}", 2), 0);
	assert_int_equal(store_commit(p->st), 0);
	sqlite3_busy_handler(p->st->db, count_wait_cb, &waits);
	for (i = 0; i < 5; i++) {
		p->st->wal_pages = 30000 + i;
		assert_int_equal(store_checkpoint(p->st), 0);
		assert_int_equal(waits, 1);
	}
	p->st->wal_pages = 45000;
	assert_int_equal(store_checkpoint(p->st), 0);
	assert_int_equal(waits, 2);
	/* A log that begins anew is a short one again. */
	p->st->wal_pages = 2000;
	assert_int_equal(store_checkpoint(p->st), 0);
	assert_int_equal(waits, 2);
	p->st->wal_pages = 20000;
	assert_int_equal(store_checkpoint(p->st), 0);
	assert_int_equal(waits, 3);
	store_rollback(rd);
	p->st->wal_pages = 50000;
	assert_int_equal(store_checkpoint(p->st), 0);
	assert_int_equal(waits, 3);
	store_close(rd);
}

static void
a_damaged_database_is_found(void **state)
{
	struct db *p = *state;
	struct errinfo e;
	int64_t gid;

	assert_int_equal(store_check(p->st, NULL, NULL, &e), 0);
	gid = db_add_game(p->st, 1, "play", 1);
	assert_int_equal(db_add_line(p->st, gid, 0, 1, NULL), 0);
	assert_int_equal(store_check(p->st, NULL, NULL, &e), 0);
	assert_int_equal(sqlite3_exec(p->st->db,
			     "PRAGMA foreign_keys = OFF;"
			     "DELETE FROM snapshot; DELETE FROM game",
			     NULL, NULL, NULL),
	    SQLITE_OK);
	assert_int_equal(store_check(p->st, NULL, NULL, &e), ERR_BAD);
	assert_non_null(strstr(e.text, "foreign_key_check"));
}

/* Counts down how often a check may go on. */
static bool
check_goes_on_cb(void *arg)
{
	int *left = arg;

	return ((*left)-- > 0);
}

static void
a_check_can_be_ended(void **state)
{
	struct db *p = *state;
	struct errinfo e;
	int left;

	for (left = 0; left < 2; left++) {
		int n = left;

		e.text[0] = '\0';
		assert_int_equal(
		    store_check(p->st, check_goes_on_cb, &n, &e), ERR_CLOSED);
		assert_string_equal(e.text, "interrupted");
		assert_int_equal(n, -1);
	}
	/* It is asked no more when it is over. */
	assert_int_equal(store_check(p->st, NULL, NULL, &e), 0);
	assert_int_equal(db_add_account(p->st, "ann", 1), 0);
}

static int
drop_game(void *arg, const struct store_game_row *row)
{
	(void)row;
	return (*(int *)arg);
}

static int
drop_line(void *arg, int64_t seq, const char *bytes, size_t len)
{
	(void)seq;
	(void)bytes;
	(void)len;
	return (*(int *)arg);
}

static int
drop_side(void *arg, bool is_blob, const uint8_t hash[HASH_LEN],
    const uint8_t *salt, const char *value, size_t len)
{
	(void)is_blob;
	(void)hash;
	(void)salt;
	(void)value;
	(void)len;
	return (*(int *)arg);
}

/* Adds a key to an account, and drops it. */
static int
state_keys(struct store *st, const char *name, int n)
{
	static const uint8_t sig[SIGN_LEN];
	struct statement s = {.account = name, .n = 1, .what = STATEMENT_ADD};
	struct store_statement as = {"{}", s.key, sig};
	int r;

	db_hash_of(s.key, n);
	s.key[0] ^= 0x55;
	if ((r = store_account_state(st, &s, &as, 1)) != 0)
		return (r);
	s.n = 2;
	s.what = STATEMENT_DROP;
	return (store_account_state(st, &s, &as, 2));
}

/* What one order and its neighbours write; n is a number not used before. */
static int
write_everything(struct store *st, int64_t gid, int64_t seq, int n)
{
	static const char timed[] = "{\"at\":\"2026-01-01T00:00:00.000Z\"}";
	const struct game_standing_text t = {.seat = 1, .seq = 5, .text = "{}"};
	uint8_t h[HASH_LEN], key[HASH_LEN], id[HASH_LEN];
	struct store_game_row row;
	char name[16], place[32];
	int64_t other, used;
	struct store_line line;
	int r;

	snprintf(name, sizeof(name), "p%d", n);
	snprintf(place, sizeof(place), "c/1/a/%d/1", n);
	row = (struct store_game_row){.gid = gid,
	    .system = "lasalle2",
	    .phase = "play",
	    .seq = seq,
	    .at_ms = seq};
	db_hash_of(h, n);
	line = (struct store_line){.gid = gid,
	    .seq = seq,
	    .bytes = timed,
	    .len = strlen(timed),
	    .oid = h,
	    .seat = 1,
	    .nonce = h,
	    .pool = h,
	    .place = place};
	if ((r = store_account_insert(
		 st, name, "", db_hash_of(key, n), h, h, 1)) != 0 ||
	    (r = state_keys(st, name, n)) != 0 ||
	    (r = store_blob_insert(st, h, "{}", 2, name, 1)) != 0 ||
	    (r = store_blob_used(st, name, &used)) != 0 ||
	    (r = store_game_insert(st, db_hash_of(id, n), "lasalle2", "Cup",
		 name, n, &other)) != 0 ||
	    (r = store_game_seat(st, other, 1, name)) != 0 ||
	    (r = store_game_seat(st, other, 2, name)) != 0 ||
	    (r = store_game_unseat(st, other, 2)) != 0 ||
	    (r = store_invite(st, other, name, 7)) != 0 ||
	    (r = store_block(st, name, name)) != 0 ||
	    (r = store_turn_insert(st, other, 0, 3)) != 0 ||
	    (r = store_standing_insert(st, other, &t)) != 0 ||
	    (r = store_record_insert(st, &line)) != 0 ||
	    (r = store_text_insert(st, gid, h, h, "t", 1, 1)) != 0 ||
	    (r = store_text_share(st, gid, h, 2)) != 0 ||
	    (r = store_side_name(st, gid, seq, false, h)) != 0 ||
	    (r = store_side_name(st, gid, seq, true, h)) != 0 ||
	    (r = store_game_update(st, &row, row.id, "{}", 2)) != 0)
		return (r);
	row.gid = other;
	if ((r = store_game_update(st, &row, row.id, "{}", 2)) != 0 ||
	    (r = store_game_set_view(st, &row)) != 0 ||
	    (r = store_game_set_system(st, row.gid, row.system)) != 0)
		return (r);
	return (store_game_renewed(st, other));
}

/* Takes a secret choice; arg is what to return. */
static int
drop_secret(void *arg, const struct game_held *held)
{
	assert_string_equal(held->text, "{}");
	return (*(int *)arg);
}

/* Takes the text of a standing order; arg is what to return. */
static int
drop_standing(void *arg, const struct game_standing_text *t)
{
	assert_string_equal(t->text, "{}");
	return (*(int *)arg);
}

static int
drop_still(
    void *arg, const uint8_t game[HASH_LEN], int64_t from_ms, const char *why)
{
	assert_non_null(game);
	return (*why == '\0' || from_ms < 0 ? -1 : *(int *)arg);
}

static int
drop_head(void *arg, const struct store_head *h)
{
	return (h->seq < 0 ? -1 : *(int *)arg);
}
static int
drop_account(void *arg, const char *account)
{
	assert_int_equal(account[0], 'p');
	return (*(int *)arg);
}

static int
drop_guest(void *arg, const char *account, int64_t at_ms)
{
	assert_int_equal(at_ms, 7);
	return (drop_account(arg, account));
}

static int
drop_seat(void *arg, int seat, const char *account)
{
	assert_int_equal(seat, 1);
	return (drop_account(arg, account));
}

static int
drop_person(void *arg, int seat, const char *account, const char *name)
{
	assert_string_equal(name, "");
	return (drop_seat(arg, seat, account));
}

static int
drop_text(void *arg, const uint8_t ref[HASH_LEN], int side)
{
	(void)ref;
	assert_int_equal(side, 0);
	return (*(int *)arg);
}

/* What is asked of who may see and join a game, and what ends it. */
static int
read_admission(struct store *st, const uint8_t id[HASH_LEN], const char *name)
{
	struct store_game_row row;
	char why[STORE_WHY_MAX];
	int64_t at_ms, n, seq;
	struct buf ids, still;
	int r, stop = 0, turn;

	buf_init(&ids, 0);
	buf_init(&still, 0);
	if ((r = store_game_find(st, id, &row)) != 0 ||
	    (r = store_game_seats(st, row.gid, drop_seat, &stop)) != 0 ||
	    (r = store_account_people(st, row.gid, drop_person, &stop)) != 0 ||
	    (r = store_text_each(st, row.gid, drop_text, &stop)) != 0 ||
	    (r = store_invite_find(st, row.gid, name, &at_ms)) != 0 ||
	    (r = store_invite_count(st, row.gid, &n)) != 0 ||
	    (r = store_invite_each(st, row.gid, drop_guest, &stop)) != 0 ||
	    (r = store_block_find(st, name, name)) != 0 ||
	    (r = store_block_each(st, name, drop_account, &stop)) != 0 ||
	    (r = store_block_count(st, name, &n)) != 0 ||
	    (r = store_turn_find(st, row.gid, 0, &seq)) != 0 ||
	    (r = store_turn_at(st, row.gid, 9, &turn)) != 0 ||
	    (r = store_turn_count(st, row.gid, &n)) != 0 ||
	    (r = store_standing_each(st, row.gid, drop_standing, &stop)) != 0 ||
	    (r = store_standstill_begin(st, row.gid, 5, "damaged")) != 0 ||
	    (r = store_standstill_begin(st, row.gid, 6, "damaged")) != 0 ||
	    (r = store_standstill_find(st, row.gid)) != 0 ||
	    (r = store_standstill_each(st, drop_still, &stop)) != 0 ||
	    (r = store_standstill_why(st, row.gid, why)) != 0 ||
	    (r = store_standstill_end(st, row.gid, 7)) != 0 ||
	    (r = store_heads_hashes(st, row.gid, &still)) != 0 ||
	    (r = store_heads_keep(st, 9)) != 0 ||
	    (r = store_heads_kept(st)) != 0 ||
	    (r = store_standstill_lost(st, row.gid, 6, 9, &n)) != 0 ||
	    (r = store_list_open(
		 st, name, INT64_MAX, INT64_MAX, drop_game, &stop)) != 0 ||
	    (r = store_list_invited(
		 st, name, INT64_MAX, INT64_MAX, drop_game, &stop)) != 0 ||
	    (r = store_game_old(st, &ids)) != 0 ||
	    (r = store_invite_end(st, row.gid)) != 0 ||
	    (r = store_standing_delete(st, row.gid, 5)) != 0 ||
	    (r = store_standing_clear(st, row.gid)) != 0 ||
	    (r = store_turn_delete(st, row.gid)) != 0 ||
	    (r = store_unblock(st, name, name)) != 0 ||
	    (r = store_uninvite(st, row.gid, name)) != 0)
		goto out;
	assert_int_equal(ids.len, 0);
	/* It is over; where memory ends that cannot be told. */
	r = store_standstill_find(st, row.gid);
	assert_int_not_equal(r, 0);
	if (r == ERR_NOTFOUND)
		r = 0;
	assert_int_equal(seq, 3);
out:
	buf_clear(&still);
	buf_clear(&ids);
	return (r);
}

/* Takes an address; arg is what to return. */
static int
drop_address(void *arg, const struct store_address *a)
{
	assert_string_equal(a->value, "a@b.example");
	return (*(int *)arg);
}

/* Takes a notice; arg is what to return. */
static int
drop_notice(void *arg, const struct store_notice *n)
{
	assert_int_equal(n->what, OWED_TURN);
	return (*(int *)arg);
}

/* The same for an account that something is due to. */
static int
drop_group(void *arg, const struct store_group *g)
{
	assert_int_equal(g->channel, STORE_CHANNEL_MAIL);
	return (*(int *)arg);
}

/* All that is done with an address, which is left confirmed. */
static int
use_address(struct store *st, const char *name, struct store_address *a)
{
	const unsigned all = (1u << STORE_CHANNELS) - 1;
	struct store_quiet quiet = {true, 60, 1320, 420};
	unsigned channels;
	int r, stop = 0;

	if ((r = store_address_set(st, name, STORE_CHANNEL_MAIL, "a@b.example",
		 "23456789", 5)) != 0 ||
	    (r = store_address_each_due(st, 5, all, drop_address, &stop)) !=
		0 ||
	    (r = store_address_get(st, name, STORE_CHANNEL_MAIL, a)) != 0 ||
	    (r = store_address_find(st, a->id, a)) != 0 ||
	    (r = store_address_each(st, name, drop_address, &stop)) != 0)
		return (r);
	a->is_confirmed = true;
	a->code[0] = '\0';
	a->next_ms = -1;
	if ((r = store_address_update(st, a)) != 0 ||
	    (r = store_address_channels(st, name, &channels)) != 0 ||
	    (r = store_quiet_set(st, name, &quiet)) != 0 ||
	    (r = store_quiet_get(st, name, &quiet)) != 0)
		return (r);
	assert_int_equal(channels, 1u << STORE_CHANNEL_MAIL);
	assert_int_equal(quiet.from_min, 1320);
	quiet.has_quiet = false;
	return (store_quiet_set(st, name, &quiet));
}

/* All that is done with a notice in a game; nothing of it stays. */
static int
use_notices(struct store *st, const uint8_t id[HASH_LEN], const char *name)
{
	const unsigned all = (1u << STORE_CHANNELS) - 1;
	struct store_notice n = {.what = OWED_TURN,
	    .since = 3,
	    .channel = STORE_CHANNEL_MAIL,
	    .at_ms = 6,
	    .until_ms = -1,
	    .next_ms = 7};
	char account[ORDER_ACCOUNT_MAX + 1];
	enum store_channel channel;
	struct store_game_row row;
	struct store_address a;
	int64_t next_ms;
	bool any;
	int r, stop = 0;

	memcpy(n.account, name, strlen(name) + 1);
	if ((r = store_game_find(st, id, &row)) != 0 ||
	    (r = use_address(st, name, &a)) != 0 ||
	    (r = store_notice_insert(st, row.gid, &n)) != 0)
		return (r);
	n.id = sqlite3_last_insert_rowid(st->db);
	if ((r = store_notice_each_game(st, row.gid, drop_notice, &stop)) !=
		0 ||
	    (r = store_notice_each_group(st, 7, all, drop_group, &stop)) != 0 ||
	    (r = store_notice_each_due(
		 st, 7, name, STORE_CHANNEL_MAIL, drop_notice, &stop)) != 0 ||
	    (r = store_notice_next(st, all, &next_ms)) != 0)
		return (r);
	assert_int_equal(next_ms, 7);
	/* What a clock that was ahead has left behind. */
	if ((r = store_notice_bring(st, 7, 5, &any)) != 0)
		return (r);
	assert_false(any);
	if ((r = store_notice_bring(st, 6, 5, &any)) != 0 ||
	    (r = store_notice_next(st, all, &next_ms)) != 0)
		return (r);
	assert_true(any);
	assert_int_equal(next_ms, 5);
	if ((r = store_notice_update(st, n.id, 4, 90)) != 0 ||
	    (r = store_notice_tried(st, n.id, -1, true, account, &channel)) !=
		0 ||
	    (r = store_notice_block(st, name, name)) != 0 ||
	    (r = store_notice_delete(st, n.id)) != 0 ||
	    (r = store_notice_clear(st, name, channel)) != 0)
		return (r);
	assert_string_equal(account, name);
	assert_int_equal(channel, STORE_CHANNEL_MAIL);
	return (store_address_drop(st, name, STORE_CHANNEL_MAIL));
}

/* Takes so many games. */
static int
drop_some(void *arg, const struct store_game_row *row)
{
	int *left = arg;

	(void)row;
	return (--*left == 0 ? 1 : 0);
}

/* The first games of every list that there is. */
static int
read_lists(struct store *st, const char *name)
{
	const struct store_list lists[] = {
	    {.viewer = name},
	    {.viewer = name, .phase = "play"},
	    {.viewer = name, .account = name},
	    {.viewer = name, .account = name, .prefix = "ffff"},
	    {.viewer = name, .is_newest = true},
	    {.viewer = name, .is_newest = true, .phase = "muster"},
	    {.viewer = name, .system = "lasalle2"},
	    {.viewer = name, .system = "lasalle2", .phase = "play"},
	    {.viewer = name, .system = "lasalle2", .is_newest = true},
	    {.viewer = name,
		.system = "lasalle2",
		.is_newest = true,
		.phase = "muster"},
	    {.viewer = name, .event = "Cup"},
	};
	char opener[STORE_ACCOUNT_MAX + 1];
	uint8_t oldest[HASH_LEN];
	struct store_list list;
	int64_t n;
	int left, r = 0;
	size_t i;

	for (i = 0; r == 0 && i < sizeof(lists) / sizeof(lists[0]); i++) {
		list = lists[i];
		list.lapsed_ms = INT64_MIN;
		list.before_ms = list.before_gid = INT64_MAX;
		left = 3;
		r = store_list_each(st, &list, drop_some, &left);
		if (r == 1)
			r = 0;
	}
	if (r == 0)
		r = store_list_musters(st, name, INT64_MIN, &n, oldest);
	if (r == 0) {
		r = store_list_others(st, 1, INT64_MIN, &n, opener);
		if (r == ERR_NOTFOUND)
			r = 0;
	}
	return (r);
}

/* Ends at the first game. */
static int
one_game_cb(void *arg, const uint8_t game[HASH_LEN], int seat)
{
	(void)arg;
	(void)game;
	return (seat == 1 ? 0 : ERR_FAULT);
}

/* Reads what was stated. */
static int
read_keys(struct store *st, const char *name)
{
	uint8_t key[SIGN_KEY_LEN], sig[SIGN_LEN];
	struct statement_keys keys;
	struct buf text;
	int r;

	buf_init(&text, 0);
	r = store_account_keys(st, name, &keys);
	if (r == 0)
		r = store_account_prove(st, name, &keys, 5);
	if (r == 0)
		r = store_account_statement(st, name, 2, &text, key, sig);
	if (r == 0)
		r = store_account_games(st, name, one_game_cb, NULL);
	buf_clear(&text);
	return (r);
}

/* What is asked for an order, with answers that must be there. */
static int
read_everything(struct store *st, int64_t gid, int64_t seq, int n)
{
	const struct game_held held = {.seat = 1, .ask = 4, .text = "{}"};
	uint8_t h[HASH_LEN], got[HASH_LEN];
	struct store_game_row row;
	struct buf out;
	char called[STORE_NAME], name[16], owner[ORDER_ACCOUNT_MAX + 1];
	int64_t found;
	bool fits;
	int r, side, stop = 0;

	snprintf(name, sizeof(name), "p%d", n);
	db_hash_of(h, n);
	buf_init(&out, 0);
	if ((r = store_account_find(st, name)) != 0 ||
	    (r = store_account_name(st, name, called)) != 0 ||
	    (r = store_account_of_key(st, h, owner)) != 0 ||
	    (r = read_keys(st, name)) != 0 ||
	    (r = store_blob_was_put(st, h, name)) != 0 ||
	    (r = store_account_has_key(st, name, h)) != 0 ||
	    (r = store_blob_get(st, h, &out)) != 0 ||
	    (r = store_text_find(st, gid, h, &side)) != 0 ||
	    (r = store_side_each(
		 st, gid, seq, seq, STORE_SIDE_ALL, drop_side, &stop)) != 0 ||
	    (r = store_game_find(st, h, &row)) != 0 ||
	    (r = store_game_load(st, h, &row, &out, &fits)) != 0 ||
	    (r = store_record_last(st, gid, &found, got)) != 0 ||
	    (r = store_record_newest(st, &found)) != 0 ||
	    (r = store_record_get(st, gid, seq, &out, got)) != 0 ||
	    (r = store_record_hash(st, gid, seq, got)) != 0 ||
	    (r = store_record_at(st, gid, seq, &found)) != 0 ||
	    (r = store_blob_is_named(st, h)) != 0 ||
	    (r = store_blob_is_public(st, h)) != 0 ||
	    (r = store_list_blob(st, h, name, drop_game, &stop)) != 0 ||
	    (r = read_admission(st, h, name)) != 0 ||
	    (r = use_notices(st, h, name)) != 0 ||
	    (r = store_record_find_oid(st, gid, h, &out, &found)) != 0 ||
	    (r = store_record_find_nonce(st, gid, 1, h)) != 0 ||
	    (r = store_record_each(st, gid, seq, seq, drop_line, &stop)) != 0)
		goto out;
	if ((r = store_text_author(st, gid, h, &found, owner)) != 0 ||
	    (r = store_text_erase(st, gid, h, name)) != 0 ||
	    (r = store_text_is_erased(st, gid, h)) != 0 ||
	    (r = db_use_gone(st, gid, seq, h)) != 0 ||
	    (r = store_secret_insert(st, gid, &held)) != 0 ||
	    (r = store_secret_each(st, gid, drop_secret, &stop)) != 0 ||
	    (r = store_secret_delete(st, gid)) != 0)
		goto out;
	r = read_lists(st, name);
out:
	buf_clear(&out);
	return (r);
}

/* Runs all that the store can do; begin to commit, with one savepoint. */
static int
use_everything(struct store *st, int64_t gid, int64_t seq, int n)
{
	int r;

	if ((r = store_begin(st)) != 0)
		return (r);
	if ((r = store_savepoint(st)) != 0)
		goto fail;
	if ((r = store_rollback_savepoint(st)) != 0 ||
	    (r = store_savepoint(st)) != 0)
		goto fail;
	if ((r = write_everything(st, gid, seq, n)) != 0 ||
	    (r = read_everything(st, gid, seq, n)) != 0)
		goto fail;
	if ((r = store_release(st)) != 0 || (r = store_commit(st)) != 0)
		goto fail;
	return (0);
fail:
	store_rollback(st);
	return (r);
}

/* Fails if the plan of a statement goes through a whole table or index. */
static void
assert_no_scan(struct store *st, const char *sql)
{
	sqlite3_stmt *s;
	struct buf plan;
	const char *step;
	int n;

	buf_init(&plan, 0);
	buf_printf(&plan, "EXPLAIN QUERY PLAN %s", sql);
	assert_int_equal(
	    sqlite3_prepare_v2(st->db, buf_str(&plan), -1, &s, NULL),
	    SQLITE_OK);
	n = 0;
	while (sqlite3_step(s) == SQLITE_ROW) {
		step = (const char *)sqlite3_column_text(s, 3);
		/* "due" is what a subquery found by an index. */
		if (strncmp(step, "SCAN CONSTANT ROW", 17) != 0 &&
		    strcmp(step, "SCAN due") != 0 &&
		    strstr(step, "SCAN") != NULL)
			fail_msg("%s: %s", sql, step);
		n++;
	}
	sqlite3_finalize(s);
	buf_clear(&plan);
	/* Every statement on a table says how it finds its rows. */
	if (strncmp(sql, "SELECT", 6) == 0)
		assert_true(n > 0);
}

static void
no_statement_goes_through_a_table(void **state)
{
	struct db *p = *state;
	struct store *rd;
	struct errinfo e;
	struct buf ids;
	int64_t gid;
	uint8_t id[HASH_LEN];
	int i, n = 0;

	gid = db_add_game(p->st, 1, "play", 5);
	assert_int_equal(use_everything(p->st, gid, 0, 300), 0);
	db_tournament_use(p->st, gid, "p300");
	buf_init(&ids, 0);
	assert_int_equal(store_game_ids(p->st, &ids), 0);
	buf_clear(&ids);
	assert_int_equal(store_standstill_begin_all(p->st, 7), 0);
	assert_int_equal(store_game_digits(p->st, "zz", id), ERR_NOTFOUND);
	assert_int_equal(store_heads_each(p->st, drop_head, &n), 0);
	assert_int_equal(store_open_reader(p->path, &rd, &e), 0);
	assert_int_equal(store_begin(rd), 0);
	store_rollback(rd);
	for (i = n = 0; i < STORE_SQL_COUNT; i++) {
		if (p->st->stmts[i] == NULL)
			assert_non_null(rd->stmts[i]);
		else
			assert_no_scan(p->st, sqlite3_sql(p->st->stmts[i]));
		n += p->st->stmts[i] != NULL;
	}
	/* All but ROLLBACK to BEGIN of a reader were used by now. */
	assert_int_equal(n, STORE_SQL_COUNT - 1);
	store_close(rd);
}

/* Steps of SQLite's machine for one round of everything. */
static int64_t
steps_of_everything(struct store *st, int64_t gid, int64_t seq, int n)
{
	int64_t steps;
	int i;

	for (i = 0; i < STORE_SQL_COUNT; i++)
		if (st->stmts[i] != NULL)
			sqlite3_stmt_status(
			    st->stmts[i], SQLITE_STMTSTATUS_VM_STEP, 1);
	assert_int_equal(use_everything(st, gid, seq, n), 0);
	steps = 0;
	for (i = 0; i < STORE_SQL_COUNT; i++) {
		if (st->stmts[i] == NULL)
			continue;
		steps += sqlite3_stmt_status(
		    st->stmts[i], SQLITE_STMTSTATUS_VM_STEP, 1);
		assert_int_equal(sqlite3_stmt_status(st->stmts[i],
				     SQLITE_STMTSTATUS_FULLSCAN_STEP, 1),
		    0);
	}
	return (steps);
}

static void
what_an_order_costs_does_not_grow(void **state)
{
	struct db *p = *state;
	int64_t gid, small, large;
	int i;

	gid = db_add_game(p->st, 1, "play", 1);
	for (i = 0; i < 8; i++)
		assert_int_equal(use_everything(p->st, gid, i, 100 + i), 0);
	small = steps_of_everything(p->st, gid, 8, 200);
	assert_int_equal(store_begin(p->st), 0);
	for (i = 0; i < 4000; i++) {
		(void)db_add_game(p->st, 1000 + i, "play", i);
		assert_int_equal(
		    db_add_line(p->st, gid, 9 + i, 10000 + i, NULL), 0);
	}
	assert_int_equal(store_commit(p->st), 0);
	large = steps_of_everything(p->st, gid, 4009, 201);
	/* The same program runs; nothing in it depends on the size. */
	assert_int_equal(small, large);
}

/*
 * Opens the store and does everything in it with the n-th allocation failing;
 * what failed must have changed nothing.  Returns what came out.
 */
static int
use_with_failure(struct db *p, long n, int64_t gid, int64_t seq)
{
	struct store *st = NULL;
	struct errinfo e;
	char name[16];
	int r;

	atomic_store(&faulty.alloc_left, n);
	r = store_open_writer(p->path, false, &st, &e);
	if (r == 0)
		r = use_everything(st, gid, seq, 50 + (int)seq);
	atomic_store(&faulty.alloc_left, -1);
	if (r != 0 && r != ERR_NOMEM && r != ERR_STORAGE && r != ERR_IO)
		fail_msg("allocation %ld gives %d", n, r);
	if (st == NULL)
		return (r);
	snprintf(name, sizeof(name), "p%d", 50 + (int)seq);
	assert_false(store_is_open_transaction(st));
	assert_int_equal(
	    store_account_find(st, name), r == 0 ? 0 : ERR_NOTFOUND);
	assert_int_equal(
	    db_ask(st, "SELECT count(*) FROM record"), seq + (r == 0));
	store_close(st);
	return (r);
}

static void
a_failed_allocation_fails_cleanly_wherever_it_is(void **state)
{
	struct db *p = *state;
	struct errinfo e;
	int64_t gid, seq;
	/* Not every allocation has its turn: its neighbours fare alike. */
	const long every = getenv("UMPIRE_LONG") != NULL ? 2
	    : getenv("UMPIRE_SLOW") != NULL              ? 61
							 : 17;
	long failures, n;
	int sticks;

	gid = db_add_game(p->st, 1, "play", 1);
	store_close(p->st);
	p->st = NULL;
	seq = 0;
	for (sticks = 0; sticks <= 1; sticks++) {
		atomic_store(&faulty.alloc_sticks, sticks);
		n = 0;
		do {
			failures = atomic_load(&faulty.alloc_failures);
			if (use_with_failure(p, n, gid, seq) == 0)
				seq++;
			n += every;
		} while (atomic_load(&faulty.alloc_failures) != failures);
		/* It was in the way often enough to mean something. */
		assert_true(n > 500);
	}
	assert_int_equal(store_open_writer(p->path, false, &p->st, &e), 0);
	assert_int_equal(store_check(p->st, NULL, NULL, &e), 0);
}

static void
one_statement_cannot_be_used_twice_at_a_time(void **state)
{
	struct db *p = *state;
	struct store_query a, b;
	static const char sql[] = "SELECT seq, line FROM record";
	int64_t gid;

	gid = db_add_game(p->st, 1, "play", 1);
	assert_int_equal(db_add_line(p->st, gid, 0, 1, NULL), 0);
	assert_int_equal(db_add_line(p->st, gid, 1, 2, NULL), 0);
	store_query_init(&a, p->st, STORE_RECORD_EACH, sql);
	assert_int_equal(store_query_step(&a), 0);
	store_query_init(&b, p->st, STORE_RECORD_EACH, sql);
	assert_int_equal(store_query_step(&b), ERR_STORAGE);
	assert_int_equal(store_query_step(&a), 0);
	assert_int_equal(store_query_step(&a), ERR_NOTFOUND);
	assert_int_equal(store_query_step(&a), ERR_STORAGE);
}

static void
a_reader_sees_no_more_of_the_past_when_memory_ends(void **state)
{
	struct db *p = *state;
	struct store *reader;
	struct errinfo e;

	assert_int_equal(store_open_reader(p->path, &reader, &e), 0);
	assert_int_equal(store_begin(reader), 0);
	assert_int_equal(store_account_find(reader, "ann"), ERR_NOTFOUND);
	atomic_store(&faulty.alloc_sticks, true);
	atomic_store(&faulty.alloc_left, 0);
	store_rollback(reader);
	atomic_store(&faulty.alloc_left, -1);
	atomic_store(&faulty.alloc_sticks, false);
	assert_false(store_is_open_transaction(reader));
	assert_int_equal(db_add_account(p->st, "ann", 1), 0);
	assert_int_equal(store_account_find(reader, "ann"), 0);
	store_close(reader);
}

int
main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, db_setup, db_teardown)
	const struct CMUnitTest tests[] = {
	    CASE(a_full_disk_fails_and_passes),
	    CASE(a_failed_fsync_is_the_last_that_is_written),
	    CASE(a_commit_is_one_fsync_of_the_wal),
	    CASE(the_wal_does_not_grow_for_ever),
	    CASE(a_reader_that_stays_is_not_waited_for_each_time),
	    CASE(a_damaged_database_is_found),
	    CASE(a_check_can_be_ended),
	    CASE(no_statement_goes_through_a_table),
	    CASE(what_an_order_costs_does_not_grow),
	    CASE(a_failed_allocation_fails_cleanly_wherever_it_is),
	    CASE(a_reader_sees_no_more_of_the_past_when_memory_ends),
	    CASE(one_statement_cannot_be_used_twice_at_a_time),
	};
#undef CASE

	faulty_install();
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
