/* SPDX-License-Identifier: ISC */
/*
 * The daemon's half of the courier, against programs that do what
 * umpired-courier does not.
 */
#include "server/mail/courier.h"

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
#include "server/base/log.h"
#include "server/mail/spawner.h"
#include "tests/lib/script.h"

#define WAIT_MS 20000

/* Fakes take jobs by the packet, and answer each echo with one. */
#define TAKE "dd bs=262144 count=1 2>/dev/null"
#define STAY "trap 'exit 0' TERM; exec >&0\n"

/* One that takes jobs, answers none, and ends when nobody is left to send any.
 */
#define IDLE STAY "while [ -n \"$(" TAKE ")\" ]; do :; done"

/* A folder, a program, a courier, and what it said. */
struct place {
	char dir[64];
	char path[96];
	char conf[96]; /* the settings */
	struct spawner *spawner;
	struct event_base *base;
	struct courier *c;
	int64_t last_id;
	struct courier_verdict last;
	int answers;
	int readies;
	int ends;
};

/* Notes an answer. */
static void
answered_cb(void *arg, const struct courier_message *m)
{
	struct place *p = arg;

	p->last_id = m->id;
	p->last = m->verdict;
	p->answers++;
}

/* Notes a start. */
static void
ready_cb(void *arg)
{
	struct place *p = arg;

	p->readies++;
}

/* Notes an end. */
static void
ended_cb(void *arg)
{
	struct place *p = arg;

	p->ends++;
}

/* Writes the settings: with that program, and a way to send or none. */
static void
set(const struct place *p, bool is_wanted)
{
	FILE *f = fopen(p->conf, "we");

	assert_non_null(f);
	assert_true(fprintf(f, "courier = %s\nnotify_command = %s\n", p->path,
			is_wanted ? "/bin/true" : "") > 0);
	assert_int_equal(fclose(f), 0);
}

/* Makes the folder. */
static int
setup(void **state)
{
	struct place *p = calloc(1, sizeof(*p));

	if (p == NULL)
		return (-1);
	log_set_level(LOG_ERROR);
	(void)snprintf(p->dir, sizeof(p->dir), "/tmp/umpire-courier.XXXXXX");
	if (mkdtemp(p->dir) == NULL)
		return (-1);
	(void)snprintf(p->path, sizeof(p->path), "%s/courier", p->dir);
	(void)snprintf(p->conf, sizeof(p->conf), "%s/conf", p->dir);
	if ((p->base = event_base_new()) == NULL)
		return (-1);
	*state = p;
	return (0);
}

/* Removes all. */
static int
teardown(void **state)
{
	struct place *p = *state;

	courier_free(p->c);
	spawner_free(p->spawner);
	event_base_free(p->base);
	(void)unlink(p->path);
	(void)unlink(p->conf);
	(void)rmdir(p->dir);
	free(p);
	return (0);
}

/* Begins with a program; NULL: there is none. */
static void
begin(struct place *p, const char *script, bool is_wanted, int64_t silent_ms)
{
	const struct courier_events events = {
	    answered_cb, ready_cb, ended_cb, p};
	static const char *const overrides[] = {"log_level=error"};

	if (script != NULL)
		script_write(p->path, script);
	set(p, is_wanted);
	assert_int_equal(spawner_new(p->conf, overrides, 1, &p->spawner), 0);
	assert_int_equal(
	    courier_new(p->base, p->spawner, &events, silent_ms, &p->c), 0);
}

/* Runs the loop until a counter has reached a number. */
static void
wait_until(struct place *p, const int *counter, int n)
{
	const int64_t until_ms = clock_mono_ms() + WAIT_MS;

	while (*counter < n) {
		assert_true(clock_mono_ms() < until_ms);
		assert_true(event_base_loop(p->base, EVLOOP_NONBLOCK) >= 0);
		(void)poll(NULL, 0, 1);
	}
}

