/* SPDX-License-Identifier: ISC */
/* Making orders: what a player's machine does before it sends one. */
#include <string.h>

#include "common/base/buf.h"
#include "common/game/game_dice.h"
#include "common/game/game_int.h"
#include "common/game/game_make.h"
#include "common/game/game_play.h"
#include "common/json/js.h"
#include "common/rules/combat.h"

/* What an order of a kind names besides its args (record S3). */
enum game_proof {
	GAME_PROOF_NONE,
	GAME_PROOF_PLACE,
	GAME_PROOF_OWN, /* a place, and `own` over it */
	GAME_PROOF_OTHER, /* a place, and `other` over it */
};

/* What this order must have now. */
static enum game_proof
game_proof_of(
    const struct game *g, int seat, enum order_kind kind, const json_t *args)
{
	const char *say;
	bool has = true;

	switch (kind) {
	case ORDER_READY:
	case ORDER_DECLARE:
	case ORDER_DECIDE:
	case ORDER_UPKEEP:
	case ORDER_FREE:
	case ORDER_TURN_END:
		break;
	case ORDER_OPEN:
		return (GAME_PROOF_PLACE);
	case ORDER_COMMIT:
		if (game_side_of(seat) != g->combat.side)
			return (GAME_PROOF_PLACE);
		break;
	case ORDER_ACCEPT:
		has = game_accept_moves(g, seat, js_int(args, "to"));
		break;
	case ORDER_CLAIM:
		/* It answers the open question (record S6.7). */
		has = g->set.has_clock &&
		    g->set.clock.then == ORDER_CLOCK_DEFAULT &&
		    g->combat.ask_side == 3 - game_side_of(seat) &&
		    game_has_default(g) &&
		    (g->set.clock.notice_s == 0 ||
			json_object_get(args, "to") != NULL);
		break;
	case ORDER_ANSWER:
		say = js_str(args, "say");
		if (say != NULL && strcmp(say, "agree") == 0 &&
		    game_answer_rolls(g) == 1)
			return (GAME_PROOF_OTHER);
		has = false;
		break;
	default:
		has = false;
		break;
	}
	return (has ? GAME_PROOF_OWN : GAME_PROOF_NONE);
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
    enum order_kind kind, const json_t *args, int64_t now_ms, struct buf *text,
    uint8_t sig[SIGN_LEN], struct errinfo *e)
{
	struct order_parts p = {.server = g->create.server,
	    .now_ms = now_ms,
	    .game = g->create.game,
	    .seat = seat,
	    .after = g->seq,
	    .head = g->head,
	    .kind = kind,
	    .args = args};
	enum game_proof what = game_proof_of(g, seat, kind, args);
	char place[ORDER_PLACE_MAX + 1];
	uint8_t proof[VRF_PROOF_LEN];
	int r;

	if (what != GAME_PROOF_NONE) {
		if ((r = game_place(g, seat, kind, args, place, e)) != 0)
			return (r);
		p.place = place;
	}
	if (what == GAME_PROOF_OWN || what == GAME_PROOF_OTHER) {
		if (memcmp(keys->dice.public_key, game_dice_key(g, seat),
			VRF_KEY_LEN) != 0)
			return (err_set(e, ERR_MISSING, NULL,
			    "the dice of seat %d fall by another dice key",
			    seat));
		r = game_dice_make(g, &keys->dice,
		    what == GAME_PROOF_OWN ? "umpire/own/1" : "umpire/other/1",
		    place, keys->memo, proof);
		if (r != 0)
			return (r);
	}
	if (what == GAME_PROOF_OWN)
		p.own = proof;
	else if (what == GAME_PROOF_OTHER)
		p.other = proof;
	return (game_make_signed(&p, &keys->sign, text, sig));
}

int
game_asked(const struct game *g, int seat, const struct combat **c)
{
	const struct game_combat *of = &g->combat;

	if (g->phase != GAME_PLAY || !of->is_open || of->ask_seq < 0 ||
	    of->is_secret || of->ask_side != game_side_of(seat))
		return (ERR_STALE);
	if (of->run == NULL)
		return (ERR_MISSING);
	*c = of->run;
	return (0);
}

int
game_sample_decision(const struct game *g, int seat,
    const struct question_pick *p, json_t **decision)
{
	const struct combat *c;
	int r;

	if ((r = game_asked(g, seat, &c)) != 0)
		return (r);
	return (combat_sample(c, p, decision));
}

int
game_suggest_decision(const struct game *g, int seat, json_t **decision)
{
	const struct combat *c;
	int r;

	if ((r = game_asked(g, seat, &c)) != 0)
		return (r);
	return (combat_policy_answer(c, 0, decision));
}

/* True if a value is this text, or holds it somewhere. */
static bool
game_names(const json_t *v, const char *id)
{
	json_t *o = (json_t *)(uintptr_t)v, *part; /* only read */
	const char *name;
	size_t i;

	if (json_is_string(v))
		return (strcmp(json_string_value(v), id) == 0);
	json_array_foreach(v, i, part)
	{
		if (game_names(part, id))
			return (true);
	}
	json_object_foreach(o, name, part)
	{
		if (strcmp(name, id) == 0 || game_names(part, id))
			return (true);
	}
	return (false);
}

/* Takes out of units who goes by the usual answer, too, and is not named. */
static int
game_spare(struct combat *c, const json_t *decision, json_t *units)
{
	json_t *usual, *gone = NULL;
	struct errinfo e;
	const char *id;
	size_t i;
	int r;

	if ((r = combat_policy_answer(c, 0, &usual)) == ERR_NOTFOUND)
		return (0); /* no answer is the usual one */
	if (r != 0)
		return (r);
	r = combat_removed_by(c, usual, &gone, &e);
	json_decref(usual);
	for (i = json_array_size(units); r == 0 && i-- > 0;) {
		id = json_string_value(json_array_get(units, i));
		if (game_names(gone, id) && !game_names(decision, id))
			r = json_array_remove(units, i) == 0 ? 0 : ERR_NOMEM;
	}
	json_decref(gone);
	return (r);
}

int
game_removed_by(
    const struct game *g, int seat, const json_t *decision, json_t **units)
{
	const struct combat *c;
	struct errinfo e;
	int r;

	if ((r = game_asked(g, seat, &c)) != 0)
		return (r);
	/* The run that it is tried on is afterwards as it was. */
	r = combat_removed_by(g->combat.run, decision, units, &e);
	if (r == 0 && (r = game_spare(g->combat.run, decision, *units)) != 0) {
		json_decref(*units);
		*units = NULL;
	}
	return (r);
}

int
game_check_upkeep(
    const struct game *g, int seat, const json_t *args, struct errinfo *e)
{
	struct rules_upkeep_roll roll = {.n = 0};

	if (g->is_rules_off || g->roster == NULL)
		return (err_set(e, ERR_MISSING, "", "the rules are not run"));
	if (g->sys->game->upkeep_check == NULL)
		return (err_set(e, ERR_INVALID, "",
		    "the system \"%s\" has no upkeep orders", g->sys->id));
	return (g->sys->game->upkeep_check(
	    g->roster, &g->settings, game_side_of(seat), args, &roll, e));
}

int
game_make_create(const uint8_t server[SIGN_KEY_LEN],
    const struct game_keys *keys, const json_t *args, int64_t now_ms,
    struct buf *text, uint8_t sig[SIGN_LEN])
{
	const struct order_parts p = {.server = server,
	    .now_ms = now_ms,
	    .kind = ORDER_CREATE,
	    .args = args};

	return (game_make_signed(&p, &keys->sign, text, sig));
}
