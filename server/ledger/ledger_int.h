/* SPDX-License-Identifier: ISC */
/*
 * Inside of ledger.h.  All but the queue belongs to the ledger's thread.
 *
 * A game in memory is always the game of the transaction: its snapshot is
 * stored in the savepoint of the order that moved it.  So a game whose order
 * failed half way is dropped and read again, and when a whole batch fails
 * every game that the batch looked at is.
 */
#ifndef UMPIRE_SERVER_LEDGER_LEDGER_INT_H
#define UMPIRE_SERVER_LEDGER_LEDGER_INT_H

#include <sys/queue.h>

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/game/game.h"
#include "common/game/game_take.h"
#include "common/tournament/tournament.h"
#include "common/tournament/tournament_tell.h"
#include "server/ledger/ledger.h"

struct ledger_server;
struct record_parts;
struct store;
struct store_game_row;
struct store_tournament_row;

#define LEDGER_BATCH 256 /* jobs of a transaction at most */
#define LEDGER_FLOWS 16384 /* of waiting jobs, by account */
#define LEDGER_STRANGERS LEDGER_FLOWS /* the flow of who registers */
#define LEDGER_OWN (LEDGER_FLOWS + 1) /* and of what nobody has asked for */
#define LEDGER_GAMES 1024 /* games kept in memory */
#define LEDGER_TOURNAMENTS 64 /* likewise tournaments */
#define LEDGER_MADE 4 /* tournaments on their way from the maker */
#define LEDGER_LONG 500 /* lines of one that others do not wait for */
#define LEDGER_BUCKETS 2048 /* of the games, by the first bytes of their id */

/* A game in memory. */
struct ledger_game {
	TAILQ_ENTRY(ledger_game) used; /* the last used is first */
	LIST_ENTRY(ledger_game) bucket;
	int64_t gid;
	int64_t batch; /* the last that looked at it */
	struct game *game; /* owned */
	bool is_lost; /* it is damaged: what it waits with is not kept */
};

/* A tournament in memory: as with a game, that of the transaction. */
struct ledger_tournament {
	TAILQ_ENTRY(ledger_tournament) used; /* the last used is first */
	int64_t tid;
	int64_t batch; /* the last that looked at it */
	struct tournament *t; /* owned */
	/* What is told of it by its last line (ledger_tell.c). */
	bool has_tells;
	struct tournament_tell *tells; /* owned: n of them, sorted */
	size_t n_tells;
};

TAILQ_HEAD(ledger_tournaments, ledger_tournament);
TAILQ_HEAD(ledger_games, ledger_game);
LIST_HEAD(ledger_bucket, ledger_game);

/* A line besides the one that an order made. */
struct ledger_more {
	bool is_tournament; /* game is then its id */
	uint8_t game[HASH_LEN];
	int64_t seq;
	struct buf line;
};

/* One job of the batch, and what goes out when it is committed. */
struct ledger_slot {
	struct ledger_job *job;
	bool is_parked; /* the job waits for a thread, and is run again */
	bool is_new; /* job->line is a new line */
	uint8_t hash[HASH_LEN]; /* of that line, if it is new */
	struct buf fault; /* the fault line after it; empty if none */
	struct ledger_more *more; /* owned: key lines, one or more a game */
	size_t n_more;
	bool is_rekeyed; /* the keys of an account changed: rekeyed, or */
	char rekeyed[ORDER_ACCOUNT_MAX + 1]; /* "": the job's */
	bool is_erased; /* a text is; erased says which */
	struct ledger_erased erased;
	bool is_listed; /* the list of games changes; listed says how */
	struct ledger_listed listed;
};

/*
 * Jobs that wait for one account, in the order in which they came.  Two
 * accounts may share a flow, but nobody can choose a name that has another's.
 */
struct ledger_flow {
	TAILQ_ENTRY(ledger_flow) ready; /* while anything waits in it */
	size_t waiting;
	struct ledger_job *first; /* if anything waits; likewise last */
	struct ledger_job *last;
};

TAILQ_HEAD(ledger_flows, ledger_flow);

/*
 * A game that cannot be made of what is kept of it.  A job that finds one
 * fails; once its savepoint is undone the game is mended and the job done
 * again.
 */
struct ledger_misfit {
	bool is_set;
	bool is_lost; /* its lines do not help: what is missing is not there */
	uint8_t game[HASH_LEN];
	struct errinfo why;
};

/* What is known of the wall clock (ledger_clock.c). */
struct ledger_clock {
	char *path; /* owned: of the file with the operator's word */
	bool is_off; /* no orders are taken */
	bool is_noted; /* and that is stored */
	bool is_missed; /* a time without orders was over before it was */
	bool was_missed; /* before the transaction that is open */
	int64_t apart_ms; /* the wall clock's distance from that of the boot */
	int64_t seen_ms; /* by the latter, when that was last put right */
	int64_t wall_ms; /* when all was right last */
	int64_t newest_ms; /* a line ahead of the clock at the start; 0: none */
	int64_t from_ms; /* since when no orders are taken */
	int64_t to_ms; /* until when none were */
};

