/* SPDX-License-Identifier: ISC */
/*
 * umpire roster: proposes other rosters, before the game begins; and what is
 * done with files of rosters without a game.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/cmd/roster_draft.h"
#include "client/cmd/roster_library.h"
#include "client/cmd/rosterfile.h"
#include "client/net/link.h"
#include "client/play/action.h"
#include "client/play/offers.h"
#include "client/play/show.h"
#include "client/profile/file.h"
#include "client/replica/replica.h"
#include "client/report/roster_csv.h"
#include "common/base/buf.h"
#include "common/game/game.h"
#include "common/json/js.h"
#include "common/record/order.h"
#include "common/record/record.h"
#include "common/rules/roster.h"
#include "common/rules/rules.h"
#include "common/rules/systems/systems.h"

/* Opens the file, which must hold rosters of the game's system. */
static int
cmd_roster_open(struct play *pl, const char *path, struct rosterfile *rf)
{
	const char *id = game_system(play_game(pl));
	int status;

	status = rosterfile_open(
	    pl->cx, path, systems_find(id) == NULL ? NULL : id, rf);
	if (status != 0)
		return (status);
	if (rf->blob != NULL && game_phase(play_game(pl)) != GAME_MUSTER)
		return (show_not_now(pl,
		    "rosters change only before the game begins; after that "
		    "use `umpire adjust`"));
	if ((status = rosterfile_refuse(rf)) != 0)
		out_note("Nothing was sent.");
	return (status);
}

/* Gives the rosters of the file to the server and the copy; proposes them. */
static int
cmd_roster_play(struct play *pl, const struct action *a)
{
	struct errinfo e = {.text = ""};
	uint8_t hash[HASH_LEN];
	struct rosterfile rf;
	struct buf side;
	int r, status;

	buf_init(&side, 0);
	if ((status = cmd_roster_open(pl, a->answer, &rf)) == 0)
		status = link_put_blob(pl->link, rf.blob, hash, &side);
	rosterfile_clear(&rf);
	if (status == 0 &&
	    (r = replica_add_side(pl->copy, buf_str(&side), side.len, &e)) != 0)
		status = cmd_fail(r, &e);
	buf_clear(&side);
	if (status != 0)
		return (status);
	return (offers_give(pl, ORDER_PROPOSE,
	    xalloc_json(json_pack("{s:s, s:o}", "what", "roster", "roster",
		js_hex(hash, HASH_LEN))),
	    "why", a->text));
}

/* Why --side is refused. */
#define CMD_ROSTER_SIDE                                                    \
	"--side is for `umpire roster new`, which then asks for one side " \
	"alone"

/* Reads the words. */
static int
cmd_roster_parse(struct cmd_ctx *cx, struct action *a)
{
	if (opt_has(&cx->opts, "system"))
		return (cmd_usage(cx,
		    "a game has its system: --system is for files without a "
		    "game"));
	if (opt_has(&cx->opts, "side"))
		return (cmd_usage(cx, CMD_ROSTER_SIDE));
	a->kind = ACTION_ROSTER;
	a->answer = xalloc_str(cmd_arg(cx, 1));
	return (offers_text(cx, "why", &a->text));
}

/* Counts the units of a side, and its commanders. */
static char *
cmd_roster_count(const struct rosterfile *rf, const char *side)
{
	const json_t *o =
	    json_object_get(json_object_get(rf->blob, "sides"), side);
	size_t units = json_array_size(json_object_get(o, "units"));
	size_t commanders = json_array_size(json_object_get(o, "commanders"));
	const char *name = js_str(o, "name");
	char *commanded, *s;

	commanded = commanders == 0
	    ? xalloc_str("")
	    : xalloc_printf(
		  ", %zu commander%s", commanders, commanders == 1 ? "" : "s");
	s = xalloc_printf("  side %s  %s%s%zu unit%s%s", side,
	    name == NULL ? "" : name, name == NULL ? "" : ": ", units,
	    units == 1 ? "" : "s", commanded);
	free(commanded);
	return (s);
}

