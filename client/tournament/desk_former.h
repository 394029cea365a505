/* SPDX-License-Identifier: ISC */
/*
 * A tournament whose server has stopped, out of a file or of a copy that one of
 * our profiles has, for those who go on with it on another server.
 */
#ifndef UMPIRE_CLIENT_TOURNAMENT_DESK_FORMER_H
#define UMPIRE_CLIENT_TOURNAMENT_DESK_FORMER_H

#include <jansson.h>

#include "common/base/buf.h"
#include "common/tournament/verify_former.h"

struct cmd_ctx;
struct conn_error;
struct desk;
struct link;
struct profile;
struct tournament;

/* One of them, verified but for its games; desk_former_clear() frees it. */
struct desk_former {
	struct buf bytes; /* its lines, with LF, and then those of the one that
			   * it continues, and so on */
	json_t *blobs; /* owned: its side lines that are blobs, by hash */
	struct tournament *t; /* owned: as its last line leaves it */
};

void desk_former_init(struct desk_former *f);
void desk_former_clear(struct desk_former *f);

/*
 * Finds what a word means: the file or folder of an export, or a tournament of
 * which a profile on this machine has a copy, by its name or digits; and checks
 * that it can be continued.  Prints what fails; 0, or an exit status.
 */
int desk_former_open(struct cmd_ctx *cx, const struct profile *p,
    const char *word, struct desk_former *f)
    __attribute__((warn_unused_result));

/* The member `continues` of the terms; new. */
json_t *desk_former_continues(const struct desk_former *f);

/*
 * Gives a server records that lie one after the other, each continuing the one
 * after it, unless it has them.  Fills *ce if it does not take them.
 */
int desk_former_bring(struct link *l, const struct buf *records,
    struct conn_error *ce) __attribute__((warn_unused_result));

/*
 * Adds to the args of `enter` who we were (number; 0: it is found out): by our
 * own key, or by a statement that another of our profiles signs with one that
 * was valid there.  Prints what fails; 0, or an exit status.
 */
int desk_former_was(const struct desk *d, int number, json_t *args)
    __attribute__((warn_unused_result));

#endif
