/* SPDX-License-Identifier: ISC */
/*
 * A typed line as the words of a command line, without a shell: nothing is
 * expanded, and no other program is run.
 */
#ifndef UMPIRE_CLIENT_BASE_WORDLIST_H
#define UMPIRE_CLIENT_BASE_WORDLIST_H

#include <jansson.h>

#include "common/base/err.h"

/*
 * Splits a line at blanks: *words is a new array of texts.  A word that
 * begins with ' or ", or has one behind its first = (name="Old Guard"), goes
 * on to the next such mark, whatever is in between; other marks within a word
 * ("don't") are letters.  ERR_INVALID if the second mark
 * is missing, or the line is not UTF-8.
 */
int wordlist_split(const char *line, json_t **words, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Adds a word to an array of them. */
void wordlist_add(json_t *words, const char *word);

/* Word number i, borrowed; "" if there are fewer. */
const char *wordlist_get(const json_t *words, size_t i);

#endif
