/* SPDX-License-Identifier: ISC */
/*
 * What every system keeps, held against each with random facts and random
 * lawful play: the same input gives the same bytes, a refused decision
 * changes nothing, what is saved gives the same combat again, every combat
 * ends, and a run allocates nothing.
 */
#include "common/rules/rules.h"
#include "common/rules/show/rules_show.h"
#include "common/rules/show/show_list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/buf.h"
#include "common/json/js.h"
#include "common/rules/combat.h"
#include "common/rules/event.h"
#include "common/rules/question.h"
#include "common/rules/systems/systems.h"

#include "tests/lib/alloc.h"
#include "tests/lib/chance.h"
#include "tests/lib/facts.h"

#define CONTRACT_COMBATS 150 /* of each system in each test */
#define CONTRACT_COMBATS_LONG 400
#define CONTRACT_COMBATS_SLOW 40

/*
 * Combats of the random player, of each system: UMPIRE_COMBATS in the
 * environment says another number, UMPIRE_SLOW is for builds with sanitizers.
 */
#define CONTRACT_RANDOM 1200
#define CONTRACT_RANDOM_LONG 10000
#define CONTRACT_RANDOM_SLOW 100

/* Answers by chance, inline. */
static int
contract_decide_cb(void *arg, const struct combat *c, const struct question *q,
    struct question_answer *a, struct question_item *room, size_t n_room)
{
	const struct question_pick p = {chance_pick_cb, arg};

	return (question_sample(c, q, &p, a, room, n_room));
}

/* Counts events. */
static int
contract_sink_cb(void *arg, const struct combat *c, const struct event *ev)
{
	size_t *n = arg;

	(void)c;
	(void)ev;
	(*n)++;
	return (0);
}

/* How many combats a test plays of each system. */
static uint64_t
contract_combats(void)
{
	return (getenv("UMPIRE_SLOW") != NULL   ? CONTRACT_COMBATS_SLOW
		: getenv("UMPIRE_LONG") != NULL ? CONTRACT_COMBATS_LONG
						: CONTRACT_COMBATS);
}

/* A combat, its chance and what it was opened with. */
struct contract {
	const struct rules_system *sys;
	struct rules_settings set;
	json_t *facts;
	struct combat *c;
	uint64_t seed;
	struct combat_dice dice;
	json_t *decisions; /* given so far */
};

/* Opens a combat of random facts; settings are the defaults. */
static void
contract_open(struct contract *t, const struct rules_system *sys, uint64_t seed)
{
	struct errinfo e = {.text = ""};

	memset(t, 0, sizeof(*t));
	t->sys = sys;
	t->seed = seed;
	t->dice.roll = chance_roll_cb;
	t->dice.draw = chance_draw_cb;
	t->dice.arg = &t->seed;
	t->decisions = json_array();
	assert_int_equal(rules_settings_parse(sys, NULL, NULL, &t->set, &e), 0);
	t->facts = facts_random(sys, &t->seed);
	if (combat_new(sys, &t->set, t->facts, &t->c, &e) != 0)
		fail_msg("%s: %s: %s", sys->id, e.where, e.text);
}

/* Frees what contract_open() made. */
static void
contract_close(struct contract *t)
{
	combat_free(t->c);
	rules_settings_clear(&t->set);
	json_decref(t->facts);
	json_decref(t->decisions);
}

/* The events from number `from` on as text; free() frees it. */
static char *
contract_events(struct combat *c, size_t from)
{
	json_t *events = NULL;
	struct buf b;
	char *text;

	assert_int_equal(combat_events(c, from, &events), 0);
	buf_init(&b, 0);
	js_dump(events, &b);
	json_decref(events);
	text = buf_take(&b, NULL);
	assert_non_null(text);
	return (text);
}

