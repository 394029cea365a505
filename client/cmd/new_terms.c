/* SPDX-License-Identifier: ISC */
/*
 * A row a term.  Whether they hold together is the create order's form to say
 * (common/tournament/terms.h); what a row alone can say is said here, where it
 * can still be asked again.
 */
#include "client/cmd/new_terms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/play/duration.h"
#include "client/ui/cmd.h"
#include "client/ui/out_terminal.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/half.h"
#include "common/json/js.h"
#include "common/record/order.h"
#include "common/tournament/terms.h"

#define NEW_DAY INT64_C(86400)
#define NEW_YEAR (365 * NEW_DAY)
#define NEW_POINTS 20 /* half points that a result is worth at most */
#define NEW_LINE 1024 /* bytes of an answer: dates of all rounds */

#define NEW_SWISS " swiss swiss+knockout "

/* A term; a table of them ends with option NULL. */
struct new_row {
	const char *option;
	const char *member;
	const char *formats; /* where it says something; NULL: everywhere */
	const char *question;
	const char *usual; /* what an empty answer means */
	/* Reads a value into the terms, or their `entry`; ERR_INVALID. */
	int (*take)(const struct new_row *row, json_t *in, const char *s,
	    struct errinfo *e);
	int64_t lo, hi; /* of a number or a time */
	const char *words; /* those to choose from; of a yes, the member's */
	const char *after; /* asked only if this member is there, not 0 */
	bool is_entry; /* a member of `entry` */
	bool is_needed; /* set where nobody says it */
	bool is_main; /* asked of everybody */
};

/* ---- values ---- */

/* A number. */
static int
new_terms_number(
    const struct new_row *row, json_t *in, const char *s, struct errinfo *e)
{
	int64_t n;

	if (!opt_number(s, row->lo, row->hi, &n))
		return (err_set(e, ERR_INVALID, NULL,
		    "a number from %lld to %lld, not '%s'", (long long)row->lo,
		    (long long)row->hi, s));
	xalloc_set(in, row->member, json_integer(n));
	return (0);
}

/* The last round that may be entered late. */
static int
new_terms_late(
    const struct new_row *row, json_t *in, const char *s, struct errinfo *e)
{
	int64_t n;

	if (!opt_number(s, 0, row->hi, &n))
		return (err_set(e, ERR_INVALID, NULL,
		    "a round, the last that somebody may still enter for, not "
		    "'%s'",
		    s));
	if (n > 0)
		xalloc_set(in, row->member, json_integer(n));
	return (0);
}

/* A span. */
static int
new_terms_time(
    const struct new_row *row, json_t *in, const char *s, struct errinfo *e)
{
	int64_t n;
	int r;

	r = duration_span(s, "the time", row->lo, row->hi, &n, e);
	if (r == 0)
		xalloc_set(in, row->member, json_integer(n));
	return (r);
}

/* One of some words. */
static int
new_terms_word(
    const struct new_row *row, json_t *in, const char *s, struct errinfo *e)
{
	const char *p = row->words;
	size_t len;

	for (; *p != '\0'; p += len + (p[len] == ' ')) {
		len = strcspn(p, " ");
		if (strlen(s) == len && strncmp(p, s, len) == 0) {
			xalloc_set(in, row->member, json_string(s));
			return (0);
		}
	}
	return (err_set(
	    e, ERR_INVALID, NULL, "one of %s, not '%s'", row->words, s));
}

/* Yes sets the member; an option that is there says yes. */
static int
new_terms_yes(
    const struct new_row *row, json_t *in, const char *s, struct errinfo *e)
{
	if (strcmp(s, "yes") == 0 || strcmp(s, "y") == 0)
		xalloc_set(in, row->member,
		    strcmp(row->words, "true") == 0 ? json_true()
						    : json_string(row->words));
	else if (strcmp(s, "no") != 0 && strcmp(s, "n") != 0)
		return (err_set(e, ERR_INVALID, NULL, "yes or no"));
	return (0);
}

