/* SPDX-License-Identifier: ISC */
/*
 * What a run of invasion-1812 came to: its result as JSON (umpire-rules.7,
 * 11.7), and plainly for the odds calculator.
 */
#include "common/rules/invasion1812/invasion1812_result.h"

#include "common/rules/invasion1812/invasion1812_ask.h"
#include "common/rules/invasion1812/invasion1812_facts.h"
#include "common/rules/run.h"

const char *const invasion1812_result_ends[] = {
    [INVASION1812_GOOD] = "good",
    [INVASION1812_DISRUPTED] = "disrupted",
    [INVASION1812_ELIMINATED] = "eliminated",
    NULL,
};

static const char *const invasion1812_result_wholes[] = {
    [INVASION1812_ATTACKER_WINS] = "attacker wins",
    [INVASION1812_DEFENDER_WINS] = "defender wins",
    [INVASION1812_TIE] = "tie",
    [INVASION1812_SLIPPED_AWAY] = "slipped away",
    [INVASION1812_COMMANDERS_ALONE] = "commanders alone",
};

/* Returns who advanced as a new array, or NULL. */
static json_t *
invasion1812_result_advanced(
    const struct invasion1812_facts *f, const struct invasion1812_state *st)
{
	json_t *list;
	size_t i, id;
	int bad = 0;

	if ((list = json_array()) == NULL)
		return (NULL);
	for (i = 0; i < st->n_advanced; i++) {
		id = st->advanced[i];
		bad |= json_array_append_new(list,
		    json_string(id < f->n_units
			    ? f->units[id].name.id
			    : f->commanders[id - f->n_units].name.id));
	}
	if (bad != 0) {
		json_decref(list);
		return (NULL);
	}
	return (list);
}

/* Returns what became of the units as a new object, or NULL. */
static json_t *
invasion1812_result_units(
    const struct invasion1812_facts *f, const struct invasion1812_state *st)
{
	json_t *o;
	size_t u;
	int bad = 0;

	if ((o = json_object()) == NULL)
		return (NULL);
	for (u = 0; u < f->n_units; u++)
		bad |= json_object_set_new(o, f->units[u].name.id,
		    json_string(invasion1812_result_ends[st->ends[u]]));
	if (bad != 0) {
		json_decref(o);
		return (NULL);
	}
	return (o);
}

/* Returns the commanders that were tested as a new object, or NULL. */
static json_t *
invasion1812_result_commanders(
    const struct invasion1812_facts *f, const struct invasion1812_state *st)
{
	json_t *o;
	size_t k;
	int bad = 0;

	if ((o = json_object()) == NULL)
		return (NULL);
	for (k = 0; k < f->n_commanders; k++) {
		if (st->tests[k] != INVASION1812_UNTESTED)
			bad |= json_object_set_new(o, f->commanders[k].name.id,
			    json_string(st->tests[k] == INVASION1812_ESCAPED
				    ? "escaped"
				    : "eliminated"));
	}
	if (bad != 0) {
		json_decref(o);
		return (NULL);
	}
	return (o);
}

json_t *
invasion1812_result_json(const struct combat *c)
{
	static const char *const winners[] = {
	    [INVASION1812_ATTACKER_WINS] = "attacker",
	    [INVASION1812_DEFENDER_WINS] = "defender",
	    [INVASION1812_TIE] = "tie",
	    [INVASION1812_SLIPPED_AWAY] = NULL,
	    [INVASION1812_COMMANDERS_ALONE] = NULL,
	};
	const struct invasion1812_facts *f = combat_facts(c);
	const struct invasion1812_state *st = combat_state(c);
	bool was_fought = winners[st->whole] != NULL;

	return (json_pack("{s:o, s:o, s:s?, s:{s:i, s:i}, s:b, s:o, s:o, s:o}",
	    "fav",
	    was_fought ? json_integer(st->values[COMBAT_ATTACKER])
		       : json_null(),
	    "fdv",
	    was_fought ? json_integer(st->values[COMBAT_DEFENDER])
		       : json_null(),
	    "winner", winners[st->whole], "hits", "attacker",
	    st->hits[COMBAT_ATTACKER], "defender", st->hits[COMBAT_DEFENDER],
	    "defender_withdrew", (int)st->has_withdrawn, "advanced",
	    invasion1812_result_advanced(f, st), "units",
	    invasion1812_result_units(f, st), "commanders",
	    invasion1812_result_commanders(f, st)));
}

void
invasion1812_result_outcome(const struct combat *c, struct rules_outcome *out)
{
	const struct invasion1812_facts *f = combat_facts(c);
	const struct invasion1812_state *st = combat_state(c);
	size_t u;

	out->whole = invasion1812_result_wholes[st->whole];
	out->hits[COMBAT_ATTACKER] = st->hits[COMBAT_ATTACKER];
	out->hits[COMBAT_DEFENDER] = st->hits[COMBAT_DEFENDER];
	out->n_units = f->n_units;
	for (u = 0; u < f->n_units; u++) {
		out->units[u].id = f->units[u].name.id;
		out->units[u].side = u < f->sides[COMBAT_DEFENDER].units
		    ? COMBAT_ATTACKER
		    : COMBAT_DEFENDER;
		out->units[u].end = (int)st->ends[u];
		out->units[u].loss =
		    st->ends[u] == INVASION1812_ELIMINATED ? f->units[u].cf : 0;
	}
}
