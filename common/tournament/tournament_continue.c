/* SPDX-License-Identifier: ISC */
/*
 * A tournament whose server has stopped goes on under another (record S21.4):
 * its terms, who has which number, and what stands of it.
 */
#include <stdlib.h>
#include <string.h>

#include "common/json/js.h"
#include "common/tournament/tournament_int.h"

static const struct js_at *const args_at = &order_at_args;

/* ---- terms ---- */

/* A copy of an object (NULL: it is not there) without some members; new. */
static json_t *
tournament_without(const json_t *v, const char *const *names)
{
	json_t *copy =
	    v == NULL ? json_object() : json_copy((json_t *)(uintptr_t)v);
	size_t i;

	for (i = 0; copy != NULL && names[i] != NULL; i++)
		(void)json_object_del(copy, names[i]);
	return (copy);
}

/* Checks that two objects are equal but for these members. */
static int
tournament_same_but(const struct tournament_line *l, const char *where,
    const json_t *a, const json_t *b, const char *const *names)
{
	json_t *x = tournament_without(a, names);
	json_t *y = tournament_without(b, names);
	int r = 0;

	if (x == NULL || y == NULL)
		r = ERR_NOMEM;
	else if (!json_equal(x, y))
		r = tournament_illegal(
		    l, where, "not as in the tournament that it continues");
	json_decref(x);
	json_decref(y);
	return (r);
}

/* Checks that the terms are those of before. */
static int
tournament_check_terms_before(
    const struct tournament *t, const struct tournament_line *l)
{
	static const char *const may_differ[] = {"server_dice", "deputies",
	    "witness", "dates", "continues", "director", "entry", "options",
	    NULL};
	static const char *const entry[] = {"until", NULL};
	static const char *const options[] = {"witness", "witness_s", NULL};
	static const char *const director[] = {
	    "key", "keys", "kn", "kprev", "recovery", NULL};
	const json_t *now = t->terms.args, *then = l->before->terms.args;
	int r;

	if ((r = tournament_same_but(l, "order.args", now, then, may_differ)) !=
		0 ||
	    (r = tournament_same_but(l, "order.args.entry",
		 json_object_get(now, "entry"), json_object_get(then, "entry"),
		 entry)) != 0 ||
	    (r = tournament_same_but(l, "order.args.options",
		 json_object_get(now, "options"),
		 json_object_get(then, "options"), options)) != 0)
		return (r);
	return (tournament_same_but(l, "order.args.director",
	    json_object_get(now, "director"), json_object_get(then, "director"),
	    director));
}

/* ---- who was there ---- */

/* Adds somebody of before, who has not entered here. */
static int
tournament_add_former(
    struct tournament *t, const struct tournament *old, size_t i)
{
	const struct tournament_entrant *was = &old->entrants[i];
	struct tournament_account *a;
	struct tournament_entrant *x;

	a = tournament_grow(t->accounts, &t->n_accounts, sizeof(*a));
	if (a == NULL)
		return (ERR_NOMEM);
	t->accounts = a;
	a += t->n_accounts - 1;
	/* A name of another server: nobody acts under it here. */
	memcpy(a->name, old->accounts[was->account].name, sizeof(a->name));
	a->is_former = true;
	a->proposed_seq = -1;
	a->number = (int)i + 1;
	x = tournament_grow(t->entrants, &t->n_entrants, sizeof(*x));
	if (x == NULL)
		return (ERR_NOMEM);
	t->entrants = x;
	x += t->n_entrants - 1;
	x->account = (int)t->n_accounts - 1;
	x->is_former = true;
	memcpy(x->club, was->club, sizeof(x->club));
	x->rating = was->rating;
	x->since = was->since;
	x->is_late_half = was->is_late_half;
	memcpy(x->turns, was->turns, sizeof(x->turns));
	x->n_turns = was->n_turns;
	memcpy(x->takes_bye, was->takes_bye, sizeof(x->takes_bye));
	return (0);
}

