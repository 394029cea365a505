/* SPDX-License-Identifier: ISC */
/* umpire roster: proposes other rosters, before the game begins. */
#include <stdlib.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/net/link.h"
#include "client/play/actions.h"
#include "client/play/offers.h"
#include "client/play/show.h"
#include "client/replica/replica.h"
#include "common/base/buf.h"
#include "common/game/game.h"
#include "common/json/js.h"
#include "common/record/order.h"
#include "common/record/record.h"
#include "common/rules/roster.h"
#include "common/rules/rules.h"
#include "common/rules/systems/systems.h"

/* Checks that the file holds rosters of the game's system. */
static int
cmd_roster_check(struct play *pl, const json_t *blob)
{
	const struct rules_system *sys =
	    systems_find(game_system(play_game(pl)));
	const char *path = cmd_arg(pl->cx, 1);
	struct errinfo e = {.text = ""};
	struct roster *rs;
	int r;

	if (game_phase(play_game(pl)) != GAME_MUSTER)
		return (show_not_now(pl,
		    "rosters are exchanged before the game begins only; "
		    "`umpire adjust` changes units"));
	if (sys == NULL)
		return (0);
	if ((r = roster_parse(sys, blob, &rs, &e)) != 0) {
		if (!cmd_is_combat(path, blob))
			(void)cmd_fail_in(path, r, &e);
		out_note("Nothing was sent.");
		return (EX_DATAERR);
	}
	roster_free(rs);
	return (0);
}

/* Gives the rosters of the file to the server and the copy; proposes them. */
static int
cmd_roster_play(struct play *pl, const struct action *a)
{
	struct errinfo e = {.text = ""};
	uint8_t hash[HASH_LEN];
	struct buf side;
	json_t *blob;
	int r, status;

	status = cmd_read_json(a->answer, RECORD_BLOB_MAX, &blob);
	if (status != 0)
		return (status);
	buf_init(&side, 0);
	if ((status = cmd_roster_check(pl, blob)) == 0)
		status = link_put_blob(pl->link, blob, hash, &side);
	json_decref(blob);
	if (status == 0 &&
	    (r = replica_add_side(pl->copy, buf_str(&side), side.len, &e)) != 0)
		status = cmd_fail(r, &e);
	buf_clear(&side);
	if (status != 0)
		return (status);
	return (offers_give(pl, ORDER_PROPOSE,
	    xalloc_json(json_pack("{s:s, s:o}", "what", "roster", "roster",
		js_hex(hash, HASH_LEN))),
	    "why", a->text));
}

/* Reads the words. */
static int
cmd_roster_parse(struct cmd_ctx *cx, struct action *a)
{
	a->kind = ACTION_ROSTER;
	a->answer = xalloc_str(cmd_arg(cx, 1));
	return (offers_text(cx, "why", &a->text));
}

static const struct opt_def cmd_roster_opts[] = {
    {"why", 0, "TEXT", false, "the reason; it stands beside the record"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_roster = {
    .opts = cmd_roster_opts,
    .min_args = 2,
    .max_args = 2,
    .need = PLAY_ORDER,
    .parse = cmd_roster_parse,
    .play = cmd_roster_play,
};
