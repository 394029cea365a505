/* SPDX-License-Identifier: ISC */
/*
 * The table of methods, the OpenRPC document that is made of it and
 * umpire-protocol.7 all say the same; and what every request has in common.
 */
#include "server/rpc/dispatch.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <event2/event.h>

#include <cmocka.h>

#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/json/js.h"
#include "common/record/rpc.h"
#include "server/ledger/ledger.h"
#include "server/net/limits.h"
#include "server/net/mailbox.h"
#include "server/rpc/discover.h"
#include "server/rpc/io.h"
#include "server/rpc/session.h"
#include "server/rpc/worker.h"
#include "server/store/store.h"

/* The page repeats limit where it is a method's own. */
static const char *const common_errors[] = {
    "request", "malformed", "method", "invalid", "busy", "internal", NULL};

/* Reads one of the tree's files. */
static char *
read_tree(const char *name)
{
	char path[400];
	FILE *f;
	struct buf b;
	int c;

	(void)snprintf(path, sizeof(path), "%s/%s", TOP_SRCDIR, name);
	f = fopen(path, "r");
	assert_non_null(f);
	buf_init(&b, 0);
	while ((c = getc(f)) != EOF)
		buf_putc(&b, c);
	assert_int_equal(fclose(f), 0);
	return (buf_take(&b, NULL));
}

/* The page's part on one method or notice; free() it. */
static char *
page_part(const char *page, const char *name)
{
	const char *end, *start, *other;
	char head[80];

	(void)snprintf(head, sizeof(head), "\n.Ss %s\n", name);
	if ((start = strstr(page, head)) == NULL) {
		fail_msg("umpire-protocol.7 does not have %s", name);
		return (NULL);
	}
	end = strstr(start + 1, "\n.Ss ");
	other = strstr(start + 1, "\n.Sh ");
	if (end == NULL || (other != NULL && other < end))
		end = other;
	assert_non_null(end);
	return (strndup(start, (size_t)(end - start)));
}

/*
 * Holds the list that follows a word ("\nParams:") against fields; both must
 * be there or neither.
 */
static void
hold_list(const char *part, const char *method, const char *word,
    const struct call_field *fields)
{
	const char *at = strstr(part, word), *end, *item;
	char name[40];
	size_t i = 0, n;

	if (fields == NULL || fields[0].name == NULL) {
		if (at != NULL && strncmp(at + strlen(word), "\n.Bl", 4) == 0)
			fail_msg("%s: the page has a list at %s", method, word);
		return;
	}
	if (at == NULL) {
		fail_msg("%s: the page has no %s", method, word);
		return;
	}
	end = strstr(at, "\n.El");
	assert_non_null(end);
	for (item = at;
	     (item = strstr(item, "\n.It Va ")) != NULL && item < end;
	     item += 1, i++) {
		n = strcspn(item + 8, " \n");
		assert_true(n < sizeof(name));
		memcpy(name, item + 8, n);
		name[n] = '\0';
		if (fields[i].name == NULL)
			fail_msg("%s: only the page has %s", method, name);
		assert_string_equal(name, fields[i].name);
		n = strcspn(item + 1, "\n");
		if (strcmp(word, "\nParams:") == 0 && n >= 10 &&
		    (strncmp(item + 1 + n - 10, ", optional", 10) == 0) !=
			fields[i].is_optional)
			fail_msg("%s: is %s optional?", method, name);
	}
	if (fields[i].name != NULL)
		fail_msg("%s: the page lacks %s", method, fields[i].name);
}

/* True if name is in a list ended by NULL. */
static bool
is_in(const char *const list[], const char *name)
{
	size_t i;

	for (i = 0; list[i] != NULL; i++) {
		if (strcmp(list[i], name) == 0)
			return (true);
	}
	return (false);
}

