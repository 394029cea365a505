/* SPDX-License-Identifier: ISC */
/* JSON into a buffer; what is last there says whether a comma is due. */
#include "common/json/js_put.h"

#include <string.h>

#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/err.h"
#include "common/json/js.h"

/* Appends what stands before a value. */
static void
js_put_name(struct buf *out, const char *name)
{
	const char last = out->len == 0 ? '[' : out->data[out->len - 1];

	if (last != '{' && last != '[')
		buf_putc(out, ',');
	if (name == NULL)
		return;
	js_dump_string(name, strlen(name), out);
	buf_putc(out, ':');
}

void
js_put_open(struct buf *out, const char *name, char bracket)
{
	js_put_name(out, name);
	buf_putc(out, bracket);
}

void
js_put_close(struct buf *out, char bracket)
{
	buf_putc(out, bracket);
}

void
js_put_str(struct buf *out, const char *name, const char *s)
{
	if (s == NULL) {
		js_put_null(out, name);
		return;
	}
	js_put_name(out, name);
	js_dump_string(s, strlen(s), out);
}

void
js_put_int(struct buf *out, const char *name, int64_t n)
{
	js_put_name(out, name);
	js_dump_int(n, out);
}

void
js_put_bool(struct buf *out, const char *name, bool is)
{
	js_put_name(out, name);
	buf_puts(out, is ? "true" : "false");
}

void
js_put_null(struct buf *out, const char *name)
{
	js_put_name(out, name);
	buf_puts(out, "null");
}

void
js_put_hex(struct buf *out, const char *name, const void *p, size_t n)
{
	js_put_name(out, name);
	buf_putc(out, '"');
	buf_hex(out, p, n);
	buf_putc(out, '"');
}

void
js_put_at(struct buf *out, const char *name, int64_t ms)
{
	char at[CLOCK_AT_LEN + 1];

	clock_format(at, ms);
	js_put_str(out, name, at);
}

void
js_put_json(struct buf *out, const char *name, const json_t *v)
{
	if (v == NULL) {
		js_put_null(out, name);
		return;
	}
	js_put_name(out, name);
	js_dump(v, out);
}

void
js_put_new(struct buf *out, const char *name, json_t *v)
{
	if (v == NULL)
		buf_fail(out, ERR_NOMEM);
	else
		js_put_json(out, name, v);
	json_decref(v);
}
