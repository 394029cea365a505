/* SPDX-License-Identifier: ISC */
/*
 * What may follow `umpire tournament`, each at the end of the file of its name.
 */
#ifndef UMPIRE_CLIENT_TOURNAMENT_DESKS_H
#define UMPIRE_CLIENT_TOURNAMENT_DESKS_H

#include "client/ui/cmd.h"

extern const struct cmd desk_cmd_list;
extern const struct cmd desk_cmd_show;
extern const struct cmd desk_cmd_enter;

/* All of them in the order of the help text: table.c, made of help.txt. */
extern const struct cmd_entry desks_table[];

#endif
