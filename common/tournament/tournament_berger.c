/* SPDX-License-Identifier: ISC */
/* A round of a round robin (record S18.3). */
#include <stdlib.h>

#include "common/pairing/berger.h"
#include "common/tournament/tournament_int.h"

int
tournament_berger_pair(const struct tournament *t, int round,
    struct tournament_pairing *p, struct errinfo *e)
{
	struct berger_pair *pairs;
	int r, rests;
	size_t i;

	(void)e;
	if ((r = tournament_pairing_make(p, t->n_lots)) != 0)
		return (r);
	if ((pairs = calloc(t->n_lots, sizeof(*pairs))) == NULL)
		return (ERR_NOMEM);
	p->n_tables =
	    berger_round((int)t->n_lots, t->terms.rounds, round, pairs, &rests);
	for (i = 0; i < p->n_tables; i++) {
		p->tables[i].a = t->lots[pairs[i].side[0] - 1];
		p->tables[i].b = t->lots[pairs[i].side[1] - 1];
	}
	free(pairs);
	if (rests > 0 &&
	    tournament_is_in(tournament_entrant(t, t->lots[rests - 1]), round))
		p->absent[p->n_absent++] = t->lots[rests - 1];
	return (0);
}
