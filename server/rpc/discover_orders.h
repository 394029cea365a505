/* SPDX-License-Identifier: ISC */
/*
 * The kinds of orders (umpire-record.7, S5) for rpc.discover: what args each
 * has and which errors refuse it.
 */
#ifndef UMPIRE_SERVER_RPC_DISCOVER_ORDERS_H
#define UMPIRE_SERVER_RPC_DISCOVER_ORDERS_H

#include <stddef.h>

#include "common/record/order.h"

struct dispatch_field;

struct discover_order {
	enum order_kind kind;
	const char *what; /* one line for people */
	/* Ended by a NULL name; a member of a member as "clock.per". */
	const struct dispatch_field *args;
	const int *errors; /* beside those of every order; ended by 0 */
};

/* All kinds, *n of them, in the order of enum order_kind. */
const struct discover_order *discover_orders(size_t *n);

/* What may refuse an order of any kind; ended by 0. */
extern const int discover_order_errors[];

#endif
