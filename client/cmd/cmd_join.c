/* SPDX-License-Identifier: ISC */
/*
 * umpire join: takes a free seat of a game.  Joining binds, so the terms are
 * read first.  Whoever fills the last seat says at once that they
 * are ready (record S5), which is asked with it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/net/account.h"
#include "client/net/link.h"
#include "client/play/action.h"
#include "client/play/play.h"
#include "client/play/settings.h"
#include "client/play/show.h"
#include "client/play/status.h"
#include "client/profile/profile.h"
#include "client/replica/replica.h"
#include "client/report/battle.h"
#include "client/report/people.h"
#include "client/ui/pages.h"
#include "client/ui/term.h"
#include "common/base/hex.h"
#include "common/game/game.h"
#include "common/game/game_worth.h"
#include "common/game/verify.h"
#include "common/json/js.h"
#include "common/rules/rules.h"
#include "common/rules/systems/systems.h"

/* Shows all terms that a join agrees to. */
static void
cmd_join_show(struct play *pl, int seat)
{
	const struct game *g = play_game(pl);
	json_t *rulings = xalloc_json(game_rulings(g)), *v;
	const char *label = "rulings", *name;
	const struct rules_system *sys;
	struct out *o = &pl->cx->out;
	char *s, *value;
	size_t i;
	char hex[2 * HASH_LEN + 1];

	hex_format(hex, game_id(g), HASH_LEN);
	out_title(o, "This is what you agree to in seat %d%s:", seat,
	    seat == 0 ? ", as its director" : "");
	out_print(o, "  game     %s\n  system   %s\n", hex, game_rules(g));
	out_row(o, "dice",
	    game_settings(g)->has_witness
		? "from three hands (live-1 with a witness): the acting "
		  "player's, the server's and the witness's, a program that "
		  "answers each roll"
		: game_settings(g)->is_live
		? "from three hands (live-1): those of both players and of the "
		  "server; whoever does not roll has to answer each roll"
		: "from two hands (dual-1): made at once from what the acting "
		  "player and the server bring");
	status_players(o, replica_battle(pl->copy));
	settings_print(o, game_settings(g), false);
	if (!game_settings(g)->has_clock)
		out_row(o, "clock", "none: nobody's time runs out");
	/* The rulings, as the questions that they answer. */
	sys = systems_find(game_system(g));
	json_object_foreach(rulings, name, v)
	{
		for (i = 0; sys != NULL && i < sys->n_rulings; i++) {
			if (strcmp(sys->rulings[i].name, name) == 0)
				break;
		}
		value = xalloc_dump(v);
		s = xalloc_printf("%s = %s%s%s", name, value,
		    sys != NULL && i < sys->n_rulings ? ": " : "",
		    sys != NULL && i < sys->n_rulings ? sys->rulings[i].question
						      : "");
		out_row(o, label, s);
		label = "";
		free(s);
		free(value);
	}
	json_decref(rulings);
	show_settings(pl);
	show_rosters(pl, true);
	out_print(o, "\n");
}

/* Shows the terms by pages at a terminal, and asks. */
static int
cmd_join_read(struct play *pl, const char *text, const char *question)
{
	struct out *o = &pl->cx->out;
	bool is_sure = false;
	struct ask_io io;
	struct term *t;
	int r, status;

	status = term_begin(pl->cx, "which game?", &t, &io);
	if (status != 0)
		return (status);
	/* Whoever goes back, or away, does not join. */
	r = pages_show(o, &io, text);
	if (r == 0)
		r = ask_yes(&io, question, 0, &is_sure);
	term_close(t);
	if (r == 0 && is_sure)
		return (0);
	out_error("you have not joined: nothing was sent");
	return (EX_USAGE);
}

