/* SPDX-License-Identifier: ISC */
/*
 * What the targets that play combats share: dice, chits and answers that
 * come of a seed, and a combat that is played to its end.
 */
#ifndef UMPIRE_TESTS_FUZZ_PLAY_H
#define UMPIRE_TESTS_FUZZ_PLAY_H

#include <stdbool.h>
#include <string.h>

#include "common/rules/combat.h"
#include "common/rules/question.h"
#include "common/rules/rolls.h"

#include "tests/fuzz/fuzz.h"

/* The next number below n of a fixed sequence. */
static uint32_t
play_pick_cb(void *arg, uint32_t n)
{
	uint64_t *state = arg;

	*state = *state * 6364136223846793005U + 1442695040888963407U;
	return ((uint32_t)(*state >> 33) % n);
}

/* Dice by chance. */
static int
play_roll_cb(void *arg, const char *label, unsigned sides, unsigned count,
    uint16_t *dice, struct errinfo *e)
{
	unsigned i;

	(void)label;
	(void)e;
	for (i = 0; i < count; i++)
		dice[i] = (uint16_t)(1 + play_pick_cb(arg, sides));
	return (0);
}

/* Chits by chance. */
static int
play_draw_cb(void *arg, const char *label, const char *const *ids, unsigned n,
    const uint16_t *had, unsigned nhad, uint16_t *pick, struct errinfo *e)
{
	unsigned left = play_pick_cb(arg, n - nhad);

	(void)label;
	(void)ids;
	(void)e;
	*pick = rolls_chit_left(n, had, nhad, left);
	return (0);
}

/* The events of a combat as text; new. */
static char *
play_events(struct combat *c)
{
	json_t *v;
	char *text;

	FUZZ_MUST(combat_events(c, 0, &v) == 0);
	text = json_dumps(v, JSON_COMPACT);
	FUZZ_MUST(text != NULL);
	json_decref(v);
	return (text);
}

/*
 * Gives the answer if the rules take it; one that they refuse has changed
 * nothing.
 */
static bool
play_answer(struct combat *c, const json_t *decision)
{
	char *before = play_events(c), *after;
	struct errinfo e = {.text = ""};
	int r;

	r = combat_answer(c, decision, &e);
	FUZZ_MUST(r == 0 || r == ERR_INVALID);
	if (r != 0) {
		FUZZ_MUST(combat_status(c) == COMBAT_PENDING);
		FUZZ_MUST(e.text[0] != '\0');
		after = play_events(c);
		FUZZ_MUST(strcmp(before, after) == 0);
		free(after);
	}
	free(before);
	return (r == 0);
}

/*
 * Plays a combat to its end: each question gets the next decision of the
 * array that the rules take, and one by chance where there is none left.
 * False if the bag of a scenario has too few chits for the cards, which shows
 * only then.
 */
static bool
play_to_end(struct combat *c, const json_t *decisions)
{
	uint64_t state = 1;
	struct question_pick pick = {play_pick_cb, &state};
	struct combat_dice dice = {
	    .roll = play_roll_cb, .draw = play_draw_cb, .arg = &state};
	json_t *decision, *v;
	struct errinfo e;
	size_t next = 0;
	bool ok;
	int asked, r;

	for (asked = 0; asked <= COMBAT_GIVEN_MAX; asked++) {
		r = combat_run(c, &dice, &e);
		if (r == ERR_INVALID && strstr(e.where, "bag") != NULL)
			return (false);
		FUZZ_MUST(r == 0);
		if (combat_status(c) == COMBAT_RESOLVED)
			break;
		FUZZ_MUST(combat_status(c) == COMBAT_PENDING);
		for (ok = false; !ok && next < json_array_size(decisions);)
			ok = play_answer(c, json_array_get(decisions, next++));
		if (ok)
			continue;
		FUZZ_MUST(combat_sample(c, &pick, &decision) == 0);
		FUZZ_MUST(combat_answer(c, decision, &e) == 0);
		json_decref(decision);
	}
	FUZZ_MUST(combat_status(c) == COMBAT_RESOLVED);
	FUZZ_MUST((v = combat_result(c)) != NULL);
	json_decref(v);
	free(play_events(c));
	return (true);
}

#endif
