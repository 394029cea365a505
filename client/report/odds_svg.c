/* SPDX-License-Identifier: ISC */
/*
 * Odds as an SVG document: a stacked bar for each unit, from its best end to
 * its worst, and one for the combat as a whole.  Every text from outside goes
 * through odds_svg_text().
 */
#include "client/report/odds_svg.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/report/odds_view.h"
#include "client/report/svg.h"
#include "common/base/buf.h"
#include "common/rules/show/rules_show.h"
#include "common/rules/show/show_list.h"

#define ODDS_SVG_WIDTH 760
#define ODDS_SVG_LEFT 20
#define ODDS_SVG_BAR_WIDTH (ODDS_SVG_WIDTH - 2 * ODDS_SVG_LEFT)
#define ODDS_SVG_BAR_HEIGHT 20
#define ODDS_SVG_ROW 46 /* a line of text and a bar */
#define ODDS_SVG_LETTER 7 /* width of a letter, about */

/* The picture while it is drawn: y is where the next thing goes. */
struct odds_svg {
	const struct odds_view *v;
	struct buf *out;
	int y;
};

struct odds_svg_color {
	int r, g, b;
};

/* Colours from best to worst, told apart by those who see no red or green. */
static const struct odds_svg_color odds_svg_stops[] = {
    {0x2b, 0x6c, 0xb0},
    {0x8c, 0xbf, 0xe6},
    {0xf2, 0xd0, 0x6b},
    {0xd9, 0x5f, 0x2b},
    {0x7a, 0x1f, 0x3d},
};

#define ODDS_SVG_STOPS (sizeof(odds_svg_stops) / sizeof(odds_svg_stops[0]))

/* The colour of number i of n. */
static struct odds_svg_color
odds_svg_color(size_t i, size_t n)
{
	const struct odds_svg_color *a, *b;
	struct odds_svg_color c;
	int part, steps;
	size_t at;

	if (n < 2)
		return (odds_svg_stops[0]);
	steps = (int)(n - 1);
	at = i * (ODDS_SVG_STOPS - 1) / (n - 1);
	part = (int)(i * (ODDS_SVG_STOPS - 1) % (n - 1));
	a = &odds_svg_stops[at];
	b = at + 1 < ODDS_SVG_STOPS ? a + 1 : a;
	c.r = a->r + (b->r - a->r) * part / steps;
	c.g = a->g + (b->g - a->g) * part / steps;
	c.b = a->b + (b->b - a->b) * part / steps;
	return (c);
}

