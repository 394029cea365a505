/* SPDX-License-Identifier: ISC */
/*
 * A player's own copy of a game: its lines, every one verified (chain, mark,
 * signatures, proofs, dice, rules) before it is taken, and the side lines.  A
 * line that does not continue the copy is never taken, so a server that tells
 * another history is found out.  Files, under the profile's games/:
 *   <id>.jsonl    the lines
 *   <id>.side     side lines: texts and blobs, and which of them were erased
 *   <id>.times    when each line arrived: "NUMBER TIME", as far as known
 *   <id>.checkpoint  what need not be verified again (checkpoint.h)
 */
#ifndef UMPIRE_CLIENT_REPLICA_REPLICA_H
#define UMPIRE_CLIENT_REPLICA_REPLICA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "client/profile/profile.h"
#include "client/report/battle.h"
#include "common/base/buf.h"
#include "common/base/err.h"
#include "common/crypt/hash.h"

struct game;
struct people;
struct replica_export;
struct verify;
struct verify_report;

/* One line of a copy. */
struct replica_line {
	size_t off; /* in copy->lines */
	size_t len; /* without LF */
};

/* How a server's account is wrong: only the first two are proof. */
enum replica_what {
	REPLICA_TWO_LINES, /* it signed another line for a place that we hold */
	REPLICA_UNLAWFUL, /* it signed a next line that does not hold */
	REPLICA_BEHIND, /* it has fewer lines */
	REPLICA_GONE, /* it does not know the game */
	REPLICA_NONSENSE, /* its lines are not signed, or out of place */
};

/* Where the server's record does not continue the copy. */
struct replica_fork {
	enum replica_what what;
	int64_t seq; /* REPLICA_BEHIND: its last line */
	/*
	 * REPLICA_TWO_LINES: theirs is `restored`, which follows our line
	 * before it: the server says that ours was lost (record S4.3).
	 */
	bool is_restored;
	bool has_here;
	uint8_t here[HASH_LEN]; /* the line's hash in the copy */
	bool has_there;
	uint8_t there[HASH_LEN]; /* the same as the server tells it */
	char *line; /* owned: the line that is proof; NULL: there is none */
	size_t len;
	int64_t at_ms; /* when it arrived */
	struct errinfo why;
};

struct replica {
	const struct profile *p; /* borrowed; NULL for replica_of() */
	uint8_t id[HASH_LEN];
	bool is_kept; /* it has files; else only memory */
	struct verify *v; /* owned; as the lines leave it */
	struct buf lines; /* with LF */
	struct replica_line *index; /* owned */
	int64_t n;
	struct buf side; /* side lines with LF, each once */
	json_t
	    *side_at; /* owned: hash in hex -> as replica_note_side() has it */
	json_t *values; /* owned: hash in hex -> value, once it was asked for */
	struct buf times; /* what <id>.times would hold; while it is not kept */
	int64_t checked; /* lines that the checkpoint covers */
	int lock; /* file descriptor, -1: not locked */
	struct replica_fork fork; /* after ERR_FORK */
	bool is_shut; /* an unlawful line came: fork stays as it is */
	int64_t rewound; /* least line dropped since this was -1 */
	bool is_ahead; /* memory has what could not be written */
	/*
	 * Somebody else may open the same game: where the order that opens it
	 * is refused, send_deliver() prints nothing, but says so here.
	 */
	bool is_contested;
	bool was_late;
	struct errinfo why_late;
	struct battle battle; /* what reports read of it */
	struct people *people; /* owned: as the first people_n lines say */
	int64_t people_n; /* -1: all who ever join */
};

/*
 * Opens the copy of a game; without files it is empty and not kept.  The
 * server's key must be the profile's pin.  ERR_IO, ERR_BUSY, ERR_BAD if our
 * own file does not verify, ERR_SERVER if it is of another server.  *out is
 * new.
 */