/* Waits until a script has made a file beside itself, which goes away. */
static void
wait_until_read(const struct place *p)
{
	const int64_t until_ms = clock_mono_ms() + WAIT_MS;
	char path[sizeof(p->path) + 8];

	(void)snprintf(path, sizeof(path), "%s.read", p->path);
	while (unlink(path) != 0) {
		assert_true(clock_mono_ms() < until_ms);
		(void)poll(NULL, 0, 1);
	}
}

/* Gives it a job. */
static int
send_job(struct place *p, int64_t id)
{
	const struct courier_message job = {.id = id,
	    .channel = COURIER_CHANNEL_MAIL,
	    .to = "a@b.c",
	    .subject = "s",
	    .body = "x\n"};

	return (courier_send(p->c, &job));
}

static void
it_has_the_settings_and_jobs_are_answered(void **state)
{
	struct place *p = *state;

	begin(p,
	    STAY
	    "[ \"$1 $2 $3\" = \"-c ${0%courier}conf -o\" ] || exit 1\n"
	    "while j=$(" TAKE ") && [ -n \"$j\" ]; do case $j in\n"
	    "'{\"id\":1,\"channel\":\"mail\",\"to\":\"a@b.c\",\"subject\":"
	    "\"s\",\"body\":\"x\\n\"}') echo '{\"id\":1,\"ok\":true}';;\n"
	    "*) printf '%s\\n' "
	    "'{\"id\":2,\"ok\":false,\"retry\":true,\"own\":true,\"error\":"
	    "\"why \\u001b not\",\"cause\":\"for \\u001b that\"}';;\nesac; "
	    "done",
	    true, WAIT_MS);
	assert_int_equal(send_job(p, 1), ERR_BUSY);
	wait_until(p, &p->readies, 1);
	assert_true(courier_is_ready(p->c));
	assert_int_equal(send_job(p, 1), 0);
	wait_until(p, &p->answers, 1);
	assert_true(p->last.ok);
	assert_int_equal(p->last_id, 1);
	assert_int_equal(send_job(p, 2), 0);
	wait_until(p, &p->answers, 2);
	assert_false(p->last.ok);
	assert_true(p->last.may_retry);
	assert_true(p->last.is_own);
	assert_int_equal(p->last_id, 2);
	/* Its text is made fit for a log and a terminal. */
	assert_string_equal(p->last.error, "why ? not");
	assert_string_equal(p->last.cause, "for ? that");
	courier_finish(p->c, 1);
	assert_false(courier_is_ready(p->c));
	assert_int_equal(send_job(p, 3), ERR_BUSY);
	wait_until(p, &p->ends, 1);
	assert_int_equal(p->ends, 1);
	assert_int_equal(p->answers, 2);
}

static void
nonsense_is_its_end_and_another_is_started(void **state)
{
	static const char *const lines[] = {"nonsense", "[]", "{}",
	    "{\"id\":1}", "{\"id\":-1,\"ok\":true}",
	    "{\"id\":1,\"channel\":\"command\",\"body\":\"x\"}",
	    "{\"id\":1,\"ok\":true,\"more\":1}", "{\"id\":1,\"ok\":false}",
	    "{\"id\":1,\"ok\":false,\"retry\":true,\"own\":false,"
	    "\"error\":\"\",\"cause\":\"\"}"};
	struct place *p = *state;
	char script[300];
	size_t i, n = sizeof(lines) / sizeof(lines[0]);

	for (i = 0; i < n; i++) {
		(void)snprintf(script, sizeof(script),
		    TAKE " >/dev/null; echo '%s' >&0; exec sleep 600",
		    lines[i]);
		if (i == 0) {
			begin(p, script, true, WAIT_MS);
		} else {
			/* The next one comes at once at a reload. */
			script_write(p->path, script);
			courier_renew(p->c, 10);
		}
		wait_until(p, &p->readies, (int)i + 1);
		assert_int_equal(send_job(p, 1), 0);
		wait_until(p, &p->ends, (int)i + 1);
		assert_int_equal(p->answers, 0);
		assert_false(courier_is_ready(p->c));
	}
	script_write(p->path, "exec sleep 600");
	courier_renew(p->c, 10);
	wait_until(p, &p->readies, (int)n + 1);
	assert_true(courier_is_ready(p->c));
}

