/* SPDX-License-Identifier: ISC */
/* umpire watch: tells a game's lines as they come. */
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "client/agree.h"
#include "client/cmds.h"
#include "client/commit.h"
#include "client/copy.h"
#include "client/link.h"
#include "client/play.h"
#include "client/report.h"
#include "client/send.h"
#include "client/xalloc.h"
#include "common/game/game.h"
#include "common/js.h"

#define CMD_WATCH_TRIES 8
#define CMD_WATCH_FIRST_MS 250 /* first pause; each later one is twice it */

/* Asks for notices from the line after our last one. */
static int
cmd_watch_ask(struct play *pl)
{
	struct conn_error ce;
	json_t *params, *result;
	int status = 0;

	params = xalloc_json(json_object());
	xalloc_set(params, "game", js_hex(game_id(play_game(pl)), HASH_LEN));
	xalloc_set(params, "after", json_integer(pl->copy->n - 1));
	if (link_call(pl->link, "game.watch", params, &result, &ce) != 0) {
		status = link_fail(&ce);
		conn_error_clear(&ce);
		return (status);
	}
	json_decref(result);
	return (0);
}

/* Prints what has come since line `from`. */
static void
cmd_watch_tell(struct play *pl, struct report *rp, int64_t from)
{
	struct out *o = &pl->cx->out;
	const json_t *v;
	json_t *list;
	size_t i;

	if (from >= pl->copy->n)
		return;
	if (o->is_json) {
		list = xalloc_json(json_array());
		report_lines(rp, from, pl->copy->n - 1, 0, list);
		json_array_foreach(list, i, v) out_json(o, xalloc_copy(v));
		json_decref(list);
	} else {
		report_lines(rp, from, pl->copy->n - 1, 0, NULL);
	}
	(void)fflush(o->f); /* cmd_main() looks at the stream's state */
}

/* After a lost connection: tries to come back, with longer pauses. */
static int
cmd_watch_again(struct play *pl, const struct errinfo *why)
{
	unsigned pause_ms = CMD_WATCH_FIRST_MS;
	struct errinfo e = *why;
	int i, r = ERR_CLOSED;

	out_note("%s; connecting again ...", why->text);
	for (i = 0; i < CMD_WATCH_TRIES; i++) {
		(void)usleep(pause_ms * 1000);
		pause_ms *= 2;
		if ((r = link_again(pl->link, &e)) == 0)
			return (0);
		if (r == ERR_SERVER)
			break;
	}
	return (cmd_fail(r, &e));
}

/*
 * Opens a secret choice of ours that waits for it.  What fails is told once
 * and not tried again: whoever watches goes on watching.
 */
static int
cmd_watch_open(struct play *pl, bool *may_open)
{
	struct errinfo e = {.text = "the connection is lost"};
	int64_t seq;
	int status;

	if (!*may_open || !commit_is_due(pl))
		return (0);
	*may_open = link_login(pl->link) == 0 && commit_open(pl, &seq) == 0;
	/* Sending may have needed a new connection, which is not watched. */
	if (pl->link->conn == NULL && (status = cmd_watch_again(pl, &e)) != 0)
		return (status);
	return (cmd_watch_ask(pl));
}

/*
 * Agrees to what waits for our seat, as far as the options say so.  What
 * fails is told once and not tried again, as with opening.
 */
static int
cmd_watch_answer(struct play *pl, bool *may_answer)
{
	const struct opt_set *set = &pl->cx->opts;
	struct errinfo e = {.text = "the connection is lost"};
	enum order_kind kind;
	int64_t seq, to;
	int status;

	if (!*may_answer || !agree_is_owed(pl, &to, &kind) ||
	    (agree_is_open(kind) && !opt_has(set, "answer-declarations")))
		return (0);
	*may_answer = link_login(pl->link) == 0 &&
	    agree_send(pl, to, true, NULL, &seq) == 0;
	if (*may_answer)
		out_note("You agreed to line %lld (%s), by line %lld.",
		    (long long)to, order_kind_name(kind), (long long)seq);
	/* As after opening: the connection may be another one. */
	if (pl->link->conn == NULL && (status = cmd_watch_again(pl, &e)) != 0)
		return (status);
	return (cmd_watch_ask(pl));
}

