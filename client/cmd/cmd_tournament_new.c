/* SPDX-License-Identifier: ISC */
/*
 * umpire tournament new: asks for the terms that nobody has said, shows them as
 * people read them, with the calendar that they make and what may bite, and
 * opens the tournament once its director agrees.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/cmd/datafile.h"
#include "client/cmd/new_witness.h"
#include "client/cmd/rosterfile.h"
#include "client/net/account.h"
#include "client/net/link.h"
#include "client/play/duration.h"
#include "client/play/play.h"
#include "client/play/settings.h"
#include "client/profile/invitation.h"
#include "client/profile/profile.h"
#include "client/tournament/desk.h"
#include "client/tournament/desk_copy.h"
#include "client/tournament/desk_terms.h"
#include "client/tournament/desk_witness.h"
#include "client/tournament/desks.h"
#include "client/ui/out_terminal.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/rules/rules.h"
#include "common/rules/systems/systems.h"
#include "common/tournament/entry.h"
#include "common/tournament/terms.h"

#define NEW_TERMS_MAX 65536 /* bytes of a file of terms */
#define NEW_DAY INT64_C(86400)
#define NEW_YEAR (365 * NEW_DAY)

/* What is being put together. */
struct new_cup {
	struct cmd_ctx *cx;
	json_t *terms; /* owned: args of the order, so far */
	json_t *blobs; /* owned: rosters and data, to be given to the server */
	const struct rules_system *sys;
	const char *card; /* of --witness; NULL: none */
};

/* Times of the terms: an option, a member, what is usual, what it is. */
static const struct {
	const char *option, *member;
	int64_t lo, hi, usual; /* usual -1: the terms' own default */
} new_times[] = {
    {"checkin", "checkin_s", 3600, NEW_YEAR, 2 * NEW_DAY},
    {"start", "start_s", 3600, NEW_YEAR, 3 * NEW_DAY},
    {"round-time", "round_s", NEW_DAY, NEW_YEAR, 14 * NEW_DAY},
    {"gap", "gap_s", 0, 30 * NEW_DAY, -1},
    {"notice", "notice_s", 0, 7 * NEW_DAY, -1},
    {"review", "review_s", 0, 30 * NEW_DAY, -1},
    {"protest", "protest_s", 0, 30 * NEW_DAY, -1},
    {"ruling", "ruling_s", NEW_DAY, NEW_YEAR, -1},
};

/* Numbers and words of the terms. */
static const struct {
	const char *option, *member;
	int lo, hi;
} new_numbers[] = {
    {"byes", "byes", 0, 9},
    {"apart", "apart", 0, 30},
    {"out-after", "out_after", 1, 9},
    {"margin", "margin", 1, 1000},
    {"give-up", "resign", 0, 1000},
};

#define NEW_N(x) (sizeof(x) / sizeof((x)[0]))

/* ---- asking ---- */

/* True if what is missing can be asked for. */
static bool
new_can_ask(const struct new_cup *c)
{
	return (!c->cx->is_sure && !opt_has(&c->cx->opts, "terms") &&
	    cmd_can_ask(c->cx));
}

/*
 * The value of an option; else what somebody answers, with a value for an
 * empty line; NULL where nobody can be asked.  In line, which has room.
 */
static const char *
new_value(const struct new_cup *c, const char *option, const char *question,
    const char *usual, char line[128])
{
	const char *s = opt_get(&c->cx->opts, option);
	char *q;
	bool has;

	if (s != NULL || !new_can_ask(c))
		return (s);
	q = *usual == '\0' ? xalloc_printf("%s ", question)
			   : xalloc_printf("%s [%s] ", question, usual);
	has = out_ask_line(line, 128, q);
	free(q);
	if (!has)
		return (NULL);
	return (*line == '\0' && *usual != '\0' ? usual : line);
}

/* Says what is missing where nobody can be asked. */
static int
new_missing(const struct new_cup *c, const char *what, const char *option)
{
	return (cmd_usage(c->cx,
	    "%s  Add %s, or run it at a terminal and be asked", what, option));
}

/* Sets a member unless a file of terms has it. */
static void
new_set(struct new_cup *c, const char *name, json_t *value)
{
	if (json_object_get(c->terms, name) == NULL)
		xalloc_set(c->terms, name, value);
	else
		json_decref(value);
}

/* ---- terms by options ---- */

