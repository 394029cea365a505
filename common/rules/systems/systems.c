/* SPDX-License-Identifier: ISC */
/* The list of rule systems. */
#include "common/rules/systems/systems.h"

#include <stddef.h>
#include <string.h>

#include "common/rules/imaginations/imaginations.h"
#include "common/rules/invasion1812/invasion1812.h"
#include "common/rules/lasalle2/lasalle2.h"
#include "common/rules/leniston2009/leniston2009.h"
#include "common/rules/tlnb/tlnb.h"

/* In the order of their ids. */
static const struct rules_system *const systems_table[] = {
    &imaginations_system,
    &invasion1812_system,
    &lasalle2_system,
    &leniston2009_system,
    &tlnb_system,
    NULL,
};

const struct rules_system *const *
systems_all(void)
{
	return (systems_table);
}

const struct rules_system *
systems_find(const char *id)
{
	size_t i;

	for (i = 0; systems_table[i] != NULL; i++) {
		if (strcmp(systems_table[i]->id, id) == 0)
			return (systems_table[i]);
	}
	return (NULL);
}
