/* SPDX-License-Identifier: ISC */
/*
 * What `umpire verify` says of one record: the verdict, and what there is to
 * know of the game for somebody who must decide something.
 */
#ifndef UMPIRE_CLIENT_REPORT_VERDICT_H
#define UMPIRE_CLIENT_REPORT_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "client/report/overview.h"
#include "common/game/verify.h"

struct battle;
struct buf;
struct game;
struct out;
struct recorded;

/* How a record was judged: the exit statuses of `umpire verify`. */
#define VERDICT_GOOD 0
#define VERDICT_BAD 1
#define VERDICT_UNCHECKED 2 /* not all of it can be checked here */

/* What a record is held against; all borrowed. */
struct verdict_asked {
	struct verify_options opt;
	const char *known; /* lines "account key"; NULL: not asked for */
	const char *host; /* the account of who runs the server; NULL */
};

/* A record that was judged; verdict_clear() frees what it holds. */
struct verdict {
	const char *name; /* borrowed: of the record, for people */
	const struct verdict_asked *asked; /* borrowed */
	struct verify_report rep;
	struct errinfo why; /* if is_bad */
	bool is_bad;
	struct recorded *recorded; /* owned: what holds of it */
	const struct battle *b; /* of that, borrowed */
	const struct game *g; /* of that; NULL: none, or a newer umpire's */
	bool has_overview; /* there is a game, and all of it is good */
	struct overview overview;
	int64_t undone; /* combats that were taken back */
};

/* True if the --known lines list a key for an account. */
bool verdict_is_known(
    const char *known, const char *account, const uint8_t key[SIGN_KEY_LEN]);

/*
 * Judges a record, whose bytes must stay where they are until it is cleared.
 * 0, also for one that is bad; ERR_NOMEM.
 */
int verdict_make(struct verdict *vd, const char *name, struct buf *bytes,
    const struct verdict_asked *asked, struct errinfo *e)
    __attribute__((warn_unused_result));
void verdict_clear(struct verdict *vd);

/* VERDICT_GOOD and so on. */
int verdict_status(const struct verdict *vd);

/* "good", "bad", "unchecked". */
const char *verdict_word(const struct verdict *vd);

/* Who won and how, as a sentence; free(). */
char *verdict_result(const struct verdict *vd);

/* For programs; new. */
json_t *verdict_json(const struct verdict *vd);

/*
 * Where a bad record does not hold, a line of its file or 0, and why, without
 * its name: "bad at line 12: ...", "bad: the record is empty"; free().
 */
char *verdict_bad(int64_t line, const struct errinfo *why);

/*
 * What does not hold (why, NULL if all does) or was not checked, without the
 * record's name: "bad at line 12: ..."; NULL if all is well; free().
 */
char *verdict_doubt(const struct verify_report *rep, const struct errinfo *why);

/* For people; of one that is bad there is nothing to tell. */
void verdict_print(struct out *o, const struct verdict *vd);

#endif
