/* SPDX-License-Identifier: ISC */
/* How lasalle2 is told to people: its sentences, and its template. */
#ifndef UMPIRE_COMMON_RULES_SHOW_LASALLE2_WORDS_H
#define UMPIRE_COMMON_RULES_SHOW_LASALLE2_WORDS_H

#include "common/rules/show/rules_show.h"

extern const struct rules_show lasalle2_show;

#endif
