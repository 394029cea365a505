/* SPDX-License-Identifier: ISC */
/* Lists of tournaments as the server gives them. */
#ifndef UMPIRE_CLIENT_TOURNAMENT_DESK_LIST_H
#define UMPIRE_CLIENT_TOURNAMENT_DESK_LIST_H

#include <jansson.h>

struct link;

/*
 * Fetches all pages of the server's list: of an account, in a phase (NULL:
 * any).  *rows is new.  Prints what fails; 0, or an exit status.
 */
int desk_list_fetch(struct link *l, const char *account, const char *phase,
    json_t **rows) __attribute__((warn_unused_result));

#endif
