/* SPDX-License-Identifier: ISC */
/*
 * umpire adjust: proposes changes of the rosters, for what happens outside
 * combats, what joins and what goes; lists what was changed by agreement.
 */
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/place.h"
#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/play/action.h"
#include "client/play/adjust_text.h"
#include "client/play/changes.h"
#include "client/play/offers.h"
#include "client/play/show.h"
#include "client/profile/file.h"
#include "client/replica/adjust.h"
#include "client/replica/replica.h"
#include "client/report/describe.h"
#include "client/report/roster_csv.h"
#include "common/base/buf.h"
#include "common/game/game.h"
#include "common/game/game_make.h"
#include "common/json/js.h"
#include "common/record/order.h"

#define CMD_ADJUST_FILE 65536 /* bytes of a file of changes */
#define CMD_ADJUST_FAULTS 20 /* of a table, that are told */

/* Says how a part of a unit, such as a battalion, is changed. */
static void
cmd_adjust_part(const struct play *pl, const json_t *roster, const char *id)
{
	const char *member;
	const json_t *unit;
	char *list;

	unit = adjust_holder(roster, id, &member);
	if (unit == NULL)
		return;
	list = xalloc_dump(json_object_get(unit, member));
	/* A list that holds a single quote cannot be typed in the shell as it
	 * is. */
	if (strchr(list, '\'') == NULL)
		out_note("'%s' belongs to '%s', whose list is changed as a "
			 "whole, from:\numpire adjust %s %s %s='%s'",
		    id, js_str(unit, "id"), pl->name, js_str(unit, "id"),
		    member, list);
	free(list);
}

/* Says where units and their members are found. */
static void
cmd_adjust_hint(const struct play *pl)
{
	out_note("`umpire rules %s` says what units have, `umpire show %s` "
		 "lists them.",
	    game_system(play_game(pl)), pl->name);
}

/* Says that what joins may come from a file, where it was told in words. */
static void
cmd_adjust_join_hint(const struct play *pl, const json_t *units)
{
	const json_t *unit;
	size_t i;

	if (pl->cx->opts.n_operands < 2)
		return;
	json_array_foreach(units, i, unit)
	{
		if (json_object_get(unit, "joins") == NULL)
			continue;
		out_note("What joins can also come from a file of rosters:\n"
			 "umpire adjust %s --join FILE",
		    pl->name);
		return;
	}
}

/* Tells what is wrong with a table of what joins. */
static void
cmd_adjust_tell(const char *path, const struct roster_csv_faults *fs)
{
	char *file = place_file(path), *s;
	size_t i;

	for (i = 0; i < fs->n && i < CMD_ADJUST_FAULTS; i++) {
		s = roster_csv_say(file, &fs->list[i]);
		out_error("%s", s);
		free(s);
	}
	if (fs->all > i)
		out_note("... and %zu more", fs->all - i);
	free(file);
}

/* True if a file is JSON, well written or not, rather than a table. */
static bool
cmd_adjust_is_json(const char *text)
{
	static const char bom[] = "\xef\xbb\xbf";

	if (strncmp(text, bom, strlen(bom)) == 0)
		text += strlen(bom);
	text += strspn(text, " \t\r\n");
	return (*text == '{' || *text == '[');
}

/*
 * Reads a roster of what joins, JSON or a table; *root is new.  0, or an exit
 * status.
 */
static int
cmd_adjust_read_join(struct play *pl, const char *path, json_t **root)
{
	struct roster_csv_faults fs = {.n = 0};
	struct errinfo e = {.text = ""};
	struct buf b;
	int r, status = 0;

	buf_init(&b, 0);
	if ((r = file_read(path, CMD_ADJUST_FILE, &b, &e)) != 0) {
		status = cmd_fail(r == ERR_IO ? ERR_NOTFOUND : r, &e);
	} else if (cmd_adjust_is_json(buf_str(&b))) {
		status = cmd_take_json(path, &b, root);
	} else {
		*root = roster_csv_read(
		    buf_str(&b), b.len, game_system(play_game(pl)), true, &fs);
		if (*root == NULL) {
			cmd_adjust_tell(path, &fs);
			out_note("Nothing was sent.");
			status = EX_DATAERR;
		}
		roster_csv_faults_clear(&fs);
	}
	buf_clear(&b);
	return (status);
}

/*
 * Reads the changes from the words or the file, which may be the action's; 0,
 * or an exit status.
 */
static int
cmd_adjust_read(struct play *pl, const struct action *a, json_t **units)
{
	const struct opt_set *set = &pl->cx->opts;
	const char *path = opt_get(set, "file");
	const char *join = a->answer != NULL ? a->answer : opt_get(set, "join");
	struct errinfo e = {.text = ""};
	json_t *root;
	int i, r, status;

	if (path != NULL || join != NULL) {
		status = path != NULL
		    ? cmd_read_json(path, CMD_ADJUST_FILE, &root)
		    : cmd_adjust_read_join(pl, join, &root);
		if (status != 0)
			return (status);
		r = path != NULL
		    ? adjust_take(root, units, &e)
		    : adjust_join(root, game_system(play_game(pl)), units, &e);
		json_decref(root);
	} else {
		r = adjust_parse(game_roster(play_game(pl)),
		    set->n_operands - 1, (const char *const *)set->operands + 1,
		    units, &e);
	}
	if (r == 0)
		return (0);
	out_error("%s", e.text);
	out_note("Nothing was sent.");
	for (i = 1; i < set->n_operands; i++)
		cmd_adjust_part(
		    pl, game_roster(play_game(pl)), set->operands[i]);
	cmd_adjust_hint(pl);
	return (EX_DATAERR);
}

