/* SPDX-License-Identifier: ISC */
/*
 * The table of subcommands, help, and what all of them need: reading the
 * command line, saying what failed, asking before the irreversible.
 */
#include "client/ui/cmd.h"

#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/place.h"
#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/profile/file.h"
#include "client/ui/ask.h"
#include "client/ui/ask_list.h"
#include "common/base/buf.h"
#include "common/json/js.h"
#include "common/json/js_load.h"

#define CMD_VERSION "umpire " PACKAGE_VERSION "\n"

static const struct cmd *const cmd_table[] = {
    &cmd_init,
    &cmd_register,
    &cmd_games,
    &cmd_todo,
    &cmd_new,
    &cmd_join,
    &cmd_ready,
    &cmd_invite,
    &cmd_refuse,
    &cmd_cancel,
    &cmd_block,
    &cmd_unblock,
    &cmd_show,
    &cmd_play,
    &cmd_declare,
    &cmd_decide,
    &cmd_open,
    &cmd_upkeep,
    &cmd_end_turn,
    &cmd_roll,
    &cmd_cup,
    &cmd_adjust,
    &cmd_roster,
    &cmd_offer,
    &cmd_accept,
    &cmd_decline,
    &cmd_withdraw,
    &cmd_answer,
    &cmd_standing,
    &cmd_claim,
    &cmd_holiday,
    &cmd_resume,
    &cmd_ruling,
    &cmd_say,
    &cmd_send,
    &cmd_resign,
    &cmd_close,
    &cmd_log,
    &cmd_luck,
    &cmd_watch,
    &cmd_notify,
    &cmd_export,
    &cmd_verify,
    &cmd_resolve,
    &cmd_odds,
    &cmd_rules,
    &cmd_completion,
    NULL,
};

const struct opt_def cmd_globals[] = {
    {"profile", 0, "NAME", false, "play as this profile (or UMPIRE_PROFILE)"},
    {"json", 0, NULL, false, "print JSON for programs"},
    {"no-color", 0, NULL, false, "no colours (or NO_COLOR)"},
    {"offline", 0, NULL, false, "read your own copies, ask no server"},
    {"trust", 0, NULL, false, "pin an unknown server's key without asking"},
    {"yes", 'y', NULL, false, "do not ask before what cannot be undone"},
    {"help", 'h', NULL, false, "explain the subcommand"},
    {"version", 'V', NULL, false, "print the version"},
    {NULL, 0, NULL, false, NULL},
};

const struct opt_def cmd_no_options[] = {
    {NULL, 0, NULL, false, NULL},
};

const struct cmd *const *
cmd_all(void)
{
	return (cmd_table);
}

const struct cmd *
cmd_find(const char *name)
{
	size_t i;

	for (i = 0; cmd_table[i] != NULL; i++) {
		if (strcmp(cmd_table[i]->name, name) == 0)
			return (cmd_table[i]);
	}
	return (NULL);
}

const struct cmd *
cmd_suggest(const char *name)
{
	const struct cmd *best = NULL;
	unsigned least = 3, d;
	size_t i;

	for (i = 0; cmd_table[i] != NULL; i++) {
		d = opt_distance(name, cmd_table[i]->name);
		if (strlen(name) >= 2 &&
		    strncmp(cmd_table[i]->name, name, strlen(name)) == 0)
			d = 0;
		if (d < least && 2 * d < strlen(cmd_table[i]->name)) {
			least = d;
			best = cmd_table[i];
		}
	}
	return (best);
}

/* Prints the options of a table, one a line. */
static void
cmd_help_options(struct out *o, const struct opt_def *d)
{
	char *s;

	for (; d->name != NULL; d++) {
		s = xalloc_printf("--%s%s%s%s", d->name,
		    d->arg == NULL ? "" : " ", d->arg == NULL ? "" : d->arg,
		    d->is_many ? " ..." : "");
		if (d->letter != 0)
			out_print(
			    o, "  -%c, %-22s %s\n", d->letter, s, d->what);
		else
			out_print(o, "  %-26s %s\n", s, d->what);
		free(s);
	}
}