/* The file of terms, if there is one. */
static int
new_read_file(struct new_cup *c)
{
	const char *path = opt_get(&c->cx->opts, "terms");
	json_t *v;
	int status;

	if (path == NULL)
		return (0);
	if ((status = cmd_read_json(path, NEW_TERMS_MAX, &v)) != 0)
		return (status);
	if (!json_is_object(v)) {
		json_decref(v);
		out_error("'%s' holds no terms: an object is needed", path);
		return (EX_DATAERR);
	}
	json_decref(c->terms);
	c->terms = v;
	return (0);
}

/* Reads a number of rounds out of an option that is given. */
static int
new_rounds(struct new_cup *c, const char *option, int lo, int hi)
{
	int64_t n;

	if (!opt_number(opt_get(&c->cx->opts, option), lo, hi, &n))
		return (cmd_usage(c->cx, "--%s takes a number from %d to %d",
		    option, lo, hi));
	xalloc_set(c->terms, "rounds", json_integer(n));
	return (0);
}

/* The format, by options. */
static int
new_format_by_options(struct new_cup *c)
{
	const struct opt_set *o = &c->cx->opts;
	int64_t cut;
	int status;

	if (opt_has(o, "knockout")) {
		xalloc_set(c->terms, "format", json_string("knockout"));
		return (0);
	}
	if (opt_has(o, "round-robin")) {
		xalloc_set(c->terms, "format", json_string("roundrobin"));
		if (opt_has(o, "at-once"))
			xalloc_set(c->terms, "concurrent", json_true());
		return (new_rounds(c, "round-robin", 1, 2));
	}
	xalloc_set(c->terms, "format",
	    json_string(opt_has(o, "cut") ? "swiss+knockout" : "swiss"));
	if ((status = new_rounds(c, "swiss", 1, 30)) != 0)
		return (status);
	if (!opt_has(o, "cut"))
		return (0);
	if (!opt_number(opt_get(o, "cut"), 2, 32, &cut) ||
	    (cut & (cut - 1)) != 0)
		return (cmd_usage(c->cx, "--cut takes 2, 4, 8, 16 or 32"));
	xalloc_set(c->terms, "cut", json_integer(cut));
	return (0);
}

/* Refuses options that say nothing in the format that there is now. */
static int
new_format_options(const struct new_cup *c)
{
	static const struct {
		const char *option, *formats; /* each between blanks */
	} rows[] = {{"cut", " swiss+knockout "}, {"at-once", " roundrobin "},
	    {"third", " knockout swiss+knockout "}, {"single", " knockout "},
	    {"late", " swiss swiss+knockout "},
	    {"late-half", " swiss swiss+knockout "},
	    {"byes", " swiss swiss+knockout "},
	    {"byes-half", " swiss swiss+knockout "},
	    {"apart", " swiss swiss+knockout "}};
	const struct opt_set *o = &c->cx->opts;
	const char *format = js_str(c->terms, "format");
	int64_t late;
	char word[32];
	size_t i;

	(void)snprintf(
	    word, sizeof(word), " %s ", format == NULL ? "" : format);
	for (i = 0; i < NEW_N(rows); i++) {
		if (opt_has(o, rows[i].option) &&
		    strstr(rows[i].formats, word) == NULL)
			return (cmd_usage(c->cx,
			    "--%s says nothing in a tournament of this format",
			    rows[i].option));
	}
	if (opt_has(o, "late") &&
	    opt_number(opt_get(o, "late"), 0, 30, &late) &&
	    late > js_int(c->terms, "rounds"))
		return (cmd_usage(c->cx,
		    "--late %lld: there are %lld rounds of the Swiss",
		    (long long)late, (long long)js_int(c->terms, "rounds")));
	return (0);
}

