/* SPDX-License-Identifier: ISC */
/*
 * The record's profile of JSON (record S3), checked on the bytes in one pass
 * with a stack of its own.  Keys are compared as decoded, sorted when their
 * object ends, so that a hostile document costs no more than n log n.  The
 * size of the text is not checked here but by whoever read it.
 */
#include "common/json/js_check.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/utf8.h"

#define JS_KEYS_FIRST 32 /* keys of the first allocation */

enum js_check_state {
	JS_VALUE, /* a value must come */
	JS_FIRST_VALUE, /* a value or the end of the array must come */
	JS_KEY, /* a key must come */
	JS_FIRST_KEY, /* a key or the end of the object must come */
	JS_AFTER_VALUE, /* a comma or the end of the container must come */
};

/* A key of an object that is still open. */
struct js_check_key {
	const char *s; /* decoded: in the text, or in js_check.decoded */
	size_t len;
	size_t pos; /* of its opening quote */
};

struct js_check_level {
	bool is_object;
	size_t first_key; /* index of the object's first key */
};

/* The state of a check. */
struct js_check {
	const char *text;
	size_t len;
	size_t pos;
	enum js_check_state state;
	unsigned depth;
	unsigned depth_max;
	struct js_check_level levels[JS_DEPTH_RPC];
	struct js_check_key *keys; /* of all open objects, innermost last */
	size_t n_keys;
	size_t cap_keys;
	char *decoded; /* keys that have escapes; never moves once made */
	size_t decoded_len;
	struct errinfo *e;
};

/* Reports that the text breaks the profile at byte pos. */
static int
js_check_fail(const struct js_check *sc, size_t pos, const char *what)
{
	char where[32];

	(void)snprintf(where, sizeof(where), "byte %zu", pos + 1);
	return (err_set(sc->e, ERR_MALFORMED, where, "%s", what));
}

/* Reports that the text ends within a value. */
static int
js_check_fail_end(const struct js_check *sc)
{
	return (js_check_fail(sc, sc->len, "the text ends too early"));
}

