/* SPDX-License-Identifier: ISC */
/* The unattended parts of tournaments, of whoever we are in them. */
#ifndef UMPIRE_CLIENT_TOURNAMENT_DESK_WATCH_H
#define UMPIRE_CLIENT_TOURNAMENT_DESK_WATCH_H

#include <stdbool.h>
#include <stdint.h>

struct cmd_ctx;

/* What is done beyond coming to tables and a witness's lots. */
struct desk_watch_does {
	bool checks_in;
	bool directs; /* as a director: shut, start, pair, finish */
	int64_t wait_s; /* ends if the connection is lost for so long; -1 */
};

/*
 * `umpire watch --tournament`: does what is due in the tournament of the word
 * (NULL: all of the account's), again and again, until Ctrl-C.  Returns an exit
 * status.
 */
int desk_watch(struct cmd_ctx *cx, const char *word,
    const struct desk_watch_does *does) __attribute__((warn_unused_result));

#endif
