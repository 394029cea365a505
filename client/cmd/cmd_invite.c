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
#include "client/play/action.h"
#include "client/play/play.h"
#include "client/profile/invitation.h"
#include "common/base/hex.h"
#include "common/game/game.h"

/* Has the server do it, and tells the result. */
static int
cmd_invite_send(struct play *pl, const char *account, bool is_invited)
{
	const uint8_t *id = game_id(play_game(pl));
	struct out *o = &pl->cx->out;
	char hex[2 * HASH_LEN + 1], *invitation;
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
	invitation = invitation_text(pl->p, id);
	if (o->is_json)
		out_json(o,
		    xalloc_json(json_pack("{s:s, s:o, s:s, s:b, s:s}", "game",
			hex, "name", xalloc_json_str(pl->name), "account",
			account, "invited", is_invited, "invitation",
			invitation)));
	if (is_invited)
		out_print(o,
		    "%s is invited; only those invited can join.  "
		    "%s types:\n  umpire join %s\n",
		    account, account, invitation);
	else
		out_print(o, "%s is no longer invited.\n", account);
	free(invitation);
	return (EX_OK);
}

/* Checks the account. */
static int
cmd_invite_parse(struct cmd_ctx *cx, struct action *a)
{
	(void)a;
	if (order_is_account(cmd_arg(cx, 1)))
		return (0);
	return (cmd_usage(cx, "'%s' cannot be an account", cmd_arg(cx, 1)));
}

/* Invites, or takes an invitation back. */
static int
cmd_invite_play(struct play *pl, const struct action *a)
{
	const bool is_invited = !opt_has(&pl->cx->opts, "withdraw");
	const char *account = cmd_arg(pl->cx, 1);
	const struct game *g = play_game(pl);
	int seat;

	(void)a;
	if (game_phase(g) != GAME_MUSTER) {
		out_error("this game has begun: nobody can join it any more");
		return (EX_DATAERR);
	}
	for (seat = 0; seat < GAME_SEATS; seat++) {
		if (strcmp(game_account(g, seat), account) != 0)
			continue;
		out_error("%s already sits in this game", account);
		if (!is_invited)
			out_note("`umpire refuse %s %s` sends a player away.",
			    pl->name, account);
		return (EX_DATAERR);
	}
	return (cmd_invite_send(pl, account, is_invited));
}

static const struct opt_def cmd_invite_opts[] = {
    {"withdraw", 0, NULL, false, "take an invitation back"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_invite = {
    .opts = cmd_invite_opts,
    .min_args = 2,
    .max_args = 2,
    .need = PLAY_ORDER,
    .parse = cmd_invite_parse,
    .play = cmd_invite_play,
};
