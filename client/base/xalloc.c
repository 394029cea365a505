/* SPDX-License-Identifier: ISC */
/*
 * Allocation that ends the program when memory is out: a command line tool
 * has nothing better to do, and its files are written atomically anyway.
 */
#include "client/base/xalloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "common/base/buf.h"
#include "common/base/utf8.h"

void
xalloc_die(void)
{
	(void)fputs("umpire: out of memory\n", stderr);
	exit(EX_OSERR);
}

void *
xalloc(size_t n)
{
	void *p;

	if ((p = calloc(1, n == 0 ? 1 : n)) == NULL)
		xalloc_die();
	return (p);
}

void *
xalloc_more(void *p, size_t n, size_t size)
{
	void *more;

	/* There is room up to the next power of two. */
	if ((n & (n - 1)) != 0)
		return (p);
	more = xalloc((n == 0 ? 1 : 2 * n) * size);
	if (n > 0)
		memcpy(more, p, n * size);
	free(p);
	return (more);
}

char *
xalloc_str(const char *s)
{
	return (xalloc_strn(s, strlen(s)));
}

char *
xalloc_strn(const char *s, size_t n)
{
	char *p;

	p = xalloc(n + 1);
	memcpy(p, s, n);
	return (p);
}

char *
xalloc_printf(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = xalloc_vprintf(fmt, ap);
	va_end(ap);
	return (s);
}

char *
xalloc_vprintf(const char *fmt, va_list ap)
{
	struct buf b;

	buf_init(&b, 0);
	buf_vprintf(&b, fmt, ap);
	return (xalloc_take(&b));
}

char *
xalloc_take(struct buf *b)
{
	char *p;

	if ((p = buf_take(b, NULL)) == NULL)
		xalloc_die();
	return (p);
}

json_t *
xalloc_json(json_t *v)
{
	if (v == NULL)
		xalloc_die();
	return (v);
}

json_t *
xalloc_json_str(const char *s)
{
	struct buf b;
	json_t *v;
	uint32_t cp;
	size_t len, n;
	char *t;

	buf_init(&b, 0);
	for (len = strlen(s); len > 0; s += n, len -= n) {
		if ((n = utf8_get(s, len, &cp)) > 0) {
			buf_add(&b, s, n);
		} else {
			buf_putc(&b, '?');
			n = 1;
		}
	}
	t = xalloc_take(&b);
	v = xalloc_json(json_string(t));
	free(t);
	return (v);
}

void
xalloc_set(json_t *object, const char *name, json_t *value)
{
	if (json_object_set_new(object, name, xalloc_json(value)) != 0)
		xalloc_die();
}

void
xalloc_append(json_t *array, json_t *value)
{
	if (json_array_append_new(array, xalloc_json(value)) != 0)
		xalloc_die();
}

json_t *
xalloc_copy(const json_t *v)
{
	return (xalloc_json(json_deep_copy(v)));
}

char *
xalloc_dump(const json_t *v)
{
	char *s;

	if ((s = json_dumps(v, JSON_COMPACT | JSON_ENCODE_ANY)) == NULL)
		xalloc_die();
	return (s);
}
