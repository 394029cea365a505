/* SPDX-License-Identifier: ISC */
/* Luck as text for people. */
#ifndef UMPIRE_CLIENT_CMD_LUCK_TEXT_H
#define UMPIRE_CLIENT_CMD_LUCK_TEXT_H

#include "client/report/luck.h"

struct out;

/*
 * Prints tables and what they can tell; names are those of the sides, by
 * number (client/report/report.h).
 */
void luck_print(
    struct out *o, const struct luck *l, char *const names[LUCK_SIDES]);

/* A chance in plain words: "41 of 100"; free(). */
char *luck_words(double p);

#endif
