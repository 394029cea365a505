/* SPDX-License-Identifier: ISC */
/* The sentences of imagi-nations for the renderer, and its template. */
#ifndef UMPIRE_COMMON_RULES_SHOW_IMAGINATIONS_WORDS_H
#define UMPIRE_COMMON_RULES_SHOW_IMAGINATIONS_WORDS_H

#include "common/rules/rules.h"

extern const struct rules_word imaginations_words[];

/* A declaration to fill in. */
extern const char imaginations_words_template[];

#endif
