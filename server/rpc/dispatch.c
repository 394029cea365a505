/* SPDX-License-Identifier: ISC */
/*
 * From a line to a method and back to a reply.  What every method has in
 * common is done here: the form of a request, the login, unknown params, the
 * error's data, and that a request without memory is answered busy.  What a
 * method does is in the rpc_*.c.
 */
#include "server/rpc/dispatch.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/json/js.h"
#include "common/record/rpc.h"
#include "server/ledger/ledger.h"
#include "server/net/limits.h"
#include "server/rpc/io.h"
#include "server/rpc/rpc_account.h"
#include "server/rpc/rpc_address.h"
#include "server/rpc/rpc_admit.h"
#include "server/rpc/rpc_blob.h"
#include "server/rpc/rpc_game.h"
#include "server/rpc/rpc_list.h"
#include "server/rpc/rpc_lobby.h"
#include "server/rpc/rpc_order.h"
#include "server/rpc/rpc_server.h"
#include "server/rpc/rpc_todo.h"
#include "server/rpc/session.h"

#define DISPATCH_FAULTS 20 /* of one session, that are logged */

static const struct dispatch_method *const dispatch_table[] = {
    &rpc_server_hello,
    &rpc_server_discover,
    &rpc_account_register,
    &rpc_account_login,
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
    &rpc_lobby_watch,
    &rpc_lobby_unwatch,
};

static const struct dispatch_method *const dispatch_notice_table[] = {
    &rpc_game_entry,
    &rpc_lobby_game,
};

/* A request whose job is in the ledger. */
struct dispatch_call {
	struct mailbox_mail mail;
	struct session *s; /* is not freed while its pending counts us */
	const struct dispatch_method *method;
	json_t *id; /* owned; NULL for a notification */
	struct ledger_job *job;
	bool is_held;
	dispatch_finish *finish;
};

const struct dispatch_method *const *
dispatch_methods(size_t *n)
{
	*n = sizeof(dispatch_table) / sizeof(dispatch_table[0]);
	return (dispatch_table);
}

const struct dispatch_method *const *
dispatch_notices(size_t *n)
{
	*n = sizeof(dispatch_notice_table) / sizeof(dispatch_notice_table[0]);
	return (dispatch_notice_table);
}

const struct dispatch_method *
dispatch_find(const char *name)
{
	size_t i, n;
	const struct dispatch_method *const *all = dispatch_methods(&n);

	for (i = 0; i < n; i++) {
		if (strcmp(all[i]->name, name) == 0)
			return (all[i]);
	}
	return (NULL);
}

const struct js_at *
dispatch_at(void)
{
	static const struct js_at at = {.name = "params"};

	return (&at);
}

void
dispatch_place(struct errinfo *e, const char *before)
{
	char where[sizeof(e->where)];
	size_t len = strlen(before), room = sizeof(where) - 1 - len;

	if (e->where[0] == '\0')
		return;
	memcpy(where, before, len);
	if (strlen(e->where) < room)
		room = strlen(e->where);
	memcpy(where + len, e->where, room);
	where[len + room] = '\0';
	memcpy(e->where, where, len + room + 1);
}

/* Sends what stands in the io's reply buffer. */
static int
dispatch_send(struct session *s)
{
	struct buf *out = &s->io->reply;
	int r;

	if ((r = buf_error(out)) != 0)
		return (r);
	return (session_send(s, out->data, out->len));
}

/* Answers with an error; the session is closed if even that cannot be. */
static void
dispatch_error(struct session *s, const json_t *id, int r,
    const struct errinfo *e, const json_t *data)
{
	struct buf *out = &s->io->reply;

	buf_reset(out);
	rpc_write_error(out, id, r, e, data);
	r = dispatch_send(s);
	if (r == ERR_NOMEM || r == ERR_TOOBIG) {
		buf_reset(out);
		rpc_write_error(out, id, ERR_BUSY, NULL, NULL);
		r = dispatch_send(s);
	}
	if (r != 0) {
		session_log(
		    s, LOG_WARN, "closed: cannot be answered: %s", err_text(r));
		session_close(s);
	}
}

