/* SPDX-License-Identifier: ISC */
/*
 * A seat for somebody else, or for somebody who has lost all their keys (record
 * S4.2): the operator proposes it by a server line, and all other seats accept.
 * It waits in the list of offers, and moves nothing until the last accept.
 */
#include <string.h>

#include "common/game/game_int.h"
#include "common/game/game_newcomer.h"
#include "common/game/game_undo.h"
#include "common/json/js.h"

static const struct js_at newcomer_at = {NULL, "data", 0};

struct game_offer *
game_newcomer_find(const struct game *g, int64_t seq)
{
	struct game_offer *f = game_offer_find(g, seq);

	return (f != NULL && f->what == GAME_OFFER_SEAT ? f : NULL);
}

/* True if this seat is the last that has to accept. */
static bool
game_newcomer_is_last(
    const struct game *g, const struct game_offer *f, int seat)
{
	int i;

	for (i = 0; i < GAME_SEATS; i++) {
		if (i != seat && game_is_joined(g, i) && game_offer_asks(f, i))
			return (false);
	}
	return (true);
}

/* Neither account nor key sits elsewhere, and no key was in the game before. */
static int
game_newcomer_check(
    const struct game *g, const struct order_join *j, struct errinfo *e)
{
	const int slot = game_slot(j->seat);
	const struct statement_keys *had;
	int i, r;

	for (i = 0; i < GAME_SLOTS; i++) {
		if (i != slot && g->seats[i].is_joined &&
		    strcmp(g->seats[i].account, j->account) == 0)
			return (err_set(e, ERR_ILLEGAL, "data.account",
			    "\"%s\" has seat %d", j->account,
			    game_slot_seat(i)));
	}
	had = &g->seats[slot].keys;
	for (i = 0; i < j->keys.n_keys; i++) {
		r = game_key_check_new(
		    g, slot, &j->keys, j->keys.keys[i], "data.key", e);
		if (r != 0)
			return (r);
		if (had->has_recovery &&
		    memcmp(had->recovery, j->keys.keys[i], SIGN_KEY_LEN) == 0)
			return (err_set(e, ERR_ILLEGAL, "data.key",
			    "this is the recovery key of seat %d", j->seat));
	}
	if (j->keys.has_recovery && game_witness_is_key(g, j->keys.recovery))
		return (err_set(e, ERR_ILLEGAL, "data.recovery",
		    "the key is the witness's"));
	if (game_had_dice_key(g, j->dice_key))
		return (err_set(e, ERR_ILLEGAL, "data.dice_key",
		    "this is or was a dice key in this game"));
	return (0);
}

int
game_newcomer_propose(struct game *g, const json_t *data, int64_t at_ms,
    struct game_effects *fx, struct errinfo *e)
{
	struct order_join j;
	uint8_t why[HASH_LEN];
	size_t i;
	int r;

	if (js_get_hex(data, "why", &newcomer_at, why, sizeof(why), e) != 0)
		return (ERR_ILLEGAL);
	if ((r = order_newcomer_parse(data, &newcomer_at, &j, e)) != 0)
		return (game_illegal(r));
	if (g->phase != GAME_PLAY)
		return (err_set(e, ERR_ILLEGAL, "what",
		    "a seat is given to somebody else in play, and only then"));
	if (j.seat == GAME_WITNESS)
		return (err_set(e, ERR_ILLEGAL, "data.seat",
		    "nobody else becomes the witness"));
	if (!game_is_joined(g, j.seat))
		return (err_set(
		    e, ERR_ILLEGAL, "data.seat", "nobody has this seat"));
	if ((r = game_newcomer_check(g, &j, e)) != 0)
		return (r);
	/* Another for the same seat takes the place of the former. */
	for (i = g->n_offers; i-- > 0;) {
		if (g->offers[i].what == GAME_OFFER_SEAT &&
		    g->offers[i].seat == j.seat)
			game_offer_remove(g, g->offers[i].seq);
	}
	if ((r = game_offer_put(g, j.seat, data, GAME_OFFER_SEAT)) != 0)
		return (r);
	fx->entry.offer = GAME_OFFER_SEAT;
	fx->entry.fate = GAME_FATE_OPEN;
	fx->entry.given = j.seat;
	game_entry_account(&fx->entry, j.account);
	g->later.was_due = g->later.is_due;
	game_clock_settle(g, at_ms, false, false);
	return (0);
}

