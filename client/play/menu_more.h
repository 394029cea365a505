/* SPDX-License-Identifier: ISC */
/*
 * "Something else ...": what a player may do at any time or in their turn,
 * asked for step by step.
 */
#ifndef UMPIRE_CLIENT_PLAY_MENU_MORE_H
#define UMPIRE_CLIENT_PLAY_MENU_MORE_H

struct action;
struct form_tape;
struct play;

/*
 * Asks what is to be done, and for what that needs: *a, which
 * action_clear() frees.  After form_tape_back() it goes on with the last
 * question (form_tape.h); the tape is then of the same play.  As ask.h, or
 * ERR_INVALID if what was typed makes no sense, which is told.
 */
int menu_more_ask(struct form_tape *tape, struct play *pl, struct action *a)
    __attribute__((warn_unused_result));

#endif
