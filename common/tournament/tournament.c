/* SPDX-License-Identifier: ISC */
/* The life of a tournament: its terms (record S15.4), and its end in memory. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/clock.h"
#include "common/json/js.h"
#include "common/rules/rules.h"
#include "common/rules/systems/systems.h"
#include "common/tournament/tournament_int.h"

const char *const tournament_phases[] = {
    "entries", "checkin", "play", "over", NULL};

static const char *const result_words[] = {
    NULL, "1", "2", "=", "+", "-", "--", "?"};

const char *
tournament_result_word(enum tournament_result result)
{
	return (result_words[result]);
}

void *
tournament_grow(void *list, size_t *n, size_t size)
{
	/* By powers of two, so that nothing is asked for at most times. */
	char *grown = list;

	if ((*n & (*n - 1)) == 0) {
		grown = realloc(list, (*n == 0 ? 1 : 2 * *n) * size);
		if (grown == NULL)
			return (NULL);
	}
	memset(grown + *n * size, 0, size);
	(*n)++;
	return (grown);
}

int
tournament_illegal(
    const struct tournament_line *l, const char *where, const char *fmt, ...)
{
	char text[sizeof(l->e->text)];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return (err_set(l->e, ERR_ILLEGAL, where, "%s", text));
}

int
tournament_early(const struct tournament_line *l, const char *where,
    const char *what, int64_t ms)
{
	char when[CLOCK_AT_LEN + 1];

	clock_format(when, ms);
	return (tournament_illegal(l, where, "%s, until %s", what, when));
}

int
tournament_final(int r)
{
	return (r == ERR_INVALID || r == ERR_MALFORMED ? ERR_ILLEGAL : r);
}

bool
tournament_passed(const struct tournament *t, int64_t since_ms, int64_t s)
{
	return (t->at_ms - since_ms >= 1000 * s &&
	    t->now_ms - since_ms >= 1000 * s);
}

bool
tournament_is_old(const struct tournament *t, const struct tournament_line *l)
{
	const int64_t latest_ms =
	    t->now_ms > t->latest_ms ? t->now_ms : t->latest_ms;

	return (l->given != NULL && l->at_ms < TOURNAMENT_OLD_MS &&
	    latest_ms < TOURNAMENT_OLD_MS + TOURNAMENT_AHEAD_MS);
}

void
tournament_note_older(struct tournament *t)
{
	const int64_t seq = t->seq + 1;

	if (t->n_older > 0 && t->older_last == seq)
		return;
	if (t->n_older++ == 0)
		t->older_seq = seq;
	t->older_last = seq;
}

int
tournament_older(const struct tournament *t, int64_t *first)
{
	*first = t->older_seq;
	return (t->n_older);
}

bool
tournament_lacks(
    struct tournament *t, const struct tournament_line *l, const json_t *event)
{
	const json_t *v;
	size_t i;

	if (event == NULL)
		return (false);
	json_array_foreach(l->given, i, v)
	{
		if (json_equal(v, event))
			return (false);
	}
	if (!tournament_is_old(t, l))
		return (false);
	tournament_note_older(t);
	return (true);
}

int
tournament_event(const struct tournament_line *l, json_t *event)
{
	if (event == NULL || json_array_append_new(l->fx->events, event) != 0)
		return (ERR_NOMEM);
	return (0);
}

void
tournament_effects_clear(struct tournament_effects *fx)
{
	json_decref(fx->dice);
	json_decref(fx->events);
	memset(fx, 0, sizeof(*fx));
}

/* Names who the terms name: the director, the witness, the server's dice. */
static int
tournament_name_all(struct tournament *t, struct errinfo *e)
{
	static const struct js_at director_at = {&order_at_args, "director", 0};
	static const struct js_at witness_at = {&order_at_args, "witness", 0};
	struct tournament_account *a;
	int r;

	if ((r = tournament_dice_take(t, t->terms.set.server_dice, -1)) != 0)
		return (r);
	if (t->terms.has_witness &&
	    (r = tournament_witness_name(
		 t, &t->terms.witness, &witness_at, e)) != 0)
		return (r);
	r = tournament_account_name(t, &t->terms.director, &director_at, &a, e);
	if (r == 0)
		a->is_director = true;
	return (r);
}

