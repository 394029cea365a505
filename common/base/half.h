/* SPDX-License-Identifier: ISC */
/* Points of a tournament, which are counted in halves: "1", "0.5", "2.5". */
#ifndef UMPIRE_COMMON_BASE_HALF_H
#define UMPIRE_COMMON_BASE_HALF_H

#include <stdbool.h>
#include <stddef.h>

#define HALF_TEXT 16

/* So many halves as people read them; returns text. */
const char *half_text(char text[HALF_TEXT], int half);

/*
 * Reads the first len bytes of s as people write them, also "1/2" and "1.0":
 * at most `most` halves.  False for anything else.
 */
bool half_read(const char *s, size_t len, int most, int *half);

#endif
