/* SPDX-License-Identifier: ISC */
/*
 * A subcommand: what it is, in one table entry at the end of its file, and what
 * it runs with.  It prints its own errors and returns an exit status of
 * <sysexits.h>.
 */
#ifndef UMPIRE_CLIENT_UI_CMD_H
#define UMPIRE_CLIENT_UI_CMD_H

#include <stdbool.h>

#include <jansson.h>

#include "client/base/out.h"
#include "client/ui/opt.h"
#include "client/ui/out_terminal.h"
#include "common/base/err.h"

#define CMD_UNCHECKED 2 /* `verify`: not checkable here */
#define CMD_DROPPED 130 /* Ctrl-C at a question: what a shell says of it */

struct action;
struct ask_io;
struct buf;
struct cmd;
struct cmd_entry;
struct play;

/* What a subcommand about one game needs (client/play/play.h). */
enum play_need {
	PLAY_READ, /* our own copy will do if the server is away */
	PLAY_ONLINE, /* the server is needed */
	PLAY_ORDER, /* and a seat in the game, and a login */
	PLAY_SEND, /* to send the order that waits, seat or not */
};

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
	bool has_proof; /* against the server, about a game beside the one
			 * that the subcommand is about: it ends with 76 */
	bool is_plain; /* no colours, whatever the subcommand says */
	const struct ask_io *io; /* inside `umpire play`, which asks and tells
				  * what comes of orders; NULL elsewhere */
	struct play *table; /* the game that is open there, borrowed; NULL */
	/*
	 * There: asks for what an action lacks, and before what cannot be
	 * undone.  0 to go on, or an exit status.
	 */
	int (*may)(void *arg, const struct cmd *cmd, struct action *a);
	void *may_arg;
	/*
	 * There: set when whoever was to confirm goes back instead, where that
	 * leads to the questions before it; NULL: going back means no.
	 */
	bool *went_back;
	struct opt_set opts; /* of the subcommand */
	const struct cmd_entry *cmd; /* NULL: none was found */
	enum play_need need; /* the subcommand's; its parse may lower it */
	const struct cmd_entry *all; /* the subcommands */
	const struct cmd_entry *outer; /* whose subcommand cmd is; NULL */
};

/*
 * A word that may stand where a subcommand otherwise has a game, with FILE and
 * perhaps more after it; a table of them ends with name NULL.
 */
struct cmd_word {
	const char *name;
	int max_args; /* the word among them */
	int (*run)(struct cmd_ctx *cx);
};

struct cmd {
	/*
	 * Subcommands of its own, one of which follows; the rest is zero then.
	 * NULL: none.
	 */
	const struct cmd_entry *subs;
	const struct cmd_word *words; /* NULL: none */
	const struct opt_def *opts; /* of its own; NULL: none */
	int min_args;
	int max_args; /* -1: any number */
	int (*run)(struct cmd_ctx *cx);
	/*
	 * In its place, where operand 0 is a game, which is opened in that
	 * way: what is done with it.  parse (NULL: there is nothing) makes an
	 * action, which is zero but for seq, -1, of its words before that;
	 * where they only look, it lowers cx->need.  Each prints what fails;
	 * 0, or an exit status.
	 */
	enum play_need need;
	int (*parse)(struct cmd_ctx *cx, struct action *a);
	int (*play)(struct play *pl, const struct action *a);
};

/* A subcommand in the table of all, which NULL as cmd ends: its words. */
struct cmd_entry {
	const struct cmd *cmd;
	const char *name;
	const char *args; /* "GAME FILE" */
	const char *what; /* one line for people */
	const char *more; /* what `help` says before the options; or "" */
	const char *examples; /* lines; each a command */
};

/* Finds a word that a subcommand has; NULL if s is none. */
const struct cmd_word *cmd_word_find(const struct cmd *cmd, const char *s);

/* True if somebody can be asked: at a terminal, or inside `umpire play`. */
bool cmd_can_ask(const struct cmd_ctx *cx);

/* Asks somebody who can be asked; going back, or away, means no. */
bool cmd_ask(const struct cmd_ctx *cx, const char *question);

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

/*
 * The same for what is wrong with a server's answer, whose members nobody has
 * typed; returns EX_UNAVAILABLE.
 */
int cmd_fail_answer(const struct errinfo *e);
int cmd_fail_in(const char *path, int r, const struct errinfo *e);

/*
 * True if a file, read as root, that should be a roster holds a combat; says
 * so, and what to do with it.
 */
bool cmd_is_combat(const char *path, const json_t *root);

/*
 * True if a file, read as root, that should be a combat holds rosters; says
 * so, and what to do with it.
 */
bool cmd_is_roster(const char *path, const json_t *root);

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

/*
 * Asks before a file that exists is written over: 0 to go on, else
 * EX_CANTCREAT.  --yes answers; without it and without a terminal it is
 * refused, and so is a folder.
 */
int cmd_may_replace(const struct cmd_ctx *cx, const char *path);

/* " --profile NAME" for commands that are shown, "" without the option. */
char *cmd_profile_words(const struct cmd_ctx *cx);

/*
 * Reads a file of JSON ("-": standard input) of at most max bytes; prints
 * what is wrong with it.  0, or an exit status; *out is new.
 */
int cmd_read_json(const char *path, size_t max, json_t **out);

/* The same with what was read of the file before. */
int cmd_take_json(const char *path, struct buf *b, json_t **out);

#endif
