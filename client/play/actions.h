/* SPDX-License-Identifier: ISC */
/*
 * Who owes what in a game, in words, and the commands that we may type now.
 * It reads the state that game_view() gives.
 */
#ifndef UMPIRE_CLIENT_PLAY_ACTIONS_H
#define UMPIRE_CLIENT_PLAY_ACTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

struct game;

struct actions {
	bool is_mine; /* something is ours to do */
	bool has_offer; /* an offer waits for us to accept or decline it */
	bool has_answers; /* answers to the open question are among commands */
	int64_t since; /* line since which the game waits; -1: it does not */
	int64_t until_ms; /* our deadline, -1: none runs */
	char *what; /* owned: one short text, "your turn" */
	json_t *says; /* owned: sentences */
	json_t *commands; /* owned: texts */
	const json_t *ask; /* the open question if it is ours, borrowed from
			    * the view; NULL */
	bool is_secret; /* it is answered by a commit */
};

/*
 * Finds them for our seat (-1: none).  profile is what goes before the
 * subcommand in a command ("" or " --profile NAME"), name how the game is
 * called there.
 */
void actions_find(struct actions *m, const json_t *view, int seat,
    const char *profile, const char *name);

/*
 * Adds commands with lawful answers to an open question of ours that cannot
 * be answered in words; nothing where actions_find() has found some.
 */
void actions_suggest(struct actions *m, const struct game *g, int seat,
    const char *profile, const char *name);

/* Frees what actions_find() gave. */
void actions_clear(struct actions *m);

#endif
