/* SPDX-License-Identifier: ISC */
/*
 * The folder of a tournament, for `umpire verify`: its record, and the games
 * that lie beside it.
 */
#ifndef UMPIRE_CLIENT_CMD_TOURNAMENT_FOLDER_H
#define UMPIRE_CLIENT_CMD_TOURNAMENT_FOLDER_H

#include <stdbool.h>

#include "common/base/buf.h"
#include "common/tournament/verify_former.h"

struct out;
struct tournament_verdict;

/* The name of a tournament's record in its folder. */
#define TOURNAMENT_FOLDER_FILE "tournament.jsonl"

/*
 * The path of a tournament's record, if the word of a command line names the
 * folder of one; NULL if it does not.  free().
 */
char *tournament_folder_path(const char *word);

/* Tournaments that another goes back to: their files, and where they lie. */
struct tournament_before {
	struct {
		char *name; /* owned: what was typed; NULL: found by itself */
		char *folder; /* owned */
		struct buf bytes;
	} all[VERIFY_FORMER_MAX];
	size_t n;
};

void tournament_folder_before_init(struct tournament_before *b);
void tournament_folder_before_clear(struct tournament_before *b);

/* Reads one, a file or its folder.  Prints what fails; 0, or an exit status. */
int tournament_folder_before_add(struct tournament_before *b, const char *word)
    __attribute__((warn_unused_result));

/*
 * True if the tournament of the folder in which a record lies says that it goes
 * back to that record; whether it is good is not asked.
 */
bool tournament_folder_may_go_on(const char *path, struct buf *bytes);

/*
 * Judges a tournament's record, whose file is at path, with the games that
 * lie in the same folder, each in a file GAME.jsonl; says what is wrong with
 * one that is bad.  What it goes back to is among `before`, or lies there, too,
 * in a file TOURNAMENT.jsonl.  opt->games is set here.  0, or an exit status: a
 * file could not be read, or is not what it goes back to.  *tv is to be cleared
 * after it, whatever it returns.
 */
int tournament_folder_judge(const char *path, struct buf *bytes,
    struct tournament_before *before, struct verify_tournament_options *opt,
    struct tournament_verdict *tv) __attribute__((warn_unused_result));

/*
 * The same, and tells what came out.  An exit status: 0 good, 1 bad, 2 not
 * checkable here, or that of tournament_folder_judge().
 */
int tournament_folder_verify(struct out *o, const char *path, struct buf *bytes,
    struct tournament_before *before, struct verify_tournament_options *opt);

#endif
