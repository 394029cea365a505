/* SPDX-License-Identifier: ISC */
/*
 * Objects read and written by their rows.  Tables are as deep as their
 * constants are, so that the functions that call themselves end.
 */
#include "common/rules/schema.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "common/json/js.h"
#include "common/rules/facts.h"

const struct schema_row *
schema_find(const struct schema_row *rows, const char *name)
{
	for (; rows != NULL && rows->name != NULL; rows++) {
		if (strcmp(rows->name, name) == 0)
			return (rows);
	}
	return (NULL);
}

const struct schema_row *
schema_field(const struct schema_row *rows, size_t i)
{
	for (; rows->name != NULL; rows++) {
		if ((rows->in & SCHEMA_GIVEN) != 0 && rows->type != SCHEMA_ID &&
		    i-- == 0)
			return (rows);
	}
	return (NULL);
}

/* Reads a member that is an object of booleans. */
static int
schema_read_flags(const struct schema_row *row, const json_t *obj,
    const struct js_at *up, bool *out, struct errinfo *e)
{
	const struct js_at at = {.up = up, .name = row->name};
	const json_t *flags = NULL;
	size_t i;
	int r;

	if ((r = js_opt_object(obj, row->name, up, &flags, e)) != 0)
		return (r);
	if (flags == NULL)
		return (0);
	r = js_members(flags, &at, row->words, e);
	for (i = 0; r == 0 && row->words[i] != NULL; i++)
		r = js_opt_bool(flags, row->words[i], &at, &out[i], e);
	return (r);
}

/* Reads the member of one row into p. */
static int
schema_read_row(const struct schema_row *row, unsigned in, const json_t *obj,
    const struct js_at *at, void *p, struct errinfo *e)
{
	const struct js_at at_row = {.up = at, .name = row->name};
	int least = (row->zero_in & in) != 0 ? 0 : row->lo;
	int r = 0, word = row->fallback - row->lo;
	int64_t n = row->fallback;
	const char *text = NULL;
	struct facts_text *t;
	const json_t *v;

	switch (row->type) {
	case SCHEMA_ID:
		return (facts_id(obj, row->name, at, p, e));
	case SCHEMA_TEXT:
		t = p;
		r = facts_opt_text(obj, row->name, at, &text, e);
		if (r == 0 && text != NULL) {
			memcpy(t->text, text, strlen(text) + 1);
			t->has = true;
		}
		return (r);
	case SCHEMA_BOOL:
		return (js_opt_bool(obj, row->name, at, p, e));
	case SCHEMA_COUNT:
		v = json_object_get(obj, row->name);
		if (row->has_null && json_is_null(v))
			n = -1;
		else if (row->is_required)
			r = js_get_int(
			    obj, row->name, at, least, row->hi, &n, e);
		else
			r = js_opt_int(
			    obj, row->name, at, least, row->hi, &n, e);
		*(int *)p = (int)n;
		return (r);
	case SCHEMA_WORD:
		if (row->has_null &&
		    json_is_null(json_object_get(obj, row->name)))
			word = -1;
		else if (row->is_required)
			r = js_get_enum(
			    obj, row->name, at, row->words, &word, e);
		else
			r = js_opt_enum(
			    obj, row->name, at, row->words, &word, e);
		*(int *)p = row->lo + word;
		return (r);
	case SCHEMA_SET:
		return (facts_set(obj, row->name, at, row->words, p, e));
	case SCHEMA_FLAGS:
		return (schema_read_flags(row, obj, at, p, e));
	case SCHEMA_OWN:
		return (0);
	case SCHEMA_OBJECT:
		break;
	}
	if ((r = js_get_object(obj, row->name, at, &v, e)) != 0)
		return (r);
	return (schema_read(row->rows, in, v, &at_row, p, e));
}

