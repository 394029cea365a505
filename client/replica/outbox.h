/* SPDX-License-Identifier: ISC */
/*
 * The file of an order on its way, beside the copy of what it is for: a game
 * or a tournament, by its id.  It is written before the order is sent and
 * stays until there is a final answer.
 */
#ifndef UMPIRE_CLIENT_REPLICA_OUTBOX_H
#define UMPIRE_CLIENT_REPLICA_OUTBOX_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "common/base/err.h"
#include "common/crypt/hash.h"
#include "common/crypt/sign.h"

struct profile;

/* Of whose order, and where it is kept: games/<id><suffix>. */
struct outbox {
	const struct profile *p; /* borrowed */
	const uint8_t *id;
	const char *suffix; /* ".pending" */
	const char *refusals; /* ".refusals" */
	const char *member; /* that names the id in a refusal: "game" */
};

/* That of a game. */
struct outbox outbox_game(const struct profile *p, const uint8_t *id);

/* An order as its file holds it. */
struct send_pending {
	json_t *root; /* owned: {"method","params"} */
	const char *method; /* borrowed from root, as the rest */
	const json_t *params;
};

/* A text beside an order: its ref becomes this member of args. */
struct outbox_text {
	const char *member; /* "ref", "why", "for" */
	const char *value; /* NULL: there is none */
};

/*
 * Gives n texts their refs in args, under fresh salts; returns what goes beside
 * the order as `texts`, new, or NULL if there are none.
 */
json_t *outbox_texts(json_t *args, const struct outbox_text *texts, size_t n);

/*
 * True if args that were sent say the same as these would, the members of
 * texts left out, whose refs differ by their salts; and if the texts that were
 * sent (`texts` of the params) are these.
 */
bool outbox_is_same(const json_t *sent, const json_t *args,
    const struct outbox_text *texts, size_t n);
bool outbox_has_texts(
    const json_t *sent, const struct outbox_text *texts, size_t n);

/*
 * Writes an order (params as the method takes them; stolen).  ERR_EXISTS if
 * one is pending already, ERR_IO.
 */
int outbox_store(const struct outbox *ob, const char *method, json_t *params,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Loads the order: 0, ERR_NOTFOUND if there is none, ERR_BAD, ERR_IO.
 * outbox_clear() frees it.
 */
int outbox_load(const struct outbox *ob, struct send_pending *sp,
    struct errinfo *e) __attribute__((warn_unused_result));
void outbox_clear(struct send_pending *sp);

/* Removes the order, which has its answer.  ERR_IO. */
int outbox_done(const struct outbox *ob, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Drops the order, and says so, if it rests on a line from number seq on: those
 * were lost.  ERR_IO.
 */
int outbox_drop(const struct outbox *ob, int64_t seq, struct errinfo *e)
    __attribute__((warn_unused_result));

/* The path of its file; free(). */
char *outbox_path(const struct outbox *ob);

/*
 * True if the server has signed this refusal (an error's data.refusal), and it
 * is of this very order.
 */
bool outbox_is_refusal(const struct outbox *ob, const json_t *refusal,
    const uint8_t oid[HASH_LEN]);

/* Keeps such a refusal and ends the order.  ERR_IO. */
int outbox_refused(const struct outbox *ob, const struct send_pending *sp,
    const json_t *refusal, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Warns if the time of a line that came just now is far from this machine's. */
void outbox_check_clock(int64_t at_ms);

#endif
