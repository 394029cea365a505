/* SPDX-License-Identifier: ISC */
/* `umpired --init`: everything that a daemon needs, in a new folder. */
#ifndef UMPIRE_SERVER_INIT_H
#define UMPIRE_SERVER_INIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/crypt/sign.h"

/*
 * Makes the folder dir with mode 0700, which must not exist, or be empty and
 * belong to who makes it, and in it the configuration (with n overrides
 * "key=value" set), the keys, the certificate and the database; gives the
 * identity key.  Where root makes it for another user, whom an override names,
 * all belongs to that user.  ERR_EXISTS, ERR_DENIED for a folder of another
 * user, ERR_CONFIG for a bad override or one that wants a file elsewhere,
 * ERR_IO and others; what was made is then removed again.
 */
int init_make(const char *dir, const char *const overrides[], size_t n,
    uint8_t identity[SIGN_KEY_LEN], struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Prints what init_make() has made and what to do next, in plain words;
 * is_roots: also that root must name a user.
 */
void init_explain(
    const char *dir, const uint8_t identity[SIGN_KEY_LEN], bool is_roots);

#endif
