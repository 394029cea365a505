/* SPDX-License-Identifier: ISC */
/*
 * The terms of a game beside its rules and its rosters: how dice are made,
 * who keeps secrets, clock, seats and the like.  They are members of the
 * create order's args (record S5).
 */
#ifndef UMPIRE_CLIENT_PLAY_SETTINGS_H
#define UMPIRE_CLIENT_PLAY_SETTINGS_H

#include <jansson.h>
#include <stdbool.h>

struct cmd_ctx;
struct order_create;
struct out;

/* Sets what every game has and these terms do not. */
void settings_complete(json_t *terms);

/*
 * Reads the options of `umpire new` into terms, over what is there.  Prints
 * what is wrong; 0, or an exit status.
 */
int settings_read(struct cmd_ctx *cx, json_t *terms)
    __attribute__((warn_unused_result));

/* True if the terms have a director. */
bool settings_has_director(const json_t *terms);

/* The terms of a game, out of the args of its create order; new. */
json_t *settings_of(const json_t *args);

/*
 * Prints those settings of a game that are not the usual ones, a line each;
 * is_out: the witness that they name is out.
 */
void settings_print(struct out *o, const struct order_create *c, bool is_out);

#endif