void
dispatch_fail(struct session *s, int r, const struct errinfo *e)
{
	dispatch_error(s, NULL, r, e, NULL);
}

/* Answers with a result: a value, or the text in the io's raw buffer. */
static int
dispatch_result(struct session *s, const json_t *id, const json_t *result)
{
	struct buf *out = &s->io->reply, *raw = &s->io->raw;

	buf_reset(out);
	if (result != NULL) {
		rpc_write_result(out, id, result);
		return (dispatch_send(s));
	}
	if (buf_error(raw) != 0)
		return (buf_error(raw));
	buf_puts(out, "{\"jsonrpc\":\"2.0\",\"id\":");
	js_dump(id, out);
	buf_puts(out, ",\"result\":");
	buf_add(out, raw->data, raw->len);
	buf_puts(out, "}\n");
	return (dispatch_send(s));
}

/* The level for one more fault of the client's; a flood does not fill logs. */
static enum log_level
dispatch_level(struct session *s)
{
	if (s->faults == DISPATCH_FAULTS)
		return (LOG_DEBUG);
	if (++s->faults == DISPATCH_FAULTS)
		session_log(s, LOG_INFO, "its next faults are not logged");
	return (LOG_INFO);
}

/* Logs why a request failed, at the level of whose fault it is. */
static void
dispatch_log(struct session *s, const struct dispatch_method *method, int r,
    const struct errinfo *e)
{
	enum log_level level;

	if (r == ERR_INTERNAL || r == ERR_FAULT || r == ERR_IO)
		level = LOG_ERROR;
	else if (r == ERR_STORAGE || r == ERR_NOMEM)
		level = LOG_WARN;
	else
		level = dispatch_level(s);
	session_log(s, level, "%s: %s%s%s%s%s", method->name, err_name(r),
	    e->where[0] == '\0' ? "" : " at ", e->where,
	    e->text[0] == '\0' ? "" : ": ", e->text);
}

/*
 * Answers a request whose handler returned r; takes result and rq->data.
 * The reply of a notification is left out.
 */
static void
dispatch_answer(
    struct dispatch_request *rq, int r, json_t *result, struct errinfo *e)
{
	if ((r == 0 || r == DISPATCH_RAW) && rq->id != NULL) {
		r = dispatch_result(rq->s, rq->id, result);
		if (r == ERR_TOOBIG)
			(void)err_set(e, r, "",
			    "the reply would be over %d bytes", RPC_REPLY_MAX);
	}
	if (r < 0) {
		dispatch_log(rq->s, rq->method, r, e);
		/* The line was well formed; something in it is not. */
		if (r == ERR_MALFORMED || r == ERR_REQUEST)
			r = ERR_INVALID;
		if (rq->id != NULL)
			dispatch_error(rq->s, rq->id, r, e, rq->data);
	}
	json_decref(result);
	json_decref(rq->data);
}

/* Refuses params that the method does not have. */
static int
dispatch_check_params(const struct dispatch_method *method,
    const json_t *params, struct errinfo *e)
{
	const char *known[DISPATCH_PARAMS_MAX + 1];
	size_t n = 0;

	for (; method->params != NULL && method->params[n].name != NULL; n++) {
		assert(n < DISPATCH_PARAMS_MAX);
		known[n] = method->params[n].name;
	}
	known[n] = NULL;
	return (js_members(params, dispatch_at(), known, e));
}

