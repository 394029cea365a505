/* SPDX-License-Identifier: ISC */
/*
 * How a game stands: the first question of whoever looks.  Whose move it is,
 * since when and until when; what both sides have left; and the turns, with the
 * combats of each.
 */
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/report/battle.h"
#include "client/report/markup.h"
#include "client/report/report_end.h"
#include "client/report/report_int.h"
#include "client/report/rosters.h"
#include "common/base/clock.h"
#include "web/page/page_int.h"

#define PAGE_NOW_WAITS 6 /* of them are told */
#define PAGE_NOW_TURNS 60 /* the last ones are listed */
#define PAGE_NOW_LAST 8 /* combats in which one that came out is sought */

/* What somebody is waited for, after "Waits for anna". */
static const char *const page_now_words[] = {
    [OWED_JOIN] = "to take the seat",
    [OWED_READY] = "to say that they are ready",
    [OWED_ACCEPT] = "to accept that the server has lost lines",
    [OWED_TURN] = "to move",
    [OWED_DECIDE] = "to decide",
    [OWED_COMMIT] = "to choose in secret",
    [OWED_OPEN] = "to open a secret choice",
    [OWED_ANSWER] = "to agree or to object",
    [OWED_RULING] = "to rule on a claim",
    [OWED_CLOSE] = "to close the game",
    [OWED_OFFER] = "to answer an offer",
    [OWED_NEWCOMER] = "to say whether somebody else may have a seat",
    [OWED_NOTICE] = "to move: the other side has said that it will claim "
		    "their time",
};

/* Who is waited for, one "somebody" where a seat is free; free(). */
static char *
page_now_who(const struct battle *b, const struct game_wait *w)
{
	char *players;

	if (w->what == OWED_JOIN)
		return (xalloc_str("somebody"));
	if (w->seat >= 0)
		return (battle_who(b, w->seat));
	if (w->side == 0)
		return (xalloc_str("the director"));
	players = battle_players(b, w->side);
	if (*players != '\0')
		return (players);
	free(players);
	return (battle_side(battle_game(b), w->side));
}

/* True for what is told: that which this version has words for. */
static bool
page_now_is_told(const struct game_wait *w)
{
	const size_t n = sizeof(page_now_words) / sizeof(page_now_words[0]);

	return ((size_t)w->what < n && page_now_words[w->what] != NULL);
}

/* "Waits for anna (French) to move"; free(). */
static char *
page_now_wait(const struct battle *b, const struct game_wait *w)
{
	char *who = page_now_who(b, w), *side = NULL, *s;

	if (w->side != 0)
		side = battle_side(battle_game(b), w->side);
	s = xalloc_printf("Waits for %s%s%s%s %s", who,
	    side == NULL ? "" : " (", side == NULL ? "" : side,
	    side == NULL ? "" : ")", page_now_words[w->what]);
	free(side);
	free(who);
	return (s);
}

/* A sentence may begin with a side that is called "side 1"; s is stolen. */
static char *
page_now_capital(char *s)
{
	if (*s >= 'a' && *s <= 'z')
		*s = (char)(*s - 'a' + 'A');
	return (s);
}

char *
page_now_side(const struct game *g, int side)
{
	const char *name = game_side_name(g, side);
	char *s = battle_side(g, side);

	return (name == NULL || *name == '\0' ? page_now_capital(s) : s);
}

char *
page_now_heading(const struct battle *b)
{
	const struct game *g = battle_game(b);
	char *side, *s;

	if (game_how(g) == GAME_UNDECIDED && game_phase(g) == GAME_MUSTER)
		return (xalloc_str("Before the battle"));
	if (game_how(g) == GAME_UNDECIDED && game_phase(g) == GAME_PLAY) {
		side = battle_side(g, game_side(g));
		s = xalloc_printf("Turn %d, %s", game_turn(g), side);
		free(side);
		return (s);
	}
	side = game_winner(g) == 0 ? NULL : page_now_side(g, game_winner(g));
	s = report_end_result(game_phase(g), game_how(g), side);
	free(side);
	return (s);
}

/* "French have 53 of 76 strength points left, Austrians 66 of 87"; free(). */
static char *
page_now_left(const struct battle *b)
{
	struct rosters *rs = rosters_new(b);
	const struct rosters_side *x, *y;
	char *s = NULL;

	if (rs == NULL)
		return (NULL);
	x = &rs->sides[0];
	y = &rs->sides[1];
	if (x->began >= 0 && y->began >= 0)
		s = xalloc_printf("%s: %lld of %lld %s left; %s: %lld of %lld",
		    x->name, (long long)(x->in_play + x->away),
		    (long long)x->began, rs->what, y->name,
		    (long long)(y->in_play + y->away), (long long)y->began);
	rosters_free(rs);
	return (s);
}

