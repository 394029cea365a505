/* SPDX-License-Identifier: ISC */
/*
 * JSON-RPC 2.0 messages there and back, what is refused and how the answer
 * finds its way, and the table of codes that clients rely on.
 */
#include "common/record/rpc.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/buf.h"
#include "common/json/js_load.h"

#define LAST_CODE ERR_RECOVERING

/* Parses a request that must be good. */
static void
parse(const char *line, struct rpc_request *rq)
{
	struct errinfo e;
	json_t *id = NULL;

	memset(rq, 'x', sizeof(*rq));
	if (rpc_request_parse(line, strlen(line), rq, &id, &e) != 0)
		fail_msg("%s: %s: %s", line, e.where, e.text);
	assert_null(id);
}

/*
 * Fails unless the request is refused with r at the place where, and its id,
 * as it would be echoed, is id (NULL: none to be had).
 */
static void
refused(const char *line, int r, const char *where, const char *id)
{
	struct rpc_request rq, before;
	json_t *got = NULL;
	struct errinfo e;
	char *text;

	memset(&rq, 'x', sizeof(rq));
	before = rq;
	if (rpc_request_parse(line, strlen(line), &rq, &got, &e) != r)
		fail_msg("%s is not refused with %d", line, r);
	assert_memory_equal(&rq, &before, sizeof(rq));
	if (where != NULL)
		assert_string_equal(e.where, where);
	assert_true(e.text[0] != '\0');
	if (id == NULL) {
		assert_null(got);
	} else {
		assert_non_null(got);
		text = json_dumps(got, JSON_ENCODE_ANY);
		assert_string_equal(text, id);
		free(text);
	}
	json_decref(got);
	/* A caller who wants no id gets no leak either. */
	assert_int_equal(
	    rpc_request_parse(line, strlen(line), &rq, NULL, &e), r);
	assert_int_equal(
	    rpc_request_parse(line, strlen(line), &rq, NULL, NULL), r);
}

static void
a_whole_request_is_read(void **state)
{
	struct rpc_request rq;

	(void)state;
	parse("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"game.order\","
	      "\"params\":{\"a\":[1]}}",
	    &rq);
	assert_int_equal(json_integer_value(rq.id), 7);
	assert_string_equal(rq.method, "game.order");
	assert_int_equal(json_object_size(rq.params), 1);
	assert_true(json_is_array(json_object_get(rq.params, "a")));
	rpc_request_clear(&rq);
	assert_null(rq.root);
	rpc_request_clear(&rq);
}

static void
absent_params_are_an_empty_object(void **state)
{
	struct rpc_request rq;

	(void)state;
	parse("{\"method\":\"m\",\"id\":1,\"jsonrpc\":\"2.0\"}", &rq);
	assert_non_null(rq.params);
	assert_true(json_is_object(rq.params));
	assert_int_equal(json_object_size(rq.params), 0);
	rpc_request_clear(&rq);
}

static void
a_request_without_id_is_a_notification(void **state)
{
	struct rpc_request rq;

	(void)state;
	parse("{\"jsonrpc\":\"2.0\",\"method\":\"m\"}", &rq);
	assert_null(rq.id);
	rpc_request_clear(&rq);
	/* null is an id, if a poor one. */
	parse("{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"id\":null}", &rq);
	assert_non_null(rq.id);
	assert_true(json_is_null(rq.id));
	rpc_request_clear(&rq);
}

static void
ids_of_all_lawful_kinds_are_echoed(void **state)
{
	static const char *const ids[] = {"0", "-1", "7", "9007199254740991",
	    "\"\"", "\"abc\"", "\"\\u001b\\\"\"", "\"caf\xc3\xa9\"", "null"};
	char line[128], want[128];
	struct rpc_request rq;
	struct buf b;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		(void)snprintf(line, sizeof(line),
		    "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"id\":%s}", ids[i]);
		parse(line, &rq);
		buf_init(&b, 0);
		rpc_write_result(&b, rq.id, rq.params);
		(void)snprintf(want, sizeof(want),
		    "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}\n", ids[i]);
		assert_string_equal(buf_str(&b), want);
		buf_clear(&b);
		rpc_request_clear(&rq);
	}
}

