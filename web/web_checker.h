/* SPDX-License-Identifier: ISC */
/*
 * A process that is forked before the sandbox is entered, and verifies
 * tournaments as `umpire verify` does a folder: every pairing is worked out
 * again, every result held against the record of its game.  It reads both in
 * the cache, and can write nothing.  Each tournament is verified by a process
 * of its own (web_checker_cup), beside those of others, with bounds on its
 * memory and time, at the lowest priority: whatever it takes, readers of pages
 * do not wait for it, nor other tournaments.  Some of these processes stay for
 * the next line of their tournament, and remember what they have verified.
 *
 * It is given struct web_checker_job, WEB_CHECKER_JOBS at once at most and of
 * each tournament one, and replies to each, as soon as it is done, with a
 * struct web_checker_head and so many bytes of JSON; it ends when the other end
 * of its socket is closed.  The JSON is an object:
 *
 *   verdict  "good", "unchecked", "bad"
 *   lines    that were judged
 *   line     number of the one that is bad, or could not be judged
 *   where, why
 *   alone    true: it is bad whatever its games are
 *   games    that were verified
 *   dice     that were checked, theirs among them
 *   at_hand  a character for each game, in the order in which lines name
 *            them first: '1' if its record was there, and reached as far as
 *            the tournament names its lines; '2' if it was, and cannot be
 *            judged here; '0' if it was not
 *   verified how many games were verified now, among them those of what it
 *            goes back to
 *   found    and how many were not, as they are what they were before
 */
#ifndef UMPIRE_WEB_WEB_CHECKER_H
#define UMPIRE_WEB_WEB_CHECKER_H

#include <stdint.h>

#include "common/base/err.h"
#include "common/crypt/hash.h"
#include "common/crypt/sign.h"

struct web_conf;

#define WEB_CHECKER_REPLY (1U << 20) /* bytes of JSON at most */
#define WEB_CHECKER_JOBS 4

/* What is to be verified. */
struct web_checker_job {
	uint8_t id[HASH_LEN];
	uint8_t server[SIGN_KEY_LEN]; /* that must have marked it */
	int64_t lines; /* of the file: so many count */
};

/* What a reply begins with, in the order of bytes of this machine. */
struct web_checker_head {
	uint8_t id[HASH_LEN]; /* of the tournament */
	uint32_t is_done; /* 0: it could not be verified at all */
	uint32_t len; /* bytes that follow; 0 unless it is done */
};

/* Forks it; *fd is this end of its socket.  ERR_IO, ERR_INTERNAL. */
int web_checker_new(const struct web_conf *conf, int *fd, struct errinfo *e)
    __attribute__((warn_unused_result));

#endif
