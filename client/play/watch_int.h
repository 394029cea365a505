/* SPDX-License-Identifier: ISC */
/* What the files of watching share. */
#ifndef UMPIRE_CLIENT_PLAY_WATCH_INT_H
#define UMPIRE_CLIENT_PLAY_WATCH_INT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "client/play/watch.h"
#include "common/crypt/hash.h"

struct follow;
struct lobby;
struct report;

/* One game that is watched. */
struct watch_game {
	uint8_t id[HASH_LEN];
	struct play *pl; /* owned; NULL: it failed or is finished */
	struct report *rp; /* owned; NULL before the first line is told */
	int64_t told; /* lines told, or not to be told */
	bool may_open; /* our secret choice, when it waits for that */
	bool may_answer;
	char *due; /* owned: what was ours to do when it was looked at last */
};

struct watch {
	struct cmd_ctx *cx; /* borrowed */
	struct profile *p; /* borrowed */
	enum watch_what what;
	struct follow *f; /* owned */
	struct watch_game *games; /* owned */
	size_t n;
	size_t cap;
	struct lobby *lobby; /* owned; NULL for one game */
	bool is_list_due; /* the lists of games are to be compared */
	bool is_begun; /* what there was before is known */
	bool is_back; /* lines that come now are not new */
	json_t *events; /* owned: of the lobby, to be told */
	bool has_told; /* something; what comes is set off by a gap */
	bool is_shown; /* lines were told last, and of this game: */
	uint8_t shown[HASH_LEN];
	int64_t wait_ms; /* how long to try to come back; -1: for ever */
	int status; /* of what failed and did not end it */
};

/* True if an event of the lobby is of this kind. */
bool watch_is(const json_t *event, const char *what);

/* Looks what is ours to do; true if something has become so. */
bool watch_look(struct watch *w);

/*
 * Tells all that there is to tell, the oldest first, whatever signals come.
 * What happened in the lobby comes after the line that it happened by.
 */
void watch_tell(struct watch *w);

#endif
