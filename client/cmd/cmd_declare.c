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
#include "client/play/action.h"
#include "client/play/commit.h"
#include "client/play/form.h"
#include "client/play/form_may.h"
#include "client/play/form_past.h"
#include "client/play/play.h"
#include "client/play/show.h"
#include "client/replica/draft.h"
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
	if (is_told)
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

/* The question before dice can fall. */
static const char *
cmd_declare_question(const struct play *pl)
{
	const struct order_create *set = game_settings(play_game(pl));

	return (set->is_confirm
		? "Declare this combat?  No dice fall before the other side "
		  "agrees."
		: set->is_live
		? "Declare this combat?  No dice fall before the other side "
		  "answers: that brings its part of the dice."
		: "Declare this combat?  Dice may fall at once.");
}

/* Asks it on a terminal, where the odds may be looked at; as ask.h. */
static int
cmd_declare_sure(struct play *pl, const struct ask_io *io, const json_t *combat,
    bool *is_sure)
{
	struct cmd_declare_odds d = {pl, combat};
	const struct ask_extra odds = {'o', "odds", cmd_declare_odds_cb, &d};

	/* Enter is no answer: much was typed until here. */
	return (ask_yes_or(io, cmd_declare_question(pl), -1, &odds, is_sure));
}

/* Asks before a combat out of a file is declared. */
static int
cmd_declare_sure_file(struct play *pl, const json_t *combat)
{
	const struct cmd_ctx *cx = pl->cx;
	bool is_sure = false;
	struct ask_io io;
	struct term *t;
	int status;

	if (cx->is_sure || cx->out.is_json || !cx->out.is_tty || !out_can_ask())
		return (cmd_confirm(cx, cmd_declare_question(pl)));
	if ((status = term_begin(pl->cx, "is that right?", &t, &io)) != 0)
		return (status);
	/* Whoever goes back, or away, is not sure. */
	if (cmd_declare_sure(pl, &io, combat, &is_sure) != 0)
		is_sure = false;
	term_close(t);
	if (is_sure)
		return (0);
	out_error("nothing was sent");
	return (EX_USAGE);
}

/* Checks the combat and shows it; with --check also that it is lawful. */
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
	}
	return (EX_OK);
}

/* Sends the combat, which was checked. */
static int
cmd_declare_send(struct play *pl, const json_t *combat)
{
	int64_t seq;
	int status;

	status = play_order(pl, ORDER_DECLARE,
	    xalloc_json(json_pack("{s:o}", "combat", xalloc_copy(combat))),
	    NULL, &seq);
	if (status == 0)
		show_order(pl, seq);
	return (status);
}

/* True if an earlier run has declared this, which has just got through. */
static bool
cmd_declare_is_sent(const struct play *pl, const json_t *combat)
{
	json_t *args;
	bool is_sent;

	args = xalloc_json(json_pack("{s:o}", "combat", xalloc_copy(combat)));
	is_sent = play_is_sent(pl, ORDER_DECLARE, args, NULL);
	json_decref(args);
	return (is_sent);
}

/* Declares the combat of a file, if it holds and the player is sure. */
static int
cmd_declare_file(struct play *pl, const char *path)
{
	bool is_check = opt_has(&pl->cx->opts, "check");
	json_t *combat;
	int64_t seq;
	int status;

	if ((status = cmd_declare_read(path, &combat)) != 0)
		return (status);
	/* --check sends nothing at all. */
	if (!is_check)
		status = commit_open(pl, &seq);
	if (status == 0 && (is_check || !cmd_declare_is_sent(pl, combat))) {
		status = cmd_declare_prepare(pl, combat);
		if (status == 0 && !is_check)
			status = cmd_declare_sure_file(pl, combat);
	}
	if (status == 0 && !is_check)
		status = cmd_declare_send(pl, combat);
	json_decref(combat);
	return (status);
}

/* A combat that is put together by questions. */
struct cmd_declare_form {
	struct play *pl;
	json_t *draft; /* owned: what was answered; NULL */
	bool is_made; /* it was put together, and is asked about */
	bool is_thrown; /* the player wants nothing more of it */
	int status; /* what refused it then, told; 0: nothing did */
};