/* Runs with dice; returns whether a question is open. */
static bool
contract_run(struct contract *t)
{
	struct errinfo e = {.text = ""};

	if (combat_run(t->c, &t->dice, &e) != 0)
		fail_msg("%s: %s", t->sys->id, e.text);
	assert_true(combat_status(t->c) == COMBAT_PENDING ||
	    combat_status(t->c) == COMBAT_RESOLVED);
	return (combat_status(t->c) == COMBAT_PENDING);
}

/* Answers the open question by chance. */
static void
contract_answer(struct contract *t)
{
	const struct question_pick p = {chance_pick_cb, &t->seed};
	json_t *decision = NULL;
	struct errinfo e = {.text = ""};

	assert_int_equal(combat_sample(t->c, &p, &decision), 0);
	if (combat_answer(t->c, decision, &e) != 0)
		fail_msg("%s: %s: %s", t->sys->id, e.where, e.text);
	assert_int_equal(json_array_append_new(t->decisions, decision), 0);
}

/* Plays to the end. */
static void
contract_play(struct contract *t)
{
	int asked = 0;

	while (contract_run(t)) {
		assert_true(++asked <= COMBAT_GIVEN_MAX);
		contract_answer(t);
	}
}

static void
the_same_input_gives_the_same_bytes(void **state)
{
	const struct rules_system *const *sys;
	struct contract one, two;
	char *first, *second;
	uint64_t seed;

	(void)state;
	for (sys = systems_all(); *sys != NULL; sys++) {
		for (seed = 0; seed < contract_combats(); seed++) {
			contract_open(&one, *sys, seed);
			contract_open(&two, *sys, seed);
			contract_play(&one);
			contract_play(&two);
			first = contract_events(one.c, 0);
			second = contract_events(two.c, 0);
			assert_string_equal(first, second);
			free(first);
			free(second);
			contract_close(&one);
			contract_close(&two);
		}
	}
}

/* Decisions that are lawful nowhere, made of the lawful one. */
static json_t *
contract_spoil(const json_t *decision, int how)
{
	json_t *bad = json_deep_copy(decision), *v;
	const char *name;
	void *tmp;

	switch (how) {
	case 0:
		facts_put(bad, "kind", json_string("no-such-kind"));
		return (bad);
	case 1:
		facts_put(bad, "no-such-member", json_true());
		return (bad);
	case 2:
		(void)json_object_del(bad, "kind");
		return (bad);
	case 3:
		json_decref(bad);
		return (json_array());
	case 4: /* its members are of other types */
		json_object_foreach_safe(bad, tmp, name, v)
		{
			if (strcmp(name, "kind") != 0)
				facts_put(bad, name, json_real(1.5));
		}
		return (bad);
	default: /* lists name a unit that is not there */
		json_object_foreach(bad, name, v)
		{
			if (json_is_array(v))
				(void)json_array_append_new(
				    v, json_string("no-such-unit"));
			else if (strcmp(name, "kind") != 0)
				facts_put(bad, "no-such-member", json_true());
		}
		return (bad);
	}
}

static void
a_refused_decision_changes_nothing(void **state)
{
	const struct question_pick p = {chance_pick_cb, &(uint64_t){7}};
	const struct rules_system *const *sys;
	json_t *asked, *bad, *decision;
	struct contract t;
	struct errinfo e;
	char *after, *before;
	uint64_t seed;
	size_t rolls;
	int how;

	(void)state;
	for (sys = systems_all(); *sys != NULL; sys++) {
		for (seed = 0; seed < contract_combats(); seed++) {
			contract_open(&t, *sys, seed);
			while (contract_run(&t)) {
				before = contract_events(t.c, 0);
				rolls = combat_roll_count(t.c);
				asked = combat_asked(t.c);
				assert_int_equal(
				    combat_sample(t.c, &p, &decision), 0);
				for (how = 0; how < 6; how++) {
					bad = contract_spoil(decision, how);
					assert_int_equal(
					    combat_answer(t.c, bad, &e),
					    ERR_INVALID);
					assert_memory_equal(
					    e.where, "decision", 8);
					json_decref(bad);
				}
				json_decref(decision);
				assert_int_equal(
				    combat_status(t.c), COMBAT_PENDING);
				bad = combat_asked(t.c);
				assert_true(json_equal(bad, asked));
				json_decref(bad);
				json_decref(asked);
				assert_int_equal(combat_roll_count(t.c), rolls);
				after = contract_events(t.c, 0);
				assert_string_equal(before, after);
				free(before);
				free(after);
				contract_answer(&t);
			}
			contract_close(&t);
		}
	}
}