/* Tells people what a file holds, or all that is wrong with it. */
static void
cmd_roster_check_text(struct out *o, const struct rosterfile *rf)
{
	const char *name = rosterfile_name(rf->path);
	const struct rosterfile_fault *fault;
	size_t i;
	char *s;

	for (i = 0; i < rf->n; i++) {
		fault = &rf->faults[i];
		out_print(o, "%s:%zu:%zu: %s%s%s\n", name, fault->place.line,
		    fault->place.column, fault->e.where,
		    fault->e.where[0] == '\0' ? "" : ": ", fault->e.text);
	}
	if (rf->all > rf->n)
		out_print(o, "... and %zu more\n", rf->all - rf->n);
	if (rf->blob == NULL)
		out_print(o,
		    "This is not JSON; the rosters are checked once that is "
		    "fixed.\n");
	else if (rf->sys == NULL)
		out_print(o,
		    "The rest is checked once the system is known; you can "
		    "give it as --system ID.\n");
	else if (rf->n > 0)
		out_print(o,
		    "%zu fault%s.  `umpire rules %s` lists what units have.\n",
		    rf->all, rf->all == 1 ? "" : "s", rf->sys->id);
	if (rf->n > 0)
		return;
	out_print(o, "%s is a valid roster of %s.\n", name, rf->sys->id);
	for (i = 0; i < 2; i++) {
		s = cmd_roster_count(rf, i == 0 ? "1" : "2");
		out_print(o, "%s\n", s);
		free(s);
	}
}

/* The same for programs; new. */
static json_t *
cmd_roster_check_json(const struct rosterfile *rf)
{
	const struct rosterfile_fault *fault;
	json_t *faults, *v;
	size_t i;

	faults = xalloc_json(json_array());
	for (i = 0; i < rf->n; i++) {
		fault = &rf->faults[i];
		v = xalloc_json(json_pack("{s:I, s:I, s:o, s:o}", "line",
		    (json_int_t)fault->place.line, "column",
		    (json_int_t)fault->place.column, "where",
		    fault->e.where[0] == '\0' ? json_null()
					      : xalloc_json_str(fault->e.where),
		    "what", xalloc_json_str(fault->e.text)));
		xalloc_append(faults, v);
	}
	return (xalloc_json(json_pack("{s:o, s:s?, s:b, s:I, s:o}", "file",
	    xalloc_json_str(rf->path), "system",
	    rf->sys == NULL ? NULL : rf->sys->id, "valid", rf->n == 0, "count",
	    (json_int_t)rf->all, "faults", faults)));
}

/* Refuses what only a game has, or `new`.  0, or EX_USAGE. */
static int
cmd_roster_alone(const struct cmd_ctx *cx)
{
	if (opt_has(&cx->opts, "side") && strcmp(cmd_arg(cx, 0), "new") != 0)
		return (cmd_usage(cx, CMD_ROSTER_SIDE));
	if (!opt_has(&cx->opts, "why"))
		return (0);
	return (cmd_usage(cx,
	    "--why is the reason of a proposal to a game, and this is about "
	    "a file: leave it out"));
}

/* umpire roster check: tells all that is wrong with a file. */
static int
cmd_roster_check(struct cmd_ctx *cx)
{
	struct rosterfile rf;
	int status;

	if ((status = cmd_roster_alone(cx)) != 0)
		return (status);
	status = rosterfile_open(
	    cx, cmd_arg(cx, 1), opt_get(&cx->opts, "system"), &rf);
	if (status == 0 && !cx->out.is_json && rosterfile_is_other(&rf))
		status = EX_DATAERR;
	if (status == 0) {
		if (cx->out.is_json)
			out_json(&cx->out, cmd_roster_check_json(&rf));
		else
			cmd_roster_check_text(&cx->out, &rf);
		status = rf.n == 0 ? EX_OK : EX_DATAERR;
	}
	rosterfile_clear(&rf);
	return (status);
}

/* Opens a file, which must hold rosters of a system, and reads them. */
static int
cmd_roster_read(struct cmd_ctx *cx, struct rosterfile *rf, struct roster **out)
{
	struct errinfo e = {.text = ""};
	int r, status;

	status = rosterfile_open(
	    cx, cmd_arg(cx, 1), opt_get(&cx->opts, "system"), rf);
	if (status == 0)
		status = rosterfile_refuse(rf);
	if (status == 0 && (r = roster_parse(rf->sys, rf->blob, out, &e)) != 0)
		status = cmd_fail_in(rf->path, r, &e);
	return (status);
}

