/* SPDX-License-Identifier: ISC */
/* The OpenRPC document of the dispatch table. */
#ifndef UMPIRE_SERVER_RPC_DISCOVER_H
#define UMPIRE_SERVER_RPC_DISCOVER_H

#include <jansson.h>

/* The document; new, NULL without memory. */
json_t *discover_document(void);

#endif