/* One game a table in a knockout. */
static int
new_terms_single(
    const struct new_row *row, json_t *in, const char *s, struct errinfo *e)
{
	if (strcmp(s, "yes") == 0 || strcmp(s, "y") == 0)
		xalloc_set(in, row->member, json_false());
	else if (strcmp(s, "no") != 0 && strcmp(s, "n") != 0)
		return (err_set(e, ERR_INVALID, NULL, "yes or no"));
	return (0);
}

/* What results are worth: "1,0.5,0". */
static int
new_terms_points(
    const struct new_row *row, json_t *in, const char *s, struct errinfo *e)
{
	const char *p = s;
	int half[3] = {0};
	size_t i, len;

	for (i = 0; i < 3; i++, p += len + (p[len] == ',')) {
		len = strcspn(p, ",");
		if (!half_read(p, len, NEW_POINTS, &half[i]) ||
		    (p[len] == ',') != (i < 2))
			return (err_set(e, ERR_INVALID, NULL,
			    "points of a win, a draw and a loss, as 1,0.5,0 or "
			    "3,1,0, each 10 at most, not '%s'",
			    s));
	}
	if (half[1] >= half[0])
		return (err_set(e, ERR_INVALID, NULL,
		    "a win must be worth more than a draw"));
	if (half[2] > half[1])
		return (err_set(e, ERR_INVALID, NULL,
		    "a loss must not be worth more than a draw"));
	if (2 * half[1] > half[0] + half[2])
		return (err_set(e, ERR_INVALID, NULL,
		    "two draws must not be worth more than a win and a loss"));
	xalloc_set(in, row->member,
	    json_pack("{s:i, s:i, s:i}", "win", half[0], "draw", half[1],
		"loss", half[2]));
	return (0);
}

/* Each word of a list, up to a comma, or also a blank. */
static size_t
new_terms_next(const char **s, const char *ends)
{
	*s += strspn(*s, ends);
	return (strcspn(*s, ends));
}

/* Dates, one a round; "none". */
static int
new_terms_dates(
    const struct new_row *row, json_t *in, const char *s, struct errinfo *e)
{
	const int64_t rounds = js_int(in, "rounds");
	char at[CLOCK_AT_LEN + 1], *word;
	int64_t ms, last = INT64_MIN;
	json_t *list;
	size_t len;
	int r = 0;

	if (strcmp(s, "none") == 0)
		return (0);
	list = xalloc_json(json_array());
	for (; r == 0 && (len = new_terms_next(&s, ",")) > 0; s += len) {
		word = xalloc_strn(s, len);
		r = duration_instant(word, "each of them", &ms, e);
		free(word);
		if (r == 0 && ms <= last)
			r = err_set(e, ERR_INVALID, NULL,
			    "each date must be later than the one before");
		if (r != 0)
			break;
		last = ms;
		clock_format(at, ms);
		xalloc_append(list, json_string(at));
	}
	if (r == 0 && json_array_size(list) > TERMS_DATES_MAX)
		r = err_set(
		    e, ERR_INVALID, NULL, "%d dates at most", TERMS_DATES_MAX);
	else if (r == 0 && strcmp(js_str(in, "format"), "swiss") == 0 &&
	    json_array_size(list) > (size_t)rounds)
		r = err_set(e, ERR_INVALID, NULL,
		    "a date a round: there are %lld rounds, not %zu",
		    (long long)rounds, json_array_size(list));
	else if (r == 0 && json_array_size(list) == 0)
		r = err_set(e, ERR_INVALID, NULL, "at least one date");
	if (r == 0)
		xalloc_set(in, row->member, list);
	else
		json_decref(list);
	return (r);
}

