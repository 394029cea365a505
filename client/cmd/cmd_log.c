/* SPDX-License-Identifier: ISC */
/*
 * umpire log: what happened in a game, for people, as text, Markdown, BBCode,
 * an HTML page or JSON; of a game, or of an exported record.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/play/changes.h"
#include "client/play/play.h"
#include "client/profile/file.h"
#include "client/replica/recordfile.h"
#include "client/replica/replica.h"
#include "client/report/battle.h"
#include "client/report/doc.h"
#include "client/report/report.h"
#include "client/report/report_end.h"
#include "common/base/hex.h"
#include "common/game/game.h"
#include "common/game/verify.h"

#define CMD_LOG_SHORT 8 /* digits by which a game without a name is called */

enum cmd_log_format {
	CMD_LOG_TEXT,
	CMD_LOG_MARKDOWN,
	CMD_LOG_BBCODE,
	CMD_LOG_HTML,
	CMD_LOG_JSON,
};

/* What the command line asks for, and the game. */
struct cmd_log {
	struct out out; /* as the format wants it */
	enum cmd_log_format format;
	int64_t combat; /* 0: all */
	const char *path; /* --output; NULL: standard output */
	struct play *play; /* owned; NULL for a file */
	struct recordfile *file; /* owned; NULL for a game */
	const struct battle *b; /* of the one or the other */
	char *name; /* owned: how the game is called */
	char *doubt; /* owned: what does not hold; NULL */
};

/* Reads --format, or --json, which is the same as one of them. */
static int
cmd_log_format(struct cmd_ctx *cx, struct cmd_log *lg)
{
	static const char *const names[] = {
	    "text", "markdown", "bbcode", "html", "json"};
	const char *s = opt_get(&cx->opts, "format");
	size_t i;

	lg->format = cx->out.is_json ? CMD_LOG_JSON : CMD_LOG_TEXT;
	if (s == NULL)
		return (0);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(s, names[i]) != 0)
			continue;
		if (cx->out.is_json && i != CMD_LOG_JSON)
			return (cmd_usage(cx,
			    "--json and --format %s do not go together", s));
		lg->format = (enum cmd_log_format)i;
		lg->out.is_json = lg->format == CMD_LOG_JSON;
		return (0);
	}
	return (cmd_usage(
	    cx, "--format is one of text, markdown, bbcode, html and json"));
}

/* Reads the options. */
static int
cmd_log_options(struct cmd_ctx *cx, struct cmd_log *lg)
{
	const char *s = opt_get(&cx->opts, "combat");
	bool is_agreed = opt_has(&cx->opts, "by-agreement");
	int status;

	if (s != NULL && !opt_number(s, 1, INT32_MAX, &lg->combat))
		return (cmd_usage(cx, "--combat takes a number, 1 or more"));
	if (s != NULL && is_agreed)
		return (cmd_usage(
		    cx, "--combat and --by-agreement do not go together"));
	if ((status = cmd_log_format(cx, lg)) != 0)
		return (status);
	if (is_agreed && lg->format != CMD_LOG_TEXT &&
	    lg->format != CMD_LOG_JSON)
		return (
		    cmd_usage(cx, "--by-agreement is told as text or json"));
	lg->path = opt_get(&cx->opts, "output");
	if (lg->path != NULL && *lg->path == '\0')
		return (cmd_usage(cx, "--output needs the name of a file"));
	if (lg->path != NULL && strcmp(lg->path, "-") == 0)
		lg->path = NULL;
	return (0);
}

/* Asks before a file is written over. */
static int
cmd_log_confirm(struct cmd_ctx *cx, const struct cmd_log *lg)
{
	return (lg->path == NULL ? 0 : cmd_may_replace(cx, lg->path));
}

/* Opens the game, or reads and verifies the file. */
static int
cmd_log_open(struct cmd_ctx *cx, struct cmd_log *lg)
{
	const char *word = cmd_arg(cx, 0);
	const struct verify_report *rep;
	char hex[2 * HASH_LEN + 1];
	int status;

	if (recordfile_is_file(word)) {
		if ((status = recordfile_open(word, &lg->file)) != 0)
			return (status);
		lg->b = lg->file->b;
		hex_format(hex, game_id(battle_game(lg->b)), HASH_LEN);
		lg->name = xalloc_strn(hex, CMD_LOG_SHORT);
		lg->doubt = recordfile_doubt(lg->file);
		return (0);
	}
	if ((status = play_open(cx, word, PLAY_READ, &lg->play)) != 0) {
		if (status == EX_NOINPUT)
			out_note("'%s' is not a file either.", word);
		return (status);
	}
	lg->b = replica_battle(lg->play->copy);
	lg->name = xalloc_str(lg->play->name);
	rep = battle_proof(lg->b);
	if (rep->is_unchecked)
		lg->doubt = xalloc_printf("not checkable here, line %lld: %s",
		    (long long)rep->unchecked_line, rep->unchecked.text);
	return (0);
}

