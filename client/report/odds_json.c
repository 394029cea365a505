/* SPDX-License-Identifier: ISC */
#include "client/report/odds_json.h"

#include "client/base/xalloc.h"
#include "client/report/odds_view.h"
#include "common/rules/question.h"
#include "common/rules/rules.h"
#include "common/rules/show/rules_show.h"
#include "common/rules/show/show_list.h"

/* A probability for programs. */
static json_t *
odds_json_share(const struct odds_share *s)
{
	return (json_pack(
	    "{s:f, s:f, s:f}", "p", s->p, "low", s->low, "high", s->high));
}

/* A mean for programs. */
static json_t *
odds_json_mean(const struct odds_mean *m)
{
	return (json_pack("{s:f, s:f, s:f, s:f}", "mean", m->mean, "low",
	    m->low, "high", m->high, "variance", m->variance));
}

/* How a side answers questions of a kind: a policy's word, or as it did. */
static const char *
odds_json_word(const struct odds_view *v, enum combat_side side, size_t i)
{
	return (v->policy->said[side][i] != NULL
		? "as given"
		: odds_policy_word(v->sys, i, v->policy->word[side][i]));
}

/* How a side's questions are answered, by kind. */
static json_t *
odds_json_policy(const struct odds_view *v, enum combat_side side)
{
	const struct rules_policy *p = v->sys->policies;
	json_t *o = xalloc_json(json_object());
	size_t i;

	for (i = 0; p[i].kind != NULL; i++)
		xalloc_set(o, p[i].kind,
		    json_pack("{s:s, s:b, s:o}", "word",
			odds_json_word(v, side, i), "default",
			!v->policy->is_given[side][i], "asked",
			odds_json_share(&v->odds->asked[side][i])));
	return (o);
}

/* One unit for programs. */
static json_t *
odds_json_unit(const struct odds_view *v, const struct odds_unit *u)
{
	const char *name = odds_view_name(v, u->id);
	json_t *ends, *losses, *o;
	size_t i;

	ends = xalloc_json(json_object());
	losses = xalloc_json(json_array());
	for (i = 0; v->sys->ends[i] != NULL; i++)
		xalloc_set(ends, v->sys->ends[i], odds_json_share(&u->ends[i]));
	for (i = 0; i < ODDS_LOSS_MAX + 2; i++)
		xalloc_append(losses, odds_json_share(&u->losses[i]));
	o = xalloc_json(json_pack("{s:s}", "id", u->id));
	if (name != NULL)
		xalloc_set(o, "name", json_string(name));
	xalloc_set(o, "side", json_string(question_side(u->side)));
	xalloc_set(o, "ends", ends);
	xalloc_set(o, "loss", odds_json_mean(&u->loss));
	xalloc_set(o, "losses", losses);
	return (o);
}

/* What a side loses and suffers, for programs. */
static json_t *
odds_json_side(const struct odds *odds, enum combat_side side)
{
	return (json_pack("{s:o, s:o}", "loss",
	    odds_json_mean(&odds->sides[side].loss), "hits",
	    odds_json_mean(&odds->sides[side].hits)));
}

/* The combat as a whole for programs. */
static json_t *
odds_json_whole(const struct odds_view *v)
{
	const struct odds *odds = v->odds;
	size_t i, order[ODDS_WHOLE_MAX];
	json_t *list, *o;

	odds_view_order(v, order);
	list = xalloc_json(json_array());
	for (i = 0; i < odds->n_whole; i++) {
		o = odds_json_share(&odds->whole[order[i]].share);
		xalloc_set(
		    o, "outcome", xalloc_json_str(odds->whole[order[i]].word));
		xalloc_append(list, o);
	}
	return (list);
}

json_t *
odds_json(const struct odds_view *v)
{
	const struct odds *odds = v->odds;
	json_t *o, *units;
	size_t i;

	o = xalloc_json(json_pack("{s:s, s:s, s:I}", "system", v->sys->id,
	    "method", odds->is_exact ? "exact" : "sampled",
	    odds->is_exact ? "outcomes" : "samples", (json_int_t)odds->runs));
	if (!odds->is_exact)
		xalloc_set(o, "seed", json_integer((json_int_t)odds->seed));
	xalloc_set(o, "policy",
	    json_pack("{s:o, s:o}", "attacker",
		odds_json_policy(v, COMBAT_ATTACKER), "defender",
		odds_json_policy(v, COMBAT_DEFENDER)));
	units = xalloc_json(json_array());
	for (i = 0; i < odds->n_units; i++)
		xalloc_append(units, odds_json_unit(v, &odds->units[i]));
	xalloc_set(o, "units", units);
	xalloc_set(o, "lost", json_string(show_list_find(v->sys)->loss));
	xalloc_set(o, "sides",
	    json_pack("{s:o, s:o}", "attacker",
		odds_json_side(odds, COMBAT_ATTACKER), "defender",
		odds_json_side(odds, COMBAT_DEFENDER)));
	xalloc_set(o, "combat", odds_json_whole(v));
	xalloc_set(o, "other", odds_json_share(&odds->other));
	return (o);
}
