/* SPDX-License-Identifier: ISC */
/*
 * One run over the table.  Nothing of a run is kept but the combat: answers
 * are on the tape, by keys that name the members ("attackers.formation:a,b"),
 * the units in them by their ids.
 */
#include "client/play/form_walk.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/play/form_past.h"
#include "client/play/form_say.h"
#include "client/replica/adjust.h"
#include "common/rules/rules.h"
#include "common/rules/show/render.h"
#include "common/rules/show/rules_show.h"
#include "common/rules/show/show_list.h"

void
form_walk_init(struct form_walk *w, const struct ask_io *io,
    const struct rules_system *sys, const json_t *roster, int side,
    const struct form_past *past)
{
	static const struct form_past none;

	memset(w, 0, sizeof(*w));
	form_tape_init(&w->tape, io);
	form_tape_propose(&w->tape);
	w->sys = sys;
	w->roster = roster;
	w->declarer = side;
	w->past = past == NULL ? &none : past;
	w->rosters[COMBAT_ATTACKER] =
	    json_object_get(roster, side == 1 ? "1" : "2");
	w->rosters[COMBAT_DEFENDER] =
	    json_object_get(roster, side == 1 ? "2" : "1");
	if ((w->rd = render_new(sys)) == NULL)
		xalloc_die();
	render_know(w->rd, roster);
}

void
form_walk_clear(struct form_walk *w)
{
	form_tape_clear(&w->tape);
	render_free(w->rd);
	json_decref(w->combat);
	json_decref(w->sections);
	json_decref(w->inner);
	json_decref(w->assumed);
	memset(w, 0, sizeof(*w));
}

/*
 * What can be changed by itself: all that was asked since `steps`, then what
 * of it was assumed, or could be.
 */
static void
form_walk_section(struct form_walk *w, const struct form_place *at,
    const char *path, const char *label, size_t steps)
{
	const json_t *v;
	size_t i;
	char *s;

	if (w->lists > 0)
		return;
	/* What may be assumed whole has its place already. */
	json_array_foreach(w->inner, i, v)
	{
		if (strcmp(text_member(v, "path"), path) == 0)
			steps = json_array_size(w->tape.steps);
	}
	if (json_array_size(w->tape.steps) > steps) {
		s = at->up == NULL ? xalloc_str(label)
				   : xalloc_printf("%s: %s", at->label, label);
		xalloc_append(w->sections,
		    json_pack("{s:o, s:o}", "path", xalloc_json_str(path),
			"label", xalloc_json_str(s)));
		free(s);
	}
	if (json_array_extend(w->sections, w->inner) != 0)
		xalloc_die();
	(void)json_array_clear(w->inner);
}

/* Those of a side who may be named here, as a new array. */
static json_t *
form_walk_offered(const struct form_walk *w, const struct declare_field *in,
    const struct form_place *at)
{
	const json_t *list, *v;
	json_t *offered;
	size_t i;

	offered = xalloc_json(json_array());
	list = json_object_get(w->rosters[in->side],
	    in->type == DECLARE_COMMANDERS ? "commanders" : "units");
	json_array_foreach(list, i, v)
	{
		if (!json_is_string(json_object_get(v, "out")) &&
		    form_say_holds(w, in->only, at, v) &&
		    !form_past_has_id(
			w->combat, json_string_value(json_object_get(v, "id"))))
			xalloc_append(
			    offered, json_incref((json_t *)(uintptr_t)v));
	}
	return (offered);
}

/* Asks for units; the member is set at once, so that none is named twice. */
static int
form_walk_units(struct form_walk *w, const struct declare_field *in,
    const struct form_place *at, const char *path)
{
	json_t *offered = form_walk_offered(w, in, at), *made;
	size_t i, n = json_array_size(offered), n_picks = 0, *picks;
	size_t least = in->type == DECLARE_UNIT ? 1 : (size_t)in->lo;
	size_t most = in->type == DECLARE_UNIT ? 1 : (size_t)in->hi;
	/* Commanders are often not there; a side without units is rare. */
	struct form_list list = {.key = path,
	    .title = in->question,
	    .is_typed = in->type == DECLARE_UNITS};
	char *s;
	int r = 0;

	json_array_foreach(offered, i, made)
	{
		s = form_tell_unit(w->rd, made);
		form_list_add(
		    &list, s, json_string_value(json_object_get(made, "id")));
		free(s);
	}
	picks = xalloc((n + 1) * sizeof(*picks));
	if (n < least) {
		s = xalloc_printf(
		    "Nobody is left to name here: %s.", in->label);
		w->tape.io->say(w->tape.io->arg, 0, s);
		free(s);
		r = ASK_BACK;
	} else if (in->type == DECLARE_UNIT) {
		r = form_tape_choice(&w->tape, &list, -1, picks);
		n_picks = 1;
	} else if (n > 0) {
		r = form_tape_some(&w->tape, &list, least, most < n ? most : n,
		    picks, &n_picks);
	}
	if (r == 0) {
		made = xalloc_json(json_array());
		for (i = 0; i < n_picks; i++)
			xalloc_append(made,
			    json_pack("{s:s}", "id", list.values[picks[i]]));
		if (in->type == DECLARE_UNIT)
			xalloc_set(at->obj, in->name,
			    json_incref(json_array_get(made, 0)));
		else if (n_picks > 0 || in->type == DECLARE_UNITS)
			xalloc_set(at->obj, in->name, json_incref(made));
		r = form_say_members(w, in, at, path, made);
		json_decref(made);
	}
	form_list_clear(&list);
	free(picks);
	json_decref(offered);
	return (r);
}