/* umpire roster show: tells what a file holds. */
static int
cmd_roster_show(struct cmd_ctx *cx)
{
	struct roster *roster = NULL;
	struct rosterfile rf;
	int status;

	if ((status = cmd_roster_alone(cx)) != 0)
		return (status);
	status = cmd_roster_read(cx, &rf, &roster);
	if (status == 0) {
		if (cx->io == NULL)
			out_page_begin(&cx->out);
		status = roster_draft_show(cx, rf.sys, rf.blob);
		out_page_end(&cx->out);
	}
	roster_free(roster);
	rosterfile_clear(&rf);
	return (status);
}

/* True if operand 2 names no file: the result goes to standard output. */
static bool
cmd_roster_is_stdout(const struct cmd_ctx *cx)
{
	const char *path = cmd_arg(cx, 2);

	return (path == NULL || strcmp(path, "-") == 0);
}

/* Counts what lists of this name hold on both sides. */
static size_t
cmd_roster_number(const json_t *blob, const char *list)
{
	const char *name;
	size_t n = 0;
	json_t *v;

	js_foreach(json_object_get(blob, "sides"), name, v) n +=
	    json_array_size(json_object_get(v, list));
	return (n);
}

/* What rosters hold, in words: "38 units and 1 commander"; free(). */
static char *
cmd_roster_held(const json_t *blob)
{
	const size_t units = cmd_roster_number(blob, "units");
	const size_t commanders = cmd_roster_number(blob, "commanders");

	if (commanders == 0)
		return (
		    xalloc_printf("%zu unit%s", units, units == 1 ? "" : "s"));
	return (xalloc_printf("%zu unit%s and %zu commander%s", units,
	    units == 1 ? "" : "s", commanders, commanders == 1 ? "" : "s"));
}

/* Writes bytes made of rosters to the file of operand 2, or to stdout. */
static int
cmd_roster_write(struct cmd_ctx *cx, struct buf *b, const json_t *blob)
{
	const size_t rows = cmd_roster_number(blob, "units") +
	    cmd_roster_number(blob, "commanders");
	const char *path = cmd_arg(cx, 2);
	struct errinfo e = {.text = ""};
	int r, status;
	char *held;

	if (buf_error(b) != 0)
		xalloc_die();
	if (cmd_roster_is_stdout(cx)) {
		out_bytes(&cx->out, buf_str(b), b->len);
		return (EX_OK);
	}
	if ((status = cmd_may_replace(cx, path)) != 0)
		return (status);
	if ((r = file_write(path, buf_str(b), b->len, 0644, &e)) != 0) {
		(void)cmd_fail(r, &e);
		return (EX_CANTCREAT);
	}
	if (cx->out.is_json)
		out_json(&cx->out,
		    xalloc_json(json_pack("{s:o, s:I}", "file",
			xalloc_json_str(path), "rows", (json_int_t)rows)));
	held = cmd_roster_held(blob);
	out_print(&cx->out, "%s: %s written.\n", path, held);
	free(held);
	return (EX_OK);
}

/* Says at a terminal what to type next, with the file in it. */
static void
cmd_roster_next(struct cmd_ctx *cx, const char *before, const char *after)
{
	char *profile, *word;

	if (cmd_roster_is_stdout(cx) || !cx->out.is_tty || cx->out.is_json)
		return;
	profile = cmd_profile_words(cx);
	word = text_shell(cmd_arg(cx, 2));
	out_print(
	    &cx->out, "Next: umpire%s %s %s%s\n", profile, before, word, after);
	free(word);
	free(profile);
}

/* Writes rosters as cmd_roster_write() does. */
static int
cmd_roster_put(struct cmd_ctx *cx, const json_t *blob)
{
	struct buf b;
	int status;

	buf_init(&b, 0);
	roster_csv_json(blob, &b);
	/* A game's limit is one of the file, too. */
	if (b.len > RECORD_BLOB_MAX) {
		buf_reset(&b);
		js_dump(blob, &b);
	}
	status = cmd_roster_write(cx, &b, blob);
	buf_clear(&b);
	return (status);
}

