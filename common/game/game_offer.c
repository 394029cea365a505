/* SPDX-License-Identifier: ISC */
/*
 * What one side offers or proposes (record S5): the list of what is open,
 * when it lapses, and the orders propose and offer.  How it ends by accept
 * and note is game_accept.c's.  A ruling waits in the same list for seats 1
 * and 2.
 */
#include <stdlib.h>
#include <string.h>

#include "common/game/game_int.h"
#include "common/json/js.h"
#include "common/json/js_load.h"
#include "common/rules/roster.h"

#define GAME_OFFERS_MAX 8 /* open ones of a side */
#define GAME_TRUCE_MAX 99 /* turns */
#define GAME_PAUSE_MAX 366 /* days */

static const struct js_at game_offer_at = {NULL, "args", 0};

const char *const game_offer_names[] = {"draw", "victory", "takeback", "pause",
    "truce", "adjust", "roster", "ruling", NULL};

struct game_offer *
game_offer_find(const struct game *g, int64_t seq)
{
	size_t i;

	for (i = 0; i < g->n_offers; i++) {
		if (g->offers[i].seq == seq)
			return (&g->offers[i]);
	}
	return (NULL);
}

int
game_offer_add(struct game *g, const struct order *o, enum game_offer_what what)
{
	struct game_offer *offers, *f;
	json_t *args;

	if ((args = json_deep_copy(o->args)) == NULL)
		return (ERR_NOMEM);
	offers = realloc(g->offers, (g->n_offers + 1) * sizeof(*offers));
	if (offers == NULL) {
		json_decref(args);
		return (ERR_NOMEM);
	}
	g->offers = offers;
	f = &offers[g->n_offers++];
	memset(f, 0, sizeof(*f));
	f->seq = g->seq + 1;
	f->seat = o->seat;
	f->what = what;
	f->args = args;
	return (0);
}

/* Takes number i out of the list. */
static void
game_offer_end(struct game *g, size_t i)
{
	json_decref(g->offers[i].args);
	g->n_offers--;
	memmove(g->offers + i, g->offers + i + 1,
	    (g->n_offers - i) * sizeof(*g->offers));
}

void
game_offer_remove(struct game *g, int64_t seq)
{
	const struct game_offer *f = game_offer_find(g, seq);

	if (f != NULL)
		game_offer_end(g, (size_t)(f - g->offers));
}

void
game_offer_clear(struct game *g)
{
	while (g->n_offers > 0)
		game_offer_end(g, g->n_offers - 1);
	free(g->offers);
	g->offers = NULL;
}

/* True for an offer that a state line of the other side ends. */
static bool
game_offer_is_brief(const struct game_offer *f)
{
	return (f->what == GAME_OFFER_DRAW || f->what == GAME_OFFER_VICTORY ||
	    f->what == GAME_OFFER_TAKEBACK || f->what == GAME_OFFER_PAUSE ||
	    f->what == GAME_OFFER_TRUCE);
}

void
game_offer_lapse(struct game *g, int side)
{
	const struct game_offer *f;
	size_t i = g->n_offers;

	while (i-- > 0) {
		f = &g->offers[i];
		if (game_side_of(f->seat) == 3 - side && game_offer_is_brief(f))
			game_offer_end(g, i);
	}
}

void
game_offer_unit(struct game *g, const char *id)
{
	const json_t *change;
	const char *of;
	size_t i = g->n_offers, k;

	while (i-- > 0) {
		if (g->offers[i].what != GAME_OFFER_ADJUST)
			continue;
		json_array_foreach(
		    json_object_get(g->offers[i].args, "units"), k, change)
		{
			of = json_string_value(json_object_get(change, "id"));
			if (strcmp(of, id) != 0)
				continue;
			game_offer_end(g, i);
			break;
		}
	}
}

void
game_offer_leave(struct game *g, int seat)
{
	size_t i = g->n_offers;

	while (i-- > 0) {
		if (g->offers[i].seat == seat)
			game_offer_end(g, i);
	}
}

/*
 * Refuses one more than a side may have open.  Where the rules are not run
 * nobody knows which adjustments have lapsed: they do not count.
 */