/* Holds the errors that the page names against the method's. */
static void
hold_errors(const char *part, const struct call_method *m)
{
	const char *at = strstr(part, "\nErrors:"), *item;
	char quoted[60];
	size_t count = 0, i, n;

	if (at != NULL && strstr(at, "those of") != NULL)
		return;
	for (i = 0; m->errors != NULL && m->errors[i] != 0; i++) {
		(void)snprintf(
		    quoted, sizeof(quoted), "\n.Sq %s", err_name(m->errors[i]));
		if (at == NULL || (item = strstr(at, quoted)) == NULL ||
		    isalnum((unsigned char)item[strlen(quoted)]))
			fail_msg("%s: the page lacks %s", m->name, quoted);
		assert_false(is_in(common_errors, err_name(m->errors[i])));
		assert_int_not_equal(
		    rpc_code(m->errors[i]), rpc_code(ERR_INTERNAL));
	}
	for (item = at; item != NULL && (item = strstr(item, "\n.Sq ")) != NULL;
	     item++) {
		n = strcspn(item + 5, " \n");
		assert_true(n < sizeof(quoted));
		memcpy(quoted, item + 5, n);
		quoted[n] = '\0';
		count += !is_in(common_errors, quoted);
	}
	if (count != i)
		fail_msg("%s: the page has %zu errors, the table %zu", m->name,
		    count, i);
}

static void
the_page_says_what_the_table_says(void **state)
{
	const struct call_method *const *all, *const *notices;
	char *page = read_tree("common/umpire-protocol.7"), *part;
	size_t i, n, n_notices;

	(void)state;
	all = dispatch_table.methods;
	n = dispatch_table.n_methods;
	notices = dispatch_table.notices;
	n_notices = dispatch_table.n_notices;
	for (i = 0; i < n + n_notices; i++) {
		const struct call_method *m = i < n ? all[i] : notices[i - n];

		part = page_part(page, m->name);
		hold_list(part, m->name, "\nParams:", m->params);
		if (i < n) {
			hold_list(part, m->name, "\nResult:", m->result);
			hold_errors(part, m);
			assert_int_equal(strstr(part, "eeds a login") != NULL,
			    m->needs_login);
		}
		free(part);
	}
	free(page);
}

static void
the_page_has_no_other_methods(void **state)
{
	char *page = read_tree("common/umpire-protocol.7"), *at, name[40];
	const char *end = strstr(page, "\n.Sh ORDERS\n");
	size_t count = 0, n, n_methods;

	(void)state;
	n_methods = dispatch_table.n_methods;
	assert_non_null(end);
	at = strstr(page, "\n.Sh METHODS\n");
	assert_non_null(at);
	while ((at = strstr(at + 1, "\n.Ss ")) != NULL && at < end) {
		n = strcspn(at + 5, "\n");
		assert_true(n < sizeof(name));
		memcpy(name, at + 5, n);
		name[n] = '\0';
		if (dispatch_find(name) == NULL)
			fail_msg("no method %s", name);
		count++;
	}
	assert_int_equal(count, n_methods);
	free(page);
}

static void
the_page_has_every_code(void **state)
{
	char *page = read_tree("common/umpire-protocol.7"), row[80];
	int code, r;

	(void)state;
	for (r = -1; r > -60; r--) {
		code = rpc_code(r);
		if (rpc_err(code) != r)
			continue;
		(void)snprintf(row, sizeof(row), "\n.It %s%d Ta %s Ta ",
		    code < 0 ? "\\" : "", code, err_name(r));
		if (strstr(page, row) == NULL)
			fail_msg("the page lacks \"%s\"", row + 1);
	}
	free(page);
}

