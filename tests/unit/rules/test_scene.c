/* SPDX-License-Identifier: ISC */
/*
 * What there is to draw of combats of every system: nobody is left out, and
 * what is wrong with an event leaves things out and breaks nothing.
 */
#include "common/rules/show/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/err.h"
#include "common/json/js.h"
#include "common/rules/combat.h"
#include "common/rules/rules.h"
#include "common/rules/show/render.h"
#include "common/rules/systems/systems.h"

#include "tests/lib/alloc.h"
#include "tests/lib/chance.h"
#include "tests/lib/facts.h"
#include "tests/lib/quoted.h"

#define ROUNDS 200
#define MEMORY_ROUNDS 6 /* of each system */

/* The events of a combat of these facts that has only begun; new. */
static json_t *
begun(const struct rules_system *sys, uint64_t *seed)
{
	struct errinfo e = {.text = ""};
	struct rules_settings set;
	json_t *given, *events;
	struct combat *c;

	given = facts_random(sys, seed);
	assert_int_equal(rules_settings_parse(sys, NULL, NULL, &set, &e), 0);
	if (combat_new(sys, &set, given, &c, &e) != 0)
		fail_msg("%s: %s", e.where, e.text);
	events = json_pack("[o]", sys->facts(c));
	assert_non_null(events);
	(void)json_object_set_new(
	    json_array_get(events, 0), "e", json_string("combat"));
	combat_free(c);
	rules_settings_clear(&set);
	json_decref(given);
	return (events);
}

/* The scene of events; NULL if there is none. */
static struct scene *
scene_of(const struct rules_system *sys, const json_t *events)
{
	struct scene *s;

	assert_int_equal(scene_make(sys, NULL, events, &s), 0);
	return (s);
}

/* Ranges and numbers of a scene lie within it, and no text is missing. */
static void
is_sound(const struct scene *s)
{
	size_t i, next = 0;

	for (i = 0; i < s->n_groups; i++) {
		assert_int_equal(s->groups[i].first, next);
		assert_true(s->groups[i].end >= next);
		next = s->groups[i].end;
		assert_non_null(s->groups[i].label);
	}
	assert_int_equal(next, s->n_nodes);
	for (i = 0; i < s->n_nodes; i++) {
		assert_non_null(s->nodes[i].id);
		assert_non_null(s->nodes[i].name);
		assert_non_null(s->nodes[i].detail);
		assert_non_null(s->nodes[i].end);
		assert_true(s->nodes[i].strength >= -1);
	}
	for (i = 0; i < s->n_links; i++) {
		assert_true(s->links[i].from < s->n_groups);
		assert_true(s->links[i].to < s->n_groups);
		assert_non_null(s->links[i].label);
		assert_non_null(s->links[i].text);
		assert_non_null(s->links[i].word);
	}
	assert_non_null(s->place);
}

/*
 * Counts the units of an object: what has an id and is no battalion, and
 * whether each of them is in the scene.
 */
static size_t
units_in(const struct scene *s, json_t *v, const char *name, int depth)
{
	const char *key;
	json_t *item;
	size_t i, n = 0;

	assert_true(depth < 8);
	if (strcmp(name, "battalions") == 0 || strcmp(name, "bag") == 0)
		return (0);
	if (json_is_object(v) && js_str(v, "id") != NULL) {
		assert_true(scene_find(s, js_str(v, "id")) < s->n_groups);
		n++;
	}
	json_object_foreach(v, key, item) n +=
	    units_in(s, item, key, depth + 1);
	json_array_foreach(v, i, item) n += units_in(s, item, name, depth + 1);
	return (n);
}

