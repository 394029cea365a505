/* SPDX-License-Identifier: ISC */
/*
 * The end of a game that both sides agreed upon.  A player who offers a draw or
 * a victory, or accepts one, has consented to that result: the game is closed
 * for them without another question.  Every other result is closed by
 * hand.
 */
#ifndef UMPIRE_CLIENT_PLAY_FINISH_H
#define UMPIRE_CLIENT_PLAY_FINISH_H

#include <stdbool.h>
#include <stdint.h>

struct play;

/*
 * True if the game was decided by an offer that our seat made or accepted, and
 * waits for our seat to close it.
 */
bool finish_is_due(const struct play *pl);

/*
 * Closes such a game, and says why.  Prints what fails.  0 with the number of
 * its line, or an exit status.
 */
int finish_close(struct play *pl, int64_t *seq)
    __attribute__((warn_unused_result));

/*
 * Does that if it is due and we are logged in, beside another command whose
 * exit status it leaves alone: what fails is told.  Nothing is done while
 * another order waits to be sent.
 */
void finish_try(struct play *pl);

#endif
