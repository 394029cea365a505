/* SPDX-License-Identifier: ISC */
/*
 * From a line to a method.  What every method has in common is done here: the
 * form of a request, the rates, the login, unknown params.  What a method does
 * is in the rpc_*.c.
 */
#include "server/rpc/dispatch.h"

#include <assert.h>
#include <string.h>

#include "common/json/js.h"
#include "common/record/rpc.h"
#include "server/net/limits.h"
#include "server/rpc/io.h"
#include "server/rpc/rpc_account.h"
#include "server/rpc/rpc_address.h"
#include "server/rpc/rpc_admit.h"
#include "server/rpc/rpc_blob.h"
#include "server/rpc/rpc_former.h"
#include "server/rpc/rpc_game.h"
#include "server/rpc/rpc_heal.h"
#include "server/rpc/rpc_key.h"
#include "server/rpc/rpc_list.h"
#include "server/rpc/rpc_lobby.h"
#include "server/rpc/rpc_order.h"
#include "server/rpc/rpc_server.h"
#include "server/rpc/rpc_text.h"
#include "server/rpc/rpc_todo.h"
#include "server/rpc/rpc_tournament.h"
#include "server/rpc/session.h"

static const struct call_method *const dispatch_methods[] = {
    &rpc_server_hello,
    &rpc_server_discover,
    &rpc_account_register,
    &rpc_account_login,
    &rpc_key_state,
    &rpc_key_list,
    &rpc_admit_block,
    &rpc_admit_blocks,
    &rpc_address_list,
    &rpc_address_set,
    &rpc_address_confirm,
    &rpc_address_drop,
    &rpc_address_quiet,
    &rpc_blob_put,
    &rpc_blob_get,
    &rpc_order_create,
    &rpc_order_join,
    &rpc_order_order,
    &rpc_admit_invite,
    &rpc_list_games,
    &rpc_todo_list,
    &rpc_game_show,
    &rpc_game_record,
    &rpc_game_watch,
    &rpc_game_unwatch,
    &rpc_heal_heads,
    &rpc_heal_heal,
    &rpc_text_erase,
    &rpc_lobby_watch,
    &rpc_lobby_unwatch,
    &rpc_tournament_create,
    &rpc_former,
    &rpc_tournament_order,
    &rpc_tournament_list,
    &rpc_tournament_todo,
    &rpc_tournament_show,
    &rpc_tournament_record,
    &rpc_tournament_watch,
    &rpc_tournament_unwatch,
    &rpc_heal_tournament_heads,
    &rpc_heal_tournament,
};

static const struct call_method *const dispatch_notices[] = {
    &rpc_game_entry,
    &rpc_game_erased,
    &rpc_lobby_game,
    &rpc_tournament_entry,
    &rpc_tournament_erased,
};

const struct call_table dispatch_table = {dispatch_methods,
    sizeof(dispatch_methods) / sizeof(dispatch_methods[0]), dispatch_notices,
    sizeof(dispatch_notices) / sizeof(dispatch_notices[0])};

const struct call_method *
dispatch_find(const char *name)
{
	const struct call_method *const *all = dispatch_methods;
	size_t i;

	for (i = 0; i < dispatch_table.n_methods; i++) {
		if (strcmp(all[i]->name, name) == 0)
			return (all[i]);
	}
	return (NULL);
}

/* Refuses params that the method does not have. */
static int
dispatch_check_params(
    const struct call_method *method, const json_t *params, struct errinfo *e)
{
	const char *known[CALL_PARAMS_MAX + 1];
	size_t n = 0;

	for (; method->params != NULL && method->params[n].name != NULL; n++) {
		assert(n < CALL_PARAMS_MAX);
		known[n] = method->params[n].name;
	}
	known[n] = NULL;
	return (js_members(params, call_at(), known, e));
}

/*
 * Takes a request from the rates of its session, or answers that there are
 * too many, unless it was a notification.  A client that is refused is not read
 * from for as long as it is told to wait, so that a flood of refusals costs no
 * more than a flood of requests.
 */
