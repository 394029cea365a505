/* SPDX-License-Identifier: ISC */
/*
 * The daemon's half of the courier, against programs that do what
 * umpired-courier does not.
 */
#include "server/mail/courier.h"

#include <sys/resource.h>

#include <errno.h>
#include <event2/event.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/base/clock.h"
#include "server/base/conf.h"
#include "server/base/log.h"
#include "server/mail/spawner.h"
#include "tests/lib/script.h"

#define WAIT_MS 20000

/* A folder, a program, a courier, and what it said. */
struct db {
	char dir[64];
	char path[96];
	char option[128];
	struct spawner *spawner;
	struct event_base *base;
	struct courier *c;
	struct courier_answer last;
	int answers;
	int readies;
	int ends;
};

/* Notes an answer. */
static void
answered_cb(void *arg, const struct courier_answer *a)
{
	struct db *p = arg;

	p->last = *a;
	p->answers++;
}

/* Notes a start. */
static void
ready_cb(void *arg)
{
	struct db *p = arg;

	p->readies++;
}

/* Notes an end. */
static void
ended_cb(void *arg)
{
	struct db *p = arg;

	p->ends++;
}

/* Reads the settings again, for the starter. */
static int
load_cb(void *arg, struct conf **out, struct errinfo *e)
{
	const struct db *p = arg;
	const char *const overrides[] = {p->option, "notify_command=/bin/true"};

	return (conf_load(NULL, overrides, 2, out, e));
}

/* Forks a starter. */
static int
make_starter(struct db *p)
{
	struct errinfo e;
	struct conf *conf;
	int r;

	if (load_cb(p, &conf, &e) != 0)
		return (-1);
	r = spawner_new(conf, load_cb, p, &p->spawner);
	conf_free(conf);
	return (r);
}

/* Makes the folder and the courier. */
static int
setup(void **state)
{
	struct courier_events events = {answered_cb, ready_cb, ended_cb, NULL};
	struct db *p = calloc(1, sizeof(*p));

	if (p == NULL)
		return (-1);
	log_set_level(LOG_ERROR);
	(void)snprintf(p->dir, sizeof(p->dir), "/tmp/umpire-courier.XXXXXX");
	if (mkdtemp(p->dir) == NULL)
		return (-1);
	(void)snprintf(p->path, sizeof(p->path), "%s/courier", p->dir);
	(void)snprintf(p->option, sizeof(p->option), "courier=%s", p->path);
	events.arg = p;
	if (make_starter(p) != 0 || (p->base = event_base_new()) == NULL ||
	    courier_new(p->base, p->spawner, &events, WAIT_MS, &p->c) != 0)
		return (-1);
	*state = p;
	return (0);
}

/* Removes them. */
static int
teardown(void **state)
{
	struct db *p = *state;

	courier_free(p->c);
	spawner_free(p->spawner);
	event_base_free(p->base);
	(void)unlink(p->path);
	(void)rmdir(p->dir);
	free(p);
	return (0);
}

/* Gives the courier settings with that program, or with no way to tell. */
static void
configure(struct db *p, bool is_wanted)
{
	const char *const overrides[] = {p->option, "notify_command=/bin/true"};
	struct errinfo e;
	struct conf *conf;

	assert_int_equal(
	    conf_load(NULL, overrides, is_wanted ? 2 : 1, &conf, &e), 0);
	assert_int_equal(courier_configure(p->c, conf, 10, &e), 0);
	conf_free(conf);
}

/* Runs the loop until a counter has reached a number. */
static void
wait_until(struct db *p, const int *counter, int n)
{
	const int64_t until_ms = clock_mono_ms() + WAIT_MS;

	while (*counter < n) {
		assert_true(clock_mono_ms() < until_ms);
		assert_true(event_base_loop(p->base, EVLOOP_ONCE) >= 0);
	}
}

/* Gives it a job. */
static int
send_job(struct db *p, int64_t id)
{
	const struct courier_job job = {.id = id,
	    .channel = STORE_CHANNEL_MAIL,
	    .to = "a@b.c",
	    .subject = "s",
	    .body = "x\n"};

	return (courier_send(p->c, &job));
}

