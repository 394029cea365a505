/* SPDX-License-Identifier: ISC */
/* The result of an invasion-1812 combat (umpire-rules.7, 11.7). */
#ifndef UMPIRE_COMMON_RULES_INVASION1812_INVASION1812_RESULT_H
#define UMPIRE_COMMON_RULES_INVASION1812_INVASION1812_RESULT_H

#include <jansson.h>

#include "common/rules/rules.h"

struct combat;

/* By enum invasion1812_end, ended by NULL: rules_system's ends. */
extern const char *const invasion1812_result_ends[];

/* rules_system's result: new or NULL. */
json_t *invasion1812_result_json(const struct combat *c);

/* rules_system's outcome: ids are those of the facts. */
void invasion1812_result_outcome(
    const struct combat *c, struct rules_outcome *out);

#endif
