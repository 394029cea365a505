/* SPDX-License-Identifier: ISC */
/*
 * umpire tournament enter: entering binds to all terms, so they are shown
 * first, and asked about.
 */
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/net/account.h"
#include "client/net/link.h"
#include "client/profile/profile.h"
#include "client/tournament/desk.h"
#include "client/tournament/desk_copy.h"
#include "client/tournament/desk_former.h"
#include "client/tournament/desk_terms.h"
#include "client/tournament/desks.h"
#include "client/ui/out_terminal.h"
#include "common/json/js.h"
#include "common/record/order.h"
#include "common/tournament/tournament.h"

/* The args of the order; NULL, and *status, if it fails. */
static json_t *
desk_enter_args(struct desk *d, const char *club, int was, int *status)
{
	const struct game_keys *keys = &d->p->keys;
	json_t *args;

	args = xalloc_json(json_pack("{s:s, s:o, s:o}", "account",
	    d->p->account, "key", js_hex(keys->sign.public_key, SIGN_KEY_LEN),
	    "dice_key", js_hex(keys->dice.public_key, VRF_KEY_LEN)));
	if ((*status = account_args(d->link, args)) != 0 ||
	    (tournament_former(d->t) != NULL &&
		(*status = desk_former_was(d, was, args)) != 0)) {
		json_decref(args);
		return (NULL);
	}
	if (club != NULL)
		xalloc_set(args, "club", xalloc_json_str(club));
	return (args);
}

/* Shows the terms and asks. */
static int
desk_enter_ask(struct desk *d, const char *club)
{
	desk_terms_print(&d->cx->out, tournament_terms(d->t));
	if (club != NULL)
		out_print(&d->cx->out,
		    "Your club is '%s'.  That is signed, and cannot be erased "
		    "later.\n",
		    club);
	return (cmd_confirm_as(d->cx,
	    "Enter, and agree to all of that?  Your games are opened and "
	    "joined by these terms.",
	    "by entering you agree to all of that: without a terminal to ask "
	    "on, add --yes"));
}

/* Tells under which number we have entered. */
static void
desk_enter_tell(const struct desk *d, const char *already)
{
	if (d->cx->out.is_json) {
		out_json(&d->cx->out,
		    json_pack("{s:o, s:i}", "tournament",
			js_hex(d->copy->id, HASH_LEN), "number", d->number));
		return;
	}
	out_print(&d->cx->out, "You have entered%s, as number %d.\n", already,
	    d->number);
	desk_next(d);
}

/* Enters. */
static int
desk_enter_run(struct cmd_ctx *cx)
{
	const char *club = opt_get(&cx->opts, "club");
	const char *number = opt_get(&cx->opts, "was");
	struct outbox_text name = {.member = "name"};
	struct desk *d;
	json_t *args;
	int64_t seq, was = 0;
	int status;

	if (number != NULL && !opt_number(number, 1, 1000, &was))
		return (cmd_usage(cx,
		    "--was takes the number that you had in the tournament "
		    "that this one continues"));
	if (club != NULL && !order_is_account(club))
		return (cmd_usage(cx,
		    "--club takes a short word: small letters, digits, '.', "
		    "'_' and '-', at most 32"));
	if ((status = desk_open(cx, cmd_arg(cx, 0), DESK_ORDER, &d)) != 0)
		return (status);
	if (number != NULL && tournament_former(d->t) == NULL) {
		status =
		    cmd_usage(cx, "--was: this tournament continues no other");
	} else if (d->number > 0) {
		desk_enter_tell(d, " already");
	} else if ((status = desk_enter_ask(d, club)) == 0 &&
	    (args = desk_enter_args(d, club, (int)was, &status)) != NULL) {
		name.value = d->p->display;
		status = desk_order(d, ENTRY_ENTER, args, &name, 1, &seq);
		if (status == 0)
			desk_enter_tell(d, "");
	}
	desk_close(d);
	return (status);
}

static const struct opt_def desk_enter_opts[] = {
    {"club", 0, "CLUB", false, "your club, whose members may be kept apart"},
    {"was", 0, "N", false, "your number in the one that it continues"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd desk_cmd_enter = {
    .opts = desk_enter_opts,
    .min_args = 1,
    .max_args = 1,
    .run = desk_enter_run,
};
