/* SPDX-License-Identifier: ISC */
/* Tables of upkeep orders; a test holds them against the systems. */
#include "common/rules/show/upkeep.h"

#include <stddef.h>
#include <string.h>

#include "common/rules/rules.h"

/* umpire-rules(7), 13.11 */
static const struct upkeep_order upkeep_imaginations[] = {
    {"rest", false, "lose 1d3 fatigue"},
    {"rally", true,
	"try to take back one hit of the battalion, but not its last"},
    {"recover", false, "try to clear disorder, but not where it rallied"},
    {"lead", true, "name who leads after hits, from the round's end on"},
    {NULL, false, NULL},
};

static const struct upkeep_order upkeep_none[] = {
    {NULL, false, NULL},
};

const struct upkeep_order *
upkeep_orders(const struct rules_system *sys)
{
	if (strcmp(sys->id, "imagi-nations") == 0)
		return (upkeep_imaginations);
	return (upkeep_none);
}
