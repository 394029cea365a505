/* SPDX-License-Identifier: ISC */
/* What verify.c and verify_save.c share: what a verifier knows. */
#ifndef UMPIRE_COMMON_GAME_VERIFY_INT_H
#define UMPIRE_COMMON_GAME_VERIFY_INT_H

#include <jansson.h>

#include "common/game/game_entry.h"
#include "common/game/verify.h"

/* A text of verify_add_opened(). */
struct verify_text {
	int64_t seq; /* -1: its line has not been met */
	bool is_known; /* that line committed to it */
	uint8_t salt[HASH_LEN];
	char *text; /* owned */
};

struct verify {
	struct verify_options opt;
	struct checker *checker; /* borrowed; NULL */
	const struct verify_own *own; /* borrowed; NULL */
	struct verify_report rep;
	struct game *game; /* owned; NULL before the create line */
	json_t *blobs; /* owned: hash in hex -> bytes */
	json_t *used; /* owned set: oids, nonces, places */
	json_t *named; /* owned set: hashes that lines name, in hex */
	char *unread; /* owned: what verify_recall() adds to those; NULL */
	size_t unread_used; /* bytes of it that are used ones, each with LF */
	size_t unread_named; /* bytes of named ones after those */
	struct verify_text *texts; /* owned; of standing orders */
	size_t n_texts;
	size_t passed; /* 1 + which of texts was passed over; 0: none */
	uint8_t (*hashes)[HASH_LEN]; /* owned: of lines 0 .. rep.lines - 1 */
	size_t hash_room;
	struct game_history history;
	struct game_entry entry; /* of the line that is being read */
	int64_t at_ms;
	uint8_t server[SIGN_KEY_LEN];
	uint8_t id[HASH_LEN]; /* game id, if has_id */
	bool has_id;
	bool is_resumed; /* verify_resume(): there is no history */
	/* Where the last line drew, "" if it did not, and under which pool. */
	char place[ORDER_PLACE_MAX + 1];
	uint8_t place_pool[HASH_LEN];
	bool is_blind; /* met what a newer umpire made: chain only */
	bool is_dead; /* a line was refused after its mark */
	bool wants_fault; /* the next line must be a `fault` */
	bool next_is_fault;
};

/* game_blobs: from what was given; arg is the verifier. */
int verify_blob_cb(
    void *arg, const uint8_t hash[HASH_LEN], const char **bytes, size_t *len);

/*
 * Checks the texts of standing orders against the game as line seq, which was
 * taken last, leaves it; -1: whatever line that is.  ERR_ILLEGAL if one was
 * passed over.
 */
int verify_check_texts(struct verify *v, int64_t seq, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Holds a standing order's text that has not met its line against all lines
 * so far.  ERR_ILLEGAL if it was passed over.
 */
int verify_find_texts(struct verify *v, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * The hash, in hex, of the sources of all that a game is made of, from rules
 * to JSON (common/game/Makefile.inc): what was saved is believed by a program
 * of the same sources alone.
 */
extern const char verify_sources[];

/* Reads what a saved state names, which only further lines ask for. */
int verify_recall(struct verify *v) __attribute__((warn_unused_result));

#endif
