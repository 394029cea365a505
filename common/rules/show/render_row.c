/* SPDX-License-Identifier: ISC */
/* Rows of the renderer. */
#include "common/rules/show/render_row.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/base/buf.h"

#define RENDER_ROW_NUMBER 24 /* bytes of a number with its sign */

/* Notes that memory ran out for a text. */
static void
render_row_check(struct render_sink *out, const struct buf *b)
{
	if (out->error == 0)
		out->error = buf_error(b);
}

void
render_row_put(struct render_sink *out, enum render_row_kind kind,
    unsigned indent, struct buf *b)
{
	const struct render_row row = {
	    .kind = kind,
	    .indent = indent,
	    .text = buf_str(b),
	    .lead = "",
	    .rest = buf_str(b),
	};

	render_row_check(out, b);
	out->row_cb(out->arg, &row);
	buf_clear(b);
}

void
render_row_printf(struct render_sink *out, enum render_row_kind kind,
    unsigned indent, const char *fmt, ...)
{
	struct buf b;
	va_list ap;

	buf_init(&b, 0);
	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	render_row_put(out, kind, indent, &b);
}

void
render_row_score(struct render_sink *out, struct buf *text, struct buf *lead,
    const char *unit, const char *against)
{
	const struct render_row row = {.kind = RENDER_ROW_SCORE,
	    .text = buf_str(text),
	    .lead = buf_str(lead),
	    .rest = "",
	    .unit = unit,
	    .against = against};

	render_row_check(out, text);
	render_row_check(out, lead);
	out->row_cb(out->arg, &row);
	buf_clear(lead);
	buf_clear(text);
}

void
render_row_term(struct render_sink *out, enum render_part part,
    const char *value, struct buf *reason)
{
	struct render_row row = {
	    .kind = RENDER_ROW_TERM, .indent = 2, .part = part};
	struct buf b;

	buf_init(&b, 0);
	buf_printf(&b, "%s %s", value, buf_str(reason));
	row.text = buf_str(&b);
	row.lead = value;
	row.rest = buf_str(reason);
	render_row_check(out, reason);
	render_row_check(out, &b);
	out->row_cb(out->arg, &row);
	buf_clear(&b);
	buf_clear(reason);
}

void
render_row_number(struct render_sink *out, enum render_part part,
    const char *name, json_int_t n)
{
	struct render_row row = {
	    .kind = RENDER_ROW_TERM, .indent = 2, .part = part};
	char number[RENDER_ROW_NUMBER];
	struct buf b, rest;
	size_t n_name;

	(void)snprintf(number, sizeof(number), "%" JSON_INTEGER_FORMAT, n);
	buf_init(&b, 0);
	buf_printf(&b, "%s %s", name, number);
	/* Beside the number the name needs no colon before it. */
	n_name = strlen(name);
	buf_init(&rest, 0);
	buf_add(&rest, name,
	    n_name > 0 && name[n_name - 1] == ':' ? n_name - 1 : n_name);
	row.text = buf_str(&b);
	row.lead = number;
	row.rest = buf_str(&rest);
	render_row_check(out, &b);
	render_row_check(out, &rest);
	out->row_cb(out->arg, &row);
	buf_clear(&rest);
	buf_clear(&b);
}

void
render_row_mark(struct render_sink *out, const char *text, const char *mark,
    const char *reason)
{
	const struct render_row row = {.kind = RENDER_ROW_TERM,
	    .part = RENDER_PART_MARK,
	    .indent = 2,
	    .text = text,
	    .lead = mark,
	    .rest = reason};

	out->row_cb(out->arg, &row);
}

void
render_row_total(struct render_sink *out, const char *total)
{
	const struct render_row row = {.kind = RENDER_ROW_TOTAL,
	    .indent = 2,
	    .text = "",
	    .lead = total,
	    .rest = ""};

	out->row_cb(out->arg, &row);
}

void
render_row_dice(struct render_sink *out, struct buf *b, size_t n,
    struct buf *lead, const json_t *values, const json_t *sides)
{
	const struct render_row row = {
	    .kind = sides != NULL ? RENDER_ROW_DICE : RENDER_ROW_CHITS,
	    .text = buf_str(b),
	    .lead = buf_str(lead),
	    .rest = buf_error(b) == 0 ? buf_str(b) + n : "",
	    .values = values,
	    .sides = json_integer_value(sides),
	};

	render_row_check(out, b);
	render_row_check(out, lead);
	out->row_cb(out->arg, &row);
	buf_clear(lead);
	buf_clear(b);
}

void
render_row_gap(struct render_sink *out)
{
	const struct render_row row = {
	    .kind = RENDER_ROW_GAP, .text = "", .lead = "", .rest = ""};

	out->row_cb(out->arg, &row);
}
