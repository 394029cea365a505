/* SPDX-License-Identifier: ISC */
/*
 * Which accounts are connected, in all io threads together: whoever is here
 * sees what waits for them and is not told by mail.  Safe from any thread.
 */
#ifndef UMPIRE_SERVER_NET_PRESENCE_H
#define UMPIRE_SERVER_NET_PRESENCE_H

#include <stdbool.h>

#include "common/base/err.h"

struct presence;

/*
 * Makes an empty one.  left is called, in the thread that said so, when the
 * last connection of an account ends; it must only pass a copy on; NULL:
 * nobody wants to know.  ERR_NOMEM.  *out is new.
 */
int presence_new(void (*left)(void *arg, const char *account), void *arg,
    struct presence **out) __attribute__((warn_unused_result));

/* Frees it; NULL is allowed. */
void presence_free(struct presence *p);

/* One more connection of an account.  ERR_NOMEM. */
int presence_enter(struct presence *p, const char *account)
    __attribute__((warn_unused_result));

/* One less; there must have been a presence_enter() for it. */
void presence_leave(struct presence *p, const char *account);

/* True if an account has a connection that is logged in. */
bool presence_is_here(struct presence *p, const char *account);

#endif
