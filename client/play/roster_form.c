/* SPDX-License-Identifier: ISC */
/*
 * Both sides, unit by unit: what comes next, copies, changes, and whether it
 * is right at the end.
 */
#include "client/play/roster_form.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/play/form_tell.h"
#include "client/play/roster_form_int.h"
#include "common/base/buf.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/rules/roster.h"
#include "common/rules/rules.h"
#include "common/rules/schema.h"
#include "common/rules/show/render.h"
#include "common/rules/show/rules_show.h"
#include "common/rules/show/show_list.h"

struct roster_form_kind
roster_form_kind(const struct roster_form_run *f, size_t kind)
{
	const struct rules_system *sys = f->form->sys;

	if (kind == 0)
		return ((struct roster_form_kind){
		    "units", "unit", sys->unit, f->show->enlist});
	return ((struct roster_form_kind){"commanders", "commander",
	    sys->commander, f->show->enlist_commander});
}

/* ---- questions ---- */

void
roster_form_say(struct roster_form_run *f, const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = xalloc_vprintf(fmt, ap);
	va_end(ap);
	xalloc_append(f->says, xalloc_json_str(s));
	free(s);
}

void
roster_form_fault(struct roster_form_run *f, const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = xalloc_vprintf(fmt, ap);
	va_end(ap);
	f->form->io->say(f->form->io->arg, 0, s);
	free(s);
}

bool
roster_form_is_asked(struct roster_form_run *f, const char *name)
{
	(void)snprintf(f->key, sizeof(f->key), "%zu %s",
	    json_array_size(f->tape.steps), name);
	return (json_object_get(f->tape.answers, f->key) == NULL);
}

/* Begins a question: what was to be said before it is said if it is asked. */
static const json_t *
roster_form_begin(struct roster_form_run *f, const char *name)
{
	const struct ask_io *io = f->form->io;
	const json_t *v;
	size_t i;

	if (roster_form_is_asked(f, name)) {
		json_array_foreach(f->says, i, v)
		    io->say(io->arg, 0, json_string_value(v));
	}
	(void)json_array_clear(f->says);
	return (json_object_get(f->tape.answers, f->key));
}

/*
 * Ends one: an answer that is new is saved, and what an earlier run left for
 * later is forgotten, since it was said of something else.
 */
static int
roster_form_end(struct roster_form_run *f, int r, const json_t *had)
{
	size_t n = json_array_size(f->tape.steps);
	const char *key;
	json_t *v;
	void *next;

	if (r != 0 || json_object_get(f->tape.answers, f->key) == had)
		return (r);
	if (json_object_size(f->tape.answers) > n) {
		json_object_foreach_safe(f->tape.answers, next, key, v)
		{
			if (strtoul(key, NULL, 10) >= n)
				(void)json_object_del(f->tape.answers, key);
		}
	}
	return (f->form->save(f->form->arg, f->tape.answers));
}

int
roster_form_choice(struct roster_form_run *f, const char *name,
    struct form_list *list, int fallback, size_t *pick)
{
	const json_t *had = roster_form_begin(f, name);

	list->key = f->key;
	return (roster_form_end(
	    f, form_tape_choice(&f->tape, list, fallback, pick), had));
}

int
roster_form_some(struct roster_form_run *f, const char *name,
    struct form_list *list, size_t *picks, size_t *n_picks)
{
	const json_t *had = roster_form_begin(f, name);

	list->key = f->key;
	return (roster_form_end(f,
	    form_tape_some(&f->tape, list, 0, list->n, picks, n_picks), had));
}

int
roster_form_yes(struct roster_form_run *f, const char *name,
    const char *question, int fallback, bool *yes)
{
	const json_t *had = roster_form_begin(f, name);

	return (roster_form_end(
	    f, form_tape_yes(&f->tape, f->key, question, fallback, yes), had));
}

int
roster_form_number(struct roster_form_run *f, const char *name,
    const char *question, int64_t lo, int64_t hi, const int64_t *fallback,
    int64_t *out)
{
	const json_t *had = roster_form_begin(f, name);

	return (roster_form_end(f,
	    form_tape_number(&f->tape, f->key, question, lo, hi, fallback, out),
	    had));
}

int
roster_form_text(struct roster_form_run *f, const char *name,
    const char *question, const char *enter, char **out)
{
	const json_t *had = roster_form_begin(f, name);
	char *s;
	int r;

	r = form_tape_text_or(
	    &f->tape, f->key, question, RULES_NAME_MAX, enter, &s);
	if (r == 0 && (r = roster_form_end(f, 0, had)) != 0)
		free(s);
	if (r == 0)
		*out = s;
	return (r);
}

