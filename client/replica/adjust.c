/* SPDX-License-Identifier: ISC */
/* Parses changes out of words; game_check_adjust() says if they are lawful. */
#include "client/replica/adjust.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/report/rosters.h"
#include "client/ui/opt.h"
#include "common/json/js.h"
#include "common/rules/rules.h"

#define ADJUST_UNITS_MAX 64 /* record S5: units of one proposal */

const json_t *
adjust_entry(const json_t *roster, const char *id)
{
	static const char *const sides[] = {"1", "2"};
	static const char *const lists[] = {"units", "commanders"};
	const json_t *v = NULL;
	size_t i;

	for (i = 0; v == NULL && i < 4; i++)
		v = rosters_find(
		    json_object_get(
			json_object_get(roster, sides[i / 2]), lists[i % 2]),
		    id);
	return (v);
}

/* The member of a unit that holds a part with this id; NULL: none. */
static const char *
adjust_member(const json_t *unit, const char *id)
{
	const json_t *v;
	const char *name;

	js_foreach(unit, name, v)
	{
		if (rosters_find(v, id) != NULL)
			return (name);
	}
	return (NULL);
}

const json_t *
adjust_holder(const json_t *roster, const char *id, const char **member)
{
	const json_t *v;
	int side;
	size_t i;

	for (side = 1; side <= 2; side++) {
		json_array_foreach(json_object_get(json_object_get(roster,
						       side == 1 ? "1" : "2"),
				       "units"),
		    i, v)
		{
			if ((*member = adjust_member(v, id)) != NULL)
				return (v);
		}
	}
	return (NULL);
}

/* A list of words separated by commas; new. */
static json_t *
adjust_list(const char *s)
{
	json_t *list = xalloc_json(json_array());
	size_t n;

	for (; *s != '\0'; s += n + (s[n] == ',')) {
		n = strcspn(s, ",");
		if (n > 0)
			xalloc_append(list, json_stringn(s, n));
	}
	return (list);
}

/* Reads yes and no. */
static json_t *
adjust_bool(const char *s)
{
	if (strcmp(s, "yes") == 0 || strcmp(s, "true") == 0)
		return (json_true());
	if (strcmp(s, "no") == 0 || strcmp(s, "false") == 0)
		return (json_false());
	return (NULL);
}

/* A value, by the type that it has now (NULL: none); new, or NULL. */
static json_t *
adjust_value(const char *s, const json_t *now)
{
	json_t *v = NULL;
	int64_t n;

	if (*s == '[' || *s == '{') {
		if (js_load(s, strlen(s), JS_DEPTH_RECORD, &v, NULL) != 0)
			return (NULL);
		return (v);
	}
	if (json_is_string(now))
		return (xalloc_json_str(s));
	if (json_is_array(now))
		return (adjust_list(s));
	if (json_is_integer(now))
		return (opt_number(s, 0, RULES_COUNT_MAX, &n) ? json_integer(n)
							      : NULL);
	if (json_is_boolean(now))
		return (adjust_bool(s));
	if (opt_number(s, 0, RULES_COUNT_MAX, &n))
		return (json_integer(n));
	if ((v = adjust_bool(s)) != NULL)
		return (v);
	return (xalloc_json_str(s));
}

/* Reads one FIELD=VALUE into a unit. */
static int
adjust_set(
    json_t *unit, const json_t *entry, const char *word, struct errinfo *e)
{
	const char *value = strchr(word, '=') + 1;
	const char *id = js_str(unit, "id");
	json_t *v;
	char *name;
	int r = 0;

	name = xalloc_strn(word, (size_t)(value - word) - 1);
	if (*name == '\0' || *value == '\0') {
		r = err_set(e, ERR_INVALID, NULL,
		    "'%s' is not a change: type FIELD=VALUE, such as hits=2",
		    word);
	} else if (strcmp(name, "id") == 0) {
		r = err_set(e, ERR_INVALID, NULL, "an id cannot be changed");
	} else if (json_object_get(unit, name) != NULL) {
		r = err_set(e, ERR_INVALID, NULL, "'%s' of '%s' is set twice",
		    name, id);
	} else if (strcmp(name, "out") == 0) {
		xalloc_set(unit, name,
		    strcmp(value, "none") == 0 ? json_null()
					       : xalloc_json_str(value));
	} else if (strcmp(name, "name") == 0) {
		/* Whatever it looks like: of what joins nothing is known. */
		xalloc_set(unit, name, xalloc_json_str(value));
	} else if ((v = adjust_value(value, json_object_get(entry, name))) ==
	    NULL) {
		r = err_set(e, ERR_INVALID, NULL,
		    "'%s' cannot be the %s of '%s'", value, name, id);
	} else {
		xalloc_set(unit, name, v);
	}
	free(name);
	return (r);
}

/* True if one of the words about a unit says that it joins. */
static bool
adjust_is_joining(int n, const char *const *words)
{
	int i;

	for (i = 0; i < n && strchr(words[i], '=') != NULL; i++) {
		if (strncmp(words[i], "joins=", strlen("joins=")) == 0)
			return (true);
	}
	return (false);
}

