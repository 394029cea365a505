/* SPDX-License-Identifier: ISC */
/*
 * The kinds of orders of a tournament (record S15.5): one table of all that is
 * known of each without a tournament.
 */
#ifndef UMPIRE_COMMON_TOURNAMENT_ENTRY_KIND_H
#define UMPIRE_COMMON_TOURNAMENT_ENTRY_KIND_H

#include "common/record/order_kind.h"

enum entry_kind {
	ENTRY_CREATE,
	ENTRY_DEPUTY,
	ENTRY_ENTER,
	ENTRY_ADMIT,
	ENTRY_WITHDRAW,
	ENTRY_BYE,
	ENTRY_DICE_KEY,
	ENTRY_SHUT,
	ENTRY_CHECKIN,
	ENTRY_START,
	ENTRY_PAIR,
	ENTRY_CLAIM,
	ENTRY_PROTEST,
	ENTRY_RULING,
	ENTRY_STOP,
	ENTRY_FINISH,
	ENTRY_SAY,
	ENTRY_UNKNOWN, /* a kind of a later version */
};

/* What is known of a kind; texts are "", lists NULL for ENTRY_UNKNOWN. */
struct entry_row {
	const char *name;
	enum order_need proof; /* place and own */
	const char *text; /* the member of args that names a text (S9); NULL */
	const char *what; /* one line for people */
	const struct order_arg *args; /* ended by a NULL name */
};

/* The row of a kind, and its name. */
const struct entry_row *entry_kind_row(enum entry_kind kind);
const char *entry_kind_name(enum entry_kind kind);

/* The kind of a name; ENTRY_UNKNOWN for one of a later version. */
enum entry_kind entry_kind_of(const char *name);

#endif
