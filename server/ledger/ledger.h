/* SPDX-License-Identifier: ISC */
/*
 * The only writer: one thread that takes the waiting jobs, from each account
 * in turn, runs each in a savepoint, commits once, and only then lets anything
 * out.  No job is answered before what it did is on disk; when the commit fails
 * every job of the batch is answered ERR_STORAGE and the games it touched are
 * read again.
 */
#ifndef UMPIRE_SERVER_LEDGER_LEDGER_H
#define UMPIRE_SERVER_LEDGER_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/buf.h"
#include "common/base/err.h"
#include "common/crypt/hash.h"
#include "common/crypt/sign.h"
#include "common/crypt/vrf_memo.h"
#include "common/record/order.h"
#include "common/tournament/entry.h"
#include "server/store/store_notice.h"

struct ledger;
struct precompute_cache;

enum ledger_op {
	LEDGER_ORDER, /* any order, create and join too */
	LEDGER_TOURNAMENT, /* an order to a tournament, create too */
	LEDGER_REGISTER, /* a new account */
	LEDGER_KEY, /* a key statement */
	LEDGER_BLOB, /* a blob to keep */
	LEDGER_INVITE, /* an invitation to a game, or its end */
	LEDGER_BLOCK, /* an account that another will not play with, or not */
	LEDGER_ADDRESS, /* where or when an account wants to be told */
	LEDGER_NOTICE, /* what became of notices and codes */
	/* Of a game, or of a tournament: job->game, job->is_tournament. */
	LEDGER_CLOSE, /* the operator ends it, and says why */
	LEDGER_SEAT, /* the operator would give a seat, or a key, to somebody */
	LEDGER_ERASE, /* a text of job->game, by its author or the operator */
	LEDGER_HEADS, /* last lines that an account holds, in job->rows */
	LEDGER_HEAL, /* lines of job->game that were lost */
	LEDGER_FORMER, /* lines of a tournament of another server */
	/*
	 * The operator says that what was lost will not come back: the
	 * recovery of job->game ends now, or of all games and tournaments
	 * that have a record here (is_all), with a line `restored` where it
	 * calls for one.  job->ended says of how many it did; what does not
	 * fit into a transaction is done at once after it, without another
	 * word.  ERR_NOTFOUND for one that is not here, ERR_STALE for one that
	 * is not recovering.
	 */
	LEDGER_RESTORED,
	LEDGER_MEND, /* games whose kept state does not fit their record */
};

#define LEDGER_SHARE 8 /* an account may have an eighth of the queue's room */
#define LEDGER_BATCH_US 8000 /* work of a transaction; batch_us in conf */
#define LEDGER_INVITES 64 /* accounts invited to a game at most */
#define LEDGER_BLOCKS 1000 /* accounts blocked by one at most */
#define LEDGER_MEND_MAX 8 /* games that a job makes again */
#define LEDGER_CODE_MS (24 * 3600 * INT64_C(1000)) /* life of a code */
#define LEDGER_CODE_WRONG 5 /* wrong codes that make one void */
#define LEDGER_FAILURES 3 /* given up in a row: an address is not used */

/* What LEDGER_ADDRESS does. */
enum ledger_address {
	LEDGER_ADDRESS_SET, /* another address, and a code to send there */
	LEDGER_ADDRESS_CONFIRM, /* a code was given */
	LEDGER_ADDRESS_DROP, /* the address of a kind goes */
	LEDGER_ADDRESS_QUIET, /* other quiet hours, or none */
};

/* A notice that a message told of, or the address that a code went to. */
struct ledger_told {
	int64_t id;
	int64_t next_ms; /* not sent: when to try again; -1: given up */
};

/* A text that comes with an order (record S9). */
struct ledger_text {
	uint8_t ref[HASH_LEN];
	uint8_t salt[32];
	char *value; /* owned by the job; UTF-8 without U+0000 */
	size_t len;
};

/*
 * One request for the ledger.  The caller makes it with ledger_job_new(),
 * fills in the upper part and submits it; after `done` it belongs to the
 * caller again, who frees it with ledger_job_free().
 */
struct ledger_job {
	struct ledger_job *next; /* the ledger's own */
	enum ledger_op op;
	/*
	 * Called on the ledger's thread when the answer is final; it must
	 * only pass the job on to the thread that asked.
	 */
	void (*done)(struct ledger_job *job, void *arg);
	void *arg;
	char account[ORDER_ACCOUNT_MAX +
	    1]; /* the account logged in, or to be made */
	bool is_witness; /* the settings name that account a witness */