static void
names_are_noun_and_verb_and_given_once(void **state)
{
	const struct call_method *const *all;
	size_t i, j, n;

	(void)state;
	all = dispatch_table.methods;
	n = dispatch_table.n_methods;
	for (i = 0; i < n; i++) {
		assert_non_null(strchr(all[i]->name, '.'));
		assert_int_equal(
		    strspn(all[i]->name, "abcdefghijklmnopqrstuvwxyz."),
		    strlen(all[i]->name));
		assert_ptr_equal(dispatch_find(all[i]->name), all[i]);
		for (j = 0; j < i; j++)
			assert_string_not_equal(all[i]->name, all[j]->name);
	}
	assert_null(dispatch_find("game"));
	assert_null(dispatch_find(""));
	assert_null(dispatch_find("game.orders"));
}

/* Checks fields: names once, schemas that are JSON, words for people. */
static size_t
check_fields(const struct call_field *fields)
{
	json_t *schema;
	size_t i, j;

	for (i = 0; fields != NULL && fields[i].name != NULL; i++) {
		assert_true(fields[i].what[0] != '\0');
		schema = json_loads(fields[i].schema, 0, NULL);
		assert_true(json_is_object(schema));
		assert_true(json_object_get(schema, "type") != NULL ||
		    json_object_get(schema, "enum") != NULL);
		json_decref(schema);
		for (j = 0; j < i; j++)
			assert_string_not_equal(fields[i].name, fields[j].name);
	}
	return (i);
}

static void
every_method_is_documented_and_has_a_handler(void **state)
{
	const struct call_method *const *all;
	size_t i, n;

	(void)state;
	all = dispatch_table.methods;
	n = dispatch_table.n_methods;
	for (i = 0; i < n; i++) {
		assert_true(strlen(all[i]->what) > 4);
		assert_true((all[i]->handle != NULL) != (all[i]->fill != NULL));
		assert_true(check_fields(all[i]->params) <= CALL_PARAMS_MAX);
		(void)check_fields(all[i]->result);
	}
}

/* Holds the document's list of params against a method's. */
static void
hold_params(const json_t *list, const struct call_field *fields)
{
	const json_t *v;
	size_t i;

	for (i = 0; fields != NULL && fields[i].name != NULL; i++) {
		v = json_array_get(list, i);
		assert_string_equal(
		    json_string_value(json_object_get(v, "name")),
		    fields[i].name);
		assert_int_equal(json_is_true(json_object_get(v, "required")),
		    !fields[i].is_optional);
		assert_true(json_is_object(json_object_get(v, "schema")));
	}
	assert_int_equal(json_array_size(list), i);
}

/* How often a list of errors has that code. */
static size_t
count_code(const json_t *errors, int code)
{
	const json_t *v;
	size_t i, n = 0;

	json_array_foreach((json_t *)(uintptr_t)errors, i, v) n +=
	    json_integer_value(json_object_get(v, "code")) == code;
	return (n);
}

static void
the_openrpc_document_is_the_table(void **state)
{
	const struct call_method *const *all;
	const json_t *errors, *list, *m;
	json_t *doc = discover_document(&dispatch_table);
	size_t i, j, n;

	(void)state;
	assert_non_null(doc);
	assert_string_equal(
	    json_string_value(json_object_get(doc, "openrpc")), "1.3.2");
	assert_non_null(json_object_get(json_object_get(doc, "info"), "title"));
	list = json_object_get(doc, "methods");
	all = dispatch_table.methods;
	n = dispatch_table.n_methods;
	assert_int_equal(json_array_size(list), n);
	for (i = 0; i < n; i++) {
		m = json_array_get(list, i);
		assert_string_equal(
		    json_string_value(json_object_get(m, "name")),
		    all[i]->name);
		hold_params(json_object_get(m, "params"), all[i]->params);
		assert_int_equal(json_is_true(json_object_get(m, "x-login")),
		    all[i]->needs_login);
		errors = json_object_get(m, "errors");
		for (j = 0; all[i]->errors != NULL && all[i]->errors[j] != 0;
		     j++)
			assert_int_equal(
			    count_code(errors, rpc_code(all[i]->errors[j])), 1);
		assert_int_equal(count_code(errors, rpc_code(ERR_BUSY)), 1);
		assert_int_equal(count_code(errors, rpc_code(ERR_LIMIT)), 1);
		assert_true(json_array_size(errors) > j);
		assert_non_null(json_object_get(
		    json_object_get(json_object_get(m, "result"), "schema"),
		    "properties"));
	}
	list = json_object_get(doc, "x-notices");
	all = dispatch_table.notices;
	n = dispatch_table.n_notices;
	assert_int_equal(json_array_size(list), n);
	for (i = 0; i < n; i++) {
		m = json_array_get(list, i);
		hold_params(json_object_get(m, "params"), all[i]->params);
		assert_null(json_object_get(m, "result"));
	}
	json_decref(doc);
}

