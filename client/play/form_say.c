/* SPDX-License-Identifier: ISC */
/*
 * One question for many units where that will do.  A choice that is none of
 * the words (to type another, to say that they differ) has a value that no
 * word is.
 */
#include "client/play/form_say.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/play/form_past.h"
#include "client/replica/adjust.h"
#include "common/base/buf.h"
#include "common/rules/rules.h"

#define FORM_SAY_OTHER "?other" /* type it */
#define FORM_SAY_DIFFER "?differ" /* ask about each of them */
#define FORM_SAY_SCOPES 8 /* objects around a member, itself included */
#define FORM_SAY_NAMED 6 /* units that a question names at most */

/* What a question is about. */
struct form_of {
	const struct declare_field *row; /* of the elements */
	const json_t *elements; /* NULL: a place's object */
	const char *subject; /* for people */
	const char *path; /* by which it can be changed */
	const char *whose; /* for people; NULL: the combat's */
};

bool
form_say_holds(const struct form_walk *w, const char *when,
    const struct form_place *at, const json_t *element)
{
	const json_t *scopes[FORM_SAY_SCOPES];
	size_t n = 0;

	if (when == NULL)
		return (true);
	if (element != NULL) {
		scopes[n++] =
		    adjust_entry(w->roster, text_member(element, "id"));
		scopes[n++] = element;
	}
	for (; at != NULL && n < FORM_SAY_SCOPES; at = at->up)
		scopes[n++] = at->obj;
	return (declare_holds(when, w->side, scopes, n));
}

/* As form_say_holds(), of all elements; NULL: of the place itself. */
static bool
form_say_all_hold(const struct form_walk *w, const char *when,
    const struct form_place *at, const json_t *elements)
{
	const json_t *v;
	size_t i;

	if (elements == NULL)
		return (form_say_holds(w, when, at, NULL));
	json_array_foreach(elements, i, v)
	{
		if (!form_say_holds(w, when, at, v))
			return (false);
	}
	return (true);
}

bool
form_say_may_assume(const struct form_walk *w, const char *key)
{
	return (w->lists == 0 && form_tape_may_assume(&w->tape, key));
}

void
form_say_assume(struct form_walk *w, const char *what, const char *value)
{
	xalloc_append(w->assumed,
	    value == NULL
		? json_pack("{s:o}", "what", xalloc_json_str(what))
		: json_pack("{s:o, s:o}", "what", xalloc_json_str(what),
		      "value", xalloc_json_str(value)));
}

void
form_say_soft(
    struct form_walk *w, const char *path, const char *of, const char *label)
{
	const json_t *v;
	size_t i;
	char *s;

	/* Units with other choices were asked about by themselves. */
	json_array_foreach(w->inner, i, v)
	{
		if (strcmp(text_member(v, "path"), path) == 0)
			return;
	}
	if (w->lists > 0)
		return;
	s = of == NULL ? xalloc_str(label) : xalloc_printf("%s: %s", of, label);
	xalloc_append(w->inner,
	    json_pack("{s:o, s:o, s:b}", "path", xalloc_json_str(path), "label",
		xalloc_json_str(s), "soft", 1));
	free(s);
}

void
form_say_soft_specials(struct form_walk *w, const char *path, const char *of,
    const char *label, const struct declare_field *const *found, size_t n)
{
	const size_t before = json_array_size(w->inner);
	struct buf b;
	size_t i;
	char *s;

	form_say_soft(w, path, of, label);
	if (json_array_size(w->inner) == before)
		return;
	buf_init(&b, 0);
	for (i = 0; i < n; i++)
		buf_printf(&b, "%s%s", i == 0 ? "" : "; ", found[i]->label);
	s = xalloc_take(&b);
	xalloc_set(
	    json_array_get(w->inner, before), "such", xalloc_json_str(s));
	free(s);
}

