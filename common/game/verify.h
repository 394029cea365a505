/* SPDX-License-Identifier: ISC */
/*
 * Verifying a record without a server (record S10): bytes, chain, marks,
 * signatures, proofs, dice, and every combat run again.
 */
#ifndef UMPIRE_COMMON_GAME_VERIFY_H
#define UMPIRE_COMMON_GAME_VERIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/crypt/hash.h"
#include "common/crypt/sign.h"
#include "common/crypt/vrf_memo.h"

struct buf;
struct checker;
struct game;
struct game_blobs;
struct game_history;
struct verify;

/* The text of a standing order that its owner holds (record S8.1). */
struct verify_opened {
	int64_t seq; /* its line; -1: whichever committed to it */
	uint8_t salt[HASH_LEN];
	const char *text; /* borrowed */
};

struct verify_options {
	bool no_rules;
	bool is_parallel; /* of a whole file: on all CPUs */
	const uint8_t *server; /* identity key that must have marked; NULL */
	int64_t head_seq; /* -1: no --head */
	const uint8_t *head; /* hash that line head_seq must have */
	const struct verify_opened *opened; /* borrowed, n_opened of them */
	size_t n_opened;
	const struct game_blobs *blobs; /* borrowed: those not added; NULL */
	/* Told of each line of a file that was gone through, from 1; NULL. */
	void (*progress)(void *arg, int64_t line);
	void *progress_arg;
};

/* What came out. */
struct verify_report {
	int64_t lines; /* record lines that are good */
	int64_t file_line; /* 1 .. where it went wrong; 0: nowhere */
	int64_t rolls; /* dice and chits drawn and checked */
	int64_t combats; /* declared, those that were taken back, too */
	/* Answers by seat 0 in a silent player's place (record S6.3). */
	int64_t director_answers;
	/*
	 * Of options.opened: 1 + the number of the first that no standing
	 * order of the record committed to, among those that could be judged;
	 * 0: none.
	 */
	size_t stray_opened;
	bool is_finished;
	int restored; /* lines of that kind (record S4.3) */
	int64_t restored_seq; /* the last of them, if there is one */
	bool is_restored_accepted; /* by all */
	bool is_unchecked; /* exit status 2, why in `unchecked` */
	struct errinfo unchecked; /* first reason */
	int64_t unchecked_line; /* file line of that reason, 0: none */
	uint8_t head[HASH_LEN];
};

/*
 * Verifies a whole file held in memory.  0: good (look at is_unchecked:
 * then it is "not checkable here"), ERR_BAD: bad, rep->file_line and e say
 * where and why; ERR_NOMEM.  *state, if not NULL, becomes the game as the
 * last line leaves it (new, NULL if there is none); after ERR_BAD it may be
 * in the middle of a line: only the plain questions of game.h may be asked.
 */
int verify_bytes(const char *bytes, size_t len,
    const struct verify_options *opt, struct verify_report *rep,
    struct game **state, struct errinfo *e) __attribute__((warn_unused_result));

/*
 * The same, and *held becomes the verifier as the last good line leaves it
 * (new; the first rep->lines lines of the file are in it).  After ERR_BAD it
 * is written, too, so that the lines that hold can be read.
 */
