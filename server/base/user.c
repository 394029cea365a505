/* SPDX-License-Identifier: ISC */
/*
 * Looks users up.  A user who does not exist and a list of users that cannot be
 * read are different things for an operator.
 */
#include "server/base/user.h"

#include <errno.h>
#include <pwd.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "server/base/conf.h"

int
user_find(const struct conf *conf, struct user_ids *out, struct errinfo *e)
{
	const struct passwd *pw;

	if (geteuid() != 0 || conf->user[0] == '\0')
		return (ERR_NOTFOUND);
	errno = 0;
	if ((pw = getpwnam(conf->user)) != NULL) {
		out->uid = pw->pw_uid;
		out->gid = pw->pw_gid;
		return (0);
	}
	switch (errno) {
	case 0:
	case ENOENT:
	case ESRCH:
	case EBADF:
	case EPERM:
		/* The ways in which getpwnam(3) says that. */
		return (err_set(e, ERR_CONFIG, "",
		    "user: there is no user \"%s\"", conf->user));
	default:
		return (
		    err_set(e, ERR_IO, "", "user: cannot look up \"%s\": %s",
			conf->user, strerror(errno)));
	}
}
