/* SPDX-License-Identifier: ISC */
/*
 * The orders propose and offer (record S5): what one side may ask of the other
 * is checked and listed as open.  game_accept.c ends it, by accept or note.
 */
#include "common/game/game_int.h"
#include "common/game/game_undo.h"
#include "common/json/js.h"
#include "common/rules/roster.h"

#define GAME_OFFERS_MAX 8 /* open ones of a side */
#define GAME_TRUCE_MAX 99 /* turns */
#define GAME_PAUSE_MAX 366 /* days */

/*
 * Refuses one more than a side may have open.  Where the rules are not run
 * nobody knows which adjustments have lapsed: they do not count.
 */
static int
game_propose_room(
    const struct game *g, const struct order *o, struct errinfo *e)
{
	const struct game_offer *f;
	size_t i, n = 0;

	for (i = 0; i < g->n_offers; i++) {
		f = &g->offers[i];
		if (f->what == GAME_OFFER_RULING ||
		    f->what == GAME_OFFER_SEAT ||
		    (f->what == GAME_OFFER_ADJUST && game_adjust_is_blind(g)))
			continue;
		n += game_side_of(f->seat) == game_side_of(o->seat);
	}
	if (n < GAME_OFFERS_MAX)
		return (0);
	return (err_set(e, ERR_ILLEGAL, "",
	    "the side has %d offers open; one must be withdrawn first",
	    GAME_OFFERS_MAX));
}

/* Checks who offers, and when, and that args has only these members. */
static int
game_propose_begin(const struct game *g, const struct order *o,
    enum game_phase phase, const char *const known[], struct errinfo *e)
{
	uint8_t why[HASH_LEN];
	bool has;

	if (js_members(o->args, &order_at_args, known, e) != 0)
		return (ERR_ILLEGAL);
	if (js_opt_hex(
		o->args, "why", &order_at_args, why, HASH_LEN, &has, e) != 0)
		return (ERR_ILLEGAL);
	if (o->seat == 0)
		return (err_set(e, ERR_ILLEGAL, "order.seat",
		    "the director makes rulings, not offers"));
	if (g->phase == phase)
		return (0);
	if (phase == GAME_MUSTER)
		return (err_set(e, ERR_ILLEGAL, "",
		    "rosters change only before the game has started"));
	return (err_set(e, ERR_ILLEGAL, "",
	    g->phase == GAME_MUSTER ? "the game has not started yet"
				    : "the game is over"));
}

/* Reads what is offered or proposed. */
static int
game_propose_read(const struct order *o, const char *const whats[], int *what,
    struct errinfo *e)
{
	return (game_illegal(
	    js_get_enum(o->args, "what", &order_at_args, whats, what, e)));
}

/* Opens an offer that holds: its line tells nothing else. */
static int
game_propose_open(
    struct game *g, const struct game_line *l, enum game_offer_what what)
{
	int r;

	if ((r = game_propose_room(g, l->o, l->e)) != 0)
		return (r);
	return (game_offer_add(g, l->o, what, &l->fx->entry));
}

int
game_propose_load(const struct game *g, const json_t *args, struct roster **out,
    struct errinfo *e)
{
	static const struct js_at roster_at = {&order_at_args, "roster", 0};
	uint8_t hash[HASH_LEN];
	json_t *blob;
	int r;

	r = js_get_hex(args, "roster", &order_at_args, hash, HASH_LEN, e);
	if (r != 0)
		return (game_illegal(r));
	r = game_load_blob(&g->blobs, hash, "order.args.roster", &blob, e);
	if (r != 0)
		return (r);
	r = roster_parse(g->sys, blob, out, e);
	if (r == ERR_INVALID)
		js_within(&roster_at, e);
	json_decref(blob);
	return (game_illegal(r));
}

