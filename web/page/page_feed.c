/* SPDX-License-Identifier: ISC */
/*
 * Atom feeds (RFC 4287): an entry for each combat that is over, each turn, and
 * the end.  An entry's id is made of the game and the line alone, so that it is
 * the same at every address that ever shows it.
 */
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/report/battle.h"
#include "client/report/svg.h"
#include "common/base/clock.h"
#include "web/page/page_int.h"

#define PAGE_FEED_ENTRIES 20 /* of a game, the newest */
#define PAGE_FEED_TAG "tag:umpire.invalid,2026:"

/* Appends an element with a time. */
static void
page_feed_time(struct buf *b, const char *name, int64_t ms)
{
	char at[CLOCK_AT_LEN + 1];

	clock_format(at, ms);
	buf_printf(b, "<%s>%s</%s>\n", name, at, name);
}

/* Appends an element with a text. */
static void
page_feed_text(struct buf *b, const char *name, const char *s)
{
	buf_printf(b, "<%s>", name);
	svg_text(b, s);
	buf_printf(b, "</%s>\n", name);
}

int
page_feed_open(const struct page_site *s, const char *self, const char *title,
    int64_t updated_ms, struct buf *out)
{
	buf_puts(out,
	    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
	    "<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"en\">\n");
	page_feed_text(out, "title", title);
	buf_puts(out, "<id>" PAGE_FEED_TAG);
	svg_text(out, self);
	buf_puts(out, "</id>\n<link rel=\"self\" href=\"");
	svg_text(out, s->base);
	svg_text(out, self);
	buf_puts(out, "\"/>\n");
	page_feed_time(out, "updated", updated_ms);
	buf_puts(out, "<author>");
	page_feed_text(out, "name", *s->title == '\0' ? "umpire" : s->title);
	buf_puts(out, "</author>\n");
	return (buf_error(out));
}

/* An entry; whole is what it says, with the game. */
static void
page_feed_entry(struct buf *b, const struct page_site *s,
    const struct page_game *g, int64_t seq, const char *anchor, int n,
    const char *title, const char *text)
{
	const int64_t at_ms = battle_entry(g->b, seq)->at_ms;

	buf_puts(b, "<entry>\n");
	page_feed_text(b, "title", title);
	buf_printf(
	    b, "<id>" PAGE_FEED_TAG "%s/%lld</id>\n", g->gid, (long long)seq);
	buf_puts(b, "<link href=\"");
	svg_text(b, s->base);
	buf_printf(b, "/g/%s/", g->id);
	if (*anchor != '\0')
		buf_printf(b, "%s%d", anchor, n);
	buf_puts(b, "\"/>\n");
	page_feed_time(b, "published", at_ms);
	page_feed_time(b, "updated", at_ms);
	buf_puts(b, "<summary>");
	svg_text(b, text);
	buf_puts(b, "</summary>\n</entry>\n");
}

/* The entry of a line, if it has one. */
static bool
page_feed_line(struct buf *b, const struct page_site *s,
    const struct page_game *g, const struct page_plan *p, const char *game,
    int64_t seq)
{
	const struct game_entry *en = battle_entry(g->b, seq);
	const char *anchor = "t/";
	char *title = NULL, *text = NULL;
	int n = en->turn;

	if (en->how != GAME_UNDECIDED) {
		text = page_now_heading(g->b);
		title = xalloc_printf("%s: the end", game);
		anchor = "";
	} else if (en->ends_combat) {
		anchor = "c/";
		for (n = p->combats; n > 0 && p->declared[n] != en->combat; n--)
			;
		if (n == 0)
			return (false);
		text = page_outcome(g, p, n);
		title = xalloc_printf("%s: combat %d%s", game, n,
		    battle_entry(g->b, p->declared[n])->taken_back >= 0
			? ", taken back"
			: "");
	} else if (seq > 0 && en->turn > battle_entry(g->b, seq - 1)->turn) {
		text = page_sentence(g, p, seq);
		title = xalloc_printf("%s: turn %d", game, n);
	}
	if (title == NULL)
		return (false);
	page_feed_entry(
	    b, s, g, seq, anchor, n, title, text == NULL ? "" : text);
	free(title);
	free(text);
	return (true);
}

/* The entries of a game, the newest first. */
static void
page_feed_lines(struct buf *b, const struct page_site *s,
    const struct page_game *g, const struct page_plan *p)
{
	char *game = page_game_title(g);
	int64_t seq;
	int n = 0;

	for (seq = p->last; seq >= 0 && n < PAGE_FEED_ENTRIES; seq--) {
		if (page_feed_line(b, s, g, p, game, seq))
			n++;
	}
	free(game);
}

int
page_feed_add(
    const struct page_site *s, const struct page_game *g, struct buf *out)
{
	struct page_plan p;

	page_plan_make(&p, g->b, g->seq);
	page_feed_lines(out, s, g, &p);
	page_plan_clear(&p);
	return (buf_error(out));
}

int
page_feed_close(struct buf *out)
{
	buf_puts(out, "</feed>\n");
	return (buf_error(out));
}

int
page_feed_game(struct buf *b, const struct page_site *s,
    const struct page_game *g, const struct page_plan *p)
{
	char *title = page_game_title(g);
	char *self = xalloc_printf("/g/%s/feed.atom", g->gid);
	int r;

	r = page_feed_open(
	    s, self, title, battle_entry(g->b, p->last)->at_ms, b);
	if (r == 0) {
		page_feed_lines(b, s, g, p);
		r = page_feed_close(b);
	}
	free(self);
	free(title);
	return (r);
}
