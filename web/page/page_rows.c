/* SPDX-License-Identifier: ISC */
/*
 * Lists of games as the daemon gives them: the lobby, what is live, an event,
 * a player.  All rows are taken as they come: what is missing is left out, and
 * nothing in them is trusted.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/report/markup.h"
#include "client/report/people.h"
#include "client/report/stats.h"
#include "common/base/clock.h"
#include "common/json/js.h"
#include "common/rules/rules.h"
#include "common/rules/systems/systems.h"
#include "web/page/page_int.h"

#define PAGE_ROWS_RIVALS 50 /* of a player are listed */

/* The groups in which games are listed. */
static const struct {
	const char *phases; /* " play halted " */
	const char *heading, *none;
} page_rows_groups[] = {
    {" play halted ", "Being played", "Nobody plays just now."},
    {" muster ", "Waiting for players", "No game waits for players."},
    {" over finished lapsed ", "Over", "No game is over yet."},
};

/* Phases by which a list may be narrowed, and their words. */
static const struct {
	const char *phase, *word;
} page_rows_phases[] = {
    {"play", "being played"},
    {"muster", "waiting for players"},
    {"finished", "over"},
};

/* The name of a system for people. */
static const char *
page_rows_system(const char *id)
{
	const struct rules_system *sys = systems_find(id);

	return (sys == NULL ? id : sys->name);
}

/* The address of a list, without a query. */
static char *
page_rows_path(const struct page_rows *r)
{
	struct buf b;

	buf_init(&b, 0);
	switch (r->what) {
	case PAGE_ROWS_LOBBY:
		buf_puts(&b, "/");
		break;
	case PAGE_ROWS_LIVE:
		buf_puts(&b, "/live");
		break;
	case PAGE_ROWS_EVENT:
		buf_puts(&b, "/e/");
		page_path_text(&b, r->name);
		break;
	case PAGE_ROWS_PLAYER:
		buf_puts(&b, "/u/");
		page_path_text(&b, r->name);
		break;
	}
	return (xalloc_take(&b));
}

/* Appends "?system=lasalle2&event=...", what is not NULL. */
static void
page_rows_query(struct buf *b, const char *system, const char *event,
    const char *phase, const char *before)
{
	const struct {
		const char *name, *value;
	} parts[] = {{"system", system}, {"event", event}, {"phase", phase},
	    {"before", before}};
	const char *joint = "?";
	size_t i;

	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (parts[i].value == NULL)
			continue;
		buf_printf(b, "%s%s=", joint, parts[i].name);
		page_path_text(b, parts[i].value);
		joint = "&amp;";
	}
}

/* A link by which the lobby is narrowed, or no longer. */
static void
page_rows_filter(struct buf *b, const struct page_rows *r, const char *system,
    const char *phase, const char *word, bool is_now)
{
	buf_puts(b, "<li><a href=\"/");
	page_rows_query(b, system, r->event, phase, NULL);
	markup_add(b,
	    is_now ? "\" aria-current=\"true\">%s</a></li>\n"
		   : "\">%s</a></li>\n",
	    word);
}

/* True if both are the same, or both are missing. */
static bool
page_rows_is_same(const char *a, const char *b)
{
	return (a == b || (a != NULL && b != NULL && strcmp(a, b) == 0));
}

/* The links by which the lobby is narrowed. */
static void
page_rows_filters(struct buf *b, const struct page_rows *r)
{
	const struct rules_system *const *all;
	size_t i;

	buf_puts(b, "<nav class=\"filters\" aria-label=\"Which games\">\n<ul>");
	page_rows_filter(b, r, r->system, NULL, "all", r->phase == NULL);
	for (i = 0; i < sizeof(page_rows_phases) / sizeof(page_rows_phases[0]);
	     i++)
		page_rows_filter(b, r, r->system, page_rows_phases[i].phase,
		    page_rows_phases[i].word,
		    page_rows_is_same(r->phase, page_rows_phases[i].phase));
	buf_puts(b, "</ul>\n<ul>");
	page_rows_filter(b, r, NULL, r->phase, "all rules", r->system == NULL);
	for (all = systems_all(); *all != NULL; all++)
		page_rows_filter(b, r, (*all)->id, r->phase, (*all)->name,
		    page_rows_is_same(r->system, (*all)->id));
	buf_puts(b, "</ul></nav>\n");
}

