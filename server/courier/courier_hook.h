/* SPDX-License-Identifier: ISC */
/* Webhooks: a message as JSON to an address that a player names. */
#ifndef UMPIRE_SERVER_COURIER_COURIER_HOOK_H
#define UMPIRE_SERVER_COURIER_COURIER_HOOK_H

#include "server/courier/courier_curl.h"
#include "server/courier/courier_message.h"

/*
 * Makes the transfer of a job; the settings must outlive it.  If it cannot be
 * made *v says why and the result is not 0.
 */
int courier_hook_begin(struct courier_curl *c,
    const struct courier_settings *set, const struct courier_message *job,
    struct courier_verdict *v) __attribute__((warn_unused_result));

/* What has become of it. */
void courier_hook_judge(
    const struct courier_curl *c, CURLcode code, struct courier_verdict *v);

#endif
