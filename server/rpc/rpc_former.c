/* SPDX-License-Identifier: ISC */
/*
 * The record of a tournament of another server.  Here it is checked that what
 * comes are lines of one tournament, each upon the one before, which costs the
 * ledger's thread nothing; whether they hold is found out when all are here
 * (ledger_former.c).
 */
#include "server/rpc/rpc_former.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/record/schema.h"
#include "common/tournament/verify_former.h"
#include "server/net/limits.h"
#include "server/rpc/io.h"
#include "server/rpc/session.h"
#include "server/store/kept_former.h"
#include "server/store/store_tournament.h"

/* Checks one line, and takes what it has as prev. */
static int
rpc_former_check_line(struct ledger_job *job, const json_t *v,
    const struct js_at *at, uint8_t hash[HASH_LEN], struct errinfo *e)
{
	const size_t i = at->index;
	struct errinfo why = {.text = ""};
	struct record_line ln;
	int r;

	if (!json_is_string(v))
		return (js_fail(at, e, "must be a text"));
	r = record_parse_tournament(
	    json_string_value(v), json_string_length(v), &ln, &why);
	if (r == ERR_NOMEM)
		return (r);
	if (r != 0)
		return (js_fail(at, e, "%.60s: %.100s", why.where, why.text));
	memcpy(job->brought.prevs + i * HASH_LEN, ln.prev, HASH_LEN);
	if (i == 0)
		job->brought.first = ln.seq;
	if (memcmp(ln.game, job->game, HASH_LEN) != 0)
		r = js_fail(at, e, "is a line of another tournament");
	else if (i > 0 &&
	    (ln.seq != job->brought.first + (int64_t)i ||
		memcmp(ln.prev, hash, HASH_LEN) != 0))
		r = js_fail(at, e, "does not follow the one before");
	else if (ln.seq > job->brought.seq)
		r = js_fail(at, e, "comes after the last one, %" PRId64,
		    job->brought.seq);
	else if (ln.seq == job->brought.seq &&
	    memcmp(ln.hash, job->brought.head, HASH_LEN) != 0)
		r = js_fail(at, e, "is the last, and has not the hash head");
	memcpy(hash, ln.hash, HASH_LEN);
	record_clear(&ln);
	return (r);
}

/* Checks who brings something, and the lines. */
static int
rpc_former_fill(
    struct call_request *rq, struct ledger_job *job, struct errinfo *e)
{
	const struct conf_live *live = &rq->s->io->live;
	struct js_at list = {.name = "lines"}, at = {.up = &list};
	const struct session *s = rq->s;
	uint8_t hash[HASH_LEN];
	const json_t *lines, *v;
	int r;

	if ((r = js_get_hex(rq->params, "tournament", call_at(), job->game,
		 HASH_LEN, e)) != 0 ||
	    (r = js_get_int(rq->params, "seq", call_at(), 0, JS_INT_MAX,
		 &job->brought.seq, e)) != 0 ||
	    (r = js_get_hex(rq->params, "head", call_at(), job->brought.head,
		 HASH_LEN, e)) != 0 ||
	    (r = js_get_array(rq->params, "lines", call_at(), &lines, e)) != 0)
		return (r);
	if (!live->anybody_creates && !names_has(&live->creators, s->account))
		return (err_set(e, ERR_DENIED, "",
		    "this server does not let the account \"%s\" open "
		    "tournaments; ask its operator",
		    s->account));
	job->brought.prevs = malloc((json_array_size(lines) + 1) * HASH_LEN);
	if (job->brought.prevs == NULL)
		return (ERR_NOMEM);
	list.up = call_at();
	json_array_foreach(lines, at.index, v)
	{
		r = rpc_former_check_line(job, v, &at, hash, e);
		if (r != 0)
			return (r);
	}
	if (!s->sock.is_exempt)
		job->quota_wait_ms = limits_write_wait_ms(
		    s->io->shared->limits, s->account, clock_mono_ms());
	memcpy(job->account, s->account, sizeof(job->account));
	job->lines = json_deep_copy(lines);
	return (job->lines == NULL ? ERR_NOMEM : 0);
}

/* Answers how far it is, or that it does not hold. */
static int
rpc_former_finish(struct call_request *rq, const struct ledger_job *job,
    json_t **result, struct errinfo *e)
{
	if (job->brought.is_bad) {
		*e = job->e;
		session_log(rq->s, LOG_INFO,
		    "brought a tournament that does not hold: %s", e->text);
		return (err_set(
		    e, ERR_ILLEGAL, "params.lines", "%.140s", job->e.text));
	}
	*result = json_pack("{s:o, s:I, s:b}", "tournament",
	    js_hex(job->game, HASH_LEN), "seq", (json_int_t)job->seq,
	    "complete", job->brought.is_complete);
	return (*result == NULL ? ERR_NOMEM : 0);
}

int
rpc_former_find(const struct call_request *rq,
    const struct store_tournament_row *row, int64_t back,
    struct store_former_row *former, struct errinfo *e)
{
	struct store *reader = rq->s->io->reader;
	struct terms_continues c;
	struct buf line;
	int64_t i;
	int r;

	buf_init(&line, 0);
	r = store_tournament_get(reader, row->tid, 0, &line);
	if (r == 0) {
		buf_putc(&line, '\n');
		r = verify_former_named(buf_str(&line), line.len, &c);
	}
	buf_clear(&line);
	for (i = 1; r == 0; i++) {
		r = store_former_find(reader, c.tournament, c.line, former);
		if (r != 0 || i == back)
			break;
		r = kept_former_named(reader, former, &c);
	}
	if (r == ERR_NOTFOUND)
		(void)err_set(e, r, "params.former",
		    back == 1 ? "the tournament continues no other"
			      : "the tournament does not go back so far");
	return (r);
}

const struct call_method rpc_former = {
    .name = "tournament.former",
    .what = "Brings the record of another server's tournament, to go on with.",
    .params =
	CALL_FIELDS({"tournament", SCHEMA_HASH, false, "that tournament's id"},
	    {"seq", SCHEMA_INT, false, "the number of its last line"},
	    {"head", SCHEMA_HASH, false, "that line's hash"},
	    {"lines", SCHEMA_ARRAY(SCHEMA_TEXT), false,
		"whole lines without LF, one after the other; none: how far is "
		"it?"}),
    .result = CALL_FIELDS(
	{"tournament", SCHEMA_HASH, false, "that tournament's id"},
	{"seq", SCHEMA_INT, false, "the last line that is here; -1: none"},
	{"complete", SCHEMA_BOOL, false, "true: all of it is here and holds"}),
    .errors = CALL_ERRORS(ERR_LOGIN, ERR_DENIED, ERR_MISSING, ERR_ILLEGAL,
	ERR_LIMIT, ERR_STORAGE),
    .needs_login = true,
    .fill = rpc_former_fill,
    .finish = rpc_former_finish,
    .op = LEDGER_FORMER,
    .is_held = true,
};