/* Shows the terms, and asks whether we agree. */
static int
cmd_join_ask(struct play *pl, int seat)
{
	const struct game *g = play_game(pl);
	char *question, *side, *text = NULL;
	struct out *o = &pl->cx->out;
	bool is_last = true;
	FILE *f = o->f;
	size_t len;
	int i, status;

	if ((o->f = open_memstream(&text, &len)) == NULL)
		xalloc_die();
	cmd_join_show(pl, seat);
	if (fclose(o->f) != 0)
		xalloc_die();
	o->f = f;
	for (i = 0; i < GAME_SEATS; i++)
		is_last &=
		    i == seat || !game_is_seat(g, i) || game_is_joined(g, i);
	side = seat == 0 ? xalloc_str("director")
			 : battle_side(g, game_side_of(seat));
	question = xalloc_printf(
	    "Join in seat %d (%s), and agree to all of that?  %s", seat, side,
	    is_last ? "You are the last to join, so by joining you also say "
		      "that you are ready."
		    : "You say that you are ready later, when all seats are "
		      "taken.");
	free(side);
	if (!pl->cx->is_sure && !o->is_json && o->is_tty && out_can_ask()) {
		status = cmd_join_read(pl, text, question);
	} else {
		/* It is clean already, but for our own bold. */
		out_again(o, text);
		status = cmd_confirm_as(pl->cx, question,
		    "by joining you agree to all of that: without a terminal "
		    "to ask on, add --yes");
	}
	free(question);
	free(text);
	return (status);
}

/* Gives the game its nickname and tells how it stands. */
static int
cmd_join_done(struct play *pl, int64_t from)
{
	const char *nick = opt_get(&pl->cx->opts, "name");
	struct errinfo e = {.text = ""};
	char *has;
	int r = 0;

	has = profile_nick(pl->p, game_id(play_game(pl)));
	if (has == NULL || nick != NULL)
		r = replica_set_name(pl->p, nick, game_id(play_game(pl)), &e);
	free(has);
	if (r != 0) {
		(void)cmd_fail(r, &e);
		out_note("You have joined, but the game got no nickname.");
	}
	has = profile_nick(pl->p, game_id(play_game(pl)));
	if (has != NULL) {
		free(pl->name);
		pl->name = has;
		out_print(&pl->cx->out, "You call this game '%s'.\n", has);
	}
	show_order(pl, from);
	return (EX_OK);
}

/*
 * Finds the seat that we take: `wanted`, or if that is -1 the first free one
 * of a player.  Prints why there is none.  0, or an exit status.
 */
static int
cmd_join_choose(const struct play *pl, int64_t wanted, int *seat)
{
	const struct battle *b = replica_battle(pl->copy);
	const struct game *g = play_game(pl);

	if (game_phase(g) != GAME_MUSTER) {
		out_error("this game has begun: nobody can join it any more");
		return (EX_DATAERR);
	}
	if (wanted < 0) {
		for (*seat = 1; *seat <= game_seats(g); ++*seat) {
			if (!game_is_joined(g, *seat))
				return (0);
		}
		out_error("every player's seat of this game is taken");
		if (game_is_seat(g, 0) && !game_is_joined(g, 0))
			out_note("The director's is free: `umpire join %s "
				 "--seat 0`.",
			    pl->name);
		return (EX_DATAERR);
	}
	*seat = (int)wanted;
	if (game_is_seat(g, *seat) && !game_is_joined(g, *seat))
		return (0);
	if (game_is_seat(g, *seat))
		out_error("seat %d is taken by %s", *seat,
		    b->called(b->arg, game_account(g, *seat)));
	else if (wanted == 0)
		out_error("this game has no director");
	else
		out_error("this game has no seat %d", *seat);
	return (EX_DATAERR);
}

/* Refuses a game of a tournament, whose draw has the seats and the dice keys.
 */
static int
cmd_join_table(const struct play *pl)
{
	char *profile;

	if (!game_is_of_tournament(play_game(pl)))
		return (0);
	profile = cmd_profile_words(pl->cx);
	out_error("this is a table of a tournament: its draw has the seats, "
		  "and your dice key is the one that you entered with");
	out_note("`umpire%s tournament play TOURNAMENT` sits you down at "
		 "yours.",
	    profile);
	free(profile);
	return (EX_DATAERR);
}

