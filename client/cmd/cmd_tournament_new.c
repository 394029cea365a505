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
#include "client/cmd/new_continues.h"
#include "client/cmd/new_data.h"
#include "client/cmd/new_terms.h"
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
#include "client/tournament/desk_former.h"
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
#include "common/tournament/tournament.h"

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
	struct desk_former former; /* of --continues; t is NULL: none */
};

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
	q = *usual == '\0' ? xalloc_str(question)
			   : xalloc_printf("%s [%s]", question, usual);
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

/* Asks how often all meet all. */
static int
new_cycles(struct new_cup *c)
{
	char line[128];

	xalloc_set(c->terms, "format", json_string("roundrobin"));
	xalloc_set(c->terms, "rounds", json_integer(1));
	while (out_ask_line(line, sizeof(line),
		   "Does everybody meet everybody once (1) or twice (2)? "
		   "[1]") &&
	    *line != '\0' && strcmp(line, "1") != 0) {
		if (strcmp(line, "2") == 0) {
			xalloc_set(c->terms, "rounds", json_integer(2));
			break;
		}
		out_note("1 or 2");
	}
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
	    "How many Swiss rounds (0: knockout, r: round robin)? [5]")) {
		if (strcmp(line, "r") == 0)
			return (new_cycles(c));
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
	const struct rules_system *sys;
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
	xalloc_append(list,
	    json_pack("{s:o, s:o, s:o, s:o}", "name", new_scenario_name(word),
		"roster", new_blob(c, rf.blob), "rulings", json_object(),
		"tables", json_array()));
	rosterfile_clear(&rf);
	return (status);
}

/* Names that scenarios are given, in their order. */
static int
new_scenario_names(struct new_cup *c)
{
	json_t *list = json_object_get(c->terms, "scenarios");
	const char *name;
	size_t i = 0, n = 0;

	while ((name = opt_next(&c->cx->opts, "scenario", &i)) != NULL) {
		if (n == json_array_size(list))
			return (cmd_usage(c->cx,
			    "--scenario '%s': there is no roster for it; names "
			    "go to rosters in their order",
			    name));
		if (!order_is_event(name))
			return (cmd_usage(c->cx,
			    "--scenario takes 1 to 64 plain ASCII characters, "
			    "not '%s'",
			    name));
		xalloc_set(
		    json_array_get(list, n++), "name", xalloc_json_str(name));
	}
	return (0);
}

/* Scenarios that a file of terms has. */
static int
new_scenarios_of_file(struct new_cup *c)
{
	const char *word = js_str(c->terms, "system");

	c->sys = word == NULL ? NULL : systems_find(word);
	if (c->sys != NULL)
		return (new_scenario_names(c));
	out_error("the terms name no rule system that is known");
	return (EX_DATAERR);
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
	    json_object_get(c->terms, "scenarios") != NULL)
		return (new_scenarios_of_file(c));
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
			       ? "Roster?"
			       : "Another roster (none: that is all)?") &&
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
	return (new_scenario_names(c));
}

/* Asks for rulings, until there is no more. */
static void
new_ask_rulings(const struct new_cup *c, json_t *rulings)
{
	struct errinfo e = {.text = ""};
	struct rules_settings set;
	char line[128];
	json_t *tried;
	int r;

	if (c->sys->rulings == NULL || c->sys->rulings->name == NULL)
		return;
	out_note("The rules of %s leave some questions open; `umpire rules %s` "
		 "lists them with their usual answers.",
	    c->sys->id, c->sys->id);
	while (out_ask_line(line, sizeof(line),
		   "A ruling of yours, NAME=VALUE (none: that is all)?") &&
	    *line != '\0') {
		tried = xalloc_copy(rulings);
		if ((r = new_data_ruling(tried, line, &e)) == 0 &&
		    (r = rules_settings_parse(c->sys, tried, NULL, &set, &e)) ==
			0) {
			rules_settings_clear(&set);
			(void)json_object_update(rulings, tried);
		} else {
			out_note("%s", e.text);
		}
		json_decref(tried);
	}
}

