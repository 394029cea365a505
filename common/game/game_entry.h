/* SPDX-License-Identifier: ISC */
/*
 * What a line of a record did, as game_take() tells it, and the list of these
 * with what became of each line since: so that nobody works out a second time
 * how an offer ended or which turn a line belongs to.
 */
#ifndef UMPIRE_COMMON_GAME_GAME_ENTRY_H
#define UMPIRE_COMMON_GAME_GAME_ENTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/game/game.h"
#include "common/game/game_offer.h"
#include "common/record/order.h"

struct buf;

/* What became of a line that others answer. */
enum game_fate {
	GAME_FATE_NONE, /* nobody answers it, or no more */
	GAME_FATE_OPEN, /* an offer, a proposal, a ruling, `restored` */
	GAME_FATE_ACCEPTED, /* and in force */
	GAME_FATE_DECLINED,
	GAME_FATE_WITHDRAWN,
	GAME_FATE_LAPSED,
	GAME_FATE_WAITING, /* its dice or its rules wait for an answer */
	GAME_FATE_AGREED,
	GAME_FATE_OBJECTED, /* it is void */
	GAME_FATE_REFUSED, /* a join: its seat was freed */
};

/* What a claim led to (record S6.7). */
enum game_claimed {
	GAME_CLAIMED_NOTHING, /* the time was not over */
	GAME_CLAIMED_NOTICE, /* it is a notice, for a second line to name */
	GAME_CLAIMED_DEFAULT, /* the usual answer is taken */
	GAME_CLAIMED_DIRECTOR, /* the director has to act */
	GAME_CLAIMED_GAME, /* the other side has lost */
	GAME_CLAIMED_AGREED, /* what the director did not judge stands */
	GAME_CLAIMED_SILENCE, /* a side answers in the witness's stead */
};

/* What a note of the witness says (record S6.9). */
enum game_said {
	GAME_SAID_NOTHING, /* no note of the witness */
	GAME_SAID_PASSED, /* a notice has stood for its time */
	GAME_SAID_ANSWERED, /* it had answered, and that was kept back */
	GAME_SAID_ANEW, /* its store was lost, or is older than that line */
};

/* A line; game_entry_clear() frees it. */
struct game_entry {
	int64_t seq;
	int64_t at_ms;
	bool has_now; /* it says when it was signed (S3), */
	int64_t now_ms; /* by its author's clock */
	enum order_kind kind; /* ORDER_UNKNOWN: no order that is known here */
	int seat; /* -1: no order */
	int turn; /* of the game behind it; 0 before play */
	/* The line that declared the combat that it is a part of; -1. */
	int64_t combat;
	bool ends_combat;
	int ends_round; /* this one, where turns are activations; else 0 */
	bool has_passed; /* there: ends a turn in which nothing was done */
	bool is_undoable; /* a takeback may name it (S5.2), as far as its kind
			   */
	bool is_restored; /* a server line: lines were lost from it on (S4.3) */
	int waits_for; /* seat that must agree to it; -1 */
	/*
	 * The line that it accepts, declines, withdraws, refuses, answers,
	 * claims to stand or to wait in vain for the witness, whose claim it
	 * rules on, or that the witness's note is about; -1.  to_fate is what
	 * that line becomes by it; GAME_FATE_NONE if it stays as it was.
	 */
	int64_t to;
	enum game_fate to_fate;
	/* What it offers or answers; meaningless for other kinds. */
	enum game_offer_what offer;
	bool is_adjust; /* it changes units of the roster, or would */
	int64_t from; /* the first line that it takes back, or would; -1 */
	enum game_claimed claimed; /* of a claim */
	int stand_in; /* of GAME_CLAIMED_SILENCE: who answers instead; -1 */
	enum game_said said; /* of a note */
	enum game_how how; /* if it ended the game; else GAME_UNDECIDED */
	int winner; /* of that: side, 0: none */
	/*
	 * Of create and join; of a server line operator-key, and of the accept
	 * that seats whom it names, the account that comes, and that leaves;
	 * else "".  Of these two `given` is the seat; else -1.
	 */
	char account[ORDER_ACCOUNT_MAX + 1];
	int given;
	/*
	 * Owned: the units that an adjustment names as they were when it was
	 * given, then when it came in force: id -> entry.  NULL.
	 */
	json_t *before;
	/* What became of it since; game_history_add() alone sets these. */
	enum game_fate fate;
	int64_t fate_by; /* line; -1: none, as for what lapsed */
	int64_t taken_back; /* by this line; -1: it stands */
	int64_t next_open; /* the list's own */
	int64_t former_given; /* likewise */
};

/* The lines of a record so far, by number. */
struct game_history {
	struct game_entry *list; /* owned; n of them */
	size_t n;
	size_t room;
	int64_t first_open; /* 1 + line, chained by next_open; 0: none */
	/* 1 + the accept that last gave a seat, chained; 0: none */
	int64_t last_given;
};

/*
 * True unless a line had to be agreed to (waits_for) and was not: what still
 * waits, was objected to, or waited until the game was over.
 */
bool game_entry_is_agreed(const struct game_entry *en);

/*
 * The account that had a seat when a line was written, if somebody else got
 * the seat by that line or later; else NULL: it is whose it is now.
 */
const char *game_history_former(
    const struct game_history *h, int seat, int64_t seq);

/* Frees what an entry holds. */
void game_entry_clear(struct game_entry *en);

/*
 * Adds the next line, whose entry moves into the list, and sets what became by
 * it of those before.  g is the game behind it; NULL where it is not known,
 * as behind what a newer umpire wrote.  ERR_NOMEM: nothing is changed.
 */
int game_history_add(struct game_history *h, struct game_entry *en,
    const struct game *g) __attribute__((warn_unused_result));

/* The entry of a line, borrowed until another is added; NULL: none. */
const struct game_entry *game_history_get(
    const struct game_history *h, int64_t seq);

/*
 * True for a line that stands and is of a kind that a takeback may name;
 * whether it is in reach is game_undoable()'s.
 */
bool game_history_is_undoable(const struct game_history *h, int64_t seq);

/*
 * Appends the entries as bytes, which are this machine's own, and reads them
 * back into an empty list.  ERR_BAD if they are not of this size; ERR_NOMEM.
 */
int game_history_save(const struct game_history *h, struct buf *out)
    __attribute__((warn_unused_result));
int game_history_load(struct game_history *h, const char *bytes, size_t len)
    __attribute__((warn_unused_result));

/* Frees all entries. */
void game_history_clear(struct game_history *h);

/* The present entries of the units that an adjustment names; new. */
int game_entry_former(const struct game *g, const json_t *units, json_t **out)
    __attribute__((warn_unused_result));

/*
 * For who takes a line: an entry for it, g being the game before it (NULL
 * before create), and when it is taken what follows from the game behind it.
 */
void game_entry_begin(struct game_entry *en, const struct game *g, int64_t seq,
    int64_t at_ms, enum order_kind kind, int seat);
void game_entry_end(struct game_entry *en, const struct game *g);
void game_entry_account(struct game_entry *en, const char *account);

#endif