/* Reads the four digits of a \u escape whose u is at pos. */
static int
js_check_hex4(const struct js_check *sc, size_t pos, uint32_t *out)
{
	uint32_t v = 0;
	size_t i;
	char c;

	for (i = pos + 1; i <= pos + 4; i++) {
		if (i >= sc->len)
			return (js_check_fail_end(sc));
		c = sc->text[i];
		if (c >= '0' && c <= '9')
			v = v << 4 | (uint32_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			v = v << 4 | (uint32_t)(c - 'a' + 10);
		else if (c >= 'A' && c <= 'F')
			v = v << 4 | (uint32_t)(c - 'A' + 10);
		else
			return (
			    js_check_fail(sc, i, "\\u needs four hex digits"));
	}
	*out = v;
	return (0);
}

/* Reads a \u escape (or a pair of them) whose backslash is at sc->pos. */
static int
js_check_unicode(struct js_check *sc, uint32_t *cp)
{
	uint32_t hi, lo;
	size_t pos = sc->pos;
	int r;

	if ((r = js_check_hex4(sc, pos + 1, &hi)) != 0)
		return (r);
	if (hi == 0)
		return (js_check_fail(sc, pos, "U+0000 is not allowed"));
	sc->pos = pos + 6;
	*cp = hi;
	if (hi < 0xd800 || hi > 0xdfff)
		return (0);
	if (hi > 0xdbff || sc->len - sc->pos < 2 ||
	    memcmp(sc->text + sc->pos, "\\u", 2) != 0)
		return (js_check_fail(sc, pos, "unpaired surrogate"));
	if ((r = js_check_hex4(sc, sc->pos + 1, &lo)) != 0)
		return (r);
	if (lo < 0xdc00 || lo > 0xdfff)
		return (js_check_fail(sc, pos, "unpaired surrogate"));
	sc->pos += 6;
	*cp = 0x10000 + ((hi - 0xd800) << 10) + (lo - 0xdc00);
	return (0);
}

/* Reads the escape at sc->pos. */
static int
js_check_escape(struct js_check *sc, uint32_t *cp)
{
	static const char letters[] = "\"\\/bfnrt";
	static const char values[] = "\"\\/\b\f\n\r\t";
	const char *p;
	char c;

	if (sc->len - sc->pos < 2)
		return (js_check_fail_end(sc));
	c = sc->text[sc->pos + 1];
	if (c == 'u')
		return (js_check_unicode(sc, cp));
	if (c == '\0' || (p = strchr(letters, c)) == NULL)
		return (js_check_fail(sc, sc->pos, "unknown escape"));
	*cp = (unsigned char)values[p - letters];
	sc->pos += 2;
	return (0);
}

/*
 * Reads one character of a string, escaped or not, and says whether it was
 * escaped.
 */
static int
js_check_char(struct js_check *sc, uint32_t *cp, bool *escaped)
{
	size_t n;

	*escaped = sc->text[sc->pos] == '\\';
	if (*escaped)
		return (js_check_escape(sc, cp));
	if ((n = utf8_get(sc->text + sc->pos, sc->len - sc->pos, cp)) == 0)
		return (js_check_fail(sc, sc->pos, "not valid UTF-8"));
	if (*cp == 0)
		return (js_check_fail(sc, sc->pos, "U+0000 is not allowed"));
	if (*cp < 0x20)
		return (js_check_fail(
		    sc, sc->pos, "control character in a string"));
	sc->pos += n;
	return (0);
}

/*
 * Reads the string at sc->pos, which is a quote, and says whether it has
 * escapes.
 */
static int
js_check_string(struct js_check *sc, bool *has_escapes)
{
	bool escaped;
	uint32_t cp;
	int r;

	*has_escapes = false;
	for (sc->pos++; sc->pos < sc->len; *has_escapes |= escaped) {
		if (sc->text[sc->pos] == '"') {
			sc->pos++;
			return (0);
		}
		if ((r = js_check_char(sc, &cp, &escaped)) != 0)
			return (r);
	}
	return (js_check_fail_end(sc));
}

/* Decodes the string between the quotes at from and to into sc->decoded. */
static int
js_check_decode(
    struct js_check *sc, size_t from, size_t to, struct js_check_key *key)
{
	const size_t end = sc->pos;
	bool escaped;
	uint32_t cp;
	int r = 0;

	/* No escape is shorter than the character that it stands for. */
	if (sc->decoded == NULL && (sc->decoded = malloc(sc->len)) == NULL)
		return (ERR_NOMEM);
	key->s = sc->decoded + sc->decoded_len;
	sc->pos = from + 1;
	while (sc->pos < to && r == 0) {
		r = js_check_char(sc, &cp, &escaped);
		if (r == 0)
			sc->decoded_len +=
			    utf8_put(sc->decoded + sc->decoded_len, cp);
	}
	key->len = (size_t)(sc->decoded + sc->decoded_len - key->s);
	sc->pos = end;
	return (r);
}

/* Reads the key at sc->pos, its colon too, and keeps it. */
static int
js_check_keep_key(struct js_check *sc)
{
	struct js_check_key key = {.pos = sc->pos}, *keys;
	bool has_escapes;
	size_t cap;
	int r;

	if ((r = js_check_string(sc, &has_escapes)) != 0)
		return (r);
	key.s = sc->text + key.pos + 1;
	key.len = sc->pos - key.pos - 2;
	if (has_escapes &&
	    (r = js_check_decode(sc, key.pos, sc->pos - 1, &key)) != 0)
		return (r);
	if (sc->n_keys == sc->cap_keys) {
		cap = sc->cap_keys == 0 ? JS_KEYS_FIRST : 2 * sc->cap_keys;
		keys = realloc(sc->keys, cap * sizeof(*keys));
		if (keys == NULL)
			return (ERR_NOMEM);
		sc->keys = keys;
		sc->cap_keys = cap;
	}
	sc->keys[sc->n_keys++] = key;
	return (0);
}

/* Orders keys by length, bytes and place. */
static int
js_check_compare(const void *va, const void *vb)
{
	const struct js_check_key *a = va, *b = vb;
	int c;

	if (a->len != b->len)
		return (a->len < b->len ? -1 : 1);
	if ((c = memcmp(a->s, b->s, a->len)) != 0)
		return (c);
	return (a->pos < b->pos ? -1 : a->pos > b->pos);
}

/* Checks that the innermost object's keys differ, and forgets them. */
static int
js_check_close_object(struct js_check *sc)
{
	size_t first = sc->levels[sc->depth - 1].first_key, i;
	size_t n = sc->n_keys - first, pos = SIZE_MAX;
	struct js_check_key *keys;

	sc->n_keys = first;
	if (n < 2)
		return (0);
	keys = sc->keys + first;
	qsort(keys, n, sizeof(*keys), js_check_compare);
	for (i = 1; i < n; i++) {
		if (keys[i].len == keys[i - 1].len && keys[i].pos < pos &&
		    memcmp(keys[i].s, keys[i - 1].s, keys[i].len) == 0)
			pos = keys[i].pos;
	}
	if (pos == SIZE_MAX)
		return (0);
	return (js_check_fail(sc, pos, "duplicate key"));
}

/* Reads the number at sc->pos, a digit or a minus sign. */
static int
js_check_number(struct js_check *sc)
{
	size_t start = sc->pos, digits;
	int64_t v = 0;
	char c;

	if (sc->text[sc->pos] == '-')
		sc->pos++;
	for (digits = sc->pos; sc->pos < sc->len; sc->pos++) {
		c = sc->text[sc->pos];
		if (c < '0' || c > '9')
			break;
		v = 10 * v + (c - '0');
		if (v > JS_INT_MAX)
			return (js_check_fail(
			    sc, start, "number of magnitude over 2^53 - 1"));
	}
	if (sc->pos == digits)
		return (sc->pos == sc->len
			? js_check_fail_end(sc)
			: js_check_fail(sc, sc->pos, "digit expected"));
	if (sc->text[digits] == '0' && sc->pos - digits > 1)
		return (js_check_fail(sc, start, "number with leading zero"));
	if (sc->pos < sc->len && strchr(".eE", sc->text[sc->pos]) != NULL &&
	    sc->text[sc->pos] != '\0')
		return (js_check_fail(sc, start, "number is not an integer"));
	if (v == 0 && digits > start)
		return (js_check_fail(sc, start, "-0 is not allowed"));
	return (0);
}

/* Reads true, false or null at sc->pos. */
static int
js_check_word(struct js_check *sc)
{
	static const char *const words[] = {"true", "false", "null"};
	size_t i, n, left = sc->len - sc->pos;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		n = strlen(words[i]);
		if (memcmp(sc->text + sc->pos, words[i], n < left ? n : left) !=
		    0)
			continue;
		if (left < n)
			return (js_check_fail_end(sc));
		sc->pos += n;
		return (0);
	}
	return (js_check_fail(sc, sc->pos, "value expected"));
}