/* Who meets whom. */
static int
new_format(struct new_cup *c)
{
	const struct opt_set *o = &c->cx->opts;
	const int n = opt_has(o, "swiss") + opt_has(o, "round-robin") +
	    opt_has(o, "knockout");
	char line[128];
	int64_t rounds;

	if (n > 1)
		return (cmd_usage(
		    c->cx, "one format: --swiss, --round-robin or --knockout"));
	if (n == 1)
		return (new_format_by_options(c));
	if (json_object_get(c->terms, "format") != NULL)
		return (0);
	if (!new_can_ask(c))
		return (new_missing(c, "which format?",
		    "--swiss ROUNDS, --round-robin CYCLES or --knockout"));
	while (out_ask_line(line, sizeof(line),
	    "Swiss rounds, how many? (0: knockout; r: round robin) [5] ")) {
		if (strcmp(line, "r") == 0) {
			xalloc_set(
			    c->terms, "format", json_string("roundrobin"));
			xalloc_set(c->terms, "rounds", json_integer(1));
			return (0);
		}
		if (*line == '\0')
			(void)snprintf(line, sizeof(line), "5");
		if (!opt_number(line, 0, 30, &rounds)) {
			out_note("a number from 0 to 30, or r");
			continue;
		}
		if (rounds == 0) {
			xalloc_set(c->terms, "format", json_string("knockout"));
			return (0);
		}
		xalloc_set(c->terms, "format", json_string("swiss"));
		xalloc_set(c->terms, "rounds", json_integer(rounds));
		return (0);
	}
	return (EX_USAGE);
}

/* The hash of a blob, as text, which goes to the server later; new. */
static json_t *
new_blob(struct new_cup *c, const json_t *blob)
{
	uint8_t hash[HASH_LEN];
	char *text;

	text = xalloc_dump(blob);
	if (record_blob_hash(hash, text, strlen(text)) != 0)
		xalloc_die();
	free(text);
	xalloc_append(c->blobs, xalloc_copy(blob));
	return (js_hex(hash, HASH_LEN));
}

/* What a scenario is called: the name of its roster without a path. */
static json_t *
new_scenario_name(const char *word)
{
	const char *base =
	    strrchr(word, '/') == NULL ? word : strrchr(word, '/') + 1;
	size_t len = strlen(base);

	if (len > 5 && strcmp(base + len - 5, ".json") == 0)
		len -= 5;
	return (json_stringn(base, len > 64 ? 64 : len));
}

/* Adds a scenario by its roster. */
static int
new_scenario(struct new_cup *c, const char *word, json_t *list)
{
	struct errinfo e = {.text = ""};
	const struct rules_system *sys;
	json_t *data = NULL, *tables;
	struct rosterfile rf;
	const char *id;
	int status;

	status = rosterfile_open(
	    c->cx, word, c->sys == NULL ? NULL : c->sys->id, &rf);
	if (status == 0)
		status = rosterfile_refuse(&rf);
	if (status != 0) {
		rosterfile_clear(&rf);
		return (status);
	}
	id = js_str(rf.blob, "system");
	sys = id == NULL ? NULL : systems_find(id);
	if (sys == NULL || (c->sys != NULL && sys != c->sys)) {
		out_error("'%s' is of the system '%s': all rounds of a "
			  "tournament are fought by one, which this umpire "
			  "knows",
		    word, id == NULL ? "?" : id);
		rosterfile_clear(&rf);
		return (EX_DATAERR);
	}
	c->sys = sys;
	tables = xalloc_json(json_array());
	if (datafile_find(sys, &data, &e) != 0)
		status = cmd_fail(ERR_CONFIG, &e);
	if (status == 0 && data != NULL) {
		data = xalloc_json(json_pack("{s:s, s:o}", "blob",
		    sys->data_name, sys->data_name, data));
		xalloc_append(tables, new_blob(c, data));
		json_decref(data);
	}
	xalloc_append(list,
	    json_pack("{s:o, s:o, s:o, s:o}", "name", new_scenario_name(word),
		"roster", new_blob(c, rf.blob), "rulings", json_object(),
		"tables", tables));
	rosterfile_clear(&rf);
	return (status);
}

/* The scenarios. */
static int
new_scenarios(struct new_cup *c)
{
	const char *word;
	char line[128];
	json_t *list;
	size_t i = 0;
	int status = 0;

	if (!opt_has(&c->cx->opts, "roster") &&
	    json_object_get(c->terms, "scenarios") != NULL) {
		word = js_str(c->terms, "system");
		c->sys = word == NULL ? NULL : systems_find(word);
		if (c->sys != NULL)
			return (0);
		out_error("the terms name no rule system that is known");
		return (EX_DATAERR);
	}
	list = xalloc_json(json_array());
	while (status == 0 &&
	    (word = opt_next(&c->cx->opts, "roster", &i)) != NULL)
		status = new_scenario(c, word, list);
	if (status == 0 && json_array_size(list) == 0 && new_can_ask(c)) {
		out_note("Each round is fought with a scenario: a roster, by "
			 "its file or a name that\n`umpire roster list` has.  "
			 "Several take turns, round by round.");
		while (out_ask_line(line, sizeof(line),
			   json_array_size(list) == 0
			       ? "Roster? "
			       : "Another roster (none: that is all)? ") &&
		    (*line != '\0' || json_array_size(list) == 0)) {
			if (*line != '\0' && new_scenario(c, line, list) == 0)
				out_note("'%s' is taken.", line);
		}
	}
	if (status == 0 && json_array_size(list) == 0)
		status = new_missing(c, "which scenarios?", "--roster FILE");
	if (status != 0) {
		json_decref(list);
		return (status);
	}
	xalloc_set(c->terms, "scenarios", list);
	xalloc_set(c->terms, "system", json_string(c->sys->id));
	xalloc_set(c->terms, "rules", json_string(c->sys->version));
	return (0);
}

