/* SPDX-License-Identifier: ISC */
/* What is asked of somebody who declares a combat of this system. */
#ifndef UMPIRE_COMMON_RULES_SHOW_LASALLE2_DECLARE_H
#define UMPIRE_COMMON_RULES_SHOW_LASALLE2_DECLARE_H

#include "common/rules/show/declare.h"

/* The table of inputs; ended by a NULL name. */
extern const struct declare_field lasalle2_declare[];

#endif
