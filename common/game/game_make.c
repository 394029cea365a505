/* SPDX-License-Identifier: ISC */
/* Making orders: what a player's machine does before it sends one. */
#include <string.h>

#include "common/buf.h"
#include "common/game/game_int.h"
#include "common/rules/combat.h"

/* Kinds that name a place (record S3, S8). */
static bool
game_has_place(enum order_kind kind)
{
	return (kind == ORDER_READY || kind == ORDER_DECLARE ||
	    kind == ORDER_DECIDE || kind == ORDER_COMMIT ||
	    kind == ORDER_OPEN || kind == ORDER_UPKEEP ||
	    kind == ORDER_TURN_END);
}

/* Whether an order that names a place carries `own` too (S8). */
static bool
game_has_own(const struct game *g, int seat, enum order_kind kind)
{
	if (kind == ORDER_COMMIT)
		return (game_side_of(seat) == g->combat.side);
	return (kind != ORDER_OPEN);
}

/* Appends the text and signs it. */
static int
game_make_signed(const struct order_parts *p, const struct sign_key *k,
    struct buf *text, uint8_t sig[SIGN_LEN])
{
	size_t from = text->len;
	int r;

	if ((r = order_write(p, text)) != 0)
		return (r);
	return (sign_make(
	    k, SIGN_TAG_ORDER, text->data + from, text->len - from, sig));
}

int
game_make_order(const struct game *g, int seat, const struct game_keys *keys,
    enum order_kind kind, const json_t *args, struct buf *text,
    uint8_t sig[SIGN_LEN], struct errinfo *e)
{
	struct order_parts p = {.server = g->create.server,
	    .game = g->create.game,
	    .seat = seat,
	    .after = g->seq,
	    .head = g->head,
	    .kind = kind,
	    .args = args};
	char place[ORDER_PLACE_MAX + 1];
	uint8_t own[VRF_PROOF_LEN];
	int r;

	if (game_has_place(kind)) {
		if ((r = game_place(g, seat, kind, args, place, e)) != 0)
			return (r);
		p.place = place;
	}
	if (p.place != NULL && game_has_own(g, seat, kind)) {
		r = game_dice_make(g, &keys->dice, "umpire/own/1", place, own);
		if (r != 0)
			return (r);
		p.own = own;
	}
	return (game_make_signed(&p, &keys->sign, text, sig));
}

int
game_sample_decision(const struct game *g, int seat,
    const struct question_pick *p, json_t **decision)
{
	const struct game_combat *c = &g->combat;

	if (g->phase != GAME_PLAY || !c->is_open || c->ask_seq < 0 ||
	    c->is_secret || c->ask_side != game_side_of(seat))
		return (ERR_STALE);
	if (c->run == NULL)
		return (ERR_MISSING);
	return (combat_sample(c->run, p, decision));
}

int
game_check_upkeep(
    const struct game *g, int seat, const json_t *args, struct errinfo *e)
{
	struct rules_upkeep_roll roll = {.n = 0};

	if (g->is_rules_off || g->roster == NULL)
		return (err_set(e, ERR_MISSING, "", "the rules are not run"));
	if (g->sys->upkeep_check == NULL)
		return (err_set(e, ERR_INVALID, "",
		    "the system \"%s\" has no upkeep orders", g->sys->id));
	return (g->sys->upkeep_check(
	    g->roster, game_side_of(seat), args, &roll, e));
}

int
game_make_create(const uint8_t server[SIGN_KEY_LEN],
    const struct game_keys *keys, const json_t *args, struct buf *text,
    uint8_t sig[SIGN_LEN])
{
	const struct order_parts p = {
	    .server = server, .kind = ORDER_CREATE, .args = args};

	return (game_make_signed(&p, &keys->sign, text, sig));
}
