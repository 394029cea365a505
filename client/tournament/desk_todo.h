/* SPDX-License-Identifier: ISC */
/* What tournaments wait for, as the server tells it, in the words of people. */
#ifndef UMPIRE_CLIENT_TOURNAMENT_DESK_TODO_H
#define UMPIRE_CLIENT_TOURNAMENT_DESK_TODO_H

#include <stdint.h>

#include <jansson.h>

struct cmd_ctx;
struct desk;
struct link;
struct out;
struct profile;

/*
 * Asks the server what all tournaments of the account wait for; adds to rows,
 * of each tournament one after the other: tournament, name, event, phase beside
 * what the server says.  Prints what fails; 0, or an exit status.
 */
int desk_todo_ask(struct link *l, const struct profile *p, json_t *rows)
    __attribute__((warn_unused_result));

/* The same of one that is open: *rows is new. */
int desk_todo_fetch(struct desk *d, json_t **rows)
    __attribute__((warn_unused_result));

/* Prints them, with the commands to type. */
void desk_todo_tell(struct cmd_ctx *cx, const json_t *rows);

#endif
