/* SPDX-License-Identifier: ISC */
/* Who plays whom in a round, and how it stands there. */
#ifndef UMPIRE_CLIENT_TOURNAMENT_DESK_TABLES_H
#define UMPIRE_CLIENT_TOURNAMENT_DESK_TABLES_H

#include <jansson.h>

struct desk;

/* How a leg stands, as a view has it, in words; free(). */
char *desk_tables_state(const json_t *leg);

/* Prints a round that was paired, as the options say. */
void desk_tables_print(const struct desk *d, int round);

#endif
