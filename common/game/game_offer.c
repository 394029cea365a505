/* SPDX-License-Identifier: ISC */
/*
 * The list of what one side has offered or proposed and the other has not
 * answered (record S5), and when it lapses.  A ruling waits in the same list
 * for seats 1 and 2.
 */
#include <stdlib.h>
#include <string.h>

#include "common/game/game_entry.h"
#include "common/game/game_int.h"
#include "common/json/js.h"

const char *const game_offer_names[] = {"draw", "victory", "takeback", "pause",
    "truce", "witness-out", "adjust", "roster", "ruling", "operator-key", NULL};

const struct game_offer *
game_offers(const struct game *g, size_t *n)
{
	*n = g->n_offers;
	return (g->offers);
}

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
game_offer_asked(const struct game_offer *f)
{
	if (f->what == GAME_OFFER_RULING || f->what == GAME_OFFER_SEAT)
		return (0);
	return (3 - game_side_of(f->seat));
}

bool
game_offer_asks(const struct game_offer *f, int seat)
{
	if (f->what == GAME_OFFER_RULING)
		return ((seat == 1 || seat == 2) && !f->is_accepted[seat]);
	if (f->what == GAME_OFFER_SEAT)
		return (seat >= 0 && seat < GAME_SEATS && seat != f->seat &&
		    !f->is_accepted[seat]);
	return (seat > 0 && game_side_of(seat) == game_offer_asked(f));
}

unsigned
game_offer_may(const struct game *g, const struct game_offer *f, int seat)
{
	const int side = game_side_of(seat);

	if (game_offer_asks(f, seat))
		return (GAME_MAY_ACCEPT | GAME_MAY_DECLINE);
	if (f->what == GAME_OFFER_RULING) {
		/* A seat that has accepted it may still decline it. */
		if (seat == 1 || seat == 2)
			return (GAME_MAY_DECLINE);
		return (seat == 0 ? GAME_MAY_WITHDRAW : 0);
	}
	if (f->what == GAME_OFFER_SEAT)
		return (seat >= 0 && seat < GAME_SEATS && seat != f->seat
			? GAME_MAY_DECLINE
			: 0);
	if (seat < 0 || side != game_side_of(f->seat))
		return (0);
	if (f->what == GAME_OFFER_ADJUST &&
	    game_is_own_adjust(g, f->seat, json_object_get(f->args, "units")))
		return (GAME_MAY_ACCEPT | GAME_MAY_WITHDRAW);
	return (GAME_MAY_WITHDRAW);
}

bool
game_offer_is_takeback(const struct game_offer *f)
{
	return (f->what == GAME_OFFER_TAKEBACK ||
	    (f->what == GAME_OFFER_RULING &&
		json_object_get(f->args, "void") != NULL));
}

void
game_offer_tell(
    enum game_offer_what what, const json_t *args, struct game_entry *en)
{
	const json_t *from = json_object_get(args, "from");

	en->offer = what;
	en->is_adjust = json_object_get(args, "units") != NULL;
	en->from = from == NULL ? -1 : json_integer_value(from);
}

int
game_offer_add(struct game *g, const struct order *o, enum game_offer_what what,
    struct game_entry *en)
{
	game_offer_tell(what, o->args, en);
	en->fate = GAME_FATE_OPEN;
	if (en->is_adjust &&
	    game_entry_former(
		g, json_object_get(o->args, "units"), &en->before) != 0)
		return (ERR_NOMEM);
	return (game_offer_put(g, o->seat, o->args, what));
}

int
game_offer_put(
    struct game *g, int seat, const json_t *given, enum game_offer_what what)
{
	struct game_offer *offers, *f;
	json_t *args;

	if ((args = json_deep_copy(given)) == NULL)
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
	f->seat = seat;
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

void
game_offer_void(struct game *g)
{
	size_t i = g->n_offers;

	while (i-- > 0) {
		if (g->offers[i].what != GAME_OFFER_SEAT)
			game_offer_end(g, i);
	}
}

/* True for an offer that a state line of the other side ends. */
static bool
game_offer_is_brief(const struct game_offer *f)
{
	return (f->what == GAME_OFFER_DRAW || f->what == GAME_OFFER_VICTORY ||
	    f->what == GAME_OFFER_TAKEBACK || f->what == GAME_OFFER_PAUSE ||
	    f->what == GAME_OFFER_TRUCE || f->what == GAME_OFFER_WITNESS_OUT);
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
			of = js_str(change, "id");
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