/* The format that the terms have so far. */
static enum terms_format
new_terms_format(const json_t *terms)
{
	const char *s = js_str(terms, "format");
	int i;

	for (i = 0; terms_formats[i] != NULL; i++) {
		if (s != NULL && strcmp(terms_formats[i], s) == 0)
			return ((enum terms_format)i);
	}
	return (TERMS_SWISS);
}

/* Tie-breaks by their codes; "usual", "none". */
static int
new_terms_ties(
    const struct new_row *row, json_t *in, const char *s, struct errinfo *e)
{
	json_t *list;
	enum tiebreak tie;
	unsigned seen = 0;
	const char *p = s;
	size_t len;

	if (strcmp(s, "usual") == 0)
		return (0);
	list = xalloc_json(json_array());
	while (strcmp(s, "none") != 0 && (len = new_terms_next(&p, ", ")) > 0) {
		if (tiebreak_find(p, len, &tie) != 0) {
			(void)err_set(e, ERR_INVALID, NULL,
			    "there is no tie-break '%.*s'; `umpire help "
			    "standings` names them, and there are BP and BPA",
			    (int)len, p);
			break;
		}
		if (!terms_may_tie(new_terms_format(in), tie) ||
		    (seen >> tie & 1) != 0) {
			(void)err_set(e, ERR_INVALID, NULL,
			    (seen >> tie & 1) != 0
				? "%s is there twice"
				: "%s says nothing in this format",
			    tiebreak_def(tie)->code);
			break;
		}
		seen |= 1u << tie;
		xalloc_append(list, json_string(tiebreak_def(tie)->code));
		p += len;
	}
	if (e->text[0] != '\0') {
		json_decref(list);
		return (ERR_INVALID);
	}
	xalloc_set(in, row->member, list);
	return (0);
}

/* Accounts; "none". */
static int
new_terms_accounts(
    const struct new_row *row, json_t *in, const char *s, struct errinfo *e)
{
	json_t *list;
	char *word;
	size_t len;
	int r = 0;

	if (strcmp(s, "none") == 0)
		return (0);
	list = xalloc_json(json_array());
	for (; r == 0 && (len = new_terms_next(&s, ", ")) > 0; s += len) {
		word = xalloc_strn(s, len);
		if (!order_is_account(word))
			r = err_set(e, ERR_INVALID, NULL,
			    "'%s' cannot be an account", word);
		xalloc_append(list, xalloc_json_str(word));
		free(word);
	}
	if (r == 0)
		xalloc_set(in, row->member, list);
	else
		json_decref(list);
	return (r);
}

/* ---- the table ---- */