/* Does what is ours to do unattended; one leads to the other. */
static int
cmd_watch_act(struct play *pl, bool *may_open, bool *may_answer)
{
	int64_t n;
	int status;

	do {
		n = pl->copy->n;
		if ((status = cmd_watch_answer(pl, may_answer)) != 0 ||
		    (status = cmd_watch_open(pl, may_open)) != 0)
			return (status);
	} while (pl->copy->n > n && !game_is_finished(play_game(pl)));
	return (0);
}

/* Waits for notices and tells the lines, until the game is finished. */
static int
cmd_watch_loop(struct play *pl, struct report *rp)
{
	struct errinfo e = {.text = ""};
	bool may_open = true;
	bool may_answer = opt_has(&pl->cx->opts, "answer") ||
	    opt_has(&pl->cx->opts, "answer-declarations");
	char method[64];
	json_t *params;
	int64_t from;
	int r, status;

	if ((status = cmd_watch_ask(pl)) != 0)
		return (status);
	from = pl->copy->n;
	if ((status = cmd_watch_act(pl, &may_open, &may_answer)) != 0)
		return (status);
	cmd_watch_tell(pl, rp, from);
	while (!game_is_finished(play_game(pl)) && ferror(pl->cx->out.f) == 0) {
		r = conn_notice(pl->link->conn, -1, method, &params, &e);
		if (r == 0) {
			json_decref(params);
		} else {
			if ((status = cmd_watch_again(pl, &e)) != 0 ||
			    (status = cmd_watch_ask(pl)) != 0)
				return (status);
		}
		from = pl->copy->n;
		/*
		 * The lines are fetched and checked like any others: a notice
		 * only says that there are some.
		 */
		if ((status = play_sync(pl)) != 0)
			return (status);
		if ((status = cmd_watch_act(pl, &may_open, &may_answer)) != 0)
			return (status);
		cmd_watch_tell(pl, rp, from);
		if (r == 0 && pl->copy->n > from)
			send_check_clock(pl->copy, pl->copy->n - 1);
	}
	return (EX_OK);
}

/* Watches a game. */
static int
cmd_watch_run(struct cmd_ctx *cx)
{
	struct report *rp;
	struct play *pl;
	int64_t from;
	int status;

	status = play_open(cx, cmd_arg(cx, 0), PLAY_ONLINE, &pl);
	if (status != 0)
		return (status);
	rp = report_new(&cx->out, pl->copy);
	if (!cx->out.is_json)
		report_heading(rp, pl->name);
	from = opt_has(&cx->opts, "all") ? 0 : pl->copy->n;
	report_lines(rp, pl->copy->n, pl->copy->n - 1, 0, NULL);
	if (from == 0) {
		report_free(rp);
		rp = report_new(&cx->out, pl->copy);
		cmd_watch_tell(pl, rp, 0);
	}
	if (out_can_ask() && !game_is_finished(play_game(pl)))
		out_note("Watching from line %lld on; Ctrl-C ends it.",
		    (long long)pl->copy->n);
	(void)fflush(cx->out.f); /* cmd_main() looks at the stream's state */
	status = cmd_watch_loop(pl, rp);
	report_free(rp);
	play_close(pl);
	return (status);
}

static const struct opt_def cmd_watch_opts[] = {
    {"all", 0, NULL, false, "tell the lines so far first"},
    {"answer", 0, NULL, false, "agree to what leaves nothing to agree"},
    {"answer-declarations", 0, NULL, false, "agree to declarations, too"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_watch = {
    .name = "watch",
    .args = "GAME",
    .what = "tell a game's lines as they come",
    .opts = cmd_watch_opts,
    .min_args = 1,
    .max_args = 1,
    .more = "Ends when the game is finished, or with Ctrl-C. With --json each "
	    "line is one\n"
	    "object.  After a lost connection it connects again for about a "
	    "minute.  A\n"
	    "secret choice of yours that waits to be opened is opened.\n"
	    "\n"
	    "With --answer it agrees for you, unattended, to what leaves "
	    "nothing to agree:\n"
	    "decisions, upkeep and free dice of a game with live-1 dice.  "
	    "Declarations are\n"
	    "left to you unless you say --answer-declarations.  It says what "
	    "it agreed to.\n",
    .examples = "  umpire watch evening\n"
		"  umpire watch evening --answer\n",
    .run = cmd_watch_run,
};
