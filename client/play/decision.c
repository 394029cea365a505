/* SPDX-License-Identifier: ISC */
/*
 * Words and decisions.  What is lawful beyond the options is the rules' to
 * say; this only refuses words that cannot be turned into a decision.
 */
#include "client/play/decision.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/ui/opt.h"
#include "common/base/buf.h"
#include "common/json/js.h"

#define DECISION_UNIT "unit" /* names the id in an element of an order */
#define DECISION_ALL "all" /* nobody is lost */
#define DECISION_LOST "lost" /* before those that are */
#define DECISION_LISTED 20 /* ids that an error text lists at most */

/* Words of one member: a slice of the command line, commas split too. */
struct decision_words {
	char **w; /* owned, as the words */
	size_t n;
};

bool
decision_is_lost(const char *member)
{
	return (strcmp(member, "eliminated") == 0);
}

/* Adds a word, or its pieces between commas. */
static void
decision_add(struct decision_words *aw, const char *s)
{
	size_t n;

	for (;; s += n + 1) {
		n = strcspn(s, ",");
		if (n > 0) {
			aw->w = xalloc_more(aw->w, aw->n, sizeof(*aw->w));
			aw->w[aw->n++] = xalloc_strn(s, n);
		}
		if (s[n] == '\0')
			return;
	}
}

/* Frees the words. */
static void
decision_clear(struct decision_words *aw)
{
	size_t i;

	for (i = 0; i < aw->n; i++)
		free(aw->w[i]);
	free(aw->w);
	memset(aw, 0, sizeof(*aw));
}

/* A value as the word that stands for it; free(). */
static char *
decision_word(const json_t *v)
{
	if (json_is_string(v))
		return (xalloc_str(json_string_value(v)));
	if (json_is_boolean(v))
		return (xalloc_str(json_is_true(v) ? "yes" : "no"));
	if (json_is_null(v))
		return (xalloc_str("none"));
	return (xalloc_dump(v));
}

/* The values of a list as words between separators; free(). */
static char *
decision_list(const json_t *values, const char *separator)
{
	const json_t *v;
	struct buf b;
	size_t i;
	char *s;

	buf_init(&b, 0);
	json_array_foreach(values, i, v)
	{
		if (i == DECISION_LISTED) {
			buf_printf(&b, "%s...", separator);
			break;
		}
		s = decision_word(v);
		buf_printf(&b, "%s%s", i == 0 ? "" : separator, s);
		free(s);
	}
	return (xalloc_take(&b));
}

/* The value of a list that a word stands for, borrowed; NULL if none. */
static const json_t *
decision_find(const json_t *values, const char *word)
{
	const json_t *v;
	char *s;
	bool is_it;
	size_t i;

	json_array_foreach(values, i, v)
	{
		s = decision_word(v);
		is_it = strcmp(s, word) == 0;
		free(s);
		if (is_it)
			return (v);
	}
	json_array_foreach(values, i, v)
	{
		if ((json_is_true(v) &&
			(strcmp(word, "true") == 0 ||
			    strcmp(word, "y") == 0)) ||
		    (json_is_false(v) &&
			(strcmp(word, "false") == 0 ||
			    strcmp(word, "n") == 0)) ||
		    (json_is_null(v) && strcmp(word, "null") == 0))
			return (v);
	}
	return (NULL);
}

/* Refuses a word that is not among the values. */
static int
decision_not_among(const json_t *values, const char *word, struct errinfo *e)
{
	char *list;
	int r;

	list = decision_list(values, ", ");
	r = err_set(e, ERR_INVALID, NULL, "'%s' is not among: %s", word, list);
	free(list);
	return (r);
}

/* One of some values. */
static int
decision_one(const json_t *values, const struct decision_words *aw,
    json_t **out, struct errinfo *e)
{
	const json_t *v;
	char *list;
	int r;

	if (aw->n != 1) {
		list = decision_list(values, ", ");
		r = err_set(e, ERR_INVALID, NULL, "say one of: %s", list);
		free(list);
		return (r);
	}
	if ((v = decision_find(values, aw->w[0])) == NULL)
		return (decision_not_among(values, aw->w[0], e));
	*out = xalloc_copy(v);
	return (0);
}

