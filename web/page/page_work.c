/* SPDX-License-Identifier: ISC */
/*
 * Bodies about a game, made step by step: a long game has thousands of lines,
 * and whoever else waits must not wait for all of them.  A game page tells the
 * last turns whole and has links to the others, so that its size has a bound.
 */
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/report/battle.h"
#include "client/report/describe.h"
#include "client/report/luck.h"
#include "client/report/markup.h"
#include "client/report/report.h"
#include "client/report/report_end.h"
#include "client/report/report_sheet.h"
#include "common/base/err.h"
#include "common/base/hex.h"
#include "common/game/verify.h"
#include "common/rules/rules.h"
#include "common/rules/systems/systems.h"
#include "web/page/page_int.h"

#define PAGE_WORK_LINES 20 /* of a step */
#define PAGE_WORK_RUNS 3000 /* of a combat whose chances are worked out */
#define PAGE_WORK_ROWS 100 /* lines of a step of a table */
#define PAGE_WORK_TOLD 400 /* lines that a game page tells, and combats: */
#define PAGE_WORK_COMBATS 40
#define PAGE_WORK_OPEN 2 /* turns that are not folded, nor those of the */
#define PAGE_WORK_LAST 3 /* last combats; the steps of */
#define PAGE_WORK_STEPS 1 /* combat, the last, are told there */

/* Where a body is. */
enum page_work_at {
	PAGE_WORK_BEGIN,
	PAGE_WORK_TELL,
	PAGE_WORK_END,
	PAGE_WORK_DONE,
};

struct page_work {
	enum page_kind kind;
	enum page_work_at at;
	const struct page_site *s; /* borrowed */
	struct page_game g; /* its pointers, too */
	int64_t n;
	struct page_plan plan;
	struct page_tell *tell; /* owned, as the next; NULL: nothing is told */
	struct report *report;
	size_t span, last; /* that is told, and the last to be */
	int64_t next; /* line */
	int64_t end; /* the last line to be told */
	bool in_span;
	/* Of the head; owned. */
	char *title, *about, *preview, *path, *feed, *record, *picture;
	struct page_head head;
};

char *
page_game_title(const struct page_game *g)
{
	const struct game *game = battle_game(g->b);
	char *sides[2], *s;

	if (g->title != NULL && *g->title != '\0')
		return (xalloc_str(g->title));
	sides[0] = page_now_side(game, 1);
	sides[1] = page_now_side(game, 2);
	s = xalloc_printf("%s against %s", sides[0], sides[1]);
	free(sides[0]);
	free(sides[1]);
	return (s);
}

/* Works out what a page's head says. */
static void
page_work_head(struct page_work *w)
{
	const struct page_game *g = &w->g;
	const struct game *game = battle_game(g->b);
	char *title = page_game_title(g), *heading = page_now_heading(g->b);
	struct page_head *h = &w->head;

	w->about = page_now_about(g->b, &w->plan);
	w->preview = xalloc_printf("%s: %s", title, heading);
	w->feed = xalloc_printf("/g/%s/feed.atom", g->id);
	w->record = xalloc_printf("/g/%s/record.jsonl", g->id);
	w->picture = xalloc_printf("/g/%s/%lld.png", g->id, (long long)g->seq);
	switch (w->kind) {
	case PAGE_TURN:
		w->title =
		    xalloc_printf("Turn %lld - %s", (long long)w->n, title);
		w->path = xalloc_printf("/g/%s/t/%lld", g->id, (long long)w->n);
		break;
	case PAGE_COMBAT:
		w->title =
		    xalloc_printf("Combat %lld - %s", (long long)w->n, title);
		w->path = xalloc_printf("/g/%s/c/%lld", g->id, (long long)w->n);
		break;
	default:
		w->title = xalloc_str(w->preview);
		w->path = xalloc_printf("/g/%s/", g->id);
		break;
	}
	h->title = w->title;
	h->about = w->about;
	h->preview = w->kind == PAGE_GAME ? w->preview : NULL;
	h->path = w->path;
	h->feed = w->feed;
	h->record = w->record;
	h->picture = w->s->has_png ? w->picture : NULL;
	h->picture_says = w->about;
	h->seq = g->seq;
	h->epoch = g->epoch;
	h->is_hidden = game_how(game) == GAME_UNDECIDED;
	if (w->kind == PAGE_GAME) {
		h->skip = "Skip to how the game stands";
		h->has_verify = true;
		h->game = game_is_finished(game) ? NULL : g->id;
	}
	h->is_embed = w->kind == PAGE_EMBED;
	free(heading);
	free(title);
}

