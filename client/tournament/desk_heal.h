/* SPDX-License-Identifier: ISC */
/*
 * Giving back what a server has lost of tournaments (record S21.3), before that
 * of their games, and setting aside what it says is lost for good.
 */
#ifndef UMPIRE_CLIENT_TOURNAMENT_DESK_HEAL_H
#define UMPIRE_CLIENT_TOURNAMENT_DESK_HEAL_H

#include "client/net/conn.h"

struct desk_copy;
struct link;
struct profile;

/*
 * After desk_copy_sync() has found that the server's record does not continue
 * the copy: gives it what it lacks, or sets aside what it says was lost, says
 * so, and brings the copy up to date.  Returns what desk_copy_sync() does;
 * where nothing can be done ERR_FORK, and c->fork says why.
 */
int desk_heal_copy(struct link *l, struct desk_copy *c, struct conn_error *ce)
    __attribute__((warn_unused_result));

/*
 * heal_before: compares the last lines of all tournaments that the profile
 * holds with the server's, gives back what that lacks and takes what is new;
 * first it makes a copy of those to which games of ours belong.  0, or
 * EX_PROTOCOL with evidence on the disk.
 */
int desk_heal(struct link *l, const struct profile *p);

#endif
