/* SPDX-License-Identifier: ISC */
#include "common/json/field.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/err.h"
#include "common/json/js.h"
#include "common/json/js_put.h"

/* A member of a struct. */
static const void *
field_of(const void *p, size_t offset)
{
	return ((const char *)p + offset);
}

/* The same to be set. */
static void *
field_at(void *p, size_t offset)
{
	return ((char *)p + offset);
}

/* The value of a number. */
static int64_t
field_number(const struct field *f, const void *p)
{
	const void *at = field_of(p, f->offset);

	if (f->type == FIELD_INT || f->type == FIELD_WORD)
		return (*(const int *)at);
	if (f->type == FIELD_COUNT)
		return ((int64_t) * (const size_t *)at);
	return (*(const int64_t *)at);
}

/* Writes a member that is not left out. */
static void
field_write_one(const struct field *f, const void *p, struct buf *out)
{
	const void *at = field_of(p, f->offset);
	const char *name;
	json_t *v;
	size_t i;

	switch (f->type) {
	case FIELD_INT:
	case FIELD_NUMBER:
	case FIELD_LINE:
	case FIELD_COUNT:
		js_put_int(out, f->name, field_number(f, p));
		break;
	case FIELD_BOOL:
		js_put_bool(out, f->name, *(const bool *)at);
		break;
	case FIELD_WORD:
		js_put_str(out, f->name, f->words[field_number(f, p)]);
		break;
	case FIELD_HEX:
		js_put_hex(out, f->name, at, f->size);
		break;
	case FIELD_TEXT:
	case FIELD_ID:
		js_put_str(out, f->name, at);
		break;
	case FIELD_OBJECT:
	case FIELD_ARRAY:
		js_put_json(out, f->name, *(json_t *const *)at);
		break;
	case FIELD_SET:
		js_put_open(out, f->name, '[');
		json_object_foreach(*(json_t *const *)at, name, v)
		{
			js_put_str(out, NULL, name);
		}
		js_put_close(out, ']');
		break;
	case FIELD_FLAGS:
		js_put_open(out, f->name, '[');
		for (i = 0; i < f->size; i++)
			js_put_bool(out, NULL, ((const bool *)at)[i]);
		js_put_close(out, ']');
		break;
	}
}

/* True if a member says something. */
static bool
field_is_there(const struct field *f, const void *p)
{
	const void *at = field_of(p, f->offset);

	if (f->flag != 0)
		return (*(const bool *)field_of(p, f->flag));
	switch (f->type) {
	case FIELD_SET:
		return (json_object_size(*(json_t *const *)at) > 0);
	case FIELD_FLAGS:
		return (memchr(at, true, f->size) != NULL);
	case FIELD_BOOL:
		return (!f->may || *(const bool *)at);
	case FIELD_TEXT:
	case FIELD_ID:
		return (!f->may || *(const char *)at != '\0');
	case FIELD_OBJECT:
	case FIELD_ARRAY:
		return (!f->may || *(json_t *const *)at != NULL);
	case FIELD_HEX:
		return (true);
	default:
		return (!f->may || field_number(f, p) != f->first);
	}
}

void
field_write(const struct field *fields, const void *from, struct buf *out)
{
	for (; fields->name != NULL; fields++) {
		if (field_is_there(fields, from))
			field_write_one(fields, from, out);
	}
}

void
field_write_list(const struct field *fields, const char *name, const void *list,
    size_t n, size_t size, struct buf *out)
{
	size_t i;

	if (n == 0)
		return;
	js_put_open(out, name, '[');
	for (i = 0; i < n; i++) {
		js_put_open(out, NULL, '{');
		field_write(fields, (const char *)list + i * size, out);
		js_put_close(out, '}');
	}
	js_put_close(out, ']');
}

/* What was kept is damaged. */
static int
field_bad(const char *name, struct errinfo *e)
{
	return (err_set(e, ERR_INVALID, name, "bad"));
}

/* Reads a number. */
static int
field_read_number(const struct field *f, const json_t *v, int64_t hi, void *to,
    struct errinfo *e)
{
	void *at = field_at(to, f->offset);
	int64_t n = field_number(f, to);
	int r;

	r = (f->may ? js_opt_int : js_get_int)(
	    v, f->name, NULL, f->lo, hi, &n, e);
	if (r != 0)
		return (r);
	if (f->type == FIELD_INT)
		*(int *)at = (int)n;
	else if (f->type == FIELD_COUNT)
		*(size_t *)at = (size_t)n;
	else
		*(int64_t *)at = n;
	return (0);
}

