/* SPDX-License-Identifier: ISC */
/*
 * The tables of inputs against the parsers, of every system: what a parser
 * reads and no roster gives is asked for somewhere, every word that is
 * offered is taken, no word that is taken is missing, and what is left out is
 * what the parser takes without it.  What is not asked for stands below, with
 * the reason.
 */
#include "common/rules/show/declare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fnmatch.h>

#include <cmocka.h>

#include "common/json/js.h"
#include "common/rules/combat.h"
#include "common/rules/schema.h"
#include "common/rules/show/rules_show.h"
#include "common/rules/show/show_list.h"
#include "common/rules/systems/systems.h"

#include "tests/lib/facts.h"

#define INPUT_FACTS 240 /* random facts of each system */
#define INPUT_REFUSED 24 /* in so many of them nothing else is taken */
#define INPUT_PATH_MAX 128
#define INPUT_PLACES_MAX 64
#define INPUT_WIDTH 72 /* columns of a question, or of a label */

/* Paths, in which # is any element, or words of them, that are not asked. */
static const struct {
	const char *system;
	const char *pattern;
	const char *why; /* for the reader of this table */
} input_exceptions[] = {
    {"imagi-nations", "attacker.objective", "it counts nothing (13.3)"},
    {"imagi-nations", "bag", "it is the game's (13.2)"},
    {"imagi-nations", "terrain=*", "any name will do"},
    {"invasion-1812", "*.fought", "the game keeps it (11.9)"},
    {"leniston-2009", "attacker.garrison", "it is refused (12.1)"},
    {"leniston-2009", "*.skirmished", "the game keeps it (12.8)"},
    {"leniston-2009", "follows_*", "likewise"},
    {"tlnb", "*.bombarded", "the game keeps it (14.9)"},
    {"tlnb", "*.overrunning", "likewise"},
    {"tlnb", "cavalry.#.*", "nothing but the odds counts (14.6)"},
    {"tlnb", "target.#.*", "likewise"},
    {"tlnb", "target.units.#.*", "it does not fight (14.5)"},
    {"tlnb", "*_stacked_artillery.#.*", "it takes no part"},
    {"tlnb", "target.chateau", "it is refused (14.5)"},
    {"tlnb", "across=none", "it is left out"},
};

#define INPUT_EXCEPTIONS \
	(sizeof(input_exceptions) / sizeof(input_exceptions[0]))

/* A row of a table and where its member stands. */
struct input_row {
	const struct declare_field *in;
	char path[INPUT_PATH_MAX];
	bool is_element; /* of a unit or a pair */
	enum combat_side side; /* of the combat's member that it is in */
};

#define INPUT_ROWS_MAX 128

/* One system: its rows, and random facts of it. */
struct input_case {
	const struct rules_system *sys;
	struct rules_settings set;
	struct input_row rows[INPUT_ROWS_MAX];
	size_t n_rows;
	json_t *facts[INPUT_FACTS];
	json_t *values; /* member -> words that facts have there */
};

/* Adds the rows of a table under a path; constants are no deeper. */
static void
input_gather(struct input_case *t, const struct declare_field *inputs,
    const char *up, bool is_element, enum combat_side side)
{
	const struct declare_field *in;
	char path[INPUT_PATH_MAX];

	for (in = inputs; in != NULL && in->name != NULL; in++) {
		struct input_row *row = &t->rows[t->n_rows];

		if (*up == '\0')
			side = in->side;
		if (!declare_is_for(in->when, side))
			continue;
		t->n_rows++;
		assert_true(t->n_rows < INPUT_ROWS_MAX);
		row->side = side;
		row->in = in;
		row->is_element = is_element;
		(void)snprintf(row->path, sizeof(row->path), "%s%s%s", up,
		    *up == '\0' ? "" : ".", in->name);
		(void)snprintf(path, sizeof(path), "%s%s", row->path,
		    in->type == DECLARE_OBJECT || in->type == DECLARE_UNIT
			? ""
			: ".#");
		input_gather(t, in->members, path,
		    in->type == DECLARE_UNITS || in->type == DECLARE_PAIRS,
		    side);
	}
}

