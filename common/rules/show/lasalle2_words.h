/* SPDX-License-Identifier: ISC */
/* The sentences of lasalle2 for the renderer, and its template. */
#ifndef UMPIRE_COMMON_RULES_SHOW_LASALLE2_WORDS_H
#define UMPIRE_COMMON_RULES_SHOW_LASALLE2_WORDS_H

#include "common/rules/rules.h"

extern const struct rules_word lasalle2_words[];

/* A declaration to fill in. */
extern const char lasalle2_words_template[];

#endif
