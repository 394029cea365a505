/* SPDX-License-Identifier: ISC */
/*
 * Sentences for people.  Their words come from the system's table; this file
 * lays events, numbers and lists out.  Events may come from a server that
 * cannot be trusted: a member that is missing or strange is shown as it is, and
 * control characters never reach the output.
 */
#include "common/rules/show/render.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/json/js.h"
#include "common/rules/rules.h"
#include "common/rules/show/paragraph.h"
#include "common/rules/show/render_question.h"
#include "common/rules/show/render_row.h"
#include "common/rules/show/render_score.h"
#include "common/rules/show/render_value.h"
#include "common/rules/show/rules_show.h"
#include "common/rules/show/show_list.h"

#define RENDER_TIE 64 /* bytes of the cause of a change between equals */
#define RENDER_MARGIN "margin" /* between the scores of a change */
#define RENDER_DEPTH 8 /* of facts; what lies deeper is not shown */

struct render *
render_new(const struct rules_system *sys)
{
	struct render *rd;

	if ((rd = calloc(1, sizeof(*rd))) == NULL)
		return (NULL);
	rd->sys = sys;
	rd->show = show_list_find(sys);
	rd->names = json_object();
	rd->facts = json_object();
	rd->named = json_object();
	if (rd->names == NULL || rd->facts == NULL || rd->named == NULL) {
		render_free(rd);
		return (NULL);
	}
	return (rd);
}

void
render_hide_ids(struct render *rd)
{
	rd->hides_ids = true;
}

const char *
render_name(const struct render *rd, const char *id)
{
	return (render_value_name(rd, id));
}

void
render_free(struct render *rd)
{
	if (rd == NULL)
		return;
	json_decref(rd->names);
	json_decref(rd->facts);
	json_decref(rd->named);
	json_decref(rd->combat);
	free(rd);
}

/* A walk through the objects of the facts, from the outside in. */
struct render_walk {
	struct {
		json_t *v; /* borrowed */
		void *member; /* object: the next member */
		size_t index; /* array: the next element */
		const char *name;
	} at[RENDER_DEPTH];
	size_t depth;
};

/* Goes into v. */
static void
render_walk_in(struct render_walk *w, json_t *v, const char *name)
{
	w->at[w->depth].v = v;
	w->at[w->depth].member = json_object_iter(v);
	w->at[w->depth].index = 0;
	w->at[w->depth].name = name;
	w->depth++;
}

/*
 * Returns the next container that the walk meets and its member's name (an
 * element has that of its list), and goes into it; NULL at the end.
 */
static json_t *
render_walk_next(struct render_walk *w, const char **name)
{
	json_t *v;

	while (w->depth > 0) {
		size_t top = w->depth - 1;

		if (json_is_array(w->at[top].v)) {
			v = json_array_get(w->at[top].v, w->at[top].index++);
			*name = w->at[top].name;
		} else {
			v = json_object_iter_value(w->at[top].member);
			*name = json_object_iter_key(w->at[top].member);
			w->at[top].member = json_object_iter_next(
			    w->at[top].v, w->at[top].member);
		}
		if (v == NULL)
			w->depth--;
		else if (render_value_is_container(v) &&
		    w->depth < RENDER_DEPTH) {
			render_walk_in(w, v, *name);
			return (v);
		}
	}
	return (NULL);
}

/* Notes that a unit has this name; without memory ids are left out. */
static void
render_learn_name(struct render *rd, const char *id, const char *name)
{
	const json_t *had = json_object_get(rd->named, name);

	if (had == NULL)
		(void)json_object_set_new(rd->named, name, json_string(id));
	else if (json_is_string(had) && strcmp(json_string_value(had), id) != 0)
		(void)json_object_set_new(rd->named, name, json_true());
}

/* Learns what the units of the facts are called. */
static void
render_learn(struct render *rd, json_t *facts)
{
	struct render_walk w = {.depth = 0};
	json_t *v;
	const char *id, *name, *of;
	struct buf b;
	int pass;

	/*
	 * First find the names that units share, then note what each is called.
	 */
	for (pass = 0; pass < 2; pass++) {
		render_walk_in(&w, facts, "");
		while ((v = render_walk_next(&w, &of)) != NULL) {
			id = json_string_value(json_object_get(v, "id"));
			name = json_string_value(json_object_get(v, "name"));
			/* Without memory a limit of a term is not told. */
			if (id != NULL)
				(void)json_object_set(rd->facts, id, v);
			if (id == NULL || name == NULL || name[0] == '\0')
				continue;
			if (pass == 0) {
				render_learn_name(rd, id, name);
				continue;
			}
			buf_init(&b, 0);
			buf_puts(&b, name);
			if (json_is_true(json_object_get(rd->named, name)))
				buf_printf(&b, " (%s)", id);
			/* Without memory the id is shown. */
			(void)json_object_set_new(
			    rd->names, id, json_string(buf_str(&b)));
			buf_clear(&b);
		}
	}
}

