/* SPDX-License-Identifier: ISC */
/*
 * One unit: its members in turn, then the rules' word on all of it.  Whatever
 * they refuse is asked for again, with what was answered assumed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "client/base/xalloc.h"
#include "client/play/form_say.h"
#include "client/play/roster_form_int.h"
#include "common/base/buf.h"
#include "common/json/js.h"
#include "common/rules/facts.h"
#include "common/rules/rules.h"
#include "common/rules/schema.h"
#include "common/rules/show/declare.h"

/* A unit while it is asked for. */
struct roster_form_making {
	struct roster_form_run *f;
	const struct schema_row *rows;
	json_t *unit; /* borrowed: what was answered so far */
	const json_t *like; /* NULL: nothing is assumed */
	const json_t *self; /* the unit as it was, if it is changed */
	const char *id;
	const char *called; /* in questions: by the name, or the id */
};

/* Counts an id or a name on: "fr-1" has the stem "fr-" and 1; 0: no number. */
static size_t
roster_form_stem(const char *s, unsigned *number)
{
	size_t n = strlen(s), digits = 0;

	while (digits < n && digits < 6 && s[n - digits - 1] >= '0' &&
	    s[n - digits - 1] <= '9')
		digits++;
	*number = (unsigned)strtoul(s + n - digits, NULL, 10);
	return (n - digits);
}

/* True if an object or one of its parts has this id. */
static bool
roster_form_has_id(const json_t *unit, const char *id)
{
	const char *name, *has = js_str(unit, "id");
	const json_t *part;
	json_t *v;
	size_t i;

	if (has != NULL && strcmp(has, id) == 0)
		return (true);
	js_foreach(unit, name, v)
	{
		json_array_foreach(v, i, part)
		{
			if (js_str(part, "id") != NULL &&
			    strcmp(js_str(part, "id"), id) == 0)
				return (true);
		}
	}
	return (false);
}

/* True if a unit but for `self` has this id. */
static bool
roster_form_is_taken(
    const struct roster_form_run *f, const json_t *self, const char *id)
{
	const json_t *v;
	size_t i, k;

	for (i = 0; i < 4; i++) {
		json_array_foreach(json_object_get(f->sides[i / 2],
				       roster_form_kind(f, i % 2).list),
		    k, v)
		{
			if (v != self && roster_form_has_id(v, id))
				return (true);
		}
	}
	return (false);
}

/*
 * An id that is free, like this one, in the rosters and in what is being made
 * (more, or NULL); free().
 */
static char *
roster_form_free_id(
    const struct roster_form_run *f, const json_t *more, const char *like)
{
	unsigned number;
	size_t len = roster_form_stem(like, &number);
	const char *joint = len < strlen(like) ? "" : "-";
	char *id = xalloc_str(like);
	int digits;

	if (*joint != '\0')
		number = 1;
	while (roster_form_is_taken(f, NULL, id) ||
	    (more != NULL && roster_form_has_id(more, id))) {
		number++;
		free(id);
		digits = snprintf(NULL, 0, "%s%u", joint, number);
		if (len + (size_t)digits > FACTS_ID_MAX)
			len = FACTS_ID_MAX - (size_t)digits;
		id = xalloc_printf("%.*s%s%u", (int)len, like, joint, number);
	}
	return (id);
}

/* What the schema says against a value of one member; false: nothing. */
struct roster_form_why {
	struct errinfo e;
	bool has;
};

/* schema_faults: keeps the first fault. */
static void
roster_form_why_cb(void *arg, const struct errinfo *e, bool is_name)
{
	struct roster_form_why *why = arg;

	(void)is_name;
	if (!why->has)
		why->e = *e;
	why->has = true;
}

/* Says what the schema has against a value; true if there is something. */
static bool
roster_form_is_bad(
    struct roster_form_run *f, const struct schema_row *row, const char *text)
{
	struct schema_row rows[2] = {*row, {.name = NULL}};
	struct roster_form_why why = {.has = false};
	struct schema_faults faults = {.tell = roster_form_why_cb, .arg = &why};
	json_t *o = xalloc_json(json_pack("{s:s}", row->name, text));

