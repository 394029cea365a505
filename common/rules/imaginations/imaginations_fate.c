/* SPDX-License-Identifier: ISC */
/*
 * What a run of an imagi-nations combat came to, read from the state that it
 * left behind.  Nothing here changes it.
 */
#include "common/rules/imaginations/imaginations_fate.h"

#include <string.h>

#include "common/json/js.h"
#include "common/rules/rulekit.h"

int
imaginations_fate_left(const struct imaginations_facts *f,
    const struct imaginations_state *st, size_t b)
{
	return (imaginations_facts_left(&f->battalions[b]) - st->taken[b]);
}

int
imaginations_fate_unit_left(const struct imaginations_facts *f,
    const struct imaginations_state *st, size_t u)
{
	size_t b;
	int n = 0;

	for (b = f->units[u].first; b < f->units[u].end; b++)
		n += imaginations_fate_left(f, st, b);
	return (n);
}

/* Returns what became of unit u as a new object, or NULL (13.9). */
static json_t *
imaginations_fate_unit_json(const struct imaginations_facts *f,
    const struct imaginations_state *st, size_t u)
{
	const struct imaginations_fate *fate = &st->fates[u];
	json_t *hits;
	size_t b;
	int bad = 0;

	hits = json_object();
	for (b = f->units[u].first; b < f->units[u].end; b++)
		bad |= json_object_set_new(hits, f->battalions[b].id,
		    json_integer(f->battalions[b].hits + st->taken[b]));
	return (json_pack("{s:o, s:i, s:b, s:i, s:i}", "hits",
	    js_made(hits, bad), "fatigue", fate->fatigue, "disordered",
	    (int)fate->is_disordered, "morale", fate->morale, "retreated",
	    fate->retreated));
}

/* Returns the members of the result but for the units, or NULL. */
static json_t *
imaginations_fate_rest_json(
    const struct imaginations_facts *f, const struct imaginations_state *st)
{
	json_t *advanced, *chits, *o;
	size_t i;
	int bad = 0;

	if (st->has_evaded)
		return (json_pack("{s:b}", "evaded", 1));
	o = json_pack("{s:{s:i, s:i}, s:s, s:{s:i, s:i}}", "cdr", "attacker",
	    st->cdr[COMBAT_ATTACKER], "defender", st->cdr[COMBAT_DEFENDER],
	    "ratio", st->ratio, "hits", "attacker", st->hits[COMBAT_ATTACKER],
	    "defender", st->hits[COMBAT_DEFENDER]);
	chits = json_array();
	for (i = 0; i < st->n_drawn; i++)
		bad |= json_array_append_new(
		    chits, json_string(f->chits[st->drawn[i].chit]));
	bad |= json_object_set_new(o, "chits", chits);
	advanced = json_array();
	for (i = 0; i < st->n_advanced; i++)
		bad |= json_array_append_new(
		    advanced, json_string(f->units[st->advanced[i]].name.id));
	bad |= json_object_set_new(o, "advanced", advanced);
	return (js_made(o, bad));
}

json_t *
imaginations_fate_result(const struct combat *c)
{
	const struct imaginations_facts *f = combat_facts(c);
	const struct imaginations_state *st = combat_state(c);
	json_t *o, *rest, *units;
	size_t u;
	int bad = 0;

	o = json_object();
	units = json_object();
	for (u = 0; u < f->n_units; u++)
		bad |= json_object_set_new(units, f->units[u].name.id,
		    imaginations_fate_unit_json(f, st, u));
	bad |= json_object_set_new(o, "units", units);
	rest = imaginations_fate_rest_json(f, st);
	bad |= json_object_update(o, rest);
	json_decref(rest);
	return (js_made(o, bad));
}

enum imaginations_end {
	IMAGINATIONS_UNHURT,
	IMAGINATIONS_HIT,
	IMAGINATIONS_RETREATED,
	IMAGINATIONS_DESTROYED,
};

/* 13.12. */
const char *const imaginations_fate_ends[] = {
    [IMAGINATIONS_UNHURT] = "unhurt",
    [IMAGINATIONS_HIT] = "hit",
    [IMAGINATIONS_RETREATED] = "retreated",
    [IMAGINATIONS_DESTROYED] = "destroyed",
    NULL,
};

void
imaginations_fate_outcome(const struct combat *c, struct rules_outcome *out)
{
	const struct imaginations_facts *f = combat_facts(c);
	const struct imaginations_state *st = combat_state(c);
	enum imaginations_end end;
	size_t b, u;
	int taken;

	if (st->has_evaded)
		out->whole = "evaded";
	else if (st->hits[COMBAT_ATTACKER] == st->hits[COMBAT_DEFENDER])
		out->whole = "equal";
	else if (st->hits[COMBAT_ATTACKER] > st->hits[COMBAT_DEFENDER])
		out->whole = "attacker suffers more";
	else
		out->whole = "defender suffers more";
	out->hits[COMBAT_ATTACKER] = st->hits[COMBAT_ATTACKER];
	out->hits[COMBAT_DEFENDER] = st->hits[COMBAT_DEFENDER];
	out->n_units = f->n_units;
	for (u = 0; u < f->n_units; u++) {
		taken = 0;
		for (b = f->units[u].first; b < f->units[u].end; b++)
			taken += st->taken[b];
		end = taken > 0 ? IMAGINATIONS_HIT : IMAGINATIONS_UNHURT;
		if (st->fates[u].retreated > 0)
			end = IMAGINATIONS_RETREATED;
		if (imaginations_fate_unit_left(f, st, u) == 0)
			end = IMAGINATIONS_DESTROYED;
		out->units[u].id = f->units[u].name.id;
		out->units[u].side = f->units[u].side;
		out->units[u].end = (int)end;
		out->units[u].loss = taken;
	}
}
