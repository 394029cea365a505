/* SPDX-License-Identifier: ISC */
/*
 * A label is "FIRST  REST", with two blanks, or a text.  Those blanks are
 * where the column of first words ends and where further lines begin.
 */
#include "client/ui/ask_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/out.h"
#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/ui/text_columns.h"

#define ASK_LIST_INDENT 2 /* columns before a choice */
#define ASK_LIST_GAP 2 /* columns after its number and first words */
#define ASK_LIST_FIRST_MAX 24 /* columns of first words at most */
#define ASK_LIST_REST_LEAST 24 /* columns that a cut choice has at least */
#define ASK_LIST_ROWS_LEAST 8 /* a screen with fewer rows is scrolled */
#define ASK_LIST_CUT " ..."

/* The first words of a label, made safe; NULL if it is one text.  free(). */
static char *
ask_list_first(const char *label)
{
	const char *gap = strstr(label, "  ");
	char *s, *safe;

	if (gap == NULL)
		return (NULL);
	s = xalloc_strn(label, (size_t)(gap - label));
	safe = text_safe(s);
	free(s);
	return (safe);
}

/* How wide the column of first words is; 0 if there is none, or too wide. */
static int
ask_list_first_width(const struct ask_list *l)
{
	int most = 0, w;
	size_t i;
	char *s;

	for (i = 0; i < l->n; i++) {
		if ((s = ask_list_first(l->labels[i])) == NULL)
			continue;
		w = text_width(s);
		free(s);
		if (w > ASK_LIST_FIRST_MAX)
			return (0);
		most = w > most ? w : most;
	}
	return (most);
}

/* Columns before the text of a choice. */
static int
ask_list_before(const struct ask_list *l)
{
	return (
	    ASK_LIST_INDENT + snprintf(NULL, 0, "%zu", l->n) + ASK_LIST_GAP);
}

/* The text of a choice, its first words in their column; free(). */
static char *
ask_list_text(const struct ask_list *l, size_t i)
{
	const char *rest = strstr(l->labels[i], "  ");
	char *first, *s;
	int pad;

	if (l->first == 0 || rest == NULL)
		return (xalloc_str(l->labels[i]));
	first = ask_list_first(l->labels[i]);
	pad = l->first - text_width(first) + ASK_LIST_GAP;
	s = xalloc_printf("%s%*s%s", first, pad, "", rest + strspn(rest, " "));
	free(first);
	return (s);
}

/* The columns of the first len bytes of a text, made safe. */
static int
ask_list_width(const char *s, size_t len)
{
	char *part = xalloc_strn(s, len), *safe = text_safe(part);
	int w = text_width(safe);

	free(safe);
	free(part);
	return (w);
}

/*
 * Cuts a text that is too wide: after a word, at a comma if there is one late
 * enough.
 */
static void
ask_list_cut(const struct ask_list *l, char **text)
{
	int room = l->columns - ask_list_before(l) - (int)strlen(ASK_LIST_CUT);
	size_t i, at = 0, comma = 0, gap;
	char *s = *text;

	gap = l->first == 0 ? 0 : (size_t)(l->first + ASK_LIST_GAP);
	if (ask_list_before(l) + ask_list_width(s, strlen(s)) <= l->columns)
		return;
	for (i = gap; s[i] != '\0'; i++) {
		if (s[i] != ' ' || i == 0)
			continue;
		if (ask_list_width(s, i) > room)
			break;
		at = i;
		if (s[i - 1] == ',')
			comma = i;
	}
	if (comma > 0 && ask_list_width(s, comma) >= ASK_LIST_REST_LEAST)
		at = comma;
	/* One long word stays as it is. */
	if (at == 0)
		return;
	*text = xalloc_printf("%.*s%s", (int)at, s, ASK_LIST_CUT);
	free(s);
}

/* Shows choices up to number `to`. */
static void
ask_list_print(struct ask_list *l, size_t to)
{
	int width = snprintf(NULL, 0, "%zu", l->n);
	int indent = ask_list_before(l);
	char *s, *text;

	/* Further lines of a choice begin under the rest of its first one. */
	if (l->first > 0)
		indent += l->first + ASK_LIST_GAP;

	for (; l->shown < to; l->shown++) {
		text = ask_list_text(l, l->shown);
		if (l->is_cut)
			ask_list_cut(l, &text);
		s = xalloc_printf("%*s%*zu%*s%s", ASK_LIST_INDENT, "", width,
		    l->shown + 1, ASK_LIST_GAP, "", text);
		l->io->say(l->io->arg, indent, s);
		free(s);
		free(text);
	}
}

/*
 * Sets how many choices there are on a page of so many rows (0: no end), and
 * whether they are cut to have a line each.
 */
static void
ask_list_fold(struct ask_list *l, int rows, bool may_cut)
{
	size_t i, n_long = 0, room;
	char *s;

	for (i = 0; i < l->n; i++) {
		s = ask_list_text(l, i);
		n_long += ask_list_before(l) + ask_list_width(s, strlen(s)) >
		    l->columns;
		free(s);
	}
	l->page = l->n;
	l->is_cut = false;
	if (rows < ASK_LIST_ROWS_LEAST)
		return;
	/* The empty line, the title, and the prompt, which may take two. */
	room = (size_t)rows - 4;
	if (l->n + n_long <= room)
		return;
	l->is_cut = may_cut && n_long > 0;
	/* Nearly all that take more than one line take two. */
	if (n_long > 0 && !l->is_cut)
		room /= 2;
	if (l->n > room)
		l->page = room;
}

/* The rows and columns of the screen; no rows: no end. */
static int
ask_list_size(struct ask_list *l)
{
	int rows = 0;

	l->columns = OUT_WIDTH;
	if (l->io->size != NULL)
		l->io->size(l->io->arg, &rows, &l->columns);
	return (rows);
}

/* Shows the first page. */
static void
ask_list_show(struct ask_list *l)
{
	l->shown = 0;
	l->io->say(l->io->arg, 0, "");
	if (l->title != NULL && *l->title != '\0')
		l->io->say(l->io->arg, 0, l->title);
	ask_list_print(l, l->page);
}

void
ask_list_begin(struct ask_list *l, const struct ask_io *io, const char *title,
    const char *const labels[], size_t n)
{
	memset(l, 0, sizeof(*l));
	l->io = io;
	l->title = title;
	l->labels = labels;
	l->n = n;
	l->first = ask_list_first_width(l);
	ask_list_fold(l, ask_list_size(l), true);
	ask_list_show(l);
}

bool
ask_list_has_more(const struct ask_list *l)
{
	return (l->shown < l->n);
}

void
ask_list_more(struct ask_list *l)
{
	size_t left = l->n - l->shown;

	ask_list_print(l, l->shown + (left < l->page ? left : l->page));
}

void
ask_list_whole(struct ask_list *l)
{
	ask_list_fold(l, ask_list_size(l), false);
	ask_list_show(l);
}