/* Reads a text or an id. */
static int
field_read_text(
    const struct field *f, const json_t *v, void *to, struct errinfo *e)
{
	const char *text = NULL;
	int r;

	r = (f->may || f->flag != 0 ? js_opt_str : js_get_str)(
	    v, f->name, NULL, &text, e);
	if (r != 0)
		return (r);
	if (f->flag != 0 &&
	    *(const bool *)field_of(to, f->flag) != (text != NULL))
		return (field_bad(f->name, e));
	if (text == NULL)
		return (0);
	if (strlen(text) >= f->size || (f->type == FIELD_ID && !js_is_id(text)))
		return (field_bad(f->name, e));
	memcpy(field_at(to, f->offset), text, strlen(text) + 1);
	return (0);
}

/* Reads a set of names. */
static int
field_read_set(
    const struct field *f, const json_t *list, json_t **set, struct errinfo *e)
{
	const json_t *one;
	size_t i;

	if ((*set = json_object()) == NULL)
		return (ERR_NOMEM);
	json_array_foreach(list, i, one)
	{
		if (!json_is_string(one) || json_string_length(one) < 1 ||
		    json_string_length(one) > (size_t)f->hi)
			return (field_bad(f->name, e));
		if (json_object_set_new(
			*set, json_string_value(one), json_true()) != 0)
			return (ERR_NOMEM);
	}
	return (0);
}

/* Reads one member. */
static int
field_read_one(const struct field *f, const json_t *v, int64_t lines, void *to,
    struct errinfo *e)
{
	void *at = field_at(to, f->offset);
	const json_t *value = NULL;
	size_t i;
	int r;

	switch (f->type) {
	case FIELD_BOOL:
		return ((f->may ? js_opt_bool : js_get_bool)(
		    v, f->name, NULL, at, e));
	case FIELD_WORD:
		return (js_get_enum(v, f->name, NULL, f->words, at, e));
	case FIELD_HEX:
		return (f->flag == 0
			? js_get_hex(v, f->name, NULL, at, f->size, e)
			: js_opt_hex(v, f->name, NULL, at, f->size,
			      field_at(to, f->flag), e));
	case FIELD_TEXT:
	case FIELD_ID:
		return (field_read_text(f, v, to, e));
	case FIELD_OBJECT:
		r = (f->may ? js_opt_object : js_get_object)(
		    v, f->name, NULL, &value, e);
		break;
	case FIELD_ARRAY:
		r = (f->may ? js_opt_array : js_get_array)(
		    v, f->name, NULL, &value, e);
		break;
	case FIELD_SET:
	case FIELD_FLAGS:
		r = js_opt_array(v, f->name, NULL, &value, e);
		break;
	default:
		return (field_read_number(
		    f, v, f->type == FIELD_LINE ? lines : f->hi, to, e));
	}
	if (r != 0 || value == NULL)
		return (r);
	if (f->type == FIELD_SET)
		return (field_read_set(f, value, at, e));
	if (f->type == FIELD_FLAGS) {
		for (i = 0; i < f->size; i++)
			((bool *)at)[i] =
			    json_is_true(json_array_get(value, i));
		return (0);
	}
	*(json_t **)at = json_deep_copy(value);
	return (*(json_t **)at == NULL ? ERR_NOMEM : 0);
}

int
field_read(const struct field *fields, const json_t *v, int64_t lines, void *to,
    struct errinfo *e)
{
	int r = 0;

	for (; r == 0 && fields->name != NULL; fields++)
		r = field_read_one(fields, v, lines, to, e);
	return (r);
}

int
field_read_list(const struct field *fields, const json_t *v, const char *name,
    int64_t lines, size_t size, void **list, size_t *n, struct errinfo *e)
{
	const json_t *all = NULL;
	int r;

	if ((r = js_opt_array(v, name, NULL, &all, e)) != 0 || all == NULL)
		return (r);
	if (json_array_size(all) > (size_t)lines)
		return (field_bad(name, e));
	if ((*list = calloc(json_array_size(all) + 1, size)) == NULL)
		return (ERR_NOMEM);
	while (r == 0 && *n < json_array_size(all)) {
		r = field_read(fields, json_array_get(all, *n), lines,
		    (char *)*list + *n * size, e);
		++*n;
	}
	return (r);
}
