/* SPDX-License-Identifier: ISC */
/* What is asked of somebody who declares a combat of this system. */
#ifndef UMPIRE_COMMON_RULES_SHOW_LENISTON2009_DECLARE_H
#define UMPIRE_COMMON_RULES_SHOW_LENISTON2009_DECLARE_H

#include "common/rules/show/declare.h"

/* The table of inputs; ended by a NULL name. */
extern const struct declare_field leniston2009_declare[];

#endif
