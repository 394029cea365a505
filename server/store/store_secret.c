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
	return (store_run(st, STORE_SECRET_INSERT,
	    "INSERT INTO secret (game, seat, ask, salt, text)"
	    " VALUES (?, ?, ?, ?, ?)",
	    STORE_VALUES(store_int(gid), store_int(held->seat),
		store_int(held->ask),
		store_blob(held->salt, sizeof(held->salt)),
		store_text(held->text))));
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

int
store_secret_each(struct store *st, int64_t gid,
    int (*cb)(void *arg, const struct game_held *held), void *arg)
{
	struct game_held held;
	struct store_query q;
	int r = 0;

	store_query(&q, st, STORE_SECRET_EACH,
	    "SELECT seat, ask, salt, text FROM secret WHERE game = ?"
	    " ORDER BY seat",
	    STORE_VALUES(store_int(gid)));
	while (store_query_next(&q, &r)) {
		memset(&held, 0, sizeof(held));
		held.seat = sqlite3_column_int(q.s, 0);
		held.ask = sqlite3_column_int64(q.s, 1);
		if ((r = store_secret_text(&q, 3, held.text)) == 0 &&
		    (r = store_query_bytes(
			 &q, 2, held.salt, sizeof(held.salt))) == 0)
			r = cb(arg, &held);
	}
	return (r);
}

int
store_secret_delete(struct store *st, int64_t gid)
{
	return (store_run(st, STORE_SECRET_DELETE,
	    "DELETE FROM secret WHERE game = ?", STORE_VALUES(store_int(gid))));
}

int
store_standing_insert(
    struct store *st, int64_t gid, const struct game_standing_text *t)
{
	return (store_run(st, STORE_STANDING_INSERT,
	    "INSERT INTO standing (game, seq, seat, salt, text)"
	    " VALUES (?, ?, ?, ?, ?)",
	    STORE_VALUES(store_int(gid), store_int(t->seq), store_int(t->seat),
		store_blob(t->salt, sizeof(t->salt)), store_text(t->text))));
}

int
store_standing_each(struct store *st, int64_t gid,
    int (*cb)(void *arg, const struct game_standing_text *t), void *arg)
{
	struct game_standing_text t;
	struct store_query q;
	int r = 0;

	store_query(&q, st, STORE_STANDING_EACH,
	    "SELECT seq, seat, salt, text FROM standing WHERE game = ?"
	    " ORDER BY seq",
	    STORE_VALUES(store_int(gid)));
	while (store_query_next(&q, &r)) {
		memset(&t, 0, sizeof(t));
		t.seq = sqlite3_column_int64(q.s, 0);
		t.seat = sqlite3_column_int(q.s, 1);
		if ((r = store_secret_text(&q, 3, t.text)) == 0 &&
		    (r = store_query_bytes(&q, 2, t.salt, sizeof(t.salt))) == 0)
			r = cb(arg, &t);
	}
	return (r);
}

int
store_standing_delete(struct store *st, int64_t gid, int64_t seq)
{
	return (store_run(st, STORE_STANDING_DELETE,
	    "DELETE FROM standing WHERE game = ? AND seq = ?",
	    STORE_VALUES(store_int(gid), store_int(seq))));
}

int
store_standing_clear(struct store *st, int64_t gid)
{
	return (store_run(st, STORE_STANDING_CLEAR,
	    "DELETE FROM standing WHERE game = ?",
	    STORE_VALUES(store_int(gid))));
}