/* Begins telling at a line. */
static void
page_work_tell(struct page_work *w, int64_t from, int64_t end)
{
	int64_t go = battle_entry(w->g.b, from)->combat;
	int combats = 0;

	/* What a combat's units are called its declaration says. */
	if (go < 0 || go > from)
		go = from;
	while (combats < w->plan.combats && w->plan.declared[combats + 1] < go)
		combats++;
	report_free(w->report);
	page_tell_free(w->tell);
	w->tell = page_tell_new(&w->g, &w->plan, w->kind == PAGE_GAME);
	if (w->kind == PAGE_GAME)
		page_tell_set_brief(
		    w->tell, w->plan.combats + 1 - PAGE_WORK_STEPS);
	w->report = report_new_doc(page_tell_doc(w->tell), w->g.b);
	report_want_turns(w->report);
	if (w->g.sheets != NULL)
		report_keep_sheets(w->report, w->g.sheets);
	report_go(w->report, go, page_plan_find(&w->plan, go)->turn, combats);
	if (go < from)
		report_lines(w->report, from, from - 1, 0, NULL);
	w->next = from;
	w->end = end;
}

/* The first span that a game page tells. */
static size_t
page_work_first(const struct page_plan *p)
{
	size_t first = p->n - 1;

	while (first > 0 &&
	    p->last + 1 - p->spans[first - 1].from <= PAGE_WORK_TOLD &&
	    p->combats - p->spans[first - 1].combats <= PAGE_WORK_COMBATS)
		first--;
	return (first);
}

/* Begins with the spans of a game page. */
static void
page_work_tell_game(struct page_work *w)
{
	w->span = page_work_first(&w->plan);
	w->last = w->plan.n - 1;
	page_work_tell(w, w->plan.spans[w->span].from, w->plan.last);
}

/* Begins with the spans of a turn.  ERR_NOTFOUND. */
static int
page_work_tell_turn(struct page_work *w)
{
	size_t i;

	for (i = 0; i < w->plan.n && w->plan.spans[i].turn != w->n; i++)
		;
	if (i == w->plan.n)
		return (ERR_NOTFOUND);
	w->span = w->last = i;
	page_work_tell(w, w->plan.spans[i].from, w->plan.spans[i].to);
	return (0);
}

/* Begins with a combat.  ERR_NOTFOUND. */
static int
page_work_tell_combat(struct page_work *w)
{
	if (w->n < 1 || w->n > w->plan.combats)
		return (ERR_NOTFOUND);
	page_work_tell(w, w->plan.declared[w->n],
	    page_plan_combat_end(&w->plan, w->g.b, (int)w->n));
	return (0);
}