static const struct new_row new_rows[] = {
    {"round-time", "round_s", NULL, "How long is a round, at most?", "14d",
	.take = new_terms_time, .lo = NEW_DAY, .hi = NEW_YEAR,
	.is_needed = true, .is_main = true},
    {"max", "max", NULL, "How many may enter?", "64", .take = new_terms_number,
	.lo = 2, .hi = TERMS_ENTRANTS_MAX, .is_entry = true, .is_needed = true},
    {"admit", "admit", NULL, "Do you admit each of them?", "no",
	.take = new_terms_yes, .words = "director", .is_entry = true},
    {"late", "late", NEW_SWISS,
	"The last round that one may still enter for, late (0: none)?", "0",
	.take = new_terms_late, .lo = 0, .hi = 30, .is_entry = true},
    {"late-half", "late_points", NEW_SWISS,
	"Does the last round that they missed count a draw?", "no",
	.take = new_terms_yes, .words = "half", .after = "late",
	.is_entry = true},
    {"rated", "seed", NULL, "Seeds by ratings that you give, not by lots?",
	"no", .take = new_terms_yes, .words = "rating"},
    {"deputy", "deputies", NULL, "Who may direct, too (accounts)?", "none",
	.take = new_terms_accounts},
    {"mirror", "mirror", NULL, "Two games a table, with sides swapped?", "no",
	.take = new_terms_yes, .words = "true"},
    {"single", "mirror", " knockout ",
	"One game a table, in place of two with sides swapped?", "no",
	.take = new_terms_single},
    {"third", "third", " knockout swiss+knockout ",
	"A table for the third place?", "no", .take = new_terms_yes,
	.words = "true"},
    {"at-once", "concurrent", " roundrobin ", "Are all rounds paired at once?",
	"no", .take = new_terms_yes, .words = "true"},
    {"points", "points", NULL, "Points of a win, a draw, a loss?", "1,0.5,0",
	.take = new_terms_points},
    {"bye", "bye", " swiss swiss+knockout knockout ",
	"Who has no opponent gets the points of a win, or of a draw?", "win",
	.take = new_terms_word, .words = "win draw", .is_needed = true},
    {"byes", "byes", NEW_SWISS,
	"How many rounds may one ask to be left out of?", "0",
	.take = new_terms_number, .lo = 0, .hi = 9},
    {"byes-half", "bye_points", NEW_SWISS, "Does such a round count a draw?",
	"no", .take = new_terms_yes, .words = "half", .after = "byes"},
    {"apart", "apart", NEW_SWISS,
	"In how many rounds, from the first, do members of a club not meet?",
	"0", .take = new_terms_number, .lo = 0, .hi = 30},
    {"give-up", "resign", NULL,
	"Permille of their army that who gives up has lost at least?", "500",
	.take = new_terms_number, .lo = 0, .hi = 1000},
    {"ties", "ties", NULL, "Tie-breaks, in order (codes, or none)?", "usual",
	.take = new_terms_ties},
    {"lots", "lots", NULL, "Are ties that are left parted by lot?", "no",
	.take = new_terms_yes, .words = "true"},
    {"checkin", "checkin_s", NULL, "How long is check-in?", "2d",
	.take = new_terms_time, .lo = 3600, .hi = NEW_YEAR, .is_needed = true},
    {"start", "start_s", NULL,
	"How long has one, from the pairing, to come to the table?", "3d",
	.take = new_terms_time, .lo = 3600, .hi = NEW_YEAR, .is_needed = true},
    {"gap", "gap_s", NULL, "How long from a round to the next?", "1d",
	.take = new_terms_time, .lo = 0, .hi = 30 * NEW_DAY},
    {"dates", "dates", NULL,
	"Dates before which rounds are not paired (with commas)?", "none",
	.take = new_terms_dates},
    {"over-time", "late", NULL,
	"A table over its time: points, draw, lose or director decides?",
	"points", .take = new_terms_word, .words = "points draw lose director",
	.is_needed = true},
    {"margin", "margin", NULL,
	"Battle points ahead that win it then (permille of an army)?", "100",
	.take = new_terms_number, .lo = 1, .hi = 1000},
    {"notice", "notice_s", NULL,
	"How long before a claim has effect is notice of it?", "1d",
	.take = new_terms_time, .lo = 0, .hi = 7 * NEW_DAY},
    {"out-after", "out_after", NULL,
	"After how many no-shows in a row is one withdrawn?", "1",
	.take = new_terms_number, .lo = 1, .hi = 9},
    {"protest", "protest_s", NULL, "How long does a protest hold things up?",
	"2d", .take = new_terms_time, .lo = 0, .hi = 30 * NEW_DAY},
    {"review", "review_s", NULL, "How long from the last result to the end?",
	"2d", .take = new_terms_time, .lo = 0, .hi = 30 * NEW_DAY},
    {"ruling", "ruling_s", NULL, "How long is a silent director waited for?",
	"14d", .take = new_terms_time, .lo = NEW_DAY, .hi = NEW_YEAR},
    {"pair-director", "pair", NULL, "Do directors alone have rounds paired?",
	"no", .take = new_terms_yes, .words = "director"},
    {"private", "private", NULL, "Do only those who are in it see it?", "no",
	.take = new_terms_yes, .words = "true"},
    {"confirm", "confirm", NULL,
	"Does each combat wait until the other side agrees to it?", "no",
	.take = new_terms_yes, .words = "true"},
    {"facts", "confirm", NULL,
	"And what decides units' fates on a table that only one sees?", "no",
	.take = new_terms_yes, .words = "facts", .after = "confirm"},
    {.option = NULL},
};

