/* SPDX-License-Identifier: ISC */
/* umpire register: makes an account on the server with the profile's key. */
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/display.h"
#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/cmd/keys_words.h"
#include "client/net/link.h"
#include "client/play/play.h"
#include "client/profile/profile.h"
#include "client/report/people.h"
#include "common/base/hex.h"
#include "common/json/js.h"
#include "common/record/order.h"

#define CMD_REGISTER_COLUMN 33 /* behind the longest command */

void
cmd_register_next(struct cmd_ctx *cx)
{
	static const struct {
		const char *command, *what;
	} next[] = {
	    {"join GAME", "take a seat in an opponent's game"},
	    {"new --roster FILE",
		"open a game; a NAME of the list will do, too"},
	    {"roster list", "list rosters by name: samples, and your own"},
	    {"roster new SYSTEM FILE", "make rosters by answering questions"},
	};
	char *profile = cmd_profile_words(cx), *s;
	int column;
	size_t i;

	out_print(&cx->out, "Next, one of:\n");
	for (i = 0; i < sizeof(next) / sizeof(next[0]); i++) {
		s = xalloc_printf("umpire%s %s", profile, next[i].command);
		column = CMD_REGISTER_COLUMN + (int)strlen(profile);
		out_print(&cx->out, "  %-*s", column - 2, s);
		out_text(&cx->out, column, 6, next[i].what);
		free(s);
	}
	free(profile);
}

/* Saves the account and its name, and says that it is there. */
static int
cmd_register_done(struct cmd_ctx *cx, struct profile *p, const struct link *l,
    const char *account, bool is_new)
{
	const char *has, *wanted = opt_get(&cx->opts, "display");
	struct errinfo e = {.text = ""};
	char *copy = xalloc_str(account);
	json_t *v;
	int r;

	free(p->account);
	p->account = copy;
	free(p->display);
	p->display = l->display == NULL ? NULL : xalloc_str(l->display);
	if ((r = profile_save(p, &e)) != 0)
		return (cmd_fail(r, &e));
	if (cx->out.is_json) {
		v = xalloc_json(json_pack("{s:s}", "account", account));
		if (p->display != NULL)
			xalloc_set(v, "display", xalloc_json_str(p->display));
		xalloc_set(v, "server", json_string(p->server));
		xalloc_set(
		    v, "key", js_hex(p->keys.sign.public_key, SIGN_KEY_LEN));
		xalloc_set(v, "new", json_boolean(is_new));
		out_json(&cx->out, v);
	}
	out_print(&cx->out, "%s '%s' on %s.\n",
	    is_new ? "You are now" : "You were already", account, p->server);
	cmd_register_next(cx);
	has = p->display == NULL ? p->account : p->display;
	if (wanted != NULL && strcmp(has, wanted) != 0)
		out_note("People see you as '%s', as before: the name is given "
			 "when the account is made, and cannot be changed.  "
			 "Another name needs another account, with a profile "
			 "of its own: `umpire init --profile NAME`",
		    has);
	return (EX_OK);
}

/* Logs in, if the account is ours already. */
static bool
cmd_register_is_ours(struct profile *p, struct link *l, const char *account)
{
	char *before = p->account;
	struct conn_error ce;

	p->account = xalloc_str(account);
	if (link_try_login(l, &ce) == 0) {
		free(before);
		return (true);
	}
	conn_error_clear(&ce);
	free(p->account);
	p->account = before;
	return (false);
}

/*
 * Gives a profile of before recovery keys one, since an account gets it when it
 * is made or never (record S4).  0, or an exit status.
 */
static int
cmd_register_recovery(struct cmd_ctx *cx, struct profile *p)
{
	struct errinfo e = {.text = ""};
	int r;

	if (!out_can_ask() || cx->out.is_json) {
		out_note("Profile '%s' is from before recovery keys, so the "
			 "account gets none, now or later.\nAt a terminal "
			 "register makes one, with words to write down.",
		    p->name);
		return (0);
	}
	out_note("Profile '%s' is from before recovery keys.  An account gets "
		 "one when it is\nmade, or never; it brings the account back "
		 "if its keys are lost or stolen.\nSo here is one.",
	    p->name);
	r = profile_make_recovery(p, keys_words_show, cx, &e);
	if (r == ERR_CLOSED) {
		out_error("nothing was registered");
		return (EX_USAGE);
	}
	return (r == 0 ? 0 : cmd_fail(r, &e));
}