char *
page_now_about(const struct battle *b, const struct page_plan *p)
{
	char *heading = page_now_heading(b), *left = page_now_left(b), *s;
	const bool ends = heading[strlen(heading) - 1] == '.';

	s = xalloc_printf("%s%s %s%s%d combat%s so far.", heading,
	    ends ? "" : ".", left == NULL ? "" : left, left == NULL ? "" : ". ",
	    p->combats, p->combats == 1 ? "" : "s");
	free(left);
	free(heading);
	return (s);
}

/* Why the server takes no orders; NULL: it does. */
static const char *
page_now_still(const struct page_game *g)
{
	if (g->is_damaged)
		return ("The umpire's record of this game is damaged: until it "
			"is repaired no orders are taken, and nobody's time "
			"runs");
	if (g->is_recovering)
		return ("Lines of this game may be lost, as an old backup of "
			"the umpire was put back: until they are brought, or "
			"given up, no orders are taken, and nobody's time "
			"runs");
	return (NULL);
}

int
page_now(const struct page_game *g, struct buf *out)
{
	const char *still = page_now_still(g);
	char *heading = page_now_heading(g->b), *s = NULL;
	struct game_waits *w = xalloc(sizeof(*w));
	size_t i;

	if (still != NULL)
		s = xalloc_str(still);
	game_waiting(battle_game(g->b), w);
	for (i = 0; i < w->n && s == NULL; i++) {
		if (page_now_is_told(&w->list[i]))
			s = page_now_wait(g->b, &w->list[i]);
	}
	buf_puts(out, heading);
	if (s != NULL && heading[strlen(heading) - 1] != '.')
		buf_putc(out, '.');
	if (s != NULL)
		buf_printf(out, " %s.", s);
	free(s);
	free(w);
	free(heading);
	return (buf_error(out));
}

/* What is waited for, sentences; nobody's time runs if is_still. */
static void
page_now_waits(struct buf *b, const struct battle *battle, bool is_still)
{
	struct game_waits *w = xalloc(sizeof(*w));
	const struct game_wait *x;
	size_t i, n = 0;
	char *s;

	game_waiting(battle_game(battle), w);
	for (i = 0; i < w->n && n < PAGE_NOW_WAITS; i++) {
		x = &w->list[i];
		if (!page_now_is_told(x))
			continue;
		n++;
		s = page_now_wait(battle, x);
		markup_add(b, "<p class=\"wait\">%s", s);
		free(s);
		if (x->since_ms >= 0) {
			buf_puts(b, ", since ");
			page_time(b, x->since_ms, true);
		}
		if (x->until_ms >= 0 && !is_still) {
			buf_puts(b, "; until ");
			page_time(b, x->until_ms, true);
		}
		buf_puts(b, ".</p>\n");
	}
	free(w);
}

void
page_now_combat(struct buf *b, const struct battle *battle)
{
	struct game_waits *w = xalloc(sizeof(*w));
	size_t i;
	char *s;

	game_waits_owed(battle_game(battle), w);
	for (i = 0; i < w->n; i++) {
		switch (w->list[i].what) {
		case OWED_DECIDE:
		case OWED_COMMIT:
		case OWED_OPEN:
		case OWED_ANSWER:
			s = page_now_wait(battle, &w->list[i]);
			markup_add(b, "<p class=\"waits\">%s.</p>\n", s);
			free(s);
			break;
		default:
			break;
		}
	}
	free(w);
}

void
page_now_forces(struct buf *b, const struct battle *battle)
{
	struct rosters *rs = rosters_new(battle);
	const struct rosters_side *x;
	int64_t left, width;
	int i;

	if (rs == NULL)
		return;
	buf_puts(b, "<dl class=\"forces\">\n");
	for (i = 0; i < 2; i++) {
		x = &rs->sides[i];
		if (x->began <= 0)
			continue;
		left = x->in_play + x->away;
		width = left < 0      ? 0
		    : left > x->began ? 100
				      : left * 100 / x->began;
		markup_add(b,
		    "<div class=\"s%d\"><dt><bdi>%s</bdi></dt>"
		    "<dd><span class=\"fig\">%lld</span> of %lld %s left"
		    "<svg class=\"bar\" viewBox=\"0 0 100 6\" "
		    "preserveAspectRatio=\"none\" aria-hidden=\"true\">"
		    "<rect class=\"back\" width=\"100\" height=\"6\"/>"
		    "<rect class=\"fill\" width=\"%lld\" height=\"6\"/></svg>"
		    "</dd></div>\n",
		    i + 1, x->name, (long long)left, (long long)x->began,
		    rs->what, (long long)width);
	}
	buf_puts(b, "</dl>\n");
	rosters_free(rs);
}

