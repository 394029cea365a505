/* SPDX-License-Identifier: ISC */
/*
 * Places: what dice are for (record S6.1).  Their turn counts the turn.end
 * lines of the record, taken back or not; the game's own turn goes back with
 * a takeback.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/game/game_dice.h"
#include "common/game/game_facts.h"
#include "common/game/game_int.h"
#include "common/game/game_make.h"
#include "common/json/js.h"

void
game_place_pool(const struct game *g, char place[ORDER_PLACE_MAX + 1])
{
	(void)snprintf(place, ORDER_PLACE_MAX + 1, "p/%d", g->epoch);
}

/* The pool of the line becomes the game's. */
void
game_place_moved(struct game *g, struct game_effects *fx)
{
	fx->has_pool = true;
	memcpy(g->pool, fx->pool, HASH_LEN);
	g->epoch++;
	game_fact_pool(g);
}

int
game_place_move(
    struct game *g, const uint8_t *betas, size_t n, struct game_effects *fx)
{
	int r;

	if ((r = game_dice_move(g->pool, betas, n, fx->pool)) != 0)
		return (r);
	game_place_pool(g, fx->place);
	memcpy(fx->place_pool, g->pool, HASH_LEN);
	game_place_moved(g, fx);
	return (0);
}

int
game_place_restore(struct game *g, struct game_effects *fx)
{
	int r;

	if ((r = game_dice_restore(g->pool, g->seq + 1, fx->pool)) == 0)
		game_place_moved(g, fx);
	return (r);
}

/* Finds a counter; g->n_counts if there is none. */
static size_t
game_place_find(const struct game *g, const char *id, bool is_upkeep)
{
	size_t i;

	for (i = 0; i < g->n_counts; i++) {
		if (g->counts[i].is_upkeep == is_upkeep &&
		    strcmp(g->counts[i].id, id) == 0)
			break;
	}
	return (i);
}

int
game_place_k(const struct game *g, const char *id, bool is_upkeep)
{
	size_t i = game_place_find(g, id, is_upkeep);

	return (i < g->n_counts ? g->counts[i].n + 1 : 1);
}

int
game_place_count(struct game *g, const char *id, bool is_upkeep)
{
	size_t i = game_place_find(g, id, is_upkeep);
	struct game_count *counts;

	if (i < g->n_counts) {
		g->counts[i].n++;
		return (0);
	}
	counts = realloc(g->counts, (g->n_counts + 1) * sizeof(*counts));
	if (counts == NULL)
		return (ERR_NOMEM);
	g->counts = counts;
	counts += g->n_counts++;
	(void)snprintf(counts->id, sizeof(counts->id), "%s", id);
	counts->is_upkeep = is_upkeep;
	counts->n = 1;
	return (0);
}

const char *
game_place_id(const struct game *g, const json_t *args)
{
	const json_t *facts = json_object_get(args, "combat");
	const char *id;

	if (g->sys == NULL || !json_is_object(facts))
		return (NULL);
	id = g->sys->game->place_id(facts);
	return (id != NULL && js_is_id(id) ? id : NULL);
}

int
game_place_given_id(const struct order *o, char id[33], struct errinfo *e)
{
	const char *p, *end;

	p = strchr(o->place, '/');
	p = p == NULL ? NULL : strchr(p + 1, '/');
	end = p == NULL ? NULL : strchr(p + 1, '/');
	id[0] = '\0';
	if (end != NULL && end - p - 1 <= 32)
		(void)snprintf(id, 33, "%.*s", (int)(end - p - 1), p + 1);
	if (!js_is_id(id))
		return (err_set(e, ERR_ILLEGAL, "order.place",
		    "not the place of a combat"));
	return (0);
}

void
game_place_first(
    const struct game *g, const char *id, char place[ORDER_PLACE_MAX + 1])
{
	(void)snprintf(place, ORDER_PLACE_MAX + 1, "c/%d/%s/%d/1",
	    1 + g->turns_ended, id, game_place_k(g, id, false));
}

int
game_place(const struct game *g, int seat, enum order_kind kind,
    const json_t *args, char place[ORDER_PLACE_MAX + 1], struct errinfo *e)
{
	const struct game_combat *c = &g->combat;
	const char *id;

	switch (kind) {
	case ORDER_READY:
	case ORDER_TURN_END:
	case ORDER_ACCEPT:
		game_place_pool(g, place);
		return (0);
	case ORDER_DECLARE:
		if ((id = game_place_id(g, args)) == NULL)
			return (err_set(e, ERR_INVALID, "order.args.combat",
			    "the facts name no defending unit"));
		game_place_first(g, id, place);
		return (0);
	case ORDER_UPKEEP:
		id = js_str(args, "unit");
		if (id == NULL || !js_is_id(id))
			return (err_set(e, ERR_INVALID, "order.args.unit",
			    "must be the id of a unit"));
		(void)snprintf(place, ORDER_PLACE_MAX + 1, "u/%d/%s/%d",
		    1 + g->turns_ended, id, game_place_k(g, id, true));
		return (0);
	case ORDER_FREE:
		(void)snprintf(place, ORDER_PLACE_MAX + 1, "f/%d/%d", seat,
		    g->frees[game_slot(seat)] + 1);
		return (0);
	case ORDER_ANSWER:
		if (!g->owed.is_owed)
			break;
		memcpy(place, g->owed.place, sizeof(g->owed.place));
		return (0);
	case ORDER_DECIDE:
	case ORDER_COMMIT:
	case ORDER_OPEN:
	case ORDER_CLAIM:
		if (!c->is_open)
			break;
		(void)snprintf(place, ORDER_PLACE_MAX + 1, "c/%d/%s/%d/%d",
		    1 + g->turns_ended, c->id, c->k, c->step);
		return (0);
	default:
		break;
	}
	return (err_set(e, ERR_STALE, "",
	    "the record calls for no order of the kind \"%s\" now",
	    order_kind_name(kind)));
}
