/* SPDX-License-Identifier: ISC */
/* The list of how systems are shown, the only place that knows them all. */
#include "common/rules/show/show_list.h"

#include <stddef.h>

static const struct rules_show *const show_list[] = {
    &imaginations_show,
    &invasion1812_show,
    &lasalle2_show,
    &leniston2009_show,
    &tlnb_show,
};

const struct rules_show *
show_list_find(const struct rules_system *sys)
{
	size_t i;

	for (i = 0; i < sizeof(show_list) / sizeof(show_list[0]); i++) {
		if (show_list[i]->sys == sys)
			return (show_list[i]);
	}
	return (NULL);
}