static void
a_flood_is_its_end(void **state)
{
	struct place *p = *state;

	begin(p, "exec cat /dev/zero >&0", true, WAIT_MS);
	wait_until(p, &p->ends, 1);
	assert_int_equal(p->answers, 0);
}

static void
an_empty_packet_is_nonsense_too(void **state)
{
	struct place *p = *state;

	begin(p,
	    "exec python3 -c 'import socket, time\n"
	    "socket.socket(fileno=0).send(bytes())\ntime.sleep(600)'",
	    true, WAIT_MS);
	wait_until(p, &p->ends, 1);
	script_write(p->path, "exec sleep 600");
	courier_renew(p->c, 10);
	wait_until(p, &p->readies, 2);
	assert_true(courier_is_ready(p->c));
}

static void
one_that_ends_is_started_again(void **state)
{
	struct place *p = *state;

	begin(p, "exit 0", true, WAIT_MS);
	wait_until(p, &p->ends, 1);
	assert_false(courier_is_ready(p->c));
	script_write(p->path,
	    STAY TAKE " >/dev/null; echo '{\"id\":9,\"ok\":true}'\n" TAKE);
	wait_until(p, &p->readies, 2);
	assert_int_equal(send_job(p, 9), 0);
	wait_until(p, &p->answers, 1);
}

static void
what_one_left_unread_the_next_does_not_get(void **state)
{
	struct place *p = *state;

	begin(p, ": >\"$0.read\"; kill -STOP $$", true, WAIT_MS);
	wait_until(p, &p->readies, 1);
	assert_int_equal(send_job(p, 1), 0);
	assert_int_equal(send_job(p, 2), 0);
	/* It is started, but must have read its script before that changes. */
	wait_until_read(p);
	script_write(p->path,
	    STAY "case $(" TAKE ") in *'\"id\":3,'*) echo "
		 "'{\"id\":3,\"ok\":true}';; *) echo "
		 "'{\"id\":1,\"ok\":true}';; esac\n" TAKE);
	/* Stopped, it does not finish. */
	courier_renew(p->c, 0);
	wait_until(p, &p->ends, 1);
	wait_until(p, &p->readies, 2);
	assert_int_equal(send_job(p, 3), 0);
	wait_until(p, &p->answers, 1);
	assert_int_equal(p->last_id, 3);
}

static void
one_that_never_answers_is_killed(void **state)
{
	struct place *p = *state;

	begin(p, "exec sleep 600", true, 50);
	wait_until(p, &p->readies, 1);
	assert_int_equal(send_job(p, 1), 0);
	assert_int_equal(send_job(p, 2), 0);
	wait_until(p, &p->ends, 1);
	assert_false(courier_is_ready(p->c));
	assert_int_equal(p->answers, 0);
}

static void
one_that_does_not_finish_is_not_waited_for(void **state)
{
	struct place *p = *state;

	begin(p, "trap '' TERM; exec sleep 600", true, WAIT_MS);
	wait_until(p, &p->readies, 1);
	courier_finish(p->c, 0);
	wait_until(p, &p->ends, 1);
	assert_false(courier_is_ready(p->c));
}

static void
without_a_way_to_send_none_runs(void **state)
{
	struct place *p = *state;

	begin(p, IDLE, false, WAIT_MS);
	assert_false(courier_is_ready(p->c));
	set(p, true);
	courier_renew(p->c, 10);
	wait_until(p, &p->readies, 1);
	set(p, false);
	courier_renew(p->c, 0);
	assert_false(courier_is_ready(p->c));
	wait_until(p, &p->ends, 1);
	courier_finish(p->c, 1);
	wait_until(p, &p->ends, 2);
	assert_int_equal(p->readies, 1);
}