	if (schema_check(rows, SCHEMA_GIVEN, o, NULL, &faults) != 0)
		xalloc_die();
	json_decref(o);
	if (why.has)
		roster_form_fault(f, "That cannot be: it %s.", why.e.text);
	return (why.has);
}

/* Asks for an id. */
static int
roster_form_ask_id(struct roster_form_run *f, const char *question,
    const char *enter, const struct roster_form_making *m, char **id)
{
	const struct schema_row row = {
	    .name = "id", .type = SCHEMA_ID, .in = SCHEMA_GIVEN};
	bool is_bad = true;
	char *s = NULL;
	int r;

	while (is_bad) {
		if ((r = roster_form_text(f, "id", question, enter, &s)) != 0)
			return (r);
		is_bad = roster_form_is_bad(f, &row, s);
		if (!is_bad &&
		    (roster_form_is_taken(f, m->self, s) ||
			roster_form_has_id(m->unit, s))) {
			roster_form_fault(
			    f, "That cannot be: '%s' is used already.", s);
			is_bad = true;
		}
		if (is_bad) {
			free(s);
			form_tape_undo(&f->tape);
		}
	}
	*id = s;
	return (0);
}

/* The id that a name suggests: "Old Guard" is old-guard; free(). */
static char *
roster_form_slug(const char *name)
{
	char *s = xalloc(FACTS_ID_MAX + 1);
	size_t n = 0;

	for (; *name != '\0' && n < FACTS_ID_MAX; name++) {
		if ((*name >= 'a' && *name <= 'z') ||
		    (*name >= '0' && *name <= '9'))
			s[n++] = *name;
		else if (*name >= 'A' && *name <= 'Z')
			s[n++] = (char)(*name - 'A' + 'a');
		else if (n > 0 && s[n - 1] != '-')
			s[n++] = '-';
	}
	while (n > 0 && s[n - 1] == '-')
		n--;
	s[n] = '\0';
	return (s);
}

/* The id that is assumed of a new unit; free(). */
static char *
roster_form_assumed(const struct roster_form_run *f, size_t side,
    const json_t *like, const char *name)
{
	const char *of =
	    json_string_value(json_object_get(f->sides[side], "name"));
	char *s, *id;

	if (name == NULL && like != NULL)
		return (roster_form_free_id(f, NULL, js_str(like, "id")));
	s = roster_form_slug(name != NULL ? name : of != NULL ? of : "");
	if (*s == '\0' || name == NULL) {
		id = xalloc_printf("%.20s-1", *s == '\0' ? "unit" : s);
		free(s);
		s = id;
	}
	id = roster_form_free_id(f, NULL, s);
	free(s);
	return (id);
}

bool
roster_form_unit_is_none(const char *s)
{
	return (strcmp(s, "-") == 0 || strcasecmp(s, "none") == 0);
}

/* Asks for a name, which may be left out, and for the id. */
static int
roster_form_names(struct roster_form_making *m, size_t side, char **id)
{
	const struct schema_row *row = schema_find(m->rows, "name");
	const char *had = m->self == NULL ? NULL : js_str(m->like, "name");
	char *name = NULL, *enter;
	int r;

	do {
		if (name != NULL)
			form_tape_undo(&m->f->tape);
		free(name);
		r = roster_form_text(m->f, "name",
		    had == NULL ? "Name?" : "Name (- for none)?",
		    had == NULL ? "" : had, &name);
		if (r != 0)
			return (r);
	} while (roster_form_is_bad(m->f, row, name));
	if (*name == '\0' || roster_form_unit_is_none(name)) {
		free(name);
		name = NULL;
	}
	enter = m->self != NULL
	    ? xalloc_str(js_str(m->like, "id"))
	    : roster_form_assumed(m->f, side, m->like, name);
	r = roster_form_ask_id(m->f, "Id?", enter, m, id);
	free(enter);
	if (r == 0) {
		xalloc_set(m->unit, "id", xalloc_json_str(*id));
		if (name != NULL)
			xalloc_set(m->unit, "name", xalloc_json_str(name));
	}
	free(name);
	return (r);
}