static void
every_unit_of_a_combat_is_there_once(void **state)
{
	const struct rules_system *const *sys;
	struct scene *s;
	json_t *events;
	uint64_t seed = 1;
	size_t i, with_links;

	(void)state;
	for (sys = systems_all(); *sys != NULL; sys++) {
		with_links = 0;
		for (i = 0; i < ROUNDS; i++) {
			events = begun(*sys, &seed);
			s = scene_of(*sys, events);
			assert_non_null(s);
			is_sound(s);
			assert_int_equal(
			    units_in(s, events, "", 0), s->n_nodes);
			with_links += s->n_links > 0;
			scene_free(s);
			json_decref(events);
		}
		assert_int_equal(with_links, ROUNDS);
	}
}

/* One of the members below v, by chance, or v itself. */
static json_t *
somewhere(json_t *v, uint64_t *seed)
{
	void *at;
	json_t *in;
	size_t n;

	while (chance_pick_cb(seed, 4) != 0) {
		in = NULL;
		if (json_array_size(v) > 0) {
			n = chance_pick_cb(seed, (uint32_t)json_array_size(v));
			in = json_array_get(v, n);
		} else if (json_object_size(v) > 0) {
			n = chance_pick_cb(seed, (uint32_t)json_object_size(v));
			for (at = json_object_iter(v); n > 0; n--)
				at = json_object_iter_next(v, at);
			in = json_object_iter_value(at);
		}
		if (!json_is_object(in) && !json_is_array(in))
			break;
		v = in;
	}
	return (v);
}

/* Takes a member or an element out of v, or puts another in its place. */
static void
spoil(json_t *v, uint64_t *seed)
{
	static const char *const others[] = {"null", "-1", "9007199254740991",
	    "''", "'x'", "true", "[]", "[{}]", "{'id':'x'}", "[[[]]]"};
	json_t *other = quoted_json(others[chance_pick_cb(seed, 10)]);
	void *at;
	size_t n;

	if (json_is_object(v) && json_object_size(v) > 0) {
		n = chance_pick_cb(seed, (uint32_t)json_object_size(v));
		for (at = json_object_iter(v); n > 0; n--)
			at = json_object_iter_next(v, at);
		/* The event stays one. */
		if (strcmp(json_object_iter_key(at), "e") != 0)
			(void)json_object_iter_set(v, at, other);
	} else if (json_array_size(v) > 0) {
		n = chance_pick_cb(seed, (uint32_t)json_array_size(v));
		(void)json_array_set(v, n, other);
	}
	json_decref(other);
}

static void
a_spoiled_event_leaves_things_out(void **state)
{
	const struct rules_system *const *sys;
	json_t *events, *event;
	struct scene *s;
	uint64_t seed = 2;
	size_t i, k;

	(void)state;
	for (sys = systems_all(); *sys != NULL; sys++) {
		for (i = 0; i < ROUNDS; i++) {
			events = begun(*sys, &seed);
			event = json_array_get(events, 0);
			for (k = 0; k < 6; k++) {
				spoil(somewhere(event, &seed), &seed);
				s = scene_of(*sys, events);
				assert_non_null(s);
				is_sound(s);
				scene_free(s);
			}
			json_decref(events);
		}
	}
}

static void
what_is_no_combat_is_no_scene(void **state)
{
	static const char *const texts[] = {"[]", "{}", "null", "[{}]", "[[]]",
	    "[{'e':'result','units':{}}]", "[{'e':7}]"};
	const struct rules_system *const *sys;
	json_t *events;
	size_t i;

	(void)state;
	for (sys = systems_all(); *sys != NULL; sys++) {
		for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
			events = quoted_json(texts[i]);
			assert_null(scene_of(*sys, events));
			json_decref(events);
		}
	}
	assert_int_equal(i, 7);
}

