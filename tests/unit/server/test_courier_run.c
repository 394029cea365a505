/* SPDX-License-Identifier: ISC */
/* notify_command: how it is run, and that it ends. */
#include "server/courier/courier_run.h"

#include <errno.h>
#include <fcntl.h>
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
#include "tests/lib/script.h"

#define LONG_MS 60000

/* A folder, and in it a program. */
struct place {
	char dir[64];
	char path[128];
	char pid[128];
};

/* Makes the folder. */
static int
setup(void **state)
{
	struct place *p = calloc(1, sizeof(*p));

	if (p == NULL)
		return (-1);
	(void)snprintf(p->dir, sizeof(p->dir), "/tmp/umpire-run.XXXXXX");
	if (mkdtemp(p->dir) == NULL)
		return (-1);
	(void)snprintf(p->path, sizeof(p->path), "%s/a b;c", p->dir);
	(void)snprintf(p->pid, sizeof(p->pid), "%s/pid", p->dir);
	*state = p;
	return (0);
}

/* Removes it. */
static int
teardown(void **state)
{
	struct place *p = *state;

	(void)unlink(p->path);
	(void)unlink(p->pid);
	(void)rmdir(p->dir);
	free(p);
	return (0);
}

/* Runs it to its end; true if it succeeded. */
static bool
run(const struct place *p, const char *body, int64_t deadline_ms,
    struct courier_verdict *v)
{
	const struct courier_message job = {.body = body};
	struct courier_run running;

	if (courier_run_begin(&running, p->path, &job, deadline_ms, v) != 0)
		return (false);
	while (!courier_run_is_over(&running, v))
		(void)poll(NULL, 0, 1);
	/* Nothing of it is left to wait for. */
	assert_int_equal(kill(running.pid, 0), -1);
	assert_int_equal(errno, ESRCH);
	return (v->ok);
}

static void
its_status_decides(void **state)
{
	struct courier_verdict v;
	const struct place *p = *state;
	const int64_t until_ms = clock_mono_ms() + LONG_MS;

	script_write(p->path, "read x && [ \"$x\" = '{\"a\":1}' ] && ! read x");
	assert_true(run(p, "{\"a\":1}", until_ms, &v));
	assert_false(run(p, "{}", until_ms, &v));
	assert_true(v.may_retry);
	script_write(p->path, "exit 70");
	assert_false(run(p, "{}", until_ms, &v));
	assert_non_null(strstr(v.error, "status 70"));
	script_write(p->path, "kill -TERM $$");
	assert_false(run(p, "{}", until_ms, &v));
	assert_true(v.may_retry);
	assert_non_null(strstr(v.error, "signal 15"));
}

static void
a_long_message_need_not_be_read(void **state)
{
	const struct place *p = *state;
	char body[COURIER_BODY + 1];
	struct courier_verdict v;

	memset(body, 'x', sizeof(body));
	body[sizeof(body) - 1] = '\0';
	script_write(p->path, "exit 0");
	assert_true(run(p, body, clock_mono_ms() + LONG_MS, &v));
	script_write(p->path, "[ $(wc -c) = 65537 ]");
	assert_true(run(p, body, clock_mono_ms() + LONG_MS, &v));
}

static void
no_signal_is_blocked_or_ignored(void **state)
{
	struct courier_verdict v;
	const struct place *p = *state;
	sigset_t set, before;

	/* The courier blocks some, and ignores SIGPIPE. */
	assert_int_equal(sigfillset(&set), 0);
	assert_int_equal(sigprocmask(SIG_BLOCK, &set, &before), 0);
	assert_true(signal(SIGPIPE, SIG_IGN) != SIG_ERR);
	/* Above the first 28 are two of the C library's own. */
	script_write(p->path,
	    "grep -q '^SigBlk:.0*$' /proc/self/status &&\n"
	    "grep -q '^SigIgn:.*0000000$' /proc/self/status");
	assert_true(run(p, "{}", clock_mono_ms() + LONG_MS, &v));
	assert_int_equal(sigprocmask(SIG_SETMASK, &before, NULL), 0);
}

static void
one_that_takes_too_long_is_killed_with_its_children(void **state)
{
	const struct courier_message job = {.body = "x"};
	struct courier_verdict v;
	const struct place *p = *state;
	struct courier_run running;
	char script[600];
	int child = 0, tries;
	FILE *f;

	(void)snprintf(script, sizeof(script),
	    "sleep 600 &\necho $! >'%s.new'; mv '%s.new' '%s'\nwait", p->pid,
	    p->pid, p->pid);
	script_write(p->path, script);
	assert_int_equal(courier_run_begin(&running, p->path, &job,
			     clock_mono_ms() + LONG_MS, &v),
	    0);
	while ((f = fopen(p->pid, "re")) == NULL)
		(void)poll(NULL, 0, 1);
	assert_int_equal(fscanf(f, "%d", &child), 1);
	assert_int_equal(fclose(f), 0);
	assert_false(courier_run_is_over(&running, &v));
	assert_int_equal(kill(child, 0), 0);
	running.deadline_ms = clock_mono_ms();
	assert_true(courier_run_is_over(&running, &v));
	assert_false(v.ok);
	assert_true(v.may_retry);
	assert_non_null(strstr(v.error, "too long"));
	/* Its child is init's now, or a zombie until somebody looks. */
	for (tries = 0; tries < 20000; tries++) {
		(void)snprintf(
		    script, sizeof(script), "/proc/%d/cmdline", child);
		if ((f = fopen(script, "re")) == NULL)
			return;
		if (fgetc(f) == EOF) {
			(void)fclose(f);
			return;
		}
		(void)fclose(f);
		(void)poll(NULL, 0, 1);
	}
	fail_msg("process %d still runs", child);
}

static void
one_that_cannot_be_run_is_told(void **state)
{
	struct courier_verdict v;
	struct place *p = *state;

	assert_int_equal(unlink(p->path), 0);
	assert_false(run(p, "{}", clock_mono_ms() + LONG_MS, &v));
	assert_true(v.may_retry);
	assert_non_null(strstr(v.error, "cannot be run"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(its_status_decides),
	    cmocka_unit_test(a_long_message_need_not_be_read),
	    cmocka_unit_test(no_signal_is_blocked_or_ignored),
	    cmocka_unit_test(
		one_that_takes_too_long_is_killed_with_its_children),
	    cmocka_unit_test(one_that_cannot_be_run_is_told),
	};

	return (cmocka_run_group_tests(tests, setup, teardown));
}
