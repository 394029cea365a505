/* SPDX-License-Identifier: ISC */
/*
 * umpire tournament rule: a director's decision (record S19.4), with what it
 * would do told before it is signed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/play/duration.h"
#include "client/profile/profile.h"
#include "client/report/standings_view.h"
#include "client/tournament/desk.h"
#include "client/tournament/desk_copy.h"
#include "client/tournament/desk_tables.h"
#include "client/tournament/desk_try.h"
#include "client/tournament/desk_witness.h"
#include "client/tournament/desks.h"
#include "client/ui/out_terminal.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/half.h"
#include "common/base/hex.h"
#include "common/json/js.h"
#include "common/tournament/tournament.h"

#define DESK_RULE_ROWS 12 /* changes of standings that are shown */
#define DESK_RULE_ROUNDS 1000
#define DESK_RULE_POINTS 10 /* that a ruling gives or takes at most */

/* A form of ruling: reads words from operand 2 on into a value; new. */
struct desk_rule_form {
	const char *name, *words;
	int max; /* words at most; -1: any number */
	const char *what;
	json_t *(*read)(struct desk *d);
};

/* The value of a round's option (desk_rule_options()), or what is usual. */
static int64_t
desk_rule_number(const struct desk *d, const char *option, int64_t usual)
{
	const char *s = opt_get(&d->cx->opts, option);
	int64_t n;

	return (
	    s != NULL && opt_number(s, 1, DESK_RULE_ROUNDS, &n) ? n : usual);
}

/* Reads "R.T" or "R.T.L" (has_table: else "R" will do), into an object; NULL.
 */
static json_t *
desk_rule_place(const struct desk *d, const char *word, bool has_leg)
{
	int64_t n[3] = {0, 0, 1};
	size_t len, i;
	const char *p = word;

	for (i = 0; p != NULL && i < 3 && *p != '\0'; i++) {
		len = strcspn(p, ".");
		if (!opt_number_in(p, len, 1, 1000, &n[i]))
			break;
		p += len + (p[len] == '.');
	}
	if (p == NULL || *p != '\0' || n[0] == 0 || (has_leg && n[1] == 0)) {
		(void)cmd_usage(d->cx,
		    "'%s' is no table: type ROUND.TABLE, as 2.3, or "
		    "ROUND.TABLE.LEG",
		    word == NULL ? "" : word);
		return (NULL);
	}
	if (has_leg)
		return (xalloc_json(
		    json_pack("{s:I, s:I, s:I}", "round", (json_int_t)n[0],
			"table", (json_int_t)n[1], "leg", (json_int_t)n[2])));
	return (xalloc_json(n[1] == 0
		? json_pack("{s:I}", "round", (json_int_t)n[0])
		: json_pack("{s:I, s:I}", "round", (json_int_t)n[0], "table",
		      (json_int_t)n[1])));
}

/* The result that a word means; NULL. */
static const char *
desk_rule_value(const char *word)
{
	static const struct {
		const char *word, *value;
	} values[] = {{"1", "1"}, {"2", "2"}, {"draw", "="}, {"=", "="},
	    {"forfeit-2", "+"}, {"+", "+"}, {"forfeit-1", "-"},
	    {"forfeit-both", "--"}};
	size_t i;

	for (i = 0; word != NULL && i < sizeof(values) / sizeof(values[0]);
	     i++) {
		if (strcmp(word, values[i].word) == 0)
			return (values[i].value);
	}
	return (NULL);
}

static json_t *
desk_rule_result(struct desk *d)
{
	const char *word = cmd_arg(d->cx, 3), *value, *bp;
	char line[64];
	json_t *v;
	int64_t n;

	if ((v = desk_rule_place(d, cmd_arg(d->cx, 2), true)) == NULL)
		return (NULL);
	if (word == NULL && cmd_can_ask(d->cx) &&
	    out_ask_line(line, sizeof(line),
		"Which result?  1: side 1 won, 2: side 2 won, draw, forfeit-1: "
		"side 1 forfeits,\nforfeit-2, forfeit-both: "))
		word = line;
	if ((value = desk_rule_value(word)) == NULL) {
		(void)cmd_usage(d->cx,
		    "the result is 1, 2, draw, forfeit-1, forfeit-2 or "
		    "forfeit-both%s%s",
		    word == NULL ? "" : ", not ", word == NULL ? "" : word);
		json_decref(v);
		return (NULL);
	}
	xalloc_set(v, "value", json_string(value));
	if ((bp = opt_get(&d->cx->opts, "bp")) != NULL) {
		if (!opt_number(*bp == '+' ? bp + 1 : bp, 0, 1000, &n)) {
			(void)cmd_usage(d->cx,
			    "--bp takes 0 to 1000: side 1's battle points; "
			    "with --minus they are below 0");
			json_decref(v);
			return (NULL);
		}
		xalloc_set(v, "bp",
		    json_integer(opt_has(&d->cx->opts, "minus") ? -n : n));
	}
	return (v);
}