int
page_work_new(enum page_kind kind, const struct page_site *s,
    const struct page_game *g, int64_t n, int64_t as_of, struct page_work **out)
{
	struct page_work *w;
	int r = 0;

	if (battle_game(g->b) == NULL || as_of > g->seq || n < 0)
		return (ERR_NOTFOUND);
	w = xalloc(sizeof(*w));
	w->kind = kind;
	w->s = s;
	w->g = *g;
	w->n = n;
	page_plan_make(&w->plan, g->b, g->seq);
	switch (kind) {
	case PAGE_GAME:
		page_work_tell_game(w);
		break;
	case PAGE_TURN:
	case PAGE_LINES:
		r = page_work_tell_turn(w);
		break;
	case PAGE_COMBAT:
	case PAGE_PART:
		r = page_work_tell_combat(w);
		break;
	case PAGE_DICE:
		r = n <= g->seq && page_dice_fell(g->b, n) ? 0 : ERR_NOTFOUND;
		break;
	case PAGE_CSV:
		w->end = g->seq;
		break;
	default:
		break;
	}
	if (r != 0) {
		page_work_free(w);
		return (r);
	}
	if (kind == PAGE_GAME || kind == PAGE_TURN || kind == PAGE_COMBAT ||
	    kind == PAGE_EMBED)
		page_work_head(w);
	*out = w;
	return (0);
}

void
page_work_free(struct page_work *w)
{
	if (w == NULL)
		return;
	if (w->g.sheets != NULL)
		report_sheets_stop(w->g.sheets);
	report_free(w->report);
	page_tell_free(w->tell);
	page_plan_clear(&w->plan);
	free(w->title);
	free(w->about);
	free(w->preview);
	free(w->path);
	free(w->feed);
	free(w->record);
	free(w->picture);
	free(w);
}

bool
page_work_has_words(const struct page_work *w)
{
	return (w->kind != PAGE_DICE);
}

/* The two sides, and who plays them. */
static void
page_work_players(struct buf *b, const struct battle *battle)
{
	const struct game *g = battle_game(battle);
	const char *account, *joint;
	int seat, side;

	buf_puts(b, "<p class=\"players\">");
	for (side = 1; side <= 2; side++) {
		joint = side == 1 ? "" : " against ";
		for (seat = 1; seat <= game_seats(g); seat++) {
			account = game_account(g, seat);
			if (game_side_of(seat) != side || *account == '\0')
				continue;
			buf_puts(b, joint);
			page_player(
			    b, account, battle->called(battle->arg, account));
			joint = ", ";
		}
		if (*joint == ' ' || *joint == '\0')
			buf_printf(b, "%snobody yet", joint);
	}
	account = game_account(g, 0);
	if (*account != '\0') {
		buf_puts(b, ", director ");
		page_player(b, account, battle->called(battle->arg, account));
	}
	buf_puts(b, "</p>\n");
}

/* What does not hold, or cannot be checked, as a sentence. */
static void
page_work_doubt(struct page_work *w, struct buf *b)
{
	const char *s = w->g.doubt;
	const char first[2] = {
	    *s >= 'a' && *s <= 'z' ? (char)(*s - 'a' + 'A') : *s, '\0'};

	const char *what = "Not all of this game was found good.",
		   *rest = " What stands here was.";

	if (*s == '\0')
		return;
	if (game_is_halted(battle_game(w->g.b))) {
		what = "The umpire's rules failed, and halted this game.";
		rest = "";
	} else if (battle_proof(w->g.b)->is_unchecked) {
		what = "Not all of this game can be checked here.";
		rest = "";
	}
	markup_add(b, "<p class=\"warning\"><strong>%s</strong> %s%s.%s</p>\n",
	    what, first, s + 1, rest);
}

