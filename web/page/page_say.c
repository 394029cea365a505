/* SPDX-License-Identifier: ISC */
/*
 * One line in a sentence: what a page that is open says aloud when the line
 * comes, and what feeds are made of.
 */
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/report/battle.h"
#include "client/report/doc.h"
#include "client/report/doc_int.h"
#include "client/report/report.h"
#include "client/report/report_sheet.h"
#include "common/base/err.h"
#include "common/rules/systems/systems.h"
#include "web/page/page_int.h"

/* A document that keeps the sentence of one entry. */
struct page_heard {
	struct doc doc;
	char *text; /* owned */
};

/* Members of struct doc: only entries are heard. */
static void
page_heard_title_cb(void *st, const struct doc_title *t)
{
	(void)st;
	(void)t;
}

static void
page_heard_text_cb(void *st, const char *text)
{
	(void)st;
	(void)text;
}

static void
page_heard_combat_cb(void *st, const struct doc_head *head)
{
	(void)st;
	(void)head;
}

static void
page_heard_entry_cb(void *st, const struct doc_entry *en)
{
	struct page_heard *h = st;

	free(h->text);
	/* What people say to each other is not read aloud to strangers. */
	h->text = en->who != NULL ? xalloc_printf("%s says something", en->who)
				  : xalloc_str(en->text);
}

static void
page_heard_row_cb(void *st, const struct render_row *row)
{
	(void)st;
	(void)row;
}

static void
page_heard_field_cb(void *st, const char *name, const char *value)
{
	(void)st;
	(void)name;
	(void)value;
}

static void
page_heard_table_cb(
    void *st, const char *caption, size_t n, const char *const headings[])
{
	(void)st;
	(void)caption;
	(void)n;
	(void)headings;
}

static void
page_heard_cells_cb(void *st, const char *const cells[])
{
	(void)st;
	(void)cells;
}

static const struct doc page_heard_ops = {
    .title = page_heard_title_cb,
    .warn = page_heard_text_cb,
    .turn = page_heard_text_cb,
    .combat = page_heard_combat_cb,
    .combat_more = page_heard_combat_cb,
    .combat_end = doc_nothing_cb,
    .entry = page_heard_entry_cb,
    .more = page_heard_text_cb,
    .row = page_heard_row_cb,
    .dice = doc_no_dice_cb,
    .gap = doc_nothing_cb,
    .section = page_heard_text_cb,
    .paragraph = page_heard_text_cb,
    .field = page_heard_field_cb,
    .table = page_heard_table_cb,
    .cells = page_heard_cells_cb,
    .table_end = doc_nothing_cb,
    .finish = doc_nothing_cb,
    .free = doc_nothing_cb,
};

char *
page_sentence(const struct page_game *g, const struct page_plan *p, int64_t seq)
{
	const struct page_span *sp = page_plan_find(p, seq);
	struct page_heard h = {.doc = page_heard_ops};
	struct report *rp = report_new_doc(&h.doc, g->b);

	report_go(rp, seq, sp->turn, sp->combats);
	report_lines(rp, seq, seq, 0, NULL);
	report_free(rp);
	return (h.text == NULL ? xalloc_str("") : h.text);
}

char *
page_outcome(const struct page_game *g, const struct page_plan *p, int combat)
{
	const int64_t end = page_plan_combat_end(p, g->b, combat);
	struct report_sheet *sheet;
	const struct rules_system *sys =
	    systems_find(game_system(battle_game(g->b)));
	char *s;

	if (!battle_entry(g->b, end)->ends_combat)
		return (NULL);
	/* No chances are worked out. */
	sheet = report_sheet_new(g->b, sys, p->declared[combat], 0, NULL);
	s = xalloc_str(
	    sheet == NULL ? "it is over" : report_sheet_outcome(sheet));
	report_sheet_free(sheet);
	return (s);
}

/* Where a line is told, by the plan. */
static struct page_place
page_say_where(
    const struct page_game *g, const struct page_plan *p, int64_t seq)
{
	const struct game_entry *en = battle_entry(g->b, seq);
	struct page_place at = {.turn = page_plan_find(p, seq)->turn};

	at.combat = p->combats;
	while (at.combat > 0 && p->declared[at.combat] != en->combat)
		at.combat--;
	return (at);
}

struct page_place
page_where(const struct page_game *g, int64_t seq)
{
	struct page_place at;
	struct page_plan p;

	page_plan_make(&p, g->b, g->seq);
	at = page_say_where(g, &p, seq);
	page_plan_clear(&p);
	return (at);
}

int
page_span(const struct page_game *g, enum page_kind kind, int64_t n,
    int64_t as_of, int64_t *from, int64_t *to)
{
	struct page_plan p;
	int r = ERR_NOTFOUND;
	size_t i;

	if (n < 0 || as_of > g->seq)
		return (ERR_NOTFOUND);
	page_plan_make(&p, g->b, as_of);
	if (kind == PAGE_NOW) {
		*from = 0;
		*to = -1;
		r = 0;
	} else if (kind == PAGE_PART && n > 0 && n <= p.combats) {
		*from = p.declared[n];
		*to = page_plan_combat_end(&p, g->b, (int)n);
		r = 0;
	}
	/* One that was played again has several. */
	for (i = 0; kind == PAGE_LINES && i < p.n; i++) {
		if (p.spans[i].turn != n)
			continue;
		if (r != 0)
			*from = p.spans[i].from;
		*to = p.spans[i].to;
		r = 0;
	}
	page_plan_clear(&p);
	return (r);
}

int
page_say(const struct page_game *g, int64_t seq, struct buf *out,
    struct page_place *at)
{
	struct page_plan p;
	char *s = NULL;

	if (seq < 0 || seq > g->seq)
		return (ERR_NOTFOUND);
	page_plan_make(&p, g->b, g->seq);
	*at = page_say_where(g, &p, seq);
	if (at->combat > 0 && battle_entry(g->b, seq)->ends_combat)
		s = page_outcome(g, &p, at->combat);
	if (s == NULL)
		s = page_sentence(g, &p, seq);
	if (at->combat > 0)
		buf_printf(out, "Combat %d: ", at->combat);
	buf_puts(out, s);
	free(s);
	page_plan_clear(&p);
	return (buf_error(out));
}