/* Until when people may enter: a span from now, or an instant. */
static int
new_until(struct new_cup *c, json_t *entry)
{
	const bool is_said = opt_has(&c->cx->opts, "entries");
	struct errinfo e = {.text = ""};
	char at[CLOCK_AT_LEN + 1], line[128];
	const char *s;
	int64_t ms, span = 14 * NEW_DAY;

	if (json_object_get(entry, "until") != NULL && !is_said)
		return (0);
	while ((s = new_value(c, "entries", "Entries are open for how long?",
		    "14d", line)) != NULL) {
		if (clock_parse(s, strlen(s), &ms) == 0) {
			xalloc_set(entry, "until", json_string(s));
			return (0);
		}
		if (duration_span(s, "the time for entries", 60, NEW_YEAR,
			&span, &e) == 0)
			break;
		if (is_said)
			return (cmd_usage(c->cx,
			    "--entries: %s, or an instant such as "
			    "2026-12-01T18:00:00.000Z",
			    e.text));
		out_note("%s", e.text);
	}
	clock_format(at, clock_wall_ms() + 1000 * span);
	xalloc_set(entry, "until", json_string(at));
	return (0);
}

/* Who may enter. */
static int
new_entry(struct new_cup *c)
{
	json_t *entry = json_object_get(c->terms, "entry");
	const struct opt_set *o = &c->cx->opts;
	int64_t n = 64;
	int status;

	entry = entry == NULL ? json_object() : xalloc_copy(entry);
	xalloc_set(c->terms, "entry", xalloc_json(entry));
	if ((status = new_until(c, entry)) != 0)
		return (status);
	if (opt_has(o, "max") && !opt_number(opt_get(o, "max"), 2, 1000, &n))
		return (cmd_usage(c->cx, "--max takes 2 to 1000 entrants"));
	if (opt_has(o, "max") || json_object_get(entry, "max") == NULL)
		xalloc_set(entry, "max", json_integer(n));
	if (opt_has(o, "admit") || json_object_get(entry, "admit") == NULL)
		xalloc_set(entry, "admit",
		    json_string(opt_has(o, "admit") ? "director" : "open"));
	if (opt_has(o, "late")) {
		if (!opt_number(opt_get(o, "late"), 0, 30, &n))
			return (cmd_usage(c->cx,
			    "--late takes a round: the last that somebody may "
			    "still enter for"));
		xalloc_set(entry, "late", json_integer(n));
	}
	if (opt_has(o, "late-half"))
		xalloc_set(entry, "late_points", json_string("half"));
	return (0);
}

