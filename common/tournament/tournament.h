/* SPDX-License-Identifier: ISC */
/*
 * The state of a tournament and what its lines do to it: the one place that the
 * daemon asks before it writes a line, that a verifier asks when it reads one,
 * and that a client asks what may be done.  It follows
 * umpire-tournament-record.7, S15 to S20.  No I/O and no clock; randomness only
 * through struct game_dice.
 */
#ifndef UMPIRE_COMMON_TOURNAMENT_TOURNAMENT_H
#define UMPIRE_COMMON_TOURNAMENT_TOURNAMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/base/err.h"
#include "common/crypt/hash.h"
#include "common/crypt/sign.h"
#include "common/crypt/vrf.h"
#include "common/tournament/entry.h"
#include "common/tournament/terms.h"

struct buf;
struct game_dice;
struct game_keys;
struct order_create;
struct order_join;
struct statement;
struct statement_keys;
struct tournament;

#define TOURNAMENT_LEGS_MAX 3 /* two of a mirror, and one to play it off */

enum tournament_phase {
	TOURNAMENT_ENTRIES, /* up to `shut` */
	TOURNAMENT_CHECKIN, /* up to `start` */
	TOURNAMENT_PLAY,
	TOURNAMENT_OVER, /* words, and what the server says */
};

extern const char *const tournament_phases[]; /* their names, NULL-ended */

/* The result of a leg, or of a table (S19.1). */
enum tournament_result {
	TOURNAMENT_NONE,
	TOURNAMENT_1, /* side 1, or a, won what was played */
	TOURNAMENT_2,
	TOURNAMENT_DRAW,
	TOURNAMENT_PLUS, /* side 1 by forfeit */
	TOURNAMENT_MINUS,
	TOURNAMENT_BOTH, /* both forfeited */
	TOURNAMENT_AWAITED, /* none: a ruling is awaited */
};

/* As lines write them: "1", "=", "--", ...; NULL for TOURNAMENT_NONE. */
const char *tournament_result_word(enum tournament_result result);

/* Why a leg may be claimed (S19.3). */
enum tournament_ground {
	TOURNAMENT_ABSENT,
	TOURNAMENT_LATE,
	TOURNAMENT_UNRULED,
	TOURNAMENT_GROUNDS,
};

/* Their names, which are the result's `how`; NULL-ended. */
extern const char *const tournament_grounds[];

/* What a game that belongs to a leg tells at one of its lines. */
struct tournament_look {
	int64_t seq; /* that line */
	int64_t at_ms; /* its time */
	uint8_t line[HASH_LEN]; /* its hash */
	bool is_over; /* or halted */
	int64_t end_seq; /* the line that made it so; -1 */
	bool is_halted;
	int winner; /* side; 0: none */
	const char *how; /* the word of S10.2; "" */
	bool has_come[3]; /* by side: joined and, all seats taken, ready */
	bool is_begun; /* play has */
	/* Seat 0 is there, and free, or who sits in it has still to be ready.
	 */
	bool lacks_director;
	char director[ORDER_ACCOUNT_MAX + 1]; /* who sits in it; "" */
	bool is_played; /* both sides have given an accepted turn order */
	bool waits[3]; /* by side: the game waits for it */
	int bp; /* battle points of side 1 now (S19.2) */
	/* Where the lines after it are known, to a verifier: */
	int64_t next_ms; /* the time of the next; 0: there is none */
	int64_t begun_ms; /* of the one with which play began; 0 */
};

/* Where the games are. */
struct tournament_games {
	/*
	 * Tells of a game at line seq, or at its last line (-1).
	 * ERR_MISSING: it is not at hand; ERR_NEWER: nor can it be judged;
	 * ERR_BAD: there is no such line.
	 */
	int (*look)(void *arg, const uint8_t game[HASH_LEN], int64_t seq,
	    struct tournament_look *look, struct errinfo *e);
	void *arg;
};

/* What a line holds beyond its order; tournament_effects_clear() frees it. */
struct tournament_effects {
	json_t *dice; /* owned; NULL if the line draws nothing */
	json_t *events; /* owned; an array */
	bool has_pool;
	uint8_t pool[HASH_LEN];
};

