/* SPDX-License-Identifier: ISC */
/*
 * An exported record, for those who have neither a profile nor a server: it
 * is verified, and what holds of it can be told.
 */
#ifndef UMPIRE_CLIENT_REPLICA_RECORDFILE_H
#define UMPIRE_CLIENT_REPLICA_RECORDFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "client/report/verdict.h"
#include "common/base/buf.h"
#include "common/base/err.h"
#include "common/game/verify.h"

struct battle;
struct recorded;

#define RECORDFILE_BAD VERDICT_BAD /* exit status: the record does not hold */

struct recordfile {
	/*
	 * Borrowed: the lines that hold, the game as they leave it and the
	 * texts beside them.  There is a game, and at least one line.
	 */
	const struct battle *b;
	struct recorded *recorded; /* owned: what holds it */
	struct buf bytes; /* owned: the file */
	struct verify_report report; /* of the whole file */
	bool is_bad; /* it does not hold, from report.file_line on */
	struct errinfo why; /* if is_bad: what does not hold */
	char *name; /* owned: how the file is called, for people */
};

/*
 * True if the word of a command line names a record and not a game: "-", a
 * word with a slash, or the name of a file that is there.
 */
bool recordfile_is_file(const char *word);

/* How a file is called for people: "standard input" for "-".  Borrowed. */
const char *recordfile_name(const char *word);

/* Reads a record's bytes; prints what fails.  0, or an exit status. */
int recordfile_read(const char *word, struct buf *bytes)
    __attribute__((warn_unused_result));

/*
 * Reads and verifies a record.  0 also for one that does not hold, or that
 * cannot be checked here, as long as anything of it can be told; look at
 * recordfile_status().  Else it prints why and returns an exit status.  *out is
 * new.
 */
int recordfile_open(const char *word, struct recordfile **out)
    __attribute__((warn_unused_result));

/* Frees it; NULL is allowed. */
void recordfile_close(struct recordfile *rf);

/* EX_OK: it holds; RECORDFILE_BAD; CMD_UNCHECKED: not all of it can be checked.
 */
int recordfile_status(const struct recordfile *rf);

/* Says on standard error what does not hold or was not checked, if so. */
void recordfile_warn(const struct recordfile *rf);

/*
 * What does not hold or was not checked, without the file's name: "bad at
 * line 12: ..."; NULL if all is well; free().
 */
char *recordfile_doubt(const struct recordfile *rf);

#endif
