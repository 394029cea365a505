/* SPDX-License-Identifier: ISC */
/*
 * Guessing the inputs of the next order.  What must be refused is left to
 * the game: here it is only not worked upon, so that whoever may not give an
 * order cannot have it cost much.
 */
#include "common/game/game_ahead.h"

#include <stdio.h>
#include <string.h>

#include "common/game/game_dice.h"
#include "common/game/game_int.h"
#include "common/game/game_make.h"

/* Takes what is kept of the keys that sign for a seat. */
static void
game_ahead_keys(const struct statement_keys *k, struct game_ahead_seat *s)
{
	const int n = k->n_keys < GAME_AHEAD_KEYS ? k->n_keys : GAME_AHEAD_KEYS;
	int i;

	s->n_keys = (uint8_t)n;
	for (i = 0; i < n; i++)
		memcpy(
		    s->keys[i], k->keys[k->n_keys - n + i], GAME_AHEAD_KEY_LEN);
}

/* Whether this can be a key of the seat. */
static bool
game_ahead_has_key(
    const struct game_ahead_seat *s, const uint8_t key[SIGN_KEY_LEN])
{
	int i;

	for (i = 0; i < s->n_keys; i++)
		if (memcmp(s->keys[i], key, GAME_AHEAD_KEY_LEN) == 0)
			return (true);
	return (false);
}

void
game_ahead_get(const struct game *g, struct game_ahead *a)
{
	struct errinfo e;
	int i;

	memset(a, 0, sizeof(*a));
	memcpy(a->game, g->create.game, HASH_LEN);
	memcpy(a->pool, g->pool, HASH_LEN);
	memcpy(a->server_dice, g->set.server_dice, VRF_KEY_LEN);
	a->is_live = g->set.is_live;
	a->is_confirm = g->set.is_confirm;
	a->phase = g->phase;
	a->is_round = g->later.is_due;
	a->state_seq = g->state_seq;
	a->side = g->phase == GAME_PLAY ? game_side(g) : 0;
	a->epoch = g->epoch;
	a->turns_ended = g->turns_ended;
	memcpy(a->frees, g->frees, sizeof(a->frees));
	if (g->combat.is_open &&
	    game_place(g, 0, ORDER_DECIDE, NULL, a->combat, &e) != 0)
		a->combat[0] = '\0';
	if (g->owed.is_owed) {
		memcpy(a->owed, g->owed.place, sizeof(a->owed));
		a->owed_seat = g->owed.seat;
		memcpy(a->owed_beta, g->owed.own_beta, VRF_BETA_LEN);
	}
	for (i = 0; i < GAME_SLOTS; i++) {
		a->seats[i].is_joined = g->seats[i].is_joined;
		game_ahead_keys(&g->seats[i].keys, &a->seats[i]);
		memcpy(a->seats[i].dice_key, g->seats[i].dice_key, VRF_KEY_LEN);
	}
}

/*
 * Whether a place can be the one that the game calls for: the whole of it,
 * but for the id and number of a combat or unit that is only now named.
 */
static bool
game_ahead_is_place(const struct game_ahead *a, const struct order *o)
{
	char want[ORDER_PLACE_MAX + 1] = "";
	bool is_whole = true;

	switch (o->kind) {
	case ORDER_READY:
	case ORDER_TURN_END:
	case ORDER_ACCEPT:
		(void)snprintf(want, sizeof(want), "p/%d", a->epoch);
		break;
	case ORDER_FREE:
		(void)snprintf(want, sizeof(want), "f/%d/%d", o->seat,
		    a->frees[game_slot(o->seat)] + 1);
		break;
	case ORDER_DECLARE:
	case ORDER_UPKEEP:
		(void)snprintf(want, sizeof(want), "%c/%d/",
		    o->kind == ORDER_DECLARE ? 'c' : 'u', 1 + a->turns_ended);
		is_whole = false;
		break;
	case ORDER_DECIDE:
	case ORDER_COMMIT:
	case ORDER_OPEN:
	case ORDER_CLAIM:
		memcpy(want, a->combat, sizeof(want));
		break;
	case ORDER_ANSWER:
		memcpy(want, a->owed, sizeof(want));
		break;
	default:
		break;
	}
	if (want[0] == '\0')
		return (false);
	return (is_whole ? strcmp(o->place, want) == 0
			 : strncmp(o->place, want, strlen(want)) == 0);
}

/* Whether a turn order may come now, as far as that is known here. */
static bool
game_ahead_is_turn(const struct game_ahead *a, const struct order *o)
{
	const bool in_combat = a->combat[0] != '\0';

	if (a->phase != GAME_PLAY || a->owed[0] != '\0')
		return (false);
	if (o->kind == ORDER_COMMIT)
		return (in_combat);
	if (a->state_seq > o->after)
		return (false);
	if (o->kind == ORDER_DECIDE)
		return (in_combat);
	return (!in_combat && game_side_of(o->seat) == a->side);
}

int
game_ahead_check(const struct game_ahead *a, const struct order *o,
    const uint8_t key[SIGN_KEY_LEN], struct game_ahead_input *in)
{
	const struct game_ahead_seat *s;
	const char *tag = o->has_own ? GAME_DICE_OWN : GAME_DICE_OTHER;

	if (o->place == NULL || o->has_own == o->has_other ||
	    game_slot(o->seat) < 0)
		return (ERR_STALE);
	s = &a->seats[game_slot(o->seat)];
	if (!s->is_joined || !game_ahead_has_key(s, key))
		return (ERR_STALE);
	if (o->has_other &&
	    (o->kind != ORDER_ANSWER || !a->is_live || o->seat != a->owed_seat))
		return (ERR_STALE);
	if (o->kind == ORDER_READY ? a->phase != GAME_MUSTER && !a->is_round
				   : a->phase != GAME_PLAY || a->is_round)
		return (ERR_STALE);
	if (order_class_of(o->kind) == ORDER_CLASS_TURN &&
	    !game_ahead_is_turn(a, o))
		return (ERR_STALE);
	if (!game_ahead_is_place(a, o))
		return (ERR_STALE);
	memcpy(in->key, s->dice_key, VRF_KEY_LEN);
	return (game_dice_input(
	    a->game, a->pool, tag, o->place, in->alpha, &in->n));
}

int
game_ahead_throw(const struct game_ahead *a, const struct order *o,
    const uint8_t beta[VRF_BETA_LEN], struct game_ahead_input *in)
{
	/* Whether dice may fall in the line of this order. */
	const bool may_roll = a->is_live ? o->kind == ORDER_ANSWER
					 : o->kind == ORDER_DECIDE ||
		o->kind == ORDER_UPKEEP || o->kind == ORDER_FREE ||
		(o->kind == ORDER_DECLARE && !a->is_confirm);

	if (!may_roll)
		return (ERR_STALE);
	memcpy(in->key, a->server_dice, VRF_KEY_LEN);
	return (game_dice_alpha(a->game, a->pool, o->place,
	    a->is_live ? a->owed_beta : beta, a->is_live ? beta : NULL,
	    in->alpha, &in->n));
}
