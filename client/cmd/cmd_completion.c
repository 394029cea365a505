/* SPDX-License-Identifier: ISC */
/* umpire completion: shell completion, made from the table of subcommands. */
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/cmd/texts.h"
#include "common/base/buf.h"

/* Prints " --a --b" for a table of options. */
static void
cmd_completion_options(struct buf *b, const struct opt_def *d)
{
	for (; d->name != NULL; d++)
		buf_printf(b, " --%s", d->name);
}

/* Prints a case with the words that a subcommand has beside games, if any. */
static void
cmd_completion_words(struct buf *b, const struct cmd_entry *e)
{
	const struct cmd_word *w = e->cmd->words;

	if (w == NULL)
		return;
	buf_printf(b, "\n\t%s)\n\t\twords=\"", e->name);
	for (; w->name != NULL; w++)
		buf_printf(b, " %s", w->name);
	buf_puts(b, "\" ;;");
}

/* Prints cases with the options of the subcommands that one has, if any. */
static void
cmd_completion_subcases(struct buf *b, const struct cmd_entry *e)
{
	const struct cmd_entry *sub;

	for (sub = e->cmd->subs; sub != NULL && sub->cmd != NULL; sub++) {
		if (sub->cmd->opts == NULL)
			continue;
		buf_printf(b, "\n\t%s.%s)\n\t\topts=\"", e->name, sub->name);
		cmd_completion_options(b, sub->cmd->opts);
		buf_puts(b, "\" ;;");
	}
}

/* Prints a case with the subcommands that one has, if any. */
static void
cmd_completion_subs(struct buf *b, const struct cmd_entry *e)
{
	const struct cmd_entry *sub = e->cmd->subs;

	if (sub == NULL)
		return;
	buf_printf(b, "\n\t%s)\n\t\twords=\"", e->name);
	for (; sub->cmd != NULL; sub++)
		buf_printf(b, " %s", sub->name);
	buf_puts(b, "\" ;;");
}

/* Prints what a mark in the script stands for (texts.h). */
static void
cmd_completion_mark(
    struct buf *b, const struct cmd_entry *all, const char *mark)
{
	const char *separator = "";
	const struct opt_def *d;

	if (strcmp(mark, "globals") == 0)
		cmd_completion_options(b, cmds_globals);
	for (; all->cmd != NULL; all++) {
		d = all->cmd->opts;
		if (strcmp(mark, "names") == 0) {
			buf_printf(b, " %s", all->name);
		} else if (strcmp(mark, "cases") == 0 && d != NULL) {
			buf_printf(b, "\n\t%s)\n\t\topts=\"", all->name);
			cmd_completion_options(b, d);
			buf_puts(b, "\" ;;");
		} else if (strcmp(mark, "files") == 0) {
			for (; d != NULL && d->name != NULL; d++) {
				if (d->arg == NULL ||
				    strncmp(d->arg, "FILE", 4) != 0)
					continue;
				buf_printf(b, "%s--%s", separator, d->name);
				separator = "|";
			}
		} else if (strcmp(mark, "words") == 0) {
			cmd_completion_words(b, all);
		} else if (strcmp(mark, "subcases") == 0) {
			cmd_completion_subcases(b, all);
		} else if (strcmp(mark, "subs") == 0) {
			cmd_completion_subs(b, all);
		} else if (strstr(all->args, mark) != NULL) {
			buf_printf(b, "%s%s", separator, all->name);
			separator = "|";
		}
	}
}

/* Prints the script for a shell. */
static int
cmd_completion_run(struct cmd_ctx *cx)
{
	const char *at = texts_completion, *mark;
	struct buf b;
	char *name;

	if (strcmp(cmd_arg(cx, 0), "bash") != 0) {
		out_error("there is no completion for '%s', only for bash",
		    cmd_arg(cx, 0));
		return (EX_USAGE);
	}
	buf_init(&b, 0);
	for (; (mark = strchr(at, '%')) != NULL; at = mark) {
		buf_add(&b, at, (size_t)(mark - at));
		name = xalloc_strn(mark + 1, strcspn(mark + 1, "%"));
		cmd_completion_mark(&b, cx->all, name);
		mark += strlen(name) + 2;
		free(name);
	}
	buf_puts(&b, at);
	out_bytes(&cx->out, buf_str(&b), b.len);
	buf_clear(&b);
	return (EX_OK);
}

const struct cmd cmd_completion = {
    .min_args = 1,
    .max_args = 1,
    .run = cmd_completion_run,
};
