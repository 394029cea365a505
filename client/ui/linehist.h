/* SPDX-License-Identifier: ISC */
/*
 * The lines that were typed at a terminal, for the arrow keys, and the file
 * that keeps them.
 */
#ifndef UMPIRE_CLIENT_UI_LINEHIST_H
#define UMPIRE_CLIENT_UI_LINEHIST_H

#include "common/base/err.h"

#define LINEHIST_FILE "history" /* in a profile's data */

struct history; /* libedit's */
struct recall;

/* None so far, and no file.  linehist_free() frees it. */
struct recall *linehist_new(void);

/* Frees it; NULL is allowed.  The file stays. */
void linehist_free(struct recall *rc);

/* For libedit's EL_HIST; borrowed. */
struct history *linehist_history(const struct recall *rc);

/*
 * Keeps them in this file (mode 0600), whose lines are read now; the last 1000
 * stay.  One of more than 4 MiB is begun again.
 */
void linehist_open(struct recall *rc, const char *path);

/*
 * Adds a line, also to the file; what does not show, or is very long, is left
 * out.  A file that cannot be written is told of once and done without.
 */
void linehist_add(struct recall *rc, const char *line);

/*
 * Takes the lines out of such a file by which these words were typed, whatever
 * quotes and blanks were typed with them.  ERR_IO.
 */
int linehist_forget(const char *path, const char *words, struct errinfo *e)
    __attribute__((warn_unused_result));

#endif