int replica_open(const struct profile *p, const uint8_t id[HASH_LEN],
    struct replica **out, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Makes a copy in memory, without a profile or files, of an export: its first
 * n lines, which v has taken and found good, and those side lines of it that
 * hold and that the lines name.  v is stolen.  *out is new.
 */
int replica_of(const char *bytes, size_t len, int64_t n, struct verify *v,
    struct replica **out, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Frees it; NULL is allowed. */
void replica_close(struct replica *c);

/*
 * True if another game than id (NULL: any) has this nickname and needs it: one
 * that was called off before it began does not.
 */
bool replica_is_named(
    const struct profile *p, const char *nick, const uint8_t *id);

/*
 * As profile_set_nick(); a game that was called off gives the nickname up.
 */
int replica_set_name(const struct profile *p, const char *nick,
    const uint8_t id[HASH_LEN], struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Locks the copy against other processes and takes in what they have added;
 * replica_unlock() gives it up.  For a copy that is not kept both do nothing.
 * After a line that could not be written the next lock reads everything again,
 * and the game is another object; until then ERR_IO.
 */
int replica_lock(struct replica *c, struct errinfo *e)
    __attribute__((warn_unused_result));
void replica_unlock(struct replica *c);

/* Makes the files of a copy that was only in memory.  ERR_IO. */
int replica_keep(struct replica *c, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Takes a side line in (without LF); one that is held already is harmless.
 * ERR_FORK if it is not what its hash says; ERR_IO.
 */
int replica_add_side(struct replica *c, const char *line, size_t len,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Takes line number seq, as the server gave it (without LF): the next one is
 * verified and added; one that is held must be the same.  next is the line
 * after it, "" if there is none yet.  ERR_FORK: it does not continue the
 * copy (c->fork), whose lines are as before, but which takes no more after
 * REPLICA_UNLAWFUL; ERR_IO.
 */
int replica_add(struct replica *c, int64_t seq, const char *line, size_t len,
    const char *next, struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Drops the lines from number n on, which are kept elsewhere; the game is
 * another object then.  ERR_IO.
 */
int replica_rewind(struct replica *c, int64_t n, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Says that the server's head is this; ERR_FORK if it cannot be.  Nobody
 * signs that, so it is no proof: the lines are to be looked at first.
 */
int replica_check_head(struct replica *c, int64_t seq,
    const uint8_t head[HASH_LEN]) __attribute__((warn_unused_result));

/* Says that the server does not know the game: ERR_FORK, c->fork filled. */
int replica_lost(struct replica *c, struct errinfo *e)
    __attribute__((warn_unused_result));

/* True if what the server told is proof against it. */
bool replica_is_proof(const struct replica_fork *f);

/*
 * Reads what a line says of its place, whatever else is wrong with it.  False
 * if it does not say so much.
 */
bool replica_line_place(
    const char *line, size_t len, uint8_t game[HASH_LEN], int64_t *seq);

/* The game as the lines leave it, borrowed; NULL while there are none. */
const struct game *replica_game(const struct replica *c);

/* The verifier's report so far. */
const struct verify_report *replica_report(const struct replica *c);

/* Line number seq, borrowed, not terminated; seq < c->n. */
const char *replica_get(const struct replica *c, int64_t seq, size_t *len);

/* The hash of line seq, borrowed; seq < c->n. */
const uint8_t *replica_hash(const struct replica *c, int64_t seq);

/* When line seq arrived; 0 if that is not known. */
int64_t replica_arrived_ms(const struct replica *c, int64_t seq);

/* The args of the create order, new; NULL if they cannot be read. */
json_t *replica_create_args(const struct replica *c);

/* The copy as it is told; borrowed, and good for as long as the copy is. */
const struct battle *replica_battle(const struct replica *c);

/* The value of a side line, borrowed; NULL if it is not held. */
const char *replica_text(const struct replica *c, const char *hex);

/* The side line itself, borrowed, not terminated; NULL if it is not held. */
const char *replica_side(const struct replica *c, const char *hex, size_t *len);

/* Why a text is not held, as far as is known. */
enum battle_lack replica_lack(const struct replica *c, const char *hex);

/*
 * Takes a text out of the copy, and out of what was set aside of the game, for
 * good: it was erased.  *was_here: it was held.  ERR_IO.
 */
int replica_erase(struct replica *c, const char *hex, bool *was_here,
    struct errinfo *e) __attribute__((warn_unused_result));

/* Hashes of texts that the server has lost and that are not here; new. */
json_t *replica_lost_texts(const struct replica *c);

/* Notes that the server has lost a text that is not here either.  ERR_IO. */
int replica_lose(struct replica *c, const char *hex, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * The export bit by bit: c must stay as it is until it is freed.  Each step
 * appends about so many bytes; true when that was all.  New.
 */
struct replica_export *replica_export_new(const struct replica *c);
bool replica_export_step(
    struct replica_export *x, size_t bytes, struct buf *out);
void replica_export_free(struct replica_export *x);

/*
 * Appends the export: the lines, then the side lines that they name, texts
 * before blobs, each kind sorted by its hash.
 */
int replica_export(const struct replica *c, struct buf *out, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Appends the same from the files alone, without verifying anything, for
 * `umpire verify`.  ERR_NOTFOUND if there is no copy.
 */
int replica_read_raw(const struct profile *p, const uint8_t id[HASH_LEN],
    struct buf *out, struct errinfo *e) __attribute__((warn_unused_result));

#endif
