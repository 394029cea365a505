/* SPDX-License-Identifier: ISC */
/*
 * An order that waits for its answer (send.h), as people are told of it, and
 * whether its line has come.
 */
#ifndef UMPIRE_CLIENT_PLAY_PENDING_H
#define UMPIRE_CLIENT_PLAY_PENDING_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

struct order;
struct replica;

/*
 * Reads the order of a pending file's object (NULL: there is none); false if
 * that cannot be.  order_clear() frees it.
 */
bool pending_read(const json_t *root, struct order *o);

/* True if an order of this game waits. */
bool pending_is_there(const struct replica *c);

/*
 * What the order of a pending file's object does in the copy's game, in a few
 * words; free().  Secret choices are not told.
 */
char *pending_words(const struct replica *c, const json_t *root);

/* True if the order of a pending file's object changes nothing in play. */
bool pending_is_talk(const json_t *root);

/* As pending_words() for the order that waits; NULL if there is none. */
char *pending_find(const struct replica *c);

/*
 * The line of the copy that holds the order of a pending file's object; -1
 * if none does.
 */
int64_t pending_line(const struct replica *c, const json_t *root);

#endif
