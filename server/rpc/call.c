/* SPDX-License-Identifier: ISC */
/*
 * How requests are answered: the reply, the error's data, what is logged, and
 * that a request without memory is answered busy.
 */
#include "server/rpc/call.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/json/js.h"
#include "common/record/rpc.h"
#include "server/ledger/ledger.h"
#include "server/net/limits.h"
#include "server/net/mailbox.h"
#include "server/rpc/io.h"
#include "server/rpc/session.h"

/* A request whose job is in the ledger. */
struct call_job {
	struct mailbox_mail mail;
	struct session *s; /* is not freed while its pending counts us */
	const struct call_method *method;
	json_t *id; /* owned; NULL for a notification */
	struct ledger_job *job;
	bool is_held;
	call_finish *finish;
};

void
call_append(json_t **list, json_t *v)
{
	if (json_array_append_new(*list, v) == -1) {
		json_decref(*list);
		*list = NULL;
	}
}

const struct js_at *
call_at(void)
{
	static const struct js_at at = {.name = "params"};

	return (&at);
}

/* Answers with a result: a value, or the text in the io's raw buffer. */
static int
call_result(struct session *s, const json_t *id, const json_t *result)
{
	struct buf *out = &s->io->reply, *raw = &s->io->raw;

	buf_reset(out);
	if (result != NULL) {
		rpc_write_result(out, id, result);
		return (session_reply(s));
	}
	if (buf_error(raw) != 0)
		return (buf_error(raw));
	buf_puts(out, "{\"jsonrpc\":\"2.0\",\"id\":");
	js_dump(id, out);
	buf_puts(out, ",\"result\":");
	buf_add(out, raw->data, raw->len);
	buf_puts(out, "}\n");
	return (session_reply(s));
}

void
call_answer(struct call_request *rq, int r, json_t *result, struct errinfo *e)
{
	enum log_level level;

	if ((r == 0 || r == CALL_RAW) && rq->id != NULL) {
		r = call_result(rq->s, rq->id, result);
		if (r == ERR_TOOBIG)
			(void)err_set(e, r, "",
			    "the reply would be over %d bytes", RPC_REPLY_MAX);
	}
	if (r < 0) {
		if (r == ERR_INTERNAL || r == ERR_FAULT || r == ERR_IO)
			level = LOG_ERROR;
		else if (r == ERR_STORAGE || r == ERR_NOMEM)
			level = LOG_WARN;
		else
			level = session_fault_level(rq->s);
		session_log(rq->s, level, "%s: %s%s%s%s%s", rq->method->name,
		    err_name(r), e->where[0] == '\0' ? "" : " at ", e->where,
		    e->text[0] == '\0' ? "" : ": ", e->text);
		/* The line was well formed; something in it is not. */
		if (r == ERR_MALFORMED || r == ERR_REQUEST)
			r = ERR_INVALID;
		if (rq->id != NULL)
			session_fail(rq->s, rq->id, r, e, rq->data);
	}
	json_decref(result);
	json_decref(rq->data);
}

/*
 * Charges what a job took of the ledger's time to who asked, as
 * session_charge() does with what the session's thread took: there are jobs
 * that are cheap to send and dear to do.  Likewise what it wrote.  A client
 * that registers is not logged in yet: the name is only asked for.
 */
static void
call_charge(const struct session *s, const struct ledger_job *job)
{
	struct limits *limits = s->io->shared->limits;
	const int64_t now_ms = clock_mono_ms();

	if (s->sock.is_exempt)
		return;
	limits_charge(limits, s->sock.address,
	    job->op == LEDGER_REGISTER ? "" : job->account, job->spent_us,
	    now_ms);
	if (job->written > 0)
		limits_wrote(limits, job->account, job->written, now_ms);
}

/* Takes a job's answer, in the session's thread. */
static void
call_take(struct mailbox_mail *mail, void *arg)
{
	struct call_job *call = (struct call_job *)(void *)mail;
	struct session *s = call->s;
	struct call_request rq = {
	    .s = s, .method = call->method, .id = call->id};
	struct errinfo e = {0};
	json_t *result = NULL;
	int r;

	(void)arg;
	call_charge(s, call->job);
	s->pending--;
	if (call->is_held)
		s->is_held = false;
	if (session_is_open(s)) {
		buf_reset(&s->io->raw);
		r = call->job->r;
		if (r == 0 || call->job->op == LEDGER_ORDER ||
		    call->job->op == LEDGER_TOURNAMENT ||
		    call->job->op == LEDGER_MEND) {
			r = call->finish(&rq, call->job, &result, &e);
		} else {
			e = call->job->e;
			js_within(call_at(), &e);
		}
		call_answer(&rq, r, result, &e);
	}
	session_kick(s);
	ledger_job_free(call->job);
	json_decref(call->id);
	free(call);
}

/* Passes a job's answer on to the session's thread. */
static void
call_done_cb(struct ledger_job *job, void *arg)
{
	struct call_job *call = arg;

	(void)job;
	mailbox_post(call->s->io->mailbox, &call->mail);
}

int
call_submit(struct call_request *rq, struct ledger_job *job, bool is_held,
    call_finish *finish)
{
	struct session *s = rq->s;
	struct call_job *call;
	int r;

	if ((call = calloc(1, sizeof(*call))) == NULL) {
		ledger_job_free(job);
		return (ERR_NOMEM);
	}
	call->mail.take = call_take;
	call->s = s;
	call->method = rq->method;
	call->job = job;
	call->is_held = is_held;
	call->finish = finish;
	if (rq->id != NULL)
		call->id = json_incref((json_t *)(uintptr_t)rq->id);
	job->done = call_done_cb;
	job->arg = call;
	s->pending++;
	if (is_held)
		s->is_held = true;
	if ((r = ledger_submit(s->io->shared->ledger, job)) == 0)
		return (CALL_LATER);
	s->pending--;
	if (is_held)
		s->is_held = false;
	ledger_job_free(job);
	json_decref(call->id);
	free(call);
	return (r);
}
