/* SPDX-License-Identifier: ISC */
/*
 * A decision by questions, out of the options of the open question: what one
 * of some, some of them, an order or a number can say.  What only a rule of
 * the system can say has its questions in form_rule.c.
 */
#include <stdlib.h>
#include <string.h>

#include "client/base/place.h"
#include "client/base/xalloc.h"
#include "client/play/form.h"
#include "client/play/form_rule.h"
#include "client/play/form_say.h"
#include "client/play/form_tell.h"
#include "client/ui/ask_list.h"
#include "common/game/game.h"
#include "common/rules/rules.h"
#include "common/rules/show/render.h"
#include "common/rules/show/render_value.h"
#include "common/rules/systems/systems.h"

#define FORM_DECIDE_NULL "?null" /* the value null, as a choice */

const json_t *
form_decide_unit(const struct form_decide *d, const char *id)
{
	static const char *const lists[] = {"units", "commanders"};
	static const char *const sides[] = {"1", "2"};
	const json_t *list, *v;
	size_t i, k;

	for (k = 0; k < 4; k++) {
		list = json_object_get(
		    json_object_get(d->roster, sides[k / 2]), lists[k % 2]);
		json_array_foreach(list, i, v)
		{
			if (strcmp(json_string_value(json_object_get(v, "id")),
				id) == 0)
				return (v);
		}
	}
	return (NULL);
}

char *
form_decide_label(const struct form_decide *d, const char *id)
{
	const json_t *unit = form_decide_unit(d, id);

	return (unit == NULL ? xalloc_str(id) : form_tell_unit(d->rd, unit));
}

void
form_decide_say(const struct form_decide *d, const char *text)
{
	d->tape.io->say(d->tape.io->arg, 0, text);
}

/* A value that may be chosen, as a key; free(). */
static char *
form_decide_value(const json_t *v)
{
	if (json_is_string(v))
		return (xalloc_str(json_string_value(v)));
	return (
	    json_is_null(v) ? xalloc_str(FORM_DECIDE_NULL) : xalloc_dump(v));
}

/* Adds the choices that are values or ids. */
static void
form_decide_list(
    const struct form_decide *d, const json_t *values, struct form_list *list)
{
	char *label, *s;
	const json_t *v;
	size_t i;

	json_array_foreach(values, i, v)
	{
		s = form_decide_value(v);
		if (json_is_null(v))
			label = xalloc_str("none of them");
		else if (json_is_boolean(v))
			label = xalloc_str(json_is_true(v) ? "yes" : "no");
		else
			label = form_decide_label(d, s);
		form_list_add(list, label, s);
		free(label);
		free(s);
	}
}

/* What a member is asked by; several members are named.  free(). */
static char *
form_decide_title(
    const struct form_decide *d, const char *name, const char *what)
{
	if (json_object_size(d->options) == 1)
		return (xalloc_str(what));
	return (xalloc_printf("%s: %s", name, what));
}

/* One of some values; what is suggested is what an empty line means. */
static int
form_decide_one(struct form_decide *d, const char *name, const json_t *values)
{
	const json_t *best = json_object_get(d->suggested, name), *v;
	struct form_list list = {.n = 0};
	struct form_choice c;
	int fallback = -1, r;
	size_t i, pick;
	char *title;

	json_array_foreach(values, i, v)
	{
		if (best != NULL && json_equal(v, best))
			fallback = (int)i;
	}
	form_decide_list(d, values, &list);
	title = form_decide_title(d, name, "Your answer?");
	c = form_list_choice(&list, name, title);
	r = form_tape_choice(&d->tape, &c, fallback, &pick);
	if (r == 0)
		xalloc_set(d->decision, name,
		    xalloc_copy(json_array_get(values, pick)));
	free(title);
	form_list_clear(&list);
	return (r);
}

int
form_decide_some(struct form_decide *d, const char *key, const char *title,
    const json_t *ids, size_t least, size_t most, json_t **chosen)
{
	size_t i, n_picks, *picks;
	struct form_list list = {.n = 0};
	struct form_choice c;
	int r;

	form_decide_list(d, ids, &list);
	picks = xalloc((list.n + 1) * sizeof(*picks));
	c = form_list_choice(&list, key, title);
	c.is_typed = true; /* what none would cost is not known here */
	r = form_tape_some(&d->tape, &c, least, most < list.n ? most : list.n,
	    picks, &n_picks);
	if (r == 0) {
		*chosen = xalloc_json(json_array());
		for (i = 0; i < n_picks; i++)
			xalloc_append(*chosen,
			    xalloc_copy(json_array_get(ids, picks[i])));
	}
	free(picks);
	form_list_clear(&list);
	return (r);
}