/* True if the array holds this string. */
static bool
decision_has(const json_t *list, const char *s)
{
	const json_t *v;
	size_t i;

	json_array_foreach(list, i, v)
	{
		if (strcmp(json_string_value(v), s) == 0)
			return (true);
	}
	return (false);
}

/*
 * Refuses words beside "none" or "all", which is word i: what is wrong is a
 * word beside it, above all one that is not among the ids.
 */
static int
decision_not_alone(const json_t *ids, const struct decision_words *aw, size_t i,
    struct errinfo *e)
{
	const char *other = aw->w[i == 0 ? 1 : 0];
	size_t j;

	for (j = 0; j < aw->n; j++) {
		if (strcmp(aw->w[j], "all") != 0 &&
		    strcmp(aw->w[j], "none") != 0 &&
		    decision_find(ids, aw->w[j]) == NULL)
			return (decision_not_among(ids, aw->w[j], e));
	}
	if (strcmp(aw->w[i], other) == 0)
		return (err_set(
		    e, ERR_INVALID, NULL, "'%s' is named twice", other));
	return (err_set(e, ERR_INVALID, NULL,
	    "'%s' stands alone: leave '%s' out", aw->w[i], other));
}

/* Some of the ids, each once. */
static int
decision_some(const json_t *option, const struct decision_words *aw,
    json_t **out, struct errinfo *e)
{
	const json_t *ids = json_object_get(option, "some"), *v;
	const char *w;
	json_t *list;
	size_t i, j;
	int r = 0;

	list = xalloc_json(json_array());
	for (i = 0; r == 0 && i < aw->n; i++) {
		w = aw->w[i];
		if (decision_find(ids, w) != NULL && decision_has(list, w))
			r = err_set(
			    e, ERR_INVALID, NULL, "'%s' is named twice", w);
		else if ((v = decision_find(ids, w)) != NULL)
			xalloc_append(list, xalloc_copy(v));
		else if (strcmp(w, "all") == 0 && aw->n == 1)
			json_array_foreach(ids, j, v)
			    xalloc_append(list, xalloc_copy(v));
		else if (strcmp(w, "all") == 0 || strcmp(w, "none") == 0)
			r = aw->n == 1 ? 0 : decision_not_alone(ids, aw, i, e);
		else
			r = decision_not_among(ids, w, e);
	}
	if (r == 0 && aw->n == 0)
		r = err_set(e, ERR_INVALID, NULL,
		    "name the units, or type 'none' or 'all'");
	if (r != 0)
		json_decref(list);
	else
		*out = list;
	return (r);
}

/* Those that are eliminated by being named: nobody, or "lost" and the ids. */
static int
decision_lost(const json_t *option, const struct decision_words *aw,
    json_t **out, struct errinfo *e)
{
	struct decision_words lost = {.w = aw->w + 1, .n = aw->n - 1};
	const json_t *ids = json_object_get(option, "some");
	size_t i;

	if (aw->n == 1 && strcmp(aw->w[0], DECISION_ALL) == 0) {
		*out = xalloc_json(json_array());
		return (0);
	}
	if (aw->n > 1 && strcmp(aw->w[0], DECISION_LOST) == 0) {
		/* Whoever is lost is named, one by one. */
		for (i = 0; i < lost.n; i++) {
			if (decision_find(ids, lost.w[i]) == NULL)
				return (decision_not_among(ids, lost.w[i], e));
		}
		return (decision_some(option, &lost, out, e));
	}
	return (err_set(e, ERR_INVALID, NULL,
	    "say 'all' if all retreat and nobody is eliminated, or 'lost' and "
	    "the units that cannot and are eliminated"));
}

/* The only member of an object, borrowed; NULL if it has several. */
static const char *
decision_only_key(const json_t *o)
{
	const char *key, *only = NULL;
	json_t *v;

	if (json_object_size(o) != 1)
		return (NULL);
	js_foreach(o, key, v) only = key;
	return (only);
}

