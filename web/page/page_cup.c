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
#include "web/page/page_int.h"

#define PAGE_CUP_DIGITS 12 /* of a game's id in an address */

struct page_cup_work {
	struct buf *b;
	const struct page_cup_in *in;
	const struct terms *terms;
	struct people *people; /* owned, as the next */
	json_t *view;
	int n; /* round or entrant */
};

/*
 * A wide table begins, after headings; '>' is to the right.  Its caption is
 * for who does not see what stands above it.
 */
static void
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

static void
page_cup_table_end(struct buf *b)
{
	buf_puts(b, "</tbody></table></div>\n");
}

/* What an entrant is called. */
static const char *
page_cup_called(const struct page_cup_work *w, int number)
{
	return (people_tell(w->people, tournament_account(w->in->t, number)));
}

/* An entrant, as a link. */
static void
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

/* Where it stands, in a sentence; free(). */
static char *
page_cup_phase(const struct tournament *t)
{
	switch (tournament_phase(t)) {
	case TOURNAMENT_ENTRIES:
		return (xalloc_str("It is open to enter."));
	case TOURNAMENT_CHECKIN:
		return (xalloc_str("Entries have ended; who has entered checks "
				   "in."));
	case TOURNAMENT_PLAY:
		return (xalloc_printf("Round %d of %d.", tournament_paired(t),
		    tournament_rounds(t)));
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

	if (k->is_bad) {
		markup_add(w->b,
		    "<p class=\"warning\"><strong>This tournament does not "
		    "hold.</strong> Held against the records of its games: "
		    "%s.</p>\n",
		    k->why);
		return;
	}
	if (!k->is_done) {
		markup_add(w->b,
		    "<p class=\"checked\">Each line was verified. How rounds "
		    "were paired, and results against the records of their "
		    "games, %s: until then they stand as the umpire told "
		    "them.</p>\n",
		    k->is_there ? "are checked after somebody looks, and are "
				  "not yet"
				: "are not checked here");
		return;
	}
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
		    ". <strong>%d more could not be read here</strong>: "
		    "private "
		    "games, and those shown later than they are played. What "
		    "they came to stands as the umpire told it",
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
	const struct rules_system *sys = systems_find(w->terms->system);
	char *phase = page_cup_phase(t);
	int i;

	markup_add(w->b,
	    "<header class=\"game\">\n<p class=\"rules\">%s, %s</p>\n"
	    "<h1><bdi>%s</bdi></h1>\n<p>",
	    sys == NULL ? w->terms->system : sys->name,
	    terms_formats[w->terms->format], w->terms->event);
	buf_puts(w->b, "Director ");
	page_player(w->b, w->terms->director.account,
	    people_tell(w->people, w->terms->director.account));
	markup_add(w->b, ". %s</p>\n</header>\n", phase);
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
		buf_puts(w->b, "</th><td>");
		page_cup_entrant(w, (int)js_int(table, i > 0 ? "b" : "a"));
		buf_puts(w->b, "</td><td>");
		page_cup_entrant(w, (int)js_int(table, i > 0 ? "a" : "b"));
		markup_add(w->b, "</td><td>%s</td><td class=\"num\">", state);
		if (json_object_get(leg, "bp") != NULL)
			buf_printf(w->b, "%+lld", (long long)js_int(leg, "bp"));
		buf_puts(w->b, "</td><td>");
		if (*game != '\0') {
			buf_puts(w->b, "<a href=\"/g/");
			buf_add(w->b, game, strnlen(game, PAGE_CUP_DIGITS));
			markup_add(w->b,
			    "/\">Game<span class=\"sr\"> of table %lld"
			    "</span></a>%s",
			    (long long)js_int(table, "table"),
			    page_cup_found(w, game));
		}
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

/* The tables of a round. */
static int
page_cup_round(const struct page_cup_work *w, int n)
{
	static const char *const headings[] = {">Table", "Side 1", "Side 2",
	    "Stands", ">Battle points", "Game", NULL};
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

/* ---- overview ---- */

/* A row of the terms. */
static void
page_cup_term(const struct page_cup_work *w, const char *name, char *value)
{
	markup_add(w->b, "<div><dt>%s</dt><dd>%s</dd></div>\n", name, value);
	free(value);
}

/* The terms in short: all of them are in the record. */
static void
page_cup_terms(const struct page_cup_work *w)
{
	const struct terms *t = w->terms;
	char at[CLOCK_AT_LEN + 1];
	struct buf list;
	size_t i;

	buf_puts(w->b,
	    "<section aria-labelledby=\"terms\"><h2 id=\"terms\">Terms</h2>\n"
	    "<dl class=\"ids\">\n");
	page_cup_term(w, "Rules", xalloc_str(t->rules));
	buf_init(&list, 0);
	for (i = 0; i < t->n_scenarios; i++)
		buf_printf(
		    &list, "%s%s", i == 0 ? "" : ", ", t->scenarios[i].name);
	page_cup_term(w, "Fought", xalloc_take(&list));
	for (i = 0; i < t->n_ties; i++)
		buf_printf(&list, "%s%s", i == 0 ? "" : ", ",
		    tiebreak_def(t->ties[i])->name);
	buf_printf(&list, "%s%s", t->n_ties == 0 ? "" : ", then ",
	    t->parts_by_lot ? "by lot" : "a rank is shared");
	page_cup_term(w, "Ties", xalloc_take(&list));
	clock_format(at, t->until_ms);
	page_cup_term(w, "Entries until",
	    xalloc_printf("%.10s %.5s, %d at most", at, at + 11, t->max));
	page_cup_term(w, "Dice",
	    xalloc_str(t->has_witness
		    ? "from three hands: the acting player's, the server's and "
		      "the witness's"
		    : t->set.is_live
		    ? "from three hands: both players' and the server's"
		    : "from two hands: the acting player's and the server's"));
	clock_format(at, tournament_at_ms(w->in->t));
	page_cup_term(w, "Last line",
	    xalloc_printf("%lld, %.10s %.5s",
		(long long)tournament_seq(w->in->t), at, at + 11));
	buf_puts(w->b, "<div><dt>Tournament</dt><dd>");
	buf_hex(w->b, tournament_id(w->in->t), HASH_LEN);
	buf_puts(w->b, "</dd></div>\n</dl>\n</section>\n");
}

/* Who has entered. */
static void
page_cup_entrants(const struct page_cup_work *w)
{
	static const char *const headings[] = {
	    ">No.", "Entrant", "Club", "Checked in", NULL};
	const json_t *list = json_object_get(w->view, "entrants"), *v;
	size_t i;

	buf_puts(w->b,
	    "<section aria-labelledby=\"entrants\"><h2 id=\"entrants\">"
	    "Entrants</h2>\n");
	if (json_array_size(list) == 0)
		buf_puts(w->b, "<p>Nobody has entered yet.</p>\n");
	else
		page_cup_table(w->b, "Who has entered", headings);
	json_array_foreach(list, i, v)
	{
		buf_printf(w->b,
		    "<tr><td class=\"num\">%lld</td>"
		    "<th scope=\"row\">",
		    (long long)js_int(v, "number"));
		page_cup_entrant(w, (int)js_int(v, "number"));
		markup_add(w->b, "</th><td>%s</td><td>%s</td></tr>\n",
		    text_member(v, "club"),
		    json_is_true(json_object_get(v, "checked_in")) ? "yes"
								   : "");
	}
	if (json_array_size(list) > 0)
		page_cup_table_end(w->b);
	buf_puts(w->b, "</section>\n");
}

/* ---- standings ---- */

/* A number of the rows of tournament_view(). */
static int64_t
page_cup_number(const json_t *row, size_t i)
{
	return (json_integer_value(json_array_get(row, i)));
}

/* The standings. */
static void
page_cup_standings(const struct page_cup_work *w)
{
	const struct terms *terms = w->terms;
	const char *headings[4 + TIEBREAK_N + 1] = {
	    ">Rank", "Entrant", ">No.", ">Points"};
	char codes[TIEBREAK_N][STANDINGS_CELL], cell[STANDINGS_CELL];
	const json_t *row;
	size_t i, k;
	int number;

	for (k = 0; k < terms->n_ties; k++) {
		(void)snprintf(codes[k], sizeof(codes[k]), ">%s",
		    tiebreak_def(terms->ties[k])->code);
		headings[4 + k] = codes[k];
	}
	buf_puts(w->b,
	    "<h2>Standings</h2>\n<p>Each rank leads to what its values are the "
	    "sum of.</p>\n");
	page_cup_table(w->b,
	    tournament_phase(w->in->t) == TOURNAMENT_OVER
		? "The final standings; each rank leads to what its values are "
		  "the sum of"
		: "The standings so far; each rank leads to what its values "
		  "are "
		  "the sum of",
	    headings);
	json_array_foreach(json_object_get(w->view, "standings"), i, row)
	{
		number = (int)page_cup_number(row, 1);
		markup_add(w->b,
		    "<tr><td class=\"num\"><a href=\"/t/%s/why/%d\">%lld"
		    "<span class=\"sr\">, why</span></a></td>"
		    "<th scope=\"row\">",
		    w->in->id, number, (long long)page_cup_number(row, 0));
		page_cup_entrant(w, number);
		buf_printf(w->b,
		    "</th><td class=\"num\">%d</td><td class=\"num\">%s</td>",
		    number,
		    standings_view_points(cell, (int)page_cup_number(row, 2)));
		for (k = 0; k < terms->n_ties; k++)
			buf_printf(w->b, "<td class=\"num\">%s</td>",
			    standings_view_value(cell,
				page_cup_number(row, 3 + k),
				tiebreak_def(terms->ties[k])->unit));
		buf_puts(w->b, "</tr>\n");
	}
	page_cup_table_end(w->b);
	if (terms->n_ties > 0)
		buf_puts(w->b, "<ul class=\"small\">\n");
	for (k = 0; k < terms->n_ties; k++)
		markup_add(w->b, "<li><b>%s</b>: %s</li>\n",
		    tiebreak_def(terms->ties[k])->code,
		    tiebreak_def(terms->ties[k])->name);
	if (terms->n_ties > 0)
		buf_puts(w->b, "</ul>\n");
}

/* A round in the crosstable. */
static void
page_cup_met(const struct page_cup_work *w, const struct tournament_sheet *s,
    const struct cross_game *g)
{
	static const char *const signs[] = {
	    [CROSS_NONE] = "",
	    [CROSS_WIN] = "+",
	    [CROSS_DRAW] = "=",
	    [CROSS_LOSS] = "-",
	    [CROSS_FORFEIT_WIN] = "+f",
	    [CROSS_FORFEIT_LOSS] = "-f",
	    [CROSS_BYE] = "bye",
	    [CROSS_FULL_BYE] = "full",
	    [CROSS_HALF_BYE] = "half",
	    [CROSS_ZERO_BYE] = ".",
	};

	if (g->opponent < 0)
		buf_printf(w->b, "<td>%s</td>", signs[g->result]);
	else if (g->side == 0)
		buf_printf(w->b, "<td>%d%s</td>", s->numbers[g->opponent],
		    signs[g->result]);
	else
		buf_printf(w->b, "<td>%d%s%d</td>", s->numbers[g->opponent],
		    signs[g->result], g->side);
}

/* Who met whom. */
static void
page_cup_cross(const struct page_cup_work *w, const struct tournament_sheet *s)
{
	const size_t n = (size_t)s->in.rounds;
	const char **headings = xalloc((n + 5) * sizeof(*headings));
	char(*rounds)[STANDINGS_CELL] = xalloc((n + 1) * STANDINGS_CELL);
	char cell[STANDINGS_CELL];
	const json_t *row;
	size_t i, k;
	int number, player;

	headings[0] = ">Rank";
	headings[1] = ">No.";
	headings[2] = "Entrant";
	headings[3] = ">Points";
	for (k = 0; k < n; k++) {
		(void)snprintf(rounds[k], STANDINGS_CELL, "%zu", k + 1);
		headings[4 + k] = rounds[k];
	}
	buf_puts(w->b,
	    "<h2>Crosstable</h2>\n<p>7+1 has beaten 7 on side 1; = drew, - "
	    "lost, f by forfeit; . was not there.</p>\n");
	page_cup_table(w->b,
	    "Who met whom in each round: 7+1 has beaten 7 on side 1; = drew, - "
	    "lost, f by forfeit; . was not there",
	    headings);
	json_array_foreach(json_object_get(w->view, "standings"), i, row)
	{
		number = (int)page_cup_number(row, 1);
		player = tournament_sheet_index(s->numbers, s->n, number);
		buf_printf(w->b,
		    "<tr><td class=\"num\">%lld</td><td class=\"num\">%d</td>"
		    "<th scope=\"row\">",
		    (long long)page_cup_number(row, 0), number);
		page_cup_entrant(w, number);
		buf_printf(w->b, "</th><td class=\"num\">%s</td>",
		    standings_view_points(cell, (int)page_cup_number(row, 2)));
		for (k = 0; k < n && player >= 0; k++)
			page_cup_met(w, s,
			    crosstable_game(
				s->table, (size_t)player, (int)k + 1));
		buf_puts(w->b, "</tr>\n");
	}
	page_cup_table_end(w->b);
	free(rounds);
	free(headings);
}

/* ---- why ---- */

/* A sheet whose players have names. */
struct page_cup_named {
	const struct page_cup_work *w;
	const struct tournament_sheet *s;
	bool in_table; /* of addends */
};

/* struct standings_view's name. */
static const char *
page_cup_name_cb(const void *arg, size_t player)
{
	const struct page_cup_named *named = arg;

	return (page_cup_called(named->w, named->s->numbers[player]));
}

/* Ends the addends of a value. */
static void
page_cup_why_end(struct page_cup_named *named)
{
	if (named->in_table)
		page_cup_table_end(named->w->b);
	named->in_table = false;
}

/* Members of struct standings_told. */
static void
page_cup_value_cb(
    void *arg, const char *code, const char *value, const char *name)
{
	struct page_cup_named *named = arg;

	page_cup_why_end(named);
	markup_add(named->w->b, "<h3>%s: %s</h3>\n", code, value);
	if (name != NULL)
		markup_add(named->w->b, "<p class=\"small\">%s</p>\n", name);
}

static void
page_cup_addend_cb(
    void *arg, int round, const char *value, bool is_cut, const char *reason)
{
	static const char *const headings[] = {
	    ">Round", ">Adds", "Because", NULL};
	struct page_cup_named *named = arg;
	struct buf *b = named->w->b;

	if (!named->in_table)
		page_cup_table(b, "What it is the sum of", headings);
	named->in_table = true;
	markup_add(b,
	    "<tr><th scope=\"row\" class=\"num\">%d</th>"
	    "<td class=\"num\">%s</td><td>%s%s</td></tr>\n",
	    round, value, is_cut ? "not counted: " : "", reason);
}

static void
page_cup_note_cb(void *arg, const char *text)
{
	struct page_cup_named *named = arg;

	page_cup_why_end(named);
	markup_add(named->w->b, "<p>%s</p>\n", text);
}

/* Where the ranks are those of the tournament: how far a knockout was. */
static void
page_cup_ranks(const struct page_cup_work *w, const struct tournament_sheet *s,
    struct standing *rows)
{
	const json_t *row;
	size_t i, k;

	json_array_foreach(json_object_get(w->view, "standings"), i, row)
	{
		for (k = 0; k < s->n; k++) {
			if (s->numbers[rows[k].player] ==
			    page_cup_number(row, 1))
				rows[k].rank = (int)page_cup_number(row, 0);
		}
	}
}

/* Why an entrant stands where they do.  ERR_NOTFOUND. */
static int
page_cup_why(const struct page_cup_work *w, const struct tournament_sheet *s)
{
	const struct terms *terms = w->terms;
	struct standing *rows = xalloc((s->n + 1) * sizeof(*rows));
	struct page_cup_named named = {.w = w, .s = s};
	const struct standings_view v = {.in = &s->in,
	    .ties = terms->ties,
	    .n_ties = terms->n_ties,
	    .rows = rows,
	    .title = terms->event,
	    .name = page_cup_name_cb,
	    .arg = &named};
	const struct standings_told to = {.value = page_cup_value_cb,
	    .addend = page_cup_addend_cb,
	    .corrected = page_cup_note_cb,
	    .note = page_cup_note_cb,
	    .arg = &named};
	const int player = tournament_sheet_index(s->numbers, s->n, w->n);
	struct errinfo e;
	size_t i;

	if (player < 0) {
		free(rows);
		return (ERR_NOTFOUND);
	}
	if (tournament_sheet_rank(w->in->t, s, terms->parts_by_lot, rows, &e) !=
	    0)
		xalloc_die();
	for (i = 0; i < s->n; i++)
		s->table->players[i].number = s->numbers[i];
	page_cup_ranks(w, s, rows);
	markup_add(w->b, "<h2>Why <bdi>%s</bdi> has rank %d</h2>\n",
	    page_cup_called(w, w->n),
	    standings_view_row(&v, (size_t)player)->rank);
	if (terms_has_knockout(terms))
		buf_puts(w->b,
		    "<p>How far one has come in the knockout counts first."
		    "</p>\n");
	standings_view_why(&v, (size_t)player, &to);
	page_cup_why_end(&named);
	free(rows);
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
		if (paired > 0)
			r = page_cup_round(w, paired);
		page_cup_entrants(w);
		page_cup_terms(w);
		return (r);
	}
	if (paired == 0)
		return (ERR_NOTFOUND);
	if (what == PAGE_CUP_STANDINGS) {
		page_cup_standings(w);
		return (0);
	}
	if (tournament_sheet_make(w->in->t, 0, &s) != 0)
		xalloc_die();
	if (what == PAGE_CUP_CROSSTABLE)
		page_cup_cross(w, &s);
	else
		r = page_cup_why(w, &s);
	tournament_sheet_clear(&s);
	return (r);
}

/* The state as JSON; new. */
static json_t *
page_cup_view(const struct tournament *t)
{
	struct buf text;
	json_t *view;

	buf_init(&text, 0);
	if (tournament_view(t, &text) != 0)
		xalloc_die();
	view = xalloc_json(
	    json_loadb(buf_str(&text), text.len, JSON_ALLOW_NUL, NULL));
	buf_clear(&text);
	return (view);
}

int
page_cup(enum page_cup what, const struct page_site *s,
    const struct page_cup_in *in, int n, struct buf *out)
{
	struct page_cup_work w = {.in = in, .n = n};
	struct page_head h = {.skip = "Skip to the tournament"};
	char *title = NULL, *path = NULL, *phase = page_cup_phase(in->t);
	struct buf body;
	int r;

	w.terms = tournament_terms(in->t);
	w.people = page_cup_people(in);
	w.view = page_cup_view(in->t);
	buf_init(&body, 0);
	w.b = &body;
	page_cup_names(&w, what, &title, &path);
	h.title = title;
	h.path = path;
	h.about = phase;
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
	free(path);
	free(title);
	return (r);
}
