/* SPDX-License-Identifier: ISC */
/* Answers are kept as values, not as numbers of choices: lists may change. */
#include "client/play/form_tape.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "common/base/buf.h"

#define FORM_TAPE_TYPED_MAX 24 /* bytes of choices that a prompt proposes */

void
form_list_add(struct form_list *list, const char *label, const char *v)
{
	const size_t n = list->n;

	list->labels = xalloc_more(list->labels, n, sizeof(*list->labels));
	list->values = xalloc_more(list->values, n, sizeof(*list->values));
	list->labels[n] = xalloc_str(label);
	list->values[n] = xalloc_str(v);
	list->n++;
}

void
form_list_clear(struct form_list *list)
{
	size_t i;

	for (i = 0; i < list->n; i++) {
		free(list->labels[i]);
		free(list->values[i]);
	}
	free(list->labels);
	free(list->values);
	memset(list, 0, sizeof(*list));
}

void
form_tape_init(struct form_tape *t, const struct ask_io *io)
{
	memset(t, 0, sizeof(*t));
	t->io = io;
	t->answers = xalloc_json(json_object());
	t->steps = xalloc_json(json_array());
	t->asked = xalloc_json(json_array());
}

void
form_tape_clear(struct form_tape *t)
{
	json_decref(t->answers);
	json_decref(t->steps);
	json_decref(t->asked);
	json_decref(t->former);
	memset(t, 0, sizeof(*t));
}

void
form_tape_propose(struct form_tape *t)
{
	if (t->former == NULL)
		t->former = xalloc_json(json_object());
}

json_t *
form_tape_save(const struct form_tape *t)
{
	if (json_object_size(t->answers) == 0)
		return (NULL);
	return (xalloc_json(json_pack("{s:o, s:o}", "answers",
	    xalloc_copy(t->answers), "asked", xalloc_copy(t->asked))));
}

bool
form_tape_load(struct form_tape *t, const json_t *saved)
{
	const json_t *answers = json_object_get(saved, "answers");
	const json_t *asked = json_object_get(saved, "asked"), *v;
	size_t i;

	if (json_object_size(answers) == 0 || !json_is_array(asked))
		return (false);
	json_array_foreach(asked, i, v)
	{
		if (!json_is_string(v))
			return (false);
	}
	json_decref(t->answers);
	json_decref(t->asked);
	t->answers = xalloc_copy(answers);
	t->asked = xalloc_copy(asked);
	return (true);
}

/* Takes an answer off. */
static void
form_tape_remove(struct form_tape *t, const char *key)
{
	json_t *v = json_object_get(t->answers, key);

	if (t->former != NULL && v != NULL)
		xalloc_set(t->former, key, json_incref(v));
	(void)json_object_del(t->answers, key);
}

/* True if a comma-separated list of names has this one. */
static bool
form_tape_names(const char *list, const char *name, size_t len)
{
	const char *p;

	for (p = list; p != NULL; p = strchr(p, ',')) {
		p += *p == ',';
		if (strncmp(p, name, len) == 0 &&
		    (p[len] == '\0' || p[len] == ','))
			return (true);
	}
	return (false);
}

/*
 * What was answered to a question before, borrowed; NULL: nothing.  One about
 * several units ("attackers.formation:a,b") stands for another about some of
 * them.
 */
static const json_t *
form_tape_former(const struct form_tape *t, const char *key)
{
	const char *colon = key == NULL ? NULL : strchr(key, ':'), *name, *old;
	const json_t *found;
	json_t *v;
	size_t len, n;

	if (key == NULL || t->former == NULL)
		return (NULL);
	found = json_object_get(t->former, key);
	if (found != NULL || colon == NULL || strchr(colon, '?') != NULL)
		return (found);
	len = (size_t)(colon - key) + 1;
	json_object_foreach(t->former, old, v)
	{
		if (strncmp(old, key, len) != 0)
			continue;
		for (name = key + len; found == NULL; name += n + 1) {
			n = strcspn(name, ",");
			if (form_tape_names(old + len, name, n))
				found = v;
			if (name[n] == '\0')
				break;
		}
	}
	return (found);
}

void
form_tape_rewind(struct form_tape *t)
{
	(void)json_array_clear(t->steps);
}