/* Says that there is no such combat. */
static int
cmd_log_missing(const struct cmd_log *lg, const struct report *rp)
{
	out_error("there is no combat %lld; this game has had %d",
	    (long long)lg->combat, report_combats(rp));
	return (EX_DATAERR);
}

/* Tells all lines as JSON. */
static int
cmd_log_json(struct out *o, const struct cmd_log *lg)
{
	struct report *rp;
	json_t *list;
	int status = EX_OK;

	rp = report_new(o, lg->b);
	list = xalloc_json(json_array());
	report_lines(rp, 0, battle_lines(lg->b) - 1, (int)lg->combat, list);
	if (lg->combat > report_combats(rp)) {
		status = cmd_log_missing(lg, rp);
		json_decref(list);
	} else {
		out_json(o, list);
	}
	report_free(rp);
	return (status);
}

/* Tells all lines, or those of one combat, to a document. */
static int
cmd_log_tell(struct doc *d, const struct cmd_log *lg)
{
	struct report *rp;
	int status = EX_OK;

	rp = report_new_doc(d, lg->b);
	if (lg->combat == 0)
		report_want_turns(rp);
	if (lg->combat == 0 || d->is_whole)
		report_heading(rp, lg->name);
	if (lg->file != NULL && lg->doubt != NULL)
		d->warn(d, lg->doubt);
	report_lines(rp, 0, battle_lines(lg->b) - 1, (int)lg->combat, NULL);
	if (lg->combat > report_combats(rp))
		status = cmd_log_missing(lg, rp);
	else if (d->is_whole)
		report_end(d, lg->b, lg->doubt);
	else if (lg->combat == 0)
		report_counted(d, lg->b);
	report_free(rp);
	return (status);
}

/* Tells the game in the format that is asked for. */
static int
cmd_log_write(struct cmd_ctx *cx, const struct cmd_log *lg, struct out *o)
{
	static struct doc *(*const makers[])(struct out * o) = {
	    [CMD_LOG_TEXT] = doc_text_new,
	    [CMD_LOG_MARKDOWN] = doc_markdown_new,
	    [CMD_LOG_BBCODE] = doc_bbcode_new,
	    [CMD_LOG_HTML] = doc_html_new,
	};
	struct doc *d;
	int status;

	if (opt_has(&cx->opts, "by-agreement")) {
		changes_list(o, lg->b);
		return (EX_OK);
	}
	if (lg->format == CMD_LOG_JSON)
		return (cmd_log_json(o, lg));
	/* Output for programs is not wrapped to fit a terminal. */
	if (lg->format != CMD_LOG_TEXT)
		o->is_tty = false;
	d = makers[lg->format](o);
	if ((status = cmd_log_tell(d, lg)) == EX_OK)
		d->finish(d);
	d->free(d);
	return (status);
}

/* Tells the game into the file of --output. */
static int
cmd_log_save(struct cmd_ctx *cx, const struct cmd_log *lg)
{
	struct errinfo e = {.text = ""};
	struct out o = lg->out;
	char *bytes = NULL;
	size_t len = 0;
	int r, status;

	if ((o.f = open_memstream(&bytes, &len)) == NULL)
		xalloc_die();
	o.has_color = o.is_tty = false;
	status = cmd_log_write(cx, lg, &o);
	if (fclose(o.f) != 0)
		xalloc_die();
	if (status == EX_OK &&
	    (r = file_write(lg->path, bytes, len, 0644, &e)) != 0) {
		(void)cmd_fail(r, &e);
		status = EX_CANTCREAT;
	}
	free(bytes);
	return (status);
}

/* Tells a game or a record. */
static int
cmd_log_run(struct cmd_ctx *cx)
{
	struct cmd_log lg = {.out = cx->out};
	int status;

	if ((status = cmd_log_options(cx, &lg)) != 0 ||
	    (status = cmd_log_confirm(cx, &lg)) != 0 ||
	    (status = cmd_log_open(cx, &lg)) != 0)
		goto out;
	if (cx->io == NULL && lg.path == NULL)
		out_page_begin(&lg.out);
	if (lg.file != NULL)
		recordfile_warn(lg.file);
	status = lg.path == NULL ? cmd_log_write(cx, &lg, &lg.out)
				 : cmd_log_save(cx, &lg);
	out_page_end(&lg.out);
	if (status == EX_OK && lg.file != NULL)
		status = recordfile_status(lg.file);
out:
	free(lg.name);
	free(lg.doubt);
	recordfile_close(lg.file);
	play_close(lg.play);
	return (status);
}

static const struct opt_def cmd_log_opts[] = {
    {"format", 0, "FORMAT", false, "text, markdown, bbcode, html or json"},
    {"output", 'o', "FILE", false, "write to FILE instead of the terminal"},
    {"combat", 0, "N", false, "only the game's combat number N"},
    {"by-agreement", 0, NULL, false, "what was changed by agreement"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_log = {
    .opts = cmd_log_opts,
    .min_args = 1,
    .max_args = 1,
    .run = cmd_log_run,
};