/* Some of the ids, within the option's bounds. */
static int
form_decide_ids(struct form_decide *d, const char *name, const json_t *option)
{
	const json_t *ids = json_object_get(option, "some");
	const json_t *max = json_object_get(option, "max");
	json_t *chosen;
	char *title;
	size_t least, most;
	int r;

	least = (size_t)json_integer_value(json_object_get(option, "min"));
	most = max == NULL ? json_array_size(ids)
			   : (size_t)json_integer_value(max);
	title = form_decide_title(d, name, "Which of these?");
	r = form_decide_some(d, name, title, ids, least, most, &chosen);
	if (r == 0)
		xalloc_set(d->decision, name, chosen);
	free(title);
	return (r);
}

/* Asks for the word that is said of each id of an order, a boolean. */
static int
form_decide_each(struct form_decide *d, const char *name, const char *member,
    const json_t *ids, json_t *order)
{
	json_t *o, *true_of = NULL;
	const json_t *v;
	bool is_all = true;
	char *key, *title;
	size_t i, k;
	int r;

	key = xalloc_printf("%s:%s", name, member);
	title = xalloc_printf("\"%s\" for %s?", member,
	    json_array_size(ids) == 1 ? "it" : "all of them");
	r = form_tape_yes(&d->tape, key, title, 1, &is_all);
	free(title);
	free(key);
	if (r == 0 && !is_all && json_array_size(ids) > 1) {
		key = xalloc_printf("%s!%s", name, member);
		title =
		    xalloc_printf("For which of them is it \"%s\"?", member);
		r = form_decide_some(
		    d, key, title, ids, 0, json_array_size(ids), &true_of);
		free(title);
		free(key);
	}
	json_array_foreach(order, i, o)
	{
		bool is_true = is_all;

		json_array_foreach(true_of, k, v) is_true = is_true ||
		    json_equal(v, json_object_get(o, FORM_TELL_UNIT));
		if (r == 0)
			xalloc_set(o, member, json_boolean(is_true));
	}
	json_decref(true_of);
	return (r);
}

/* All of the ids in an order, and what is said of each. */
static int
form_decide_order(struct form_decide *d, const char *name, const json_t *option)
{
	json_t *ids = json_object_get(option, "order"), *made, *order, *v;
	const char *member;
	size_t i, n = json_array_size(ids);
	char *title;
	int r = 0;

	if (n > 1) {
		title = form_decide_title(d, name, "In which order (all)?");
		r = form_decide_some(d, name, title, ids, n, n, &order);
		free(title);
	} else {
		order = json_incref(ids);
	}
	if (r != 0)
		return (r);
	made = xalloc_json(json_array());
	json_array_foreach(order, i, v) xalloc_append(
	    made, xalloc_json(json_pack("{s:O}", FORM_TELL_UNIT, v)));
	json_object_foreach(json_object_get(option, "each"), member, v)
	{
		if (r == 0)
			r = form_decide_each(d, name, member, order, made);
	}
	json_decref(order);
	if (r == 0)
		xalloc_set(d->decision, name, made);
	else
		json_decref(made);
	return (r);
}

/* A number of a range. */
static int
form_decide_int(struct form_decide *d, const char *name, const json_t *range)
{
	const json_t *best = json_object_get(d->suggested, name);
	int64_t fallback = json_integer_value(best), number;
	char *title;
	int r;

	title = form_decide_title(d, name, "How many?");
	r = form_tape_number(&d->tape, name, title,
	    json_integer_value(json_array_get(range, 0)),
	    json_integer_value(json_array_get(range, 1)),
	    json_is_integer(best) ? &fallback : NULL, &number);
	if (r == 0)
		xalloc_set(
		    d->decision, name, xalloc_json(json_integer(number)));
	free(title);
	return (r);
}

/* Asks whether the suggestion will do; *is_taken if so. */
static int
form_decide_suggest(struct form_decide *d, bool *is_taken)
{
	const struct form_choice c = {
	    .key = "?suggested",
	    .title = "Your answer?",
	    .labels = (const char *const[]){d->suggestion, "choose yourself"},
	    .values = (const char *const[]){"suggested", "choose"},
	    .n = 2,
	};
	size_t pick;
	int r;

	if ((r = form_tape_choice(&d->tape, &c, 0, &pick)) != 0)
		return (r);
	*is_taken = pick == 0;
	return (0);
}

/* True if a decision is no more than one value or one number. */
static bool
form_decide_is_plain(const json_t *options)
{
	const char *name;
	json_t *option;

	json_object_foreach((json_t *)(uintptr_t)options, name, option)
	{
		if (json_object_get(option, "one") == NULL &&
		    json_object_get(option, "int") == NULL)
			return (false);
	}
	return (true);
}