char *
form_say_title(const char *question, const char *subject)
{
	const char *p = strstr(question, "{}");

	if (p == NULL)
		return (xalloc_str(question));
	return (xalloc_printf(
	    "%.*s%s%s", (int)(p - question), question, subject, p + 2));
}

/* How elements are called in a question; free(). */
static char *
form_say_subject(const struct form_walk *w, const struct declare_field *of,
    const json_t *elements)
{
	const size_t n = json_array_size(elements);
	json_t *names = xalloc_json(json_array());
	const json_t *v;
	struct buf b;
	size_t i;
	char *s;

	buf_init(&b, 0);
	json_array_foreach(elements, i, v)
	{
		s = form_tell_named(w->rd, of, v);
		xalloc_append(names, xalloc_json_str(s));
		free(s);
	}
	if (n > FORM_SAY_NAMED)
		buf_printf(&b, "these %zu", n);
	else
		form_tell_join(&b, names);
	json_decref(names);
	return (xalloc_take(&b));
}

/* What a group is called in a key, by all its elements; free(). */
static char *
form_say_key(const char *path, const char *mark, const struct declare_field *in,
    const struct declare_field *of, const json_t *elements)
{
	const json_t *v;
	struct buf b;
	size_t i;
	char *s;

	buf_init(&b, 0);
	buf_printf(&b, "%s%s%s:", path, mark, in->name);
	json_array_foreach(elements, i, v)
	{
		s = form_tell_short(of, v);
		buf_printf(&b, "%s%s", i == 0 ? "" : ",", s);
		free(s);
	}
	return (xalloc_take(&b));
}

/*
 * The word that all elements have as the member besides which others are asked
 * for, borrowed; NULL if there is none.
 */
static const char *
form_say_named(const struct declare_field *in, const json_t *elements)
{
	const char *found = NULL, *word;
	const json_t *v;
	size_t i;

	json_array_foreach(elements, i, v)
	{
		word = in->besides == NULL
		    ? NULL
		    : json_string_value(json_object_get(v, in->besides));
		if (word == NULL || (found != NULL && strcmp(found, word) != 0))
			return (NULL);
		found = word;
	}
	return (found);
}

/* The words that may be said of all these elements, and are not named yet. */
static void
form_say_words(const struct form_walk *w, const struct declare_field *in,
    const struct form_place *at, const json_t *elements, struct form_list *list)
{
	const char *named = form_say_named(in, elements);
	const struct declare_word *word;

	for (word = in->words; word != NULL && word->word != NULL; word++) {
		if ((named == NULL || strcmp(named, word->word) != 0) &&
		    form_say_all_hold(w, word->when, at, elements))
			form_list_add(list, word->label, word->word);
	}
}

/* Asks for another word than those of the list. */
static int
form_say_other(struct form_walk *w, const char *key, json_t **value)
{
	char *key_text, *s;
	int r;

	key_text = xalloc_printf("%s:?", key);
	r = form_tape_text(&w->tape, key_text, "Which one, in lower case?",
	    RULES_NAME_MAX, false, &s);
	free(key_text);
	if (r != 0)
		return (r);
	*value = xalloc_json_str(s);
	free(s);
	return (0);
}

/* The choice of a list that has this value; -1: there is none. */
static int
form_say_place(const struct form_list *c, const char *value)
{
	size_t i;

	for (i = 0; value != NULL && i < c->n; i++) {
		if (strcmp(c->values[i], value) == 0)
			return ((int)i);
	}
	return (-1);
}

/* What a member was in the last combat with these enemies, borrowed; NULL. */
static const json_t *
form_say_past(const struct form_walk *w, const char *path)
{
	static const char *const lists[] = {"units", "commanders"};
	json_t *ids = xalloc_json(json_array());
	const json_t *found, *v;
	size_t i, k;
	const char *id;

	for (k = 0; k < 2; k++) {
		json_array_foreach(
		    json_object_get(w->rosters[COMBAT_DEFENDER], lists[k]), i,
		    v)
		{
			id = text_member(v, "id");
			if (form_past_has_id(w->combat, id))
				xalloc_append(ids, xalloc_json_str(id));
		}
	}
	found = form_past_at(w->past, w->declarer, ids, path);
	json_decref(ids);
	return (found);
}

