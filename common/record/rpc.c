/* SPDX-License-Identifier: ISC */
/*
 * Reads and writes JSON-RPC 2.0 messages.  Batches are not spoken, params
 * are by name only, and a message has no members but its own.  Knows no
 * method: that is the dispatcher's.
 */
#include "common/record/rpc.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/json/js.h"
#include "common/json/js_put.h"

#define RPC_INTERNAL (-32603)

struct rpc_row {
	int r;
	int code;
};

/*
 * The protocol's codes.  They are part of the contract: a number is never
 * changed or used again.  What is not here is our own affair and answered as
 * internal.  Of two rows with one code the first is what a client sees.
 */
static const struct rpc_row rpc_rows[] = {
    {ERR_MALFORMED, -32700},
    {ERR_REQUEST, -32600},
    {ERR_METHOD, -32601},
    {ERR_INVALID, -32602},
    {ERR_INTERNAL, RPC_INTERNAL},
    {ERR_STORAGE, 1},
    {ERR_BUSY, 2},
    {ERR_NOMEM, 2},
    {ERR_LIMIT, 3},
    {ERR_TOOBIG, 4},
    {ERR_LOGIN, 5},
    {ERR_DENIED, 6},
    {ERR_NOTFOUND, 7},
    {ERR_EXISTS, 8},
    {ERR_SERVER, 9},
    {ERR_FORK, 10},
    {ERR_STALE, 11},
    {ERR_ILLEGAL, 12},
    {ERR_NONCE, 13},
    {ERR_SIGNATURE, 14},
    {ERR_PROOF, 15},
    {ERR_MISSING, 16},
    {ERR_NEWER, 17},
    {ERR_PENDING, 18},
    {ERR_FAULT, 19},
    {ERR_TIMEOUT, 20},
    {ERR_DAMAGED, 21},
    {ERR_CLOCK, 22},
    {ERR_RECOVERING, 23},
};

#define RPC_ROWS (sizeof(rpc_rows) / sizeof(rpc_rows[0]))

int
rpc_code(int r)
{
	size_t i;

	for (i = 0; i < RPC_ROWS; i++) {
		if (rpc_rows[i].r == r)
			return (rpc_rows[i].code);
	}
	return (RPC_INTERNAL);
}

int
rpc_err(int code)
{
	size_t i;

	for (i = 0; i < RPC_ROWS; i++) {
		if (rpc_rows[i].code == code)
			return (rpc_rows[i].r);
	}
	return (ERR_INTERNAL);
}

/* Checks the member that says JSON-RPC 2.0. */
static int
rpc_check_version(const json_t *root, struct errinfo *e)
{
	const char *version;
	int r;

	if ((r = js_get_str(root, "jsonrpc", NULL, &version, e)) != 0)
		return (r);
	if (strcmp(version, "2.0") != 0)
		return (js_fail_member(NULL, "jsonrpc", e, "must be \"2.0\""));
	return (0);
}

/* Checks the id of a request; NULL: it has none. */
static int
rpc_check_id(const json_t *id, struct errinfo *e)
{
	if (json_is_string(id) && json_string_length(id) > RPC_ID_MAX)
		return (js_fail_member(
		    NULL, "id", e, "has more than %d bytes", RPC_ID_MAX));
	if (id == NULL || json_is_string(id) || json_is_integer(id) ||
	    json_is_null(id))
		return (0);
	return (js_fail_member(
	    NULL, "id", e, "must be a string, an integer or null"));
}

/* Reads a request out of root, which rq owns after success. */
static int
rpc_request_read(json_t *root, struct rpc_request *rq, struct errinfo *e)
{
	static const char *const known[] = {
	    "jsonrpc", "id", "method", "params", NULL};
	const json_t *params = NULL;
	const char *method;
	int r;

	if ((r = rpc_check_version(root, e)) != 0 ||
	    (r = js_get_str(root, "method", NULL, &method, e)) != 0 ||
	    (r = js_opt_object(root, "params", NULL, &params, e)) != 0 ||
	    (r = js_members(root, NULL, known, e)) != 0)
		return (r);
	if (params == NULL &&
	    json_object_set_new(root, "params", json_object()) == -1)
		return (err_set(e, ERR_NOMEM, NULL, "out of memory"));
	rq->root = root;
	rq->id = json_object_get(root, "id");
	rq->method = method;
	rq->params = json_object_get(root, "params");
	return (0);
}

/*
 * True if a request may have too many values: of 65,536 bytes one can make
 * 30,000, which take twenty times as long to build as to skip.  Each value but
 * the first comes after one of these bytes.
 */
static bool
rpc_is_crowded(const char *line, size_t len)
{
	bool is_string = false;
	size_t i, n = 1;

	if (len < RPC_VALUES_MAX)
		return (false);
	for (i = 0; i < len && n <= RPC_VALUES_MAX; i++) {
		if (line[i] == '"')
			is_string = !is_string;
		else if (is_string)
			i += line[i] == '\\';
		else
			n += line[i] == ',' || line[i] == '[' || line[i] == '{';
	}
	return (n > RPC_VALUES_MAX);
}

int
rpc_request_parse(const char *line, size_t len, struct rpc_request *rq,
    json_t **id_out, struct errinfo *e)
{
	json_t *id = NULL, *root;
	int r;

	if (id_out != NULL)
		*id_out = NULL;
	if (rpc_is_crowded(line, len))
		return (err_set(e, ERR_TOOBIG, "",
		    "a request has at most %d values", RPC_VALUES_MAX));
	if ((r = js_load(line, len, JS_DEPTH_RPC, &root, e)) != 0)
		return (r);
	if (json_is_object(root)) {
		id = json_object_get(root, "id");
		if ((r = rpc_check_id(id, e)) == 0)
			r = rpc_request_read(root, rq, e);
		else
			id = NULL;
	} else if (json_is_array(root)) {
		r = js_fail(NULL, e,
		    "batches are not supported; "
		    "send one request a line");
	} else {
		r = js_fail(NULL, e, "a request must be an object");
	}
	if (r == ERR_INVALID && id_out != NULL)
		*id_out = json_incref(id);
	if (r != 0)
		json_decref(root);
	return (r);
}