static void
settings_come_first_and_jobs_are_answered(void **state)
{
	struct db *p = *state;

	script_write(p->path,
	    "exec >&0\nread -r s\n"
	    "case $s in *'\"notify_command\":\"/bin/true\"'*) ;;"
	    " *) exit 1;; esac\n"
	    "while read -r j; do case $j in\n"
	    "'{\"id\":1,\"channel\":\"mail\",\"to\":\"a@b.c\",\"subject\":"
	    "\"s\",\"body\":\"x\\n\"}') echo '{\"id\":1,\"ok\":true}';;\n"
	    "*) printf '%s\\n' "
	    "'{\"id\":2,\"ok\":false,\"retry\":true,\"own\":true,\"error\":"
	    "\"why \\u001b not\",\"cause\":\"for \\u001b that\"}';;\nesac; "
	    "done");
	assert_int_equal(send_job(p, 1), ERR_BUSY);
	configure(p, true);
	assert_true(courier_is_ready(p->c));
	assert_int_equal(p->readies, 1);
	assert_int_equal(send_job(p, 1), 0);
	wait_until(p, &p->answers, 1);
	assert_true(p->last.ok);
	assert_int_equal(p->last.id, 1);
	assert_int_equal(send_job(p, 2), 0);
	wait_until(p, &p->answers, 2);
	assert_false(p->last.ok);
	assert_true(p->last.may_retry);
	assert_true(p->last.is_own);
	assert_int_equal(p->last.id, 2);
	/* Its text is made fit for a log and a terminal. */
	assert_string_equal(p->last.error, "why ? not");
	assert_string_equal(p->last.cause, "for ? that");
	courier_finish(p->c, 10);
	assert_false(courier_is_ready(p->c));
	assert_int_equal(send_job(p, 3), ERR_BUSY);
	wait_until(p, &p->ends, 1);
	assert_int_equal(p->ends, 1);
	assert_int_equal(p->answers, 2);
}

static void
nonsense_is_its_end_and_another_is_started(void **state)
{
	static const char *const lines[] = {"nonsense", "", "[]", "{}",
	    "{\"id\":1}", "{\"id\":-1,\"ok\":true}",
	    "{\"id\":1,\"ok\":true,\"more\":1}", "{\"id\":1,\"ok\":false}",
	    "{\"id\":1,\"ok\":false,\"retry\":true,\"own\":false}",
	    "{\"id\":1,\"ok\":false,\"retry\":true,\"own\":false,"
	    "\"error\":\"x\"}",
	    "{\"id\":1,\"ok\":false,\"retry\":true,\"error\":\"x\"}",
	    "{\"id\":1,\"ok\":false,\"retry\":1,\"own\":false,"
	    "\"error\":\"x\"}",
	    "{\"id\":1,\"ok\":false,\"retry\":true,\"own\":false,"
	    "\"error\":\"\",\"cause\":\"\"}"};
	struct db *p = *state;
	char script[200];
	size_t i;

	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		(void)snprintf(script, sizeof(script),
		    "read s; echo '%s' >&0; exec sleep 600", lines[i]);
		script_write(p->path, script);
		configure(p, true);
		wait_until(p, &p->ends, (int)i + 1);
		assert_int_equal(p->answers, 0);
		assert_false(courier_is_ready(p->c));
		/* The next one comes at once when the settings are new. */
	}
	script_write(p->path, "read s; exec sleep 600");
	configure(p, true);
	wait_until(p, &p->readies, (int)i + 1);
	assert_true(courier_is_ready(p->c));
}

static void
a_line_without_end_is_its_end(void **state)
{
	struct db *p = *state;

	script_write(p->path, "read s; exec cat /dev/zero >&0");
	configure(p, true);
	wait_until(p, &p->ends, 1);
	assert_int_equal(p->answers, 0);
}

static void
one_that_ends_is_started_again(void **state)
{
	struct db *p = *state;

	script_write(p->path, "exit 0");
	configure(p, true);
	wait_until(p, &p->ends, 1);
	assert_false(courier_is_ready(p->c));
	script_write(p->path,
	    "exec >&0\nread s; read j; echo '{\"id\":9,\"ok\":true}'; cat");
	wait_until(p, &p->readies, 2);
	assert_int_equal(send_job(p, 9), 0);
	wait_until(p, &p->answers, 1);
}

static void
one_that_never_answers_is_killed(void **state)
{
	struct courier_events events = {
	    answered_cb, ready_cb, ended_cb, *state};
	struct db *p = *state;

	courier_free(p->c);
	assert_int_equal(
	    courier_new(p->base, p->spawner, &events, 50, &p->c), 0);
	script_write(p->path, "exec sleep 600");
	configure(p, true);
	assert_int_equal(send_job(p, 1), 0);
	assert_int_equal(send_job(p, 2), 0);
	wait_until(p, &p->ends, 1);
	assert_false(courier_is_ready(p->c));
	assert_int_equal(p->answers, 0);
}

static void
one_that_does_not_finish_is_killed(void **state)
{
	struct db *p = *state;

	script_write(p->path, "exec sleep 600");
	configure(p, true);
	courier_finish(p->c, 0);
	wait_until(p, &p->ends, 1);
	assert_false(courier_is_ready(p->c));
}

