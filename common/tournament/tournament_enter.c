/* SPDX-License-Identifier: ISC */
/*
 * Who directs, who plays, and for which rounds (record S15.5): deputies,
 * entries, admissions, withdrawals, byes that are asked for.
 */
#include <assert.h>
#include <string.h>

#include "common/json/js.h"
#include "common/tournament/tournament_int.h"

static const struct js_at *const args_at = &order_at_args;

struct tournament_entrant *
tournament_entrant(const struct tournament *t, int64_t number)
{
	return (number >= 1 && number <= (int64_t)t->n_entrants
		? &t->entrants[number - 1]
		: NULL);
}

int
tournament_number_of(
    const struct tournament *t, const struct tournament_entrant *x)
{
	return ((int)(x - t->entrants) + 1);
}

int
tournament_get_entrant(const struct tournament *t, const json_t *v,
    const char *name, const struct js_at *at, struct tournament_entrant **out,
    struct errinfo *e)
{
	int64_t n;
	int r;

	if ((r = js_get_int(v, name, at, 1, JS_INT_MAX, &n, e)) != 0)
		return (r);
	*out = tournament_entrant(t, n);
	if (*out != NULL && (!(*out)->is_former || t->phase == TOURNAMENT_PLAY))
		return (0);
	return (js_fail_member(
	    at, name, e, "nobody has the number %lld", (long long)n));
}

bool
tournament_is_in(const struct tournament_entrant *x, int round)
{
	bool is_in = false;
	size_t i;

	for (i = 0; i < x->n_turns; i++) {
		if (x->turns[i].from <= round)
			is_in = x->turns[i].is_in;
	}
	return (is_in);
}

bool
tournament_is_admitted(
    const struct tournament *t, const struct tournament_entrant *x)
{
	if (x->is_withdrawn || (x->is_former && t->phase != TOURNAMENT_PLAY))
		return (false);
	if (x->is_said)
		return (x->is_admitted);
	return (!x->is_late &&
	    (t->terms.has_continues ||
		(!t->terms.admits && !t->terms.is_rated)));
}

bool
tournament_waits_admit(
    const struct tournament *t, const struct tournament_entrant *x)
{
	return (!x->is_said && !x->is_withdrawn && !t->terms.has_continues &&
	    (x->is_late ||
		(t->phase == TOURNAMENT_ENTRIES &&
		    (t->terms.admits || t->terms.is_rated))));
}

void
tournament_turn(struct tournament_entrant *x, int from, bool is_in)
{
	/* What was said of these rounds before says nothing any more. */
	while (x->n_turns > 0 && x->turns[x->n_turns - 1].from >= from)
		x->n_turns--;
	assert(x->n_turns < TOURNAMENT_TURNS_MAX);
	x->turns[x->n_turns].from = from;
	x->turns[x->n_turns++].is_in = is_in;
	if (is_in && x->since == 0)
		x->since = from;
}

int
tournament_next(const struct tournament *t)
{
	return ((int)t->n_rounds + 1);
}

int
tournament_check_from(const struct tournament *t,
    const struct tournament_line *l, const char *where, int64_t from)
{
	if (from > tournament_rounds(t))
		return (tournament_illegal(
		    l, where, "round %d is the last", tournament_rounds(t)));
	if (from < tournament_next(t) && !t->terms.is_concurrent)
		return (tournament_illegal(l, where,
		    "round %lld is paired already: %d is the next",
		    (long long)from, tournament_next(t)));
	return (0);
}

bool
tournament_takes_late(const struct tournament *t)
{
	int most =
	    t->phase == TOURNAMENT_PLAY ? t->rounds_swiss : t->terms.rounds;

	if (most > t->terms.late)
		most = t->terms.late;
	return (tournament_next(t) <= most);
}

/* Reads keys of the order's author, by the first of which it is signed. */
static int
tournament_read_author(
    const struct tournament_line *l, bool plays, struct order_join *j)
{
	int r;

	memset(j, 0, sizeof(*j));
	r = plays ? order_player_parse(l->o->args, args_at, j, l->e)
		  : order_account_parse(l->o->args, args_at, j, l->e);
	if (r != 0)
		return (r);
	if (strcmp(j->account, l->o->by) != 0)
		return (js_fail_member(args_at, "account", l->e,
		    "not the account that the order is by"));
	/* An account that is here may sign by any of its keys. */
	if (memcmp(j->key, l->key, SIGN_KEY_LEN) != 0)
		return (js_fail_member(args_at, "key", l->e,
		    "the order is signed with another key"));
	return (0);
}

