/* SPDX-License-Identifier: ISC */
/*
 * Places in words.  Where the text of an error begins with a verb its place is
 * the subject, else it is a sentence, and only a place of several steps tells
 * more than that.
 */
#include "client/base/place.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "common/base/buf.h"

#define PLACE_CHARS "abcdefghijklmnopqrstuvwxyz0123456789_.[]"

/* The words of an error. */
static const char *
place_text(int r, const struct errinfo *e)
{
	return (e->text[0] == '\0' ? err_text(r) : e->text);
}

/* True for a text that says something of its place. */
static bool
place_is_subject(const char *text)
{
	static const char *const verbs[] = {"are ", "can ", "cannot ", "does ",
	    "has ", "have ", "holds ", "is ", "may ", "must ", "names ",
	    "needs ", "takes ", "wants ", "was ", NULL};
	size_t i;

	for (i = 0; verbs[i] != NULL; i++) {
		if (strncmp(text, verbs[i], strlen(verbs[i])) == 0)
			return (true);
	}
	return (false);
}

/*
 * Appends "unit 3" for units[2], or what the unit is called: by its name and
 * id, as far as it has them; v is units, or NULL.
 */
static void
place_element(
    struct buf *b, const char *name, size_t n, size_t i, const json_t *v)
{
	const json_t *unit = json_array_get(v, i);
	const char *id = json_string_value(json_object_get(unit, "id"));
	const char *called = json_string_value(json_object_get(unit, "name"));

	if (id != NULL && called != NULL)
		buf_printf(b, "%s (%s)", called, id);
	else if (id != NULL)
		buf_puts(b, id);
	else if (n > 1 && name[n - 1] == 's')
		buf_printf(b, "%.*s %zu", (int)n - 1, name, i + 1);
	else
		buf_printf(b, "number %zu of %.*s", i + 1, (int)n, name);
}

/*
 * The steps of a path from the last to the first, "the strength of unit 1 of
 * side 1"; *steps is how many there are.  free().
 */
static char *
place_words(const char *where, const json_t *of, size_t *steps)
{
	char *words = xalloc_str(""), *step, *longer, *name;
	const char *p = where;
	struct buf b;
	size_t n;

	for (*steps = 0; *p != '\0'; ++*steps) {
		buf_init(&b, 0);
		n = strcspn(p, ".[");
		name = xalloc_strn(p, n);
		of = json_object_get(of, name);
		if (p[n] == '[') {
			place_element(
			    &b, name, n, strtoul(p + n + 1, NULL, 10), of);
			of = json_array_get(of, strtoul(p + n + 1, NULL, 10));
			n += strcspn(p + n, "]");
			n += p[n] == ']' ? 1 : 0;
		} else if (strcmp(name, "sides") == 0 && p[n] == '.') {
			p += n + 1;
			n = strcspn(p, ".[");
			buf_printf(&b, "side %.*s", (int)n, p);
		} else {
			/* A verb is no thing that could be wrong. */
			buf_printf(&b, "the %s",
			    strcmp(name, "do") == 0 ? "order" : name);
		}
		free(name);
		step = xalloc_take(&b);
		longer = *steps == 0 ? xalloc_str(step)
				     : xalloc_printf("%s of %s", step, words);
		free(step);
		free(words);
		words = longer;
		p += n;
		p += strspn(p, ".");
	}
	return (words);
}

char *
place_error(int r, const struct errinfo *e, const json_t *of)
{
	/* Nobody typed the request, or the order in it. */
	static const char *const untyped[] = {
	    "params.", "order.", "order ", "args.", "open.text."};
	const char *text = place_text(r, e), *where = e->where;
	char *words, *s;
	size_t steps, i, n;

	for (i = 0; i < sizeof(untyped) / sizeof(untyped[0]); i++) {
		n = strlen(untyped[i]);
		if (strncmp(where, untyped[i], n) == 0)
			where += n;
	}

	if (*where == '\0')
		return (xalloc_str(text));
	/* It is no path: "line 4", the name of a file. */
	if (where[strspn(where, PLACE_CHARS)] != '\0')
		return (xalloc_printf("%s: %s", where, text));
	words = place_words(where, of, &steps);
	if (*text == '"') /* what is wrong stands there */
		s = xalloc_str(text);
	else if (place_is_subject(text))
		s = xalloc_printf("%s %s", words, text);
	else if (steps == 1 && strchr(where, '[') == NULL)
		s = xalloc_str(text);
	else
		s = xalloc_printf("%s: %s",
		    strncmp(words, "the ", 4) == 0 ? words + 4 : words, text);
	free(words);
	return (s);
}

char *
place_file(const char *path)
{
	return (strcmp(path, "-") == 0 ? xalloc_str("standard input")
				       : xalloc_printf("'%s'", path));
}

char *
place_in_file(const char *path, int r, const struct errinfo *e)
{
	const char *name = strcmp(path, "-") == 0 ? "standard input" : path;

	if (e->where[0] == '\0')
		return (xalloc_printf("in %s: %s", name, place_text(r, e)));
	return (
	    xalloc_printf("in %s at %s: %s", name, e->where, place_text(r, e)));
}
