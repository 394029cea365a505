/* SPDX-License-Identifier: ISC */
/*
 * Play alone is delayed: lines before it hold nothing that a spectator could
 * tell an opponent, and whoever wants to join must see them.  What is seen
 * once stays seen, since turns, lines and their times only ever go up.
 */
#include "server/store/access.h"

#include <string.h>

#include "common/game/game.h"
#include "server/store/store.h"
#include "server/store/store_tournament.h"

/* The seats of a game, looked through for one account. */
struct access_seats {
	const char *account;
	struct access *v;
};

/* Notes a seat if it is the account's. */
static int
access_seat_cb(void *arg, int seat, const char *account)
{
	const struct access_seats *vs = arg;

	if (strcmp(account, vs->account) == 0) {
		vs->v->is_seated = true;
		vs->v->sides |= 1u << game_side_of(seat);
	}
	return (0);
}

/* Looks where the account sits, and whether it is invited. */
static int
access_who(struct store *st, const struct store_game_row *row,
    const char *account, struct access *v)
{
	struct access_seats vs = {account, v};
	int64_t at_ms;
	int r;

	r = store_game_seats(st, row->gid, access_seat_cb, &vs);
	if (r != 0)
		return (r);
	r = store_invite_find(st, row->gid, account, &at_ms);
	if (r != 0 && r != ERR_NOTFOUND)
		return (r);
	v->is_invited = r == 0;
	return (0);
}

/* The last line that a delay of turns lets through. */
static int
access_by_turns(struct store *st, const struct store_game_row *row,
    int64_t start, struct access *v)
{
	int n, r;

	/* Turn n + 1 is being played; turn n + 1 - delay is the last seen. */
	r = store_turn_at(st, row->gid, row->seq, &n);
	if (r != 0)
		return (r);
	n += 1 - row->delay_turns;
	v->last = start;
	return (n <= 0 ? 0 : store_turn_find(st, row->gid, n, &v->last));
}

/* The last line that a delay of minutes lets through: times go up. */
static int
access_by_minutes(struct store *st, const struct store_game_row *row,
    int64_t start, int64_t now_ms, struct access *v)
{
	const int64_t delay_ms = (int64_t)row->delay_minutes * 60000;
	int64_t hi = row->seq, lo = start, mid, at_ms;
	int r;

	while (lo < hi) {
		mid = lo + (hi - lo + 1) / 2;
		if ((r = store_record_at(st, row->gid, mid, &at_ms)) != 0)
			return (r);
		if (at_ms + delay_ms <= now_ms) {
			lo = mid;
		} else {
			hi = mid - 1;
			v->next_ms = at_ms + delay_ms;
		}
	}
	v->last = lo;
	return (0);
}

/* Finds how far a spectator sees into a game that is played with a delay. */
static int
access_delay(struct store *st, const struct store_game_row *row, int64_t now_ms,
    struct access *v)
{
	int64_t start = 0;
	int n, r;

	v->is_delayed = true;
	if ((r = store_turn_find(st, row->gid, 0, &start)) != 0 ||
	    (r = row->delay_turns > 0
		    ? access_by_turns(st, row, start, v)
		    : access_by_minutes(st, row, start, now_ms, v)) != 0 ||
	    (r = store_turn_at(st, row->gid, v->last, &n)) != 0 ||
	    (r = store_record_at(st, row->gid, v->last, &v->at_ms)) != 0)
		return (r == ERR_NOTFOUND ? ERR_STORAGE : r);
	v->turn = n + 1;
	return (0);
}

int
access_get(struct store *st, const struct store_game_row *row,
    const char *account, int64_t now_ms, struct access *v)
{
	struct access got = {.sides = STORE_SIDE_NONE,
	    .last = row->seq,
	    .turn = row->turn,
	    .at_ms = row->at_ms};
	int r;

	if (account != NULL && account[0] != '\0' &&
	    (r = access_who(st, row, account, &got)) != 0)
		return (r);
	got.is_known = !row->is_private || got.is_seated ||
	    (got.is_invited && strcmp(row->phase, "muster") == 0);
	if (!got.is_known && account != NULL && account[0] != '\0') {
		r = store_tournament_has_game(st, row->gid, account);
		if (r != 0 && r != ERR_NOTFOUND)
			return (r);
		got.is_known = r == 0;
	}
	if (!got.is_seated && strcmp(row->phase, "play") == 0 &&
	    (row->delay_turns > 0 || row->delay_minutes > 0) &&
	    (r = access_delay(st, row, now_ms, &got)) != 0)
		return (r);
	*v = got;
	return (0);
}

/* A blob, looked for in the private games that an account knows. */
struct access_blob {
	struct store *st;
	const char *account;
	bool is_known;
};

/* Looks at one game that names the blob; 1 ends the search. */
static int
access_blob_cb(void *arg, const struct store_game_row *row)
{
	struct access_blob *vb = arg;
	struct access v;
	int r;

	if ((r = access_get(vb->st, row, vb->account, 0, &v)) != 0)
		return (r);
	vb->is_known = v.is_known;
	return (v.is_known ? 1 : 0);
}

int
access_blob(struct store *st, const uint8_t hash[HASH_LEN], const char *account)
{
	struct access_blob vb = {.st = st, .account = account};
	int r;

	if ((r = store_blob_find(st, hash)) != 0)
		return (r);
	if (account != NULL && account[0] != '\0') {
		r = store_blob_was_put(st, hash, account);
		if (r != ERR_NOTFOUND)
			return (r);
	}
	if (account != NULL && account[0] != '\0') {
		r = store_tournament_has_blob(st, hash, account);
		if (r != ERR_NOTFOUND)
			return (r);
	}
	r = store_blob_is_public(st, hash);
	if (r != ERR_NOTFOUND)
		return (r);
	r = store_list_blob(st, hash, account, access_blob_cb, &vb);
	if (r < 0)
		return (r);
	if (vb.is_known)
		return (0);
	r = store_blob_is_named(st, hash);
	return (r == ERR_NOTFOUND ? 0 : r == 0 ? ERR_NOTFOUND : r);
}

int
access_tournament(struct store *st, const struct store_tournament_row *row,
    const char *account, bool by_id)
{
	if (!row->is_private || (by_id && strcmp(row->phase, "entries") == 0))
		return (0);
	if (account == NULL || account[0] == '\0')
		return (ERR_NOTFOUND);
	return (store_tournament_is_here(st, row->tid, account));
}