/* Notes the words that a member has. */
static void
input_note(struct input_case *t, const char *name, const json_t *v)
{
	json_t *words = json_object_get(t->values, name), *item;
	const char *key;
	size_t i;

	if (words == NULL) {
		words = json_object();
		facts_put(t->values, name, words);
	}
	if (json_is_string(v))
		facts_put(words, json_string_value(v), json_true());
	json_array_foreach(v, i, item)
	{
		if (json_is_string(item))
			facts_put(words, json_string_value(item), json_true());
	}
	json_object_foreach((json_t *)(uintptr_t)v, key, item)
	    input_note(t, key, item);
	if (json_is_object(json_array_get(v, 0))) {
		json_array_foreach(v, i, item) input_note(t, name, item);
	}
}

/* Opens a system with random facts, all of them lawful. */
static void
input_open(struct input_case *t, const struct rules_system *sys)
{
	struct errinfo e = {.text = ""};
	uint64_t seed = 12;
	size_t i;

	memset(t, 0, sizeof(*t));
	t->sys = sys;
	assert_int_equal(rules_settings_parse(sys, NULL, NULL, &t->set, &e), 0);
	input_gather(
	    t, show_list_find(sys)->inputs, "", false, COMBAT_ATTACKER);
	t->values = json_object();
	for (i = 0; i < INPUT_FACTS; i++) {
		t->facts[i] = facts_random(sys, &seed);
		input_note(t, "combat", t->facts[i]);
	}
}

/* Frees it. */
static void
input_close(struct input_case *t)
{
	size_t i;

	for (i = 0; i < INPUT_FACTS; i++)
		json_decref(t->facts[i]);
	json_decref(t->values);
	rules_settings_clear(&t->set);
}

/* The facts in full, new, if the parser takes them; NULL if it does not. */
static json_t *
input_parse(const struct input_case *t, const json_t *facts)
{
	struct errinfo e = {.text = ""};
	struct combat *c;
	json_t *v;
	int r;

	r = combat_new(t->sys, &t->set, facts, &c, &e);
	if (r != 0) {
		assert_int_equal(r, ERR_INVALID);
		return (NULL);
	}
	v = t->sys->facts(c);
	assert_non_null(v);
	combat_free(c);
	return (v);
}

/* True for a path, or a word of it, that is excepted; that it was is noted. */
static bool
input_is_excepted(
    const struct input_case *t, const char *path, bool used[INPUT_EXCEPTIONS])
{
	bool is = false;
	size_t i;

	for (i = 0; i < INPUT_EXCEPTIONS; i++) {
		if (strcmp(input_exceptions[i].system, t->sys->id) == 0 &&
		    fnmatch(input_exceptions[i].pattern, path, 0) == 0)
			is = used[i] = true;
	}
	return (is);
}

/* True for what the rosters give: a unit's own, a commander's, a battery's. */
static bool
input_is_roster(
    const struct rules_system *sys, const json_t *obj, const char *name)
{
	const struct schema_row *row;

	if (json_object_get(obj, "id") == NULL)
		return (false);
	if (schema_find(sys->commander, name) != NULL)
		return (true);
	row = schema_find(sys->unit, name);
	return (row != NULL && (row->in & SCHEMA_GIVEN) != 0);
}

/* The first row of a path from number i on; NULL if there is none. */
static const struct input_row *
input_row(const struct input_case *t, const char *path, size_t *i)
{
	for (; *i < t->n_rows; (*i)++) {
		if (strcmp(t->rows[*i].path, path) == 0)
			return (&t->rows[(*i)++]);
	}
	return (NULL);
}

/* True if a row of the path offers this word, or any. */
static bool
input_has_word(const struct input_case *t, const char *path, const char *word)
{
	const struct input_row *row;
	const struct declare_word *w;
	size_t i = 0;

	while ((row = input_row(t, path, &i)) != NULL) {
		if (row->in->type == DECLARE_TEXT)
			return (true);
		for (w = row->in->words; w != NULL && w->word != NULL; w++) {
			if (strcmp(w->word, word) == 0)
				return (true);
		}
	}
	return (false);
}

/* Sees that the words of a value are offered. */
static void
input_words(const struct input_case *t, const char *path, const json_t *v,
    bool used[INPUT_EXCEPTIONS])
{
	char name[2 * INPUT_PATH_MAX];
	const char *key;
	json_t *item;
	size_t i;

	if (json_is_string(v)) {
		(void)snprintf(
		    name, sizeof(name), "%s=%s", path, json_string_value(v));
		if (!input_has_word(t, path, json_string_value(v)) &&
		    !input_is_excepted(t, name, used))
			fail_msg("%s: %s is not offered", t->sys->id, name);
	}
	json_array_foreach(v, i, item)
	{
		if (json_is_string(item))
			input_words(t, path, item, used);
	}
	i = 0;
	if (!json_is_object(v) ||
	    input_row(t, path, &i)->in->type != DECLARE_FLAGS)
		return;
	json_object_foreach((json_t *)(uintptr_t)v, key, item)
	{
		if (!input_has_word(t, path, key))
			fail_msg("%s: %s has %s", t->sys->id, path, key);
	}
}

