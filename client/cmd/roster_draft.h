/* SPDX-License-Identifier: ISC */
/*
 * Rosters that are asked for.  Each answer is in a draft beside the file before
 * the next question, so that whatever ends the questions, they go on there.
 */
#ifndef UMPIRE_CLIENT_CMD_ROSTER_DRAFT_H
#define UMPIRE_CLIENT_CMD_ROSTER_DRAFT_H

#include <jansson.h>

struct cmd_ctx;
struct rules_system;

/*
 * Asks at the terminal for the rosters that are to become the file at path, or
 * for what joins one side (1 or 2; 0: both).  *blob is new, and a game takes it
 * so.  Prints what fails, and how to go on; 0,
 * or an exit status.
 */
int roster_draft_ask(struct cmd_ctx *cx, const struct rules_system *sys,
    const char *path, int only, json_t **blob)
    __attribute__((warn_unused_result));

/* Removes the draft, once the file is written; failures are told.  As above. */
int roster_draft_remove(const char *path) __attribute__((warn_unused_result));

/*
 * Prints rosters as tables: 0, or an exit status if they cannot be shown,
 * which is told.
 */
int roster_draft_show(
    struct cmd_ctx *cx, const struct rules_system *sys, const json_t *blob);

#endif
