/* SPDX-License-Identifier: ISC */
/* notify_command: a program of the operator's that gets a message. */
#ifndef UMPIRE_SERVER_COURIER_COURIER_RUN_H
#define UMPIRE_SERVER_COURIER_COURIER_RUN_H

#include <sys/types.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/courier/courier_message.h"

#define COURIER_RUN_MS 60000 /* that it may take */

struct courier_run {
	pid_t pid; /* also of its process group */
	int64_t deadline_ms; /* of clock_mono_ms() */
};

/*
 * Starts the program at path with nothing but its name for an argument, the
 * body and a line end on its standard input, PATH and LANG in its
 * environment, in the folder /, and no other descriptor of ours.  No shell
 * sees any of it.  If that cannot be done *v says why and the result is not
 * 0.
 */
int courier_run_begin(struct courier_run *run, const char *path,
    const struct courier_message *job, int64_t deadline_ms,
    struct courier_verdict *v) __attribute__((warn_unused_result));

/*
 * True if it has ended, with *v what that means; it is then forgotten.  One
 * that takes too long is killed with its process group.
 */
bool courier_run_is_over(struct courier_run *run, struct courier_verdict *v);

/* Kills it with its process group, and waits for its end. */
void courier_run_kill(struct courier_run *run);

#endif