/* The players of a row. */
static void
page_rows_players(struct buf *b, const json_t *row)
{
	const json_t *names = json_object_get(row, "names");
	const json_t *players = json_object_get(row, "players"), *v;
	struct people *people = people_new();
	const char *joint;
	size_t i, k;

	people_add_list(people, players, names);
	for (i = 0; i < json_array_size(players) && i < 2; i++) {
		joint = i == 0 ? "" : " against ";
		json_array_foreach(json_array_get(players, i), k, v)
		{
			if (!json_is_string(v) || *json_string_value(v) == '\0')
				continue;
			buf_puts(b, joint);
			page_player(b, json_string_value(v),
			    people_tell(people, json_string_value(v)));
			joint = ", ";
		}
		if (*joint != ',')
			buf_printf(b, "%snobody yet", joint);
	}
	people_free(people);
}

/* A game. */
static void
page_rows_game(struct buf *b, const struct page_rows *r, const json_t *row)
{
	const char *id = text_member(row, "game");
	const char *title = text_member(row, "title");
	const char *now = text_member(row, "now");
	const char *at = text_member(row, "at");
	int64_t at_ms;

	markup_add(b, "<li class=\"game\"><h3><a href=\"/g/");
	buf_add(b, id, strnlen(id, (size_t)r->digits));
	markup_add(b, "/\">%s</a></h3>\n<p class=\"who\">",
	    *title == '\0' ? "A game" : title);
	page_rows_players(b, row);
	markup_add(b, " \302\267 <span class=\"rules\">%s</span></p>\n",
	    page_rows_system(text_member(row, "system")));
	buf_puts(b, "<p class=\"stands\">");
	if (*now != '\0')
		markup_add(b, "%s; ", now);
	else if (js_int(row, "turn") > 0)
		markup_add(b, "turn %lld; ", (long long)js_int(row, "turn"));
	buf_puts(b, "last line ");
	if (clock_parse(at, strlen(at), &at_ms) == 0)
		page_time(b, at_ms, true);
	buf_puts(b, "</p></li>\n");
}

/* True for a row of a group. */
static bool
page_rows_is_in(const json_t *row, size_t group)
{
	const char *phase = text_member(row, "phase");
	char word[32];

	if (*phase == '\0' || strlen(phase) > sizeof(word) - 3)
		return (false);
	(void)snprintf(word, sizeof(word), " %s ", phase);
	return (strstr(page_rows_groups[group].phases, word) != NULL);
}

/* The games of a group under their heading; nothing if there are none. */
static size_t
page_rows_group(struct buf *b, const struct page_rows *r, size_t group)
{
	const json_t *row;
	size_t i, n = 0;

	json_array_foreach(r->games, i, row)
	{
		if (!page_rows_is_in(row, group))
			continue;
		if (n++ == 0)
			markup_add(b,
			    "<section aria-labelledby=\"group-%d\">"
			    "<h2 id=\"group-%d\">%s</h2>\n"
			    "<ul class=\"games\">\n",
			    (int)group, (int)group,
			    page_rows_groups[group].heading);
		page_rows_game(b, r, row);
	}
	if (n > 0)
		buf_puts(b, "</ul></section>\n");
	return (n);
}

/* What people call what a row of tournament.list says. */
static const char *
page_rows_word(const char *word)
{
	static const char *const words[][2] = {
	    {"swiss", "Swiss system"},
	    {"roundrobin", "round robin"},
	    {"swiss+knockout", "Swiss system, then knockout"},
	    {"entries", "open to enter"},
	    {"checkin", "who has entered checks in"},
	    {"play", "being played"},
	};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(words[i][0], word) == 0)
			return (words[i][1]);
	}
	return (word);
}