/* Asks somebody who is not sure what is to become of the combat. */
static int
cmd_declare_unsure(struct cmd_declare_form *f, const struct ask_io *io)
{
	static const char *const ways[] = {
	    "Change it", "Leave it for later: it is kept", "Throw it away"};
	size_t pick;
	int r;

	if ((r = ask_choice(io, "Then what?", ways, 3, 0, &pick)) != 0)
		return (r);
	f->is_thrown = pick == 2;
	return (pick == 0 ? FORM_CHANGE : ERR_CLOSED);
}

/* form_last: shows what was put together, and asks before dice can fall. */
static int
cmd_declare_last_cb(void *arg, const struct ask_io *io, const json_t *combat)
{
	struct cmd_declare_form *f = arg;
	const struct cmd_ctx *cx = f->pl->cx;
	bool is_sure = cx->is_sure;
	int r;

	f->is_made = true;
	out_print(&f->pl->cx->out, "\n");
	if (!opt_has(&cx->opts, "check") && cmd_declare_is_sent(f->pl, combat))
		return (0);
	if ((f->status = cmd_declare_prepare(f->pl, combat)) != 0)
		return (ERR_CLOSED);
	if (opt_has(&cx->opts, "check"))
		return (0);
	do {
		if (!is_sure &&
		    (r = cmd_declare_sure(f->pl, io, combat, &is_sure)) != 0)
			return (r);
		r = is_sure ? 0 : cmd_declare_unsure(f, io);
	} while (r == ASK_BACK);
	return (r);
}

/* Says how to go on with what is kept. */
static void
cmd_declare_kept(const struct cmd_declare_form *f)
{
	char *s;

	if (f->draft == NULL)
		return;
	s = f->pl->cx->io != NULL ? xalloc_str("declare")
				  : play_command(f->pl, "declare", "");
	out_note("What you answered is kept; to go on: %s", s);
	free(s);
}

/* Says what was not done, and what is kept; an exit status. */
static int
cmd_declare_left(const struct cmd_declare_form *f)
{
	if (f->status == 0)
		out_error(
		    f->is_made ? "nothing was sent" : "nothing was declared");
	cmd_declare_kept(f);
	return (f->status == 0 ? EX_USAGE : f->status);
}

/* Asks for the combat on the terminal, and declares it. */
static int
cmd_declare_ask(struct play *pl)
{
	const bool is_check = opt_has(&pl->cx->opts, "check");
	struct cmd_declare_form f = {.pl = pl};
	const struct form_last last = {cmd_declare_last_cb, &f};
	struct form_past past;
	struct form_with with = {
	    .past = &past, .draft = &f.draft, .at = pl->copy->n, .last = &last};
	json_t *combat = NULL;
	struct term *t;
	struct ask_io io;
	int64_t seq;
	int r, status;

	if (!is_check &&
	    ((status = commit_open(pl, &seq)) != 0 ||
		(status = cmd_declare_may(pl)) != 0))
		return (status);
	status = term_begin(pl->cx,
	    "which combat?  without a terminal to ask on, name a FILE", &t,
	    &io);
	if (status != 0)
		return (status);
	f.draft = draft_load(pl->copy);
	form_past_read(&past, replica_battle(pl->copy));
	r = form_declare(
	    &io, play_game(pl), game_side_of(pl->seat), &with, &combat);
	form_past_clear(&past);
	term_close(t);
	if (f.is_thrown) {
		json_decref(f.draft);
		f.draft = NULL;
	}
	draft_save(pl->copy, f.draft);
	if (r == 0 && is_check)
		cmd_declare_kept(&f);
	else if (r == 0)
		status = cmd_declare_send(pl, combat);
	else if (r == ASK_BACK || r == ERR_CLOSED)
		status = cmd_declare_left(&f);
	else
		status = cmd_fail(r, &(struct errinfo){.text = ""});
	json_decref(combat);
	json_decref(f.draft);
	return (status);
}

/* Checks the combat of the file, or one that is asked for, and declares it. */
static int
cmd_declare_play(struct play *pl, const struct action *a)
{
	const char *path = cmd_arg(pl->cx, 1);

	(void)a;
	if (pl->seat < 1) {
		out_error("you have no side in this game");
		return (EX_NOPERM);
	}
	if (pl->cx->need == PLAY_ORDER && !pl->cx->is_sure && !out_can_ask())
		return (cmd_usage(pl->cx,
		    "dice that fall cannot be taken back: without a terminal "
		    "to ask on, add --yes (or --check)"));
	return (
	    path != NULL ? cmd_declare_file(pl, path) : cmd_declare_ask(pl));
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
