/* SPDX-License-Identifier: ISC */
/*
 * Accounts that an account blocks or players invite.  None of it is in a
 * record.
 */
#include "server/rpc/rpc_admit.h"

#include <string.h>

#include "common/json/js.h"
#include "common/record/order.h"
#include "common/record/schema.h"
#include "server/ledger/ledger.h"
#include "server/rpc/io.h"
#include "server/rpc/rpc_game.h"
#include "server/rpc/session.h"
#include "server/store/access.h"
#include "server/store/store.h"

/* Fills in a job about another account: params.account, and a switch. */
static int
rpc_admit_fill(const struct call_request *rq, struct ledger_job *job,
    const char *on, struct errinfo *e)
{
	const struct js_at *at = call_at();
	const char *other;
	int r;

	if ((r = js_get_str(rq->params, "account", at, &other, e)) != 0 ||
	    (r = js_get_bool(rq->params, on, at, &job->is_on, e)) != 0)
		return (r);
	if (!order_is_account(other))
		return (
		    js_fail_member(at, "account", e, "not an account's name"));
	if (strcmp(other, rq->s->account) == 0)
		return (js_fail_member(
		    at, "account", e, "is the account that is logged in"));
	memcpy(job->other, other, strlen(other) + 1);
	return (0);
}

/* Fills in the job of account.block. */
static int
rpc_admit_fill_block(
    struct call_request *rq, struct ledger_job *job, struct errinfo *e)
{
	return (rpc_admit_fill(rq, job, "block", e));
}

/* Answers account.block when the ledger has. */
static int
rpc_admit_finish_block(struct call_request *rq, const struct ledger_job *job,
    json_t **result, struct errinfo *e)
{
	(void)rq;
	(void)e;
	*result = json_pack(
	    "{s:s, s:b}", "account", job->other, "block", (int)job->is_on);
	return (*result == NULL ? ERR_NOMEM : 0);
}

/* Adds one account to the list. */
static int
rpc_admit_blocks_cb(void *arg, const char *blocked)
{
	return (json_array_append_new(arg, json_string(blocked)) == -1
		? ERR_NOMEM
		: 0);
}

/* Answers account.blocks. */
static int
rpc_admit_handle_blocks(
    struct call_request *rq, json_t **result, struct errinfo *e)
{
	json_t *list;
	int r;

	(void)e;
	if ((list = json_array()) == NULL)
		return (ERR_NOMEM);
	r = store_block_each(
	    rq->s->io->reader, rq->s->account, rpc_admit_blocks_cb, list);
	if (r != 0) {
		json_decref(list);
		return (r);
	}
	*result = json_pack("{s:o}", "accounts", list);
	return (*result == NULL ? ERR_NOMEM : 0);
}

/* Fills in the job of game.invite. */
static int
rpc_admit_fill_invite(
    struct call_request *rq, struct ledger_job *job, struct errinfo *e)
{
	struct store_game_row row;
	struct access v;
	int r;

	if ((r = rpc_game_find(rq, &row, &v, e)) != 0)
		return (r);
	memcpy(job->game, row.id, HASH_LEN);
	return (rpc_admit_fill(rq, job, "invite", e));
}

/* Answers game.invite when the ledger has. */
static int
rpc_admit_finish_invite(struct call_request *rq, const struct ledger_job *job,
    json_t **result, struct errinfo *e)
{
	(void)rq;
	(void)e;
	*result =
	    json_pack("{s:o, s:s, s:b}", "game", js_hex(job->game, HASH_LEN),
		"account", job->other, "invite", (int)job->is_on);
	return (*result == NULL ? ERR_NOMEM : 0);
}

const struct call_method rpc_admit_block = {
    .name = "account.block",
    .what = "Keeps an account out of your games, or lets it in again.",
    .params = CALL_FIELDS({"account", SCHEMA_ACCOUNT, false, "whom to block"},
	{"block", SCHEMA_BOOL, false, "false: no longer block it"}),
    .result = CALL_FIELDS({"account", SCHEMA_ACCOUNT, false, "as given"},
	{"block", SCHEMA_BOOL, false, "likewise"}),
    .errors = CALL_ERRORS(ERR_LOGIN, ERR_NOTFOUND, ERR_LIMIT, ERR_STORAGE),
    .needs_login = true,
    .fill = rpc_admit_fill_block,
    .finish = rpc_admit_finish_block,
    .op = LEDGER_BLOCK,
};

const struct call_method rpc_admit_blocks = {
    .name = "account.blocks",
    .what = "Lists whom the account has blocked.",
    .result = CALL_FIELDS({"accounts", SCHEMA_ARRAY(SCHEMA_ACCOUNT), false,
	"whom the account has blocked, by name"}),
    .errors = CALL_ERRORS(ERR_LOGIN, ERR_STORAGE),
    .needs_login = true,
    .handle = rpc_admit_handle_blocks,
};

const struct call_method rpc_admit_invite = {
    .name = "game.invite",
    .what = "Invites an account to a game, or takes the invitation back.",
    .params = CALL_FIELDS({RPC_GAME_PARAM},
	{"account", SCHEMA_ACCOUNT, false, "whom to invite"},
	{"invite", SCHEMA_BOOL, false, "false: takes the invitation back"}),
    .result = CALL_FIELDS({"game", SCHEMA_HASH, false, "the game's whole id"},
	{"account", SCHEMA_ACCOUNT, false, "as given"},
	{"invite", SCHEMA_BOOL, false, "likewise"}),
    .errors = CALL_ERRORS(ERR_LOGIN, ERR_NOTFOUND, ERR_DENIED, ERR_LIMIT,
	ERR_DAMAGED, ERR_STORAGE),
    .needs_login = true,
    .fill = rpc_admit_fill_invite,
    .finish = rpc_admit_finish_invite,
    .op = LEDGER_INVITE,
};
