/* SPDX-License-Identifier: ISC */
/*
 * A ledger on a database of its own, two players with fixed keys, and the
 * orders of a short game of lasalle2.  faulty_install() comes first.
 */
#ifndef UMPIRE_TESTS_LIB_DUEL_H
#define UMPIRE_TESTS_LIB_DUEL_H

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/base/buf.h"
#include "common/game/game.h"
#include "common/game/game_make.h"
#include "common/game/game_take.h"
#include "common/game/verify.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "server/base/log.h"
#include "server/ledger/ledger.h"
#include "server/store/store.h"
#include "tests/lib/faulty.h"

#define DUEL_PUBLISHED_MAX 4096

/* The players are the accounts "ann", seat 1, and "bob", seat 2. */
struct duel {
	char dir[64];
	char path[128];
	struct sign_key identity;
	struct vrf_key dice;
	struct game_keys keys[3]; /* by seat */
	uint8_t roster[HASH_LEN];
	unsigned channels; /* of the next start; likewise the delay */
	int64_t delay_ms;
	struct precompute_cache *precompute_cache; /* likewise; NULL */
	int64_t batch_us; /* likewise; 0: a batch has all the time it wants */
	struct ledger *l;
	struct store *rd; /* what a client could learn */
	uint8_t game[HASH_LEN];

	pthread_mutex_t lock;
	pthread_cond_t wake;
	/* Under the lock. */
	int64_t published[DUEL_PUBLISHED_MAX]; /* numbers, in order */
	size_t n_published;
	int answered;
	int failures; /* calls of failed() */
	int waitings; /* calls of waiting() */
	bool is_wanted; /* somebody asks for the state of games */
	int64_t stated; /* the last number of a state; -1: none was told */
	struct buf state; /* its text */
};

/* By seat. */
extern const char *const duel_names[];

/* Of lasalle2; two units a side. */
extern const char duel_roster[];

/* A declaration: infantry on infantry. */
extern const char duel_combat[];

/* Lets other threads work for a millisecond. */
void duel_rest(void);

/* ---- the ledger and its callbacks ---- */

void duel_done_cb(struct ledger_job *job, void *arg);

/* Starts the ledger, and a reader. */
int duel_start(struct duel *t);

/* Stops both. */
void duel_stop(struct duel *t);

/* Hands a job over, and waits for its answer. */
int duel_run(struct duel *t, struct ledger_job *job);

/* ---- jobs ---- */

struct ledger_job *duel_register_job(
    const char *name, const uint8_t key[SIGN_KEY_LEN]);

/* A job that stores a blob of an account, a quoted_text(). */
struct ledger_job *duel_blob_job(const char *account, const char *text);

/* A job of an order whose text is given, signed by a seat's key. */
struct ledger_job *duel_text_job(
    struct duel *t, int seat, const char *text, size_t len);

/* Adds a text to a job, with a salt of one byte, and gives its ref. */
void duel_add_text(struct ledger_job *job, const char *value, uint8_t salt);

/* The game as it is on disk; the caller frees it. */
struct game *duel_game(struct duel *t);

/* The order of a seat upon the present head; args is a quoted_text(). */
struct ledger_job *duel_order_job(
    struct duel *t, int seat, enum order_kind kind, const char *args);

/* A chat of a seat with its text. */
struct ledger_job *duel_chat_job(
    struct duel *t, int seat, const char *words, uint8_t salt);

/* The args of create or join of a seat; new. */
json_t *duel_seat_args(struct duel *t, int seat);

/* The args of a create order of seat 1; new. */
json_t *duel_create_args(struct duel *t);

/* A create order with these args, which it takes. */
struct ledger_job *duel_create_job(struct duel *t, json_t *args);

/* The join of seat 2. */
struct ledger_job *duel_join_job(struct duel *t);

/* Runs a job that must succeed, and frees it. */
void duel_must(struct duel *t, struct ledger_job *job);

/* Accounts, roster and the game, with seat 2 joined and both ready. */
void duel_play(struct duel *t);

/* ---- what must come out ---- */

/* Runs a job that must fail with r and without a refusal, and frees it. */
void duel_must_fail(
    struct duel *t, struct ledger_job *job, int r, const char *why);

/* Runs an order that must be refused for good, and reads the refusal. */
void duel_must_refuse(struct duel *t, struct ledger_job *job, int r,
    const char *name, const char *why);

/* The number of the last line on disk. */
int64_t duel_last_seq(struct duel *t);

/* A job of the same bytes. */
struct ledger_job *duel_same_job(
    struct duel *t, int seat, const struct ledger_job *job);

/* A job of the text with `to` for `from`, quoted_text()s, signed again. */
struct ledger_job *duel_edited_job(struct duel *t, int seat,
    const struct ledger_job *job, const char *from, const char *to);

/* The record as a stranger gets it must verify, and the daemon's check too. */
void duel_is_good(struct duel *t, int64_t lines);

/* Waits until the ledger's thread is in an fsync that is held. */
void duel_await_held_sync(void);

/* Waits for that many answers in all. */
void duel_await_answers(struct duel *t, int n);

/* Submits a job and does not wait. */
void duel_submit(struct duel *t, struct ledger_job *job);

/* The text of the dice of a line; the caller frees it. */
char *duel_dice_of(struct ledger_job *job);

/*
 * The text of the dice that a declare must have, from the keys alone; the
 * caller frees it.
 */
char *duel_expected_dice(struct duel *t, const struct ledger_job *job);

/* ---- setup ---- */

int duel_setup(void **state);

/* Its end: nothing but the database may be left. */
int duel_teardown(void **state);

#endif
