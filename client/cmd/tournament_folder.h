/* SPDX-License-Identifier: ISC */
/*
 * The folder of a tournament, for `umpire verify`: its record, and the games
 * that lie beside it.
 */
#ifndef UMPIRE_CLIENT_CMD_TOURNAMENT_FOLDER_H
#define UMPIRE_CLIENT_CMD_TOURNAMENT_FOLDER_H

#include <stdbool.h>

#include "common/tournament/verify_tournament.h"

struct buf;
struct out;

/* The name of a tournament's record in its folder. */
#define TOURNAMENT_FOLDER_FILE "tournament.jsonl"

/*
 * The path of a tournament's record, if the word of a command line names the
 * folder of one; NULL if it does not.  free().
 */
char *tournament_folder_path(const char *word);

/*
 * Verifies a tournament's record, whose file is at path, with the games that
 * lie in the same folder, each in a file GAME.jsonl, and says what came out.
 * opt->games is set here.  An exit status: 0 good, 1 bad, 2 not checkable here,
 * or why a file could not be read.
 */
int tournament_folder_verify(struct out *o, const char *path, struct buf *bytes,
    struct verify_tournament_options *opt);

#endif