/* The tournaments. */
static void
page_rows_cups(struct buf *b, const struct page_rows *r)
{
	const json_t *row;
	const char *id;
	size_t i;

	if (json_array_size(r->tournaments) == 0)
		return;
	buf_puts(b,
	    "<section aria-labelledby=\"cups\"><h2 id=\"cups\">Tournaments"
	    "</h2>\n<ul class=\"games\">\n");
	json_array_foreach(r->tournaments, i, row)
	{
		id = text_member(row, "tournament");
		buf_puts(b, "<li class=\"game\"><h3><a href=\"/t/");
		buf_add(b, id, strnlen(id, (size_t)r->digits));
		markup_add(b,
		    "/\">%s</a></h3>\n<p class=\"stands\">%s, %s. <b>%s</b>",
		    text_member(row, "event"),
		    page_rows_system(text_member(row, "system")),
		    page_rows_word(text_member(row, "format")),
		    page_rows_word(text_member(row, "phase")));
		if (js_int(row, "round") > 0)
			markup_add(b, ", round %lld of %lld",
			    (long long)js_int(row, "round"),
			    (long long)js_int(row, "rounds"));
		markup_add(b, "; %lld %s</p></li>\n",
		    (long long)js_int(row, "entrants"),
		    js_int(row, "entrants") == 1 ? "entrant" : "entrants");
	}
	buf_puts(b, "</ul></section>\n");
}

bool
page_is_drawn(const json_t *result)
{
	const char *how = js_str(result, "how");

	return (!json_is_integer(json_object_get(result, "winner")) &&
	    (page_rows_is_same(how, "draw") ||
		page_rows_is_same(how, "ruling")));
}

/* How a player fared. */
struct page_rows_score {
	const char *rival; /* borrowed; NULL: all together */
	int games, won, lost, drawn;
};

/* Adds a game to a score; side is the player's. */
static void
page_rows_add(struct page_rows_score *sc, const json_t *row, int side)
{
	const json_t *result = json_object_get(row, "result");
	const json_t *winner = json_object_get(result, "winner");

	sc->games++;
	if (!json_is_object(result))
		return;
	if (!json_is_integer(winner))
		sc->drawn += page_is_drawn(result);
	else if (json_integer_value(winner) == side)
		sc->won++;
	else
		sc->lost++;
}

/* The side of an account in a row; 0: it plays on none. */
static int
page_rows_side(const json_t *row, const char *account)
{
	const json_t *players = json_object_get(row, "players"), *v;
	size_t i, k;

	for (i = 0; i < 2; i++) {
		json_array_foreach(json_array_get(players, i), k, v)
		{
			if (json_is_string(v) &&
			    strcmp(json_string_value(v), account) == 0)
				return ((int)i + 1);
		}
	}
	return (0);
}

/* Adds a game to the scores against those on the other side. */
static void
page_rows_rivals(
    struct page_rows_score *list, size_t *n, const json_t *row, int side)
{
	const json_t *rivals =
	    json_array_get(json_object_get(row, "players"), side == 1 ? 1 : 0);
	const json_t *v;
	size_t i, k;

	json_array_foreach(rivals, i, v)
	{
		const char *rival = json_string_value(v);

		if (rival == NULL || *rival == '\0')
			continue;
		for (k = 0; k < *n && strcmp(list[k].rival, rival) != 0; k++)
			;
		if (k == PAGE_ROWS_RIVALS)
			continue;
		if (k == *n)
			list[(*n)++].rival = rival;
		page_rows_add(&list[k], row, side);
	}
}