void
render_know(struct render *rd, const json_t *units)
{
	if (units != NULL)
		render_learn(rd, (json_t *)(uintptr_t)units); /* only read */
}

/* What the facts say of one unit, contact or side. */
static void
render_fact(const struct render *rd, const json_t *v, const char *list,
    unsigned indent, struct render_sink *out)
{
	const char *id, *name, *text;
	struct buf b;

	buf_init(&b, 0);
	text = render_value_word(rd, "item", list, NULL);
	id = json_string_value(json_object_get(v, "id"));
	name = json_string_value(json_object_get(v, "name"));
	if (text != NULL) {
		render_value_template(rd, text, v, "", &b);
		render_value_members(rd, v, text, ", ", &b);
	} else if (id != NULL) {
		if (name != NULL && name[0] != '\0' && !rd->hides_ids)
			buf_printf(&b, "%s (%s)", name, id);
		else
			buf_puts(&b, render_value_name(rd, id));
		render_value_members(rd, v, "{id}{name}", ": ", &b);
	} else {
		render_value_members(rd, v, "", "", &b);
	}
	if (b.len > 0)
		render_row_put(out, RENDER_ROW_TEXT, indent, &b);
	else
		buf_clear(&b);
}

/* The facts: a heading for each list, a line for each of its elements. */
static void
render_combat(struct render *rd, const json_t *event, struct render_sink *out)
{
	json_t *facts = (json_t *)(uintptr_t)event, *v;
	struct render_walk w = {.depth = 0};
	char count[24];
	const char *name, *text;
	unsigned indent;
	struct buf b;

	render_learn(rd, facts);
	json_decref(rd->combat);
	rd->combat = json_incref(facts);
	render_row_printf(
	    out, RENDER_ROW_COMBAT, 0, "Combat: %s", rd->sys->name);
	buf_init(&b, 0);
	render_value_members(rd, facts, "", "", &b);
	if (b.len > 0)
		render_row_put(out, RENDER_ROW_TEXT, 0, &b);
	render_walk_in(&w, facts, "");
	while ((v = render_walk_next(&w, &name)) != NULL) {
		/* The facts are at depth 1, what they hold at 2. */
		indent = 2 * (unsigned)(w.depth - 2);
		/* A list that is only counted. */
		text = render_value_word(rd, "count", name, NULL);
		if (text != NULL && json_is_array(v)) {
			(void)snprintf(
			    count, sizeof(count), "%zu", json_array_size(v));
			buf_init(&b, 0);
			render_value_template(rd, text, facts, count, &b);
			render_row_put(out, RENDER_ROW_TEXT, indent, &b);
			w.depth--;
			continue;
		}
		text = render_value_word(rd, "list", name, NULL);
		if (json_is_array(v) || !json_is_array(w.at[w.depth - 2].v))
			render_row_printf(out, RENDER_ROW_HEAD, indent, "%s",
			    text != NULL ? text : name);
		if (json_is_object(v))
			render_fact(rd, v, name, indent, out);
	}
}

/*
 * What is rolled for: "score, 1st Foot".  Returns false, and adds nothing, if
 * the label has no form of the system's.
 */
static bool
render_roll_for(const struct render *rd, const json_t *event, struct buf *b)
{
	const char *label;
	struct rules_rolled is;

	label = json_string_value(json_object_get(event, "label"));
	if (label == NULL || !rules_show_roll(rd->show, label, &is))
		return (false);
	buf_puts(b, is.roll->what);
	if (is.id[0] != '\0')
		buf_printf(b, ", %s", render_value_name(rd, is.id));
	if (is.has_side)
		buf_printf(b, ", the %s",
		    is.side == COMBAT_ATTACKER ? "attacker" : "defender");
	return (true);
}

/* The dice of a roll: "Roll 2d6 (score, 1st Foot): 2, 5". */
static void
render_roll(
    const struct render *rd, const json_t *event, struct render_sink *out)
{
	const json_t *dice = json_object_get(event, "dice");
	struct buf b, dies, lead, what;
	size_t n;

	buf_init(&b, 0);
	buf_init(&dies, 0);
	buf_init(&lead, 0);
	buf_init(&what, 0);
	buf_printf(&dies, "%zud", json_array_size(dice));
	render_value_scalar(
	    rd, "label", json_object_get(event, "sides"), &dies);
	buf_printf(&b, "Roll %s", buf_str(&dies));
	if (render_roll_for(rd, event, &what)) {
		buf_printf(&b, " (%s)", buf_str(&what));
		buf_putc(&lead, toupper((unsigned char)buf_str(&what)[0]));
		buf_printf(
		    &lead, "%s (%s)", buf_str(&what) + 1, buf_str(&dies));
	} else {
		buf_puts(&b, " for ");
		render_value_scalar(
		    rd, "label", json_object_get(event, "label"), &b);
		buf_puts(&lead, buf_str(&b));
	}
	if (out->error == 0)
		out->error = buf_error(&dies);
	if (out->error == 0)
		out->error = buf_error(&what);
	buf_clear(&what);
	buf_clear(&dies);
	buf_puts(&b, ": ");
	n = b.len;
	render_value_any(rd, "label", dice, &b);
	render_row_dice(
	    out, &b, n, &lead, dice, json_object_get(event, "sides"));
}