/* Appends one element of an order; word NULL: the first value of each. */
static int
decision_element(json_t *list, const char *id, const json_t *each,
    const char *word, struct errinfo *e)
{
	const char *member, *key;
	const json_t *value, *values;
	json_t *o, *v;

	member = decision_only_key(each);
	if (word != NULL && member == NULL)
		return (err_set(e, ERR_INVALID, NULL,
		    "'%s=%s' cannot be put in words: use --decision JSON", id,
		    word));
	values = json_object_get(json_object_get(each, member), "one");
	value = word == NULL ? NULL : decision_find(values, word);
	if (word != NULL && value == NULL)
		return (decision_not_among(values, word, e));
	o = xalloc_json(json_object());
	xalloc_set(o, DECISION_UNIT, xalloc_json_str(id));
	json_object_foreach((json_t *)(uintptr_t)each, key, v)
	{
		if (value == NULL)
			value = json_array_get(json_object_get(v, "one"), 0);
		if (value != NULL)
			xalloc_set(o, key, xalloc_copy(value));
		value = NULL;
	}
	xalloc_append(list, o);
	return (0);
}

/* Adds the ids that are not named yet, in the order of the options. */
static int
decision_rest(json_t *list, const json_t *ids, const json_t *each,
    json_t *named, struct errinfo *e)
{
	const json_t *v;
	const char *id;
	size_t i;
	int r = 0;

	json_array_foreach(ids, i, v)
	{
		id = json_string_value(v);
		if (r == 0 && !decision_has(named, id)) {
			r = decision_element(list, id, each, NULL, e);
			xalloc_append(named, xalloc_json_str(id));
		}
	}
	return (r);
}

/* All of the ids in an order, and a word on each. */
static int
decision_order(const json_t *option, const struct decision_words *aw,
    json_t **out, struct errinfo *e)
{
	const json_t *ids = json_object_get(option, "order");
	const json_t *each = json_object_get(option, "each"), *v;
	json_t *list, *named;
	char *id, *word;
	size_t i;
	int r = 0;

	list = xalloc_json(json_array());
	named = xalloc_json(json_array());
	for (i = 0; r == 0 && i < aw->n; i++) {
		id = xalloc_str(aw->w[i]);
		if ((word = strchr(id, '=')) != NULL)
			*word++ = '\0';
		if (decision_has(named, id)) {
			r = err_set(
			    e, ERR_INVALID, NULL, "'%s' is named twice", id);
		} else if (decision_find(ids, id) != NULL) {
			r = decision_element(list, id, each, word, e);
			xalloc_append(named, xalloc_json_str(id));
		} else if (strcmp(id, "all") == 0 && word == NULL &&
		    i + 1 == aw->n) {
			r = decision_rest(list, ids, each, named, e);
		} else {
			r = decision_not_among(ids, id, e);
		}
		free(id);
	}
	json_array_foreach(ids, i, v)
	{
		if (r == 0 && !decision_has(named, json_string_value(v)))
			r = err_set(e, ERR_INVALID, NULL,
			    "'%s' is not named; 'all' at the end stands for "
			    "the rest",
			    json_string_value(v));
	}
	json_decref(named);
	if (r != 0)
		json_decref(list);
	else
		*out = list;
	return (r);
}

/* A number of a range. */
static int
decision_int(const json_t *range, const struct decision_words *aw, json_t **out,
    struct errinfo *e)
{
	int64_t lo, hi, v;
	bool is_negative;

	lo = json_integer_value(json_array_get(range, 0));
	hi = json_integer_value(json_array_get(range, 1));
	if (aw->n == 1) {
		is_negative = aw->w[0][0] == '-';
		if (opt_number(aw->w[0] + is_negative, 0, INT32_MAX, &v)) {
			v = is_negative ? -v : v;
			if (v >= lo && v <= hi) {
				*out = xalloc_json(json_integer(v));
				return (0);
			}
		}
	}
	return (err_set(e, ERR_INVALID, NULL, "type a number from %lld to %lld",
	    (long long)lo, (long long)hi));
}

/* The value of one member from its words. */
static int
decision_member(const char *name, const json_t *option,
    const struct decision_words *aw, json_t **out, struct errinfo *e)
{
	if (json_object_get(option, "one") != NULL)
		return (
		    decision_one(json_object_get(option, "one"), aw, out, e));
	if (json_object_get(option, "some") != NULL)
		return (decision_is_lost(name)
			? decision_lost(option, aw, out, e)
			: decision_some(option, aw, out, e));
	if (json_object_get(option, "order") != NULL)
		return (decision_order(option, aw, out, e));
	if (json_object_get(option, "int") != NULL)
		return (
		    decision_int(json_object_get(option, "int"), aw, out, e));
	return (err_set(e, ERR_INVALID, NULL,
	    "'%s' cannot be put in words: use --decision JSON", name));
}

