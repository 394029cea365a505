/* SPDX-License-Identifier: ISC */
/* Tournaments in the store, for tests of it. */
#ifndef UMPIRE_TESTS_LIB_DB_TOURNAMENT_H
#define UMPIRE_TESTS_LIB_DB_TOURNAMENT_H

#include <stdint.h>

#include "tests/lib/db.h"

/*
 * Runs every statement about tournaments, of one with a line, in which the
 * account `name` is, and to which the game gid belongs; number 300 has put the
 * blob that it names.
 */
void db_tournament_use(struct store *st, int64_t gid, const char *name);

#endif