/* Lists the names of the rows that may stand there, ended by NULL. */
static void
schema_known(const struct schema_row *rows, unsigned in,
    const char *known[SCHEMA_ROWS_MAX + 1])
{
	size_t n = 0;

	for (; rows->name != NULL; rows++) {
		assert(n < SCHEMA_ROWS_MAX);
		if ((rows->in & in) != 0 ||
		    (in == SCHEMA_GIVEN && (rows->in & SCHEMA_KEPT) != 0))
			known[n++] = rows->name;
	}
	known[n] = NULL;
}

/* Refuses what the game keeps where a player gives it. */
static int
schema_refuse_kept(const struct schema_row *row, unsigned in, const json_t *obj,
    const struct js_at *at, struct errinfo *e)
{
	if (in == SCHEMA_GIVEN && (row->in & SCHEMA_KEPT) != 0 &&
	    json_object_get(obj, row->name) != NULL)
		return (
		    js_fail_member(at, row->name, e, "is kept by the game"));
	return (0);
}

int
schema_read(const struct schema_row *rows, unsigned in, const json_t *obj,
    const struct js_at *at, void *out, struct errinfo *e)
{
	const char *known[SCHEMA_ROWS_MAX + 1];
	const struct schema_row *row;
	int r;

	schema_known(rows, in, known);
	r = js_members(obj, at, known, e);
	for (row = rows; r == 0 && row->name != NULL; row++) {
		if ((row->in & in) != 0)
			r = schema_read_row(
			    row, in, obj, at, (char *)out + row->offset, e);
		else
			r = schema_refuse_kept(row, in, obj, at, e);
	}
	return (r);
}

void
schema_tell(struct schema_faults *f, const struct errinfo *e, bool is_name)
{
	f->n++;
	f->tell(f->arg, e, is_name);
}

int
schema_check_members(const json_t *obj, const struct js_at *at,
    const char *const known[], struct schema_faults *f)
{
	struct errinfo e = {.text = ""};
	const char *name;
	json_t *one, *v;
	int r;

	js_foreach(obj, name, v)
	{
		one = json_object();
		if (one == NULL || json_object_set(one, name, v) != 0) {
			json_decref(one);
			return (ERR_NOMEM);
		}
		r = js_members(one, at, known, &e);
		json_decref(one);
		if (r != 0)
			schema_tell(f, &e, true);
	}
	return (0);
}

/* Checks a member that the system reads itself. */
static int
schema_check_own(const struct schema_row *row, unsigned in, const json_t *obj,
    const struct js_at *at, struct schema_faults *f)
{
	const struct js_at at_row = {.up = at, .name = row->name};
	struct js_at at_i = {.up = &at_row};
	struct errinfo e = {.text = ""};
	char id[FACTS_ID_MAX + 1];
	const json_t *list = NULL;
	int r;

	if (row->rows == NULL)
		r = facts_id(obj, row->name, at, id, &e);
	else
		r = js_get_array(obj, row->name, at, &list, &e);
	if (r == ERR_INVALID)
		schema_tell(f, &e, false);
	for (; at_i.index < json_array_size(list); at_i.index++) {
		r = schema_check(
		    row->rows, in, json_array_get(list, at_i.index), &at_i, f);
		if (r != 0)
			return (r);
	}
	return (r == ERR_INVALID ? 0 : r);
}

/* Checks the member of one row. */
static int
schema_check_row(const struct schema_row *row, unsigned in, const json_t *obj,
    const struct js_at *at, struct schema_faults *f)
{
	const struct js_at at_row = {.up = at, .name = row->name};
	struct errinfo e = {.text = ""};
	const json_t *v;
	union {
		char id[FACTS_ID_MAX + 1];
		struct facts_text text;
		bool flags[SCHEMA_ROWS_MAX];
		int n;
		unsigned set;
	} room;
	int r;

	if ((row->in & in) == 0) {
		r = schema_refuse_kept(row, in, obj, at, &e);
	} else if (row->type == SCHEMA_OWN) {
		return (schema_check_own(row, in, obj, at, f));
	} else if (row->type == SCHEMA_OBJECT) {
		if ((r = js_get_object(obj, row->name, at, &v, &e)) == 0)
			return (schema_check(row->rows, in, v, &at_row, f));
	} else {
		r = schema_read_row(row, in, obj, at, &room, &e);
	}
	if (r != ERR_INVALID)
		return (r);
	schema_tell(f, &e, (row->in & in) == 0);
	return (0);
}