/*
 * The choice that is proposed: what it was in the last combat, else what is
 * usual; -1: none.  *is_past: it was so before.
 */
static int
form_say_proposed(const struct form_walk *w, const struct declare_field *in,
    const struct form_list *c, const struct form_of *of, bool *is_past)
{
	const char *word = NULL, *had;
	const json_t *v;
	int pick;
	size_t i;

	*is_past = false;
	if (in->is_special)
		return (form_say_place(c, in->enter));
	if (of->elements == NULL)
		word = json_string_value(form_say_past(w, of->path));
	json_array_foreach(of->elements, i, v)
	{
		had = json_string_value(
		    form_past_of(w->past, of->row, v, in->name));
		if (form_say_place(c, had) < 0)
			had = in->enter;
		if (i > 0 && (had == NULL || word == NULL))
			return (-1);
		word = i > 0 && strcmp(word, had) != 0 ? FORM_SAY_DIFFER : had;
		if (i > 0 && strcmp(word, FORM_SAY_DIFFER) == 0)
			break;
	}
	if ((pick = form_say_place(c, word)) < 0)
		return (form_say_place(c, in->enter));
	*is_past = in->enter == NULL || strcmp(word, in->enter) != 0;
	return (pick);
}

/* Notes that a proposed word was assumed. */
static void
form_say_assume_word(struct form_walk *w, const struct declare_field *in,
    const struct form_of *of, const char *word, bool is_past)
{
	char *value, *what;

	value = xalloc_printf(
	    "%s%s", form_tell_word(in, word), is_past ? " (as last time)" : "");
	/* Who they are, the combat tells already. */
	what = json_array_size(of->elements) != 1
	    ? xalloc_str(in->label)
	    : xalloc_printf("%s of %s", in->label, of->subject);
	form_say_assume(w, what, value);
	free(value);
	free(what);
}

/*
 * Asks for one of the words.  *value stays NULL if elements differ, or if
 * there is no word at all.  Only what is usual in any combat is assumed:
 * other words are proposed.
 */
static int
form_say_one(struct form_walk *w, const struct declare_field *in,
    const struct form_list *c, const struct form_of *of, json_t **value)
{
	bool is_past, is_soft = in->enter != NULL && !in->is_special;
	int proposed = form_say_proposed(w, in, c, of, &is_past), r;
	size_t pick = 0;

	/* What can be only one thing is not asked. */
	if (c->n != 1 && is_soft)
		form_say_soft(w, of->path, of->whose, in->label);
	if (c->n != 1 && is_soft && proposed >= 0 &&
	    form_say_may_assume(w, c->key)) {
		pick = (size_t)proposed;
		if (strcmp(c->values[pick], FORM_SAY_DIFFER) != 0)
			form_say_assume_word(
			    w, in, of, c->values[pick], is_past);
	} else if (c->n != 1) {
		r = form_tape_choice(&w->tape, c, proposed, &pick);
		if (r != 0)
			return (r);
	}
	if (strcmp(c->values[pick], FORM_SAY_OTHER) == 0)
		return (form_say_other(w, c->key, value));
	if (strcmp(c->values[pick], FORM_SAY_DIFFER) == 0)
		return (0);
	*value = xalloc_json_str(c->values[pick]);
	return (0);
}

