/* SPDX-License-Identifier: ISC */
/*
 * Erasing what people wrote (record S9): out of the database in the job's
 * transaction, out of its write-ahead log after the commit.  A reader in the
 * way, such as a backup, puts the latter off; then it is tried again until it
 * is done, also by the next umpired.
 */
#include <string.h>

#include "server/base/log.h"
#include "server/ledger/ledger_int.h"
#include "server/store/store.h"

/* Whether the job's account may have the text erased, and finds what it is. */
static int
ledger_erase_check(struct ledger *l, struct ledger_slot *slot, int64_t gid,
    char author[ORDER_ACCOUNT_MAX + 1])
{
	struct ledger_erased *ev = &slot->erased;
	struct ledger_job *job = slot->job;
	int r;

	r = store_text_author(l->store, gid, job->ref, &ev->seq, author);
	if (r == 0 &&
	    (r = store_text_find(l->store, gid, job->ref, &ev->side)) ==
		ERR_NOTFOUND) {
		r = store_text_is_erased(l->store, gid, job->ref);
		job->is_repeat = r == 0;
		/* One that was lost could come back. */
		if (r == ERR_NOTFOUND)
			r = store_text_lost_side(
			    l->store, gid, job->ref, &ev->side);
	}
	if (r == ERR_NOTFOUND)
		return (err_set(&job->e, r, "ref",
		    "the game has no such text; \"umpire log\" shows those "
		    "that there are"));
	if (r != 0)
		return (ledger_fault(l, r, "find a text"));
	return (ledger_erase_allow(job, author));
}

int
ledger_erase_allow(struct ledger_job *job, const char *author)
{
	if (job->is_operator || strcmp(author, job->account) == 0)
		return (0);
	job->is_repeat = false;
	return (err_set(&job->e, ERR_DENIED, "ref",
	    "only who wrote a text can have it erased, and the operator"));
}

/* Erases a text of a game. */
static int
ledger_erase_game(struct ledger *l, struct ledger_slot *slot)
{
	char author[ORDER_ACCOUNT_MAX + 1] = "";
	struct ledger_job *job = slot->job;
	struct store_game_row row;
	int r;

	r = store_game_find(l->store, job->game, &row);
	if (r == ERR_NOTFOUND)
		return (err_set(&job->e, r, "game", "no such game"));
	if (r != 0)
		return (ledger_fault(l, r, "find a game"));
	memset(&slot->erased, 0, sizeof(slot->erased));
	if ((r = ledger_erase_check(l, slot, row.gid, author)) != 0)
		return (r);
	if (!job->is_repeat &&
	    ((r = store_text_erase(l->store, row.gid, job->ref, author)) != 0 ||
		(r = store_text_erased_last(l->store, row.gid, INT64_MAX,
		     STORE_SIDE_ALL, &slot->erased.n)) != 0))
		return (ledger_fault(l, r, "erase a text"));
	return (0);
}

int
ledger_erase_run(struct ledger *l, struct ledger_slot *slot)
{
	struct ledger_job *job = slot->job;
	int r;

	if ((r = ledger_server_resolve(l, job)) != 0)
		return (r);
	r = job->is_tournament ? ledger_operator_erase(l, slot)
			       : ledger_erase_game(l, slot);
	if (r != 0)
		return (r);
	memcpy(slot->erased.game, job->game, HASH_LEN);
	memcpy(slot->erased.ref, job->ref, HASH_LEN);
	slot->erased.is_tournament = job->is_tournament;
	slot->is_erased = !job->is_repeat;
	l->wants_wipe = l->wants_wipe || !job->is_repeat;
	return (0);
}

int
ledger_erase_wipe(struct ledger *l)
{
	int r;

	if (!l->wants_wipe)
		return (0);
	r = store_wipe(l->store);
	if (r == ERR_BUSY) {
		if (!l->is_late)
			log_info("what was erased is still in the write-ahead "
				 "log, since somebody reads; trying again "
				 "until it is gone");
		l->is_late = true;
		return (0);
	}
	if (r != 0)
		return (r);
	if (l->is_late)
		log_info("what was erased has gone from the write-ahead log");
	l->is_late = l->wants_wipe = false;
	return (0);
}
