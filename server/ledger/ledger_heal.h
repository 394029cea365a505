/* SPDX-License-Identifier: ISC */
/*
 * What taking lines of a game back (ledger_heal.c) and lines of a tournament
 * (ledger_heal_tournament.c) have in common.
 */
#ifndef UMPIRE_SERVER_LEDGER_LEDGER_HEAL_H
#define UMPIRE_SERVER_LEDGER_LEDGER_HEAL_H

#include "common/game/game.h"
#include "server/ledger/ledger_int.h"
#include "server/store/store.h"

struct record_line;
struct verify;

/* What comes back in one call. */
struct ledger_heal {
	struct ledger *l;
	struct ledger_slot *slot;
	struct ledger_job *job;
	bool is_tournament;
	/* gid -1: there is nothing of it.  Of a tournament: tid, seq, private
	 */
	struct store_game_row row;
	uint8_t head[HASH_LEN]; /* of line row.seq */
	size_t first; /* of the lines: the first that is new */
	bool is_hidden; /* so far the account has no part in what is private */
	json_t *texts; /* owned: side lines by their refs in hex */
	/* Of a game. */
	struct verify *v;
	struct game *game; /* owned, once the lines are verified */
	enum game_phase phase; /* before */
	int64_t tid; /* of its tournament; likewise its leg there */
	struct tournament_place place;
};

/* One line of the job, borrowed. */
const char *ledger_heal_line(
    const struct ledger_heal *h, size_t i, size_t *len);

/* Reads a line of the kind that it is about; as record_parse(). */
int ledger_heal_parse(const struct ledger_heal *h, const char *line, size_t len,
    struct record_line *ln, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Compares the lines with those that are here: h->first is the first new one.
 * ERR_STALE, ERR_FORK.
 */
int ledger_heal_compare(struct ledger_heal *h)
    __attribute__((warn_unused_result));

/* Reads the side lines into h->texts. */
int ledger_heal_read_side(struct ledger_heal *h)
    __attribute__((warn_unused_result));

/*
 * Makes sure that there is an account that came by a line, with the keys that
 * it then had, at least.  Who has taken its name since it was lost has it no
 * longer.  ERR_EXISTS.
 */
int ledger_heal_account(struct ledger_heal *h, const struct order_join *who,
    int64_t at_ms) __attribute__((warn_unused_result));

/* Takes a key statement that a line proves, if the account lacks it. */
int ledger_heal_statement(struct ledger_heal *h, const struct record_line *ln)
    __attribute__((warn_unused_result));

/* Does it for a tournament, once what is here was found. */
int ledger_heal_tournament(struct ledger_heal *h)
    __attribute__((warn_unused_result));

#endif
