/* SPDX-License-Identifier: ISC */
/* What the daemon and its courier say to each other. */
#include "server/courier/courier_message.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/buf.h"
#include "common/json/js.h"

/* Reads a job that must be refused. */
static void
refuses(const char *line)
{
	struct courier_message job = {.id = 77};
	struct errinfo e = {.text = ""};
	int r = courier_message_read(line, strlen(line), &job, &e);

	if (r != ERR_INVALID && r != ERR_MALFORMED)
		fail_msg("%d: %s", r, line);
	assert_int_equal(job.id, 77);
	assert_null(job.doc);
	assert_true(e.text[0] != '\0');
}

static void
jobs_of_each_channel_are_read(void **state)
{
	static const char mail[] =
	    "{\"id\":5,\"channel\":\"mail\",\"to\":\"a@b.c\",\"subject\":"
	    "\"umpire: x\",\"body\":\"line\\n.\\n\"}";
	static const char hook[] = "{\"id\":9007199254740991,\"channel\":"
				   "\"webhook\",\"to\":\"https://h/p\","
				   "\"body\":\"{}\"}";
	static const char command[] =
	    "{\"channel\":\"command\",\"id\":0,\"body\":\"\xc3\xa9\"}";
	struct courier_message job;
	struct errinfo e;

	(void)state;
	assert_int_equal(courier_message_read(mail, strlen(mail), &job, &e), 0);
	assert_int_equal(job.id, 5);
	assert_int_equal(job.channel, COURIER_CHANNEL_MAIL);
	assert_string_equal(job.to, "a@b.c");
	assert_string_equal(job.subject, "umpire: x");
	assert_string_equal(job.body, "line\n.\n");
	assert_int_equal(strlen(job.body), 7);
	courier_message_clear(&job);
	assert_int_equal(courier_message_read(hook, strlen(hook), &job, &e), 0);
	assert_int_equal(job.id, JS_INT_MAX);
	assert_int_equal(job.channel, COURIER_CHANNEL_WEBHOOK);
	assert_string_equal(job.to, "https://h/p");
	assert_null(job.subject);
	courier_message_clear(&job);
	assert_int_equal(
	    courier_message_read(command, strlen(command), &job, &e), 0);
	assert_int_equal(job.channel, COURIER_CHANNEL_COMMAND);
	assert_null(job.to);
	assert_int_equal(strlen(job.body), 2);
	courier_message_clear(&job);
}

static void
other_jobs_are_refused(void **state)
{
	(void)state;
	refuses("");
	refuses("0");
	refuses("{\"id\":1}");
	refuses("{\"id\":1,\"channel\":\"pigeon\",\"body\":\"x\"}");
	refuses("{\"id\":1.5,\"channel\":\"command\",\"body\":\"x\"}");
	refuses("{\"id\":-1,\"channel\":\"command\",\"body\":\"x\"}");
	refuses("{\"id\":1,\"channel\":\"command\",\"body\":\"\"}");
	refuses("{\"id\":1,\"channel\":\"command\",\"body\":[]}");
	refuses("{\"id\":1,\"id\":1,\"channel\":\"command\",\"body\":\"x\"}");
	refuses("{\"id\":1,\"channel\":\"command\",\"body\":\"\\u0000\"}");
	refuses("{\"id\":1,\"channel\":\"command\",\"to\":\"a@b.c\",\"body\":"
		"\"x\"}");
	refuses("{\"id\":1,\"channel\":\"webhook\",\"body\":\"x\"}");
	refuses("{\"id\":1,\"channel\":\"webhook\",\"to\":\"a@b.c\",\"body\":"
		"\"x\"}");
	refuses("{\"id\":1,\"channel\":\"mail\",\"to\":\"a@b.c\",\"body\":"
		"\"x\\n\"}");
	refuses("{\"id\":1,\"channel\":\"mail\",\"to\":\"https://h\","
		"\"subject\":\"s\",\"body\":\"x\\n\"}");
	refuses("{\"id\":1,\"channel\":\"mail\",\"to\":\"a@b.c\","
		"\"subject\":\"s\\r\\nBcc: d@e.f\",\"body\":\"x\\n\"}");
	refuses("{\"id\":1,\"channel\":\"mail\",\"to\":\"a@b.c\","
		"\"subject\":\"s\\u007f\",\"body\":\"x\\n\"}");
	refuses("{\"id\":1,\"channel\":\"mail\",\"to\":\"a@b.c\","
		"\"subject\":\"s\",\"body\":\"x\"}");
	refuses("{\"id\":1,\"channel\":\"mail\",\"to\":\"a@b.c\","
		"\"subject\":\"s\",\"body\":\"x\\r\\n\"}");
}

static void
a_body_ends_at_its_maximum(void **state)
{
	struct courier_message job;
	struct errinfo e;
	struct buf line;
	size_t n;

	(void)state;
	for (n = COURIER_BODY - 1; n <= COURIER_BODY + 1; n++) {
		buf_init(&line, 0);
		buf_puts(
		    &line, "{\"id\":1,\"channel\":\"command\",\"body\":\"");
		while (line.len < 36 + n)
			buf_putc(&line, 'x');
		buf_puts(&line, "\"}");
		if (n <= COURIER_BODY) {
			assert_int_equal(
			    courier_message_read(line.data, line.len, &job, &e),
			    0);
			assert_int_equal(strlen(job.body), n);
			courier_message_clear(&job);
		} else {
			refuses(buf_str(&line));
		}
		buf_clear(&line);
	}
}

