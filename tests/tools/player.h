/* SPDX-License-Identifier: ISC */
/*
 * Simulated players for harnesses and benches.  A match is a game of
 * lasalle2 between two of them: it makes its next order by chance, from a
 * seed, and follows what the server answers.  It takes the lines as they
 * come, with their own proofs as the source of the dice, and does not verify
 * them: whoever wants that has the record verified afterwards.  It never
 * waits for certain dice: every order that it makes is lawful whatever
 * falls.
 *
 * Everything here blocks and belongs to one thread; two matches share
 * nothing.  Memory that is missing, and what cannot be in a lawful match,
 * ends the program with a message (player_die).
 */
#ifndef UMPIRE_TESTS_TOOLS_PLAYER_H
#define UMPIRE_TESTS_TOOLS_PLAYER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "client/net/conn.h"
#include "common/crypt/hash.h"
#include "common/crypt/sign.h"
#include "common/game/game.h"
#include "common/game/game_make.h"
#include "common/record/order.h"

#define PLAYER_WAIT_MS 60000 /* for a connection, and for an answer */

/* One who plays, with a connection of his own. */
struct player {
	const char *host; /* borrowed */
	const char *port; /* borrowed */
	int64_t wait_ms; /* PLAYER_WAIT_MS at first */
	char account[ORDER_ACCOUNT_MAX + 1];
	struct game_keys keys;
	bool is_registered; /* the server has answered so */
	uint8_t server[SIGN_KEY_LEN]; /* once connected */
	char server_dice[2 * VRF_KEY_LEN + 1];
	struct conn *conn; /* owned; NULL while there is none */
};

/* An order that was signed; player_order_clear() frees it. */
struct player_order {
	int seat;
	enum order_kind kind;
	const char *method; /* "game.create", "game.join" or "game.order" */
	json_t *params; /* owned; NULL: there is none */
	uint8_t oid[HASH_LEN];
	bool has_dice; /* a line that it makes has dice, for all we know */
};

struct match;

/* Ends the program. */
void player_die(const char *what, const char *why) __attribute__((noreturn));

/*
 * Sets up who plays as `account`, whose keys come of the seed and the name;
 * nothing is sent.  host and port must live as long.  player_clear() frees.
 */
void player_init(struct player *p, const char *host, const char *port,
    const char *account, uint64_t seed);
void player_clear(struct player *p);

/*
 * Connects if there is no connection, and logs in; makes the account if
 * there is none yet.  ERR_* as conn_open(), or what the server answered; then
 * the connection is closed and it may be tried again.
 */
int player_connect(struct player *p, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Closes the connection, if any. */
void player_disconnect(struct player *p);

/*
 * Sends a request (params is borrowed, NULL for none): 0 and a new *result,
 * or the error.  If that is the connection's fault it is closed
 * (ce->is_answer is false).  There must be a connection.
 */
int player_call(struct player *p, const char *method, const json_t *params,
    json_t **result, struct conn_error *ce) __attribute__((warn_unused_result));

/* Makes a chat upon a line that is known of a game; *o is new. */
void player_chat(const struct player *p, const uint8_t game[HASH_LEN], int seat,
    int64_t after, const uint8_t head[HASH_LEN], const char *words,
    struct player_order *o);

/* Frees what it holds and leaves it empty. */
void player_order_clear(struct player_order *o);

/*
 * A new match, number n; roster is the blob's text, a lasalle2 roster of two
 * sides.  seed rules keys, accounts and what is played; accounts differ by
 * seed and n.  Nothing is sent.  match_free() frees it; host, port and roster
 * must live as long.
 */
struct match *match_new(const char *host, const char *port, int n,
    uint64_t seed, const char *roster);
void match_free(struct match *m);

/*
 * Before anything is sent: the match's dice come from three hands, of which
 * the third is the witness with this key, in hex, who must be running.
 */
void match_set_witness(
    struct match *m, const char witness[2 * SIGN_KEY_LEN + 1]);

/*
 * Has the player of seat 1 open another game like the match's, in which nobody
 * else sits; there must be a connection.  0, or what the server answered.
 */
int match_open(struct match *m, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Leaves the game, in which nothing may be under way; the next order opens
 * another one between the two.  There must be a connection.  0, or what the
 * server answered.
 */
int match_again(struct match *m, struct errinfo *e)
    __attribute__((warn_unused_result));

/* The player in seat 1 or 2, borrowed. */
struct player *match_player(struct match *m, int seat);

/*
 * Connects both players and stores the roster, as far as that is still to be
 * done.  ERR_* as player_connect(): try again.
 */
int match_connect(struct match *m, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Makes the next order, borrowed until match_took(): first create, join and
 * two ready, then a mix of chats, free rolls, ends of turns, small combats
 * with their decisions, and changes of the roster that are proposed and
 * accepted.  About a third of the orders draw dice.  Until the order has been
 * taken the same one is given, to be sent again with the same bytes.  The
 * match must have been connected once.
 */
const struct player_order *match_next(struct match *m);

/*
 * Makes a chat the next order, which draws no dice.  The last one must have
 * been taken, and the game made.
 */
void match_chat(struct match *m);

/*
 * Takes the next line of the game, which need not be the match's own order: 0,
 * or ERR_PENDING if lines before it are missing, which must be taken first
 * (match_seq() + 1 is the next), or ERR_EXISTS for one that was taken
 * already.  The answer of the order that match_next() gave is taken so, too.
 */
int match_took(struct match *m, const char *line)
    __attribute__((warn_unused_result));

/* The match's game; NULL before its first line. */
const struct game *match_game(const struct match *m);

/* The number of the last line that was taken; -1. */
int64_t match_seq(const struct match *m);

/* True once both are ready and every order is one of the mix. */
bool match_is_play(const struct match *m);

/*
 * Sends match_next()'s order, on a connection that there is, and takes its
 * line: for benches, where nothing is lost and nobody else writes but the
 * witness, whose answer is taken, too.  *us, if not NULL, is how long all of
 * that took.  0, or what failed.
 */
int match_play(struct match *m, int64_t *us, struct errinfo *e)
    __attribute__((warn_unused_result));

#endif
