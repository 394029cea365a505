/* SPDX-License-Identifier: ISC */
/*
 * A tournament: how it stands, its rounds, standings with what each value is
 * the sum of, the crosstable.  All of it follows from the record, which was
 * verified.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/report/markup.h"
#include "client/report/people.h"
#include "client/report/standings_view.h"
#include "common/base/clock.h"
#include "common/base/err.h"
#include "common/base/hex.h"
#include "common/json/js.h"
#include "common/pairing/crosstable.h"
#include "common/pairing/standings.h"
#include "common/rules/rules.h"
#include "common/rules/systems/systems.h"
#include "common/tournament/tournament.h"
#include "common/tournament/tournament_sheet.h"
#include "web/page/page_cup_int.h"

#define PAGE_CUP_DIGITS 12 /* of a game's id in an address */

void
page_cup_table(struct buf *b, const char *caption, const char *const headings[])
{
	size_t i;

	markup_add(b,
	    "<div class=\"wide\" tabindex=\"0\" role=\"group\" "
	    "aria-label=\"%s\"><table class=\"units\">"
	    "<caption class=\"sr\">%s</caption>\n<thead><tr>",
	    caption, caption);
	for (i = 0; headings[i] != NULL; i++)
		markup_add(b,
		    *headings[i] == '>'
			? "<th scope=\"col\" class=\"num\">%s</th>"
			: "<th scope=\"col\">%s</th>",
		    headings[i] + (*headings[i] == '>'));
	buf_puts(b, "</tr></thead>\n<tbody>\n");
}

void
page_cup_table_end(struct buf *b)
{
	buf_puts(b, "</tbody></table></div>\n");
}

const char *
page_cup_called(const struct page_cup_work *w, int number)
{
	return (people_tell(w->people, tournament_account(w->in->t, number)));
}

void
page_cup_entrant(const struct page_cup_work *w, int number)
{
	page_player(w->b, tournament_account(w->in->t, number),
	    page_cup_called(w, number));
}

/* Reads what everybody is called. */
static struct people *
page_cup_people(const struct page_cup_in *in)
{
	struct people *people = people_new();
	char hex[2 * HASH_LEN + 1];
	const uint8_t *ref;
	int i;

	people_add(people, tournament_terms(in->t)->director.account, NULL);
	for (i = 1; i <= tournament_entrants(in->t); i++) {
		ref = tournament_display(in->t, i);
		if (ref != NULL)
			hex_format(hex, ref, HASH_LEN);
		people_add(people, tournament_account(in->t, i),
		    ref == NULL ? NULL : in->text(in->arg, hex));
	}
	return (people);
}

/* How many games of the last round there are to be, and results of them. */
static void
page_cup_results(const json_t *view, int paired, int *legs, int *results)
{
	const json_t *round, *table, *leg;
	size_t i, k;

	round = json_array_get(
	    json_object_get(view, "pairings"), (size_t)paired - 1);
	*legs = *results = 0;
	json_array_foreach(json_object_get(round, "tables"), i, table)
	    json_array_foreach(json_object_get(table, "legs"), k, leg)
	{
		++*legs;
		*results += json_object_get(leg, "result") != NULL &&
		    strcmp(text_member(leg, "result"), "?") != 0;
	}
}

/* Where it stands, in a sentence; free(). */
static char *
page_cup_phase(const struct tournament *t, const json_t *view)
{
	const int paired = tournament_paired(t);
	int legs, results;

	if (tournament_is_halted(t))
		return (xalloc_str("It is halted: its rules failed."));
	if (tournament_is_closed(t) && tournament_phase(t) != TOURNAMENT_OVER)
		return (xalloc_str("The operator has closed it."));

	switch (tournament_phase(t)) {
	case TOURNAMENT_ENTRIES:
		return (xalloc_str("It is open to enter."));
	case TOURNAMENT_CHECKIN:
		return (xalloc_str("Entries have ended; who has entered checks "
				   "in."));
	case TOURNAMENT_PLAY:
		if (paired == 0)
			return (xalloc_str("Round 1 is to be paired."));
		page_cup_results(view, paired, &legs, &results);
		return (xalloc_printf("Round %d of %d: %d of %d %s.", paired,
		    tournament_rounds(t), results, legs,
		    legs == 1 ? "result is in" : "results are in"));
	case TOURNAMENT_OVER:
		break;
	}
	return (xalloc_str("It is over."));
}

