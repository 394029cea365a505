/* SPDX-License-Identifier: ISC */
/*
 * A tournament that is verified as `umpire verify` does its folder, out of the
 * cache, again whenever it has another line.  What was verified before is not
 * verified again where it is the same in every byte: games, and how rounds were
 * paired.  Nothing but what was verified here is ever taken for that.
 */
#ifndef UMPIRE_WEB_WEB_CHECKER_CUP_H
#define UMPIRE_WEB_WEB_CHECKER_CUP_H

#include <jansson.h>

struct web_checker_cup;
struct web_checker_job;

/* Nothing is remembered yet; cache is borrowed.  New. */
struct web_checker_cup *web_checker_cup_new(const char *cache);
void web_checker_cup_free(struct web_checker_cup *m);

/* Verifies it; the verdict (web_checker.h) is new, NULL if there is none. */
json_t *web_checker_cup_verify(
    struct web_checker_cup *m, const struct web_checker_job *job);

#endif
