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
#define PAGE_CUP_ROWS 200 /* of a table in a step: about a millisecond */

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

/* The first of the standings, if nobody shares the rank: a number; 0. */
static int
page_cup_first(const struct page_cup_work *w)
{
	const json_t *rows = json_object_get(w->view, "standings"), *one, *two;

	one = json_array_get(rows, 0);
	two = json_array_get(rows, 1);
	if (one == NULL || two == NULL ||
	    json_integer_value(json_array_get(one, 0)) ==
		json_integer_value(json_array_get(two, 0)))
		return (0);
	return ((int)json_integer_value(json_array_get(one, 1)));
}

/* How it ended, in a sentence; free(). */
static char *
page_cup_ended(const struct page_cup_work *w)
{
	const int stopped = tournament_stopped(w->in->t);
	const int first = page_cup_first(w);

	if (tournament_paired(w->in->t) == 0)
		return (xalloc_str("It is over before a round: too few have "
				   "checked in."));
	if (first > 0 && stopped > 0)
		return (
		    xalloc_printf("A director ended it after round %d. %s has "
				  "won.",
			stopped, page_cup_called(w, first)));
	if (first > 0)
		return (xalloc_printf(
		    "It is over. %s has won.", page_cup_called(w, first)));
	if (stopped > 0)
		return (xalloc_printf(
		    "A director ended it after round %d. The first rank is "
		    "shared.",
		    stopped));
	return (xalloc_str("It is over. The first rank is shared."));
}

/* Where it stands, in a sentence; free(). */
static char *
page_cup_phase(const struct page_cup_work *w)
{
	const struct tournament *t = w->in->t;
	const int paired = tournament_paired(t);
	char at[CLOCK_AT_LEN + 1];
	int legs, results;

	if (tournament_is_halted(t))
		return (xalloc_str(
		    "It is halted: the umpire failed while it applied the "
		    "rules, and takes nothing more in it."));
	if (tournament_is_closed(t) && tournament_phase(t) != TOURNAMENT_OVER)
		return (xalloc_str(
		    "The umpire's operator has closed it before its end."));

	switch (tournament_phase(t)) {
	case TOURNAMENT_ENTRIES:
		clock_format(at, w->terms->until_ms);
		return (xalloc_printf(
		    "It is open to enter until %.10s %.5s: %d of %d have.", at,
		    at + 11, tournament_entrants(t), w->terms->max));
	case TOURNAMENT_CHECKIN:
		return (xalloc_str("Entries have ended; who has entered checks "
				   "in."));
	case TOURNAMENT_PLAY:
		if (paired == 0)
			return (xalloc_str("Round 1 is to be paired."));
		page_cup_results(w->view, paired, &legs, &results);
		return (xalloc_printf("Round %d of %d: %d of %d %s.", paired,
		    tournament_rounds(t), results, legs,
		    legs == 1 ? "result is in" : "results are in"));
	case TOURNAMENT_OVER:
		break;
	}
	return (page_cup_ended(w));
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
	    w->about);
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

char *
page_cup_result(const char *result)
{
	if (result == NULL)
		return (xalloc_str("no result"));
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

/* How a leg stands, in words; free(). */
static char *
page_cup_state(const json_t *leg)
{
	const char *result = js_str(leg, "result");

	if (result == NULL)
		return (xalloc_str(json_object_get(leg, "game") == NULL
			? "not begun"
			: "being played"));
	return (page_cup_result(result));
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
	case PAGE_CUP_GAME_NEWER:
		return (", not to be judged here");
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
		markup_add(w->b, "</td><td>%s</td>", state);
		if (w->has_games)
			buf_puts(w->b, "<td>");
		if (*game != '\0') {
			buf_puts(w->b, "<a href=\"/g/");
			buf_add(w->b, game, strnlen(game, PAGE_CUP_DIGITS));
			markup_add(w->b,
			    "/\">Game<span class=\"sr\"> of table %lld"
			    "</span></a>%s",
			    (long long)js_int(table, "table"),
			    page_cup_found(w, game));
		}
		if (w->has_games)
			buf_puts(w->b, "</td>");
		if (w->has_points)
			buf_puts(w->b, "<td class=\"num\">");
		if (json_object_get(leg, "bp") != NULL)
			buf_printf(w->b,
			    js_int(leg, "bp") == 0 ? "%lld" : "%+lld",
			    (long long)js_int(leg, "bp"));
		buf_puts(w->b, w->has_points ? "</td></tr>\n" : "</tr>\n");
		free(state);
	}
}

