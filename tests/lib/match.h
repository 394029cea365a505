/* SPDX-License-Identifier: ISC */
/*
 * Several people at one daemon, each with a connection of their own: games
 * of any settings, orders as the game core makes them, and a wall clock that
 * the test moves.  A program names match.c among its sources: a library would
 * give its clock to others, too.
 */
#ifndef UMPIRE_TESTS_LIB_MATCH_H
#define UMPIRE_TESTS_LIB_MATCH_H

#include <sys/syscall.h>

#include <stdatomic.h>
#include <time.h>

#include "common/base/clock.h"
#include "common/game/game_make.h"
#include "common/game/game_take.h"
#include "server/ledger/ledger.h"
#include "server/store/store.h"
#include "tests/lib/peer.h"

#define PEOPLE 7

/* The one who sits in seat n is person n; eve and nobody never sit. */
enum person { DIRK, ANNA, BERT, CARA, DORA, EVE, NOBODY };

/* Their accounts. */
extern const char *const match_people[PEOPLE];

struct match {
	struct daemon d;
	struct store *rd; /* what is on disk, to make orders from */
	struct game_keys keys[PEOPLE];
	struct peer peers[PEOPLE]; /* NOBODY is not logged in */
	struct buf heard[PEOPLE]; /* every byte that each received */
	uint8_t game[HASH_LEN];
	char id[2 * HASH_LEN + 1];
};

/* ---- the clock: in the place of libc's, for the daemon too ---- */

/* How far the wall clock is ahead of the machine's. */
extern atomic_llong match_clock_ahead_ms;

/* ---- setup ---- */

/* Gives the daemons from here on these settings, which stay the caller's. */
void match_set(const char *const settings[], size_t n);

/* A fixture of cmocka: all of them connected, with accounts, but no game. */
int match_setup(void **state);

/* Its end: the database agrees with its records. */
int match_teardown(void **state);

/* ---- asking ---- */

/* A result, which the caller frees; a failure fails the test. */
json_t *match_gets(
    struct match *m, enum person who, const char *method, json_t *params);

/* All that waits for somebody, of as many replies as that takes. */
json_t *match_todo_of(struct match *m, enum person who);

/* A request that must fail with r, saying this. */
void match_fails(struct match *m, enum person who, const char *method,
    json_t *params, int r, const char *why);

/* {"game": the match's}. */
json_t *match_this_game(const struct match *m);

/* An int member of an object. */
int64_t match_int_of(const json_t *v, const char *name);

/* The match's row in a list of games; NULL if it is not there. */
const json_t *match_row_of(const struct match *m, const json_t *list);

/* ---- orders ---- */

/* game_blobs: from the database. */
int match_blob_cb(
    void *arg, const uint8_t hash[HASH_LEN], const char **bytes, size_t *len);

/* The game as it is on disk; the caller frees it. */
struct game *match_game(struct match *m);

/* The params of a seat's order upon the present head; args: quoted_text(). */
json_t *match_order_of(
    struct match *m, int seat, enum order_kind kind, const char *args);

/* Gives an order that must be taken; its line's number. */
int64_t match_give(
    struct match *m, int seat, enum order_kind kind, const char *args);

/* The params of a chat with its text; to is "side" or NULL. */
json_t *match_chat_of(struct match *m, int seat, const char *words,
    const char *to, uint8_t salt_byte);

/* The args of create or join of a seat; new. */
json_t *match_seat_of(const struct match *m, int seat);

/*
 * The params by which anna makes a game; more (a quoted_text()) is added to
 * the args, and becomes the match's game when it is sent.
 */
json_t *match_create_of(struct match *m, const char *more);

/* The params of a seat's join. */
json_t *match_join_of(struct match *m, int seat);

/* Makes a game, whose seats 2 .. n are joined, and makes all ready. */
void match_play(struct match *m, const char *more, int n);

/* Takes the notice of a line and gives it; the caller frees it. */
json_t *match_hears(struct match *m, enum person who, int64_t seq);

/* True if the bytes that somebody received hold these words. */
bool match_has_heard(struct match *m, enum person who, const char *words);

#endif
