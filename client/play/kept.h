/* SPDX-License-Identifier: ISC */
/*
 * An order that waits for its answer (send.h), as people are told of it, and
 * whether its line has come.
 */
#ifndef UMPIRE_CLIENT_PLAY_KEPT_H
#define UMPIRE_CLIENT_PLAY_KEPT_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

struct copy;

/* True if an order of this game waits. */
bool kept_is_there(const struct copy *c);

/*
 * What the order of a pending file's object does, in a few words; free().
 * Secret choices are not told.
 */
char *kept_words(const json_t *root);

/* True if the order of a pending file's object changes nothing in play. */
bool kept_is_talk(const json_t *root);

/* As kept_words() for the order that waits; NULL if there is none. */
char *kept_find(const struct copy *c);

/*
 * The line of the copy that holds the order of a pending file's object; -1
 * if none does.
 */
int64_t kept_line(const struct copy *c, const json_t *root);

#endif
