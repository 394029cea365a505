/* SPDX-License-Identifier: ISC */
/*
 * Decisions that state what is so on the table (record S6.3): which of them
 * the other side agrees to first, how often it has objected, and when the
 * director judges instead.
 */
#include <stdio.h>
#include <string.h>

#include "common/game/game_facts.h"
#include "common/game/game_int.h"
#include "common/game/game_play.h"
#include "common/json/js.h"
#include "common/record/record.h"

#define GAME_FACTS_OBJECTIONS 2 /* of a side, before the director judges */

bool
game_fact_is(const struct game *g, const char *kind)
{
	const struct rules_policy *p;

	if (!g->set.confirms_facts || !g->has_settings)
		return (false);
	p = rules_policy_find(g->sys, kind);
	return (p != NULL && p->is_fact == RULES_FACT_YES);
}

bool
game_fact_waits(const struct game *g, const struct game_line *l)
{
	const char *kind = g->combat.ask_kind;

	if (!g->set.confirms_facts)
		return (false);
	if (g->has_settings && kind[0] != '\0')
		return (game_fact_is(g, kind));
	/* In live-1 it may wait for its dice as well: nothing is known of it.
	 */
	return (!game_sides_answer(g) && l->given != NULL &&
	    l->given->owes != NULL &&
	    js_int(l->given->owes, "seat") != GAME_WITNESS);
}

bool
game_fact_is_judged(const struct game *g, const struct game_go *go)
{
	if (!g->set.confirms_facts || !g->set.has_director || go->is_answer)
		return (false);
	if (go->kind == ORDER_DECIDE)
		return (g->combat.n_objections >= GAME_FACTS_OBJECTIONS);
	return (go->kind == ORDER_DECLARE &&
	    json_integer_value(json_object_get(g->objected, go->place)) >=
		GAME_FACTS_OBJECTIONS);
}

/* Adds one to a count; the object is made when it is needed.  ERR_NOMEM. */
static int
game_fact_count(json_t **counts, const char *name)
{
	json_int_t n;

	if (*counts == NULL && (*counts = json_object()) == NULL)
		return (ERR_NOMEM);
	n = json_integer_value(json_object_get(*counts, name));
	return (json_object_set_new(*counts, name, json_integer(n + 1)) == 0
		? 0
		: ERR_NOMEM);
}

int
game_fact_objected(struct game *g, const struct game_owed *w, int seat)
{
	const char *kind = order_kind_name(w->kind);
	json_t *counts;
	char name[12];
	int r;

	if (!g->set.confirms_facts)
		return (0);
	if (w->kind == ORDER_DECIDE && g->combat.ask_kind[0] != '\0')
		kind = g->combat.ask_kind;
	(void)snprintf(name, sizeof(name), "%d", seat);
	if (g->objections == NULL && (g->objections = json_object()) == NULL)
		return (ERR_NOMEM);
	counts = json_object_get(g->objections, name);
	if (counts == NULL) {
		counts = json_object();
		if (json_object_set_new(g->objections, name, counts) != 0)
			return (ERR_NOMEM);
	}
	if ((r = game_fact_count(&counts, kind)) != 0 || seat == 0)
		return (r);
	if (w->kind == ORDER_DECIDE)
		g->combat.n_objections++;
	else if (w->kind == ORDER_DECLARE)
		r = game_fact_count(&g->objected, w->place);
	return (r);
}

void
game_fact_pool(struct game *g)
{
	json_decref(g->objected);
	g->objected = NULL;
}

void
game_fact_clear(struct game *g)
{
	game_fact_pool(g);
	json_decref(g->objections);
	g->objections = NULL;
}

const char *
game_fact_owed(const struct game *g)
{
	if (!g->owed.is_owed || !g->owed.is_facts ||
	    g->owed.kind != ORDER_DECIDE)
		return (NULL);
	return (g->combat.ask_kind);
}

bool
game_is_judged(const struct game *g)
{
	return (g->owed.is_owed && g->owed.is_judged);
}

int64_t
game_unjudged_seq(const struct game *g)
{
	return (game_is_judged(g) ? g->owed.seq : -1);
}

int64_t
game_unjudged_ms(const struct game *g)
{
	return (game_is_judged(g) && g->owed.at_ms > 0
		? g->owed.at_ms + GAME_JUDGE_MS
		: -1);
}

json_t *
game_objections(const struct game *g)
{
	const char *kind;
	json_t *list, *n;
	char name[12];
	int bad = 0, i;

	if (!g->set.confirms_facts || (list = json_array()) == NULL)
		return (NULL);
	for (i = 0; i < GAME_SEATS; i++) {
		(void)snprintf(name, sizeof(name), "%d", i);
		json_object_foreach(
		    json_object_get(g->objections, name), kind, n)
		{
			bad |= json_array_append_new(list,
			    json_pack("{s:i, s:s, s:O}", "seat", i, "kind",
				kind, "n", n));
		}
	}
	if (bad != 0) {
		json_decref(list);
		return (NULL);
	}
	return (list);
}
