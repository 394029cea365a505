/* SPDX-License-Identifier: ISC */
/* Both histories, where a server says that it has lost what we hold. */
#ifndef UMPIRE_CLIENT_PLAY_LOST_SHOW_H
#define UMPIRE_CLIENT_PLAY_LOST_SHOW_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

struct play;

/*
 * How many lines we hold that the line `restored`, which waits to be accepted,
 * says are lost; 0 if there is none that waits.
 */
int64_t lost_show_count(const struct play *pl);

/* Tells them, and what the server has instead, if there are any. */
void lost_show(struct play *pl);

/* The same for programs: {"from","lines","file"}; null: there are none; new. */
json_t *lost_show_json(const struct play *pl);

#endif
