/* SPDX-License-Identifier: ISC */
/* The sentences of invasion-1812 for the renderer, and its template. */
#ifndef UMPIRE_COMMON_RULES_SHOW_INVASION1812_WORDS_H
#define UMPIRE_COMMON_RULES_SHOW_INVASION1812_WORDS_H

#include "common/rules/rules.h"

extern const struct rules_word invasion1812_words[];

/* A declaration to fill in. */
extern const char invasion1812_words_template[];

#endif
