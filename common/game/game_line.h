/* SPDX-License-Identifier: ISC */
/* A line that is being taken: what game_take() was given, in one piece. */
#ifndef UMPIRE_COMMON_GAME_GAME_LINE_H
#define UMPIRE_COMMON_GAME_GAME_LINE_H

#include <stdint.h>

struct errinfo;
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

#endif
