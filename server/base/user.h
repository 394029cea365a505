/* SPDX-License-Identifier: ISC */
/* Which user root becomes, by the setting "user". */
#ifndef UMPIRE_SERVER_BASE_USER_H
#define UMPIRE_SERVER_BASE_USER_H

#include <sys/types.h>

#include "common/base/err.h"

struct conf;

/* Not "struct user", which is the system's (sys/user.h). */
struct user_ids {
	uid_t uid;
	gid_t gid;
};

/*
 * Finds which user root is to become by these settings.  ERR_NOTFOUND: nobody,
 * we stay who we are (e is not filled); ERR_CONFIG: there is no such user;
 * ERR_IO: the list of users cannot be read now.
 */
int user_find(const struct conf *conf, struct user_ids *out, struct errinfo *e)
    __attribute__((warn_unused_result));

#endif
