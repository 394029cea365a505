/* SPDX-License-Identifier: ISC */
/* umpire upkeep: what one unit does between combats. */
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/place.h"
#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/play/actions.h"
#include "client/play/commit.h"
#include "client/play/play.h"
#include "client/play/show.h"
#include "client/play/upkeep.h"
#include "common/game/game.h"
#include "common/record/order.h"
#include "common/rules/rules.h"
#include "common/rules/systems/systems.h"

/* Lists the system's orders after one that was refused. */
static void
cmd_upkeep_help(const struct play *pl)
{
	const struct rules_system *sys =
	    systems_find(game_system(play_game(pl)));
	const struct upkeep_order *o;
	char *s;

	if (sys == NULL || (o = upkeep_orders(sys))->name == NULL)
		return;
	out_note("umpire upkeep %s UNIT and one of:", pl->name);
	for (; o->name != NULL; o++) {
		s = xalloc_printf(
		    "%s%s", o->name, o->has_battalion ? " BATTALION" : "");
		out_note("  %-16s %s", s, o->what);
		free(s);
	}
}

/* Refuses what the system would refuse, before anything is signed. */
static int
cmd_upkeep_check(struct play *pl, const json_t *args)
{
	struct errinfo e = {.text = ""};
	char *s;
	int r;

	r = game_check_upkeep(play_game(pl), pl->seat, args, &e);
	if (r == ERR_MISSING || r == 0) {
		if (show_is_owed(pl, OWED_TURN))
			return (0);
		return (show_not_now(pl, "no upkeep order can be given now"));
	}
	s = place_error(r, &e, args);
	out_error("%s", s);
	free(s);
	cmd_upkeep_help(pl);
	out_note("Nothing was sent.");
	return (EX_DATAERR);
}

/* Gives the order. */
static int
cmd_upkeep_play(struct play *pl, const struct action *a)
{
	int64_t seq;
	int status;

	if ((status = commit_open(pl, &seq)) != 0 ||
	    (!play_is_sent(pl, ORDER_UPKEEP, a->args, NULL) &&
		(status = cmd_upkeep_check(pl, a->args)) != 0))
		return (status);
	status = play_order(pl, ORDER_UPKEEP, xalloc_copy(a->args), NULL, &seq);
	if (status == 0)
		show_order(pl, seq);
	return (status);
}

/* Reads the words. */
static int
cmd_upkeep_parse(struct cmd_ctx *cx, struct action *a)
{
	const char *battalion = cmd_arg(cx, 3);

	a->kind = ACTION_UPKEEP;
	a->args = xalloc_json(json_object());
	xalloc_set(a->args, "unit", xalloc_json_str(cmd_arg(cx, 1)));
	xalloc_set(a->args, "do", xalloc_json_str(cmd_arg(cx, 2)));
	if (battalion != NULL)
		xalloc_set(a->args, "battalion", xalloc_json_str(battalion));
	return (0);
}

const struct cmd cmd_upkeep = {
    .name = "upkeep",
    .args = "GAME UNIT DO [BATTALION]",
    .what = "give a unit an order between combats",
    .opts = cmd_no_options,
    .min_args = 3,
    .max_args = 4,
    .need = PLAY_ORDER,
    .parse = cmd_upkeep_parse,
    .play = cmd_upkeep_play,
};
