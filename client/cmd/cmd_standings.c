/* SPDX-License-Identifier: ISC */
/*
 * umpire standings: who stands where in the tournament of a TRF file, and why.
 * It needs neither a profile nor a server.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/cmd/trffile.h"
#include "client/report/standings_view.h"
#include "client/tournament/standings_print.h"
#include "common/pairing/crosstable.h"
#include "common/pairing/standings.h"
#include "common/pairing/tiebreak.h"
#include "common/pairing/trf.h"

/* What the command line and the file ask for. */
struct cmd_standings {
	const struct trf *trf;
	struct tiebreak_in in;
	enum tiebreak ties[TIEBREAK_N];
	size_t n_ties;
	int player; /* --why: their index; -1 */
};

/* What a player is called. */
static const char *
cmd_standings_name(const void *arg, size_t player)
{
	const struct trf *t = arg;

	return (t->players[player].name);
}

/*
 * Reads tie-breaks, with commas between them; PTS, which comes first in any
 * case, may be among them.  Says what is wrong; 0 or -1.
 */
static int
cmd_standings_list(const struct cmd_ctx *cx, struct cmd_standings *st,
    const char *list, const char *where)
{
	enum tiebreak tie = TIEBREAK_N;
	const char *p = list;
	size_t i, len;

	for (st->n_ties = 0; *p != '\0'; p += strspn(p, ", ")) {
		len = strcspn(p, ", ");
		if (len == 3 && strncasecmp(p, "PTS", 3) == 0) {
			p += len;
			continue;
		}
		if (tiebreak_find(p, len, &tie) != 0) {
			(void)cmd_usage(cx,
			    "the tie-break \"%.*s\" of %s is not known here; "
			    "those that are: DE BH BH/C1 BH/C2 BH/M1 SB WIN "
			    "WON PS FB REP BPG",
			    (int)(len > 20 ? 20 : len), p, where);
			return (-1);
		}
		for (i = 0; i < st->n_ties; i++)
			if (st->ties[i] == tie) {
				(void)cmd_usage(cx,
				    "the tie-break %s is in %s twice",
				    tiebreak_def(tie)->code, where);
				return (-1);
			}
		st->ties[st->n_ties++] = tie;
		p += len;
	}
	return (0);
}

/* Decides the tie-breaks: those of the command line, of the file, or ours. */
static int
cmd_standings_ties(const struct cmd_ctx *cx, struct cmd_standings *st)
{
	const char *list = opt_get(&cx->opts, "ties");

	if (list != NULL)
		return (cmd_standings_list(cx, st, list, "--ties"));
	if ((list = trf_text(st->trf, "212")) != NULL)
		return (cmd_standings_list(cx, st, list, "line 212"));
	if ((list = trf_text(st->trf, "202")) != NULL)
		return (cmd_standings_list(cx, st, list, "line 202"));
	st->n_ties = standings_default(st->in.is_roundrobin, false, st->ties);
	return (0);
}

/* Decides what is shown; 0 or an exit status. */
static int
cmd_standings_options(const struct cmd_ctx *cx, struct cmd_standings *st)
{
	const char *round = opt_get(&cx->opts, "round");
	const char *type = trf_text(st->trf, "192");
	const char *why = opt_get(&cx->opts, "why");
	int64_t n = crosstable_paired(st->in.table), number;

	st->in.is_roundrobin = opt_has(&cx->opts, "round-robin") ||
	    (type != NULL && strstr(type, "ROUNDROBIN") != NULL);
	if (round != NULL && !opt_number(round, 0, n, &n))
		return (cmd_usage(cx,
		    "--round takes a round that is paired, 0 to %lld",
		    (long long)n));
	st->in.rounds = (int)n;
	st->player = -1;
	if (why != NULL) {
		if (!opt_number(why, 1, CROSSTABLE_PLAYERS_MAX, &number))
			return (cmd_usage(
			    cx, "--why takes the number of a player"));
		st->player = crosstable_find(st->in.table, (int)number);
		if (st->player < 0)
			return (cmd_usage(
			    cx, "there is no player %lld", (long long)number));
	}
	return (cmd_standings_ties(cx, st) == 0 ? 0 : EX_USAGE);
}

/* Prints what was asked for. */
static void
cmd_standings_show(struct cmd_ctx *cx, const struct cmd_standings *st,
    const struct standing *rows)
{
	const char *title = trf_text(st->trf, "012");
	struct standings_view v = {.in = &st->in,
	    .ties = st->ties,
	    .n_ties = st->n_ties,
	    .rows = rows,
	    .title = title == NULL ? "" : title,
	    .name = cmd_standings_name,
	    .arg = st->trf};

	if (cx->out.is_json)
		out_json(&cx->out,
		    st->player < 0
			? standings_view_json(&v)
			: standings_view_json_why(&v, (size_t)st->player));
	else if (st->player < 0)
		standings_print(&cx->out, &v);
	else
		standings_print_why(&cx->out, &v, (size_t)st->player);
}

/* Works them out. */
static int
cmd_standings_run(struct cmd_ctx *cx)
{
	struct cmd_standings st = {.n_ties = 0};
	struct errinfo e = {.text = ""};
	struct standing *rows;
	struct trf *t;
	int r, status;

	if ((status = trffile_read(cmd_arg(cx, 0), &t)) != 0)
		return (status);
	st.trf = t;
	st.in.table = t->table;
	if ((status = cmd_standings_options(cx, &st)) != 0)
		goto out;
	rows = xalloc((t->table->n_players + 1) * sizeof(*rows));
	r = standings_make(&st.in, st.ties, st.n_ties, NULL, rows, &e);
	if (r == 0)
		cmd_standings_show(cx, &st, rows);
	else if (r == ERR_ILLEGAL)
		status = cmd_usage(cx, "%s", e.text);
	else
		status = cmd_fail(r, &e);
	free(rows);
out:
	trf_free(t);
	return (status);
}

static const struct opt_def cmd_standings_opts[] = {
    {"round", 0, "R", false, "as they were after that round"},
    {"ties", 0, "LIST", false,
	"tie-breaks in their order, such as DE,BH/C1,BH,WON"},
    {"round-robin", 0, NULL, false, "all meet all: forfeits are games"},
    {"why", 0, "N", false, "what the values of player N are the sum of"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_standings = {
    .opts = cmd_standings_opts,
    .min_args = 1,
    .max_args = 1,
    .run = cmd_standings_run,
};
