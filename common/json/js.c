/* SPDX-License-Identifier: ISC */
/*
 * JSON between jansson's values, text and the program's own structs; values
 * out of text are js_load.c's.  Nothing here knows what a member means.
 */
#include "common/json/js.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/hex.h"

void
js_dump_string(const char *s, size_t len, struct buf *out)
{
	static const char letters[] = "\"\\bfnrt", values[] = "\"\\\b\f\n\r\t";
	size_t i, done = 0;
	const char *p;

	buf_putc(out, '"');
	for (i = 0; i < len; i++) {
		if ((unsigned char)s[i] >= 0x20 && s[i] != '"' && s[i] != '\\')
			continue;
		buf_add(out, s + done, i - done);
		done = i + 1;
		if (s[i] != '\0' && (p = strchr(values, s[i])) != NULL) {
			buf_putc(out, '\\');
			buf_putc(out, letters[p - values]);
		} else {
			buf_printf(out, "\\u%04x", (unsigned)s[i]);
		}
	}
	buf_add(out, s + done, len - done);
	buf_putc(out, '"');
}

void
js_dump_int(int64_t n, struct buf *out)
{
	char digits[3 * sizeof(n)], *p = digits + sizeof(digits);
	uint64_t left = n < 0 ? -(uint64_t)n : (uint64_t)n;

	/* Several times as fast as printf(), and most values are such. */
	do
		*--p = (char)('0' + left % 10);
	while ((left /= 10) > 0);
	if (n < 0)
		*--p = '-';
	buf_add(out, p, (size_t)(digits + sizeof(digits) - p));
}

/* An object or array that js_dump() is in. */
struct js_walk {
	json_t *v; /* borrowed */
	void *member; /* object: next member */
	size_t index; /* array: next element */
};

/* Makes *out fail for good: v cannot be written. */
static void
js_dump_fail(struct buf *out)
{
	assert(!"value that has no form in the record");
	buf_fail(out, ERR_TOOBIG);
}

/* Appends a value that holds no others. */
static void
js_dump_scalar(const json_t *v, struct buf *out)
{
	switch (json_typeof(v)) {
	case JSON_STRING:
		js_dump_string(
		    json_string_value(v), json_string_length(v), out);
		break;
	case JSON_INTEGER:
		js_dump_int(json_integer_value(v), out);
		break;
	case JSON_TRUE:
		buf_puts(out, "true");
		break;
	case JSON_FALSE:
		buf_puts(out, "false");
		break;
	case JSON_NULL:
		buf_puts(out, "null");
		break;
	default:
		js_dump_fail(out);
	}
}

/*
 * Appends what stands before w's next value (a comma, a key) and returns that
 * value, borrowed; NULL after the last.
 */
static const json_t *
js_dump_next(struct js_walk *w, struct buf *out)
{
	const json_t *v;

	if (json_is_array(w->v)) {
		if (w->index == json_array_size(w->v))
			return (NULL);
		if (w->index > 0)
			buf_putc(out, ',');
		return (json_array_get(w->v, w->index++));
	}
	if (w->member == NULL)
		return (NULL);
	if (w->index++ > 0)
		buf_putc(out, ',');
	js_dump_string(json_object_iter_key(w->member),
	    json_object_iter_key_len(w->member), out);
	buf_putc(out, ':');
	v = json_object_iter_value(w->member);
	w->member = json_object_iter_next(w->v, w->member);
	return (v);
}

void
js_dump(const json_t *v, struct buf *out)
{
	struct js_walk walks[JS_DEPTH_DUMP], *w;
	size_t depth = 0;

	for (;;) {
		if (!json_is_object(v) && !json_is_array(v)) {
			js_dump_scalar(v, out);
		} else if (depth == JS_DEPTH_DUMP) {
			js_dump_fail(out);
		} else {
			w = &walks[depth++];
			/* jansson's iterators know no const. */
			w->v = (json_t *)(uintptr_t)v;
			w->member = json_object_iter(w->v);
			w->index = 0;
			buf_putc(out, json_is_object(v) ? '{' : '[');
		}
		/* Close what has ended, up to a value that follows. */
		for (v = NULL; depth > 0; depth--) {
			if ((v = js_dump_next(&walks[depth - 1], out)) != NULL)
				break;
			w = &walks[depth - 1];
			buf_putc(out, json_is_object(w->v) ? '}' : ']');
		}
		if (v == NULL)
			return;
	}
}

