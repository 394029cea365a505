/* SPDX-License-Identifier: ISC */
/*
 * Summaries follow the table of inputs, so that they name things as the
 * questions did.
 */
#include "client/play/form_tell.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/report/rosters.h"
#include "common/base/buf.h"
#include "common/rules/rules.h"
#include "common/rules/show/render.h"
#include "common/rules/show/render_value.h"
#include "common/rules/show/rules_show.h"
#include "common/rules/show/show_list.h"

#define FORM_TELL_INDENT 2

/* True for the id of one of the unit's own parts, which says little of it. */
static bool
form_tell_is_part(const json_t *unit, const json_t *v)
{
	const char *id = json_string_value(v), *member;
	json_t *list;

	if (id == NULL)
		return (false);
	json_object_foreach((json_t *)(uintptr_t)unit, member, list)
	{
		if (rosters_find(list, id) != NULL)
			return (true);
	}
	return (false);
}

char *
form_tell_unit(const struct render *rd, const json_t *unit)
{
	const char *name = json_string_value(json_object_get(unit, "name"));
	const char *member;
	json_t *o, *v;
	struct buf b;

	o = xalloc_json(json_object());
	json_object_foreach((json_t *)(uintptr_t)unit, member, v)
	{
		/* A zero says nothing of a unit. */
		if (strcmp(member, "id") != 0 && strcmp(member, "name") != 0 &&
		    strcmp(member, "out") != 0 &&
		    !(json_is_integer(v) && json_integer_value(v) == 0) &&
		    !form_tell_is_part(unit, v))
			xalloc_set(o, member, json_incref(v));
	}
	buf_init(&b, 0);
	buf_puts(&b, json_string_value(json_object_get(unit, "id")));
	if (name != NULL)
		buf_printf(&b, "  %s", name);
	render_value_members(rd, o, "", name != NULL ? ": " : "  ", &b);
	json_decref(o);
	return (xalloc_take(&b));
}

char *
form_tell_short(const struct declare_field *in, const json_t *element)
{
	const char *a, *b;

	if (in->type != DECLARE_PAIRS)
		return (xalloc_str(
		    json_string_value(json_object_get(element, "id"))));
	a = json_string_value(json_object_get(element, in->ends->members[0]));
	b = json_string_value(json_object_get(element, in->ends->members[1]));
	return (xalloc_printf("%s on %s", a, b));
}

char *
form_tell_named(const struct render *rd, const struct declare_field *in,
    const json_t *element)
{
	const char *a, *b;

	if (in->type != DECLARE_PAIRS)
		return (
		    xalloc_str(render_name(rd, text_member(element, "id"))));
	a = render_name(rd, text_member(element, in->ends->members[0]));
	b = render_name(rd, text_member(element, in->ends->members[1]));
	return (xalloc_printf("%s on %s", a, b));
}

void
form_tell_join(struct buf *b, const json_t *names)
{
	const char *joint = ", ";
	const json_t *v;
	size_t i;

	json_array_foreach(names, i, v)
	{
		if (strchr(json_string_value(v), ',') != NULL)
			joint = "; ";
	}
	json_array_foreach(names, i, v)
	    buf_printf(b, "%s%s", i == 0 ? "" : joint, json_string_value(v));
}

/* What an id is called where somebody knows it. */
static const char *
form_tell_name_of(const struct render *rd, const char *id)
{
	return (rd == NULL ? id : render_name(rd, id));
}

/* Adds an element of an order: a unit, and what is said of it. */
static void
form_tell_decision_element(
    const struct render *rd, const json_t *element, struct buf *b)
{
	const char *id, *joint = " (", *name;
	json_t *v;

	id = json_string_value(json_object_get(element, FORM_TELL_UNIT));
	buf_puts(b, id == NULL ? "?" : form_tell_name_of(rd, id));
	json_object_foreach((json_t *)(uintptr_t)element, name, v)
	{
		if (strcmp(name, FORM_TELL_UNIT) == 0)
			continue;
		buf_printf(
		    b, "%s%s%s", joint, json_is_false(v) ? "not " : "", name);
		joint = ", ";
	}
	if (*joint == ',')
		buf_puts(b, ")");
}

