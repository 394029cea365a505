/* SPDX-License-Identifier: ISC */
/*
 * Text for people in lines of at most 80 columns.  What is written may come
 * from a stranger: control characters and bytes that are no UTF-8 become
 * question marks.  Characters that may be wide count as two columns, since
 * a line that is too short does no harm.
 */
#include "common/rules/show/paragraph.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/utf8.h"

#define PARAGRAPH_COLUMNS 80
#define PARAGRAPH_HANG 4 /* further indent of lines that go on */
#define PARAGRAPH_WIDE 0x1100 /* from here on two columns are possible */

/* Where a paragraph is being written. */
struct paragraph {
	struct buf *out;
	unsigned indent;
	unsigned column; /* 0: nothing written on this line yet */
};

/* Begins a line: the first by indent, the others hanging. */
static void
paragraph_indent(struct paragraph *line, bool is_first)
{
	unsigned i, n = line->indent + (is_first ? 0 : PARAGRAPH_HANG);

	for (i = 0; i < n; i++)
		buf_putc(line->out, ' ');
	line->column = n;
}

/* Reads one character of s as it may be shown; returns its bytes. */
static size_t
paragraph_char(const char *s, size_t n, uint32_t *cp)
{
	size_t len;

	len = utf8_get(s, n, cp);
	if (len == 0 || !utf8_is_plain(*cp))
		*cp = '?';
	return (len == 0 ? 1 : len);
}

/* Returns the columns that n bytes take at most. */
static unsigned
paragraph_width(const char *s, size_t n)
{
	unsigned width = 0;
	uint32_t cp;
	size_t i;

	for (i = 0; i < n;) {
		i += paragraph_char(s + i, n - i, &cp);
		width += cp >= PARAGRAPH_WIDE ? 2 : 1;
	}
	return (width);
}

void
paragraph_write(struct buf *out, unsigned indent, const char *text)
{
	char bytes[UTF8_LEN];
	unsigned width;
	uint32_t cp;
	size_t i;
	struct paragraph line = {.out = out, .indent = indent};
	bool is_first = true;
	size_t n;

	paragraph_indent(&line, true);
	for (; *text != '\0'; text += n) {
		text += strspn(text, " ");
		if ((n = strcspn(text, " ")) == 0)
			break;
		if (!is_first &&
		    line.column + 1 + paragraph_width(text, n) >
			PARAGRAPH_COLUMNS) {
			buf_putc(out, '\n');
			paragraph_indent(&line, false);
		} else if (!is_first) {
			buf_putc(out, ' ');
			line.column++;
		}
		for (i = 0; i < n;) {
			i += paragraph_char(text + i, n - i, &cp);
			width = cp >= PARAGRAPH_WIDE ? 2 : 1;
			if (line.column + width > PARAGRAPH_COLUMNS) {
				buf_putc(line.out, '\n');
				paragraph_indent(&line, false);
			}
			buf_add(line.out, bytes, utf8_put(bytes, cp));
			line.column += width;
		}
		is_first = false;
	}
	buf_putc(out, '\n');
}

void
paragraph_flush(struct buf *b, unsigned indent, struct buf *out)
{
	if (buf_error(b) != 0 && buf_error(out) == 0)
		out->error = buf_error(b);
	paragraph_write(out, indent, buf_str(b));
	buf_clear(b);
}

void
paragraph_printf(struct buf *out, unsigned indent, const char *fmt, ...)
{
	struct buf b;
	va_list ap;

	buf_init(&b, 0);
	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	paragraph_flush(&b, indent, out);
}