/* Prints the list of subcommands. */
static void
cmd_help_all(struct out *o)
{
	size_t i;

	out_print(o,
	    "usage: umpire [--profile NAME] [--json] SUBCOMMAND [ARGUMENT ...]"
	    "\n\n"
	    "Play Napoleonic wargames under an umpire: dice that nobody can "
	    "bend and a\nrecord that anybody can verify.\n\n");
	for (i = 0; cmd_table[i] != NULL; i++)
		out_print(
		    o, "  %-11s %s\n", cmd_table[i]->name, cmd_table[i]->what);
	out_print(o,
	    "\nGAME is a nickname or the first four or more digits of a "
	    "game's number.\n`umpire help SUBCOMMAND` explains one, `man "
	    "umpire` all of them.\n"
	    "First steps: umpire init, umpire register, umpire new or umpire "
	    "join.\n");
}

/* Prints the help of one subcommand. */
static void
cmd_help_one(struct out *o, const struct cmd *cmd)
{
	out_print(o, "usage: umpire %s%s%s%s\n\n", cmd->name,
	    cmd->opts[0].name == NULL ? "" : " [OPTION ...]",
	    *cmd->args == '\0' ? "" : " ", cmd->args);
	out_print(o, "%s%s", cmd->more, *cmd->more == '\0' ? "" : "\n");
	if (cmd->opts[0].name != NULL) {
		out_print(o, "Options:\n");
		cmd_help_options(o, cmd->opts);
		out_print(o, "\n");
	}
	out_print(o, "Options of every subcommand:\n");
	cmd_help_options(o, cmd_globals);
	if (*cmd->examples != '\0')
		out_print(o, "\nExamples:\n%s", cmd->examples);
}

const char *
cmd_arg(const struct cmd_ctx *cx, int i)
{
	if (i >= cx->opts.n_operands)
		return (NULL);
	return (cx->opts.operands[i]);
}

char *
cmd_words(const struct cmd_ctx *cx, int i)
{
	struct buf b;

	buf_init(&b, 0);
	for (; i < cx->opts.n_operands; i++) {
		buf_puts(&b, cx->opts.operands[i]);
		if (i + 1 < cx->opts.n_operands)
			buf_putc(&b, ' ');
	}
	return (xalloc_take(&b));
}

/* The exit status for an error code. */
static int
cmd_status(int r)
{
	switch (r) {
	case 0:
		return (EX_OK);
	case ERR_NOMEM:
		return (EX_OSERR);
	case ERR_IO:
		return (EX_IOERR);
	case ERR_EXISTS:
		return (EX_CANTCREAT);
	case ERR_NOTFOUND:
		return (EX_NOINPUT);
	/* What nobody has signed accuses nobody: no EX_PROTOCOL here. */
	case ERR_FORK:
	case ERR_TLS:
	case ERR_METHOD:
	case ERR_REQUEST:
		return (EX_UNAVAILABLE);
	case ERR_STORAGE:
	case ERR_BUSY:
	case ERR_TIMEOUT:
	case ERR_CLOSED:
	case ERR_LIMIT:
	case ERR_CLOCK:
		return (EX_TEMPFAIL);
	case ERR_DENIED:
	case ERR_LOGIN:
	case ERR_SERVER:
		return (EX_NOPERM);
	case ERR_CONFIG:
		return (EX_CONFIG);
	case ERR_DAMAGED:
		return (EX_UNAVAILABLE);
	case ERR_FAULT:
	case ERR_INTERNAL:
		return (EX_SOFTWARE);
	default:
		return (EX_DATAERR);
	}
}

int
cmd_fail(int r, const struct errinfo *e)
{
	char *s = place_error(r, e, NULL);

	out_error("%s", s);
	free(s);
	return (cmd_status(r));
}