/* Adds a value of a decision in words; decisions nest no deeper than hits. */
static void
form_tell_decision_value(
    const struct render *rd, const json_t *v, struct buf *b)
{
	const char *joint = "", *name;
	json_t *member, *names = NULL;
	const json_t *item;
	size_t i;

	if (json_is_string(v))
		buf_puts(b, form_tell_name_of(rd, json_string_value(v)));
	else if (json_is_integer(v))
		buf_printf(b, "%" JSON_INTEGER_FORMAT, json_integer_value(v));
	else if (json_is_boolean(v))
		buf_puts(b, json_is_true(v) ? "yes" : "no");
	else if (json_object_size(v) + json_array_size(v) == 0)
		buf_puts(b, "none");
	if (json_is_string(json_array_get(v, 0)))
		names = xalloc_json(json_array());
	json_array_foreach(v, i, item)
	{
		if (names != NULL && json_is_string(item)) {
			xalloc_append(names,
			    xalloc_json_str(form_tell_name_of(
				rd, json_string_value(item))));
			continue;
		}
		buf_puts(b, joint);
		joint = ", ";
		if (json_is_object(item))
			form_tell_decision_element(rd, item, b);
		else
			form_tell_decision_value(rd, item, b);
	}
	form_tell_join(b, names);
	json_decref(names);
	json_object_foreach((json_t *)(uintptr_t)v, name, member)
	{
		buf_printf(b, "%s%s%s", joint, form_tell_name_of(rd, name),
		    json_is_object(member) ? ": " : " ");
		form_tell_decision_value(rd, member, b);
		joint = json_is_object(member) ? "; " : ", ";
	}
}

char *
form_tell_decision(const struct render *rd, const json_t *decision)
{
	const char *joint = "", *name;
	struct buf b;
	json_t *v;

	buf_init(&b, 0);
	json_object_foreach((json_t *)(uintptr_t)decision, name, v)
	{
		if (strcmp(name, "kind") == 0)
			continue;
		buf_puts(&b, joint);
		/* One member speaks for itself. */
		if (json_object_size(decision) > 2)
			buf_printf(&b, "%s: ", name);
		form_tell_decision_value(rd, v, &b);
		joint = "; ";
	}
	return (xalloc_take(&b));
}

char *
form_tell_capital(const char *s)
{
	char *copy = xalloc_str(s);

	if (*copy >= 'a' && *copy <= 'z')
		*copy = (char)(*copy - 'a' + 'A');
	return (copy);
}

/* Says an indented line. */
static void
form_tell_line(const struct ask_io *io, int indent, const char *s)
{
	char *line;

	line = xalloc_printf("%*s%s", indent, "", s);
	io->say(io->arg, indent + FORM_TELL_INDENT, line);
	free(line);
}

const char *
form_tell_word(const struct declare_field *in, const char *word)
{
	const struct declare_word *w;

	for (w = in->words; w != NULL && w->word != NULL; w++) {
		if (strcmp(w->word, word) == 0)
			return (w->label);
	}
	return (word);
}