void
rpc_request_clear(struct rpc_request *rq)
{
	json_decref(rq->root);
	memset(rq, 0, sizeof(*rq));
}

/* Appends how every message begins. */
static void
rpc_write_begin(struct buf *out)
{
	buf_puts(out, "{\"jsonrpc\":\"2.0\"");
}

/* Appends what a method is called with, and the end of the message. */
static void
rpc_write_call(struct buf *out, const char *method, const json_t *params)
{
	js_put_str(out, "method", method);
	if (params != NULL)
		js_put_json(out, "params", params);
	buf_puts(out, "}\n");
}

void
rpc_write_request(
    struct buf *out, int64_t id, const char *method, const json_t *params)
{
	rpc_write_begin(out);
	js_put_int(out, "id", id);
	rpc_write_call(out, method, params);
}

void
rpc_write_notice(struct buf *out, const char *method, const json_t *params)
{
	rpc_write_begin(out);
	rpc_write_call(out, method, params);
}

void
rpc_write_result(struct buf *out, const json_t *id, const json_t *result)
{
	assert(result != NULL);
	rpc_write_begin(out);
	js_put_json(out, "id", id);
	js_put_json(out, "result", result);
	buf_puts(out, "}\n");
}

void
rpc_write_error(struct buf *out, const json_t *id, int r,
    const struct errinfo *e, const json_t *data)
{
	const int code = rpc_code(r), shown = rpc_err(code);
	const bool has_text = e != NULL && e->text[0] != '\0';
	const json_t *v;
	const char *name;

	rpc_write_begin(out);
	js_put_json(out, "id", id);
	js_put_open(out, "error", '{');
	js_put_int(out, "code", code);
	js_put_str(out, "message", has_text ? e->text : err_text(shown));
	js_put_open(out, "data", '{');
	js_put_str(out, "name", err_name(shown));
	if (e != NULL && e->where[0] != '\0')
		js_put_str(out, "where", e->where);
	js_foreach(data, name, v)
	{
		if (strcmp(name, "name") != 0 && strcmp(name, "where") != 0)
			js_put_json(out, name, v);
	}
	buf_puts(out, "}}}\n");
}

/* Reads the id of a reply; an error may have none. */
static int
rpc_reply_read_id(struct rpc_reply *rp, struct errinfo *e)
{
	const json_t *id = json_object_get(rp->root, "id");

	if (rp->result == NULL && (id == NULL || json_is_null(id)))
		return (0);
	return (js_get_int(rp->root, "id", NULL, 0, JS_INT_MAX, &rp->id, e));
}

/* Reads the members of an error. */
static int
rpc_reply_read_error(
    struct rpc_reply *rp, const json_t *error, struct errinfo *e)
{
	const struct js_at at = {.name = "error"};
	const json_t *where;
	int64_t code;
	int r;

	if ((r = js_get_int(error, "code", &at, INT_MIN, INT_MAX, &code, e)) !=
		0 ||
	    (r = js_get_str(error, "message", &at, &rp->message, e)) != 0)
		return (r);
	if (code == 0)
		return (js_fail_member(&at, "code", e, "must not be 0"));
	rp->code = (int)code;
	rp->r = rpc_err(rp->code);
	rp->data = json_object_get(error, "data");
	where = json_object_get(rp->data, "where");
	if (json_is_string(where))
		rp->where = json_string_value(where);
	return (rpc_reply_read_id(rp, e));
}

/* Reads a reply or notice out of rp->root. */
static int
rpc_reply_read(struct rpc_reply *rp, struct errinfo *e)
{
	const json_t *error = NULL;
	int r;

	if ((r = rpc_check_version(rp->root, e)) != 0 ||
	    (r = js_opt_str(rp->root, "method", NULL, &rp->method, e)) != 0 ||
	    (r = js_opt_object(rp->root, "error", NULL, &error, e)) != 0)
		return (r);
	rp->result = json_object_get(rp->root, "result");
	if ((rp->method != NULL) + (rp->result != NULL) + (error != NULL) != 1)
		return (js_fail(NULL, e,
		    "must have one of \"method\", \"result\" and \"error\""));
	if (error != NULL)
		return (rpc_reply_read_error(rp, error, e));
	if (rp->result != NULL)
		return (rpc_reply_read_id(rp, e));
	if (json_object_get(rp->root, "id") != NULL)
		return (js_fail_member(
		    NULL, "id", e, "must not stand in a notice"));
	return (js_opt_object(rp->root, "params", NULL, &rp->params, e));
}

int
rpc_reply_parse(
    const char *line, size_t len, struct rpc_reply *rp, struct errinfo *e)
{
	struct rpc_reply new = {.id = -1, .where = ""};
	int r;

	if ((r = js_load(line, len, JS_DEPTH_RPC, &new.root, e)) != 0)
		return (r);
	if ((r = rpc_reply_read(&new, e)) != 0) {
		json_decref(new.root);
		return (r);
	}
	*rp = new;
	return (0);
}

void
rpc_reply_clear(struct rpc_reply *rp)
{
	json_decref(rp->root);
	*rp = (struct rpc_reply){.id = -1, .where = ""};
}