int
cmd_fail_in(const char *path, int r, const struct errinfo *e)
{
	char *s = place_in_file(path, r, e);

	out_error("%s", s);
	free(s);
	return (cmd_status(r));
}

int
cmd_usage(const struct cmd_ctx *cx, const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = xalloc_vprintf(fmt, ap);
	va_end(ap);
	out_error("%s", s);
	free(s);
	if (cx->cmd == NULL)
		out_note("`umpire help` lists the subcommands");
	else
		out_note("usage: umpire %s%s%s  (more: umpire help %s)",
		    cx->cmd->name, *cx->cmd->args == '\0' ? "" : " ",
		    cx->cmd->args, cx->cmd->name);
	return (EX_USAGE);
}

/* Asks where `umpire play` asks. */
static int
cmd_confirm_inside(const struct cmd_ctx *cx, const char *question)
{
	bool is_sure = false;

	/* Whoever goes back, or away, is not sure. */
	if (ask_yes(cx->io, question, 0, &is_sure) == 0 && is_sure)
		return (0);
	out_error("nothing was sent");
	return (EX_USAGE);
}

bool
cmd_can_ask(const struct cmd_ctx *cx)
{
	return (cx->io != NULL || out_can_ask());
}

int
cmd_confirm(const struct cmd_ctx *cx, const char *question)
{
	return (cmd_confirm_as(cx, question,
	    "this cannot be undone: without a terminal to ask on, add --yes"));
}

int
cmd_confirm_as(
    const struct cmd_ctx *cx, const char *question, const char *without)
{
	if (cx->is_sure)
		return (0);
	if (cx->io != NULL)
		return (cmd_confirm_inside(cx, question));
	if (!out_can_ask())
		return (cmd_usage(cx, "%s", without));
	if (out_ask("%s", question))
		return (0);
	out_error("nothing was sent");
	return (EX_USAGE);
}

char *
cmd_profile_words(const struct cmd_ctx *cx)
{
	if (cx->profile == NULL)
		return (xalloc_str(""));
	return (xalloc_printf(" --profile %s", cx->profile));
}

int
cmd_read_json(const char *path, size_t max, json_t **out)
{
	struct errinfo e = {.text = ""};
	struct buf b;
	int r;

	buf_init(&b, 0);
	r = file_read(path, max, &b, &e);
	if (r == 0 &&
	    (r = js_load(buf_str(&b), b.len, JS_DEPTH_RECORD, out, &e)) != 0) {
		out_error(
		    "'%s' is not the JSON that is needed: %s", path, e.text);
		buf_clear(&b);
		return (EX_DATAERR);
	}
	buf_clear(&b);
	if (r == ERR_IO)
		r = ERR_NOTFOUND;
	return (r == 0 ? 0 : cmd_fail(r, &e));
}

/* Handles `umpire` without a subcommand, `help` and unknown ones. */
static int
cmd_other(struct cmd_ctx *cx, int argc, char **argv)
{
	const struct cmd *cmd;

	if (argc == 0) {
		if (opt_has(&cx->opts, "help")) {
			cmd_help_all(&cx->out);
			return (EX_OK);
		}
		return (cmd_usage(cx, "which subcommand?"));
	}
	if (strcmp(argv[0], "help") == 0) {
		if (argc == 1) {
			cmd_help_all(&cx->out);
			return (EX_OK);
		}
		if ((cmd = cmd_find(argv[1])) != NULL) {
			cmd_help_one(&cx->out, cmd);
			return (EX_OK);
		}
		argv++;
	}
	if ((cmd = cmd_suggest(argv[0])) != NULL)
		return (
		    cmd_usage(cx, "there is no subcommand '%s'; is '%s' meant?",
			argv[0], cmd->name));
	return (cmd_usage(cx, "there is no subcommand '%s'", argv[0]));
}

