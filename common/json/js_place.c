/* SPDX-License-Identifier: ISC */
/*
 * Places in a text of JSON.  Values keep none, so that the text is read once
 * more for each error, along the path only: what is beside it is passed over
 * by its quotes and brackets.  Nothing here fails; a text that is no JSON has
 * places, too, if perhaps no good ones.
 */
#include "common/json/js_place.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/err.h"
#include "common/base/utf8.h"
#include "common/json/js.h"

/* A text that is read, and how far. */
struct js_place_scan {
	const char *text;
	size_t len;
	size_t pos;
};

void
js_place_byte(const char *text, size_t len, size_t byte, struct js_place *out)
{
	size_t pos = 0, size;
	uint32_t cp;

	out->line = out->column = 1;
	while (pos < byte && pos < len) {
		out->column++;
		if (text[pos] == '\n') {
			out->line++;
			out->column = 1;
		}
		size = utf8_get(text + pos, len - pos, &cp);
		pos += size == 0 ? 1 : size;
	}
}

/* The character that comes, '\0' at the end. */
static char
js_place_peek(const struct js_place_scan *s)
{
	return (s->pos < s->len ? s->text[s->pos] : '\0');
}

/* Passes over white space, and over one comma or colon in it. */
static void
js_place_gap(struct js_place_scan *s)
{
	while (s->pos < s->len &&
	    strchr(" \t\r\n,:", s->text[s->pos]) != NULL &&
	    s->text[s->pos] != '\0')
		s->pos++;
}

/* Passes over a string, whose quote comes. */
static void
js_place_string(struct js_place_scan *s)
{
	for (s->pos++; s->pos < s->len && s->text[s->pos] != '"'; s->pos++) {
		if (s->text[s->pos] == '\\')
			s->pos++;
	}
	s->pos = s->pos < s->len ? s->pos + 1 : s->len;
}

/* Passes over a value, at its first character. */
static void
js_place_value(struct js_place_scan *s)
{
	size_t depth = 0;
	char c;

	do {
		if ((c = js_place_peek(s)) == '"') {
			js_place_string(s);
			continue;
		}
		if (c == '{' || c == '[')
			depth++;
		else if ((c == '}' || c == ']') && depth > 0)
			depth--;
		s->pos++;
		/* A number or a word goes on up to what ends it. */
		while (depth == 0 && c != '}' && c != ']' && s->pos < s->len &&
		    strchr(" \t\r\n,:]}", s->text[s->pos]) == NULL)
			s->pos++;
	} while (depth > 0 && s->pos < s->len);
}

/*
 * How much of a path its first name takes, if it is the key that comes, quotes
 * and all, in n bytes; 0 if it is not.  A key may hold dots and brackets.
 */
static size_t
js_place_match(const char *key, size_t n, const char *path)
{
	json_t *v = NULL;
	const char *name;
	size_t len;

	if (js_load(key, n, JS_DEPTH_RECORD, &v, NULL) != 0)
		return (0);
	name = json_string_value(v);
	len = name == NULL ? 0 : strlen(name);
	if (len == 0 || strncmp(name, path, len) != 0 ||
	    strchr(".[", path[len]) == NULL)
		len = 0;
	json_decref(v);
	return (len);
}

/*
 * Goes on to the value of the member of an object that a path begins with:
 * *key is where its name is.  Returns how much of the path that is; 0 if there
 * is no such member.
 */
static size_t
js_place_member(struct js_place_scan *s, const char *path, size_t *key)
{
	size_t n;

	s->pos++;
	for (;;) {
		js_place_gap(s);
		if (js_place_peek(s) != '"')
			return (0);
		*key = s->pos;
		js_place_string(s);
		n = js_place_match(s->text + *key, s->pos - *key, path);
		js_place_gap(s);
		if (n > 0 || s->pos >= s->len)
			return (n);
		js_place_value(s);
	}
}

/* The same for the element of an array, "[3]". */
static size_t
js_place_element(struct js_place_scan *s, const char *path)
{
	char *end;
	size_t i;

	i = strtoul(path + 1, &end, 10);
	s->pos++;
	for (;;) {
		js_place_gap(s);
		if (s->pos >= s->len || js_place_peek(s) == ']' || *end != ']')
			return (0);
		if (i-- == 0)
			return ((size_t)(end - path) + 1);
		js_place_value(s);
	}
}

/* Finds the byte that a path leads to. */
static size_t
js_place_path(const char *text, size_t len, const char *path, bool is_name)
{
	struct js_place_scan s = {text, len, 0};
	size_t at, n, key = 0;

	js_place_gap(&s);
	for (at = s.pos; *path != '\0'; path += n) {
		n = 0;
		key = 0;
		path += *path == '.' ? 1 : 0;
		if (js_place_peek(&s) == '{')
			n = js_place_member(&s, path, &key);
		else if (js_place_peek(&s) == '[' && *path == '[')
			n = js_place_element(&s, path);
		if (n == 0)
			return (at);
		at = s.pos;
	}
	return (is_name && key > 0 ? key : at);
}

void
js_place_find(const char *text, size_t len, const struct errinfo *e,
    bool is_name, struct js_place *out)
{
	size_t byte;

	if (sscanf(e->where, "byte %zu", &byte) == 1 && byte > 0)
		byte--;
	else
		byte = js_place_path(text, len, e->where, is_name);
	js_place_byte(text, len, byte, out);
}
