/* SPDX-License-Identifier: ISC */
/*
 * Builds the value of a text that js_check() has accepted.  jansson's own
 * parser is not used: when an allocation fails inside a string or a number it
 * drops a byte and goes on, and a shorter string is another string.  Here
 * each allocation is looked at.
 */
#include "common/json/js_load.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/utf8.h"
#include "common/json/js_check.h"

/* A text on its way; js_check() says that it is well formed. */
struct js_load {
	const char *text;
	size_t len;
	size_t pos;
	char *scratch; /* a key and a string, decoded; never moves */
	json_t *root; /* owned; NULL before the first value */
	json_t *levels[JS_DEPTH_RPC]; /* open containers, borrowed from root */
	unsigned depth;
};

/* The byte at the present place; 0, which no text holds, at its end. */
static char
js_load_peek(const struct js_load *ld)
{
	return (ld->pos < ld->len ? ld->text[ld->pos] : '\0');
}

/* Reads four hex digits. */
static uint32_t
js_load_hex4(const char *digits)
{
	uint32_t v = 0;
	int i;
	char c;

	for (i = 0; i < 4; i++) {
		c = digits[i];
		v = v << 4 |
		    (uint32_t)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
	}
	return (v);
}

/* Reads the escape at the present place and writes what it stands for. */
static size_t
js_load_escape(struct js_load *ld, char *out)
{
	static const char letters[] = "\"\\/bfnrt";
	static const char values[] = "\"\\/\b\f\n\r\t";
	const char c = ld->text[ld->pos + 1], *p;
	uint32_t cp;

	ld->pos += 2;
	if (c != 'u') {
		p = strchr(letters, c);
		assert(p != NULL);
		*out = values[p - letters];
		return (1);
	}
	cp = js_load_hex4(ld->text + ld->pos);
	ld->pos += 4;
	if (cp >= 0xd800 && cp <= 0xdbff) {
		/* The other half follows as \uXXXX. */
		cp = 0x10000 + ((cp - 0xd800) << 10) +
		    (js_load_hex4(ld->text + ld->pos + 2) - 0xdc00);
		ld->pos += 6;
	}
	return (utf8_put(out, cp));
}

/*
 * Decodes the string whose quote is at the present place to out, terminated,
 * and goes on behind it; gives its length.  No escape is shorter than the
 * character that it stands for.
 */
static size_t
js_load_string(struct js_load *ld, char *out)
{
	size_t n = 0;

	for (ld->pos++; ld->text[ld->pos] != '"';) {
		if (ld->text[ld->pos] == '\\')
			n += js_load_escape(ld, out + n);
		else
			out[n++] = ld->text[ld->pos++];
	}
	ld->pos++;
	out[n] = '\0';
	return (n);
}

/* Reads the integer at the present place, which fits. */
static json_t *
js_load_integer(struct js_load *ld)
{
	const bool is_negative = ld->text[ld->pos] == '-';
	json_int_t v = 0;
	char c;

	if (is_negative)
		ld->pos++;
	while ((c = js_load_peek(ld)) >= '0' && c <= '9') {
		v = 10 * v + (c - '0');
		ld->pos++;
	}
	return (json_integer(is_negative ? -v : v));
}

/* Makes the value at the present place; a container is still empty. */
static json_t *
js_load_value(struct js_load *ld, char *scratch)
{
	size_t n;

	switch (ld->text[ld->pos]) {
	case '{':
		ld->pos++;
		return (json_object());
	case '[':
		ld->pos++;
		return (json_array());
	case '"':
		n = js_load_string(ld, scratch);
		return (json_stringn_nocheck(scratch, n));
	case 't':
		ld->pos += strlen("true");
		return (json_true());
	case 'f':
		ld->pos += strlen("false");
		return (json_false());
	case 'n':
		ld->pos += strlen("null");
		return (json_null());
	default:
		return (js_load_integer(ld));
	}
}

/* Goes on to the next byte that is neither white space nor also. */
static void
js_load_skip(struct js_load *ld, char also)
{
	char c;

	while ((c = js_load_peek(ld)) == ' ' || c == '\t' || c == '\n' ||
	    c == '\r' || c == also)
		ld->pos++;
}

/* Adds the next value to the innermost container, or makes it the root. */
static int
js_load_add(struct js_load *ld)
{
	json_t *v, *up = ld->depth == 0 ? NULL : ld->levels[ld->depth - 1];
	char *scratch = ld->scratch;
	int rc = 0;

	if (json_is_object(up)) {
		/* The value's own text goes behind the key. */
		scratch += js_load_string(ld, scratch) + 1;
		js_load_skip(ld, ':');
	}
	if ((v = js_load_value(ld, scratch)) == NULL)
		return (ERR_NOMEM);
	if (up == NULL)
		ld->root = v;
	else if (json_is_object(up))
		rc = json_object_set_new_nocheck(up, ld->scratch, v);
	else
		rc = json_array_append_new(up, v);
	if (rc != 0)
		return (ERR_NOMEM);
	if (json_is_object(v) || json_is_array(v)) {
		assert(ld->depth < JS_DEPTH_RPC);
		ld->levels[ld->depth++] = v;
	}
	return (0);
}

/* Builds the whole value. */
static int
js_load_all(struct js_load *ld)
{
	int r;

	do {
		js_load_skip(ld, ',');
		if (js_load_peek(ld) == '}' || js_load_peek(ld) == ']') {
			ld->pos++;
			ld->depth--;
		} else if ((r = js_load_add(ld)) != 0) {
			return (r);
		}
	} while (ld->depth > 0);
	return (0);
}

int
js_load(const char *text, size_t len, unsigned depth, json_t **out,
    struct errinfo *e)
{
	struct js_load ld = {.text = text, .len = len};
	int r;

	if ((r = js_check(text, len, depth, e)) != 0)
		return (r);
	/* A key with its end and a string with its own are within the text. */
	if ((ld.scratch = malloc(len + 2)) == NULL)
		return (err_set(e, ERR_NOMEM, NULL, "out of memory"));
	r = js_load_all(&ld);
	free(ld.scratch);
	if (r != 0) {
		json_decref(ld.root);
		return (err_set(e, r, NULL, "out of memory"));
	}
	*out = ld.root;
	return (0);
}
