/* SPDX-License-Identifier: ISC */
/*
 * The facts are in the combat's first event, the dice in its lines, the answers
 * in its decision events.  The record was verified, so what does not fit is a
 * fault, and ends in nothing told.
 */
#include "client/report/refight.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/report/battle.h"
#include "client/report/odds_view.h"
#include "common/game/game.h"
#include "common/game/game_entry.h"
#include "common/json/js.h"
#include "common/rules/combat.h"
#include "common/rules/question.h"

/* Bits of policies' words, by number. */
#define REFIGHT_WORDS 32

#define REFIGHT_SEED 1815 /* of a sample: any will do, but not a new one */

struct refight {
	struct combat *c; /* owned */
	const struct rules_system *sys;
	struct rules_outcome outcome; /* its ids are the combat's... */
	char whole[ODDS_WORD_MAX + 1]; /* ...but not its word */
	/* By side and policy: the words that give all answers so far. */
	uint32_t words[2][RULES_POLICIES_MAX];
	json_t *said[2][RULES_POLICIES_MAX]; /* those answers, owned; NULL */
	bool has_odds; /* every question has a policy */
	json_t *facts; /* owned */
	struct odds_policy policy; /* once odds were asked for */
	struct odds_walk *walk; /* owned: that is under way; NULL */
	struct errinfo error; /* of it */
};

/* What the lines of a combat hold. */
struct refight_said {
	json_t *facts; /* owned; NULL until they are met */
	json_t *rolls; /* owned: of all lines, in order */
	json_t *answers; /* owned: decision events, in order */
	bool is_over;
};

/* Takes the events of a line. */
static void
refight_events(struct refight_said *said, const json_t *events)
{
	const json_t *v;
	const char *e;
	size_t i;

	json_array_foreach(events, i, v)
	{
		if ((e = js_str(v, "e")) == NULL)
			continue;
		if (strcmp(e, "combat") == 0 && said->facts == NULL) {
			said->facts = xalloc_copy(v);
			(void)json_object_del(said->facts, "e");
		} else if (strcmp(e, "decision") == 0) {
			xalloc_append(said->answers, xalloc_copy(v));
		} else if (strcmp(e, "result") == 0) {
			said->is_over = true;
		}
	}
}

/* Gathers what the lines of the combat that line seq declares hold. */
static void
refight_gather(const struct battle *b, int64_t seq, struct refight_said *said)
{
	const int64_t declared = seq, n = battle_lines(b);
	struct battle_line bl;
	const json_t *v;
	size_t i;

	for (; seq < n && !said->is_over; seq++) {
		/* An answer that nobody agreed to was never given. */
		if (battle_entry(b, seq)->combat != declared ||
		    !game_entry_is_agreed(battle_entry(b, seq)) ||
		    !battle_read(b, seq, &bl))
			continue;
		json_array_foreach(json_object_get(bl.ln.dice, "rolls"), i, v)
		    xalloc_append(said->rolls, xalloc_copy(v));
		refight_events(said, bl.ln.events);
		battle_clear(&bl);
	}
}

/* How often a list has a value. */
static size_t
refight_count(const json_t *list, const json_t *value)
{
	const json_t *v;
	size_t i, n = 0;

	json_array_foreach(list, i, v) n += json_equal(v, value) ? 1 : 0;
	return (n);
}

/* True if two answers say the same; the order of a list says nothing. */
static bool
refight_is_same(const json_t *a, const json_t *b)
{
	json_t *o = (json_t *)(uintptr_t)a, *item, *v; /* only read */
	const json_t *other;
	const char *name;
	size_t i;

	if (json_object_size(a) != json_object_size(b))
		return (false);
	json_object_foreach(o, name, v)
	{
		other = json_object_get(b, name);
		if (json_equal(v, other))
			continue;
		if (!json_is_array(v) ||
		    json_array_size(v) != json_array_size(other))
			return (false);
		json_array_foreach(v, i, item)
		{
			if (refight_count(v, item) !=
			    refight_count(other, item))
				return (false);
		}
	}
	return (true);
}

/* Keeps the answer to the open question, and the words that give it. */
static void
refight_learn(struct refight *rf, const json_t *answer)
{
	const char *kind = combat_asked_kind(rf->c);
	const enum combat_side side = combat_asked_side(rf->c);
	const struct rules_policy *p = rules_policy_find(rf->sys, kind);
	json_t *said = NULL, **list;
	uint32_t fits = 0;
	int i;

	if (p == NULL) {
		rf->has_odds = false;
		return;
	}
	list = &rf->said[side][p - rf->sys->policies];
	if (*list == NULL)
		*list = xalloc_json(json_array());
	xalloc_append(*list, xalloc_copy(answer));
	for (i = 0; i < REFIGHT_WORDS && p->words[i] != NULL; i++) {
		if (combat_policy_answer(rf->c, i, &said) != 0)
			continue;
		if (refight_is_same(said, answer))
			fits |= UINT32_C(1) << i;
		json_decref(said);
	}
	rf->words[side][p - rf->sys->policies] &= fits;
}

/*
 * The first answer of the side that is asked, to a question of this kind,
 * taken out of the list; new, NULL if there is none.
 */