/* Refuses what the rules would refuse, before anything is signed. */
static int
cmd_adjust_check(struct play *pl, const json_t *units)
{
	const struct game *g = play_game(pl);
	bool is_busy = game_combat_seq(g) >= 0;
	struct errinfo e = {.text = ""};
	struct game_waits waits;
	json_t *of;
	char *s;
	size_t i;
	int r, status;

	if ((status = offers_need_play(pl)) != 0)
		return (status);
	game_waits_owed(g, &waits);
	for (i = 0; i < waits.n; i++)
		is_busy |= waits.list[i].what == OWED_ANSWER;
	/* The accept that follows our own changes would be refused. */
	if (is_busy && game_is_own_adjust(g, pl->seat, units))
		return (show_not_now(pl,
		    "nothing is changed while a combat is open or an answer "
		    "is owed"));
	r = game_check_adjust(g, pl->seat, units, &e);
	/* If the rules cannot be run here, the server decides. */
	if (r == 0 || r == ERR_MISSING)
		return (0);
	if (!adjust_text_unknown(pl, units, &e)) {
		of = xalloc_json(json_pack("{s:O}", "units", units));
		s = place_error(r, &e, of);
		out_error("%s", s);
		free(s);
		json_decref(of);
	}
	out_note("Nothing was sent.");
	cmd_adjust_hint(pl);
	cmd_adjust_join_hint(pl, units);
	return (EX_DATAERR);
}

/* Tells what would join, a line each, and asks; 0, or an exit status. */
static int
cmd_adjust_confirm(struct play *pl, const json_t *units)
{
	json_t *one, *v;
	char *s;
	size_t i;

	out_print(&pl->cx->out, "You propose:\n");
	json_array_foreach((json_t *)(uintptr_t)units, i, v)
	{
		one = xalloc_json(json_pack("[O]", v));
		s = describe_units(play_game(pl), one, NULL);
		out_print(&pl->cx->out, "  ");
		out_text(&pl->cx->out, 2, 4, s);
		free(s);
		json_decref(one);
	}
	return (cmd_confirm(pl->cx, "Propose that?"));
}

/* Proposes changes, and accepts them if they are our own side's alone. */
static int
cmd_adjust_give(struct play *pl, const json_t *units, const struct action *a)
{
	const char *why = a->text;
	const struct outbox_text one = {"why", why};
	int64_t last, seq;
	json_t *args;
	bool is_own;
	int status = 0;

	args = xalloc_json(
	    json_pack("{s:s, s:O}", "what", "adjust", "units", units));
	if (!play_is_sent_with(pl, ORDER_PROPOSE, args, &one, 1))
		status = cmd_adjust_check(pl, units);
	/* What a file holds was not seen by who named it at a question. */
	if (status == 0 && a->answer != NULL)
		status = cmd_adjust_confirm(pl, units);
	if (status != 0) {
		json_decref(args);
		return (status);
	}
	is_own = game_is_own_adjust(play_game(pl), pl->seat, units);
	status = play_order_with(pl, ORDER_PROPOSE, args, &one, 1, NULL, &seq);
	if (status == 0 && is_own)
		status = play_order(pl, ORDER_ACCEPT,
		    xalloc_json(json_pack("{s:I}", "to", (json_int_t)seq)),
		    NULL, &last);
	if (status == 0)
		show_order(pl, seq);
	return (status);
}

/* Proposes the changes of the action or of the words, or lists old ones. */
static int
cmd_adjust_play(struct play *pl, const struct action *a)
{
	json_t *units;
	int status = 0;

	if (opt_has(&pl->cx->opts, "by-agreement")) {
		changes_list(&pl->cx->out, replica_battle(pl->copy));
		return (0);
	}
	if (a->args != NULL)
		units = xalloc_copy(a->args);
	else if ((status = cmd_adjust_read(pl, a, &units)) != 0)
		return (status);
	status = cmd_adjust_give(pl, units, a);
	json_decref(units);
	return (status);
}

/* Reads --why; the changes make sense only beside the rosters. */
static int
cmd_adjust_parse(struct cmd_ctx *cx, struct action *a)
{
	const bool is_file =
	    opt_has(&cx->opts, "file") || opt_has(&cx->opts, "join");
	int status;

	if (opt_has(&cx->opts, "by-agreement")) {
		cx->need = PLAY_READ;
		if (cmd_arg(cx, 1) != NULL || is_file)
			return (
			    cmd_usage(cx, "--by-agreement changes nothing"));
		return (0);
	}
	a->kind = ACTION_ADJUST;
	if ((status = offers_text(cx, "why", &a->text)) != 0)
		return (status);
	if (opt_has(&cx->opts, "file") && opt_has(&cx->opts, "join"))
		return (cmd_usage(cx,
		    "--file is a list of changes, --join a roster of what "
		    "joins: give one of them, and the other afterwards"));
	if ((cmd_arg(cx, 1) == NULL) == !is_file)
		return (cmd_usage(cx,
		    "which unit changes, and how?  UNIT FIELD=VALUE, or "
		    "--file, or --join"));
	return (0);
}

static const struct opt_def cmd_adjust_opts[] = {
    {"why", 0, "TEXT", false, "the reason; kept beside the record"},
    {"file", 0, "FILE", false, "the changes as JSON"},
    {"join", 0, "FILE", false, "a roster of what joins"},
    {"by-agreement", 0, NULL, false, "list what was changed by agreement"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_adjust = {
    .opts = cmd_adjust_opts,
    .min_args = 1,
    .max_args = -1,
    .need = PLAY_ORDER,
    .parse = cmd_adjust_parse,
    .play = cmd_adjust_play,
};
