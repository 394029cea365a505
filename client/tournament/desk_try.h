/* SPDX-License-Identifier: ISC */
/*
 * What an order would do: it is taken by a second reading of our copy, and
 * nothing is signed for the server or sent.
 */
#ifndef UMPIRE_CLIENT_TOURNAMENT_DESK_TRY_H
#define UMPIRE_CLIENT_TOURNAMENT_DESK_TRY_H

#include <stdint.h>

#include <jansson.h>

#include "common/base/err.h"
#include "common/tournament/entry_kind.h"

struct desk;
struct tournament;
struct verify_tournament;

struct desk_try {
	struct verify_tournament *v; /* owned */
	struct tournament *t; /* borrowed: as the order would leave it */
	json_t *events; /* owned; of its line */
};

/*
 * Takes an order of our account (args borrowed; texts' refs are made up) as if
 * it came at a time.  ERR_ILLEGAL and the like with the umpire's words; games
 * are not at hand.  desk_try_clear() frees it.
 */
int desk_try(const struct desk *d, enum entry_kind kind, const json_t *args,
    int64_t at_ms, struct desk_try *y, struct errinfo *e)
    __attribute__((warn_unused_result));
void desk_try_clear(struct desk_try *y);

#endif
