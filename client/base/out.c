/* SPDX-License-Identifier: ISC */
/*
 * Output for people and for programs.  Nothing reaches the terminal but
 * through here: control characters and those that hide text or change its
 * direction are replaced, in JSON escaped, whoever wrote them and whoever
 * calls.  The escape sequences of colours are added after that.
 */
#include "client/base/out.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/utf8.h"

#define OUT_BOLD "\033[1m"
#define OUT_RED "\033[31m"
#define OUT_NORMAL "\033[0m"

/* The columns that n bytes of clean text take. */
static int
out_columns(const struct out *o, const char *s, size_t n)
{
	int w = 0;

	if (o->columns != NULL)
		return (o->columns(s, n));
	for (; n > 0; n--, s++)
		w += (*s & 0xc0) != 0x80;
	return (w);
}

/*
 * The bytes of s that stay on one line: a word, with the rest of what it has
 * in backquotes.  Where is_free, nothing stands before s but what sets it off:
 * a command that begins there stays whole, too, up to the end of its sentence.
 */
static size_t
out_word(const char *s, bool is_free)
{
	size_t n = 0, m;

	if (is_free && strncmp(s, "umpire ", 7) == 0) {
		for (n = 7; strchr(";\n", s[n]) == NULL; n++) {
			if (s[n] == ',' && strchr(" \n", s[n + 1]) != NULL)
				break;
		}
		while (s[n - 1] == ' ')
			n--;
	}
	for (; strchr(" \n", s[n]) == NULL; n++) {
		if (s[n] != '`')
			continue;
		m = 1 + strcspn(s + n + 1, "`\n");
		if (s[n + m] == '`')
			n += m;
	}
	return (n);
}

/* The first of s that ends a word or, at the start, is blanks: its bytes. */
static size_t
out_piece(const char *s, bool is_free)
{
	size_t n = strspn(s, " ");

	return (n > 0 ? n : out_word(s, is_free));
}

/* True if what ends so sets off what follows. */
static bool
out_sets_off(char last)
{
	return (last == ':' || last == '?');
}

/*
 * Prints clean text as it is, from o->column on, but breaks lines that are
 * too long for the terminal between words.
 */
static void
out_fill(struct out *o, const char *s)
{
	const char *p;
	int gap = 0, w;
	bool is_free = o->column == 0;
	size_t n;

	if (!o->is_tty) {
		(void)fputs(s, o->f);
		return;
	}
	for (p = s; *p != '\0'; p += n) {
		if (*p == '\n') {
			n = 1;
			(void)fprintf(o->f, "%*s\n", gap, "");
			o->column = o->hang = gap = 0;
			is_free = true;
			continue;
		}
		n = out_piece(p, is_free);
		w = out_columns(o, p, n);
		if (*p == ' ') {
			if (o->column == 0)
				o->hang = w + OUT_HANG;
			gap = w;
			/* More of the line may come, or an answer be typed. */
			if (p[n] == '\0') {
				(void)fprintf(o->f, "%*s", gap, "");
				o->column += gap;
			}
			continue;
		}
		if (o->column == 0 && gap == 0)
			o->hang = OUT_HANG;
		if (o->column > o->hang && o->column + gap + w > o->width) {
			(void)fprintf(o->f, "\n%*s", o->hang, "");
			o->column = o->hang;
			gap = 0;
		}
		(void)fprintf(o->f, "%*s%.*s", gap, "", (int)n, p);
		o->column += gap + w;
		gap = 0;
		is_free = out_sets_off(p[n - 1]);
	}
}

/* Prints what a format makes of its arguments, clean. */
static void
out_vprint(struct out *o, const char *fmt, va_list ap)
{
	struct buf b;
	char *raw, *clean;

	raw = xalloc_vprintf(fmt, ap);
	buf_init(&b, 0);
	text_clean(&b, raw, true);
	clean = xalloc_take(&b);
	out_fill(o, clean);
	free(clean);
	free(raw);
}

void
out_print(struct out *o, const char *fmt, ...)
{
	va_list ap;

	if (o->is_json)
		return;
	va_start(ap, fmt);
	out_vprint(o, fmt, ap);
	va_end(ap);
}

void
out_title(struct out *o, const char *fmt, ...)
{
	va_list ap;

	if (o->is_json)
		return;
	if (o->has_color)
		(void)fputs(OUT_BOLD, o->f);
	va_start(ap, fmt);
	out_vprint(o, fmt, ap);
	va_end(ap);
	if (o->has_color)
		(void)fputs(OUT_NORMAL, o->f);
	(void)putc('\n', o->f);
	o->column = o->hang = 0;
}

