/* SPDX-License-Identifier: ISC */
/* How invasion-1812 is told to people: its sentences, and its template. */
#ifndef UMPIRE_COMMON_RULES_SHOW_INVASION1812_WORDS_H
#define UMPIRE_COMMON_RULES_SHOW_INVASION1812_WORDS_H

#include "common/rules/show/rules_show.h"

extern const struct rules_show invasion1812_show;

#endif