/* True if the words picked say no more than another member of an element. */
static bool
form_say_is_idle(const struct declare_field *in, const struct form_list *c,
    const size_t *picks, size_t n_picks, const json_t *elements)
{
	const char *word;
	const json_t *v;
	size_t i;

	if (in->besides == NULL || n_picks != 1)
		return (false);
	json_array_foreach(elements, i, v)
	{
		word = json_string_value(json_object_get(v, in->besides));
		if (word != NULL && strcmp(word, c->values[picks[0]]) == 0)
			return (true);
	}
	return (false);
}

/* Asks for some of the words until they say something. */
static int
form_say_picks(struct form_walk *w, const struct declare_field *in,
    const struct form_list *c, const json_t *elements, size_t *picks,
    size_t *n_picks)
{
	char *s;
	int r;

	while ((r = form_tape_some(
		    &w->tape, c, (size_t)in->lo, c->n, picks, n_picks)) == 0 &&
	    form_say_is_idle(in, c, picks, *n_picks, elements)) {
		s = xalloc_printf(
		    "That %s was named before: name another, or both.",
		    in->besides);
		w->tape.io->say(w->tape.io->arg, 0, s);
		free(s);
		form_tape_undo(&w->tape);
	}
	return (r);
}

/* Asks for some of the words: a list, or an object of flags. */
static int
form_say_some(struct form_walk *w, const struct declare_field *in,
    const struct form_list *c, const json_t *elements, json_t **value)
{
	const char *named = form_say_named(in, elements);
	size_t i, n_picks, *picks;
	json_t *made;
	int r;

	picks = xalloc((c->n + 1) * sizeof(*picks));
	r = form_say_picks(w, in, c, elements, picks, &n_picks);
	if (r == 0) {
		made = xalloc_json(
		    in->type == DECLARE_FLAGS ? json_object() : json_array());
		/* What was named is one of them, and was not offered again. */
		if (named != NULL && in->type == DECLARE_WORDS)
			xalloc_append(made, xalloc_json_str(named));
		for (i = 0; i < n_picks; i++) {
			if (in->type == DECLARE_FLAGS)
				xalloc_set(
				    made, c->values[picks[i]], json_true());
			else
				xalloc_append(
				    made, xalloc_json_str(c->values[picks[i]]));
		}
		*value = made;
	}
	free(picks);
	return (r);
}

/* Asks for a number; *value stays NULL if elements differ. */
static int
form_say_number(struct form_walk *w, const struct declare_field *in,
    const char *key, const char *title, const struct form_of *of,
    json_t **value)
{
	const size_t n = json_array_size(of->elements);
	const json_t *had = n != 1 || in->is_special
	    ? NULL
	    : form_past_of(
		  w->past, of->row, json_array_get(of->elements, 0), in->name);
	char *label, *question, *s;
	bool is_same = true, may_differ = n > 1 && !in->is_special;
	int64_t number = json_integer_value(had);
	int r = 0;

	if (may_differ) {
		s = xalloc_printf("%s:?", key);
		label = form_tell_capital(in->label);
		question =
		    xalloc_printf("%s: the same for all of these?", label);
		r = form_tape_yes(&w->tape, s, question, 1, &is_same);
		free(question);
		free(label);
		free(s);
	}
	if (r != 0 || !is_same)
		return (r);
	r = form_tape_number(&w->tape, key, title, in->lo, in->hi,
	    json_is_integer(had) && number >= in->lo && number <= in->hi
		? &number
		: NULL,
	    &number);
	if (r == 0)
		*value = xalloc_json(json_integer(number));
	return (r);
}

/*
 * Asks for the value of a member, of all these elements at once; *value is
 * new, or NULL as form_say_one() says.
 */
