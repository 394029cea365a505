/* SPDX-License-Identifier: ISC */
/*
 * A decision by questions: what one of some, some of them, an order or a
 * number can say, out of the options of the open question; what only a rule of
 * the system can say, pick by pick as the rule offers them.  What is lawful in
 * the end the rules say.
 */
#include <stdlib.h>
#include <string.h>

#include "client/base/place.h"
#include "client/base/xalloc.h"
#include "client/play/decision.h"
#include "client/play/decision_text.h"
#include "client/play/form.h"
#include "client/play/form_say.h"
#include "client/replica/adjust.h"
#include "common/base/buf.h"
#include "common/game/game.h"
#include "common/game/game_make.h"
#include "common/rules/combat.h"
#include "common/rules/question.h"
#include "common/rules/rules.h"
#include "common/rules/show/render.h"
#include "common/rules/show/render_value.h"
#include "common/rules/show/rules_show.h"
#include "common/rules/show/show_list.h"
#include "common/rules/systems/systems.h"

#define FORM_DECIDE_NULL "?null" /* the value null, as a choice */
#define FORM_DECIDE_END "?nobody" /* no further pick */
#define FORM_DECIDE_NOTE 128 /* bytes of what is said of a pick */

/* A decision while it is made. */
struct form_decide {
	struct form_tape tape;
	const struct game *g; /* borrowed */
	int seat;
	const char *kind; /* borrowed from the question */
	const json_t *options; /* likewise */
	const json_t *asked; /* borrowed: the question */
	json_t *roster; /* owned; NULL */
	const struct rules_show *show;
	struct render *rd; /* owned */
	json_t *suggested; /* owned: a lawful decision; NULL if there is none */
	char *suggestion; /* owned: in words; NULL */
	char *forced; /* owned: picks without a choice, untold; NULL: none */
	bool suggests_loss; /* it eliminates, and is never what Enter means */
	json_t *decision; /* owned: what was made so far */
};

