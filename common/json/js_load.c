/* SPDX-License-Identifier: ISC */
/*
 * The record's profile of JSON (record S3), read in one pass over the bytes
 * with a stack of its own.  jansson's own parser is not used: when an
 * allocation fails inside a string or a number it drops a byte and goes on,
 * and a shorter string is another string.  Here each allocation is looked at.
 * The caller, who read the text, has checked its size.
 */
#include "common/json/js_load.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/utf8.h"

enum js_load_state {
	JS_VALUE, /* a value must come */
	JS_FIRST_VALUE, /* a value or the end of the array must come */
	JS_KEY, /* a key must come */
	JS_FIRST_KEY, /* a key or the end of the object must come */
	JS_AFTER_VALUE, /* a comma or the end of the container must come */
};

/* An object or array that is still open. */
struct js_load_level {
	json_t *v; /* borrowed from the root */
	size_t twice; /* place of the first key that was there; 0: none */
};

/* A text on its way. */
struct js_load {
	const char *text;
	size_t len;
	size_t pos;
	enum js_load_state state;
	json_t *root; /* owned; NULL before the first value */
	struct js_load_level levels[JS_DEPTH_RPC];
	unsigned depth;
	unsigned depth_max;
	char *decoded; /* a key, and behind it a string; never moves */
	size_t key_len; /* of the key that waits for its value */
	size_t key_pos; /* of its opening quote */
	struct errinfo *e;
};

/* Reports that the text breaks the profile at byte pos. */
static int
js_load_fail(const struct js_load *ld, size_t pos, const char *what)
{
	char where[32];

	(void)snprintf(where, sizeof(where), "byte %zu", pos + 1);
	return (err_set(ld->e, ERR_MALFORMED, where, "%s", what));
}

/* Reports that the text ends within a value. */
static int
js_load_fail_end(const struct js_load *ld)
{
	return (js_load_fail(ld, ld->len, "the text ends too early"));
}

/* Reads the four digits of a \u escape whose u is at pos. */
static int
js_load_hex4(const struct js_load *ld, size_t pos, uint32_t *out)
{
	uint32_t v = 0;
	size_t i;
	char c;

	for (i = pos + 1; i <= pos + 4; i++) {
		if (i >= ld->len)
			return (js_load_fail_end(ld));
		c = ld->text[i];
		if (c >= '0' && c <= '9')
			v = v << 4 | (uint32_t)(c - '0');
		else if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))
			v = v << 4 | (uint32_t)((c | 0x20) - 'a' + 10);
		else
			return (
			    js_load_fail(ld, i, "\\u needs four hex digits"));
	}
	*out = v;
	return (0);
}

/* Reads the escape, of \u a pair, too, whose backslash is at ld->pos. */
static int
js_load_escape(struct js_load *ld, uint32_t *cp)
{
	static const char letters[] = "\"\\/bfnrt";
	static const char values[] = "\"\\/\b\f\n\r\t";
	const size_t pos = ld->pos;
	uint32_t hi, lo;
	const char *p;
	char c;
	int r;

	if (ld->len - pos < 2)
		return (js_load_fail_end(ld));
	c = ld->text[pos + 1];
	ld->pos += 2;
	if (c != 'u') {
		if (c == '\0' || (p = strchr(letters, c)) == NULL)
			return (js_load_fail(ld, pos, "unknown escape"));
		*cp = (unsigned char)values[p - letters];
		return (0);
	}
	if ((r = js_load_hex4(ld, pos + 1, &hi)) != 0)
		return (r);
	if (hi == 0)
		return (js_load_fail(ld, pos, "U+0000 is not allowed"));
	ld->pos += 4;
	*cp = hi;
	if (hi < 0xd800 || hi > 0xdfff)
		return (0);
	if (hi > 0xdbff || ld->len - ld->pos < 2 ||
	    memcmp(ld->text + ld->pos, "\\u", 2) != 0)
		return (js_load_fail(ld, pos, "unpaired surrogate"));
	if ((r = js_load_hex4(ld, ld->pos + 1, &lo)) != 0)
		return (r);
	if (lo < 0xdc00 || lo > 0xdfff)
		return (js_load_fail(ld, pos, "unpaired surrogate"));
	ld->pos += 6;
	*cp = 0x10000 + ((hi - 0xd800) << 10) + (lo - 0xdc00);
	return (0);
}