static int
game_offer_room(const struct game *g, const struct order *o, struct errinfo *e)
{
	const struct game_offer *f;
	size_t i, n = 0;

	for (i = 0; i < g->n_offers; i++) {
		f = &g->offers[i];
		if (f->what == GAME_OFFER_RULING ||
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

/* Checks who offers, and when, and that args has these members alone. */
static int
game_offer_begin(const struct game *g, const struct order *o,
    enum game_phase phase, const char *const known[], struct errinfo *e)
{
	uint8_t why[HASH_LEN];
	bool has;

	if (js_members(o->args, &game_offer_at, known, e) != 0)
		return (ERR_ILLEGAL);
	if (js_opt_hex(
		o->args, "why", &game_offer_at, why, HASH_LEN, &has, e) != 0)
		return (ERR_ILLEGAL);
	if (o->seat == 0)
		return (err_set(e, ERR_ILLEGAL, "order.seat",
		    "the director offers nothing; he rules"));
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
game_offer_read(const struct order *o, const char *const whats[], int *what,
    struct errinfo *e)
{
	return (game_illegal(
	    js_get_enum(o->args, "what", &game_offer_at, whats, what, e)));
}

/* Opens an offer that holds: its line tells nothing else. */
static int
game_offer_open(struct game *g, const struct order *o,
    enum game_offer_what what, struct game_effects *fx, struct errinfo *e)
{
	int r;

	if ((r = game_offer_room(g, o, e)) != 0)
		return (r);
	if ((fx->events = json_array()) == NULL)
		return (ERR_NOMEM);
	return (game_offer_add(g, o, what));
}

int
game_offer_load(const struct game *g, const json_t *args, struct roster **out,
    struct errinfo *e)
{
	uint8_t hash[HASH_LEN];
	json_t *blob;
	int r;

	r = js_get_hex(args, "roster", &game_offer_at, hash, HASH_LEN, e);
	if (r != 0)
		return (game_illegal(r));
	r = game_load_blob(&g->blobs, hash, "args.roster", &blob, e);
	if (r != 0)
		return (r);
	r = roster_parse(g->sys, blob, out, e);
	json_decref(blob);
	return (game_illegal(r));
}

/* Takes a proposal of other rosters. */
static int
game_propose_roster(struct game *g, const struct order *o,
    const struct record_line *given, struct game_effects *fx, struct errinfo *e)
{
	static const char *const known[] = {"what", "roster", "why", NULL};
	struct roster *roster = NULL;
	struct errinfo why = {.text = ""};
	uint8_t hash[HASH_LEN];
	int r;

	if ((r = game_offer_begin(g, o, GAME_MUSTER, known, e)) != 0)
		return (r);
	r = js_get_hex(o->args, "roster", &game_offer_at, hash, HASH_LEN, e);
	if (r != 0)
		return (game_illegal(r));
	if (!g->is_rules_off && g->roster != NULL) {
		r = game_offer_load(g, o->args, &roster, &why);
		roster_free(roster);
		if (r == ERR_MISSING && given != NULL)
			game_uncheckable(g, r, &why);
		else if (r != 0)
			return (err_set(e, r, why.where, "%s", why.text));
	}
	return (game_offer_open(g, o, GAME_OFFER_ROSTER, fx, e));
}

int
game_propose(struct game *g, const struct order *o,
    const struct record_line *given, struct game_effects *fx, struct errinfo *e)
{
	static const char *const known[] = {"what", "units", "why", NULL};
	int r, what;

	if ((r = game_offer_read(o, order_proposals, &what, e)) != 0)
		return (r);
	if (what == 1)
		return (game_propose_roster(g, o, given, fx, e));
	if ((r = game_offer_begin(g, o, GAME_PLAY, known, e)) != 0)
		return (r);
	r = game_adjust_check(g, json_object_get(o->args, "units"), e);
	if (r != 0)
		return (game_illegal(r));
	return (game_offer_open(g, o, GAME_OFFER_ADJUST, fx, e));
}

/* Reads a number of an offer's args. */
static int
game_offer_int(const struct order *o, const char *name, int64_t lo, int64_t hi,
    int64_t *n, struct errinfo *e)
{
	return (game_illegal(
	    js_get_int(o->args, name, &game_offer_at, lo, hi, n, e)));
}

/* Checks an offer to take lines back. */
static int
game_offer_takeback(
    const struct game *g, const struct order *o, struct errinfo *e)
{
	int64_t from;
	int r;

	if ((r = game_offer_int(o, "from", 0, JS_INT_MAX, &from, e)) != 0)
		return (r);
	if (!g->set.may_take_back)
		return (err_set(e, ERR_ILLEGAL, "args.what",
		    "nothing is taken back in this game"));
	if (!game_undo_reaches(g, from))
		return (err_set(e, ERR_ILLEGAL, "args.from",
		    "line %lld cannot be taken back, or not any more",
		    (long long)from));
	return (0);
}

/* Checks what an offer says beside its kind. */
static int
game_offer_check(const struct game *g, const struct order *o,
    enum game_offer_what what, struct errinfo *e)
{
	int64_t n;

	switch (what) {
	case GAME_OFFER_VICTORY:
		return (game_offer_int(o, "winner", 1, 2, &n, e));
	case GAME_OFFER_TAKEBACK:
		return (game_offer_takeback(g, o, e));
	case GAME_OFFER_PAUSE:
		if (!g->set.has_clock)
			return (err_set(e, ERR_ILLEGAL, "args.what",
			    "the game has no clock that could pause"));
		return (game_offer_int(o, "days", 1, GAME_PAUSE_MAX, &n, e));
	case GAME_OFFER_TRUCE:
		return (game_offer_int(o, "turns", 1, GAME_TRUCE_MAX, &n, e));
	default:
		return (0);
	}
}

int
game_make_offer(struct game *g, const struct order *o, struct game_effects *fx,
    struct errinfo *e)
{
	/* In the order of enum game_offer_what, as order_offers is. */
	static const char *const members[] = {
	    NULL, "winner", "from", "days", "turns"};
	const char *known[] = {"what", "why", NULL, NULL};
	int r, what;

	if ((r = game_offer_read(o, order_offers, &what, e)) != 0)
		return (r);
	known[2] = members[what];
	if ((r = game_offer_begin(g, o, GAME_PLAY, known, e)) != 0 ||
	    (r = game_offer_check(g, o, (enum game_offer_what)what, e)) != 0)
		return (r);
	return (game_offer_open(g, o, (enum game_offer_what)what, fx, e));
}