/* Asks whom one unit meets, and adds the pairs. */
static int
form_walk_meets(struct form_walk *w, const struct declare_field *in,
    const struct form_place *at, const char *path, const char *id,
    json_t *pairs)
{
	const json_t *others = json_object_get(at->obj, in->ends->lists[1]);
	size_t i, n = json_array_size(others), n_picks = 0, *picks;
	char *key = xalloc_printf("%s:%s", path, id);
	char *title =
		 form_say_title(in->ends->question, render_name(w->rd, id)),
	     *s;
	struct form_list list = {.key = key, .title = title};
	const json_t *v;
	const char *other;
	int r = 0;

	json_array_foreach(others, i, v)
	{
		other = json_string_value(json_object_get(v, "id"));
		s = form_tell_unit(w->rd, adjust_entry(w->roster, other));
		form_list_add(&list, s, other);
		free(s);
	}
	picks = xalloc((n + 1) * sizeof(*picks));
	if (n == 1)
		n_picks = 1;
	else
		r = form_tape_some(&w->tape, &list, 1, n, picks, &n_picks);
	for (i = 0; r == 0 && i < n_picks; i++)
		xalloc_append(pairs,
		    json_pack("{s:s, s:s}", in->ends->members[0], id,
			in->ends->members[1], list.values[picks[i]]));
	form_list_clear(&list);
	free(key);
	free(title);
	free(picks);
	return (r);
}

/* Asks who of two lists meets whom. */
static int
form_walk_pairs(struct form_walk *w, const struct declare_field *in,
    const struct form_place *at, const char *path)
{
	const json_t *list = json_object_get(at->obj, in->ends->lists[0]), *v;
	json_t *pairs;
	size_t i;
	int r = 0;

	pairs = xalloc_json(json_array());
	xalloc_set(at->obj, in->name, pairs);
	json_array_foreach(list, i, v)
	{
		r = form_walk_meets(w, in, at, path,
		    json_string_value(json_object_get(v, "id")), pairs);
		if (r != 0)
			return (r);
	}
	return (form_say_members(w, in, at, path, pairs));
}

static int form_walk_object(struct form_walk *w,
    const struct declare_field *inputs, const struct form_place *at)
    __attribute__((warn_unused_result));

/* Asks whether something rare is so, or assumes that it is not. */
static int
form_walk_yes(struct form_walk *w, const struct declare_field *in,
    const char *key, bool *yes)
{
	if (!form_say_may_assume(w, key))
		return (form_tape_yes(&w->tape, key, in->question, 0, yes));
	form_say_assume(w, in->label, in->type == DECLARE_LIST ? "none" : "no");
	*yes = false;
	return (0);
}

/* Asks for objects, one after the other, as long as there is another. */
static int
form_walk_list(struct form_walk *w, const struct declare_field *in,
    const struct form_place *at, const char *path)
{
	struct form_place of = {.up = at, .label = in->label};
	bool has_more = true;
	char *key, *place;
	json_t *list;
	size_t i;
	int r = 0;

	list = xalloc_json(json_array());
	xalloc_set(at->obj, in->name, list);
	form_say_soft(w, path, at->up == NULL ? NULL : at->label, in->label);
	for (i = 0; r == 0 && i < (size_t)in->hi; i++) {
		key = xalloc_printf("%s:%zu", path, i);
		r = i == 0
		    ? form_walk_yes(w, in, key, &has_more)
		    : form_tape_yes(&w->tape, key, in->more, 0, &has_more);
		free(key);
		if (r != 0 || !has_more)
			break;
		place = xalloc_printf("%s[%zu]", path, i);
		of.path = place;
		of.obj = xalloc_json(json_object());
		xalloc_append(list, of.obj);
		w->lists++;
		r = form_walk_object(w, in->members, &of);
		w->lists--;
		free(place);
	}
	if (r == 0 && json_array_size(list) == 0)
		(void)json_object_del(at->obj, in->name);
	return (r);
}

