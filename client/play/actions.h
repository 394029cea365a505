/* SPDX-License-Identifier: ISC */
/*
 * Who owes what in a game, in words, and what we may do now.
 */
#ifndef UMPIRE_CLIENT_PLAY_ACTIONS_H
#define UMPIRE_CLIENT_PLAY_ACTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "client/play/action.h"

struct battle;
struct game;
struct game_wait;

/* A sentence on what the game waits for. */
struct actions_sentence {
	char *text; /* owned */
	bool is_mine; /* it says that it is our move */
};

struct actions {
	bool is_mine; /* something is ours to do */
	bool has_offer; /* an offer waits for us to accept or decline it */
	bool has_answers; /* answers to the open question are in the list */
	int64_t since; /* line since which the game waits; -1: it does not */
	int64_t until_ms; /* our deadline, -1: none runs */
	char *what; /* owned: one short text, "your turn" */
	struct actions_sentence *says; /* owned */
	size_t n_says;
	struct action *list; /* owned */
	size_t n;
	/* Owned: the open question if it is ours: ask, as, kind, options. */
	json_t *ask;
	bool is_secret; /* it is answered by a commit */
};

/* Finds them for our seat (-1: none); b (NULL: nobody) has people's names. */
void actions_find(
    struct actions *a, const struct game *g, const struct battle *b, int seat);

/*
 * What a side says that is so on the table, as long as the other one has
 * neither agreed nor objected: "bert (Russians) says: ...".  free(); NULL if
 * nothing waits so.
 */
char *actions_fact(const struct game *g, const struct battle *b);

/*
 * Adds lawful answers to an open question of ours that cannot be answered in
 * words; nothing where actions_find() has found some.
 */
void actions_suggest(struct actions *a, const struct game *g, int seat);

/* Adds one to the list; answer and args are stolen. */
void actions_add(struct actions *a, enum action_kind kind, int64_t seq,
    char *answer, json_t *args);

/* True if this seat (-1: none) is to do what is owed. */
bool actions_is_ours(const struct game_wait *w, int seat);

/* Frees what these gave; *a may be zero. */
void actions_clear(struct actions *a);

/* What a claim of this side would be now, as a choice; static. */
const char *actions_claim(const struct game *g, int side);

#endif