	/* LEDGER_ORDER: form and signature were checked by the caller. */
	/* Owned: the order's bytes, which `order` borrows, or a statement's. */
	char *text;
	struct order order;
	struct entry entry; /* LEDGER_TOURNAMENT: instead of order */
	/*
	 * The ledger's own: how often its pairing was worked out elsewhere, and
	 * the last one, owned, with the line upon which it rests.
	 */
	int pairings;
	json_t *paired;
	int64_t rests_seq;
	/* Likewise: a tournament that is read elsewhere before it is run. */
	bool is_waiting;
	bool has_waited;
	uint8_t wanted[HASH_LEN];
	uint8_t key[SIGN_KEY_LEN];
	uint8_t sig[SIGN_LEN];
	json_t *open; /* owned: what comes with the order (S8); NULL */
	/* With create: accounts to invite; owned, NULL: for everybody. */
	json_t *guests;
	/* LEDGER_CLOSE, LEDGER_SEAT: why, ref and salt unset. */
	struct ledger_text texts[4];
	size_t n_texts;
	/*
	 * What was worked out ahead (server/rpc/precompute.h), or empty:
	 * checking the order's proof, and the server's own proof, whose output
	 * nobody may learn before the line is on disk.  Wiped with the job.
	 */
	struct vrf_memo checked;
	struct vrf_memo thrown;

	/*
	 * How long the account has to wait before it may write more, in ms; 0:
	 * it may.  What is recorded already is answered all the same.
	 */
	int64_t quota_wait_ms;

	/* LEDGER_REGISTER */
	char display[65];
	bool has_recovery;
	uint8_t recovery[SIGN_KEY_LEN];
	bool has_invite;
	uint8_t invite[HASH_LEN]; /* hash of the code, its MAC checked */

	/* LEDGER_BLOB */
	char *blob; /* owned */
	size_t blob_len;
	uint8_t blob_hash[HASH_LEN];

	/* LEDGER_INVITE, LEDGER_BLOCK */
	uint8_t game[HASH_LEN]; /* LEDGER_INVITE, and what an operator does */
	uint8_t ref[HASH_LEN]; /* LEDGER_ERASE */
	bool is_operator; /* LEDGER_ERASE: it may be anybody's */
	/* game is a tournament's id: _ERASE, _HEAL; found out by an operator's
	 */
	bool is_tournament;
	/*
	 * What an operator types for a game, or a tournament: the first digits
	 * of its id, which `game` becomes; "": `game` says it, or for
	 * LEDGER_SEAT all games.
	 */
	char digits[2 * HASH_LEN + 1];

	/*
	 * LEDGER_SEAT: `other` is to have what this account has; in a
	 * tournament (other is "") it is to have new_key alone.
	 */
	char former[ORDER_ACCOUNT_MAX + 1];
	uint8_t dice_key[VRF_KEY_LEN];
	char other[ORDER_ACCOUNT_MAX + 1]; /* who is invited or blocked */
	bool is_on; /* false: ends it */

	/*
	 * LEDGER_HEADS: rows of the result of game.heads, of which those of
	 * games that recover are completed; owned.
	 */
	json_t *rows;

	/*
	 * LEDGER_HEAL: whole lines in order, whose form, chain among each
	 * other and marks the caller has checked; side lines; and texts that
	 * the server held, {"seq","salt","text"}; of these the form, too.
	 * Lists of texts and of objects, owned; NULL: none.
	 */
	json_t *lines;
	json_t *side;
	json_t *held;

	/*
	 * LEDGER_FORMER: lines of `game`, which is of another server, from
	 * number `first` on, with what each has as `prev`, and the last line
	 * that there is to be.  Their form, and that they follow upon each
	 * other, the caller has checked.
	 */
	struct {
		int64_t seq;
		uint8_t head[HASH_LEN];
		int64_t first;
		uint8_t *prevs; /* owned: HASH_LEN for each line */
		/* The ledger's own: what came of verifying it elsewhere. */
		bool is_judged;
		int judged;
		struct errinfo why;
		/* The answer: it is here whole; or e says what is wrong. */
		bool is_complete;
		bool is_bad;
	} brought;

