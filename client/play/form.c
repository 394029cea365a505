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

/* What comes when all is answered. */
enum form_next {
	FORM_NEXT_ASK, /* the combat, and whether it is right */
	FORM_NEXT_LIST, /* what can be changed: the person came back to that */
	FORM_NEXT_CHANGE, /* the combat, and what can be changed */
};

/*
 * Asks whether the combat is right, and if not what is to be changed: that is
 * not listed until then, since the combat is to be seen.
 */
static int
form_approve(struct form_walk *w, struct form_undo *u, enum form_next next,
    bool *is_done)
{
	int r = ASK_BACK;

	*is_done = false;
	if (next == FORM_NEXT_CHANGE)
		form_tell_combat(w, "This is the combat:");
	if (next != FORM_NEXT_ASK)
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
    int side, enum form_next next, bool *is_done)
{
	struct errinfo e = {.text = ""};
	int r, section;
	json_t *facts;

	*is_done = false;
	r = game_check_combat(g, side, w->combat, &facts, &e);
	if (r == 0) {
		json_decref(facts);
		*is_done = w->is_again;
		return (w->is_again ? 0 : form_approve(w, u, next, is_done));
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
static const struct form_past_combat *
form_last(const struct game *g, int side, const struct form_past *past)
{
	const struct form_past_combat *last;
	struct errinfo e;
	json_t *facts;

	last = past == NULL ? NULL : form_past_last(past, side);
	if (last == NULL ||
	    game_check_combat(g, side, last->combat, &facts, &e) != 0)
		return (NULL);
	json_decref(facts);
	return (last);
}

/* Says that a combat was objected to, and why. */
static void
form_objected(const struct form_walk *w, const struct form_past_combat *c)
{
	char *s;

	s = xalloc_printf("Objected to (line %lld)%s%s", (long long)c->seq,
	    c->why == NULL ? "." : ": ", c->why == NULL ? "" : c->why);
	w->tape.io->say(w->tape.io->arg, 0, s);
	free(s);
}

/* What is to be done with what an earlier form left. */
enum form_left {
	FORM_LEFT_NOTHING, /* there is none */
	FORM_LEFT_OPEN, /* it was not declared */
	FORM_LEFT_OBJECTED,
};

/* Finds what became of a draft. */
static enum form_left
form_left_find(const struct form_past *past, int side, const json_t *draft)
{
	const json_t *combat = json_object_get(draft, "combat");
	const struct form_past_combat *sent = NULL;

	if (past != NULL && combat != NULL)
		sent = form_past_same(past, side,
		    json_integer_value(json_object_get(draft, "at")), combat);
	if (sent == NULL)
		return (FORM_LEFT_OPEN);
	return (sent == form_past_last(past, side) &&
		    sent->what == FORM_PAST_OBJECTED
		? FORM_LEFT_OBJECTED
		: FORM_LEFT_NOTHING);
}

/*
 * Puts the answers of a draft on the tape.  What was proposed then need not be
 * now.
 */
static bool
form_left_load(struct form_walk *w, const json_t *draft)
{
	json_t *answers;

	if (!form_tape_load(&w->tape, draft))
		return (false);
	answers = w->tape.answers;
	(void)json_object_del(answers, FORM_WALK_AGAIN);
	return (json_object_size(answers) > 0);
}

/* Takes up what an earlier form left; *next is what comes behind it. */
static int
form_left_take(struct form_walk *w, int side, const struct form_with *with,
    enum form_next *next)
{
	const json_t *draft;
	enum form_left left;
	bool yes = true;
	size_t n;
	char *s;
	int r;

	draft = with->draft == NULL ? NULL : *with->draft;
	left = form_left_find(with->past, side, draft);
	if (left == FORM_LEFT_NOTHING || !form_left_load(w, draft)) {
		if (w->last != NULL && w->last->what == FORM_PAST_OBJECTED)
			form_objected(w, w->last);
		return (0);
	}
	if (left == FORM_LEFT_OBJECTED) {
		form_objected(w, form_past_last(with->past, side));
		*next = FORM_NEXT_CHANGE;
		w->last = NULL;
		return (0);
	}
	n = json_object_size(w->tape.answers);
	s = xalloc_printf("You began to declare a combat, which was not sent "
			  "(%zu answer%s).",
	    n, n == 1 ? "" : "s");
	w->tape.io->say(w->tape.io->arg, 0, s);
	free(s);
	r = ask_yes(w->tape.io, "Go on with it?  No throws it away.", 1, &yes);
	if (r == 0 && yes)
		w->last = NULL;
	else if (r == 0)
		form_tape_drop(&w->tape, "");
	return (r);
}

/* Replaces the draft by what is on the tape now. */
static void
form_leave(
    const struct form_walk *w, const struct form_with *with, bool is_made)
{
	json_t *draft;

	if (with->draft == NULL)
		return;
	draft = form_tape_save(&w->tape);
	if (draft != NULL) {
		xalloc_set(draft, "at", xalloc_json(json_integer(with->at)));
		if (is_made)
			xalloc_set(draft, "combat", xalloc_copy(w->combat));
	}
	json_decref(*with->draft);
	*with->draft = draft;
}

/* Asks what is asked at last; *is_done and *next say how to go on. */
static int
form_ask_last(struct form_walk *w, const struct form_last *last, bool *is_done,
    enum form_next *next)
{
	int r;

	if (last == NULL)
		return (0);
	r = last->ask(last->arg, w->tape.io, w->combat);
	if (r != ASK_BACK && r != FORM_CHANGE)
		return (r);
	*is_done = false;
	/* The same again was the whole form. */
	if (w->is_again)
		return (ASK_BACK);
	if (r == FORM_CHANGE)
		*next = FORM_NEXT_CHANGE;
	return (0);
}

/* Asks until the combat will do, or the person leaves. */
static int
form_run(struct form_walk *w, const struct game *g, int side,
    const struct form_last *last, enum form_next next, bool *is_made)
{
	struct form_undo u = {.answers = NULL};
	bool is_back, is_done = false;
	int r = 0;

	while (!is_done) {
		*is_made = false;
		if ((r = form_walk_run(w)) == 0)
			r = form_review(w, &u, g, side, next, &is_done);
		is_back = r == ASK_BACK && form_undo_back(&u, &w->tape);
		next = is_back ? FORM_NEXT_LIST : FORM_NEXT_ASK;
		*is_made = r == 0 && is_done;
		if (*is_made)
			r = form_ask_last(w, last, &is_done, &next);
		if (r != 0 && !is_back &&
		    (r != ASK_BACK || !form_tape_back(&w->tape)))
			break;
	}
	/* Who leaves in the middle of a change has changed nothing. */
	if (r != 0)
		(void)form_undo_back(&u, &w->tape);
	form_undo_clear(&u);
	return (r);
}

int
form_declare(const struct ask_io *io, const struct game *g, int side,
    const struct form_with *with, json_t **combat)
{
	static const struct form_with none;
	const struct rules_system *sys = systems_find(game_system(g));
	enum form_next next = FORM_NEXT_ASK;
	bool is_made = false;
	json_t *roster = NULL;
	struct form_walk w;
	int r;

	if ((r = game_is_checkable(g, NULL)) != 0 || sys == NULL)
		return (r != 0 ? r : ERR_NEWER);
	if (with == NULL)
		with = &none;
	/* The game may move on while questions are asked. */
	if (game_roster(g) != NULL)
		roster = xalloc_copy(game_roster(g));
	form_walk_init(&w, io, sys, roster, side, with->past);
	w.last = form_last(g, side, with->past);
	if ((r = form_left_take(&w, side, with, &next)) == 0) {
		r = form_run(&w, g, side, with->last, next, &is_made);
		form_leave(&w, with, is_made);
	}
	if (r == 0)
		*combat = json_incref(w.combat);
	form_walk_clear(&w);
	json_decref(roster);
	return (r);
}
