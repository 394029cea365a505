/* SPDX-License-Identifier: ISC */
/*
 * Where turns and combats are, by the history of the verifier: no line is read
 * for it, so that a part in the middle of a long game costs no more than one
 * of a short game.
 */
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/report/battle.h"
#include "web/page/page_int.h"

/* Begins a span at a line. */
static struct page_span *
page_plan_span(struct page_plan *p, int turn, int64_t from)
{
	struct page_span *sp;
	size_t i;

	p->spans = xalloc_more(p->spans, p->n, sizeof(*p->spans));
	sp = &p->spans[p->n++];
	memset(sp, 0, sizeof(*sp));
	sp->turn = turn;
	sp->from = from;
	sp->combats = p->combats;
	/* Turns only come again after a takeback. */
	for (i = 0; i + 1 < p->n && turn <= p->turns; i++) {
		sp->again += p->spans[i].turn == turn;
		if (p->spans[i].turn > turn)
			p->spans[i].is_undone = true;
	}
	if (p->turns < turn)
		p->turns = turn;
	return (sp);
}

void
page_plan_make(struct page_plan *p, const struct battle *b, int64_t last)
{
	const struct game_entry *en;
	struct page_span *sp = NULL;
	int turn = 0;
	int64_t seq;

	memset(p, 0, sizeof(*p));
	p->last = last;
	p->turns = -1;
	p->declared = xalloc_more(NULL, 0, sizeof(*p->declared));
	p->declared[0] = -1;
	for (seq = 0; seq <= last; seq++) {
		en = battle_entry(b, seq);
		if (sp == NULL || sp->turn != turn)
			sp = page_plan_span(p, turn, seq);
		sp->to = seq;
		if (en->kind == ORDER_DECLARE && en->combat == seq) {
			p->combats++;
			p->declared = xalloc_more(p->declared,
			    (size_t)p->combats, sizeof(*p->declared));
			p->declared[p->combats] = seq;
			sp->n_combats++;
		}
		turn = en->turn;
	}
}

void
page_plan_clear(struct page_plan *p)
{
	free(p->spans);
	free(p->declared);
	memset(p, 0, sizeof(*p));
}

const struct page_span *
page_plan_find(const struct page_plan *p, int64_t seq)
{
	size_t i = 0;

	while (i + 1 < p->n && p->spans[i].to < seq)
		i++;
	return (&p->spans[i]);
}

int64_t
page_plan_combat_end(
    const struct page_plan *p, const struct battle *b, int combat)
{
	const int64_t declared = p->declared[combat];
	int64_t end = declared, seq;
	int64_t last =
	    combat < p->combats ? p->declared[combat + 1] - 1 : p->last;

	for (seq = declared; seq <= last; seq++) {
		if (battle_entry(b, seq)->combat == declared)
			end = seq;
	}
	return (end);
}

char *
page_plan_name(const struct page_span *sp, const struct game *g)
{
	char *side, *name;

	if (sp->turn == 0)
		return (xalloc_str("Before the first turn"));
	side = battle_side(g, sp->turn % 2 == 1 ? 1 : 2);
	name = xalloc_printf(
	    "Turn %d%s: %s", sp->turn, sp->again > 0 ? ", again" : "", side);
	free(side);
	return (name);
}
