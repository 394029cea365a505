/* SPDX-License-Identifier: ISC */
/* Rules that go on: to dice, a question, or an answer that is owed (S5, S6). */
#ifndef UMPIRE_COMMON_GAME_GAME_PLAY_H
#define UMPIRE_COMMON_GAME_GAME_PLAY_H

#include "common/record/order.h"

struct game;
struct game_line;

/*
 * What makes the rules of the open combat go on: an order, or the answer
 * that it waited for.  Pointers are borrowed.
 */
struct game_go {
	enum order_kind kind; /* of the acting order, not of the answer */
	int by; /* seat whose contribution counts */
	const char *place;
	uint8_t own_beta[VRF_BETA_LEN];
	const uint8_t *other_beta; /* NULL: none */
	bool is_answer; /* the other side has agreed */
	int answerer; /* is_answer: who owes what follows */
	bool is_final; /* nothing is left to object to */
	bool is_fact; /* a decision that the other side agrees to first */
	size_t n_decisions; /* in g->combat before the order */
	const struct game_line *l; /* that is being taken */
};

/* Begins *go for an order that carries `own`, which is verified. */
int game_go_begin(const struct game *g, const struct game_line *l,
    struct game_go *go) __attribute__((warn_unused_result));

/*
 * The rules go on, to a question, a result, a fault, or a roll that waits
 * for an answer (`owes`), and g->combat takes over what the line does.  The
 * run of g->combat has been run without dice and nothing may refuse the
 * order any more.  Where the rules are off, what the line says is taken as
 * it stands, as far as it can be so (ERR_ILLEGAL).
 */
int game_go_on(struct game *g, const struct game_go *go)
    __attribute__((warn_unused_result));

/*
 * A claim by default: the open question, which is the other side's, is
 * answered by the first word of its kind's policy, and the rules go on with
 * the claimant's own contribution.  game_has_default() has said that there
 * is such a question, and place and proof hold; where the rules are off, the
 * line says what it did.
 */
int game_go_default(struct game *g, const struct game_line *l)
    __attribute__((warn_unused_result));

/* True if an open question is not secret and its kind has a policy. */
bool game_has_default(const struct game *g);

/* Gives a decision to the open question, and keeps it; runs without dice. */
int game_play_decide(struct game *g, const json_t *decision, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Takes the decisions from number n on back; no dice fell after them. */
int game_play_undecide(struct game *g, size_t n)
    __attribute__((warn_unused_result));

/*
 * An order waits: the first seat of the other side owes an answer, or the
 * director, who judges; or go->answerer a further one.  *fx gets
 * `owes`; its events are the caller's.  args (borrowed, copied) is that of
 * upkeep and free; else NULL.
 */
int game_owe(struct game *g, const struct game_go *go, const json_t *args)
    __attribute__((warn_unused_result));

/*
 * For game_load(): makes g->combat.run of g->combat's facts, these rolls and
 * its decisions, and sets what follows from them.  g->owed and the rest of
 * g->combat must have been read: while an answer is owed the combat may
 * stand anywhere, else it must wait for a decision.  ERR_INVALID.
 */
int game_play_rebuild(struct game *g, const json_t *rolls, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Where the rules are off: rolls the dice of a line again from what it says
 * was asked, into fx->dice.  ERR_ILLEGAL, ERR_PROOF, ERR_BAD, ERR_NOMEM.
 */
int game_trust_roll(struct game *g, const struct game_go *go)
    __attribute__((warn_unused_result));

/*
 * The dice of an upkeep or free order that has been answered (args as in S5).
 */
int game_upkeep_go(struct game *g, const struct game_go *go, const json_t *args)
    __attribute__((warn_unused_result));
int game_roll_go(struct game *g, const struct game_go *go, const json_t *args)
    __attribute__((warn_unused_result));

#endif
