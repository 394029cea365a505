/* SPDX-License-Identifier: ISC */
/* Local sockets: what is bound where, and the kernel's word on who is there. */
#include "server/net/local.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "server/base/conf.h"
#include "server/rpc/admin.h"

/* A folder of the test's own, and paths in it. */
static char dir[64], path[128], file[128];

static int
setup(void **state)
{
	(void)state;
	(void)snprintf(dir, sizeof(dir), "/tmp/umpire-local.XXXXXX");
	if (mkdtemp(dir) == NULL)
		return (-1);
	(void)snprintf(path, sizeof(path), "%s/s", dir);
	(void)snprintf(file, sizeof(file), "%s/file", dir);
	return (0);
}

static int
teardown(void **state)
{
	(void)state;
	(void)unlink(path);
	(void)unlink(file);
	return (rmdir(dir));
}

/* Connects to the path; -1 if nobody is there. */
static int
dial(void)
{
	struct sockaddr_un sun = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_true(fd != -1);
	(void)snprintf(sun.sun_path, sizeof(sun.sun_path), "%s", path);
	if (connect(fd, (struct sockaddr *)&sun, sizeof(sun)) == 0)
		return (fd);
	(void)close(fd);
	return (-1);
}

/* The permissions of the path's file; 0 if there is none. */
static unsigned
mode(void)
{
	struct stat sb;

	return (lstat(path, &sb) == -1 ? 0 : sb.st_mode & 0777);
}

static void
the_kernel_says_who_is_there(void **state)
{
	struct local_peer peer;
	struct errinfo e = {0};
	struct local l;
	int there, here, ends[2];

	(void)state;
	assert_int_equal(local_bind(&l, path, false, &e), 0);
	assert_int_equal(mode(), 0600);
	there = dial();
	assert_true(there != -1);
	here = accept(l.fd, NULL, NULL);
	assert_true(here != -1);
	assert_int_equal(local_peer(here, &peer), 0);
	assert_int_equal(peer.uid, geteuid());
	assert_int_equal(peer.pid, getpid());
	(void)close(here);
	(void)close(there);
	local_close(&l);
	assert_int_equal(mode(), 0);
	local_close(&l);
	/* What is no socket has nobody at its other end. */
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(local_peer(ends[0], &peer), ERR_IO);
	(void)close(ends[0]);
	(void)close(ends[1]);
}

static void
what_is_left_behind_is_replaced(void **state)
{
	struct errinfo e = {0};
	struct local l, other;
	struct stat sb;
	FILE *f;

	(void)state;
	assert_int_equal(local_bind(&l, path, true, &e), 0);
	assert_int_equal(mode(), 0666);
	assert_int_equal(local_bind(&other, path, false, &e), ERR_BUSY);
	assert_int_equal(other.fd, -1);
	/* As if it had been killed. */
	(void)close(l.fd);
	l.fd = -1;
	free(l.path);
	assert_int_equal(mode(), 0666);
	assert_int_equal(dial(), -1);
	assert_int_equal(local_bind(&l, path, false, &e), 0);
	assert_int_equal(mode(), 0600);
	/* A file that somebody else has put there since is not removed. */
	assert_int_equal(unlink(path), 0);
	assert_non_null(f = fopen(path, "w"));
	assert_int_equal(fclose(f), 0);
	local_close(&l);
	assert_int_equal(lstat(path, &sb), 0);
	assert_true(S_ISREG(sb.st_mode));
	assert_int_equal(local_bind(&l, path, false, &e), ERR_EXISTS);
	assert_non_null(strstr(e.text, "is no socket"));
}

static void
where_none_can_be(void **state)
{
	char much[200], none[160];
	struct errinfo e = {0};
	struct local l;

	(void)state;
	memset(much, 'x', sizeof(much));
	much[107] = '\0';
	/* As long as one can be, but in no folder that can be written to. */
	much[0] = '/';
	memcpy(much + 1, "no-such-folder/", 15);
	assert_int_equal(local_bind(&l, much, false, &e), ERR_IO);
	assert_non_null(strstr(e.text, "its folder must exist"));
	much[107] = 'x';
	much[108] = '\0';
	assert_int_equal(local_bind(&l, much, false, &e), ERR_TOOBIG);
	assert_non_null(strstr(e.text, "at most 107"));
	(void)snprintf(none, sizeof(none), "%s/no/s", dir);
	assert_int_equal(local_bind(&l, none, false, &e), ERR_IO);
	assert_int_equal(l.fd, -1);
}

/* Who may use the operator's socket, by the settings. */
static void
who_may_is_a_setting(void **state)
{
	struct conf conf = {.admin_socket = path};
	const unsigned others = geteuid() == 12345 ? 54321 : 12345;
	struct errinfo e = {0};
	char users[64];
	struct admin *a;

	(void)state;
	(void)snprintf(users, sizeof(users), "%s", "");
	conf.admin_users = users;
	assert_int_equal(admin_open(&conf, &a, &e), 0);
	assert_string_equal(admin_user(a, 0), "root");
	assert_non_null(admin_user(a, geteuid()));
	assert_null(admin_user(a, others));
	assert_int_equal(mode(), 0600);
	admin_free(a);
	assert_int_equal(mode(), 0);
	(void)snprintf(users, sizeof(users), " root, %u", others);
	assert_int_equal(admin_open(&conf, &a, &e), 0);
	assert_non_null(admin_user(a, others));
	assert_null(admin_user(a, others + 1));
	assert_int_equal(mode(), 0666);
	admin_free(a);
	(void)snprintf(users, sizeof(users), "no-such-user-here");
	assert_int_equal(admin_open(&conf, &a, &e), ERR_CONFIG);
	assert_int_equal(mode(), 0);
	/* Neither does a number that is none name anybody. */
	(void)snprintf(users, sizeof(users), "-1");
	assert_int_equal(admin_open(&conf, &a, &e), ERR_CONFIG);
	(void)snprintf(users, sizeof(users), "4294967295");
	assert_int_equal(admin_open(&conf, &a, &e), ERR_CONFIG);
	conf.admin_socket = users + strlen(users);
	assert_int_equal(admin_open(&conf, &a, &e), 0);
	assert_null(a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(
		the_kernel_says_who_is_there, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		what_is_left_behind_is_replaced, setup, teardown),
	    cmocka_unit_test_setup_teardown(where_none_can_be, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		who_may_is_a_setting, setup, teardown),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