static bool
dispatch_admit(struct session *s, const json_t *id, bool is_notification)
{
	struct errinfo e = {0};
	int64_t wait_ms = 0;
	json_t *data;
	int r;

	if ((r = session_admit(s, &wait_ms)) == 0)
		return (true);
	(void)err_set(&e, r, "", "too many requests; wait for %lld s",
	    (long long)(wait_ms + 999) / 1000);
	session_log(s, s->is_flooding ? LOG_DEBUG : LOG_INFO, "%s", e.text);
	s->is_flooding = true;
	if (is_notification)
		return (false);
	/* Without memory for it the reply does without the number. */
	data = json_pack("{s:I}", "wait_ms", (json_int_t)wait_ms);
	session_fail(s, id, r, &e, data);
	json_decref(data);
	return (false);
}

/* Gives the ledger the job that a method is. */
static int
dispatch_submit(struct call_request *rq, struct errinfo *e)
{
	const struct call_method *method = rq->method;
	struct ledger_job *job;
	int r;

	if ((job = ledger_job_new(method->op)) == NULL)
		return (ERR_NOMEM);
	memcpy(job->account, rq->s->account, sizeof(job->account));
	if ((r = method->fill(rq, job, e)) == 0)
		return (call_submit(rq, job, method->is_held, method->finish));
	ledger_job_free(job);
	return (r);
}

/* Carries a request out and answers it, unless that comes later. */
static void
dispatch_request(struct session *s, const struct rpc_request *rpc)
{
	const struct call_method *method = dispatch_find(rpc->method);
	struct call_request rq = {
	    .s = s, .method = method, .id = rpc->id, .params = rpc->params};
	struct errinfo e = {0};
	json_t *result = NULL;
	int r;

	if (method == NULL) {
		(void)err_set(
		    &e, ERR_METHOD, "method", "no method \"%s\"", rpc->method);
		session_log(s, session_fault_level(s), "%s", e.text);
		if (rpc->id != NULL)
			session_fail(s, rpc->id, ERR_METHOD, &e, NULL);
		return;
	}
	buf_reset(&s->io->raw);
	if (method->needs_login && !s->is_logged_in)
		r = err_set(&e, ERR_LOGIN, "", "log in first");
	else if ((r = dispatch_check_params(method, rpc->params, &e)) == 0)
		r = method->fill != NULL ? dispatch_submit(&rq, &e)
					 : method->handle(&rq, &result, &e);
	if (r != CALL_LATER)
		call_answer(&rq, r, result, &e);
}

void
dispatch_line(struct session *s, const char *line, size_t len)
{
	struct rpc_request rpc;
	struct errinfo e = {0};
	json_t *id = NULL;
	size_t i = 0;
	int r;

	while (i < len && (line[i] == ' ' || line[i] == '\t'))
		i++;
	if (i == len || (line[i] != '{' && line[i] != '[')) {
		(void)err_set(&e, ERR_MALFORMED, "",
		    "a request is one JSON object per line");
		session_log(s, LOG_INFO, "does not speak JSON-RPC");
		session_blame(s, LIMITS_FAULT_MALFORMED);
		session_fail(s, NULL, ERR_MALFORMED, &e, NULL);
		session_end(s);
		return;
	}
	r = rpc_request_parse(line, len, &rpc, &id, &e);
	if (r == 0) {
		if (dispatch_admit(s, rpc.id, rpc.id == NULL))
			dispatch_request(s, &rpc);
		rpc_request_clear(&rpc);
		return;
	}
	if (!dispatch_admit(s, id, false)) {
		json_decref(id);
		return;
	}
	if (r == ERR_INVALID)
		r = ERR_REQUEST;
	session_blame(s, LIMITS_FAULT_MALFORMED);
	session_log(s, session_fault_level(s), "%s: %s", err_name(r), e.text);
	session_fail(s, id, r, &e, NULL);
	json_decref(id);
}