/*
 * Reads the string whose quote is at ld->pos, decodes it to out, and gives
 * its length.  No escape is shorter than the character that it stands for.
 */
static int
js_load_string(struct js_load *ld, char *out, size_t *len)
{
	size_t n = 0, size;
	uint32_t cp;
	int r;
	char c;

	for (ld->pos++; ld->pos < ld->len;) {
		c = ld->text[ld->pos];
		if (c == '"') {
			ld->pos++;
			*len = n;
			return (0);
		}
		if (c == '\\') {
			if ((r = js_load_escape(ld, &cp)) != 0)
				return (r);
			n += utf8_put(out + n, cp);
		} else if ((signed char)c >= 0x20) {
			out[n++] = c;
			ld->pos++;
		} else {
			size = utf8_get(
			    ld->text + ld->pos, ld->len - ld->pos, &cp);
			if (size == 0 || cp < 0x20)
				return (js_load_fail(ld, ld->pos,
				    size == 0     ? "not valid UTF-8"
					: cp == 0 ? "U+0000 is not allowed"
						  : "control character in a "
						    "string"));
			memcpy(out + n, ld->text + ld->pos, size);
			n += size;
			ld->pos += size;
		}
	}
	return (js_load_fail_end(ld));
}

/* Reads the number at ld->pos, a digit or a minus sign. */
static int
js_load_number(struct js_load *ld, json_int_t *out)
{
	const size_t start = ld->pos;
	const bool is_negative = ld->text[start] == '-';
	const size_t digits = start + (is_negative ? 1 : 0);
	json_int_t v = 0;
	char c;

	for (ld->pos = digits; ld->pos < ld->len; ld->pos++) {
		c = ld->text[ld->pos];
		if (c < '0' || c > '9')
			break;
		v = 10 * v + (c - '0');
		if (v > JS_INT_MAX)
			return (js_load_fail(
			    ld, start, "number of magnitude over 2^53 - 1"));
	}
	if (ld->pos == digits)
		return (ld->pos == ld->len
			? js_load_fail_end(ld)
			: js_load_fail(ld, ld->pos, "digit expected"));
	if (ld->text[digits] == '0' && ld->pos - digits > 1)
		return (js_load_fail(ld, start, "number with leading zero"));
	if (ld->pos < ld->len && strchr(".eE", ld->text[ld->pos]) != NULL &&
	    ld->text[ld->pos] != '\0')
		return (js_load_fail(ld, start, "number is not an integer"));
	if (v == 0 && is_negative)
		return (js_load_fail(ld, start, "-0 is not allowed"));
	*out = is_negative ? -v : v;
	return (0);
}

/* Reads true, false or null at ld->pos. */
static int
js_load_word(struct js_load *ld, json_t **v)
{
	static const char *const words[] = {"true", "false", "null"};
	const size_t left = ld->len - ld->pos;
	size_t i, n;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		n = strlen(words[i]);
		if (memcmp(ld->text + ld->pos, words[i], n < left ? n : left) !=
		    0)
			continue;
		if (left < n)
			return (js_load_fail_end(ld));
		ld->pos += n;
		*v = i == 0 ? json_true() : i == 1 ? json_false() : json_null();
		return (0);
	}
	return (js_load_fail(ld, ld->pos, "value expected"));
}

/* Adds a value, which it takes over, where it stands. */
static int
js_load_add(struct js_load *ld, json_t *v)
{
	struct js_load_level *up;
	size_t n;

	if (ld->depth == 0) {
		ld->root = v;
		return (0);
	}
	up = &ld->levels[ld->depth - 1];
	if (json_is_array(up->v))
		return (json_array_append_new(up->v, v) == 0 ? 0 : ERR_NOMEM);
	n = json_object_size(up->v);
	if (json_object_setn_new_nocheck(up->v, ld->decoded, ld->key_len, v) !=
	    0)
		return (ERR_NOMEM);
	if (json_object_size(up->v) == n && up->twice == 0)
		up->twice = ld->key_pos;
	return (0);
}

