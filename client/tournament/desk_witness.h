/* SPDX-License-Identifier: ISC */
/* The witness of a tournament, by a card. */
#ifndef UMPIRE_CLIENT_TOURNAMENT_DESK_WITNESS_H
#define UMPIRE_CLIENT_TOURNAMENT_DESK_WITNESS_H

#include <jansson.h>

struct cmd_ctx;
struct link;

/*
 * Makes the member `witness` of terms, or of a ruling, of a card,
 * ACCOUNT:DICEKEY, which `umpire keys card` prints for a witness that the
 * server names.  Prints what is wrong; 0 and *out, new, or an exit status.
 */
int desk_witness(struct cmd_ctx *cx, struct link *l, const char *card,
    json_t **out) __attribute__((warn_unused_result));

#endif