/*
 * Refuses to write what strangers wrote to a terminal, and to write a file
 * over the one that is read.  0, or EX_USAGE.
 */
static int
cmd_roster_outward(const struct cmd_ctx *cx)
{
	const char *from = cmd_arg(cx, 1), *to = cmd_arg(cx, 2);
	int status;

	if ((status = cmd_roster_alone(cx)) != 0)
		return (status);
	if (!cmd_roster_is_stdout(cx) && strcmp(from, to) == 0)
		return (cmd_usage(cx,
		    "'%s' is what is read: name another file to write to", to));
	if (!cx->out.is_tty || !cmd_roster_is_stdout(cx))
		return (0);
	return (cmd_usage(cx,
	    "the names in a roster could drive a terminal: name a file to "
	    "write to"));
}

/* umpire roster export: a file as a table for a spreadsheet. */
static int
cmd_roster_export(struct cmd_ctx *cx)
{
	struct roster *roster = NULL;
	struct rosterfile rf;
	struct buf b;
	int status;

	if ((status = cmd_roster_outward(cx)) != 0)
		return (status);
	buf_init(&b, 0);
	if ((status = cmd_roster_read(cx, &rf, &roster)) == 0) {
		roster_csv_write(rf.sys, rf.blob, &b);
		status = cmd_roster_write(cx, &b, rf.blob);
		if (status == 0)
			cmd_roster_next(cx, "roster import", " ROSTER.json");
	}
	buf_clear(&b);
	roster_free(roster);
	rosterfile_clear(&rf);
	return (status);
}

/* Tells all that is wrong with a table. */
static void
cmd_roster_tell(struct cmd_ctx *cx, const struct roster_csv_faults *fs)
{
	const char *path = cmd_arg(cx, 1);
	const struct roster_csv_fault *fault;
	json_t *list = xalloc_json(json_array()), *v;
	FILE *f = cx->out.f;
	char *s;
	size_t i;

	/* A file that standard output is sent to gets rosters or nothing. */
	if (cmd_roster_is_stdout(cx) && !cx->out.is_json)
		cx->out.f = stderr;
	for (i = 0; i < fs->n; i++) {
		fault = &fs->list[i];
		v = xalloc_json(json_pack("{s:o, s:o, s:o}", "row",
		    fault->row == 0 ? json_null()
				    : json_integer((json_int_t)fault->row),
		    "heading",
		    fault->heading == NULL ? json_null()
					   : xalloc_json_str(fault->heading),
		    "what", xalloc_json_str(fault->what)));
		xalloc_append(list, v);
		s = roster_csv_say(rosterfile_name(path), fault);
		out_print(&cx->out, "%s\n", s);
		free(s);
	}
	if (cx->out.is_json)
		out_json(&cx->out,
		    xalloc_json(json_pack("{s:o, s:b, s:I, s:O}", "file",
			xalloc_json_str(path), "valid", false, "count",
			(json_int_t)fs->all, "faults", list)));
	json_decref(list);
	if (fs->all > fs->n)
		out_print(&cx->out, "... and %zu more\n", fs->all - fs->n);
	out_print(&cx->out, "%zu fault%s; nothing was written.\n", fs->all,
	    fs->all == 1 ? "" : "s");
	cx->out.f = f;
}

/* umpire roster import: a table of a spreadsheet as a file of rosters. */
static int
cmd_roster_import(struct cmd_ctx *cx)
{
	const char *path = cmd_arg(cx, 1), *id = opt_get(&cx->opts, "system");
	struct roster_csv_faults fs = {.n = 0};
	struct errinfo e = {.text = ""};
	json_t *blob = NULL;
	struct buf b;
	int r, status;

	if ((status = cmd_roster_outward(cx)) != 0)
		return (status);
	if (id != NULL && systems_find(id) == NULL) {
		out_error("there is no rule system '%s'", id);
		out_note("`umpire rules` lists them; --system ID chooses one.");
		return (EX_DATAERR);
	}
	buf_init(&b, 0);
	if ((r = file_read(path, ROSTER_CSV_MAX, &b, &e)) != 0)
		status = cmd_fail(r == ERR_IO ? ERR_NOTFOUND : r, &e);
	else
		blob = roster_csv_read(buf_str(&b), b.len, id, false, &fs);
	buf_clear(&b);
	if (blob != NULL) {
		status = cmd_roster_put(cx, blob);
		if (status == 0)
			cmd_roster_next(cx, "new --roster", "");
	} else if (status == 0) {
		cmd_roster_tell(cx, &fs);
		status = EX_DATAERR;
	}
	roster_csv_faults_clear(&fs);
	json_decref(blob);
	return (status);
}

