/* SPDX-License-Identifier: ISC */
/*
 * What tests of offers, adjustments and takebacks share: a game with other
 * settings, orders whose game is saved and read back after each, the roster
 * as a text, and a check of the whole record.
 */
#ifndef UMPIRE_TESTS_LIB_AGREE_H
#define UMPIRE_TESTS_LIB_AGREE_H

#include <stdarg.h>

#include "common/game/game_int.h"
#include "common/rules/roster.h"

#include "tests/lib/table.h"

#define AGREE_ARGS_MAX 2048

/* A game that has begun, with these members (a text) in its create order. */
void agree_seated(struct table *t, const char *roster, const char *more);

/* Every seat is ready. */
void agree_start(struct table *t);

/* As agree_seated(), and begun. */
void agree_begun(struct table *t, const char *roster, const char *more);

/* An order that must be taken, with a reload behind it; gives its line. */
int64_t agree_play(struct table *t, int seat, enum order_kind kind,
    const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* An order that must be refused, args formatted. */
void agree_no(struct table *t, int seat, enum order_kind kind, int r,
    const char *why, const char *fmt, ...)
    __attribute__((format(printf, 6, 7)));

/* The accept of a line, taken. */
int64_t agree_accept(struct table *t, int seat, int64_t to);

/* The accept of a line, refused. */
void agree_accept_no(
    struct table *t, int seat, int64_t to, int r, const char *why);

/* True while a line is an open offer. */
bool agree_is_offered(const struct table *t, int64_t seq);

/* The rosters as they are, as a text in b, which is emptied first. */
const char *agree_roster(const struct table *t, struct buf *b);

/* A member of a unit as it now is; borrowed. */
const json_t *agree_unit(
    const struct table *t, const char *id, const char *name);

/*
 * The record must verify, with the rules, which leave the same state, and
 * without.
 */
void agree_verify(const struct table *t);

/* The end of a test: the record is checked, the table cleared. */
void agree_done(struct table *t);

#endif
