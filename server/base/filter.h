/* SPDX-License-Identifier: ISC */
/*
 * Which system calls a process may still make.  A filter cannot be taken off
 * again, and holds for all threads, and for all that is started from then on.
 * All of these want no_new_privs first.
 */
#ifndef UMPIRE_SERVER_BASE_FILTER_H
#define UMPIRE_SERVER_BASE_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"

/* One argument of a call: it & mask must be value. */
struct filter_rule {
	int call;
	unsigned arg;
	uint64_t mask;
	uint64_t value;
};

#define FILTER_ALL UINT64_MAX

/* What may be called; numbers are those of SCMP_SYS(). */
struct filter {
	const int *calls; /* with any arguments */
	size_t n_calls;
	const struct filter_rule *rules; /* one of a call's rows must fit */
	size_t n_rules;
};

/*
 * Gives up all calls that are not in the list; the process may end itself by a
 * signal, besides.  Others fail with EPERM or, if is_deadly, end the process by
 * SIGSYS; the kernel's log has either.  ERR_NOTFOUND: the system or the program
 * has no filters; ERR_NOMEM, ERR_INTERNAL; all with e.
 */
int filter_allow(const struct filter *f, bool is_deadly, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Gives up only those; they fail with EPERM.  Likewise. */
int filter_refuse(const int *calls, size_t n, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * True if an error of a filter, or of Landlock, says that the system has no
 * such thing: that it was built without, or was started without, or is itself
 * within something that knows it not (ECANCELED: libseccomp does not say).
 */
bool filter_is_absent(int error);

#endif