/* Reads a value at ld->pos, or enters it. */
static int
js_load_value(struct js_load *ld)
{
	const char c = ld->text[ld->pos];
	char *s = ld->decoded + ld->key_len;
	json_t *v = NULL;
	json_int_t i = 0;
	size_t n = 0;
	int r = 0;

	ld->state = JS_AFTER_VALUE;
	if (c == '{' || c == '[') {
		if (ld->depth == ld->depth_max)
			return (js_load_fail(ld, ld->pos, "nested too deeply"));
		ld->state = c == '{' ? JS_FIRST_KEY : JS_FIRST_VALUE;
		ld->pos++;
		v = c == '{' ? json_object() : json_array();
	} else if (c == '"') {
		if ((r = js_load_string(ld, s, &n)) == 0)
			v = json_stringn_nocheck(s, n);
	} else if (c == '-' || (c >= '0' && c <= '9')) {
		if ((r = js_load_number(ld, &i)) == 0)
			v = json_integer(i);
	} else {
		r = js_load_word(ld, &v);
	}
	if (r == 0)
		r = v == NULL ? ERR_NOMEM : js_load_add(ld, v);
	if (r == 0 && ld->state != JS_AFTER_VALUE)
		ld->levels[ld->depth++] = (struct js_load_level){.v = v};
	return (r);
}

/* Moves on to the next byte that is not white space. */
static void
js_load_space(struct js_load *ld)
{
	while (ld->pos < ld->len &&
	    (ld->text[ld->pos] == ' ' || ld->text[ld->pos] == '\t' ||
		ld->text[ld->pos] == '\n' || ld->text[ld->pos] == '\r'))
		ld->pos++;
}

/* Reads a key at ld->pos and the colon after it. */
static int
js_load_key(struct js_load *ld)
{
	int r;

	if (ld->text[ld->pos] != '"')
		return (js_load_fail(ld, ld->pos, "key expected"));
	ld->key_pos = ld->pos;
	if ((r = js_load_string(ld, ld->decoded, &ld->key_len)) != 0)
		return (r);
	js_load_space(ld);
	if (ld->pos == ld->len)
		return (js_load_fail_end(ld));
	if (ld->text[ld->pos] != ':')
		return (js_load_fail(ld, ld->pos, "colon expected"));
	ld->pos++;
	ld->state = JS_VALUE;
	return (0);
}

/* Reads the next piece, at ld->pos, by what may be there. */
static int
js_load_step(struct js_load *ld)
{
	const char c = ld->text[ld->pos];
	const struct js_load_level *up;
	bool is_object;

	if (ld->state == JS_VALUE || (ld->state == JS_FIRST_VALUE && c != ']'))
		return (js_load_value(ld));
	if (ld->state == JS_KEY || (ld->state == JS_FIRST_KEY && c != '}'))
		return (js_load_key(ld));
	/* After a value, or at the end of what is empty. */
	up = &ld->levels[ld->depth - 1];
	is_object = json_is_object(up->v);
	if (c == (is_object ? '}' : ']')) {
		if (up->twice > 0)
			return (js_load_fail(ld, up->twice, "duplicate key"));
		ld->depth--;
		ld->state = JS_AFTER_VALUE;
	} else if (c == ',') {
		ld->state = is_object ? JS_KEY : JS_VALUE;
	} else {
		return (js_load_fail(ld, ld->pos,
		    is_object ? "comma or } expected" : "comma or ] expected"));
	}
	ld->pos++;
	return (0);
}

int
js_load(const char *text, size_t len, unsigned depth, json_t **out,
    struct errinfo *e)
{
	struct js_load ld = {.text = text, .len = len, .depth_max = depth};
	int r = 0;

	assert(depth <= JS_DEPTH_RPC);
	ld.e = e;
	if (len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
		return (js_load_fail(&ld, 0, "byte order mark"));
	if ((ld.decoded = malloc(len + 1)) == NULL)
		r = ERR_NOMEM;
	while (r == 0 && (ld.depth > 0 || ld.state != JS_AFTER_VALUE)) {
		js_load_space(&ld);
		r = ld.pos == len ? js_load_fail_end(&ld) : js_load_step(&ld);
	}
	if (r == 0) {
		js_load_space(&ld);
		if (ld.pos < len)
			r = js_load_fail(
			    &ld, ld.pos, "something stands after the value");
	}
	free(ld.decoded);
	if (r != 0)
		json_decref(ld.root);
	else
		*out = ld.root;
	if (r == ERR_NOMEM)
		(void)err_set(e, r, NULL, "out of memory");
	return (r);
}
