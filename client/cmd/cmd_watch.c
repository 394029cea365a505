/* SPDX-License-Identifier: ISC */
/* umpire watch: tells the lines of games, or the lobby, as they come. */
#include <stdio.h>
#include <sysexits.h>

#include "client/cmd/cmds.h"
#include "client/net/link.h"
#include "client/play/play.h"
#include "client/play/watch.h"
#include "client/profile/profile.h"
#include "client/replica/replica.h"
#include "client/report/report.h"
#include "client/tournament/desk_watch.h"
#include "common/game/game.h"

/* Watches one game. */
static int
cmd_watch_game(struct cmd_ctx *cx)
{
	struct report *rp;
	struct watch *w;
	struct play *pl;
	bool is_all;
	int status;

	status = play_open(cx, cmd_arg(cx, 0), PLAY_ONLINE, &pl);
	if (status != 0)
		return (status);
	is_all = opt_has(&cx->opts, "all");
	if (!cx->out.is_json) {
		rp = report_new(&cx->out, replica_battle(pl->copy));
		report_heading(rp, pl->name);
		report_free(rp);
	}
	if (out_can_ask() && !game_is_finished(play_game(pl)))
		out_note("Watching from line %lld on; Ctrl-C ends it.",
		    (long long)pl->copy->n);
	(void)fflush(cx->out.f); /* cmds_main() looks at the stream's state */
	w = watch_new(cx, pl->p, play_take_link(pl), WATCH_GAME);
	watch_add(w, pl, is_all ? 0 : pl->copy->n);
	status = watch_run(w);
	watch_free(w);
	return (status);
}

/* Watches all of our own games, or the lobby. */
static int
cmd_watch_many(struct cmd_ctx *cx, enum watch_what what)
{
	struct conn_error ce;
	struct link *l = NULL;
	struct profile *p;
	struct watch *w;
	int status;

	if ((status = play_profile(cx, &p)) != 0)
		return (status);
	if ((status = link_open(cx, p, &l)) != 0)
		goto out;
	if (what == WATCH_MINE) {
		status = link_login(l);
	} else if (p->account != NULL && profile_exists(p) &&
	    link_try_login(l, &ce) != 0) {
		/* Whoever cannot log in sees what everybody sees. */
		conn_error_clear(&ce);
	}
	if (status == 0) {
		w = watch_new(cx, p, l, what);
		l = NULL;
		status = watch_run(w);
		watch_free(w);
	}
out:
	link_close(l);
	profile_free(p);
	return (status);
}

/* Does the unattended parts of a tournament, or of all. */
static int
cmd_watch_tournament(struct cmd_ctx *cx, int64_t wait_s)
{
	const struct opt_set *set = &cx->opts;
	const struct desk_watch_does does = {
	    opt_has(set, "check-in"), opt_has(set, "direct"), wait_s};

	if (opt_has(set, "all") || opt_has(set, "lobby") ||
	    opt_has(set, "answer") || opt_has(set, "answer-declarations"))
		return (cmd_usage(cx,
		    "--tournament goes with --check-in, --direct and --wait "
		    "alone"));
	return (desk_watch(cx, cmd_arg(cx, 0), &does));
}

/* Watches what the words say. */
static int
cmd_watch_run(struct cmd_ctx *cx)
{
	const struct opt_set *set = &cx->opts;
	const bool is_lobby = opt_has(set, "lobby");
	int64_t n = -1;

	if (opt_has(set, "wait") &&
	    !opt_number(opt_get(set, "wait"), 0, INT32_MAX, &n))
		return (cmd_usage(cx, "--wait takes a number of seconds"));
	if (opt_has(set, "tournament"))
		return (cmd_watch_tournament(cx, n));
	if (opt_has(set, "check-in") || opt_has(set, "direct"))
		return (cmd_usage(
		    cx, "--check-in and --direct go with --tournament"));
	if (is_lobby &&
	    (cmd_arg(cx, 0) != NULL || opt_has(set, "all") ||
		opt_has(set, "answer") || opt_has(set, "answer-declarations")))
		return (cmd_usage(cx,
		    "--lobby takes no GAME, and no other option but "
		    "--wait and --quiet"));
	if (cmd_arg(cx, 0) != NULL)
		return (cmd_watch_game(cx));
	return (cmd_watch_many(cx, is_lobby ? WATCH_LOBBY : WATCH_MINE));
}

static const struct opt_def cmd_watch_opts[] = {
    {"all", 0, NULL, false, "tell the lines so far first"},
    {"lobby", 0, NULL, false, "tell of games opened, joined, begun or ended"},
    {"tournament", 0, NULL, false, "do what needs nobody in tournaments"},
    {"check-in", 0, NULL, false, "there: check in, too"},
    {"direct", 0, NULL, false,
	"there: as a director shut, start, pair, finish"},
    {"wait", 0, "SECONDS", false, "end if a connection is lost for so long"},
    {"quiet", 0, NULL, false, "no bell when something is yours to do"},
    {"answer", 0, NULL, false, "agree where there is nothing to decide"},
    {"answer-declarations", 0, NULL, false, "agree to declarations, too"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_watch = {
    .opts = cmd_watch_opts,
    .min_args = 0,
    .max_args = 1,
    .run = cmd_watch_run,
};
