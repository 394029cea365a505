/* SPDX-License-Identifier: ISC */
/*
 * The question "exchange-loss": units of the stronger side, stacked artillery
 * too, that are worth enough; overrunning cavalry before all others.  More than
 * enough is lawful.  The state of the run says whose question it is and what is
 * enough.
 */
#include "common/rules/tlnb/tlnb_exchange.h"

#include "common/json/js.h"
#include "common/rules/rulekit.h"
#include "common/rules/tlnb/tlnb_step.h"

#define TLNB_EXCHANGE_UNITS "units"

/* Returns unit i of those of the stronger side that may be lost. */
static const struct tlnb_unit *
tlnb_exchange_unit(const struct combat *c, size_t i)
{
	const struct tlnb_facts *f = combat_facts(c);
	const struct tlnb_state *st = combat_state(c);

	return (&f->units[st->payers[i]]);
}

/* Cavalry that overran is lost before all others. */
bool
tlnb_exchange_is_first(const struct combat *c, size_t i)
{
	const struct tlnb_unit *u = tlnb_exchange_unit(c, i);

	return (u->arm == TLNB_CAVALRY && u->flags[TLNB_IS_OVERRUNNING]);
}

int
tlnb_exchange_worth(const struct combat *c, size_t i)
{
	const struct tlnb_unit *u = tlnb_exchange_unit(c, i);

	return (tlnb_facts_strength(u, u->is_reduced));
}

/* question_rule's count. */
static size_t
tlnb_exchange_count(const struct combat *c)
{
	const struct tlnb_state *st = combat_state(c);

	return (st->n_payers);
}

/* question_rule's id. */
static const char *
tlnb_exchange_id(const struct combat *c, size_t i)
{
	return (tlnb_exchange_unit(c, i)->name.id);
}

/* question_rule's goal: strength. */
static int
tlnb_exchange_goal(const struct combat *c)
{
	const struct tlnb_state *st = combat_state(c);

	return (st->least);
}

/* question_rule's may (14.4). */
static bool
tlnb_exchange_may(const struct combat *c, const struct question_picks *p,
    size_t i, struct question_why *why)
{
	size_t u;

	if (p->of[i] > 0)
		return (question_refuse(why, NULL, NULL, "is named twice"));
	if (tlnb_exchange_is_first(c, i))
		return (true);
	for (u = tlnb_exchange_count(c); u-- > 0;) {
		if (tlnb_exchange_is_first(c, u) && p->of[u] == 0)
			return (question_refuse(why, TLNB_EXCHANGE_UNITS, NULL,
			    "must name \"%s\", which overran, before others",
			    tlnb_exchange_id(c, u)));
	}
	return (true);
}

/* question_rule's ends (14.4). */
static bool
tlnb_exchange_ends(const struct combat *c, const struct question_picks *p,
    struct question_why *why)
{
	int least = tlnb_exchange_goal(c), worth = 0;
	size_t i, n = tlnb_exchange_count(c);

	for (i = 0; i < n; i++)
		worth += p->of[i] * tlnb_exchange_worth(c, i);
	return (worth >= least ||
	    question_refuse(why, TLNB_EXCHANGE_UNITS, NULL,
		"are worth %d, and must be worth at least %d", worth, least));
}

/* question_rule's options. */
static int
tlnb_exchange_options(const struct combat *c, json_t *options)
{
	size_t i, n = tlnb_exchange_count(c);
	json_t *first, *units;
	int bad = 0;

	units = json_object();
	first = json_array();
	for (i = 0; i < n; i++) {
		bad |= json_object_set_new(units, tlnb_exchange_id(c, i),
		    json_integer(tlnb_exchange_worth(c, i)));
		if (tlnb_exchange_is_first(c, i))
			bad |= json_array_append_new(
			    first, json_string(tlnb_exchange_id(c, i)));
	}
	bad |= json_object_set_new(options, TLNB_EXCHANGE_UNITS,
	    json_pack("{s:s, s:o, s:i, s:o}", "rule", "exchange-loss", "units",
		units, "least", tlnb_exchange_goal(c), "first", first));
	return (bad != 0 ? ERR_NOMEM : 0);
}

/* question_rule's choose: the weakest (word 0) or the strongest first. */
static size_t
tlnb_exchange_choose(const struct combat *c, int word,
    const struct question_picks *p, const int16_t *ids, size_t n)
{
	size_t best = 0, i;
	int with, worth;

	if (tlnb_exchange_ends(c, p, NULL))
		return (n);
	with = tlnb_exchange_worth(c, (size_t)ids[0]);
	for (i = 1; i < n; i++) {
		/* No other unit may be named before those that overran. */
		worth = tlnb_exchange_worth(c, (size_t)ids[i]);
		if (word == 0 ? worth < with : worth > with) {
			best = i;
			with = worth;
		}
	}
	return (best);
}

const struct question_rule tlnb_exchange_rule = {
    .name = "exchange-loss",
    .list = TLNB_EXCHANGE_UNITS,
    .is_set = true,
    .options = tlnb_exchange_options,
    .count = tlnb_exchange_count,
    .id = tlnb_exchange_id,
    .goal = tlnb_exchange_goal,
    .may = tlnb_exchange_may,
    .ends = tlnb_exchange_ends,
    .choose = tlnb_exchange_choose,
};