/* What stands above everything: rules, event, sides, players. */
static void
page_work_title(struct page_work *w, struct buf *b, bool has_links)
{
	const struct game *g = battle_game(w->g.b);
	const struct order_create *c = game_settings(g);
	const struct rules_system *sys = systems_find(game_system(g));
	char *sides[2];

	sides[0] = page_now_side(g, 1);
	sides[1] = page_now_side(g, 2);
	markup_add(b, "<header class=\"game\">\n<p class=\"rules\">%s",
	    sys == NULL ? game_system(g) : sys->name);
	if (c->event != NULL) {
		buf_puts(b, " \302\267 ");
		page_event(b, c->event);
	}
	if (c->round >= 0)
		buf_printf(b, ", round %lld", (long long)c->round);
	if (c->table >= 0)
		buf_printf(b, ", table %lld", (long long)c->table);
	if (c->has_tournament) {
		buf_puts(b, " (<a href=\"/t/");
		buf_hex(b, c->tournament, HASH_LEN);
		buf_puts(b, "/\">tournament</a>)");
	}
	buf_puts(b, "</p>\n<h1>");
	if (has_links)
		markup_add(b, "<a href=\"/g/%s/\">", w->g.id);
	markup_add(b,
	    "<bdi class=\"s1\">%s</bdi> <span class=\"against\">against</span> "
	    "<bdi class=\"s2\">%s</bdi>",
	    sides[0], sides[1]);
	buf_puts(b, has_links ? "</a></h1>\n" : "</h1>\n");
	page_work_players(b, w->g.b);
	buf_puts(b, "</header>\n");
	if (w->g.doubt != NULL)
		page_work_doubt(w, b);
	if (w->g.evidence != NULL && *w->g.evidence != '\0')
		markup_add(b,
		    "<p class=\"warning\"><strong>The umpire has shown two "
		    "records of this game.</strong> <a href=\"%s\">The proof "
		    "of "
		    "that</a> convicts it; what stands here is the one that "
		    "came "
		    "first.</p>\n",
		    w->g.evidence);
	if (w->g.is_cut)
		markup_add(b,
		    "<p class=\"warning\">The record is longer than is read "
		    "here: what follows line %lld is not shown. The umpire has "
		    "all of it.</p>\n",
		    (long long)w->g.total - 1);
	else if (w->g.total > w->g.seq + 1)
		markup_add(b,
		    "<p class=\"warning\">Still being checked: line %lld of "
		    "%lld. This page will have the rest when it is read "
		    "again.</p>\n",
		    (long long)w->g.seq, (long long)w->g.total - 1);
	free(sides[0]);
	free(sides[1]);
}

/* Turns that a game page does not tell. */
static void
page_work_earlier(struct page_work *w, struct buf *b)
{
	const struct page_span *sp;
	char *name;
	size_t i;

	if (w->span == 0)
		return;
	buf_puts(b,
	    "<section class=\"earlier\" aria-labelledby=\"earlier-h\">"
	    "<h2 id=\"earlier-h\">Earlier turns</h2>\n<ul>\n");
	for (i = 0; i < w->span; i++) {
		sp = &w->plan.spans[i];
		if (sp->again > 0)
			continue;
		name = page_plan_name(sp, battle_game(w->g.b));
		markup_add(b, "<li><a href=\"/g/%s/t/%d\">%s</a>", w->g.id,
		    sp->turn, name);
		markup_add(b, ", %d combat%s</li>\n", sp->n_combats,
		    sp->n_combats == 1 ? "" : "s");
		free(name);
	}
	buf_puts(b, "</ul>\n</section>\n");
}

/* Begins a turn: folded, if it is an old one of a game page. */
static void
page_work_open(struct page_work *w, struct buf *b)
{
	const struct page_span *sp = &w->plan.spans[w->span];
	char *name = page_plan_name(sp, battle_game(w->g.b));
	const bool is_open = w->kind != PAGE_GAME ||
	    w->span + PAGE_WORK_OPEN > w->last ||
	    sp->combats + sp->n_combats > w->plan.combats - PAGE_WORK_LAST;
	const long long lines = (long long)(sp->to - sp->from + 1);

	buf_printf(b, "<details class=\"turn %s\" id=\"t%d",
	    sp->turn % 2 == 1 ? "odd" : "even", sp->turn);
	if (sp->again > 0)
		buf_printf(b, "-%d", sp->again + 1);
	markup_add(b, "\"%s>\n<summary><h2>%s</h2> <span class=\"count\">",
	    is_open ? " open" : "", name);
	if (sp->n_combats > 0)
		buf_printf(b, "%d combat%s", sp->n_combats,
		    sp->n_combats == 1 ? "" : "s");
	else
		buf_printf(b, "%lld line%s", lines, lines == 1 ? "" : "s");
	buf_puts(b, sp->is_undone ? ", taken back; " : "; ");
	page_time(b, battle_entry(w->g.b, sp->from)->at_ms, true);
	buf_puts(b, "</span></summary>\n");
	free(name);
	w->in_span = true;
}

