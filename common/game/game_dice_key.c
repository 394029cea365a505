/* SPDX-License-Identifier: ISC */
/*
 * New dice keys, and the later round of ready that they call for (record S6.5).
 * A key waits for the end of the turn, so that no order that is on its way
 * becomes stale by it.
 */
#include <string.h>

#include "common/base/hex.h"
#include "common/game/game_dice.h"
#include "common/game/game_int.h"

#define GAME_DICE_KEYS_MAX 2 /* that a seat gives in a turn */

const uint8_t *
game_next_dice_key(const struct game *g, int seat)
{
	const struct game_seat *s = &g->seats[game_slot(seat)];

	return (s->has_next ? s->next_dice : NULL);
}

/* A round begins, or begins anew, with the line that is being taken. */
static void
game_round_begin(struct game *g)
{
	int i;

	g->later.is_due = true;
	for (i = 0; i < GAME_SLOTS; i++) {
		if (game_round_has(g, game_slot_seat(i)))
			g->seats[i].is_ready = false;
	}
}

/* Remembers a dice key that counts no longer, or never came to count. */
static int
game_dice_key_past(struct game *g, const uint8_t key[VRF_KEY_LEN])
{
	char name[2 * VRF_KEY_LEN + 1];

	hex_format(name, key, VRF_KEY_LEN);
	if (g->past_dice == NULL && (g->past_dice = json_object()) == NULL)
		return (ERR_NOMEM);
	return (json_object_set_new(g->past_dice, name, json_true()) == 0
		? 0
		: ERR_NOMEM);
}

int
game_dice_key_leave(struct game *g, int seat)
{
	return (game_dice_key_past(g, game_dice_key(g, seat)));
}

bool
game_had_dice_key(const struct game *g, const uint8_t key[VRF_KEY_LEN])
{
	char name[2 * VRF_KEY_LEN + 1];
	const struct game_seat *s;
	int i;

	for (i = 0; i < GAME_SLOTS; i++) {
		s = &g->seats[i];
		if ((s->is_joined &&
			memcmp(s->dice_key, key, VRF_KEY_LEN) == 0) ||
		    (s->has_next &&
			memcmp(s->next_dice, key, VRF_KEY_LEN) == 0))
			return (true);
	}
	hex_format(name, key, VRF_KEY_LEN);
	return (memcmp(g->set.server_dice, key, VRF_KEY_LEN) == 0 ||
	    json_object_get(g->past_dice, name) != NULL);
}

/* Rekeys a seat: the pool moves by its new key, which counts from now on. */
static int
game_rekey(struct game *g, int seat, const uint8_t key[VRF_KEY_LEN],
    struct game_effects *fx)
{
	struct game_seat *s = &g->seats[game_slot(seat)];
	int r;

	if ((r = game_dice_key_past(g, s->dice_key)) != 0 ||
	    (r = game_dice_rekey(g->pool, seat, key, fx->pool)) != 0)
		return (r);
	memcpy(s->dice_key, key, VRF_KEY_LEN);
	game_place_moved(g, fx);
	return (0);
}

/* Forgets a key that waits, whose place a newer one takes. */
static int
game_dice_key_forget(struct game *g, struct game_seat *s)
{
	int r;

	if (s->has_next && (r = game_dice_key_past(g, s->next_dice)) != 0)
		return (r);
	s->has_next = false;
	return (0);
}

int
game_rekey_waiting(struct game *g, struct game_effects *fx)
{
	struct game_seat *s;
	int i, r;

	for (i = 0; i < GAME_SLOTS; i++) {
		s = &g->seats[i];
		s->n_dice_keys = 0;
		if (!s->has_next)
			continue;
		if ((r = game_rekey(g, game_slot_seat(i), s->next_dice, fx)) !=
		    0)
			return (r);
		s->has_next = false;
		game_round_begin(g);
	}
	return (0);
}

int
game_rekey_newcomer(struct game *g, int seat, const uint8_t key[VRF_KEY_LEN],
    struct game_effects *fx)
{
	struct game_seat *s = &g->seats[game_slot(seat)];
	int r;

	if ((r = game_dice_key_forget(g, s)) != 0 ||
	    (r = game_rekey(g, seat, key, fx)) != 0)
		return (r);
	game_round_begin(g);
	return (0);
}

int
game_take_dice_key(struct game *g, const struct game_line *l)
{
	struct game_seat *s = &g->seats[game_slot(l->o->seat)];
	uint8_t key[VRF_KEY_LEN];
	int r;

	if ((r = order_dice_key_parse(l->o, key, l->e)) != 0)
		return (game_illegal(r));
	if (g->phase != GAME_MUSTER && g->phase != GAME_PLAY)
		return (err_set(l->e, ERR_ILLEGAL, "",
		    "the game is over; no more dice fall"));
	if (s->n_dice_keys == GAME_DICE_KEYS_MAX)
		return (err_set(l->e, ERR_ILLEGAL, "",
		    "seat %d has given %d dice keys in this turn, and gives no "
		    "third",
		    l->o->seat, GAME_DICE_KEYS_MAX));
	if (game_had_dice_key(g, key))
		return (err_set(l->e, ERR_ILLEGAL, "order.args.dice_key",
		    "this is or was a dice key in this game"));
	s->n_dice_keys++;
	if (g->later.is_due) {
		if ((r = game_dice_key_forget(g, s)) != 0 ||
		    (r = game_rekey(g, l->o->seat, key, l->fx)) != 0)
			return (r);
		game_round_begin(g);
		game_state_line(g);
		return (0);
	}
	if (!g->has_ready) {
		if ((r = game_dice_key_past(g, s->dice_key)) != 0)
			return (r);
		memcpy(s->dice_key, key, VRF_KEY_LEN);
		return (game_is_full(g) ? game_dice_pool0(g, g->pool) : 0);
	}
	if ((r = game_dice_key_forget(g, s)) != 0)
		return (r);
	s->has_next = true;
	memcpy(s->next_dice, key, VRF_KEY_LEN);
	return (0);
}
