/* SPDX-License-Identifier: ISC */
/*
 * One request to the operator's socket of an umpired on this machine
 * (umpire-protocol.7, THE OPERATOR).
 */
#ifndef UMPIRE_CLIENT_NET_LOCAL_CALL_H
#define UMPIRE_CLIENT_NET_LOCAL_CALL_H

#include <stdbool.h>

#include <jansson.h>

#include "common/base/err.h"

/*
 * Connects, asks and waits for the answer; params is stolen.  *result is new.
 * ERR_TOOBIG: the path cannot be a socket's; ERR_NOTFOUND, with is_answer
 * false: nobody is there; ERR_DENIED: the socket is closed to us; ERR_CLOSED,
 * ERR_TIMEOUT: whether it was done is not known; ERR_IO, ERR_NOMEM,
 * ERR_MALFORMED.  *is_answer: the daemon itself refused, and e is its.
 */
int local_call(const char *path, const char *method, json_t *params,
    json_t **result, bool *is_answer, struct errinfo *e)
    __attribute__((warn_unused_result));

#endif