static json_t *
desk_rule_replay(struct desk *d)
{
	return (desk_rule_place(d, cmd_arg(d->cx, 2), true));
}

static json_t *
desk_rule_extend(struct desk *d)
{
	const char *word = cmd_arg(d->cx, 3);
	struct errinfo e = {.text = ""};
	int64_t s;
	json_t *v;

	if ((v = desk_rule_place(d, cmd_arg(d->cx, 2), false)) == NULL)
		return (NULL);
	if (word == NULL ||
	    duration_span(word, "the time", 3600, DURATION_YEAR_S, &s, &e) !=
		0) {
		(void)cmd_usage(d->cx, "by how long, as 3d or 12h?%s%s",
		    word == NULL ? "" : "  ", word == NULL ? "" : e.text);
		json_decref(v);
		return (NULL);
	}
	xalloc_set(v, "seconds", json_integer(s));
	return (v);
}

static json_t *
desk_rule_points(struct desk *d)
{
	const char *word = cmd_arg(d->cx, 3);
	int number = desk_entrant(d, cmd_arg(d->cx, 2));
	int half;

	if (number == 0)
		return (NULL);
	if (word == NULL ||
	    !half_read(word, strlen(word), 2 * DESK_RULE_POINTS, &half)) {
		(void)cmd_usage(d->cx,
		    "how many points, as 1 or 0.5, %d at most?  --minus takes "
		    "them away",
		    DESK_RULE_POINTS);
		return (NULL);
	}
	return (xalloc_json(json_pack("{s:i, s:i}", "entrant", number, "half",
	    opt_has(&d->cx->opts, "minus") ? -half : half)));
}

static json_t *
desk_rule_expel(struct desk *d)
{
	const int rounds = tournament_rounds(d->t);
	const int number = desk_entrant(d, cmd_arg(d->cx, 2));
	int next = tournament_paired(d->t) + 1;

	if (number == 0)
		return (NULL);
	if (tournament_phase(d->t) == TOURNAMENT_PLAY && next > rounds &&
	    !opt_has(&d->cx->opts, "from")) {
		if (!tournament_terms(d->t)->is_concurrent) {
			(void)cmd_usage(d->cx,
			    "no round is left that they could be out of: rule "
			    "on their table, as in 'result %d.1 forfeit-2'",
			    rounds);
			return (NULL);
		}
		next = rounds; /* it is paired, and may be left all the same */
	}
	return (xalloc_json(json_pack("{s:i, s:I, s:s}", "entrant", number,
	    "from", (json_int_t)desk_rule_number(d, "from", next), "games",
	    opt_has(&d->cx->opts, "forfeit") ? "forfeit" : "stand")));
}

static json_t *
desk_rule_back(struct desk *d)
{
	int number = desk_entrant(d, cmd_arg(d->cx, 2));

	if (number == 0)
		return (NULL);
	return (xalloc_json(json_pack("{s:i, s:I}", "entrant", number, "from",
	    (json_int_t)desk_rule_number(
		d, "from", tournament_paired(d->t) + 1))));
}

/* Adds a number to an ascending list. */
static void
desk_rule_insert(json_t *list, int number)
{
	size_t i = 0;

	while (i < json_array_size(list) &&
	    json_integer_value(json_array_get(list, i)) < number)
		i++;
	if (json_array_insert_new(list, i, json_integer(number)) != 0)
		xalloc_die();
}

static json_t *
desk_rule_apart(struct desk *d)
{
	const int64_t from =
	    desk_rule_number(d, "from", tournament_paired(d->t) + 1);
	json_t *list = xalloc_json(json_array());
	int i, number;

	for (i = 2; cmd_arg(d->cx, i) != NULL; i++) {
		if ((number = desk_entrant(d, cmd_arg(d->cx, i))) == 0) {
			json_decref(list);
			return (NULL);
		}
		desk_rule_insert(list, number);
	}
	if (i < 4) {
		(void)cmd_usage(d->cx, "apart from whom?  Name two or more");
		json_decref(list);
		return (NULL);
	}
	return (xalloc_json(json_pack("{s:o, s:I, s:I}", "entrants", list,
	    "from", (json_int_t)from, "to",
	    (json_int_t)desk_rule_number(d, "to", tournament_rounds(d->t)))));
}

