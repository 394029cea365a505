/* SPDX-License-Identifier: ISC */
/* Takebacks (record S5.2): what lines changed, and how that is undone. */
#ifndef UMPIRE_COMMON_GAME_GAME_UNDO_H
#define UMPIRE_COMMON_GAME_GAME_UNDO_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

struct game;

/*
 * Undoing.  game_undo_begin() makes an entry for the line that is being
 * taken, once; what changes in the roster after it, up to the next entry, is
 * noted in it by game_undo_note(), which each line ends with.
 * game_undo_drew() notes what that line drew from a cup.  game_undo_drop()
 * takes the newest entry away (an objected declare).  game_undo_reaches()
 * says whether a takeback may name a line; game_undo_back() takes all from
 * that line on back.
 */
int game_undo_begin(struct game *g) __attribute__((warn_unused_result));
int game_undo_drew(struct game *g, const char *cup, const json_t *chits)
    __attribute__((warn_unused_result));
int game_undo_note(struct game *g) __attribute__((warn_unused_result));
void game_undo_drop(struct game *g, int64_t seq);

/* The same of a line that the other side objects to: it is as if not given. */
void game_undo_void(struct game *g, int64_t seq);
bool game_undo_reaches(const struct game *g, int64_t seq);
int game_undo_back(struct game *g, int64_t seq)
    __attribute__((warn_unused_result));
void game_undo_clear(struct game *g);

#endif
