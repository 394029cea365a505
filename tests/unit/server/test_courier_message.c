/* SPDX-License-Identifier: ISC */
/* Lines between the daemon and its courier, as the courier reads them. */
#include "server/courier/courier_message.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/buf.h"
#include "common/json/js.h"
#include "common/json/js_load.h"

#define SETTINGS                                                           \
	"\"core_dumps\":false,\"notify_command\":\"/bin/x y;z\","          \
	"\"smtp_url\":\"smtp://h\",\"smtp_from\":\"a@b.c\",\"smtp_user\":" \
	"\"u\",\"smtp_password_file\":\"/p\",\"smtp_ca\":\"/c\","          \
	"\"webhook_networks\":\"10.0.0.0/8 ::1\",\"webhook_ports\":"       \
	"\"443 8443\",\"webhook_connect\":10,\"webhook_ca\":\"/w\""

/* Reads a job that must be refused. */
static void
refuses(const char *line)
{
	struct courier_wire_job job = {.id = 77};
	struct errinfo e = {.text = ""};
	int r = courier_wire_read_job(line, strlen(line), &job, &e);

	if (r != ERR_INVALID && r != ERR_MALFORMED)
		fail_msg("%d: %s", r, line);
	assert_int_equal(job.id, 77);
	assert_null(job.doc);
	assert_true(e.text[0] != '\0');
}

static void
settings_are_read_whole(void **state)
{
	static const char line[] = "{" SETTINGS "}";
	struct courier_wire_settings s;
	struct errinfo e;

	(void)state;
	assert_int_equal(
	    courier_wire_read_settings(line, strlen(line), &s, &e), 0);
	assert_false(s.core_dumps);
	assert_string_equal(s.notify_command, "/bin/x y;z");
	assert_string_equal(s.smtp_url, "smtp://h");
	assert_string_equal(s.smtp_from, "a@b.c");
	assert_string_equal(s.smtp_user, "u");
	assert_string_equal(s.smtp_password_file, "/p");
	assert_string_equal(s.smtp_ca, "/c");
	assert_int_equal(s.webhook_networks.n, 2);
	assert_int_equal(s.webhook_ports.n, 2);
	assert_int_equal(s.webhook_ports.list[1], 8443);
	assert_int_equal(s.webhook_connect, 10);
	assert_string_equal(s.webhook_ca, "/w");
	courier_wire_clear_settings(&s);
	courier_wire_clear_settings(&s);
}

static void
other_settings_are_refused(void **state)
{
	static const char *const bad[] = {"", "[]", "{}", "{" SETTINGS,
	    "{" SETTINGS ",\"x\":1}", "{" SETTINGS ",\"smtp_ca\":\"\"}",
	    "{" SETTINGS "} x"};
	struct courier_wire_settings s = {.doc = NULL};
	struct errinfo e;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_not_equal(
		    courier_wire_read_settings(bad[i], strlen(bad[i]), &s, &e),
		    0);
		assert_null(s.doc);
	}
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
	struct courier_wire_job job;
	struct errinfo e;

	(void)state;
	assert_int_equal(
	    courier_wire_read_job(mail, strlen(mail), &job, &e), 0);
	assert_int_equal(job.id, 5);
	assert_int_equal(job.channel, COURIER_WIRE_MAIL);
	assert_string_equal(job.to, "a@b.c");
	assert_string_equal(job.subject, "umpire: x");
	assert_string_equal(job.body, "line\n.\n");
	assert_int_equal(job.body_len, 7);
	courier_wire_clear_job(&job);
	assert_int_equal(
	    courier_wire_read_job(hook, strlen(hook), &job, &e), 0);
	assert_int_equal(job.id, JS_INT_MAX);
	assert_int_equal(job.channel, COURIER_WIRE_WEBHOOK);
	assert_string_equal(job.to, "https://h/p");
	assert_null(job.subject);
	courier_wire_clear_job(&job);
	assert_int_equal(
	    courier_wire_read_job(command, strlen(command), &job, &e), 0);
	assert_int_equal(job.channel, COURIER_WIRE_COMMAND);
	assert_null(job.to);
	assert_int_equal(job.body_len, 2);
	courier_wire_clear_job(&job);
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
	struct courier_wire_job job;
	struct errinfo e;
	struct buf line;
	size_t n;

	(void)state;
	for (n = COURIER_WIRE_BODY - 1; n <= COURIER_WIRE_BODY + 1; n++) {
		buf_init(&line, 0);
		buf_puts(
		    &line, "{\"id\":1,\"channel\":\"command\",\"body\":\"");
		while (line.len < 36 + n)
			buf_putc(&line, 'x');
		buf_puts(&line, "\"}");
		if (n <= COURIER_WIRE_BODY) {
			assert_int_equal(courier_wire_read_job(
					     line.data, line.len, &job, &e),
			    0);
			assert_int_equal(job.body_len, n);
			courier_wire_clear_job(&job);
		} else {
			refuses(buf_str(&line));
		}
		buf_clear(&line);
	}
}

static void
answers_are_lines_that_fit(void **state)
{
	struct courier_wire_verdict v;
	struct buf out;
	char text[400];

	(void)state;
	buf_init(&out, 0);
	courier_wire_succeed(&v);
	courier_wire_answer(&out, 7, &v);
	assert_string_equal(buf_str(&out), "{\"id\":7,\"ok\":true}\n");
	buf_reset(&out);
	courier_wire_fail(&v, true, "\"%s\"\n%d", "x", 5);
	courier_wire_answer(&out, 8, &v);
	assert_string_equal(buf_str(&out),
	    "{\"id\":8,\"ok\":false,\"retry\":true,\"own\":false,\"error\":"
	    "\"\\\"x\\\"?5\",\"cause\":\"\"}"
	    "\n");
	buf_reset(&out);
	courier_wire_fail(&v, false, "%s", "so");
	assert_false(v.is_concealed);
	courier_wire_conceal(&v, "not");
	assert_true(v.is_concealed);
	courier_wire_answer(&out, 8, &v);
	assert_string_equal(buf_str(&out),
	    "{\"id\":8,\"ok\":false,\"retry\":true,\"own\":false,\"error\":"
	    "\"not\",\"cause\":\"so\"}\n");
	buf_reset(&out);
	courier_wire_fail_own(&v, "%d", 6);
	courier_wire_answer(&out, 9, &v);
	assert_string_equal(buf_str(&out),
	    "{\"id\":9,\"ok\":false,\"retry\":true,\"own\":true,"
	    "\"error\":\"6\",\"cause\":\"\"}\n");
	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	buf_reset(&out);
	courier_wire_fail(&v, false, "%s", text);
	courier_wire_answer(&out, JS_INT_MAX, &v);
	assert_int_equal(strlen(v.error), COURIER_WIRE_ERROR);
	assert_true(out.len <= COURIER_WIRE_ANSWER);
	buf_clear(&out);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(settings_are_read_whole),
	    cmocka_unit_test(other_settings_are_refused),
	    cmocka_unit_test(jobs_of_each_channel_are_read),
	    cmocka_unit_test(other_jobs_are_refused),
	    cmocka_unit_test(a_body_ends_at_its_maximum),
	    cmocka_unit_test(answers_are_lines_that_fit),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
