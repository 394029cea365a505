/* SPDX-License-Identifier: ISC */
/*
 * The terms of a tournament that are a number, a word, a time or a yes each
 * (record S15.4): by options, else by asking, else what is usual.
 */
#ifndef UMPIRE_CLIENT_CMD_NEW_TERMS_H
#define UMPIRE_CLIENT_CMD_NEW_TERMS_H

#include <stdbool.h>

#include <jansson.h>

struct cmd_ctx;

/*
 * Refuses options that say nothing in the format that the terms have; 0, or an
 * exit status.
 */
int new_terms_fit(struct cmd_ctx *cx, const json_t *terms)
    __attribute__((warn_unused_result));

/*
 * Reads the options into terms, over what is there.  With may_ask what nobody
 * has said is asked for: the little that differs from one tournament to the
 * next, and the rest if somebody wants to go through it.  What is needed and
 * nobody has said becomes what is usual.  Prints what is wrong; 0, or an exit
 * status.
 */
int new_terms_read(struct cmd_ctx *cx, json_t *terms, bool may_ask)
    __attribute__((warn_unused_result));

#endif