/* Appends text of any origin. */
static void odds_svg_text(struct odds_svg *s, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
static void
odds_svg_text(struct odds_svg *s, const char *fmt, ...)
{
	char *raw;
	va_list ap;

	va_start(ap, fmt);
	raw = xalloc_vprintf(fmt, ap);
	va_end(ap);
	svg_text(s->out, raw);
	free(raw);
}

/* Begins a line of text at the left; the caller ends it with "</text>". */
static void
odds_svg_line(struct odds_svg *s, const char *class, int height)
{
	s->y += height;
	buf_printf(s->out, "<text class=\"%s\" x=\"%d\" y=\"%d\">", class,
	    ODDS_SVG_LEFT, s->y);
}

/*
 * Draws one part of a bar, from `before` to before + p of its width, with what
 * it is as its tip.
 */
static void
odds_svg_part(struct odds_svg *s, const char *who, const char *what,
    double before, double p, struct odds_svg_color c)
{
	double width = p * ODDS_SVG_BAR_WIDTH;
	double x = ODDS_SVG_LEFT + before * ODDS_SVG_BAR_WIDTH;
	char percent[ODDS_VIEW_WORD];

	if (p <= 0)
		return;
	(void)odds_view_percent(percent, p);
	buf_puts(s->out, "<g><title>");
	odds_svg_text(s, "%s: %s %s %%", who, what, percent);
	buf_printf(s->out,
	    "</title><rect class=\"part\" x=\"%.2f\" y=\"%d\" "
	    "width=\"%.2f\" height=\"%d\" fill=\"#%02x%02x%02x\"/>",
	    x, s->y, width, ODDS_SVG_BAR_HEIGHT, c.r, c.g, c.b);
	if (width > ODDS_SVG_LETTER * 9) {
		/* Whichever letters read better on the colour. */
		buf_printf(s->out, "<text class=\"%s\" x=\"%.2f\" y=\"%d\">",
		    c.r * 299 + c.g * 587 + c.b * 114 > 140000 ? "black"
							       : "white",
		    x + width / 2, s->y + ODDS_SVG_BAR_HEIGHT - 6);
		odds_svg_text(s, "%s %%", percent);
		buf_puts(s->out, "</text>");
	}
	buf_puts(s->out, "</g>\n");
}

/* Draws what colours mean: n words, their swatches from the left on. */
static void
odds_svg_legend(struct odds_svg *s, const char *const words[], size_t n)
{
	struct odds_svg_color c;
	int width, x = ODDS_SVG_LEFT;
	size_t i;

	s->y += 22;
	for (i = 0; i < n; i++) {
		c = odds_svg_color(i, n);
		width = 24 + (int)strlen(words[i]) * ODDS_SVG_LETTER;
		if (x + width > ODDS_SVG_WIDTH - ODDS_SVG_LEFT) {
			x = ODDS_SVG_LEFT;
			s->y += 20;
		}
		buf_printf(s->out,
		    "<rect class=\"part\" x=\"%d\" y=\"%d\" width=\"12\" "
		    "height=\"12\" fill=\"#%02x%02x%02x\"/>"
		    "<text class=\"small\" x=\"%d\" y=\"%d\">",
		    x, s->y - 10, c.r, c.g, c.b, x + 17, s->y);
		odds_svg_text(s, "%s", words[i]);
		buf_puts(s->out, "</text>\n");
		x += width + 12;
	}
}

/*
 * Draws a side, and of each unit who it is, what it may expect, and its bar.
 */
static void
odds_svg_side(struct odds_svg *s, enum combat_side side)
{
	const struct odds *odds = s->v->odds;
	size_t i, k, n = odds_view_ends(s->v);
	const struct odds_unit *u;
	char word[ODDS_VIEW_WORD];
	const char *name;
	double before;

	odds_svg_line(s, "head", 30);
	odds_svg_text(s, "%s: expected loss %.3f %s, hits suffered %.3f",
	    side == COMBAT_ATTACKER ? "Attacker" : "Defender",
	    odds->sides[side].loss.mean, show_list_find(s->v->sys)->loss,
	    odds->sides[side].hits.mean);
	buf_puts(s->out, "</text>\n");
	for (i = 0; i < odds->n_units; i++) {
		u = &odds->units[i];
		if (u->side != side)
			continue;
		odds_svg_line(s, "unit", 22);
		name = odds_view_name(s->v, u->id);
		odds_svg_text(s, "%s%s%s%s: expected loss %.3f", u->id,
		    name == NULL ? "" : " (", name == NULL ? "" : name,
		    name == NULL ? "" : ")", u->loss.mean);
		buf_puts(s->out, "</text>\n");
		s->y += 5;
		before = 0;
		for (k = 0; k < n; k++) {
			odds_svg_part(s, u->id,
			    odds_view_end(word, s->v->sys->ends[k]), before,
			    u->ends[k].p, odds_svg_color(k, n));
			before += u->ends[k].p;
		}
		s->y += ODDS_SVG_ROW - 27;
	}
}

/* Draws the combat as a whole: one bar, and what its parts are. */
static void
odds_svg_whole(struct odds_svg *s)
{
	static const struct odds_svg_color gray = {0x88, 0x88, 0x88};
	const struct odds *odds = s->v->odds;
	const char *words[ODDS_WHOLE_MAX];
	size_t i, order[ODDS_WHOLE_MAX];
	double before = 0;

	odds_view_order(s->v, order);
	odds_svg_line(s, "head", 30);
	buf_puts(s->out, "The combat as a whole</text>\n");
	s->y += 6;
	for (i = 0; i < odds->n_whole; i++) {
		words[i] = odds->whole[order[i]].word;
		odds_svg_part(s, "the combat", words[i], before,
		    odds->whole[order[i]].share.p,
		    odds_svg_color(i, odds->n_whole));
		before += odds->whole[order[i]].share.p;
	}
	odds_svg_part(s, "the combat", "other", before, odds->other.p, gray);
	s->y += ODDS_SVG_BAR_HEIGHT;
	odds_svg_legend(s, words, odds->n_whole);
}

/* Draws everything below the head of the document. */
static void
odds_svg_body(struct odds_svg *s, const char *method)
{
	char texts[ODDS_ENDS_MAX][ODDS_VIEW_WORD];
	const char *words[ODDS_ENDS_MAX];
	size_t i, n = odds_view_ends(s->v);

	for (i = 0; i < n; i++)
		words[i] = odds_view_end(texts[i], s->v->sys->ends[i]);
	odds_svg_line(s, "title", 34);
	odds_svg_text(s, "%s", s->v->sys->name);
	buf_puts(s->out, "</text>\n");
	odds_svg_line(s, "small", 20);
	odds_svg_text(s, "%s", method);
	buf_puts(s->out, "</text>\n");
	odds_svg_legend(s, words, n);
	odds_svg_side(s, COMBAT_ATTACKER);
	odds_svg_side(s, COMBAT_DEFENDER);
	odds_svg_whole(s);
	s->y += 20;
}

void
odds_svg_write(const struct odds_view *v, struct buf *out)
{
	char *method = odds_view_method(v);
	struct odds_svg s = {.v = v};
	struct buf body;

	/* The body first: only then is the height known. */
	buf_init(&body, 0);
	s.out = &body;
	odds_svg_body(&s, method);
	s.out = out;
	buf_printf(out,
	    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
	    "height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\" "
	    "aria-labelledby=\"title desc\">\n<title id=\"title\">",
	    ODDS_SVG_WIDTH, s.y, ODDS_SVG_WIDTH, s.y);
	odds_svg_text(&s, "The odds of a combat: %s", v->sys->name);
	buf_puts(out,
	    "</title>\n<desc id=\"desc\">A bar for each unit shows "
	    "how probable each of its ends is; ");
	odds_svg_text(&s, "%s", method);
	buf_puts(out,
	    ".</desc>\n<style>\n"
	    "svg { color-scheme: light dark; }\n"
	    "text { font: 12px system-ui, sans-serif; fill: #1b1f24; }\n"
	    ".title { font-size: 18px; font-weight: bold; }\n"
	    ".head { font-size: 14px; font-weight: bold; }\n"
	    ".black { text-anchor: middle; fill: #000000; }\n"
	    ".white { text-anchor: middle; fill: #ffffff; }\n"
	    ".back { fill: #ffffff; }\n"
	    ".part { stroke: #ffffff; stroke-width: 1; }\n"
	    "@media (prefers-color-scheme: dark) {\n"
	    "text { fill: #e6e8eb; }\n"
	    ".back { fill: #16191d; }\n"
	    ".part { stroke: #16191d; }\n"
	    "}\n</style>\n"
	    "<rect class=\"back\" width=\"100%\" height=\"100%\"/>\n");
	buf_puts(out, buf_str(&body));
	buf_puts(out, "</svg>\n");
	buf_clear(&body);
	free(method);
}
