/* SPDX-License-Identifier: ISC */
/*
 * A line that is being taken: what game_take() was given, in one piece, and
 * what takes an order of each kind.
 */
#ifndef UMPIRE_COMMON_GAME_GAME_LINE_H
#define UMPIRE_COMMON_GAME_GAME_LINE_H

#include <stdint.h>

struct errinfo;
struct game;
struct game_dice;
struct game_effects;
struct order;
struct record_line;

struct game_line {
	const struct order *o;
	const uint8_t *key; /* that signed the order */
	const struct game_dice *dice;
	const struct record_line *given; /* as the record has it; NULL: new */
	struct game_effects *fx;
	struct errinfo *e;
};

/*
 * Takes an order of its kind whole (record S5): what is left to check of it,
 * its effect on g, and what its line holds.  Errors are game_take()'s.
 */
typedef int game_take_fn(struct game *g, const struct game_line *l);
game_take_fn game_accept; /* game_accept.c */
game_take_fn game_answer; /* game_answer.c */
game_take_fn game_claim; /* game_claim.c */
game_take_fn game_commit; /* game_secret.c */
game_take_fn game_cup; /* game_cup.c */
game_take_fn game_decide; /* game_turn.c */
game_take_fn game_declare; /* game_turn.c */
game_take_fn game_end_turn; /* game_turn.c */
game_take_fn game_join; /* game_create.c */
game_take_fn game_note; /* game_accept.c */
game_take_fn game_open; /* game_secret.c */
game_take_fn game_pause; /* game_claim.c */
game_take_fn game_propose; /* game_propose.c */
game_take_fn game_propose_offer; /* game_propose.c */
game_take_fn game_roll; /* game_roll.c */
game_take_fn game_ruling; /* game_claim.c */
game_take_fn game_take_dice_key; /* game_dice_key.c */
game_take_fn game_take_standing; /* game_standing.c */
game_take_fn game_upkeep; /* game_upkeep.c */

#endif