/* Checks that the rules of the terms are known here. */
static int
tournament_check_rules(const struct terms *terms, struct errinfo *e)
{
	const struct rules_system *sys = systems_find(terms->system);

	if (sys == NULL)
		return (err_set(e, ERR_NEWER, "order.args.system",
		    "the system \"%.32s\" is not in this version",
		    terms->system));
	if (strcmp(sys->version, terms->rules) != 0)
		return (err_set(e, ERR_NEWER, "order.args.rules",
		    "the rules version \"%.32s\" is not in this version, "
		    "which has \"%s\"",
		    terms->rules, sys->version));
	return (0);
}

int
tournament_create(const struct tournament_line *l, struct tournament **out)
{
	const struct entry *o = l->o;
	struct tournament *t;
	int r;

	memset(l->fx, 0, sizeof(*l->fx));
	if (o->kind != ENTRY_CREATE)
		return (
		    tournament_illegal(l, "order.kind", "not a create order"));
	if ((t = calloc(1, sizeof(*t))) == NULL)
		return (ERR_NOMEM);
	t->seq = -1;
	t->at_ms = l->at_ms;
	t->now_ms = o->now_ms;
	t->complete_ms = t->result_ms = t->ruling_ms = -1;
	if ((t->create_text = malloc(o->len + 1)) == NULL ||
	    (l->fx->events = json_array()) == NULL) {
		r = ERR_NOMEM;
		goto fail;
	}
	memcpy(t->create_text, o->text, o->len);
	t->create_text[o->len] = '\0';
	if ((r = entry_parse(t->create_text, o->len, &t->create, l->e)) != 0 ||
	    (r = tournament_final(terms_parse(&t->create, &t->terms, l->e))) !=
		0)
		goto fail;
	if (memcmp(t->terms.director.key, l->key, SIGN_KEY_LEN) != 0) {
		r = tournament_illegal(l, "order.args.director.key",
		    "the order is signed with another key");
		goto fail;
	}
	if ((r = tournament_check_rules(&t->terms, l->e)) != 0 ||
	    (r = tournament_final(tournament_name_all(t, l->e))) != 0)
		goto fail;
	t->cut = t->terms.cut;
	if ((r = tournament_continue(t, l)) != 0)
		goto fail;
	*out = t;
	return (0);
fail:
	tournament_free(t);
	return (r);
}

void
tournament_free(struct tournament *t)
{
	size_t i;

	if (t == NULL)
		return;
	tournament_free(t->old);
	for (i = 0; i < t->n_rounds; i++) {
		free(t->rounds[i].tables);
		free(t->rounds[i].byes);
		free(t->rounds[i].absent);
	}
	for (i = 0; i < t->n_aparts; i++)
		free(t->aparts[i].numbers);
	free(t->rounds);
	free(t->aparts);
	free(t->accounts);
	free(t->keys);
	free(t->dice_keys);
	free(t->entrants);
	free(t->lots);
	free(t->games);
	free(t->protests);
	free(t->halves);
	free(t->rules);
	free(t->rulings);
	entry_clear(&t->create);
	free(t->create_text);
	free(t);
}

void
tournament_advance(
    struct tournament *t, int64_t at_ms, const uint8_t hash[HASH_LEN])
{
	size_t i;

	t->seq++;
	t->last_ms = at_ms;
	if (t->now_ms > t->latest_ms)
		t->latest_ms = t->now_ms;
	memcpy(t->head, hash, HASH_LEN);
	/* A pairing of this line is named by its hash. */
	for (i = t->n_rounds; i > 0; i--) {
		if (t->rounds[i - 1].seq == t->seq &&
		    !t->rounds[i - 1].is_former)
			memcpy(t->rounds[i - 1].line, hash, HASH_LEN);
	}
}

const uint8_t *
tournament_id(const struct tournament *t)
{
	return (t->create.tournament);
}

const uint8_t *
tournament_server(const struct tournament *t)
{
	return (t->create.server);
}