/* True if the path is an end of a pair. */
static bool
input_is_end(const struct input_case *t, const char *up, const char *name)
{
	char path[INPUT_PATH_MAX];
	const struct input_row *row;
	size_t i = 0;

	(void)snprintf(path, sizeof(path), "%s", up);
	if (strlen(path) < 2)
		return (false);
	path[strlen(path) - 2] = '\0';
	if ((row = input_row(t, path, &i)) == NULL ||
	    row->in->type != DECLARE_PAIRS)
		return (false);
	return (strcmp(row->in->ends->members[0], name) == 0 ||
	    strcmp(row->in->ends->members[1], name) == 0);
}

/* Sees that each member of an object is asked for, and so on inwards. */
static void
input_cover(const struct input_case *t, const json_t *obj, const char *up,
    bool used[INPUT_EXCEPTIONS])
{
	char path[INPUT_PATH_MAX], of[INPUT_PATH_MAX];
	const struct input_row *row;
	const char *name;
	json_t *item, *v;
	size_t i;

	json_object_foreach((json_t *)(uintptr_t)obj, name, v)
	{
		if (input_is_roster(t->sys, obj, name) ||
		    input_is_end(t, up, name))
			continue;
		(void)snprintf(path, sizeof(path), "%s%s%s", up,
		    *up == '\0' ? "" : ".", name);
		i = 0;
		if ((row = input_row(t, path, &i)) == NULL) {
			if (!input_is_excepted(t, path, used))
				fail_msg("%s: %s is not asked for", t->sys->id,
				    path);
			continue;
		}
		input_words(t, path, v, used);
		if (json_is_object(v) && row->in->type != DECLARE_FLAGS)
			input_cover(t, v, path, used);
		(void)snprintf(
		    of, sizeof(of), "%.*s.#", (int)sizeof(path) - 3, path);
		json_array_foreach(v, i, item)
		{
			if (json_is_object(item))
				input_cover(t, item, of, used);
		}
	}
}

static void
what_a_parser_reads_is_asked_for(void **state)
{
	const struct rules_system *const *sys;
	bool used[INPUT_EXCEPTIONS] = {false};
	struct input_case t;
	json_t *full;
	size_t i;

	(void)state;
	for (sys = systems_all(); *sys != NULL; sys++) {
		input_open(&t, *sys);
		for (i = 0; i < INPUT_FACTS; i++) {
			/* As they were given, and with their defaults. */
			input_cover(&t, t.facts[i], "", used);
			assert_non_null(full = input_parse(&t, t.facts[i]));
			input_cover(&t, full, "", used);
			json_decref(full);
		}
		input_close(&t);
	}
	for (i = 0; i < INPUT_EXCEPTIONS; i++) {
		if (!used[i])
			fail_msg("%s: %s is no exception",
			    input_exceptions[i].system,
			    input_exceptions[i].pattern);
	}
}

/* Collects the objects in v whose member is meant by a path. */
static size_t
input_places(json_t *v, const char *path, json_t **places, size_t n)
{
	const char *dot = strchr(path, '.');
	char name[INPUT_PATH_MAX];
	json_t *item;
	size_t i;

	if (dot == NULL) {
		if (json_is_object(v) && n < INPUT_PLACES_MAX)
			places[n++] = v;
		return (n);
	}
	(void)snprintf(name, sizeof(name), "%.*s", (int)(dot - path), path);
	if (strcmp(name, "#") != 0)
		return (
		    input_places(json_object_get(v, name), dot + 1, places, n));
	json_array_foreach(v, i, item) n =
	    input_places(item, dot + 1, places, n);
	return (n);
}

/* The value that says a word (or a number, a text, yes); new. */
static json_t *
input_value(const struct declare_field *in, const char *word)
{
	switch (in->type) {
	case DECLARE_WORDS:
		return (json_pack("[s]", word));
	case DECLARE_FLAGS:
		return (json_pack("{s:b}", word, 1));
	case DECLARE_NUMBER:
		return (json_integer(strtoll(word, NULL, 10)));
	case DECLARE_YES:
		return (json_boolean(strcmp(word, "true") == 0));
	default:
		return (json_string(word));
	}
}