/* Rulings and data of all scenarios. */
static int
new_scenarios_data(struct new_cup *c)
{
	const bool is_file =
	    !opt_has(&c->cx->opts, "roster") && opt_has(&c->cx->opts, "terms");
	json_t *rulings, *tables, *hashes, *v;
	char *installed = NULL;
	const json_t *blob;
	int status;
	size_t i;

	rulings = xalloc_json(json_object());
	tables = xalloc_json(json_array());
	hashes = xalloc_json(json_array());
	if (!opt_has(&c->cx->opts, "house-rule") && new_can_ask(c))
		new_ask_rulings(c, rulings);
	/* What a file of terms has is complete; options change it. */
	status = new_data_read(c->cx, c->sys, "house-rule", rulings, tables,
	    is_file ? NULL : &installed);
	json_array_foreach(tables, i, blob)
	    xalloc_append(hashes, new_blob(c, blob));
	json_array_foreach(json_object_get(c->terms, "scenarios"), i, v)
	{
		if (status != 0 ||
		    !json_is_object(json_object_get(v, "rulings")))
			break;
		if (json_object_update(
			json_object_get(v, "rulings"), rulings) != 0)
			xalloc_die();
		if (json_array_size(hashes) > 0)
			xalloc_set(v, "tables", json_incref(hashes));
	}
	if (installed != NULL && status == 0)
		out_note("The games take what is installed here, %s, in place "
			 "of the built-in %s.",
		    installed, c->sys->data_name);
	free(installed);
	json_decref(rulings);
	json_decref(tables);
	json_decref(hashes);
	return (status);
}

/* Until when people may enter: a span from now, or an instant. */
static int
new_until(struct new_cup *c, json_t *entry)
{
	const bool is_said = opt_has(&c->cx->opts, "entries");
	struct errinfo e = {.text = ""};
	char at[CLOCK_AT_LEN + 1], line[128];
	const char *s;
	int64_t ms = 0, span = 14 * NEW_DAY;
	int r;

	if (json_object_get(entry, "until") != NULL && !is_said)
		return (0);
	while ((s = new_value(c, "entries",
		    "Entries are open for how long, or until which date?",
		    "14d", line)) != NULL) {
		r = strchr(s, '-') == NULL
		    ? duration_span(
			  s, "the time for entries", 60, NEW_YEAR, &span, &e)
		    : duration_instant(s, "their end", &ms, &e);
		if (r == 0)
			break;
		if (is_said)
			return (cmd_usage(c->cx, "--entries: %s", e.text));
		out_note("%s", e.text);
	}
	if (s == NULL || strchr(s, '-') == NULL)
		ms = clock_wall_ms() + 1000 * span;
	clock_format(at, ms);
	xalloc_set(entry, "until", json_string(at));
	return (0);
}