/* The label of a unit, or of whatever has this id; free(). */
static char *
form_decide_label(const struct form_decide *d, const char *id)
{
	const json_t *unit = adjust_entry(d->roster, id);

	return (unit == NULL ? xalloc_str(id) : form_tell_unit(d->rd, unit));
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
	const char *about;
	char *label, *s;
	const json_t *v;
	size_t i;

	json_array_foreach(values, i, v)
	{
		s = form_decide_value(v);
		about = render_value_word(d->rd, "choice", d->kind, s);
		if (json_is_null(v))
			label = xalloc_str("none of them");
		else if (json_is_boolean(v))
			label = xalloc_str(json_is_true(v) ? "yes" : "no");
		else if (about != NULL)
			label = xalloc_printf("%s (%s)", s, about);
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
	char *title = form_decide_title(d, name, "Your answer?");
	struct form_list list = {.key = name, .title = title};
	int fallback = -1, r;
	size_t i, pick;

	json_array_foreach(values, i, v)
	{
		if (best != NULL && !d->suggests_loss && json_equal(v, best))
			fallback = (int)i;
	}
	form_decide_list(d, values, &list);
	r = form_tape_choice(&d->tape, &list, fallback, &pick);
	if (r == 0)
		xalloc_set(d->decision, name,
		    xalloc_copy(json_array_get(values, pick)));
	free(title);
	form_list_clear(&list);
	return (r);
}

/* Asks for least to most of the ids; *chosen is a new array of them. */
static int
form_decide_some(struct form_decide *d, const char *key, const char *title,
    const json_t *ids, size_t least, size_t most, json_t **chosen)
{
	/* What "none" would cost is not known here. */
	struct form_list list = {.key = key, .title = title, .is_typed = true};
	size_t i, n_picks, *picks;
	int r;

	form_decide_list(d, ids, &list);
	picks = xalloc((list.n + 1) * sizeof(*picks));
	r = form_tape_some(&d->tape, &list, least,
	    most < list.n ? most : list.n, picks, &n_picks);
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

/* The words for picks of this kind, with a subject; free(). */
static char *
form_decide_words(
    const struct form_decide *d, const char *form, const char *subject)
{
	const char *words = render_value_word(d->rd, "pick", d->kind, form);

	return (form_say_title(words == NULL ? "Who?" : words, subject));
}

/* True if a member lists ids that are eliminated by it. */
static bool
form_decide_is_lost(const char *name, const json_t *option)
{
	return (
	    decision_is_lost(name) && json_object_get(option, "some") != NULL);
}

/*
 * Those that are eliminated by being named: nobody, unless it is asked for,
 * and then they are named one by one.
 */
static int
form_decide_lost(struct form_decide *d, const char *name, const json_t *option)
{
	static const char *const forms[] = {"all", "lost"};
	const json_t *ids = json_object_get(option, "some");
	struct form_list list = {.key = "?lost", .title = "Your answer?"};
	json_t *chosen = NULL;
	char *title;
	size_t i, pick;
	int r;

	for (i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		title = form_decide_words(d, forms[i], "");
		form_list_add(&list, title, forms[i]);
		free(title);
	}
	r = form_tape_choice(&d->tape, &list, 0, &pick);
	form_list_clear(&list);
	if (r != 0)
		return (r);
	if (pick == 0) {
		xalloc_set(d->decision, name, xalloc_json(json_array()));
		return (0);
	}
	title = form_decide_words(d, NULL, "");
	r = form_decide_some(
	    d, name, title, ids, 1, json_array_size(ids), &chosen);
	free(title);
	if (r == 0)
		xalloc_set(d->decision, name, chosen);
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

/* A text, or nothing for null. */
static int
form_decide_text(struct form_decide *d, const struct question_member *m)
{
	char *label, *text, *title;
	int r;

	label = form_decide_label(d, m->ids[0]);
	title = form_decide_words(d, NULL, label);
	r = form_tape_text(
	    &d->tape, m->name, title, RULES_NAME_MAX, m->has_null, &text);
	free(title);
	free(label);
	if (r != 0)
		return (r);
	xalloc_set(d->decision, m->name,
	    *text == '\0' ? json_null() : xalloc_json_str(text));
	free(text);
	return (0);
}

/* Keeps for the next question that a pick was made without one. */
static void
form_decide_force(struct form_decide *d, const struct combat *c,
    const struct question_picks *p, int16_t id)
{
	const struct question_rule *rule = combat_question(c)->rule;
	const char *words = render_value_word(d->rd, "pick", d->kind, "only");
	struct buf b;
	json_t *o;
	char *of;

	/* What is no such pick is told by its choices alone. */
	if (words == NULL || (size_t)id >= rule->count(c))
		return;
	of = xalloc_printf("%d of %d", p->n + 1, rule->goal(c));
	o = xalloc_json(json_pack(
	    "{s:s, s:s}", "pick", of, "unit", rule->id(c, (size_t)id)));
	free(of);
	buf_init(&b, 0);
	if (d->forced != NULL)
		buf_puts(&b, d->forced);
	render_value_template(d->rd, words, o, "", &b);
	buf_puts(&b, "  ");
	json_decref(o);
	free(d->forced);
	d->forced = xalloc_take(&b);
}

/* Adds what a rule offers. */
static void
form_decide_offer(const struct form_decide *d, const struct combat *c,
    const struct question_picks *p, const int16_t *ids, size_t n,
    struct form_list *list)
{
	const struct question *q = combat_question(c);
	char *label, *s, note[FORM_DECIDE_NOTE];
	size_t count = q->rule->count(c), i;
	const char *id;

	for (i = 0; i < n; i++) {
		id = q->rule->id(c, (size_t)ids[i] % count);
		note[0] = '\0';
		if (d->show->pick != NULL)
			d->show->pick(
			    c, q, p, (size_t)ids[i], note, sizeof(note));
		s = form_decide_label(d, id);
		label = xalloc_printf("%s%s", s, note);
		form_list_add(list, label, id);
		free(label);
		free(s);
	}
}

/* Asks for the next pick of n, or for none where the answer may end. */
static int
form_decide_next(struct form_decide *d, const struct combat *c,
    const struct question_picks *p, const int16_t *ids, size_t n, size_t *pick)
{
	const struct question_rule *rule = combat_question(c)->rule;
	bool may_end = rule->ends(c, p, NULL);
	struct form_list list = {.n = 0};
	char *asked, *key, *subject, *title;
	int r;

	/* A single candidate is picked without a question. */
	*pick = 0;
	if (n == 1 && !may_end) {
		form_decide_force(d, c, p, ids[0]);
		return (0);
	}
	if (may_end)
		form_list_add(&list, "nobody", FORM_DECIDE_END);
	form_decide_offer(d, c, p, ids, n, &list);
	subject = xalloc_printf("%d of %d", p->n + 1, rule->goal(c));
	asked = form_decide_words(d, may_end ? "more" : NULL, subject);
	title =
	    xalloc_printf("%s%s", d->forced == NULL ? "" : d->forced, asked);
	free(asked);
	free(d->forced);
	d->forced = NULL;
	key = xalloc_printf("pick:%d", p->n);
	list.key = key;
	list.title = title;
	r = form_tape_choice(&d->tape, &list, may_end ? 0 : -1, pick);
	if (may_end)
		*pick = *pick == 0 ? n : *pick - 1;
	free(key);
	free(title);
	free(subject);
	form_list_clear(&list);
	return (r);
}

/* Asks for all picks at once. */
static int
form_decide_set(struct form_decide *d, const struct combat *c,
    struct question_answer *a, struct question_item *room)
{
	const struct question_rule *rule = combat_question(c)->rule;
	struct question_picks none = {.n = 0};
	int16_t ids[QUESTION_PICKS_MAX];
	size_t n = rule->count(c), picks[QUESTION_PICKS_MAX];
	struct form_list list = {.key = rule->list, .is_typed = true};
	char *subject, *title;
	int r;

	for (a->n_items = 0; a->n_items < n; a->n_items++)
		ids[a->n_items] = (int16_t)a->n_items;
	form_decide_offer(d, c, &none, ids, n, &list);
	subject = xalloc_printf("%d", rule->goal == NULL ? 0 : rule->goal(c));
	list.title = title = form_decide_words(d, NULL, subject);
	r = form_tape_some(&d->tape, &list, rule->ends(c, &none, NULL) ? 0 : 1,
	    n, picks, &a->n_items);
	for (n = 0; r == 0 && n < a->n_items; n++)
		room[n] = (struct question_item){
		    .id = (int16_t)picks[n],
		    .value = 1,
		};
	free(title);
	free(subject);
	form_list_clear(&list);
	return (r);
}

/* What only a rule can tell, or a text. */
static int
form_decide_rule(struct form_decide *d)
{
	struct question_picks p = {.n = 0};
	struct question_item room[COMBAT_ITEMS_MAX];
	struct question_answer a = {.items = room};
	int16_t ids[QUESTION_PICKS_MAX];
	const struct question_rule *rule;
	const struct question *q;
	const struct combat *c;
	size_t n, pick;
	int r;

	if (game_asked(d->g, d->seat, &c) != 0)
		return (ERR_NEWER);
	q = combat_question(c);
	rule = q->rule;
	if (rule == NULL)
		return (form_decide_text(d, &q->members[0]));
	r = rule->is_set ? form_decide_set(d, c, &a, room) : 0;
	while (r == 0 && !rule->is_set &&
	    (n = question_next(c, rule, &p, ids)) > 0) {
		r = form_decide_next(d, c, &p, ids, n, &pick);
		if (r == 0 && pick == n)
			break;
		if (r == 0)
			r = question_add(
			    rule, ids[pick], &a, &p, room, COMBAT_ITEMS_MAX);
	}
	if (r != 0)
		return (r);
	json_decref(d->decision);
	d->decision = NULL;
	if (combat_decision(c, &a, &d->decision) != 0)
		xalloc_die();
	return (0);
}

/* Asks whether the suggestion will do; *is_taken if so. */
static int
form_decide_suggest(struct form_decide *d, bool *is_taken)
{
	struct form_list list = {.key = "?suggested", .title = "Your answer?"};
	size_t pick;
	int r;

	form_list_add(&list, d->suggestion, "suggested");
	form_list_add(&list, "choose yourself", "choose");
	r = form_tape_choice(&d->tape, &list, d->suggests_loss ? -1 : 0, &pick);
	if (r == 0)
		*is_taken = pick == 0;
	form_list_clear(&list);
	return (r);
}

/*
 * True if a decision is no more than one value, one number, or those that are
 * lost: what "none" suggested of them could be misread.
 */
static bool
form_decide_is_plain(const json_t *options)
{
	const char *name;
	json_t *option;

	json_object_foreach((json_t *)(uintptr_t)options, name, option)
	{
		if (json_object_get(option, "one") == NULL &&
		    json_object_get(option, "int") == NULL &&
		    !form_decide_is_lost(name, option))
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
		else if (form_decide_is_lost(name, option))
			r = form_decide_lost(d, name, option);
		else if (json_object_get(option, "some") != NULL)
			r = form_decide_ids(d, name, option);
		else if (json_object_get(option, "order") != NULL)
			r = form_decide_order(d, name, option);
		else if ((v = json_object_get(option, "int")) != NULL)
			r = form_decide_int(d, name, v);
		else
			/* A rule asks for all members together. */
			return (form_decide_rule(d));
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
	free(d->forced);
	d->forced = NULL;
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

/* What was made, in words; a list of those lost needs a sentence; free(). */
static char *
form_decide_made(const struct form_decide *d)
{
	const char *name;
	char *text = NULL;
	json_t *option;

	json_object_foreach((json_t *)(uintptr_t)d->options, name, option)
	{
		if (text == NULL && form_decide_is_lost(name, option))
			text = decision_text(systems_find(game_system(d->g)),
			    game_roster(d->g), d->asked, d->decision);
	}
	return (text != NULL ? text : form_tell_decision(d->rd, d->decision));
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
		text = form_decide_made(d);
		s = xalloc_printf("Your answer: %s.", text);
		free(text);
	} else {
		text = place_error(r, &e, d->decision);
		s = xalloc_printf("That is not lawful: %s.  Try again.", text);
		free(text);
		form_tape_drop(&d->tape, "");
	}
	d->tape.io->say(d->tape.io->arg, 0, s);
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
	d->tape.io->say(d->tape.io->arg, 0, s);
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
	d->asked = asked;
	if (sys == NULL)
		return (ERR_NEWER);
	if (d->kind == NULL || json_object_size(d->options) == 0)
		return (ERR_STALE);
	d->show = show_list_find(sys);
	if ((d->rd = render_new(sys)) == NULL)
		xalloc_die();
	/* The game may move on while questions are asked. */
	if (game_roster(g) != NULL)
		d->roster = xalloc_copy(game_roster(g));
	render_know(d->rd, d->roster);
	form_tape_init(&d->tape, io);
	if (game_suggest_decision(g, seat, &d->suggested) == 0) {
		char *text = form_tell_decision(d->rd, d->suggested);

		d->suggestion = xalloc_printf("as suggested: %s", text);
		free(text);
		text = decision_text_losses(g, seat, d->suggested);
		d->suggests_loss = *text != '\0';
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
	json_decref(d->roster);
	json_decref(d->suggested);
	json_decref(d->decision);
	free(d->suggestion);
	free(d->forced);
}

int
form_decide(const struct ask_io *io, const struct game *g, int seat,
    const json_t *asked, const struct form_last *last, json_t **decision)
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
		if (r == 0 && is_done && last != NULL)
			r = last->ask(last->arg, io, d.decision);
		if (r == FORM_CHANGE)
			r = ASK_BACK;
		is_done = r == 0 && is_done;
		if (r != 0 && (r != ASK_BACK || !form_tape_back(&d.tape)))
			break;
	}
	if (r == 0)
		*decision = json_incref(d.decision);
	form_decide_close(&d);
	return (r);
}