static void
an_answer_that_is_taken_back_leaves_no_trace(void **state)
{
	const struct rules_system *const *sys;
	struct contract t;
	char *after, *before;
	uint64_t seed;

	(void)state;
	for (sys = systems_all(); *sys != NULL; sys++) {
		for (seed = 0; seed < contract_combats(); seed++) {
			contract_open(&t, *sys, seed);
			while (contract_run(&t)) {
				before = contract_events(t.c, 0);
				contract_answer(&t);
				assert_int_equal(
				    combat_run(t.c, NULL, NULL), 0);
				combat_unanswer(t.c);
				assert_int_equal(
				    combat_run(t.c, NULL, NULL), 0);
				after = contract_events(t.c, 0);
				assert_string_equal(before, after);
				free(before);
				free(after);
				contract_answer(&t);
			}
			contract_close(&t);
		}
	}
}

static void
what_a_line_adds_is_the_tail_of_the_events(void **state)
{
	const struct rules_system *const *sys;
	struct contract t;
	json_t *all, *grown, *tail;
	uint64_t seed;
	bool is_open, is_second;

	(void)state;
	for (sys = systems_all(); *sys != NULL; sys++) {
		for (seed = 0; seed < contract_combats(); seed++) {
			contract_open(&t, *sys, seed);
			grown = json_array();
			do {
				is_open = contract_run(&t);
				assert_int_equal(
				    combat_events(
					t.c, json_array_size(grown), &tail),
				    0);
				/* Secret questions are put together. */
				is_second = is_open &&
				    combat_asked_secret(t.c) &&
				    combat_asked_side(t.c) == COMBAT_DEFENDER;
				assert_int_equal(
				    json_array_size(tail) == 0, is_second);
				assert_int_equal(
				    json_array_extend(grown, tail), 0);
				json_decref(tail);
				tail = json_array_get(
				    grown, json_array_size(grown) - 1);
				assert_string_equal(
				    json_string_value(
					json_object_get(tail, "e")),
				    is_open ? "ask" : "result");
				if (is_open)
					contract_answer(&t);
			} while (is_open);
			assert_int_equal(combat_events(t.c, 0, &all), 0);
			assert_true(json_equal(all, grown));
			json_decref(all);
			json_decref(grown);
			contract_close(&t);
		}
	}
}

/* Checks that the system's forms have the labels of all rolls. */
static void
contract_check_labels(const struct rules_system *sys, const json_t *rolls)
{
	struct rules_rolled rolled;
	const char *label;
	const json_t *v;
	size_t i;

	json_array_foreach(rolls, i, v)
	{
		label = json_string_value(json_object_get(v, "label"));
		if (json_object_get(v, "sides") != NULL &&
		    !rules_show_roll(show_list_find(sys), label, &rolled))
			fail_msg("%s rolls '%s'", sys->id, label);
	}
}

