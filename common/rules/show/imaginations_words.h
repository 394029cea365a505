/* SPDX-License-Identifier: ISC */
/* How imagi-nations is told to people: its sentences, and its template. */
#ifndef UMPIRE_COMMON_RULES_SHOW_IMAGINATIONS_WORDS_H
#define UMPIRE_COMMON_RULES_SHOW_IMAGINATIONS_WORDS_H

#include "common/rules/show/rules_show.h"

extern const struct rules_show imaginations_show;

#endif