bool
js_same(const json_t *a, const json_t *b)
{
	struct buf x, y;
	bool is_same;

	buf_init(&x, 0);
	buf_init(&y, 0);
	js_dump(a, &x);
	js_dump(b, &y);
	is_same = buf_error(&x) == 0 && buf_error(&y) == 0 && x.len == y.len &&
	    memcmp(x.data, y.data, x.len) == 0;
	buf_clear(&x);
	buf_clear(&y);
	return (is_same);
}

/* Writes the path of at, cut where it does not fit. */
static void
js_path(const struct js_at *at, char *out, size_t size)
{
	const struct js_at *p;
	size_t n = 0, i, used = 0;
	int len;

	out[0] = '\0';
	for (p = at; p != NULL; p = p->up)
		n++;
	for (; n > 0 && used < size; n--) {
		for (p = at, i = 1; i < n; i++)
			p = p->up;
		if (p->name == NULL)
			len = snprintf(
			    out + used, size - used, "[%zu]", p->index);
		else
			len = snprintf(out + used, size - used, "%s%s",
			    used > 0 ? "." : "", p->name);
		if (len < 0)
			return;
		used += (size_t)len;
	}
}

/* Fills e with the formatted text and the path of at. */
static int
js_vfail(const struct js_at *at, struct errinfo *e, const char *fmt, va_list ap)
{
	char where[sizeof(e->where)];

	js_path(at, where, sizeof(where));
	return (err_vset(e, ERR_INVALID, where, fmt, ap));
}

int
js_fail(const struct js_at *at, struct errinfo *e, const char *fmt, ...)
{
	va_list ap;
	int r;

	va_start(ap, fmt);
	r = js_vfail(at, e, fmt, ap);
	va_end(ap);
	return (r);
}

int
js_fail_member(const struct js_at *at, const char *name, struct errinfo *e,
    const char *fmt, ...)
{
	const struct js_at member = {.up = at, .name = name};
	va_list ap;
	int r;

	va_start(ap, fmt);
	r = js_vfail(&member, e, fmt, ap);
	va_end(ap);
	return (r);
}

void
js_within(const struct js_at *at, struct errinfo *e)
{
	const struct js_at inner = {at, e == NULL ? "" : e->where, 0};
	char where[sizeof(e->where)];

	if (*inner.name == '\0')
		return;
	js_path(&inner, where, sizeof(where));
	/* A place that is cut is still text. */
	(void)err_set(e, 0, where, "%s", e->text);
}

/* True if name is one of known, a list ended by NULL. */
static bool
js_is_known(const char *name, const char *const known[])
{
	size_t i;

	for (i = 0; known[i] != NULL; i++) {
		if (strcmp(name, known[i]) == 0)
			return (true);
	}
	return (false);
}

int
js_members(const json_t *v, const struct js_at *at, const char *const known[],
    struct errinfo *e)
{
	const json_t *member;
	const char *name;

	if (!json_is_object(v))
		return (js_fail(at, e, "must be an object"));
	js_foreach(v, name, member)
	{
		if (!js_is_known(name, known))
			return (js_fail_member(
			    at, name, e, "is not a known member"));
	}
	return (0);
}

int
js_members_ordered(const json_t *v, const struct js_at *at,
    const char *const names[], struct errinfo *e)
{
	const char *const *next = names;
	const char *name;
	json_t *member;
	int r;

	if ((r = js_members(v, at, names, e)) != 0)
		return (r);
	json_object_foreach((json_t *)(uintptr_t)v, name, member)
	{
		while (*next != NULL && strcmp(*next, name) != 0)
			next++;
		if (*next == NULL)
			return (js_fail_member(at, name, e,
			    "not where it belongs among the members"));
	}
	return (0);
}