/* A line of the file of last lines (ledger_heads.c). */
struct ledger_head {
	uint8_t game[HASH_LEN];
	int64_t seq;
	uint8_t hash[HASH_LEN];
	bool is_done;
	size_t order; /* in the file */
};

struct ledger_head_list {
	struct ledger_head *all; /* owned: n of them, by game and order */
	size_t n;
};

/* The file. */
struct ledger_heads {
	char *path; /* owned */
	int fd; /* -1: not open */
	struct buf waiting; /* lines for it */
	int64_t size; /* of the file; INT64_MAX: it lacks some */
	int64_t most; /* that it has before it is written anew */
	int64_t synced_ms; /* monotonic */
	bool is_dirty; /* not all of it is on disk */
	bool is_ailing; /* that it cannot be written is logged */
};

/* A game, or a tournament, that is recovering. */
struct ledger_missing {
	uint8_t game[HASH_LEN];
	bool is_tournament; /* game is its id; false of one that is gone */
	bool is_over; /* by the batch that runs */
	bool is_gone; /* there is nothing of it */
	bool has_target; /* line seq was its last one, and has this hash; */
	int64_t seq; /* else nobody knows how many there were */
	uint8_t hash[HASH_LEN];
	int64_t from_ms; /* since when; meaningless for one that is gone */
	uint32_t told; /* slots (game_slot()) whose account has no more lines */
	json_t *accounts; /* owned: likewise of a tournament; NULL: none yet */
	int64_t end_seq; /* is_over: the last line then */
	uint8_t end_hash[HASH_LEN];
};

/* All of them (ledger_recovery.c). */
struct ledger_recovery {
	char *path; /* owned: of the file with the operator's word */
	struct ledger_missing *all; /* owned: n of them, by id */
	size_t n;
	size_t n_here; /* that are not gone */
	int64_t first_ms; /* since when the first of those is */
	int64_t next_ms; /* monotonic: not before it some are ended */
	struct ledger_head_list targets; /* what the file said at the start */
	bool is_changed; /* by the job that runs */
	bool was_changed; /* by the batch */
	bool is_ended; /* the operator has said so, for all */
	bool is_asked; /* a job that ends some is on its way */
};

struct ledger {
	struct ledger_config conf;
	pthread_t thread;

	pthread_mutex_t lock;
	pthread_cond_t wake;
	/* Under the lock. */
	struct ledger_flow flows[LEDGER_FLOWS + 2]; /* ledger_flow() */
	struct ledger_flows ready; /* that whose turn it is comes first */
	size_t waiting; /* jobs in all of them */
	bool is_stopping;
	bool is_broken; /* an fsync failed */
	unsigned channels; /* what conf is to have; likewise the delay */
	int64_t notify_delay_ms;
	struct ledger_limits limits;

	uint64_t seed; /* of ledger_flow(); does not change */

	/* The thread's own. */
	struct store *store;
	struct game_blobs blobs;
	struct game_dice dice;
	struct buf blob; /* what blobs.get lent last */
	struct buf snapshot;
	struct ledger_games games;
	struct ledger_bucket buckets[LEDGER_BUCKETS];
	size_t n_games;
	struct ledger_tournaments tournaments;
	size_t n_tournaments;
	int64_t batch; /* number of the present one */
	int64_t jobs; /* that were in batches */
	size_t most; /* jobs that the present one may take */
	struct ledger_slot slots[LEDGER_BATCH];
	size_t n_slots;
	struct ledger_clock clock;
	struct ledger_misfit misfit; /* of the job that runs */
	bool has_waiting; /* the present batch made something to be sent */
	int64_t clock_ms; /* of the last batch that was stored */
	bool wants_wipe; /* the write-ahead log must be emptied */
	bool is_late; /* a reader was in the way, which is logged */
	bool is_ailing; /* that nothing can be stored is logged */
	int disk_fd; /* the folder of the database; -1: not opened */
	int64_t disk_looked_ms; /* when its room was last asked for */
	bool is_full; /* less is free than must be; it is logged */
	struct ledger_heads heads;
	struct ledger_recovery recovery;
	struct ledger_pairer *pairer; /* owned */
	struct ledger_pairer *reader; /* owned: verifies what is brought */
	struct ledger_pairer *maker; /* owned: reads long tournaments */
	/* Owned, under the lock: those that it has made, for who needs them. */
	struct tournament *made[LEDGER_MADE];
	size_t made_next; /* the place of the next */
};

/* ---- ledger_fault.c ---- */

/*
 * What a failure of ours is to a job: ERR_NOMEM and ERR_IO end the batch and
 * stay, as do ERR_DAMAGED and what a misfit fails with; everything else is
 * logged ("cannot " what) and becomes ERR_STORAGE.
 */
