/* SPDX-License-Identifier: ISC */
/* --svg of the subcommands that draw a combat. */
#ifndef UMPIRE_CLIENT_CMD_PICTURE_H
#define UMPIRE_CLIENT_CMD_PICTURE_H

#include <stdbool.h>

#include <jansson.h>

struct cmd_ctx;
struct rules_system;

/* The row of the table of options. */
#define PICTURE_OPTION                                                     \
	{                                                                  \
		"svg", 0, "FILE", false,                                   \
		    "also draw the combat as a picture (\"-\": only that)" \
	}

/*
 * Checks what --svg says, if it was given: 0, or an exit status after a
 * message.  A picture is not written to a terminal, nor beside JSON.
 */
int picture_check(struct cmd_ctx *cx);

/* True if --svg was given, and whether it wants all of standard output. */
bool picture_is_wanted(const struct cmd_ctx *cx);
bool picture_is_all(const struct cmd_ctx *cx);

/*
 * Draws the combat of these events (umpire-record.7) into what --svg names,
 * all at once or not at all.  Returns an exit status after a message; if
 * there is no combat among them, EX_DATAERR, and the caller says why.
 */
int picture_write(
    struct cmd_ctx *cx, const struct rules_system *sys, const json_t *events);

#endif
