/* SPDX-License-Identifier: ISC */
/* `umpire verify --against`: two copies of one game (umpire-record.7, S10.1).
 */
#ifndef UMPIRE_CLIENT_CMD_AGAINST_H
#define UMPIRE_CLIENT_CMD_AGAINST_H

#include <jansson.h>

struct battle;
struct buf;
struct out;

/* Two copies; all borrowed. */
struct against {
	const char *name; /* of the one that was verified */
	struct buf *bytes;
	const struct battle *b; /* of that; NULL: it did not verify */
	const char *other; /* the other's name */
	const struct buf *others;
};

/*
 * Finds the first line in which they differ and says how, for programs as
 * members of v.  0 if one continues the other, else RECORDFILE_BAD.
 */
int against_compare(struct out *o, const struct against *a, json_t *v);

#endif
