/* SPDX-License-Identifier: ISC */
/*
 * The words by which the odds calculator answers the questions of lasalle2
 * (umpire-rules.7, 10.10).  They look at the question alone, not at the
 * dice.
 */
#include "common/rules/lasalle2/lasalle2_odds.h"

#include <string.h>

static const char *const lasalle2_odds_retire[] = {"none", "all", NULL};
static const char *const lasalle2_odds_reroll[] = {"all", "none", NULL};
static const char *const lasalle2_odds_stagger[] = {"path", "none", NULL};

const struct rules_policy lasalle2_odds_policies[] = {
    {"retire", lasalle2_odds_retire,
	"which of the engaged artillery tries to retire"},
    {"reroll", lasalle2_odds_reroll, "which lancers that may roll again do so"},
    {"stagger", lasalle2_odds_stagger,
	"whether units that stagger have a path"},
    {NULL, NULL, NULL},
};

int
lasalle2_odds_policy(const struct combat *c, const struct question *q, int word,
    struct question_answer *a, struct question_item *room, size_t n_room)
{
	const struct question_member *m = &q->members[0];
	bool is_all = word == 0;
	size_t i;

	(void)c;
	if (strcmp(q->kind, "retire") == 0)
		is_all = word == 1;
	/* All are named in the order of the facts; a stagger must name all. */
	a->items = room;
	a->n_items = is_all || m->shape == QUESTION_ORDER ? m->n_ids : 0;
	if (a->n_items > n_room)
		return (ERR_TOOBIG);
	for (i = 0; i < a->n_items; i++) {
		room[i].id = (int16_t)i;
		room[i].value = m->shape == QUESTION_ORDER && is_all;
	}
	return (0);
}