static void
what_is_saved_gives_the_same_combat_again(void **state)
{
	const struct rules_system *const *sys;
	char *first, *second;
	json_t *decision, *rolls;
	struct contract t;
	struct combat *c;
	uint64_t seed;
	size_t i;

	(void)state;
	for (sys = systems_all(); *sys != NULL; sys++) {
		for (seed = 0; seed < contract_combats(); seed++) {
			contract_open(&t, *sys, seed);
			contract_play(&t);
			first = contract_events(t.c, 0);
			assert_int_equal(combat_rolls(t.c, 0, &rolls), 0);
			assert_int_equal(
			    combat_new(*sys, &t.set, t.facts, &c, NULL), 0);
			assert_int_equal(
			    combat_restore_rolls(c, rolls, NULL), 0);
			contract_check_labels(*sys, rolls);
			json_decref(rolls);
			json_array_foreach(t.decisions, i, decision)
			{
				assert_int_equal(combat_run(c, NULL, NULL), 0);
				assert_int_equal(
				    combat_answer(c, decision, NULL), 0);
			}
			assert_int_equal(combat_run(c, NULL, NULL), 0);
			assert_int_equal(combat_status(c), COMBAT_RESOLVED);
			second = contract_events(c, 0);
			assert_string_equal(first, second);
			free(first);
			free(second);
			combat_free(c);
			contract_close(&t);
		}
	}
}

static void
the_facts_of_the_first_event_are_complete_facts(void **state)
{
	const struct rules_system *const *sys;
	json_t *events, *facts;
	struct contract t;
	struct combat *c;
	char *first, *second;
	uint64_t seed;

	(void)state;
	for (sys = systems_all(); *sys != NULL; sys++) {
		for (seed = 0; seed < contract_combats(); seed++) {
			contract_open(&t, *sys, seed);
			assert_int_equal(combat_run(t.c, NULL, NULL), 0);
			first = contract_events(t.c, 0);
			assert_int_equal(combat_events(t.c, 0, &events), 0);
			facts = json_array_get(events, 0);
			assert_int_equal(json_object_del(facts, "e"), 0);
			assert_int_equal(
			    combat_new(*sys, &t.set, facts, &c, NULL), 0);
			assert_int_equal(combat_run(c, NULL, NULL), 0);
			second = contract_events(c, 0);
			assert_string_equal(first, second);
			free(first);
			free(second);
			json_decref(events);
			combat_free(c);
			contract_close(&t);
		}
	}
}

static void
a_run_allocates_nothing(void **state)
{
	const struct rules_system *const *sys;
	struct combat_policy policy = {.decide = contract_decide_cb};
	size_t calls, events = 0;
	struct contract t;
	uint64_t seed;
	int i;

	(void)state;
	for (sys = systems_all(); *sys != NULL; sys++) {
		for (seed = 0; seed < contract_combats() / 10; seed++) {
			contract_open(&t, *sys, seed);
			policy.arg = &t.seed;
			combat_set_policy(t.c, &policy);
			combat_set_sink(t.c,
			    seed % 2 == 0 ? NULL : contract_sink_cb, &events);
			alloc_start(-1);
			for (i = 0; i < 100; i++) {
				combat_reset(t.c);
				if (contract_run(&t))
					fail();
			}
			calls = alloc_calls;
			assert_int_equal(calls, 0);
			contract_close(&t);
		}
	}
	assert_true(events > 0);
	/* The counting itself works. */
	alloc_start(-1);
	free(malloc(1));
	json_decref(json_object());
	assert_true(alloc_calls >= 2);
}

/* How many combats the random player plays of each system. */
static uint64_t
contract_count(void)
{
	const char *text = getenv("UMPIRE_COMBATS");
	unsigned long long n;
	char *end;

	if (text == NULL)
		return (getenv("UMPIRE_SLOW") != NULL   ? CONTRACT_RANDOM_SLOW
			: getenv("UMPIRE_LONG") != NULL ? CONTRACT_RANDOM_LONG
							: CONTRACT_RANDOM);
	n = strtoull(text, &end, 10);
	if (end == text || *end != '\0' || n == 0)
		fail_msg("UMPIRE_COMBATS=%s is no number of combats", text);
	return (n);
}

