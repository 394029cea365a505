/* SPDX-License-Identifier: ISC */
/*
 * The tournaments that one goes back to (record S21.4): each continues the one
 * before it, whose record a verifier needs.
 */
#ifndef UMPIRE_COMMON_TOURNAMENT_VERIFY_FORMER_H
#define UMPIRE_COMMON_TOURNAMENT_VERIFY_FORMER_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/err.h"
#include "common/tournament/terms.h"
#include "common/tournament/verify_tournament.h"

struct tournament;

#define VERIFY_FORMER_MAX 16 /* tournaments that one goes back to */

/*
 * The record of one, borrowed.  What follows upon the line that is continued is
 * not looked at, and need not be there.
 */
struct verify_former_record {
	const char *bytes;
	size_t len;
};

/* Records, in any order; those that nothing goes back to do no harm. */
struct verify_former_set {
	struct verify_former_record records[VERIFY_FORMER_MAX];
	size_t n;
};

/* What a record continues, by its line 0 alone.  ERR_NOTFOUND: nothing. */
int verify_former_named(const char *bytes, size_t len,
    struct terms_continues *c) __attribute__((warn_unused_result));

/*
 * Finds the record of the tournament that another continues, and cuts it behind
 * the line that is continued, if it reaches so far.  ERR_NOTFOUND.
 */
int verify_former_find(const struct verify_former_set *set,
    const struct terms_continues *c, struct verify_former_record *out)
    __attribute__((warn_unused_result));

/*
 * True if the lines of a record follow upon each other by their hashes, up to
 * the one that is continued: it is then what c names, whether it holds or not.
 */
bool verify_former_is(
    const struct verify_former_record *rec, const struct terms_continues *c);

/*
 * Makes a set of records that lie one after the other in a text, which is
 * borrowed.  ERR_TOOBIG: there are too many.
 */
int verify_former_split(const char *bytes, size_t len,
    struct verify_former_set *set) __attribute__((warn_unused_result));

/*
 * Verifies what a record goes back to.  *old, new, is the tournament that it
 * continues as the line that it names leaves it; NULL if its record is not in
 * the set, or cannot be judged here.  Of opt count games, kept, no_games,
 * is_parallel and trusts_old; rep is that of the tournament that is continued.
 * ERR_BAD: e says which line of which does not hold; ERR_NOMEM, and what
 * reading a game gave.
 */
int verify_former(const char *bytes, size_t len,
    const struct verify_former_set *set,
    const struct verify_tournament_options *opt, struct tournament **old,
    struct verify_tournament_report *rep, struct errinfo *e)
    __attribute__((warn_unused_result));

/* verify_tournament_bytes(), with what the record goes back to. */
int verify_former_bytes(const char *bytes, size_t len,
    const struct verify_former_set *set,
    const struct verify_tournament_options *opt,
    struct verify_tournament_report *rep, struct tournament **state,
    struct errinfo *e) __attribute__((warn_unused_result));

#endif
