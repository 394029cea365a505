/* SPDX-License-Identifier: ISC */
/*
 * Subcommands: what each is, in one table entry at the end of its file, and
 * what they share.  A subcommand prints its own errors and returns an exit
 * status of <sysexits.h>.
 */
#ifndef UMPIRE_CLIENT_UI_CMD_H
#define UMPIRE_CLIENT_UI_CMD_H

#include <stdbool.h>

#include <jansson.h>

#include "client/base/out.h"
#include "client/ui/ask_list.h"
#include "client/ui/opt.h"
#include "common/base/err.h"

#define CMD_UNCHECKED 2 /* `verify`: not checkable here */

struct ask_io;

/* What a run of the program knows. */
struct cmd_ctx {
	struct out out;
	const char *profile; /* --profile; NULL if not given */
	bool may_trust; /* --trust */
	bool is_sure; /* --yes */
	bool is_offline; /* --offline */
	int offline; /* status of a connection that failed; 0: none */
	bool is_offline_told; /* the note that own copies are shown is out */
	bool is_lost_told; /* the note that the keys are missing is out */
	bool is_plain; /* no colours, whatever the subcommand says */
	const struct ask_io *io; /* inside `umpire play`, which asks and tells
				  * what comes of orders; NULL elsewhere */
	struct opt_set opts; /* of the subcommand */
	const struct cmd *cmd;
};

struct cmd {
	const char *name;
	const char *args; /* "GAME FILE" */
	const char *what; /* one line for people */
	const struct opt_def *opts;
	int min_args;
	int max_args; /* -1: any number */
	const char *more; /* a paragraph for `help`, 80 columns; or "" */
	const char *examples; /* lines; each a command */
	int (*run)(struct cmd_ctx *cx);
};

/* Options that every subcommand takes. */
extern const struct opt_def cmd_globals[];

/* No options of its own. */
extern const struct opt_def cmd_no_options[];

/* All subcommands in the order of the help text, ended by NULL. */
const struct cmd *const *cmd_all(void);

/* Finds a subcommand; NULL if there is none. */
const struct cmd *cmd_find(const char *name);

/* The subcommand that may be meant by a misspelt name; NULL if none. */
const struct cmd *cmd_suggest(const char *name);

/* Runs the program's command line and returns its exit status. */
int cmd_main(int argc, char **argv);

/* True if somebody can be asked: at a terminal, or inside `umpire play`. */
bool cmd_can_ask(const struct cmd_ctx *cx);

/*
 * Runs a command line, whose first word is the subcommand's name, inside of
 * `outer` and as its profile; it asks through io.  Returns its exit status.
 */
int cmd_inside(const struct cmd_ctx *outer, const struct ask_io *io, int argc,
    char **argv);

/* Operand number i of the command line; NULL if there are fewer. */
const char *cmd_arg(const struct cmd_ctx *cx, int i);

/* The words from operand i on, joined by spaces; free() frees it. */
char *cmd_words(const struct cmd_ctx *cx, int i);

/*
 * Prints what failed and returns the exit status for r.  Its place is told in
 * words, or, for what is wrong with a file ("-": standard input), as it
 * stands, so that it can be found there.
 */
int cmd_fail(int r, const struct errinfo *e);
int cmd_fail_in(const char *path, int r, const struct errinfo *e);

/* Prints a usage error, how to get help, and returns EX_USAGE. */
int cmd_usage(const struct cmd_ctx *cx, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Asks before something that cannot be taken back: 0 to go on.  Without
 * a terminal and without --yes it is refused with EX_USAGE.
 */
int cmd_confirm(const struct cmd_ctx *cx, const char *question);

/* The same; `without` is the refusal where nobody can be asked. */
int cmd_confirm_as(
    const struct cmd_ctx *cx, const char *question, const char *without);

/* " --profile NAME" for commands that are shown, "" without the option. */
char *cmd_profile_words(const struct cmd_ctx *cx);

/*
 * Reads a file of JSON ("-": standard input) of at most max bytes; prints
 * what is wrong with it.  0, or an exit status; *out is new.
 */
int cmd_read_json(const char *path, size_t max, json_t **out);

#endif