/* True if a key is on a list of keys; *at is its place. */
static bool
form_tape_has(const json_t *keys, const char *key, size_t *at)
{
	size_t i;

	for (i = 0; i < json_array_size(keys); i++) {
		if (strcmp(json_string_value(json_array_get(keys, i)), key) ==
		    0) {
			*at = i;
			return (true);
		}
	}
	return (false);
}

/* Takes off the answer that was given last, of this run's; false: none. */
static bool
form_tape_pop(struct form_tape *t, size_t *at)
{
	const char *key, *last = NULL;
	json_t *v;

	/* Members of an object keep the order in which they were set. */
	json_object_foreach(t->answers, key, v)
	{
		if (form_tape_has(t->steps, key, at))
			last = key;
	}
	if (last == NULL || !form_tape_has(t->steps, last, at))
		return (false);
	form_tape_remove(t, json_string_value(json_array_get(t->steps, *at)));
	return (true);
}

bool
form_tape_back(struct form_tape *t)
{
	size_t at;

	return (form_tape_pop(t, &at));
}

void
form_tape_undo(struct form_tape *t)
{
	size_t at;

	if (form_tape_pop(t, &at))
		(void)json_array_remove(t->steps, at);
}

/* True if a path has a key: it is the key, or the key continues it. */
static bool
form_tape_covers(const char *path, const char *key)
{
	size_t len = strlen(path);

	return (strncmp(key, path, len) == 0 &&
	    (key[len] == '\0' || strchr(".[:!", key[len]) != NULL || len == 0 ||
		path[len - 1] == '!'));
}

void
form_tape_drop(struct form_tape *t, const char *path)
{
	const char *key;
	json_t *v;
	void *next;

	json_object_foreach_safe(t->answers, next, key, v)
	{
		if (form_tape_covers(path, key))
			form_tape_remove(t, key);
	}
	if (*path == '\0')
		(void)json_array_clear(t->asked);
}

void
form_tape_ask(struct form_tape *t, const char *path)
{
	xalloc_append(t->asked, xalloc_json_str(path));
}

bool
form_tape_may_assume(const struct form_tape *t, const char *key)
{
	const json_t *v;
	size_t i;

	if (json_object_get(t->answers, key) != NULL)
		return (false);
	json_array_foreach(t->asked, i, v)
	{
		if (form_tape_covers(json_string_value(v), key))
			return (false);
	}
	return (true);
}

/* A question has been answered, now (v, stolen) or before (NULL). */
static void
form_tape_step(struct form_tape *t, const char *key, json_t *v)
{
	if (v != NULL) {
		/* An answer that is given again is the last one. */
		(void)json_object_del(t->answers, key);
		xalloc_set(t->answers, key, v);
	}
	xalloc_append(t->steps, xalloc_json_str(key));
}

/* Finds a value among those that are offered. */
static bool
form_tape_is_offered(
    const struct form_list *list, const json_t *v, size_t *pick)
{
	size_t i;

	for (i = 0; json_is_string(v) && i < list->n; i++) {
		if (strcmp(list->values[i], json_string_value(v)) == 0) {
			*pick = i;
			return (true);
		}
	}
	return (false);
}

int
form_tape_choice(struct form_tape *t, const struct form_list *list,
    int fallback, size_t *pick)
{
	json_t *v = NULL;
	int r;

	if (!form_tape_is_offered(
		list, json_object_get(t->answers, list->key), pick)) {
		if (form_tape_is_offered(
			list, form_tape_former(t, list->key), pick))
			fallback = (int)*pick;
		r = ask_choice(t->io, list->title,
		    (const char *const *)list->labels, list->n, fallback, pick);
		if (r != 0)
			return (r);
		v = xalloc_json_str(list->values[*pick]);
	}
	form_tape_step(t, list->key, v);
	return (0);
}

/* Finds the choices that an answer of several names; false if it cannot be. */
static bool
form_tape_are_offered(const struct form_list *list, const json_t *values,
    size_t least, size_t most, size_t *picks)
{
	const size_t n = json_array_size(values);
	size_t i;

	if (!json_is_array(values) || n < least || n > most || n > list->n)
		return (false);
	for (i = 0; i < n; i++) {
		if (!form_tape_is_offered(
			list, json_array_get(values, i), &picks[i]))
			return (false);
	}
	return (true);
}

