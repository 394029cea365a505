/* SPDX-License-Identifier: ISC */
/*
 * Verifying the record of a tournament without a server (record S21.1): bytes,
 * chain, marks, signatures, lots, each pairing computed again, each result held
 * against its game, whose record is verified whole.
 */
#ifndef UMPIRE_COMMON_TOURNAMENT_VERIFY_TOURNAMENT_H
#define UMPIRE_COMMON_TOURNAMENT_VERIFY_TOURNAMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/crypt/hash.h"
#include "common/crypt/sign.h"

struct tournament;
struct verify_kept;
struct verify_tournament;

/* Where the records of the games are. */
struct verify_tournament_games {
	/*
	 * Gives the file of a game's record, new, for free().  ERR_NOTFOUND:
	 * it is not at hand.  Others end the verifying.  With is_parallel it is
	 * called by several threads at once.
	 */
	int (*read)(
	    void *arg, const uint8_t game[HASH_LEN], char **bytes, size_t *len);
	void *arg;
};

/* What is told of a game that a line `game` names. */
struct verify_tournament_seen {
	const uint8_t *game; /* its id, borrowed */
	int64_t seq; /* that line */
	int r; /* 0; ERR_MISSING: not at hand; ERR_NEWER: not checkable */
	const struct errinfo *why; /* of ERR_NEWER; borrowed */
	bool is_restored, is_faulty, is_closed; /* it has such a line */
	int changes; /* of units, agreed to and in force */
	int64_t texts_missing; /* that its lines name */
};

struct verify_tournament_options {
	bool no_games; /* results are taken as they stand */
	/*
	 * The tournament that it continues (S21.4), as the line that it names
	 * left it, which is taken over whatever comes out; NULL: it is not at
	 * hand.
	 */
	struct tournament *old;
	bool is_cut; /* it went on: how its games ended is not asked */
	/*
	 * Nobody knows whether it did: games that ended otherwise than its
	 * lines say make it not checkable, not bad.
	 */
	bool may_be_cut;
	/*
	 * Pairings of the Dutch system are taken as the lines have them: so
	 * many of the first lines; and in the tournaments that are gone back
	 * to (verify_former.h).
	 */
	int64_t trusts;
	bool trusts_old;
	bool is_parallel; /* games on all CPUs */
	/*
	 * What lies behind the lines of games must be right, too (S9), and not
	 * only what of it they need.
	 */
	bool is_whole;
	const uint8_t *server; /* identity key that must have marked; NULL */
	int64_t head_seq; /* -1: no --head */
	const uint8_t *head;
	struct verify_tournament_games games;
	/*
	 * Told of each game, by the order of their lines, once the whole file
	 * is found to hold; NULL: nobody wants to know.
	 */
	void (*seen)(void *arg, const struct verify_tournament_seen *seen);
	void *seen_arg;
	/*
	 * Games that were verified before, of which those that are the same are
	 * not verified again; borrowed, not with is_parallel; NULL: none.
	 */
	struct verify_kept *kept;
	/*
	 * Told after each line how far it is: lines judged, games read and how
	 * many there are; NULL: nobody wants to know.
	 */
	void (*progress)(void *arg, int64_t lines, size_t read, size_t games);
	void *progress_arg;
};

/* What came out. */
struct verify_tournament_report {
	int64_t lines; /* record lines that are good */
	int64_t file_line; /* 1 .. where it went wrong; 0: nowhere */
	int games; /* whose records were verified */
	int64_t rolls; /* dice and chits of the lots and of these games */
	bool is_over;
	bool is_unchecked; /* exit status 2, why in `unchecked` */
	struct errinfo unchecked; /* first reason */
	int64_t unchecked_line; /* file line of that reason */
	uint8_t head[HASH_LEN];
};

/*
 * Verifies a whole file held in memory.  0: good (look at is_unchecked),
 * ERR_BAD: rep->file_line and e say where and why; ERR_NOMEM, and what reading
 * a game gave.  *state, if not NULL, becomes the tournament as the last line
 * leaves it (new; NULL if there is none).
 */
int verify_tournament_bytes(const char *bytes, size_t len,
    const struct verify_tournament_options *opt,
    struct verify_tournament_report *rep, struct tournament **state,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * The same line by line, for a copy that grows; the games are left out.
 * server, if not NULL, is the identity key that must have marked.  *out is
 * new.  ERR_NOMEM.
 */
int verify_tournament_new(const uint8_t server[SIGN_KEY_LEN],
    struct verify_tournament **out) __attribute__((warn_unused_result));

/* Frees it; NULL is allowed. */
void verify_tournament_free(struct verify_tournament *v);

/*
 * Takes the next line, without LF.  ERR_BAD: it does not hold, e says why, and
 * no more may be taken; ERR_NOMEM.
 */
int verify_tournament_add(struct verify_tournament *v, const char *bytes,
    size_t len, struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Gives, before line 0 is taken, the tournament that it continues, which is
 * taken over.
 */
void verify_tournament_continue(
    struct verify_tournament *v, struct tournament *old);

/*
 * Goes on, before the first line is taken, from a state whose n lines (1 at
 * least) are good and have these hashes; t and hashes, from malloc(), are taken
 * over.  That an order stands there twice is not seen then.
 */
void verify_tournament_resume(struct verify_tournament *v, struct tournament *t,
    uint8_t (*hashes)[HASH_LEN], size_t n);

/*
 * Whether from now on pairings of the Dutch system are taken as the lines have
 * them: to work one out may take half a minute.  At first they are not.
 */
void verify_tournament_trust(struct verify_tournament *v, bool trusts);

/*
 * The hash, in hex, of the sources of all that a tournament is made of
 * (common/tournament/Makefile.inc), 2 * HASH_LEN long.
 */
extern const char verify_tournament_sources[];

/* Gives the tournament away, after the last line. */
struct tournament *verify_tournament_take_state(struct verify_tournament *v);

/*
 * The tournament as the lines leave it, borrowed; NULL before the first, and
 * where a newer umpire is needed to judge them.
 */
struct tournament *verify_tournament_state(const struct verify_tournament *v);

/* The hash of line seq, which was taken; borrowed. */
const uint8_t *verify_tournament_hash(
    const struct verify_tournament *v, int64_t seq);

/* True if a line names the text or blob of this hash in hex. */
bool verify_tournament_names(
    const struct verify_tournament *v, const char *hex);

#endif
