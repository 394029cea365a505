/* SPDX-License-Identifier: ISC */
/*
 * Games with a clock, a director or several seats, for tests: on top of
 * table.h.
 */
#ifndef UMPIRE_TESTS_LIB_CLAIM_H
#define UMPIRE_TESTS_LIB_CLAIM_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "common/base/buf.h"
#include "common/game/game_int.h"
#include "common/game/verify.h"

#include "tests/lib/table.h"

/*
 * A game with this roster and these members of create's args, which all have
 * joined.
 */
void claim_seated_by(struct table *t, const char *roster, const char *more);

/* The same with the roster that table.h has. */
void claim_seated(struct table *t, const char *more);

/* All are ready, the highest seat last. */
void claim_ready(struct table *t);

/* A game with these members of create's args that has begun. */
void claim_begun(struct table *t, const char *more);

/*
 * The whole record must be good to a verifier, who must end in the same
 * state, and nothing may be wrong with it without rules; the table is
 * cleared.
 */
void claim_is_good(struct table *t);

/* A claim at this time that comes to nothing. */
void claim_fails(struct table *t, int seat, int64_t at_ms);

/* How the game ended. */
void claim_result(const struct table *t, const char *how, int winner);

/* Accepts what a line offers. */
void claim_accept(struct table *t, int seat, int64_t to);

/* An accept that is refused. */
void claim_no_accept(
    struct table *t, int seat, int64_t to, int r, const char *why);

/* Declines or withdraws it. */
void claim_note(struct table *t, int seat, int64_t to, const char *say);

/* A note that is refused. */
void claim_no_note(struct table *t, int seat, int64_t to, const char *say,
    int r, const char *why);

/* Keeps the order in t->text; one at a time. */
void claim_keep(struct table *t);

/* Brings the order that is kept back into t->text. */
void claim_again(struct table *t, int seat);

/* Sets a member of the order in t->text to a string. */
void claim_add(struct table *t, int seat, const char *name, const char *value);

#endif
