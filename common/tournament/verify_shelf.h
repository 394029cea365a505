/* SPDX-License-Identifier: ISC */
/*
 * The games of a tournament for its verifier: which ones it will ask about,
 * and at which of their lines, is known beforehand, so that they can be
 * verified on all CPUs, and no more of each is kept than that.
 */
#ifndef UMPIRE_COMMON_TOURNAMENT_VERIFY_SHELF_H
#define UMPIRE_COMMON_TOURNAMENT_VERIFY_SHELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/base/err.h"
#include "common/crypt/hash.h"
#include "common/crypt/sign.h"
#include "common/tournament/tournament_game.h"
#include "common/tournament/verify_tournament.h"

struct verify_shelf;

/* A line of a game that the tournament's record names. */
struct verify_shelf_line {
	int64_t seq;
	uint8_t line[HASH_LEN]; /* its hash, as it is named */
	bool is_there;
	bool is_weighed; /* battle points are known */
	struct tournament_look look;
};

/* A game, once it was read. */
struct verify_shelf_game {
	uint8_t game[HASH_LEN];
	int64_t seq; /* for the caller: the line `game`; -1 */
	bool is_counted; /* for the caller */
	int r; /* 0; ERR_MISSING, ERR_BAD, ERR_NEWER: what became of it */
	struct errinfo why;
	int64_t rolls;
	bool is_restored; /* it has a line `restored`; */
	bool is_faulty, is_closed; /* `fault`; `closed` */
	/* Where somebody wants to know (options.seen): */
	json_t *texts; /* owned; a set: that lines name and that is not here */
	int changes; /* of units, agreed to and in force */
	int64_t opened_ms; /* of its first line */
	int64_t begun_ms; /* of the line with which play began; 0 */
	json_t *create; /* owned; args; verify_shelf_checked() drops it */
	struct tournament_joined *joins; /* owned */
	size_t n_joins;
	struct verify_shelf_line *lines; /* owned; those that are asked about */
	size_t n_lines;
	struct verify_shelf_line last;
	struct tournament_look *ends; /* owned; each way in which it was over */
	size_t n_ends;
};

/*
 * An empty shelf of the games of a server, whose identity key this is.
 * ERR_NOMEM.
 */
int verify_shelf_new(const struct verify_tournament_options *opt,
    const uint8_t server[SIGN_KEY_LEN], int resign, struct verify_shelf **out)
    __attribute__((warn_unused_result));

/* Ends what still runs, and frees it; NULL is allowed. */
void verify_shelf_free(struct verify_shelf *sh);

/*
 * Reads out of a line of the tournament which games will be asked about, and
 * at which of their lines; nothing of it is believed.  ERR_NOMEM.
 */
int verify_shelf_expect(struct verify_shelf *sh, const char *bytes, size_t len)
    __attribute__((warn_unused_result));

/*
 * Begins to read and verify the games, by the order of their lines, on threads
 * where that is asked for; no line may be expected any more.  ERR_NOMEM.
 */
int verify_shelf_begin(struct verify_shelf *sh)
    __attribute__((warn_unused_result));

/*
 * A game that a line named, verified; *out is borrowed.  ERR_NOMEM, and what
 * reading it gave; that it is bad or not at hand stands in (*out)->r.
 */
int verify_shelf_get(struct verify_shelf *sh, const uint8_t game[HASH_LEN],
    struct verify_shelf_game **out) __attribute__((warn_unused_result));

/* Drops what is needed of a game only at its line `game`. */
void verify_shelf_checked(struct verify_shelf_game *g);

/* One of them; NULL behind the last. */
const struct verify_shelf_game *verify_shelf_at(
    const struct verify_shelf *sh, size_t i);

/* How many there are, and how many of them were read. */
size_t verify_shelf_games(const struct verify_shelf *sh);
size_t verify_shelf_read(struct verify_shelf *sh);

#endif