/*
 * Takes a request from the rates of its session, or answers that there are
 * too many, unless it was a notification.  Whoever is refused is not read from
 * for as long as he is told to wait, so that a flood of refusals costs no more
 * than a flood of requests.
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
	dispatch_error(s, id, r, &e, data);
	json_decref(data);
	return (false);
}

/* Carries a request out and answers it, unless that comes later. */
static void
dispatch_request(struct session *s, const struct rpc_request *rpc)
{
	const struct dispatch_method *method = dispatch_find(rpc->method);
	struct dispatch_request rq = {
	    .s = s, .method = method, .id = rpc->id, .params = rpc->params};
	struct errinfo e = {0};
	json_t *result = NULL;
	int r;

	if (method == NULL) {
		(void)err_set(
		    &e, ERR_METHOD, "method", "no method \"%s\"", rpc->method);
		session_log(s, dispatch_level(s), "%s", e.text);
		if (rpc->id != NULL)
			dispatch_error(s, rpc->id, ERR_METHOD, &e, NULL);
		return;
	}
	buf_reset(&s->io->raw);
	if (method->needs_login && !s->is_logged_in)
		r = err_set(&e, ERR_LOGIN, "", "log in first");
	else if ((r = dispatch_check_params(method, rpc->params, &e)) == 0)
		r = method->handle(&rq, &result, &e);
	if (r != DISPATCH_LATER)
		dispatch_answer(&rq, r, result, &e);
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
		    "a request is one JSON object a line");
		session_log(s, LOG_INFO, "does not speak JSON-RPC");
		session_blame(s, LIMITS_FAULT_MALFORMED);
		dispatch_fail(s, ERR_MALFORMED, &e);
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
	session_log(s, dispatch_level(s), "%s: %s", err_name(r), e.text);
	dispatch_error(s, id, r, &e, NULL);
	json_decref(id);
}

/*
 * Charges what a job took of the ledger's time to who asked, as
 * session_charge() does with what the session's thread took: there are jobs
 * that are cheap to send and dear to do.  Likewise what it wrote.  Nobody is
 * logged in who registers: the name is his wish.
 */
static void
dispatch_charge(const struct session *s, const struct ledger_job *job)
{
	struct limits *peers = s->io->shared->peers;
	const int64_t now_ms = clock_mono_ms();

	if (s->sock.is_exempt)
		return;
	limits_charge(peers, s->sock.address,
	    job->op == LEDGER_REGISTER ? "" : job->account, job->spent_us,
	    now_ms);
	if (job->written > 0)
		limits_wrote(peers, job->account, job->written, now_ms);
}

/* Takes a job's answer, in the session's thread. */
static void
dispatch_take(struct mailbox_mail *mail, void *arg)
{
	struct dispatch_call *call = (struct dispatch_call *)(void *)mail;
	struct session *s = call->s;
	struct dispatch_request rq = {
	    .s = s, .method = call->method, .id = call->id};
	struct errinfo e = {0};
	json_t *result = NULL;
	int r;

	(void)arg;
	dispatch_charge(s, call->job);
	s->pending--;
	if (call->is_held)
		s->is_held = false;
	if (session_is_open(s)) {
		buf_reset(&s->io->raw);
		r = call->finish(&rq, call->job, &result, &e);
		dispatch_answer(&rq, r, result, &e);
	}
	if (s->state == SESSION_CLOSED)
		io_reap(s->io);
	else
		session_kick(s);
	ledger_job_free(call->job);
	json_decref(call->id);
	free(call);
}

/* Passes a job's answer on to the session's thread. */
static void
dispatch_done_cb(struct ledger_job *job, void *arg)
{
	struct dispatch_call *call = arg;

	(void)job;
	io_post(call->s->io, &call->mail);
}

int
dispatch_submit(struct dispatch_request *rq, struct ledger_job *job,
    bool is_held, dispatch_finish *finish)
{
	struct session *s = rq->s;
	struct dispatch_call *call;
	int r;

	if ((call = calloc(1, sizeof(*call))) == NULL) {
		ledger_job_free(job);
		return (ERR_NOMEM);
	}
	call->mail.take = dispatch_take;
	call->s = s;
	call->method = rq->method;
	call->job = job;
	call->is_held = is_held;
	call->finish = finish;
	if (rq->id != NULL)
		call->id = json_incref((json_t *)(uintptr_t)rq->id);
	job->done = dispatch_done_cb;
	job->arg = call;
	s->pending++;
	if (is_held)
		s->is_held = true;
	if ((r = ledger_submit(s->io->shared->ledger, job)) == 0)
		return (DISPATCH_LATER);
	s->pending--;
	if (is_held)
		s->is_held = false;
	ledger_job_free(job);
	json_decref(call->id);
	free(call);
	return (r);
}
