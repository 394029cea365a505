/* SPDX-License-Identifier: ISC */
#include "tests/lib/toy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* What the test's systems do; set by each test. */
static int (*toy_rules)(struct combat *c);

const char *const toy_ids[3] = {"a", "b", "c"};

struct toy_luck toy_luck;

/* Reads the facts: the number n, 0 to 9. */
static int
toy_parse_cb(const json_t *combat, const struct rules_settings *set,
    void *facts, struct errinfo *e)
{
	const struct js_at at = {.name = "combat"};
	struct toy_facts *f = facts;

	(void)set;
	return (js_get_int(combat, "n", &at, 0, 9, &f->n, e));
}

/* The facts as JSON; new. */
static json_t *
toy_facts_cb(const struct combat *c)
{
	const struct toy_facts *f = combat_facts(c);

	return (json_pack("{s:I}", "n", (json_int_t)f->n));
}

/* Runs the rules of the test. */
static int
toy_run_cb(struct combat *c)
{
	return (toy_rules(c));
}

/* The result: what the rules have summed up; new. */
static json_t *
toy_result_cb(const struct combat *c)
{
	const struct toy_state *st = combat_state(c);

	return (json_pack("{s:i}", "sum", st->sum));
}

const struct rules_system toy_system = {
    .id = "toy",
    .version = "toy/1",
    .name = "Toy",
    .facts_size = sizeof(struct toy_facts),
    .state_size = sizeof(struct toy_state),
    .parse = toy_parse_cb,
    .facts = toy_facts_cb,
    .run = toy_run_cb,
    .result = toy_result_cb,
};

const struct rules_settings toy_settings = {.sys = &toy_system};

/* Rolls the die that the test has set, or fails as it says. */
static int
toy_roll_cb(void *arg, const char *label, unsigned sides, unsigned count,
    uint16_t *dice, struct errinfo *e)
{
	unsigned i;

	(void)arg;
	(void)label;
	(void)sides;
	toy_luck.calls++;
	if (toy_luck.error != 0)
		return (err_set(e, toy_luck.error, NULL, "no luck"));
	for (i = 0; i < count; i++)
		dice[i] = toy_luck.die;
	return (0);
}

/* Draws the number that the test has set, then the next one. */
static int
toy_draw_cb(void *arg, const char *label, const char *const *ids, unsigned n,
    const uint16_t *had, unsigned nhad, uint16_t *pick, struct errinfo *e)
{
	(void)arg;
	(void)label;
	(void)ids;
	(void)n;
	(void)had;
	toy_luck.calls++;
	toy_luck.had = nhad;
	if (toy_luck.error != 0)
		return (err_set(e, toy_luck.error, NULL, "no luck"));
	*pick = toy_luck.pick++;
	return (0);
}

const struct combat_dice toy_dice = {
    .roll = toy_roll_cb,
    .draw = toy_draw_cb,
};

struct combat *
toy_new(int (*rules)(struct combat *c))
{
	struct combat *c = NULL;
	json_t *facts = json_pack("{s:i}", "n", 1);

	memset(&toy_luck, 0, sizeof(toy_luck));
	toy_luck.die = 4;
	toy_rules = rules;
	assert_int_equal(
	    combat_new(&toy_system, &toy_settings, facts, &c, NULL), 0);
	json_decref(facts);
	assert_int_equal(combat_status(c), COMBAT_NEW);
	return (c);
}

int
toy_answer(struct combat *c, const char *text, struct errinfo *e)
{
	json_t *v = quoted_json(text);
	int r;

	r = combat_answer(c, v, e);
	json_decref(v);
	return (r);
}

void
toy_events_are(struct combat *c, size_t from, const char *text)
{
	json_t *events = NULL;

	assert_int_equal(combat_events(c, from, &events), 0);
	quoted_is(events, text);
}

int
toy_usual(struct combat *c)
{
	struct toy_state *st = combat_state(c);
	struct question_member m = question_some("units", toy_ids, 3, 0, 3);
	const struct event_field fields[] = {
	    event_text("why", NULL),
	    event_bool("is", true),
	};
	struct question_answer a;
	uint16_t dice[2], die;
	int r;

	assert_int_equal(st->sum, 0);
	if ((r = combat_roll(c, dice, 2, 6, "first/%s", "x")) != 0)
		return (r);
	st->sum = dice[0] + dice[1];
	if ((r = combat_decide(c, COMBAT_DEFENDER, "choose", &m, 1, &a)) != 0)
		return (r);
	st->sum += 100 * (int)a.n_items;
	if ((r = combat_roll(c, &die, 1, 10, "last")) != 0)
		return (r);
	st->sum += 10 * die;
	combat_emit(c, "note", fields, 2);
	return (0);
}

struct question_member toy_members[3];

size_t toy_n_members;

int
toy_ask(struct combat *c)
{
	struct toy_state *st = combat_state(c);
	struct question_answer a;
	int i, r;

	for (i = 0; i < 2; i++) {
		if ((r = combat_decide(c, COMBAT_ATTACKER,
			 i == 0 ? "one" : "two", toy_members, toy_n_members,
			 &a)) != 0)
			return (r);
		st->sum += a.number[0] + 10 * a.number[1];
	}
	return (0);
}
