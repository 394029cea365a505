/* SPDX-License-Identifier: ISC */
/*
 * Addresses, quiet hours, and what waits for accounts that are not there
 * (schema version 4).  Times are wall clock milliseconds.
 */
#ifndef UMPIRE_SERVER_STORE_STORE_NOTICE_H
#define UMPIRE_SERVER_STORE_STORE_NOTICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/crypt/hash.h"
#include "common/record/order.h"
#include "common/record/owed.h"
#include "common/record/told.h"

struct store;

#define STORE_ADDRESS_MAX 512 /* bytes of a mail address or URL */
#define STORE_ERROR_MAX 160 /* bytes of a failure's text */
#define STORE_CODE_LEN 8 /* letters and digits of a code */
#define STORE_DATA_MAX 1024 /* bytes of what a notice is about */

/* Ways to tell; bits of a mask are 1 << channel. */
enum store_channel {
	STORE_CHANNEL_COMMAND, /* notify_command, which needs no address */
	STORE_CHANNEL_MAIL,
	STORE_CHANNEL_WEBHOOK,
};

#define STORE_CHANNELS 3

/* "command", "mail", "webhook"; static. */
extern const char *const store_channel_names[STORE_CHANNELS];

/* When not to tell; has_quiet false: always. */
struct store_quiet {
	bool has_quiet;
	int offset_min; /* ahead of UTC */
	int from_min; /* of the day there */
	int to_min;
};

/* An account's address of one kind, plain data. */
struct store_address {
	int64_t id;
	char account[ORDER_ACCOUNT_MAX + 1];
	enum store_channel kind; /* MAIL or WEBHOOK */
	char value[STORE_ADDRESS_MAX + 1];
	int64_t at_ms; /* when it was set */
	bool is_confirmed;
	char code[STORE_CODE_LEN + 1]; /* "": none may be said (any more) */
	int wrong; /* codes that were said wrongly */
	int tries; /* to send the code */
	int64_t next_ms; /* when to try again; -1: not */
	int64_t sent_ms; /* -1: never; the same for failed_ms */
	int64_t failed_ms;
	char error[STORE_ERROR_MAX + 1]; /* of the last failure; "" */
	int failures; /* messages given up in a row */
};

/* An account that something is due to by a channel. */
struct store_group {
	char account[ORDER_ACCOUNT_MAX + 1];
	enum store_channel channel;
	struct store_quiet quiet; /* the account's */
	bool is_doubtful; /* what was sent to its address last has failed */
};

/*
 * One thing that waits for one account, or that it is told of a tournament, by
 * one channel.
 */
struct store_notice {
	int64_t id;
	uint8_t game[HASH_LEN]; /* or tournament */
	bool is_tournament;
	char account[ORDER_ACCOUNT_MAX + 1];
	char system[32];
	enum owed what; /* OWED_OTHER if its name is not known here */
	enum told told; /* of a tournament instead; likewise */
	int64_t since; /* line since which it waits */
	enum store_channel channel;
	int64_t at_ms; /* when it began to wait */
	int64_t until_ms; /* deadline; -1: none */
	int tries;
	int64_t next_ms; /* when to try; -1: never (again) */
	struct store_quiet quiet; /* the account's */
	/*
	 * The account's address for the channel ("" for COMMAND); only
	 * confirmed ones are given.
	 */
	int64_t address_id; /* -1 for COMMAND */
	char address[STORE_ADDRESS_MAX + 1];
	char account_1[ORDER_ACCOUNT_MAX + 1]; /* of the game's row; "" */
	char account_2[ORDER_ACCOUNT_MAX + 1];
	char event[65]; /* of the tournament; "" */
	/* Of a tournament's game: where it is one; round 0: it is none's. */
	uint8_t tournament[HASH_LEN];
	int round, table;
	char data[STORE_DATA_MAX + 1]; /* JSON: what it is about; "" */
};

/*
 * For readers.  cb gets each account and channel, of those in `channels`, by
 * which something is due at now_ms (next_ms <= now_ms), that which is due for
 * longest first, and stops by returning not 0, which is then returned.  cb may
 * use the next function, but not this one.  ERR_STORAGE, ERR_NOMEM.
 */
int store_notice_each_group(struct store *st, int64_t now_ms, unsigned channels,
    int (*cb)(void *arg, const struct store_group *g), void *arg)
    __attribute__((warn_unused_result));

/* Likewise each notice of an account and a channel that is due, by id. */
int store_notice_each_due(struct store *st, int64_t now_ms, const char *account,
    enum store_channel channel,
    int (*cb)(void *arg, const struct store_notice *n), void *arg)
    __attribute__((warn_unused_result));