/* A row of the player's table. */
static void
page_rows_score(struct buf *b, const struct page_rows_score *sc)
{
	buf_puts(b, "<tr><th scope=\"row\">");
	if (sc->rival == NULL)
		buf_puts(b, "All");
	else
		page_player(b, sc->rival, sc->rival);
	buf_printf(b,
	    "</th><td class=\"num\">%d</td><td class=\"num\">%d</td>"
	    "<td class=\"num\">%d</td><td class=\"num\">%d</td></tr>\n",
	    sc->games, sc->won, sc->drawn, sc->lost);
}

/* How a player fared in the games that are listed, and against whom. */
static void
page_rows_record(struct buf *b, const struct page_rows *r)
{
	struct page_rows_score all = {0}, list[PAGE_ROWS_RIVALS] = {{0}};
	const json_t *row;
	size_t i, n = 0;
	int side;

	json_array_foreach(r->games, i, row)
	{
		if ((side = page_rows_side(row, r->name)) == 0)
			continue;
		page_rows_add(&all, row, side);
		page_rows_rivals(list, &n, row, side);
	}
	if (all.games == 0)
		return;
	markup_add(b,
	    "<div class=\"wide\" tabindex=\"0\" role=\"group\" "
	    "aria-label=\"Results\"><table class=\"units\">"
	    "<caption>%s</caption>\n<thead><tr><th scope=\"col\">Against</th>"
	    "<th scope=\"col\" class=\"num\">Games</th>"
	    "<th scope=\"col\" class=\"num\">Won</th>"
	    "<th scope=\"col\" class=\"num\">Drawn</th>"
	    "<th scope=\"col\" class=\"num\">Lost</th></tr></thead>\n"
	    "<tbody>\n",
	    r->more == NULL ? "Results of all games that anybody may see"
			    : "Results of the games that are listed here");
	for (i = 0; i < n; i++)
		page_rows_score(b, &list[i]);
	page_rows_score(b, &all);
	buf_puts(b, "</tbody></table></div>\n");
}

/* How the player's dice fell, and what that is worth. */
static void
page_rows_luck(struct buf *b, const struct page_luck *l, size_t listed)
{
	double strays;

	if (l == NULL || l->dice == 0 || l->variance <= 0)
		return;
	strays = sqrt(l->variance);
	buf_printf(b,
	    "<section aria-labelledby=\"luck-h\"><h2 id=\"luck-h\">Luck</h2>"
	    "\n<p>Of the games listed here, %lld, this site holds %d in which "
	    "the player was alone on a side, each line of them verified. "
	    "<strong>%lld dice</strong> of that side showed "
	    "<strong>%.1f pips %s</strong> than so many fair dice do on "
	    "average; these stray from that by about %.1f. ",
	    (long long)listed, l->games, (long long)l->dice, fabs(l->pips),
	    l->pips < 0 ? "less" : "more", strays);
	if (l->dice < STATS_DICE_MIN)
		buf_printf(b, "Fewer than %d dice are too few to tell.</p>\n",
		    (int)STATS_DICE_MIN);
	else
		buf_printf(b,
		    "Of 100 players with fair dice about %.0f are so far from "
		    "even, or farther.</p>\n",
		    100 * stats_normal_p(l->pips / strays));
	buf_puts(b,
	    "<p class=\"small\">All rolls by the rules count, those that were "
	    "taken back, too, and none that players made freely. High is not "
	    "always good: that depends on the roll. Whoever looks at many "
	    "players finds some far from even; each die has its "
	    "proof.</p></section>\n");
}

