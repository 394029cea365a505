/* SPDX-License-Identifier: ISC */
#include "client/report/svg.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "common/base/buf.h"
#include "common/base/utf8.h"

#define SVG_ELLIPSIS "\xe2\x80\xa6"
#define SVG_WIDE 0x1100 /* from here on letters may be wider than high */

/*
 * The widths of the printable characters of ASCII from blank on, in
 * thousandths of the size, in the widest of SVG_FACES; then of its bold.
 */
static const short svg_widths[2][95] = {
    {318, 401, 460, 838, 637, 951, 780, 275, 391, 391, 500, 838, 318, 361, 318,
	337, 637, 637, 637, 637, 637, 637, 637, 637, 637, 637, 337, 337, 838,
	838, 838, 531, 1000, 685, 687, 699, 771, 632, 576, 775, 752, 295, 295,
	656, 558, 863, 749, 788, 604, 788, 695, 635, 611, 732, 685, 989, 686,
	611, 686, 391, 337, 391, 838, 500, 500, 613, 635, 550, 635, 616, 353,
	635, 634, 278, 278, 580, 278, 975, 634, 612, 635, 635, 412, 521, 393,
	634, 592, 818, 592, 592, 525, 637, 337, 637, 838},
    /* bold: */
    {349, 457, 521, 838, 696, 1002, 873, 307, 458, 458, 523, 838, 380, 416, 380,
	366, 696, 696, 696, 696, 696, 696, 696, 696, 696, 696, 400, 400, 838,
	838, 838, 581, 1000, 774, 763, 734, 831, 684, 684, 821, 837, 373, 373,
	775, 638, 996, 837, 851, 733, 851, 771, 721, 683, 813, 774, 1104, 771,
	725, 726, 458, 366, 458, 838, 500, 500, 675, 716, 593, 716, 679, 436,
	716, 712, 343, 343, 666, 343, 1042, 712, 688, 716, 716, 494, 596, 479,
	712, 652, 924, 646, 652, 583, 712, 366, 712, 838}};

#define SVG_WIDTHS (sizeof(svg_widths[0]) / sizeof(svg_widths[0][0]))

void
svg_text(struct buf *out, const char *s)
{
	char *safe = text_safe(s);
	size_t len = strlen(safe), n;
	const char *p;
	uint32_t cp;

	for (p = safe; len > 0; p += n, len -= n) {
		if ((n = utf8_get(p, len, &cp)) == 0)
			break;
		if (cp == '&')
			buf_puts(out, "&amp;");
		else if (cp == '<')
			buf_puts(out, "&lt;");
		else if (cp == '>')
			buf_puts(out, "&gt;");
		else if (cp == '"')
			buf_puts(out, "&quot;");
		else if (cp == 0xfffe || cp == 0xffff) /* none in XML */
			buf_putc(out, '?');
		else
			buf_add(out, p, n);
	}
	free(safe);
}

int
svg_width(const char *s, size_t n, int size, bool is_bold)
{
	int64_t sum = 0;
	uint32_t cp;
	size_t len;

	for (; n > 0; s += len, n -= len) {
		if ((len = utf8_get(s, n, &cp)) == 0)
			break;
		if (cp >= ' ' && cp - ' ' < SVG_WIDTHS)
			sum += svg_widths[is_bold][cp - ' '];
		else
			sum += cp < SVG_WIDE ? 1200 : 1400;
	}
	return ((int)((sum * size + 999) / 1000));
}

/* The bytes of the first characters of s that fit: one at least. */
static size_t
svg_fit(const char *s, int width, int size, bool is_bold)
{
	size_t all = strlen(s), n = 0, len;
	uint32_t cp;

	for (; n < all; n += len) {
		if ((len = utf8_get(s + n, all - n, &cp)) == 0)
			break;
		if (n > 0 && svg_width(s, n + len, size, is_bold) > width)
			break;
	}
	return (n);
}

/*
 * The bytes of s that make a line: up to a blank or behind a hyphen, if there
 * is one.
 */
static size_t
svg_break(const char *s, int width, int size, bool is_bold)
{
	size_t n = svg_fit(s, width, size, is_bold), i;

	if (s[n] == '\0' || s[n] == ' ')
		return (n);
	for (i = n; i > 0 && s[i - 1] != ' ' && s[i - 1] != '-'; i--)
		;
	while (i > 0 && s[i - 1] == ' ')
		i--;
	return (i > 0 ? i : n);
}

void
svg_lines(struct svg_lines *l, const char *s, int width, size_t most, int size,
    bool is_bold)
{
	const int dots =
	    svg_width(SVG_ELLIPSIS, strlen(SVG_ELLIPSIS), size, is_bold);
	char *safe = text_safe(s), *cut;
	const char *p = safe;
	size_t n = strlen(safe);

	while (n > 0 && safe[n - 1] == ' ')
		safe[--n] = '\0';
	l->n = 0;
	l->is_cut = false;
	for (; *p == ' '; p++)
		;
	while (*p != '\0' && l->n < most && l->n < SVG_LINES_MAX) {
		n = svg_break(p, width, size, is_bold);
		if (l->n + 1 == most && p[n] != '\0') {
			n = svg_fit(p, width - dots, size, is_bold);
			while (n > 0 && p[n - 1] == ' ')
				n--;
			cut = xalloc_strn(p, n);
			l->line[l->n++] = xalloc_printf("%s" SVG_ELLIPSIS, cut);
			free(cut);
			l->is_cut = true;
			break;
		}
		l->line[l->n++] = xalloc_strn(p, n);
		for (p += n; *p == ' '; p++)
			;
	}
	free(safe);
}

void
svg_lines_named(struct svg_lines *l, const char *name, const char *id,
    int width, size_t most, int size, bool is_bold)
{
	char *suffix = xalloc_printf(" (%s)", id), *base;
	size_t len = strlen(name), end = strlen(suffix);
	struct svg_lines last;

	svg_lines(l, name, width, most, size, is_bold);
	if (l->is_cut && most > 1 && len > end &&
	    strcmp(name + len - end, suffix) == 0) {
		svg_lines_clear(l);
		base = xalloc_strn(name, len - end);
		svg_lines(l, base, width, most - 1, size, is_bold);
		free(base);
		svg_lines(&last, suffix, width, 1, size, is_bold);
		l->line[l->n++] = last.line[0];
		l->is_cut = true;
	}
	free(suffix);
}

int
svg_lines_width(const struct svg_lines *l, int size, bool is_bold)
{
	int most = 0, width;
	size_t i;

	for (i = 0; i < l->n; i++) {
		width =
		    svg_width(l->line[i], strlen(l->line[i]), size, is_bold);
		most = width > most ? width : most;
	}
	return (most);
}

void
svg_lines_clear(struct svg_lines *l)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		free(l->line[i]);
	l->n = 0;
}