/* Asks for the account; if it is ours already, that will do. */
static int
cmd_register_ask(
    struct cmd_ctx *cx, struct profile *p, struct link *l, const char *account)
{
	const char *display = opt_get(&cx->opts, "display");
	const char *invite = opt_get(&cx->opts, "invite");
	uint8_t sig[SIGN_LEN];
	json_t *params, *result;
	struct conn_error ce;
	bool is_other;
	int status;

	if (!p->has_recovery) {
		if (cmd_register_is_ours(p, l, account))
			return (cmd_register_done(cx, p, l, account, false));
		if ((status = cmd_register_recovery(cx, p)) != 0)
			return (status);
	}
	if (link_sign(l, account, sig) != 0)
		return (EX_SOFTWARE);
	params = xalloc_json(json_pack("{s:s, s:o, s:o}", "account", account,
	    "key", js_hex(p->keys.sign.public_key, SIGN_KEY_LEN), "sig",
	    js_hex(sig, SIGN_LEN)));
	if (display != NULL)
		xalloc_set(params, "name", json_string(display));
	if (p->has_recovery)
		xalloc_set(
		    params, "recovery", js_hex(p->recovery, SIGN_KEY_LEN));
	if (invite != NULL)
		xalloc_set(params, "invite", xalloc_json_str(invite));
	if (link_call(l, "account.register", params, &result, &ce) == 0) {
		link_take_display(l, result);
		json_decref(result);
		return (cmd_register_done(cx, p, l, account, true));
	}
	if (ce.is_answer && ce.r == ERR_EXISTS &&
	    cmd_register_is_ours(p, l, account)) {
		conn_error_clear(&ce);
		return (cmd_register_done(cx, p, l, account, false));
	}
	is_other = strcmp(ce.e.where, "params.key") == 0;
	memset(ce.e.where, 0, sizeof(ce.e.where));
	status = link_fail(&ce);
	if (ce.is_answer && ce.r == ERR_DENIED && invite == NULL)
		out_note("If the server takes members by invitation, add "
			 "--invite CODE.");
	if (ce.is_answer && ce.r == ERR_EXISTS && is_other)
		out_note("`umpire register` with that name makes it this "
			 "profile's; another account needs\nanother profile: "
			 "umpire init --profile NAME");
	else if (ce.is_answer && ce.r == ERR_EXISTS)
		out_note("Another name may be free.");
	conn_error_clear(&ce);
	return (status);
}

/* Checks the words, connects, asks. */
static int
cmd_register_run(struct cmd_ctx *cx)
{
	const char *display = opt_get(&cx->opts, "display");
	struct errinfo e = {.text = ""};
	struct link *l = NULL;
	struct profile *p;
	char *account;
	int r, status;

	if ((status = play_profile(cx, &p)) != 0)
		return (status);
	account = cmd_arg(cx, 0) != NULL ? xalloc_str(cmd_arg(cx, 0))
	    : p->account != NULL         ? xalloc_str(p->account)
					 : NULL;
	if (account == NULL)
		status = cmd_usage(cx, "which account name?");
	else if (!order_is_account(account))
		status = cmd_usage(cx,
		    "'%s' cannot be an account: small letters, digits, '.', "
		    "'_' and '-', at most 32",
		    account);
	else if (display != NULL && !display_is_name(display))
		status = cmd_usage(cx,
		    "--display takes a name such as \"Anna K.\": letters, "
		    "digits, '.', '-', '_' and apostrophes in words with one "
		    "blank between them, at most 40 columns and %d bytes",
		    DISPLAY_NAME);
	else if ((r = profile_load_keys(p, &e)) != 0)
		status = cmd_fail(r, &e);
	else if ((status = link_open(cx, p, &l)) == 0)
		status = cmd_register_ask(cx, p, l, account);
	else
		out_note("Nothing was registered.");
	link_close(l);
	free(account);
	profile_free(p);
	return (status);
}

static const struct opt_def cmd_register_opts[] = {
    {"invite", 0, "CODE", false, "the one-time code of an invitation"},
    {"display", 0, "NAME", false, "your name as people see it"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_register = {
    .opts = cmd_register_opts,
    .min_args = 0,
    .max_args = 1,
    .run = cmd_register_run,
};