static void
other_settings_start_another_when_the_first_has_finished(void **state)
{
	struct place *p = *state;

	begin(p,
	    "exec >&0\n" TAKE " >/dev/null\n"
	    "trap 'echo \"{\\\"id\\\":4,\\\"ok\\\":true}\"; exit 0' TERM\n"
	    "echo '{\"id\":3,\"ok\":true}'\nwhile :; do sleep 0.01; done",
	    true, WAIT_MS);
	wait_until(p, &p->readies, 1);
	assert_int_equal(send_job(p, 3), 0);
	wait_until(p, &p->answers, 1);
	courier_renew(p->c, 10);
	assert_false(courier_is_ready(p->c));
	wait_until(p, &p->readies, 2);
	assert_int_equal(p->answers, 2);
	assert_int_equal(p->last_id, 4);
	assert_int_equal(p->ends, 1);
	assert_true(courier_is_ready(p->c));
}

/* Begins, and returns where to read what the spawner then logs. */
static int
begin_listening(struct place *p, const char *script)
{
	const int own = dup(STDERR_FILENO);
	int fds[2];

	assert_int_equal(pipe(fds), 0);
	assert_int_equal(dup2(fds[1], STDERR_FILENO), STDERR_FILENO);
	begin(p, script, true, WAIT_MS);
	assert_int_equal(dup2(own, STDERR_FILENO), STDERR_FILENO);
	(void)close(fds[1]);
	(void)close(own);
	return (fds[0]);
}

/* Waits until the spawner logs a text. */
static void
wait_for_log(int log, const char *text)
{
	struct pollfd p = {.fd = log, .events = POLLIN};
	char said[400] = "";
	size_t used = 0;
	ssize_t n;

	while (strstr(said, text) == NULL) {
		assert_true(poll(&p, 1, WAIT_MS) == 1);
		n = read(log, said + used, sizeof(said) - 1 - used);
		assert_true(n > 0);
		used += (size_t)n;
		said[used] = '\0';
	}
	(void)close(log);
}

static void
a_program_that_is_not_there_is_no_end_of_ours(void **state)
{
	struct place *p = *state;

	wait_for_log(
	    begin_listening(p, NULL), "cannot be started: No such file");
	assert_int_equal(event_base_loop(p->base, EVLOOP_NONBLOCK), 0);
	assert_false(courier_is_ready(p->c));
	assert_int_equal(send_job(p, 1), ERR_BUSY);
	script_write(p->path, IDLE);
	courier_renew(p->c, 10);
	wait_until(p, &p->readies, 1);
	courier_finish(p->c, 1);
	wait_until(p, &p->ends, 1);
}

static void
settings_that_were_not_reread_start_none(void **state)
{
	struct place *p = *state;
	FILE *f;
	int log;

	log = begin_listening(p, STAY TAKE " >/dev/null; exit 1");
	wait_until(p, &p->readies, 1);
	assert_non_null(f = fopen(p->conf, "ae"));
	assert_true(fprintf(f, "notify_delay = 5\n") > 0);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(send_job(p, 1), 0);
	wait_until(p, &p->ends, 1);
	wait_for_log(log, "changed but not reread; send umpired SIGHUP");
	assert_int_equal(event_base_loop(p->base, EVLOOP_NONBLOCK), 0);
	assert_int_equal(p->readies, 1);
	courier_renew(p->c, 10);
	wait_until(p, &p->readies, 2);
}

/*
 * A program that shuts the socket down, so that no other one could use it; it
 * leaves its number in `pid` of the folder.
 */
#define SHUT(how)                                            \
	"echo $$ >\"${0%courier}pid\"\ntrap '' TERM\n"       \
	"exec python3 -c 'import socket, time\n"             \
	"socket.socket(fileno=0).shutdown(socket." how ")\n" \
	"time.sleep(600)'"

/* Waits until the program that left its number is gone. */
static void
wait_until_gone(const struct place *p)
{
	const int64_t until_ms = clock_mono_ms() + WAIT_MS;
	char path[96];
	FILE *f;
	int pid;

	(void)snprintf(path, sizeof(path), "%s/pid", p->dir);
	assert_non_null(f = fopen(path, "re"));
	assert_int_equal(fscanf(f, "%d", &pid), 1);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(unlink(path), 0);
	while (kill(pid, 0) == 0) {
		assert_true(clock_mono_ms() < until_ms);
		(void)poll(NULL, 0, 1);
	}
}