static void
an_id_that_is_too_long_is_not_kept(void **state)
{
	char id[RPC_ID_MAX + 2], line[400];
	struct rpc_request rq;

	(void)state;
	memset(id, 'x', sizeof(id) - 1);
	id[RPC_ID_MAX + 1] = '\0';
	(void)snprintf(line, sizeof(line),
	    "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"id\":\"%s\"}", id);
	refused(line, ERR_INVALID, "id", NULL);
	id[RPC_ID_MAX] = '\0';
	(void)snprintf(line, sizeof(line),
	    "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"id\":\"%s\"}", id);
	parse(line, &rq);
	assert_int_equal(json_string_length(rq.id), RPC_ID_MAX);
	rpc_request_clear(&rq);
}

static void
what_is_not_json_of_the_profile_is_malformed(void **state)
{
	(void)state;
	refused("", ERR_MALFORMED, "byte 1", NULL);
	refused("x", ERR_MALFORMED, "byte 1", NULL);
	refused("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"", ERR_MALFORMED,
	    NULL, NULL);
	refused("{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"m\"}",
	    ERR_MALFORMED, NULL, NULL);
	refused("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"id\":2}",
	    ERR_MALFORMED, "byte 38", NULL);
	refused("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"}{}",
	    ERR_MALFORMED, NULL, NULL);
	refused("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\","
		"\"params\":{\"a\":-0}}",
	    ERR_MALFORMED, NULL, NULL);
}

static void
what_is_no_request_is_invalid_and_keeps_its_id(void **state)
{
	(void)state;
	refused("{}", ERR_INVALID, "jsonrpc", NULL);
	refused("{\"id\":3}", ERR_INVALID, "jsonrpc", "3");
	refused("{\"jsonrpc\":\"1.0\",\"id\":\"x\",\"method\":\"m\"}",
	    ERR_INVALID, "jsonrpc", "\"x\"");
	refused("{\"jsonrpc\":2,\"id\":4,\"method\":\"m\"}", ERR_INVALID,
	    "jsonrpc", "4");
	refused("{\"jsonrpc\":\"2.0\",\"id\":5}", ERR_INVALID, "method", "5");
	refused("{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":1}", ERR_INVALID,
	    "method", "null");
	refused("{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"m\","
		"\"params\":[1]}",
	    ERR_INVALID, "params", "6");
	refused("{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"m\","
		"\"params\":null}",
	    ERR_INVALID, "params", "6");
	refused("{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"m\","
		"\"param\":{}}",
	    ERR_INVALID, "param", "6");
	refused("{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"result\":1}",
	    ERR_INVALID, "result", NULL);
}

static void
an_id_of_another_kind_is_invalid_and_not_echoed(void **state)
{
	static const char *const ids[] = {"true", "false", "[]", "{}", "[1]"};
	char line[128];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		(void)snprintf(line, sizeof(line),
		    "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"m\"}", ids[i]);
		refused(line, ERR_INVALID, "id", NULL);
	}
}

static void
batches_and_bare_values_are_invalid(void **state)
{
	(void)state;
	refused("[]", ERR_INVALID, "", NULL);
	refused("[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"}]",
	    ERR_INVALID, "", NULL);
	refused("1", ERR_INVALID, "", NULL);
	refused("null", ERR_INVALID, "", NULL);
	refused("\"m\"", ERR_INVALID, "", NULL);
}

/* The answer to a request whose params have an array of n times that. */
static int
parse_many(const char *piece, size_t n)
{
	struct rpc_request rq;
	struct errinfo e;
	struct buf b;
	int r;

	buf_init(&b, 0);
	buf_puts(&b,
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":{\"x\":"
	    "[");
	while (n-- > 0)
		buf_puts(&b, piece);
	buf_puts(&b, "0]}}");
	assert_int_equal(buf_error(&b), 0);
	if ((r = rpc_request_parse(b.data, b.len, &rq, NULL, &e)) == 0)
		rpc_request_clear(&rq);
	buf_clear(&b);
	return (r);
}

