/* SPDX-License-Identifier: ISC */
/*
 * A combat by questions: the table of the system is walked, the rules judge
 * what came of it, and what is to be changed is asked again.
 */
#include "client/play/form.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/play/form_past.h"
#include "client/play/form_walk.h"
#include "common/game/game.h"
#include "common/game/game_make.h"
#include "common/game/game_take.h"
#include "common/rules/rules.h"
#include "common/rules/systems/systems.h"

#define FORM_COMBAT "combat" /* what places of the rules begin with */

/* How much of a place a section covers; -1 if it is not there. */
static int
form_covers(const char *path, const char *where)
{
	size_t len = strlen(path);
	bool is_special = len > 0 && path[len - 1] == '!';

	/* What is special has the place of the object that it belongs to. */
	if (is_special)
		len--;
	if (strncmp(path, where, len) != 0)
		return (-1);
	if (len > 0 && where[len] != '\0' && where[len] != '.' &&
	    where[len] != '[')
		return (-1);
	return ((int)(2 * len) + !is_special);
}

/* The section that a refusal is about; -1 if none is. */
static int
form_find(const json_t *sections, const char *where)
{
	const json_t *v;
	int best = -1, covers, found = -1;
	size_t i;

	if (strncmp(where, FORM_COMBAT ".", sizeof(FORM_COMBAT)) != 0)
		return (-1);
	where += sizeof(FORM_COMBAT);
	json_array_foreach(sections, i, v)
	{
		covers = form_covers(
		    json_string_value(json_object_get(v, "path")), where);
		if (covers > best) {
			best = covers;
			found = (int)i;
		}
	}
	return (found);
}

/* Says why the rules refuse the combat. */
static void
form_refused(
    const struct form_walk *w, int section, const struct errinfo *e, int r)
{
	const char *of = e->where;
	char *s;

	if (section >= 0)
		of = json_string_value(json_object_get(
		    json_array_get(w->sections, (size_t)section), "label"));
	s = xalloc_printf("That is not lawful%s%s%s: %s.",
	    *of == '\0' ? "" : " (", of, *of == '\0' ? "" : ")",
	    *e->text == '\0' ? err_text(r) : e->text);
	w->tape.io->say(w->tape.io->arg, 0, s);
	free(s);
}

/* What was there before a change, to which going back out of it returns. */
struct form_undo {
	json_t *answers; /* owned; NULL: nothing is being changed */
	json_t *asked; /* owned, likewise */
	size_t n_left; /* answers that the change has left */
};

/* Frees it. */
static void
form_undo_clear(struct form_undo *u)
{
	json_decref(u->answers);
	json_decref(u->asked);
	memset(u, 0, sizeof(*u));
}

/* Notes a tape as it is, before some of it is dropped. */
static void
form_undo_note(struct form_undo *u, const struct form_tape *t)
{
	form_undo_clear(u);
	u->answers = xalloc_copy(t->answers);
	u->asked = xalloc_copy(t->asked);
}

/*
 * Brings all back that a change has taken, if no new answer was given; false
 * if that is not so.
 */
static bool
form_undo_back(struct form_undo *u, struct form_tape *t)
{
	if (u->answers == NULL || json_object_size(t->answers) != u->n_left)
		return (false);
	json_decref(t->answers);
	json_decref(t->asked);
	t->answers = u->answers;
	t->asked = u->asked;
	memset(u, 0, sizeof(*u));
	return (true);
}

/* What can be changed, as a list; the last is everything. */
static void
form_changes(const struct form_walk *w, struct form_list *list)
{
	const json_t *v;
	const char *such;
	char *label, *s;
	size_t i;

	json_array_foreach(w->sections, i, v)
	{
		label = form_tell_capital(text_member(v, "label"));
		such = text_member(v, "such");
		s = *such == '\0' ? xalloc_str(label)
				  : xalloc_printf("%s (%s)", label, such);
		form_list_add(list, s, text_member(v, "path"));
		free(label);
		free(s);
	}
	form_list_add(list, "Everything: begin again", "");
}

/*
 * Asks what is to be changed, and takes its answers off the tape; what may be
 * assumed is asked then.  The list is always the same, so that a number means
 * the same each time.  refused: the section at fault, which an empty line
 * means; -1: none, and several may be named.
 */
