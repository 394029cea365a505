/* SPDX-License-Identifier: ISC */
/* A page is as many lines as fit above its prompt. */
#include "client/ui/pages.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/ui/barchart.h"
#include "client/ui/text_columns.h"

#define PAGES_ROWS_LEAST 8 /* a screen with fewer rows is scrolled */
#define PAGES_ASK 5 /* rows that the question after the text may take */

/* How many rows a line takes. */
static int
pages_rows(const char *line, size_t len, int columns)
{
	char *s = xalloc_strn(line, len);
	int width = text_width(s);

	free(s);
	return (width <= columns ? 1 : (width + columns - 1) / columns);
}

/* The bytes of the text that fit into so many rows: a line at least. */
static size_t
pages_fit(const char *text, int rows, int columns)
{
	size_t at = 0, len;

	while (text[at] != '\0') {
		len = strcspn(text + at, "\n");
		rows -= pages_rows(text + at, len, columns);
		if (rows < 0 && at > 0)
			break;
		at += len + (text[at + len] == '\n');
	}
	return (at);
}

int
pages_show(struct out *o, const struct ask_io *io, const char *text)
{
	size_t *pages, at = 0, len, n = 0;
	int columns = OUT_WIDTH, r, rows = 0;

	if (io->size != NULL)
		io->size(io->arg, &rows, &columns);
	/* Each page has a byte at least. */
	pages = xalloc((strlen(text) + 1) * sizeof(*pages));
	while (rows >= PAGES_ROWS_LEAST &&
	    pages_fit(text + at, rows - PAGES_ASK, columns) <
		strlen(text + at)) {
		len = pages_fit(text + at, rows - 1, columns);
		out_bytes(o, text + at, len);
		r = ask_more(io);
		if (r == ASK_BACK && n > 0) {
			at = pages[--n];
		} else if (r == 0) {
			pages[n++] = at;
			at += len;
		} else {
			free(pages);
			return (r);
		}
	}
	free(pages);
	out_again(o, text + at);
	return (0);
}
