/* SPDX-License-Identifier: ISC */
/* What the two halves of the program hostile share. */
#ifndef UMPIRE_TESTS_TOOLS_HOSTILE_H
#define UMPIRE_TESTS_TOOLS_HOSTILE_H

#include <stdint.h>

/* What chance hangs on: UMPIRE_SEED, or random without it. */
uint64_t hostile_seed(void);

/* Reads a file's text; free(). */
char *hostile_file(const char *path);

/* The client that must not suffer; returns at the end of standard input. */
void hostile_good(const char *host, const char *port, const char *path);

#endif
