/* SPDX-License-Identifier: ISC */
/* A store in a folder of its own for each test, and rows to put into it. */
#ifndef UMPIRE_TESTS_LIB_DB_H
#define UMPIRE_TESTS_LIB_DB_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "server/store/store_int.h"
#include "tests/lib/faulty.h"

/* A folder of its own for each test, and a store in it. */
struct db {
	char dir[64];
	char path[128];
	struct store *st;
};

/* Fills 32 bytes that are told apart by n. */
const uint8_t *db_hash_of(uint8_t out[HASH_LEN], int n);

/* A fixture of cmocka: a store that is empty. */
int db_setup(void **state);

/* Its end: nothing but the database may be left. */
int db_teardown(void **state);

/* One number that SQL gives. */
int64_t db_ask(struct store *st, const char *sql);

/* Makes an account whose key is told apart by n. */
int db_add_account(struct store *st, const char *name, int n);

/* Makes a game and gives its number. */
int64_t db_add_game(struct store *st, int n, const char *phase, int64_t at_ms);

/* A line with all that an order has, told apart by n. */
int db_add_line(
    struct store *st, int64_t gid, int64_t seq, int n, const char *place);

/* Asks for all that is kept of texts that are not there; 0, or what failed. */
int db_use_gone(struct store *st, int64_t gid, int64_t seq,
    const uint8_t ref[HASH_LEN]) __attribute__((warn_unused_result));

#endif