void tournament_effects_clear(struct tournament_effects *fx);

/* What a line is taken with; all borrowed. */
struct tournament_line {
	const struct entry *o; /* NULL for a line of the server */
	const uint8_t *key; /* that signed the order */
	const struct game_dice *dice; /* NULL: no line draws */
	const struct tournament_games *games;
	int64_t at_ms; /* the time of the line */
	/*
	 * The line as it stands, for a verifier that cannot look at games:
	 * results and claims are then taken from its events.  NULL: they are
	 * worked out.
	 */
	const json_t *given;
	/*
	 * The pairing of the next round of a Swiss, its event as
	 * tournament_work_pairing() gave it for a tournament with the same
	 * tournament_rests_seq(), or as a line has it that was checked before;
	 * null: there is none that is complete.  NULL: it is worked out.
	 */
	const json_t *paired;
	/* ERR_BUSY, and nothing is changed, rather than work it out. */
	bool is_hasty;
	/*
	 * With `create` alone: the tournament that it continues (S21.4), as the
	 * line that it names left it, which is taken over if that succeeds.
	 * NULL: it is not at hand.
	 */
	struct tournament *before;
	struct tournament_effects *fx;
	struct errinfo *e;
};

/*
 * Opens a tournament by its create order, whose signature by `key` the caller
 * checked.  *out is new.  ERR_INVALID, ERR_ILLEGAL, ERR_NEWER; ERR_NOMEM.
 */
int tournament_create(const struct tournament_line *l, struct tournament **out)
    __attribute__((warn_unused_result));

/* Frees a tournament; NULL is allowed. */
void tournament_free(struct tournament *t);

/*
 * Takes an order, whose signature the caller checked, in the order of checks of
 * S5.  ERR_STALE and ERR_ILLEGAL are final refusals; ERR_NEWER;
 * ERR_MISSING if a game that it hangs on is not at hand; ERR_NOMEM.  After an
 * error the state is as before, but for ERR_NOMEM and ERR_FAULT.
 */
int tournament_take(struct tournament *t, const struct tournament_line *l)
    __attribute__((warn_unused_result));

/*
 * Works out the pairing of the next round of a Swiss, which takes long where
 * there are many; *event is new, null if there is none that is complete.
 * ERR_NOTFOUND: the next round, if there is one, is not of a Swiss.
 */
int tournament_work_pairing(const struct tournament *t, json_t **event)
    __attribute__((warn_unused_result));

/* The pairing that the events of a line have, borrowed; null: they have none.
 */
const json_t *tournament_told_pairing(const json_t *events);

/* The last line upon which that can depend. */
int64_t tournament_rests_seq(const struct tournament *t);

/* Takes a key statement of an account, likewise (S15.3). */
int tournament_take_key(struct tournament *t, const char *by,
    const struct statement *s, const uint8_t signer[SIGN_KEY_LEN],
    const struct tournament_line *l) __attribute__((warn_unused_result));

/* Takes a line of the server (S15.6), likewise. */
int tournament_take_server(struct tournament *t, const char *what,
    const json_t *data, const struct tournament_line *l)
    __attribute__((warn_unused_result));

/* Records that the line was written: its number, time and hash. */
void tournament_advance(
    struct tournament *t, int64_t at_ms, const uint8_t hash[HASH_LEN]);

/* Plain questions about the state. */
const uint8_t *tournament_id(const struct tournament *t);
const uint8_t *tournament_server(const struct tournament *t);
const uint8_t *tournament_head(const struct tournament *t);
int64_t tournament_seq(const struct tournament *t);
int64_t tournament_at_ms(const struct tournament *t);
const struct terms *tournament_terms(const struct tournament *t);
enum tournament_phase tournament_phase(const struct tournament *t);
bool tournament_is_halted(const struct tournament *t);
bool tournament_is_closed(const struct tournament *t);
int tournament_rounds(const struct tournament *t); /* that there are to be */
int tournament_paired(const struct tournament *t); /* that were paired */
int tournament_stopped(const struct tournament *t); /* the last; 0: not */
int tournament_entrants(const struct tournament *t);
size_t tournament_games(const struct tournament *t); /* that lines name */