	bool is_all; /* LEDGER_RESTORED */

	/* LEDGER_ADDRESS */
	enum ledger_address address_op;
	enum store_channel kind; /* MAIL or WEBHOOK; not for QUIET */
	bool is_any; /* CONFIRM: of whichever kind; kind says then which */
	char value[STORE_ADDRESS_MAX + 1]; /* SET */
	char code[STORE_CODE_LEN + 1]; /* SET, CONFIRM */
	struct store_quiet quiet; /* QUIET */

	/*
	 * LEDGER_NOTICE: what became of one message, and all that it told of;
	 * rows that are gone do nothing.  If the answer is not 0 none of it is
	 * known to be noted: submit the same again, or it is sent twice.
	 */
	bool is_code; /* it was a code */
	bool is_sent;
	bool is_own; /* not sent by this server's fault, not the address's */
	bool is_lost; /* not sent, but not an attempt; no next_ms is -1 */
	char error[STORE_ERROR_MAX + 1]; /* not sent: plain text for people */
	struct ledger_told *told; /* owned: from malloc() */
	size_t n_told;

	/*
	 * LEDGER_MEND: games that somebody has found not to fit.  ERR_DAMAGED
	 * if it is one and cannot be made again.
	 */
	uint8_t games[LEDGER_MEND_MAX][HASH_LEN];
	size_t n_games;
	int64_t before[2]; /* whatever the caller wants to keep with them */

	/* The answer. */
	int64_t spent_us; /* of the processor; 0 if it was not run */
	int r; /* 0 or ERR_* */
	struct errinfo e;
	struct buf line; /* LEDGER_ORDER, _TOURNAMENT: the line, without LF */
	int64_t seq; /* its number; LEDGER_KEY: the statement's */
	int64_t written; /* bytes that it has added to records */
	bool is_repeat; /* the order or statement was recorded before, or the
			   text was erased before */
	bool is_wiped; /* LEDGER_ERASE: the log was emptied, too */
	/*
	 * LEDGER_SEAT, owned: [{"game","seat","seq","waits_for":[accounts]}],
	 * and games that did not take it, [{"game","seat","why"}].
	 */
	json_t *given;
	json_t *skipped;
	uint8_t new_key[SIGN_KEY_LEN]; /* LEDGER_SEAT: of `other`, the first */
	bool has_dice; /* a new line draws dice */
	bool is_recovering; /* LEDGER_HEAL: the game is, still */
	int64_t added; /* LEDGER_HEAL: lines */
	int64_t ended; /* LEDGER_RESTORED: recoveries */
	int64_t open_games; /* ERR_LIMIT: too many are open; else 0 */
	const char *phase; /* that a new line has led to; NULL: the same */
	bool is_wrong; /* CONFIRM: r is 0, but the code is wrong, as e says */
	/*
	 * Text of a signed refusal; empty if none.  That of a create order
	 * has the number -1 and a head of zeros.
	 */
	struct buf refusal;
	uint8_t refusal_sig[SIGN_LEN];
	int64_t head_seq; /* ERR_FORK, refusals, HEAL: the present head */
	uint8_t head[HASH_LEN];
};

/* A new job; NULL if out of memory. */
struct ledger_job *ledger_job_new(enum ledger_op op);

/* Frees a job and all that it owns; NULL is allowed. */
void ledger_job_free(struct ledger_job *job);

/* What may be new; ledger_set_limits() sets others. */
struct ledger_limits {
	int64_t max_muster; /* games in muster of an account; 0: no bound */
	int64_t muster_ms; /* after which they lapse; 0: never */
	int64_t min_free_mib; /* on the disk; 0: no bound */
	int64_t recovery_ms; /* lost lines are waited for */
};

/* That something in game.list has changed for a game. */
struct ledger_listed {
	uint8_t game[HASH_LEN];
	/* Who is invited by it, or no longer, or refused; "": nobody. */
	char account[ORDER_ACCOUNT_MAX + 1];
	bool is_invite; /* it is nobody else's affair */
	bool has_begun; /* the game can no longer be joined */
};

/* A text that was erased of a game or a tournament. */
struct ledger_erased {
	uint8_t game[HASH_LEN];
	uint8_t ref[HASH_LEN];
	int64_t seq; /* the first line that names it */
	int side; /* who could read it; 0: everybody */
	bool is_tournament; /* game is one */
	int64_t n; /* how many of it were erased by then */
};