int
tournament_continue(struct tournament *t, const struct tournament_line *l)
{
	const struct terms_continues *c = &t->terms.continues;
	struct tournament *old = l->before;
	size_t i;
	int r;

	if (!t->terms.has_continues)
		return (0);
	if (old == NULL)
		return (err_set(l->e, ERR_NEWER, "order.args.continues",
		    "the tournament that it continues is not at hand"));
	if (memcmp(c->tournament, old->create.tournament, HASH_LEN) != 0 ||
	    memcmp(c->server, old->create.server, SIGN_KEY_LEN) != 0 ||
	    c->seq != old->seq || memcmp(c->line, old->head, HASH_LEN) != 0)
		return (tournament_illegal(l, "order.args.continues",
		    "not the last line of the tournament that is at hand"));
	if (old->phase != TOURNAMENT_PLAY)
		return (tournament_illegal(l, "order.args.continues",
		    "that tournament is not in play"));
	if ((r = tournament_check_terms_before(t, l)) != 0)
		return (r);
	for (i = 0; r == 0 && i < old->n_entrants; i++)
		r = tournament_add_former(t, old, i);
	if (r == 0)
		t->old = old;
	return (r);
}

/* Takes the statements that an entry brings. */
static int
tournament_was_statements(const struct tournament *old,
    const struct tournament_line *l, const struct tournament_account *known,
    struct statement_keys *keys)
{
	static const char *const members[] = {"statement", "key", "sig", NULL};
	struct js_at list = {args_at, "statements", 0}, at = {&list, NULL, 0};
	uint8_t key[SIGN_KEY_LEN], sig[SIGN_LEN];
	const json_t *all = NULL, *v;
	const char *text;
	struct statement s;
	int r;

	r = js_opt_array(l->o->args, "statements", args_at, &all, l->e);
	json_array_foreach(all, at.index, v)
	{
		if (r != 0 || (r = js_members(v, &at, members, l->e)) != 0 ||
		    (r = js_get_str(v, "statement", &at, &text, l->e)) != 0 ||
		    (r = js_get_hex(v, "key", &at, key, sizeof(key), l->e)) !=
			0 ||
		    (r = js_get_hex(v, "sig", &at, sig, sizeof(sig), l->e)) !=
			0)
			break;
		if (sign_check(key, SIGN_TAG_KEY, text, strlen(text), sig) != 0)
			return (
			    js_fail(&at, l->e, "the signature does not hold"));
		if ((r = statement_parse(text, strlen(text), &s, l->e)) != 0)
			break;
		if (strcmp(s.account, known->name) != 0 ||
		    memcmp(s.server, old->create.server, SIGN_KEY_LEN) != 0)
			r = js_fail(
			    &at, l->e, "not of that account of that server");
		else if (s.what != STATEMENT_DROP)
			r = tournament_key_check_new(old, s.key, &at, l->e);
		if (r == 0)
			r = statement_apply(keys, &s, key, l->e);
		statement_clear(&s);
	}
	return (r);
}

int
tournament_was(const struct tournament *t, const struct tournament_line *l,
    struct tournament_entrant **x)
{
	const struct tournament *old = t->old;
	const struct tournament_account *known;
	struct statement_keys keys;
	int64_t was;
	int r;

	if (t->phase != TOURNAMENT_ENTRIES)
		return (tournament_illegal(
		    l, "order.kind", "nobody enters after the entries"));
	r = js_get_int(l->o->args, "was", args_at, 1, JS_INT_MAX, &was, l->e);
	if (r != 0)
		return (tournament_final(r));
	if (was > (int64_t)t->n_entrants)
		return (tournament_illegal(
		    l, "order.args.was", "nobody had that number"));
	*x = &t->entrants[was - 1];
	if (!(*x)->is_former)
		return (tournament_illegal(
		    l, "order.args.was", "that number is taken"));
	known = &old->accounts[old->entrants[was - 1].account];
	keys = known->keys;
	r = tournament_was_statements(old, l, known, &keys);
	if (r == ERR_NOMEM)
		return (r);
	if (r != 0)
		return (ERR_ILLEGAL);
	return (statement_has_key(&keys, l->key)
		? 0
		: tournament_illegal(
		      l, "order.args.key", "not a key that was valid there"));
}

/* ---- what stands ---- */

/* A copy of an array of n; NULL without memory, or if it is empty. */
static void *
tournament_dup(const void *list, size_t n, size_t size)
{
	void *copy = n == 0 ? NULL : malloc(n * size);

	if (copy != NULL)
		memcpy(copy, list, n * size);
	return (copy);
}

