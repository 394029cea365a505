/* SPDX-License-Identifier: ISC */
/*
 * Standing orders (record S8.1): answers that a side gives beforehand and
 * under seal.
 */
#ifndef UMPIRE_COMMON_GAME_GAME_STANDING_H
#define UMPIRE_COMMON_GAME_GAME_STANDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/base/err.h"
#include "common/crypt/hash.h"
#include "common/game/game.h"
#include "common/game/game_take.h"

struct game_line;
struct record_line;

#define GAME_STANDING_MAX 32 /* standing orders of a seat, not withdrawn */
/*
 * Standing orders that a side gives in a game, and bytes of a text: the line
 * of the last close has room for all of both sides (S8.1).
 */
#define GAME_STANDING_SIDE_MAX 256
#define GAME_STANDING_TEXT_MAX 128

/* A standing order (S8.1). */
struct game_standing {
	int64_t seq;
	int64_t ask; /* its own `after` */
	int seat;
	uint8_t commit[HASH_LEN];
	bool is_withdrawn;
	bool is_lost; /* by `restored` (S4.3): it is never opened */
	bool is_open; /* it has acted: the text is public */
	bool is_held; /* salt and text are known here */
	uint8_t salt[32];
	char text[GAME_HELD_MAX + 1];
	/* Owned set of kinds that it did not answer while it stood. */
	json_t *passed;
};

/*
 * The standing orders, *n of them, by line; borrowed until the game changes.
 */
const struct game_standing *game_standings(const struct game *g, size_t *n);

/*
 * What an order that has acted says: the kind of question and its answer, in
 * *root (new), from which they are borrowed.  ERR_NOTFOUND for one that has
 * not; ERR_INVALID if it says nothing that is known; ERR_NOMEM.
 */
int game_standing_read(const struct game_standing *s, json_t **root,
    const char **kind, const char **word) __attribute__((warn_unused_result));

/*
 * A verifier, before it takes a line: the texts of standing orders among
 * those that the line opens become known.  Anything else is left alone.
 */
int game_standing_give(struct game *g, const struct record_line *given)
    __attribute__((warn_unused_result));
/*
 * The standing order that answers a question of this kind put to a side: 1
 * with *found, borrowed, and the number of its word; 0 if there is none;
 * ERR_NOMEM.
 */
int game_standing_find(const struct game *g, int side, const char *kind,
    struct game_standing **found, int *word)
    __attribute__((warn_unused_result));
/* True if an order of a side may act whose text is not known here. */
bool game_standing_is_lost(const struct game *g, int side);
/*
 * A standing order acts on a question of this kind: it is opened in fx if it
 * had not been, and newer ones that are not open have passed over the kind.
 * ERR_ILLEGAL if it was itself passed over before.
 */
int game_standing_act(struct game *g, const struct game_line *l,
    struct game_standing *s, const char *kind)
    __attribute__((warn_unused_result));
/* A question of this kind was left open to a side (S8.1, passed). */
int game_standing_pass(struct game *g, int side, const char *kind)
    __attribute__((warn_unused_result));
/*
 * The close that ends the record: opens all that never acted, also those that
 * their owners withdrew.  ERR_ILLEGAL where the line leaves one out or one was
 * passed over; ERR_STORAGE in a daemon that does not have its text.
 */
int game_standing_open_all(struct game *g, const struct game_line *l)
    __attribute__((warn_unused_result));
/*
 * Forgets the standing orders of a seat whose author was refused before play,
 * when none can have acted; fx says that their texts need not be kept.
 */
int game_standing_leave(struct game *g, int seat, struct game_effects *fx)
    __attribute__((warn_unused_result));
/*
 * Withdraws the standing orders that have not acted, which are never opened
 * (S4.3); fx says that their texts need not be kept.
 */
int game_standing_lose(struct game *g, struct game_effects *fx)
    __attribute__((warn_unused_result));
void game_standing_clear(struct game *g);

#endif
