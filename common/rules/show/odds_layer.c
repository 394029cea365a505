/* SPDX-License-Identifier: ISC */
/* A table of nodes by the hash of their bytes (FNV-1a), probed in a line. */
#include "common/rules/show/odds_layer.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/err.h"
#include "common/rules/show/odds_dice.h"

#define ODDS_LAYER_TABLE 256 /* slots at first */

/* The hash of bytes. */
static uint64_t
odds_layer_hash(const unsigned char *bytes, size_t len)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	size_t i;

	for (i = 0; i < len; i++)
		hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
	return (hash);
}

/* The slot where these bytes are, or where they belong. */
static size_t
odds_layer_slot(const struct odds_layer *layer, uint64_t hash,
    const void *bytes, size_t len)
{
	const struct odds_layer_node *node;
	size_t at = (size_t)hash & (layer->n_table - 1);

	for (; layer->table[at] != 0; at = (at + 1) & (layer->n_table - 1)) {
		node = layer->nodes[layer->table[at] - 1];
		if (node->hash == hash && node->len == len &&
		    memcmp(node->bytes, bytes, len) == 0)
			break;
	}
	return (at);
}

/* Makes room for one more: the table is never more than half full. */
static int
odds_layer_grow(struct odds_layer *layer)
{
	size_t i,
	    n = layer->n_table == 0 ? ODDS_LAYER_TABLE : 2 * layer->n_table;
	const struct odds_layer_node *node;
	struct odds_layer_node **nodes;
	uint32_t *table;

	if (2 * layer->n < layer->n_table)
		return (0);
	nodes = realloc(layer->nodes, n / 2 * sizeof(struct odds_layer_node *));
	if (nodes == NULL)
		return (ERR_NOMEM);
	layer->nodes = nodes;
	if ((table = calloc(n, sizeof(*table))) == NULL)
		return (ERR_NOMEM);
	free(layer->table);
	layer->table = table;
	layer->n_table = n;
	for (i = 0; i < layer->n; i++) {
		node = layer->nodes[i];
		table[odds_layer_slot(layer, node->hash, node->bytes,
		    node->len)] = (uint32_t)i + 1;
	}
	return (0);
}

int
odds_layer_add(struct odds_layer *layer, const void *matters, size_t len,
    const struct odds_dice *d, double weight, double ways)
{
	const size_t places = d->at * sizeof(*d->shows);
	const size_t even = len + len % sizeof(*d->shows);
	uint64_t hash = odds_layer_hash(matters, len);
	struct odds_layer_node *node;
	size_t at;
	int r;

	if ((r = odds_layer_grow(layer)) != 0)
		return (r);
	at = odds_layer_slot(layer, hash, matters, len);
	if (layer->table[at] != 0) {
		node = layer->nodes[layer->table[at] - 1];
		node->weight += weight;
		node->ways += ways;
		return (0);
	}
	if (layer->n == ODDS_LAYER_MAX)
		return (ERR_TOOBIG);
	if ((node = malloc(sizeof(*node) + even + 2 * places)) == NULL)
		return (ERR_NOMEM);
	node->weight = weight;
	node->ways = ways;
	node->path_count = d->count;
	node->path_ways = d->ways;
	node->n = d->at;
	node->hash = hash;
	node->len = len;
	memcpy(node->bytes, matters, len);
	node->shows = (uint16_t *)(void *)(node->bytes + even);
	memcpy(node->shows, d->shows, places);
	node->sides = node->shows + d->at;
	memcpy(node->sides, d->sides, places);
	layer->nodes[layer->n++] = node;
	layer->table[at] = (uint32_t)layer->n;
	return (0);
}

void
odds_layer_clear(struct odds_layer *layer)
{
	size_t i;

	for (i = 0; i < layer->n; i++)
		free(layer->nodes[i]);
	free(layer->nodes);
	free(layer->table);
	memset(layer, 0, sizeof(*layer));
}
