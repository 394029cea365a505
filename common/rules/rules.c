/* SPDX-License-Identifier: ISC */
/* The rulings that a game or a scenario sets for a system, and its policies. */
#include "common/rules/rules.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/utf8.h"
#include "common/json/js.h"

const struct rules_policy *
rules_policy_find(const struct rules_system *sys, const char *kind)
{
	const struct rules_policy *p;

	for (p = sys->policies; p != NULL && p->kind != NULL; p++) {
		if (strcmp(p->kind, kind) == 0)
			return (p);
	}
	return (NULL);
}

int
rules_policy_word(const struct rules_policy *p, const char *word)
{
	int i;

	for (i = 0; p->words[i] != NULL; i++) {
		if (strcmp(p->words[i], word) == 0)
			return (i);
	}
	return (-1);
}

const char *
rules_policy_text(const struct rules_policy *p, int word)
{
	int i;

	for (i = 0; i < word && p->words[i] != NULL; i++)
		;
	return (word < 0 ? NULL : p->words[i]);
}

bool
rules_is_secret(const struct rules_system *sys, const char *kind)
{
	size_t i;

	if (sys->secret_kinds == NULL)
		return (false);
	for (i = 0; sys->secret_kinds[i] != NULL; i++) {
		if (strcmp(sys->secret_kinds[i], kind) == 0)
			return (true);
	}
	return (false);
}

/* Finds v among the numbers or the words of a ruling. */
static int
rules_ruling_find(const struct rules_ruling *ruling, const json_t *v, int *out)
{
	size_t i;
	int k;

	for (i = 0; i < ruling->n_numbers; i++) {
		if (json_is_integer(v) &&
		    json_integer_value(v) == ruling->numbers[i]) {
			*out = ruling->numbers[i];
			return (0);
		}
	}
	if (ruling->words == NULL || !json_is_string(v))
		return (ERR_NOTFOUND);
	for (k = 0; ruling->words[k] != NULL; k++) {
		if (strcmp(ruling->words[k], json_string_value(v)) == 0) {
			*out = k;
			return (0);
		}
	}
	return (ERR_NOTFOUND);
}

/* Reads the rulings that the object sets over those in *set. */
static int
rules_rulings_parse(const struct rules_system *sys, const json_t *rulings,
    struct rules_settings *set, struct errinfo *e)
{
	const struct js_at at = {.name = "rulings"};
	const char *known[RULES_RULINGS_MAX + 1] = {NULL};
	const struct rules_ruling *ruling;
	const json_t *v;
	size_t i;
	int r;

	for (i = 0; i < sys->n_rulings; i++)
		known[i] = sys->rulings[i].name;
	if ((r = js_members(rulings, &at, known, e)) != 0)
		return (r);
	for (i = 0; i < sys->n_rulings; i++) {
		ruling = &sys->rulings[i];
		if ((v = json_object_get(rulings, ruling->name)) == NULL)
			continue;
		if (ruling->is_bool) {
			if (!json_is_boolean(v))
				return (js_fail_member(&at, ruling->name, e,
				    "must be true or false"));
			set->rulings[i] = json_is_true(v);
		} else if (rules_ruling_find(ruling, v, &set->rulings[i]) !=
		    0) {
			return (js_fail_member(&at, ruling->name, e,
			    "is not a value of this ruling"));
		}
	}
	return (0);
}

/* Reads the built-in data into new settings. */
static int
rules_data_open(struct rules_settings *set, struct errinfo *e)
{
	const struct rules_system *sys = set->sys;
	const struct js_at at = {.name = sys->data_name};
	json_t *file;
	int r;

	if (sys->data_name == NULL)
		return (0);
	if ((set->data = calloc(1, sys->data_size)) == NULL)
		return (ERR_NOMEM);
	r = js_load(
	    sys->data_text, strlen(sys->data_text), JS_DEPTH_RECORD, &file, e);
	if (r != 0)
		return (r);
	r = sys->data(json_object_get(file, sys->data_name), &at, set->data, e);
	json_decref(file);
	return (r);
}

int
rules_settings_data(struct rules_settings *set, const char *name,
    const json_t *value, const struct js_at *at, struct errinfo *e)
{
	static const char *const none[] = {NULL};
	const struct rules_system *sys = set->sys;

	if (sys->data_name != NULL && strcmp(sys->data_name, name) == 0)
		return (sys->data(value, at, set->data, e));
	if (!json_is_object(value))
		return (js_fail(
		    at, e, "the system \"%s\" has no %s", sys->id, name));
	/* No members are no tables. */
	return (js_members(value, at, none, e));
}

int
rules_settings_parse(const struct rules_system *sys, const json_t *rulings,
    const json_t *tables, struct rules_settings *set, struct errinfo *e)
{
	const struct js_at at = {.name = "tables"};
	struct rules_settings made = {.sys = sys};
	size_t i;
	int r;

	for (i = 0; i < sys->n_rulings; i++)
		made.rulings[i] = sys->rulings[i].fallback;
	if (rulings != NULL &&
	    (r = rules_rulings_parse(sys, rulings, &made, e)) != 0)
		return (r);
	r = rules_data_open(&made, e);
	if (r == 0 && tables != NULL)
		r = rules_settings_data(&made, "tables", tables, &at, e);
	if (r != 0) {
		rules_settings_clear(&made);
		return (r);
	}
	*set = made;
	return (0);
}

void
rules_settings_clear(struct rules_settings *set)
{
	free(set->data);
	memset(set, 0, sizeof(*set));
}

json_t *
rules_ruling_value(const struct rules_ruling *ruling, int value)
{
	size_t i;

	if (ruling->is_bool)
		return (json_boolean(value != 0));
	for (i = 0; i < ruling->n_numbers; i++) {
		if (ruling->numbers[i] == value)
			return (json_integer(value));
	}
	return (json_string(ruling->words[value]));
}

json_t *
rules_settings_rulings(const struct rules_settings *set)
{
	const struct rules_ruling *ruling;
	json_t *o;
	size_t i;
	int bad = 0;

	o = json_object();
	for (i = 0; i < set->sys->n_rulings; i++) {
		ruling = &set->sys->rulings[i];
		bad |= json_object_set_new(o, ruling->name,
		    rules_ruling_value(ruling, set->rulings[i]));
	}
	return (js_made(o, bad));
}

bool
rules_is_name(const char *s)
{
	size_t len = strlen(s), i, n;
	uint32_t cp;

	if (len > RULES_NAME_MAX)
		return (false);
	for (i = 0; i < len; i += n) {
		if ((n = utf8_get(s + i, len - i, &cp)) == 0)
			return (false);
		if (cp < 0x20 || (cp >= 0x7f && cp < 0xa0))
			return (false);
	}
	return (true);
}
