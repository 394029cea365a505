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
#include "common/record/order.h"
#include "common/record/owed.h"
#include "common/record/record.h"

struct buf;
struct game;
struct game_blobs;
struct game_clock;
struct rules_settings;
struct rules_system;

#define GAME_SEATS (RECORD_SEAT_MAX + 1) /* 0 the director, 1 .. 16 players */
#define GAME_WITNESS                                            \
	RECORD_WITNESS /* the seat of the witness (record S6.9) \
			*/
#define GAME_SLOTS                                                \
	(GAME_SEATS + 1) /* for arrays by seat that count it, too \
			  */
#define GAME_HELD_MAX 1024 /* bytes of a secret choice's text */

enum game_phase {
	GAME_MUSTER, /* seats are being taken, or ready is awaited */
	GAME_PLAY,
	GAME_OVER, /* decided or cancelled; only talk and close */
	GAME_FINISHED, /* closed: no line may follow */
	GAME_HALTED, /* a fault of the rules code; talk, resign, close */
};

/* How a game ended (record S7). */
enum game_how {
	GAME_UNDECIDED,
	GAME_CANCELLED,
	GAME_RESIGNED,
	GAME_STOPPED, /* both sides closed it undecided */
	GAME_CLOSED, /* by the server */
	GAME_DRAWN,
	GAME_AGREED, /* one side's victory */
	GAME_FORFEIT,
	GAME_RULED,
};

/*
 * Where a seat stands in an array of GAME_SLOTS, the witness last; -1 for what
 * is no seat.  And the seat of such a slot.
 */
int game_slot(int seat);
int game_slot_seat(int slot);

/* Frees a game; NULL is allowed. */
void game_free(struct game *g);

/* The state as one JSON object, the same bytes for the same state. */
int game_save(const struct game *g, struct buf *out)
    __attribute__((warn_unused_result));

/* Reads what game_save() wrote.  *out is new. */
int game_load(const char *bytes, size_t len, const struct game_blobs *blobs,
    struct game **out, struct errinfo *e) __attribute__((warn_unused_result));

/* Plain questions about the state. */
const uint8_t *game_id(const struct game *g); /* 32 bytes */
const uint8_t *game_server(const struct game *g); /* identity key */
const uint8_t *game_head(const struct game *g); /* hash of the last line */
const uint8_t *game_pool(const struct game *g);
const char *game_system(const struct game *g);
const char *game_rules(const struct game *g); /* "lasalle2/1" */
int64_t game_seq(const struct game *g); /* of the last line */
int64_t game_at_ms(const struct game *g); /* of the last line */
enum game_phase game_phase(const struct game *g);
const char *game_phase_name(enum game_phase phase);
bool game_is_finished(const struct game *g);
bool game_is_halted(const struct game *g); /* once: also when it is over */
int game_turn(const struct game *g); /* 1, 2 ...; 0 before play */
int game_round(const struct game *g); /* 1, 2 ...; 0 before play */
int game_side(const struct game *g); /* side in turn: 1 or 2 */

/*
 * True if the side in turn would pass by ending it now, as it has given no
 * order in it; only where turns are activations.
 */
bool game_would_pass(const struct game *g);

/* True if the end of this turn would end the round. */
bool game_ends_round(const struct game *g);

int game_winner(const struct game *g); /* side; 0: none */
enum game_how game_how(const struct game *g);
const char *game_how_name(enum game_how how); /* NULL for GAME_UNDECIDED */
int64_t game_state_seq(const struct game *g); /* last line that changed it */
int game_truce(const struct game *g); /* turn until which one holds; 0 */
int game_seats(const struct game *g); /* highest player's seat */

/* The witness's key; NULL if the game has none, or none any more (S6.9). */
const uint8_t *game_witness(const struct game *g);

/* True if the settings name a witness, whether or not it is out. */
bool game_had_witness(const struct game *g);

/*
 * The line whose dice wait for the witness, -1 if none does, and from when on
 * its silence may be claimed, in milliseconds; -1.  Whether a seat of a side
 * answers such a line in its stead, since that has been claimed.
 */
int64_t game_silent_seq(const struct game *g);
int64_t game_silent_ms(const struct game *g);
bool game_is_stand_in(const struct game *g);
bool game_is_joined(const struct game *g, int seat);
bool game_is_sealed(const struct game *g); /* secrets are the players' own */
bool game_is_private(const struct game *g);
const char *game_account(const struct game *g, int seat); /* "" if none */
bool game_is_seat(const struct game *g, int seat); /* the settings name it */
bool game_is_ready(const struct game *g, int seat);
bool game_is_closed(const struct game *g, int seat); /* has closed it */
/* Key number i, from 0 on, that signs for a seat now; NULL: no more. */
const uint8_t *game_key(const struct game *g, int seat, int i);
const uint8_t *game_dice_key(const struct game *g, int seat);
const uint8_t *game_server_dice(const struct game *g);

/* True if this is or was a dice key in the game, or waits to be one. */
bool game_had_dice_key(const struct game *g, const uint8_t key[VRF_KEY_LEN]);

/* The seat's new dice key that waits for the end of a turn; NULL: none. */
const uint8_t *game_next_dice_key(const struct game *g, int seat);

/* True while play waits for another ready of every seat (record S6.5). */
bool game_is_round(const struct game *g);
bool game_has_key(const struct game *g, int seat, const uint8_t *key);

