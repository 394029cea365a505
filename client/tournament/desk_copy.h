/* SPDX-License-Identifier: ISC */
/*
 * An own copy of a tournament's record: its lines, every one verified before
 * it is taken (verify_tournament.h, the games left out), and the side lines.
 * A line that does not continue the copy is never taken.  Files, under the
 * profile's games/:
 *   <id>.tournament        the lines
 *   <id>.tournament-side   side lines: texts and blobs
 *   <id>.tournament-before lines of those that it goes back to, the one that it
 *                          continues first
 *   <id>.tournament-checkpoint  whose pairings need not be worked out again
 *                          (desk_checkpoint.h)
 */
#ifndef UMPIRE_CLIENT_TOURNAMENT_DESK_COPY_H
#define UMPIRE_CLIENT_TOURNAMENT_DESK_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "client/net/conn.h"
#include "client/tournament/desk_prove.h"
#include "common/base/buf.h"
#include "common/base/err.h"
#include "common/crypt/hash.h"

struct evidence;
struct link;
struct profile;
struct tournament;
struct verify_tournament;

struct desk_line {
	size_t off; /* in copy->lines */
	size_t len; /* without LF */
};

struct desk_copy {
	const struct profile *p; /* borrowed */
	uint8_t id[HASH_LEN];
	bool is_kept; /* it has files; else only memory */
	struct verify_tournament *v; /* owned; as the lines leave it */
	struct buf lines; /* with LF */
	struct desk_line *index; /* owned */
	int64_t n;
	size_t checked; /* bytes of lines that the checkpoint covers */
	struct buf before; /* lines of those that it goes back to, with LF */
	struct buf side; /* side lines with LF, each once */
	json_t *sides; /* owned: hash in hex -> side line */
	int lock; /* file descriptor, -1: not locked */
	bool is_shut; /* an unlawful line came: it takes no more */
	struct desk_fork fork; /* after ERR_FORK */
};

/*
 * Opens the copy; without files it is empty and not kept.  ERR_IO, ERR_BUSY,
 * ERR_BAD if our own file does not verify.  *out is new.
 */
int desk_copy_open(const struct profile *p, const uint8_t id[HASH_LEN],
    struct desk_copy **out, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Makes one of an export, in memory alone, whatever files there are: how rounds
 * are paired is taken as it stands.  ERR_BAD if it does not hold.  *out is new.
 */
int desk_copy_of(const struct profile *p, const uint8_t id[HASH_LEN],
    const struct buf *held, struct desk_copy **out, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Frees it; NULL is allowed. */
void desk_copy_close(struct desk_copy *c);

/*
 * Locks the copy against other processes and takes in what they have added;
 * desk_copy_unlock() gives it up.  For one that is not kept both do nothing.
 */
int desk_copy_lock(struct desk_copy *c, struct errinfo *e)
    __attribute__((warn_unused_result));
void desk_copy_unlock(struct desk_copy *c);

/* Makes the files of a copy that was only in memory.  ERR_IO. */
int desk_copy_keep(struct desk_copy *c, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Takes line number seq, as the server gave it (without LF): the next one is
 * verified and added; one that is held must be the same.  ERR_FORK: c->fork
 * says why, and the lines are as before; ERR_IO.
 */
int desk_copy_add(struct desk_copy *c, int64_t seq, const char *line,
    size_t len, struct errinfo *e) __attribute__((warn_unused_result));

/* Brings the copy up to date (tournament.record).  ERR_FORK, or *ce says. */
int desk_copy_sync(struct link *l, struct desk_copy *c, struct conn_error *ce)
    __attribute__((warn_unused_result));

/*
 * Finds the first line that differs where one does (c->fork is of two lines):
 * c->fork is then of that one.
 */
void desk_copy_first(struct link *l, struct desk_copy *c);

/*
 * Takes the copy back to its first n lines, one at least, which hold; it is
 * kept and locked.  ERR_IO.
 */
int desk_copy_rewind(struct desk_copy *c, int64_t n, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Verifies the first n lines, which the copy holds, a second time, but for who
 * is paired with whom: *v is new if that succeeds.
 */
int desk_copy_again(const struct desk_copy *c, int64_t n,
    struct verify_tournament **v, struct errinfo *e)
    __attribute__((warn_unused_result));

/* The tournament, borrowed; NULL while there are no lines. */
struct tournament *desk_copy_state(const struct desk_copy *c);

/* Line number seq, borrowed, not terminated; seq < c->n.  And its hash. */
const char *desk_copy_get(const struct desk_copy *c, int64_t seq, size_t *len);
const uint8_t *desk_copy_hash(const struct desk_copy *c, int64_t seq);

/* The value of a text or blob by its hash, new; NULL if it is not held. */
char *desk_copy_text(const struct desk_copy *c, const uint8_t hash[HASH_LEN]);

/*
 * Appends the export: the lines, then the side lines that they name, texts
 * before blobs, each kind sorted by its hash.
 */
void desk_copy_export(const struct desk_copy *c, struct buf *out);

/*
 * Appends what a profile has in files of a copy, unread: lines, those that it
 * goes back to, side lines.  ERR_NOTFOUND, ERR_IO.
 */
int desk_copy_raw(const struct profile *p, const uint8_t id[HASH_LEN],
    struct buf *out, struct errinfo *e) __attribute__((warn_unused_result));

/*
 * The ids of tournaments of which there is a copy: *ids is a new array of *n.
 * ERR_IO.
 */
int desk_copy_list(const struct profile *p, uint8_t (**ids)[HASH_LEN],
    size_t *n, struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Writes the proof that c->fork is, unless it is there; *path is new, and set
 * even if that fails.  ERR_IO.
 */
int desk_copy_prove(const struct desk_copy *c, char **path, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Says where the server's record does not continue the copy (c->fork), and
 * returns the exit status.  Proof is on the disk before: EX_PROTOCOL, or
 * EX_IOERR if it cannot be written.  Anything else is no proof:
 * EX_UNAVAILABLE.
 */
int desk_copy_accuse(const struct desk_copy *c);

/*
 * Judges such a file (evidence_judge()), which says by itself that it is of a
 * tournament: `game` of *ev is its id.  ERR_NOTFOUND: it is not of one.
 */
int desk_accuse_judge(const char *bytes, size_t len, struct evidence *ev,
    struct errinfo *e) __attribute__((warn_unused_result));

#endif
