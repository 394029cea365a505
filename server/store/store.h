/* SPDX-License-Identifier: ISC */
/*
 * SQLite: one file, WAL, synchronous=FULL.  Exactly one connection writes
 * and checkpoints (the ledger's); every other is read-only, never
 * checkpoints and sees only what is committed.  Lines are stored as bytes
 * and never serialised again.
 */
#ifndef UMPIRE_SERVER_STORE_STORE_H
#define UMPIRE_SERVER_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/crypt/hash.h"
#include "common/crypt/sign.h"
#include "common/game/game_now.h"
#include "common/game/game_take.h"
#include "common/record/order.h"

#define STORE_ACCOUNT_MAX 32 /* bytes of an account's name */

struct buf;
struct game_held;
struct game_standing_text;
struct store;

/*
 * Opens (and with may_create makes, and migrates in one transaction a step)
 * the database for writing.  Locks on "<database>.lock" and on the database
 * itself keep a second writer away, in this process too.  ERR_BUSY for a
 * database that is in use, ERR_CONFIG for a file of another application or a
 * newer schema, ERR_IO, ERR_STORAGE; e says what to do.
 */
int store_open_writer(const char *path, bool may_create, struct store **out,
    struct errinfo *e) __attribute__((warn_unused_result));

/* Opens the database read-only, for one thread. */
int store_open_reader(const char *path, struct store **out, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Closes it; NULL is allowed. */
void store_close(struct store *st);

/* What SQLite said of the last failure since store_begin(), for the log. */
const char *store_reason(const struct store *st);

/*
 * True if the last ERR_STORAGE was of what is kept, which no longer has its
 * form; else SQLite could not do what it was asked, and may do it later.
 */
bool store_is_unfit(const struct store *st);

/* Newest schema version that this program knows. */
int store_version(void);

/*
 * Transactions of the writer.  A batch is one transaction; each order in it
 * a savepoint.  store_is_open_transaction() is sqlite3_get_autocommit() == 0:
 * after any error the ledger asks it, since a full disk inside a savepoint
 * drops the whole transaction.  ERR_STORAGE; ERR_IO from store_commit() if
 * an fsync failed: then nothing can be written any more and the daemon must
 * stop.  A reader may pin one state of the database for several questions
 * by store_begin() and store_rollback().
 */
int store_begin(struct store *st) __attribute__((warn_unused_result));
int store_savepoint(struct store *st) __attribute__((warn_unused_result));
int store_release(struct store *st) __attribute__((warn_unused_result));
int store_rollback_savepoint(struct store *st)
    __attribute__((warn_unused_result));
int store_commit(struct store *st) __attribute__((warn_unused_result));
void store_rollback(struct store *st);
bool store_is_open_transaction(const struct store *st);

/*
 * Moves what is committed from the WAL into the database, once enough has
 * gathered; the writer calls it between two batches, after the answers.
 * ERR_STORAGE (later is soon enough), ERR_IO as store_commit().
 */
int store_checkpoint(struct store *st) __attribute__((warn_unused_result));

/* ---- accounts (store_account.c) ---- */

/*
 * Makes an account with its first key and its recovery key, NULL if it has
 * none.  ERR_EXISTS if the name is taken, or the key or the recovery key is
 * already one of that kind; store_account_of_key() tells of both kinds.  invite
 * (NULL: none) is the hash of the one-time code that is thereby used:
 * ERR_DENIED if it was used before.  After a failure the caller rolls back to
 * its savepoint.
 */
int store_account_insert(struct store *st, const char *name,
    const char *display, const uint8_t key[SIGN_KEY_LEN],
    const uint8_t *recovery, const uint8_t *invite, int64_t at_ms)
    __attribute__((warn_unused_result));

/* 0 if there is an account of that name; ERR_NOTFOUND. */
int store_account_find(struct store *st, const char *name)
    __attribute__((warn_unused_result));

/*
 * Copies the name of the account that has or had this key, or whose recovery
 * key it is.  ERR_NOTFOUND.
 */
int store_account_of_key(struct store *st, const uint8_t key[SIGN_KEY_LEN],
    char name[ORDER_ACCOUNT_MAX + 1]) __attribute__((warn_unused_result));

/* 0 if the key is one of the account's, and not dropped; ERR_NOTFOUND. */
int store_account_has_key(struct store *st, const char *name,
    const uint8_t key[SIGN_KEY_LEN]) __attribute__((warn_unused_result));

/* The keys of an account, ascending.  ERR_NOTFOUND. */
int store_account_keys(struct store *st, const char *name,
    struct statement_keys *keys) __attribute__((warn_unused_result));

/* A statement as it was sent; pointers are borrowed. */
struct store_statement {
	const char *text;
	const uint8_t *key; /* that signed it */
	const uint8_t *sig;
};

/*
 * Stores the account's next statement, and does what it says, both of which
 * the caller has checked.  ERR_EXISTS if a new key is or was some account's.
 */
int store_account_state(struct store *st, const struct statement *s,
    const struct store_statement *as, int64_t at_ms)
    __attribute__((warn_unused_result));

/*
 * Appends the text of statement n of an account, and gives who signed it.
 * ERR_NOTFOUND.
 */
int store_account_statement(struct store *st, const char *name, int64_t n,
    struct buf *text, uint8_t key[SIGN_KEY_LEN], uint8_t sig[SIGN_LEN])
    __attribute__((warn_unused_result));

/*
 * Makes an account again that a record proves, or brings its keys up to that
 * date: they are k, with the number and hash of the last statement, whose text
 * is not known.  ERR_EXISTS if one of the keys is another account's.
 */
int store_account_prove(struct store *st, const char *name,
    const struct statement_keys *k, int64_t at_ms)
    __attribute__((warn_unused_result));

/*
 * Calls each for every seat of an account in a game in which a line may
 * follow; ends when it returns non-zero, which is returned.
 */
int store_account_games(struct store *st, const char *name,
    int (*each)(void *arg, const uint8_t game[HASH_LEN], int seat), void *arg)
    __attribute__((warn_unused_result));

#define STORE_NAME 65 /* bytes of a name for people, with its NUL */

/* Copies an account's name for people, "" if it has none; ERR_NOTFOUND. */
int store_account_name(struct store *st, const char *account,
    char out[STORE_NAME]) __attribute__((warn_unused_result));

/*
 * Calls each for every seat of a game that is taken, in their order, with the
 * account and its name for people, "" if it has none; ends when it returns
 * non-zero, which is returned.
 */
int store_account_people(struct store *st, int64_t gid,
    int (*each)(void *arg, int seat, const char *account, const char *name),
    void *arg) __attribute__((warn_unused_result));

/* ---- blobs and texts (store_blob.c) ---- */

/*
 * Stores a blob and charges it to the account; storing it twice is harmless
 * and charges nobody.  The account is noted as one that has put it.
 * ERR_NOTFOUND without such an account.
 */
int store_blob_insert(struct store *st, const uint8_t hash[HASH_LEN],
    const char *bytes, size_t len, const char *account, int64_t at_ms)
    __attribute__((warn_unused_result));

/* 0 if the blob is there; ERR_NOTFOUND. */
int store_blob_find(struct store *st, const uint8_t hash[HASH_LEN])
    __attribute__((warn_unused_result));

/* Appends the blob's bytes to *out.  ERR_NOTFOUND, ERR_STORAGE. */
int store_blob_get(struct store *st, const uint8_t hash[HASH_LEN],
    struct buf *out) __attribute__((warn_unused_result));

/* 0 if a line of any game names the blob; ERR_NOTFOUND. */
int store_blob_is_named(struct store *st, const uint8_t hash[HASH_LEN])
    __attribute__((warn_unused_result));

/* 0 if a line of a game names the blob that is not private; ERR_NOTFOUND. */
int store_blob_is_public(struct store *st, const uint8_t hash[HASH_LEN])
    __attribute__((warn_unused_result));

/* 0 if the account has put the blob; ERR_NOTFOUND. */
int store_blob_was_put(struct store *st, const uint8_t hash[HASH_LEN],
    const char *account) __attribute__((warn_unused_result));

/* Bytes of blobs that an account has put, for its limit.  ERR_NOTFOUND. */
int store_blob_used(struct store *st, const char *account, int64_t *bytes)
    __attribute__((warn_unused_result));

/* ---- games (store_game.c) ---- */

/* What the lobby lists of a game; kept in columns beside the snapshot. */
struct store_game_row {
	int64_t gid; /* rowid, inside the store */
	uint8_t id[HASH_LEN];
	char system[33];
	char phase[16]; /* game_phase_name() */
	char accounts[2][33]; /* of seats 1 and 2, "" if empty */
	char event[65]; /* "" if none */
	char title[GAME_TITLE_MAX + 1]; /* game_title_write() */
	char now[GAME_NOW_MAX + 1]; /* game_now_write() */
	char how[16]; /* game_how_name(), "" while it is undecided */
	int winner; /* side; 0: none */
	int64_t seq; /* of the last line */
	int64_t at_ms; /* of the last line */
	/*
	 * By which the lobby sorts: at_ms, but in play with a delay that of
	 * the last line before, so that no list tells of a line too early.
	 */
	int64_t listed_ms;
	int turn;
	bool is_private; /* who may know of it is access.h's */
	bool is_invited; /* only those who are invited may join */
	int delay_turns; /* for spectators; 0: none */
	int delay_minutes; /* likewise */
};

/* A line to store. */
struct store_line {
	int64_t gid;
	int64_t seq;
	const char *bytes; /* without LF */
	size_t len;
	uint8_t hash[HASH_LEN];
	const uint8_t *oid; /* NULL for server lines; likewise nonce */
	int seat;
	const uint8_t *nonce; /* 16 bytes */
	const uint8_t *pool; /* with place; else NULL */
	const char *place; /* NULL unless the line draws or moves the pool */
};

/* Makes a game that an account has opened; *gid is its rowid. */
int store_game_insert(struct store *st, const uint8_t id[HASH_LEN],
    const char *system, const char *event, const char *opener, int64_t at_ms,
    int64_t *gid) __attribute__((warn_unused_result));

/*
 * Sets who may see a game and when: the last four members of row.  A new game
 * has them before a line of it is stored.
 */
int store_game_set_view(struct store *st, const struct store_game_row *row)
    __attribute__((warn_unused_result));

/* Sets which rules a game is played by. */
int store_game_set_system(struct store *st, int64_t gid, const char *system)
    __attribute__((warn_unused_result));

/*
 * Replaces snapshot and lobby columns; row->listed_ms follows from them.  head
 * is the hash of line row->seq, to which the snapshot belongs.
 */
int store_game_update(struct store *st, const struct store_game_row *row,
    const uint8_t head[HASH_LEN], const char *snapshot, size_t len)
    __attribute__((warn_unused_result));

/*
 * The id that begins with these digits, small ones.  ERR_NOTFOUND; ERR_EXISTS
 * if there are several.
 */
int store_game_digits(struct store *st, const char *digits,
    uint8_t id[HASH_LEN]) __attribute__((warn_unused_result));

/* Finds a game's row. */
int store_game_find(struct store *st, const uint8_t id[HASH_LEN],
    struct store_game_row *row) __attribute__((warn_unused_result));

/*
 * Likewise, its snapshot appended to *snapshot, and whether that fits: it is
 * there, it has the hash that is kept with it, and belongs to the last line
 * there is, which is the row's.  Nothing may be made of one that does not.
 */
int store_game_load(struct store *st, const uint8_t id[HASH_LEN],
    struct store_game_row *row, struct buf *snapshot, bool *fits)
    __attribute__((warn_unused_result));

/*
 * Records that an account sits in a game (for game.list).  ERR_NOTFOUND
 * without such an account.
 */
int store_game_seat(struct store *st, int64_t gid, int seat,
    const char *account) __attribute__((warn_unused_result));

/* Takes an account off its seat; seat -1: all of them. */
int store_game_unseat(struct store *st, int64_t gid, int seat)
    __attribute__((warn_unused_result));

/*
 * Calls each for the seats of a game that are taken, ascending, until it
 * returns non-zero, which is then returned.
 */
int store_game_seats(struct store *st, int64_t gid,
    int (*each)(void *arg, int seat, const char *account), void *arg)
    __attribute__((warn_unused_result));

/* Appends the ids of all games, HASH_LEN bytes each. */
int store_game_ids(struct store *st, struct buf *ids)
    __attribute__((warn_unused_result));

/*
 * Appends the ids of the games whose snapshot an older umpired has made,
 * HASH_LEN bytes each; notes that a game's is up to date.
 */
int store_game_old(struct store *st, struct buf *ids)
    __attribute__((warn_unused_result));
int store_game_renewed(struct store *st, int64_t gid)
    __attribute__((warn_unused_result));

/* ---- when no orders are taken (store_standstill.c) ---- */

/*
 * Notes that from then on no orders of a game (gid -1: of any) are taken, and
 * that it is over: of what is noted last.  Neither twice is a failure.
 */
int store_standstill_begin(struct store *st, int64_t gid, int64_t from_ms,
    const char *why) __attribute__((warn_unused_result));
int store_standstill_end(struct store *st, int64_t gid, int64_t to_ms)
    __attribute__((warn_unused_result));

/* Why no orders of a game are taken. */
#define STORE_WHY_DAMAGED "damaged"
#define STORE_WHY_BEHIND "recovering" /* it has not all lines that it had */
#define STORE_WHY_RESTORED "restored" /* it is not known how many it had */
#define STORE_WHY_MAX 16

/*
 * Notes that of no game that can go on are any taken, as of a backup that was
 * put back; those that are recovering are so, too.
 */
int store_standstill_begin_all(struct store *st, int64_t from_ms)
    __attribute__((warn_unused_result));

/* Why none of a game are.  ERR_NOTFOUND if they are. */
int store_standstill_why(struct store *st, int64_t gid, char why[STORE_WHY_MAX])
    __attribute__((warn_unused_result));

/*
 * Calls each for the games of which none are taken, since when and why, by id;
 * ends when it returns non-zero, which is returned.
 */
int store_standstill_each(struct store *st,
    int (*each)(void *arg, const uint8_t game[HASH_LEN], int64_t from_ms,
	const char *why),
    void *arg) __attribute__((warn_unused_result));

/* 0 if no orders of the game (-1: of any) are taken; ERR_NOTFOUND. */
int store_standstill_find(struct store *st, int64_t gid)
    __attribute__((warn_unused_result));

/*
 * How much of the time from .. to fell into such times, of the game or of all,
 * in ms.
 */
int store_standstill_lost(struct store *st, int64_t gid, int64_t from_ms,
    int64_t to_ms, int64_t *lost_ms) __attribute__((warn_unused_result));

/* ---- last lines (store_heads.c) ---- */

/* The last line of a game, or of a tournament. */
struct store_head {
	int64_t gid; /* tid of a tournament, as game is its id */
	bool is_tournament;
	uint8_t game[HASH_LEN];
	int64_t seq;
	uint8_t hash[HASH_LEN];
};

/* Called for each; a result other than 0 ends it. */
typedef int store_each_head(void *arg, const struct store_head *head);

/*
 * Calls each for all games and tournaments, by id, but for those whose last
 * line has rotted; what it returns if not 0 is returned.
 */
int store_heads_each(struct store *st, store_each_head *each, void *arg)
    __attribute__((warn_unused_result));

/* Appends the hashes of all lines of a game. */
int store_heads_hashes(struct store *st, int64_t gid, struct buf *hashes)
    __attribute__((warn_unused_result));

/*
 * 0 if the last lines are kept in a file beside the database, too, or were
 * once; ERR_NOTFOUND.  And notes that they are.
 */
int store_heads_kept(struct store *st) __attribute__((warn_unused_result));
int store_heads_keep(struct store *st, int64_t at_ms)
    __attribute__((warn_unused_result));

/* ---- lists of games (store_list.c) ---- */

/* Called for each game of a list; a result other than 0 ends it. */
typedef int store_each_row(void *arg, const struct store_game_row *row);

/* A list of games, the highest listed_ms first. */
struct store_list {
	/*
	 * For whom it is ("": nobody): private games are in it only if this
	 * account sits there, or is invited before play.
	 */
	const char *viewer;
	const char *account; /* only games in which it sits; NULL: any */
	const char *phase; /* only games in this one; "lapsed"; NULL: any */
	const char *prefix; /* of their ids: lower-case hex; NULL: any */
	const char *system; /* only games of this one; NULL: any */
	const char *event; /* only games of this one, not ""; NULL: any */
	/*
	 * Games in muster whose last line is older have lapsed (INT64_MIN:
	 * none has): the phase muster is without them.
	 */
	int64_t lapsed_ms;
	/*
	 * Of the games in muster that an account has opened and everybody may
	 * see, the newest alone, if there is a system of those of it.  With
	 * phase NULL or "muster"; an account, a prefix or an event goes before.
	 */
	bool is_newest;
	/* Only games after this place; INT64_MAX: from the top. */
	int64_t before_ms;
	int64_t before_gid;
};

/*
 * Calls each for the games of a list until it returns non-zero, which is then
 * returned.  Private games of others cost nothing.
 * ERR_INVALID for a prefix that is not 1 to 64 hex digits.
 */
int store_list_each(struct store *st, const struct store_list *list,
    store_each_row *each, void *arg) __attribute__((warn_unused_result));

/*
 * Who has opened a game that everybody may see, and how many others of those
 * that are in muster.  ERR_NOTFOUND if that is not known.
 */
int store_list_others(struct store *st, int64_t gid, int64_t lapsed_ms,
    int64_t *n, char opener[STORE_ACCOUNT_MAX + 1])
    __attribute__((warn_unused_result));

/*
 * How many games in muster an account has opened, private ones too, and the
 * oldest of them if there is any.
 */
int store_list_musters(struct store *st, const char *opener, int64_t lapsed_ms,
    int64_t *n, uint8_t oldest[HASH_LEN]) __attribute__((warn_unused_result));

/*
 * Calls each for the games in which an account sits and that are not
 * finished, and for those before play to which it is invited, unless somebody
 * sits there whom it has blocked; else as store_list_each().
 */
int store_list_open(struct store *st, const char *account, int64_t before_ms,
    int64_t before_gid, store_each_row *each, void *arg)
    __attribute__((warn_unused_result));

/* Calls each for all the games to which an account is so invited, likewise. */
int store_list_invited(struct store *st, const char *account, int64_t before_ms,
    int64_t before_gid, store_each_row *each, void *arg)
    __attribute__((warn_unused_result));

/*
 * Calls each for the private games whose lines name a blob and in which the
 * account (NULL: nobody) sits or to which it is invited, in no order.
 */
int store_list_blob(struct store *st, const uint8_t hash[HASH_LEN],
    const char *account, store_each_row *each, void *arg)
    __attribute__((warn_unused_result));

/* ---- who may join (store_admit.c) ---- */

/*
 * Invites an account to a game, or takes the invitation back; neither twice
 * is a failure.  ERR_NOTFOUND without such an account (inviting alone).
 */
int store_invite(struct store *st, int64_t gid, const char *account,
    int64_t at_ms) __attribute__((warn_unused_result));
int store_uninvite(struct store *st, int64_t gid, const char *account)
    __attribute__((warn_unused_result));

/* 0 if the account is invited, and since when; ERR_NOTFOUND. */
int store_invite_find(struct store *st, int64_t gid, const char *account,
    int64_t *at_ms) __attribute__((warn_unused_result));

/*
 * Calls each with the accounts that are invited to a game, since when, and
 * sit not in it, but for those that have blocked one who sits there; until it
 * returns not 0, which is then returned.
 */
int store_invite_each(struct store *st, int64_t gid,
    int (*each)(void *arg, const char *account, int64_t at_ms), void *arg)
    __attribute__((warn_unused_result));

/* Notes that all invitations to a game are void: it has begun or is over. */
int store_invite_end(struct store *st, int64_t gid)
    __attribute__((warn_unused_result));

/* How many accounts are invited to a game. */
int store_invite_count(struct store *st, int64_t gid, int64_t *n)
    __attribute__((warn_unused_result));

/*
 * Blocks an account for another, or ends that; neither twice is a failure.
 * ERR_NOTFOUND without such an account (blocking alone).
 */
int store_block(struct store *st, const char *account, const char *blocked)
    __attribute__((warn_unused_result));
int store_unblock(struct store *st, const char *account, const char *blocked)
    __attribute__((warn_unused_result));

/* 0 if account has blocked the other; ERR_NOTFOUND. */
int store_block_find(struct store *st, const char *account, const char *blocked)
    __attribute__((warn_unused_result));

/*
 * Calls each for the accounts that an account has blocked, by name, until it
 * returns non-zero, which is then returned.
 */
int store_block_each(struct store *st, const char *account,
    int (*each)(void *arg, const char *blocked), void *arg)
    __attribute__((warn_unused_result));

/* How many accounts an account has blocked. */
int store_block_count(struct store *st, const char *account, int64_t *n)
    __attribute__((warn_unused_result));

/* ---- turns (store_turn.c) ---- */

/*
 * Notes the line that ended a turn; as turn 0 that with which play began.
 * ERR_EXISTS if the turn has one.  store_turn_delete() forgets all of a game.
 */
int store_turn_insert(struct store *st, int64_t gid, int turn_no, int64_t seq)
    __attribute__((warn_unused_result));
int store_turn_delete(struct store *st, int64_t gid)
    __attribute__((warn_unused_result));

/* The line of a turn.  ERR_NOTFOUND. */
int store_turn_find(struct store *st, int64_t gid, int turn_no, int64_t *seq)
    __attribute__((warn_unused_result));

/* The last turn whose line is seq or an earlier one.  ERR_NOTFOUND. */
int store_turn_at(struct store *st, int64_t gid, int64_t seq, int *turn_no)
    __attribute__((warn_unused_result));

/* How many lines of turns a game has, turn 0 included. */
int store_turn_count(struct store *st, int64_t gid, int64_t *n)
    __attribute__((warn_unused_result));

/* ---- record (store_record.c) ---- */

/*
 * Inserts a line.  ERR_EXISTS if one of the last guards of SQL strikes:
 * (game, seq), (game, oid), (game, seat, nonce), (game, pool, place).
 */
int store_record_insert(struct store *st, const struct store_line *line)
    __attribute__((warn_unused_result));

/* Appends the line of that number, and gives its hash.  ERR_NOTFOUND. */
int store_record_get(struct store *st, int64_t gid, int64_t seq,
    struct buf *line, uint8_t hash[HASH_LEN])
    __attribute__((warn_unused_result));

/* The hash of a line alone. */
int store_record_hash(struct store *st, int64_t gid, int64_t seq,
    uint8_t hash[HASH_LEN]) __attribute__((warn_unused_result));

/* The number and the hash of a game's last line.  ERR_NOTFOUND. */
int store_record_last(struct store *st, int64_t gid, int64_t *seq,
    uint8_t hash[HASH_LEN]) __attribute__((warn_unused_result));

/*
 * The time of the line that was stored last, of any game.  ERR_NOTFOUND;
 * ERR_STORAGE if it has rotted.
 */
int store_record_newest(struct store *st, int64_t *at_ms)
    __attribute__((warn_unused_result));

/* The time of a line, out of its bytes.  ERR_NOTFOUND, ERR_STORAGE. */
int store_record_at(struct store *st, int64_t gid, int64_t seq, int64_t *at_ms)
    __attribute__((warn_unused_result));

/* Appends the line that holds the order with this id.  ERR_NOTFOUND. */
int store_record_find_oid(struct store *st, int64_t gid,
    const uint8_t oid[HASH_LEN], struct buf *line, int64_t *seq)
    __attribute__((warn_unused_result));

/* 0 if (seat, nonce) was used in the game; ERR_NOTFOUND if not. */
int store_record_find_nonce(struct store *st, int64_t gid, int seat,
    const uint8_t nonce[16]) __attribute__((warn_unused_result));

/*
 * Calls each for lines from .. to (both included) in order, until it
 * returns non-zero, which is then returned.
 */
int store_record_each(struct store *st, int64_t gid, int64_t from, int64_t to,
    int (*each)(void *arg, int64_t seq, const char *bytes, size_t len),
    void *arg) __attribute__((warn_unused_result));

/*
 * Secret choices that wait for their counterpart (record S8).
 * store_secret_each() calls cb for each of the game, in the order of seats,
 * and ends with what cb returns if that is not 0; store_secret_delete()
 * forgets all of the game.
 */
int store_secret_insert(struct store *st, int64_t gid,
    const struct game_held *held) __attribute__((warn_unused_result));
int store_secret_each(struct store *st, int64_t gid,
    int (*cb)(void *arg, const struct game_held *held), void *arg)
    __attribute__((warn_unused_result));
int store_secret_delete(struct store *st, int64_t gid)
    __attribute__((warn_unused_result));

/*
 * Texts of standing orders that have not acted (record S8.1), as above; a
 * text goes by the line of its order.
 */
int store_standing_insert(struct store *st, int64_t gid,
    const struct game_standing_text *t) __attribute__((warn_unused_result));
int store_standing_each(struct store *st, int64_t gid,
    int (*cb)(void *arg, const struct game_standing_text *t), void *arg)
    __attribute__((warn_unused_result));
int store_standing_delete(struct store *st, int64_t gid, int64_t seq)
    __attribute__((warn_unused_result));
int store_standing_clear(struct store *st, int64_t gid)
    __attribute__((warn_unused_result));

/* Whose texts: everybody's alone, or those of the two sides too. */
#define STORE_SIDE_NONE 1u
#define STORE_SIDE_ALL 7u

/*
 * Side lines.  store_text_insert() keeps a text of a game, for a side (0:
 * for everybody); store_text_share() is told the side for which a line names
 * a text: one that is named for different sides becomes everybody's.
 * store_text_find() gives its side, ERR_NOTFOUND.  store_side_name() records
 * that a line names a text or blob; store_side_each() gives each text (kind
 * 0: salt and value) that sides (bits 1 << side) may read and each blob (kind
 * 1) that lines from .. to name, each kind sorted by hash, each once; erased
 * texts are left out.  store_text_each() gives all texts of a game, erased ones
 * too; store_text_insert() does nothing for one that was erased.
 */
int store_text_insert(struct store *st, int64_t gid,
    const uint8_t ref[HASH_LEN], const uint8_t salt[32], const char *text,
    size_t len, int side) __attribute__((warn_unused_result));
int store_text_share(struct store *st, int64_t gid, const uint8_t ref[HASH_LEN],
    int side) __attribute__((warn_unused_result));
int store_text_find(struct store *st, int64_t gid, const uint8_t ref[HASH_LEN],
    int *side) __attribute__((warn_unused_result));
int store_text_each(struct store *st, int64_t gid,
    int (*each)(void *arg, const uint8_t ref[HASH_LEN], int side), void *arg)
    __attribute__((warn_unused_result));
int store_side_name(struct store *st, int64_t gid, int64_t seq, bool is_blob,
    const uint8_t hash[HASH_LEN]) __attribute__((warn_unused_result));
int store_side_each(struct store *st, int64_t gid, int64_t from, int64_t to,
    unsigned sides,
    int (*each)(void *arg, bool is_blob, const uint8_t hash[HASH_LEN],
	const uint8_t *salt, const char *value, size_t len),
    void *arg) __attribute__((warn_unused_result));

/* ---- erasing (store_erase.c) ---- */

/*
 * The first line that names a text of a game, and the account whose key has
 * signed it: "" for a line of the server.  ERR_NOTFOUND if no line names it.
 */
int store_text_author(struct store *st, int64_t gid,
    const uint8_t ref[HASH_LEN], int64_t *seq,
    char account[ORDER_ACCOUNT_MAX + 1]) __attribute__((warn_unused_result));

/*
 * Overwrites salt and value of a text for good, and the display name of its
 * author's account if that is the text; one that was lost does not come back.
 * No failure if it was erased before.
 */
int store_text_erase(struct store *st, int64_t gid, const uint8_t ref[HASH_LEN],
    const char *account) __attribute__((warn_unused_result));

/* 0 if a text of the game was erased; ERR_NOTFOUND. */
int store_text_is_erased(struct store *st, int64_t gid,
    const uint8_t ref[HASH_LEN]) __attribute__((warn_unused_result));

/*
 * Calls each for the texts that were erased of a game, `most` of them after
 * the from-th, in that order, until it returns non-zero, which is then
 * returned: those that a line up to `last` names, and sides may read.
 */
int store_text_erased(struct store *st, int64_t gid, int64_t last,
    unsigned sides, int64_t from, int most,
    int (*each)(void *arg, int64_t n, const uint8_t ref[HASH_LEN]), void *arg)
    __attribute__((warn_unused_result));

/* The number of the last of these; 0 if there are none. */
int store_text_erased_last(struct store *st, int64_t gid, int64_t last,
    unsigned sides, int64_t *n) __attribute__((warn_unused_result));

/*
 * Notes that a text that a line names was lost, if it is not here, nor was
 * erased; side as of store_text_insert().
 */
int store_text_lose(struct store *st, int64_t gid, const uint8_t ref[HASH_LEN],
    int side) __attribute__((warn_unused_result));

/*
 * The same as store_text_erased() for texts that were lost and are not back,
 * in the order in which that was noted; the side of one, and the number of the
 * last of them, ERR_NOTFOUND if it is not, or there are none.
 */
int store_text_lost(struct store *st, int64_t gid, int64_t last, unsigned sides,
    int64_t from, int most,
    int (*each)(void *arg, int64_t n, const uint8_t ref[HASH_LEN]), void *arg)
    __attribute__((warn_unused_result));
int store_text_lost_side(struct store *st, int64_t gid,
    const uint8_t ref[HASH_LEN], int *side) __attribute__((warn_unused_result));
int store_text_lost_last(struct store *st, int64_t gid, int64_t last,
    unsigned sides, int64_t *n) __attribute__((warn_unused_result));

/*
 * Empties the write-ahead log, in which there may be what was overwritten.
 * Outside of a transaction.  ERR_BUSY if a reader is in the way.
 */
int store_wipe(struct store *st) __attribute__((warn_unused_result));

/* ---- backup (store_backup.c) ---- */

/*
 * Opens a database of this or an older schema as a reader, for the functions
 * of this part and store_check().
 */
int store_open_source(const char *path, struct store **out, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Copies all that is committed into an empty file, as one database without a
 * log; others may write meanwhile.  goes_on is asked now and then, with how
 * many pages of the copy are written and, as far as is known, of how many;
 * false ends it with ERR_CLOSED.  After a failure the file (and one named
 * "<to>-journal") may be left with anything in it.  ERR_STORAGE, ERR_NOMEM.
 */
int store_copy(struct store *st, const char *to,
    bool (*goes_on)(void *arg, int64_t pages, int64_t total), void *arg,
    struct errinfo *e) __attribute__((warn_unused_result));

/* How many games and lines of records there are. */
int store_count(struct store *st, int64_t *games, int64_t *lines)
    __attribute__((warn_unused_result));

/* ---- checks ---- */

/*
 * `umpired --check`: integrity_check and foreign_key_check of SQLite.
 * ERR_BAD if they find something.  goes_on (NULL: nobody is asked) is asked
 * now and then, by SQLite 3.40 not before it has read all pages once; false
 * ends it with ERR_CLOSED.
 */
int store_check(struct store *st, bool (*goes_on)(void *arg), void *arg,
    struct errinfo *e) __attribute__((warn_unused_result));

#endif