/* Puts each ruling of *set to one of its values, by chance. */
static void
contract_rule(struct rules_settings *set, uint64_t *seed)
{
	const struct rules_ruling *ruling;
	uint32_t n;
	size_t i;

	for (i = 0; i < set->sys->n_rulings; i++) {
		ruling = &set->sys->rulings[i];
		if (ruling->is_bool)
			n = 2;
		else if (ruling->n_numbers > 0)
			n = (uint32_t)ruling->n_numbers;
		else
			for (n = 0; ruling->words[n] != NULL; n++)
				;
		set->rulings[i] = (int)chance_pick_cb(seed, n);
		if (ruling->n_numbers > 0)
			set->rulings[i] = ruling->numbers[set->rulings[i]];
	}
}

/* Answers by chance, and by way of text: as a player's client does it. */
static void
contract_answer_text(struct contract *t)
{
	const struct question_pick p = {chance_pick_cb, &t->seed};
	json_t *back = NULL, *decision = NULL;
	struct errinfo e = {.text = ""};
	struct buf b;

	if (combat_sample(t->c, &p, &decision) != 0)
		fail_msg("%s: nothing lawful is found for \"%s\"", t->sys->id,
		    combat_asked_kind(t->c));
	buf_init(&b, 0);
	js_dump(decision, &b);
	assert_int_equal(
	    js_load(buf_str(&b), b.len, JS_DEPTH_RECORD, &back, &e), 0);
	assert_true(json_equal(decision, back));
	if (combat_answer(t->c, back, &e) != 0)
		fail_msg(
		    "%s: %s: %s: %s", t->sys->id, buf_str(&b), e.where, e.text);
	buf_clear(&b);
	json_decref(back);
	json_decref(decision);
}

/*
 * Plays a combat of these facts to its end; the events as text, which free()
 * frees.  *set may be other rulings than the facts were made for: then they
 * may be refused, and NULL is returned.
 */
static char *
contract_random_play(const struct rules_settings *set, bool is_default,
    const json_t *facts, uint64_t seed)
{
	struct contract t = {.sys = set->sys, .seed = seed};
	struct errinfo e = {.text = ""};
	int asked = 0;
	char *text;

	t.dice.roll = chance_roll_cb;
	t.dice.draw = chance_draw_cb;
	t.dice.arg = &t.seed;
	if (combat_new(t.sys, set, facts, &t.c, &e) != 0) {
		if (is_default)
			fail_msg("%s: %s: %s", t.sys->id, e.where, e.text);
		return (NULL);
	}
	while (contract_run(&t)) {
		assert_true(++asked <= COMBAT_GIVEN_MAX);
		contract_answer_text(&t);
	}
	text = contract_events(t.c, 0);
	combat_free(t.c);
	return (text);
}

static void
the_random_player_never_meets_a_dead_end(void **state)
{
	const struct rules_system *const *sys;
	struct rules_settings defaults, set;
	uint64_t count = contract_count(), i, seed;
	char *first, *second;
	json_t *facts;

	(void)state;
	for (sys = systems_all(); *sys != NULL; sys++) {
		assert_int_equal(
		    rules_settings_parse(*sys, NULL, NULL, &defaults, NULL), 0);
		for (i = 0; i < count; i++) {
			seed = ~i; /* others than the tests above have */
			facts = facts_random(*sys, &seed);
			/* A copy that borrows the data. */
			set = defaults;
			if (i % 2 == 1)
				contract_rule(&set, &seed);
			first =
			    contract_random_play(&set, i % 2 == 0, facts, seed);
			second =
			    contract_random_play(&set, i % 2 == 0, facts, seed);
			assert_true((first == NULL) == (second == NULL));
			if (first != NULL)
				assert_string_equal(first, second);
			free(first);
			free(second);
			json_decref(facts);
		}
		rules_settings_clear(&defaults);
	}
}