int
tournament_deputy(struct tournament *t, const struct tournament_line *l)
{
	struct order_join j;
	struct tournament_account *a;
	size_t i;
	int r;

	if ((r = tournament_final(tournament_read_author(l, false, &j))) != 0)
		return (r);
	for (i = 0; i < t->terms.n_deputies &&
	     strcmp(t->terms.deputies[i], j.account) != 0;
	     i++)
		continue;
	if (i == t->terms.n_deputies)
		return (tournament_illegal(l, "order.by",
		    "the terms name no deputy \"%s\"", j.account));
	a = tournament_account_find(t, j.account);
	if (a != NULL && a->is_director)
		return (tournament_illegal(l, "order.by",
		    "they direct here already: a deputy comes once"));
	if (a != NULL && a->number > 0 && t->terms.set.has_director)
		return (tournament_illegal(l, "order.by",
		    "who plays directs no games, where games have a "
		    "director"));
	if ((r = tournament_final(
		 tournament_account_name(t, &j, args_at, &a, l->e))) != 0)
		return (r);
	a->is_director = true;
	return (0);
}

/* How many entrants count against the most that there may be. */
static int
tournament_count(const struct tournament *t)
{
	const struct tournament_entrant *x;
	size_t i;
	int n = 0;

	for (i = 0; i < t->n_entrants; i++) {
		x = &t->entrants[i];
		if (x->is_withdrawn || x->is_former ||
		    (x->is_said && !x->is_admitted))
			continue;
		if (x->since > 0 && !tournament_is_in(x, tournament_next(t)))
			continue;
		n++;
	}
	return (n);
}

/* Checks that somebody may enter now. */
static int
tournament_check_enter(const struct tournament *t,
    const struct tournament_line *l, const struct order_join *j)
{
	const struct tournament_account *a =
	    tournament_account_find(t, j->account);

	if (t->phase != TOURNAMENT_ENTRIES && !tournament_takes_late(t))
		return (tournament_illegal(l, "order.kind",
		    t->terms.late == 0
			? "entries have ended, and the terms have no late ones"
			: "entries have ended, and late ones, too"));
	if (a != NULL && a->number > 0)
		return (tournament_illegal(l, "order.by",
		    "they have entered, as number %d", a->number));
	if (a != NULL && a->is_director && t->terms.set.has_director)
		return (tournament_illegal(l, "order.by",
		    "who directs does not play, where games have a director"));
	if (tournament_count(t) >= t->terms.max)
		return (tournament_illegal(
		    l, "order.kind", "all %d places are taken", t->terms.max));
	return (0);
}

/* The place of somebody who enters: theirs of before (*x), or a new one. */
static int
tournament_enter_place(
    struct tournament *t, struct tournament_entrant **x, const char *club)
{
	struct tournament_entrant *grown;

	if (*x != NULL) {
		(*x)->is_former = false;
		t->accounts[(*x)->account].number = 0;
		return (0);
	}
	grown = tournament_grow(t->entrants, &t->n_entrants, sizeof(*grown));
	if (grown == NULL)
		return (ERR_NOMEM);
	t->entrants = grown;
	*x = &grown[t->n_entrants - 1];
	memcpy((*x)->club, club, strlen(club) + 1);
	return (0);
}

