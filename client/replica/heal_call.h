/* SPDX-License-Identifier: ISC */
/*
 * What goes to the server in one call that brings lines back, of a game
 * (heal.c) or of a tournament (client/tournament/).
 */
#ifndef UMPIRE_CLIENT_REPLICA_HEAL_CALL_H
#define UMPIRE_CLIENT_REPLICA_HEAL_CALL_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "client/net/conn.h"

struct link;

#define HEAL_CALL_BYTES 60000 /* of the params of one */

struct heal_call {
	json_t *lines; /* owned */
	json_t *texts; /* owned: side lines */
	json_t *secrets; /* owned */
	json_t *given; /* owned: hashes of side lines that have gone, by hex */
	size_t bytes; /* of the three, about */
};

/* Begins the next call; the first after zeroing it.  And frees it. */
void heal_call_begin(struct heal_call *h);
void heal_call_clear(struct heal_call *h);

/* True if a call has lines and no room for one more, of that length. */
bool heal_call_is_full(const struct heal_call *h, const char *line, size_t len);

/* Adds a value, which is stolen, to one of the lists. */
void heal_call_put(struct heal_call *h, json_t *list, json_t *v);
void heal_call_line(struct heal_call *h, const char *line, size_t len);

/*
 * Calls each for what a line names beside the record: its runs of 64 digits,
 * each but once for all calls; until it returns non-zero, which is returned.
 */
int heal_call_refs(struct heal_call *h, const char *line, size_t len,
    int (*each)(void *arg, const char *hex), void *arg);

/* Has the server keep a blob.  Fills *ce if it does not. */
int heal_call_blob(struct link *l, const char *value, struct conn_error *ce)
    __attribute__((warn_unused_result));

/*
 * Gives the server what was put together, by a method and the member that names
 * what it is about (id in hex), and begins anew.  Fills *ce if it does not take
 * it.
 */
int heal_call_give(struct heal_call *h, struct link *l, const char *method,
    const char *member, json_t *id, struct conn_error *ce)
    __attribute__((warn_unused_result));

#endif