/* Reads "A:B", side 1 first, into a pair; NULL. */
static json_t *
desk_rule_pair(struct desk *d, const char *word)
{
	const char *colon = strchr(word, ':');
	char *one;
	int a, b;

	if (colon == NULL) {
		(void)cmd_usage(d->cx,
		    "'%s' is no pair: type A:B, side 1 first, by number or "
		    "account",
		    word);
		return (NULL);
	}
	one = xalloc_strn(word, (size_t)(colon - word));
	a = desk_entrant(d, one);
	free(one);
	b = a == 0 ? 0 : desk_entrant(d, colon + 1);
	return (b == 0 ? NULL : xalloc_json(json_pack("[i, i]", a, b)));
}

static json_t *
desk_rule_pairs(struct desk *d)
{
	const char *bye = opt_get(&d->cx->opts, "bye");
	json_t *list = xalloc_json(json_array()), *pair, *v;
	int i, number;

	for (i = 2; cmd_arg(d->cx, i) != NULL; i++) {
		if ((pair = desk_rule_pair(d, cmd_arg(d->cx, i))) == NULL) {
			json_decref(list);
			return (NULL);
		}
		xalloc_append(list, pair);
	}
	v = xalloc_json(json_pack("{s:I, s:o}", "round",
	    (json_int_t)desk_rule_number(
		d, "round", tournament_paired(d->t) + 1),
	    "tables", list));
	if (bye != NULL) {
		if ((number = desk_entrant(d, bye)) == 0) {
			json_decref(v);
			return (NULL);
		}
		xalloc_set(v, "bye", json_integer(number));
	}
	return (v);
}

static json_t *
desk_rule_rules(struct desk *d)
{
	return (xalloc_json(
	    json_pack("{s:s, s:I}", "version", cmd_arg(d->cx, 2), "from",
		(json_int_t)desk_rule_number(
		    d, "from", tournament_paired(d->t) + 1))));
}

static json_t *
desk_rule_witness(struct desk *d)
{
	json_t *w;

	return (desk_witness(d->cx, d->link, cmd_arg(d->cx, 2), &w) == 0
		? w
		: NULL);
}

/* A line's number. */
static json_t *
desk_rule_line(struct desk *d)
{
	int64_t n;

	if (!opt_number(cmd_arg(d->cx, 2), 0, JS_INT_MAX, &n)) {
		(void)cmd_usage(
		    d->cx, "'%s' is no number of a line", cmd_arg(d->cx, 2));
		return (NULL);
	}
	return (xalloc_json(json_integer(n)));
}

static const struct desk_rule_form desk_rule_forms[] = {
    {"result", "R.T [VALUE]", 2, "a table's result", desk_rule_result},
    {"replay", "R.T", 1, "a table is played again", desk_rule_replay},
    {"extend", "R[.T] TIME", 2, "more time for a round or table",
	desk_rule_extend},
    {"points", "ENTRANT N", 2, "points given, or taken by --minus",
	desk_rule_points},
    {"expel", "ENTRANT", 1, "somebody is out", desk_rule_expel},
    {"back", "ENTRANT", 1, "somebody is in again", desk_rule_back},
    {"apart", "ENTRANT ENTRANT ...", -1, "they do not meet", desk_rule_apart},
    {"pairs", "A:B ...", -1, "a round by hand", desk_rule_pairs},
    {"witness", "CARD", 1, "another witness, for games to come",
	desk_rule_witness},
    {"rules", "VERSION", 1, "the rules' version from a round on",
	desk_rule_rules},
    {"answer", "LINE", 1, "a protest is answered by the reason",
	desk_rule_line},
    {"accept", "LINE", 1, "a key that the operator proposed", desk_rule_line},
};

#define DESK_RULE_FORMS (sizeof(desk_rule_forms) / sizeof(desk_rule_forms[0]))