/* True if somebody has committed to an answer of the open question. */
static bool
game_newcomer_is_committed(const struct game_combat *c)
{
	return (c->is_open && c->is_secret && !c->is_loose &&
	    (c->secrets[1].is_committed || c->secrets[2].is_committed));
}

/* What waits for somebody who leaves a seat is void. */
static int
game_newcomer_void(struct game *g, int seat, struct game_entry *en)
{
	const bool is_owed = g->owed.is_owed && g->owed.seat == seat;
	const bool is_whole = is_owed ? g->owed.is_final && g->combat.is_open
				      : game_newcomer_is_committed(&g->combat);
	int r = 0;

	if (is_whole) {
		en->from = g->combat.declare_seq;
		r = game_undo_back(g, en->from);
		game_owed_clear(g);
	} else if (is_owed) {
		en->from = g->owed.seq;
		r = game_answer_void(g);
	}
	return (r);
}

/* All have accepted: the seat is the newcomer's. */
static int
game_newcomer_sit(
    struct game *g, const struct game_line *l, const struct order_join *j)
{
	struct game_seat *s = &g->seats[game_slot(j->seat)];
	struct game_entry *en = &l->fx->entry;
	int r;

	game_entry_account(en, s->account);
	if ((r = game_newcomer_void(g, j->seat, en)) != 0 ||
	    (r = game_key_forget(g, game_slot(j->seat), &j->keys)) != 0 ||
	    (r = game_rekey_newcomer(g, j->seat, j->dice_key, l->fx)) != 0)
		return (r);
	s->keys = j->keys;
	memset(s->account, 0, sizeof(s->account));
	memcpy(s->account, j->account, strlen(j->account));
	l->fx->given_seat = j->seat;
	en->to_fate = GAME_FATE_ACCEPTED;
	return (0);
}

int
game_newcomer_accept(
    struct game *g, const struct game_line *l, struct game_offer *f)
{
	const int64_t seq = f->seq;
	struct order_join j;
	json_t *data;
	int r;

	if (!game_offer_asks(f, l->o->seat))
		return (err_set(l->e, ERR_STALE, "order.args.to",
		    "line %lld does not wait for seat %d", (long long)seq,
		    l->o->seat));
	if (g->owed.is_owed && g->owed.seat != f->seat)
		return (err_set(l->e, ERR_STALE, "",
		    "line %lld waits for the answer of another seat first",
		    (long long)g->owed.seq));
	if (l->o->place != NULL || l->o->has_own)
		return (err_set(l->e, ERR_ILLEGAL, "order.place",
		    "place and proof go together, in an accept that takes "
		    "lines back"));
	l->fx->entry.to = seq;
	l->fx->entry.offer = GAME_OFFER_SEAT;
	l->fx->entry.given = f->seat;
	if (!game_newcomer_is_last(g, f, l->o->seat)) {
		f->is_accepted[l->o->seat] = true;
		game_state_line(g);
		return (0);
	}
	/* A key may have been taken since it was proposed. */
	data = json_incref(f->args);
	if ((r = order_newcomer_parse(data, &newcomer_at, &j, l->e)) != 0 ||
	    (r = game_newcomer_check(g, &j, l->e)) != 0)
		r = game_illegal(r);
	else
		r = game_newcomer_sit(g, l, &j);
	json_decref(data);
	if (r != 0)
		return (r);
	game_offer_remove(g, seq);
	game_state_line(g);
	return (0);
}