/* A link around the tournament; the page that it is itself is marked. */
static void
page_cup_link(const struct page_cup_work *w, const char *path, int n,
    const char *text, bool is_here)
{
	markup_add(w->b, "<li><a href=\"/t/%s/%s", w->in->id, path);
	if (n > 0)
		buf_printf(w->b, "%d", n);
	markup_add(
	    w->b, is_here ? "\" aria-current=\"page\">%s" : "\">%s", text);
	if (n > 0)
		buf_printf(w->b, " %d", n);
	buf_puts(w->b, "</a></li>\n");
}

/* What does not hold, and what is not known yet. */
static void
page_cup_warnings(const struct page_cup_work *w)
{
	const struct page_cup_in *in = w->in;

	if (in->doubt != NULL)
		page_warn(w->b, in->doubt);
	if (*in->evidence != '\0' && in->doubt != NULL)
		markup_add(w->b,
		    "<p class=\"warning\"><strong>The umpire has signed a line "
		    "that contradicts this record.</strong> <a href=\"%s\">The "
		    "proof of that</a> convicts it; what stands here came "
		    "first.</p>\n",
		    in->evidence);
	else if (*in->evidence != '\0')
		markup_add(w->b,
		    "<p class=\"warning\"><strong>The umpire has signed "
		    "another history of this tournament before.</strong> <a "
		    "href=\"%s\">The proof of that</a> is kept; what stands "
		    "here is what it tells now.</p>\n",
		    in->evidence);
	if (in->total > in->lines)
		markup_add(w->b,
		    "<p class=\"warning\">Still being checked: line %lld of "
		    "%lld. This page reads itself anew.</p>\n",
		    (long long)in->lines - 1, (long long)in->total - 1);
}

/* In a sentence, what was checked and what was not. */
static void
page_cup_checked(const struct page_cup_work *w)
{
	const struct page_cup_check *k = w->in->check;
	const int away = k->named - k->has;
	const char *most;

	if (json_is_true(json_object_get(w->view, "lots_without_witness")))
		buf_puts(w->b,
		    "<p class=\"checked\">The lots were drawn without the "
		    "witness.</p>\n");
	if (k->is_bad) {
		markup_add(w->b,
		    "<p class=\"warning\"><strong>This tournament does not "
		    "hold.</strong> Held against the records of its games: "
		    "%s.</p>\n",
		    k->why);
		return;
	}
	if (!k->is_done && tournament_paired(w->in->t) > 0) {
		markup_add(w->b,
		    "<p class=\"checked\">Each line was verified. How rounds "
		    "were paired, and results against the records of their "
		    "games, are not checked %s: they stand as the umpire told "
		    "them.</p>\n",
		    k->is_there ? "yet" : "here");
		return;
	}
	if (!k->is_done)
		return;
	most = k->named == 0 ? "there are no games yet"
	    : away == 0      ? "results held against the records of all games"
			: "results held against the records of their games";
	markup_add(w->b,
	    "<p class=\"checked\">Checked up to line %lld: every pairing "
	    "worked out again, %s",
	    (long long)k->lines - 1, most);
	if (k->named > 0)
		buf_printf(w->b, " (%d)", k->has);
	if (away > 0)
		markup_add(w->b,
		    ". <strong>%d more could not be read here</strong>, such "
		    "as "
		    "private games, and those shown later than they are "
		    "played: what they came to stands as the umpire told it",
		    away);
	if (k->why != NULL)
		markup_add(w->b,
		    ". <strong>Not all could be judged</strong>: %s", k->why);
	buf_puts(w->b, ".</p>\n");
}

