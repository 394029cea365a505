/* SPDX-License-Identifier: ISC */
#include "common/record/told.h"

#include <string.h>

/* In the order of enum told. */
static const char *const told_names[] = {"admit", "shut", "checkin",
    "checkin-ends", "start", "pair", "table", "bye", "opponent", "start-ends",
    "round-ends", "claim", "rule", "answer", "protest", "ruling", "result",
    "out", "finish", "over", ""};

const char *
told_name(enum told what)
{
	return (told_names[what]);
}

enum told
told_of(const char *name)
{
	int i;

	for (i = 0; i < TOLD_OTHER; i++) {
		if (strcmp(told_names[i], name) == 0)
			break;
	}
	return ((enum told)i);
}