int ledger_fault(const struct ledger *l, int r, const char *what);

/* ---- ledger_game.c: games in memory ---- */

/* Finds a game that is in memory; NULL if it is not. */
struct ledger_game *ledger_game_find(
    struct ledger *l, const uint8_t id[HASH_LEN]);

/*
 * Gives a game, made of what is kept if need be; *out is borrowed.  ERR_BAD if
 * that does not fit, which l->misfit then says; ERR_DAMAGED if that is known
 * and could not be mended, unless its state is known (is_lost).
 */
int ledger_game_get(struct ledger *l, const uint8_t id[HASH_LEN],
    struct ledger_game **out, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Puts a game in; g is taken over, freed too if that fails. */
int ledger_game_put(struct ledger *l, int64_t gid, struct game *g,
    struct ledger_game **out) __attribute__((warn_unused_result));

/* Forgets a game. */
void ledger_game_drop(struct ledger *l, struct ledger_game *lg);

/* Forgets the games and tournaments that the present batch looked at. */
void ledger_game_drop_batch(struct ledger *l);

/* Forgets them all. */
void ledger_game_drop_all(struct ledger *l);

/* Stores snapshot and lobby columns. */
int ledger_game_store(struct ledger *l, int64_t gid, const struct game *g)
    __attribute__((warn_unused_result));

/*
 * Notes that the game of a row does not fit, unless that is known: ERR_BAD, or
 * ERR_DAMAGED with e.  is_lost: nor can its lines help.
 */
int ledger_game_misfit(struct ledger *l, const struct store_game_row *row,
    bool is_lost, const struct errinfo *why, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Runs a LEDGER_MEND job inside its savepoint. */
int ledger_game_mend(struct ledger *l, struct ledger_job *job)
    __attribute__((warn_unused_result));

/* An order on its way into the record. */
struct ledger_order {
	struct ledger *l;
	struct ledger_slot *slot;
	struct ledger_job *job;
	int64_t gid; /* -1 while there is no game */
	struct ledger_game *lg; /* NULL before it is needed */
	const char *account; /* who sits down by it; NULL */
	enum game_phase phase; /* of the game before the order */
	bool had_held; /* the game held a secret choice before the order */
	struct game_effects fx;
	struct ledger_tournament *cup; /* that the game belongs to; NULL */
	struct tournament_place place; /* of a new game there */
};

/* ---- ledger_tournament.c: tournaments in memory, and their games ---- */

/*
 * Gives a tournament, made of its lines if need be; *out is borrowed.
 * ERR_NOTFOUND; ERR_DAMAGED, which is logged, if the lines do not hold.
 */
int ledger_tournament_get(struct ledger *l, const uint8_t id[HASH_LEN],
    struct ledger_tournament **out, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Before a job's first ledger_tournament_get(): true if the tournament is not
 * in memory and so long that others would wait for it.  The job then waits for
 * the maker, once: it is to fail, for the reason in its e, and is run again.
 */
bool ledger_tournament_await(
    struct ledger *l, struct ledger_slot *slot, const uint8_t id[HASH_LEN]);
bool ledger_tournament_await_of(
    struct ledger *l, struct ledger_slot *slot, const struct ledger_game *lg);

/* Takes a tournament over that the maker has made, for who needs it. */
void ledger_tournament_made(struct ledger *l, struct tournament *t);

/* Gives that of a game, likewise; NULL if the game belongs to none. */
int ledger_tournament_of(struct ledger *l, const struct ledger_game *lg,
    struct ledger_tournament **out, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Dates a line of a game that is about to be written no earlier than what was
 * written before it, in the game or in its tournament (NULL: none): of a claim
 * the records must show which of the game's lines came later.
 */
void ledger_tournament_date(const struct ledger_game *lg,
    const struct ledger_tournament *lt, int64_t *at_ms);

/* Puts a tournament in; t is taken over, freed too if that fails. */
int ledger_tournament_put(struct ledger *l, int64_t tid, struct tournament *t,
    struct ledger_tournament **out) __attribute__((warn_unused_result));

/* Forgets one; all that the present batch looked at; all. */
void ledger_tournament_drop(struct ledger *l, struct ledger_tournament *lt);
void ledger_tournament_drop_batch(struct ledger *l);
void ledger_tournament_drop_all(struct ledger *l);

/*
 * Writes, marks and stores the next line of a tournament, which has taken it:
 * p has all of it but what is the tournament's own and the effects.  After a
 * failure the caller forgets the tournament.
 */
int ledger_tournament_line(struct ledger *l, struct ledger_slot *slot,
    struct ledger_tournament *lt, struct record_parts *p, const struct entry *o,
    const struct tournament_effects *fx) __attribute__((warn_unused_result));

/* What lists tell of it as it stands. */
void ledger_tournament_row(
    const struct tournament *t, struct store_tournament_row *row);

/* Whose games tournament_take() asks for. */
struct ledger_look {
	struct ledger *l;
	const struct ledger_tournament *lt;
	const struct tournament_look *one; /* of game, which it is; NULL */
	const uint8_t *game;
};

/*
 * tournament_games: looks at a game at its last line, or at the one that is
 * given; arg is a ledger_look.
 */
int ledger_tournament_look_cb(void *arg, const uint8_t game[HASH_LEN],
    int64_t seq, struct tournament_look *look, struct errinfo *e);

/*
 * Checks a create order, or a join, of a game that names a tournament (S16).
 * ERR_ILLEGAL; ERR_MISSING if the tournament, or its pairing, is not here.
 */
int ledger_tournament_check_create(struct ledger_order *lo,
    const struct order_create *c) __attribute__((warn_unused_result));
int ledger_tournament_check_join(struct ledger_order *lo,
    const struct order_join *j) __attribute__((warn_unused_result));

/* Writes the line that a new game, or the end of one, has in its tournament. */
int ledger_tournament_follow(struct ledger_order *lo)
    __attribute__((warn_unused_result));
int ledger_tournament_result(struct ledger *l, struct ledger_slot *slot,
    struct ledger_tournament *lt, const struct game *g, int64_t at_ms)
    __attribute__((warn_unused_result));

/*
 * Writes a line of the server into a tournament, not before its last one;
 * text is what data names, or NULL.  ERR_ILLEGAL with e if it does not take it.
 */
int ledger_tournament_server(struct ledger *l, struct ledger_slot *slot,
    struct ledger_tournament *lt, const struct ledger_server *sl,
    struct ledger_look *look, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Writes the line of a game that belongs to a leg. */
int ledger_tournament_game(struct ledger *l, struct ledger_slot *slot,
    struct ledger_tournament *lt, const struct tournament_place *place,
    const uint8_t game[HASH_LEN], int64_t at_ms)
    __attribute__((warn_unused_result));

/*
 * Writes the statements of an account that a tournament lacks into it; those of
 * the job's account into all of its tournaments, but those that recover.
 */
int ledger_tournament_catch_up(struct ledger *l, struct ledger_slot *slot,
    struct ledger_tournament *lt, const char *account, int64_t now_ms)
    __attribute__((warn_unused_result));
int ledger_tournament_state(struct ledger *l, struct ledger_slot *slot,
    int64_t now_ms) __attribute__((warn_unused_result));

/*
 * Checks a tournament for `umpired --check`, in a transaction: 0, or ERR_BAD
 * with what is wrong, and *at the line where, -1 if it is in none; what it
 * has read is added to *lines.  *is_unchecked: a newer umpired has to judge it.
 */
int ledger_check_tournament(struct store *st,
    const uint8_t server[SIGN_KEY_LEN], const uint8_t id[HASH_LEN],
    int64_t *lines, int64_t *at, bool *is_unchecked, struct errinfo *e)
    __attribute__((warn_unused_result));

/* ---- ledger_former.c: what tournaments here continue ---- */

/* Keeps lines, and says how far it is. */
int ledger_former_run(struct ledger *l, struct ledger_slot *slot)
    __attribute__((warn_unused_result));

/*
 * Verifies what an account has brought of a tournament, all lines up to the one
 * with the hash head; not on the ledger's thread.  ERR_BAD: e says what is
 * wrong; ERR_NOTFOUND: it is not that any more.
 */
int ledger_former_verify(struct store *st, const char *account,
    const uint8_t id[HASH_LEN], const uint8_t head[HASH_LEN], struct errinfo *e)
    __attribute__((warn_unused_result));

/* ---- ledger_pairer.c: what takes long is done by threads of its own ---- */

#define LEDGER_PAIRINGS 3 /* that are worked out for one job at most */

/* Starts the thread; *out is new. */
int ledger_pairer_start(struct ledger *l, const char *database,
    struct ledger_pairer **out, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Has the pairing that a job waits for worked out, or what it has brought
 * verified, or the tournament that it wants made of its lines, after which the
 * ledger gets it again, before what came later.
 */
void ledger_pairer_take(struct ledger_pairer *p, struct ledger_job *job);

/*
 * Ends the thread, or lets it alone if it is at work; all its jobs, and those
 * that come later, are answered ERR_BUSY.  Free frees it, after the ledger's
 * thread, unless it was let alone.  NULL is allowed.
 */
void ledger_pairer_stop(struct ledger_pairer *p);
void ledger_pairer_free(struct ledger_pairer *p);

/* ---- ledger.c ---- */

/*
 * Takes a job again that had its place before.  ERR_BUSY if the ledger can no
 * longer work.
 */
int ledger_resubmit(struct ledger *l, struct ledger_job *job)
    __attribute__((warn_unused_result));

/* ---- ledger_entry.c: orders to tournaments ---- */

/* Runs a LEDGER_TOURNAMENT job inside its savepoint, as ledger_order_run(). */
int ledger_entry_run(struct ledger *l, struct ledger_slot *slot)
    __attribute__((warn_unused_result));

/* Notes all who are here. */
int ledger_entry_accounts(struct ledger *l, const struct ledger_tournament *lt)
    __attribute__((warn_unused_result));

/*
 * The keys that an account has in a tournament by an operator's line, which a
 * director has accepted, are its own on this server.
 */
int ledger_entry_rekey(struct ledger *l, struct ledger_slot *slot,
    const struct tournament *t, const char *account)
    __attribute__((warn_unused_result));

/* Notes what the line of an order names: blobs, a text, another witness. */
int ledger_entry_name(struct ledger *l, int64_t tid, int64_t seq,
    const struct terms *terms, const struct entry *o)
    __attribute__((warn_unused_result));

/* ---- ledger_text.c: what an order names (record S9) ---- */

/*
 * The text that an order names: true and its ref, and the side that may read
 * it (0: everybody); false if it names none.
 */
bool ledger_text_ref(const struct order *o, uint8_t ref[HASH_LEN], int *side);

/*
 * Checks that the texts sent and those named are the same.  ERR_INVALID,
 * ERR_TOOBIG, ERR_MISSING.
 */
int ledger_text_check(struct ledger_order *lo)
    __attribute__((warn_unused_result));

/*
 * Checks that the logged-in account may have the blobs that the order names;
 * one that is not there at all is left to the game.  ERR_MISSING.
 */
int ledger_text_check_blobs(struct ledger_order *lo)
    __attribute__((warn_unused_result));

/* Stores the texts sent, and which texts and blobs the line names. */
int ledger_text_write(struct ledger_order *lo, int64_t seq)
    __attribute__((warn_unused_result));

/*
 * Notes which text (for a side) and blobs a line names that came back; value
 * NULL: the text did not.  ERR_MISSING for a blob that is not here.
 */
int ledger_text_name(struct ledger *l, int64_t gid, int64_t seq,
    const uint8_t ref[HASH_LEN], int side, const struct ledger_text *t)
    __attribute__((warn_unused_result));
int ledger_text_name_blobs(struct ledger *l, int64_t gid, int64_t seq,
    const struct order *o, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Checks text n of a job: named is the ref that its order has, or NULL.
 * ERR_INVALID, ERR_TOOBIG.
 */
int ledger_text_check_sent(struct ledger_job *job, size_t n,
    const uint8_t *named) __attribute__((warn_unused_result));

/* Whether an account may have a blob, and it is there.  ERR_MISSING. */
int ledger_text_check_blob(struct ledger *l, struct ledger_job *job,
    const uint8_t hash[HASH_LEN]) __attribute__((warn_unused_result));

/* ---- ledger_limit.c: what is too much ---- */

/* Opens what tells how much of the disk is free. */
int ledger_limit_open(struct ledger *l, const char *database, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Closes it. */
void ledger_limit_close(struct ledger *l);

/*
 * Whether there is room on the disk for what could as well come later; what
 * is for the text.  ERR_LIMIT.
 */
int ledger_limit_disk(struct ledger *l, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Whether an account may open one more game.  ERR_LIMIT. */
int ledger_limit_muster(struct ledger *l, struct ledger_job *job)
    __attribute__((warn_unused_result));

/* True if a game that was last written to at that time has lapsed. */
bool ledger_limit_is_lapsed(
    const struct ledger *l, enum game_phase phase, int64_t at_ms);

/* Whether a game can still take an order.  ERR_DENIED if it has lapsed. */
int ledger_limit_order(struct ledger_order *lo)
    __attribute__((warn_unused_result));

/* ---- ledger_admit.c: who may see and join a game ---- */

/*
 * Whether the logged-in account may give the game orders at all.  ERR_NOTFOUND
 * for a private game of others; ERR_DENIED for a spectator of a game that is
 * shown with a delay, since every answer would tell its present line.
 */
int ledger_admit_see(struct ledger_order *lo)
    __attribute__((warn_unused_result));

/* Whether an account may sit down in the game.  ERR_DENIED. */
int ledger_admit_join(struct ledger_order *lo, const char *account)
    __attribute__((warn_unused_result));

/*
 * ERR_STALE for an accept that somebody else has a seat (record S4.2) whose
 * account has stated keys since that was proposed; the next statement would
 * not follow the game's last one.
 */
int ledger_admit_newcomer(struct ledger_order *lo)
    __attribute__((warn_unused_result));

/*
 * Whether there are the accounts that a create order wants to invite.
 * ERR_NOTFOUND.
 */
int ledger_admit_create(struct ledger_order *lo)
    __attribute__((warn_unused_result));

/*
 * Stores who may see a new game and who is invited, before its first line: what
 * is kept of the line depends on it.
 */
int ledger_admit_open(struct ledger_order *lo)
    __attribute__((warn_unused_result));

/*
 * Ends the invitations to a game that can no longer be joined, and takes an
 * account off its seat that was refused, or that somebody else has now.
 */
int ledger_admit_write(struct ledger_order *lo)
    __attribute__((warn_unused_result));

/* Run LEDGER_INVITE and LEDGER_BLOCK jobs inside their savepoint. */
int ledger_admit_invite(struct ledger *l, struct ledger_slot *slot)
    __attribute__((warn_unused_result));
int ledger_admit_block(struct ledger *l, struct ledger_job *job)
    __attribute__((warn_unused_result));

/* ---- ledger_key.c ---- */

/* Runs a LEDGER_KEY job inside its savepoint. */
int ledger_key_run(struct ledger *l, struct ledger_slot *slot)
    __attribute__((warn_unused_result));

/*
 * Writes the statements of all who sit in a game into it that do not stand
 * there yet, inside a job's savepoint.
 */
int ledger_key_catch_up_all(struct ledger *l, struct ledger_slot *slot,
    struct ledger_game *lg, int64_t now_ms) __attribute__((warn_unused_result));

/* Forgets the lines that one has made. */
void ledger_key_clear(struct ledger_slot *slot);

/* ---- ledger_server.c: lines that the server writes by itself ---- */

/* A line of the server; all pointers are borrowed. */
struct ledger_server {
	const char *what; /* record S4 */
	json_t *data;
	int64_t at_ms; /* not before the game's last line, or it is made so */
	const struct ledger_text *text; /* that data names; NULL: none */
};

/*
 * Writes one into a game, inside the job's savepoint: the line, its text, what
 * follows for all that is kept of the game, and who is told.  ERR_ILLEGAL with
 * the job's errinfo if the game does not take it, and is as before;
 * ERR_RECOVERING likewise, but for `restored`.
 */
int ledger_server_write(struct ledger *l, struct ledger_slot *slot,
    struct ledger_game *lg, const struct ledger_server *sl)
    __attribute__((warn_unused_result));

/* The game of an operator's job, job->game.  ERR_NOTFOUND, with its text. */
int ledger_server_find(struct ledger *l, struct ledger_job *job,
    struct ledger_game **out) __attribute__((warn_unused_result));

/*
 * Checks the text of a job that says why, its first and only one, and gives it
 * salt and ref.  ERR_INVALID, ERR_TOOBIG.
 */
int ledger_server_why(struct ledger_job *job)
    __attribute__((warn_unused_result));

/* One more line that goes out when the batch is on disk; NULL: no memory. */
struct ledger_more *ledger_server_more(struct ledger_slot *slot);

/* Runs a LEDGER_CLOSE job inside its savepoint. */
int ledger_server_close(struct ledger *l, struct ledger_slot *slot)
    __attribute__((warn_unused_result));

/*
 * Finds the id of which an operator's job has the first digits, if any, and
 * whether it is a tournament's.  ERR_NOTFOUND, or ERR_INVALID if several begin
 * with them.
 */
int ledger_server_resolve(struct ledger *l, struct ledger_job *job)
    __attribute__((warn_unused_result));

/* ---- ledger_seat.c ---- */

/* Runs a LEDGER_SEAT job inside its savepoint. */
int ledger_seat_run(struct ledger *l, struct ledger_slot *slot)
    __attribute__((warn_unused_result));

/* ---- ledger_erase.c ---- */

/* Runs a LEDGER_ERASE job inside its savepoint. */
int ledger_erase_run(struct ledger *l, struct ledger_slot *slot)
    __attribute__((warn_unused_result));

/* Whether a text of that author's may be erased by the job.  ERR_DENIED. */
int ledger_erase_allow(struct ledger_job *job, const char *author)
    __attribute__((warn_unused_result));

/*
 * Empties the write-ahead log if it must be; what stands in the way of that is
 * no failure: l->wants_wipe stays.
 */
int ledger_erase_wipe(struct ledger *l) __attribute__((warn_unused_result));

/* ---- ledger_operator.c ---- */

/* Run the parts of these jobs that are about a tournament. */
int ledger_operator_close(struct ledger *l, struct ledger_slot *slot)
    __attribute__((warn_unused_result));
int ledger_operator_key(struct ledger *l, struct ledger_slot *slot)
    __attribute__((warn_unused_result));
int ledger_operator_erase(struct ledger *l, struct ledger_slot *slot)
    __attribute__((warn_unused_result));

/* ---- ledger_notice.c ---- */

/*
 * Stores what a game waits for now: new notices come, those of what waits no
 * longer go.  side: of the order that made the last line (0: the director's);
 * -1: no line was made.
 */
int ledger_notice_game(struct ledger *l, const struct ledger_game *lg, int side)
    __attribute__((warn_unused_result));

/* Does so for the open games of an account, as many as game.todo gives. */
int ledger_notice_account(struct ledger *l, const char *account)
    __attribute__((warn_unused_result));

/* Runs a LEDGER_NOTICE job inside its savepoint. */
int ledger_notice_run(struct ledger *l, struct ledger_job *job)
    __attribute__((warn_unused_result));

/*
 * Puts right what a clock that was ahead has left behind, if it was set back
 * since the last batch: notices and codes that would be due much later than
 * there are pauses.
 */
int ledger_notice_clock(struct ledger *l, int64_t now_ms)
    __attribute__((warn_unused_result));

/* ---- ledger_tell.c: what is told of tournaments ---- */

/*
 * Stores what a tournament tells now, as ledger_notice_game() does for a game.
 * by: the account that wrote the last line; NULL.
 */
int ledger_tell(struct ledger *l, struct ledger_tournament *lt, const char *by)
    __attribute__((warn_unused_result));

/* Does so for what an account is told, which has another address. */
int ledger_tell_account(struct ledger *l, const char *account)
    __attribute__((warn_unused_result));

/* Notes who has come to a leg by the game's last line. */
int ledger_tell_come(struct ledger *l, const struct ledger_tournament *lt,
    const struct ledger_game *lg) __attribute__((warn_unused_result));

/* ---- ledger_address.c ---- */

/* Runs a LEDGER_ADDRESS job inside its savepoint. */
int ledger_address_run(struct ledger *l, struct ledger_job *job)
    __attribute__((warn_unused_result));

/* ---- ledger_clock.c ---- */

/*
 * Begins.  newest_ms is the time of the line that was stored last, or 0;
 * is_noted: that no orders are taken was noted before this start.  ERR_NOMEM.
 */
int ledger_clock_begin(struct ledger_clock *c, const char *database,
    bool is_noted, int64_t newest_ms) __attribute__((warn_unused_result));

/* Frees what that took. */
void ledger_clock_clear(struct ledger_clock *c);

/*
 * The time, for a line; ERR_CLOCK while it is in doubt.  Logs that it is, and
 * that it is no longer, once each.
 */
int ledger_clock_read(struct ledger_clock *c, int64_t *now_ms)
    __attribute__((warn_unused_result));

/* Only looks, and logs likewise. */
void ledger_clock_look(struct ledger_clock *c);

/* Stores since when no orders are taken, or until when; in a transaction. */
int ledger_clock_note(struct ledger *l) __attribute__((warn_unused_result));

/* True if there is something to be stored. */
bool ledger_clock_is_due(const struct ledger_clock *c);

/* After that transaction; if it failed the store is asked what it holds. */
void ledger_clock_settle(struct ledger *l, bool is_stored);

/* ---- ledger_heads.c: the last line of each game, in a file ---- */

/*
 * Reads the file; ledger_heads_clear() frees the list.  ERR_NOTFOUND if there
 * is none, or what is there is none; ERR_IO, ERR_NOMEM.
 */
int ledger_heads_read(const char *path, struct ledger_head_list *list)
    __attribute__((warn_unused_result));
void ledger_heads_clear(struct ledger_head_list *list);

/* Writes it anew.  ERR_IO, which is logged; ERR_STORAGE, ERR_NOMEM. */
int ledger_heads_write(struct ledger *l) __attribute__((warn_unused_result));

/* Adds a line; ledger_heads_flush() writes what was added, and logs. */
void ledger_heads_add(struct ledger *l, bool is_done,
    const uint8_t game[HASH_LEN], int64_t seq, const uint8_t hash[HASH_LEN]);
void ledger_heads_flush(struct ledger *l);

/* Brings it to the disk if a second has passed; between two batches. */
void ledger_heads_sync(struct ledger *l);

/* Closes it. */
void ledger_heads_close(struct ledger *l);

/* ---- ledger_recovery.c: games and tournaments that may have lost lines ----
 */

/*
 * Begins: finds out whether a backup was put back, and which games it lacks
 * lines of.  *e is filled.
 */
int ledger_recovery_begin(struct ledger *l, const char *database,
    struct errinfo *e) __attribute__((warn_unused_result));

/* Frees what that took. */
void ledger_recovery_clear(struct ledger *l);

/* A game that is recovering, borrowed; NULL: it is not. */
struct ledger_missing *ledger_recovery_find(
    struct ledger *l, const uint8_t id[HASH_LEN]);

/*
 * ERR_RECOVERING, with its text, if a game is.  Also if there is nothing of it
 * and it is known that there was.
 */
int ledger_recovery_check(struct ledger *l, const uint8_t id[HASH_LEN],
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * In a job's savepoint: a line has come that stood after the end of a game
 * which is not recovering, so all are from now on.
 */
int ledger_recovery_all(struct ledger *l) __attribute__((warn_unused_result));

/* Likewise: a game, or a tournament, that was gone has a row again. */
int ledger_recovery_back(struct ledger *l, const uint8_t id[HASH_LEN],
    bool is_tournament, int64_t gid) __attribute__((warn_unused_result));

/* A job is done, or was undone: then all is as the database says. */
void ledger_recovery_keep(struct ledger *l);
int ledger_recovery_undo(struct ledger *l) __attribute__((warn_unused_result));

/*
 * After a batch: its last lines go into the file, before anything is
 * answered.
 */
void ledger_recovery_settle(struct ledger *l, bool is_stored);

/*
 * Looks whether the recovery of some games is over by time, and asks for a job
 * that ends it.
 */
void ledger_recovery_look(struct ledger *l);

/* When that is to be done next, in ms from now; INT64_MAX: not at all. */
int64_t ledger_recovery_due_ms(const struct ledger *l);

/* ---- ledger_recovery_end.c ---- */

/*
 * In a job's savepoint: ends the recovery of a game, or a tournament, if it now
 * has all that it had, which the log says.
 */
int ledger_recovery_settle_one(struct ledger *l, struct ledger_slot *slot,
    const uint8_t id[HASH_LEN]) __attribute__((warn_unused_result));

/* Run LEDGER_HEADS and LEDGER_RESTORED jobs inside their savepoint. */
int ledger_recovery_heads(struct ledger *l, struct ledger_slot *slot)
    __attribute__((warn_unused_result));
int ledger_recovery_restored(struct ledger *l, struct ledger_slot *slot)
    __attribute__((warn_unused_result));

/* Says how it ended: the last line then is m->end_seq, m->end_hash. */
void ledger_recovery_told(struct ledger *l, const struct ledger_missing *m,
    bool is_well, bool is_written);

/* ---- ledger_comeback.c: how tournaments go on after a loss ---- */

/*
 * Ends the recovery of a tournament, in a job's savepoint, well or by a line
 * `restored`; then it has the lines of its games that it lacks.
 */
int ledger_comeback_finish(struct ledger *l, struct ledger_slot *slot,
    struct ledger_missing *m, bool is_well) __attribute__((warn_unused_result));

/*
 * Notes that an account has no more lines of it; *is_told if all who are in and
 * a director have said so.
 */
int ledger_comeback_tell(struct ledger_missing *m, const struct tournament *t,
    const char *account, bool *is_told) __attribute__((warn_unused_result));

/*
 * In a job's savepoint: writes the lines `game` and `result` that the
 * tournament of a game lacks for it, unless that is recovering.
 */
int ledger_comeback_game(struct ledger *l, struct ledger_slot *slot,
    struct ledger_game *lg) __attribute__((warn_unused_result));

/* ---- ledger_heal.c ---- */

/* Runs a LEDGER_HEAL job inside its savepoint. */
int ledger_heal_run(struct ledger *l, struct ledger_slot *slot)
    __attribute__((warn_unused_result));

/* ---- ledger_lost.c ---- */

/*
 * How much of the time that is counted for a side whose clock runs is none,
 * since no orders were taken, until now_ms.  A game whose lines do not hold
 * fails as in ledger_replay_run().
 */
int ledger_lost_ms(struct ledger *l, int64_t gid, int side, int64_t now_ms,
    int64_t *lost_ms) __attribute__((warn_unused_result));

/* ---- ledger_renew.c ---- */

/*
 * Makes the states again that an older umpired has kept; called before the
 * thread starts.
 */
int ledger_renew(struct ledger *l, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Stores who sits where.  ERR_BAD if an account is not there. */
int ledger_renew_seats(struct ledger *l, int64_t gid, const struct game *g)
    __attribute__((warn_unused_result));

/*
 * Makes what is kept of the misfit again from its lines, or notes that the game
 * is damaged; between two savepoints.
 */
int ledger_renew_misfit(struct ledger *l) __attribute__((warn_unused_result));

/* ---- ledger_order.c ---- */

/*
 * Checks that keys are those of the account that is logged in.  ERR_ILLEGAL.
 */
int ledger_order_check_account(struct ledger *l, struct ledger_job *job,
    const struct order_join *who) __attribute__((warn_unused_result));

/*
 * Checks that the order was not signed after the line that it becomes, by the
 * clock here.  ERR_CLOCK.
 */
int ledger_order_check_now(int64_t order_ms, int64_t now_ms, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Whether an account may write more now.  ERR_LIMIT. */
int ledger_order_admit(struct ledger_job *job)
    __attribute__((warn_unused_result));

/*
 * Runs an order job inside its savepoint: 0 if slot->job's answer is a line,
 * new or not; ERR_* with its errinfo, and a refusal where record S5 has one.
 * ERR_NOMEM, ERR_STORAGE and ERR_IO are not the order's fault.
 */
int ledger_order_run(struct ledger *l, struct ledger_slot *slot)
    __attribute__((warn_unused_result));

#endif
