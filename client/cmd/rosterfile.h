/* SPDX-License-Identifier: ISC */
/*
 * A file of rosters, with all that is wrong with it.  Nothing here needs a
 * profile or a server.
 */
#ifndef UMPIRE_CLIENT_CMD_ROSTERFILE_H
#define UMPIRE_CLIENT_CMD_ROSTERFILE_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "common/base/buf.h"
#include "common/base/err.h"
#include "common/json/js_place.h"

struct cmd_ctx;
struct rules_system;

#define ROSTERFILE_FAULTS_MAX 1000 /* that are kept; others are counted */

/* Something wrong. */
struct rosterfile_fault {
	struct errinfo e;
	struct js_place place;
};

struct rosterfile {
	char *path; /* owned: as given, or where the library has it */
	bool is_library; /* it was named by a name of the library */
	bool is_own; /* then: the player's own, no sample */
	const char *id; /* of the system it must be for; borrowed; NULL */
	struct buf text;
	json_t *blob; /* owned; NULL: the text is no JSON */
	bool is_table; /* it looks like a spreadsheet's instead */
	const struct rules_system *sys; /* NULL: none is named, or known */
	struct rosterfile_fault *faults; /* owned */
	size_t n; /* of faults that are kept */
	size_t all; /* of all faults */
};

/*
 * Reads what a word names (library_find(); "-": standard input) and checks it
 * for the system id (NULL: the one that it names).  Prints why it cannot be
 * read, or that there is no such system, and returns an exit status; else 0,
 * however wrong the file is.  rosterfile_clear() frees what *rf holds, after a
 * failure, too.
 */
int rosterfile_open(struct cmd_ctx *cx, const char *word, const char *id,
    struct rosterfile *rf);
void rosterfile_clear(struct rosterfile *rf);

/*
 * True for a file that is meant for something else than a roster: says so, and
 * what to do.
 */
bool rosterfile_is_other(const struct rosterfile *rf);

/*
 * Prints the first fault, if there is one, and how to see all of them:
 * EX_DATAERR, or 0.
 */
int rosterfile_refuse(const struct rosterfile *rf);

/* How a file is called: "standard input" for "-". */
const char *rosterfile_name(const char *path);

#endif
