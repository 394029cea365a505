/* SPDX-License-Identifier: ISC */
/* Dice of a game: pools, the contributions to a roll, rolling (record S6). */
#ifndef UMPIRE_COMMON_GAME_GAME_DICE_H
#define UMPIRE_COMMON_GAME_GAME_DICE_H

#include "common/crypt/vrf_memo.h"
#include "common/record/order.h"

struct combat_dice;
struct game;
struct game_effects;
struct game_go;

/* pool_0 (S6.5), as of the last join. */
int game_dice_pool0(const struct game *g, uint8_t pool[HASH_LEN])
    __attribute__((warn_unused_result));

/* pool' = H(T("umpire/pool/1") || pool || n betas of 32 bytes). */
int game_dice_move(const uint8_t pool[HASH_LEN], const uint8_t *betas, size_t n,
    uint8_t moved[HASH_LEN]) __attribute__((warn_unused_result));

/* pool' = H(T("umpire/restored/1") || pool || u64 seq) (S4.3). */
int game_dice_restore(const uint8_t pool[HASH_LEN], int64_t seq,
    uint8_t moved[HASH_LEN]) __attribute__((warn_unused_result));

/* pool' = H(T("umpire/rekey/1") || pool || u8 seat || key) (S6.5). */
int game_dice_rekey(const uint8_t pool[HASH_LEN], int seat,
    const uint8_t key[VRF_KEY_LEN], uint8_t moved[HASH_LEN])
    __attribute__((warn_unused_result));

#define GAME_DICE_OWN "umpire/own/1"
#define GAME_DICE_OTHER "umpire/other/1"

/* Writes what a contribution is over: T(tag) || base of a place (S6.2). */
int game_dice_input(const uint8_t game[HASH_LEN], const uint8_t pool[HASH_LEN],
    const char *tag, const char *place, uint8_t input[VRF_MEMO_MAX], size_t *n)
    __attribute__((warn_unused_result));

/* Writes what the server proves over (S6.4); other_beta is NULL in dual-1. */
int game_dice_alpha(const uint8_t game[HASH_LEN], const uint8_t pool[HASH_LEN],
    const char *place, const uint8_t own_beta[VRF_BETA_LEN],
    const uint8_t *other_beta, uint8_t alpha[VRF_MEMO_MAX], size_t *n)
    __attribute__((warn_unused_result));

/*
 * Verifies a contribution of an order's seat for a place under the present
 * pool (tag GAME_DICE_OWN or GAME_DICE_OTHER); o->memo spares the work where
 * it is of the same bytes.  ERR_PROOF.
 */
int game_dice_check(const struct game *g, const struct order *o,
    const char *tag, const char *place, const uint8_t proof[VRF_PROOF_LEN],
    uint8_t beta[VRF_BETA_LEN]) __attribute__((warn_unused_result));

/* Makes a contribution with the seat's key; *memo, unless NULL, keeps it. */
int game_dice_make(const struct game *g, const struct vrf_key *k,
    const char *tag, const char *place, struct vrf_memo *memo,
    uint8_t proof[VRF_PROOF_LEN]) __attribute__((warn_unused_result));

/* Verifies `own` of an order for its place. */
int game_dice_check_own(const struct game *g, const struct order *o,
    uint8_t beta[VRF_BETA_LEN], struct errinfo *e)
    __attribute__((warn_unused_result));

/* The dice of one line: the server's proof and where rolls come from. */
struct game_throw {
	char place[ORDER_PLACE_MAX + 1];
	uint8_t proof[VRF_PROOF_LEN];
	uint8_t beta[VRF_BETA_LEN];
};

/* Asks the server for its proof over what goes on (S6.4). */
int game_dice_throw(const struct game *g, const struct game_go *go,
    struct game_throw *t) __attribute__((warn_unused_result));

/*
 * Rolls n dice of a throw: *roll is {"label","sides","dice"}, new.
 * ERR_INVALID as expand_roll(), ERR_NOMEM.
 */
int game_dice_roll(const struct game_throw *t, const char *label,
    unsigned sides, unsigned n, uint16_t *dice, json_t **roll)
    __attribute__((warn_unused_result));

/* The source of rolls that a throw is; arg borrows t. */
void game_dice_source(const struct game_throw *t, struct combat_dice *src);

/*
 * Makes the line's dice of a throw and the rolls that came of it (stolen),
 * whose place is used by that.  ERR_NOMEM.
 */
int game_dice_tell(const struct game *g, const struct game_throw *t,
    json_t *rolls, struct game_effects *fx) __attribute__((warn_unused_result));

/*
 * Rolls again what a line's dice say was asked, where the rules do not run:
 * *rolls is new.  A draw, whose bag is not known, is checked only by ranks.
 * ERR_BAD.
 */
int game_dice_again(const struct game_throw *t, const json_t *dice,
    json_t **rolls, struct errinfo *e) __attribute__((warn_unused_result));

#endif