static void
a_contact_is_said_with_its_edge(void **state)
{
	json_t *events =
	    quoted_json("[{'e':'combat','attackers':["
			"{'id':'a','name':'Foot','arm':'infantry',"
			"'strength':6,'formation':'line'},"
			"{'id':'b','arm':'cavalry','strength':5,"
			"'formation':'line'}],'defenders':["
			"{'id':'c','name':'Foot','arm':'artillery',"
			"'strength':2,'formation':'limbered'}],"
			"'contacts':[{'attacker':'a','defender':'c',"
			"'edge':'left','touches':['left'],"
			"'uphill':true},{'attacker':'b',"
			"'defender':'c','edge':'rear'}]},"
			"{'e':'result','units':{'c':{"
			"'state':'broken','score':7}}}]");
	struct scene *s;

	(void)state;
	s = scene_of(systems_find("lasalle2"), events);
	assert_int_equal(s->n_links, 2);
	assert_string_equal(s->links[0].text,
	    "Foot (a) on the left flank of Foot (c), the defender is uphill");
	assert_string_equal(
	    s->links[0].label, "left flank, the defender is uphill");
	assert_int_equal(s->links[0].edge, SCENE_LEFT);
	assert_int_equal(s->groups[s->links[0].from].row, SCENE_ATTACKING);
	assert_int_equal(s->links[1].edge, SCENE_REAR);
	assert_int_equal(s->groups[s->links[1].from].row, SCENE_BEYOND);
	assert_int_equal(s->groups[s->links[1].to].row, SCENE_DEFENDING);
	assert_string_equal(s->nodes[0].end, "broken, score 7");
	assert_true(s->nodes[0].is_out);
	assert_false(s->nodes[1].is_out);
	assert_int_equal(s->nodes[0].arm, SCENE_ARTILLERY);
	scene_free(s);
	json_decref(events);
}

static void
no_list_grows_for_ever(void **state)
{
	json_t *events = quoted_json("[{'e':'combat','attackers':[],"
				     "'defenders':[],'contacts':[]}]");
	json_t *event = json_array_get(events, 0), *list;
	struct scene *s;
	char id[24];
	size_t i;

	(void)state;
	list = json_object_get(event, "attackers");
	for (i = 0; i < 3000; i++) {
		(void)snprintf(id, sizeof(id), "a%zu", i);
		(void)json_array_append_new(list, json_pack("{s:s}", "id", id));
	}
	list = json_object_get(event, "contacts");
	for (i = 0; i < 3000; i++)
		(void)json_array_append_new(list,
		    json_pack("{s:s, s:s, s:s}", "attacker", "a1", "defender",
			"a2", "edge", "front"));
	s = scene_of(systems_find("lasalle2"), events);
	is_sound(s);
	assert_true(s->n_nodes < 1000);
	assert_true(s->n_links < 1000);
	scene_free(s);
	json_decref(events);
}

static void
without_memory_there_is_no_scene(void **state)
{
	const struct rules_system *const *sys;
	struct scene *s;
	json_t *events;
	uint64_t seed = 3;
	long nth;
	int r, i;

	(void)state;
	/* Combats of more than one kind: not all have a place. */
	for (sys = systems_all(), i = 0; *sys != NULL;
	     i = (i + 1) % MEMORY_ROUNDS, sys += i == 0 ? 1 : 0) {
		events = begun(*sys, &seed);
		for (nth = 0;; nth++) {
			alloc_start(nth);
			r = scene_make(*sys, NULL, events, &s);
			/* Names may be ids then, and words be left out. */
			if (r == 0) {
				is_sound(s);
				scene_free(s);
			} else {
				assert_int_equal(r, ERR_NOMEM);
				assert_null(s);
			}
			if (!alloc_stop())
				break;
		}
		assert_true(nth > 4);
		json_decref(events);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_unit_of_a_combat_is_there_once),
	    cmocka_unit_test(a_spoiled_event_leaves_things_out),
	    cmocka_unit_test(what_is_no_combat_is_no_scene),
	    cmocka_unit_test(a_contact_is_said_with_its_edge),
	    cmocka_unit_test(no_list_grows_for_ever),
	    cmocka_unit_test(without_memory_there_is_no_scene),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
