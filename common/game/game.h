/* SPDX-License-Identifier: ISC */
/*
 * The state of a game and what an order does to it: the one place that the
 * daemon asks before it writes a line, that a verifier asks when it reads
 * one, and that a client asks what is owed.  It follows umpire-record.7, S3
 * to S8.  No I/O and no clock; randomness only through struct game_dice.
 */
#ifndef UMPIRE_COMMON_GAME_GAME_H
#define UMPIRE_COMMON_GAME_GAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/base/err.h"
#include "common/crypt/hash.h"
#include "common/crypt/sign.h"
#include "common/crypt/vrf.h"
#include "common/record/order.h"
#include "common/record/order_kind.h"

struct buf;
struct combat;
struct game;
struct question_pick;
struct record_line;

#define GAME_SEATS 17 /* 0 the director, 1 .. 16 players */
#define GAME_HELD_MAX 1024 /* bytes of a secret choice's text */

enum game_phase {
	GAME_MUSTER, /* seats are being taken, or ready is awaited */
	GAME_PLAY,
	GAME_OVER, /* decided or cancelled; only talk and close */
	GAME_FINISHED, /* closed: no line may follow */
	GAME_HALTED, /* a fault of the rules code; talk, resign, close */
};

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
	 * kept any more: this line opens them, or it refuses their author;
	 * NULL.
	 */
	json_t *opened_standing;
	int freed_seat; /* whose author was refused; -1: none */
	bool is_turn_end; /* another turn has begun */
	bool is_fault; /* a `fault` line must follow in the same commit */
	char fault[200];
};

void game_effects_clear(struct game_effects *fx);

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

/* Frees a game; NULL is allowed. */
void game_free(struct game *g);

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
 * as before.  ERR_MISSING: what must come beside the order is not what it
 * committed to; the state is as before and the order may be sent again.
 * Anything else (ERR_PROOF from dice->prove, ERR_NOMEM) is no refusal: the game
 * must be thrown away and read again.
 */
