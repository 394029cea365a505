/* SPDX-License-Identifier: ISC */
/*
 * A witness's requests, several at a time on one connection: their answers and
 * the server's notices come back in any order, and nothing waits here.
 */
#ifndef UMPIRE_CLIENT_WITNESS_WITNESS_WIRE_H
#define UMPIRE_CLIENT_WITNESS_WITNESS_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/base/err.h"
#include "common/crypt/hash.h"
#include "common/record/rpc.h"

#define WITNESS_WIRE_MOST 96 /* requests that wait, below umpired's 32 */

struct conn;

/* What was asked. */
enum witness_ask {
	WITNESS_ASK_NOTHING, /* a notice, or an answer that says nothing */
	WITNESS_ASK_PING,
	WITNESS_ASK_LOBBY, /* lobby.watch */
	WITNESS_ASK_LIST, /* game.list; seq: which one */
	WITNESS_ASK_WATCH, /* game.watch, tournament.watch */
	WITNESS_ASK_WORD, /* an order */
	WITNESS_ASK_BLOB, /* blob.get */
	WITNESS_ASK_HEADS, /* game.heads; seq 1: tournament.heads */
	WITNESS_ASK_HEAD, /* a record, where the server stands */
	WITNESS_ASK_AHEAD, /* game.record, what follows a line in doubt */
	WITNESS_ASK_HEAL, /* lines given back, or a blob before */
	WITNESS_ASK_CUP, /* tournament.todo */
};

/* A request that waits for its answer. */
struct witness_asked {
	enum witness_ask what;
	int64_t gid; /* 0: about no game */
	int64_t seq; /* a line, as `what` needs it */
	uint8_t hash[HASH_LEN]; /* of the order or the blob */
	int64_t id;
	int64_t at_ms; /* monotonic: when it was sent */
};

struct witness_wire {
	struct conn *conn; /* borrowed; NULL between two connections */
	int64_t wait_ms; /* longest wait for an answer */
	int64_t next_id;
	int64_t heard_ms; /* monotonic: when something came last */
	struct witness_asked asked[WITNESS_WIRE_MOST];
	size_t n;
};

/* Begins with a connection on which nothing else is asked from here on. */
void witness_wire_begin(
    struct witness_wire *w, struct conn *conn, int64_t wait_ms);

/* True if so many more requests may be sent. */
bool witness_wire_has_room(const struct witness_wire *w, size_t n);

/* True if such a request about a game waits for its answer. */
bool witness_wire_waits(
    const struct witness_wire *w, enum witness_ask what, int64_t gid);

/*
 * Sends a request; params is stolen, and *a copied, but for its id and time.
 * There must be room.  What fails ends the use of the connection.
 */
int witness_wire_ask(struct witness_wire *w, const char *method, json_t *params,
    const struct witness_asked *a, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Takes the next message without waiting: *rp (rpc_reply_clear() frees it), and
 * what was asked if it is an answer.  ERR_TIMEOUT if there is none now; what
 * else fails ends the use of the connection.
 */
int witness_wire_next(struct witness_wire *w, struct rpc_reply *rp,
    struct witness_asked *a, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Finds out whether the server is still there, and asks it something if it has
 * been silent for a minute.  ERR_TIMEOUT if it no longer answers.
 */
int witness_wire_check(struct witness_wire *w, struct errinfo *e)
    __attribute__((warn_unused_result));

/* When that has something to do next, monotonic ms. */
int64_t witness_wire_check_ms(const struct witness_wire *w);

#endif