/* Adds a value that is no object of its own. */
static void
form_tell_value(
    const struct declare_field *in, const json_t *value, struct buf *b)
{
	const char *joint = "", *member;
	const json_t *v;
	size_t i;
	json_t *o;

	if (json_is_string(value))
		buf_puts(b, form_tell_word(in, json_string_value(value)));
	if (json_is_integer(value))
		buf_printf(
		    b, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
	json_array_foreach(value, i, v)
	{
		buf_printf(
		    b, "%s%s", joint, form_tell_word(in, json_string_value(v)));
		joint = ", ";
	}
	if (!json_is_object(value))
		return;
	json_object_foreach((json_t *)(uintptr_t)value, member, o)
	{
		buf_printf(b, "%s%s", joint, form_tell_word(in, member));
		joint = ", ";
	}
}

/* Adds the name of a member, before its value. */
static void
form_tell_name(const struct declare_field *in, struct buf *b)
{
	const char *s;

	for (s = in->name; *s != '\0'; s++)
		buf_putc(b, *s == '_' ? ' ' : *s);
	buf_putc(b, ' ');
}

/* Adds what was said of a unit or a pair, or of an object in a list. */
static void
form_tell_members(const struct declare_field *members, enum combat_side side,
    const json_t *obj, struct buf *b)
{
	const struct declare_field *in;
	const char *joint = ": ";
	const json_t *v;

	for (in = members; in != NULL && in->name != NULL; in++) {
		v = json_object_get(obj, in->name);
		if (v == NULL || !declare_is_for(in->when, side))
			continue;
		buf_puts(b, joint);
		joint = "; ";
		if (in->type == DECLARE_YES) {
			buf_puts(b, in->label);
			continue;
		}
		/* Words speak for themselves, but what is rare is named. */
		if (in->words == NULL || in->is_special)
			form_tell_name(in, b);
		form_tell_value(in, v, b);
	}
}

/* True if nothing is said of any of these units but which they are. */
static bool
form_tell_is_bare(const json_t *list)
{
	const json_t *v;
	size_t i;

	json_array_foreach(list, i, v)
	{
		if (json_object_size(v) != 1 ||
		    json_object_get(v, "id") == NULL)
			return (false);
	}
	return (true);
}

/* Tells which units they are, after their heading. */
static void
form_tell_bare(
    const struct form_walk *w, const char *head, const json_t *list, int indent)
{
	json_t *names = xalloc_json(json_array());
	const json_t *v;
	struct buf b;
	size_t i;
	char *s;

	json_array_foreach(list, i, v) xalloc_append(
	    names, xalloc_json_str(render_name(w->rd, text_member(v, "id"))));
	buf_init(&b, 0);
	buf_printf(&b, "%s: ", head);
	form_tell_join(&b, names);
	json_decref(names);
	s = xalloc_take(&b);
	form_tell_line(w->tape.io, indent, s);
	free(s);
}

/* Tells units or pairs, a line each. */
static void
form_tell_elements(const struct form_walk *w, const struct declare_field *in,
    const json_t *list, int indent)
{
	const json_t *v;
	struct buf b;
	size_t i;
	char *s;

	json_array_foreach(list, i, v)
	{
		buf_init(&b, 0);
		s = form_tell_named(w->rd, in, v);
		buf_puts(&b, s);
		free(s);
		form_tell_members(in->members, in->side, v, &b);
		s = xalloc_take(&b);
		form_tell_line(w->tape.io, indent, s);
		free(s);
	}
}

static void form_tell_object(const struct form_walk *w,
    const struct declare_field *inputs, enum combat_side side,
    const json_t *obj, int indent);

/* Tells a member that has lines of its own. */
static void
form_tell_nested(const struct form_walk *w, const struct declare_field *in,
    enum combat_side side, const json_t *v, int indent)
{
	json_t *one;
	size_t i;
	char *s;

	if (json_is_array(v) && json_array_size(v) == 0)
		return;
	s = form_tell_capital(in->label);
	/* Many units would take the screen; their names say which they are. */
	if (json_array_size(v) > 1 && in->type != DECLARE_LIST &&
	    form_tell_is_bare(v)) {
		form_tell_bare(w, s, v, indent);
		free(s);
		return;
	}
	for (i = 0;
	     i == 0 || (in->type == DECLARE_LIST && i < json_array_size(v));
	     i++) {
		char *head = xalloc_printf("%s:", s);

		form_tell_line(w->tape.io, indent, head);
		free(head);
		indent += FORM_TELL_INDENT;
		if (in->type == DECLARE_OBJECT) {
			form_tell_object(w, in->members, side, v, indent);
		} else if (in->type == DECLARE_LIST) {
			form_tell_object(
			    w, in->members, side, json_array_get(v, i), indent);
		} else if (in->type == DECLARE_UNIT) {
			one = xalloc_json(json_pack("[O]", v));
			form_tell_elements(w, in, one, indent);
			json_decref(one);
		} else {
			form_tell_elements(w, in, v, indent);
		}
		indent -= FORM_TELL_INDENT;
	}
	free(s);
}

/*
 * Tells an object's members; the table is no deeper than its constants are,
 * so that this ends.
 */
static void
form_tell_object(const struct form_walk *w, const struct declare_field *inputs,
    enum combat_side side, const json_t *obj, int indent)
{
	bool is_top = inputs == show_list_find(w->sys)->inputs;
	const struct declare_field *in;
	const json_t *v;
	struct buf b;
	char *s, *line;

	for (in = inputs; in->name != NULL; in++) {
		v = json_object_get(obj, in->name);
		/* Two rows may have one name, for different cases. */
		if (is_top)
			side = in->side;
		if (v == NULL || !declare_is_for(in->when, side) ||
		    json_is_object(v) !=
			(in->type == DECLARE_OBJECT ||
			    in->type == DECLARE_UNIT ||
			    in->type == DECLARE_FLAGS))
			continue;
		if (in->type >= DECLARE_UNIT) {
			form_tell_nested(w, in, side, v, indent);
			continue;
		}
		buf_init(&b, 0);
		s = form_tell_capital(in->label);
		buf_puts(&b, s);
		free(s);
		if (in->type != DECLARE_YES) {
			buf_puts(&b, ": ");
			form_tell_value(in, v, &b);
		}
		line = xalloc_take(&b);
		form_tell_line(w->tape.io, indent, line);
		free(line);
	}
}

/* Adds those that nothing special is assumed about, after a joint. */
static void
form_tell_plain(const struct form_walk *w, const char *joint, struct buf *b)
{
	size_t i, k = 0, n = 0;
	const json_t *v;

	json_array_foreach(w->assumed, i, v) n +=
	    json_object_get(v, "value") == NULL;
	json_array_foreach(w->assumed, i, v)
	{
		if (json_object_get(v, "value") != NULL)
			continue;
		if (k == 0)
			buf_printf(b, "%snothing special about ", joint);
		else
			buf_puts(b, k == n - 1 ? " and " : ", ");
		buf_puts(b, text_member(v, "what"));
		k++;
	}
}

/* Tells in a line what was not asked. */
static void
form_tell_assumed(const struct form_walk *w)
{
	const char *joint = "", *value;
	const json_t *v;
	struct buf b;
	size_t i;
	char *s;

	if (json_array_size(w->assumed) == 0)
		return;
	buf_init(&b, 0);
	buf_puts(&b, "Assumed (n changes it): ");
	json_array_foreach(w->assumed, i, v)
	{
		value = json_string_value(json_object_get(v, "value"));
		if (value == NULL)
			continue;
		buf_printf(
		    &b, "%s%s: %s", joint, text_member(v, "what"), value);
		joint = "; ";
	}
	form_tell_plain(w, joint, &b);
	buf_putc(&b, '.');
	s = xalloc_take(&b);
	form_tell_line(w->tape.io, 0, s);
	free(s);
}

void
form_tell_combat(const struct form_walk *w, const char *heading)
{
	form_tell_line(w->tape.io, 0, heading);
	form_tell_object(w, show_list_find(w->sys)->inputs, COMBAT_ATTACKER,
	    w->combat, FORM_TELL_INDENT);
	form_tell_assumed(w);
}