/* The chits of a draw. */
static void
render_draw(
    const struct render *rd, const json_t *event, struct render_sink *out)
{
	const json_t *chits = json_object_get(event, "chits");
	struct buf b, lead;
	size_t n;

	buf_init(&b, 0);
	buf_init(&lead, 0);
	buf_puts(&b, "Draw from a bag of ");
	render_value_scalar(rd, "label", json_object_get(event, "bag"), &b);
	buf_puts(&lead, buf_str(&b));
	buf_puts(&b, ": ");
	n = b.len;
	render_value_any(rd, "label", chits, &b);
	render_row_dice(out, &b, n, &lead, chits, NULL);
}

/* A question in the log: what is asked, and of which units. */
static void
render_ask(
    const struct render *rd, const json_t *event, struct render_sink *out)
{
	json_t *options = json_object_get(event, "options"), *option;
	const json_t *list;
	const char *name;
	struct buf b;

	buf_init(&b, 0);
	if (!render_question_asked(rd, event, &b)) {
		buf_clear(&b);
		return;
	}
	json_object_foreach(options, name, option)
	{
		if ((list = json_object_get(option, "some")) == NULL)
			list = json_object_get(option, "order");
		if (list == NULL)
			continue;
		buf_puts(&b, ": ");
		render_value_any(rd, "unit", list, &b);
	}
	buf_putc(&b, '.');
	render_row_put(out, RENDER_ROW_TEXT, 0, &b);
}

/* The sentence of a unit in the result: that of its state, or of all. */
static const char *
render_result_text(const struct render *rd, const char *name, const json_t *v)
{
	const char *state = json_string_value(json_object_get(v, "state"));
	const char *text = NULL;

	if (state != NULL)
		text = render_value_word(rd, "result", name, state);
	return (
	    text != NULL ? text : render_value_word(rd, "result", name, NULL));
}

/* One object of the result: a line by its own sentence, or one a member. */
static void
render_result_list(const struct render *rd, const char *name, json_t *list,
    struct render_sink *out)
{
	const char *id, *text;
	struct buf b;
	json_t *v;

	if ((text = render_value_word(rd, "line", name, NULL)) != NULL) {
		buf_init(&b, 0);
		render_value_template(rd, text, list, "", &b);
		render_row_put(out, RENDER_ROW_TEXT, 2, &b);
		return;
	}
	json_object_foreach(list, id, v)
	{
		buf_init(&b, 0);
		text = render_result_text(rd, name, v);
		if (text != NULL && json_is_object(v)) {
			render_value_template(
			    rd, text, v, render_value_name(rd, id), &b);
		} else {
			/* What this unit's number means. */
			text = render_value_word(rd, "entry", name, NULL);
			if (text != NULL)
				buf_printf(&b, "%s ", text);
			buf_printf(&b, "%s: ", render_value_name(rd, id));
			render_value_any(rd, name, v, &b);
		}
		render_row_put(out, RENDER_ROW_TEXT, 2, &b);
	}
}

/* The result: a line for each unit, and the rest. */
static void
render_result(
    const struct render *rd, const json_t *event, struct render_sink *out)
{
	json_t *o = (json_t *)(uintptr_t)event, *list; /* only read */
	const char *name;
	struct buf b;

	render_row_printf(out, RENDER_ROW_RESULT, 0, "Result");
	json_object_foreach(o, name, list)
	{
		if (json_is_object(list))
			render_result_list(rd, name, list, out);
	}
	buf_init(&b, 0);
	render_value_members(rd, event, "", "", &b);
	if (b.len > 0)
		render_row_put(out, RENDER_ROW_TEXT, 2, &b);
}

/*
 * Returns the sentence for a decision of this kind that has some member, or
 * for one that names nobody.
 */
static const char *
render_form(const struct render *rd, const json_t *decision, const char *kind)
{
	json_t *o = (json_t *)(uintptr_t)decision, *v; /* only read */
	const char *name, *text;

	json_object_foreach(o, name, v)
	{
		text = NULL;
		if (json_is_array(v) && json_array_size(v) == 0)
			text = render_value_word(rd, "decision", kind, "none");
		if (text == NULL)
			text = render_value_word(rd, "decision", kind, name);
		if (text != NULL)
			return (text);
	}
	return (NULL);
}