static int
form_say_value(struct form_walk *w, const struct declare_field *in,
    const struct form_place *at, const char *key, const struct form_of *of,
    json_t **value)
{
	char *title = form_say_title(in->question, of->subject), *s;
	bool is_group = json_array_size(of->elements) > 1;
	struct form_list list = {.key = key, .title = title};
	int r = 0;

	*value = NULL;
	form_say_words(w, in, at, of->elements, &list);
	if (in->is_open)
		form_list_add(&list, "another", FORM_SAY_OTHER);
	if (is_group && list.n > 1 && !in->is_special)
		form_list_add(&list, "not all the same", FORM_SAY_DIFFER);
	if (in->type == DECLARE_TEXT) {
		r = form_tape_text(
		    &w->tape, key, title, RULES_NAME_MAX, false, &s);
		if (r == 0) {
			*value = xalloc_json_str(s);
			free(s);
		}
	} else if (in->type == DECLARE_NUMBER) {
		r = form_say_number(w, in, key, title, of, value);
	} else if (list.n > 0 && in->type == DECLARE_WORD) {
		r = form_say_one(w, in, &list, of, value);
	} else if (list.n > 0) {
		r = form_say_some(w, in, &list, of->elements, value);
	}
	form_list_clear(&list);
	free(title);
	return (r);
}

/* Sets a member, unless that is what the rules take without it. */
static void
form_say_put(const struct declare_field *in, json_t *obj, const json_t *value)
{
	const char *word = json_string_value(value);
	char number[32];

	if (json_is_integer(value)) {
		(void)snprintf(number, sizeof(number), "%" JSON_INTEGER_FORMAT,
		    json_integer_value(value));
		word = number;
	}
	if (value != NULL &&
	    (in->missing == NULL || word == NULL ||
		strcmp(in->missing, word) != 0))
		xalloc_set(obj, in->name, xalloc_copy(value));
}

int
form_say_member(struct form_walk *w, const struct declare_field *in,
    const struct form_place *at, const char *path)
{
	const struct form_of of = {.subject = "it",
	    .path = path,
	    .whose = at->up == NULL ? NULL : at->label};
	json_t *value;
	int r;

	r = form_say_value(w, in, at, path, &of, &value);
	if (r != 0)
		return (r);
	form_say_put(in, at->obj, value);
	json_decref(value);
	return (0);
}

/* Asks for a member of these elements, together if that will do. */
static int
form_say_group(struct form_walk *w, const struct declare_field *in,
    const struct declare_field *of, const struct form_place *at,
    const char *path, const json_t *elements)
{
	char *key = form_say_key(path, ".", in, of, elements);
	char *subject = form_say_subject(w, of, elements);
	char *place = xalloc_printf("%s.%s", path, in->name);
	const struct form_of about = {.row = of,
	    .elements = elements,
	    .subject = subject,
	    .path = place,
	    .whose = of->label};
	json_t *one, *v, *value;
	size_t i;
	int r;

	r = form_say_value(w, in, at, key, &about, &value);
	free(place);
	free(subject);
	free(key);
	json_array_foreach(elements, i, v)
	{
		if (r != 0)
			break;
		if (value != NULL || json_array_size(elements) == 1) {
			form_say_put(in, v, value);
			continue;
		}
		one = xalloc_json(json_pack("[O]", v));
		r = form_say_group(w, in, of, at, path, one);
		json_decref(one);
	}
	json_decref(value);
	return (r);
}

/* The bits of the words that may be said of one element. */
static uint64_t
form_say_mask(const struct form_walk *w, const struct declare_field *in,
    const struct form_place *at, const json_t *element)
{
	uint64_t mask = 0;
	size_t i;

	for (i = 0; in->words != NULL && in->words[i].word != NULL; i++) {
		if (form_say_holds(w, in->words[i].when, at, element))
			mask |= (uint64_t)1 << (i % 64);
	}
	return (mask);
}

/* The elements that a member may be said of, as a new array. */
static json_t *
form_say_eligible(const struct form_walk *w, const struct declare_field *in,
    const struct form_place *at, const json_t *elements)
{
	json_t *list, *v;
	size_t i;

	list = xalloc_json(json_array());
	json_array_foreach(elements, i, v)
	{
		if (form_say_holds(w, in->when, at, v))
			xalloc_append(list, json_incref(v));
	}
	return (list);
}

