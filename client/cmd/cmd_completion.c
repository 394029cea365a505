/* SPDX-License-Identifier: ISC */
/* umpire completion: shell completion, made from the table of subcommands. */
#include <string.h>
#include <sysexits.h>

#include "client/cmd/cmds.h"
#include "common/base/buf.h"

/* Prints " --a --b" for a table of options. */
static void
cmd_completion_options(struct buf *b, const struct opt_def *d)
{
	for (; d->name != NULL; d++)
		buf_printf(b, " --%s", d->name);
}

/* Prints "--a|--b" for the options whose value is a file. */
static void
cmd_completion_files(struct buf *b, const struct cmd_entry *all)
{
	const struct cmd_entry *e;
	const struct opt_def *d;
	bool is_first = true;

	for (e = all; e->cmd != NULL; e++) {
		for (d = e->cmd->opts; d->name != NULL; d++) {
			if (d->arg == NULL || strncmp(d->arg, "FILE", 4) != 0)
				continue;
			buf_printf(b, "%s--%s", is_first ? "" : "|", d->name);
			is_first = false;
		}
	}
}

/* Prints the names of the subcommands whose operands hold a word. */
static void
cmd_completion_names(
    struct buf *b, const struct cmd_entry *all, const char *word)
{
	const struct cmd_entry *e;
	bool is_first = true;

	for (e = all; e->cmd != NULL; e++) {
		if (strstr(e->cmd->args, word) == NULL)
			continue;
		buf_printf(b, "%s%s", is_first ? "" : "|", e->cmd->name);
		is_first = false;
	}
}

/* Prints the case of each subcommand's options. */
static void
cmd_completion_cases(struct buf *b, const struct cmd_entry *all)
{
	const struct cmd_entry *e;

	for (e = all; e->cmd != NULL; e++) {
		if (e->cmd->opts[0].name == NULL)
			continue;
		buf_printf(b, "\t%s)\n\t\topts=\"", e->cmd->name);
		cmd_completion_options(b, e->cmd->opts);
		buf_puts(b, "\" ;;\n");
	}
}

/* What stands before the list of options that every subcommand takes. */
static const char cmd_completion_head[] =
    "# bash completion for umpire(1); `umpire completion bash` prints it.\n"
    "# shellcheck shell=bash\n"
    "_umpire_games()\n{\n"
    "\tlocal dir=${XDG_DATA_HOME:-$HOME/.local/share}/umpire\n"
    "\tcut -d' ' -f1 \"$dir/${1:-${UMPIRE_PROFILE:-default}}/names\" "
    "2>/dev/null\n"
    "}\n\n"
    "_umpire()\n{\n"
    "\tlocal cur=${COMP_WORDS[COMP_CWORD]}\n"
    "\tlocal prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
    "\tlocal sub='' profile='' opts='' n=0 i\n"
    "\tlocal globals=\"";

/* What finds the subcommand and the number of its operands. */
static const char cmd_completion_words[] =
    "\"\n\n"
    "\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
    "\t\tcase ${COMP_WORDS[i]} in\n"
    "\t\t--profile) profile=${COMP_WORDS[++i]} ;;\n"
    "\t\t-*) ;;\n"
    "\t\t*)\n"
    "\t\t\tif [ -z \"$sub\" ]; then\n"
    "\t\t\t\tsub=${COMP_WORDS[i]}\n"
    "\t\t\telse\n"
    "\t\t\t\tn=$((n + 1))\n"
    "\t\t\tfi ;;\n"
    "\t\tesac\n"
    "\tdone\n"
    "\tCOMPREPLY=()\n"
    "\tcase $prev in\n\t";

/* What completes options, after the case that sets them. */
static const char cmd_completion_dashes[] =
    "\tesac\n"
    "\tif [[ $cur == -* ]]; then\n"
    "\t\tmapfile -t COMPREPLY < <(compgen -W \"$opts $globals\" \\\n"
    "\t\t\t-- \"$cur\")\n"
    "\t\treturn\n"
    "\tfi\n"
    "\tcase $sub in\n"
    "\t'' | help)\n"
    "\t\tmapfile -t COMPREPLY < <(compgen -W \"help";

/* Prints the script for bash. */
static void
cmd_completion_bash(struct buf *b, const struct cmd_entry *all)
{
	const struct cmd_entry *e;

	buf_puts(b, cmd_completion_head);
	cmd_completion_options(b, cmds_globals);
	buf_puts(b, cmd_completion_words);
	cmd_completion_files(b, all);
	buf_puts(b,
	    ")\n"
	    "\t\tmapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
	    "\t\treturn ;;\n"
	    "\tesac\n"
	    "\tcase $sub in\n");
	cmd_completion_cases(b, all);
	buf_puts(b, cmd_completion_dashes);
	for (e = all; e->cmd != NULL; e++)
		buf_printf(b, " %s", e->cmd->name);
	buf_puts(b, "\" \\\n\t\t\t-- \"$cur\") ;;\n\t");
	cmd_completion_names(b, all, "GAME");
	buf_puts(b,
	    ")\n"
	    "\t\t[ \"$n\" -ne 0 ] ||\n"
	    "\t\t\tmapfile -t COMPREPLY < <(compgen -W \\\n"
	    "\t\t\t\t\"$(_umpire_games \"$profile\")\" -- "
	    "\"$cur\") ;;\n"
	    "\tesac\n"
	    "\tcase $sub in\n\t");
	cmd_completion_names(b, all, "FILE");
	buf_puts(b,
	    ")\n"
	    "\t\tmapfile -t -O ${#COMPREPLY[@]} COMPREPLY \\\n"
	    "\t\t\t< <(compgen -f -- \"$cur\") ;;\n"
	    "\tesac\n"
	    "}\n\n"
	    "complete -o filenames -F _umpire umpire\n");
}

/* Prints the script for a shell. */
static int
cmd_completion_run(struct cmd_ctx *cx)
{
	struct buf b;

	if (strcmp(cmd_arg(cx, 0), "bash") != 0) {
		out_error("there is no completion for '%s', only for bash",
		    cmd_arg(cx, 0));
		return (EX_USAGE);
	}
	buf_init(&b, 0);
	cmd_completion_bash(&b, cx->all);
	out_bytes(&cx->out, buf_str(&b), b.len);
	buf_clear(&b);
	return (EX_OK);
}

const struct cmd cmd_completion = {
    .name = "completion",
    .args = "bash",
    .what = "print the completion script for a shell",
    .opts = cmd_no_options,
    .min_args = 1,
    .max_args = 1,
    .run = cmd_completion_run,
};
