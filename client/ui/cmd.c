/* SPDX-License-Identifier: ISC */
/*
 * What all subcommands need: their words, saying what failed, asking before the
 * irreversible.
 */
#include "client/ui/cmd.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/place.h"
#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/profile/file.h"
#include "client/ui/ask.h"
#include "common/base/buf.h"
#include "common/json/js.h"
#include "common/json/js_place.h"

const struct cmd_word *
cmd_word_find(const struct cmd *cmd, const char *s)
{
	const struct cmd_word *w = cmd->words;

	for (; w != NULL && w->name != NULL; w++) {
		if (strcmp(w->name, s) == 0)
			return (w);
	}
	return (NULL);
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
	/* Unsigned data accuse nobody: no EX_PROTOCOL here. */
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
	case ERR_RECOVERING:
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
cmd_fail_answer(const struct errinfo *e)
{
	out_error("the server's answer makes no sense: %s%s%s", e->where,
	    e->where[0] == '\0' ? "" : ": ", e->text);
	return (EX_UNAVAILABLE);
}

int
cmd_fail_in(const char *path, int r, const struct errinfo *e)
{
	char *s = place_in_file(path, r, e);

	out_error("%s", s);
	free(s);
	return (cmd_status(r));
}

/* A file in a command that is there to be copied; free(). */
static char *
cmd_file_word(const char *path)
{
	/* What was read once is not there a second time. */
	return (strcmp(path, "-") == 0 ? xalloc_str("FILE") : text_shell(path));
}

bool
cmd_is_combat(const char *path, const json_t *root)
{
	char *name, *word;

	if (json_object_get(root, "combat") == NULL)
		return (false);
	name = place_file(path);
	out_error("%s holds a combat, not a roster", name);
	free(name);
	word = cmd_file_word(path);
	/* A declaration leaves the system to its game. */
	if (json_object_get(root, "system") == NULL)
		out_note(
		    "In a game it is declared: umpire declare GAME %s", word);
	else
		out_note(
		    "It is settled without a game: umpire resolve %s", word);
	free(word);
	out_note("A roster holds both sides' units; samples are in " PKGDATADIR
		 "/samples.");
	return (true);
}

bool
cmd_is_roster(const char *path, const json_t *root)
{
	char *name, *word;

	if (json_object_get(root, "sides") == NULL ||
	    json_object_get(root, "combat") != NULL)
		return (false);
	name = place_file(path);
	out_error("%s is a roster, not a combat", name);
	free(name);
	word = cmd_file_word(path);
	out_note("umpire roster show %s prints it.", word);
	out_note("umpire new --roster %s opens a game with it.", word);
	out_note(
	    "Combats to try are in " PKGDATADIR "/samples: *-scenario.json.");
	free(word);
	return (true);
}

int
cmd_usage(const struct cmd_ctx *cx, const char *fmt, ...)
{
	const char *outer = cx->outer == NULL ? "" : cx->outer->name;
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
		out_note("usage: umpire %s%s%s%s%s  (more: umpire help %s%s%s)",
		    outer, *outer == '\0' ? "" : " ", cx->cmd->name,
		    *cx->cmd->args == '\0' ? "" : " ", cx->cmd->args, outer,
		    *outer == '\0' ? "" : " ", cx->cmd->name);
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

bool
cmd_ask(const struct cmd_ctx *cx, const char *question)
{
	bool is_yes = false;

	if (cx->io == NULL)
		return (out_ask("%s", question));
	return (ask_yes(cx->io, question, 0, &is_yes) == 0 && is_yes);
}

int
cmd_confirm_as(
    const struct cmd_ctx *cx, const char *question, const char *without)
{
	bool is_yes = false;
	int r;

	if (cx->is_sure)
		return (0);
	if (!cmd_can_ask(cx))
		return (cmd_usage(cx, "%s", without));
	if (cx->io == NULL || cx->went_back == NULL) {
		is_yes = cmd_ask(cx, question);
	} else {
		r = ask_yes(cx->io, question, 0, &is_yes);
		*cx->went_back = r == ASK_BACK;
		if (*cx->went_back)
			return (EX_USAGE);
		is_yes = r == 0 && is_yes;
	}
	if (is_yes)
		return (0);
	out_error("nothing was sent");
	return (EX_USAGE);
}

int
cmd_may_replace(const struct cmd_ctx *cx, const char *path)
{
	bool is_sure = false;
	char *question;

	if (file_is_folder(path)) {
		out_error(
		    "'%s' is a folder: name a file in it, or another file",
		    path);
		return (EX_CANTCREAT);
	}
	if (cx->is_sure || !file_exists(path))
		return (0);
	if (!cmd_can_ask(cx)) {
		out_error(
		    "'%s' already exists: add --yes to overwrite it", path);
		return (EX_CANTCREAT);
	}
	question = xalloc_printf("'%s' already exists.  Overwrite it?", path);
	/* Going back, or away, means no. */
	if (cx->io == NULL)
		is_sure = out_ask("%s", question);
	else if (ask_yes(cx->io, question, 0, &is_sure) != 0)
		is_sure = false;
	free(question);
	if (is_sure)
		return (0);
	out_error("nothing was written");
	return (EX_CANTCREAT);
}

char *
cmd_profile_words(const struct cmd_ctx *cx)
{
	if (cx->profile == NULL)
		return (xalloc_str(""));
	return (xalloc_printf(" --profile %s", cx->profile));
}

int
cmd_take_json(const char *path, struct buf *b, json_t **out)
{
	struct errinfo e = {.text = ""};
	struct js_place place;
	char *name;

	if (js_load(buf_str(b), b->len, JS_DEPTH_RECORD, out, &e) == 0)
		return (0);
	js_place_find(buf_str(b), b->len, &e, false, &place);
	name = place_file(path);
	out_error("%s is not the JSON that is needed: %s (line %zu, "
		  "column %zu)",
	    name, e.text, place.line, place.column);
	free(name);
	return (EX_DATAERR);
}

int
cmd_read_json(const char *path, size_t max, json_t **out)
{
	struct errinfo e = {.text = ""};
	struct buf b;
	int r, status;

	buf_init(&b, 0);
	if ((r = file_read(path, max, &b, &e)) == 0)
		status = cmd_take_json(path, &b, out);
	else
		status = cmd_fail(r == ERR_IO ? ERR_NOTFOUND : r, &e);
	buf_clear(&b);
	return (status);
}
