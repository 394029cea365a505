/* SPDX-License-Identifier: ISC */
/*
 * Tournaments verified with their games by the process of web_checker.h.
 */
#ifndef UMPIRE_WEB_WEB_CHECK_H
#define UMPIRE_WEB_WEB_CHECK_H

#include <stdbool.h>

#include <jansson.h>

#include "common/base/err.h"
#include "web/web_checker.h"

struct event_base;
struct web_check;
struct web_conf;

/*
 * Forks the process; nothing can be verified before web_check_start().  New.
 * ERR_IO, ERR_INTERNAL.
 */
int web_check_new(const struct web_conf *conf, struct web_check **out,
    struct errinfo *e) __attribute__((warn_unused_result));
void web_check_start(struct web_check *k, struct event_base *base);

/* Frees it; jobs that are out are not answered.  NULL is allowed. */
void web_check_free(struct web_check *k);

/* True while there is a process. */
bool web_check_is_up(const struct web_check *k);

/* What became of a job; verdict (web_checker.h) is borrowed; NULL: none. */
typedef void web_check_done(void *arg, const json_t *verdict);

/*
 * Begins a job; there must be a process, no job of the same tournament, and
 * fewer than WEB_CHECKER_JOBS.
 */
void web_check_begin(struct web_check *k, const struct web_checker_job *job,
    web_check_done *done, void *arg);

/* Nobody waits for jobs any more. */
void web_check_forget(struct web_check *k);

#endif
