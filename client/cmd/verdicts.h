/* SPDX-License-Identifier: ISC */
/* Several records judged one after the other: a row each. */
#ifndef UMPIRE_CLIENT_CMD_VERDICTS_H
#define UMPIRE_CLIENT_CMD_VERDICTS_H

#include <stdbool.h>

#include <jansson.h>

struct out;
struct tournament_verdict;
struct verdict;
struct verdicts;

/* Makes an empty table. */
struct verdicts *verdicts_new(void);

/* Frees it; NULL is allowed. */
void verdicts_free(struct verdicts *t);

/* Adds a record that was judged; nothing of it is kept but what is told. */
void verdicts_add(struct verdicts *t, const struct verdict *vd);

/* Adds a tournament likewise; name is its file, for people. */
void verdicts_add_tournament(
    struct verdicts *t, const char *name, const struct tournament_verdict *tv);

/* Adds a file that is none, with its exit status; v, for programs, is stolen.
 */
void verdicts_add_other(struct verdicts *t, const char *name, int status,
    const char *what, json_t *v);

/*
 * Checks that the records belong together: one event, one server, no game
 * twice.  Says which do not.  RECORDFILE_BAD if one does not, or 0.
 */
int verdicts_event(struct verdicts *t);

/* Prints the table, for programs {"records":[...],"together"?}. */
void verdicts_print(struct out *o, struct verdicts *t);

/*
 * The worst exit status: one is bad; a file was none; one cannot be checked
 * here; all are good.
 */
int verdicts_status(const struct verdicts *t);

#endif
