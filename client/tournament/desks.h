/* SPDX-License-Identifier: ISC */
/*
 * What may follow `umpire tournament`, each at the end of the file of its name:
 * here, or, where more than a tournament is needed, in client/cmd/.
 */
#ifndef UMPIRE_CLIENT_TOURNAMENT_DESKS_H
#define UMPIRE_CLIENT_TOURNAMENT_DESKS_H

#include "client/ui/cmd.h"

extern const struct cmd desk_cmd_new;
extern const struct cmd desk_cmd_list;
extern const struct cmd desk_cmd_show;
extern const struct cmd desk_cmd_enter;
extern const struct cmd desk_cmd_admit;
extern const struct cmd desk_cmd_shut;
extern const struct cmd desk_cmd_start;
extern const struct cmd desk_cmd_pair;
extern const struct cmd desk_cmd_tables;
extern const struct cmd desk_cmd_standings;
extern const struct cmd desk_cmd_crosstable;
extern const struct cmd desk_cmd_trf;
extern const struct cmd desk_cmd_rule;
extern const struct cmd desk_cmd_remind;
extern const struct cmd desk_cmd_export;
extern const struct cmd desk_cmd_stop;
extern const struct cmd desk_cmd_finish;
extern const struct cmd desk_cmd_deputy;
extern const struct cmd desk_cmd_send;
extern const struct cmd desk_cmd_checkin;
extern const struct cmd desk_cmd_play;
extern const struct cmd desk_cmd_byes;
extern const struct cmd desk_cmd_withdraw;
extern const struct cmd desk_cmd_claim;
extern const struct cmd desk_cmd_protest;
extern const struct cmd desk_cmd_say;

/* All of them in the order of the help text: desks.c of client/cmd/,
 * made of help.txt. */
extern const struct cmd_entry desks_table[];

#endif