/* Asks for one of the words of a row. */
static int
roster_form_word(struct roster_form_making *m, const struct schema_row *row,
    const struct declare_member *of, const char *question)
{
	const char *had = m->like == NULL
	    ? NULL
	    : json_string_value(json_object_get(m->like, row->name));
	struct form_list list = {.title = question};
	int fallback = -1, r = 0;
	size_t i, pick = 0;

	for (i = 0; row->words[i] != NULL; i++) {
		form_list_add(&list, row->words[i], row->words[i]);
		if (had != NULL && strcmp(had, row->words[i]) == 0)
			fallback = (int)i;
	}
	if (fallback < 0 && !row->is_required && of->when == NULL)
		fallback = row->fallback - row->lo;
	/* What can be only one thing is not asked, nor said. */
	if (list.n > 1) {
		r = roster_form_choice(m->f, row->name, &list, fallback, &pick);
		if (r == 0)
			xalloc_set(m->unit, row->name,
			    xalloc_json_str(list.values[pick]));
	}
	form_list_clear(&list);
	return (r);
}

/* Asks for a number, which some need not have. */
static int
roster_form_count(struct roster_form_making *m, const struct schema_row *row,
    const struct declare_member *of, const char *question)
{
	const json_t *had = json_object_get(m->like, row->name);
	int64_t number =
	    json_is_integer(had) ? json_integer_value(had) : row->fallback;
	bool has_fallback =
	    json_is_integer(had) || (!row->is_required && !row->has_null);
	bool has = true;
	char *s;
	int r = 0;

	if (of->whether != NULL) {
		s = form_say_title(of->whether, m->called);
		r = roster_form_yes(m->f, "whether", s,
		    m->like == NULL ? -1 : json_is_integer(had), &has);
		free(s);
	}
	if (r == 0 && has)
		r = roster_form_number(m->f, row->name, question, row->lo,
		    row->hi, has_fallback ? &number : NULL, &number);
	if (r == 0 && has)
		xalloc_set(
		    m->unit, row->name, xalloc_json(json_integer(number)));
	return (r);
}

/* Asks whether what a changed unit has stays so; *stays: it does. */
static int
roster_form_stays(struct roster_form_making *m, const char *name,
    const char *what, bool *stays)
{
	char *s = xalloc_printf("%s: %s.  Does that stay so?", m->called, what);
	int r = roster_form_yes(m->f, name, s, 1, stays);

	free(s);
	return (r);
}

/* Asks for some of the words of a row. */
static int
roster_form_set(struct roster_form_making *m, const struct schema_row *row,
    const char *question)
{
	const json_t *had =
	    m->self == NULL ? NULL : json_object_get(m->like, row->name);
	struct form_list list = {.title = question};
	size_t i, picks[SCHEMA_ROWS_MAX], n_picks = 0;
	bool stays = false;
	json_t *words;
	struct buf b;
	int r = 0;

	for (i = 0; row->words[i] != NULL && i < SCHEMA_ROWS_MAX; i++)
		form_list_add(&list, row->words[i], row->words[i]);
	if (json_array_size(had) > 0) {
		buf_init(&b, 0);
		json_array_foreach(had, i, words) buf_printf(
		    &b, "%s%s", i == 0 ? "" : ", ", json_string_value(words));
		r = roster_form_stays(m, "stays", buf_str(&b), &stays);
		buf_clear(&b);
	}
	if (r == 0 && !stays)
		r = roster_form_some(m->f, row->name, &list, picks, &n_picks);
	if (r == 0 && stays)
		xalloc_set(m->unit, row->name, xalloc_copy(had));
	if (r == 0 && n_picks > 0) {
		words = xalloc_json(json_array());
		for (i = 0; i < n_picks; i++)
			xalloc_append(
			    words, xalloc_json_str(list.values[picks[i]]));
		xalloc_set(m->unit, row->name, words);
	}
	form_list_clear(&list);
	return (r);
}

static int roster_form_member(struct roster_form_making *m,
    const struct declare_member *of) __attribute__((warn_unused_result));

