/* SPDX-License-Identifier: ISC */
/*
 * A table for tests: two players, a server, all their keys, and the game
 * between them as a daemon would keep it.  Keys and the nonce of the create
 * order are the same in every run, and so are the dice.  Whatever the
 * helpers cannot do fails the test.
 */
#ifndef UMPIRE_TESTS_LIB_TABLE_H
#define UMPIRE_TESTS_LIB_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/crypt/sign.h"
#include "common/crypt/vrf.h"
#include "common/game/game.h"
#include "common/game/game_make.h"
#include "common/game/game_take.h"
#include "common/game/verify.h"
#include "common/json/js.h"
#include "common/record/order.h"
#include "common/record/record.h"

#define TABLE_LINES_MAX 512
#define TABLE_STANDING_MAX 64
#define TABLE_AT_MS 1795176061042 /* 2026-11-20T12:01:01.042Z */

struct table {
	struct sign_key server;
	struct vrf_key server_dice;
	struct game_keys keys[GAME_SLOTS]; /* by game_slot() */
	json_t *blobs; /* owned: hash in hex -> bytes */
	struct game *game; /* owned; NULL before create */
	struct buf record; /* lines, each with LF */
	size_t starts[TABLE_LINES_MAX + 1]; /* of lines in record */
	size_t n_lines;
	int64_t at_ms;
	int64_t now_ms; /* the authors' clock; below 0: they tell none */
	struct buf text; /* of the order made last */
	uint8_t sig[SIGN_LEN]; /* likewise */
	const json_t *open; /* borrowed: goes beside the next commits */
	struct game_held held; /* what a daemon keeps beside the record */
	/* Likewise, of standing orders that are not open. */
	struct game_standing_text standing[TABLE_STANDING_MAX];
	size_t n_standing;
	struct game_effects fx; /* of the line written last */
	struct errinfo e; /* of the last refusal */
};

/* A roster that has something of everything; side 2 has two batteries. */
extern const char table_roster[];

/* A text ref of nothing, and args of a chat that names it. */
#define TABLE_REF \
	"'1111111111111111111111111111111111111111111111111111111111111111'"
#define TABLE_CHAT "{'ref':" TABLE_REF "}"

/* Infantry on infantry: no question but perhaps the stagger at the end. */
#define TABLE_FIGHT                                                    \
	"{'combat':{'attackers':[{'id':'fr-1','formation':'column'}]," \
	"'defenders':[{'id':'ru-1','formation':'line'}],"              \
	"'contacts':[{'attacker':'fr-1','defender':'ru-1','edge':'front'}]}}"

/* Infantry on two batteries: side 2 is asked first, no dice fall yet. */
#define TABLE_GUNS                                                           \
	"{'combat':{'attackers':[{'id':'fr-2','formation':'column'}],"       \
	"'defenders':[{'id':'ru-a2','formation':'limbered'},"                \
	"{'id':'ru-a1','formation':'unlimbered'}],"                          \
	"'contacts':[{'attacker':'fr-2','defender':'ru-a1','edge':'front'}," \
	"{'attacker':'fr-2','defender':'ru-a2','edge':'front'}]}}"

/* Reads JSON that the test itself wrote, a quoted_text(); new. */
json_t *table_json(const char *text);

/* Adds the blob with this text, a quoted_text(), and gives its hash. */
void table_put(struct table *t, const char *text, uint8_t hash[HASH_LEN]);

/* game_blobs: from what was put. */
int table_blob_cb(
    void *arg, const uint8_t hash[HASH_LEN], const char **bytes, size_t *len);

/* game_dice: the server's key. */
int table_prove_cb(void *arg, const uint8_t *alpha, size_t n,
    uint8_t proof[VRF_PROOF_LEN], uint8_t beta[VRF_BETA_LEN]);

/* Makes the keys; there is no game yet. */
void table_init(struct table *t);

