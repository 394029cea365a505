/* SPDX-License-Identifier: ISC */
/*
 * The crosstable of an event that is no tournament: what each player got
 * against each other one, in games in which each was alone on a side.  It is
 * made of rows of game.list, as they come.
 */
#include <stdlib.h>
#include <string.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/report/markup.h"
#include "client/report/people.h"
#include "common/json/js.h"
#include "web/page/page_int.h"

#define PAGE_CROSS_PLAYERS 32 /* more do not fit on a page */

/* A player. */
struct page_cross_player {
	const char *account; /* borrowed */
	int place; /* in the order in which they were found */
	int halves; /* of points: 2 for a game won, 1 for one drawn */
	int games;
};

/* A game that is over, as its first side sees it. */
struct page_cross_game {
	int side1, side2; /* places of its players */
	char sign; /* '1', '=', '0'; '-': nobody won, and it was no draw */
};

struct page_cross {
	struct page_cross_player players[PAGE_CROSS_PLAYERS];
	int n;
	struct page_cross_game *games; /* owned */
	size_t n_games;
	bool is_full; /* there are more players */
};

/* The account that has a side to itself; NULL. */
static const char *
page_cross_alone(const json_t *row, size_t side)
{
	const json_t *list =
	    json_array_get(json_object_get(row, "players"), side);
	const char *account = json_string_value(json_array_get(list, 0));

	return (
	    json_array_size(list) != 1 || account == NULL || *account == '\0'
		? NULL
		: account);
}

/* The place of a player, who is added if they are new; -1: there is no room. */
static int
page_cross_place(struct page_cross *c, const char *account)
{
	int i;

	for (i = 0; i < c->n; i++) {
		if (strcmp(c->players[i].account, account) == 0)
			return (i);
	}
	if (c->n == PAGE_CROSS_PLAYERS) {
		c->is_full = true;
		return (-1);
	}
	c->players[i].account = account;
	c->players[i].place = i;
	c->n++;
	return (i);
}

/* What a side sees of a game that the other one sees as sign. */
static char
page_cross_other(char sign)
{
	return (sign == '1' ? '0' : sign == '0' ? '1' : sign);
}

/* Counts a game for one of its players. */
static void
page_cross_count(struct page_cross_player *p, char sign)
{
	p->games++;
	p->halves += sign == '1' ? 2 : sign == '=' ? 1 : 0;
}

/* Takes a row in, if it is of a game that was played and is over. */
static void
page_cross_add(struct page_cross *c, const json_t *row)
{
	const json_t *result = json_object_get(row, "result");
	const json_t *winner = json_object_get(result, "winner");
	const char *one = page_cross_alone(row, 0);
	const char *two = page_cross_alone(row, 1);
	struct page_cross_game g;

	if (!json_is_object(result) || one == NULL || two == NULL ||
	    strcmp(one, two) == 0 || js_int(row, "turn") < 1)
		return;
	g.side1 = page_cross_place(c, one);
	g.side2 = page_cross_place(c, two);
	if (g.side1 < 0 || g.side2 < 0)
		return;
	if (json_is_integer(winner))
		g.sign = json_integer_value(winner) == 1 ? '1' : '0';
	else
		g.sign = page_is_drawn(result) ? '=' : '-';
	page_cross_count(&c->players[g.side1], g.sign);
	page_cross_count(&c->players[g.side2], page_cross_other(g.sign));
	c->games[c->n_games++] = g;
}

/* Most points first, then by account; qsort(). */
static int
page_cross_compare_cb(const void *a, const void *b)
{
	const struct page_cross_player *x = a, *y = b;

	return (x->halves != y->halves ? y->halves - x->halves
				       : strcmp(x->account, y->account));
}

/* What one got against another, game by game. */
static void
page_cross_cell(struct buf *b, const struct page_cross *c, int place, int other)
{
	const struct page_cross_game *g;
	size_t i;

	buf_puts(b, "<td class=\"num\">");
	/* Rows have the newest first. */
	for (i = c->n_games; i-- > 0;) {
		g = &c->games[i];
		if (g->side1 == place && g->side2 == other)
			buf_putc(b, g->sign);
		else if (g->side1 == other && g->side2 == place)
			buf_putc(b, page_cross_other(g->sign));
	}
	buf_puts(b, "</td>");
}

/* The table, in order. */
static void
page_cross_table(struct buf *b, const struct page_cross *c,
    struct people *people, bool is_all)
{
	const struct page_cross_player *p;
	int i, k;

	markup_add(b,
	    "<div class=\"wide\" tabindex=\"0\" role=\"group\" "
	    "aria-label=\"Crosstable\"><table class=\"units\"><caption>%s: "
	    "1 won, = drew, 0 lost, - nobody won</caption>\n<thead><tr>"
	    "<th scope=\"col\" class=\"num\">No.</th>"
	    "<th scope=\"col\">Player</th>",
	    is_all ? "All games that were played and are over"
		   : "Those of the games listed here that were played and are "
		     "over");
	for (i = 0; i < c->n; i++)
		buf_printf(b, "<th scope=\"col\" class=\"num\">%d</th>", i + 1);
	buf_puts(b,
	    "<th scope=\"col\" class=\"num\">Games</th>"
	    "<th scope=\"col\" class=\"num\">Points</th></tr></thead>\n"
	    "<tbody>\n");
	for (i = 0; i < c->n; i++) {
		p = &c->players[i];
		buf_printf(b, "<tr><td class=\"num\">%d</td><th scope=\"row\">",
		    i + 1);
		page_player(b, p->account, people_tell(people, p->account));
		buf_puts(b, "</th>");
		for (k = 0; k < c->n; k++)
			page_cross_cell(b, c, p->place, c->players[k].place);
		buf_printf(b,
		    "<td class=\"num\">%d</td><td class=\"num\">%d%s</td>"
		    "</tr>\n",
		    p->games, p->halves / 2, p->halves % 2 ? ".5" : "");
	}
	buf_puts(b, "</tbody></table></div>\n");
}

void
page_cross(struct buf *b, const json_t *games, bool is_all)
{
	struct page_cross c = {.n = 0};
	struct people *people = people_new();
	const json_t *row;
	size_t i;

	c.games = xalloc((json_array_size(games) + 1) * sizeof(*c.games));
	json_array_foreach(games, i, row)
	{
		people_add_list(people, json_object_get(row, "players"),
		    json_object_get(row, "names"));
		page_cross_add(&c, row);
	}
	if (c.is_full)
		buf_printf(b,
		    "<p>More than %d have played here, too many for a "
		    "crosstable.</p>\n",
		    PAGE_CROSS_PLAYERS);
	else if (c.n_games > 0) {
		qsort(c.players, (size_t)c.n, sizeof(c.players[0]),
		    page_cross_compare_cb);
		buf_puts(b,
		    "<section aria-labelledby=\"cross-h\">"
		    "<h2 id=\"cross-h\">Crosstable</h2>\n");
		page_cross_table(b, &c, people, is_all);
		buf_puts(b, "</section>\n");
	}
	people_free(people);
	free(c.games);
}