/* A session without a socket, whose output is looked at. */
struct desk {
	struct io io;
	struct io_shared shared;
	struct session s;
};

static const struct limits_settings desk_limits = {
    .connections = 10, .per_address = 10, .failure_burst = 10};

static int
make_desk(void **state)
{
	struct desk *d = calloc(1, sizeof(*d));

	if (d == NULL)
		return (-1);
	d->io.base = event_base_new();
	d->io.live.max_output = 4194304;
	d->io.live.max_requests = 10;
	d->io.live.send_timeout = 10;
	buf_init(&d->io.reply, RPC_REPLY_MAX + 1);
	buf_init(&d->io.raw, RPC_REPLY_MAX);
	if (limits_new(&desk_limits, &d->shared.limits) != 0)
		return (-1);
	d->io.shared = &d->shared;
	d->s.io = &d->io;
	d->s.state = SESSION_OPEN;
	buf_init(&d->s.out, 0);
	TAILQ_INIT(&d->s.watched.current);
	TAILQ_INIT(&d->s.watched.behind);
	worker_bind(&d->io);
	if (event_assign(&d->s.work_ev, d->io.base, -1, 0, NULL, NULL) == -1)
		return (-1);
	log_set_level(LOG_ERROR);
	*state = d;
	return (0);
}

static int
free_desk(void **state)
{
	struct desk *d = *state;

	(void)event_del(&d->s.work_ev);
	buf_clear(&d->s.out);
	buf_clear(&d->io.reply);
	buf_clear(&d->io.raw);
	buf_clear(&d->io.discover);
	limits_free(d->shared.limits);
	event_base_free(d->io.base);
	free(d);
	return (0);
}

/* Sends bytes and fails unless that is the reply, which has a line's end. */
static void
answers_bytes(struct desk *d, const char *line, size_t len, const char *want)
{
	dispatch_line(&d->s, line, len);
	assert_string_equal(buf_str(&d->s.out), want);
	buf_reset(&d->s.out);
}

static void
answers(struct desk *d, const char *line, const char *want)
{
	answers_bytes(d, line, strlen(line), want);
}

/* Sends a line and fails unless the reply's error has that name and place. */
static void
errs(struct desk *d, const char *line, const char *name, const char *where)
{
	const json_t *data;
	json_t *reply;

	dispatch_line(&d->s, line, strlen(line));
	reply = json_loads(buf_str(&d->s.out), 0, NULL);
	buf_reset(&d->s.out);
	assert_non_null(reply);
	data = json_object_get(json_object_get(reply, "error"), "data");
	assert_string_equal(
	    json_string_value(json_object_get(data, "name")), name);
	if (where == NULL)
		assert_null(json_object_get(data, "where"));
	else
		assert_string_equal(
		    json_string_value(json_object_get(data, "where")), where);
	json_decref(reply);
}

static void
requests_that_are_none_are_told_apart(void **state)
{
	struct desk *d = *state;

	errs(d, "{\"jsonrpc\":\"2.0\",", "malformed", "byte 18");
	errs(d, "{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":1}", "malformed",
	    "byte 25");
	errs(d, "{}", "request", "jsonrpc");
	errs(d, "{\"jsonrpc\":\"2.0\",\"id\":1}", "request", "method");
	errs(d, "[]", "request", NULL);
	errs(
	    d, " {\"jsonrpc\":\"1.0\",\"method\":\"x\"}", "request", "jsonrpc");
	assert_int_equal(d->s.state, SESSION_OPEN);
}