int
schema_check(const struct schema_row *rows, unsigned in, const json_t *obj,
    const struct js_at *at, struct schema_faults *f)
{
	const char *known[SCHEMA_ROWS_MAX + 1];
	struct errinfo e = {.text = ""};
	int r;

	schema_known(rows, in, known);
	if (!json_is_object(obj)) {
		if (js_members(obj, at, known, &e) != 0)
			schema_tell(f, &e, false);
		return (0);
	}
	r = schema_check_members(obj, at, known, f);
	for (; r == 0 && rows->name != NULL; rows++)
		r = schema_check_row(rows, in, obj, at, f);
	return (r);
}

/* Returns the flags that are set as a new object, or NULL. */
static json_t *
schema_flags_json(const struct schema_row *row, const bool *flags)
{
	json_t *o = json_object();
	size_t i;
	int bad = 0;

	for (i = 0; row->words[i] != NULL; i++) {
		if (flags[i])
			bad |=
			    json_object_set_new(o, row->words[i], json_true());
	}
	return (js_made(o, bad));
}

/*
 * Returns what a row has as a new value, or NULL: without memory, or with
 * *is_none set if it is not written.
 */
static json_t *
schema_value(
    const struct schema_row *row, unsigned in, const void *p, bool *is_none)
{
	const struct facts_text *t;
	json_t *v;
	int n;

	switch (row->type) {
	case SCHEMA_ID:
		return (json_string(p));
	case SCHEMA_TEXT:
		t = p;
		*is_none = !t->has;
		return (t->has ? json_string(t->text) : NULL);
	case SCHEMA_BOOL:
		return (json_boolean(*(const bool *)p));
	case SCHEMA_COUNT:
		n = *(const int *)p;
		return (
		    row->has_null && n == -1 ? json_null() : json_integer(n));
	case SCHEMA_WORD:
		n = *(const int *)p - row->lo;
		if (n < 0 && row->has_null)
			return (json_null());
		*is_none = n < 0;
		return (n < 0 ? NULL : json_string(row->words[n]));
	case SCHEMA_SET:
		return (facts_set_json(row->words, *(const unsigned *)p));
	case SCHEMA_FLAGS:
		v = schema_flags_json(row, p);
		if (v != NULL && json_object_size(v) == 0) {
			json_decref(v);
			*is_none = true;
			return (NULL);
		}
		return (v);
	case SCHEMA_OWN:
		return (json_null());
	case SCHEMA_OBJECT:
		break;
	}
	return (schema_json(row->rows, in, p));
}

int
schema_put(
    const struct schema_row *rows, unsigned in, const void *from, json_t *obj)
{
	const struct schema_row *row;
	int bad = 0;
	bool is_none;
	json_t *v;

	for (row = rows; row->name != NULL; row++) {
		if ((row->in & in) == 0)
			continue;
		is_none = false;
		v = schema_value(
		    row, in, (const char *)from + row->offset, &is_none);
		if (!is_none)
			bad |= json_object_set_new(obj, row->name, v);
	}
	return (bad);
}

json_t *
schema_json(const struct schema_row *rows, unsigned in, const void *from)
{
	json_t *o = json_object();

	return (js_made(o, schema_put(rows, in, from, o)));
}

json_t *
schema_list(const struct schema_row *rows, unsigned in, const void *first,
    size_t n, size_t size)
{
	json_t *list = json_array();
	size_t i;
	int bad = 0;

	for (i = 0; i < n; i++)
		bad |= json_array_append_new(list,
		    schema_json(rows, in, (const char *)first + i * size));
	return (js_made(list, bad));
}

int
schema_roster(const struct schema_row *rows, const void *from, json_t **out)
{
	json_t *made;

	if ((made = schema_json(rows, SCHEMA_KEPT, from)) == NULL)
		return (ERR_NOMEM);
	*out = made;
	return (0);
}
