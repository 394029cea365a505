/* SPDX-License-Identifier: ISC */
/*
 * Clients of the daemons that daemon.h has: a blocking connection over
 * OpenSSL, logins, and a game to talk in.
 */
#ifndef UMPIRE_TESTS_LIB_PEER_H
#define UMPIRE_TESTS_LIB_PEER_H

#include <sys/socket.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/base/buf.h"
#include "common/base/frame.h"
#include "common/base/hex.h"
#include "common/game/game.h"
#include "common/game/game_make.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/record/rpc.h"
#include "tests/lib/daemon.h"

#define PEER_WAIT_MS 20000 /* far longer than anything here takes */
#define PEER_TEXTS 30 /* chats of the game that is watched */

extern const char peer_roster[];

/* A client's end. */
struct peer {
	int fd;
	SSL_CTX *ctx;
	SSL *ssl;
	struct frame in;
	int64_t id;
	uint8_t exporter[32];
	struct buf *heard; /* all bytes that came; NULL: not kept */
};

/* Connects a socket to a daemon. */
int peer_dial(const struct daemon *d);

/* Ends the connection. */
void peer_part(struct peer *p);

/* Connects; false if that is turned away. */
bool peer_try_to_meet(struct peer *p, const struct daemon *d);

/* Connects. */
void peer_meet(struct peer *p, const struct daemon *d);

/* Sends bytes. */
void peer_say(struct peer *p, const void *bytes, size_t n);

/* Waits for a line; false at the end of the connection. */
bool peer_hear(struct peer *p, struct rpc_reply *rp);

/* Sends a request without waiting; params is stolen.  Its id. */
int64_t peer_ask(struct peer *p, const char *method, json_t *params);

/* Sends a request and takes its reply; no notice may come before it. */
void peer_call(
    struct peer *p, const char *method, json_t *params, struct rpc_reply *rp);

/* As peer_call(), which must give that error, 0: none. */
void peer_gives(struct peer *p, const char *method, json_t *params, int r);

/* Params that prove a login; exporter is that of some connection. */
json_t *peer_proof(const struct daemon *d, const uint8_t exporter[32],
    const struct sign_key *key, const char *account);

/* As peer_proof(), with a code. */
json_t *peer_invited(const struct daemon *d, const struct peer *p,
    const struct sign_key *key, const char *account, const char *code);

/* Makes a key from a number. */
void peer_key_of(struct sign_key *key, uint8_t n);

/* ---- games ---- */

/* A player with a game. */
struct player {
	struct game_keys keys;
	uint8_t game[HASH_LEN];
	uint8_t head[HASH_LEN];
	char id[2 * HASH_LEN + 1];
};

/* Makes account and game. */
void peer_create(struct peer *p, const struct daemon *d, struct player *pl);

/* The params of a chat order. */
json_t *peer_chat(
    const struct daemon *d, const struct player *pl, const char *words);

/* Takes a notice, which must be of that line. */
void peer_hear_entry(struct peer *p, const struct player *pl, int64_t seq);

#endif
