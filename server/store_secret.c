/* SPDX-License-Identifier: ISC */
/* Secret choices that are held until both sides' are in. */
#include "common/game/game.h"
#include "server/store.h"

#include <stdio.h>
#include <string.h>

#include "server/store_int.h"

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

/* Reads one row. */
static int
store_secret_read(struct store_query *q, struct game_held *held)
{
	const unsigned char *text;

	memset(held, 0, sizeof(*held));
	held->seat = sqlite3_column_int(q->s, 0);
	held->ask = sqlite3_column_int64(q->s, 1);
	text = sqlite3_column_text(q->s, 3);
	if (text == NULL || strlen((const char *)text) > GAME_HELD_MAX) {
		(void)snprintf(q->st->reason, sizeof(q->st->reason),
		    "a secret choice is longer than %d bytes", GAME_HELD_MAX);
		return (ERR_STORAGE);
	}
	memcpy(held->text, text, strlen((const char *)text) + 1);
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