/* Who may enter. */
static int
new_entry(struct new_cup *c)
{
	json_t *entry = json_object_get(c->terms, "entry");

	entry = entry == NULL ? json_object() : xalloc_copy(entry);
	xalloc_set(c->terms, "entry", xalloc_json(entry));
	return (new_until(c, entry));
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

/* The rest. */
static int
new_rest(struct new_cup *c)
{
	const char *s = js_str(c->terms, "format");

	new_set(
	    c, "mirror", json_boolean(s != NULL && strcmp(s, "knockout") == 0));
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
		s = new_value(c, "clock", "The clock of its games (or none)?",
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
	const json_t *v;
	size_t i;
	int status = 0;

	json_array_foreach(json_object_get(c->terms, "deputies"), i, v)
	{
		/* What is no name new_show() will say. */
		if (status != 0 || (account = json_string_value(v)) == NULL)
			break;
		status = link_ask(l, "account.keys",
		    xalloc_json(json_pack("{s:s}", "account", account)),
		    &result);
		if (status == 0)
			json_decref(result);
		else
			out_note("'%s', a deputy, has no account here; whom "
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
	out_note("This server has a witness: with what its `keys card` "
		 "prints (--witness), dice are from three hands at once.");
	if (!new_can_ask(c) || opt_has(&c->cx->opts, "scheme") ||
	    strcmp(text_member(c->terms, "scheme"), "live-1") == 0 ||
	    !out_ask_line(line, 128, "Its card (none: without it)?") ||
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
	    tournament_former(d->t) == NULL
		? "All who want to enter, with an account here, type:\n"
		  "  umpire tournament enter %s\n"
		: "All who played there, with an account here, type:\n"
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
	    (status = new_witness(c, l)) == 0)
		new_continues_keep(&c->former, c->terms);
	if (status == 0 && (status = new_show(c, l)) == 0)
		status =
		    cmd_confirm_as(c->cx, "Open the tournament by these terms?",
			"terms never change: without a terminal to ask on, add "
			"--yes");
	if (status == 0 && (status = link_check_clock(l)) == 0 &&
	    (status = new_give(c, l)) == 0)
		status = new_continues_bring(l, &c->former);
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

/* The terms: of what is continued, or by a file, options and answers. */
static int
new_make(struct new_cup *c, const struct profile *p)
{
	struct cmd_ctx *cx = c->cx;
	int status;

	if (opt_has(&cx->opts, "continues")) {
		status =
		    new_continues_read(cx, p, &c->former, c->terms, c->blobs);
		return (status == 0 ? new_entry(c) : status);
	}
	if ((status = new_read_file(c)) != 0 || (status = new_names(c)) != 0 ||
	    (status = new_format(c)) != 0 ||
	    (status = new_terms_fit(cx, c->terms)) != 0 ||
	    (status = new_scenarios(c)) != 0 || (status = new_entry(c)) != 0 ||
	    (status = new_terms_read(cx, c->terms, new_can_ask(c))) != 0 ||
	    (status = new_scenarios_data(c)) != 0)
		return (status);
	return (new_rest(c));
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
	desk_former_init(&c.former);
	if (status == 0 && (status = new_make(&c, p)) == 0 &&
	    (status = link_open(cx, p, &l)) == 0 &&
	    (status = link_login(l)) == 0) {
		status = new_open(&c, p, l);
	} else {
		link_close(l);
		profile_free(p);
	}
	json_decref(c.terms);
	json_decref(c.blobs);
	desk_former_clear(&c.former);
	return (status);
}

static const struct opt_def new_opts[] = {
    {"terms", 0, "FILE", false, "the terms as JSON; options change them"},
    {"continues", 0, "FILE", false, "go on with one whose server has stopped"},
    {"event", 0, "NAME", false, "what it is called"},
    {"swiss", 0, "N", false, "a Swiss of N rounds"},
    {"cut", 0, "K", false, "then a knockout of the best K"},
    {"round-robin", 0, "N", false, "all meet all, once (1) or twice (2)"},
    {"at-once", 0, NULL, false, "all its rounds are paired at once"},
    {"knockout", 0, NULL, false, "who loses is out"},
    {"third", 0, NULL, false, "with a table for the third place"},
    {"roster", 0, "FILE", true, "a scenario: a roster; several take turns"},
    {"scenario", 0, "NAME", true, "what it is called; in their order"},
    {"house-rule", 0, "NAME=VALUE", true, "how an open question is settled"},
    {"tables", 0, "FILE", true, "tables in place of the usual ones"},
    {"bag", 0, "FILE", false, "a bag of chits in place of the usual one"},
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
    {"dates", 0, "LIST", false, "before which rounds are not paired"},
    {"over-time", 0, "RULE", false,
	"points, draw, lose, director: of late tables"},
    {"margin", 0, "N", false, "battle points that win it (default 100)"},
    {"points", 0, "W,D,L", false, "of results (default 1,0.5,0)"},
    {"bye", 0, "WORD", false, "what the bye counts: win (default) or draw"},
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