/* ---- reading ---- */

int
new_terms_fit(struct cmd_ctx *cx, const json_t *terms)
{
	const struct opt_set *o = &cx->opts;
	const char *format = js_str(terms, "format"), *bad = NULL;
	char word[32];
	int64_t late;
	size_t i;

	(void)snprintf(
	    word, sizeof(word), " %s ", format == NULL ? "" : format);
	if (opt_has(o, "cut") && strcmp(word, " swiss+knockout ") != 0)
		bad = "cut";
	for (i = 0; new_rows[i].option != NULL && bad == NULL; i++) {
		if (new_rows[i].formats != NULL &&
		    opt_has(o, new_rows[i].option) &&
		    strstr(new_rows[i].formats, word) == NULL)
			bad = new_rows[i].option;
	}
	if (bad != NULL)
		return (cmd_usage(cx,
		    "--%s says nothing in a tournament of this format", bad));
	if (opt_has(o, "dates") &&
	    (opt_has(o, "at-once") ||
		json_is_true(json_object_get(terms, "concurrent"))))
		return (cmd_usage(cx,
		    "--dates says nothing where all rounds are paired at "
		    "once"));
	if (opt_has(o, "late") &&
	    opt_number(opt_get(o, "late"), 0, 30, &late) &&
	    late > js_int(terms, "rounds"))
		return (cmd_usage(cx,
		    "--late %lld: there are %lld rounds of the Swiss",
		    (long long)late, (long long)js_int(terms, "rounds")));
	return (0);
}

/* Where a row's member is. */
static json_t *
new_terms_in(const struct new_row *row, json_t *terms)
{
	return (row->is_entry ? json_object_get(terms, "entry") : terms);
}

/* What an option says; free().  NULL: it is not there. */
static char *
new_terms_said(const struct cmd_ctx *cx, const struct new_row *row)
{
	const char *s;
	struct buf b;
	size_t i = 0;

	if (!opt_has(&cx->opts, row->option))
		return (NULL);
	if (opt_get(&cx->opts, row->option) == NULL)
		return (xalloc_str("yes"));
	buf_init(&b, 0);
	while ((s = opt_next(&cx->opts, row->option, &i)) != NULL)
		buf_printf(&b, "%s%s", b.len == 0 ? "" : ",", s);
	return (xalloc_take(&b));
}

/* True if a row is to be asked about. */
static bool
new_terms_is_open(
    const struct cmd_ctx *cx, const struct new_row *row, json_t *terms)
{
	const json_t *in = new_terms_in(row, terms);
	const char *format = js_str(terms, "format");
	const json_t *after;
	char word[32];

	(void)snprintf(
	    word, sizeof(word), " %s ", format == NULL ? "" : format);
	if (opt_has(&cx->opts, row->option) ||
	    (row->formats != NULL && strstr(row->formats, word) == NULL))
		return (false);
	if (strcmp(row->option, "mirror") == 0 &&
	    strcmp(word, " knockout ") == 0)
		return (false);
	if (strcmp(row->option, "margin") == 0 &&
	    strcmp(text_member(terms, "late"), "points") != 0)
		return (false);
	if ((strcmp(row->option, "dates") == 0 ||
		strcmp(row->option, "gap") == 0) &&
	    json_is_true(json_object_get(terms, "concurrent")))
		return (false);
	if (row->after != NULL) {
		after = json_object_get(in, row->after);
		return (after != NULL && json_integer_value(after) != 0) ||
		    json_is_true(after);
	}
	return (json_object_get(in, row->member) == NULL);
}

