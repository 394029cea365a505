/* SPDX-License-Identifier: ISC */
/*
 * Taking lines: what an order does to a game, which the daemon asks before it
 * writes a line and a verifier when it reads one (umpire-record.7, S3 to S8).
 */
#ifndef UMPIRE_COMMON_GAME_GAME_TAKE_H
#define UMPIRE_COMMON_GAME_GAME_TAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/base/err.h"
#include "common/crypt/hash.h"
#include "common/crypt/sign.h"
#include "common/crypt/vrf.h"
#include "common/game/game_entry.h"
#include "common/record/order.h"

struct game;
struct record_line;
struct statement;

/* Where rosters and tables come from. */
struct game_blobs {
	/*
	 * Gives the bytes of a blob, borrowed until the next call.
	 * ERR_NOTFOUND, ERR_STORAGE.
	 */
	int (*get)(void *arg, const uint8_t hash[HASH_LEN], const char **bytes,
	    size_t *len);
	void *arg;
};

/* Where the server's part of the dice comes from. */
struct game_dice {
	/*
	 * Gives the server's proof over alpha and its output: the daemon
	 * makes it with its dice key, a verifier takes it from the line and
	 * checks it (ERR_PROOF).
	 */
	int (*prove)(void *arg, const uint8_t *alpha, size_t n,
	    uint8_t proof[VRF_PROOF_LEN], uint8_t beta[VRF_BETA_LEN]);
	void *arg;
};

/* A secret choice that the server holds until both are in (record S8). */
struct game_held {
	int seat;
	int64_t ask;
	uint8_t salt[32];
	char text[GAME_HELD_MAX + 1];
};

/* A standing order's text, which the server holds until it acts (S8). */
struct game_standing_text {
	int seat;
	int64_t seq; /* line of the standing order */
	uint8_t salt[32];
	char text[GAME_HELD_MAX + 1];
};

/* What a line holds beyond its order; game_effects_clear() frees it. */
struct game_effects {
	struct game_entry entry; /* what it does */
	json_t *dice; /* owned; NULL if the line draws nothing */
	json_t *owes; /* owned; NULL */
	json_t *opened; /* owned; NULL */
	json_t *events; /* owned; an array */
	bool has_pool;
	uint8_t pool[HASH_LEN];
	/* The place if the line draws or moves the pool, else "" (S11). */
	char place[ORDER_PLACE_MAX + 1];
	/* The pool under which it stands (before the move). */
	uint8_t place_pool[HASH_LEN];
	/*
	 * A choice that must be kept beside the record, never in it, until
	 * game_has_held() is false; then it must be forgotten.
	 */
	bool has_held;
	struct game_held held;
	/* Likewise the text of a standing order, until it is opened. */
	bool has_standing;
	struct game_standing_text standing;
	/*
	 * Owned array of the lines of standing orders whose texts need not be
	 * kept any longer: this line opens them, refuses their author, or says
	 * that they are never opened; NULL.
	 */
	json_t *opened_standing;
	int freed_seat; /* whose author was refused; -1: none */
	int given_seat; /* that somebody else has from now on; -1: none */
	bool is_turn_end; /* another turn has begun */
	bool is_fault; /* a `fault` line must follow in the same commit */
	char fault[200];
};

void game_effects_clear(struct game_effects *fx);

/* Puts other events (stolen) into a line.  ERR_NOMEM if they are NULL. */
int game_effects_events(struct game_effects *fx, json_t *events)
    __attribute__((warn_unused_result));

/*
 * Opens a game from its create order, whose signature the caller checked
 * against `key`.  is_new: refuse also what this version cannot play
 * (ERR_NEWER, text "... is not in this version"), as a daemon must; a
 * verifier passes false and learns by game_is_checkable().
 * ERR_ILLEGAL, ERR_MISSING (a blob that is not there; is_new only),
 * ERR_NEWER, ERR_NOMEM.  *out and *fx are new.
 */
int game_create(const struct order *o, const uint8_t key[SIGN_KEY_LEN],
    const struct game_blobs *blobs, bool is_new, struct game **out,
    struct game_effects *fx, struct errinfo *e)
    __attribute__((warn_unused_result));

/* From now on no blob is at hand: where they came from may go. */
void game_forget_blobs(struct game *g);