/* ---- a side ---- */

/* What a side is called; free(). */
static char *
roster_form_side_name(const struct roster_form_run *f, size_t side)
{
	const char *name = js_str(f->sides[side], "name");

	return (name == NULL ? xalloc_printf("side %zu", side + 1)
			     : xalloc_str(name));
}

/* The list of a kind of a side, made if needed; borrowed. */
static json_t *
roster_form_list(struct roster_form_run *f, size_t side, size_t kind)
{
	const char *name = roster_form_kind(f, kind).list;
	json_t *list = json_object_get(f->sides[side], name);

	if (list == NULL) {
		list = xalloc_json(json_array());
		xalloc_set(f->sides[side], name, list);
	}
	return (list);
}

/* Says what a unit has become. */
static void
roster_form_tell(struct roster_form_run *f, const json_t *unit)
{
	char *s = form_tell_unit(f->rd, unit);

	roster_form_say(f, "  %s", s);
	free(s);
}

/* Asks for another unit or commander. */
static int
roster_form_add(struct roster_form_run *f, size_t side, size_t kind)
{
	json_t *list = roster_form_list(f, side, kind), *unit;
	size_t n = json_array_size(list);
	char *name = roster_form_side_name(f, side);
	char *capital = form_tell_capital(name);
	int r;

	roster_form_say(f, " ");
	roster_form_say(
	    f, "%s, %s %zu", capital, roster_form_kind(f, kind).one, n + 1);
	free(capital);
	free(name);
	r = roster_form_unit(f, side, kind,
	    n == 0 ? NULL : json_array_get(list, n - 1), NULL, &unit);
	if (r != 0)
		return (r);
	xalloc_append(list, unit);
	roster_form_tell(f, unit);
	return (0);
}

/* What a unit is called, borrowed: by its name, or its id. */
static const char *
roster_form_called(const json_t *unit)
{
	const char *name = js_str(unit, "name");

	return (name != NULL ? name : js_str(unit, "id"));
}

/* Asks how many copies of the last unit there are. */
static int
roster_form_add_copies(struct roster_form_run *f, size_t side, size_t kind)
{
	json_t *list = roster_form_list(f, side, kind), *copy;
	size_t n = json_array_size(list);
	char *question = xalloc_printf("How many copies of %s?",
	    roster_form_called(json_array_get(list, n - 1)));
	int64_t number = 1;
	int r;

	r = roster_form_number(f, "copies", question, 1,
	    (int64_t)(ROSTER_UNITS_MAX - n), &number, &number);
	free(question);
	for (; r == 0 && number > 0; number--) {
		n = json_array_size(list);
		copy =
		    roster_form_unit_copy(f, kind, json_array_get(list, n - 1));
		xalloc_append(list, copy);
		roster_form_tell(f, copy);
	}
	return (r);
}

/* Asks which unit is to be changed or taken out, and does that. */
static int
roster_form_change(struct roster_form_run *f, size_t side)
{
	struct form_list list = {.title = "Which one?"};
	struct form_list what = {.title = "What of it?"};
	size_t i, n[2] = {0, 0}, kind, pick = 0, do_what = 0;
	json_t *of, *unit;
	const json_t *v;
	char *s;
	int r;

	for (kind = 0; kind < 2; kind++) {
		of = json_object_get(
		    f->sides[side], roster_form_kind(f, kind).list);
		n[kind] = json_array_size(of);
		json_array_foreach(of, i, v)
		{
			s = form_tell_unit(f->rd, v);
			form_list_add(&list, s, js_str(v, "id"));
			free(s);
		}
	}
	form_list_add(&what, "Change it", "change");
	form_list_add(&what, "Take it out", "out");
	if ((r = roster_form_choice(f, "which", &list, -1, &pick)) == 0)
		r = roster_form_choice(f, "what", &what, 0, &do_what);
	kind = pick < n[0] ? 0 : 1;
	pick -= kind == 0 ? 0 : n[0];
	of = json_object_get(f->sides[side], roster_form_kind(f, kind).list);
	if (r == 0 && do_what == 0) {
		v = json_array_get(of, pick);
		if ((r = roster_form_unit(f, side, kind, v, v, &unit)) == 0) {
			roster_form_tell(f, unit);
			(void)json_array_set_new(of, pick, unit);
		}
	} else if (r == 0) {
		roster_form_say(f, "  %s is out.",
		    roster_form_called(json_array_get(of, pick)));
		(void)json_array_remove(of, pick);
		if (kind == 1 && json_array_size(of) == 0)
			(void)json_object_del(
			    f->sides[side], roster_form_kind(f, 1).list);
	}
	form_list_clear(&list);
	form_list_clear(&what);
	return (r);
}