/* Ends a turn. */
static void
page_work_close(struct page_work *w, struct buf *b)
{
	page_tell_end(w->tell, b);
	if (w->in_span)
		buf_puts(b, "</details>\n");
	w->in_span = false;
}

/* Whether the body's turns have frames; a combat of its own has none. */
static bool
page_work_has_spans(const struct page_work *w)
{
	return (w->kind == PAGE_GAME || w->kind == PAGE_TURN ||
	    w->kind == PAGE_LINES);
}

/* Works on the sheet of the combat that the next line declares; true: done. */
static bool
page_work_sheet(struct page_work *w)
{
	const struct game_entry *en = battle_entry(w->g.b, w->next);

	return (w->g.sheets == NULL || en->kind != ORDER_DECLARE ||
	    en->combat != w->next || en->taken_back >= 0 ||
	    report_sheets_step(w->g.sheets, w->g.b,
		systems_find(game_system(battle_game(w->g.b))), w->next,
		PAGE_WORK_RUNS));
}

/* Tells some lines, up to a combat or the end of a turn. */
static void
page_work_lines(struct page_work *w, struct buf *b)
{
	const bool has_spans = page_work_has_spans(w);
	const struct page_span *sp = page_plan_find(&w->plan, w->next);
	const int combat = has_spans ? 0 : (int)w->n;
	int64_t to = w->next, end = w->end;

	if (!page_work_sheet(w))
		return;
	if (has_spans && !w->in_span)
		page_work_open(w, b);
	if (has_spans && sp->to < end)
		end = sp->to;
	/* One combat at most, as its sheet and drawing cost the most. */
	while (to < end && to < w->next + PAGE_WORK_LINES &&
	    battle_entry(w->g.b, to + 1)->kind != ORDER_DECLARE)
		to++;
	report_lines(w->report, w->next, to, combat, NULL);
	w->next = to + 1;
	page_tell_take(w->tell, b);
	if (to < end)
		return;
	page_work_close(w, b);
	w->at = PAGE_WORK_END;
	if (!has_spans)
		return;
	/* The next turn; of one that was taken back the next time. */
	while (++w->span < w->plan.n && w->kind != PAGE_GAME &&
	    w->plan.spans[w->span].turn != w->n)
		;
	if (w->span == w->plan.n)
		return;
	w->at = PAGE_WORK_TELL;
	sp = &w->plan.spans[w->span];
	if (w->kind != PAGE_GAME)
		page_work_tell(w, sp->from, sp->to);
}

