/* SPDX-License-Identifier: ISC */
/*
 * What the commands share by which players deal with each other: texts that
 * go beside orders, lines that are named, offers that wait, giving an order.
 */
#ifndef UMPIRE_CLIENT_PLAY_OFFERS_H
#define UMPIRE_CLIENT_PLAY_OFFERS_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "client/play/play.h"

struct battle;
struct game;
struct game_offer;

/*
 * The value of an option that goes beside an order as a text: new, and left
 * alone if it was not given.  Prints what is wrong with it; 0, or an exit
 * status.
 */
int offers_text(struct cmd_ctx *cx, const char *option, char **text)
    __attribute__((warn_unused_result));

/* The same for words that are joined already. */
int offers_check_text(const char *text) __attribute__((warn_unused_result));

/* Reads operand number i as the number of a line; 0, or an exit status. */
int offers_line(struct cmd_ctx *cx, int i, int64_t *seq)
    __attribute__((warn_unused_result));

/*
 * Gives an order with a text (NULL: none) under the member `member`, and
 * tells what came of it; args is stolen.  0, or an exit status.
 */
int offers_give(struct play *pl, enum order_kind kind, json_t *args,
    const char *member, const char *text) __attribute__((warn_unused_result));

/*
 * Prints that something belongs to a game that is being played, if this one
 * is not; 0, or an exit status.
 */
int offers_need_play(const struct play *pl) __attribute__((warn_unused_result));

/*
 * True if play_open() has just sent an order of this kind that names line seq
 * (-1: any) and says this (NULL: anything).
 */
bool offers_is_sent(
    const struct play *pl, enum order_kind kind, int64_t seq, const char *say);

/* What an offer, or a ruling that waits, is about, for "anna offers ...":
 * "offers a draw"; free().
 */
char *offers_words(
    const struct game *g, const struct battle *b, const struct game_offer *f);

#endif