/* What the create order says, borrowed. */
const struct order_create *game_settings(const struct game *g);

/*
 * The rules' settings, with the data that the game brings, borrowed, and the
 * system that they are of; NULL where the rules are not known or not run.
 */
const struct rules_settings *game_rules_settings(
    const struct game *g, const struct rules_system **sys);

/* The rulings in force, defaults written out; new, NULL without memory. */
json_t *game_rulings(const struct game *g);

/*
 * The roster as it now is (roster_value()), borrowed until the game changes;
 * NULL where it is not at hand.  The blob is the one in force.
 */
const json_t *game_roster(const struct game *g);
const uint8_t *game_roster_blob(const struct game *g);

/* What the roster calls a side; NULL if it has no name there. */
const char *game_side_name(const struct game *g, int side);

/*
 * The entry of a unit or commander, borrowed likewise, and its side (NULL
 * allowed); NULL if there is none.
 */
const json_t *game_unit(const struct game *g, const char *id, int *side);

/* The line that declared the open combat; -1 if none is. */
int64_t game_combat_seq(const struct game *g);

/* The events of the open combat as its lines tell them; new. */
int game_combat_events(const struct game *g, json_t **events)
    __attribute__((warn_unused_result));

/*
 * The question that a side owes an answer to, {"side","kind","options"}
 * (common/rules/combat.h); new, NULL if the rules do not ask it anything, or
 * without memory.  game_question_seq() is the line that asked it.
 */
json_t *game_question(const struct game *g, int side);
int64_t game_question_seq(const struct game *g);

/* The clocks, borrowed; NULL where none has begun. */
const struct game_clock *game_clock(const struct game *g);

/* The claim that waits for a ruling; -1. */
int64_t game_claim_seq(const struct game *g);

/*
 * The line of a side's notice that it will claim the other's time; -1: none
 * stands.  From when on the claim itself may follow, by the server's clock, as
 * it now looks; -1 likewise.  side is 1 or 2.
 */
int64_t game_notice_seq(const struct game *g, int side);
int64_t game_notice_until_ms(const struct game *g, int side);

/*
 * True if that is so only once the witness has said that the time has passed,
 * which it has not yet (record S6.9).
 */
bool game_notice_is_unwitnessed(const struct game *g, int side);

/*
 * The line `restored` that waits for accepts (record S4.3); -1: none.  Whether
 * a seat has still to accept it.
 */
int64_t game_restored_seq(const struct game *g);
bool game_asks_accept(const struct game *g, int seat);

/* True if the line that waits for an answer may be objected to. */
bool game_may_object(const struct game *g);

/*
 * When the other side may claim that this one (1 or 2) has overstepped its
 * time (record S6.7), in milliseconds; -1 while its clock stands still.
 */
int64_t game_deadline_ms(const struct game *g, int side);

/*
 * What the clock of a side has left as of the last line, in ms; true if that is
 * all the time of an order, of which nothing is used.
 */
bool game_left_ms(const struct game *g, int side, int64_t *left_ms);

/* True if a joiner of this account was refused (record S5, note). */
bool game_is_refused(const struct game *g, const char *account);

/* How much later spectators see a game: turns and minutes, 0 for none. */
int game_delay_turns(const struct game *g);
int game_delay_minutes(const struct game *g);

/* Turns that were ended, taken back or not. */
int game_turns_ended(const struct game *g);

/* Number of the last key statement that stands for a seat (record S4). */
int64_t game_stated(const struct game *g, int seat);

/* Side of a seat: 1 for odd, 2 for even, 0 for director and witness. */
int game_side_of(int seat);

/*
 * What is open for `seat` to answer in secret: *ask is the line that asked,
 * and the result says what the record waits for from its side: ORDER_COMMIT,
 * ORDER_OPEN (its own, sealed choice), or ORDER_UNKNOWN for nothing.
 */
enum order_kind game_secret_owed(const struct game *g, int seat, int64_t *ask);

/*
 * The last line before line `before` that a takeback can name now (record
 * S5.2); -1 if there is none.
 */
int64_t game_undoable(const struct game *g, int64_t before);

/* True if the proposer's side may accept these changes itself (S5). */
bool game_is_own_adjust(const struct game *g, int seat, const json_t *units);

#define GAME_WAITS_MAX 384 /* far above what a game can wait for */

/* One thing that a game waits for. */
struct game_wait {
	int seat; /* who owes it; -1: any seat of the side may do it */
	int side; /* of the seat, or that owes it; 0: the director's */
	enum owed what; /* OWED_JOIN .. OWED_NOTICE */
	int64_t since; /* line */
	int64_t since_ms; /* its time; -1: not known */
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

/* True if a side has closed the game, or before its end offers to stop. */
bool game_has_closed(const struct game *g, int side);

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
 *	"accepted":[seats] of a ruling, or of a seat for somebody else}]
 *   clocks: null or {"1":{"left_s","holidays","running","deadline"?,
 *	"away_until"?},"2":{...},"paused_until"?}
 *   cups: [{"cup","in":[ids],"out":[ids]}]
 *   standing: [{"seq","seat","side","withdrawn","acted","kind"?,"do"?}]
 */
json_t *game_view(const struct game *g);

/*
 * Appends the text of game_view(), in the form of js_dump(); failures stay in
 * *out.
 */
void game_view_write(const struct game *g, struct buf *out);

#endif
