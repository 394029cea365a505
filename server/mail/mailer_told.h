/* SPDX-License-Identifier: ISC */
/*
 * What messages say of tournaments.  Of what people wrote there stand in them
 * the names of accounts, and those of the tournament, its scenarios and their
 * armies, which whoever has a part in it has seen before.
 */
#ifndef UMPIRE_SERVER_MAIL_MAILER_TOLD_H
#define UMPIRE_SERVER_MAIL_MAILER_TOLD_H

#include <jansson.h>

#include "server/store/store_notice.h"

struct buf;

/* Appends a time to the minute, on the account's own clock. */
void mailer_told_time(
    struct buf *out, const struct store_notice *t, int64_t ms);

/* Appends the first digits of the name of its game, or tournament. */
void mailer_told_name(struct buf *out, const struct store_notice *t);

/* Of a tournament's game: where it is one, a line; that tournament's name. */
void mailer_told_game(struct buf *out, const struct store_notice *t);
void mailer_told_cup(struct buf *out, const struct store_notice *t);

/* Appends one as a paragraph of a mail, and as a line of a chat. */
void mailer_told_paragraph(struct buf *out, const struct store_notice *t);
void mailer_told_short(struct buf *out, const struct store_notice *t);

/* Makes its object; new, NULL without memory. */
json_t *mailer_told_object(const struct store_notice *t);

#endif