/* Gathers the words of member `name`; several members need name=value. */
static int
decision_gather(const char *name, bool is_only, int n, const char *const *words,
    struct decision_words *aw, struct errinfo *e)
{
	size_t len = strlen(name);
	bool is_named;
	int i;

	for (i = 0; i < n; i++) {
		is_named =
		    strncmp(words[i], name, len) == 0 && words[i][len] == '=';
		if (is_named) {
			if (aw->n > 0)
				return (err_set(e, ERR_INVALID, NULL,
				    "'%s' is given twice", name));
			decision_add(aw, words[i] + len + 1);
		} else if (is_only) {
			decision_add(aw, words[i]);
		}
	}
	if (!is_only && aw->n == 0)
		return (err_set(e, ERR_INVALID, NULL, "say %s=...", name));
	return (0);
}

/* Refuses words that name no member, where there are several. */
static int
decision_check_words(
    const json_t *options, int n, const char *const *words, struct errinfo *e)
{
	char *name;
	bool is_known;
	int i;

	if (json_object_size(options) == 1)
		return (0);
	for (i = 0; i < n; i++) {
		name = xalloc_strn(words[i], strcspn(words[i], "="));
		is_known = strchr(words[i], '=') != NULL &&
		    json_object_get(options, name) != NULL;
		free(name);
		if (!is_known)
			return (err_set(e, ERR_INVALID, NULL,
			    "'%s' is not understood: type member=value",
			    words[i]));
	}
	return (0);
}

bool
decision_has_words(const json_t *options)
{
	const char *name;
	json_t *option;

	json_object_foreach((json_t *)(uintptr_t)options, name, option)
	{
		if (json_object_get(option, "one") == NULL &&
		    json_object_get(option, "some") == NULL &&
		    json_object_get(option, "order") == NULL &&
		    json_object_get(option, "int") == NULL)
			return (false);
	}
	return (true);
}

int
decision_parse(const char *kind, const json_t *options, int n,
    const char *const *words, json_t **decision, struct errinfo *e)
{
	struct decision_words aw = {.n = 0};
	bool is_only = json_object_size(options) == 1;
	json_t *o, *option, *value = NULL;
	const char *name;
	int r;

	if (n < 1 || strcmp(words[0], kind) != 0)
		return (err_set(e, ERR_INVALID, NULL,
		    "the open question is '%s', not '%s'", kind,
		    n < 1 ? "" : words[0]));
	if (!decision_has_words(options))
		return (err_set(e, ERR_INVALID, NULL,
		    "'%s' cannot be put in words: use --decision JSON", kind));
	if ((r = decision_check_words(options, n - 1, words + 1, e)) != 0)
		return (r);
	o = xalloc_json(json_object());
	xalloc_set(o, "kind", xalloc_json_str(kind));
	json_object_foreach((json_t *)(uintptr_t)options, name, option)
	{
		r = decision_gather(name, is_only, n - 1, words + 1, &aw, e);
		if (r == 0)
			r = decision_member(name, option, &aw, &value, e);
		decision_clear(&aw);
		if (r != 0)
			break;
		xalloc_set(o, name, value);
	}
	if (r != 0)
		json_decref(o);
	else
		*decision = o;
	return (r);
}

/* Appends "kind words" as one text. */
static void
decision_offer(json_t *list, const char *kind, const char *words)
{
	char *s;

	s = xalloc_printf("%s %s", kind, words);
	xalloc_append(list, xalloc_json_str(s));
	free(s);
}

