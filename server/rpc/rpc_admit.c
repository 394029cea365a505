/* SPDX-License-Identifier: ISC */
/*
 * Whom an account does not want to play with, and whom players invite.  None
 * of it is in a record.
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

/* Makes a job about another account: params.account, and the switch `on`. */
static int
rpc_admit_new(const struct dispatch_request *rq, enum ledger_op op,
    const char *on, struct ledger_job **out, struct errinfo *e)
{
	const struct js_at *at = dispatch_at();
	struct ledger_job *job;
	const char *other;
	bool is_on;
	int r;

	if ((r = js_get_str(rq->params, "account", at, &other, e)) != 0 ||
	    (r = js_get_bool(rq->params, on, at, &is_on, e)) != 0)
		return (r);
	if (!order_is_account(other))
		return (
		    js_fail_member(at, "account", e, "not an account's name"));
	if (strcmp(other, rq->s->account) == 0)
		return (js_fail_member(
		    at, "account", e, "is the account that is logged in"));
	if ((job = ledger_job_new(op)) == NULL)
		return (ERR_NOMEM);
	memcpy(job->account, rq->s->account, sizeof(job->account));
	memcpy(job->other, other, strlen(other) + 1);
	job->is_on = is_on;
	*out = job;
	return (0);
}

/* Answers account.block when the ledger has. */
static int
rpc_admit_finish_block(struct dispatch_request *rq,
    const struct ledger_job *job, json_t **result, struct errinfo *e)
{
	(void)rq;
	if (job->r != 0) {
		*e = job->e;
		dispatch_place(e, "params.");
		return (job->r);
	}
	*result = json_pack(
	    "{s:s, s:b}", "account", job->other, "block", (int)job->is_on);
	return (*result == NULL ? ERR_NOMEM : 0);
}

/* Takes account.block on its way. */
static int
rpc_admit_handle_block(
    struct dispatch_request *rq, json_t **result, struct errinfo *e)
{
	struct ledger_job *job;
	int r;

	(void)result;
	if ((r = rpc_admit_new(rq, LEDGER_BLOCK, "block", &job, e)) != 0)
		return (r);
	return (dispatch_submit(rq, job, false, rpc_admit_finish_block));
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
    struct dispatch_request *rq, json_t **result, struct errinfo *e)
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

/* Answers game.invite when the ledger has. */
static int
rpc_admit_finish_invite(struct dispatch_request *rq,
    const struct ledger_job *job, json_t **result, struct errinfo *e)
{
	(void)rq;
	if (job->r != 0) {
		*e = job->e;
		dispatch_place(e, "params.");
		return (job->r);
	}
	*result =
	    json_pack("{s:o, s:s, s:b}", "game", js_hex(job->game, HASH_LEN),
		"account", job->other, "invite", (int)job->is_on);
	return (*result == NULL ? ERR_NOMEM : 0);
}

/* Takes game.invite on its way. */
static int
rpc_admit_handle_invite(
    struct dispatch_request *rq, json_t **result, struct errinfo *e)
{
	struct store_game_row row;
	struct ledger_job *job;
	struct access v;
	int r;

	(void)result;
	if ((r = rpc_game_find(rq, &row, &v, e)) != 0 ||
	    (r = rpc_admit_new(rq, LEDGER_INVITE, "invite", &job, e)) != 0)
		return (r);
	memcpy(job->game, row.id, HASH_LEN);
	return (dispatch_submit(rq, job, false, rpc_admit_finish_invite));
}

static const struct dispatch_field rpc_admit_block_params[] = {
    {"account", SCHEMA_ACCOUNT, false, "whom to block"},
    {"block", SCHEMA_BOOL, false, "false: no longer"},
    {.name = NULL},
};

static const struct dispatch_field rpc_admit_block_result[] = {
    {"account", SCHEMA_ACCOUNT, false, "as given"},
    {"block", SCHEMA_BOOL, false, "likewise"},
    {.name = NULL},
};

static const int rpc_admit_block_errors[] = {
    ERR_LOGIN, ERR_NOTFOUND, ERR_LIMIT, ERR_STORAGE, 0};

const struct dispatch_method rpc_admit_block = {
    .name = "account.block",
    .what = "Keeps an account out of one's games, or no longer.",
    .params = rpc_admit_block_params,
    .result = rpc_admit_block_result,
    .errors = rpc_admit_block_errors,
    .needs_login = true,
    .handle = rpc_admit_handle_block,
};

static const struct dispatch_field rpc_admit_blocks_result[] = {
    {"accounts", SCHEMA_ARRAY(SCHEMA_ACCOUNT), false,
	"whom the account has blocked, by name"},
    {.name = NULL},
};

static const int rpc_admit_blocks_errors[] = {ERR_LOGIN, ERR_STORAGE, 0};

const struct dispatch_method rpc_admit_blocks = {
    .name = "account.blocks",
    .what = "Lists whom the account has blocked.",
    .result = rpc_admit_blocks_result,
    .errors = rpc_admit_blocks_errors,
    .needs_login = true,
    .handle = rpc_admit_handle_blocks,
};

static const struct dispatch_field rpc_admit_invite_params[] = {
    {"game", SCHEMA_GAME, false,
	"the game's id, or a prefix of it that no other has"},
    {"account", SCHEMA_ACCOUNT, false, "whom to invite"},
    {"invite", SCHEMA_BOOL, false, "false: takes the invitation back"},
    {.name = NULL},
};

static const struct dispatch_field rpc_admit_invite_result[] = {
    {"game", SCHEMA_HASH, false, "the game's whole id"},
    {"account", SCHEMA_ACCOUNT, false, "as given"},
    {"invite", SCHEMA_BOOL, false, "likewise"},
    {.name = NULL},
};

static const int rpc_admit_invite_errors[] = {ERR_LOGIN, ERR_NOTFOUND,
    ERR_DENIED, ERR_LIMIT, ERR_DAMAGED, ERR_STORAGE, 0};

const struct dispatch_method rpc_admit_invite = {
    .name = "game.invite",
    .what = "Invites an account to a game, or takes the invitation back.",
    .params = rpc_admit_invite_params,
    .result = rpc_admit_invite_result,
    .errors = rpc_admit_invite_errors,
    .needs_login = true,
    .handle = rpc_admit_handle_invite,
};