/* Takes a proposal of other rosters. */
static int
game_propose_roster(struct game *g, const struct game_line *l)
{
	static const char *const known[] = {"what", "roster", "why", NULL};
	struct roster *roster = NULL;
	struct errinfo why = {.text = ""};
	uint8_t hash[HASH_LEN];
	int r;

	if ((r = game_propose_begin(g, l->o, GAME_MUSTER, known, l->e)) != 0)
		return (r);
	if (game_is_of_tournament(g))
		return (err_set(l->e, ERR_ILLEGAL, "order.args.what",
		    "the tournament gives the rosters"));
	r = js_get_hex(
	    l->o->args, "roster", &order_at_args, hash, HASH_LEN, l->e);
	if (r != 0)
		return (game_illegal(r));
	if (!g->is_rules_off && g->roster != NULL) {
		r = game_propose_load(g, l->o->args, &roster, &why);
		roster_free(roster);
		if (r == ERR_MISSING && l->given != NULL)
			game_uncheckable(g, r, &why);
		else if (r != 0)
			return (err_set(l->e, r, why.where, "%s", why.text));
	}
	return (game_propose_open(g, l, GAME_OFFER_ROSTER));
}

int
game_propose(struct game *g, const struct game_line *l)
{
	static const char *const known[] = {"what", "units", "why", NULL};
	int r, what;

	if ((r = game_propose_read(l->o, order_proposals, &what, l->e)) != 0)
		return (r);
	if (what == 1)
		return (game_propose_roster(g, l));
	if ((r = game_propose_begin(g, l->o, GAME_PLAY, known, l->e)) != 0)
		return (r);
	r = game_adjust_check(g, json_object_get(l->o->args, "units"), l->e);
	if (r != 0)
		return (game_illegal(r));
	return (game_propose_open(g, l, GAME_OFFER_ADJUST));
}

/* Reads a number of an offer's args. */
static int
game_propose_int(const struct order *o, const char *name, int64_t lo,
    int64_t hi, int64_t *n, struct errinfo *e)
{
	return (game_illegal(
	    js_get_int(o->args, name, &order_at_args, lo, hi, n, e)));
}

/* Checks an offer to take lines back. */
static int
game_propose_takeback(
    const struct game *g, const struct order *o, struct errinfo *e)
{
	int64_t from;
	int r;

	if ((r = game_propose_int(o, "from", 0, JS_INT_MAX, &from, e)) != 0)
		return (r);
	if (!g->set.may_take_back)
		return (err_set(e, ERR_ILLEGAL, "order.args.what",
		    "this game does not allow takebacks"));
	if (!game_undo_reaches(g, from))
		return (err_set(e, ERR_ILLEGAL, "order.args.from",
		    "line %lld cannot be taken back, or not any more",
		    (long long)from));
	return (0);
}

/* Checks what an offer says besides its kind. */
static int
game_propose_check(const struct game *g, const struct order *o,
    enum game_offer_what what, struct errinfo *e)
{
	int64_t n;

	switch (what) {
	case GAME_OFFER_VICTORY:
		return (game_propose_int(o, "winner", 1, 2, &n, e));
	case GAME_OFFER_TAKEBACK:
		return (game_propose_takeback(g, o, e));
	case GAME_OFFER_PAUSE:
		if (!g->set.has_clock)
			return (err_set(e, ERR_ILLEGAL, "order.args.what",
			    "the game has no clock to pause"));
		return (game_propose_int(o, "days", 1, GAME_PAUSE_MAX, &n, e));
	case GAME_OFFER_TRUCE:
		return (game_propose_int(o, "turns", 1, GAME_TRUCE_MAX, &n, e));
	case GAME_OFFER_WITNESS_OUT:
		if (game_witness(g) == NULL)
			return (err_set(e, ERR_ILLEGAL, "order.args.what",
			    g->set.has_witness ? "the witness is out already"
					       : "the game has no witness"));
		return (0);
	default:
		return (0);
	}
}

int
game_propose_offer(struct game *g, const struct game_line *l)
{
	/* In the order of enum game_offer_what, as order_offers is. */
	static const char *const members[] = {
	    NULL, "winner", "from", "days", "turns", NULL};
	const char *known[] = {"what", "why", NULL, NULL};
	int r, what;

	if ((r = game_propose_read(l->o, order_offers, &what, l->e)) != 0)
		return (r);
	known[2] = members[what];
	if ((r = game_propose_begin(g, l->o, GAME_PLAY, known, l->e)) != 0 ||
	    (r = game_propose_check(
		 g, l->o, (enum game_offer_what)what, l->e)) != 0)
		return (r);
	return (game_propose_open(g, l, (enum game_offer_what)what));
}