/* Likewise addresses whose code is to be sent, that due for longest first. */
int store_address_each_due(struct store *st, int64_t now_ms, unsigned channels,
    int (*cb)(void *arg, const struct store_address *a), void *arg)
    __attribute__((warn_unused_result));

/*
 * When the next notice or code of a channel in `channels` is due, -1: none
 * waits.  ERR_STORAGE, ERR_NOMEM.
 */
int store_notice_next(struct store *st, unsigned channels, int64_t *next_ms)
    __attribute__((warn_unused_result));

/* An account's address of one kind.  ERR_NOTFOUND, ERR_STORAGE. */
int store_address_get(struct store *st, const char *account,
    enum store_channel kind, struct store_address *out)
    __attribute__((warn_unused_result));

/* An account's quiet hours (has_quiet false if it has none).  ERR_STORAGE. */
int store_quiet_get(struct store *st, const char *account,
    struct store_quiet *out) __attribute__((warn_unused_result));

/*
 * Calls each with the addresses of an account, by kind, until it returns not
 * 0, which is then returned.  ERR_STORAGE, ERR_NOMEM.
 */
int store_address_each(struct store *st, const char *account,
    int (*each)(void *arg, const struct store_address *a), void *arg)
    __attribute__((warn_unused_result));

/*
 * Bits (1 << channel) of the kinds of which an account has a confirmed
 * address.  ERR_STORAGE, ERR_NOMEM.
 */
int store_address_channels(struct store *st, const char *account,
    unsigned *channels) __attribute__((warn_unused_result));

/*
 * The rest is the ledger's, inside its transaction; all give ERR_STORAGE,
 * ERR_NOMEM and ERR_IO.
 */

/*
 * Gives an account another address of a kind, whose code is to be sent at
 * at_ms; the former goes with its notices.  ERR_NOTFOUND: no such account.
 */
int store_address_set(struct store *st, const char *account,
    enum store_channel kind, const char *value, const char *code, int64_t at_ms)
    __attribute__((warn_unused_result));

/* Takes an account's address of a kind away, and its notices. */
int store_address_drop(struct store *st, const char *account,
    enum store_channel kind) __attribute__((warn_unused_result));

/*
 * Stores what may change of an address: is_confirmed, code, wrong, tries,
 * next_ms, sent_ms, failed_ms, error, failures.
 */
int store_address_update(struct store *st, const struct store_address *a)
    __attribute__((warn_unused_result));

/* An address by its id.  ERR_NOTFOUND. */
int store_address_find(struct store *st, int64_t id, struct store_address *out)
    __attribute__((warn_unused_result));

/* Sets or, has_quiet false, ends an account's quiet hours. */
int store_quiet_set(struct store *st, const char *account,
    const struct store_quiet *quiet) __attribute__((warn_unused_result));

/*
 * Calls each with the notices of a game; of a notice only id, account, what,
 * since, channel and until_ms are set.
 */
int store_notice_each_game(struct store *st, int64_t gid,
    int (*each)(void *arg, const struct store_notice *n), void *arg)
    __attribute__((warn_unused_result));

/*
 * Adds what waits in a game: account, what, since, channel, at_ms, until_ms
 * and next_ms of n.
 */
int store_notice_insert(struct store *st, int64_t gid,
    const struct store_notice *n) __attribute__((warn_unused_result));

/* Sets another line and deadline (-1: none) of what goes on waiting. */
int store_notice_update(struct store *st, int64_t id, int64_t since,
    int64_t until_ms) __attribute__((warn_unused_result));

/* Takes a notice, or all of an account's of a channel, away. */
int store_notice_delete(struct store *st, int64_t id)
    __attribute__((warn_unused_result));
int store_notice_clear(struct store *st, const char *account,
    enum store_channel channel) __attribute__((warn_unused_result));

/* Takes away what tells an account of invitations by another, now blocked. */
int store_notice_block(struct store *st, const char *account,
    const char *blocked) __attribute__((warn_unused_result));

/*
 * Notes when to try again to tell a notice (-1: never) and, is_try, one more
 * try; *account (ORDER_ACCOUNT_MAX + 1 bytes) and *channel are whose it is.
 * ERR_NOTFOUND: it does not wait any more.
 */
int store_notice_tried(struct store *st, int64_t id, int64_t next_ms,
    bool is_try, char *account, enum store_channel *channel)
    __attribute__((warn_unused_result));

/*
 * Makes notices and codes that would be due after last_ms due at now_ms; *any:
 * there were some.
 */
int store_notice_bring(struct store *st, int64_t last_ms, int64_t now_ms,
    bool *any) __attribute__((warn_unused_result));

#endif
