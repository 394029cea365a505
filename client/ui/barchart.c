/* SPDX-License-Identifier: ISC */
/* Bars, and texts cut to a width. */
#include "client/ui/barchart.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/ui/text_columns.h"
#include "common/base/buf.h"
#include "common/base/utf8.h"

#define BARCHART_FULL "\xe2\x96\x88"
#define BARCHART_SHADE "\xe2\x96\x91"
#define BARCHART_CUT "\xe2\x80\xa6" /* three dots in one column */

bool
barchart_has_blocks(void)
{
	locale_t own;
	bool is_utf8;

	if ((own = newlocale(LC_CTYPE_MASK, "", (locale_t)0)) == (locale_t)0)
		return (false);
	is_utf8 = strcmp(nl_langinfo_l(CODESET, own), "UTF-8") == 0;
	freelocale(own);
	return (is_utf8);
}

void
barchart_append(struct buf *b, double p, int width, bool has_blocks)
{
	static const char *const parts[] = {"", "\xe2\x96\x8f", "\xe2\x96\x8e",
	    "\xe2\x96\x8d", "\xe2\x96\x8c", "\xe2\x96\x8b", "\xe2\x96\x8a",
	    "\xe2\x96\x89"};
	int eighths, i;

	eighths = (int)(p * width * 8 + 0.5);
	if (eighths == 0 && p > 0)
		eighths = 1;
	for (i = 0; has_blocks && i < eighths / 8; i++)
		buf_puts(b, BARCHART_FULL);
	if (has_blocks)
		buf_puts(b, parts[eighths % 8]);
	for (i = 0; !has_blocks && i < (eighths + 4) / 8; i++)
		buf_putc(b, '#');
}

void
barchart_append_of(struct buf *b, double p, int width, bool has_blocks)
{
	int i, n = (int)(p * width + 0.5);

	if (n == 0 && p > 0)
		n = 1;
	if (n >= width && p < 1)
		n = width - 1;
	for (i = 0; i < width; i++) {
		if (has_blocks)
			buf_puts(b, i < n ? BARCHART_FULL : BARCHART_SHADE);
		else
			buf_putc(b, i < n ? '#' : '.');
	}
}

char *
barchart_cut(const char *s, int width, bool has_blocks)
{
	const char *mark = has_blocks ? BARCHART_CUT : "..";
	int most = width - text_width(mark), w = 0, one;
	char *safe = text_safe(s);
	size_t at = 0, len, n;
	struct buf b;
	uint32_t cp;

	if (text_width(safe) <= width)
		return (safe);
	len = strlen(safe);
	for (; (n = utf8_get(safe + at, len - at, &cp)) > 0; at += n) {
		one = utf8proc_charwidth((utf8proc_int32_t)cp);
		if (w + one > most)
			break;
		w += one;
	}
	buf_init(&b, 0);
	buf_add(&b, safe, at);
	buf_puts(&b, mark);
	free(safe);
	return (xalloc_take(&b));
}
