/* SPDX-License-Identifier: ISC */
/*
 * Making a tournament of its lines.  Nothing is kept beside them: a thread that
 * needs one again goes on from the line where it was.
 */
#ifndef UMPIRE_SERVER_STORE_KEPT_TOURNAMENT_H
#define UMPIRE_SERVER_STORE_KEPT_TOURNAMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"

struct store;
struct store_tournament_row;
struct terms_continues;
struct tournament;

/*
 * Takes the lines of a row's tournament up to line row->seq that *t has not
 * got; *t is NULL before the first, and new then.  Games are not looked at:
 * what they came to stands in the lines.  trusts: so is not worked out again
 * who was paired with whom in a Swiss, which takes long where there are many.
 * ERR_BAD, with the reason, if the lines do not hold; *t is then NULL, as after
 * any failure.
 */
int kept_tournament(struct store *st, const struct store_tournament_row *row,
    bool trusts, struct tournament **t, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Makes the tournament of another server that one here continues, as the line
 * that is continued left it, of what was verified when it was brought; *old is
 * new.  ERR_NOTFOUND if it is not all here; ERR_BAD, with the reason.
 */
int kept_tournament_former(struct store *st, const struct terms_continues *c,
    struct tournament **old, struct errinfo *e)
    __attribute__((warn_unused_result));

#endif
