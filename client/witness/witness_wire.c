/* SPDX-License-Identifier: ISC */
/* What waits is few, so it is an array in no order. */
#include "client/witness/witness_wire.h"

#include <assert.h>
#include <string.h>

#include "client/net/conn.h"
#include "common/base/buf.h"
#include "common/base/clock.h"

#define WITNESS_WIRE_FIRST                                \
	1000000 /* above the ids of conn.c's own requests \
		 */
#define WITNESS_WIRE_QUIET_MS 60000

void
witness_wire_begin(struct witness_wire *w, struct conn *conn, int64_t wait_ms)
{
	memset(w, 0, sizeof(*w));
	w->conn = conn;
	w->wait_ms = wait_ms;
	w->next_id = WITNESS_WIRE_FIRST;
	w->heard_ms = clock_mono_ms();
}

bool
witness_wire_has_room(const struct witness_wire *w, size_t n)
{
	return (w->n + n <= WITNESS_WIRE_MOST);
}

bool
witness_wire_waits(
    const struct witness_wire *w, enum witness_ask what, int64_t gid)
{
	size_t i;

	for (i = 0; i < w->n; i++) {
		if (w->asked[i].what == what && w->asked[i].gid == gid)
			return (true);
	}
	return (false);
}

int
witness_wire_ask(struct witness_wire *w, const char *method, json_t *params,
    const struct witness_asked *a, struct errinfo *e)
{
	struct witness_asked *slot = &w->asked[w->n];
	struct buf b;
	int r;

	assert(w->n < WITNESS_WIRE_MOST);
	*slot = *a;
	slot->id = w->next_id++;
	slot->at_ms = clock_mono_ms();
	buf_init(&b, 0);
	rpc_write_request(&b, slot->id, method, params);
	json_decref(params);
	if ((r = buf_error(&b)) == 0)
		r = conn_send(w->conn, b.data, b.len, e);
	buf_clear(&b);
	if (r == 0)
		w->n++;
	return (r);
}

int
witness_wire_next(struct witness_wire *w, struct rpc_reply *rp,
    struct witness_asked *a, struct errinfo *e)
{
	struct errinfo why = {.text = ""};
	const char *line;
	size_t i, len;
	int r;

	memset(a, 0, sizeof(*a));
	if ((r = conn_line(w->conn, 0, &line, &len, e)) != 0)
		return (r);
	w->heard_ms = clock_mono_ms();
	if (rpc_reply_parse(line, len, rp, &why) != 0)
		return (err_set(e, ERR_REQUEST, NULL,
		    "the server's answer is not JSON-RPC 2.0: %s", why.text));
	if (rp->method != NULL)
		return (0);
	for (i = 0; i < w->n && w->asked[i].id != rp->id; i++)
		continue;
	if (i == w->n) {
		r = err_set(e, ERR_REQUEST, NULL, "%s",
		    rp->code != 0 ? rp->message
				  : "the server answered something that was "
				    "not asked");
		rpc_reply_clear(rp);
		return (r);
	}
	*a = w->asked[i];
	w->asked[i] = w->asked[--w->n];
	return (0);
}

/* When the answer that is waited for longest is late; INT64_MAX: none is. */
static int64_t
witness_wire_late_ms(const struct witness_wire *w)
{
	int64_t at_ms = INT64_MAX;
	size_t i;

	for (i = 0; i < w->n; i++) {
		if (w->asked[i].at_ms + w->wait_ms < at_ms)
			at_ms = w->asked[i].at_ms + w->wait_ms;
	}
	return (at_ms);
}

int64_t
witness_wire_check_ms(const struct witness_wire *w)
{
	const int64_t late_ms = witness_wire_late_ms(w);

	return (late_ms < INT64_MAX ? late_ms
				    : w->heard_ms + WITNESS_WIRE_QUIET_MS);
}

int
witness_wire_check(struct witness_wire *w, struct errinfo *e)
{
	const struct witness_asked ping = {.what = WITNESS_ASK_PING};
	const int64_t now_ms = clock_mono_ms();

	/* While anything comes, what is asked may have to wait its turn. */
	if (witness_wire_late_ms(w) <= now_ms &&
	    w->heard_ms + w->wait_ms <= now_ms)
		return (err_set(
		    e, ERR_TIMEOUT, NULL, "the server no longer answers"));
	if (w->n > 0 || now_ms < w->heard_ms + WITNESS_WIRE_QUIET_MS)
		return (0);
	return (witness_wire_ask(w, "server.hello", NULL, &ping, e));
}
