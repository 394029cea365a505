/* SPDX-License-Identifier: ISC */
/*
 * The kinds of orders (record S3, S5): one table of all that is known of each
 * without a game.  What takes a kind is common/game/game_take.c's.
 */
#ifndef UMPIRE_COMMON_RECORD_ORDER_KIND_H
#define UMPIRE_COMMON_RECORD_ORDER_KIND_H

#include <stdbool.h>

enum order_kind {
	ORDER_CREATE,
	ORDER_JOIN,
	ORDER_READY,
	ORDER_DECLARE,
	ORDER_DECIDE,
	ORDER_COMMIT,
	ORDER_OPEN,
	ORDER_ANSWER,
	ORDER_UPKEEP,
	ORDER_FREE,
	ORDER_TURN_END,
	ORDER_RULING,
	ORDER_ACCEPT,
	ORDER_RESIGN,
	ORDER_CLAIM,
	ORDER_PAUSE,
	ORDER_CLOSE,
	ORDER_CHAT,
	ORDER_PROPOSE,
	ORDER_OFFER,
	ORDER_STANDING,
	ORDER_CUP,
	ORDER_NOTE,
	ORDER_DICE_KEY,
	ORDER_UNKNOWN, /* a kind of a later version */
};

/* Classes of kinds (record S5): they differ in when an order is stale. */
enum order_class {
	ORDER_CLASS_START,
	ORDER_CLASS_TURN,
	ORDER_CLASS_REPLY,
	ORDER_CLASS_END,
	ORDER_CLASS_TALK,
};

/* How a member such as `place` stands to a kind. */
enum order_need {
	ORDER_NO, /* refused */
	ORDER_MAY, /* allowed */
	ORDER_MUST, /* required */
};

/* A member of an order's args, or of an object in them ("clock.per"). */
struct order_arg {
	const char *name;
	const char *schema; /* JSON Schema as JSON text */
	bool is_optional;
	const char *what; /* for people */
};

#define ORDER_ARGS_MAX 48 /* of a kind, those of inner objects among them */

/* What is known of a kind; texts are "", lists NULL for ORDER_UNKNOWN. */
struct order_row {
	const char *name;
	enum order_class class;
	enum order_need place;
	enum order_need own;
	enum order_need other;
	const char *text; /* the member of args that names a text (S9); NULL */
	const char *what; /* one line for people */
	const struct order_arg *args; /* ended by a NULL name */
	const int *errors; /* that may refuse it, besides any's; ended by 0 */
};

/* The row of a kind; its name and class. */
const struct order_row *order_kind_row(enum order_kind kind);
const char *order_kind_name(enum order_kind kind);
enum order_class order_class_of(enum order_kind kind);

/* The kind of a name; ORDER_UNKNOWN for one of a later version. */
enum order_kind order_kind_of(const char *name);

#endif