static void
a_request_has_only_so_many_values(void **state)
{
	(void)state;
	/* Before the array's: its own, three members and two objects. */
	assert_int_equal(parse_many("1,", RPC_VALUES_MAX - 7), 0);
	assert_int_equal(parse_many("1,", RPC_VALUES_MAX - 6), ERR_TOOBIG);
	assert_int_equal(parse_many("[],", RPC_VALUES_MAX / 2 - 4), 0);
	assert_int_equal(parse_many("[],", RPC_VALUES_MAX / 2), ERR_TOOBIG);
	/* In a string none of it counts. */
	assert_int_equal(parse_many("\",[{,[{\\\",\",", 3000), 0);
	assert_int_equal(parse_many("\"\\\\\",", 5000), ERR_TOOBIG);
}

static void
nesting_counts_from_the_message_itself(void **state)
{
	struct rpc_request rq;
	struct errinfo e;
	struct buf b;
	int extra, i, r;

	(void)state;
	for (extra = 0; extra < 2; extra++) {
		buf_init(&b, 0);
		buf_puts(&b,
		    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\","
		    "\"params\":{\"a\":");
		for (i = 0; i < JS_DEPTH_RPC - 2 + extra; i++)
			buf_putc(&b, '[');
		for (i = 0; i < JS_DEPTH_RPC - 2 + extra; i++)
			buf_putc(&b, ']');
		buf_puts(&b, "}}");
		r = rpc_request_parse(b.data, b.len, &rq, NULL, &e);
		assert_int_equal(r, extra == 0 ? 0 : ERR_MALFORMED);
		if (r == 0)
			rpc_request_clear(&rq);
		buf_clear(&b);
	}
}

static void
a_written_request_is_read_back(void **state)
{
	json_t *params = json_pack("{s:s,s:i}", "b", "x\ny", "a", 2);
	struct rpc_request rq;
	struct buf b;

	(void)state;
	buf_init(&b, 0);
	rpc_write_request(&b, 12, "a.b", params);
	assert_string_equal(buf_str(&b),
	    "{\"jsonrpc\":\"2.0\",\"id\":12,\"method\":\"a.b\",\"params\":"
	    "{\"b\":\"x\\ny\",\"a\":2}}\n");
	assert_null(memchr(b.data, '\n', b.len - 1));
	parse(buf_str(&b), &rq);
	assert_true(json_equal(rq.params, params));
	rpc_request_clear(&rq);
	buf_reset(&b);
	rpc_write_request(&b, 0, "a.b", NULL);
	assert_string_equal(
	    buf_str(&b), "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"a.b\"}\n");
	buf_clear(&b);
	json_decref(params);
}

/* Parses a reply that must be good. */
static void
parse_reply(const char *line, struct rpc_reply *rp)
{
	struct errinfo e;

	memset(rp, 'x', sizeof(*rp));
	if (rpc_reply_parse(line, strlen(line), rp, &e) != 0)
		fail_msg("%s: %s: %s", line, e.where, e.text);
}

static void
a_written_result_is_read_back(void **state)
{
	static const char *const results[] = {
	    "{\"a\":1}", "[]", "0", "null", "false", "\"x\""};
	json_t *id = json_integer(41), *v;
	struct rpc_reply rp;
	struct buf b;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(results) / sizeof(results[0]); i++) {
		v = json_loads(results[i], JSON_DECODE_ANY, NULL);
		buf_init(&b, 0);
		rpc_write_result(&b, id, v);
		parse_reply(buf_str(&b), &rp);
		assert_int_equal(rp.id, 41);
		assert_true(json_equal(rp.result, v));
		assert_int_equal(rp.r, 0);
		assert_int_equal(rp.code, 0);
		assert_null(rp.method);
		assert_null(rp.params);
		assert_null(rp.message);
		assert_null(rp.data);
		assert_string_equal(rp.where, "");
		rpc_reply_clear(&rp);
		assert_null(rp.root);
		rpc_reply_clear(&rp);
		buf_clear(&b);
		json_decref(v);
	}
	json_decref(id);
}

