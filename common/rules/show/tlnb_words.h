/* SPDX-License-Identifier: ISC */
/* The sentences of tlnb for the renderer, and its template. */
#ifndef UMPIRE_COMMON_RULES_SHOW_TLNB_WORDS_H
#define UMPIRE_COMMON_RULES_SHOW_TLNB_WORDS_H

#include "common/rules/rules.h"

extern const struct rules_word tlnb_words[];

/* A declaration to fill in. */
extern const char tlnb_words_template[];

#endif
