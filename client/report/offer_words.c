/* SPDX-License-Identifier: ISC */
/* Offers and rulings, before they are answered; what became of one is told
 * with its line (describe). */
#include "client/report/offer_words.h"

#include <stdbool.h>
#include <stdlib.h>

#include <jansson.h>

#include "client/base/xalloc.h"
#include "client/report/battle.h"
#include "client/report/describe.h"
#include "common/game/game.h"
#include "common/game/game_entry.h"
#include "common/game/game_offer.h"

/* A number of an offer's args. */
static long long
offer_words_arg(const struct game_offer *f, const char *name)
{
	return (json_integer_value(json_object_get(f->args, name)));
}

char *
offer_words(
    const struct game *g, const struct battle *b, const struct game_offer *f)
{
	const bool is_ruling = f->what == GAME_OFFER_RULING;
	const json_t *units = json_object_get(f->args, "units");
	json_t *before = NULL;
	char *name, *s;
	long long n;

	if (units != NULL) {
		if (game_entry_former(g, units, &before) != 0)
			xalloc_die();
		name = describe_adjust(g, "to change", units, before);
		s = xalloc_printf(
		    "%s %s", is_ruling ? "rules" : "proposes", name);
		free(name);
		json_decref(before);
		return (s);
	}
	switch (f->what) {
	case GAME_OFFER_DRAW:
		return (xalloc_str("offers a draw"));
	case GAME_OFFER_TAKEBACK:
		return (xalloc_printf(
		    "asks to take back line %lld and what came after it",
		    offer_words_arg(f, "from")));
	case GAME_OFFER_PAUSE:
		n = offer_words_arg(f, "days");
		return (xalloc_printf(
		    "offers to pause for %lld day%s", n, n == 1 ? "" : "s"));
	case GAME_OFFER_TRUCE:
		n = offer_words_arg(f, "turns");
		return (xalloc_printf(
		    "offers a truce of %lld turn%s", n, n == 1 ? "" : "s"));
	case GAME_OFFER_WITNESS_OUT:
		return (xalloc_str("offers to play on without the witness"));
	case GAME_OFFER_ROSTER:
		return (xalloc_str("proposes other rosters"));
	case GAME_OFFER_SEAT:
		name = describe_newcomer(b, f->seq, f->args);
		s = xalloc_printf("would %s", name);
		free(name);
		return (s);
	default:
		break;
	}
	if (game_offer_is_takeback(f))
		return (xalloc_printf(
		    "rules that everything from line %lld on is void",
		    offer_words_arg(f, "from")));
	if (is_ruling && json_object_get(f->args, "result") == NULL)
		return (xalloc_str("gives a ruling in words"));
	n = offer_words_arg(f, is_ruling ? "result" : "winner");
	if (n == 0)
		return (xalloc_str("rules that the game ends in a draw"));
	name = battle_side(g, (int)n);
	s = xalloc_printf(
	    "%s that %s has won", is_ruling ? "rules" : "offers", name);
	free(name);
	return (s);
}