/* Names of entrants out of a list of numbers: "anna, bert"; free(). */
static char *
desk_rule_names(const struct desk *d, const json_t *numbers)
{
	const json_t *v;
	struct buf b;
	size_t i;

	buf_init(&b, 0);
	json_array_foreach(numbers, i, v) buf_printf(&b, "%s%s",
	    i == 0 ? "" : ", ", desk_called(d, (int)json_integer_value(v)));
	return (xalloc_take(&b));
}

/* A table, or a round, of a ruling in words; free(). */
static char *
desk_rule_where(const json_t *v)
{
	if (json_object_get(v, "table") == NULL)
		return (
		    xalloc_printf("round %lld", (long long)js_int(v, "round")));
	return (xalloc_printf("table %lld.%lld%s",
	    (long long)js_int(v, "round"), (long long)js_int(v, "table"),
	    js_int(v, "leg") > 1 ? ", its second game," : ""));
}

/* Says what a ruling of a table does, if it is one. */
static void
desk_rule_tell_table(const struct desk *d, const char *form, const json_t *v)
{
	char *s, *where = desk_rule_where(v);

	if (strcmp(form, "replay") == 0) {
		out_print(&d->cx->out,
		    "  %s has no result, its game is void, and a new one may "
		    "be opened\n",
		    where);
	} else if (strcmp(form, "extend") == 0) {
		s = duration_words(js_int(v, "seconds"));
		out_print(&d->cx->out,
		    "  %s has %s more to come and to be over\n", where, s);
		free(s);
	}
	free(where);
}

/* Says what a ruling about somebody does, if it is one. */
static void
desk_rule_tell_people(const struct desk *d, const char *form, const json_t *v)
{
	const long long from = (long long)js_int(v, "from");
	struct out *o = &d->cx->out;
	char *names;

	if (strcmp(form, "expel") == 0) {
		out_print(o, "  %s is out from round %lld on; %s\n",
		    desk_called(d, (int)js_int(v, "entrant")), from,
		    strcmp(text_member(v, "games"), "stand") == 0
			? "their games before stand"
			: "their games without a result are lost");
	} else if (strcmp(form, "back") == 0) {
		out_print(o, "  %s is in again from round %lld on\n",
		    desk_called(d, (int)js_int(v, "entrant")), from);
	} else if (strcmp(form, "apart") == 0) {
		names = desk_rule_names(d, json_object_get(v, "entrants"));
		out_print(o, "  no two of %s meet in rounds %lld to %lld\n",
		    names, from, (long long)js_int(v, "to"));
		free(names);
	}
}

/* Says what the ruling itself does, in a line. */
static void
desk_rule_tell_form(const struct desk *d, const char *form, const json_t *v)
{
	const long long line = (long long)json_integer_value(v);
	struct out *o = &d->cx->out;

	desk_rule_tell_table(d, form, v);
	desk_rule_tell_people(d, form, v);
	if (strcmp(form, "witness") == 0)
		out_print(o, "  games to come have the witness %s\n",
		    text_member(v, "account"));
	else if (strcmp(form, "rules") == 0)
		out_print(o, "  games from round %lld on have the rules %s\n",
		    (long long)js_int(v, "from"), text_member(v, "version"));
	else if (strcmp(form, "answer") == 0)
		out_print(o,
		    "  the protest of line %lld is answered by the reason, and "
		    "holds nothing up\n",
		    line);
	else if (strcmp(form, "accept") == 0)
		out_print(o,
		    "  the key of line %lld becomes the only one of %s\n", line,
		    tournament_proposed(d->t, line) == NULL
			? "its account"
			: tournament_proposed(d->t, line));
}

/* The row of somebody in a list of standings; NULL. */
static const json_t *
desk_rule_row(const json_t *view, json_int_t number)
{
	const json_t *row;
	size_t i;

	json_array_foreach(json_object_get(view, "standings"), i, row)
	{
		if (json_integer_value(json_array_get(row, 1)) == number)
			return (row);
	}
	return (NULL);
}

/* A number of a row. */
static int
desk_rule_cell(const json_t *row, size_t i)
{
	return ((int)json_integer_value(json_array_get(row, i)));
}