/* How the dice fell, a row for each kind of roll and side. */
static void
page_work_luck(struct buf *b, const struct battle *battle)
{
	static const char *const sides[] = {"the director", NULL, NULL};
	struct luck *l = luck_new(battle);
	const struct luck_kind *k;
	const struct stats_dice *st;
	char *name;
	size_t i;
	int side;

	if (l->n_kinds > 0)
		buf_puts(b,
		    "<details class=\"luck\"><summary>How the dice fell"
		    "</summary>\n<div class=\"wide\" tabindex=\"0\" "
		    "role=\"group\" aria-label=\"How the dice fell\">"
		    "<table class=\"units\"><caption>Each kind of roll: what "
		    "the dice showed on average, give or take what fair dice "
		    "stray, and what fair dice show.</caption>\n<thead><tr>"
		    "<th scope=\"col\">Roll</th><th scope=\"col\">Side</th>"
		    "<th scope=\"col\" class=\"num\">Dice</th>"
		    "<th scope=\"col\" class=\"num\">Average</th>"
		    "<th scope=\"col\" class=\"num\">Fair</th></tr></thead>\n"
		    "<tbody>\n");
	for (i = 0; i < l->n_kinds; i++) {
		k = &l->kinds[i];
		for (side = 0; side < LUCK_SIDES; side++) {
			st = &k->stats[side];
			if (st->n == 0)
				continue;
			name = sides[side] != NULL
			    ? xalloc_str(sides[side])
			    : battle_side(battle_game(battle), side);
			markup_add(b,
			    "<tr><th scope=\"row\">%s, d%d</th><td>%s</td>"
			    "<td class=\"num\">%lld</td>",
			    k->what, (int)k->sides, name, (long long)st->n);
			buf_printf(b,
			    "<td class=\"num\">%.2f \302\261 %.2f</td>"
			    "<td class=\"num\">%.2f</td></tr>\n",
			    st->mean, st->error, st->even);
			free(name);
		}
	}
	if (l->n_kinds > 0)
		buf_puts(b, "</tbody></table></div></details>\n");
	luck_free(l);
}

/* Units of both sides, how the dice fell, what wants looking at. */
static void
page_work_stand(struct page_work *w, struct buf *b)
{
	struct page_tell *t = page_tell_new(&w->g, &w->plan, true);

	buf_puts(b,
	    "<section class=\"stand\" aria-labelledby=\"stand-h\">"
	    "<h2 id=\"stand-h\">The forces, and the dice</h2>\n"
	    "<details class=\"units\"><summary>Each unit: what it began with "
	    "and has left</summary>\n");
	report_stand(page_tell_doc(t), w->g.b);
	page_tell_end(t, b);
	page_tell_free(t);
	buf_puts(b, "</details>\n");
	page_work_luck(b, w->g.b);
	buf_puts(b, "</section>\n");
}

/* A name and a value in the list of what the record is. */
static void
page_work_id(struct buf *b, const char *name, const char *value)
{
	markup_add(b, "<div><dt>%s</dt><dd>%s</dd></div>\n", name, value);
}

/* How to check it; the button claims nothing before it was pressed. */
static void
page_work_proof(struct page_work *w, struct buf *b)
{
	const struct verify_report *rep = battle_proof(w->g.b);
	const struct game *g = battle_game(w->g.b);
	char id[2 * HASH_LEN + 1], head[2 * HASH_LEN + 1];
	char hex[2 * SIGN_KEY_LEN + 1], *s;

	buf_puts(b,
	    "<section class=\"proof\" id=\"proof\" "
	    "aria-labelledby=\"proof-h\">"
	    "<h2 id=\"proof-h\">Were these dice bent? Check them</h2>\n");
	markup_add(b,
	    "<p>Each of the %lld lines is signed by its author and by the "
	    "server, and ",
	    (long long)rep->lines);
	if (rep->rolls == 0)
		buf_puts(b,
		    "no dice have fallen yet: each will follow from proofs "
		    "that anybody can work out again.</p>\n");
	else
		buf_printf(b,
		    "each of the %lld dice and chits follows from proofs that "
		    "anybody can work out again.</p>\n",
		    (long long)rep->rolls);
	hex_format(id, game_id(g), HASH_LEN);
	hex_format(head, rep->head, HASH_LEN);
	if (*w->s->wasm != '\0')
		markup_add(b,
		    "<p><button type=\"button\" id=\"verify\" hidden "
		    "data-worker=\"%s\" data-program=\"%s\" "
		    "data-hash=\"%s\" data-record=\"/g/%s/record.jsonl\" "
		    "data-game=\"%s\" data-seq=\"%lld\" data-head=\"%s\">"
		    "Check the record in this browser</button> "
		    "<output id=\"verdict\" for=\"verify\"></output></p>\n",
		    w->s->worker_js, w->s->wasm, w->s->wasm_hash, w->g.id, id,
		    (long long)rep->lines - 1, head);
	buf_puts(b,
	    "<p class=\"small\">The button checks the record, not what this "
	    "page tells of it, and a page can lie about what it checks. To "
	    "trust nobody, this server included, <a href=\"/verify\">keep the "
	    "checker as a file of your own</a>, which tells the battle from "
	    "the record, or give the record to <code>umpire verify</code>.</p>"
	    "\n<dl class=\"ids\">\n");
	page_work_id(b, "Game", id);
	hex_format(hex, game_server(g), SIGN_KEY_LEN);
	page_work_id(b, "Server's key", hex);
	s = xalloc_printf("%lld:%s", (long long)rep->lines - 1, head);
	page_work_id(b, "Head", s);
	free(s);
	page_work_id(b, "Dice", describe_hands_now(g));
	page_work_id(b, "Rules", game_rules(g));
	buf_puts(b, "</dl>\n</section>\n");
}