/* True if a row, and a word of it, are offered at a place in facts. */
static bool
input_is_offered(const struct input_row *row, const char *when,
    const json_t *place, const json_t *facts)
{
	const json_t *const scopes[] = {place, facts};

	return (declare_holds(row->in->when, row->side, scopes, 2) &&
	    declare_holds(when, row->side, scopes, 2));
}

/*
 * Says a word, which is offered under a condition, at a row's place in many
 * facts; how often the parser took it.  It stops at the first, if one is
 * enough; *n_places is how often it could be said.
 */
static size_t
input_say(const struct input_case *t, const struct input_row *row,
    const char *word, const char *when, size_t most, bool is_one,
    size_t *n_places)
{
	const char *name = row->in->name;
	json_t *facts, *full, *places[INPUT_PLACES_MAX];
	size_t i, k, n, taken = 0;

	*n_places = 0;
	for (i = 0; i < most && (taken == 0 || !is_one); i++) {
		facts = json_deep_copy(t->facts[i]);
		n = input_places(facts, row->path, places, 0);
		for (k = 0; k < n && (taken == 0 || !is_one); k++) {
			json_t *had;

			if (!input_is_offered(row, when, places[k], facts))
				continue;
			(*n_places)++;
			had = json_incref(json_object_get(places[k], name));
			facts_put(places[k], name, input_value(row->in, word));
			full = input_parse(t, facts);
			taken += full != NULL;
			json_decref(full);
			if (had != NULL)
				facts_put(places[k], name, had);
			else
				(void)json_object_del(places[k], name);
		}
		json_decref(facts);
	}
	return (taken);
}

/*
 * Sees that a word is taken in some facts.  A table of words may serve two
 * rows, one of which never meets the word's condition.
 */
static void
input_takes(const struct input_case *t, const struct input_row *row,
    const char *word, const char *when)
{
	size_t n;

	if (input_say(t, row, word, when, INPUT_FACTS, true, &n) == 0 &&
	    (n > 0 || when == NULL))
		fail_msg("%s: %s \"%s\" is never taken", t->sys->id, row->path,
		    word);
}

/* Sees that a word is taken in no facts. */
static void
input_refuses(
    const struct input_case *t, const struct input_row *row, const char *word)
{
	size_t n;

	if (input_say(t, row, word, NULL, INPUT_REFUSED, false, &n) != 0)
		fail_msg("%s: %s \"%s\" is taken", t->sys->id, row->path, word);
}

/* Sees that a row's numbers are the parser's. */
static void
input_numbers(const struct input_case *t, const struct input_row *row)
{
	const long long lo = row->in->lo, hi = row->in->hi;
	char number[32];

	(void)snprintf(number, sizeof(number), "%lld", lo);
	input_takes(t, row, number, NULL);
	(void)snprintf(number, sizeof(number), "%lld", hi);
	input_takes(t, row, number, NULL);
	(void)snprintf(number, sizeof(number), "%lld", lo - 1);
	input_refuses(t, row, number);
	(void)snprintf(number, sizeof(number), "%lld", hi + 1);
	input_refuses(t, row, number);
}

static void
what_is_offered_is_taken(void **state)
{
	const struct rules_system *const *sys;
	const struct input_row *row;
	const struct declare_word *w;
	struct input_case t;
	size_t i;

	(void)state;
	for (sys = systems_all(); *sys != NULL; sys++) {
		input_open(&t, *sys);
		for (i = 0; i < t.n_rows; i++) {
			row = &t.rows[i];
			if (row->in->type == DECLARE_YES)
				input_takes(&t, row, "true", NULL);
			if (row->in->type == DECLARE_TEXT)
				input_takes(&t, row, "some text", NULL);
			if (row->in->type == DECLARE_NUMBER)
				input_numbers(&t, row);
			for (w = row->in->words; w != NULL && w->word != NULL;
			     w++)
				input_takes(&t, row, w->word, w->when);
			if (row->in->words != NULL && row->in->is_open)
				input_takes(&t, row, "quarry", NULL);
			else if (row->in->words != NULL)
				input_refuses(&t, row, "quarry");
		}
		input_close(&t);
	}
}

/*
 * Says a row's default and leaves it out in the same facts; how often the
 * parser took both.  They must be the same.
 */
