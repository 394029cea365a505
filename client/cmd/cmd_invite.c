/* SPDX-License-Identifier: ISC */
/*
 * umpire invite: lets an account into a game, which from then on is by
 * invitation alone; or takes that back.
 */
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/net/link.h"
#include "client/play/play.h"
#include "common/base/hex.h"
#include "common/game/game.h"

/* Asks the server for it, and says that it is so. */
static int
cmd_invite_send(struct play *pl, const char *account, bool is_invited)
{
	const uint8_t *id = game_id(play_game(pl));
	struct out *o = &pl->cx->out;
	char hex[2 * HASH_LEN + 1];
	json_t *result;
	int status;

	hex_format(hex, id, HASH_LEN);
	status = link_ask(pl->link, "game.invite",
	    xalloc_json(json_pack("{s:s, s:s, s:b}", "game", hex, "account",
		account, "invite", is_invited)),
	    &result);
	if (status != 0)
		return (status);
	json_decref(result);
	if (o->is_json)
		out_json(o,
		    xalloc_json(json_pack("{s:s, s:o, s:s, s:b}", "game", hex,
			"name", xalloc_json_str(pl->name), "account", account,
			"invited", is_invited)));
	if (is_invited)
		out_print(o,
		    "%s is invited; only those invited can join.  "
		    "%s types:\n  umpire join %s\n",
		    account, account, hex);
	else
		out_print(o, "%s is no longer invited.\n", account);
	return (EX_OK);
}

/* True if somebody of this account sits in the game. */
static bool
cmd_invite_sits(const struct game *g, const char *account)
{
	int seat;

	for (seat = 0; seat < GAME_SEATS; seat++) {
		if (strcmp(game_account(g, seat), account) == 0)
			return (true);
	}
	return (false);
}

/* Invites, or takes an invitation back. */
static int
cmd_invite_run(struct cmd_ctx *cx)
{
	const char *account = cmd_arg(cx, 1);
	bool is_invited = !opt_has(&cx->opts, "withdraw");
	struct play *pl;
	int status;

	if (!order_is_account(account))
		return (cmd_usage(cx, "'%s' cannot be an account", account));
	if ((status = play_open(cx, cmd_arg(cx, 0), PLAY_ORDER, &pl)) != 0)
		return (status);
	if (game_phase(play_game(pl)) != GAME_MUSTER) {
		out_error("this game has begun: nobody can join it any more");
		status = EX_DATAERR;
	} else if (cmd_invite_sits(play_game(pl), account)) {
		out_error("%s sits in this game already", account);
		if (!is_invited)
			out_note("`umpire refuse %s %s` sends a player away.",
			    pl->name, account);
		status = EX_DATAERR;
	} else {
		status = cmd_invite_send(pl, account, is_invited);
	}
	play_close(pl);
	return (status);
}

static const struct opt_def cmd_invite_opts[] = {
    {"withdraw", 0, NULL, false, "take an invitation back"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_invite = {
    .name = "invite",
    .args = "GAME ACCOUNT",
    .what = "invite somebody to a game",
    .opts = cmd_invite_opts,
    .min_args = 2,
    .max_args = 2,
    .run = cmd_invite_run,
};
