/* SPDX-License-Identifier: ISC */
/* What is done with the library of rosters (library.h). */
#ifndef UMPIRE_CLIENT_CMD_ROSTER_LIBRARY_H
#define UMPIRE_CLIENT_CMD_ROSTER_LIBRARY_H

struct cmd_ctx;

/*
 * `umpire roster list`, `save FILE [NAME]` and `load NAME [OUT]`; an exit
 * status.
 */
int roster_library_list(struct cmd_ctx *cx);
int roster_library_save(struct cmd_ctx *cx);
int roster_library_load(struct cmd_ctx *cx);

#endif