static void
a_line_that_is_no_json_object_ends_the_session(void **state)
{
	static const char *const lines[] = {
	    "GET / HTTP/1.1", "hello", "\"x\"", "1", "  ", "\xff"};
	struct desk *d = *state;
	size_t i;

	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		d->s.state = SESSION_OPEN;
		errs(d, lines[i], "malformed", NULL);
		assert_int_equal(d->s.state, SESSION_ENDING);
	}
}

static void
an_unknown_method_is_named(void **state)
{
	answers(*state, "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"x.y\"}",
	    "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"error\":{\"code\":-32601,"
	    "\"message\":\"no method \\\"x.y\\\"\",\"data\":{\"name\":"
	    "\"method\",\"where\":\"method\"}}}\n");
}

static void
a_login_is_asked_for_before_params_are_looked_at(void **state)
{
	const struct call_method *const *all;
	struct desk *d = *state;
	char line[200];
	size_t i, n;

	all = dispatch_table.methods;
	n = dispatch_table.n_methods;
	for (i = 0; i < n; i++) {
		(void)snprintf(line, sizeof(line),
		    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\","
		    "\"params\":{\"no_such\":1}}",
		    all[i]->name);
		d->s.is_logged_in = false;
		if (all[i]->needs_login)
			errs(d, line, "login", NULL);
		d->s.is_logged_in = true;
		errs(d, line, "invalid", "params.no_such");
	}
}

static void
a_notification_is_never_answered(void **state)
{
	struct desk *d = *state;

	answers(d, "{\"jsonrpc\":\"2.0\",\"method\":\"rpc.discover\"}", "");
	answers(d, "{\"jsonrpc\":\"2.0\",\"method\":\"no.such\"}", "");
	answers(d,
	    "{\"jsonrpc\":\"2.0\",\"method\":\"game.order\",\"params\":{}}",
	    "");
	assert_int_equal(d->s.state, SESSION_OPEN);
}

static void
a_reply_carries_the_id_as_it_came(void **state)
{
	static const char *const ids[] = {
	    "0", "-7", "9007199254740991", "\"\"", "\"\\u0001\"", "null"};
	struct desk *d = *state;
	char line[120], want[60];
	size_t i;

	for (i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		(void)snprintf(line, sizeof(line),
		    "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":"
		    "\"rpc.discover\"}",
		    ids[i]);
		(void)snprintf(want, sizeof(want),
		    "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{", ids[i]);
		dispatch_line(&d->s, line, strlen(line));
		if (strncmp(buf_str(&d->s.out), want, strlen(want)) != 0)
			fail_msg("%.80s", buf_str(&d->s.out));
		buf_reset(&d->s.out);
	}
}

static void
hello_signs_the_exporter_and_names_the_limits(void **state)
{
	struct desk *d = *state;
	struct io_shared *shared = &d->shared;
	struct errinfo e;
	const json_t *v;
	struct rpc_reply rp;
	uint8_t sig[SIGN_LEN];

	assert_int_equal(sign_key_make(&shared->identity), 0);
	assert_int_equal(vrf_key_make(&shared->dice), 0);
	memset(d->s.exporter, 0x42, sizeof(d->s.exporter));
	d->s.has_exporter = true;
	dispatch_line(&d->s,
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server.hello\"}", 48);
	assert_int_equal(
	    rpc_reply_parse(d->s.out.data, d->s.out.len - 1, &rp, &e), 0);
	assert_int_equal(
	    js_get_hex(rp.result, "sig", NULL, sig, sizeof(sig), &e), 0);
	assert_int_equal(sign_check(shared->identity.public_key, SIGN_TAG_HELLO,
			     d->s.exporter, sizeof(d->s.exporter), sig),
	    0);
	v = json_object_get(rp.result, "limits");
	assert_int_equal(
	    json_integer_value(json_object_get(v, "request")), 65536);
	assert_int_equal(
	    json_integer_value(json_object_get(v, "reply")), 1048576);
	assert_string_equal(
	    json_string_value(json_object_get(rp.result, "policy")), "open");
	rpc_reply_clear(&rp);
	sign_key_clear(&shared->identity);
	vrf_key_clear(&shared->dice);
}

