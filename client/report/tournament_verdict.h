/* SPDX-License-Identifier: ISC */
/*
 * What `umpire verify` says of a tournament: the verdict, what its directors
 * decided, and where it stands.
 */
#ifndef UMPIRE_CLIENT_REPORT_TOURNAMENT_VERDICT_H
#define UMPIRE_CLIENT_REPORT_TOURNAMENT_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "client/report/tournament_looks.h"
#include "common/base/err.h"
#include "common/tournament/verify_former.h"

struct out;

/* One that was judged; tournament_verdict_clear() frees what it holds. */
struct tournament_verdict {
	const char *name; /* borrowed: of the record, for people */
	const char *bytes; /* borrowed, len of them */
	size_t len;
	struct verify_tournament_report rep;
	struct errinfo why; /* if is_bad */
	bool is_bad;
	struct tournament *t; /* owned: as the last line leaves it; NULL */
	/* Of one that is not bad: */
	json_t *view; /* owned: t for programs; NULL if there is none */
	struct tournament_looks looks;
};

/*
 * Judges the record of a tournament, whose bytes must stay where they are until
 * it is cleared, with those in the set that it goes back to.  0, also for one
 * that is bad; ERR_NOMEM, and what opt->games.read gave.  To be cleared
 * whatever it returns.
 */
int tournament_verdict_make(struct tournament_verdict *tv, const char *name,
    const char *bytes, size_t len, const struct verify_former_set *before,
    const struct verify_tournament_options *opt, struct errinfo *e)
    __attribute__((warn_unused_result));
void tournament_verdict_clear(struct tournament_verdict *tv);

/* VERDICT_GOOD and so on (client/report/verdict.h). */
int tournament_verdict_status(const struct tournament_verdict *tv);

/* The same as a word: "good", "bad", "unchecked". */
const char *tournament_verdict_word(const struct tournament_verdict *tv);

/*
 * Why a bad one does not hold, without its name: "bad at line 12: ..."; NULL
 * if it is not bad; free().
 */
char *tournament_verdict_doubt(const struct tournament_verdict *tv);

/* For programs; new. */
json_t *tournament_verdict_json(const struct tournament_verdict *tv);

/* For people; of one that is bad there is nothing to tell. */
void tournament_verdict_print(
    struct out *o, const struct tournament_verdict *tv);

#endif
