/* SPDX-License-Identifier: ISC */
/*
 * Scenario files: `umpire resolve` runs them, and the tests of the systems are
 * written as such.  A script's dice are complete if it has any: a roll that is
 * not there is refused, never made up.
 */
#include "common/rules/show/scenario.h"

#include <stdio.h>
#include <string.h>

#include "common/json/js.h"
#include "common/rules/combat.h"
#include "common/rules/rules.h"
#include "common/rules/systems/systems.h"

/* A scenario while it runs; everything is borrowed from the file. */
struct scenario {
	const json_t *combat;
	const json_t *rulings;
	const json_t *tables;
	const json_t *dice;
	const json_t *chits;
	const json_t *decisions;
	size_t next_chit;
	const struct combat_dice *fallback;
};

static const struct js_at scenario_at_script = {.name = "script"};

/* Takes a roll from the script; without dice there, from the fallback. */
static int
scenario_roll_cb(void *arg, const char *label, unsigned sides, unsigned count,
    uint16_t *dice, struct errinfo *e)
{
	const struct js_at at_dice = {
	    .up = &scenario_at_script,
	    .name = "dice",
	};
	const struct js_at at = {.up = &at_dice, .name = label};
	struct js_at at_i = {.up = &at};
	const struct scenario *s = arg;
	const json_t *die, *list;
	int r;

	if (s->dice == NULL && s->fallback == NULL)
		return (err_set(e, ERR_DICE, NULL,
		    "\"%s\" must be rolled and there are no dice", label));
	if (s->dice == NULL)
		return (s->fallback->roll(
		    s->fallback->arg, label, sides, count, dice, e));
	if ((r = js_get_array(s->dice, label, &at_dice, &list, e)) != 0)
		return (r);
	if (json_array_size(list) != count)
		return (js_fail(&at, e, "must have %u %s", count,
		    count == 1 ? "die" : "dice"));
	for (; at_i.index < count; at_i.index++) {
		die = json_array_get(list, at_i.index);
		if (!json_is_integer(die) || json_integer_value(die) < 1 ||
		    json_integer_value(die) > (json_int_t)sides)
			return (js_fail(&at_i, e,
			    "must be an integer from 1 to %u", sides));
		dice[at_i.index] = (uint16_t)json_integer_value(die);
	}
	return (0);
}

/* Takes the script's next chit; without chits there, the fallback's. */
static int
scenario_draw_cb(void *arg, const char *label, const char *const *ids,
    unsigned n, const uint16_t *had, unsigned nhad, uint16_t *pick,
    struct errinfo *e)
{
	const struct js_at at = {.up = &scenario_at_script, .name = "chits"};
	struct js_at at_i = {.up = &at};
	struct scenario *s = arg;
	const char *id;
	unsigned i, j;

	if (s->chits == NULL && s->fallback == NULL)
		return (err_set(e, ERR_DICE, NULL,
		    "a chit must be drawn for \"%s\" and there is none to draw",
		    label));
	if (s->chits == NULL)
		return (s->fallback->draw(
		    s->fallback->arg, label, ids, n, had, nhad, pick, e));
	at_i.index = s->next_chit;
	id = json_string_value(json_array_get(s->chits, s->next_chit));
	if (id == NULL)
		return (js_fail(&at_i, e, "must be the id of a chit"));
	for (i = 0; i < n && strcmp(ids[i], id) != 0; i++)
		;
	if (i == n)
		return (js_fail(&at_i, e, "\"%s\" is not in the bag", id));
	for (j = 0; j < nhad; j++) {
		if (had[j] == i)
			return (js_fail(
			    &at_i, e, "\"%s\" has already been drawn", id));
	}
	s->next_chit++;
	*pick = (uint16_t)i;
	return (0);
}

/* Reads the script, if there is one. */
static int
scenario_read_script(struct scenario *s, const json_t *file, struct errinfo *e)
{
	static const char *const known[] = {"dice", "chits", "decisions", NULL};
	const struct js_at *at = &scenario_at_script;
	const json_t *script = NULL;
	int r;

	if ((r = js_opt_object(file, "script", NULL, &script, e)) != 0)
		return (r);
	if (script == NULL)
		return (0);
	if ((r = js_members(script, at, known, e)) != 0)
		return (r);
	if ((r = js_opt_object(script, "dice", at, &s->dice, e)) != 0)
		return (r);
	if ((r = js_opt_array(script, "chits", at, &s->chits, e)) != 0)
		return (r);
	return (js_opt_array(script, "decisions", at, &s->decisions, e));
}

