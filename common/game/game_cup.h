/* SPDX-License-Identifier: ISC */
/* Cups of chits (record S5.1), and the orders that make and fill them. */
#ifndef UMPIRE_COMMON_GAME_GAME_CUP_H
#define UMPIRE_COMMON_GAME_GAME_CUP_H

#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/base/err.h"
#include "common/game/game_take.h"

struct game;
struct js_at;

/* A cup: chits that are in it and chits that were drawn (S5, cup). */
struct game_cup {
	char name[33];
	int64_t seq; /* of its last `cup` line */
	json_t *in; /* owned arrays of ids */
	json_t *out;
};

/* The cups, *n of them, by name; borrowed until the game changes. */
const struct game_cup *game_cups(const struct game *g, size_t *n);

/* The cup of a name; NULL. */
struct game_cup *game_cup_find(const struct game *g, const char *name);
/* Checks a cup's items: 1 to 1000 distinct ids.  ERR_INVALID. */
int game_cup_check_items(const json_t *items, const struct js_at *at,
    struct errinfo *e) __attribute__((warn_unused_result));
/* Adds an empty cup of a new name; NULL without memory. */
struct game_cup *game_cup_add(struct game *g, const char *name);
void game_cup_clear(struct game *g);

/* Reads the args cup and for, the line that an order is for.  ERR_ILLEGAL. */
int game_cup_name(const json_t *args, const char **name, struct errinfo *e)
    __attribute__((warn_unused_result));
int game_cup_for(const json_t *args, struct errinfo *e)
    __attribute__((warn_unused_result));
/* Refuses a cup that is not there: ERR_ILLEGAL. */
int game_cup_missing(const char *name, struct errinfo *e);
/* Moves items, which are there, from one list to the end of another. */
int game_cup_move(json_t *from, json_t *to, const json_t *items)
    __attribute__((warn_unused_result));

#endif
