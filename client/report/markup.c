/* SPDX-License-Identifier: ISC */
#include "client/report/markup.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "common/base/buf.h"

/* Appends a text, escaped; line ends become <br> if may_break. */
static void
markup_put(struct buf *b, const char *s, bool may_break)
{
	static const char marks[] = "&<>\"'\n";
	static const char *const entities[] = {
	    "&amp;", "&lt;", "&gt;", "&quot;", "&#39;", "<br>\n"};
	struct buf clean;
	const char *p;
	char *text;
	size_t n;

	buf_init(&clean, 0);
	text_clean(&clean, s, may_break);
	text = xalloc_take(&clean);
	for (p = text;; p += n + 1) {
		n = strcspn(p, marks);
		buf_add(b, p, n);
		if (p[n] == '\0')
			break;
		buf_puts(b, entities[strchr(marks, p[n]) - marks]);
	}
	free(text);
}

void
markup_text(struct buf *b, const char *s)
{
	markup_put(b, s, false);
}

void
markup_lines(struct buf *b, const char *s)
{
	markup_put(b, s, true);
}

void
markup_add(struct buf *b, const char *fmt, ...)
{
	const char *mark;
	va_list ap;
	size_t n;

	va_start(ap, fmt);
	for (; (mark = strchr(fmt, '%')) != NULL; fmt = mark + n) {
		buf_add(b, fmt, (size_t)(mark - fmt));
		n = strlen("%s");
		if (mark[1] == 's') {
			markup_text(b, va_arg(ap, const char *));
		} else if (mark[1] == 'd') {
			buf_printf(b, "%d", va_arg(ap, int));
		} else {
			n = strlen("%lld");
			buf_printf(b, "%lld", va_arg(ap, long long));
		}
	}
	va_end(ap);
	buf_puts(b, fmt);
}
