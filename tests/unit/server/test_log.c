/* SPDX-License-Identifier: ISC */
/*
 * The log.  Stderr is a datagram socket while a message is logged, so that
 * each write(2) is told from the next.
 */
#include "server/base/log.h"

#include <sys/socket.h>
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/base/clock.h"
#include "common/base/err.h"

#define HEAD 31 /* bytes before the message: time, level padded to 5 */

struct capture {
	int saved;
	int ends[2];
	char line[8192];
};

/* Puts a socket in the place of stderr. */
static void
capture_begin(struct capture *c)
{
	assert_int_equal(socketpair(AF_UNIX, SOCK_DGRAM, 0, c->ends), 0);
	c->saved = dup(STDERR_FILENO);
	assert_true(c->saved >= 0);
	assert_int_equal(dup2(c->ends[1], STDERR_FILENO), STDERR_FILENO);
}

/* Gives stderr back; returns the first write's bytes, or NULL for none. */
static const char *
capture_end(struct capture *c)
{
	char more[16];
	ssize_t n;

	assert_int_equal(dup2(c->saved, STDERR_FILENO), STDERR_FILENO);
	n = recv(c->ends[0], c->line, sizeof(c->line) - 1, MSG_DONTWAIT);
	assert_int_equal(
	    recv(c->ends[0], more, sizeof(more), MSG_DONTWAIT), -1);
	close(c->saved);
	close(c->ends[0]);
	close(c->ends[1]);
	if (n == -1)
		return (NULL);
	c->line[n] = '\0';
	return (c->line);
}

/* Fails unless what is logged by text, as info, is want. */
static void
is_logged(const char *text, const char *want)
{
	const char *line;
	struct capture c;

	capture_begin(&c);
	log_info("%s", text);
	line = capture_end(&c);
	assert_non_null(line);
	assert_int_equal(line[strlen(line) - 1], '\n');
	c.line[strlen(line) - 1] = '\0';
	assert_string_equal(line + HEAD, want);
}

static void
a_line_has_time_level_and_message(void **state)
{
	const char *line;
	struct capture c;
	int64_t at, start = clock_wall_ms();

	(void)state;
	capture_begin(&c);
	log_warnx("disk %d%% full", 93);
	line = capture_end(&c);
	assert_non_null(line);
	assert_int_equal(clock_parse(line, CLOCK_AT_LEN, &at), 0);
	assert_in_range(at - start, 0, 10000);
	assert_string_equal(line + CLOCK_AT_LEN, " warn  disk 93% full\n");
	capture_begin(&c);
	log_errorx("x");
	line = capture_end(&c);
	assert_non_null(line);
	assert_string_equal(line + CLOCK_AT_LEN, " error x\n");
}

static void
warn_adds_the_systems_reason(void **state)
{
	char want[256];
	struct capture c;
	const char *line;

	(void)state;
	capture_begin(&c);
	errno = ENOSPC;
	log_warn("cannot write \"%s\"", "x");
	line = capture_end(&c);
	assert_non_null(line);
	(void)snprintf(want, sizeof(want), " warn  cannot write \"x\": %s\n",
	    strerror(ENOSPC));
	assert_string_equal(line + CLOCK_AT_LEN, want);
}

static void
logging_leaves_errno_alone(void **state)
{
	int after[3], closed;

	(void)state;
	/* Also when the write fails: stderr is closed meanwhile. */
	closed = dup(STDERR_FILENO);
	assert_true(closed >= 0);
	assert_int_equal(close(STDERR_FILENO), 0);
	errno = ENOTTY;
	log_warn("x");
	after[0] = errno;
	errno = ENOTTY;
	log_info("x");
	after[1] = errno;
	errno = ENOTTY;
	log_debug("x");
	after[2] = errno;
	assert_int_equal(dup2(closed, STDERR_FILENO), STDERR_FILENO);
	close(closed);
	assert_int_equal(after[0], ENOTTY);
	assert_int_equal(after[1], ENOTTY);
	assert_int_equal(after[2], ENOTTY);
}

/* Returns which of the four levels are printed, as bits. */
static unsigned
printed(void)
{
	void (*const logs[])(const char *, ...) = {
	    log_errorx, log_warnx, log_info, log_debug};
	struct capture c;
	unsigned bits = 0, i;

	for (i = 0; i < 4; i++) {
		capture_begin(&c);
		logs[i]("x");
		if (capture_end(&c) != NULL)
			bits |= 1U << i;
	}
	return (bits);
}