/* Reads the file's members; the facts are left to the system. */
static int
scenario_read(struct scenario *s, const json_t *file,
    const struct rules_system **sys, struct errinfo *e)
{
	/* The last five are for the reader and for test suites. */
	static const char *const known[] = {"system", "rulings", "tables",
	    "combat", "script", "policy", "note", "expect", "expect_error",
	    "expect_where", "expect_pending", NULL};
	const char *id;
	int r;

	if ((r = js_members(file, NULL, known, e)) != 0)
		return (r);
	if ((r = js_get_str(file, "system", NULL, &id, e)) != 0)
		return (r);
	if ((*sys = systems_find(id)) == NULL)
		return (js_fail_member(
		    NULL, "system", e, "there is no system \"%s\"", id));
	if ((r = js_get_object(file, "combat", NULL, &s->combat, e)) != 0)
		return (r);
	if ((r = js_opt_object(file, "rulings", NULL, &s->rulings, e)) != 0)
		return (r);
	if ((r = js_opt_object(file, "tables", NULL, &s->tables, e)) != 0)
		return (r);
	return (scenario_read_script(s, file, e));
}

/* Gives the script's decision number i to the open question. */
static int
scenario_answer(
    const struct scenario *s, size_t i, struct combat *c, struct errinfo *e)
{
	struct errinfo own = {.where = ""};
	char where[sizeof(own.where)];
	int r;

	r = combat_answer(c, json_array_get(s->decisions, i), &own);
	if (r == 0)
		return (0);
	/* The combat calls it "decision"; say which of the script's it is. */
	(void)snprintf(where, sizeof(where), "script.decisions[%zu]%s", i,
	    own.where + strcspn(own.where, ".["));
	return (err_set(e, r, where, "%s", own.text));
}

/* Runs the combat as far as the script's decisions lead. */
static int
scenario_play(struct scenario *s, struct combat *c, struct errinfo *e)
{
	const struct combat_dice dice = {
	    .roll = scenario_roll_cb,
	    .draw = scenario_draw_cb,
	    .arg = s,
	};
	const struct js_at at = {
	    .up = &scenario_at_script,
	    .name = "decisions",
	};
	struct js_at at_i = {.up = &at};
	int r;

	for (;;) {
		if ((r = combat_run(c, &dice, e)) != 0)
			return (r);
		if (combat_status(c) != COMBAT_PENDING ||
		    at_i.index == json_array_size(s->decisions))
			break;
		if ((r = scenario_answer(s, at_i.index, c, e)) != 0)
			return (r);
		at_i.index++;
	}
	if (at_i.index < json_array_size(s->decisions))
		return (js_fail(&at_i, e, "no further decision is owed"));
	return (0);
}

/* Writes what came of it. */
static int
scenario_output(struct combat *c, json_t **output)
{
	const char *id = combat_system(c)->id;
	json_t *events, *o;
	int r;

	if ((r = combat_events(c, 0, &events)) != 0)
		return (r);
	if (combat_status(c) == COMBAT_RESOLVED)
		o = json_pack("{s:s, s:s, s:o, s:o}", "system", id, "status",
		    "resolved", "events", events, "result", combat_result(c));
	else
		o = json_pack("{s:s, s:s, s:o, s:o}", "system", id, "status",
		    "pending", "pending", combat_asked(c), "events", events);
	if (o == NULL)
		return (ERR_NOMEM);
	*output = o;
	return (0);
}

/* Reads a scenario and opens its combat. */
static int
scenario_begin(struct scenario *s, const json_t *file,
    const struct scenario_data *data, struct rules_settings *set,
    struct combat **c, struct errinfo *e)
{
	const struct js_at at_tables = {.name = "tables"};
	struct js_at at_data = {.up = NULL};
	const struct rules_system *sys;
	json_t *value = NULL;
	int r;

	if ((r = scenario_read(s, file, &sys, e)) != 0)
		return (r);
	at_data.name = sys->data_name;
	if ((r = rules_settings_parse(sys, s->rulings, NULL, set, e)) != 0)
		return (r);
	if (data != NULL && sys->data_name != NULL)
		r = data->find(data->arg, sys, &value, e);
	if (r == 0 && value != NULL)
		r = rules_settings_data(
		    set, sys->data_name, value, &at_data, e);
	json_decref(value);
	if (r == 0 && s->tables != NULL)
		r = rules_settings_data(
		    set, "tables", s->tables, &at_tables, e);
	if (r == 0)
		r = combat_new(sys, set, s->combat, c, e);
	if (r != 0)
		rules_settings_clear(set);
	return (r);
}

int
scenario_open(const json_t *file, const struct scenario_data *data,
    struct rules_settings *set, struct combat **c, struct errinfo *e)
{
	struct scenario s = {.combat = NULL};

	return (scenario_begin(&s, file, data, set, c, e));
}

int
scenario_run(const json_t *file, const struct scenario_data *data,
    const struct combat_dice *fallback, json_t **output, struct errinfo *e)
{
	struct scenario s = {.fallback = fallback};
	struct rules_settings set;
	struct combat *c;
	int r;

	if ((r = scenario_begin(&s, file, data, &set, &c, e)) != 0)
		return (r);
	if ((r = scenario_play(&s, c, e)) == 0)
		r = scenario_output(c, output);
	combat_free(c);
	rules_settings_clear(&set);
	return (r);
}