/* What stands above each page of it. */
static void
page_cup_head(const struct page_cup_work *w, enum page_cup what)
{
	const struct tournament *t = w->in->t;
	static const char *const formats[] = {[TERMS_SWISS] = "Swiss system",
	    [TERMS_ROUNDROBIN] = "round robin",
	    [TERMS_KNOCKOUT] = "knockout",
	    [TERMS_SWISS_KNOCKOUT] = "Swiss system, then knockout"};
	const struct rules_system *sys = systems_find(w->terms->system);
	char *phase = page_cup_phase(t, w->view);
	int i;

	markup_add(w->b,
	    "<header class=\"game\">\n<p class=\"rules\">%s, %s</p>\n"
	    "<h1><bdi>%s</bdi></h1>\n<p>",
	    sys == NULL ? w->terms->system : sys->name,
	    formats[w->terms->format], w->terms->event);
	buf_puts(w->b, "Director ");
	page_player(w->b, w->terms->director.account,
	    people_tell(w->people, w->terms->director.account));
	markup_add(w->b, "%s. %s</p>\n</header>\n",
	    tournament_number(t, w->terms->director.account) > 0
		? ", who plays, too"
		: "",
	    phase);
	free(phase);
	page_cup_warnings(w);
	page_cup_checked(w);
	buf_puts(w->b, "<nav class=\"filters\" aria-label=\"Tournament\"><ul>");
	page_cup_link(w, "", 0, "Overview", what == PAGE_CUP_SHOW);
	if (tournament_paired(t) > 0) {
		page_cup_link(
		    w, "standings", 0, "Standings", what == PAGE_CUP_STANDINGS);
		page_cup_link(w, "crosstable", 0, "Crosstable",
		    what == PAGE_CUP_CROSSTABLE);
	}
	for (i = 1; i <= tournament_paired(t); i++)
		page_cup_link(
		    w, "r/", i, "Round", what == PAGE_CUP_ROUND && i == w->n);
	buf_puts(w->b, "</ul></nav>\n");
}

/* ---- rounds ---- */

/* How a leg stands, in words; free(). */
static char *
page_cup_state(const json_t *leg)
{
	const char *result = js_str(leg, "result");

	if (result == NULL)
		return (xalloc_str(json_object_get(leg, "game") == NULL
			? "not begun"
			: "being played"));
	if (strcmp(result, "?") == 0)
		return (xalloc_str("a ruling is awaited"));
	if (strcmp(result, "=") == 0)
		return (xalloc_str("drawn"));
	if (strcmp(result, "--") == 0)
		return (xalloc_str("both forfeit"));
	return (xalloc_printf("side %c wins%s",
	    *result == '1' || *result == '+' ? '1' : '2',
	    *result == '+' || *result == '-' ? " by forfeit" : ""));
}

/* What was found of a game, in words. */
static const char *
page_cup_found(const struct page_cup_work *w, const char *game)
{
	switch (w->in->game(w->in->arg, game)) {
	case PAGE_CUP_GAME_GOOD:
		return (", checked");
	case PAGE_CUP_GAME_AWAY:
		return (", not to be read here");
	case PAGE_CUP_GAME_UNKNOWN:
		break;
	}
	return ("");
}

