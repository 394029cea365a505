/* SPDX-License-Identifier: ISC */
/*
 * What an account may see of a game: whether it may know of it, the texts of
 * which sides, and up to which line.  Whatever shows a game, its record, its
 * texts or its blobs to somebody asks here and nowhere else.
 */
#ifndef UMPIRE_SERVER_STORE_ACCESS_H
#define UMPIRE_SERVER_STORE_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/crypt/hash.h"

struct store;
struct store_game_row;
struct store_tournament_row;

/* One account's view of one game. */
struct access {
	/*
	 * False: a private game of others, which is as if it were not there.
	 * A game is known to those who sit in it, and before play to those
	 * who are invited.
	 */
	bool is_known;
	bool is_seated;
	bool is_invited;
	unsigned sides; /* bits 1 << side of the texts, 1 << 0 always */
	/*
	 * The last line to be seen: that of the row, or for a spectator of a
	 * game in play with a delay an earlier one; then is_delayed.
	 */
	bool is_delayed;
	int64_t last;
	int turn; /* at that line */
	int64_t at_ms; /* of that line */
	/* When the next line is seen, wall clock; 0: not by time alone. */
	int64_t next_ms;
};

/*
 * Gives the view of an account (NULL or "": nobody is logged in) of the game
 * that the row is of, at now_ms.  ERR_STORAGE, ERR_BUSY, ERR_NOMEM.
 */
int access_get(struct store *st, const struct store_game_row *row,
    const char *account, int64_t now_ms, struct access *v)
    __attribute__((warn_unused_result));

/*
 * 0 if an account may have a blob: it has put it, no game names it, or it
 * knows of a game that does.  ERR_NOTFOUND if not, or if there is none.
 */
int access_blob(struct store *st, const uint8_t hash[HASH_LEN],
    const char *account) __attribute__((warn_unused_result));

/*
 * Whether an account (NULL or "": nobody) may know of a tournament: of a
 * private one those who are in it do; while one can enter, so does whoever
 * names it by its whole id (by_id).  ERR_NOTFOUND.
 */
int access_tournament(struct store *st, const struct store_tournament_row *row,
    const char *account, bool by_id) __attribute__((warn_unused_result));

#endif