/* Asks for a member that all elements have: those with like choices at once. */
static int
form_say_required(struct form_walk *w, const struct declare_field *in,
    const struct declare_field *of, const struct form_place *at,
    const char *path, const json_t *elements)
{
	json_t *group, *left, *rest, *v;
	uint64_t mask;
	size_t i;
	int r = 0;

	left = form_say_eligible(w, in, at, elements);
	while (r == 0 && json_array_size(left) > 0) {
		mask = form_say_mask(w, in, at, json_array_get(left, 0));
		group = xalloc_json(json_array());
		rest = xalloc_json(json_array());
		json_array_foreach(left, i, v) xalloc_append(
		    form_say_mask(w, in, at, v) == mask ? group : rest,
		    json_incref(v));
		r = form_say_group(w, in, of, at, path, group);
		json_decref(group);
		json_decref(left);
		left = rest;
	}
	json_decref(left);
	return (r);
}

/* Asks which of the elements something is true of: *chosen is new. */
static int
form_say_which(struct form_walk *w, const struct declare_field *of,
    const char *key, const char *title, size_t least, const json_t *elements,
    json_t **chosen)
{
	size_t i, n = json_array_size(elements), n_picks, *picks;
	struct form_list list = {.key = key, .title = title};
	const json_t *unit;
	char *label, *s;
	json_t *v;
	int r;

	json_array_foreach(elements, i, v)
	{
		s = form_tell_short(of, v);
		unit = adjust_entry(w->roster, s);
		label = unit == NULL ? form_tell_named(w->rd, of, v)
				     : form_tell_unit(w->rd, unit);
		form_list_add(&list, label, s);
		free(label);
		free(s);
	}
	picks = xalloc((n + 1) * sizeof(*picks));
	r = form_tape_some(&w->tape, &list, least, n, picks, &n_picks);
	if (r == 0) {
		*chosen = xalloc_json(json_array());
		for (i = 0; i < n_picks; i++)
			xalloc_append(*chosen,
			    json_incref(json_array_get(elements, picks[i])));
	}
	form_list_clear(&list);
	free(picks);
	return (r);
}

/* Takes the chosen elements out of those that are left. */
static void
form_say_remove(json_t *left, const json_t *chosen)
{
	const json_t *v;
	size_t i, k;

	json_array_foreach(chosen, i, v)
	{
		for (k = 0; k < json_array_size(left); k++) {
			if (json_array_get(left, k) == v)
				(void)json_array_remove(left, k--);
		}
	}
}

/* Asks of which elements something special is true, and sets it. */
static int
form_say_special_yes(struct form_walk *w, const struct declare_field *in,
    const struct declare_field *of, const char *path, const json_t *elements)
{
	json_t *chosen, *v;
	size_t i;
	char *key;
	int r = 0;

	if (json_array_size(elements) == 1) {
		xalloc_set(json_array_get(elements, 0), in->name, json_true());
		return (0);
	}
	key = xalloc_printf("%s!%s", path, in->name);
	r = form_say_which(w, of, key, in->question, 1, elements, &chosen);
	free(key);
	if (r != 0)
		return (r);
	json_array_foreach(chosen, i, v) xalloc_set(v, in->name, json_true());
	json_decref(chosen);
	return (0);
}