/* Takes a round over that is complete. */
static int
tournament_keep_round(struct tournament *t, const struct tournament_round *was)
{
	struct tournament_round *rd;
	size_t i;
	int k;

	rd = tournament_grow(t->rounds, &t->n_rounds, sizeof(*rd));
	if (rd == NULL)
		return (ERR_NOMEM);
	t->rounds = rd;
	rd += t->n_rounds - 1;
	*rd = *was;
	rd->is_former = true;
	rd->tables =
	    tournament_dup(was->tables, was->n_tables, sizeof(*rd->tables));
	rd->byes = tournament_dup(was->byes, was->n_byes, sizeof(*rd->byes));
	rd->absent =
	    tournament_dup(was->absent, was->n_absent, sizeof(*rd->absent));
	if ((rd->tables == NULL && rd->n_tables > 0) ||
	    (rd->byes == NULL && rd->n_byes > 0) ||
	    (rd->absent == NULL && rd->n_absent > 0))
		return (ERR_NOMEM);
	/* The numbers of their lines are those of another record. */
	for (i = 0; i < rd->n_tables; i++) {
		for (k = 0; k < TOURNAMENT_LEGS_MAX; k++) {
			rd->tables[i].legs[k].result_seq = -1;
			rd->tables[i].legs[k].notice.seq = -1;
		}
	}
	return (0);
}

/* Takes over who is kept apart, points by rulings and rules. */
static int
tournament_keep_rulings(struct tournament *t)
{
	const struct tournament *old = t->old;
	struct tournament_apart *apart;
	size_t i;

	t->halves =
	    tournament_dup(old->halves, old->n_halves, sizeof(*t->halves));
	t->n_halves = t->halves == NULL ? 0 : old->n_halves;
	t->rules = tournament_dup(old->rules, old->n_rules, sizeof(*t->rules));
	t->n_rules = t->rules == NULL ? 0 : old->n_rules;
	if (t->n_halves != old->n_halves || t->n_rules != old->n_rules)
		return (ERR_NOMEM);
	for (i = 0; i < old->n_aparts; i++) {
		apart =
		    tournament_grow(t->aparts, &t->n_aparts, sizeof(*apart));
		if (apart == NULL)
			return (ERR_NOMEM);
		t->aparts = apart;
		apart += i;
		*apart = old->aparts[i];
		apart->numbers = tournament_dup(
		    old->aparts[i].numbers, apart->n, sizeof(*apart->numbers));
		if (apart->numbers == NULL)
			return (ERR_NOMEM);
	}
	return (0);
}

int
tournament_go_on(struct tournament *t, const int *who, size_t n)
{
	const struct tournament *old = t->old;
	bool has_knockout = false;
	size_t i, k;
	int r;

	t->lots = tournament_dup(old->lots, old->n_lots, sizeof(*t->lots));
	if (t->lots == NULL)
		return (ERR_NOMEM);
	t->n_lots = old->n_lots;
	t->initial = old->initial;
	t->rounds_all = old->rounds_all;
	t->rounds_swiss = old->rounds_swiss;
	t->stopped = old->stopped;
	t->cut = old->cut;
	for (i = 0;
	     i < old->n_rounds && tournament_is_complete(old, (int)i + 1);
	     i++) {
		if ((r = tournament_keep_round(t, &old->rounds[i])) != 0)
			return (r);
		has_knockout |= tournament_is_knockout(old, (int)i + 1);
	}
	if ((r = tournament_keep_rulings(t)) != 0)
		return (r);
	t->n_seeds = has_knockout ? old->n_seeds : 0;
	for (i = 0; i < t->n_entrants; i++) {
		t->entrants[i].lot = old->entrants[i].lot;
		t->entrants[i].seed = has_knockout ? old->entrants[i].seed : 0;
		for (k = 0; k < n && who[k] != (int)i + 1; k++)
			continue;
		if (k == n)
			tournament_turn(
			    &t->entrants[i], tournament_next(t), false);
	}
	t->result_ms = t->ruling_ms = t->at_ms;
	return (0);
}