struct ledger_config {
	const char *database; /* path */
	const struct sign_key *identity; /* borrowed for the ledger's life */
	const struct vrf_key *dice; /* likewise */
	size_t queue_max; /* jobs waiting at most */
	int64_t batch_us; /* of the processor; then a batch takes no more */
	int64_t blob_quota; /* bytes an account may put */
	struct ledger_limits limits;
	/*
	 * Called on the ledger's thread after the commit, for each new line
	 * in order, before its order is answered; it must only pass copies
	 * on.  game may be the id of a tournament.
	 */
	void (*published)(void *arg, const uint8_t game[HASH_LEN], int64_t seq,
	    const char *line, size_t len);
	/*
	 * Called on the ledger's thread after a commit that made notices or
	 * codes to be sent, before its jobs are answered; it must only pass
	 * that on.  NULL: nobody sends.
	 */
	void (*waiting)(void *arg);
	unsigned channels; /* that are told at all: bits 1 << store_channel */
	int64_t notify_delay_ms; /* between a line and what it tells */
	/*
	 * Called on the ledger's thread after the commit, for each change in
	 * the list of games, and in who is invited, before the answer; it
	 * must only pass copies on.  NULL: nobody wants to know.
	 */
	void (*listed)(void *arg, const struct ledger_listed *ev);
	/*
	 * Whether somebody has asked for the state of a game since its last
	 * line, and the state after a new one: called on the ledger's thread
	 * after the commit, before the line's `published`.  The text is
	 * game_view_write()'s, the number that of the last line there is.
	 * NULL: nobody asks.
	 */
	bool (*wants)(void *arg, int64_t gid);
	void (*stated)(
	    void *arg, int64_t gid, int64_t seq, const char *text, size_t len);
	/* What games are told for work ahead; borrowed.  NULL: nobody asks. */
	struct precompute_cache *precompute_cache;
	/*
	 * The keys of an account have changed: called on the ledger's thread
	 * after the commit, before the answer; it must only pass copies on.
	 * NULL: nobody wants to know.
	 */
	void (*rekeyed)(void *arg, const char *account);
	/*
	 * A text was erased: called on the ledger's thread after the commit,
	 * before the answer; it must only pass copies on.  NULL: nobody wants
	 * to know.
	 */
	void (*erased)(void *arg, const struct ledger_erased *ev);
	/* Called once if the ledger can no longer work (failed fsync). */
	void (*failed)(void *arg, const struct errinfo *e);
	void *arg;
};

/* Opens the store and starts the thread.  *out is new. */
int ledger_start(const struct ledger_config *conf, struct ledger **out,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Hands a job over.  Jobs of one account are done in the order in which they
 * came, those of several by turns.  ERR_BUSY if the queue or the account's
 * share of it is full, or the ledger is stopping; `done` is then not called.
 * Any thread may call it.
 */
int ledger_submit(struct ledger *l, struct ledger_job *job)
    __attribute__((warn_unused_result));

/*
 * Sets other channels and another delay, for what begins to wait from now
 * on.  Any thread may call it.
 */
void ledger_set_notify(
    struct ledger *l, unsigned channels, int64_t notify_delay_ms);

/* Sets other limits, likewise. */
void ledger_set_limits(struct ledger *l, const struct ledger_limits *limits);

/*
 * Finishes the jobs in hand and those that wait, stops the thread, closes the
 * store, frees.  NULL is allowed.
 */
void ledger_stop(struct ledger *l);

/*
 * `umpired --clock-is-right`: tells the daemon of a database, if it runs or
 * when it starts, that this machine's clock is right as it now is.  ERR_IO.
 */
int ledger_clock_confirm(const char *database, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * `umpired --restored`: tells the daemon of a database, when it starts, that a
 * backup was put back: all games recover.  ERR_IO.
 */
int ledger_recovery_declare(const char *database, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * `umpired --check`: rebuilds every game from its record, through the
 * verifier, and compares with the stored snapshots; prints what it finds to
 * stdout.  It only reads and may run alongside the daemon.  0 if all agree,
 * ERR_BAD if not, ERR_* if it cannot be done.
 */
int ledger_check(const char *database, const uint8_t server[SIGN_KEY_LEN],
    struct errinfo *e) __attribute__((warn_unused_result));

#endif