/* True if this key signs for the account now; false if it is not here. */
bool tournament_has_key(const struct tournament *t, const char *account,
    const uint8_t key[SIGN_KEY_LEN]);
bool tournament_is_here(const struct tournament *t, const char *account);

/*
 * Of one that continues another (S21.4): whether somebody who has a number
 * there has not entered here, and is nobody here but a name; and the other, as
 * it was then, borrowed, NULL: it continues none.
 */
bool tournament_is_former(const struct tournament *t, int number);
const struct tournament *tournament_former(const struct tournament *t);

bool tournament_is_director(const struct tournament *t, const char *account);
/* True of the witness that holds now: a ruling may have named another. */
bool tournament_is_witness(const struct tournament *t, const char *account);

/* True if the next key statement of the account has its line here (S15.3). */
bool tournament_takes_keys(const struct tournament *t, const char *account);

/*
 * How many lines are good only as umpired read the rules until 2026-11-28
 * (S19.7), and the first of them.
 */
int tournament_older(const struct tournament *t, int64_t *first);

/* How many there are, and the one with an index; NULL: there is none. */
size_t tournament_accounts(const struct tournament *t);
const char *tournament_nth_account(const struct tournament *t, size_t i);

/* The number of the account's last key statement here. */
int64_t tournament_stated(const struct tournament *t, const char *account);

/* Whose key an operator proposed in line seq, while it waits; NULL. */
const char *tournament_proposed(const struct tournament *t, int64_t seq);

/* The keys of an account here; NULL: it is not. */
const struct statement_keys *tournament_keys(
    const struct tournament *t, const char *account);

/*
 * True if an account plays: before the start who may still do so, later who is
 * in for the round that is paired next.
 */
bool tournament_plays(const struct tournament *t, const char *account);

/* The number of an account's entrant; 0: none.  And the account of a number. */
int tournament_number(const struct tournament *t, const char *account);
const char *tournament_account(const struct tournament *t, int number);

/* The ref of the text with an entrant's name; NULL: they gave none. */
const uint8_t *tournament_display(const struct tournament *t, int number);

/* The dice key of an entrant, by their number; borrowed. */
const uint8_t *tournament_dice_key_of(const struct tournament *t, int number);

/*
 * The dice key by which an account adds to the lots, as an entrant or as the
 * witness, borrowed; NULL: it adds nothing.
 */
const uint8_t *tournament_lots_key(
    const struct tournament *t, const char *account);

/*
 * Writes and signs an order of an account on the present head; place and own
 * are worked out for a check-in and for the witness's start.  Appends the text.
 * ERR_MISSING if they hang on another dice key than keys has; ERR_TOOBIG.
 */
