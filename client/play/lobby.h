/* SPDX-License-Identifier: ISC */
/*
 * What is known of the games in the lobby, and what has happened there: each
 * row that the server gives, in a notice or a list, is compared with the one
 * before, and the differences are events.  So an event is told once, whether a
 * notice came or the connection was lost in the meantime.
 *
 * An event is an object: `what`, of these, and the row's members:
 *   opened      a game is new
 *   joined      `account` sat down; left: it no longer sits there
 *   begun       play begins; over: it can no longer be won
 *   closed      everything is said; cancelled: it never began
 *   halted      its rules failed
 *   invited     our own account is; uninvited: it no longer is
 *   gone        it is no longer shown to us; only `game` is sure
 */
#ifndef UMPIRE_CLIENT_PLAY_LOBBY_H
#define UMPIRE_CLIENT_PLAY_LOBBY_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "client/net/conn.h"
#include "common/base/err.h"
#include "common/crypt/hash.h"

struct link;
struct lobby;
struct out;
struct profile;

/*
 * Knows nothing yet.  account (NULL: none) is our own one; is_mine: only games
 * in which it sits or to which it is invited.
 */
struct lobby *lobby_new(const char *account, bool is_mine);

/* Frees it; NULL is allowed. */
void lobby_free(struct lobby *lb);

/*
 * Takes the params of a notice lobby.game; events are appended.  One that is
 * older than what is known does nothing.  ERR_REQUEST if it makes no sense.
 */
int lobby_take(struct lobby *lb, const json_t *row, json_t *events,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Asks for the lists of games and takes what they say: at first what is
 * there, which is no event; later what has changed.  Nothing is taken if it
 * fails: *ce is then filled.
 */
int lobby_compare(struct lobby *lb, struct link *l, json_t *events,
    struct conn_error *ce) __attribute__((warn_unused_result));

/*
 * Calls each with the id of every game that is not finished and in which our
 * own account sits.
 */
void lobby_each_own(const struct lobby *lb,
    void (*each)(void *arg, const uint8_t id[HASH_LEN]), void *arg);

/* The time of an event or row: that of the game's last line; -1: unknown. */
int64_t lobby_at(const json_t *row);

/* Tells an event: a sentence, or the object with --json. */
void lobby_text(struct out *o, const struct profile *p, const json_t *event);

#endif
