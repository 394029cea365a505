/* SPDX-License-Identifier: ISC */
/*
 * Inside of ledger.h.  All but the queue belongs to the ledger's thread.
 *
 * A game in memory is always the game of the transaction: its snapshot is
 * stored in the savepoint of the order that moved it.  So a game whose order
 * failed half way is dropped and read again, and when a whole batch fails
 * every game that the batch looked at is.
 */
#ifndef UMPIRE_SERVER_LEDGER_INT_H
#define UMPIRE_SERVER_LEDGER_INT_H

#include <sys/queue.h>

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/game/game.h"
#include "server/ledger.h"

struct store;

#define LEDGER_BATCH 256 /* jobs of a transaction at most */
#define LEDGER_GAMES 1024 /* games kept in memory */
#define LEDGER_BUCKETS 2048 /* of the games, by the first bytes of their id */

/* A game in memory. */
struct ledger_game {
	TAILQ_ENTRY(ledger_game) used; /* the last used is first */
	LIST_ENTRY(ledger_game) bucket;
	int64_t gid;
	int64_t batch; /* the last that looked at it */
	struct game *game; /* owned */
};

TAILQ_HEAD(ledger_games, ledger_game);
LIST_HEAD(ledger_bucket, ledger_game);

/* One job of the batch, and what goes out when it is committed. */
struct ledger_slot {
	struct ledger_job *job;
	bool is_new; /* job->line is a new line */
	struct buf fault; /* the fault line after it; empty if none */
};

struct ledger {
	struct ledger_config conf;
	pthread_t thread;

	pthread_mutex_t lock;
	pthread_cond_t wake;
	/* Under the lock. */
	struct ledger_job *first;
	struct ledger_job **last; /* where the next one is hung up */
	size_t waiting;
	bool is_stopping;
	bool is_broken; /* an fsync failed */

	/* The thread's own. */
	struct store *store;
	struct game_blobs blobs;
	struct game_dice dice;
	struct buf blob; /* what blobs.get lent last */
	struct buf snapshot;
	struct ledger_games games;
	struct ledger_bucket buckets[LEDGER_BUCKETS];
	size_t n_games;
	int64_t batch; /* number of the present one */
	struct ledger_slot slots[LEDGER_BATCH];
	size_t n_slots;
	bool is_ailing; /* that nothing can be stored is logged */
};

/* ---- ledger.c ---- */

/*
 * What a failure of ours is to a job: ERR_NOMEM and ERR_IO end the batch and
 * stay, everything else is logged ("cannot " what) and becomes ERR_STORAGE.
 */
int ledger_fault(const struct ledger *l, int r, const char *what);

/* ---- ledger_game.c: games in memory ---- */

/* Finds a game that is in memory; NULL if it is not. */
struct ledger_game *ledger_game_find(
    struct ledger *l, const uint8_t id[HASH_LEN]);

/* Gives a game, read from its snapshot if need be; *out is borrowed. */
int ledger_game_get(struct ledger *l, const uint8_t id[HASH_LEN],
    struct ledger_game **out, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Puts a game in; g is taken over, freed too if that fails. */
int ledger_game_put(struct ledger *l, int64_t gid, struct game *g,
    struct ledger_game **out) __attribute__((warn_unused_result));

/* Forgets a game. */
void ledger_game_drop(struct ledger *l, struct ledger_game *lg);

/* Forgets the games that the present batch looked at. */
void ledger_game_drop_batch(struct ledger *l);

/* Forgets them all. */
void ledger_game_drop_all(struct ledger *l);

/* Stores snapshot and lobby columns. */
int ledger_game_store(struct ledger *l, const struct ledger_game *lg)
    __attribute__((warn_unused_result));

/* ---- ledger_order.c ---- */

/*
 * Runs an order job inside its savepoint: 0 if slot->job's answer is a line,
 * new or not; ERR_* with its errinfo, and a refusal where record S5 has one.
 * ERR_NOMEM, ERR_STORAGE and ERR_IO are not the order's fault.
 */
int ledger_order_run(struct ledger *l, struct ledger_slot *slot)
    __attribute__((warn_unused_result));

#endif