/* Choices as they are typed, "2 4-6"; free(), or NULL if that is long. */
static char *
form_tape_typed(const size_t *picks, size_t n)
{
	struct buf b;
	size_t i, k;
	char *s;

	if (n == 0)
		return (xalloc_str("none"));
	buf_init(&b, 0);
	for (i = 0; i < n; i = k) {
		for (k = i + 1; k < n && picks[k] == picks[k - 1] + 1;)
			k++;
		buf_printf(&b, i == 0 ? "%zu" : " %zu", picks[i] + 1);
		if (k > i + 1)
			buf_printf(&b, "-%zu", picks[k - 1] + 1);
	}
	s = xalloc_take(&b);
	if (strlen(s) <= FORM_TAPE_TYPED_MAX)
		return (s);
	free(s);
	return (NULL);
}

int
form_tape_some(struct form_tape *t, const struct form_list *list, size_t least,
    size_t most, size_t *picks, size_t *n_picks)
{
	const json_t *had = json_object_get(t->answers, list->key), *former;
	json_t *values = NULL;
	char *enter = NULL;
	size_t i;
	int r;

	*n_picks = json_array_size(had);
	if (!form_tape_are_offered(list, had, least, most, picks)) {
		former = form_tape_former(t, list->key);
		if (form_tape_are_offered(list, former, least, most, picks))
			enter = form_tape_typed(picks, json_array_size(former));
		r = enter != NULL
		    ? ask_some_or(t->io, list->title,
			  (const char *const *)list->labels, list->n, least,
			  most, enter, picks, n_picks)
		    : ask_some(t->io, list->title,
			  (const char *const *)list->labels, list->n, least,
			  most, !list->is_typed, picks, n_picks);
		free(enter);
		if (r != 0)
			return (r);
		values = xalloc_json(json_array());
		for (i = 0; i < *n_picks; i++)
			xalloc_append(
			    values, xalloc_json_str(list->values[picks[i]]));
	}
	form_tape_step(t, list->key, values);
	return (0);
}

int
form_tape_yes(struct form_tape *t, const char *key, const char *question,
    int fallback, bool *yes)
{
	const json_t *had = json_object_get(t->answers, key), *former;
	json_t *v = NULL;
	int r;

	if (json_is_boolean(had)) {
		*yes = json_is_true(had);
	} else {
		if (json_is_boolean(former = form_tape_former(t, key)))
			fallback = json_is_true(former);
		if ((r = ask_yes(t->io, question, fallback, yes)) != 0)
			return (r);
		v = json_boolean(*yes);
	}
	form_tape_step(t, key, v);
	return (0);
}

/* True for a whole number from lo to hi. */
static bool
form_tape_is_number(const json_t *v, int64_t lo, int64_t hi)
{
	return (json_is_integer(v) && json_integer_value(v) >= lo &&
	    json_integer_value(v) <= hi);
}

int
form_tape_number(struct form_tape *t, const char *key, const char *question,
    int64_t lo, int64_t hi, const int64_t *fallback, int64_t *out)
{
	const json_t *had = json_object_get(t->answers, key);
	const json_t *former = form_tape_former(t, key);
	int64_t n = fallback == NULL ? 0 : *fallback;
	json_t *v = NULL;
	int r;

	if (form_tape_is_number(had, lo, hi)) {
		n = json_integer_value(had);
	} else {
		if (form_tape_is_number(former, lo, hi)) {
			n = json_integer_value(former);
			fallback = &n;
		}
		r = ask_number(t->io, question, lo, hi, fallback != NULL, &n);
		if (r != 0)
			return (r);
		v = xalloc_json(json_integer(n));
	}
	form_tape_step(t, key, v);
	*out = n;
	return (0);
}

int
form_tape_text(struct form_tape *t, const char *key, const char *question,
    size_t max, bool may_be_empty, char **out)
{
	return (form_tape_text_or(
	    t, key, question, max, may_be_empty ? "" : NULL, out));
}

int
form_tape_text_or(struct form_tape *t, const char *key, const char *question,
    size_t max, const char *enter, char **out)
{
	const json_t *had = json_object_get(t->answers, key);
	const char *former = json_string_value(form_tape_former(t, key));
	json_t *v = NULL;
	char *s;
	int r;

	if (json_is_string(had)) {
		s = xalloc_str(json_string_value(had));
	} else {
		if (former != NULL && *former != '\0')
			enter = former;
		r = ask_text_or(t->io, question, max, enter, &s);
		if (r != 0)
			return (r);
		v = xalloc_json_str(s);
	}
	form_tape_step(t, key, v);
	*out = s;
	return (0);
}
