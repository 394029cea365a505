/* SPDX-License-Identifier: ISC */
/*
 * Decisions that state what is so on the table, in a game whose settings have
 * `confirm` "facts" (record S6.3): the other side agrees to them, and a
 * director judges where the sides differ.
 */
#ifndef UMPIRE_COMMON_GAME_GAME_FACTS_H
#define UMPIRE_COMMON_GAME_GAME_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "common/game/game.h"

struct game_go;
struct game_line;
struct game_owed;

/* What a director has to judge stands as agreed after this time (S6.7). */
#define GAME_JUDGE_MS INT64_C(604800000)

/*
 * True for a kind of question whose answers wait for the other side in this
 * game; false where the rules are not known.
 */
bool game_fact_is(const struct game *g, const char *kind);

/*
 * True if the answer to the open question of a combat waits so; where its kind
 * is not known here, if the line says that it waits.
 */
bool game_fact_waits(const struct game *g, const struct game_line *l);

/* True if the director owes the answer to an order that waits. */
bool game_fact_is_judged(const struct game *g, const struct game_go *go);

/*
 * A seat has objected to what waited; the question of the combat is still
 * known.  Counts it.  ERR_NOMEM.
 */
int game_fact_objected(struct game *g, const struct game_owed *w, int seat)
    __attribute__((warn_unused_result));

/* The pool moves: objections to declarations are counted anew. */
void game_fact_pool(struct game *g);

/* Frees what is counted. */
void game_fact_clear(struct game *g);

/*
 * The kind of the decision that waits for the word that it is so; "" if the
 * kind is not known, NULL if none waits.  Borrowed until the game changes.
 */
const char *game_fact_owed(const struct game *g);

/* True if an answer is owed by the director because the sides differ. */
bool game_is_judged(const struct game *g);

/* The line that waits for that; -1. */
int64_t game_unjudged_seq(const struct game *g);

/*
 * When a player may claim that what the director has not judged stands, in
 * milliseconds; -1 if the director judges nothing.
 */
int64_t game_unjudged_ms(const struct game *g);

/*
 * How often each seat has objected to each kind of decision, or to the order
 * of that name: [{"seat","kind","n"}], new; NULL in a game of another
 * `confirm`, or without memory.
 */
json_t *game_objections(const struct game *g);

#endif
