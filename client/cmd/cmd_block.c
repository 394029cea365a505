/* SPDX-License-Identifier: ISC */
/*
 * umpire block, umpire unblock: accounts that we do not want to play; or a list
 * of them.
 */
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/net/link.h"
#include "client/play/play.h"
#include "client/profile/profile.h"
#include "common/record/order.h"

/* Calls a method as our account; 0 with *result new, or an exit status. */
static int
cmd_block_call(
    struct cmd_ctx *cx, const char *method, json_t *params, json_t **result)
{
	struct link *l = NULL;
	struct profile *p;
	int status;

	if ((status = play_profile(cx, &p)) == 0) {
		if ((status = link_open(cx, p, &l)) == 0 &&
		    (status = link_login(l)) == 0)
			status =
			    link_ask(l, method, json_incref(params), result);
		link_close(l);
		profile_free(p);
	}
	json_decref(params);
	return (status);
}

/* Blocks or unblocks an account. */
static int
cmd_block_set(struct cmd_ctx *cx, const char *account, bool is_blocked)
{
	json_t *params, *result;
	int status;

	if (!order_is_account(account))
		return (cmd_usage(cx, "'%s' cannot be an account", account));
	params = xalloc_json(
	    json_pack("{s:s, s:b}", "account", account, "block", is_blocked));
	status = cmd_block_call(cx, "account.block", params, &result);
	if (status != 0)
		return (status);
	json_decref(result);
	if (cx->out.is_json)
		out_json(&cx->out,
		    xalloc_json(json_pack("{s:s, s:b}", "account", account,
			"blocked", is_blocked)));
	if (is_blocked)
		out_print(&cx->out,
		    "%s is blocked, and can neither join your games nor invite "
		    "you.\nGames that you play together go on.\n",
		    account);
	else
		out_print(&cx->out, "%s is no longer blocked.\n", account);
	return (EX_OK);
}

/* Lists whom we block. */
static int
cmd_block_list(struct cmd_ctx *cx)
{
	const json_t *list, *v;
	json_t *result;
	size_t i;
	int status;

	status = cmd_block_call(cx, "account.blocks", NULL, &result);
	if (status != 0)
		return (status);
	list = json_object_get(result, "accounts");
	if (cx->out.is_json)
		out_json(&cx->out,
		    json_is_array(list) ? xalloc_copy(list)
					: xalloc_json(json_array()));
	else if (json_array_size(list) == 0)
		out_print(&cx->out, "You block nobody.\n");
	json_array_foreach(list, i, v)
	{
		if (json_is_string(v) && !cx->out.is_json)
			out_text(&cx->out, 0, 0, json_string_value(v));
	}
	json_decref(result);
	return (EX_OK);
}

/* Blocks, or lists. */
static int
cmd_block_run(struct cmd_ctx *cx)
{
	if (cmd_arg(cx, 0) == NULL)
		return (cmd_block_list(cx));
	return (cmd_block_set(cx, cmd_arg(cx, 0), true));
}

/* Unblocks. */
static int
cmd_block_run_un(struct cmd_ctx *cx)
{
	return (cmd_block_set(cx, cmd_arg(cx, 0), false));
}

const struct cmd cmd_block = {
    .min_args = 0,
    .max_args = 1,
    .run = cmd_block_run,
};

const struct cmd cmd_unblock = {
    .min_args = 1,
    .max_args = 1,
    .run = cmd_block_run_un,
};