/* Tells what changes in the standings. */
static void
desk_rule_tell_standings(
    const struct desk *d, const json_t *was, const json_t *is)
{
	char now[STANDINGS_CELL], then[STANDINGS_CELL];
	const json_t *before, *row;
	int n = 0;
	size_t i;

	json_array_foreach(json_object_get(is, "standings"), i, row)
	{
		before = desk_rule_row(was, desk_rule_cell(row, 1));
		if (before == NULL ||
		    (desk_rule_cell(before, 2) == desk_rule_cell(row, 2) &&
			desk_rule_cell(before, 0) == desk_rule_cell(row, 0)))
			continue;
		if (++n > DESK_RULE_ROWS)
			continue;
		out_print(&d->cx->out,
		    "  %s: now %s points, rank %d; then %s, rank %d\n",
		    desk_called(d, desk_rule_cell(row, 1)),
		    standings_view_points(now, desk_rule_cell(before, 2)),
		    desk_rule_cell(before, 0),
		    standings_view_points(then, desk_rule_cell(row, 2)),
		    desk_rule_cell(row, 0));
	}
	if (n > DESK_RULE_ROWS)
		out_print(&d->cx->out, "  and %d more\n", n - DESK_RULE_ROWS);
	if (n == 0)
		out_print(&d->cx->out, "  The standings stay as they are.\n");
}

/* Tells an event that the line would have. */
static void
desk_rule_tell_event(const struct desk *d, const json_t *ev)
{
	const char *e = text_member(ev, "e");
	char *s;

	if (strcmp(e, "result") == 0) {
		s = desk_tables_state(ev);
		out_print(&d->cx->out, "  table %lld.%lld%s: %s\n",
		    (long long)js_int(ev, "round"),
		    (long long)js_int(ev, "table"),
		    js_int(ev, "leg") > 1 ? ", its second game" : "", s);
		free(s);
	} else if (strcmp(e, "out") == 0)
		out_print(&d->cx->out, "  %s is out from round %lld on\n",
		    desk_called(d, (int)js_int(ev, "entrant")),
		    (long long)js_int(ev, "from"));
	else if (strcmp(e, "pairing") == 0)
		out_print(&d->cx->out,
		    "  round %lld is set by hand: %zu tables\n",
		    (long long)js_int(ev, "round"),
		    json_array_size(json_object_get(ev, "tables")));
}

/* Tells what the ruling would do; what the umpire says if it may not be. */
static int
desk_rule_tell(const struct desk *d, const char *form, const json_t *args)
{
	struct errinfo e = {.text = ""};
	struct desk shown = *d;
	json_t *is, *tried, *was;
	struct desk_try y;
	const json_t *ev;
	size_t i;
	int r;

	tried = xalloc_copy(args);
	xalloc_set(tried, "why",
	    json_string("000000000000000000000000000000000000000000000000000000"
			"0000000000"));
	r = desk_try(d, ENTRY_RULING, tried, clock_wall_ms(), &y, &e);
	json_decref(tried);
	if (r == ERR_MISSING)
		return (0); /* it hangs on a game: the umpire will say */
	if (r != 0) {
		out_error("that cannot be ruled: %s", e.text);
		desk_next(d);
		return (EX_DATAERR);
	}
	was = desk_view(d);
	shown.t = y.t;
	is = desk_view(&shown);
	out_print(&d->cx->out, "What this ruling does:\n");
	desk_rule_tell_form(d, form, json_object_get(args, form));
	json_array_foreach(y.events, i, ev) desk_rule_tell_event(d, ev);
	desk_rule_tell_standings(d, was, is);
	json_decref(was);
	json_decref(is);
	desk_try_clear(&y);
	return (0);
}

/* The reason, asked for if nobody has said it; in line.  NULL. */
static const char *
desk_rule_why(const struct desk *d, char *line, size_t size)
{
	const char *why = opt_get(&d->cx->opts, "why");

	if (why == NULL && !d->cx->is_sure && cmd_can_ask(d->cx) &&
	    out_ask_line(line, size, "The reason, which all can read: ") &&
	    *line != '\0')
		why = line;
	return (why);
}

/* Rules by a form. */
static int
desk_rule_give(struct desk *d, const struct desk_rule_form *form)
{
	char line[1000];
	struct outbox_text why = {.member = "why"};
	json_t *args, *value;
	int64_t seq;
	int status;

	if ((value = form->read(d)) == NULL)
		return (EX_USAGE);
	args = xalloc_json(json_pack("{s:o}", form->name, value));
	if ((status = desk_rule_tell(d, form->name, args)) == 0 &&
	    (why.value = desk_rule_why(d, line, sizeof(line))) == NULL)
		status =
		    cmd_usage(d->cx, "a ruling has a reason: add --why TEXT");
	if (status == 0)
		status = cmd_confirm(d->cx,
		    "Rule so?  It stands under your name, with the reason, for "
		    "all to read.");
	if (status != 0) {
		json_decref(args);
		return (status);
	}
	status = desk_order(d, ENTRY_RULING, args, &why, 1, &seq);
	if (status != 0)
		return (status);
	if (d->cx->out.is_json)
		out_json(&d->cx->out,
		    json_pack("{s:o, s:I}", "tournament",
			js_hex(d->copy->id, HASH_LEN), "seq", (json_int_t)seq));
	out_print(&d->cx->out, "It is ruled, line %lld.\n", (long long)seq);
	desk_next(d);
	return (0);
}

