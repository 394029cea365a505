/* SPDX-License-Identifier: ISC */
/*
 * The picture of a game for previews of links: who fights whom, how it stands,
 * what both sides have left.  It needs nothing beside it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/report/battle.h"
#include "client/report/rosters.h"
#include "client/report/svg.h"
#include "common/rules/rules.h"
#include "common/rules/systems/systems.h"
#include "web/page/page_int.h"

#define PAGE_CARD_WIDTH 1200
#define PAGE_CARD_MARGIN 80
#define PAGE_CARD_SIDE 470 /* width of what stands for a side */
#define PAGE_CARD_RIGHT (PAGE_CARD_WIDTH - PAGE_CARD_MARGIN - PAGE_CARD_SIDE)

/* A text in lines from y on; returns where the next would begin. */
static int
page_card_lines(struct buf *b, const char *s, int x, int y, int width,
    size_t most, int size, const char *fill, bool is_bold)
{
	struct svg_lines l;
	size_t i;

	svg_lines(&l, s, width, most, size, is_bold);
	for (i = 0; i < l.n; i++) {
		buf_printf(b,
		    "<text x=\"%d\" y=\"%d\" font-size=\"%d\" fill=\"%s\"%s>",
		    x, y + size, size, fill,
		    is_bold ? " font-weight=\"bold\"" : "");
		svg_text(b, l.line[i]);
		buf_puts(b, "</text>\n");
		y += size * 5 / 4;
	}
	svg_lines_clear(&l);
	return (y);
}

/* A side: its name, its players, what it has left. */
static void
page_card_side(struct buf *b, const struct battle *battle,
    const struct rosters *rs, int side, int x, const char *fill)
{
	char *name = battle_side(battle_game(battle), side);
	char *players = battle_players(battle, side), *s;
	const struct rosters_side *sd;
	int64_t left, width;
	int y;

	y = page_card_lines(b, name, x, 170, PAGE_CARD_SIDE, 2, 56, fill, true);
	y = page_card_lines(b, *players == '\0' ? "nobody yet" : players, x,
	    y + 6, PAGE_CARD_SIDE, 2, 30, "#5d5447", false);
	if (rs != NULL && rs->sides[side - 1].began > 0) {
		sd = &rs->sides[side - 1];
		left = sd->in_play + sd->away;
		width = left < 0       ? 0
		    : left > sd->began ? PAGE_CARD_SIDE
				       : left * PAGE_CARD_SIDE / sd->began;
		s = xalloc_printf("%lld of %lld %s", (long long)left,
		    (long long)sd->began, rs->what);
		y = page_card_lines(
		    b, s, x, y + 16, PAGE_CARD_SIDE, 1, 30, "#221d17", false);
		buf_printf(b,
		    "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"18\" "
		    "fill=\"#e5dcc9\"/>\n<rect x=\"%d\" y=\"%d\" "
		    "width=\"%lld\" height=\"18\" fill=\"%s\"/>\n",
		    x, y + 12, PAGE_CARD_SIDE, x, y + 12, (long long)width,
		    fill);
		free(s);
	}
	free(players);
	free(name);
}

void
page_card(struct buf *b, const struct page_site *s, const struct page_game *g)
{
	const struct game *game = battle_game(g->b);
	const struct rules_system *sys = systems_find(game_system(game));
	const char *event = game_settings(game)->event;
	struct rosters *rs = rosters_new(g->b);
	char *heading = page_now_heading(g->b), *top;

	top =
	    xalloc_printf("%s%s%s", sys == NULL ? game_system(game) : sys->name,
		event == NULL ? "" : ", ", event == NULL ? "" : event);
	buf_puts(b,
	    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1200\" "
	    "height=\"630\" viewBox=\"0 0 1200 630\" "
	    "font-family=\"DejaVu Serif, Georgia, serif\">\n"
	    "<rect width=\"1200\" height=\"630\" fill=\"#fbf8f1\"/>\n"
	    "<rect width=\"1200\" height=\"14\" fill=\"#7a2018\"/>\n");
	(void)page_card_lines(b, top, PAGE_CARD_MARGIN, 70,
	    PAGE_CARD_WIDTH - 2 * PAGE_CARD_MARGIN, 1, 34, "#5d5447", false);
	page_card_side(b, g->b, rs, 1, PAGE_CARD_MARGIN, "#1d4f91");
	page_card_side(b, g->b, rs, 2, PAGE_CARD_RIGHT, "#855400");
	(void)page_card_lines(b, heading, PAGE_CARD_MARGIN, 470,
	    PAGE_CARD_WIDTH - 2 * PAGE_CARD_MARGIN, 2, 44, "#221d17", true);
	(void)page_card_lines(b, *s->title == '\0' ? "umpire" : s->title,
	    PAGE_CARD_MARGIN, 575, PAGE_CARD_WIDTH - 2 * PAGE_CARD_MARGIN, 1,
	    26, "#5d5447", false);
	buf_puts(b, "</svg>\n");
	free(top);
	free(heading);
	rosters_free(rs);
}
