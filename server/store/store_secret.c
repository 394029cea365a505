/* SPDX-License-Identifier: ISC */
/*
 * What is held beside the record: secret choices until both sides' are in,
 * and texts of standing orders until they act.
 */
#include "common/game/game.h"
#include "common/game/game_take.h"
#include "server/store/store.h"

#include <stdio.h>
#include <string.h>

#include "server/store/store_int.h"

int
store_secret_insert(struct store *st, int64_t gid, const struct game_held *held)
{
	struct store_query q;

	store_query_init(&q, st, STORE_SECRET_INSERT,
	    "INSERT INTO secret (game, seat, ask, salt, text)"
	    " VALUES (?, ?, ?, ?, ?)");
	store_query_int(&q, gid);
	store_query_int(&q, held->seat);
	store_query_int(&q, held->ask);
	store_query_blob(&q, held->salt, sizeof(held->salt));
	store_query_text(&q, held->text);
	return (store_query_run(&q));
}

/* Copies a text that is held. */
static int
store_secret_text(struct store_query *q, int col, char out[GAME_HELD_MAX + 1])
{
	const unsigned char *text = sqlite3_column_text(q->s, col);

	if (text == NULL || strlen((const char *)text) > GAME_HELD_MAX) {
		(void)snprintf(q->st->reason, sizeof(q->st->reason),
		    "a text that is held is longer than %d bytes",
		    GAME_HELD_MAX);
		return (ERR_STORAGE);
	}
	memcpy(out, text, strlen((const char *)text) + 1);
	return (0);
}

/* Reads one row. */
static int
store_secret_read(struct store_query *q, struct game_held *held)
{
	int r;

	memset(held, 0, sizeof(*held));
	held->seat = sqlite3_column_int(q->s, 0);
	held->ask = sqlite3_column_int64(q->s, 1);
	if ((r = store_secret_text(q, 3, held->text)) != 0)
		return (r);
	return (store_query_bytes(q, 2, held->salt, sizeof(held->salt)));
}

int
store_secret_each(struct store *st, int64_t gid,
    int (*cb)(void *arg, const struct game_held *held), void *arg)
{
	struct game_held held;
	struct store_query q;
	int r;

	store_query_init(&q, st, STORE_SECRET_EACH,
	    "SELECT seat, ask, salt, text FROM secret WHERE game = ?"
	    " ORDER BY seat");
	store_query_int(&q, gid);
	while ((r = store_query_step(&q)) == 0) {
		r = store_secret_read(&q, &held);
		if (r == 0)
			r = cb(arg, &held);
		if (r != 0) {
			store_query_end(&q);
			return (r);
		}
	}
	return (r == ERR_NOTFOUND ? 0 : r);
}

int
store_secret_delete(struct store *st, int64_t gid)
{
	struct store_query q;

	store_query_init(
	    &q, st, STORE_SECRET_DELETE, "DELETE FROM secret WHERE game = ?");
	store_query_int(&q, gid);
	return (store_query_run(&q));
}

int
store_standing_insert(
    struct store *st, int64_t gid, const struct game_standing_text *t)
{
	struct store_query q;

	store_query_init(&q, st, STORE_STANDING_INSERT,
	    "INSERT INTO standing (game, seq, seat, salt, text)"
	    " VALUES (?, ?, ?, ?, ?)");
	store_query_int(&q, gid);
	store_query_int(&q, t->seq);
	store_query_int(&q, t->seat);
	store_query_blob(&q, t->salt, sizeof(t->salt));
	store_query_text(&q, t->text);
	return (store_query_run(&q));
}

/* Reads one text of a standing order. */
static int
store_standing_read(struct store_query *q, struct game_standing_text *t)
{
	int r;

	memset(t, 0, sizeof(*t));
	t->seq = sqlite3_column_int64(q->s, 0);
	t->seat = sqlite3_column_int(q->s, 1);
	if ((r = store_secret_text(q, 3, t->text)) != 0)
		return (r);
	return (store_query_bytes(q, 2, t->salt, sizeof(t->salt)));
}

int
store_standing_each(struct store *st, int64_t gid,
    int (*cb)(void *arg, const struct game_standing_text *t), void *arg)
{
	struct game_standing_text t;
	struct store_query q;
	int r;

	store_query_init(&q, st, STORE_STANDING_EACH,
	    "SELECT seq, seat, salt, text FROM standing WHERE game = ?"
	    " ORDER BY seq");
	store_query_int(&q, gid);
	while ((r = store_query_step(&q)) == 0) {
		r = store_standing_read(&q, &t);
		if (r == 0)
			r = cb(arg, &t);
		if (r != 0) {
			store_query_end(&q);
			return (r);
		}
	}
	return (r == ERR_NOTFOUND ? 0 : r);
}

int
store_standing_delete(struct store *st, int64_t gid, int64_t seq)
{
	struct store_query q;

	store_query_init(&q, st, STORE_STANDING_DELETE,
	    "DELETE FROM standing WHERE game = ? AND seq = ?");
	store_query_int(&q, gid);
	store_query_int(&q, seq);
	return (store_query_run(&q));
}

int
store_standing_clear(struct store *st, int64_t gid)
{
	struct store_query q;

	store_query_init(&q, st, STORE_STANDING_CLEAR,
	    "DELETE FROM standing WHERE game = ?");
	store_query_int(&q, gid);
	return (store_query_run(&q));
}
