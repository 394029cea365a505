/* SPDX-License-Identifier: ISC */
/* The OpenRPC document of the dispatch table. */
#ifndef UMPIRE_SERVER_RPC_DISCOVER_H
#define UMPIRE_SERVER_RPC_DISCOVER_H

#include <jansson.h>

struct call_table;

/* The document of a table; new, NULL without memory. */
json_t *discover_document(const struct call_table *table);

#endif