/* Finds the member name of obj, which must be there. */
static int
js_find(const json_t *obj, const char *name, const struct js_at *at,
    const json_t **out, struct errinfo *e)
{
	if (!json_is_object(obj))
		return (js_fail(at, e, "must be an object"));
	if ((*out = json_object_get(obj, name)) == NULL)
		return (js_fail_member(at, name, e, "is missing"));
	return (0);
}

/* True if the member name is missing in an object: js_opt_*() has no work. */
static bool
js_is_missing(const json_t *obj, const char *name)
{
	return (json_is_object(obj) && json_object_get(obj, name) == NULL);
}

int
js_get_str(const json_t *obj, const char *name, const struct js_at *at,
    const char **out, struct errinfo *e)
{
	const json_t *v;
	int r;

	if ((r = js_find(obj, name, at, &v, e)) != 0)
		return (r);
	if (!json_is_string(v))
		return (js_fail_member(at, name, e, "must be a string"));
	*out = json_string_value(v);
	return (0);
}

int
js_opt_str(const json_t *obj, const char *name, const struct js_at *at,
    const char **out, struct errinfo *e)
{
	return (
	    js_is_missing(obj, name) ? 0 : js_get_str(obj, name, at, out, e));
}

const char *
js_str(const json_t *obj, const char *name)
{
	return (json_string_value(json_object_get(obj, name)));
}

json_int_t
js_int(const json_t *obj, const char *name)
{
	return (json_integer_value(json_object_get(obj, name)));
}

int
js_get_int(const json_t *obj, const char *name, const struct js_at *at,
    int64_t lo, int64_t hi, int64_t *out, struct errinfo *e)
{
	const json_t *v;
	int r;

	if ((r = js_find(obj, name, at, &v, e)) != 0)
		return (r);
	if (!json_is_integer(v) || json_integer_value(v) < lo ||
	    json_integer_value(v) > hi)
		return (js_fail_member(at, name, e,
		    "must be an integer from %" PRId64 " to %" PRId64, lo, hi));
	*out = json_integer_value(v);
	return (0);
}

int
js_opt_int(const json_t *obj, const char *name, const struct js_at *at,
    int64_t lo, int64_t hi, int64_t *out, struct errinfo *e)
{
	return (js_is_missing(obj, name)
		? 0
		: js_get_int(obj, name, at, lo, hi, out, e));
}

int
js_get_bool(const json_t *obj, const char *name, const struct js_at *at,
    bool *out, struct errinfo *e)
{
	const json_t *v;
	int r;

	if ((r = js_find(obj, name, at, &v, e)) != 0)
		return (r);
	if (!json_is_boolean(v))
		return (js_fail_member(at, name, e, "must be true or false"));
	*out = json_is_true(v);
	return (0);
}

int
js_opt_bool(const json_t *obj, const char *name, const struct js_at *at,
    bool *out, struct errinfo *e)
{
	return (
	    js_is_missing(obj, name) ? 0 : js_get_bool(obj, name, at, out, e));
}

/* Says which values the member name may have. */
static int
js_fail_enum(const struct js_at *at, const char *name,
    const char *const values[], struct errinfo *e)
{
	char list[sizeof(e->text)];
	size_t i, used = 0;
	int n;

	list[0] = '\0';
	for (i = 0; values[i] != NULL && used < sizeof(list); i++) {
		n = snprintf(list + used, sizeof(list) - used, "%s\"%s\"",
		    i == 0                      ? ""
			: values[i + 1] == NULL ? " or "
						: ", ",
		    values[i]);
		if (n < 0)
			break;
		used += (size_t)n;
	}
	return (js_fail_member(at, name, e, "must be %s", list));
}

