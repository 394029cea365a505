/* SPDX-License-Identifier: ISC */
/*
 * What messages to players say.  No text that a player wrote stands in any of
 * them but names of accounts, which are [a-z0-9._-], and what mailer_told.h
 * says; none at all in a header.
 */
#ifndef UMPIRE_SERVER_MAIL_MAILER_TEXT_H
#define UMPIRE_SERVER_MAIL_MAILER_TEXT_H

#include <stddef.h>

#include "server/store/store_notice.h"

struct buf;

#define MAILER_TEXT_MAX 32 /* notices that one message tells in full */

#define MAILER_TEXT_CONFIRM "umpire: confirm this address"

/* The subject of a mail about them; static. */
const char *mailer_text_subject(const struct store_notice *list, size_t n);

/*
 * Appends a mail's text, short lines of ASCII, about the first n notices
 * (1 to MAILER_TEXT_MAX, of one account) of `all`.  Failures stay in the
 * buffer.
 */
void mailer_text_mail(
    struct buf *out, const struct store_notice *list, size_t n, size_t all);

/* Appends the same as a JSON object for programs, in one line. */
void mailer_text_json(
    struct buf *out, const struct store_notice *list, size_t n, size_t all);

/* The same two for the code of an address that is to be confirmed. */
void mailer_text_code_mail(struct buf *out, const struct store_address *a);
void mailer_text_code_json(struct buf *out, const struct store_address *a);

#endif