static void
one_that_shuts_the_socket_down_is_the_last(void **state)
{
	struct place *p = *state;
	int loops;

	begin(p, SHUT("SHUT_WR"), true, WAIT_MS);
	wait_until(p, &p->ends, 1);
	/* Nothing is left that would keep the loop awake. */
	for (loops = 0; loops < 10; loops++)
		assert_int_equal(event_base_loop(p->base, EVLOOP_NONBLOCK), 1);
	wait_until_gone(p);
	assert_false(courier_is_ready(p->c));
	courier_renew(p->c, 10);
	assert_int_equal(send_job(p, 1), ERR_BUSY);
	courier_finish(p->c, 1);
	wait_until(p, &p->ends, 2);
	assert_true(p->readies <= 1);
}

static void
one_that_takes_nothing_more_is_the_last(void **state)
{
	const int64_t until_ms = clock_mono_ms() + WAIT_MS;
	struct place *p = *state;

	begin(p, SHUT("SHUT_RD"), true, WAIT_MS);
	wait_until(p, &p->readies, 1);
	while (send_job(p, 1) == 0) {
		assert_true(clock_mono_ms() < until_ms);
		(void)poll(NULL, 0, 10);
	}
	wait_until(p, &p->ends, 1);
	wait_until_gone(p);
	assert_int_equal(p->readies, 1);
}

static void
nonsense_while_it_finishes_is_its_end(void **state)
{
	struct place *p = *state;

	begin(p,
	    "echo $$ >\"${0%courier}pid\"\ntrap 'echo nonsense >&0' TERM\n" TAKE
	    " >/dev/null; echo '{\"id\":1,\"ok\":true}' >&0\n"
	    "while :; do sleep 0.01; done",
	    true, WAIT_MS);
	wait_until(p, &p->readies, 1);
	assert_int_equal(send_job(p, 1), 0);
	wait_until(p, &p->answers, 1);
	courier_finish(p->c, 600);
	wait_until(p, &p->ends, 1);
	wait_until_gone(p);
	assert_int_equal(p->answers, 1);
}

static void
without_a_spawner_none_runs(void **state)
{
	struct courier_events events = {
	    answered_cb, ready_cb, ended_cb, *state};
	struct place *p = *state;

	assert_int_equal(courier_new(p->base, NULL, &events, 50, &p->c), 0);
	courier_renew(p->c, 1);
	assert_false(courier_is_ready(p->c));
	assert_int_equal(send_job(p, 1), ERR_BUSY);
	courier_finish(p->c, 1);
	assert_int_equal(p->ends, 1);
}

static void
a_spawner_that_dies_is_the_end_of_its_program(void **state)
{
	struct place *p = *state;

	begin(p, IDLE, true, WAIT_MS);
	wait_until(p, &p->readies, 1);
	assert_true(courier_is_ready(p->c));
	assert_int_equal(kill(p->spawner->pid, SIGKILL), 0);
	wait_until(p, &p->ends, 1);
	assert_false(courier_is_ready(p->c));
	assert_int_equal(send_job(p, 1), ERR_BUSY);
	/* What it left is nobody's to end. */
	courier_renew(p->c, 1);
	courier_finish(p->c, 0);
	assert_int_equal(p->ends, 2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(
		it_has_the_settings_and_jobs_are_answered, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		nonsense_is_its_end_and_another_is_started, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		a_flood_is_its_end, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		an_empty_packet_is_nonsense_too, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		one_that_ends_is_started_again, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		what_one_left_unread_the_next_does_not_get, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		one_that_never_answers_is_killed, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		one_that_does_not_finish_is_not_waited_for, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		without_a_way_to_send_none_runs, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		other_settings_start_another_when_the_first_has_finished, setup,
		teardown),
	    cmocka_unit_test_setup_teardown(
		a_program_that_is_not_there_is_no_end_of_ours, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		settings_that_were_not_reread_start_none, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		one_that_shuts_the_socket_down_is_the_last, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		one_that_takes_nothing_more_is_the_last, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		nonsense_while_it_finishes_is_its_end, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		without_a_spawner_none_runs, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		a_spawner_that_dies_is_the_end_of_its_program, setup, teardown),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
