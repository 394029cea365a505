/* SPDX-License-Identifier: ISC */
/* The lines that were typed, in libedit's history and in a file. */
#include "client/ui/linehist.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <histedit.h>

#include "client/base/xalloc.h"
#include "client/profile/file.h"
#include "client/ui/out_terminal.h"
#include "common/base/buf.h"
#include "common/base/err.h"
#include "common/base/utf8.h"

#define LINEHIST_MAX 1000 /* lines */
#define LINEHIST_BYTES (4 * 1024 * 1024)
#define LINEHIST_LINE_MAX 2048 /* bytes of a line that is kept */
#define LINEHIST_SHORT 4 /* bytes of words that many a line has by chance */

struct recall {
	History *h; /* owned */
	char *path; /* owned; NULL: no file is kept */
};

struct recall *
linehist_new(void)
{
	struct recall *rc = xalloc(sizeof(*rc));
	HistEvent ev;

	/* Out of memory it dies, like everything here. */
	if ((rc->h = history_init()) == NULL)
		xalloc_die();
	(void)history(rc->h, &ev, H_SETSIZE, LINEHIST_MAX);
	(void)history(rc->h, &ev, H_SETUNIQUE, 1);
	return (rc);
}

void
linehist_free(struct recall *rc)
{
	if (rc == NULL)
		return;
	history_end(rc->h);
	free(rc->path);
	free(rc);
}

struct history *
linehist_history(const struct recall *rc)
{
	return (rc->h);
}

/* True for a line that a history can hold. */
static bool
linehist_is_plain(const char *s)
{
	size_t len = strlen(s), n;
	uint32_t cp;

	if (len == 0 || len > LINEHIST_LINE_MAX)
		return (false);
	for (; len > 0; s += n, len -= n) {
		if ((n = utf8_get(s, len, &cp)) == 0 || !utf8_is_plain(cp))
			return (false);
	}
	return (true);
}

/* Reads the lines of a history file; how many there are. */
static size_t
linehist_load(struct recall *rc, char *text)
{
	char *line, *end;
	HistEvent ev;
	size_t n = 0;

	for (line = text; (end = strchr(line, '\n')) != NULL; line = end + 1) {
		*end = '\0';
		if (linehist_is_plain(line))
			(void)history(rc->h, &ev, H_ENTER, line);
		n++;
	}
	return (n);
}

/* Writes the history again, from the oldest line to the newest. */
static int
linehist_save(struct recall *rc)
{
	struct errinfo e;
	struct buf b;
	HistEvent ev;
	int r;

	buf_init(&b, 0);
	for (r = history(rc->h, &ev, H_LAST); r != -1;
	     r = history(rc->h, &ev, H_PREV)) {
		buf_puts(&b, ev.str);
		buf_putc(&b, '\n');
	}
	if ((r = buf_error(&b)) == 0)
		r = file_write(rc->path, b.data, b.len, 0600, &e);
	buf_clear(&b);
	return (r);
}

void
linehist_open(struct recall *rc, const char *path)
{
	struct errinfo e;
	size_t n = 0;
	struct buf b;
	char *text;
	int r;

	free(rc->path);
	rc->path = xalloc_str(path);
	buf_init(&b, 0);
	r = file_read(path, LINEHIST_BYTES, &b, &e);
	if (r == 0) {
		text = xalloc_str(buf_str(&b));
		n = linehist_load(rc, text);
		free(text);
	}
	/* One can play without a history, too. */
	if (r == ERR_TOOBIG || n > LINEHIST_MAX)
		(void)linehist_save(rc);
	buf_clear(&b);
}

void
linehist_add(struct recall *rc, const char *line)
{
	struct errinfo e;
	HistEvent ev;
	char *s;
	int r = 0;

	if (!linehist_is_plain(line))
		return;
	(void)history(rc->h, &ev, H_ENTER, line);
	if (rc->path == NULL)
		return;
	s = xalloc_printf("%s\n", line);
	r = file_append(rc->path, s, strlen(s), &e);
	free(s);
	if (r != 0) {
		/* Said once; one can play without a history, too. */
		out_note("The history is not kept: %s", e.text);
		free(rc->path);
		rc->path = NULL;
	}
}

/* What is left of n bytes without what a shell's reader eats; free(). */
static char *
linehist_bare(const char *s, size_t n)
{
	struct buf b;
	size_t i;

	buf_init(&b, 0);
	for (i = 0; i < n; i++) {
		if (strchr(" \t\n\"'\\", s[i]) == NULL)
			buf_putc(&b, s[i]);
	}
	return (xalloc_take(&b));
}

/* True if a line has these words, a short one at its end. */
static bool
linehist_has(const char *line, size_t n, const char *words)
{
	char *bare = linehist_bare(line, n);
	const size_t len = strlen(bare), most = strlen(words);
	bool has;

	if (most < LINEHIST_SHORT)
		has = len >= most && strcmp(bare + len - most, words) == 0;
	else
		has = strstr(bare, words) != NULL;
	free(bare);
	return (has);
}

int
linehist_forget(const char *path, const char *words, struct errinfo *e)
{
	char *bare = linehist_bare(words, strlen(words));
	const char *end, *p;
	struct buf b, left;
	int r;

	buf_init(&b, 0);
	buf_init(&left, 0);
	r = file_read(path, LINEHIST_BYTES, &b, e);
	for (p = r == 0 ? buf_str(&b) : ""; *p != '\0'; p = end) {
		end = p + strcspn(p, "\n");
		end += *end == '\n';
		if (!linehist_has(p, (size_t)(end - p), bare))
			buf_add(&left, p, (size_t)(end - p));
	}
	if (r == 0 && *bare != '\0' && left.len < b.len)
		r = file_write(path, left.data, left.len, 0600, e);
	buf_clear(&b);
	buf_clear(&left);
	free(bare);
	/* One that is too large is begun again. */
	return (r == ERR_NOTFOUND || r == ERR_TOOBIG ? 0 : r);
}
