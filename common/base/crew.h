/* SPDX-License-Identifier: ISC */
/*
 * Jobs that several threads do, each once and in their order, while the caller
 * goes on and takes what it needs: it does not wait while there is one that
 * nobody has begun, but does it.
 */
#ifndef UMPIRE_COMMON_BASE_CREW_H
#define UMPIRE_COMMON_BASE_CREW_H

#include <stdbool.h>
#include <stddef.h>

struct crew;

/* Does job i; called by any thread. */
typedef void crew_job(void *arg, size_t i);

/*
 * Begins n jobs; with is_parallel on all CPUs but the caller's, else they are
 * done as they are needed.  ERR_NOMEM.
 */
int crew_new(size_t n, crew_job *job, void *arg, bool is_parallel,
    struct crew **out) __attribute__((warn_unused_result));

/* Begins no job any more, waits for those that were begun and frees it. */
void crew_free(struct crew *c);

/* When it returns, job i has been done. */
void crew_need(struct crew *c, size_t i);

/* How many were done. */
size_t crew_done(struct crew *c);

#endif