/* Lists the forms. */
static int
desk_rule_usage(const struct cmd_ctx *cx, const char *word)
{
	size_t i;

	(void)cmd_usage(cx,
	    word == NULL ? "what is ruled?" : "there is no ruling '%s'", word);
	for (i = 0; i < DESK_RULE_FORMS; i++)
		out_note("%-7s %-20s %s", desk_rule_forms[i].name,
		    desk_rule_forms[i].words, desk_rule_forms[i].what);
	return (EX_USAGE);
}

/* Refuses options that are no rounds, or that the form does not have. */
static int
desk_rule_options(const struct cmd_ctx *cx, const char *form)
{
	static const struct {
		const char *option, *forms; /* each between blanks */
		bool is_round;
	} rows[] = {{"bp", " result ", false},
	    {"minus", " result points ", false},
	    {"from", " expel back apart rules ", true}, {"to", " apart ", true},
	    {"round", " pairs ", true}, {"bye", " pairs ", false},
	    {"forfeit", " expel ", false}};
	char word[16];
	int64_t n;
	size_t i;

	(void)snprintf(word, sizeof(word), " %s ", form);
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (!opt_has(&cx->opts, rows[i].option))
			continue;
		if (strstr(rows[i].forms, word) == NULL)
			return (cmd_usage(cx, "--%s says nothing in '%s'",
			    rows[i].option, form));
		if (rows[i].is_round &&
		    !opt_number(opt_get(&cx->opts, rows[i].option), 1,
			DESK_RULE_ROUNDS, &n))
			return (cmd_usage(
			    cx, "--%s takes a round", rows[i].option));
	}
	return (0);
}

/* Finds the form, and rules. */
static int
desk_rule_run(struct cmd_ctx *cx)
{
	const char *word = cmd_arg(cx, 1);
	const struct desk_rule_form *form = NULL;
	struct desk *d;
	size_t i;
	int status;

	for (i = 0; word != NULL && i < DESK_RULE_FORMS; i++) {
		if (strcmp(word, desk_rule_forms[i].name) == 0)
			form = &desk_rule_forms[i];
	}
	if (form == NULL)
		return (desk_rule_usage(cx, word));
	if (cmd_arg(cx, 2) == NULL)
		return (cmd_usage(cx, "umpire tournament rule %s %s %s",
		    cmd_arg(cx, 0), form->name, form->words));
	if (form->max >= 0 && cmd_arg(cx, 2 + form->max) != NULL)
		return (cmd_usage(cx, "'%s' is one word too many for '%s'",
		    cmd_arg(cx, 2 + form->max), form->name));
	if ((status = desk_rule_options(cx, form->name)) != 0)
		return (status);
	if ((status = desk_open(cx, cmd_arg(cx, 0), DESK_ORDER, &d)) != 0)
		return (status);
	if ((status = desk_need_director(d, "rules")) == 0)
		status = desk_rule_give(d, form);
	desk_close(d);
	return (status);
}

static const struct opt_def desk_rule_opts[] = {
    {"why", 0, "TEXT", false, "the reason, which all can read; needed"},
    {"bp", 0, "N", false, "result: side 1's battle points"},
    {"minus", 0, NULL, false, "points, --bp: below 0"},
    {"from", 0, "R", false, "from this round on (default: the next)"},
    {"to", 0, "R", false, "apart: up to this round (default: the last)"},
    {"round", 0, "R", false, "pairs: this round (default: the next)"},
    {"bye", 0, "ENTRANT", false, "pairs: who gets the bye"},
    {"forfeit", 0, NULL, false, "expel: their open games are lost"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd desk_cmd_rule = {
    .opts = desk_rule_opts,
    .min_args = 1,
    .max_args = -1,
    .run = desk_rule_run,
};