int
tournament_enter(struct tournament *t, const struct tournament_line *l)
{
	const char *club = "";
	struct tournament_entrant *x = NULL;
	struct order_join j;
	struct tournament_account *a;
	int r;

	if ((r = tournament_final(tournament_read_author(l, true, &j))) != 0 ||
	    (r = tournament_final(
		 js_opt_str(l->o->args, "club", args_at, &club, l->e))) != 0)
		return (r);
	if (!t->terms.has_continues &&
	    (json_object_get(l->o->args, "was") != NULL ||
		json_object_get(l->o->args, "statements") != NULL))
		return (tournament_illegal(
		    l, "order.args.was", "this tournament continues no other"));
	if (json_object_get(l->o->args, "club") != NULL &&
	    !order_is_account(club))
		return (tournament_illegal(l, "order.args.club",
		    "must have the form of an account's name"));
	if ((r = tournament_check_enter(t, l, &j)) != 0 ||
	    (t->terms.has_continues && (r = tournament_was(t, l, &x)) != 0) ||
	    (r = tournament_final(
		 tournament_account_check(t, &j, args_at, l->e))) != 0)
		return (r);
	a = tournament_account_find(t, j.account);
	r = tournament_final(
	    tournament_dice_check(t, j.dice_key, -2, args_at, l->e));
	if (r != 0 ||
	    (r = tournament_account_name(t, &j, args_at, &a, l->e)) != 0)
		return (r);
	if ((r = tournament_enter_place(t, &x, club)) != 0)
		return (r);
	x->account = tournament_account_index(t, a);
	x->is_late = t->phase != TOURNAMENT_ENTRIES;
	x->entered_seq = t->seq + 1;
	memcpy(x->dice_key, j.dice_key, VRF_KEY_LEN);
	x->has_name = j.has_name;
	memcpy(x->name, j.name, HASH_LEN);
	a->number = tournament_number_of(t, x);
	return (tournament_dice_take(t, j.dice_key, x->account));
}

int
tournament_admit(struct tournament *t, const struct tournament_line *l)
{
	static const char *const says[] = {"yes", "no", NULL};
	const json_t *args = l->o->args;
	struct tournament_entrant *x = NULL;
	int64_t rating = -1;
	int say, r;

	if ((r = tournament_final(tournament_get_entrant(
		 t, args, "entrant", args_at, &x, l->e))) != 0 ||
	    (r = tournament_final(
		 js_get_enum(args, "say", args_at, says, &say, l->e))) != 0 ||
	    (r = tournament_final(js_opt_int(
		 args, "rating", args_at, 0, 9999, &rating, l->e))) != 0)
		return (r);
	if ((rating >= 0) != (say == 0 && t->terms.is_rated))
		return (tournament_illegal(l, "order.args.rating",
		    "stands with yes, where the terms seed by rating"));
	if (x->is_withdrawn)
		return (tournament_illegal(l, "order.args.entrant",
		    "they have withdrawn, and cannot be admitted"));
	if (!x->is_late && t->phase != TOURNAMENT_ENTRIES)
		return (tournament_illegal(l, "order.kind",
		    "entries have ended: who was not admitted before does not "
		    "play"));
	if (x->is_late && (!tournament_takes_late(t) || x->since > 0))
		return (tournament_illegal(l, "order.kind",
		    x->since > 0 ? "they are in"
				 : "it is too late for a late entry"));
	if (x->is_late && say == 0) {
		tournament_turn(x, tournament_next(t), true);
		x->is_late_half = t->terms.late_half;
	}
	x->is_said = true;
	x->is_admitted = say == 0;
	x->rating = rating > 0 ? (int)rating : 0;
	return (0);
}

/* The entrant who gives an order; ERR_ILLEGAL if its author is none. */
static int
tournament_entrant_of(const struct tournament *t,
    const struct tournament_line *l, struct tournament_entrant **x)
{
	const struct tournament_account *a = tournament_author(t, l->o);

	*x = a == NULL ? NULL : tournament_entrant(t, a->number);
	return (*x != NULL ? 0
			   : tournament_illegal(l, "order.by",
				 "only an entrant does, for themselves"));
}

int
tournament_withdraw(struct tournament *t, const struct tournament_line *l)
{
	struct tournament_entrant *x;
	int64_t from;
	int r;

	if ((r = tournament_entrant_of(t, l, &x)) != 0 ||
	    (r = tournament_final(js_get_int(l->o->args, "from", args_at, 1,
		 JS_INT_MAX, &from, l->e))) != 0)
		return (r);
	if (t->phase != TOURNAMENT_PLAY) {
		if (from != 1)
			return (tournament_illegal(l, "order.args.from",
			    "before the start one withdraws from round 1 on"));
		if (x->is_withdrawn)
			return (tournament_illegal(
			    l, "order.kind", "they have withdrawn already"));
		x->is_withdrawn = true;
		if (x->since > 0 && !t->terms.has_continues)
			tournament_turn(x, 1, false);
		tournament_lots_complete(t);
		return (0);
	}
	if ((r = tournament_check_from(t, l, "order.args.from", from)) != 0)
		return (r);
	if (!tournament_is_in(x, (int)from))
		return (tournament_illegal(l, "order.args.from",
		    "they are not in for round %lld", (long long)from));
	x->named_seq = t->seq + 1;
	return (tournament_go_out(t, l, (int)(x - t->entrants) + 1, (int)from));
}