/*
 * ERR_NEWER, with the place, if an order has a part that this version does
 * not know (order_check_known()) in this game; g is NULL for create.
 */
int game_check_known(const struct game *g, const struct order *o,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Takes one order, whose form, signature, head, oid and nonce the caller
 * checked: no unknown part, key valid for the seat, class rules, legality up
 * to the first new roll, own proof, then dice and effects (record S5's order).
 * `given` is NULL in a daemon; a verifier passes the line, which is used
 * where the rules are not run (game_set_rules_off).
 * On success the state has moved and *fx is new; the caller writes the line
 * and calls game_advance().  ERR_STALE, ERR_ILLEGAL, ERR_NEWER: the state is
 * as before.  ERR_MISSING: what must come with the order is not what it
 * committed to; the state is as before and the order may be sent again.
 * Anything else (ERR_PROOF from dice->prove, ERR_NOMEM) is not a refusal: the
 * game must be thrown away and read again.
 */
int game_take(struct game *g, const struct order *o,
    const uint8_t key[SIGN_KEY_LEN], const struct game_dice *dice,
    const struct record_line *given, struct game_effects *fx, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Takes a server line (record S4.4) of that time.  *fx is new on success: its
 * entry, no events, and the pool if the line moves it.  ERR_ILLEGAL, ERR_NOMEM;
 * ERR_NEWER for a `what` that this version does not know; the state is then as
 * before, but without memory, when the game must be thrown away.
 */
int game_take_server(struct game *g, const char *what, const json_t *data,
    int64_t at_ms, struct game_effects *fx, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Takes a key line of a seat (record S4): the statement, whose signature by
 * `signer` the caller checked.  It changes who signs for the seat from the
 * next line on, and nothing else.  *en is new: what the line does.
 * ERR_NEWER for what a later version states, ERR_STALE if another statement of
 * the account is due, ERR_ILLEGAL, ERR_NOMEM; the state is then as before.
 */
int game_take_key(struct game *g, int seat, const struct statement *s,
    const uint8_t signer[SIGN_KEY_LEN], int64_t at_ms, struct game_entry *en,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * True while the game waits for a secret choice whose counterpart is held
 * beside the record; game_hold() gives that back to a game that was read by
 * game_load().  ERR_INVALID, ERR_MISSING if it is not what was committed.
 */
bool game_has_held(const struct game *g);
int game_hold(struct game *g, const struct game_held *held)
    __attribute__((warn_unused_result));

/*
 * Gives the text of a standing order back to a game that was read by
 * game_load().  ERR_NOTFOUND if the game has no such order that is not open;
 * ERR_MISSING if it is not what was committed.
 */
int game_hold_standing(struct game *g, const struct game_standing_text *t)
    __attribute__((warn_unused_result));

/* A choice, or a standing order, whose text the server holds and we have not.
 */
struct game_lack {
	int64_t seq; /* of its line */
	int seat;
	bool is_standing;
	int64_t ask; /* of a choice: the line that asked for it */
};

/* The i-th of them, from 0 on, by line where of one kind; false: no more. */
bool game_lack(const struct game *g, size_t i, struct game_lack *out);

/*
 * ERR_BAD, with the reason, if a choice or a text of a standing order that the
 * game waits with was not given back: it cannot go on without.
 */
int game_check_held(const struct game *g, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Whether the standing order of line seq, whose text this is, was passed over
 * while it stood (record S8.1), as far as the record goes: ERR_ILLEGAL, and e
 * says so.  0 if not; ERR_NOTFOUND if that line is not a standing order;
 * ERR_MISSING if it committed to something else.  The text stays unknown to
 * the game.
 */
int game_check_passed(const struct game *g, int64_t seq, const uint8_t salt[32],
    const char *text, struct errinfo *e) __attribute__((warn_unused_result));

/* Records that the line was written: its number, time and hash. */
void game_advance(struct game *g, int64_t at_ms, const uint8_t hash[HASH_LEN]);

/*
 * The rules are not run from here on (--no-rules, unknown rules version,
 * missing blob, after a fault): dice are still checked against their
 * labels, events are taken as they stand.
 */
void game_set_rules_off(struct game *g);

/*
 * 0 if the rules can be run here; else ERR_NEWER or ERR_MISSING with the
 * reason.
 */
int game_is_checkable(const struct game *g, struct errinfo *e);

#endif
