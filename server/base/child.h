/* SPDX-License-Identifier: ISC */
/* Programs that are started with nothing of ours but what is named here. */
#ifndef UMPIRE_SERVER_BASE_CHILD_H
#define UMPIRE_SERVER_BASE_CHILD_H

#include <sys/types.h>

#include <stdbool.h>

struct child {
	const char *path; /* of the program */
	const char *const *argv; /* its name and arguments; ended by NULL */
	const char *const *env; /* its environment; ended by NULL */
	const char *folder; /* in which it begins; NULL: in ours */
	int input; /* the descriptor that is its standard input */
	int output; /* likewise its standard output; 0: /dev/null */
	bool has_log; /* its standard error is ours, else /dev/null */
};

/*
 * Starts it in a process group of its own, of the same number, with no other
 * descriptor of ours and no signal blocked or ignored: returns 0 with its
 * number in *pid, or an errno.
 * Whoever calls waits for its end.
 */
int child_start(const struct child *c, pid_t *pid)
    __attribute__((warn_unused_result));

#endif