int
js_get_enum(const json_t *obj, const char *name, const struct js_at *at,
    const char *const values[], int *out, struct errinfo *e)
{
	const char *text;
	const json_t *v;
	int i, r;

	if ((r = js_find(obj, name, at, &v, e)) != 0)
		return (r);
	text = json_string_value(v);
	for (i = 0; text != NULL && values[i] != NULL; i++) {
		if (strcmp(text, values[i]) == 0) {
			*out = i;
			return (0);
		}
	}
	return (js_fail_enum(at, name, values, e));
}

int
js_opt_enum(const json_t *obj, const char *name, const struct js_at *at,
    const char *const values[], int *out, struct errinfo *e)
{
	return (js_is_missing(obj, name)
		? 0
		: js_get_enum(obj, name, at, values, out, e));
}

int
js_get_array(const json_t *obj, const char *name, const struct js_at *at,
    const json_t **out, struct errinfo *e)
{
	const json_t *v;
	int r;

	if ((r = js_find(obj, name, at, &v, e)) != 0)
		return (r);
	if (!json_is_array(v))
		return (js_fail_member(at, name, e, "must be an array"));
	*out = v;
	return (0);
}

int
js_opt_array(const json_t *obj, const char *name, const struct js_at *at,
    const json_t **out, struct errinfo *e)
{
	return (
	    js_is_missing(obj, name) ? 0 : js_get_array(obj, name, at, out, e));
}

int
js_get_object(const json_t *obj, const char *name, const struct js_at *at,
    const json_t **out, struct errinfo *e)
{
	const json_t *v;
	int r;

	if ((r = js_find(obj, name, at, &v, e)) != 0)
		return (r);
	if (!json_is_object(v))
		return (js_fail_member(at, name, e, "must be an object"));
	*out = v;
	return (0);
}

int
js_opt_object(const json_t *obj, const char *name, const struct js_at *at,
    const json_t **out, struct errinfo *e)
{
	return (js_is_missing(obj, name)
		? 0
		: js_get_object(obj, name, at, out, e));
}

int
js_get_hex(const json_t *obj, const char *name, const struct js_at *at,
    uint8_t *out, size_t n, struct errinfo *e)
{
	const json_t *v;
	int r;

	if ((r = js_find(obj, name, at, &v, e)) != 0)
		return (r);
	if (!json_is_string(v) ||
	    hex_parse(out, n, json_string_value(v), json_string_length(v)) != 0)
		return (js_fail_member(
		    at, name, e, "must be %zu lower-case hex digits", 2 * n));
	return (0);
}

int
js_opt_hex(const json_t *obj, const char *name, const struct js_at *at,
    uint8_t *out, size_t n, bool *has, struct errinfo *e)
{
	const bool is = !js_is_missing(obj, name);
	int r = is ? js_get_hex(obj, name, at, out, n, e) : 0;

	if (r == 0)
		*has = is;
	return (r);
}

bool
js_is_id(const char *s)
{
	static const char first[] = "abcdefghijklmnopqrstuvwxyz0123456789";
	static const char later[] = "abcdefghijklmnopqrstuvwxyz0123456789._-";
	size_t n = strspn(s, later);

	return (s[n] == '\0' && n >= 1 && n <= 32 && strspn(s, first) >= 1);
}

json_t *
js_made(json_t *v, int bad)
{
	if (bad == 0)
		return (v);
	json_decref(v);
	return (NULL);
}

json_t *
js_hex(const void *p, size_t n)
{
	json_t *v;
	char *s;

	if (n > SIZE_MAX / 4 || (s = malloc(2 * n + 1)) == NULL)
		return (NULL);
	hex_format(s, p, n);
	v = json_stringn(s, 2 * n);
	free(s);
	return (v);
}

int
js_element_hex(const json_t *array, size_t i, uint8_t *out, size_t n)
{
	const json_t *v = json_array_get(array, i);

	if (!json_is_string(v))
		return (ERR_MALFORMED);
	return (hex_parse(out, n, json_string_value(v), json_string_length(v)));
}
