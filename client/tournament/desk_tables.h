/* SPDX-License-Identifier: ISC */
/* Who plays whom in a round, and how it stands there. */
#ifndef UMPIRE_CLIENT_TOURNAMENT_DESK_TABLES_H
#define UMPIRE_CLIENT_TOURNAMENT_DESK_TABLES_H

struct desk;

/* Prints a round that was paired, as the options say. */
void desk_tables_print(const struct desk *d, int round);

#endif