/* What there is to take away. */
static void
page_work_take(struct page_work *w, struct buf *b)
{
	const char *id = w->g.id;

	markup_add(b,
	    "<section class=\"take\" id=\"take\" aria-labelledby=\"take-h\">"
	    "<h2 id=\"take-h\">Take it with you</h2>\n<ul>\n"
	    "<li><a href=\"/g/%s/record.jsonl\">The signed record</a>, which "
	    "<code>umpire verify</code> reads</li>\n",
	    id);
	markup_add(b,
	    "<li>The battle as <a href=\"/g/%s/log.txt\">text</a>, as "
	    "<a href=\"/g/%s/log.md\">Markdown</a>, as "
	    "<a href=\"/g/%s/log.json\">JSON</a>; "
	    "<a href=\"/g/%s/dice.csv\">all dice as a table</a></li>\n",
	    id, id, id, id);
	markup_add(b,
	    "<li><a href=\"/g/%s/feed.atom\">A feed</a> of combats and turns, "
	    "to follow the game</li>\n",
	    id);
	if (*w->s->base != '\0')
		markup_add(b,
		    "<li><label for=\"embed\">For a page of your own:</label> "
		    "<input id=\"embed\" readonly value=\"&lt;iframe "
		    "src=&quot;%s/g/%s/embed&quot; width=&quot;480&quot; "
		    "height=&quot;360&quot; title=&quot;A battle&quot;&gt;"
		    "&lt;/iframe&gt;\"></li>\n",
		    w->s->base, id);
	buf_puts(b, "</ul>\n</section>\n");
}

/* What stands above what is told. */
static void
page_work_begin(struct page_work *w, struct buf *b)
{
	char *name;

	if (w->kind == PAGE_PART || w->kind == PAGE_LINES)
		return;
	page_begin(b, w->s, &w->head);
	page_work_title(w, b, w->kind != PAGE_GAME);
	if (w->kind == PAGE_COMBAT) {
		name = page_plan_name(
		    page_plan_find(&w->plan, w->next), battle_game(w->g.b));
		markup_add(b, "<h2>%s</h2>\n", name);
		free(name);
	}
	if (w->kind == PAGE_GAME) {
		buf_puts(b,
		    "<p class=\"say\"><span class=\"live\" id=\"live\" hidden>"
		    "Live</span> <span id=\"say\" role=\"status\" "
		    "aria-live=\"polite\"></span></p>\n");
		page_now_put(b, &w->g, &w->plan, w->span);
		page_work_earlier(w, b);
		buf_puts(b, "<div id=\"turns\">\n");
	}
}

