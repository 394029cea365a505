/* SPDX-License-Identifier: ISC */
/* Help, and running a command line. */
#include "client/cmd/cmds.h"

#include <sys/resource.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/play/action.h"
#include "client/play/play.h"
#include "client/profile/profile.h"
#include "client/replica/heal.h"
#include "client/tournament/desk_heal.h"

#define CMDS_VERSION "umpire " PACKAGE_VERSION "\n"

const struct opt_def cmds_globals[] = {
    {"profile", 0, "NAME", false, "play as this profile (or UMPIRE_PROFILE)"},
    {"json", 0, NULL, false, "print JSON for programs"},
    {"no-color", 0, NULL, false, "no colours (or NO_COLOR)"},
    {"offline", 0, NULL, false, "read your own copies, not the server"},
    {"trust", 0, NULL, false, "pin an unknown server's key without asking"},
    {"yes", 'y', NULL, false, "do not ask before what cannot be undone"},
    {"help", 'h', NULL, false, "explain the subcommand"},
    {"version", 'V', NULL, false, "print the version"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd_entry *
cmds_find(const struct cmd_entry *all, const char *name)
{
	for (; all->cmd != NULL; all++) {
		if (strcmp(all->name, name) == 0)
			return (all);
	}
	return (NULL);
}

const struct cmd_entry *
cmds_suggest(const struct cmd_entry *all, const char *name)
{
	const struct cmd_entry *best = NULL;
	unsigned least = 3, d;

	for (; all->cmd != NULL; all++) {
		d = opt_distance(name, all->name);
		if (strlen(name) >= 2 &&
		    strncmp(all->name, name, strlen(name)) == 0)
			d = 0;
		if (d < least && 2 * d < strlen(all->name)) {
			least = d;
			best = all;
		}
	}
	return (best);
}

/* Prints the options of a table, one a line. */
static void
cmds_help_options(struct out *o, const struct opt_def *d)
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
cmds_help_all(struct cmd_ctx *cx)
{
	const struct cmd_entry *all;
	struct out *o = &cx->out;

	out_print(o,
	    "usage: umpire [--profile NAME] [--json] SUBCOMMAND [ARGUMENT ...]"
	    "\n\n"
	    "Play Napoleonic wargames under an umpire: dice that nobody can "
	    "bend and a\nrecord that anybody can verify.\n\n");
	for (all = cx->all; all->cmd != NULL; all++)
		out_print(o, "  %-11s %s\n", all->name, all->what);
	out_print(o,
	    "\nGAME is a nickname or the first four or more digits of a "
	    "game's number.\n`umpire help SUBCOMMAND` explains one, `man "
	    "umpire` all of them.\n"
	    "First steps: umpire init, umpire register, umpire new or umpire "
	    "join.\n");
}

/* Prints the subcommands that a subcommand has. */
static void
cmds_help_subs(struct out *o, const struct cmd_entry *e)
{
	const struct cmd_entry *sub;

	for (sub = e->cmd->subs; sub != NULL && sub->cmd != NULL; sub++)
		out_print(o, "  %-11s %s\n", sub->name, sub->what);
	if (e->cmd->subs != NULL)
		out_print(o, "\n`umpire help %s SUBCOMMAND` explains one.\n\n",
		    e->name);
}

/* Prints the help of one subcommand, which is one of outer (NULL: of none). */
static void
cmds_help_one(
    struct out *o, const struct cmd_entry *outer, const struct cmd_entry *e)
{
	out_print(o, "usage: umpire %s%s%s%s%s%s\n\n",
	    outer == NULL ? "" : outer->name, outer == NULL ? "" : " ", e->name,
	    e->cmd->opts == NULL ? "" : " [OPTION ...]",
	    *e->args == '\0' ? "" : " ", e->args);
	out_print(o, "%s%s", e->more, *e->more == '\0' ? "" : "\n");
	cmds_help_subs(o, e);
	if (e->cmd->opts != NULL) {
		out_print(o, "Options:\n");
		cmds_help_options(o, e->cmd->opts);
		out_print(o, "\n");
	}
	out_print(o, "Options of every subcommand:\n");
	cmds_help_options(o, cmds_globals);
	out_print(o, "\nExamples:\n%s", e->examples);
}

/* Handles `umpire` without a subcommand, `help` and unknown ones. */
static int
cmds_other(struct cmd_ctx *cx, int argc, char **argv)
{
	const struct cmd_entry *e, *sub;

	if (argc == 0) {
		if (opt_has(&cx->opts, "help")) {
			cmds_help_all(cx);
			return (EX_OK);
		}
		return (cmd_usage(cx, "which subcommand?"));
	}
	if (strcmp(argv[0], "help") == 0) {
		if (argc == 1) {
			cmds_help_all(cx);
			return (EX_OK);
		}
		if ((e = cmds_find(cx->all, argv[1])) != NULL) {
			if (argc > 2 && e->cmd->subs != NULL &&
			    (sub = cmds_find(e->cmd->subs, argv[2])) != NULL)
				cmds_help_one(&cx->out, e, sub);
			else
				cmds_help_one(&cx->out, NULL, e);
			return (EX_OK);
		}
		argv++;
	}
	if ((e = cmds_suggest(cx->all, argv[0])) != NULL)
		return (cmd_usage(cx,
		    "there is no subcommand '%s'; did you mean '%s'?", argv[0],
		    e->name));
	return (cmd_usage(cx, "there is no subcommand '%s'", argv[0]));
}

/* Opens a game for a subcommand, and does this with it; *a is cleared. */
static int
cmds_play(struct cmd_ctx *cx, const char *game, struct action *a)
{
	struct play *pl;
	int status = 0;

	if (cx->may != NULL)
		status = cx->may(cx->may_arg, cx->cmd->cmd, a);
	if (status == 0 && (status = play_open(cx, game, cx->need, &pl)) == 0) {
		status = cx->cmd->cmd->play(pl, a);
		play_close(pl);
	}
	action_clear(a);
	return (status);
}

/*
 * Runs what the word in the game's place says.  A game of that name is told
 * how it is reached: by its number.
 */
static int
cmds_run_word(struct cmd_ctx *cx, const struct cmd_word *w)
{
	uint8_t id[HASH_LEN];
	struct profile *p;

	if (cx->opts.n_operands > w->max_args)
		return (cmd_usage(cx, "'%s' is one word too many",
		    cx->opts.operands[w->max_args]));
	if (profile_open(cx->profile, &p, NULL) == 0) {
		if (profile_find_nick(p, w->name, id))
			out_note("One of your games is called '%s', too: refer "
				 "to it by its number here, %02x%02x%02x%02x.",
			    w->name, id[0], id[1], id[2], id[3]);
		profile_free(p);
	}
	return (w->run(cx));
}

/* out_set_profile: a subcommand that may have to do with a profile. */
static bool
cmds_is_command_cb(const void *arg, const char *word, size_t n)
{
	const struct cmd_entry *e;

	for (e = arg; e->cmd != NULL; e++) {
		if (strlen(e->name) == n && strncmp(e->name, word, n) == 0)
			return (strcmp(e->name, "help") != 0 &&
			    strcmp(e->name, "rules") != 0);
	}
	return (false);
}

/* Runs a subcommand, which has none of its own, with the words after it. */
static int
cmds_run_one(struct cmd_ctx *cx, int argc, char **argv)
{
	const struct cmd *cmd = cx->cmd->cmd;
	struct action a = {.seq = -1};
	struct errinfo e = {.text = ""};
	const struct cmd_word *w = NULL;
	const char *p;
	int i, status, least = cmd->min_args;

	if (opt_parse(&cx->opts, argc, argv, cmd->opts, cmds_globals, false,
		NULL, &e) != 0)
		return (cmd_usage(cx, "%s", e.text));
	cx->is_plain = cx->is_plain || opt_has(&cx->opts, "no-color");
	out_init(&cx->out, opt_has(&cx->opts, "json"), !cx->is_plain);
	if (opt_has(&cx->opts, "help") || opt_has(&cx->opts, "version")) {
		cx->out.is_json = false;
		if (opt_has(&cx->opts, "help"))
			cmds_help_one(&cx->out, cx->outer, cx->cmd);
		else
			out_print(&cx->out, CMDS_VERSION);
		return (EX_OK);
	}
	if (cmd->words != NULL && cx->opts.n_operands > 0 &&
	    (w = cmd_word_find(cmd, cmd_arg(cx, 0))) != NULL &&
	    w->max_args < least)
		least = w->max_args;
	if (cx->opts.n_operands < least) {
		p = cx->cmd->args;
		for (i = 0; i < cx->opts.n_operands && strchr(p, ' ') != NULL;
		     i++)
			p = strchr(p, ' ') + 1;
		return (
		    cmd_usage(cx, "%.*s is missing", (int)strcspn(p, " "), p));
	}
	if (opt_has(&cx->opts, "profile"))
		cx->profile = opt_get(&cx->opts, "profile");
	out_set_profile(cx->profile, cmds_is_command_cb, cx->all);
	cx->may_trust = cx->may_trust || opt_has(&cx->opts, "trust");
	cx->is_sure = cx->is_sure || opt_has(&cx->opts, "yes");
	cx->is_offline = opt_has(&cx->opts, "offline");
	if (w != NULL)
		return (cmds_run_word(cx, w));
	if (cmd->max_args >= 0 && cx->opts.n_operands > cmd->max_args)
		return (cmd_usage(cx, "'%s' is one word too many",
		    cx->opts.operands[cmd->max_args]));
	cx->need = cmd->need;
	if (cmd->run != NULL)
		return (cmd->run(cx));
	if (cmd->parse != NULL && (status = cmd->parse(cx, &a)) != 0)
		action_clear(&a);
	else
		status = cmds_play(cx, cmd_arg(cx, 0), &a);
	return (status);
}

/* Runs a subcommand, or the one of its own that the words begin with. */
static int
cmds_run(struct cmd_ctx *cx, int argc, char **argv)
{
	const struct cmd_entry *e = cx->cmd, *sub;
	struct errinfo why = {.text = ""};
	int used = 0;

	if (e->cmd->subs == NULL)
		return (cmds_run_one(cx, argc, argv));
	if (opt_parse(&cx->opts, argc, argv, cmds_globals, NULL, true, &used,
		&why) != 0)
		return (cmd_usage(cx, "%s", why.text));
	if (opt_has(&cx->opts, "help") || opt_has(&cx->opts, "version"))
		return (cmds_run_one(cx, 0, argv));
	if (used == argc)
		return (cmd_usage(cx, "SUBCOMMAND is missing"));
	if ((sub = cmds_find(e->cmd->subs, argv[used])) != NULL) {
		cx->outer = e;
		cx->cmd = sub;
		return (cmds_run_one(cx, argc - used - 1, argv + used + 1));
	}
	if ((sub = cmds_suggest(e->cmd->subs, argv[used])) != NULL)
		return (cmd_usage(cx,
		    "'%s' has no subcommand '%s'; did you mean '%s'?", e->name,
		    argv[used], sub->name));
	return (
	    cmd_usage(cx, "'%s' has no subcommand '%s'", e->name, argv[used]));
}

/* Fills in what a subcommand has of the one around it. */
static void
cmds_enter(struct cmd_ctx *cx)
{
	const struct cmd_ctx *outer = cx->table->cx;

	cx->all = outer->all;
	cx->profile = outer->profile;
	cx->may_trust = outer->may_trust;
	cx->is_sure = outer->is_sure;
	cx->is_plain = outer->is_plain;
	out_init(&cx->out, false, !cx->is_plain);
	opt_init(&cx->opts);
}

/* Its end; returns its exit status. */
static int
cmds_leave(struct cmd_ctx *cx, int status)
{
	bool is_pipe;

	opt_clear(&cx->opts);
	if (out_flush(&cx->out, &is_pipe) != 0 && status == EX_OK)
		status = EX_IOERR;
	return (status);
}

int
cmds_inside(struct cmd_ctx *cx, int argc, char **argv)
{
	cmds_enter(cx);
	cx->cmd = cmds_find(cx->all, argv[0]);
	return (cmds_leave(cx,
	    cx->cmd == NULL ? cmds_other(cx, argc, argv)
			    : cmds_run(cx, argc - 1, argv + 1)));
}

int
cmds_act(struct cmd_ctx *cx, const struct cmd *cmd, struct action *a)
{
	cmds_enter(cx);
	for (cx->cmd = cx->all; cx->cmd->cmd != cmd;)
		cx->cmd++;
	cx->need = cmd->need;
	return (cmds_leave(cx, cmds_play(cx, cx->table->name, a)));
}

int
cmds_main(const struct cmd_entry *all, int argc, char **argv)
{
	struct errinfo e = {.text = ""};
	const struct rlimit none = {0, 0};
	struct cmd_ctx cx = {.all = all};
	bool is_pipe;
	int status, used = 0;

	/* Keys and words are in memory, and no core file is to have them. */
	(void)setrlimit(RLIMIT_CORE, &none);
	/* A reader or server that goes away is an error like any other. */
	(void)signal(SIGPIPE, SIG_IGN);
	out_init(&cx.out, false, true);
	opt_init(&cx.opts);
	heal_set_before(desk_heal);
	if (opt_parse(&cx.opts, argc - 1, argv + 1, cmds_globals, NULL, true,
		&used, &e) != 0) {
		status = cmd_usage(&cx, "%s", e.text);
	} else if (opt_has(&cx.opts, "version")) {
		out_print(&cx.out, CMDS_VERSION);
		status = EX_OK;
	} else if (used < argc - 1 &&
	    (cx.cmd = cmds_find(all, argv[1 + used])) != NULL) {
		status = cmds_run(&cx, argc - used - 2, argv + used + 2);
	} else {
		status = cmds_other(&cx, argc - 1 - used, argv + 1 + used);
	}
	opt_clear(&cx.opts);
	/* A proved fault outweighs all others. */
	if (cx.has_proof)
		status = EX_PROTOCOL;
	if (status != EX_OK && out_is_dropped())
		status = CMD_DROPPED;
	if (out_flush(&cx.out, &is_pipe) != 0) {
		if (!is_pipe)
			out_error("cannot write the output");
		if (status == EX_OK)
			status = EX_IOERR;
	}
	return (status);
}
