/* SPDX-License-Identifier: ISC */
/* umpire cup: bags of chits that belong to the game: made, filled, shown. */
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/play/action.h"
#include "client/play/offers.h"
#include "client/play/roll.h"
#include "client/play/show.h"
#include "common/base/buf.h"
#include "common/game/game.h"
#include "common/game/game_cup.h"
#include "common/json/js.h"
#include "common/record/order.h"

#define CMD_CUP_FILE 65536 /* bytes of a file of chits */

/* Prints one list of chits. */
static void
cmd_cup_chits(struct out *o, const char *label, const json_t *chits)
{
	const json_t *v;
	struct buf b;
	size_t i;
	char *s;

	buf_init(&b, 0);
	json_array_foreach(chits, i, v)
	    buf_printf(&b, "%s%s", i == 0 ? "" : " ", json_string_value(v));
	s = xalloc_take(&b);
	out_print(o, "  %-4s", label);
	out_text(o, 6, 6, *s == '\0' ? "none" : s);
	free(s);
}

/* Lists the cups. */
static int
cmd_cup_list(struct play *pl)
{
	struct out *o = &pl->cx->out;
	const struct game_cup *cups;
	json_t *list;
	size_t i, n;

	cups = game_cups(play_game(pl), &n);
	list = xalloc_json(json_array());
	for (i = 0; i < n; i++) {
		if (o->is_json) {
			xalloc_append(list,
			    json_pack("{s:s, s:O, s:O}", "cup", cups[i].name,
				"in", cups[i].in, "out", cups[i].out));
			continue;
		}
		out_title(o, "%s", cups[i].name);
		cmd_cup_chits(o, "in", cups[i].in);
		cmd_cup_chits(o, "out", cups[i].out);
	}
	if (o->is_json)
		out_json(o, json_incref(list));
	else if (n == 0)
		out_print(o, "There are no cups in this game.\n");
	json_decref(list);
	return (EX_OK);
}

/* The chits of the command line, or of --file; 0, or an exit status. */
static int
cmd_cup_items(struct cmd_ctx *cx, json_t **items)
{
	const char *path = opt_get(&cx->opts, "file");
	int n = cx->opts.n_operands - 3, r, status;
	struct errinfo e = {.text = ""};
	json_t *root;

	if ((path == NULL) == (n == 0))
		return (
		    cmd_usage(cx, "which chits?  Name them, or use --file"));
	if (path == NULL) {
		r = roll_items(
		    n, (const char *const *)cx->opts.operands + 3, items, &e);
		return (r == 0 ? 0 : cmd_usage(cx, "%s", e.text));
	}
	if ((status = cmd_read_json(path, CMD_CUP_FILE, &root)) != 0)
		return (status);
	if (json_is_object(root))
		*items = json_incref(json_object_get(root, "items"));
	else
		*items = json_incref(root);
	json_decref(root);
	if ((r = roll_check_items(*items, &e)) != 0) {
		out_error("'%s': %s", path, e.text);
		json_decref(*items);
		return (EX_DATAERR);
	}
	return (0);
}

/* Reads what to do with which cup; without words the cups are listed. */
static int
cmd_cup_parse(struct cmd_ctx *cx, struct action *a)
{
	const char *act = cmd_arg(cx, 1), *name = cmd_arg(cx, 2);
	json_t *items = NULL;
	int status;

	if (act == NULL) {
		cx->need = PLAY_READ;
		return (0);
	}
	if ((status = offers_text(cx, "for", &a->text)) != 0)
		return (status);
	if (strcmp(act, "make") != 0 && strcmp(act, "return") != 0 &&
	    strcmp(act, "shuffle") != 0)
		return (
		    cmd_usage(cx, "'%s' is not make, return or shuffle", act));
	if (name == NULL)
		return (cmd_usage(cx, "which cup?"));
	if (!js_is_id(name))
		return (cmd_usage(cx,
		    "'%s' cannot be a cup: small letters, digits, '.', '_' "
		    "and '-', at most 32",
		    name));
	if (strcmp(act, "shuffle") != 0)
		status = cmd_cup_items(cx, &items);
	else if (cmd_arg(cx, 3) != NULL || opt_has(&cx->opts, "file"))
		status = cmd_usage(cx, "shuffle puts everything back");
	if (status != 0)
		return (status);
	a->args = xalloc_json(json_pack("{s:s, s:s}", "do", act, "cup", name));
	if (items != NULL)
		xalloc_set(a->args, "items", items);
	return (0);
}

/* Refuses what the game would refuse, before anything is signed. */
static int
cmd_cup_check(struct play *pl, const json_t *args)
{
	const char *act = js_str(args, "do");
	const char *name = js_str(args, "cup");
	bool is_make = strcmp(act, "make") == 0, is_there;

	is_there = game_cup_find(play_game(pl), name) != NULL;
	if (is_make && is_there) {
		out_error("there already is a cup '%s'", name);
		return (EX_DATAERR);
	}
	if (!is_make && !is_there) {
		out_error("there is no cup '%s'; `umpire cup %s` lists them",
		    name, pl->name);
		return (EX_DATAERR);
	}
	if (is_make && game_phase(play_game(pl)) == GAME_MUSTER)
		return (0);
	if (is_make)
		return (offers_need_play(pl));
	if (pl->seat > 0 && game_phase(play_game(pl)) == GAME_PLAY &&
	    game_side(play_game(pl)) == game_side_of(pl->seat))
		return (0);
	return (show_not_now(pl, "chits are put back only in your own turn"));
}

/* Lists the cups, or gives the order. */
static int
cmd_cup_play(struct play *pl, const struct action *a)
{
	const struct outbox_text one = {"for", a->text};
	int status;

	if (a->args == NULL)
		return (cmd_cup_list(pl));
	if (!play_is_sent_with(pl, ORDER_CUP, a->args, &one, 1) &&
	    (status = cmd_cup_check(pl, a->args)) != 0)
		return (status);
	return (
	    offers_give(pl, ORDER_CUP, xalloc_copy(a->args), "for", a->text));
}

static const struct opt_def cmd_cup_opts[] = {
    {"file", 0, "FILE", false, "the chits as a JSON array"},
    {"for", 0, "TEXT", false, "what it is for; kept beside the record"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_cup = {
    .opts = cmd_cup_opts,
    .min_args = 1,
    .max_args = -1,
    .need = PLAY_ORDER,
    .parse = cmd_cup_parse,
    .play = cmd_cup_play,
};
