/* SPDX-License-Identifier: ISC */
/*
 * The subcommands, each at the end of the file of its name (the small orders:
 * of cmd_orders.c), and the command lines that run them.
 */
#ifndef UMPIRE_CLIENT_CMD_CMDS_H
#define UMPIRE_CLIENT_CMD_CMDS_H

#include "client/ui/cmd.h"

extern const struct cmd cmd_init;
extern const struct cmd cmd_register;
extern const struct cmd cmd_keys;
extern const struct cmd cmd_games;
extern const struct cmd cmd_todo;
extern const struct cmd cmd_new;
extern const struct cmd cmd_join;
extern const struct cmd cmd_ready;
extern const struct cmd cmd_invite;
extern const struct cmd cmd_refuse;
extern const struct cmd cmd_cancel;
extern const struct cmd cmd_block;
extern const struct cmd cmd_unblock;
extern const struct cmd cmd_send;
extern const struct cmd cmd_erase;
extern const struct cmd cmd_show;
extern const struct cmd cmd_play;
extern const struct cmd cmd_declare;
extern const struct cmd cmd_decide;
extern const struct cmd cmd_open;
extern const struct cmd cmd_upkeep;
extern const struct cmd cmd_end_turn;
extern const struct cmd cmd_roll;
extern const struct cmd cmd_cup;
extern const struct cmd cmd_adjust;
extern const struct cmd cmd_roster;
extern const struct cmd cmd_offer;
extern const struct cmd cmd_accept;
extern const struct cmd cmd_decline;
extern const struct cmd cmd_withdraw;
extern const struct cmd cmd_answer;
extern const struct cmd cmd_standing;
extern const struct cmd cmd_claim;
extern const struct cmd cmd_holiday;
extern const struct cmd cmd_resume;
extern const struct cmd cmd_ruling;
extern const struct cmd cmd_say;
extern const struct cmd cmd_resign;
extern const struct cmd cmd_close;
extern const struct cmd cmd_log;
extern const struct cmd cmd_luck;
extern const struct cmd cmd_watch;
extern const struct cmd cmd_witness;
extern const struct cmd cmd_notify;
extern const struct cmd cmd_export;
extern const struct cmd cmd_verify;
extern const struct cmd cmd_resolve;
extern const struct cmd cmd_odds;
extern const struct cmd cmd_rules;
extern const struct cmd cmd_pair;
extern const struct cmd cmd_standings;
extern const struct cmd cmd_tournament;
extern const struct cmd cmd_admin;
extern const struct cmd cmd_completion;

/* Options that every subcommand takes. */
extern const struct opt_def cmds_globals[];

/*
 * All subcommands in the order of the help text: table.c, which is made of
 * help.txt.  Only main() knows it; everybody else has it from their cmd_ctx.
 */
extern const struct cmd_entry cmds_table[];

/* Finds a subcommand; NULL if there is none. */
const struct cmd_entry *cmds_find(
    const struct cmd_entry *all, const char *name);

/* The subcommand that may be meant by a misspelt name; NULL if none. */
const struct cmd_entry *cmds_suggest(
    const struct cmd_entry *all, const char *name);

/* Says how a player may come by a game, with an army or without. */
void cmd_register_next(struct cmd_ctx *cx);

/* Runs the program's command line and returns its exit status. */
int cmds_main(const struct cmd_entry *all, int argc, char **argv);

/*
 * Inside of `umpire play`: cx, zero but for io, table, may and its arg, is
 * that of a subcommand which runs as the profile that has the game open, on
 * its copy and its connection.  The first runs a command line, whose first
 * word is the subcommand's name; the second does an action in that game.
 * Each returns an exit status.
 */
int cmds_inside(struct cmd_ctx *cx, int argc, char **argv);
int cmds_act(struct cmd_ctx *cx, const struct cmd *cmd, struct action *a);

#endif
