/* SPDX-License-Identifier: ISC */
/* Reading and showing the words that keys come back from (record S4.1). */
#ifndef UMPIRE_CLIENT_CMD_KEYS_WORDS_H
#define UMPIRE_CLIENT_CMD_KEYS_WORDS_H

#include "common/crypt/words.h"

/*
 * Asks for the words, which are not shown as they are typed, or reads them as
 * a line of standard input; nothing else ever holds them.  Prints what fails;
 * 0, or an exit status.  The caller wipes the seed.
 */
int keys_words_read(uint8_t seed[WORDS_SEED_LEN])
    __attribute__((warn_unused_result));

/*
 * Shows the words, which are kept nowhere, before there is a key that hangs on
 * them: whoever has not seen them has no account by them either.  arg is a
 * struct cmd_ctx; for profile.h.  0, ERR_CLOSED, ERR_IO.
 */
int keys_words_show(void *arg, const char *words);

#endif
