/* SPDX-License-Identifier: ISC */
/*
 * Where outcomes of a combat meet (combat_meet()): those that come there with
 * the same bytes are one from then on, which goes on from the dice of the
 * first of them with the probability of all.
 */
#ifndef UMPIRE_COMMON_RULES_SHOW_ODDS_LAYER_H
#define UMPIRE_COMMON_RULES_SHOW_ODDS_LAYER_H

#include <stddef.h>
#include <stdint.h>

struct odds_dice;

#define ODDS_LAYER_MAX 65536 /* different outcomes that go on */

/* Outcomes that met. */
struct odds_layer_node {
	double weight; /* their probability together */
	double ways; /* how many they are */
	/* The dice of the first, and how odds_dice counts it. */
	double path_count, path_ways;
	uint16_t *shows, *sides;
	size_t n;
	uint64_t hash;
	size_t len; /* of the bytes that matter */
	unsigned char bytes[]; /* they, then shows and sides */
};

/* All that meet at the same point; zeroed it is empty. */
struct odds_layer {
	struct odds_layer_node **nodes; /* owned, in the order of coming */
	size_t n;
	uint32_t *table; /* owned: number of a node and 1, by its hash */
	size_t n_table;
};

/*
 * Adds an outcome, of which these bytes matter, with its probability and the
 * number of outcomes that it is.  ERR_NOMEM; ERR_TOOBIG if there are more than
 * ODDS_LAYER_MAX.
 */
int odds_layer_add(struct odds_layer *layer, const void *matters, size_t len,
    const struct odds_dice *d, double weight, double ways)
    __attribute__((warn_unused_result));

/* Empties it, and frees what it held. */
void odds_layer_clear(struct odds_layer *layer);

#endif
