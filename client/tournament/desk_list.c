/* SPDX-License-Identifier: ISC */
/* umpire tournament list: our tournaments, or all of the server's. */
#include "client/tournament/desk_list.h"

#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/net/link.h"
#include "client/play/play.h"
#include "client/profile/profile.h"
#include "client/tournament/desk.h"
#include "client/tournament/desks.h"
#include "client/ui/cmd.h"
#include "common/base/clock.h"
#include "common/json/js.h"
#include "common/tournament/tournament.h"

int
desk_list_fetch(
    struct link *l, const char *account, const char *phase, json_t **rows)
{
	struct js_at at = {.name = "tournament.list"};
	struct errinfo e = {.text = ""};
	json_t *list, *params, *result = NULL, *last;
	const json_t *page, *v;
	const char *more = NULL;
	int status = 0;
	size_t i;

	list = xalloc_json(json_array());
	do {
		params = xalloc_json(json_pack("{s:s*, s:s*, s:s*}", "account",
		    account, "phase", phase, "before", more));
		last = result;
		result = NULL;
		status = link_ask(l, "tournament.list", params, &result);
		json_decref(last);
		if (status != 0)
			break;
		if (js_get_array(result, "tournaments", &at, &page, &e) != 0) {
			status = cmd_fail_answer(&e);
			break;
		}
		json_array_foreach(page, i, v)
		    xalloc_append(list, xalloc_copy(v));
		more = js_str(result, "more");
	} while (more != NULL && json_array_size(page) > 0);
	json_decref(result);
	if (status != 0)
		json_decref(list);
	else
		*rows = list;
	return (status);
}

/* How far a tournament is, in words. */
static char *
desk_list_phase(const json_t *v)
{
	const char *phase = text_member(v, "phase");

	if (strcmp(phase, "play") == 0)
		return (xalloc_printf("round %lld of %lld",
		    (long long)js_int(v, "round"),
		    (long long)js_int(v, "rounds")));
	if (strcmp(phase, "entries") == 0)
		return (xalloc_str("open to enter"));
	return (xalloc_str(strcmp(phase, "checkin") == 0 ? "check-in" : phase));
}

/* Prints rows as a table. */
static void
desk_list_table(struct out *o, const json_t *rows)
{
	char when[32], *entrants, *id, *phase;
	const char *at, *cells[7];
	struct out_table *t;
	const json_t *v;
	int64_t ms;
	size_t i;

	t = out_table_new((const char *const[]){"NUMBER", "~EVENT", "DIRECTOR",
	    "FORMAT", ">ENTRANTS", "STANDS AT", "LAST LINE", NULL});
	json_array_foreach(rows, i, v)
	{
		id = xalloc_strn(text_member(v, "tournament"),
		    strlen(text_member(v, "tournament")) < 8 ? 0 : 8);
		entrants =
		    xalloc_printf("%lld", (long long)js_int(v, "entrants"));
		phase = desk_list_phase(v);
		at = text_member(v, "at");
		cells[0] = id;
		cells[1] = text_member(v, "event");
		cells[2] = text_member(v, "director");
		cells[3] = text_member(v, "format");
		cells[4] = entrants;
		cells[5] = phase;
		cells[6] = clock_parse(at, strlen(at), &ms) == 0
		    ? out_time(when, ms)
		    : "";
		out_table_line(t, cells);
		free(id);
		free(entrants);
		free(phase);
	}
	out_table_end(o, t);
}

/* Prints rows for people, and what is next. */
static void
desk_list_print(struct cmd_ctx *cx, const json_t *rows)
{
	char *profile = cmd_profile_words(cx);

	if (json_array_size(rows) > 0) {
		desk_list_table(&cx->out, rows);
		out_print(&cx->out,
		    "Next: umpire%s tournament show NUMBER (or the beginning "
		    "of its name)\n",
		    profile);
	} else if (opt_has(&cx->opts, "all")) {
		out_print(
		    &cx->out, "There are no such tournaments on the server.\n");
	} else {
		out_print(&cx->out,
		    "You are in no such tournament.\n"
		    "Next: umpire%s tournament list --all\n",
		    profile);
	}
	free(profile);
}

/* Lists what the options ask for. */
static int
desk_list_run(struct cmd_ctx *cx)
{
	const char *phase = opt_get(&cx->opts, "phase");
	const bool is_all = opt_has(&cx->opts, "all");
	struct link *l = NULL;
	json_t *rows = NULL;
	struct profile *p;
	int i, status;

	for (i = 0; phase != NULL && tournament_phases[i] != NULL; i++) {
		if (strcmp(phase, tournament_phases[i]) == 0)
			break;
	}
	if (phase != NULL && tournament_phases[i] == NULL)
		return (cmd_usage(
		    cx, "--phase is one of entries, checkin, play, over"));
	if ((status = play_profile(cx, &p)) != 0)
		return (status);
	if ((status = link_open(cx, p, &l)) == 0 &&
	    (is_all || (status = link_need_account(p)) == 0)) {
		(void)play_log_in(l, p); /* private ones show */
		status = desk_list_fetch(
		    l, is_all ? NULL : p->account, phase, &rows);
	}
	link_close(l);
	profile_free(p);
	if (status == 0 && cx->out.is_json)
		out_json(&cx->out, json_incref(rows));
	else if (status == 0)
		desk_list_print(cx, rows);
	json_decref(rows);
	return (status);
}

static const struct opt_def desk_list_opts[] = {
    {"all", 0, NULL, false, "all of the server's, not only yours"},
    {"phase", 0, "PHASE", false, "only entries, checkin, play or over"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd desk_cmd_list = {
    .opts = desk_list_opts,
    .min_args = 0,
    .max_args = 0,
    .run = desk_list_run,
};
