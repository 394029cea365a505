/* SPDX-License-Identifier: ISC */
/*
 * The witness (record S6.9): a third hand for the dice, seat 254 of games of
 * live-1 whose create names its key.  This checks what it may give, and what
 * follows where it is silent; that dice wait for it is game_play.c's.
 */
#ifndef UMPIRE_COMMON_GAME_GAME_WITNESS_H
#define UMPIRE_COMMON_GAME_GAME_WITNESS_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "common/crypt/sign.h"
#include "common/game/game_entry.h"

struct buf;
struct errinfo;
struct game;
struct game_line;
struct order;
struct order_join;

/* How long a notice stands for which the witness says nothing (S6.7). */
#define GAME_WITNESS_WEEK_S 604800

/* What a game keeps of its witness.  The lists are of lines, ascending. */
struct game_witness {
	bool is_out; /* both sides have agreed to play on without */
	json_t *lines; /* owned: its orders; NULL: none */
	json_t *silences; /* owned: on which silence was claimed; NULL: none */
	json_t *answered; /* owned: those that it says it had answered; NULL */
};

/* Frees the lists. */
void game_witness_clear(struct game *g);

/*
 * Appends to a snapshot what is kept of the witness, and reads it back, the
 * settings being read.  ERR_INVALID with the member's name; ERR_NOMEM.
 */
void game_witness_save(const struct game *g, struct buf *out);
int game_witness_load(struct game *g, const json_t *v, struct errinfo *e)
    __attribute__((warn_unused_result));

/* True where the sides answer each other's rolls: live-1 without a witness. */
bool game_sides_answer(const struct game *g);

/* True for the key that create names for the witness. */
bool game_witness_is_key(const struct game *g, const uint8_t key[SIGN_KEY_LEN]);

/* ERR_ILLEGAL for an order of seat 254 that it does not give. */
int game_witness_check(const struct game *g, const struct order *o,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * ERR_ILLEGAL if somebody joins seat 254 with other keys than the witness's,
 * or another seat with that.
 */
int game_witness_check_join(const struct game *g, const struct order_join *j,
    struct errinfo *e) __attribute__((warn_unused_result));

/* Remembers the line that is being taken, if it is the witness's.  ERR_NOMEM.
 */
int game_witness_spoke(struct game *g, const struct order *o)
    __attribute__((warn_unused_result));

/*
 * Takes a claim that names game_silent_seq(): after so long a seat of the
 * side that does not roll owes the answer in the witness's stead.
 */
int game_witness_silence(struct game *g, const struct game_line *l)
    __attribute__((warn_unused_result));

/*
 * Takes a note about line `to` that says what only the witness says, or
 * GAME_SAID_NOTHING: one of seat 254 that says something else.  ERR_STALE,
 * ERR_ILLEGAL.
 */
int game_witness_note(struct game *g, const struct game_line *l,
    enum game_said said, int64_t to) __attribute__((warn_unused_result));

#endif