/* Times, numbers and words. */
static int
new_members(struct new_cup *c)
{
	const struct opt_set *o = &c->cx->opts;
	struct errinfo e = {.text = ""};
	char line[128];
	bool is_asked;
	const char *s;
	int64_t n;
	size_t i;
	int r;

	for (i = 0; i < NEW_N(new_times); i++) {
		s = opt_get(o, new_times[i].option);
		is_asked = s == NULL &&
		    strcmp(new_times[i].member, "round_s") == 0 &&
		    json_object_get(c->terms, "round_s") == NULL;
		do {
			if (is_asked)
				s = new_value(c, new_times[i].option,
				    "How long is a round, at most?", "14d",
				    line);
			r = s == NULL
			    ? 0
			    : duration_span(s, new_times[i].option,
				  new_times[i].lo, new_times[i].hi, &n, &e);
			if (r != 0 && is_asked)
				out_note("%s", e.text);
		} while (r != 0 && is_asked);
		if (s == NULL && new_times[i].usual >= 0)
			new_set(c, new_times[i].member,
			    json_integer(new_times[i].usual));
		if (s == NULL)
			continue;
		if (r != 0)
			return (cmd_usage(
			    c->cx, "--%s: %s", new_times[i].option, e.text));
		xalloc_set(c->terms, new_times[i].member, json_integer(n));
	}
	for (i = 0; i < NEW_N(new_numbers); i++) {
		if ((s = opt_get(o, new_numbers[i].option)) == NULL)
			continue;
		if (!opt_number(s, new_numbers[i].lo, new_numbers[i].hi, &n))
			return (cmd_usage(c->cx,
			    "--%s takes a number from %d to %d",
			    new_numbers[i].option, new_numbers[i].lo,
			    new_numbers[i].hi));
		xalloc_set(c->terms, new_numbers[i].member, json_integer(n));
	}
	if ((s = opt_get(o, "over-time")) != NULL) {
		if (strcmp(s, "director") != 0 && strcmp(s, "draw") != 0 &&
		    strcmp(s, "lose") != 0 && strcmp(s, "points") != 0)
			return (cmd_usage(c->cx,
			    "--over-time takes points, draw, lose or "
			    "director"));
		xalloc_set(c->terms, "late", json_string(s));
	}
	new_set(c, "late", json_string("points"));
	return (0);
}

/* Tie-breaks by their codes. */
static void
new_ties(struct new_cup *c)
{
	const char *s = opt_get(&c->cx->opts, "ties");
	json_t *list;
	size_t len;

	if (s == NULL)
		return;
	list = xalloc_json(json_array());
	for (; *s != '\0'; s += len + (s[len] == ',')) {
		len = strcspn(s, ",");
		xalloc_append(list, json_stringn(s, len));
	}
	xalloc_set(c->terms, "ties", list);
}

/* Dice from how many hands, where nobody has said. */
static void
new_hands(struct new_cup *c)
{
	char line[128];
	const char *s;

	if (opt_has(&c->cx->opts, "scheme") ||
	    opt_has(&c->cx->opts, "witness") || !new_can_ask(c))
		return;
	out_note("Dice come from two hands, at once: the acting player's and "
		 "the server's.  Or from three: who does not roll answers "
		 "each roll, and no operator in league with a player can "
		 "foresee one.  (With a witness, --witness, three hands are "
		 "at once, too.)");
	do
		s = new_value(
		    c, "scheme", "From two hands, or three?", "2", line);
	while (s != NULL && strcmp(s, "2") != 0 && strcmp(s, "3") != 0);
	if (s != NULL && strcmp(s, "3") == 0)
		xalloc_set(c->terms, "scheme", json_string("live-1"));
}

/* Yes or no, and the rest. */
static int
new_rest(struct new_cup *c)
{
	const struct opt_set *o = &c->cx->opts;
	const char *s;
	json_t *list;
	size_t i = 0;

	if (opt_has(o, "mirror"))
		xalloc_set(c->terms, "mirror", json_true());
	s = js_str(c->terms, "format");
	new_set(c, "mirror",
	    json_boolean(s != NULL && strcmp(s, "knockout") == 0 &&
		!opt_has(o, "single")));
	if (opt_has(o, "third"))
		xalloc_set(c->terms, "third", json_true());
	new_set(c, "bye", json_string("win"));
	if (opt_has(o, "lots"))
		xalloc_set(c->terms, "lots", json_true());
	if (opt_has(o, "rated"))
		xalloc_set(c->terms, "seed", json_string("rating"));
	new_set(c, "seed", json_string("lots"));
	if (opt_has(o, "byes-half"))
		xalloc_set(c->terms, "bye_points", json_string("half"));
	if (opt_has(o, "pair-director"))
		xalloc_set(c->terms, "pair", json_string("director"));
	new_ties(c);
	if (opt_has(o, "deputy")) {
		list = xalloc_json(json_array());
		while ((s = opt_next(o, "deputy", &i)) != NULL)
			xalloc_append(list, xalloc_json_str(s));
		xalloc_set(c->terms, "deputies", list);
	}
	new_hands(c);
	return (settings_read(c->cx, c->terms));
}