/* Where a page of a turn or a combat leads on. */
static void
page_work_next(struct page_work *w, struct buf *b)
{
	const char *what = w->kind == PAGE_TURN ? "Turn" : "Combat";
	const char letter = w->kind == PAGE_TURN ? 't' : 'c';
	const int64_t most =
	    w->kind == PAGE_TURN ? w->plan.turns : w->plan.combats;
	const struct page_span *sp = page_plan_find(&w->plan,
	    w->kind == PAGE_TURN ? w->next - 1 : w->plan.declared[w->n]);

	buf_puts(b, "<nav class=\"next\" aria-label=\"Around it\">");
	if (w->n > 1)
		buf_printf(b, "<a href=\"/g/%s/%c/%lld\">%s %lld</a> ", w->g.id,
		    letter, (long long)w->n - 1, what, (long long)w->n - 1);
	/* A long game's page does not tell all of it. */
	buf_printf(b, "<a href=\"/g/%s/", w->g.id);
	if (sp >= w->plan.spans + page_work_first(&w->plan))
		buf_printf(b, "#%c%lld", letter, (long long)w->n);
	buf_puts(b, "\">The whole game</a>");
	if (w->n < most)
		buf_printf(b, " <a href=\"/g/%s/%c/%lld\">%s %lld</a>", w->g.id,
		    letter, (long long)w->n + 1, what, (long long)w->n + 1);
	buf_puts(b, "</nav>\n");
}

/* What stands below it. */
static void
page_work_end(struct page_work *w, struct buf *b)
{
	if (w->kind == PAGE_PART || w->kind == PAGE_LINES)
		return;
	if (w->kind == PAGE_GAME) {
		buf_puts(b, "</div>\n");
		if (w->g.seq < PAGE_WORK_TOLD)
			page_work_stand(w, b);
		page_work_proof(w, b);
		page_work_take(w, b);
	} else {
		page_work_next(w, b);
	}
	page_end(b, w->s, &w->head);
}

/* A small page for frames: sides, how it stands, the last outcome. */
static void
page_work_embed(struct page_work *w, struct buf *b)
{
	page_begin(b, w->s, &w->head);
	page_work_title(w, b, true);
	page_now_put(b, &w->g, &w->plan, w->plan.n);
	page_end(b, w->s, &w->head);
}

/* Bodies that are made in one step; false: it is none. */
static bool
page_work_at_once(struct page_work *w, struct buf *b, int *r)
{
	*r = 0;
	switch (w->kind) {
	case PAGE_NOW:
		page_now_put(b, &w->g, &w->plan, page_work_first(&w->plan));
		return (true);
	case PAGE_DICE:
		*r = page_dice(b, w->s, &w->g, &w->plan, w->n);
		return (true);
	case PAGE_EMBED:
		page_work_embed(w, b);
		return (true);
	case PAGE_FEED:
		*r = page_feed_game(b, w->s, &w->g, &w->plan);
		return (true);
	case PAGE_CARD:
		page_card(b, w->s, &w->g);
		return (true);
	default:
		return (false);
	}
}

int
page_work_step(struct page_work *w, struct buf *out, bool *is_done)
{
	int64_t to;
	int r = 0;

	*is_done = false;
	if (w->at == PAGE_WORK_DONE || page_work_at_once(w, out, &r)) {
		w->at = PAGE_WORK_DONE;
		*is_done = true;
		return (r != 0 ? r : buf_error(out));
	}
	if (w->kind == PAGE_CSV) {
		to = w->next + PAGE_WORK_ROWS;
		if (to > w->end)
			to = w->end;
		page_csv(out, &w->g, &w->plan, w->next, to);
		w->next = to + 1;
		*is_done = w->next > w->end;
		return (buf_error(out));
	}
	if (w->at == PAGE_WORK_BEGIN) {
		page_work_begin(w, out);
		w->at = PAGE_WORK_TELL;
	} else if (w->at == PAGE_WORK_TELL) {
		page_work_lines(w, out);
	} else {
		page_work_end(w, out);
		*is_done = true;
	}
	return (buf_error(out));
}
