/* SPDX-License-Identifier: ISC */
/*
 * The games of a witness that are at hand: verifiers, which are made of what
 * the store keeps when a line comes.  Only a few are kept in memory, so that it
 * takes no more of it for thousands of games.
 */
#ifndef UMPIRE_CLIENT_WITNESS_WITNESS_GAME_H
#define UMPIRE_CLIENT_WITNESS_WITNESS_GAME_H

#include <stddef.h>
#include <stdint.h>

#include "client/witness/witness_store.h"
#include "common/base/err.h"
#include "common/crypt/checker.h"
#include "common/crypt/sign.h"
#include "common/game/verify.h"

struct game;
struct game_entry;

#define WITNESS_GAMES 96 /* in memory at a time */

struct witness_game {
	int64_t gid; /* 0: this place is free */
	struct verify *v; /* owned; as the lines leave it */
	int64_t n; /* lines in it */
	int64_t saved; /* as many are saved in the store */
	int64_t used; /* when it was wanted last: greater is later */
	struct verify_own own; /* the last word that was made in it */
};

struct witness_games {
	struct witness_store *store; /* borrowed */
	const uint8_t *server; /* borrowed: the key that marks lines */
	/*
	 * Borrowed: lines that are taken hold if checker_wait() says so, too;
	 * NULL: at once.
	 */
	struct checker *checker;
	int64_t count; /* of what was wanted */
	int64_t read; /* lines that were verified again */
	struct witness_game list[WITNESS_GAMES];
};

/* Frees them, without saving. */
void witness_games_clear(struct witness_games *gs);

/* Saves all that have lines that are not, so that nobody verifies them again.
 * ERR_IO. */
int witness_games_save(struct witness_games *gs)
    __attribute__((warn_unused_result));

/*
 * Gives a game, borrowed until the next is wanted; made of the store, which
 * may put another away.  ERR_IO; ERR_BAD if its own lines do not hold.
 */
int witness_games_want(struct witness_games *gs, const struct witness_row *row,
    struct witness_game **out, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Drops a game, whose verifier refuses lines or that is not followed on. */
void witness_games_drop(struct witness_games *gs, int64_t gid);

/* The state of a game; NULL before its first line. */
const struct game *witness_game_state(const struct witness_game *g);

/* What its last line did; borrowed. */
const struct game_entry *witness_game_entry(const struct witness_game *g);

/*
 * Takes the next line.  ERR_BAD and the like: it does not hold, and *g may no
 * longer be of use (witness_games_drop()).
 */
int witness_game_take(struct witness_game *g, const char *line, size_t len,
    struct errinfo *e) __attribute__((warn_unused_result));

#endif
