/* SPDX-License-Identifier: ISC */
/* Open questions in words: what is asked, by whom, and what may be said. */
#include "common/rules/show/render_question.h"

#include <stdint.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/json/js.h"
#include "common/rules/show/paragraph.h"
#include "common/rules/show/render_value.h"

bool
render_question_asked(
    const struct render *rd, const json_t *asked, struct buf *b)
{
	const char *kind, *side, *text;

	side = json_string_value(json_object_get(asked, "side"));
	kind = json_string_value(json_object_get(asked, "kind"));
	if (side == NULL || kind == NULL)
		return (false);
	text = render_value_word(rd, "ask", kind, NULL);
	buf_printf(b, "The %s is asked %s", side, text != NULL ? text : kind);
	return (true);
}

/* The values that a member may have, one a line; units by name too. */
static void
render_question_choices(
    const struct render *rd, const json_t *list, struct buf *out)
{
	const char *id, *name;
	struct buf b;
	size_t i;

	for (i = 0; i < json_array_size(list); i++) {
		buf_init(&b, 0);
		id = json_string_value(json_array_get(list, i));
		if (id == NULL) {
			js_dump(json_array_get(list, i), &b);
		} else {
			name = render_value_name(rd, id);
			buf_puts(&b, id);
			if (name != id)
				buf_printf(&b, " = %s", name);
		}
		paragraph_flush(&b, 4, out);
	}
}

/* Adds what must be said of each element of an order. */
static void
render_question_each(const json_t *each, struct buf *b)
{
	json_t *o = (json_t *)(uintptr_t)each, *v; /* only read */
	const json_t *values;
	const char *name;
	size_t i;

	json_object_foreach(o, name, v)
	{
		buf_printf(b, ", with \"%s\": ", name);
		values = json_object_get(v, "one");
		for (i = 0; i < json_array_size(values); i++) {
			buf_puts(b, i > 0 ? " or " : "");
			js_dump(json_array_get(values, i), b);
		}
	}
}

/* How one member of a decision may be filled in. */
static void
render_question_option(const struct render *rd, const char *name,
    const json_t *option, struct buf *out)
{
	const json_t *list, *max, *min;
	const char *text;
	struct buf b;

	buf_init(&b, 0);
	buf_printf(&b, "%s: ", name);
	if ((list = json_object_get(option, "order")) != NULL) {
		buf_puts(&b, "all of these, each once, in the order wanted");
		render_question_each(json_object_get(option, "each"), &b);
	} else if ((list = json_object_get(option, "some")) != NULL) {
		min = json_object_get(option, "min");
		max = json_object_get(option, "max");
		if (min == NULL && max == NULL)
			buf_puts(&b, "any of these, or none");
		else
			buf_printf(&b,
			    "%" JSON_INTEGER_FORMAT " to %" JSON_INTEGER_FORMAT
			    " of these",
			    json_integer_value(min),
			    max == NULL ? (json_int_t)json_array_size(list)
					: json_integer_value(max));
	} else if ((list = json_object_get(option, "one")) != NULL) {
		buf_puts(&b, "one of these");
	} else if ((list = json_object_get(option, "int")) != NULL) {
		buf_printf(&b,
		    "a number from %" JSON_INTEGER_FORMAT
		    " to %" JSON_INTEGER_FORMAT,
		    json_integer_value(json_array_get(list, 0)),
		    json_integer_value(json_array_get(list, 1)));
		list = NULL;
	} else {
		text = json_string_value(json_object_get(option, "rule"));
		buf_printf(
		    &b, "as the rule \"%s\" says", text != NULL ? text : "");
		render_value_members(rd, option, "{rule}", "; ", &b);
	}
	paragraph_flush(&b, 2, out);
	render_question_choices(rd, list, out);
}

void
render_question(struct render *rd, const json_t *asked, struct buf *out)
{
	json_t *options = json_object_get(asked, "options"), *option;
	const char *kind, *name;
	struct buf b;

	buf_init(&b, 0);
	if (render_question_asked(rd, asked, &b)) {
		buf_putc(&b, '.');
		paragraph_flush(&b, 0, out);
	}
	buf_clear(&b);
	kind = json_string_value(json_object_get(asked, "kind"));
	if (kind != NULL)
		paragraph_printf(out, 2, "kind: %s", kind);
	json_object_foreach(options, name, option)
	    render_question_option(rd, name, option, out);
}
