/* SPDX-License-Identifier: ISC */
/* From the VRF output to dice and chits (record S7). */
#ifndef UMPIRE_COMMON_CRYPT_EXPAND_H
#define UMPIRE_COMMON_CRYPT_EXPAND_H

#include <stddef.h>
#include <stdint.h>

#define EXPAND_DICE_MAX 1000 /* dice of one roll */
#define EXPAND_SIDES_MAX 1000 /* sides of a die */
#define EXPAND_BAG_MAX 1000 /* chits in a bag */
#define EXPAND_LABEL_MAX 96 /* bytes of a label */

/* A stream of uniform values for one label; plain data, no ownership. */
struct expand {
	uint8_t beta[32];
	uint8_t block[32];
	char label[EXPAND_LABEL_MAX + 1];
	const char *tag; /* static; NULL: out of range */
	unsigned n; /* sides or size of the bag */
	uint32_t next; /* number of the next block */
	unsigned used; /* values taken from block; 16: none left */
};

/*
 * Opens the stream of a roll's dice with `sides` sides (2..1000).  A stream
 * outside that range, or with a label longer than 96 bytes, gives nothing:
 * expand_uniform() is ERR_INVALID.
 */
void expand_init_roll(struct expand *x, const uint8_t beta[32],
    const char *label, unsigned sides);

/* Opens the stream of a draw from a bag of n chits (1..1000), likewise. */
void expand_init_draw(
    struct expand *x, const uint8_t beta[32], const char *label, unsigned n);

/*
 * Takes the next value in 0 .. m - 1, 1 <= m <= 65,535, by rejection; m = 1
 * takes one too.  A count may grow while a draw goes on: the stream just
 * continues.  ERR_INVALID for another m or a stream out of range; ERR_NOMEM
 * if the library fails, and then the same call may be made again.
 */
int expand_uniform(struct expand *x, unsigned m, unsigned *out)
    __attribute__((warn_unused_result));

/*
 * Rolls count dice (1..1000) with sides sides (2..1000).  ERR_INVALID
 * outside those ranges or for a label longer than 96 bytes.
 */
int expand_roll(const uint8_t beta[32], const char *label, unsigned sides,
    unsigned count, uint16_t *dice) __attribute__((warn_unused_result));

/*
 * Draws count chits from a bag of n distinct ids: picks receives indexes
 * into ids as given (the sorting that S7 asks is done here).  ERR_INVALID
 * outside the ranges or if two ids are equal.
 */
int expand_draw(const uint8_t beta[32], const char *label,
    const char *const *ids, unsigned n, unsigned count, uint16_t *picks)
    __attribute__((warn_unused_result));

#endif
