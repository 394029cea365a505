/* SPDX-License-Identifier: ISC */
/* How leniston-2009 is told to people: its sentences, and its template. */
#ifndef UMPIRE_COMMON_RULES_SHOW_LENISTON2009_WORDS_H
#define UMPIRE_COMMON_RULES_SHOW_LENISTON2009_WORDS_H

#include "common/rules/show/rules_show.h"

extern const struct rules_show leniston2009_show;

#endif
