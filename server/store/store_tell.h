/* SPDX-License-Identifier: ISC */
/*
 * What accounts are told of tournaments: the ledger's side of the rows that the
 * mailer reads with those of games (store_notice.h).  All give ERR_STORAGE,
 * ERR_NOMEM and ERR_IO.
 */
#ifndef UMPIRE_SERVER_STORE_STORE_TELL_H
#define UMPIRE_SERVER_STORE_STORE_TELL_H

#include "common/tournament/tournament_tell.h"
#include "server/store/store_notice.h"

/* A row; plain data, data borrowed. */
struct store_tell {
	int64_t id; /* of store_tell_each() alone */
	char account[ORDER_ACCOUNT_MAX + 1];
	/* what, place, since, due_ms and until_ms are stored. */
	struct tournament_tell tell;
	enum store_channel channel;
	int64_t at_ms;
	int64_t next_ms; /* -1: it was told, or is not to be */
	const char *data; /* not of store_tell_each() */
};

/* Adds one, where there is none of that account, thing and channel. */
int store_tell_insert(struct store *st, int64_t tid, const struct store_tell *s)
    __attribute__((warn_unused_result));

/*
 * Gives what goes on waiting another end and time; what has a time of its own
 * is then told at next_ms, even if it was told before.
 */
int store_tell_update(struct store *st, int64_t tid, const struct store_tell *s)
    __attribute__((warn_unused_result));

/* Takes one away, by all channels; or the row of an id. */
int store_tell_delete(struct store *st, int64_t tid, const char *account,
    const struct tournament_tell *tell) __attribute__((warn_unused_result));
int store_tell_delete_row(struct store *st, int64_t id)
    __attribute__((warn_unused_result));

/*
 * Calls each with the rows of a tournament, until it returns not 0, which is
 * then returned.
 */
int store_tell_each(struct store *st, int64_t tid,
    int (*each)(void *arg, const struct store_tell *s), void *arg)
    __attribute__((warn_unused_result));

/*
 * Somebody has come to a leg: what still tells them to is not told; or, with
 * has_come false, has not: a reminder that was not told is told in its time.
 */
int store_tell_come(struct store *st, int64_t tid, const char *account,
    const struct tournament_place *place, bool has_come)
    __attribute__((warn_unused_result));

#endif
