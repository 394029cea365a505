/* SPDX-License-Identifier: ISC */
/*
 * What a run of invasion-1812 came to: its result as JSON (umpire-rules.7,
 * 11.7), and plainly for the odds calculator.
 */
#include "common/rules/invasion1812/invasion1812_result.h"

#include "common/json/js.h"
#include "common/rules/invasion1812/invasion1812_ask.h"
#include "common/rules/invasion1812/invasion1812_facts.h"
#include "common/rules/rulekit.h"

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
	json_t *advanced = json_array(), *commanders = json_object();
	json_t *made, *units = json_object();
	bool was_fought = winners[st->whole] != NULL;
	size_t i, id;
	int bad = 0;

	for (i = 0; i < st->n_advanced; i++) {
		id = st->advanced[i];
		bad |= json_array_append_new(advanced,
		    json_string(id < f->n_units
			    ? f->units[id].name.id
			    : f->commanders[id - f->n_units].name.id));
	}
	for (i = 0; i < f->n_units; i++)
		bad |= json_object_set_new(units, f->units[i].name.id,
		    json_string(invasion1812_result_ends[st->ends[i]]));
	for (i = 0; i < f->n_commanders; i++) {
		if (st->tests[i] != INVASION1812_UNTESTED)
			bad |= json_object_set_new(commanders,
			    f->commanders[i].name.id,
			    json_string(st->tests[i] == INVASION1812_ESCAPED
				    ? "escaped"
				    : "eliminated"));
	}
	made = json_pack("{s:o, s:o, s:s?, s:{s:i, s:i}, s:b, s:o, s:o, s:o}",
	    "fav",
	    was_fought ? json_integer(st->values[COMBAT_ATTACKER])
		       : json_null(),
	    "fdv",
	    was_fought ? json_integer(st->values[COMBAT_DEFENDER])
		       : json_null(),
	    "winner", winners[st->whole], "hits", "attacker",
	    st->hits[COMBAT_ATTACKER], "defender", st->hits[COMBAT_DEFENDER],
	    "defender_withdrew", (int)st->has_withdrawn, "advanced", advanced,
	    "units", units, "commanders", commanders);
	return (js_made(made, bad));
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
