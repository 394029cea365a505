/* SPDX-License-Identifier: ISC */
/*
 * A connection to the profile's server, whose identity is checked: the
 * pinned key must sign this very connection.  At the first connection the
 * key is pinned, by a person or by --trust.
 */
#ifndef UMPIRE_CLIENT_NET_LINK_H
#define UMPIRE_CLIENT_NET_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "client/net/conn.h"
#include "client/profile/profile.h"
#include "common/crypt/sign.h"
#include "common/crypt/vrf.h"

struct buf;
struct cmd_ctx;

struct link {
	struct conn *conn; /* owned; NULL between two connections */
	struct profile *p; /* borrowed */
	char *host; /* owned */
	char *port; /* owned */
	int64_t wait_ms;
	int64_t serial; /* of conn: one more for each new one */
	bool is_logged_in;
	int64_t healed_ms; /* monotonic: when heal_when_due() looked; 0: not */
	int64_t healed_serial; /* on which connection */
	uint8_t server[SIGN_KEY_LEN];
	uint8_t server_dice[VRF_KEY_LEN];
	json_t *hello; /* owned: the result of server.hello */
	bool is_clock_told; /* link_warn_clock() has warned */
	char *display; /* owned: of the account, NULL: none; after a login */
};

/*
 * Connects to p->server and checks who it is; pins its key if none is
 * pinned.  Prints what fails; 0, or an exit status: EX_CONFIG without a
 * server, EX_NOHOST, EX_UNAVAILABLE, EX_TEMPFAIL, EX_NOPERM for another key
 * than the pinned one, one that is not proved, or one that nobody confirmed.
 * *out is new.
 */
int link_open(struct cmd_ctx *cx, struct profile *p, struct link **out)
    __attribute__((warn_unused_result));

/* Closes and frees; NULL is allowed. */
void link_close(struct link *l);

/*
 * The signature that logs `account` in on this connection (record S12) by
 * the profile's key, which must be loaded.
 */
int link_sign(const struct link *l, const char *account, uint8_t sig[SIGN_LEN])
    __attribute__((warn_unused_result));

/* 0 if the profile has an account, or an exit status, and prints what to do. */
int link_need_account(const struct profile *p)
    __attribute__((warn_unused_result));

/* Logs in as the profile's account; prints what fails.  0 or exit status. */
int link_login(struct link *l) __attribute__((warn_unused_result));

/* Notes the account's name for people out of what a login answers. */
void link_take_display(struct link *l, const json_t *result);

/* Logs in as p->account; *ce is filled if that fails.  Prints nothing. */
int link_try_login(struct link *l, struct conn_error *ce)
    __attribute__((warn_unused_result));

/*
 * As conn_call(), on the present connection, or on a new one after a request
 * that was not answered in time.
 */
int link_call(struct link *l, const char *method, json_t *params,
    json_t **result, struct conn_error *ce) __attribute__((warn_unused_result));

/*
 * Connects again, with the same checks and login.  ERR_* as conn_open();
 * ERR_SERVER if another server answers.  Prints nothing.
 */
int link_again(struct link *l, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * The same if there is no connection, or a dead one; prints what fails.  0,
 * or an exit status as link_open().
 */
int link_need(struct link *l) __attribute__((warn_unused_result));

/* As link_call(), but prints what fails; 0, or an exit status. */
int link_ask(struct link *l, const char *method, json_t *params,
    json_t **result) __attribute__((warn_unused_result));

/*
 * Gives the server a blob: its hash, and its side line, which is appended.
 * Prints what fails; 0, or an exit status.
 */
int link_put_blob(struct link *l, const json_t *blob, uint8_t hash[HASH_LEN],
    struct buf *side) __attribute__((warn_unused_result));

/*
 * As link_call() for a request that may be sent twice (params is borrowed):
 * what is worth another try is tried again, a few times, with longer pauses
 * and new connections where they are needed.
 */
int link_insist(struct link *l, const char *method, const json_t *params,
    json_t **result, struct conn_error *ce) __attribute__((warn_unused_result));

/*
 * Before when the last line of a game that has not begun must be for the game
 * to have lapsed, as server.hello said; INT64_MIN: none lapses.
 */
int64_t link_lapsed_ms(const struct link *l);

/*
 * The time by our clock or the server's, whichever is earlier: what takes
 * effect by both has not before.
 */
int64_t link_earlier_ms(struct link *l);

/*
 * Whether an order that is signed now would be taken: one that is dated ahead
 * of the server's clock is not (record S3).  Prints why, and what to do; 0, or
 * an exit status: EX_TEMPFAIL, or as link_ask().
 */
int link_check_clock(struct link *l) __attribute__((warn_unused_result));

/*
 * Warns, once, if our clock and the server's are apart by more than minutes,
 * and says what to do: what is told of deadlines goes by ours.
 */
void link_warn_clock(struct link *l);

/* True for answers and faults after which the same is worth another try. */
bool link_is_passing(const struct conn_error *ce);

/*
 * True for what a new connection, later, may not meet again: the connection's
 * own faults, and answers that are worth another try.  Not for what failed
 * on this machine.
 */
bool link_is_fault(const struct conn_error *ce);

/*
 * Prints why a request failed; returns the exit status.  Briefly: without
 * what to do about it, which the caller says.
 */
int link_fail(const struct conn_error *ce);
int link_fail_briefly(const struct conn_error *ce);

#endif