/* The typical answers where ids are ordered and a word is said of each. */
static void
decision_typical_order(json_t *list, const char *kind, const json_t *option)
{
	const json_t *ids = json_object_get(option, "order"), *values, *v;
	const json_t *each = json_object_get(option, "each");
	const char *member = decision_only_key(each);
	char *word, *s, *names;
	size_t i;

	names = decision_list(ids, " ");
	if (json_array_size(ids) <= DECISION_LISTED)
		decision_offer(list, kind, names);
	else
		decision_offer(list, kind, "all");
	free(names);
	values = json_object_get(json_object_get(each, member), "one");
	json_array_foreach(values, i, v)
	{
		if (i == 0)
			continue;
		word = decision_word(v);
		s = xalloc_printf("%s=%s%s",
		    json_string_value(json_array_get(ids, 0)), word,
		    json_array_size(ids) > 1 ? " all" : "");
		decision_offer(list, kind, s);
		free(s);
		free(word);
	}
}

/* The typical answers where those that are named are eliminated. */
static void
decision_typical_lost(json_t *list, const char *kind, const json_t *ids)
{
	const json_t *v;
	char *s;
	size_t i;

	decision_offer(list, kind, DECISION_ALL);
	json_array_foreach(ids, i, v)
	{
		s = xalloc_printf("%s %s", DECISION_LOST, json_string_value(v));
		decision_offer(list, kind, s);
		free(s);
	}
}

json_t *
decision_typical(const char *kind, const json_t *options)
{
	const char *name = decision_only_key(options);
	const json_t *option, *v;
	json_t *list;
	char *word;
	size_t i;

	list = xalloc_json(json_array());
	option = json_object_get(options, name);
	if (name != NULL && decision_is_lost(name) &&
	    json_object_get(option, "some") != NULL) {
		decision_typical_lost(
		    list, kind, json_object_get(option, "some"));
		return (list);
	}
	json_array_foreach(json_object_get(option, "one"), i, v)
	{
		word = decision_word(v);
		decision_offer(list, kind, word);
		free(word);
	}
	json_array_foreach(json_object_get(option, "some"), i, v)
	{
		decision_offer(list, kind, json_string_value(v));
	}
	if (json_object_get(option, "some") != NULL) {
		if (i > 1 && json_object_get(option, "max") == NULL)
			decision_offer(list, kind, "all");
		if (json_object_get(option, "min") == NULL)
			decision_offer(list, kind, "none");
	}
	if (json_object_get(option, "order") != NULL)
		decision_typical_order(list, kind, option);
	if (json_object_get(option, "int") != NULL) {
		json_array_foreach(json_object_get(option, "int"), i, v)
		{
			word = decision_word(v);
			decision_offer(list, kind, word);
			free(word);
		}
	}
	return (list);
}

/* Appends the form of one member's value. */
static void
decision_form_member(
    struct buf *b, const char *name, const json_t *option, const char *gap)
{
	const json_t *each = json_object_get(option, "each");
	const json_t *range = json_object_get(option, "int");
	const char *member = decision_only_key(each);
	char *list;

	if (json_object_get(option, "one") != NULL) {
		list = decision_list(json_object_get(option, "one"), "|");
		buf_puts(b, list);
		free(list);
	} else if (decision_is_lost(name)) {
		buf_printf(
		    b, DECISION_ALL "|" DECISION_LOST "%sUNIT%s...", gap, gap);
	} else if (json_object_get(option, "some") != NULL) {
		buf_printf(b, "none|all|UNIT%s...", gap);
	} else if (json_object_get(option, "order") != NULL) {
		buf_puts(b, "UNIT");
		if (member != NULL) {
			list = decision_list(
			    json_object_get(
				json_object_get(each, member), "one"),
			    "|");
			buf_printf(b, "[=%s]", list);
			free(list);
		}
		buf_printf(b, "%s... [all]", gap);
	} else if (range != NULL) {
		buf_printf(b, "NUMBER");
	} else {
		buf_puts(b, "?");
	}
}

char *
decision_form(const char *kind, const json_t *options)
{
	bool is_only = json_object_size(options) == 1;
	const char *name;
	json_t *option;
	struct buf b;

	if (!decision_has_words(options))
		return (xalloc_str("--decision JSON"));
	buf_init(&b, 0);
	buf_puts(&b, kind);
	json_object_foreach((json_t *)(uintptr_t)options, name, option)
	{
		if (is_only)
			buf_puts(&b, " ");
		else
			buf_printf(&b, " %s=", name);
		decision_form_member(&b, name, option, is_only ? " " : ",");
	}
	return (xalloc_take(&b));
}