/* A table of a round, a row for each of its games. */
static void
page_cup_pair(const struct page_cup_work *w, const json_t *table)
{
	const json_t *leg;
	const char *game;
	char *state;
	size_t i;

	json_array_foreach(json_object_get(table, "legs"), i, leg)
	{
		state = page_cup_state(leg);
		game = text_member(leg, "game");
		markup_add(w->b, "<tr><th scope=\"row\" class=\"num\">%lld",
		    (long long)js_int(table, "table"));
		if (json_array_size(json_object_get(table, "legs")) > 1)
			buf_printf(w->b, ".%zu", i + 1);
		buf_puts(w->b, "</th><td class=\"who\">");
		page_cup_entrant(w, (int)js_int(table, i > 0 ? "b" : "a"));
		buf_puts(w->b, "</td><td class=\"who\">");
		page_cup_entrant(w, (int)js_int(table, i > 0 ? "a" : "b"));
		markup_add(w->b, "</td><td>%s</td><td>", state);
		if (*game != '\0') {
			buf_puts(w->b, "<a href=\"/g/");
			buf_add(w->b, game, strnlen(game, PAGE_CUP_DIGITS));
			markup_add(w->b,
			    "/\">Game<span class=\"sr\"> of table %lld"
			    "</span></a>%s",
			    (long long)js_int(table, "table"),
			    page_cup_found(w, game));
		}
		buf_puts(w->b, "</td><td class=\"num\">");
		if (json_object_get(leg, "bp") != NULL)
			buf_printf(w->b,
			    js_int(leg, "bp") == 0 ? "%lld" : "%+lld",
			    (long long)js_int(leg, "bp"));
		buf_puts(w->b, "</td></tr>\n");
		free(state);
	}
}

/* Those who have no table. */
static void
page_cup_rest(const struct page_cup_work *w, const json_t *round)
{
	static const struct {
		const char *member, *label;
	} lists[] = {{"bye", "Bye: "}, {"absent", "Not playing: "}};
	const json_t *list, *v;
	size_t i, k;

	if (json_is_true(json_object_get(round, "by_hand")))
		buf_puts(w->b, "<p>It was set by a director's ruling.</p>\n");
	for (i = 0; i < 2; i++) {
		list = json_object_get(round, lists[i].member);
		if (json_array_size(list) == 0)
			continue;
		markup_add(w->b, "<p>%s", lists[i].label);
		json_array_foreach(list, k, v)
		{
			buf_puts(w->b, k == 0 ? "" : ", ");
			page_cup_entrant(w, (int)json_integer_value(v));
		}
		buf_puts(w->b, ".</p>\n");
	}
}

int
page_cup_round(const struct page_cup_work *w, int n)
{
	static const char *const headings[] = {">Table", "Side 1", "Side 2",
	    "Stands", "Game", ">Battle points", NULL};
	const struct terms *terms = w->terms;
	const json_t *round, *table;
	char *caption;
	size_t i;

	if (n < 1 || n > tournament_paired(w->in->t))
		return (ERR_NOTFOUND);
	round =
	    json_array_get(json_object_get(w->view, "pairings"), (size_t)n - 1);
	caption =
	    xalloc_printf("Round %d of %d: %s", n, tournament_rounds(w->in->t),
		terms->scenarios[(size_t)(n - 1) % terms->n_scenarios].name);
	markup_add(w->b, "<h2>%s</h2>\n", caption);
	page_cup_table(w->b, caption, headings);
	json_array_foreach(json_object_get(round, "tables"), i, table)
	    page_cup_pair(w, table);
	page_cup_table_end(w->b);
	page_cup_rest(w, round);
	free(caption);
	return (0);
}

/* ---- pages ---- */

/* What a page is called, and its path. */
static void
page_cup_names(const struct page_cup_work *w, enum page_cup what, char **title,
    char **path)
{
	const char *event = w->terms->event, *id = w->in->id;

	switch (what) {
	case PAGE_CUP_STANDINGS:
		*title = xalloc_printf("Standings - %s", event);
		*path = xalloc_printf("/t/%s/standings", id);
		break;
	case PAGE_CUP_CROSSTABLE:
		*title = xalloc_printf("Crosstable - %s", event);
		*path = xalloc_printf("/t/%s/crosstable", id);
		break;
	case PAGE_CUP_ROUND:
		*title = xalloc_printf("Round %d - %s", w->n, event);
		*path = xalloc_printf("/t/%s/r/%d", id, w->n);
		break;
	case PAGE_CUP_WHY:
		*title = xalloc_printf("Entrant %d - %s", w->n, event);
		*path = xalloc_printf("/t/%s/why/%d", id, w->n);
		break;
	case PAGE_CUP_SHOW:
		*title = xalloc_str(event);
		*path = xalloc_printf("/t/%s/", id);
		break;
	}
}

