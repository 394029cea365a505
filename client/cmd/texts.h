/* SPDX-License-Identifier: ISC */
/* Long texts, which stand as they are in files of their own. */
#ifndef UMPIRE_CLIENT_CMD_TEXTS_H
#define UMPIRE_CLIENT_CMD_TEXTS_H

/*
 * completion.bash: the completion script.  "%globals%" in it stands for the
 * options of every subcommand, "%files%" for the options that take a file,
 * "%cases%" for a case of each subcommand's options, "%names%" for all
 * subcommands, "%GAME%" and "%FILE%" for those with such an operand.
 */
extern const char texts_completion[];

extern const char texts_play[]; /* play.txt: what may be typed there */

#endif
