/* SPDX-License-Identifier: ISC */
/*
 * umpire join: takes the free seat of a game.  Whoever fills the last seat
 * says at once that he is ready (record S5).
 */
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/cmds.h"
#include "client/copy.h"
#include "client/link.h"
#include "client/play.h"
#include "client/profile.h"
#include "client/tell.h"
#include "client/xalloc.h"
#include "common/game/game.h"
#include "common/game/verify.h"
#include "common/hex.h"
#include "common/js.h"
#include "common/record.h"

/* The free player's seat with the lowest number; -1 if there is none. */
static int
cmd_join_free_seat(const struct game *g)
{
	int seat;

	for (seat = 1; seat <= game_seats(g); seat++) {
		if (!game_is_joined(g, seat))
			return (seat);
	}
	return (-1);
}

/* Shows what is joined. */
static void
cmd_join_show(struct play *pl, const json_t *view, int seat)
{
	struct out *o = &pl->cx->out;
	const struct game *g = play_game(pl);
	char hex[2 * HASH_LEN + 1];
	const char *event;

	hex_encode(hex, game_id(g), HASH_LEN);
	out_title(o, "You join this game, in seat %d:", seat);
	out_print(o, "  game     %s\n  system   %s, dice by %s\n", hex,
	    game_rules(g), json_string_value(json_object_get(view, "scheme")));
	event = json_string_value(json_object_get(view, "event"));
	if (event != NULL) {
		out_print(o, "  event    ");
		out_text(o, 11, 11, event);
	}
	out_print(o, "  opponent %s\n", game_account(g, seat == 1 ? 2 : 1));
	tell_rulings(o, view);
	tell_settings(pl);
	tell_rosters(pl, view);
	out_print(o, "\n");
}

/* Sends the join order. */
static int
cmd_join_send(struct play *pl, int seat)
{
	static const uint8_t zeros[HASH_LEN];
	const struct profile *p = pl->p;
	json_t *args;
	int64_t seq;
	int status;

	args = xalloc_json(json_object());
	xalloc_set(args, "seat", json_integer(seat));
	xalloc_set(args, "key", js_hex(p->keys.sign.public_key, SIGN_KEY_LEN));
	xalloc_set(
	    args, "dice_key", js_hex(p->keys.dice.public_key, VRF_KEY_LEN));
	xalloc_set(args, "account", json_string(p->account));
	xalloc_set(args, "kn", json_integer(0));
	xalloc_set(args, "kprev", js_hex(zeros, HASH_LEN));
	pl->seat = seat;
	status = play_order(pl, ORDER_JOIN, args, NULL, &seq);
	if (status != 0)
		pl->seat = -1;
	return (status);
}

/* True if we opened the game, rather than joined it. */
static bool
cmd_join_is_opener(const struct play *pl)
{
	struct record_line ln;
	struct errinfo e;
	const char *line;
	bool is_opener;
	size_t len;

	line = copy_get(pl->copy, 0, &len);
	if (record_parse(line, len, &ln, &e) != 0)
		return (false);
	is_opener = ln.seat == pl->seat;
	record_clear(&ln);
	return (is_opener);
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
		r = profile_set_nick(pl->p, nick, game_id(play_game(pl)), &e);
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
	tell_order(pl, from);
	return (EX_OK);
}

/* Joins, unless we sit there already, and says ready. */
static int
cmd_join_play(struct play *pl)
{
	int64_t from = pl->copy->n, seq;
	json_t *view;
	int seat, status;

	if (pl->seat < 0) {
		if ((seat = cmd_join_free_seat(play_game(pl))) < 0 ||
		    game_phase(play_game(pl)) != GAME_MUSTER) {
			out_error("every seat of this game is taken");
			return (EX_DATAERR);
		}
		if (copy_report(pl->copy)->is_unchecked) {
			out_error("this umpire cannot check this game: %s",
			    copy_report(pl->copy)->unchecked.text);
			return (EX_DATAERR);
		}
		if ((status = link_login(pl->link)) != 0)
			return (status);
		view = xalloc_json(game_view(play_game(pl)));
		cmd_join_show(pl, view, seat);
		json_decref(view);
		if ((status = cmd_join_send(pl, seat)) != 0)
			return (status);
	} else if (pl->sent == NULL) {
		out_print(&pl->cx->out,
		    "You sit in this game already, in seat %d.\n", pl->seat);
	}
	/* The opener says so by `ready`, when he has seen who came. */
	if (!cmd_join_is_opener(pl) && tell_is_owed(pl, "ready") &&
	    (status = play_order(pl, ORDER_READY, json_object(), NULL, &seq)) !=
		0)
		return (status);
	return (cmd_join_done(pl, from));
}

/* Opens the game and joins it. */
static int
cmd_join_run(struct cmd_ctx *cx)
{
	const char *nick = opt_get(&cx->opts, "name");
	struct errinfo e = {.text = ""};
	uint8_t id[HASH_LEN];
	struct play *pl;
	int r, status;

	if (nick != NULL && !profile_is_nick(nick))
		return (cmd_usage(cx,
		    "'%s' cannot be a nickname: small letters, digits, '.', "
		    "'_' and '-', at most 32, and not hex digits alone",
		    nick));
	if ((status = play_open(cx, cmd_arg(cx, 0), PLAY_ONLINE, &pl)) != 0)
		return (status);
	if (nick != NULL && profile_find_nick(pl->p, nick, id) &&
	    memcmp(id, game_id(play_game(pl)), HASH_LEN) != 0)
		status = cmd_usage(
		    cx, "another of your games is called '%s' already", nick);
	else if ((r = profile_load_keys(pl->p, &e)) != 0)
		status = cmd_fail(r, &e);
	else
		status = cmd_join_play(pl);
	play_close(pl);
	return (status);
}

static const struct opt_def cmd_join_opts[] = {
    {"name", 0, "NICK", false, "how you call the game (default g1 ...)"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_join = {
    .name = "join",
    .args = "GAME",
    .what = "take the free seat of a game",
    .opts = cmd_join_opts,
    .min_args = 1,
    .max_args = 1,
    .more = "Shows the rules, the rulings and both rosters, joins, and "
	    "says that you are\nready: by that you agree to all of it.\n",
    .examples = "  umpire join 3f0a1b2c --name evening\n",
    .run = cmd_join_run,
};
