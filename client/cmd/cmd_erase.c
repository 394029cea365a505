/* SPDX-License-Identifier: ISC */
/* umpire erase: takes our own words back from the server. */
#include <string.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/net/link.h"
#include "client/play/action.h"
#include "client/play/play.h"
#include "client/play/show.h"
#include "client/replica/replica.h"
#include "client/report/battle.h"
#include "client/ui/opt.h"
#include "common/game/game.h"
#include "common/json/js.h"
#include "common/record/order_kind.h"

/* The hash of the words that a line of ours brought, in ref; false: none. */
static bool
cmd_erase_find(const struct play *pl, int64_t seq, char ref[2 * HASH_LEN + 1])
{
	const char *member, *hex = NULL;
	struct battle_line bl;

	*ref = '\0';
	if (!battle_read(replica_battle(pl->copy), seq, &bl))
		return (false);
	if (bl.ln.seat == pl->seat &&
	    (member = order_kind_row(bl.o.kind)->text) != NULL)
		hex = js_str(bl.o.args, member);
	if (hex != NULL && strlen(hex) == (size_t)2 * HASH_LEN)
		memcpy(ref, hex, 2 * HASH_LEN + 1);
	battle_clear(&bl);
	return (*ref != '\0');
}

/* Erases the words of the line that was named. */
static int
cmd_erase_play(struct play *pl, const struct action *a)
{
	struct out *o = &pl->cx->out;
	struct errinfo e = {.text = ""};
	char ref[2 * HASH_LEN + 1];
	json_t *result;
	bool was_here;
	int r, status;

	if (!cmd_erase_find(pl, a->seq, ref)) {
		out_error("line %lld has no words of yours", (long long)a->seq);
		out_note("`umpire log %s` tells what each line is.", pl->name);
		return (EX_DATAERR);
	}
	status = cmd_confirm(pl->cx,
	    "Erase these words for good, here and on the server?  The record "
	    "keeps their hash\nalone; others may have copies.");
	if (status == 0 && pl->link == NULL) {
		out_error("the server has to be asked, and cannot be now");
		status = EX_UNAVAILABLE;
	}
	if (status != 0 || (status = link_login(pl->link)) != 0)
		return (status);
	status = link_ask(pl->link, "text.erase",
	    xalloc_json(json_pack("{s:o, s:s}", "game",
		js_hex(game_id(play_game(pl)), HASH_LEN), "ref", ref)),
	    &result);
	if (status != 0)
		return (status);
	r = replica_erase(pl->copy, ref, &was_here, &e);
	if (o->is_json)
		out_json(o, xalloc_copy(result));
	else
		out_print(o,
		    "%s\nThe copies of other players drop the words when they "
		    "next hear of it; what\nsomebody keeps elsewhere stays.\n",
		    !json_is_true(json_object_get(result, "is_new"))
			? "Erased before."
			: json_is_true(json_object_get(result, "wiped"))
			? "Erased from the server."
			: "Erased from the server, whose files may hold them "
			  "for some seconds.");
	json_decref(result);
	return (r == 0 ? EX_OK : cmd_fail(r, &e));
}

/* erase GAME LINE */
static int
cmd_erase_parse(struct cmd_ctx *cx, struct action *a)
{
	if (!opt_number(cmd_arg(cx, 1), 0, INT64_MAX, &a->seq))
		return (
		    cmd_usage(cx, "'%s' is no line's number", cmd_arg(cx, 1)));
	return (0);
}

const struct cmd cmd_erase = {
    .min_args = 2,
    .max_args = 2,
    .need = PLAY_READ,
    .parse = cmd_erase_parse,
    .play = cmd_erase_play,
};