/* Enters the object or array at sc->pos. */
static int
js_check_open(struct js_check *sc, bool is_object)
{
	if (sc->depth == sc->depth_max)
		return (js_check_fail(sc, sc->pos, "nested too deeply"));
	sc->levels[sc->depth++] =
	    (struct js_check_level){is_object, sc->n_keys};
	sc->state = is_object ? JS_FIRST_KEY : JS_FIRST_VALUE;
	sc->pos++;
	return (0);
}

/* Leaves the innermost object or array, whose end is at sc->pos. */
static int
js_check_close(struct js_check *sc)
{
	int r;

	if (sc->levels[sc->depth - 1].is_object &&
	    (r = js_check_close_object(sc)) != 0)
		return (r);
	sc->depth--;
	sc->state = JS_AFTER_VALUE;
	sc->pos++;
	return (0);
}

/* Reads a value at sc->pos, or enters it. */
static int
js_check_value(struct js_check *sc)
{
	bool has_escapes;
	char c = sc->text[sc->pos];

	if (c == '{' || c == '[')
		return (js_check_open(sc, c == '{'));
	sc->state = JS_AFTER_VALUE;
	if (c == '"')
		return (js_check_string(sc, &has_escapes));
	if (c == '-' || (c >= '0' && c <= '9'))
		return (js_check_number(sc));
	return (js_check_word(sc));
}

