/* SPDX-License-Identifier: ISC */
/*
 * umpire luck: how a game's dice fell against what fair dice do, by kind of
 * roll and side.  Exit status 1: the record does not hold, nothing is
 * counted; 2: not all of it can be checked here.
 */
#include <stdlib.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/cmd/luck_text.h"
#include "client/play/play.h"
#include "client/replica/recordfile.h"
#include "client/replica/replica.h"
#include "client/report/battle.h"
#include "client/report/luck.h"
#include "client/report/report.h"
#include "common/game/game.h"
#include "common/game/verify.h"
#include "common/json/js.h"

/* Prints the luck of a record that holds. */
static void
cmd_luck_show(struct cmd_ctx *cx, const char *name, const struct battle *b)
{
	const struct game *g = battle_game(b);
	char *names[LUCK_SIDES];
	struct report *rp;
	json_t *o;
	struct luck *l;
	int side;

	l = luck_new(b);
	if (cx->out.is_json) {
		o = luck_json(l);
		xalloc_set(o, "game", js_hex(game_id(g), HASH_LEN));
		xalloc_set(o, "name", xalloc_json_str(name));
		xalloc_set(o, "system", xalloc_json_str(game_system(g)));
		xalloc_set(
		    o, "finished", json_boolean(battle_proof(b)->is_finished));
		xalloc_set(o, "unchecked",
		    json_boolean(battle_proof(b)->is_unchecked));
		out_json(&cx->out, o);
	} else {
		for (side = 0; side < LUCK_SIDES; side++)
			names[side] = side == 0 ? xalloc_str("director")
						: battle_side(g, side);
		rp = report_new(&cx->out, b);
		report_heading(rp, name);
		report_free(rp);
		luck_print(&cx->out, l, names);
		for (side = 0; side < LUCK_SIDES; side++)
			free(names[side]);
	}
	luck_free(l);
}

/* Reads a file without any profile. */
static int
cmd_luck_file(struct cmd_ctx *cx, const char *word)
{
	struct recordfile *pa;
	int status;

	if ((status = recordfile_open(word, &pa)) != 0) {
		if (status == RECORDFILE_BAD)
			out_note("Records are what `umpire export` writes; "
				 "nothing was counted.");
		return (status);
	}
	status = recordfile_status(pa);
	recordfile_warn(pa);
	if (pa->is_bad)
		out_note("nothing was counted");
	else
		cmd_luck_show(cx, pa->name, pa->b);
	recordfile_close(pa);
	return (status);
}

/* Counts the dice of a record or of a game. */
static int
cmd_luck_run(struct cmd_ctx *cx)
{
	const char *word = cmd_arg(cx, 0);
	const struct verify_report *rep;
	struct play *pl;
	int status;

	if (recordfile_is_file(word))
		return (cmd_luck_file(cx, word));
	if ((status = play_open(cx, word, PLAY_READ, &pl)) != 0) {
		if (status == EX_NOINPUT)
			out_note("'%s' is not a file either.", word);
		return (status);
	}
	rep = replica_report(pl->copy);
	if (rep->is_unchecked)
		out_error("not checkable here, line %lld: %s",
		    (long long)rep->unchecked_line, rep->unchecked.text);
	cmd_luck_show(cx, pl->name, replica_battle(pl->copy));
	status = rep->is_unchecked ? CMD_UNCHECKED : EX_OK;
	play_close(pl);
	return (status);
}

const struct cmd cmd_luck = {
    .min_args = 1,
    .max_args = 1,
    .run = cmd_luck_run,
};
