/* SPDX-License-Identifier: ISC */
/*
 * Answers to the questions of tlnb by the words of its policies, lawful in
 * every case, and the outcome of a run.  Nothing here allocates.
 */
#include "common/rules/tlnb/tlnb_policy.h"

#include <string.h>

#include "common/rules/rulekit.h"
#include "common/rules/tlnb/tlnb_step.h"

static const char *const tlnb_policy_shift_words[] = {"use", "decline", NULL};
static const char *const tlnb_policy_lead_words[] = {"best", "worst", NULL};
static const char *const tlnb_policy_reduce_words[] = {
    "sensible", "weakest", "strongest", NULL};
static const char *const tlnb_policy_retreat_words[] = {"all", "lost", NULL};
static const char *const tlnb_policy_loss_words[] = {
    "weakest", "strongest", NULL};
static const char *const tlnb_policy_convert_words[] = {"none", "best", NULL};
static const char *const tlnb_policy_option_words[] = {"stay", "retreat", NULL};

const struct rules_policy tlnb_policy_list[] = {
    {"napoleon-shift", tlnb_policy_shift_words,
	"use or decline Napoleon's column", RULES_FACT_NO},
    {"guard-shift", tlnb_policy_shift_words,
	"use or decline the Guard's column", RULES_FACT_NO},
    {"lead", tlnb_policy_lead_words,
	"lead with the best or the worst initiative that may", RULES_FACT_NO},
    {"reduce", tlnb_policy_reduce_words,
	"reduce the weakest or the strongest that may be; sensible: of its "
	"own the weakest that is not eliminated by it, of the enemy the "
	"strongest",
	RULES_FACT_NO},
    {"retreat", tlnb_policy_retreat_words,
	"all retreat as they must; lost: none of them can, and all are "
	"eliminated",
	RULES_FACT_YES},
    {"exchange-loss", tlnb_policy_loss_words,
	"lose the weakest or the strongest first, and no more than needed",
	RULES_FACT_NO},
    {"convert", tlnb_policy_convert_words,
	"retreat, or let the best initiative try to stand", RULES_FACT_NO},
    {"retreat-option", tlnb_policy_option_words,
	"stay or retreat where there is a choice", RULES_FACT_YES},
    {.kind = NULL},
};

enum tlnb_policy_reduce {
	TLNB_POLICY_SENSIBLE,
	TLNB_POLICY_WEAKEST,
	TLNB_POLICY_STRONGEST,
};

/* Finds a unit of the facts by its id, which is there. */
static size_t
tlnb_policy_find(const struct tlnb_facts *f, const char *id)
{
	return (facts_find(f->units, f->n_units, sizeof(f->units[0]), id));
}

/* What a unit's initiative counts in a shock or a check. */
static int
tlnb_policy_rating(const struct tlnb_facts *f, const char *id)
{
	const struct tlnb_unit *u = &f->units[tlnb_policy_find(f, id)];

	return (tlnb_facts_rating(u));
}

/* Picks the id with the best or worst rating, the first of equals. */
static int
tlnb_policy_by_rating(
    const struct combat *c, const struct question_member *m, bool is_best)
{
	const struct tlnb_facts *f = combat_facts(c);
	int best = 0, i, rating, with;

	with = tlnb_policy_rating(f, m->ids[0]);
	for (i = 1; i < (int)m->n_ids; i++) {
		rating = tlnb_policy_rating(f, m->ids[i]);
		if (is_best ? rating > with : rating < with) {
			best = i;
			with = rating;
		}
	}
	return (best);
}

/*
 * Picks the id of least or most strength that is not taken yet, the first of
 * equals.  Where it spares, those that would be eliminated come last.
 */
static int
tlnb_policy_by_strength(const struct combat *c, const struct question_member *m,
    bool is_most, bool spares, const bool *taken)
{
	const struct tlnb_facts *f = combat_facts(c);
	const struct tlnb_state *st = combat_state(c);
	bool is_last, was_last = false;
	int best = -1, i, strength, with = 0;
	size_t u;

	for (i = 0; i < (int)m->n_ids; i++) {
		if (taken[i])
			continue;
		u = tlnb_policy_find(f, m->ids[i]);
		strength = tlnb_step_strength(f, st, u);
		is_last = spares && tlnb_step_is_last(f, st, u);
		if (best == -1 || (was_last && !is_last) ||
		    (was_last == is_last &&
			(is_most ? strength > with : strength < with))) {
			best = i;
			with = strength;
			was_last = is_last;
		}
	}
	return (best);
}