/* Takes the seat that is asked for, or the first free one. */
static int
cmd_join_sit(struct play *pl, int64_t wanted)
{
	int seat, status;

	if ((status = cmd_join_choose(pl, wanted, &seat)) != 0 ||
	    (status = cmd_join_table(pl)) != 0)
		return (status);
	if (replica_report(pl->copy)->is_unchecked) {
		out_error("this umpire cannot check this game: %s",
		    replica_report(pl->copy)->unchecked.text);
		status = EX_DATAERR;
	} else if ((status = link_login(pl->link)) == 0) {
		status = cmd_join_ask(pl, seat);
		if (status == 0)
			status =
			    play_join(pl, seat, pl->p->keys.dice.public_key);
	}
	return (status);
}

/* Joins, unless we sit there already; whoever is last is ready by that. */
static int
cmd_join_play(struct play *pl, const struct action *a)
{
	const char *nick = opt_get(&pl->cx->opts, "name");
	const struct battle *b;
	int64_t from = pl->copy->n, last, seq;
	struct errinfo e = {.text = ""};
	int r, status;

	if (nick != NULL &&
	    replica_is_named(pl->p, nick, game_id(play_game(pl))))
		return (cmd_usage(pl->cx,
		    "another of your games is already called '%s'", nick));
	if ((r = profile_load_keys(pl->p, &e)) != 0)
		return (cmd_fail(r, &e));
	if (pl->seat < 0) {
		if ((status = cmd_join_sit(pl, a->seq)) != 0)
			return (status);
	} else if (a->seq >= 0 && a->seq != pl->seat) {
		out_error("you already sit in this game, in seat %d: a key has "
			  "one seat",
		    pl->seat);
		return (EX_DATAERR);
	} else if (pl->sent == NULL) {
		out_print(&pl->cx->out,
		    "You already sit in this game, in seat %d.\n", pl->seat);
	}
	/*
	 * Whoever joined last was told that by joining they are ready; the
	 * opener says so by `ready`, having seen who came.
	 */
	b = replica_battle(pl->copy);
	last = pl->copy->n - 1;
	while (last > 0 && battle_entry(b, last)->kind != ORDER_JOIN)
		last--;
	if (last > 0 && battle_entry(b, last)->seat == pl->seat &&
	    show_is_owed(pl, OWED_READY) &&
	    (status = play_order(pl, ORDER_READY, json_object(), NULL, &seq)) !=
		0)
		return (status);
	return (cmd_join_done(pl, from));
}

/* Reads --seat, and checks --name. */
static int
cmd_join_parse(struct cmd_ctx *cx, struct action *a)
{
	const char *nick = opt_get(&cx->opts, "name");
	const char *seat = opt_get(&cx->opts, "seat");

	a->kind = ACTION_JOIN;
	if (seat != NULL && !opt_number(seat, 0, GAME_SEATS - 1, &a->seq))
		return (cmd_usage(cx,
		    "--seat takes a number from 0 (the director) to %d",
		    GAME_SEATS - 1));
	if (nick != NULL && !profile_is_nick(nick))
		return (cmd_usage(cx,
		    "'%s' cannot be a nickname: small letters, digits, '.', "
		    "'_' and '-', at most 32, and not hex digits alone",
		    nick));
	return (0);
}

static const struct opt_def cmd_join_opts[] = {
    {"seat", 0, "N", false, "this seat; 0 directs (default: first free)"},
    {"name", 0, "NICK", false, "what you call the game (default g1 ...)"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_join = {
    .opts = cmd_join_opts,
    .min_args = 1,
    .max_args = 1,
    .need = PLAY_ONLINE,
    .parse = cmd_join_parse,
    .play = cmd_join_play,
};