/* What it is called, and the clock of its games. */
static int
new_names(struct new_cup *c)
{
	struct errinfo e = {.text = ""};
	char line[128];
	const char *s;
	json_t *clock;

	if (opt_has(&c->cx->opts, "event") ||
	    json_object_get(c->terms, "event") == NULL) {
		do
			s = new_value(
			    c, "event", "What is it called?", "", line);
		while (s == line && *s == '\0');
		if (s == NULL || *s == '\0')
			return (new_missing(
			    c, "what is it called?", "--event NAME"));
		xalloc_set(c->terms, "event", xalloc_json_str(s));
	}
	if (opt_has(&c->cx->opts, "clock") || !new_can_ask(c))
		return (0); /* settings_read() has it */
	do {
		s = new_value(c, "clock",
		    "The clock of its games (none: only the round ends them)?",
		    "3d/order,then=forfeit", line);
		if (s == NULL || strcmp(s, "none") == 0)
			return (0);
		if (duration_clock(s, &clock, &e) == 0) {
			xalloc_set(c->terms, "clock", clock);
			return (0);
		}
		out_note("%s", e.text);
	} while (true);
}

/* ---- what needs the server ---- */

/* Who directs. */
static int
new_director(struct new_cup *c, struct link *l)
{
	json_t *args;
	int status;

	args = xalloc_json(json_pack("{s:s, s:o}", "account", l->p->account,
	    "key", js_hex(l->p->keys.sign.public_key, SIGN_KEY_LEN)));
	if ((status = account_args(l, args)) != 0) {
		json_decref(args);
		return (status);
	}
	xalloc_set(c->terms, "director", args);
	xalloc_set(
	    c->terms, "server_dice", js_hex(l->server_dice, VRF_KEY_LEN));
	return (0);
}

/* Refuses deputies whom the server does not know: terms never change. */
static int
new_deputies(const struct new_cup *c, struct link *l)
{
	const char *account;
	json_t *result;
	size_t i = 0;
	int status = 0;

	while (status == 0 &&
	    (account = opt_next(&c->cx->opts, "deputy", &i)) != NULL) {
		status = link_ask(l, "account.keys",
		    xalloc_json(json_pack("{s:s}", "account", account)),
		    &result);
		if (status == 0)
			json_decref(result);
		else
			out_note("'%s' of --deputy has no account here; whom "
				 "terms name as a deputy is never changed.",
			    account);
	}
	return (status);
}

/* The card of a witness that the server names, asked for; in line.  NULL. */
static const char *
new_card(const struct new_cup *c, const struct link *l, char line[128])
{
	if (json_array_size(json_object_get(l->hello, "witnesses")) == 0 ||
	    json_object_get(c->terms, "witness") != NULL)
		return (NULL);
	out_note("This server has a witness: with what its `umpire keys card` "
		 "prints (--witness), dice are from three hands at once.");
	if (!new_can_ask(c) || opt_has(&c->cx->opts, "scheme") ||
	    strcmp(text_member(c->terms, "scheme"), "live-1") == 0 ||
	    !out_ask_line(line, 128, "Its card (none: without it)? ") ||
	    *line == '\0')
		return (NULL);
	return (line);
}

/* The third hand: --witness ACCOUNT:DICEKEY, what their `keys card` prints. */
static int
new_witness(struct new_cup *c, struct link *l)
{
	const char *card = opt_get(&c->cx->opts, "witness");
	const char *scheme = opt_get(&c->cx->opts, "scheme");
	const bool is_asked = card == NULL;
	char line[128];
	json_t *w;
	int status;

	if (!is_asked && scheme != NULL && strcmp(scheme, "live-1") != 0)
		return (cmd_usage(c->cx,
		    "dice from two hands have no witness: leave out --scheme "
		    "or --witness"));
	do {
		if (is_asked && (card = new_card(c, l, line)) == NULL)
			return (0);
		status = desk_witness(c->cx, l, card, &w);
	} while (status != 0 && is_asked);
	if (status != 0)
		return (status);
	xalloc_set(c->terms, "witness", w);
	new_witness_set(c->terms, js_str(w, "key"));
	return (0);
}

/* ---- showing and opening ---- */

