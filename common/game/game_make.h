/* SPDX-License-Identifier: ISC */
/*
 * Making orders: what a player's machine asks before it sends one, and the
 * order itself, written and signed.
 */
#ifndef UMPIRE_COMMON_GAME_GAME_MAKE_H
#define UMPIRE_COMMON_GAME_GAME_MAKE_H

#include "common/record/order.h"

struct buf;
struct combat;
struct game;
struct question_pick;
struct vrf_memo;

/*
 * The place that an order of this kind and seat must name now (record
 * S6.1); args is the order's (for declare: the combat).  ERR_INVALID if the
 * facts name no defending unit; ERR_STALE if none is called for.
 */
int game_place(const struct game *g, int seat, enum order_kind kind,
    const json_t *args, char place[ORDER_PLACE_MAX + 1], struct errinfo *e)
    __attribute__((warn_unused_result));

/* base = H(T("umpire/base/1") || game || pool || u16 len || place) (S6.2). */
int game_base(const uint8_t game[HASH_LEN], const uint8_t pool[HASH_LEN],
    const char *place, uint8_t base[HASH_LEN])
    __attribute__((warn_unused_result));

/* Player's keys, to make orders with. */
struct game_keys {
	struct sign_key sign;
	struct vrf_key dice;
	/* Borrowed: becomes what the order's proof gives, if it has one. */
	struct vrf_memo *memo; /* may be NULL */
};

/*
 * Writes and signs an order of seat `seat` on the present head: place and
 * own are worked out where the kind has them.  now_ms is the author's clock,
 * below 0 for an order that does not tell it.  Appends the text to *text.
 * ERR_MISSING if dice hang on it and keys->dice is not the seat's dice key now.
 */
int game_make_order(const struct game *g, int seat,
    const struct game_keys *keys, enum order_kind kind, const json_t *args,
    int64_t now_ms, struct buf *text, uint8_t sig[SIGN_LEN], struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Checks that a decision is a lawful answer to the question that is open for
 * seat's side; nothing is changed.  ERR_INVALID with the place; ERR_STALE if
 * no question is open for it; ERR_MISSING where the rules are not run.
 */
int game_check_decision(const struct game *g, int seat, const json_t *decision,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * The combat whose question is open for seat's side and is not secret
 * (combat_question()); *c is borrowed.  ERR_STALE if there is none;
 * ERR_MISSING where the rules are not run.
 */
int game_asked(const struct game *g, int seat, const struct combat **c)
    __attribute__((warn_unused_result));

/*
 * Makes a lawful answer to the question that is open for seat's side and is
 * not secret, by chance (common/rules/question.h); *decision is new.
 * ERR_STALE if there is none; ERR_MISSING where the rules are not run.
 */
int game_sample_decision(const struct game *g, int seat,
    const struct question_pick *p, json_t **decision)
    __attribute__((warn_unused_result));

/*
 * Likewise the answer that the odds would take, by the first word of the
 * system's policy for that kind: what a sensible player might do.
 * ERR_NOTFOUND if the system has no policy for it.
 */
int game_suggest_decision(const struct game *g, int seat, json_t **decision)
    __attribute__((warn_unused_result));

/*
 * The ids of the units that a decision on the question that is open for
 * seat's side would leave with nothing before dice or another question, and
 * that it names or that the usual answer spares; *units is a new array.
 * ERR_INVALID for a decision that is not lawful; ERR_STALE and
 * ERR_MISSING as game_asked() has them.
 */
int game_removed_by(const struct game *g, int seat, const json_t *decision,
    json_t **units) __attribute__((warn_unused_result));

/*
 * Checks an upkeep order's args by the system, as if it were seat's turn;
 * nothing is changed.  ERR_INVALID with the place, or if the system has no
 * such orders; ERR_MISSING where the rules are not run.
 */
int game_check_upkeep(const struct game *g, int seat, const json_t *args,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Checks a list of changes to the roster (record S5, propose) as if seat
 * proposed it now; nothing is changed.  ERR_INVALID with the place (from
 * "order.args.units" on); ERR_MISSING where the rules are not run.
 */
int game_check_adjust(const struct game *g, int seat, const json_t *units,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Checks the text of a standing order (record S8.1) against the system's
 * kinds and words.  ERR_INVALID with a text that lists what it may say.
 */
int game_check_standing(const struct game *g, const char *text,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Whether an answer that agrees needs the other side's proof: 1 if dice
 * will fall, 0 if not (also where a standing order leads to a roll, which
 * waits for another answer); ERR_STALE if no answer is owed; ERR_MISSING
 * where the rules are not run.
 */
int game_answer_rolls(const struct game *g);

/* Writes and signs a create order; args is complete, now_ms as above. */
int game_make_create(const uint8_t server[SIGN_KEY_LEN],
    const struct game_keys *keys, const json_t *args, int64_t now_ms,
    struct buf *text, uint8_t sig[SIGN_LEN])
    __attribute__((warn_unused_result));

/*
 * As game_check_combat(), with the combat as well, which has not begun (new:
 * combat_free()); the game must outlive it.
 */
int game_make_combat(const struct game *g, int side, const json_t *combat,
    json_t **facts, struct combat **run, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * The facts that a declared combat would be fought with, by side `side`:
 * the roster merged in and the rules' refusals applied; nothing is changed.
 * *facts is new.  ERR_INVALID with the place.
 */
int game_check_combat(const struct game *g, int side, const json_t *combat,
    json_t **facts, struct errinfo *e) __attribute__((warn_unused_result));

#endif