/* Asks about a row until the answer is right; false where reading ends. */
static bool
new_terms_ask(const struct new_row *row, json_t *terms)
{
	char line[NEW_LINE], *question;
	struct errinfo e;
	bool has, is_done = false;

	question = xalloc_printf("%s [%s]", row->question, row->usual);
	do {
		e = (struct errinfo){.text = ""};
		has = out_ask_line(line, sizeof(line), question);
		if (!has || *line == '\0' || strcmp(line, row->usual) == 0)
			break; /* what is usual is set at the end, if needed */
		is_done =
		    row->take(row, new_terms_in(row, terms), line, &e) == 0;
		if (!is_done)
			out_note("%s", e.text);
	} while (!is_done);
	free(question);
	return (has);
}

/* Asks about rows: those of everybody, or the rest. */
static void
new_terms_ask_all(struct cmd_ctx *cx, json_t *terms, bool is_main)
{
	const struct new_row *row;

	for (row = new_rows; row->option != NULL; row++) {
		if (row->is_main == is_main &&
		    new_terms_is_open(cx, row, terms) &&
		    !new_terms_ask(row, terms))
			return;
	}
}

/* Asks for a knockout after a Swiss. */
static void
new_terms_ask_cut(struct cmd_ctx *cx, json_t *terms)
{
	static const struct new_row row = {"cut", "cut", NULL,
	    "Then a knockout of the best 2, 4, 8, 16 or 32 (0: none)?", "0",
	    .take = new_terms_word, .words = "2 4 8 16 32"};
	const char *s = js_str(terms, "format");
	int64_t n;

	if (s == NULL || strcmp(s, "swiss") != 0 || opt_has(&cx->opts, "cut") ||
	    !new_terms_ask(&row, terms) ||
	    !opt_number(text_member(terms, "cut"), 2, 32, &n))
		return;
	xalloc_set(terms, "cut", json_integer(n));
	xalloc_set(terms, "format", json_string("swiss+knockout"));
}

/* Reads the options of rows. */
static int
new_terms_options(struct cmd_ctx *cx, json_t *terms)
{
	const struct new_row *row;
	struct errinfo e;
	char *s;
	int r;

	for (row = new_rows; row->option != NULL; row++) {
		if ((s = new_terms_said(cx, row)) == NULL)
			continue;
		e = (struct errinfo){.text = ""};
		r = row->take(row, new_terms_in(row, terms), s, &e);
		free(s);
		if (r != 0)
			return (cmd_usage(cx, "--%s: %s", row->option, e.text));
	}
	return (0);
}

int
new_terms_read(struct cmd_ctx *cx, json_t *terms, bool may_ask)
{
	struct errinfo e = {.text = ""};
	const struct new_row *row;
	json_t *in;
	int status;

	if ((status = new_terms_options(cx, terms)) != 0)
		return (status);
	if (may_ask) {
		new_terms_ask_all(cx, terms, true);
		out_note("All else has what is usual: how many may enter, "
			 "points, byes, dates, who directs, too, and the like. "
			 " It is shown before anything is signed.");
		if (cmd_ask(cx, "Go through it, term by term?")) {
			new_terms_ask_cut(cx, terms);
			new_terms_ask_all(cx, terms, false);
		}
	}
	for (row = new_rows; row->option != NULL; row++) {
		in = new_terms_in(row, terms);
		if (row->is_needed &&
		    json_object_get(in, row->member) == NULL &&
		    row->take(row, in, row->usual, &e) != 0)
			return (cmd_fail(ERR_INTERNAL, &e));
	}
	in = json_object_get(terms, "entry");
	if (json_object_get(in, "admit") == NULL)
		xalloc_set(in, "admit", json_string("open"));
	if (json_object_get(terms, "seed") == NULL)
		xalloc_set(terms, "seed", json_string("lots"));
	return (0);
}
