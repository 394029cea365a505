/* SPDX-License-Identifier: ISC */
/*
 * Takebacks in words: which lines can be taken back, why another one cannot,
 * and what it means.  Whether a line is in reach is game_undoable()'s.
 */
#ifndef UMPIRE_CLIENT_PLAY_TAKEBACK_H
#define UMPIRE_CLIENT_PLAY_TAKEBACK_H

#include <stdint.h>

#include <jansson.h>

struct form_list;
struct play;

/*
 * Refuses a line that cannot be taken back: prints why, and by `command`
 * ("offer evening takeback" without the line is "offer", "takeback") which
 * can be.  0, or an exit status.
 */
int takeback_check(struct play *pl, const char *verb, const char *words,
    int64_t from) __attribute__((warn_unused_result));

/*
 * Finds the last line that can be taken back, where none is named, and tells
 * of the others.  Prints if there is none; 0, or an exit status.
 */
int takeback_last(struct play *pl, const char *verb, const char *words,
    int64_t *from) __attribute__((warn_unused_result));

/*
 * What is taken back and what follows from that, in whole sentences that
 * begin with the line; free().
 */
char *takeback_words(struct play *pl, int64_t from);

/*
 * Adds the lines that can be taken back to a list, the last first: their values
 * are their numbers.
 */
void takeback_choices(struct play *pl, struct form_list *list);

#endif
