/* SPDX-License-Identifier: ISC */
/*
 * What the commands share by which players deal with each other: texts that
 * go beside orders, lines that are named, offers that wait, giving an order.
 */
#ifndef UMPIRE_CLIENT_PLAY_DEAL_H
#define UMPIRE_CLIENT_PLAY_DEAL_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "client/play/play.h"
#include "common/record/order_kind.h"

/*
 * The value of an option that goes beside an order as a text: NULL if it was
 * not given.  Prints what is wrong with it; 0, or an exit status.
 */
int deal_text(struct cmd_ctx *cx, const char *option, const char **text)
    __attribute__((warn_unused_result));

/* The same for words that are joined already. */
int deal_check_text(const char *text) __attribute__((warn_unused_result));

/* Reads operand number i as the number of a line; 0, or an exit status. */
int deal_line(struct cmd_ctx *cx, int i, int64_t *seq)
    __attribute__((warn_unused_result));

/*
 * Gives an order with a text (NULL: none) under the member `member`, and
 * tells what came of it; args is stolen.  0, or an exit status.
 */
int deal_give(struct play *pl, enum order_kind kind, json_t *args,
    const char *member, const char *text) __attribute__((warn_unused_result));

/*
 * Prints that something belongs to a game that is being played, if this one
 * is not; 0, or an exit status.
 */
int deal_need_play(const struct play *pl) __attribute__((warn_unused_result));

/*
 * True if play_open() has just sent an order of this kind that names the line
 * of operand i, if there is one, and says this (NULL: anything).
 */
bool deal_is_sent(
    const struct play *pl, enum order_kind kind, int i, const char *say);

/* What may be done with an offer that is open. */
enum deal_act {
	DEAL_ACCEPT,
	DEAL_DECLINE,
	DEAL_WITHDRAW,
};

/*
 * True if our seat may do that with an element of the view's offers.  own
 * changes of the own units may be accepted, too.
 */
bool deal_may(const struct play *pl, const json_t *offer, enum deal_act act);

/*
 * Finds the offer that operand i names, or without it the only one with
 * which that may be done: *offer is new.  Prints what fails; 0, or an exit
 * status.
 */
int deal_find(struct play *pl, int i, enum deal_act act, json_t **offer)
    __attribute__((warn_unused_result));

/*
 * A whole command: the note that says `say` about the offer that operand 1
 * names, with the text of --why.  An exit status.
 */
int deal_note(struct cmd_ctx *cx, enum deal_act act, const char *say);

#endif