int tournament_make_order(const struct tournament *t, const char *by,
    const struct game_keys *keys, enum entry_kind kind, const json_t *args,
    int64_t now_ms, struct buf *text, uint8_t sig[SIGN_LEN], struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * From when on a director may pair the next round, or the tournament may be
 * finished, if no other line comes; -1: not without one.
 */
int64_t tournament_pair_ms(const struct tournament *t);
int64_t tournament_finish_ms(const struct tournament *t);

/* From when on lots may be drawn, by the witness alone if there is one. */
int64_t tournament_start_ms(const struct tournament *t);

/*
 * Of an entrant, by their number: whether they check in before `start`, once
 * entries have ended, or have; whether they asked to be left out of a round.
 */
bool tournament_checks_in(const struct tournament *t, int number);
bool tournament_has_checked_in(const struct tournament *t, int number);
bool tournament_takes_bye(const struct tournament *t, int number, int round);

/* Where a leg stands: round, table, leg from 1. */
struct tournament_place {
	int round, table, leg;
};

/*
 * The leg that a game belongs to, by its line `game`, even if it was replayed.
 * ERR_NOTFOUND.
 */
int tournament_find_game(const struct tournament *t,
    const uint8_t game[HASH_LEN], struct tournament_place *place)
    __attribute__((warn_unused_result));

/* What is known of a leg. */
struct tournament_leg_state {
	int sides[3]; /* the numbers on sides 1 and 2 of its game */
	enum tournament_result result;
	bool has_result; /* for good */
	bool has_game;
	uint8_t game[HASH_LEN];
	int64_t notice_seq; /* of a claim; -1 */
	int64_t notice_until_ms; /* from when on that may have its effect */
	int64_t due_ms[TOURNAMENT_GROUNDS]; /* when it may be claimed; -1 */
	int64_t paired_seq; /* the line of its pairing */
};

/*
 * Steps through all legs that there are, by round, table and leg: *place begins
 * as zeros.  False after the last.
 */
bool tournament_next_leg(
    const struct tournament *t, struct tournament_place *place);

/* Tells of a leg that is there. */
void tournament_leg_state(const struct tournament *t,
    const struct tournament_place *place, struct tournament_leg_state *s);

/*
 * What the create order of a leg's game has for the tournament (S16), as args
 * without what its signer says of themselves: seat, account, keys.  *args is
 * new.
 */
int tournament_game_args(const struct tournament *t,
    const struct tournament_place *place, json_t **args)
    __attribute__((warn_unused_result));

/*
 * Checks that a create, or a join, of a game is what the tournament has for
 * its leg (S16): *place is that leg.  ERR_ILLEGAL with the place in the order;
 * ERR_NOTFOUND if the pairing's line is not there, as a restored server may
 * have it.
 */
int tournament_check_create(const struct tournament *t, const json_t *args,
    int seat, const uint8_t key[SIGN_KEY_LEN], struct tournament_place *place,
    struct errinfo *e) __attribute__((warn_unused_result));
int tournament_check_join(const struct tournament *t,
    const struct tournament_place *place, const struct order_join *j,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * The result line of a game that is over, or halts: *data is new, the members
 * of S19.1; NULL if none is to be written.
 */
int tournament_result_data(const struct tournament *t,
    const uint8_t game[HASH_LEN], const struct tournament_look *look,
    json_t **data) __attribute__((warn_unused_result));

/* True if a game of a leg may still have such a line. */
bool tournament_awaits_result(
    const struct tournament *t, const uint8_t game[HASH_LEN]);

/* The data of the line `game` (S15.6); new, NULL without memory. */
json_t *tournament_game_data(
    const struct tournament_place *place, const uint8_t game[HASH_LEN]);

/*
 * The state for programs and people, appended as a JSON object: tournament,
 * event, system, format, director, phase, seq, head, round, rounds, entrants,
 * pairings, rulings, protests, and once lots are drawn ties and standings, rows
 * of rank, number, half points and the value of each tie-break.  ERR_NOMEM.
 */
int tournament_view(const struct tournament *t, struct buf *out)
    __attribute__((warn_unused_result));

/*
 * The same for a reply, which has bounds: of the pairings one round (0: as many
 * of the newest as fit), and of the rulings the newest 1,000.  With one round
 * there are no standings, which take time.
 */
int tournament_view_part(const struct tournament *t, int round, struct buf *out)
    __attribute__((warn_unused_result));

/* Parts of that which are had by themselves. */
enum tournament_piece {
	TOURNAMENT_PIECE_ENTRANTS,
	TOURNAMENT_PIECE_ROUND, /* n: of that number */
	TOURNAMENT_PIECE_RULINGS, /* n: at most so many; and protests */
	TOURNAMENT_PIECE_STANDINGS,
};

/*
 * A part as an object, so that nobody waits for all of them: a round as it
 * stands in pairings, else what the state has, with what else of it goes with
 * that.  ERR_NOTFOUND: there is no such round; ERR_NOMEM.
 */
int tournament_view_piece(const struct tournament *t,
    enum tournament_piece piece, int n, struct buf *out)
    __attribute__((warn_unused_result));

/*
 * What it waits for from an account at a time, appended as a JSON array of
 * objects: what, and where that helps round, table, leg, game, notice, entrant,
 * line, ground, opponent, until, ends.  A game that cannot be looked at, or
 * none if games is NULL, is told as one that its players have not come to, and
 * brings no claim.  ERR_NOMEM, or what looking gave.
 */
int tournament_owed_write(struct tournament *t, const char *account,
    int64_t now_ms, const struct tournament_games *games, struct buf *out)
    __attribute__((warn_unused_result));

#endif
