/* SPDX-License-Identifier: ISC */
/*
 * What was changed by agreement in a game: every proposal of changes, every
 * takeback and every ruling that changes something, with who gave it, what it
 * changes from what to what, why, and how it ended.
 */
#ifndef UMPIRE_CLIENT_PLAY_CHANGES_H
#define UMPIRE_CLIENT_PLAY_CHANGES_H

struct battle;
struct out;

/* Prints the list, or with --json the array. */
void changes_list(struct out *o, const struct battle *b);

#endif
