/* SPDX-License-Identifier: ISC */
/*
 * What a game, or each game of a tournament, has beside its rosters: how open
 * questions of the rules are settled (--ruling NAME=VALUE), and tables or a bag
 * in place of the built-in ones (--tables, --bag).
 */
#ifndef UMPIRE_CLIENT_CMD_NEW_DATA_H
#define UMPIRE_CLIENT_CMD_NEW_DATA_H

#include <stdbool.h>

#include <jansson.h>

#include "common/base/err.h"

struct cmd_ctx;
struct rules_system;

/*
 * Reads NAME=VALUE, with true, false, a number or a word, into rulings.
 * ERR_INVALID.  Whether the system has it new_data_read() says.
 */
int new_data_ruling(json_t *rulings, const char *s, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Reads the options, of rulings the one of that name, into rulings and tables,
 * blobs, over what is there, and checks both.  Where tables are none and the
 * installed ones differ from those built in, they are taken, and *installed is
 * their path, free(); else it is left alone; NULL: they are not to be taken.
 * Prints what is wrong; 0, or an exit status.
 */
int new_data_read(struct cmd_ctx *cx, const struct rules_system *sys,
    const char *option, json_t *rulings, json_t *tables, char **installed)
    __attribute__((warn_unused_result));

#endif
