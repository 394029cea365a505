/* SPDX-License-Identifier: ISC */
#include "tests/tools/cup_game.h"

#include <string.h>

#include "client/base/xalloc.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/game/game_make.h"
#include "common/game/game_take.h"
#include "common/json/js.h"
#include "common/record/record.h"

#include "tests/tools/player.h"

/* A game that is played. */
struct cup_game {
	struct player *players[2]; /* borrowed */
	const char *roster;
	struct game *game; /* owned */
	int n; /* of orders */
};

/* game_blobs: the one roster. */
static int
cup_game_blob_cb(
    void *arg, const uint8_t hash[HASH_LEN], const char **bytes, size_t *len)
{
	const struct cup_game *g = arg;

	(void)hash;
	*bytes = g->roster;
	*len = strlen(g->roster);
	return (0);
}

/* game_dice: none fall in such a game. */
static int
cup_game_prove_cb(void *arg, const uint8_t *alpha, size_t n,
    uint8_t proof[VRF_PROOF_LEN], uint8_t beta[VRF_BETA_LEN])
{
	(void)arg;
	(void)alpha;
	(void)n;
	(void)proof;
	(void)beta;
	return (ERR_PROOF);
}

/* Lets an order that was recorded do what it does. */
static void
cup_game_take(struct cup_game *g, const char *line)
{
	const struct game_blobs blobs = {cup_game_blob_cb, g};
	const struct game_dice dice = {cup_game_prove_cb, NULL};
	struct game_effects fx = {.dice = NULL};
	struct errinfo e = {.text = ""};
	struct record_line ln;
	struct order o;
	int r;

	if (record_parse(line, strlen(line), &ln, &e) != 0 ||
	    order_parse(ln.text, ln.text_len, &o, &e) != 0)
		player_die("a line", e.text);
	o.at_ms = ln.at_ms;
	r = ln.seq == 0
	    ? game_create(&o, ln.key, &blobs, false, &g->game, &fx, &e)
	    : game_take(g->game, &o, ln.key, &dice, &ln, &fx, &e);
	if (r != 0)
		player_die(order_kind_name(o.kind), e.text);
	game_advance(g->game, ln.at_ms, ln.hash);
	game_effects_clear(&fx);
	order_clear(&o);
	record_clear(&ln);
	g->n++;
}

/* Sends an order, and takes its line. */
static void
cup_game_send(struct cup_game *g, struct player *p, const char *method,
    const struct buf *text, const uint8_t sig[SIGN_LEN])
{
	struct conn_error ce = {.is_answer = false};
	json_t *params, *result;

	params = xalloc_json(json_pack("{s:o, s:o}", "order",
	    json_stringn((const char *)text->data, text->len), "sig",
	    js_hex(sig, SIGN_LEN)));
	if (player_call(p, method, params, &result, &ce) != 0)
		player_die(method, ce.e.text);
	cup_game_take(g, js_str(result, "line"));
	json_decref(params);
	json_decref(result);
}

/* Gives an order of a seat; args is stolen. */
static void
cup_game_give(struct cup_game *g, int seat, enum order_kind kind, json_t *args)
{
	struct player *p = g->players[seat - 1];
	struct errinfo e = {.text = ""};
	uint8_t sig[SIGN_LEN];
	struct buf text;

	buf_init(&text, 0);
	if (game_make_order(g->game, seat, &p->keys, kind, args,
		clock_wall_ms(), &text, sig, &e) != 0)
		player_die(order_kind_name(kind), e.text);
	cup_game_send(
	    g, p, kind == ORDER_JOIN ? "game.join" : "game.order", &text, sig);
	buf_clear(&text);
	json_decref(args);
}

/* Who sits in a seat, as create and join say it; new. */
static json_t *
cup_game_seat(const struct player *p, int seat)
{
	static const uint8_t zeros[HASH_LEN];

	return (xalloc_json(json_pack("{s:i, s:s, s:o, s:o, s:i, s:o}", "seat",
	    seat, "account", p->account, "key",
	    js_hex(p->keys.sign.public_key, SIGN_KEY_LEN), "dice_key",
	    js_hex(p->keys.dice.public_key, VRF_KEY_LEN), "kn", 0, "kprev",
	    js_hex(zeros, HASH_LEN))));
}

int
cup_game_play(struct player *one, struct player *two, json_t *args,
    const char *roster, enum cup_game_end end)
{
	struct cup_game g = {.players = {one, two}, .roster = roster};
	const int loser = end == CUP_GAME_ONE ? 2 : 1;
	uint8_t sig[SIGN_LEN];
	struct buf text;
	int seat;

	if (json_object_update_new(args, cup_game_seat(one, 1)) != 0)
		player_die("create", "no memory");
	buf_init(&text, 0);
	if (game_make_create(one->server, &one->keys, args, clock_wall_ms(),
		&text, sig) != 0)
		player_die("create", "cannot be made");
	cup_game_send(&g, one, "game.create", &text, sig);
	buf_clear(&text);
	json_decref(args);
	cup_game_give(&g, 2, ORDER_JOIN, cup_game_seat(two, 2));
	for (seat = 1; seat <= 2; seat++)
		cup_game_give(
		    &g, seat, ORDER_READY, xalloc_json(json_object()));
	for (seat = 1; seat <= 2; seat++)
		cup_game_give(
		    &g, seat, ORDER_TURN_END, xalloc_json(json_object()));
	if (end == CUP_GAME_DRAW) {
		cup_game_give(&g, 1, ORDER_OFFER,
		    xalloc_json(json_pack("{s:s}", "what", "draw")));
		cup_game_give(&g, 2, ORDER_ACCEPT,
		    xalloc_json(json_pack("{s:i}", "to", g.n - 1)));
	} else {
		cup_game_give(
		    &g, loser, ORDER_RESIGN, xalloc_json(json_object()));
	}
	game_free(g.game);
	return (g.n);
}