/* Begins a unit; roster is NULL if there may be none of this id. */
static int
adjust_unit(
    json_t *units, const json_t *roster, const char *id, struct errinfo *e)
{
	const json_t *last;
	json_t *unit;

	last = json_array_get(units, json_array_size(units) - 1);
	if (last != NULL && json_object_size(last) < 2)
		return (err_set(e, ERR_INVALID, NULL,
		    "nothing is said of '%s': type FIELD=VALUE after it",
		    js_str(last, "id")));
	if (roster != NULL && adjust_entry(roster, id) == NULL)
		return (err_set(e, ERR_INVALID, NULL,
		    "there is no unit or commander '%s'", id));
	if (rosters_find(units, id) != NULL)
		return (
		    err_set(e, ERR_INVALID, NULL, "'%s' is named twice", id));
	if (json_array_size(units) == ADJUST_UNITS_MAX)
		return (err_set(e, ERR_INVALID, NULL,
		    "one proposal changes at most %d units", ADJUST_UNITS_MAX));
	unit = xalloc_json(json_object());
	xalloc_set(unit, "id", xalloc_json_str(id));
	xalloc_append(units, unit);
	return (0);
}

/* Refuses "join=", before the unit that is to join is found missing. */
static int
adjust_check_join(int n, const char *const *words, struct errinfo *e)
{
	int i;

	for (i = 0; i < n; i++) {
		if (strncmp(words[i], "join=", strlen("join=")) == 0)
			return (err_set(e, ERR_INVALID, NULL,
			    "'%s': what joins has joins=units or "
			    "joins=commanders, and side=1 or side=2",
			    words[i]));
	}
	return (0);
}

int
adjust_parse(const json_t *roster, int n, const char *const *words,
    json_t **units, struct errinfo *e)
{
	json_t *list, *unit = NULL;
	int i, r;

	if ((r = adjust_check_join(n, words, e)) != 0)
		return (r);
	list = xalloc_json(json_array());
	for (i = 0; r == 0 && i < n; i++) {
		if (strcmp(words[i], "--") == 0)
			continue;
		if (strchr(words[i], '=') == NULL) {
			/* What joins is not there yet. */
			r = adjust_unit(list,
			    adjust_is_joining(n - i - 1, words + i + 1)
				? NULL
				: roster,
			    words[i], e);
			unit = json_array_get(list, json_array_size(list) - 1);
		} else if (unit == NULL) {
			r = err_set(e, ERR_INVALID, NULL,
			    "'%s' names no unit: type the unit's id before it",
			    words[i]);
		} else {
			r = adjust_set(unit,
			    adjust_entry(roster, js_str(unit, "id")), words[i],
			    e);
		}
	}
	if (r == 0 && (unit == NULL || json_object_size(unit) < 2))
		r = err_set(e, ERR_INVALID, NULL,
		    unit == NULL ? "which unit changes, and how?"
				 : "nothing is said of the last unit");
	if (r != 0)
		json_decref(list);
	else
		*units = list;
	return (r);
}

int
adjust_take(const json_t *root, json_t **units, struct errinfo *e)
{
	const json_t *list = root;

	if (json_is_object(root))
		list = json_object_get(root, "units");
	if (!json_is_array(list) || json_array_size(list) == 0)
		return (err_set(e, ERR_INVALID, NULL,
		    "this must be a list of units, or an object with the "
		    "member "
		    "\"units\""));
	*units = xalloc_copy(list);
	return (0);
}

/* Appends what joins one list of a side. */
static int
adjust_join_list(const json_t *list, const char *name, int side, json_t *units,
    struct errinfo *e)
{
	const json_t *from;
	const char *id, *member;
	json_t *unit, *v;
	size_t i;

	json_array_foreach(list, i, from)
	{
		if ((id = js_str(from, "id")) == NULL)
			return (err_set(e, ERR_INVALID, NULL,
			    "sides.%d.%s[%zu] has no id", side, name, i));
		if (json_array_size(units) == ADJUST_UNITS_MAX)
			return (err_set(e, ERR_INVALID, NULL,
			    "at most %d units and commanders join in one "
			    "proposal; let the others join in another",
			    ADJUST_UNITS_MAX));
		unit = xalloc_json(json_pack(
		    "{s:s, s:s, s:i}", "id", id, "joins", name, "side", side));
		xalloc_append(units, unit);
		js_foreach(from, member, v)
		{
			if (strcmp(member, "joins") == 0 ||
			    strcmp(member, "side") == 0)
				return (err_set(e, ERR_INVALID, NULL,
				    "'%s' has the member '%s', which no unit "
				    "of a roster has: its place in the file "
				    "says where it joins",
				    id, member));
			if (strcmp(member, "id") != 0)
				xalloc_set(unit, member, json_incref(v));
		}
	}
	return (0);
}

int
adjust_join(
    const json_t *root, const char *system, json_t **units, struct errinfo *e)
{
	static const char *const lists[] = {"units", "commanders"};
	const char *of = js_str(root, "system");
	const json_t *sides = json_object_get(root, "sides"), *side;
	json_t *list;
	size_t i;
	int r = 0;

	if (!json_is_object(sides))
		return (err_set(e, ERR_INVALID, NULL,
		    "this must be a file of rosters, in which one side is "
		    "enough: {\"sides\": {\"1\": {\"units\": [...]}}}"));
	if (of != NULL && strcmp(of, system) != 0)
		return (err_set(e, ERR_INVALID, NULL,
		    "this is a roster of %s, and the game is of %s", of,
		    system));
	list = xalloc_json(json_array());
	for (i = 0; r == 0 && i < 4; i++) {
		side = json_object_get(sides, i / 2 == 0 ? "1" : "2");
		r = adjust_join_list(json_object_get(side, lists[i % 2]),
		    lists[i % 2], (int)i / 2 + 1, list, e);
	}
	if (r == 0 && json_array_size(list) == 0)
		r = err_set(e, ERR_INVALID, NULL,
		    "no unit and no commander stands under \"1\" or \"2\" of "
		    "its \"sides\"");
	if (r != 0)
		json_decref(list);
	else
		*units = list;
	return (r);
}
