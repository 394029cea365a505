/* SPDX-License-Identifier: ISC */
/*
 * client/report/markup.c without escaping: with it in its place, what looks for
 * strangers' texts in pages must find them (tests/e2e/pages.sh).
 */
#include "client/report/markup.h"

#include <stdarg.h>
#include <string.h>

#include "common/base/buf.h"

void
markup_text(struct buf *b, const char *s)
{
	buf_puts(b, s);
}

void
markup_lines(struct buf *b, const char *s)
{
	buf_puts(b, s);
}

void
markup_add(struct buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(b, fmt, ap);
	va_end(ap);
}
