/* SPDX-License-Identifier: ISC */
/* The sentences of leniston-2009 for the renderer, and its template. */
#ifndef UMPIRE_COMMON_RULES_SHOW_LENISTON2009_WORDS_H
#define UMPIRE_COMMON_RULES_SHOW_LENISTON2009_WORDS_H

#include "common/rules/rules.h"

extern const struct rules_word leniston2009_words[];

/* A declaration to fill in. */
extern const char leniston2009_words_template[];

#endif