/* Asks which of the special members a unit or part has, and for those. */
static int
roster_form_specials(
    struct roster_form_making *m, const struct declare_member *of)
{
	const struct declare_member *found[SCHEMA_ROWS_MAX];
	struct form_list list = {.n = 0};
	size_t i, n = 0, picks[SCHEMA_ROWS_MAX], n_picks = 0;
	bool stays = false;
	struct buf had;
	char *title;
	int r = 0;

	buf_init(&had, 0);
	for (; of->name != NULL && n < SCHEMA_ROWS_MAX; of++) {
		if (!of->is_special ||
		    !declare_holds(of->when, COMBAT_ATTACKER,
			(const json_t *const *)&m->unit, 1))
			continue;
		form_list_add(&list, of->label, of->name);
		found[n++] = of;
		if (m->self != NULL && json_object_get(m->like, of->name))
			buf_printf(
			    &had, "%s%s", had.len == 0 ? "" : ", ", of->label);
	}
	title = xalloc_printf("Anything special about %s?", m->called);
	list.title = title;
	if (had.len > 0)
		r = roster_form_stays(m, "stays", buf_str(&had), &stays);
	if (r == 0 && n > 0 && !stays)
		r = roster_form_some(m->f, "special", &list, picks, &n_picks);
	for (i = 0; r == 0 && stays && i < n; i++) {
		if (json_object_get(m->like, found[i]->name) != NULL)
			xalloc_set(m->unit, found[i]->name,
			    xalloc_copy(
				json_object_get(m->like, found[i]->name)));
	}
	for (i = 0; r == 0 && i < n_picks; i++)
		r = roster_form_member(m, found[picks[i]]);
	free(title);
	form_list_clear(&list);
	buf_clear(&had);
	return (r);
}

/* Asks for all members of a unit or part but id and name. */
static int
roster_form_members(
    struct roster_form_making *m, const struct declare_member *members)
{
	const struct declare_member *of;
	int r = 0;

	for (of = members; r == 0 && of->name != NULL; of++) {
		if (!of->is_special &&
		    declare_holds(of->when, COMBAT_ATTACKER,
			(const json_t *const *)&m->unit, 1))
			r = roster_form_member(m, of);
	}
	return (r);
}

/* The id that is assumed of a new part; free(). */
static char *
roster_form_part_id(const struct roster_form_making *m, int number)
{
	char *like = xalloc_printf("%.28s-%d", m->id, number);
	char *id = roster_form_free_id(m->f, m->unit, like);

	free(like);
	return (id);
}

/* Asks for the parts of a unit, one after the other. */
static int
roster_form_parts(struct roster_form_making *m, const struct schema_row *row,
    const struct declare_member *of, const char *question)
{
	const json_t *had = json_object_get(m->like, row->name), *last = NULL;
	int64_t n =
	    json_array_size(had) > 0 ? (int64_t)json_array_size(had) : 1;
	struct roster_form_making part;
	json_t *parts;
	char *enter, *id;
	int64_t i;
	int r;

	r = roster_form_number(
	    m->f, row->name, question, 1, COMBAT_SIDE_UNITS_MAX, &n, &n);
	if (r != 0)
		return (r);
	parts = xalloc_json(json_array());
	xalloc_set(m->unit, row->name, parts);
	for (i = 0; r == 0 && i < n; i++) {
		if ((size_t)i < json_array_size(had))
			last = json_array_get(had, (size_t)i);
		part = (struct roster_form_making){.f = m->f,
		    .rows = row->rows,
		    .unit = m->unit,
		    .like = last,
		    .self = m->self};
		enter = m->self != NULL && (size_t)i < json_array_size(had)
		    ? xalloc_str(js_str(last, "id"))
		    : roster_form_part_id(m, (int)i + 1);
		question = "Id of the next of them?";
		r = roster_form_ask_id(m->f, question, enter, &part, &id);
		free(enter);
		if (r != 0)
			break;
		part.id = part.called = id;
		part.unit = xalloc_json(json_object());
		xalloc_append(parts, part.unit);
		xalloc_set(part.unit, "id", xalloc_json_str(id));
		r = roster_form_members(&part, of->parts);
		if (r == 0)
			r = roster_form_specials(&part, of->parts);
		last = part.unit;
		free(id);
	}
	return (r);
}