/* Asks for something special of some elements, then of others. */
static int
form_say_special_value(struct form_walk *w, const struct declare_field *in,
    const struct declare_field *of, const struct form_place *at,
    const char *path, json_t *left)
{
	json_t *chosen = NULL, *v, *value;
	char *key, *subject, *title;
	size_t i, n, round;
	int r = 0;

	subject = form_tell_capital(in->label);
	title = xalloc_printf("%s: which of them?", subject);
	free(subject);
	for (round = 0; r == 0 && (n = json_array_size(left)) > 0; round++) {
		if (round == 0 && n == 1) {
			chosen = xalloc_json(
			    json_pack("[O]", json_array_get(left, 0)));
		} else {
			key =
			    xalloc_printf("%s!%s[%zu]", path, in->name, round);
			r = form_say_which(w, of, key,
			    round == 0 ? title : "Any others of them?",
			    round == 0 ? 1 : 0, left, &chosen);
			free(key);
			if (r != 0 || json_array_size(chosen) == 0)
				break;
		}
		key = form_say_key(path, "!", in, of, chosen);
		subject = form_say_subject(w, of, chosen);
		r = form_say_value(w, in, at, key,
		    &(struct form_of){
			.row = of, .elements = chosen, .subject = subject},
		    &value);
		free(subject);
		free(key);
		json_array_foreach(chosen, i, v)
		{
			if (r == 0)
				form_say_put(in, v, value);
		}
		if (r == 0)
			json_decref(value);
		form_say_remove(left, chosen);
		json_decref(chosen);
		chosen = NULL;
	}
	json_decref(chosen);
	free(title);
	return (r);
}

int
form_say_specials(struct form_walk *w, const char *label, const char *key,
    const struct declare_field **found, size_t *n)
{
	char *title = xalloc_printf("Anything special about %s?", label), *s;
	struct form_list list = {.key = key, .title = title};
	const struct declare_field **all;
	size_t i, *picks;
	int r;

	if (form_say_may_assume(w, key)) {
		form_say_assume(w, label, NULL);
		free(title);
		*n = 0;
		return (0);
	}
	all = xalloc(*n * sizeof(*all));
	picks = xalloc(*n * sizeof(*picks));
	for (i = 0; i < *n; i++) {
		all[i] = found[i];
		s = form_tell_capital(found[i]->label);
		form_list_add(&list, s, found[i]->name);
		free(s);
	}
	r = form_tape_some(&w->tape, &list, 0, *n, picks, n);
	for (i = 0; r == 0 && i < *n; i++)
		found[i] = all[picks[i]];
	free(picks);
	free(all);
	free(title);
	form_list_clear(&list);
	return (r);
}

/* Asks whether there is anything special about elements, and of which. */
static int
form_say_special(struct form_walk *w, const struct declare_field *of,
    const struct form_place *at, const char *path, const json_t *elements)
{
	const struct declare_field *in, **found = NULL;
	json_t *eligible;
	size_t i, n = 0;
	char *key;
	int r = 0;

	for (in = of->members; in->name != NULL; in++) {
		eligible = form_say_eligible(w, in, at, elements);
		if (in->is_special && json_array_size(eligible) > 0) {
			found = xalloc_more(found, n, sizeof(*found));
			found[n++] = in;
		}
		json_decref(eligible);
	}
	key = xalloc_printf("%s!", path);
	if (n > 0) {
		form_say_soft_specials(
		    w, key, of->label, "anything special", found, n);
		r = form_say_specials(w, of->label, key, found, &n);
	}
	for (i = 0; r == 0 && i < n; i++) {
		in = found[i];
		eligible = form_say_eligible(w, in, at, elements);
		r = in->type == DECLARE_YES
		    ? form_say_special_yes(w, in, of, path, eligible)
		    : form_say_special_value(w, in, of, at, path, eligible);
		json_decref(eligible);
	}
	free(key);
	free(found);
	return (r);
}

int
form_say_members(struct form_walk *w, const struct declare_field *in,
    const struct form_place *at, const char *path, json_t *elements)
{
	const struct declare_field *member;
	int r = 0;

	if (in->members == NULL || json_array_size(elements) == 0)
		return (0);
	for (member = in->members; r == 0 && member->name != NULL; member++) {
		if (!member->is_special)
			r = form_say_required(
			    w, member, in, at, path, elements);
	}
	if (r == 0)
		r = form_say_special(w, in, at, path, elements);
	return (r);
}