void
out_again(struct out *o, const char *s)
{
	(void)fputs(s, o->f);
	o->column = o->hang = 0;
}

void
out_bytes(struct out *o, const void *p, size_t n)
{
	(void)fwrite(p, 1, n, o->f);
}

/*
 * Prints as out_text() does.  Only where it is our own text a colon sets a
 * command off: who talks to the umpire gives none.
 */
static void
out_wrap(struct out *o, int column, int indent, const char *s, bool is_ours)
{
	struct buf b;
	char *clean;
	const char *p;
	int gap = 0, w;
	bool is_free = column == 0;
	size_t n;

	if (o->is_json)
		return;
	buf_init(&b, 0);
	text_clean(&b, s, true);
	clean = xalloc_take(&b);
	for (p = clean; *p != '\0'; p += n) {
		if (*p == '\n' || *p == ' ') {
			n = 1;
			gap = *p == ' ' ? gap + 1 : 0;
			if (*p == ' ' || p[1] == '\0')
				continue;
			(void)fprintf(o->f, "\n%*s", indent, "");
			column = indent;
			is_free = is_ours;
			continue;
		}
		n = out_word(p, is_free);
		w = out_columns(o, p, n);
		/* A gap is printed only when a word follows on its line. */
		if (column + gap + w > o->width && column > indent) {
			(void)fprintf(o->f, "\n%*s", indent, "");
			column = indent;
			gap = 0;
		}
		(void)fprintf(o->f, "%*s", gap, "");
		column += gap + w;
		gap = 0;
		(void)fwrite(p, 1, n, o->f);
		is_free = is_ours && out_sets_off(p[n - 1]);
	}
	(void)putc('\n', o->f);
	o->column = o->hang = 0;
	free(clean);
}

void
out_text(struct out *o, int column, int indent, const char *s)
{
	out_wrap(o, column, indent, s, false);
}

void
out_row(struct out *o, const char *label, const char *s)
{
	out_print(o, "  %-8s ", label);
	out_text(o, 11, 11, s);
}

void
out_mark(struct out *o, const char *label, const char *s)
{
	if (o->is_json)
		return;
	if (o->has_color)
		(void)fputs(OUT_RED, o->f);
	out_print(o, "! %-8s ", label);
	out_text(o, 11, 11, s);
	if (o->has_color)
		(void)fputs(OUT_NORMAL, o->f);
}

void
out_own(struct out *o, int indent, const char *s)
{
	out_wrap(o, 0, indent, s, true);
}

/* A copy of JSON's text in which what is not plain is escaped; free(). */
static char *
out_escape(const char *s)
{
	uint32_t cp;
	size_t len, n;
	struct buf b;

	buf_init(&b, 0);
	for (len = strlen(s); len > 0; s += n, len -= n) {
		if ((n = utf8_get(s, len, &cp)) == 0) {
			n = 1;
			buf_putc(&b, '?');
		} else if (utf8_is_plain(cp)) {
			buf_add(&b, s, n);
		} else if (cp < 0x10000) {
			buf_printf(&b, "\\u%04X", (unsigned)cp);
		} else {
			/* JSON has only 16 bits: a pair of surrogates. */
			cp -= 0x10000;
			buf_printf(&b, "\\u%04X\\u%04X",
			    0xd800U + (unsigned)(cp >> 10),
			    0xdc00U + (unsigned)(cp & 0x3ff));
		}
	}
	return (xalloc_take(&b));
}

void
out_json(struct out *o, json_t *v)
{
	/* Only odds have real numbers; nine digits of them are told. */
	const size_t flags =
	    JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(9);
	char *s, *safe;

	if ((s = json_dumps(xalloc_json(v), flags)) == NULL)
		s = xalloc_str("null");
	/*
	 * jansson leaves DEL, C1 and marks of direction as they are.  They are
	 * escaped in pipes, too: many of those end on a terminal, and a value
	 * is the same either way.
	 */
	safe = out_escape(s);
	(void)fprintf(o->f, "%s\n", safe);
	free(safe);
	free(s);
	json_decref(v);
}

const char *
out_time(char buf[32], int64_t ms)
{
	clock_local(buf, ms);
	return (buf);
}