/* Asks what comes next on a side, and does it.  *is_done: nothing does. */
static int
roster_form_next(
    struct roster_form_run *f, size_t side, size_t *last, bool *is_done)
{
	const json_t *units = roster_form_list(f, side, 0), *of;
	struct form_list list = {.title = "What next?"};
	const char *v, *id;
	size_t pick = 0;
	char *s;
	int r;

	*is_done = false;
	if (json_array_size(units) == 0)
		return (roster_form_add(f, side, 0));
	of = json_object_get(f->sides[side], roster_form_kind(f, *last).list);
	if (json_array_size(of) == 0) {
		*last = 0;
		of = units;
	}
	id = js_str(json_array_get(of, json_array_size(of) - 1), "id");
	if (json_array_size(units) < ROSTER_UNITS_MAX)
		form_list_add(&list, "Another unit", "unit");
	if (json_array_size(of) < ROSTER_UNITS_MAX) {
		s = xalloc_printf("Copies of %s", id);
		form_list_add(&list, s, "copies");
		free(s);
	}
	if (roster_form_kind(f, 1).rows != NULL &&
	    json_array_size(json_object_get(f->sides[side], "commanders")) <
		ROSTER_UNITS_MAX)
		form_list_add(&list, "Commander", "commander");
	form_list_add(&list, "Change one, or take it out", "change");
	s = roster_form_side_name(f, side);
	v = s;
	s = xalloc_printf("No more: that is all of %s", v);
	form_list_add(&list, s, "done");
	free(s);
	free((char *)(uintptr_t)v);
	r = roster_form_choice(f, "next", &list, 0, &pick);
	v = list.values[pick];
	if (r != 0) {
		/* nothing was said */
	} else if (strcmp(v, "done") == 0) {
		*is_done = true;
	} else if (strcmp(v, "change") == 0) {
		r = roster_form_change(f, side);
	} else if (strcmp(v, "copies") == 0) {
		r = roster_form_add_copies(f, side, *last);
	} else {
		*last = strcmp(v, "unit") == 0 ? 0 : 1;
		r = roster_form_add(f, side, *last);
	}
	form_list_clear(&list);
	return (r);
}

/* Asks for a side until it is complete. */
static int
roster_form_side(struct roster_form_run *f, size_t side)
{
	bool is_done = false;
	size_t last = 0;
	int r = 0;

	while (r == 0 && !is_done)
		r = roster_form_next(f, side, &last, &is_done);
	return (r);
}

/* Asks what a side is called. */
static int
roster_form_name(struct roster_form_run *f, size_t side)
{
	char *question = xalloc_printf("What is side %zu called%s?", side + 1,
	    side == 0 ? " (it moves first)" : "");
	const char *had = js_str(f->sides[side], "name");
	char *name;
	int r;

	roster_form_say(f, " ");
	r = roster_form_text(
	    f, "side", question, had == NULL ? "" : had, &name);
	free(question);
	if (r != 0)
		return (r);
	if (*name != '\0' && !roster_form_unit_is_none(name))
		xalloc_set(f->sides[side], "name", xalloc_json_str(name));
	else
		(void)json_object_del(f->sides[side], "name");
	free(name);
	return (0);
}

/* ---- the whole ---- */

/* True for a side that is asked for. */
static bool
roster_form_has(const struct roster_form_run *f, size_t side)
{
	return (f->form->only == 0 || f->form->only == (int)side + 1);
}

/* Two sides as a blob; new. */
static json_t *
roster_form_blob_of(
    const struct roster_form_run *f, json_t *first, json_t *second)
{
	return (xalloc_json(
	    json_pack("{s:s, s:s, s:{s:O*, s:O*}}", "blob", "roster", "system",
		f->form->sys->id, "sides", "1", first, "2", second)));
}

/* The rosters as a blob; new. */
static json_t *
roster_form_blob(const struct roster_form_run *f)
{
	return (
	    roster_form_blob_of(f, roster_form_has(f, 0) ? f->sides[0] : NULL,
		roster_form_has(f, 1) ? f->sides[1] : NULL));
}