static void
the_level_says_what_is_printed(void **state)
{
	(void)state;
	/* Nobody has set it yet. */
	assert_int_equal(printed(), 0x7);
	log_set_level(LOG_ERROR);
	assert_int_equal(printed(), 0x1);
	log_set_level(LOG_WARN);
	assert_int_equal(printed(), 0x3);
	log_set_level(LOG_DEBUG);
	assert_int_equal(printed(), 0xf);
	log_set_level(LOG_INFO);
	assert_int_equal(printed(), 0x7);
}

static void
nothing_from_outside_can_forge_a_line(void **state)
{
	(void)state;
	is_logged("a\n2026-11-20T18:04:05.123Z error b",
	    "a\\x0a2026-11-20T18:04:05.123Z error b");
	is_logged("\r\t\x1b[2J\x7f\x01", "\\x0d\\x09\\x1b[2J\\x7f\\x01");
	is_logged("caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
	    "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
	is_logged("\xff \xc0\x8a \xed\xa0\x80 \xe2\x82",
	    "\\xff \\xc0\\x8a \\xed\\xa0\\x80 \\xe2\\x82");
	/* NEL, line separator, right-to-left override. */
	is_logged("\xc2\x85 \xe2\x80\xa8 \xe2\x80\xae",
	    "\\xc2\\x85 \\xe2\\x80\\xa8 \\xe2\\x80\\xae");
	is_logged("", "");
}

static void
a_message_that_is_too_long_is_one_whole_line(void **state)
{
	static const char fills[] = {'x', '\n', '\xff', '\xe2'};
	struct capture c;
	const char *line;
	char text[10000];
	size_t i, n;

	(void)state;
	for (i = 0; i < 4 * sizeof(fills); i++) {
		/* Four ends, since an escape takes four bytes. */
		memset(text, fills[i / 4], sizeof(text) - 1);
		memset(text, 'x', i % 4);
		text[sizeof(text) - 1] = '\0';
		capture_begin(&c);
		errno = EIO;
		log_warn("%s", text);
		line = capture_end(&c);
		assert_non_null(line);
		n = strlen(line);
		assert_in_range(n, 1000, 4096);
		assert_ptr_equal(strchr(line, '\n'), line + n - 1);
	}
}

/* Logs lines that say whose they are. */
static void *
chatter(void *arg)
{
	const char *name = arg;
	int i;

	for (i = 0; i < 500; i++)
		log_info("%s %d%s%s", name, i, name, name);
	return (NULL);
}

static void
lines_of_several_threads_never_mix(void **state)
{
	static char names[4][200];
	char path[] = "/tmp/umpire-test-log-XXXXXX", line[4096];
	pthread_t threads[4];
	int fd, i, n = 0, saved;
	FILE *f;

	(void)state;
	fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(fcntl(fd, F_SETFL, O_APPEND), 0);
	saved = dup(STDERR_FILENO);
	assert_int_equal(dup2(fd, STDERR_FILENO), STDERR_FILENO);
	for (i = 0; i < 4; i++) {
		memset(names[i], 'a' + i, sizeof(names[i]) - 1);
		if (pthread_create(&threads[i], NULL, chatter, names[i]) != 0)
			abort();
	}
	for (i = 0; i < 4; i++)
		(void)pthread_join(threads[i], NULL);
	assert_int_equal(dup2(saved, STDERR_FILENO), STDERR_FILENO);
	close(saved);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	f = fdopen(fd, "r");
	assert_non_null(f);
	for (; fgets(line, sizeof(line), f) != NULL; n++) {
		i = line[HEAD] - 'a';
		assert_in_range(i, 0, 3);
		assert_memory_equal(line + HEAD, names[i], 199);
		assert_memory_equal(line + strlen(line) - 200, names[i], 199);
	}
	assert_int_equal(n, 2000);
	fclose(f);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_line_has_time_level_and_message),
	    cmocka_unit_test(warn_adds_the_systems_reason),
	    cmocka_unit_test(logging_leaves_errno_alone),
	    cmocka_unit_test(the_level_says_what_is_printed),
	    cmocka_unit_test(nothing_from_outside_can_forge_a_line),
	    cmocka_unit_test(a_message_that_is_too_long_is_one_whole_line),
	    cmocka_unit_test(lines_of_several_threads_never_mix),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
