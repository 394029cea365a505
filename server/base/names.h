/* SPDX-License-Identifier: ISC */
/* A list of accounts that the settings name. */
#ifndef UMPIRE_SERVER_BASE_NAMES_H
#define UMPIRE_SERVER_BASE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/err.h"

#define NAMES_MAX 8 /* accounts */
#define NAMES_LEN 32 /* bytes of one at most */

struct names {
	size_t n;
	char list[NAMES_MAX][NAMES_LEN + 1];
};

/*
 * Reads accounts that are separated by single blanks; an empty text gives
 * none.  ERR_INVALID with the reason: a word that is no account's name, one
 * that is there twice, too many.
 */
int names_read(const char *text, struct names *out, struct errinfo *e)
    __attribute__((warn_unused_result));

/* True if the list has this account; none has "". */
bool names_has(const struct names *names, const char *account);

#endif