/*
 * The event with by how much one score is less than the other, if it has two
 * (new); without memory the margin is not told.
 */
static json_t *
render_margin(const json_t *event)
{
	const json_t *score = json_object_get(event, "score");
	const json_t *by = json_object_get(event, "by_score");
	json_int_t margin;
	json_t *o;

	if (!json_is_integer(score) || !json_is_integer(by) ||
	    __builtin_sub_overflow(
		json_integer_value(by), json_integer_value(score), &margin) ||
	    (o = json_copy((json_t *)(uintptr_t)event)) == NULL)
		return (json_incref((json_t *)(uintptr_t)event));
	(void)json_object_set_new(o, RENDER_MARGIN, json_integer(margin));
	return (o);
}

/* The sentence of a change between equal scores; NULL if it is none. */
static const char *
render_tie(const struct render *rd, const json_t *event, const char *e,
    const char *what, const char *why)
{
	const json_t *score = json_object_get(event, "score");
	char tie[RENDER_TIE];

	if (what == NULL || why == NULL || score == NULL ||
	    !json_equal(score, json_object_get(event, "by_score")))
		return (NULL);
	(void)snprintf(tie, sizeof(tie), "%s-tie", why);
	return (render_value_word(rd, e, what, tie));
}

/* Any other event: the system's sentence for it, or its members. */
static void
render_other(const struct render *rd, const json_t *event, const char *e,
    struct render_sink *out)
{
	const char *text, *what, *why;
	json_t *told;
	struct buf b;

	what = json_string_value(json_object_get(
	    event, strcmp(e, "decision") == 0 ? "kind" : "what"));
	why = json_string_value(json_object_get(event, "why"));
	text = render_tie(rd, event, e, what, why);
	if (text == NULL)
		text = render_value_cause(
		    rd, event, e, what != NULL ? what : "", why, "");
	/* A kind that is answered in several forms has a sentence for each. */
	if (text == NULL && strcmp(e, "decision") == 0)
		text = render_form(rd, event, what != NULL ? what : "");
	buf_init(&b, 0);
	if (text != NULL) {
		told = render_margin(event);
		render_value_template(rd, text, told, "", &b);
		json_decref(told);
	} else {
		buf_printf(&b, "%s", e);
		render_value_members(rd, event, "", ": ", &b);
	}
	render_row_put(out, RENDER_ROW_TEXT, 0, &b);
}

/* Sets the parts of a combat off from each other by empty lines. */
static void
render_part(struct render *rd, const char *e, struct render_sink *out)
{
	enum render_last last = rd->last, now = RENDER_ELSE;

	if (strcmp(e, "roll") == 0)
		now = RENDER_ROLL;
	else if (strcmp(e, "score") == 0)
		now = RENDER_SCORE;
	else if (strcmp(e, "ask") == 0 || strcmp(e, "decision") == 0)
		now = RENDER_ASKED;
	rd->last = now;
	if (last == RENDER_NOTHING)
		return;
	if ((now == RENDER_ASKED && last != RENDER_ASKED) ||
	    (now == RENDER_ROLL && last == RENDER_ELSE) ||
	    (now == RENDER_ELSE && last == RENDER_SCORE) ||
	    strcmp(e, "result") == 0)
		render_row_gap(out);
}

void
render_rows(struct render *rd, const json_t *event, struct render_sink *out)
{
	const char *e;

	if ((e = json_string_value(json_object_get(event, "e"))) == NULL)
		return;
	render_part(rd, e, out);
	if (strcmp(e, "combat") == 0)
		render_combat(rd, event, out);
	else if (strcmp(e, "roll") == 0)
		render_roll(rd, event, out);
	else if (strcmp(e, "draw") == 0)
		render_draw(rd, event, out);
	else if (strcmp(e, "score") == 0)
		render_score(rd, event, out);
	else if (strcmp(e, "ask") == 0)
		render_ask(rd, event, out);
	else if (strcmp(e, "result") == 0)
		render_result(rd, event, out);
	else
		render_other(rd, event, e, out);
}

/* render_sink: appends a row as the lines of a paragraph. */
static void
render_event_cb(void *arg, const struct render_row *row)
{
	struct buf *out = arg;

	if (row->kind == RENDER_ROW_GAP)
		buf_putc(out, '\n');
	else if (row->kind != RENDER_ROW_TOTAL)
		paragraph_write(out, row->indent, row->text);
}

void
render_event(struct render *rd, const json_t *event, struct buf *out)
{
	struct render_sink sink = {.row_cb = render_event_cb, .arg = out};

	render_rows(rd, event, &sink);
	if (sink.error != 0 && buf_error(out) == 0)
		out->error = sink.error;
}