static int
form_change(struct form_walk *w, struct form_undo *u, int refused)
{
	static const char question[] = "What do you want to change?";
	struct form_list list = {.n = 0};
	size_t i, n_picks = 1, *picks;
	int r;

	form_changes(w, &list);
	picks = xalloc(list.n * sizeof(*picks));
	r = refused >= 0 || list.n == 1
	    ? ask_choice(w->tape.io, question, (const char *const *)list.labels,
		  list.n, refused, picks)
	    : ask_some(w->tape.io, question, (const char *const *)list.labels,
		  list.n, 1, list.n, false, picks, &n_picks);
	if (r == 0) {
		form_undo_note(u, &w->tape);
		for (i = 0; i < n_picks; i++) {
			form_tape_drop(&w->tape, list.values[picks[i]]);
			if (json_is_true(json_object_get(
				json_array_get(w->sections, picks[i]), "soft")))
				form_tape_ask(&w->tape, list.values[picks[i]]);
		}
		u->n_left = json_object_size(w->tape.answers);
	}
	form_list_clear(&list);
	free(picks);
	return (r);
}

/*
 * Asks whether the combat is right, and if not what is to be changed: that is
 * not listed until then, since the combat is to be seen.  is_no: that was
 * answered, and the person came back to the list.
 */
static int
form_approve(
    struct form_walk *w, struct form_undo *u, bool is_no, bool *is_done)
{
	int r = ASK_BACK;

	*is_done = false;
	if (is_no)
		r = form_change(w, u, -1);
	/* Back from the list is back to the question. */
	while (r == ASK_BACK) {
		form_tell_combat(w, "This is the combat:");
		r = ask_yes(w->tape.io, "Is this right?", 1, is_done);
		if (r != 0 || *is_done)
			return (r);
		r = form_change(w, u, -1);
	}
	return (r);
}

/* Has the rules judge the combat, and the person. */
static int
form_review(struct form_walk *w, struct form_undo *u, const struct game *g,
    int side, bool is_no, bool *is_done)
{
	struct errinfo e = {.text = ""};
	int r, section;
	json_t *facts;

	*is_done = false;
	r = game_check_combat(g, side, w->combat, &facts, &e);
	if (r == 0) {
		json_decref(facts);
		*is_done = w->is_again;
		return (w->is_again ? 0 : form_approve(w, u, is_no, is_done));
	}
	/* Any other failure is not about what was said. */
	if (r != ERR_INVALID)
		return (r);
	if (w->is_again)
		w->last = NULL; /* the game has moved on */
	section = form_find(w->sections, e.where);
	form_refused(w, section, &e, r);
	return (form_change(w, u, section));
}

/* The side's last combat, if it could be declared again now; else NULL. */
static const json_t *
form_last(const struct game *g, int side, const struct form_past *past)
{
	const json_t *last;
	struct errinfo e;
	json_t *facts;

	last = past == NULL ? NULL : form_past_last(past, side);
	if (last == NULL || game_check_combat(g, side, last, &facts, &e) != 0)
		return (NULL);
	json_decref(facts);
	return (last);
}

int
form_declare(const struct ask_io *io, const struct game *g, int side,
    const struct form_past *past, json_t **combat)
{
	const struct rules_system *sys = systems_find(game_system(g));
	json_t *roster = NULL;
	struct form_undo u = {.answers = NULL};
	bool is_done = false, is_no = false;
	struct form_walk w;
	int r;

	if ((r = game_is_checkable(g, NULL)) != 0 || sys == NULL)
		return (r != 0 ? r : ERR_NEWER);
	/* The game may move on while questions are asked. */
	if (game_roster(g) != NULL)
		roster = xalloc_copy(game_roster(g));
	form_walk_init(&w, io, sys, roster, side, past);
	w.last = form_last(g, side, past);
	while (!is_done) {
		if ((r = form_walk_run(&w)) == 0)
			r = form_review(&w, &u, g, side, is_no, &is_done);
		is_no = r == ASK_BACK && form_undo_back(&u, &w.tape);
		if (r != 0 && !is_no &&
		    (r != ASK_BACK || !form_tape_back(&w.tape)))
			break;
	}
	if (r == 0)
		*combat = json_incref(w.combat);
	form_walk_clear(&w);
	form_undo_clear(&u);
	json_decref(roster);
	return (r);
}
