/* SPDX-License-Identifier: ISC */
/* What the files of rosters share. */
#ifndef UMPIRE_CLIENT_REPORT_ROSTERS_INT_H
#define UMPIRE_CLIENT_REPORT_ROSTERS_INT_H

#include <stdbool.h>

#include <jansson.h>

#include "client/report/rosters.h"

/*
 * The part of a unit that a member names, such as its lead; borrowed, NULL if
 * none.
 */
const json_t *rosters_named(
    const struct rosters *rs, const json_t *unit, const char *name);

/* True for a list of objects, which no cell of a table can hold. */
bool rosters_is_parts(const json_t *v);

/* True for a member that what is counted says already, or the name. */
bool rosters_is_counted(const struct rosters *rs, const char *name);

/*
 * The words of a unit that stand behind its columns: why it is out of play,
 * and what is true of it; free().
 */
char *rosters_flags(const struct rosters *rs, const struct rosters_unit *u);

#endif