static void
an_error_says_code_name_message_and_place(void **state)
{
	json_t *id = json_integer(3);
	json_t *data = json_pack("{s:i,s:s,s:s,s:{}}", "seq", 9, "name", "no",
	    "where", "no", "more");
	struct rpc_reply rp;
	struct errinfo e;
	struct buf b;

	(void)state;
	(void)err_set(&e, ERR_INVALID, "params.order", "must be a \"string\"");
	buf_init(&b, 0);
	rpc_write_error(&b, id, ERR_INVALID, &e, data);
	assert_string_equal(buf_str(&b),
	    "{\"jsonrpc\":\"2.0\",\"id\":3,\"error\":{\"code\":-32602,"
	    "\"message\":\"must be a \\\"string\\\"\",\"data\":{"
	    "\"name\":\"invalid\",\"where\":\"params.order\",\"seq\":9,"
	    "\"more\":{}}}}\n");
	parse_reply(buf_str(&b), &rp);
	assert_int_equal(rp.id, 3);
	assert_int_equal(rp.code, -32602);
	assert_int_equal(rp.r, ERR_INVALID);
	assert_string_equal(rp.message, "must be a \"string\"");
	assert_string_equal(rp.where, "params.order");
	assert_int_equal(
	    json_integer_value(json_object_get(rp.data, "seq")), 9);
	assert_null(rp.result);
	rpc_reply_clear(&rp);
	buf_clear(&b);
	json_decref(data);
	json_decref(id);
}

static void
an_error_without_reason_has_the_codes_own_text(void **state)
{
	static const struct errinfo empty;
	struct rpc_reply rp;
	struct buf b;
	int i;

	(void)state;
	for (i = 0; i < 2; i++) {
		buf_init(&b, 0);
		rpc_write_error(
		    &b, NULL, ERR_REQUEST, i == 0 ? NULL : &empty, NULL);
		assert_string_equal(buf_str(&b),
		    "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":"
		    "-32600,\"message\":\"not a JSON-RPC 2.0 request\","
		    "\"data\":{\"name\":\"request\"}}}\n");
		parse_reply(buf_str(&b), &rp);
		assert_int_equal(rp.id, -1);
		assert_int_equal(rp.r, ERR_REQUEST);
		assert_string_equal(rp.where, "");
		rpc_reply_clear(&rp);
		buf_clear(&b);
	}
}

static void
every_error_reply_names_what_its_code_means(void **state)
{
	struct rpc_reply rp;
	const char *name;
	struct buf b;
	int r;

	(void)state;
	for (r = -1; r >= LAST_CODE; r--) {
		buf_init(&b, 0);
		rpc_write_error(&b, NULL, r, NULL, NULL);
		parse_reply(buf_str(&b), &rp);
		assert_int_equal(rp.code, rpc_code(r));
		assert_int_equal(rp.r, rpc_err(rpc_code(r)));
		name = json_string_value(json_object_get(rp.data, "name"));
		assert_string_equal(name, err_name(rp.r));
		assert_string_equal(rp.message, err_text(rp.r));
		rpc_reply_clear(&rp);
		buf_clear(&b);
	}
}

static void
the_codes_are_those_that_clients_know(void **state)
{
	static const struct {
		int r;
		int code;
	} rows[] = {
	    {ERR_MALFORMED, -32700},
	    {ERR_REQUEST, -32600},
	    {ERR_METHOD, -32601},
	    {ERR_INVALID, -32602},
	    {ERR_INTERNAL, -32603},
	    {ERR_STORAGE, 1},
	    {ERR_BUSY, 2},
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
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(rpc_code(rows[i].r), rows[i].code);
		assert_int_equal(rpc_err(rows[i].code), rows[i].r);
	}
}