/* Answers "reduce", of one unit or of as many as must be named. */
static int
tlnb_policy_reduce(const struct combat *c, const struct question *q,
    enum tlnb_policy_reduce word, struct question_answer *a,
    struct question_item *room, size_t n_room)
{
	const struct question_member *m = &q->members[0];
	bool taken[QUESTION_IDS_MAX] = {false};
	const struct tlnb_facts *f = combat_facts(c);
	bool is_most = word == TLNB_POLICY_STRONGEST, spares = false;
	size_t u = tlnb_policy_find(f, m->ids[0]);
	int i;

	if (word == TLNB_POLICY_SENSIBLE) {
		is_most = f->units[u].side != q->side;
		spares = !is_most;
	}
	if (m->shape == QUESTION_ONE) {
		a->number[0] =
		    tlnb_policy_by_strength(c, m, is_most, spares, taken);
		return (0);
	}
	if ((size_t)m->lo > n_room)
		return (ERR_TOOBIG);
	for (a->n_items = 0; (int)a->n_items < m->lo; a->n_items++) {
		i = tlnb_policy_by_strength(c, m, is_most, spares, taken);
		taken[i] = true;
		room[a->n_items].id = (int16_t)i;
		room[a->n_items].value = 0;
	}
	return (0);
}

/* Answers "retreat": nobody is lost, or all are. */
static int
tlnb_policy_retreat(const struct question *q, bool are_lost,
    struct question_answer *a, struct question_item *room, size_t n_room)
{
	size_t i;

	if (!are_lost)
		return (0);
	if (q->members[0].n_ids > n_room)
		return (ERR_TOOBIG);
	for (i = 0; i < q->members[0].n_ids; i++) {
		room[i].id = (int16_t)i;
		room[i].value = 0;
	}
	a->n_items = i;
	return (0);
}

/*
 * Answers "exchange-loss": units in order until they are enough; then those
 * that are not needed are spared again, the last of the order first.
 */
static int
tlnb_policy_loss(const struct combat *c, const struct question *q, int word,
    struct question_answer *a, struct question_item *room, size_t n_room)
{
	struct question_item item;
	size_t i;
	int r;

	if ((r = question_choose(c, q->rule, word, a, room, n_room)) != 0)
		return (r);
	for (i = a->n_items; i-- > 0;) {
		item = room[i];
		a->n_items--;
		memmove(
		    &room[i], &room[i + 1], (a->n_items - i) * sizeof(room[0]));
		if (question_holds(c, q, a))
			continue;
		memmove(
		    &room[i + 1], &room[i], (a->n_items - i) * sizeof(room[0]));
		room[i] = item;
		a->n_items++;
	}
	return (0);
}

int
tlnb_policy_answer(const struct combat *c, const struct question *q, int word,
    struct question_answer *a, struct question_item *room, size_t n_room)
{
	struct question_answer made = {.items = room};
	int r = 0;

	if (q->rule != NULL)
		r = tlnb_policy_loss(c, q, word, &made, room, n_room);
	else if (strcmp(q->kind, "reduce") == 0)
		r = tlnb_policy_reduce(
		    c, q, (enum tlnb_policy_reduce)word, &made, room, n_room);
	else if (strcmp(q->kind, "retreat") == 0)
		r = tlnb_policy_retreat(q, word == 1, &made, room, n_room);
	else if (strcmp(q->kind, "lead") == 0)
		made.number[0] =
		    tlnb_policy_by_rating(c, &q->members[0], word == 0);
	else if (strcmp(q->kind, "convert") == 0)
		made.number[0] = word == 0
		    ? -1
		    : tlnb_policy_by_rating(c, &q->members[0], true);
	else if (strcmp(q->kind, "retreat-option") == 0)
		made.number[0] = word == 1;
	else
		made.number[0] = word == 0;
	if (r == 0)
		*a = made;
	return (r);
}

void
tlnb_policy_outcome(const struct combat *c, struct rules_outcome *out)
{
	const struct tlnb_facts *f = combat_facts(c);
	const struct tlnb_state *st = combat_state(c);
	size_t u;

	out->whole = st->code.text;
	out->hits[0] = out->hits[1] = 0;
	out->n_units = f->n_units;
	for (u = 0; u < f->n_units; u++) {
		out->units[u].id = f->units[u].name.id;
		out->units[u].side = f->units[u].side;
		out->units[u].end = (int)st->ends[u];
		out->units[u].loss =
		    tlnb_facts_strength(&f->units[u], f->units[u].is_reduced) -
		    tlnb_step_strength(f, st, u);
	}
}