/* Asks which part of a unit is meant, such as its lead. */
static int
roster_form_part_of(struct roster_form_making *m, const struct schema_row *row,
    const char *question)
{
	const char *had = js_str(m->like, row->name), *name, *id;
	struct form_list list = {.title = question};
	const json_t *part;
	int fallback = 0, r = 0;
	size_t i, pick = 0;
	json_t *v;

	js_foreach(m->unit, name, v)
	{
		json_array_foreach(v, i, part)
		{
			if ((id = js_str(part, "id")) == NULL)
				continue;
			if (had != NULL && strcmp(had, id) == 0)
				fallback = (int)list.n;
			form_list_add(&list, id, id);
		}
	}
	if (list.n > 1)
		r = roster_form_choice(m->f, row->name, &list, fallback, &pick);
	if (r == 0)
		xalloc_set(
		    m->unit, row->name, xalloc_json_str(list.values[pick]));
	form_list_clear(&list);
	return (r);
}

/* Asks for one member. */
static int
roster_form_member(
    struct roster_form_making *m, const struct declare_member *of)
{
	const struct schema_row *row = schema_find(m->rows, of->name);
	char *question =
	    form_say_title(of->question == NULL ? "" : of->question, m->called);
	int r = 0;

	switch (row->type) {
	case SCHEMA_WORD:
		r = roster_form_word(m, row, of, question);
		break;
	case SCHEMA_COUNT:
		r = roster_form_count(m, row, of, question);
		break;
	case SCHEMA_SET:
		r = roster_form_set(m, row, question);
		break;
	case SCHEMA_BOOL:
		/* That it is so has been said: all of these are special. */
		xalloc_set(m->unit, row->name, json_true());
		break;
	case SCHEMA_OWN:
		r = row->rows != NULL ? roster_form_parts(m, row, of, question)
				      : roster_form_part_of(m, row, question);
		break;
	case SCHEMA_ID:
	case SCHEMA_TEXT:
	case SCHEMA_FLAGS:
	case SCHEMA_OBJECT:
		r = ERR_INTERNAL; /* no roster has such a member */
		break;
	}
	free(question);
	return (r);
}

/* Puts the members in the order of the rows; steals unit, new. */
static json_t *
roster_form_order(const struct schema_row *rows, json_t *unit)
{
	json_t *o = xalloc_json(json_object()), *v;

	for (; rows->name != NULL; rows++) {
		if ((v = json_object_get(unit, rows->name)) != NULL)
			xalloc_set(o, rows->name, json_incref(v));
	}
	json_decref(unit);
	return (o);
}

int
roster_form_unit(struct roster_form_run *f, size_t side, size_t kind,
    const json_t *like, const json_t *self, json_t **out)
{
	const struct roster_form_kind k = roster_form_kind(f, kind);
	struct roster_form_making m = {
	    .f = f, .rows = k.rows, .like = like, .self = self};
	json_t *refused = NULL, *taken = NULL;
	struct errinfo e = {.text = ""};
	char *id = NULL;
	int r = 0;

	while (taken == NULL) {
		m.unit = xalloc_json(json_object());
		r = roster_form_names(&m, side, &id);
		m.id = m.called = id;
		if (js_str(m.unit, "name") != NULL)
			m.called = js_str(m.unit, "name");
		if (r == 0)
			r = roster_form_members(&m, k.members);
		if (r == 0)
			r = roster_form_specials(&m, k.members);
		free(id);
		id = NULL;
		if (r != 0) {
			json_decref(m.unit);
			break;
		}
		m.unit = roster_form_order(k.rows, m.unit);
		r = (kind == 0 ? f->form->sys->roster_unit
			       : f->form->sys->roster_commander)(
		    m.unit, RULES_ROSTER_GIVEN, NULL, &taken, &e);
		if (r == 0) {
			json_decref(taken);
			taken = json_incref(m.unit);
		} else if (r == ERR_NOMEM) {
			xalloc_die();
		} else {
			/*
			 * What was answered stays on the tape, and is assumed
			 * now.
			 */
			roster_form_say(f, "That cannot be%s%s%s: %s.  Again:",
			    e.where[0] == '\0' ? "" : " (", e.where,
			    e.where[0] == '\0' ? "" : ")", e.text);
			json_decref(refused);
			refused = json_incref(m.unit);
			m.like = refused;
			m.self = self == NULL ? refused : self;
		}
		json_decref(m.unit);
	}
	json_decref(refused);
	if (r == 0)
		*out = taken;
	return (r);
}