/* Asks for one member of an object. */
static int
form_walk_member(struct form_walk *w, const struct declare_field *in,
    const struct form_place *at, const char *path)
{
	struct form_place of = {.up = at, .path = path, .label = in->label};
	size_t steps = json_array_size(w->tape.steps);
	bool yes = true;
	int r = 0;

	if (at->up == NULL)
		w->side = in->side;
	switch (in->type) {
	case DECLARE_OBJECT:
		of.obj = xalloc_json(json_object());
		xalloc_set(at->obj, in->name, of.obj);
		return (form_walk_object(w, in->members, &of));
	case DECLARE_UNIT:
	case DECLARE_UNITS:
	case DECLARE_COMMANDERS:
		r = form_walk_units(w, in, at, path);
		break;
	case DECLARE_PAIRS:
		r = form_walk_pairs(w, in, at, path);
		break;
	case DECLARE_LIST:
		r = form_walk_list(w, in, at, path);
		break;
	case DECLARE_YES:
		if (!in->is_special) {
			form_say_soft(w, path,
			    at->up == NULL ? NULL : at->label, in->label);
			r = form_walk_yes(w, in, path, &yes);
		}
		if (r == 0 && yes)
			xalloc_set(at->obj, in->name, json_true());
		break;
	case DECLARE_WORD:
	case DECLARE_WORDS:
	case DECLARE_FLAGS:
	case DECLARE_NUMBER:
	case DECLARE_TEXT:
		r = form_say_member(w, in, at, path);
		break;
	}
	/* What is special is changed with the question that led to it. */
	if (r == 0 && !in->is_special)
		form_walk_section(w, at, path, in->label, steps);
	return (r);
}

/* True if a special member can be asked for here. */
static bool
form_walk_is_special(const struct form_walk *w, const struct declare_field *in,
    const struct form_place *at)
{
	json_t *offered;
	bool has;

	if (!in->is_special || !form_say_holds(w, in->when, at, NULL))
		return (false);
	if (in->type < DECLARE_UNIT || in->type > DECLARE_COMMANDERS)
		return (true);
	offered = form_walk_offered(w, in, at);
	has = json_array_size(offered) > 0;
	json_decref(offered);
	return (has);
}

/* Asks whether there is anything special about an object, and what. */
static int
form_walk_specials(struct form_walk *w, const struct declare_field *inputs,
    const struct form_place *at)
{
	const struct declare_field *in, **found = NULL;
	size_t i, n = 0;
	char *key, *path;
	int r = 0;

	for (in = inputs; in->name != NULL; in++) {
		if (!form_walk_is_special(w, in, at))
			continue;
		found = xalloc_more(found, n, sizeof(*found));
		found[n++] = in;
	}
	key = xalloc_printf("%s!", at->path);
	if (n > 0) {
		form_say_soft_specials(w, key,
		    at->up == NULL ? NULL : at->label,
		    at->up == NULL ? "anything special about this combat"
				   : "anything special",
		    found, n);
		r = form_say_specials(w, at->label, key, found, &n);
	}
	for (i = 0; r == 0 && i < n; i++) {
		path = xalloc_printf("%s%s", key, found[i]->name);
		r = form_walk_member(w, found[i], at, path);
		free(path);
	}
	if (r == 0)
		form_walk_section(
		    w, at, key, "", json_array_size(w->tape.steps));
	free(key);
	free(found);
	return (r);
}

/*
 * Asks for all members of an object: a table is no deeper than its
 * constants are, so that this ends.
 */
static int
form_walk_object(struct form_walk *w, const struct declare_field *inputs,
    const struct form_place *at)
{
	const struct declare_field *in;
	char *path;
	int r = 0;

	for (in = inputs; r == 0 && in->name != NULL; in++) {
		if (in->is_special || !form_say_holds(w, in->when, at, NULL))
			continue;
		path = xalloc_printf(
		    "%s%s%s", at->path, *at->path == '\0' ? "" : ".", in->name);
		r = form_walk_member(w, in, at, path);
		free(path);
	}
	if (r == 0)
		r = form_walk_specials(w, inputs, at);
	return (r);
}

/* Proposes the last combat: it is taken whole, or all is asked. */
static int
form_walk_again(struct form_walk *w)
{
	const bool is_objected = w->last->what == FORM_PAST_OBJECTED;
	bool yes;
	int r;

	json_decref(w->combat);
	w->combat = xalloc_copy(w->last->combat);
	if (form_tape_may_assume(&w->tape, FORM_WALK_AGAIN))
		form_tell_combat(w,
		    is_objected ? "The combat that was objected to:"
				: "Your last combat was:");
	r = form_tape_yes(
	    &w->tape, FORM_WALK_AGAIN, "The same again?", !is_objected, &yes);
	w->is_again = r == 0 && yes;
	return (r);
}

int
form_walk_run(struct form_walk *w)
{
	struct form_place top = {.path = "", .label = "this combat"};
	int r;

	json_decref(w->sections);
	json_decref(w->inner);
	json_decref(w->assumed);
	w->sections = xalloc_json(json_array());
	w->inner = xalloc_json(json_array());
	w->assumed = xalloc_json(json_array());
	form_tape_rewind(&w->tape);
	if (w->last != NULL && ((r = form_walk_again(w)) != 0 || w->is_again))
		return (r);
	json_decref(w->combat);
	top.obj = w->combat = xalloc_json(json_object());
	return (form_walk_object(w, show_list_find(w->sys)->inputs, &top));
}