/* Moves on to the next byte that is no white space. */
static void
js_check_space(struct js_check *sc)
{
	while (sc->pos < sc->len &&
	    (sc->text[sc->pos] == ' ' || sc->text[sc->pos] == '\t' ||
		sc->text[sc->pos] == '\n' || sc->text[sc->pos] == '\r'))
		sc->pos++;
}

/* Reads a key at sc->pos and the colon after it. */
static int
js_check_member(struct js_check *sc)
{
	int r;

	if (sc->text[sc->pos] != '"')
		return (js_check_fail(sc, sc->pos, "key expected"));
	if ((r = js_check_keep_key(sc)) != 0)
		return (r);
	js_check_space(sc);
	if (sc->pos == sc->len)
		return (js_check_fail_end(sc));
	if (sc->text[sc->pos] != ':')
		return (js_check_fail(sc, sc->pos, "colon expected"));
	sc->pos++;
	sc->state = JS_VALUE;
	return (0);
}

/* Reads what stands after a value within an object or array. */
static int
js_check_after(struct js_check *sc)
{
	bool is_object = sc->levels[sc->depth - 1].is_object;
	char c = sc->text[sc->pos];

	if (c == (is_object ? '}' : ']'))
		return (js_check_close(sc));
	if (c != ',')
		return (js_check_fail(sc, sc->pos,
		    is_object ? "comma or } expected" : "comma or ] expected"));
	sc->state = is_object ? JS_KEY : JS_VALUE;
	sc->pos++;
	return (0);
}

/* Reads the next piece, at sc->pos, by what may stand there. */
static int
js_check_step(struct js_check *sc)
{
	char c = sc->text[sc->pos];

	switch (sc->state) {
	case JS_FIRST_VALUE:
		return (c == ']' ? js_check_close(sc) : js_check_value(sc));
	case JS_VALUE:
		return (js_check_value(sc));
	case JS_FIRST_KEY:
		return (c == '}' ? js_check_close(sc) : js_check_member(sc));
	case JS_KEY:
		return (js_check_member(sc));
	case JS_AFTER_VALUE:
		break;
	}
	return (js_check_after(sc));
}

int
js_check(const char *text, size_t len, unsigned depth, struct errinfo *e)
{
	struct js_check sc = {.text = text, .len = len, .depth_max = depth};
	int r = 0;

	assert(depth <= JS_DEPTH_RPC);
	sc.e = e;
	sc.state = JS_VALUE;
	if (len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
		return (js_check_fail(&sc, 0, "byte order mark"));
	do {
		js_check_space(&sc);
		if (sc.pos == sc.len)
			r = js_check_fail_end(&sc);
		else
			r = js_check_step(&sc);
	} while (r == 0 && (sc.depth > 0 || sc.state != JS_AFTER_VALUE));
	if (r == 0) {
		js_check_space(&sc);
		if (sc.pos < sc.len)
			r = js_check_fail(
			    &sc, sc.pos, "something stands after the value");
	}
	free(sc.keys);
	free(sc.decoded);
	if (r == ERR_NOMEM)
		(void)err_set(e, r, NULL, "%s", err_text(r));
	return (r);
}
