/* SPDX-License-Identifier: ISC */
/* What the files of the lobby share. */
#ifndef UMPIRE_CLIENT_PLAY_LOBBY_INT_H
#define UMPIRE_CLIENT_PLAY_LOBBY_INT_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "client/play/lobby.h"

#define LOBBY_GAMES_MAX 20000 /* that are known at once */
#define LOBBY_MARGIN_MS 600000 /* how far lists are read into the past */

enum lobby_phase {
	LOBBY_MUSTER,
	LOBBY_PLAY,
	LOBBY_OVER,
	LOBBY_FINISHED,
	LOBBY_HALTED,
};

/* The phases' names in their order, ended by NULL. */
extern const char *const lobby_phases[];

struct lobby {
	char *account; /* owned; NULL: nobody */
	bool is_mine;
	bool is_known; /* the lists have been read once */
	json_t *games; /* owned: id in hex -> row */
	int64_t newest_ms; /* the highest time of a row; -1: none */
};

/* A text of a row that was read, "" if it is not there; borrowed. */
const char *lobby_str(const json_t *row, const char *name);

/* True if nothing happens in a game any more. */
bool lobby_is_done(const json_t *row);

/* All who sit in a game, and the director; new. */
json_t *lobby_people(const json_t *row);

#endif