/* Says which of the subcommand's operands is missing. */
static int
cmd_missing(struct cmd_ctx *cx)
{
	const char *p = cx->cmd->args;
	char *word;
	int i, status;

	for (i = 0; i < cx->opts.n_operands && strchr(p, ' ') != NULL; i++)
		p = strchr(p, ' ') + 1;
	word = xalloc_strn(p, strcspn(p, " "));
	status = cmd_usage(cx, "%s is missing", word);
	free(word);
	return (status);
}

/* Runs a subcommand with the words after its name. */
static int
cmd_run(struct cmd_ctx *cx, int argc, char **argv)
{
	const struct cmd *cmd = cx->cmd;
	struct errinfo e = {.text = ""};

	if (opt_parse(&cx->opts, argc, argv, cmd->opts, cmd_globals, false,
		NULL, &e) != 0)
		return (cmd_usage(cx, "%s", e.text));
	cx->is_plain = cx->is_plain || opt_has(&cx->opts, "no-color");
	out_init(&cx->out, opt_has(&cx->opts, "json"), !cx->is_plain);
	if (opt_has(&cx->opts, "help") || opt_has(&cx->opts, "version")) {
		cx->out.is_json = false;
		if (opt_has(&cx->opts, "help"))
			cmd_help_one(&cx->out, cmd);
		else
			out_print(&cx->out, CMD_VERSION);
		return (EX_OK);
	}
	if (cx->opts.n_operands < cmd->min_args)
		return (cmd_missing(cx));
	if (cmd->max_args >= 0 && cx->opts.n_operands > cmd->max_args)
		return (cmd_usage(cx, "'%s' is one word too many",
		    cx->opts.operands[cmd->max_args]));
	if (opt_has(&cx->opts, "profile"))
		cx->profile = opt_get(&cx->opts, "profile");
	cx->may_trust = cx->may_trust || opt_has(&cx->opts, "trust");
	cx->is_sure = cx->is_sure || opt_has(&cx->opts, "yes");
	cx->is_offline = opt_has(&cx->opts, "offline");
	return (cmd->run(cx));
}

int
cmd_inside(
    const struct cmd_ctx *outer, const struct ask_io *io, int argc, char **argv)
{
	struct cmd_ctx cx = {.profile = outer->profile,
	    .may_trust = outer->may_trust,
	    .is_sure = outer->is_sure,
	    .is_plain = outer->is_plain,
	    .io = io};
	bool is_pipe;
	int status;

	out_init(&cx.out, false, !cx.is_plain);
	opt_init(&cx.opts);
	cx.cmd = cmd_find(argv[0]);
	status = cx.cmd == NULL ? cmd_other(&cx, argc, argv)
				: cmd_run(&cx, argc - 1, argv + 1);
	opt_clear(&cx.opts);
	if (out_flush(&cx.out, &is_pipe) != 0 && status == EX_OK)
		status = EX_IOERR;
	return (status);
}

int
cmd_main(int argc, char **argv)
{
	struct errinfo e = {.text = ""};
	struct cmd_ctx cx = {.cmd = NULL};
	bool is_pipe;
	int status, used = 0;

	/* A reader or server that goes away is an error like any other. */
	(void)signal(SIGPIPE, SIG_IGN);
	out_init(&cx.out, false, true);
	opt_init(&cx.opts);
	if (opt_parse(&cx.opts, argc - 1, argv + 1, cmd_globals, NULL, true,
		&used, &e) != 0) {
		status = cmd_usage(&cx, "%s", e.text);
	} else if (opt_has(&cx.opts, "version")) {
		out_print(&cx.out, CMD_VERSION);
		status = EX_OK;
	} else if (used < argc - 1 &&
	    (cx.cmd = cmd_find(argv[1 + used])) != NULL) {
		status = cmd_run(&cx, argc - used - 2, argv + used + 2);
	} else {
		status = cmd_other(&cx, argc - 1 - used, argv + 1 + used);
	}
	opt_clear(&cx.opts);
	if (out_flush(&cx.out, &is_pipe) != 0) {
		if (!is_pipe)
			out_error("cannot write the output");
		if (status == EX_OK)
			status = EX_IOERR;
	}
	return (status);
}