static size_t
input_leave(const struct input_case *t, const struct input_row *row,
    const char *missing)
{
	json_t *facts, *said, *silent, *places[INPUT_PLACES_MAX];
	size_t i, k, n, compared = 0;

	for (i = 0; i < INPUT_FACTS && compared < INPUT_REFUSED; i++) {
		facts = json_deep_copy(t->facts[i]);
		n = input_places(facts, row->path, places, 0);
		for (k = 0; k < n; k++) {
			if (!input_is_offered(row, NULL, places[k], facts))
				continue;
			facts_put(places[k], row->in->name,
			    input_value(row->in, missing));
			said = input_parse(t, facts);
			(void)json_object_del(places[k], row->in->name);
			silent = input_parse(t, facts);
			if (said != NULL && silent != NULL) {
				compared++;
				if (!json_equal(said, silent))
					fail_msg("%s: %s is not \"%s\"",
					    t->sys->id, row->path, missing);
			}
			/* One is refused only where the other is. */
			if ((said == NULL) != (silent == NULL))
				fail_msg(
				    "%s: %s or nothing", t->sys->id, row->path);
			json_decref(said);
			json_decref(silent);
		}
		json_decref(facts);
	}
	return (compared);
}

static void
what_is_left_out_is_what_was_said(void **state)
{
	const struct rules_system *const *sys;
	const struct input_row *row;
	struct input_case t;
	const char *missing;
	size_t i;

	(void)state;
	for (sys = systems_all(); *sys != NULL; sys++) {
		input_open(&t, *sys);
		for (i = 0; i < t.n_rows; i++) {
			row = &t.rows[i];
			missing = row->in->type == DECLARE_YES
			    ? "false"
			    : row->in->missing;
			if (missing != NULL &&
			    input_leave(&t, row, missing) == 0)
				fail_msg("%s: %s was never left out",
				    (*sys)->id, row->path);
		}
		input_close(&t);
	}
}

/* Facts with n commanders at a row's place; new, NULL if it is not there. */
static json_t *
input_many(const struct input_row *row, const json_t *facts, int64_t n)
{
	json_t *copy = json_deep_copy(facts), *list, *places[INPUT_PLACES_MAX];
	char id[16];
	int64_t i;

	if (input_places(copy, row->path, places, 0) == 0) {
		json_decref(copy);
		return (NULL);
	}
	list = json_array();
	for (i = 0; i < n; i++) {
		(void)snprintf(id, sizeof(id), "many-%d", (int)i);
		json_array_append_new(
		    list, json_pack("{s:s, s:i}", "id", id, "cr", 1));
	}
	facts_put(places[0], row->in->name, list);
	return (copy);
}

static void
as_many_can_be_named_as_the_parser_takes(void **state)
{
	const struct rules_system *sys = systems_find("invasion-1812");
	struct input_case t;
	json_t *facts, *full;
	size_t i, k, n_rows = 0, n;
	int64_t extra;

	(void)state;
	input_open(&t, sys);
	for (i = 0; i < t.n_rows; i++) {
		if (t.rows[i].in->type != DECLARE_COMMANDERS)
			continue;
		n_rows++;
		for (extra = 0; extra < 2; extra++) {
			n = 0;
			for (k = 0; k < INPUT_FACTS && n == 0; k++) {
				facts = input_many(&t.rows[i], t.facts[k],
				    t.rows[i].in->hi + extra);
				full = facts == NULL ? NULL
						     : input_parse(&t, facts);
				n += full != NULL;
				json_decref(full);
				json_decref(facts);
			}
			if ((n > 0) != (extra == 0))
				fail_msg("%s: %d of them", t.rows[i].path,
				    (int)(t.rows[i].in->hi + extra));
		}
	}
	assert_int_equal(n_rows, 4);
	input_close(&t);
}

/* Sees that a condition's members and words are ones that there are. */
static void
input_condition(const struct input_case *t, const char *when)
{
	char copy[INPUT_PATH_MAX], *save = NULL, *term, *value, *words;
	const json_t *has;

	if (when == NULL)
		return;
	assert_true(strlen(when) < sizeof(copy));
	(void)snprintf(copy, sizeof(copy), "%s", when);
	for (term = strtok_r(copy, " ", &save); term != NULL;
	     term = strtok_r(NULL, " ", &save)) {
		value = strchr(term, '=');
		assert_non_null(value);
		*value++ = '\0';
		if (value[-2] == '!')
			value[-2] = '\0';
		if (strcmp(term, "side") == 0) {
			assert_true(strcmp(value, "attacker") == 0 ||
			    strcmp(value, "defender") == 0);
			continue;
		}
		if ((has = json_object_get(t->values, term)) == NULL)
			fail_msg("%s: %s: no such member", t->sys->id, when);
		for (words = value; (value = strsep(&words, ",")) != NULL;) {
			if (json_object_get(has, value) == NULL &&
			    strcmp(value, "true") != 0 &&
			    strspn(value, "0123456789") != strlen(value))
				fail_msg(
				    "%s: %s: no such word", t->sys->id, when);
		}
	}
}