static void
what_is_of_no_use_to_a_client_is_busy_or_internal(void **state)
{
	static const int internal[] = {ERR_IO, ERR_DICE, ERR_BAD, ERR_TLS,
	    ERR_CLOSED, ERR_CONFIG, 0, 1, -1000, INT_MIN};
	static const int unknown[] = {
	    0, 24, 1000, -1, -32000, -32604, INT_MIN, INT_MAX};
	size_t i;

	(void)state;
	assert_int_equal(rpc_err(rpc_code(ERR_NOMEM)), ERR_BUSY);
	for (i = 0; i < sizeof(internal) / sizeof(internal[0]); i++)
		assert_int_equal(rpc_code(internal[i]), -32603);
	for (i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		assert_int_equal(rpc_err(unknown[i]), ERR_INTERNAL);
}

static void
a_notice_is_read_back(void **state)
{
	json_t *params = json_pack("{s:i}", "seq", 4);
	struct rpc_reply rp;
	struct buf b;

	(void)state;
	buf_init(&b, 0);
	rpc_write_notice(&b, "game.entry", params);
	assert_string_equal(buf_str(&b),
	    "{\"jsonrpc\":\"2.0\",\"method\":\"game.entry\",\"params\":"
	    "{\"seq\":4}}\n");
	parse_reply(buf_str(&b), &rp);
	assert_int_equal(rp.id, -1);
	assert_string_equal(rp.method, "game.entry");
	assert_true(json_equal(rp.params, params));
	assert_null(rp.result);
	assert_int_equal(rp.r, 0);
	rpc_reply_clear(&rp);
	buf_reset(&b);
	rpc_write_notice(&b, "m", NULL);
	parse_reply(buf_str(&b), &rp);
	assert_null(rp.params);
	rpc_reply_clear(&rp);
	buf_clear(&b);
	json_decref(params);
}

static void
replies_out_of_form_are_refused(void **state)
{
	static const struct {
		const char *line;
		int r;
		const char *where;
	} rows[] = {
	    {"{", ERR_MALFORMED, "byte 2"},
	    {"[]", ERR_INVALID, ""},
	    {"null", ERR_INVALID, ""},
	    {"{}", ERR_INVALID, "jsonrpc"},
	    {"{\"jsonrpc\":\"2.0\"}", ERR_INVALID, ""},
	    {"{\"jsonrpc\":\"2.0\",\"id\":1}", ERR_INVALID, ""},
	    {"{\"jsonrpc\":\"2.1\",\"id\":1,\"result\":1}", ERR_INVALID,
		"jsonrpc"},
	    {"{\"jsonrpc\":\"2.0\",\"result\":1}", ERR_INVALID, "id"},
	    {"{\"jsonrpc\":\"2.0\",\"id\":null,\"result\":1}", ERR_INVALID,
		"id"},
	    {"{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":1}", ERR_INVALID,
		"id"},
	    {"{\"jsonrpc\":\"2.0\",\"id\":-1,\"result\":1}", ERR_INVALID, "id"},
	    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"}", ERR_INVALID,
		"id"},
	    {"{\"jsonrpc\":\"2.0\",\"method\":1}", ERR_INVALID, "method"},
	    {"{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":[]}",
		ERR_INVALID, "params"},
	    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1,\"error\":"
	     "{\"code\":1,\"message\":\"\"}}",
		ERR_INVALID, ""},
	    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1,\"method\":\"m\"}",
		ERR_INVALID, ""},
	    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":1}", ERR_INVALID,
		"error"},
	    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{}}", ERR_INVALID,
		"error.code"},
	    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1}}",
		ERR_INVALID, "error.message"},
	    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":0,"
	     "\"message\":\"\"}}",
		ERR_INVALID, "error.code"},
	    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":4294967297,"
	     "\"message\":\"\"}}",
		ERR_INVALID, "error.code"},
	    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,"
	     "\"message\":2}}",
		ERR_INVALID, "error.message"},
	    {"{\"jsonrpc\":\"2.0\",\"id\":true,\"error\":{\"code\":1,"
	     "\"message\":\"\"}}",
		ERR_INVALID, "id"},
	};
	struct rpc_reply before, rp;
	struct errinfo e;
	size_t i;

	(void)state;
	memset(&rp, 'x', sizeof(rp));
	before = rp;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rpc_reply_parse(rows[i].line, strlen(rows[i].line), &rp,
			&e) != rows[i].r)
			fail_msg("%s is not refused", rows[i].line);
		assert_string_equal(e.where, rows[i].where);
		assert_memory_equal(&rp, &before, sizeof(rp));
	}
}

