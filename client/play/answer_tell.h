/* SPDX-License-Identifier: ISC */
/*
 * Answers to the open question as the record will tell them: what "retreat
 * none" means only a sentence says.
 */
#ifndef UMPIRE_CLIENT_PLAY_ANSWER_TELL_H
#define UMPIRE_CLIENT_PLAY_ANSWER_TELL_H

#include <jansson.h>

struct rules_system;

/*
 * The sentence, without its full stop, for the answer that these words (an
 * array of texts, the kind first) give to the question asked, an entry of the
 * view's owed; free().  NULL if they are no answer, or the system is not known
 * (sys NULL).  It holds units' names: strangers' text.
 */
char *answer_tell(const struct rules_system *sys, const json_t *view,
    const json_t *asked, const json_t *words);

#endif
