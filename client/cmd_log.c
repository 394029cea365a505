/* SPDX-License-Identifier: ISC */
/* umpire log: what happened in a game, for people. */
#include <stdint.h>
#include <sysexits.h>

#include "client/agreed.h"
#include "client/cmds.h"
#include "client/copy.h"
#include "client/play.h"
#include "client/report.h"
#include "client/xalloc.h"

/* Prints all lines, or those of one combat. */
static int
cmd_log_run(struct cmd_ctx *cx)
{
	const char *s = opt_get(&cx->opts, "combat");
	int64_t combat = 0;
	struct report *rp;
	struct play *pl;
	json_t *list = NULL;
	int status;

	if (s != NULL && !opt_number(s, 1, INT32_MAX, &combat))
		return (cmd_usage(cx, "--combat wants a number from 1 on"));
	if (s != NULL && opt_has(&cx->opts, "by-agreement"))
		return (cmd_usage(
		    cx, "--combat and --by-agreement do not go together"));
	status = play_open(cx, cmd_arg(cx, 0), PLAY_READ, &pl);
	if (status != 0)
		return (status);
	if (opt_has(&cx->opts, "by-agreement")) {
		agreed_list(pl);
		play_close(pl);
		return (EX_OK);
	}
	rp = report_new(&cx->out, pl->copy);
	if (cx->out.is_json)
		list = xalloc_json(json_array());
	else if (combat == 0)
		report_heading(rp, pl->name);
	report_lines(rp, 0, pl->copy->n - 1, (int)combat, list);
	if (combat > report_combats(rp)) {
		out_error("there is no combat %lld; this game has had %d",
		    (long long)combat, report_combats(rp));
		status = EX_DATAERR;
		json_decref(list);
	} else if (list != NULL) {
		out_json(&cx->out, list);
	}
	report_free(rp);
	play_close(pl);
	return (status);
}

static const struct opt_def cmd_log_opts[] = {
    {"combat", 0, "N", false, "only the game's combat number N"},
    {"by-agreement", 0, NULL, false, "what was changed by agreement"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_log = {
    .name = "log",
    .args = "GAME",
    .what = "tell what happened: combats with all modifiers, chats",
    .opts = cmd_log_opts,
    .min_args = 1,
    .max_args = 1,
    .more = "Each combat stands with its facts, its dice and one line per "
	    "modifier and its\n"
	    "reason, so that you can redo it by hand.  Times are local.  With "
	    "--by-agreement\n"
	    "it lists changes that were proposed, asked for or ruled, and how "
	    "each ended.\n",
    .examples = "  umpire log evening\n"
		"  umpire log evening --combat 2\n"
		"  umpire log evening --by-agreement\n",
    .run = cmd_log_run,
};