/* The same against an enemy of one unit, where one side was asked for; new. */
static json_t *
roster_form_against(const struct roster_form_run *f)
{
	const size_t side = f->form->only == 2 ? 1 : 0;
	json_t *enemy, *blob;

	enemy = xalloc_json(json_pack("{s:[o]}", "units",
	    roster_form_unit_copy(f, 0,
		json_array_get(json_object_get(f->sides[side], "units"), 0))));
	blob = side == 0 ? roster_form_blob_of(f, f->sides[0], enemy)
			 : roster_form_blob_of(f, enemy, f->sides[1]);
	json_decref(enemy);
	return (blob);
}

/* True if a game takes the rosters; says what speaks against them. */
static bool
roster_form_is_right(struct roster_form_run *f, const json_t *blob)
{
	json_t *whole =
	    f->form->only == 0 ? xalloc_copy(blob) : roster_form_against(f);
	struct errinfo e = {.text = ""};
	struct roster *roster;
	char *dump;
	size_t n;
	int r = roster_parse(f->form->sys, whole, &roster, &e);

	json_decref(whole);
	if (r != 0) {
		roster_form_say(f, "That cannot be (%s): %s.", e.where, e.text);
		return (false);
	}
	roster_free(roster);
	dump = xalloc_dump(blob);
	n = strlen(dump);
	free(dump);
	if (n <= RECORD_BLOB_MAX)
		return (true);
	roster_form_say(f,
	    "These rosters have %zu bytes, and a game takes at most %d: take "
	    "units out, or give them shorter names.",
	    n, RECORD_BLOB_MAX);
	return (false);
}

/* Shows it all, and asks whether it is right. */
static int
roster_form_review(struct roster_form_run *f, json_t **blob)
{
	struct form_list list = {.title = "Is this right?"};
	size_t pick = 0, side;
	char *name, *s;
	bool is_right;
	int r;

	*blob = roster_form_blob(f);
	is_right = roster_form_is_right(f, *blob);
	if (roster_form_is_asked(f, "review") && f->form->only == 0)
		f->form->show(f->form->arg, *blob);
	if (is_right)
		form_list_add(&list, "Yes: write it", "write");
	for (side = 0; side < 2; side++) {
		if (!roster_form_has(f, side))
			continue;
		name = roster_form_side_name(f, side);
		s = xalloc_printf("No: change %s", name);
		form_list_add(&list, s, side == 0 ? "1" : "2");
		free(s);
		free(name);
	}
	r = roster_form_choice(f, "review", &list, -1, &pick);
	side = strcmp(list.values[pick], "1") == 0 ? 0 : 1;
	is_right = strcmp(list.values[pick], "write") == 0;
	form_list_clear(&list);
	if (r == 0 && is_right)
		return (0);
	json_decref(*blob);
	*blob = NULL;
	if (r == 0 && f->form->only == 0)
		r = roster_form_name(f, side);
	return (r != 0 ? r : roster_form_side(f, side));
}

/* One run over all questions. */
static int
roster_form_go(struct roster_form_run *f, json_t **blob)
{
	size_t side;
	int r = 0;

	(void)json_array_clear(f->says);
	form_tape_rewind(&f->tape);
	*blob = NULL;
	for (side = 0; side < 2; side++) {
		json_decref(f->sides[side]);
		f->sides[side] = xalloc_json(json_object());
	}
	for (side = 0; r == 0 && side < 2; side++) {
		if (!roster_form_has(f, side))
			continue;
		/* What joins a side is called as that is. */
		if (f->form->only != 0 || (r = roster_form_name(f, side)) == 0)
			r = roster_form_side(f, side);
	}
	while (r == 0 && *blob == NULL)
		r = roster_form_review(f, blob);
	return (r);
}

int
roster_form_ask(const struct roster_form *form, json_t **blob)
{
	struct roster_form_run f = {.form = form};
	int r;

	f.show = show_list_find(form->sys);
	if ((f.rd = render_new(form->sys)) == NULL)
		xalloc_die();
	f.says = xalloc_json(json_array());
	form_tape_init(&f.tape, form->io);
	form_tape_propose(&f.tape);
	json_decref(f.tape.answers);
	f.tape.answers = json_incref(form->answers);
	while ((r = roster_form_go(&f, blob)) == ASK_BACK &&
	    form_tape_back(&f.tape)) {
		if ((r = form->save(form->arg, form->answers)) != 0)
			break;
	}
	form_tape_clear(&f.tape);
	json_decref(f.says);
	json_decref(f.sides[0]);
	json_decref(f.sides[1]);
	render_free(f.rd);
	return (r);
}
