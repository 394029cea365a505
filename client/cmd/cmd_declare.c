/* SPDX-License-Identifier: ISC */
/*
 * umpire declare: a combat from a file, or asked for on the terminal; after
 * it dice fall.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/place.h"
#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/cmd/odds_run.h"
#include "client/cmd/picture.h"
#include "client/play/actions.h"
#include "client/play/commit.h"
#include "client/play/form.h"
#include "client/play/form_may.h"
#include "client/play/form_past.h"
#include "client/play/play.h"
#include "client/play/show.h"
#include "client/replica/replica.h"
#include "client/ui/term.h"
#include "common/game/game.h"
#include "common/game/game_make.h"
#include "common/record/order.h"
#include "common/rules/combat.h"
#include "common/rules/systems/systems.h"

/* Reads the file: a combat, or an object that holds only "combat". */
static int
cmd_declare_read(const char *path, json_t **combat)
{
	json_t *file, *inner;
	char *name;
	int status;

	if ((status = cmd_read_json(path, ORDER_TEXT_MAX, &file)) != 0)
		return (status);
	inner = json_object_get(file, "combat");
	if (inner != NULL && json_object_size(file) > 1) {
		name = place_file(path);
		out_error("%s holds more than a combat: leave only "
			  "\"combat\", or what is in it",
		    name);
		free(name);
		json_decref(file);
		return (EX_DATAERR);
	}
	*combat = inner == NULL ? file : json_incref(inner);
	if (inner != NULL)
		json_decref(file);
	return (0);
}

/* Says so if no combat at all can be declared; 0, or an exit status. */
static int
cmd_declare_may(struct play *pl)
{
	const char *nobody;

	if (!show_is_owed(pl, OWED_TURN))
		return (show_not_now(pl, "no combat can be declared now"));
	nobody = form_may_not(game_system(play_game(pl)),
	    game_roster(play_game(pl)), game_side_of(pl->seat));
	if (nobody == NULL)
		return (0);
	out_error("no combat can be declared: %s", nobody);
	return (EX_DATAERR);
}

/* Asks for the combat on the terminal. */
static int
cmd_declare_ask(struct play *pl, json_t **combat)
{
	struct form_past past;
	struct term *t;
	struct ask_io io;
	int64_t seq;
	int r, status;

	if (!opt_has(&pl->cx->opts, "check")) {
		if ((status = commit_open(pl, &seq)) != 0 ||
		    (status = cmd_declare_may(pl)) != 0)
			return (status);
	}
	status = term_begin(pl->cx,
	    "which combat?  without a terminal to ask on, name a FILE", &t,
	    &io);
	if (status != 0)
		return (status);
	form_past_read(&past, replica_battle(pl->copy));
	r = form_declare(
	    &io, play_game(pl), game_side_of(pl->seat), &past, combat);
	form_past_clear(&past);
	term_close(t);
	if (r == 0) {
		out_print(&pl->cx->out, "\n");
		return (0);
	}
	if (r != ASK_BACK && r != ERR_CLOSED)
		return (cmd_fail(r, &(struct errinfo){.text = ""}));
	out_error("nothing was declared");
	return (EX_USAGE);
}

/* Shows the facts in all ways that are asked for; an exit status. */
static int
cmd_declare_show(struct play *pl, const json_t *facts)
{
	const bool is_check = opt_has(&pl->cx->opts, "check");
	const bool is_told = is_check || !pl->cx->is_sure;
	int status = EX_OK;
	json_t *events;

	if (picture_is_wanted(pl->cx)) {
		events = show_declared(facts);
		status = picture_write(
		    pl->cx, systems_find(game_system(play_game(pl))), events);
		json_decref(events);
	}
	if (picture_is_all(pl->cx))
		return (status);
	if (pl->cx->out.is_json && is_check)
		out_json(&pl->cx->out, json_incref((json_t *)(uintptr_t)facts));
	else if (is_told)
		show_facts(pl, facts);
	/* Before dice fall, a wrong edge is seen here if it is seen at all. */
	if (is_told && pl->cx->io == NULL)
		show_drawing(pl, facts);
	return (status);
}

/* Checks the combat here and shows its facts; with --check that is all. */
static int
cmd_declare_facts(struct play *pl, const json_t *combat)
{
	struct errinfo e = {.text = ""};
	json_t *facts;
	int r, status;

	if ((r = game_check_combat(play_game(pl), game_side_of(pl->seat),
		 combat, &facts, &e)) != 0) {
		(void)cmd_fail(r, &e);
		out_note("Nothing was sent.");
		return (EX_DATAERR);
	}
	status = cmd_declare_show(pl, facts);
	json_decref(facts);
	return (status);
}

/* A combat whose odds may be asked for. */
struct cmd_declare_odds {
	struct play *pl;
	const json_t *combat;
};

/* ask_extra: tells the odds, from the game's rosters. */
static void
cmd_declare_odds_cb(void *arg)
{
	struct cmd_declare_odds *d = arg;
	const struct game *g = play_game(d->pl);
	struct errinfo e = {.text = ""};
	struct combat *run;
	json_t *facts;
	int r;

	r = game_make_combat(
	    g, game_side_of(d->pl->seat), d->combat, &facts, &run, &e);
	if (r == 0) {
		out_print(&d->pl->cx->out, "\n");
		r = odds_run_tell(&d->pl->cx->out, systems_find(game_system(g)),
		    facts, run, &e);
		combat_free(run);
		json_decref(facts);
	}
	if (r != 0)
		(void)cmd_fail(r, &e); /* the question stays */
}