/* True if a unit has this name. */
static bool
roster_form_is_named(const struct roster_form_run *f, const char *name)
{
	const json_t *v;
	size_t i, k;

	for (i = 0; i < 4; i++) {
		json_array_foreach(json_object_get(f->sides[i / 2],
				       roster_form_kind(f, i % 2).list),
		    k, v)
		{
			if (js_str(v, "name") != NULL &&
			    strcmp(js_str(v, "name"), name) == 0)
				return (true);
		}
	}
	return (false);
}

/*
 * Counts a name on until no unit has it: "Hussars", "Hussars 2"; new.  One that
 * has no room for a number stays as it is, and is told with the id.
 */
static json_t *
roster_form_next_name(const struct roster_form_run *f, const char *name)
{
	unsigned number;
	size_t len = roster_form_stem(name, &number);
	const char *joint = len < strlen(name) ? "" : " ";
	char *s = xalloc_str(name);
	json_t *v;

	if (*joint != '\0')
		number = 1;
	do {
		free(s);
		s = xalloc_printf("%.*s%s%u", (int)len, name, joint, ++number);
	} while (roster_form_is_named(f, s));
	v = xalloc_json_str(strlen(s) > RULES_NAME_MAX ? name : s);
	free(s);
	return (v);
}

/* Has what named a part of the unit name the same one of its copy. */
static void
roster_form_rename(const struct schema_row *row, const json_t *unit,
    const char *was, json_t *copy, const char *id)
{
	for (; row->name != NULL; row++) {
		if (row->type == SCHEMA_OWN && row->rows == NULL &&
		    js_str(unit, row->name) != NULL &&
		    strcmp(js_str(unit, row->name), was) == 0)
			xalloc_set(copy, row->name, xalloc_json_str(id));
	}
}

/* Gives the part of a copy an id of its own, like that of the part copied. */
static void
roster_form_copy_part(const struct roster_form_run *f,
    const struct schema_row *rows, const json_t *unit, json_t *copy,
    json_t *part)
{
	const char *of = js_str(unit, "id");
	char *was = xalloc_str(js_str(part, "id")), *like, *id;
	size_t len = strlen(of), rest;

	/* It is in the copy still, and must not stand in its own way. */
	xalloc_set(part, "id", json_string(""));
	if (strncmp(was, of, len) == 0) {
		/* Counted on, the unit's id may have become longer. */
		rest = strlen(was + len);
		like = xalloc_printf("%.*s%s", (int)(FACTS_ID_MAX - rest),
		    js_str(copy, "id"), was + len);
	} else {
		like = xalloc_str(was);
	}
	id = roster_form_free_id(f, copy, like);
	xalloc_set(part, "id", xalloc_json_str(id));
	roster_form_rename(rows, unit, was, copy, id);
	free(was);
	free(like);
	free(id);
}

json_t *
roster_form_unit_copy(
    const struct roster_form_run *f, size_t kind, const json_t *unit)
{
	const struct schema_row *rows = roster_form_kind(f, kind).rows, *row;
	json_t *copy = xalloc_copy(unit), *part;
	size_t i;
	char *id;

	id = roster_form_free_id(f, NULL, js_str(unit, "id"));
	xalloc_set(copy, "id", xalloc_json_str(id));
	free(id);
	if (js_str(unit, "name") != NULL)
		xalloc_set(copy, "name",
		    roster_form_next_name(f, js_str(unit, "name")));
	for (row = rows; row->name != NULL; row++) {
		if (row->type != SCHEMA_OWN || row->rows == NULL)
			continue;
		json_array_foreach(json_object_get(copy, row->name), i, part)
		    roster_form_copy_part(f, rows, unit, copy, part);
	}
	return (copy);
}