int verify_held(const char *bytes, size_t len, const struct verify_options *opt,
    struct verify_report *rep, struct verify **held, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * The same line by line.  Blobs must be given before the create line.  A
 * line that is refused before or at its mark leaves the verifier as it was,
 * so that another may be tried; after any later refusal the verifier refuses
 * every line.
 */
int verify_new(const struct verify_options *opt, struct verify **out)
    __attribute__((warn_unused_result));
void verify_free(struct verify *v);

/*
 * From now on signatures and proofs are checked by this (borrowed): what
 * verify_line() finds good is so only if checker_end() says it, too.  NULL, as
 * at first: at once.
 */
void verify_set_checker(struct verify *v, struct checker *c);

/*
 * An order that the caller has made, and knows to be signed and proved: whoever
 * holds the keys need not check that again.
 */
struct verify_own {
	uint8_t oid[HASH_LEN];
	uint8_t key[SIGN_KEY_LEN];
	uint8_t sig[SIGN_LEN];
	struct vrf_memo memo; /* what its proof gave; may be empty */
};

/*
 * From now on a line that holds this very order (borrowed), by this key and
 * with this signature, has it as the caller's own; all else of it is verified.
 * NULL, as at first: none.
 */
void verify_set_own(struct verify *v, const struct verify_own *own);

/* Adds a blob's bytes (copied).  ERR_NOMEM, ERR_TOOBIG. */
int verify_add_blob(struct verify *v, const char *bytes, size_t len)
    __attribute__((warn_unused_result));

/* Adds the blobs of a file's side lines, good ones only.  ERR_NOMEM. */
int verify_add_blobs(struct verify *v, const char *bytes, size_t len)
    __attribute__((warn_unused_result));

/*
 * Adds the text of a standing order that is not open yet (copied; one that is
 * there already is harmless): a line that passes it over is refused.
 * ERR_NOMEM.
 */
int verify_add_opened(struct verify *v, const struct verify_opened *o)
    __attribute__((warn_unused_result));

/*
 * True if the last line was refused because it passed over one of these
 * texts, which *o becomes (text borrowed, until the next is added).
 */
bool verify_passed(const struct verify *v, struct verify_opened *o);

/* One record line, without LF. */
int verify_line(struct verify *v, const char *bytes, size_t len,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Checks what follows the last line of an export, texts and blobs (S9), which
 * end the file.  *n counts those that are good.  ERR_BAD; ERR_NOMEM.
 */
int verify_sides(struct verify *v, const char *bytes, size_t len, int64_t *n,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Tells the verifier, before verify_line(), which line follows that one: an
 * order whose rules failed on the server is told by the `fault` line after
 * it.  Not needed for anything else.
 */
void verify_peek(struct verify *v, const char *next, size_t len);

/* True if the line says that the rules failed in the one before it. */
bool verify_is_fault(const char *line, size_t len);

/*
 * Checks what can only be checked at the end: that no fault line is missing
 * and that --head was reached.  ERR_BAD.
 */
int verify_end(struct verify *v, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Appends what it knows, so that another one can go on from there: only
 * programs built of the same sources read it again.  ERR_STALE if there are no
 * lines or not all could be checked; ERR_NOMEM.
 */
int verify_save(struct verify *v, struct buf *out)
    __attribute__((warn_unused_result));

/*
 * Takes that into a new verifier, to which blobs and texts of standing orders
 * were given, and which must be thrown away if it fails: ERR_BAD and others.
 * The bytes are believed.
 */
int verify_load(struct verify *v, const char *bytes, size_t len,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Makes a new verifier go on from a game that is believed: g (taken) as it is
 * behind the last of n lines, whose hashes (taken, from malloc()) are these.
 * What may be used once is then looked for in the lines that come alone, and
 * there is no history.
 */
void verify_resume(
    struct verify *v, struct game *g, uint8_t (*hashes)[HASH_LEN], size_t n);

/*
 * The place in which the last line drew dice or moved the pool, and the pool
 * before that, both borrowed until the next; false if it did neither.
 */
bool verify_place(
    const struct verify *v, const char **place, const uint8_t **pool);

/*
 * True if one of the lines so far names this text or blob, or if that
 * cannot be known because a newer umpire made some of them.
 */
bool verify_is_named(struct verify *v, const uint8_t hash[HASH_LEN]);

/* The hash of line seq, borrowed; one of those that were good. */
const uint8_t *verify_hash(const struct verify *v, int64_t seq);

/* The game so far, borrowed; NULL before the create line. */
const struct game *verify_game(const struct verify *v);

/* What the lines so far did, and what became of them; borrowed. */
const struct game_history *verify_history(const struct verify *v);

/*
 * Takes the game out of the verifier (the caller frees it); the blobs stay
 * behind, so that it has none at hand any longer.
 */
struct game *verify_take_game(struct verify *v);

/* The report so far. */
const struct verify_report *verify_report(struct verify *v);

#endif