/* Asks before dice can fall; on a terminal the odds may be looked at. */
static int
cmd_declare_sure(struct play *pl, const json_t *combat)
{
	struct cmd_declare_odds d = {pl, combat};
	const struct ask_extra odds = {'o', "odds", cmd_declare_odds_cb, &d};
	const struct order_create *set = game_settings(play_game(pl));
	const char *question = set->is_confirm
	    ? "Declare this combat?  No dice fall before the other side agrees."
	    : set->is_live
	    ? "Declare this combat?  No dice fall before the other side "
	      "answers: that brings its part of the dice."
	    : "Declare this combat?  Dice may fall at once.";
	const struct cmd_ctx *cx = pl->cx;
	bool is_sure = false;
	struct ask_io io;
	struct term *t;
	int status;

	if (cx->is_sure || cx->out.is_json || !cx->out.is_tty || !out_can_ask())
		return (cmd_confirm(cx, question));
	if ((status = term_begin(pl->cx, "is that right?", &t, &io)) != 0)
		return (status);
	/*
	 * Whoever goes back, or away, is not sure.  Enter is no answer: much
	 * was typed until here.
	 */
	if (ask_yes_or(&io, question, -1, &odds, &is_sure) != 0)
		is_sure = false;
	term_close(t);
	if (is_sure)
		return (0);
	out_error("nothing was sent");
	return (EX_USAGE);
}

/* Checks, and with --check that is all; otherwise asks. */
static int
cmd_declare_prepare(struct play *pl, const json_t *combat)
{
	bool is_check = opt_has(&pl->cx->opts, "check"), is_turn;
	char *text;
	int status;

	if (is_check && game_phase(play_game(pl)) != GAME_MUSTER &&
	    game_phase(play_game(pl)) != GAME_PLAY) {
		out_error("no combat can be declared: %s", show_no_turn(pl));
		return (EX_DATAERR);
	}
	is_turn = show_is_owed(pl, OWED_TURN);
	if (!is_turn && !is_check)
		return (show_not_now(pl, "no combat can be declared now"));
	if ((status = cmd_declare_facts(pl, combat)) != EX_OK)
		return (status);
	if (is_check && !picture_is_all(pl->cx)) {
		text = is_turn
		    ? xalloc_str("The combat is lawful.")
		    : xalloc_printf("The combat is lawful, but it cannot be "
				    "declared now: %s.",
			  show_no_turn(pl));
		out_text(&pl->cx->out, 0, 0, text);
		free(text);
		return (EX_OK);
	}
	return (is_check ? EX_OK : cmd_declare_sure(pl, combat));
}

/* Declares the combat, if it holds and the player is sure. */
static int
cmd_declare_give(struct play *pl, const json_t *combat)
{
	bool is_check = opt_has(&pl->cx->opts, "check");
	json_t *args;
	int64_t seq;
	int status;

	/* --check sends nothing at all. */
	if (!is_check && (status = commit_open(pl, &seq)) != 0)
		return (status);
	args = xalloc_json(json_pack("{s:o}", "combat", xalloc_copy(combat)));
	if (is_check || !play_is_sent(pl, ORDER_DECLARE, args, NULL)) {
		status = cmd_declare_prepare(pl, combat);
		if (status != EX_OK || is_check) {
			json_decref(args);
			return (status);
		}
	}
	if ((status = play_order(pl, ORDER_DECLARE, args, NULL, &seq)) != 0)
		return (status);
	show_order(pl, seq);
	return (EX_OK);
}

/* Checks the combat of the file, or one that is asked for, and declares it. */
static int
cmd_declare_play(struct play *pl, const struct action *a)
{
	const char *path = cmd_arg(pl->cx, 1);
	json_t *combat = NULL;
	int status;

	(void)a;
	if (pl->seat < 1) {
		out_error("you have no side in this game");
		return (EX_NOPERM);
	}
	if (pl->cx->need == PLAY_ORDER && !pl->cx->is_sure && !out_can_ask())
		return (cmd_usage(pl->cx,
		    "dice that fall cannot be taken back: without a terminal "
		    "to ask on, add --yes (or --check)"));
	status = path != NULL ? cmd_declare_read(path, &combat)
			      : cmd_declare_ask(pl, &combat);
	if (status == 0)
		status = cmd_declare_give(pl, combat);
	json_decref(combat);
	return (status);
}

/* Checks that there is a file, or somebody to ask; --check only looks. */
static int
cmd_declare_parse(struct cmd_ctx *cx, struct action *a)
{
	int status;

	a->kind = ACTION_DECLARE;
	if ((status = picture_check(cx)) != 0)
		return (status);
	if (opt_has(&cx->opts, "check"))
		cx->need = PLAY_READ;
	else if (picture_is_wanted(cx))
		return (cmd_usage(cx,
		    "--svg goes with --check; once a combat is open, `umpire "
		    "show --svg` draws it"));
	if (cmd_arg(cx, 1) == NULL &&
	    (cx->out.is_json || !cx->out.is_tty || !out_can_ask()))
		return (cmd_usage(cx,
		    "which combat?  without a terminal to ask on, name a "
		    "FILE"));
	return (0);
}

static const struct opt_def cmd_declare_opts[] = {
    {"check", 0, NULL, false, "only check it and show all the facts"},
    PICTURE_OPTION,
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_declare = {
    .opts = cmd_declare_opts,
    .min_args = 1,
    .max_args = 2,
    .need = PLAY_ORDER,
    .parse = cmd_declare_parse,
    .play = cmd_declare_play,
};