/* Asks for each member in turn. */
static int
form_decide_members(struct form_decide *d)
{
	const char *name;
	json_t *option, *v;
	int r = 0;

	json_object_foreach((json_t *)(uintptr_t)d->options, name, option)
	{
		if ((v = json_object_get(option, "one")) != NULL)
			r = form_decide_one(d, name, v);
		else if (json_object_get(option, "some") != NULL)
			r = form_decide_ids(d, name, option);
		else if (json_object_get(option, "order") != NULL)
			r = form_decide_order(d, name, option);
		else if ((v = json_object_get(option, "int")) != NULL)
			r = form_decide_int(d, name, v);
		else
			/* A rule asks for all members together. */
			return (form_rule(d,
			    json_string_value(
				json_object_get(option, "rule"))));
		if (r != 0)
			return (r);
	}
	return (0);
}

/* One run of the questions. */
static int
form_decide_run(struct form_decide *d)
{
	bool is_taken = false;
	int r = 0;

	form_tape_rewind(&d->tape);
	json_decref(d->decision);
	d->decision = NULL;
	if (d->suggestion != NULL && !form_decide_is_plain(d->options))
		r = form_decide_suggest(d, &is_taken);
	if (r != 0)
		return (r);
	if (is_taken) {
		d->decision = xalloc_copy(d->suggested);
		return (0);
	}
	d->decision = xalloc_json(json_pack("{s:s}", "kind", d->kind));
	return (form_decide_members(d));
}

/* Has the rules judge the decision; *is_done if it holds. */
static int
form_decide_review(struct form_decide *d, bool *is_done)
{
	struct errinfo e = {.text = ""};
	char *s, *text;
	int r;

	r = game_check_decision(d->g, d->seat, d->decision, &e);
	/* Where the rules are not run here, the server must judge. */
	*is_done = r == 0 || r == ERR_MISSING;
	if (!*is_done && r != ERR_INVALID)
		return (r);
	if (*is_done) {
		text = form_tell_decision(d->decision);
		s = xalloc_printf("Your answer: %s.", text);
		free(text);
	} else {
		text = place_error(r, &e, d->decision);
		s = xalloc_printf("That is not lawful: %s.  Try again.", text);
		free(text);
		form_tape_drop(&d->tape, "");
	}
	form_decide_say(d, s);
	free(s);
	return (0);
}

/* Says who is asked what. */
static void
form_decide_head(const struct form_decide *d, const json_t *asked)
{
	const char *as = json_string_value(json_object_get(asked, "as"));
	const char *what;
	char *s;

	what = render_value_word(d->rd, "ask", d->kind, NULL);
	s = xalloc_printf("The %s (you) is asked %s.", as == NULL ? "side" : as,
	    what == NULL ? d->kind : what);
	form_decide_say(d, s);
	free(s);
}

/* Fills *d for the open question. */
static int
form_decide_open(struct form_decide *d, const struct ask_io *io,
    const struct game *g, int seat, const json_t *asked)
{
	const struct rules_system *sys = systems_find(game_system(g));

	memset(d, 0, sizeof(*d));
	d->g = g;
	d->seat = seat;
	d->kind = json_string_value(json_object_get(asked, "kind"));
	d->options = json_object_get(asked, "options");
	if (sys == NULL)
		return (ERR_NEWER);
	if (d->kind == NULL || json_object_size(d->options) == 0)
		return (ERR_STALE);
	if ((d->rd = render_new(sys)) == NULL)
		(void)xalloc_json(NULL);
	d->view = xalloc_json(game_view(g));
	d->roster = json_object_get(d->view, "roster");
	form_tape_init(&d->tape, io);
	if (game_suggest_decision(g, seat, &d->suggested) == 0) {
		char *text = form_tell_decision(d->suggested);

		d->suggestion = xalloc_printf("as suggested: %s", text);
		free(text);
	}
	return (0);
}

/* Frees what form_decide_open() made. */
static void
form_decide_close(struct form_decide *d)
{
	form_tape_clear(&d->tape);
	render_free(d->rd);
	json_decref(d->view);
	json_decref(d->suggested);
	json_decref(d->decision);
	free(d->suggestion);
}

int
form_decide(const struct ask_io *io, const struct game *g, int seat,
    const json_t *asked, json_t **decision)
{
	struct form_decide d;
	bool is_done = false;
	int r;

	if ((r = form_decide_open(&d, io, g, seat, asked)) != 0)
		return (r);
	form_decide_head(&d, asked);
	while (!is_done) {
		if ((r = form_decide_run(&d)) == 0)
			r = form_decide_review(&d, &is_done);
		if (r != 0 && (r != ASK_BACK || !form_tape_back(&d.tape)))
			break;
	}
	if (r == 0)
		*decision = json_incref(d.decision);
	form_decide_close(&d);
	return (r);
}
