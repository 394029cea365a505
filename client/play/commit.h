/* SPDX-License-Identifier: ISC */
/*
 * Secret choices of our seat: committing to one, and opening it once both
 * sides have committed (record S8).
 */
#ifndef UMPIRE_CLIENT_PLAY_COMMIT_H
#define UMPIRE_CLIENT_PLAY_COMMIT_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

struct play;

/* Says what a commit means, and gives the question before it; free(). */
char *commit_question(const struct play *pl, const json_t *decision);

/*
 * Commits to a decision that was found lawful on the question of line `ask`,
 * after commit_question(): stores the choice and sends the commit.  Prints what
 * fails.  0 with the number of its line, or an exit status.
 */
int commit_send(struct play *pl, int64_t ask, const json_t *decision,
    int64_t *seq) __attribute__((warn_unused_result));

/* True if a choice of our seat waits to be opened. */
bool commit_is_due(const struct play *pl);

/*
 * Opens our choice if it waits for that, and says so.  Prints what fails.  0
 * with the number of its line, -1 if nothing was due; or an exit status.
 */
int commit_open(struct play *pl, int64_t *seq)
    __attribute__((warn_unused_result));

/*
 * Notes it if our choice is sealed, not open, and not on this machine: it can
 * only be opened elsewhere.
 */
void commit_note_missing(const struct play *pl);

#endif
