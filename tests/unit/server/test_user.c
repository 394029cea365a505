/* SPDX-License-Identifier: ISC */
/*
 * Whom root becomes: a user who is not there is told from a list of users
 * that cannot be read.  The look-up itself is this file's, as the C library's
 * would need a machine for each case.
 */
#include "server/base/user.h"

#include <errno.h>
#include <pwd.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "server/base/conf.h"

static uid_t euid;
static int reason; /* errno; -1: she is there */

uid_t
geteuid(void)
{
	return (euid);
}

struct passwd *
getpwnam(const char *name)
{
	static struct passwd anna = {.pw_uid = 1815, .pw_gid = 18};

	assert_string_equal(name, "anna");
	if (reason == -1)
		return (&anna);
	/* The C library leaves it as it is where there is no such user. */
	if (reason != 0)
		errno = reason;
	return (NULL);
}

/* Looks for a user as the settings say; NULL: they say nothing. */
static int
find(const char *name, struct user_ids *u, struct errinfo *e)
{
	struct conf *conf;
	int r;

	assert_int_equal(
	    conf_load(NULL, &name, name == NULL ? 0 : 1, &conf, e), 0);
	errno = EINTR;
	r = user_find(conf, u, e);
	conf_free(conf);
	return (r);
}

static void
a_user_is_found(void **state)
{
	struct errinfo e;
	struct user_ids u;

	(void)state;
	euid = 0;
	reason = -1;
	assert_int_equal(find("user=anna", &u, &e), 0);
	assert_int_equal(u.uid, 1815);
	assert_int_equal(u.gid, 18);
}

static void
who_is_not_root_or_not_told_stays_who_they_are(void **state)
{
	struct errinfo e;
	struct user_ids u;

	(void)state;
	euid = 0;
	reason = -1;
	assert_int_equal(find(NULL, &u, &e), ERR_NOTFOUND);
	assert_int_equal(find("user=", &u, &e), ERR_NOTFOUND);
	euid = 1;
	assert_int_equal(find("user=anna", &u, &e), ERR_NOTFOUND);
}

static void
a_user_who_is_not_there_is_a_wrong_setting(void **state)
{
	static const int reasons[] = {0, ENOENT, ESRCH, EBADF, EPERM};
	struct errinfo e;
	struct user_ids u;
	size_t i;

	(void)state;
	euid = 0;
	for (i = 0; i < sizeof(reasons) / sizeof(*reasons); i++) {
		reason = reasons[i];
		assert_int_equal(find("user=anna", &u, &e), ERR_CONFIG);
		assert_string_equal(e.text, "user: there is no user \"anna\"");
	}
}

static void
a_list_that_cannot_be_read_is_told_as_that(void **state)
{
	static const int reasons[] = {EMFILE, ENFILE, EIO, ENOMEM, ETIMEDOUT};
	struct errinfo e;
	struct user_ids u;
	size_t i;

	(void)state;
	euid = 0;
	for (i = 0; i < sizeof(reasons) / sizeof(*reasons); i++) {
		reason = reasons[i];
		assert_int_equal(find("user=anna", &u, &e), ERR_IO);
		assert_non_null(strstr(e.text, strerror(reasons[i])));
		assert_null(strstr(e.text, "there is no user"));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_user_is_found),
	    cmocka_unit_test(who_is_not_root_or_not_told_stays_who_they_are),
	    cmocka_unit_test(a_user_who_is_not_there_is_a_wrong_setting),
	    cmocka_unit_test(a_list_that_cannot_be_read_is_told_as_that),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
