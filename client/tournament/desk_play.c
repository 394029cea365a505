/* SPDX-License-Identifier: ISC */
/*
 * umpire tournament play: sits down at our tables and goes on in `umpire play`.
 * Nothing is asked: whoever entered agreed to the terms of all games.
 */
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/tournament/desk.h"
#include "client/tournament/desk_table.h"
#include "client/tournament/desk_todo.h"
#include "client/tournament/desks.h"
#include "client/ui/out_terminal.h"
#include "common/json/js.h"

/* What play has done. */
struct desk_play {
	struct desk *d; /* borrowed */
	struct tournament_place only; /* zeros: all of ours */
	bool is_director; /* sits in seat 0 of games, in no other */
	int n; /* tables at which we sit */
	json_t *rows; /* owned: for programs */
	char *game; /* owned: the first that goes on; NULL */
};

/* Why there is no table for us, and what to do; returns the exit status. */
static int
desk_play_none(const struct desk_play *p)
{
	const struct desk *d = p->d;

	if (d->number == 0 && !d->is_director) {
		out_error("you are not in this tournament");
		desk_next(d);
		return (EX_NOPERM);
	}
	switch (tournament_phase(d->t)) {
	case TOURNAMENT_ENTRIES:
		out_error("there are no tables yet: entries are open");
		break;
	case TOURNAMENT_CHECKIN:
		out_error("there are no tables yet: first all check in, and "
			  "lots are drawn");
		break;
	case TOURNAMENT_PLAY:
		if (p->only.round > 0)
			out_error("nothing waits for you at table %d.%d",
			    p->only.round, p->only.table);
		else if (tournament_paired(d->t) == 0)
			out_error("there are no tables yet: round 1 is to be "
				  "paired");
		else
			out_error("no table waits for you in round %d",
			    tournament_paired(d->t));
		break;
	case TOURNAMENT_OVER:
		out_error("the tournament is over");
		break;
	}
	desk_next(d);
	return (EX_DATAERR);
}

/* Sits down at one table. */
static int
desk_play_sit(struct desk_play *p, const struct tournament_place *place)
{
	const int seat = p->is_director ? 0 : desk_table_seat(p->d, place);
	struct desk_sat sat;
	int status;

	status = desk_table_sit(p->d, place, seat, &sat);
	if (status == 0) {
		desk_table_tell(p->d, place, seat, &sat);
		xalloc_append(p->rows, desk_table_json(place, seat, &sat));
		p->n++;
		if (p->game == NULL && !sat.is_left)
			p->game = xalloc_str(sat.nick);
	}
	desk_sat_clear(&sat);
	return (status);
}

/* True if this leg is meant. */
static bool
desk_play_is_meant(
    const struct desk_play *p, const struct tournament_place *place)
{
	return (p->only.round == 0 ||
	    (p->only.round == place->round && p->only.table == place->table &&
		(p->only.leg == 0 || p->only.leg == place->leg)));
}

/* All tables at which we play; or, of a director, those that want an umpire. */
static int
desk_play_all(struct desk_play *p)
{
	struct tournament_place place = {0};
	struct tournament_leg_state s;
	json_t *rows;
	const json_t *v;
	int status = 0;
	size_t i;

	/* A copy in which lines come is stepped through all the same. */
	while (status == 0 && desk_table_next(p->d, &place)) {
		tournament_leg_state(p->d->t, &place, &s);
		if (s.result != TOURNAMENT_AWAITED &&
		    desk_play_is_meant(p, &place))
			status = desk_play_sit(p, &place);
	}
	if (status != 0 || !p->is_director)
		return (status);
	if ((status = desk_todo_fetch(p->d, &rows)) != 0)
		return (status);
	json_array_foreach(rows, i, v)
	{
		place = desk_table_of(v);
		if (status == 0 &&
		    strcmp(text_member(v, "what"), "umpire") == 0 &&
		    desk_table_is_there(p->d, &place) &&
		    desk_play_is_meant(p, &place))
			status = desk_play_sit(p, &place);
	}
	json_decref(rows);
	return (status);
}

/* Goes on in the game. */
static int
desk_play_go_on(struct cmd_ctx *cx, const struct desk_play *p)
{
	char *words[] = {p->game};
	const struct cmd_entry *e = cx->all;
	const struct opt_set own = cx->opts;
	char *profile;
	int status;

	if (cx->out.is_json || !out_can_ask() || !cx->out.is_tty) {
		profile = cmd_profile_words(cx);
		out_print(
		    &cx->out, "Next: umpire%s show %s\n", profile, p->game);
		free(profile);
		return (0);
	}
	while (e->cmd != NULL && strcmp(e->name, "play") != 0)
		e++;
	if (e->cmd == NULL)
		return (EX_SOFTWARE);
	cx->opts.operands = words;
	cx->opts.n_operands = 1;
	status = e->cmd->run(cx);
	cx->opts = own;
	return (status);
}

/* Sits down, and plays. */
static int
desk_play_run(struct cmd_ctx *cx)
{
	const char *table = opt_get(&cx->opts, "table");
	const bool was_sure = cx->is_sure;
	struct desk_play p = {.n = 0};
	struct desk *d;
	int status;

	if (cx->io != NULL)
		return (cmd_usage(cx, "leave this game first: quit"));
	if ((status = desk_open(cx, cmd_arg(cx, 0), DESK_ORDER, &d)) != 0)
		return (status);
	p.d = d;
	p.is_director = d->number == 0 && d->is_director;
	p.rows = xalloc_json(json_array());
	/* What an earlier run signed is sent again without a question. */
	cx->is_sure = true;
	if (table != NULL)
		status = desk_table_read(d, table, &p.only);
	if (status == 0 && (status = desk_table_settle(d)) == 0)
		status = desk_play_all(&p);
	cx->is_sure = was_sure;
	if (status == 0 && p.n == 0)
		status = desk_play_none(&p);
	else if (status == 0 && cx->out.is_json)
		out_json(&cx->out, json_incref(p.rows));
	json_decref(p.rows);
	desk_close(d);
	if (status == 0 && p.game != NULL)
		status = desk_play_go_on(cx, &p);
	free(p.game);
	return (status);
}

static const struct opt_def desk_play_opts[] = {
    {"table", 0, "ROUND.TABLE", false, "this table alone"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd desk_cmd_play = {
    .opts = desk_play_opts,
    .min_args = 1,
    .max_args = 1,
    .run = desk_play_run,
};