int game_take(struct game *g, const struct order *o,
    const uint8_t key[SIGN_KEY_LEN], const struct game_dice *dice,
    const struct record_line *given, struct game_effects *fx, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Takes a server line (record S4.4).  ERR_ILLEGAL; ERR_NEWER for a `what`
 * that this version does not know.
 */
int game_take_server(struct game *g, const char *what, const json_t *data,
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

/*
 * ERR_BAD, with the reason, if a choice or a text of a standing order that the
 * game waits with was not given back: it cannot go on without.
 */
int game_check_held(const struct game *g, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Whether the standing order of line seq, whose text this is, was passed over
 * while it stood (record S8.1), as far as the record goes: ERR_ILLEGAL, and e
 * says so.  0 if not; ERR_NOTFOUND if that line is no standing order;
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

/* The state as one JSON object, the same bytes for the same state. */
int game_save(const struct game *g, struct buf *out)
    __attribute__((warn_unused_result));

/* Reads what game_save() wrote.  *out is new. */
int game_load(const char *bytes, size_t len, const struct game_blobs *blobs,
    struct game **out, struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Whether these bytes are what was saved of this game: the same as
 * game_save() gives, but that a version without takebacks did not keep when
 * some lines were written and what a takeback to them would put back.
 */
int game_is_saved(const struct game *g, const char *bytes, size_t len, bool *is)
    __attribute__((warn_unused_result));

/* Plain questions about the state. */
const uint8_t *game_id(const struct game *g); /* 32 bytes */
const uint8_t *game_server(const struct game *g); /* identity key */
const uint8_t *game_head(const struct game *g); /* hash of the last line */
const uint8_t *game_pool(const struct game *g);
const char *game_system(const struct game *g);
const char *game_rules(const struct game *g); /* "lasalle2/1" */
int64_t game_seq(const struct game *g); /* of the last line */
int64_t game_at_ms(const struct game *g); /* of the last line */
int64_t game_state_at_ms(const struct game *g); /* of the last state line */
enum game_phase game_phase(const struct game *g);
const char *game_phase_name(enum game_phase phase);
bool game_is_finished(const struct game *g);
bool game_is_halted(const struct game *g); /* once: also when it is over */
int game_turn(const struct game *g); /* 1, 2 ...; 0 before play */
int game_side(const struct game *g); /* side in turn: 1 or 2 */
int game_seats(const struct game *g); /* highest player's seat */
bool game_is_joined(const struct game *g, int seat);
bool game_is_sealed(const struct game *g); /* secrets are the players' own */
bool game_is_private(const struct game *g);
const char *game_account(const struct game *g, int seat); /* "" if none */
const uint8_t *game_dice_key(const struct game *g, int seat);
const uint8_t *game_server_dice(const struct game *g);
bool game_has_key(const struct game *g, int seat, const uint8_t *key);

/*
 * When the other side may claim that this one (1 or 2) has overstepped its
 * time (record S6.7), in milliseconds; -1 while its clock stands still.
 */
int64_t game_deadline_ms(const struct game *g, int side);

/* True if a joiner of this account was refused (record S5, note). */
bool game_is_refused(const struct game *g, const char *account);

/* How much later spectators see a game: turns and minutes, 0 for none. */
int game_delay_turns(const struct game *g);
int game_delay_minutes(const struct game *g);

/* Turns that were ended, taken back or not. */
int game_turns_ended(const struct game *g);

/* Side of a seat: 1 for odd, 2 for even, 0 for the director. */
int game_side_of(int seat);

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
};

/*
 * Writes and signs an order of seat `seat` upon the present head: place and
 * own are worked out where the kind has them.  Appends the text to *text.
 */
int game_make_order(const struct game *g, int seat,
    const struct game_keys *keys, enum order_kind kind, const json_t *args,
    struct buf *text, uint8_t sig[SIGN_LEN], struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * What is open for `seat` to answer in secret: *ask is the line that asked,
 * and the result says what the record waits for from its side: ORDER_COMMIT,
 * ORDER_OPEN (its own, sealed choice), or ORDER_UNKNOWN for nothing.
 */
enum order_kind game_secret_owed(const struct game *g, int seat, int64_t *ask);

/*
 * Checks that a decision is a lawful answer to the question that is open for
 * seat's side; nothing is changed.  ERR_INVALID with the place; ERR_STALE if
 * no question is open for it; ERR_MISSING where the rules are not run.
 */
int game_check_decision(const struct game *g, int seat, const json_t *decision,
    struct errinfo *e) __attribute__((warn_unused_result));

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
 * Checks an upkeep order's args by the system, as if it were seat's turn;
 * nothing is changed.  ERR_INVALID with the place, or if the system has no
 * such orders; ERR_MISSING where the rules are not run.
 */
int game_check_upkeep(const struct game *g, int seat, const json_t *args,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Checks a list of changes to the roster (record S5, propose) as if seat
 * proposed it now; nothing is changed.  ERR_INVALID with the place (from
 * "args.units" on); ERR_MISSING where the rules are not run.
 */
int game_check_adjust(const struct game *g, int seat, const json_t *units,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * The last line before line `before` that a takeback can name now (record
 * S5.2); -1 if there is none.
 */
int64_t game_undoable(const struct game *g, int64_t before);

/* True if the proposer's side may accept these changes itself (S5). */
bool game_is_own_adjust(const struct game *g, int seat, const json_t *units);

/*
 * Checks the text of a standing order (record S8.1) against the system's
 * kinds and words.  ERR_INVALID with a text that says what may be said.
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

/* Writes and signs a create order; args is complete. */
int game_make_create(const uint8_t server[SIGN_KEY_LEN],
    const struct game_keys *keys, const json_t *args, struct buf *text,
    uint8_t sig[SIGN_LEN]) __attribute__((warn_unused_result));

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

#define GAME_WAITS_MAX 96 /* far above what a game can wait for */

/* One thing that a game waits for. */
struct game_wait {
	int seat; /* who owes it; -1: any seat of the side may do it */
	int side; /* of the seat, or that owes it; 0: the director's */
	/*
	 * Static: "join", "ready", "turn", "decide", "commit", "open",
	 * "answer", "ruling", "close", or "offer" for one that may be
	 * accepted.
	 */
	const char *what;
	int64_t since; /* line */
	int64_t until_ms; /* deadline while the side's clock runs; -1 */
};

struct game_waits {
	struct game_wait list[GAME_WAITS_MAX];
	size_t n;
};

/* What is owed, in the order of game_view()'s `owed`. */
void game_waits_owed(const struct game *g, struct game_waits *w);

/* What is owed, then the offers that somebody may accept. */
void game_waiting(const struct game *g, struct game_waits *w);

/* True if one of a game's waits is for an account that sits in it. */
bool game_wait_is_for(
    const struct game *g, const struct game_wait *wait, const char *account);

/*
 * The state for programs and for `umpire show`: a new object with game,
 * system, rules, rulings, scheme, phase, seats, turn, round, side, seq,
 * head, at, pool, epoch, roster, combat, owed, result, then confirm, private,
 * secret, silence, clock, options, roster_blob, state_at, offers, clocks,
 * cups, standing, truce, adjudication (umpire-protocol.7, game.show); NULL
 * without memory.  Times are texts as in the record; null where they are not
 * known.
 *   owed: [{"seat"|"side","what":"join"|"ready"|"turn"|"decide"|"commit"|
 *	"open"|"answer"|"ruling"|"close","since":seq,"ask":seq,"as","kind",
 *	"options","since_at","until"?: deadline, while that side's clock runs}]
 *   combat: null or {"declare":seq,"side":attacker,"events":[...]}
 *   result: null or {"winner":1|2|null,"how":"resign"|"cancel"|...}
 *   offers: [{"seq","seat","side","what", the other args of its order,
 *	"accepted":[seats] of a ruling}]
 *   clocks: null or {"1":{"left_s","holidays","running","deadline"?,
 *	"away_until"?},"2":{...},"paused_until"?}
 *   cups: [{"cup","in":[ids],"out":[ids]}]
 *   standing: [{"seq","seat","side","withdrawn","acted","kind"?,"do"?}]
 */
json_t *game_view(const struct game *g);

/*
 * Its members seats, owed and offers alone: all that somebody may have to
 * answer.
 */
json_t *game_view_waits(const struct game *g);

/*
 * Appends the text of game_view(), in the form of js_dump(); failures stay in
 * *out.
 */
void game_view_write(const struct game *g, struct buf *out);

#endif