/* umpire roster new: a file of rosters by questions. */
static int
cmd_roster_new(struct cmd_ctx *cx)
{
	const char *id = cmd_arg(cx, 1), *path = cmd_arg(cx, 2);
	const struct rules_system *sys = systems_find(id);
	const char *text;
	json_t *blob = NULL;
	int64_t only = 0;
	char *word;
	int status;

	if ((status = cmd_roster_alone(cx)) != 0)
		return (status);
	if (opt_has(&cx->opts, "system"))
		return (cmd_usage(cx,
		    "the system is the word after new: leave out --system"));
	if ((text = opt_get(&cx->opts, "side")) != NULL &&
	    !opt_number(text, 1, 2, &only))
		return (cmd_usage(cx, "--side is 1 or 2"));
	if (sys == NULL) {
		out_error("there is no rule system '%s'", id);
		out_note("`umpire rules` lists them.");
		return (EX_DATAERR);
	}
	if (path == NULL || cmd_roster_is_stdout(cx) || *path == '\0')
		return (cmd_usage(cx,
		    "which file are the rosters to be written to?  umpire "
		    "roster new %s FILE",
		    id));
	/*
	 * Nobody should answer questions for an hour when the result cannot be
	 * written.
	 */
	if ((status = cmd_may_replace(cx, path)) != 0 ||
	    (status = roster_draft_ask(cx, sys, path, (int)only, &blob)) != 0)
		return (status);
	cx->is_sure = true;
	if ((status = cmd_roster_put(cx, blob)) == 0 &&
	    (status = roster_draft_remove(path)) == 0) {
		word = text_shell(path);
		out_hint(&cx->out,
		    only == 0 ? "umpire new --roster %s opens a game with it.\n"
			      : "umpire adjust GAME --join %s proposes it to a "
				"game.\n",
		    word);
		free(word);
	}
	json_decref(blob);
	return (status);
}

/* umpire roster list, save and load: the library. */
static int
cmd_roster_list(struct cmd_ctx *cx)
{
	int status = cmd_roster_alone(cx);

	return (status != 0 ? status : roster_library_list(cx));
}

static int
cmd_roster_save(struct cmd_ctx *cx)
{
	int status = cmd_roster_alone(cx);

	return (status != 0 ? status : roster_library_save(cx));
}

static int
cmd_roster_load(struct cmd_ctx *cx)
{
	int status = cmd_roster_alone(cx);

	return (status != 0 ? status : roster_library_load(cx));
}

static const struct cmd_word cmd_roster_words[] = {
    {"check", 2, cmd_roster_check},
    {"show", 2, cmd_roster_show},
    {"export", 3, cmd_roster_export},
    {"import", 3, cmd_roster_import},
    {"new", 3, cmd_roster_new},
    {"list", 1, cmd_roster_list},
    {"save", 3, cmd_roster_save},
    {"load", 3, cmd_roster_load},
    {NULL, 0, NULL},
};

static const struct opt_def cmd_roster_opts[] = {
    {"why", 0, "TEXT", false, "the reason; kept beside the record"},
    {"system", 0, "ID", false, "without a game: the rule system of the file"},
    {"side", 0, "1|2", false, "new: this side alone, to join a game"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_roster = {
    .words = cmd_roster_words,
    .opts = cmd_roster_opts,
    .min_args = 2,
    .max_args = 2,
    .need = PLAY_ORDER,
    .parse = cmd_roster_parse,
    .play = cmd_roster_play,
};
