/* SPDX-License-Identifier: ISC */
/*
 * What people are told of a tournament who are not there: who is to be told
 * what, from when on and until when.  It follows from the state alone, and from
 * no clock: what is to be told later has its time.
 */
#ifndef UMPIRE_COMMON_TOURNAMENT_TOURNAMENT_TELL_H
#define UMPIRE_COMMON_TOURNAMENT_TOURNAMENT_TELL_H

#include "common/record/told.h"
#include "common/tournament/tournament.h"

struct buf;
struct game_blobs;

/* One thing that somebody is told; plain data. */
struct tournament_tell {
	enum told what;
	int account; /* tournament_tell_account() */
	struct tournament_place place; /* zeros where it is about none */
	int64_t since; /* the line from which it follows */
	int64_t due_ms; /* when to tell it; -1: at once */
	int64_t until_ms; /* -1: it ends at no known time */
	/*
	 * It is news, told with that line or never, and not to who wrote it.
	 * Everything else waits for somebody, and is told whenever it is found
	 * not to be.
	 */
	bool is_once;
	int number; /* of the entrant that it is about; 0 */
};

/*
 * Calls each with all that is to be told, until it returns not 0, which is then
 * returned.  No two are equal in what, account, place and since.  A ruling is
 * told with its own line alone, and never ends.
 */
int tournament_tell_each(const struct tournament *t,
    int (*each)(void *arg, const struct tournament_tell *tell), void *arg)
    __attribute__((warn_unused_result));

/* The account that one tells; borrowed until another order is taken. */
const char *tournament_tell_account(
    const struct tournament *t, const struct tournament_tell *tell);

/* What `account` of a struct tournament_tell is for a name; -1: for none. */
int tournament_tell_index(const struct tournament *t, const char *account);

/* What is worked out once for all who are told by one line; starts as zeros. */
struct tournament_tell_memo {
	const struct game_blobs *blobs; /* borrowed: rosters; NULL: none */
	int round; /* whose armies these are; 0: none */
	char armies[3][65]; /* by side, as its roster calls them; "" */
	struct tournament_standing *rows; /* owned */
	size_t n;
};

void tournament_tell_memo_clear(struct tournament_tell_memo *memo);

/*
 * Appends what there is to say of it, a JSON object: where that helps round,
 * rounds, table, leg, legs, side, army, opponent, play_off, scenario, ends, by,
 * account, players, form, how, outcome, half, rank, of.  `by` is the account
 * that wrote the line; NULL.  ERR_NOMEM, ERR_STORAGE.
 */
int tournament_tell_write(const struct tournament *t,
    const struct tournament_tell *tell, const char *by,
    struct tournament_tell_memo *memo, struct buf *out)
    __attribute__((warn_unused_result));

#endif