/* Every word of the open question's kind answers it lawfully. */
static void
contract_words(struct contract *t)
{
	const struct rules_policy *p;
	const char *kind = combat_asked_kind(t->c);
	struct errinfo e = {.text = ""};
	json_t *decision = NULL;
	int word;

	p = rules_policy_find(t->sys, kind);
	assert_non_null(p);
	assert_int_equal(
	    combat_asked_secret(t->c), rules_is_secret(t->sys, kind));
	for (word = 0; p->words[word] != NULL; word++) {
		assert_int_equal(rules_policy_word(p, p->words[word]), word);
		assert_int_equal(
		    combat_policy_answer(t->c, word, &decision), 0);
		assert_string_equal(
		    json_string_value(json_object_get(decision, "kind")), kind);
		if (combat_check_of(
			t->c, combat_asked_side(t->c), decision, &e) != 0)
			fail_msg("%s, %s %s: %s: %s", t->sys->id, kind,
			    p->words[word], e.where, e.text);
		json_decref(decision);
	}
	assert_int_equal(
	    combat_policy_answer(t->c, word, &decision), ERR_NOTFOUND);
	assert_int_equal(
	    combat_policy_answer(t->c, -1, &decision), ERR_NOTFOUND);
	assert_int_equal(rules_policy_word(p, "perhaps"), -1);
}

static void
every_word_of_a_policy_answers_its_questions(void **state)
{
	const struct rules_system *const *sys;
	struct contract t;
	uint64_t seed;

	(void)state;
	for (sys = systems_all(); *sys != NULL; sys++) {
		assert_null(rules_policy_find(*sys, "perhaps"));
		assert_false(rules_is_secret(*sys, "perhaps"));
		for (seed = 0; seed < contract_combats(); seed++) {
			contract_open(&t, *sys, seed);
			while (contract_run(&t)) {
				contract_words(&t);
				contract_answer(&t);
			}
			contract_close(&t);
		}
	}
}

/* Every kind of question says whether it states facts; these do, no others. */
static void
kinds_that_state_facts_are_marked(void **state)
{
	static const struct {
		const char *system, *kinds;
	} facts[] = {
	    {"imagi-nations", ""},
	    {"invasion-1812",
		"withdraw-before withdraw forced-withdraw commander-escape "},
	    {"lasalle2", "stagger "},
	    {"leniston-2009", ""},
	    {"tlnb", "retreat retreat-option "},
	};
	const struct rules_system *const *sys;
	const struct rules_policy *p;
	char kinds[256];
	size_t i, n = 0;

	(void)state;
	for (sys = systems_all(); *sys != NULL; sys++, n++) {
		kinds[0] = '\0';
		for (p = (*sys)->policies; p->kind != NULL; p++) {
			if (p->is_fact != RULES_FACT_NO &&
			    p->is_fact != RULES_FACT_YES)
				fail_msg("%s: %s is not marked", (*sys)->id,
				    p->kind);
			if (p->is_fact == RULES_FACT_NO)
				continue;
			assert_true(strlen(kinds) + strlen(p->kind) + 2 <=
			    sizeof(kinds));
			strncat(kinds, p->kind, sizeof(kinds) - 1);
			strncat(kinds, " ", sizeof(kinds) - 1);
		}
		for (i = 0; strcmp(facts[i].system, (*sys)->id) != 0; i++)
			assert_true(i + 1 < sizeof(facts) / sizeof(facts[0]));
		assert_string_equal(kinds, facts[i].kinds);
	}
	assert_int_equal(n, sizeof(facts) / sizeof(facts[0]));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_same_input_gives_the_same_bytes),
	    cmocka_unit_test(a_refused_decision_changes_nothing),
	    cmocka_unit_test(an_answer_that_is_taken_back_leaves_no_trace),
	    cmocka_unit_test(what_a_line_adds_is_the_tail_of_the_events),
	    cmocka_unit_test(what_is_saved_gives_the_same_combat_again),
	    cmocka_unit_test(the_facts_of_the_first_event_are_complete_facts),
	    cmocka_unit_test(every_word_of_a_policy_answers_its_questions),
	    cmocka_unit_test(kinds_that_state_facts_are_marked),
	    cmocka_unit_test(a_run_allocates_nothing),
	    cmocka_unit_test(the_random_player_never_meets_a_dead_end),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
