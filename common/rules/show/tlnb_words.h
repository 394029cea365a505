/* SPDX-License-Identifier: ISC */
/* How tlnb is told to people: its sentences, and its template. */
#ifndef UMPIRE_COMMON_RULES_SHOW_TLNB_WORDS_H
#define UMPIRE_COMMON_RULES_SHOW_TLNB_WORDS_H

#include "common/rules/show/rules_show.h"

extern const struct rules_show tlnb_show;

#endif