int
tournament_bye(struct tournament *t, const struct tournament_line *l)
{
	const struct terms *terms = &t->terms;
	struct tournament_entrant *x;
	int64_t round;
	bool take;
	int i, last, n = 0, r;

	if ((r = tournament_entrant_of(t, l, &x)) != 0 ||
	    (r = tournament_final(js_get_int(l->o->args, "round", args_at, 1,
		 JS_INT_MAX, &round, l->e))) != 0 ||
	    (r = tournament_final(
		 js_get_bool(l->o->args, "take", args_at, &take, l->e))) != 0)
		return (r);
	last = t->phase == TOURNAMENT_PLAY ? t->rounds_swiss : terms->rounds;
	if (!terms_has_swiss(terms) || round > last ||
	    round < tournament_next(t))
		return (tournament_next(t) > last
			? tournament_illegal(l, "order.args.round",
			      "byes are for rounds of a Swiss, and no round of "
			      "it is still to be paired")
			: tournament_illegal(l, "order.args.round",
			      "byes are for a round that is still to be "
			      "paired: %d to %d",
			      tournament_next(t), last));
	for (i = 1; i < TOURNAMENT_ROUNDS_SWISS; i++)
		n += i != round && x->takes_bye[i];
	if (take && n >= terms->byes)
		return (terms->byes == 0
			? tournament_illegal(
			      l, "order.args.take", "the terms give no byes")
			: tournament_illegal(l, "order.args.take",
			      "at most %d rounds may be asked for",
			      terms->byes));
	x->takes_bye[round] = take;
	return (0);
}

int
tournament_dice_key(struct tournament *t, const struct tournament_line *l)
{
	uint8_t key[VRF_KEY_LEN];
	struct tournament_entrant *x;
	int r;

	if ((r = tournament_entrant_of(t, l, &x)) != 0 ||
	    (r = tournament_final(js_get_hex(l->o->args, "dice_key", args_at,
		 key, VRF_KEY_LEN, l->e))) != 0)
		return (r);
	if (t->phase == TOURNAMENT_CHECKIN)
		return (tournament_illegal(l, "order.kind",
		    "between the end of entries and the start no dice key "
		    "changes"));
	if ((r = tournament_final(
		 order_check_dice_key(key, "dice_key", args_at, l->e))) != 0 ||
	    (r = tournament_final(
		 tournament_dice_check(t, key, -2, args_at, l->e))) != 0)
		return (r);
	memcpy(x->dice_key, key, VRF_KEY_LEN);
	return (tournament_dice_take(t, key, x->account));
}

int
tournament_say(struct tournament *t, const struct tournament_line *l)
{
	uint8_t ref[HASH_LEN];

	(void)t;
	return (tournament_final(
	    js_get_hex(l->o->args, "ref", args_at, ref, HASH_LEN, l->e)));
}

int
tournament_stop(struct tournament *t, const struct tournament_line *l)
{
	uint8_t why[HASH_LEN];
	int64_t round;
	int r;

	if ((r = tournament_final(js_get_int(l->o->args, "round", args_at, 1,
		 JS_INT_MAX, &round, l->e))) != 0 ||
	    (r = tournament_final(js_get_hex(
		 l->o->args, "why", args_at, why, HASH_LEN, l->e))) != 0)
		return (r);
	if (round < (int64_t)t->n_rounds || round > tournament_rounds(t))
		return (tournament_illegal(l, "order.args.round",
		    "the last round can be one from %d to %d",
		    t->n_rounds > 0 ? (int)t->n_rounds : 1,
		    tournament_rounds(t)));
	t->stopped = (int)round;
	if (t->rounds_swiss > t->stopped)
		t->rounds_swiss = t->stopped;
	return (0);
}
