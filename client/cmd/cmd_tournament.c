/* SPDX-License-Identifier: ISC */
/* umpire tournament: what may follow it is in client/tournament/. */
#include "client/cmd/cmds.h"
#include "client/tournament/desks.h"

const struct cmd cmd_tournament = {
    .subs = desks_table,
};