/* The error's data.wait_ms in the only reply that there is; -1 if none. */
static json_int_t
told_to_wait(struct desk *d)
{
	json_t *reply = json_loads(buf_str(&d->s.out), 0, NULL);
	const json_t *data, *v;
	json_int_t wait_ms = -1;

	assert_non_null(reply);
	data = json_object_get(json_object_get(reply, "error"), "data");
	if ((v = json_object_get(data, "wait_ms")) != NULL) {
		assert_string_equal(
		    json_string_value(json_object_get(data, "name")), "limit");
		wait_ms = json_integer_value(v);
	}
	json_decref(reply);
	buf_reset(&d->s.out);
	return (wait_ms);
}

static void
a_request_over_the_rate_is_told_to_wait_but_no_notification(void **state)
{
	static const char *const asked =
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"no.such\"}";
	static const char *const noted =
	    "{\"jsonrpc\":\"2.0\",\"method\":\"no.such\"}";
	struct limits_settings l = desk_limits;
	struct desk *d = *state;

	l.request_rate = l.address_rate = 1;
	l.request_burst = 1000;
	l.address_burst = 1;
	limits_set(d->shared.limits, &l);
	dispatch_line(&d->s, asked, strlen(asked));
	assert_int_equal(told_to_wait(d), -1);
	assert_int_equal(d->s.clocks[SESSION_CLOCK_RATE], 0);
	dispatch_line(&d->s, asked, strlen(asked));
	assert_in_range(told_to_wait(d), 200, 1001);
	assert_int_not_equal(d->s.clocks[SESSION_CLOCK_RATE], 0);
	answers(d, noted, "");
	/* A line that is no request has no id to leave out. */
	dispatch_line(&d->s, "{}", 2);
	assert_in_range(told_to_wait(d), 200, 1001);
	d->s.sock.is_exempt = true;
	dispatch_line(&d->s, asked, strlen(asked));
	assert_int_equal(told_to_wait(d), -1);
	assert_int_equal(d->s.state, SESSION_OPEN);
}

/* ---- what the ledger did for somebody ---- */

/* A job's answer that is not to be told anybody. */
static int
finish_cb(struct call_request *rq, const struct ledger_job *job,
    json_t **result, struct errinfo *e)
{
	(void)rq;
	(void)result;
	*e = job->e;
	return (job->r == 0 ? CALL_RAW : job->r);
}

/* Has the ledger do jobs in somebody's name, and waits for the answers. */
static void
have_done(struct desk *d, enum ledger_op op, const char *account, int n)
{
	const struct timespec ms = {.tv_nsec = 1000000};
	struct call_request rq = {
	    .s = &d->s, .method = dispatch_find("account.block")};
	struct ledger_job *job;
	int i;

	for (i = 0; i < n; i++) {
		job = ledger_job_new(op);
		assert_non_null(job);
		(void)snprintf(
		    job->account, sizeof(job->account), "%s", account);
		assert_int_equal(
		    call_submit(&rq, job, false, finish_cb), CALL_LATER);
		while (!mailbox_take(d->io.mailbox))
			(void)nanosleep(&ms, NULL);
	}
}