static void
errors_of_other_servers_are_understood(void **state)
{
	struct rpc_reply rp;

	(void)state;
	/* No data, data that is no object, a place that is no text. */
	parse_reply("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":99,"
		    "\"message\":\"m\"}}",
	    &rp);
	assert_int_equal(rp.code, 99);
	assert_int_equal(rp.r, ERR_INTERNAL);
	assert_null(rp.data);
	assert_string_equal(rp.where, "");
	rpc_reply_clear(&rp);
	parse_reply("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":11,"
		    "\"message\":\"m\",\"data\":[1]}}",
	    &rp);
	assert_int_equal(rp.r, ERR_STALE);
	assert_true(json_is_array(rp.data));
	rpc_reply_clear(&rp);
	parse_reply("{\"jsonrpc\":\"2.0\",\"error\":{\"code\":2,"
		    "\"message\":\"m\",\"data\":{\"where\":5}},\"new\":1}",
	    &rp);
	assert_int_equal(rp.id, -1);
	assert_string_equal(rp.where, "");
	rpc_reply_clear(&rp);
}

static void
a_message_over_the_buffers_maximum_fails_in_the_buffer(void **state)
{
	json_t *v = json_string("0123456789");
	struct buf b;
	size_t len;

	(void)state;
	buf_init(&b, 0);
	rpc_write_result(&b, NULL, v);
	len = b.len;
	buf_clear(&b);
	buf_init(&b, len);
	rpc_write_result(&b, NULL, v);
	assert_int_equal(buf_error(&b), 0);
	buf_clear(&b);
	buf_init(&b, len - 1);
	rpc_write_result(&b, NULL, v);
	assert_int_equal(buf_error(&b), ERR_TOOBIG);
	buf_clear(&b);
	json_decref(v);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_whole_request_is_read),
	    cmocka_unit_test(absent_params_are_an_empty_object),
	    cmocka_unit_test(a_request_without_id_is_a_notification),
	    cmocka_unit_test(ids_of_all_lawful_kinds_are_echoed),
	    cmocka_unit_test(an_id_that_is_too_long_is_not_kept),
	    cmocka_unit_test(what_is_not_json_of_the_profile_is_malformed),
	    cmocka_unit_test(what_is_no_request_is_invalid_and_keeps_its_id),
	    cmocka_unit_test(an_id_of_another_kind_is_invalid_and_not_echoed),
	    cmocka_unit_test(batches_and_bare_values_are_invalid),
	    cmocka_unit_test(a_request_has_only_so_many_values),
	    cmocka_unit_test(nesting_counts_from_the_message_itself),
	    cmocka_unit_test(a_written_request_is_read_back),
	    cmocka_unit_test(a_written_result_is_read_back),
	    cmocka_unit_test(an_error_says_code_name_message_and_place),
	    cmocka_unit_test(an_error_without_reason_has_the_codes_own_text),
	    cmocka_unit_test(every_error_reply_names_what_its_code_means),
	    cmocka_unit_test(the_codes_are_those_that_clients_know),
	    cmocka_unit_test(what_is_of_no_use_to_a_client_is_busy_or_internal),
	    cmocka_unit_test(a_notice_is_read_back),
	    cmocka_unit_test(replies_out_of_form_are_refused),
	    cmocka_unit_test(errors_of_other_servers_are_understood),
	    cmocka_unit_test(
		a_message_over_the_buffers_maximum_fails_in_the_buffer),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