static void
a_row_can_be_shown(void **state)
{
	const struct rules_system *const *sys;
	const struct declare_word *w;
	const struct declare_field *in;
	struct input_case t;
	size_t i;

	(void)state;
	for (sys = systems_all(); *sys != NULL; sys++) {
		input_open(&t, *sys);
		assert_true(t.n_rows > 0);
		for (i = 0; i < t.n_rows; i++) {
			in = t.rows[i].in;
			assert_non_null(in->label);
			assert_true(strlen(in->label) <= INPUT_WIDTH);
			/* What has no question must not need one. */
			if (in->question != NULL)
				assert_true(
				    strlen(in->question) <= INPUT_WIDTH);
			else
				assert_true(in->type == DECLARE_OBJECT ||
				    in->type == DECLARE_PAIRS ||
				    (in->type == DECLARE_YES &&
					in->is_special));
			assert_int_equal(
			    in->type == DECLARE_LIST, in->more != NULL);
			assert_int_equal(
			    in->type == DECLARE_PAIRS, in->ends != NULL);
			assert_int_equal(in->words != NULL,
			    in->type == DECLARE_WORD ||
				in->type == DECLARE_WORDS ||
				in->type == DECLARE_FLAGS);
			/* Of several units one asks which of them. */
			if (t.rows[i].is_element && in->type == DECLARE_YES)
				assert_non_null(in->question);
			if (in->enter != NULL)
				assert_true(input_has_word(
				    &t, t.rows[i].path, in->enter));
			input_condition(&t, in->when);
			input_condition(&t, in->only);
			for (w = in->words; w != NULL && w->word != NULL; w++) {
				assert_true(strlen(w->label) <= INPUT_WIDTH);
				input_condition(&t, w->when);
			}
		}
		input_close(&t);
	}
}

static void
conditions_are_read_from_the_inside(void **state)
{
	json_t *inner = json_pack(
	    "{s:s, s:b, s:i}", "arm", "cavalry", "shaken", 1, "strength", 4);
	json_t *outer = json_pack(
	    "{s:s, s:s, s:b}", "arm", "infantry", "kind", "attack", "mud", 0);
	const json_t *const scopes[] = {NULL, inner, outer};
	static const struct {
		const char *when;
		bool holds;
	} cases[] = {
	    {NULL, true},
	    {"", true},
	    {"arm=cavalry", true},
	    {"arm=cav", false},
	    {"arm=cavalry2", false},
	    {"arm=infantry", false},
	    {"arm=infantry,cavalry", true},
	    {"arm=infantry,artillery", false},
	    {"arm!=infantry,artillery", true},
	    {"arm!=cavalry", false},
	    {"kind=attack arm=cavalry", true},
	    {"kind=attack arm=infantry", false},
	    {"kind!=attack arm=cavalry", false},
	    {"shaken=true", true},
	    {"mud=true", false},
	    {"mud!=true", true},
	    {"side=defender", true},
	    {"side=attacker", false},
	    {"arm=cavalry side=attacker", false},
	    {"side=defender arm=cavalry", true},
	    {"strength=4", true},
	    {"strength!=4", false},
	    {"strength=1,2,3,4", true},
	    {"nothing=x", false},
	    {"nothing!=x", true},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (declare_holds(cases[i].when, COMBAT_DEFENDER, scopes, 3) !=
		    cases[i].holds)
			fail_msg("\"%s\"", cases[i].when);
	}
	assert_false(declare_holds("arm=cavalry", COMBAT_ATTACKER, NULL, 0));
	json_decref(inner);
	json_decref(outer);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_a_parser_reads_is_asked_for),
	    cmocka_unit_test(what_is_offered_is_taken),
	    cmocka_unit_test(what_is_left_out_is_what_was_said),
	    cmocka_unit_test(as_many_can_be_named_as_the_parser_takes),
	    cmocka_unit_test(a_row_can_be_shown),
	    cmocka_unit_test(conditions_are_read_from_the_inside),
	};

	return (cmocka_run_group_tests_name("input", tests, NULL, NULL));
}