static json_t *
refight_take(const struct refight *rf, json_t *answers)
{
	const char *side = question_side(combat_asked_side(rf->c));
	const char *kind = combat_asked_kind(rf->c);
	json_t *answer, *v;
	size_t i;

	json_array_foreach(answers, i, v)
	{
		if (js_str(v, "side") == NULL || js_str(v, "kind") == NULL ||
		    strcmp(js_str(v, "side"), side) != 0 ||
		    strcmp(js_str(v, "kind"), kind) != 0)
			continue;
		answer = xalloc_copy(v);
		(void)json_array_remove(answers, i);
		(void)json_object_del(answer, "e");
		(void)json_object_del(answer, "side");
		return (answer);
	}
	return (NULL);
}

/* Fights it to its end; false if it does not come to one. */
static bool
refight_run(struct refight *rf, const struct refight_said *said)
{
	json_t *answer;
	int r;

	if (combat_restore_rolls(rf->c, said->rolls, NULL) != 0)
		return (false);
	for (;;) {
		if (combat_run(rf->c, NULL, NULL) != 0)
			return (false);
		if (combat_status(rf->c) == COMBAT_RESOLVED)
			break;
		if (combat_status(rf->c) != COMBAT_PENDING ||
		    (answer = refight_take(rf, said->answers)) == NULL)
			return (false);
		refight_learn(rf, answer);
		r = combat_answer(rf->c, answer, NULL);
		json_decref(answer);
		if (r != 0)
			return (false);
	}
	rf->sys->outcome(rf->c, &rf->outcome);
	/* The next run may write over it. */
	(void)snprintf(rf->whole, sizeof(rf->whole), "%s", rf->outcome.whole);
	rf->outcome.whole = rf->whole;
	return (true);
}

struct refight *
refight_new(const struct battle *b, int64_t seq)
{
	struct refight_said said = {.facts = NULL};
	const struct rules_settings *set;
	struct refight *rf;

	rf = xalloc(sizeof(*rf));
	memset(rf->words, 0xff, sizeof(rf->words));
	rf->has_odds = true;
	said.rolls = xalloc_json(json_array());
	said.answers = xalloc_json(json_array());
	refight_gather(b, seq, &said);
	set = game_rules_settings(battle_game(b), &rf->sys);
	if (!said.is_over || said.facts == NULL || set == NULL ||
	    combat_new(rf->sys, set, said.facts, &rf->c, NULL) != 0 ||
	    !refight_run(rf, &said)) {
		refight_free(rf);
		rf = NULL;
	} else {
		rf->facts = json_incref(said.facts);
	}
	json_decref(said.facts);
	json_decref(said.rolls);
	json_decref(said.answers);
	return (rf);
}

void
refight_free(struct refight *rf)
{
	size_t i, side;

	if (rf == NULL)
		return;
	for (side = 0; side < 2; side++) {
		for (i = 0; i < RULES_POLICIES_MAX; i++)
			json_decref(rf->said[side][i]);
	}
	odds_walk_free(rf->walk);
	combat_free(rf->c);
	json_decref(rf->facts);
	free(rf);
}

const struct rules_outcome *
refight_outcome(const struct refight *rf)
{
	return (&rf->outcome);
}

/* The policy that gives the answers which were given. */
static void
refight_policy(struct refight *rf)
{
	struct odds_policy *policy = &rf->policy;
	size_t i, side;
	int word;

	for (side = 0; side < 2; side++) {
		for (i = 0; rf->sys->policies[i].kind != NULL; i++) {
			policy->is_given[side][i] = rf->said[side][i] != NULL;
			if (rf->words[side][i] == 0) {
				policy->said[side][i] = rf->said[side][i];
				continue;
			}
			for (word = 0; (rf->words[side][i] >> word & 1) == 0;
			     word++)
				continue;
			policy->word[side][i] = word;
		}
	}
}

int
refight_odds(struct refight *rf, uint64_t budget, struct odds *out)
{
	struct errinfo e = {.text = ""};

	if (!rf->has_odds)
		return (ERR_NOTFOUND);
	refight_policy(rf);
	return (odds_exact(rf->c, &rf->policy, budget, NULL, out, &e));
}

int
refight_walk(
    struct refight *rf, uint64_t budget, uint64_t runs, struct odds *out)
{
	int r;

	if (!rf->has_odds)
		return (ERR_NOTFOUND);
	if (rf->walk == NULL) {
		refight_policy(rf);
		if ((r = odds_walk_new(rf->c, &rf->policy, budget, NULL,
			 &rf->walk, &rf->error)) != 0)
			return (r);
	}
	if ((r = odds_walk_step(rf->walk, runs)) == ERR_BUSY)
		return (r);
	if (r == 0)
		odds_walk_end(rf->walk, out);
	else
		odds_walk_free(rf->walk);
	rf->walk = NULL;
	return (r);
}

int
refight_view(
    struct refight *rf, uint64_t budget, struct odds *out, struct odds_view *v)
{
	struct errinfo e = {.text = ""};
	int r;

	r = refight_odds(rf, budget, out);
	if (r == ERR_TOOBIG)
		r = odds_sample(rf->c, &rf->policy, ODDS_SAMPLES, REFIGHT_SEED,
		    NULL, out, &e);
	if (r == 0)
		*v = (struct odds_view){rf->sys, &rf->policy, out, rf->facts};
	return (r);
}