/* Frees all. */
void table_clear(struct table *t);

/* The args of a seat in create or join; new. */
json_t *table_seat_args(const struct table *t, int seat);

/*
 * Args of a create order by seat 1 with the roster that has this text, a
 * quoted_text(); new.
 */
json_t *table_create_args(struct table *t, const char *roster);

/* Signs t->text with a seat's key. */
void table_sign(struct table *t, int seat);

/* Sets t->text to this value, compact, and signs it. */
void table_reword(struct table *t, int seat, const json_t *order);

/* The order in t->text as a value; new. */
json_t *table_order(const struct table *t);

/* Makes an order into t->text and t->sig; args is stolen. */
int table_make(struct table *t, int seat, enum order_kind kind, json_t *args);

/* Appends a line with its LF; its hash is given. */
void table_append(
    struct table *t, const struct record_parts *p, uint8_t hash[HASH_LEN]);

/* Writes the line of the order that was just taken. */
void table_write(struct table *t, const struct order *o, const uint8_t *key);

/* As table_take_by(), by the key of a seat. */
int table_take(struct table *t, int seat);

/* Makes an order and gives it to the game; args is stolen. */
int table_try(struct table *t, int seat, enum order_kind kind, json_t *args);

/* Gives a server line to the game, its data a text, and writes it. */
int table_server(struct table *t, const char *what, const char *data);

/* An order that must be taken; args are a text. */
void table_play(
    struct table *t, int seat, enum order_kind kind, const char *args);

/*
 * Makes a create order of args (stolen) into t->text, with the same nonce in
 * every run, so that the game has the same id.
 */
void table_make_create(struct table *t, json_t *args);

/* Opens the game of the create order in t->text. */
int table_open(struct table *t);

/* A game that both sides have joined, before the first ready. */
void table_seated(struct table *t);

/* A game that has begun. */
void table_begun(struct table *t);

/*
 * A game of the roster with this text that has begun; create's args have the
 * members of more, an object's text, as well.  All seats that it names sit.
 */
void table_begun_with(struct table *t, const char *roster, const char *more);

/*
 * Gives a standing order with this text, a quoted_text(); its salt is the
 * number of the line.  0, or why it was refused.
 */
int table_stand(struct table *t, int seat, const char *text);

/* The state as game_save() writes it, into out. */
void table_save(const struct table *t, struct buf *out);

/* A game of its own in the same state; new. */
struct game *table_copy(struct table *t);

/*
 * Saves the game, reads it back, checks that what was read is saved as the
 * same bytes and shown as the same state, and goes on with it.
 */
void table_reload(struct table *t);

/* As table_refuses_by(), by the key of a seat. */
void table_refuses(struct table *t, int seat, int r, const char *why);

/* Makes an order, args a text, that the game must refuse. */
void table_no(struct table *t, int seat, enum order_kind kind, const char *args,
    int r, const char *why);

/* What is owed first, as game_view() says; new. */
json_t *table_owed(const struct table *t);

/* True while a decision is owed. */
bool table_is_asked(const struct table *t);

/* The args of an answer to what is owed, yes to all of it; new. */
json_t *table_answer_args(const struct table *t);

/* Answers the open question by the side that owes it. */
void table_answer(struct table *t);

/* Answers questions until the combat is over. */
void table_settle(struct table *t);

/* The record with its blobs behind it, into out. */
void table_export(const struct table *t, struct buf *out);

/* The line number n as JSON; new. */
json_t *table_line(const struct table *t, size_t n);

/*
 * The record must verify by one verifier a line, each of which goes on from
 * what the one before has saved; what the last one saves is what one alone
 * would.
 */
void table_verify_resumed(const struct table *t);

/* The record must verify, with the rules and without, whole and resumed. */
void table_verify(const struct table *t);

/* The record must be bad at line n (from 0), with the rules and without. */
void table_is_bad(const struct table *t, size_t n, const char *why);

#endif