/* The body of a page.  ERR_NOTFOUND. */
static int
page_cup_body(const struct page_cup_work *w, enum page_cup what)
{
	const int paired = tournament_paired(w->in->t);
	struct tournament_sheet s;
	int r = 0;

	if (what == PAGE_CUP_ROUND)
		return (page_cup_round(w, w->n));
	if (what == PAGE_CUP_SHOW) {
		if (paired > 0) {
			page_cup_show_result(w);
			r = page_cup_round(w, paired);
		}
		page_cup_show_rest(w);
		return (r);
	}
	if (paired == 0)
		return (ERR_NOTFOUND);
	if (what == PAGE_CUP_STANDINGS) {
		page_cup_rank_standings(w);
		return (0);
	}
	if (tournament_sheet_make(w->in->t, 0, &s) != 0)
		xalloc_die();
	if (what == PAGE_CUP_CROSSTABLE)
		page_cup_rank_cross(w, &s);
	else
		r = page_cup_rank_why(w, &s);
	tournament_sheet_clear(&s);
	return (r);
}

int
page_cup_view_write(const struct tournament *t, struct buf *out)
{
	return (tournament_view(t, out));
}

json_t *
page_cup_view_read(const struct buf *text)
{
	return (xalloc_json(
	    json_loadb(text->data, text->len, JSON_ALLOW_NUL, NULL)));
}

/* The state as JSON, new, or one more that has it. */
static json_t *
page_cup_view(const struct page_cup_in *in)
{
	struct buf text;
	json_t *view;

	if (in->view != NULL)
		return (json_incref((json_t *)(uintptr_t)in->view));
	buf_init(&text, 0);
	if (page_cup_view_write(in->t, &text) != 0)
		xalloc_die();
	view = page_cup_view_read(&text);
	buf_clear(&text);
	return (view);
}

int
page_cup(enum page_cup what, const struct page_site *s,
    const struct page_cup_in *in, int n, struct buf *out)
{
	struct page_cup_work w = {.in = in, .n = n};
	struct page_head h = {.skip = "Skip to the tournament"};
	char *title = NULL, *path = NULL, *phase, *record;
	struct buf body;
	int r;

	w.terms = tournament_terms(in->t);
	w.people = page_cup_people(in);
	w.view = page_cup_view(in);
	phase = page_cup_phase(in->t, w.view);
	record = xalloc_printf("/t/%s/record.jsonl", in->id);
	buf_init(&body, 0);
	w.b = &body;
	page_cup_names(&w, what, &title, &path);
	h.title = title;
	h.path = path;
	h.about = phase;
	h.record = record;
	h.cup = in->id;
	h.mark = in->mark;
	h.is_hidden =
	    what == PAGE_CUP_WHY || tournament_phase(in->t) != TOURNAMENT_OVER;
	page_cup_head(&w, what);
	if ((r = page_cup_body(&w, what)) == 0) {
		page_begin(out, s, &h);
		buf_add(out, buf_str(&body), body.len);
		page_end(out, s, &h);
		r = buf_error(&body) != 0 ? buf_error(&body) : buf_error(out);
	}
	buf_clear(&body);
	json_decref(w.view);
	people_free(w.people);
	free(phase);
	free(record);
	free(path);
	free(title);
	return (r);
}

int
page_cup_now(const struct page_cup_in *in, struct buf *out)
{
	json_t *view = page_cup_view(in);
	char *phase = page_cup_phase(in->t, view);

	buf_puts(out, phase);
	free(phase);
	json_decref(view);
	return (buf_error(out));
}
