/* SPDX-License-Identifier: ISC */
/*
 * What of a game says which VRF inputs its next order has: enough to do that
 * work before the order's turn comes, by a thread that does not have the
 * game.  All of it is public.  It is as old as the line after which it was
 * taken, and whatever is worked out from it is a guess: the game itself says
 * what the inputs are, and takes a result only if they are the same.
 */
#ifndef UMPIRE_COMMON_GAME_GAME_AHEAD_H
#define UMPIRE_COMMON_GAME_GAME_AHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/crypt/vrf_memo.h"
#include "common/game/game.h"

/*
 * How many keys of a seat are known, the newest, and how much of each.  An
 * order by another key of the seat has its work done in its turn; whoever makes
 * a key that begins so has a proof worked out, and no order taken.
 */
#define GAME_AHEAD_KEYS 4
#define GAME_AHEAD_KEY_LEN 8

struct game_ahead_seat {
	bool is_joined;
	uint8_t n_keys;
	uint8_t keys[GAME_AHEAD_KEYS][GAME_AHEAD_KEY_LEN];
	uint8_t dice_key[VRF_KEY_LEN];
};

struct game_ahead {
	uint8_t game[HASH_LEN];
	uint8_t pool[HASH_LEN];
	uint8_t server_dice[VRF_KEY_LEN];
	bool is_live;
	bool is_confirm;
	enum game_phase phase;
	bool is_round; /* a later round is due: dice wait for readies */
	int64_t state_seq; /* orders of the class turn stand after it */
	int side; /* in turn; 0 before play */
	int epoch;
	int turns_ended;
	int frees[GAME_SLOTS]; /* by game_slot() */
	char combat[ORDER_PLACE_MAX + 1]; /* of the open one; "": none */
	char owed[ORDER_PLACE_MAX + 1]; /* of a line that waits; "": none */
	int owed_seat; /* who answers */
	uint8_t owed_beta[VRF_BETA_LEN];
	struct game_ahead_seat seats[GAME_SLOTS]; /* by game_slot() */
};

/* Takes it from a game. */
void game_ahead_get(const struct game *g, struct game_ahead *a);

/* One input: what is proved over, and by whom. */
struct game_ahead_input {
	uint8_t key[VRF_KEY_LEN];
	uint8_t alpha[VRF_MEMO_MAX];
	size_t n;
};

/*
 * What an order's own or other proof is over; key is who signed it.
 * ERR_STALE if the order carries none, or is none that the game would take:
 * its seat has another key, it is not its turn, or its place is not the one
 * that the game calls for.  ERR_NOMEM.
 */
int game_ahead_check(const struct game_ahead *a, const struct order *o,
    const uint8_t key[SIGN_KEY_LEN], struct game_ahead_input *in)
    __attribute__((warn_unused_result));

/*
 * What the server proves over if dice fall in the line of that order, whose
 * proof has the output beta.  ERR_STALE if none can.  ERR_NOMEM.
 */
int game_ahead_throw(const struct game_ahead *a, const struct order *o,
    const uint8_t beta[VRF_BETA_LEN], struct game_ahead_input *in)
    __attribute__((warn_unused_result));

#endif