/* What is written is read as the same. */
static void
is_read_as_written(const struct courier_message *m, const char *text)
{
	struct courier_message got;
	struct errinfo e;
	struct buf out;

	buf_init(&out, COURIER_PACKET);
	courier_message_write(&out, m);
	if (text != NULL)
		assert_string_equal(buf_str(&out), text);
	assert_int_equal(courier_message_read(out.data, out.len, &got, &e), 0);
	assert_int_equal(got.id, m->id);
	assert_int_equal(got.is_answer, m->is_answer);
	if (m->is_answer) {
		assert_int_equal(got.verdict.ok, m->verdict.ok);
		assert_int_equal(got.verdict.may_retry, m->verdict.may_retry);
		assert_int_equal(got.verdict.is_own, m->verdict.is_own);
		assert_string_equal(got.verdict.error, m->verdict.error);
		assert_string_equal(got.verdict.cause, m->verdict.cause);
	} else {
		assert_int_equal(got.channel, m->channel);
		assert_string_equal(got.body, m->body);
		assert_true((got.to == NULL) == (m->to == NULL));
		assert_true((got.subject == NULL) == (m->subject == NULL));
		if (m->to != NULL)
			assert_string_equal(got.to, m->to);
		if (m->subject != NULL)
			assert_string_equal(got.subject, m->subject);
	}
	courier_message_clear(&got);
	buf_clear(&out);
}

static void
jobs_are_read_as_written(void **state)
{
	char body[COURIER_BODY + 1];
	struct courier_message m = {.id = 5,
	    .channel = COURIER_CHANNEL_MAIL,
	    .to = "a@b.c",
	    .subject = "umpire: x",
	    .body = "line\n.\n"};

	(void)state;
	is_read_as_written(&m,
	    "{\"id\":5,\"channel\":\"mail\",\"to\":\"a@b.c\",\"subject\":"
	    "\"umpire: x\",\"body\":\"line\\n.\\n\"}");
	m = (struct courier_message){.id = JS_INT_MAX,
	    .channel = COURIER_CHANNEL_WEBHOOK,
	    .to = "https://h/p",
	    .body = "{\"text\":\"\xc3\xa9\"}"};
	is_read_as_written(&m, NULL);
	memset(body, '"', COURIER_BODY);
	body[COURIER_BODY] = '\0';
	m = (struct courier_message){
	    .channel = COURIER_CHANNEL_COMMAND, .body = body};
	is_read_as_written(&m, NULL);
}

static void
answers_are_read_as_written(void **state)
{
	struct courier_message m = {
	    .id = 7, .is_answer = true, .verdict = {.ok = true}};
	char text[400];

	(void)state;
	is_read_as_written(&m, "{\"id\":7,\"ok\":true}");
	m.id = 8;
	courier_verdict_fail(&m.verdict, true, "\"%s\"\n%d", "x", 5);
	is_read_as_written(&m,
	    "{\"id\":8,\"ok\":false,\"retry\":true,\"own\":false,\"error\":"
	    "\"\\\"x\\\"?5\",\"cause\":\"\"}");
	courier_verdict_fail(&m.verdict, false, "%s", "so");
	assert_false(m.verdict.is_concealed);
	courier_verdict_conceal(&m.verdict, "not");
	assert_true(m.verdict.is_concealed);
	is_read_as_written(&m,
	    "{\"id\":8,\"ok\":false,\"retry\":true,\"own\":false,\"error\":"
	    "\"not\",\"cause\":\"so\"}");
	courier_verdict_fail_own(&m.verdict, "%d", 6);
	is_read_as_written(&m,
	    "{\"id\":8,\"ok\":false,\"retry\":true,\"own\":true,"
	    "\"error\":\"6\",\"cause\":\"\"}");
	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	courier_verdict_fail(&m.verdict, false, "%s", text);
	assert_int_equal(strlen(m.verdict.error), COURIER_ERROR);
	is_read_as_written(&m, NULL);
}

static void
an_answer_is_fit_for_a_log(void **state)
{
	static const char line[] =
	    "{\"id\":2,\"ok\":false,\"retry\":true,\"own\":true,\"error\":"
	    "\"why \\u001b not\",\"cause\":\"for \\u001b that\"}";
	struct courier_message m;

	(void)state;
	assert_int_equal(courier_message_read(line, strlen(line), &m, NULL), 0);
	assert_string_equal(m.verdict.error, "why ? not");
	assert_string_equal(m.verdict.cause, "for ? that");
	courier_message_clear(&m);
}

static void
other_answers_are_refused(void **state)
{
	(void)state;
	refuses("nonsense");
	refuses("[]");
	refuses("{}");
	refuses("{\"ok\":true}");
	refuses("{\"id\":-1,\"ok\":true}");
	refuses("{\"id\":1,\"ok\":1}");
	refuses("{\"id\":1,\"ok\":true,\"more\":1}");
	refuses("{\"id\":1,\"ok\":false}");
	refuses("{\"id\":1,\"ok\":false,\"retry\":true,\"own\":false}");
	refuses("{\"id\":1,\"ok\":false,\"retry\":true,\"own\":false,"
		"\"error\":\"x\"}");
	refuses("{\"id\":1,\"ok\":false,\"retry\":true,\"error\":\"x\","
		"\"cause\":\"\"}");
	refuses("{\"id\":1,\"ok\":false,\"retry\":1,\"own\":false,"
		"\"error\":\"x\",\"cause\":\"\"}");
	refuses("{\"id\":1,\"ok\":false,\"retry\":true,\"own\":false,"
		"\"error\":\"\",\"cause\":\"\"}");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(jobs_of_each_channel_are_read),
	    cmocka_unit_test(other_jobs_are_refused),
	    cmocka_unit_test(a_body_ends_at_its_maximum),
	    cmocka_unit_test(jobs_are_read_as_written),
	    cmocka_unit_test(answers_are_read_as_written),
	    cmocka_unit_test(an_answer_is_fit_for_a_log),
	    cmocka_unit_test(other_answers_are_refused),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
