/* SPDX-License-Identifier: ISC */
/* Mails: a message of the daemon's own words to an address, by SMTP. */
#ifndef UMPIRE_SERVER_COURIER_COURIER_MAIL_H
#define UMPIRE_SERVER_COURIER_COURIER_MAIL_H

#include <stdint.h>

#include "server/courier/courier_curl.h"
#include "server/courier/courier_message.h"

#define COURIER_MAIL_PASSWORD 256 /* bytes of a password at most */
#define COURIER_MAIL_ID 16 /* random bytes of a Message-ID */

/*
 * Reads the first line of a file that only its owner may use.  ERR_NOTFOUND,
 * ERR_IO, ERR_DENIED; ERR_MALFORMED for an empty one, one that is too long or
 * has control characters.
 */
int courier_mail_read_password(
    const char *path, char out[COURIER_MAIL_PASSWORD + 1], struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Appends the whole mail, headers and body, with CRLF; failures stay in the
 * buffer.  at_ms is wall clock time.
 */
void courier_mail_write(struct buf *out, const char *from,
    const struct courier_message *job, int64_t at_ms,
    const uint8_t id[COURIER_MAIL_ID]);

/*
 * Makes the transfer of a job; the settings must outlive it.  If it cannot be
 * made *v says why and the result is not 0.
 */
int courier_mail_begin(struct courier_curl *c,
    const struct courier_settings *set, const struct courier_message *job,
    struct courier_verdict *v) __attribute__((warn_unused_result));

/* What has become of it. */
void courier_mail_judge(
    const struct courier_curl *c, CURLcode code, struct courier_verdict *v);

#endif