/* Says what is wrong with the terms: where in the file, or which of them. */
static int
new_wrong(const struct new_cup *c, int r, const struct errinfo *e)
{
	const char *path = opt_get(&c->cx->opts, "terms");
	struct errinfo shown = *e;
	const char *where = e->where;

	if (r == ERR_TOOBIG && e->text[0] == '\0')
		(void)err_set(&shown, r, NULL,
		    "the terms are too long: name fewer scenarios");
	if (r == ERR_NOMEM || r == ERR_TOOBIG)
		return (cmd_fail(r, &shown));
	if (strncmp(where, "order.", 6) == 0)
		where += 6;
	if (strncmp(where, "args.", 5) == 0)
		where += 5;
	if (strncmp(e->text, "args.", 5) == 0)
		out_error("there is no term '%.*s'%s%s",
		    (int)strcspn(e->text + 5, " "), e->text + 5,
		    path == NULL ? "" : ", as there is in ",
		    path == NULL ? "" : path);
	else
		out_error("the terms%s%s do not hold together, in '%s': %s",
		    path == NULL ? "" : " in ", path == NULL ? "" : path, where,
		    e->text);
	out_note("umpire-tournament-record(7), S15.4, has all of them.");
	return (EX_DATAERR);
}

/* Reads the terms as the server will, and shows them. */
static int
new_show(struct new_cup *c, const struct link *l)
{
	const struct entry_parts parts = {.server = l->server,
	    .now_ms = clock_wall_ms(),
	    .kind = ENTRY_CREATE,
	    .args = c->terms};
	struct errinfo e = {.text = ""};
	struct terms t;
	struct entry o;
	struct buf b;
	int r;

	buf_init(&b, 0);
	if ((r = entry_write(&parts, &b)) == 0 &&
	    (r = entry_parse(buf_str(&b), b.len, &o, &e)) == 0) {
		if ((r = terms_parse(&o, &t, &e)) == 0) {
			if (!c->cx->out.is_json) {
				out_title(&c->cx->out,
				    "These are the terms, which never change:");
				desk_terms_print(&c->cx->out, &t);
				desk_terms_calendar(&c->cx->out, &t);
			}
			desk_terms_warn(&t, clock_wall_ms());
		}
		entry_clear(&o);
	}
	buf_clear(&b);
	return (r == 0 ? 0 : new_wrong(c, r, &e));
}

/* Gives the server the rosters and data. */
static int
new_give(const struct new_cup *c, struct link *l)
{
	uint8_t hash[HASH_LEN];
	struct buf side;
	const json_t *v;
	int status = 0;
	size_t i;

	buf_init(&side, 0);
	json_array_foreach(c->blobs, i, v)
	{
		if (status == 0)
			status = link_put_blob(l, v, hash, &side);
	}
	buf_clear(&side);
	return (status);
}

/* Tells the address, and what to do next. */
static void
new_tell(const struct desk *d)
{
	struct out *o = &d->cx->out;
	char *address;

	address = invitation_text(d->p, d->copy->id);
	if (o->is_json)
		out_json(o,
		    json_pack("{s:o, s:s, s:s}", "tournament",
			js_hex(d->copy->id, HASH_LEN), "name", d->name,
			"address", address));
	out_title(o, "The tournament is open; commands call it '%s'.", d->name);
	out_print(o,
	    "All who want to enter, with an account here, type:\n"
	    "  umpire tournament enter %s\n",
	    address);
	out_print(o, "When all have:\n");
	desk_next(d);
	free(address);
}

/* Opens it, with the connection that was made. */
static int
new_open(struct new_cup *c, struct profile *p, struct link *l)
{
	struct desk *d;
	int status;

	if ((status = new_director(c, l)) == 0 &&
	    (status = new_deputies(c, l)) == 0 &&
	    (status = new_witness(c, l)) == 0 && (status = new_show(c, l)) == 0)
		status =
		    cmd_confirm_as(c->cx, "Open the tournament by these terms?",
			"terms never change: without a terminal to ask on, add "
			"--yes");
	if (status == 0 && (status = link_check_clock(l)) == 0)
		status = new_give(c, l);
	if (status != 0) {
		link_close(l);
		profile_free(p);
		return (status);
	}
	status = desk_create(c->cx, p, l, json_incref(c->terms), &d);
	if (status == 0) {
		new_tell(d);
		desk_close(d);
	}
	return (status);
}