const uint8_t *
tournament_head(const struct tournament *t)
{
	return (t->head);
}

int64_t
tournament_seq(const struct tournament *t)
{
	return (t->seq);
}

int64_t
tournament_at_ms(const struct tournament *t)
{
	return (t->last_ms);
}

const struct terms *
tournament_terms(const struct tournament *t)
{
	return (&t->terms);
}

enum tournament_phase
tournament_phase(const struct tournament *t)
{
	return (t->phase);
}

bool
tournament_is_halted(const struct tournament *t)
{
	return (t->is_halted);
}

bool
tournament_is_closed(const struct tournament *t)
{
	return (t->is_closed);
}

int
tournament_rounds(const struct tournament *t)
{
	return (t->stopped > 0 ? t->stopped : t->rounds_all);
}

int
tournament_paired(const struct tournament *t)
{
	return ((int)t->n_rounds);
}

int
tournament_stopped(const struct tournament *t)
{
	return (t->stopped);
}

size_t
tournament_games(const struct tournament *t)
{
	return (t->n_games);
}

int
tournament_entrants(const struct tournament *t)
{
	return ((int)t->n_entrants);
}

bool
tournament_has_key(const struct tournament *t, const char *account,
    const uint8_t key[SIGN_KEY_LEN])
{
	const struct tournament_account *a =
	    tournament_account_find(t, account);

	return (a != NULL && statement_has_key(&a->keys, key));
}

bool
tournament_is_here(const struct tournament *t, const char *account)
{
	return (tournament_account_find(t, account) != NULL);
}

bool
tournament_is_former(const struct tournament *t, int number)
{
	const struct tournament_entrant *x = tournament_entrant(t, number);

	return (x != NULL && x->is_former);
}

const struct tournament *
tournament_former(const struct tournament *t)
{
	return (t->old);
}

bool
tournament_is_director(const struct tournament *t, const char *account)
{
	const struct tournament_account *a =
	    tournament_account_find(t, account);

	return (a != NULL && a->is_director);
}

size_t
tournament_accounts(const struct tournament *t)
{
	return (t->n_accounts);
}

const char *
tournament_nth_account(const struct tournament *t, size_t i)
{
	return (i < t->n_accounts ? t->accounts[i].name : NULL);
}

int64_t
tournament_stated(const struct tournament *t, const char *account)
{
	const struct tournament_account *a =
	    tournament_account_find(t, account);

	return (a == NULL ? 0 : a->keys.n);
}

const char *
tournament_proposed(const struct tournament *t, int64_t seq)
{
	size_t i;

	for (i = 0; seq >= 0 && i < t->n_accounts; i++) {
		if (t->accounts[i].proposed_seq == seq)
			return (t->accounts[i].name);
	}
	return (NULL);
}

const struct statement_keys *
tournament_keys(const struct tournament *t, const char *account)
{
	const struct tournament_account *a =
	    tournament_account_find(t, account);

	return (a == NULL ? NULL : &a->keys);
}

bool
tournament_plays(const struct tournament *t, const char *account)
{
	const struct tournament_entrant *x =
	    tournament_entrant(t, tournament_number(t, account));

	if (x == NULL)
		return (false);
	if (t->phase == TOURNAMENT_ENTRIES || t->phase == TOURNAMENT_CHECKIN)
		return (!x->is_withdrawn && (!x->is_said || x->is_admitted));
	return (tournament_is_in(x, tournament_next(t)));
}

bool
tournament_is_witness(const struct tournament *t, const char *account)
{
	const struct tournament_account *a =
	    tournament_account_find(t, account);

	return (a != NULL && a->is_witness &&
	    strcmp(account, t->witness_account) == 0);
}

int
tournament_number(const struct tournament *t, const char *account)
{
	const struct tournament_account *a =
	    tournament_account_find(t, account);

	return (a == NULL ? 0 : a->number);
}

const char *
tournament_account(const struct tournament *t, int number)
{
	const struct tournament_entrant *x = tournament_entrant(t, number);

	return (x == NULL ? NULL : t->accounts[x->account].name);
}