static void
the_ledgers_work_is_charged_to_who_asked(void **state)
{
	static const uint8_t here[LIMITS_ADDRESS] = {1};
	struct limits_settings limits = desk_limits;
	char dir[] = "/tmp/umpire-desk.XXXXXX", path[64];
	const char *const names[] = {
	    "/u.db", "/u.db-wal", "/u.db-shm", "/u.db.lock", "/u.db.heads"};
	struct ledger_config conf = {
	    .database = path, .queue_max = 10, .batch_us = INT64_MAX};
	struct desk *d = *state;
	struct limits *peers = d->shared.limits;
	struct errinfo e;
	struct store *st;
	size_t i;

	assert_non_null(mkdtemp(dir));
	(void)snprintf(path, sizeof(path), "%s%s", dir, names[0]);
	assert_int_equal(store_open_writer(path, true, &st, &e), 0);
	store_close(st);
	assert_int_equal(ledger_start(&conf, &d->shared.ledger, &e), 0);
	assert_int_equal(mailbox_new(d->io.base, &d->io.mailbox), 0);
	/* Whatever is in a bucket must be waited for. */
	limits.request_rate = limits.request_burst = 1;
	limits.address_rate = limits.address_burst = 1;
	limits_set(peers, &limits);
	memcpy(d->s.sock.address, here, sizeof(here));
	d->s.sock.is_exempt = true;
	have_done(d, LEDGER_BLOCK, "anna", 20);
	assert_int_equal(
	    limits_wait_ms(peers, here, "anna", clock_mono_ms()), 0);
	d->s.sock.is_exempt = false;
	have_done(d, LEDGER_BLOCK, "anna", 20);
	assert_true(limits_wait_ms(peers, NULL, "anna", clock_mono_ms()) > 0);
	assert_true(limits_wait_ms(peers, here, "", clock_mono_ms()) > 0);
	/* Who registers has no account yet, whatever name he wishes. */
	have_done(d, LEDGER_REGISTER, "bert", 20);
	assert_int_equal(
	    limits_wait_ms(peers, NULL, "bert", clock_mono_ms()), 0);
	ledger_stop(d->shared.ledger);
	mailbox_free(d->io.mailbox);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		(void)snprintf(path, sizeof(path), "%s%s", dir, names[i]);
		(void)unlink(path);
	}
	assert_int_equal(rmdir(dir), 0);
}

static void
output_that_nobody_reads_ends_at_its_bound(void **state)
{
	struct desk *d = *state;
	static char piece[100000];
	size_t n = 0;

	while (session_send(&d->s, piece, sizeof(piece)) == 0)
		n++;
	assert_int_equal(n, 4194304 / sizeof(piece));
	assert_int_equal(session_send(&d->s, piece, sizeof(piece)), ERR_LIMIT);
	assert_false(session_has_room(&d->s));
	/* What was taken is still whole. */
	assert_int_equal(d->s.out.len, n * sizeof(piece));
}

int
main(void)
{
#define WITH_DESK(test) \
	cmocka_unit_test_setup_teardown(test, make_desk, free_desk)
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_page_says_what_the_table_says),
	    cmocka_unit_test(the_page_has_no_other_methods),
	    cmocka_unit_test(the_page_has_every_code),
	    cmocka_unit_test(names_are_noun_and_verb_and_given_once),
	    cmocka_unit_test(every_method_is_documented_and_has_a_handler),
	    cmocka_unit_test(the_openrpc_document_is_the_table),
	    WITH_DESK(requests_that_are_none_are_told_apart),
	    WITH_DESK(a_line_that_is_no_json_object_ends_the_session),
	    WITH_DESK(an_unknown_method_is_named),
	    WITH_DESK(a_login_is_asked_for_before_params_are_looked_at),
	    WITH_DESK(a_notification_is_never_answered),
	    WITH_DESK(a_reply_carries_the_id_as_it_came),
	    WITH_DESK(hello_signs_the_exporter_and_names_the_limits),
	    WITH_DESK(
		a_request_over_the_rate_is_told_to_wait_but_no_notification),
	    WITH_DESK(the_ledgers_work_is_charged_to_who_asked),
	    WITH_DESK(output_that_nobody_reads_ends_at_its_bound),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