/* Puts the terms together, and opens it. */
static int
new_run(struct cmd_ctx *cx)
{
	struct new_cup c = {.cx = cx};
	struct errinfo e = {.text = ""};
	struct link *l = NULL;
	struct profile *p;
	int r, status;

	if ((status = play_profile(cx, &p)) != 0)
		return (status);
	c.terms = xalloc_json(json_object());
	c.blobs = xalloc_json(json_array());
	if ((status = link_need_account(p)) == 0 &&
	    (r = profile_load_keys(p, &e)) != 0)
		status = cmd_fail(r, &e);
	if (status == 0 && (status = new_read_file(&c)) == 0 &&
	    (status = new_names(&c)) == 0 && (status = new_format(&c)) == 0 &&
	    (status = new_format_options(&c)) == 0 &&
	    (status = new_scenarios(&c)) == 0 &&
	    (status = new_entry(&c)) == 0 && (status = new_members(&c)) == 0 &&
	    (status = new_rest(&c)) == 0 &&
	    (status = link_open(cx, p, &l)) == 0 &&
	    (status = link_login(l)) == 0) {
		status = new_open(&c, p, l);
	} else {
		link_close(l);
		profile_free(p);
	}
	json_decref(c.terms);
	json_decref(c.blobs);
	return (status);
}

static const struct opt_def new_opts[] = {
    {"terms", 0, "FILE", false, "the terms as JSON; options change them"},
    {"event", 0, "NAME", false, "what it is called"},
    {"swiss", 0, "N", false, "a Swiss of N rounds"},
    {"cut", 0, "K", false, "then a knockout of the best K"},
    {"round-robin", 0, "N", false, "all meet all, once (1) or twice (2)"},
    {"at-once", 0, NULL, false, "all its rounds are paired at once"},
    {"knockout", 0, NULL, false, "who loses is out"},
    {"third", 0, NULL, false, "with a table for the third place"},
    {"roster", 0, "FILE", true, "a scenario: a roster; several take turns"},
    {"mirror", 0, NULL, false, "two games a table, sides swapped"},
    {"single", 0, NULL, false, "one game a table in a knockout"},
    {"entries", 0, "TIME", false, "how long, or until when (default 14d)"},
    {"max", 0, "N", false, "entrants at most (default 64)"},
    {"admit", 0, NULL, false, "you admit who enters"},
    {"late", 0, "R", false, "entries up to round R, which you admit"},
    {"late-half", 0, NULL, false, "the last round they missed is a draw"},
    {"rated", 0, NULL, false, "seeds by ratings that you give"},
    {"checkin", 0, "TIME", false, "for check-in (default 2d)"},
    {"start", 0, "TIME", false, "to come to a table (default 3d)"},
    {"round-time", 0, "TIME", false, "for a round (default 14d)"},
    {"over-time", 0, "RULE", false,
	"points, draw, lose, director: of late tables"},
    {"margin", 0, "N", false, "battle points that win it (default 100)"},
    {"give-up", 0, "N", false, "losses counted at least (default 500)"},
    {"gap", 0, "TIME", false, "from a round to the next (default 1d)"},
    {"notice", 0, "TIME", false, "between a claim's lines (default 1d)"},
    {"review", 0, "TIME", false, "before the end (default 2d)"},
    {"protest", 0, "TIME", false, "that a protest holds (default 2d)"},
    {"ruling", 0, "TIME", false, "a silent director has (default 14d)"},
    {"byes", 0, "N", false, "rounds one may ask to be left out of"},
    {"byes-half", 0, NULL, false, "such a round counts a draw"},
    {"out-after", 0, "N", false, "no-shows that withdraw (default 1)"},
    {"apart", 0, "N", false, "rounds in which club mates do not meet"},
    {"ties", 0, "LIST", false, "tie-breaks, such as DE,BH/C1,BH,BPA"},
    {"lots", 0, NULL, false, "ties that are left are parted by lot"},
    {"pair-director", 0, NULL, false, "directors alone start rounds"},
    {"deputy", 0, "ACCOUNT", true, "who may direct, too"},
    {"witness", 0, "CARD", false, "dice from three hands: its card"},
    {"clock", 0, "SPEC", false, "of each game, as for `umpire new`"},
    {"scheme", 0, "WORD", false, "dual-1 or live-1"},
    {"secret", 0, "WORD", false, "held or sealed"},
    {"silence", 0, "WORD", false, "forfeit or director"},
    {"confirm", 0, NULL, false, "combats wait for the other side"},
    {"facts", 0, NULL, false, "and what is so on the table"},
    {"director", 0, NULL, false, "a director sits in each game"},
    {"no-takeback", 0, NULL, false, "what is done is done"},
    {"owner-field", 0, "FIELD", true, "a side changes it itself"},
    {"delay", 0, "TIME", false, "others see games later"},
    {"private", 0, NULL, false, "only those in it see it"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd desk_cmd_new = {
    .opts = new_opts,
    .min_args = 0,
    .max_args = 0,
    .run = new_run,
};
