/* SPDX-License-Identifier: ISC */
/*
 * How the odds calculator answers the questions of imagi-nations
 * (umpire-rules.7, 13.12).
 */
#include "common/rules/imaginations/imaginations_policy.h"

#include <string.h>

#include "common/base/err.h"
#include "common/rules/imaginations/imaginations_allocate.h"

static const char *const imaginations_policy_tactics[] = {"usual", "feint",
    "cavalry-charge", "prepared-attack", "hasty-attack", "pinning-attack",
    "hold", "defend", "evade", "counter-attack", NULL};
static const char *const imaginations_policy_chits[] = {"least", "most", NULL};
static const char *const imaginations_policy_advance[] = {"all", "none", NULL};

/* 13.12. */
const struct rules_policy imaginations_policy_table[] = {
    {"tactic", imaginations_policy_tactics,
	"a card; a side that may not play it, and either side for \"usual\", "
	"plays hasty-attack or hold",
	RULES_FACT_NO},
    {"chits", imaginations_policy_chits,
	"draws the least or the most chits that the cards allow",
	RULES_FACT_NO},
    {"allocate", imaginations_allocate_words,
	"takes hits, each on the battalion with most strength left that may "
	"take it: all of them, or less one, or less all, that a retreat of "
	"each hit unit cancels",
	RULES_FACT_NO},
    {"advance", imaginations_policy_advance,
	"advances with all units that may, or with none", RULES_FACT_NO},
    {.kind = NULL},
};

const char *const imaginations_policy_secret[] = {"tactic", NULL};

/* Finds the word among the cards that may be played; -1 if it is not. */
static int
imaginations_policy_card(const struct question_member *m, const char *word)
{
	size_t i;

	for (i = 0; i < m->n_ids; i++) {
		if (strcmp(m->ids[i], word) == 0)
			return ((int)i);
	}
	return (-1);
}

int
imaginations_policy_answer(const struct combat *c, const struct question *q,
    int word, struct question_answer *a, struct question_item *room,
    size_t n_room)
{
	const struct question_member *m = &q->members[0];
	struct question_answer made = {.items = room};
	size_t i;

	if (q->rule != NULL)
		return (question_choose(c, q->rule, word, a, room, n_room));
	switch (m->shape) {
	case QUESTION_ONE:
		made.number[0] = imaginations_policy_card(
		    m, imaginations_policy_tactics[word]);
		if (made.number[0] == -1)
			made.number[0] = imaginations_policy_card(m,
			    q->side == COMBAT_ATTACKER ? "hasty-attack"
						       : "hold");
		break;
	case QUESTION_INT:
		made.number[0] = word == 0 ? m->lo : m->hi;
		break;
	case QUESTION_TEXT:
		break;
	case QUESTION_SOME:
	case QUESTION_ORDER:
		made.n_items = word == 0 ? m->n_ids : 0;
	}
	if (made.n_items > n_room)
		return (ERR_TOOBIG);
	for (i = 0; i < made.n_items; i++) {
		room[i].id = (int16_t)i;
		room[i].value = 0;
	}
	*a = made;
	return (0);
}
