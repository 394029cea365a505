/* SPDX-License-Identifier: ISC */
/*
 * umpire refuse: whoever opened a game sends a player away who has joined
 * it, before anybody is ready (record S5, note).
 */
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/play/action.h"
#include "client/play/offers.h"
#include "client/play/play.h"
#include "client/play/show.h"
#include "client/replica/replica.h"
#include "client/report/battle.h"
#include "common/game/game.h"
#include "common/record/order.h"
#include "common/record/record.h"

/* The line by which an account joined the game; -1 if it has no seat. */
static int64_t
cmd_refuse_find(const struct play *pl, const char *account)
{
	const struct game *g = play_game(pl);
	const struct game_entry *en;
	int64_t seq;

	for (seq = pl->copy->n - 1; seq > 0; seq--) {
		en = battle_entry(replica_battle(pl->copy), seq);
		if (en->kind == ORDER_JOIN && game_is_joined(g, en->seat) &&
		    strcmp(game_account(g, en->seat), account) == 0)
			return (seq);
	}
	return (-1);
}

/* The only player beside us; NULL with a text for none or several. */
static const char *
cmd_refuse_only(const struct play *pl)
{
	const struct game *g = play_game(pl);
	const char *account = NULL;
	int seat;

	for (seat = 0; seat < GAME_SEATS; seat++) {
		if (seat == pl->seat || !game_is_joined(g, seat))
			continue;
		if (account != NULL) {
			(void)cmd_usage(pl->cx,
			    "which player?  umpire refuse %s ACCOUNT",
			    pl->name);
			return (NULL);
		}
		account = game_account(g, seat);
	}
	if (account == NULL)
		out_error("nobody has joined this game yet");
	return (account);
}

/* Finds whom to refuse, and asks; *seq is the line of the join. */
static int
cmd_refuse_check(struct play *pl, int64_t *seq)
{
	const char *account = cmd_arg(pl->cx, 1);
	const struct game *g = play_game(pl);
	bool is_late = game_phase(g) != GAME_MUSTER;
	char *question;
	int i, status;

	if (!play_is_opener(pl)) {
		out_error("only whoever opened the game can refuse somebody");
		return (EX_NOPERM);
	}
	if (account == NULL && (account = cmd_refuse_only(pl)) == NULL)
		return (EX_DATAERR);
	if ((*seq = cmd_refuse_find(pl, account)) < 0) {
		out_error("nobody called '%s' has joined this game", account);
		out_note("`umpire show %s` says who has.", pl->name);
		return (EX_DATAERR);
	}
	for (i = 0; i < GAME_SEATS; i++)
		is_late |= game_is_ready(g, i);
	if (is_late) {
		out_error("somebody has said that they are ready: it is too "
			  "late to refuse a player");
		if (game_phase(g) == GAME_MUSTER)
			out_note(
			    "`umpire cancel %s` calls the game off.", pl->name);
		return (EX_DATAERR);
	}
	question = xalloc_printf(
	    "Refuse %s?  That account can never join this game again.",
	    account);
	status = cmd_confirm(pl->cx, question);
	free(question);
	return (status);
}

/* Checks --why. */
static int
cmd_refuse_parse(struct cmd_ctx *cx, struct action *a)
{
	return (offers_text(cx, "why", &a->text));
}

/* Refuses, after asking. */
static int
cmd_refuse_play(struct play *pl, const struct action *a)
{
	int64_t join;
	int status;

	if (play_is_sent(pl, ORDER_NOTE, NULL, NULL)) {
		show_order(pl, pl->sent_seq);
		return (0);
	}
	if ((status = cmd_refuse_check(pl, &join)) != 0)
		return (status);
	return (offers_give(pl, ORDER_NOTE,
	    xalloc_json(json_pack(
		"{s:I, s:s}", "to", (json_int_t)join, "say", "refuse")),
	    "why", a->text));
}

static const struct opt_def cmd_refuse_opts[] = {
    {"why", 0, "TEXT", false, "a reason, which everybody can read"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_refuse = {
    .opts = cmd_refuse_opts,
    .min_args = 1,
    .max_args = 2,
    .need = PLAY_ORDER,
    .parse = cmd_refuse_parse,
    .play = cmd_refuse_play,
};
