/* SPDX-License-Identifier: ISC */
/*
 * The tournaments that are shown: their records, each line verified as it
 * comes, a few milliseconds at a time, and kept on the disk as those of games
 * are.  A server that tells another history is found out, and proof kept.
 */
#ifndef UMPIRE_WEB_WEB_CUP_H
#define UMPIRE_WEB_WEB_CUP_H

#include <stdint.h>

#include <jansson.h>

#include "common/base/err.h"
#include "common/crypt/hash.h"
#include "common/crypt/sign.h"
#include "web/web_http.h"

struct web_cups;
struct web_site;
struct web_store_id;

/* New.  ERR_IO. */
int web_cup_open_all(struct web_site *s, struct web_cups **out,
    struct errinfo *e) __attribute__((warn_unused_result));
void web_cup_close_all(struct web_cups *cs);

/* The server's key, without which none is read. */
void web_cup_set_key(struct web_cups *cs, const uint8_t key[SIGN_KEY_LEN]);

/* Replies to a request about the tournament of this id, at once or later. */
void web_cup_reply(
    struct web_cups *cs, struct web_request *rq, const char *hex, int digits);

/* A text of it was erased, or all of it may have changed. */
void web_cup_notice(
    struct web_cups *cs, const char *method, const json_t *params);

/*
 * The ids of all on the disk, *n of them, new; and that so many texts were
 * erased of one by now, more of which may be known here, or none.
 */
struct web_store_id *web_cup_ids(const struct web_cups *cs, size_t *n);
void web_cup_erased(struct web_cups *cs, const char *hex, int64_t erasures);

/*
 * Those on the disk whose ids begin with these digits: how many, and the whole
 * id of one of them.
 */
int web_cup_kept(
    const struct web_cups *cs, const char *digits, char hex[2 * HASH_LEN + 1]);

/* For /metrics. */
struct web_cup_counts {
	int64_t cups;
	int64_t bytes;
	int64_t disk;
	int64_t verified; /* lines */
	int64_t forks;
	int64_t slowest_us; /* slice */
	int64_t slowest_page_us;
	int64_t checking; /* that are being checked with their games */
	int64_t checks; /* that were done */
	int64_t games_verified; /* for that */
	int64_t games_found; /* to be what they were when that was done */
	int64_t slowest_check_ms;
};
void web_cup_count(struct web_cups *cs, struct web_cup_counts *out);

#endif