/* The last combat that came out, and how; is_here: it is in this page. */
static void
page_now_last(struct buf *b, const struct page_game *g,
    const struct page_plan *p, size_t here)
{
	char *base, *outcome = NULL;
	int n;

	for (n = p->combats; n > 0 && n > p->combats - PAGE_NOW_LAST; n--) {
		if (battle_entry(g->b, p->declared[n])->taken_back < 0 &&
		    (outcome = page_outcome(g, p, n)) != NULL)
			break;
	}
	if (outcome == NULL)
		return;
	base = page_plan_find(p, p->declared[n]) >= p->spans + here
	    ? xalloc_str("#c")
	    : xalloc_printf("/g/%s/c/", g->id);
	markup_add(b,
	    "<p class=\"last\">Last combat, <a href=\"%s%d\">%d</a>: "
	    "%s</p>\n",
	    base, n, n, outcome);
	free(outcome);
	free(base);
}

/* A turn of the list, with its combats; is_here: they are in this page. */
static void
page_now_turn(struct buf *b, const struct page_game *g,
    const struct page_plan *p, const struct page_span *sp, bool is_here)
{
	const int side = sp->turn % 2 == 1 ? 1 : 2;
	char *name = battle_side(battle_game(g->b), side), *base, *fate;
	int i;

	base = is_here ? xalloc_str("#") : xalloc_printf("/g/%s/", g->id);
	markup_add(b,
	    sp->is_undone ? "<li class=\"undone\"><a href=\"%s%s%d"
			  : "<li><a href=\"%s%s%d",
	    base, is_here ? "t" : "t/", sp->turn);
	if (is_here && sp->again > 0)
		buf_printf(b, "-%d", sp->again + 1);
	markup_add(b,
	    "\">Turn %d%s</a> <span class=\"side s%d\"><bdi>%s</bdi></span>",
	    sp->turn,
	    sp->is_undone       ? ", taken back"
		: sp->again > 0 ? ", again"
				: "",
	    side, name);
	for (i = sp->combats + 1; i <= sp->combats + sp->n_combats; i++) {
		fate = report_fate(battle_entry(g->b, p->declared[i]));
		markup_add(b,
		    " <a class=\"cn%s\" href=\"%s%s%d\"><span class=\"sr\">"
		    "combat </span>%d",
		    fate == NULL ? "" : " undone", base, is_here ? "c" : "c/",
		    i, i);
		if (fate != NULL)
			markup_add(b, "<span class=\"sr\">, %s</span>", fate);
		buf_puts(b, "</a>");
		free(fate);
	}
	buf_puts(b, "</li>\n");
	free(base);
	free(name);
}

void
page_now_put(struct buf *b, const struct page_game *g,
    const struct page_plan *p, size_t here)
{
	char *heading = page_now_heading(g->b);
	const char *still = page_now_still(g);
	size_t i, first = 0;

	markup_add(b,
	    "<section id=\"now\" class=\"now\" aria-labelledby=\"now-h\" "
	    "data-seq=\"%lld\">\n<h2 id=\"now-h\">%s</h2>\n",
	    (long long)g->seq, heading);
	free(heading);
	if (still != NULL)
		markup_add(b, "<p class=\"waits\">%s.</p>\n", still);
	page_now_waits(b, g->b, still != NULL);
	page_now_last(b, g, p, here);
	page_now_forces(b, g->b);
	if (p->n > PAGE_NOW_TURNS)
		first = p->n - PAGE_NOW_TURNS;
	if (p->n > 1 || p->combats > 0) {
		buf_puts(b,
		    "<nav class=\"turns\" aria-label=\"Turns and combats\">"
		    "<ol>\n");
		for (i = first; i < p->n; i++) {
			if (p->spans[i].turn > 0)
				page_now_turn(b, g, p, &p->spans[i], i >= here);
		}
		buf_puts(b, "</ol></nav>\n");
	}
	buf_puts(b, "</section>\n");
}