/* The heading of a round's tables, without columns that would be empty. */
static void
page_cup_round_head(struct page_cup_work *w, const json_t *tables)
{
	const char *headings[7] = {">Table", "Side 1", "Side 2", "Stands"};
	const struct terms *terms = w->terms;
	const json_t *table, *leg;
	size_t i, k, n = 4;
	char *caption;

	json_array_foreach(tables, i, table)
	{
		json_array_foreach(json_object_get(table, "legs"), k, leg)
		{
			w->has_games |= json_object_get(leg, "game") != NULL;
			w->has_points |= json_object_get(leg, "bp") != NULL;
		}
	}
	if (w->has_games)
		headings[n++] = "Game";
	if (w->has_points)
		headings[n++] = ">Battle points";
	headings[n] = NULL;
	caption = xalloc_printf("Round %d of %d: %s", w->round,
	    tournament_rounds(w->in->t),
	    terms->scenarios[(size_t)(w->round - 1) % terms->n_scenarios].name);
	markup_add(w->b, "<h2>%s</h2>\n", caption);
	page_cup_table(w->b, caption, headings);
	free(caption);
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
		buf_puts(
		    w->b, "<p>A director has paired this round by hand.</p>\n");
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

/* The tables of a round. */
static bool
page_cup_round(struct page_cup_work *w)
{
	const json_t *round, *tables;
	bool is_last;
	size_t i, to;

	round = json_array_get(
	    json_object_get(w->view, "pairings"), (size_t)w->round - 1);
	tables = json_object_get(round, "tables");
	if (w->row == 0)
		page_cup_round_head(w, tables);
	is_last = page_cup_rows(w, json_array_size(tables), &i, &to);
	for (; i < to; i++)
		page_cup_pair(w, json_array_get(tables, i));
	if (!is_last)
		return (false);
	page_cup_table_end(w->b);
	page_cup_rest(w, round);
	return (true);
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

/* What everybody is called, and what begins the page. */
static bool
page_cup_begin(struct page_cup_work *w)
{
	struct page_head *h = &w->head;

	w->people = page_cup_people(w->in);
	w->about = page_cup_phase(w);
	w->record = xalloc_printf("/t/%s/record.jsonl", w->in->id);
	page_cup_names(w, w->what, &w->title, &w->path);
	h->skip = "Skip to the tournament";
	h->title = w->title;
	h->path = w->path;
	h->about = w->about;
	h->record = w->record;
	h->cup = w->in->id;
	h->mark = w->in->mark;
	h->is_hidden = w->what == PAGE_CUP_WHY ||
	    tournament_phase(w->in->t) != TOURNAMENT_OVER;
	page_begin(w->b, w->s, h);
	page_cup_head(w, w->what);
	return (true);
}

/* What ends it. */
static bool
page_cup_end(struct page_cup_work *w)
{
	page_end(w->b, w->s, &w->head);
	return (true);
}

/* The parts of each page. */
static page_cup_part *const page_cup_parts[][10] = {
    [PAGE_CUP_SHOW] = {page_cup_begin, page_cup_told, page_cup_show_result,
	page_cup_round, page_cup_show_entrants, page_cup_rulings,
	page_cup_show_rest, page_cup_end, NULL},
    [PAGE_CUP_STANDINGS] = {page_cup_begin, page_cup_rank_standings,
	page_cup_end, NULL},
    [PAGE_CUP_CROSSTABLE] = {page_cup_begin, page_cup_rank_sheet,
	page_cup_rank_cross, page_cup_end, NULL},
    [PAGE_CUP_ROUND] = {page_cup_begin, page_cup_round, page_cup_end, NULL},
    [PAGE_CUP_WHY] = {page_cup_begin, page_cup_rank_sheet, page_cup_rank_make,
	page_cup_rank_why, page_cup_end, NULL},
};

/* Those of the first page before a round is paired. */
static page_cup_part *const page_cup_early[] = {page_cup_begin, page_cup_told,
    page_cup_show_entrants, page_cup_rulings, page_cup_show_rest, page_cup_end,
    NULL};

int
page_cup_new(enum page_cup what, const struct page_site *s,
    const struct page_cup_in *in, int n, struct page_cup_work **out)
{
	const int paired = tournament_paired(in->t);
	struct page_cup_work *w;

	if ((what != PAGE_CUP_SHOW && paired == 0) ||
	    (what == PAGE_CUP_ROUND && (n < 1 || n > paired)) ||
	    (what == PAGE_CUP_WHY && (n < 1 || n > tournament_entrants(in->t))))
		return (ERR_NOTFOUND);
	w = xalloc(sizeof(*w));
	w->s = s;
	w->own = *in;
	w->in = &w->own;
	w->what = what;
	w->n = n;
	w->round = what == PAGE_CUP_ROUND ? n : paired;
	w->terms = tournament_terms(in->t);
	w->view = page_cup_view_json(in->view);
	w->part = what == PAGE_CUP_SHOW && paired == 0 ? page_cup_early
						       : page_cup_parts[what];
	*out = w;
	return (0);
}

int
page_cup_step(struct page_cup_work *w, struct buf *out, bool *is_done)
{
	w->b = out;
	if (*w->part != NULL && (*w->part)(w)) {
		w->part++;
		w->row = 0;
	}
	*is_done = *w->part == NULL;
	return (w->r != 0 ? w->r : buf_error(out));
}

void
page_cup_free(struct page_cup_work *w)
{
	if (w == NULL)
		return;
	tournament_sheet_clear(&w->sheet);
	people_free(w->people);
	free(w->rows);
	free(w->title);
	free(w->path);
	free(w->about);
	free(w->record);
	free(w);
}

bool
page_cup_rows(struct page_cup_work *w, size_t n, size_t *from, size_t *to)
{
	*from = w->row;
	*to = n - w->row > PAGE_CUP_ROWS ? w->row + PAGE_CUP_ROWS : n;
	w->row = *to;
	return (*to == n);
}

int
page_cup_now(const struct page_cup_in *in, struct buf *out)
{
	struct page_cup_work w = {.in = in,
	    .terms = tournament_terms(in->t),
	    .view = page_cup_view_json(in->view)};
	char *phase;

	w.people = page_cup_people(in);
	phase = page_cup_phase(&w);
	buf_puts(out, phase);
	free(phase);
	people_free(w.people);
	return (buf_error(out));
}