/* The heading of the page, and what it says of itself. */
static void
page_rows_head(struct buf *b, const struct page_rows *r, const char *feed)
{
	switch (r->what) {
	case PAGE_ROWS_LOBBY:
		buf_puts(b, "<h1>Games</h1>\n");
		break;
	case PAGE_ROWS_LIVE:
		buf_puts(b,
		    "<h1>Live</h1>\n<p>Games with a line in the last hour, the "
		    "newest first.</p>\n");
		break;
	case PAGE_ROWS_EVENT:
		markup_add(b, "<h1><bdi>%s</bdi></h1>\n", r->name);
		break;
	case PAGE_ROWS_PLAYER:
		markup_add(b, "<h1><bdi>%s</bdi></h1>\n",
		    r->called == NULL ? r->name : r->called);
		if (r->called != NULL && strcmp(r->called, r->name) != 0)
			markup_add(b,
			    "<p>The account <b>%s</b>. Everybody chooses a "
			    "name "
			    "for people beside it, and nobody checks "
			    "that.</p>\n",
			    r->name);
		break;
	}
	if (feed != NULL)
		buf_printf(b,
		    "<p class=\"links\"><a href=\"%s\">Follow by "
		    "feed</a></p>\n",
		    feed);
}

/* All that is listed, and how it goes on. */
static void
page_rows_body(struct buf *b, const struct page_rows *r, const char *path)
{
	size_t i, n = 0;

	page_rows_cups(b, r);
	/* A tournament has its own. */
	if (r->what == PAGE_ROWS_EVENT && json_array_size(r->tournaments) == 0)
		page_cross(b, r->games, r->more == NULL);
	for (i = 0; i < sizeof(page_rows_groups) / sizeof(page_rows_groups[0]);
	     i++)
		n += page_rows_group(b, r, i);
	if (n == 0)
		buf_puts(b,
		    r->what == PAGE_ROWS_LIVE
			? "<p>Nothing has happened in the last hour. "
			  "<a href=\"/\">All games</a></p>\n"
			: "<p>There are no such games that anybody may see. "
			  "<a href=\"/\">All games</a></p>\n");
	if (r->more == NULL)
		return;
	buf_printf(b, "<p class=\"links\"><a href=\"%s", path);
	page_rows_query(b, r->system,
	    r->what == PAGE_ROWS_EVENT ? NULL : r->event, r->phase, r->more);
	buf_puts(b, "\">Older games</a></p>\n");
}

int
page_lobby(
    const struct page_site *s, const struct page_rows *r, struct buf *out)
{
	const bool has_feed =
	    r->what == PAGE_ROWS_EVENT || r->what == PAGE_ROWS_PLAYER;
	char *path = page_rows_path(r), *feed = NULL, *title = NULL;
	struct page_head h = {.path = path,
	    .about = "Battles that an umpire keeps: each die can be checked by "
		     "anybody.",
	    .is_hidden = r->what == PAGE_ROWS_PLAYER};

	if (has_feed) {
		feed = xalloc_printf("%s/feed.atom", path);
		title = xalloc_str(r->called == NULL ? r->name : r->called);
	} else {
		title = xalloc_printf("%s%s%s",
		    r->what == PAGE_ROWS_LIVE ? "Live games" : "Games",
		    *s->title == '\0' ? "" : " - ", s->title);
	}
	h.title = title;
	h.feed = feed;
	page_begin(out, s, &h);
	page_rows_head(out, r, feed);
	if (r->what == PAGE_ROWS_LOBBY)
		page_rows_filters(out, r);
	if (r->what == PAGE_ROWS_PLAYER)
		page_rows_record(out, r);
	if (r->what == PAGE_ROWS_PLAYER)
		page_rows_luck(out, r->luck, json_array_size(r->games));
	page_rows_body(out, r, path);
	page_end(out, s, &h);
	free(title);
	free(feed);
	free(path);
	return (buf_error(out));
}

int
page_choice(
    const struct page_site *s, const json_t *games, int digits, struct buf *out)
{
	const struct page_rows r = {
	    .what = PAGE_ROWS_LOBBY, .games = games, .digits = digits};
	const struct page_head h = {.title = "Which game?", .is_hidden = true};

	page_begin(out, s, &h);
	buf_puts(out,
	    "<h1>Which game?</h1>\n<p>The number of each of these begins with "
	    "the digits of that address.</p>\n");
	page_rows_body(out, &r, "/");
	page_end(out, s, &h);
	return (buf_error(out));
}
