/* SPDX-License-Identifier: ISC */
/* Finding how a system is told. */
#ifndef UMPIRE_COMMON_RULES_SHOW_SHOW_LIST_H
#define UMPIRE_COMMON_RULES_SHOW_SHOW_LIST_H

#include "common/rules/show/rules_show.h"

/* Finds how a system is told; NULL if it is none of systems_all(). */
const struct rules_show *show_list_find(const struct rules_system *sys);

#endif