static void
without_a_way_to_tell_none_runs(void **state)
{
	struct db *p = *state;

	script_write(p->path, "read s; exec cat");
	configure(p, false);
	assert_false(courier_is_ready(p->c));
	assert_int_equal(p->readies, 0);
	configure(p, true);
	assert_int_equal(p->readies, 1);
	configure(p, false);
	assert_false(courier_is_ready(p->c));
	wait_until(p, &p->ends, 1);
	courier_finish(p->c, 1);
	assert_int_equal(p->ends, 2);
}

static void
other_settings_start_another_when_the_first_has_finished(void **state)
{
	struct db *p = *state;

	script_write(p->path,
	    "exec >&0\nread s; read j; read end\n"
	    "echo '{\"id\":4,\"ok\":true}'");
	configure(p, true);
	assert_int_equal(send_job(p, 4), 0);
	configure(p, true);
	assert_false(courier_is_ready(p->c));
	wait_until(p, &p->readies, 2);
	assert_int_equal(p->answers, 1);
	assert_int_equal(p->last.id, 4);
	assert_int_equal(p->ends, 1);
	assert_true(courier_is_ready(p->c));
}

static void
a_program_that_is_not_there_is_no_end_of_ours(void **state)
{
	struct db *p = *state;

	(void)unlink(p->path);
	configure(p, true);
	assert_false(courier_is_ready(p->c));
	assert_int_equal(send_job(p, 1), ERR_BUSY);
	script_write(p->path, "read s; exec cat");
	configure(p, true);
	wait_until(p, &p->readies, 1);
	courier_finish(p->c, 1);
	wait_until(p, &p->ends, 1);
}

/* Takes from the starter that its program has ended. */
static void
wait_for_end(struct db *p)
{
	struct pollfd ready = {.fd = starter_fd(p->spawner), .events = POLLIN};
	int r, status;

	do {
		assert_int_equal(poll(&ready, 1, WAIT_MS), 1);
		r = starter_take(p->spawner, &status);
	} while (r == ERR_PENDING);
	assert_int_equal(r, 0);
}

static void
without_a_descriptor_for_its_socket_it_is_not_waited_for(void **state)
{
	struct db *p = *state;
	struct rlimit all, few;
	int error, fd = -1;
	pid_t pid;

	script_write(p->path, "read s; exec cat");
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &all), 0);
	few = all;
	few.rlim_cur = (rlim_t)dup(STDIN_FILENO);
	assert_int_equal(close((int)few.rlim_cur), 0);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	error = spawner_start(p->spawner, &pid, &fd);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &all), 0);
	assert_int_equal(error, EMFILE);
	assert_int_equal(fd, -1);
	/* It has found nobody at its socket; the next one is no worse off. */
	wait_for_end(p);
	configure(p, true);
	assert_true(courier_is_ready(p->c));
}

static void
without_a_starter_none_is_started(void **state)
{
	struct courier_events events = {
	    answered_cb, ready_cb, ended_cb, *state};
	struct db *p = *state;

	script_write(p->path, "read s; exec cat");
	courier_free(p->c);
	assert_int_equal(courier_new(p->base, NULL, &events, 50, &p->c), 0);
	configure(p, true);
	assert_false(courier_is_ready(p->c));
	courier_finish(p->c, 1);
	assert_int_equal(p->ends, 1);
}

static void
a_spawner_that_dies_is_the_end_of_its_program(void **state)
{
	struct db *p = *state;

	script_write(p->path, "read s; exec cat");
	configure(p, true);
	assert_true(courier_is_ready(p->c));
	assert_int_equal(kill(starter_pid(p->spawner), SIGKILL), 0);
	/* The socket that it left is nobody's to end. */
	courier_finish(p->c, 0);
	wait_until(p, &p->ends, 1);
	configure(p, true);
	assert_false(courier_is_ready(p->c));
	assert_int_equal(send_job(p, 1), ERR_BUSY);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(
		settings_come_first_and_jobs_are_answered, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		nonsense_is_its_end_and_another_is_started, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		a_line_without_end_is_its_end, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		one_that_ends_is_started_again, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		one_that_never_answers_is_killed, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		one_that_does_not_finish_is_killed, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		without_a_way_to_tell_none_runs, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		other_settings_start_another_when_the_first_has_finished, setup,
		teardown),
	    cmocka_unit_test_setup_teardown(
		a_program_that_is_not_there_is_no_end_of_ours, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		without_a_descriptor_for_its_socket_it_is_not_waited_for, setup,
		teardown),
	    cmocka_unit_test_setup_teardown(
		without_a_starter_none_is_started, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		a_spawner_that_dies_is_the_end_of_its_program, setup, teardown),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
