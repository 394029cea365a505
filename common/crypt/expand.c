/* SPDX-License-Identifier: ISC */
/*
 * From the VRF output to dice and chits (record S7): blocks of HMAC-SHA256
 * under beta, read as 16-bit values, made uniform by rejection.  The same
 * beta, label and range give the same values for ever; labels are told apart
 * by whoever asks for them.  Nothing is allocated.
 */
#include "common/crypt/expand.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/err.h"
#include "common/crypt/hash.h"

#define EXPAND_TAG_ROLL "umpire/roll/1"
#define EXPAND_TAG_DRAW "umpire/draw/1"
#define EXPAND_TAG_LEN sizeof(EXPAND_TAG_ROLL) /* both, with the byte 00 */
#define EXPAND_VALUES 16 /* 16-bit values in a block */

_Static_assert(sizeof(EXPAND_TAG_ROLL) == sizeof(EXPAND_TAG_DRAW),
    "the message is laid out for tags of one length");

/* A chit of the bag and where the caller has it. */
struct expand_chit {
	const char *id; /* borrowed */
	uint16_t index;
};

/* Opens a stream; one that is out of range has no tag and gives nothing. */
static void
expand_init(struct expand *x, const char *tag, const uint8_t beta[32],
    const char *label, unsigned n, unsigned min, unsigned max)
{
	size_t len;

	memset(x, 0, sizeof(*x));
	len = strnlen(label, EXPAND_LABEL_MAX + 1);
	if (len > EXPAND_LABEL_MAX || n < min || n > max)
		return;
	memcpy(x->beta, beta, sizeof(x->beta));
	memcpy(x->label, label, len);
	x->tag = tag;
	x->n = n;
	x->used = EXPAND_VALUES;
}

/* Fills the block with number x->next. */
static int
expand_block(struct expand *x)
{
	uint8_t m[EXPAND_TAG_LEN + 2 + EXPAND_LABEL_MAX + 2 + 4];
	uint8_t *p;
	size_t len;
	int r;

	len = strlen(x->label);
	p = m;
	memcpy(p, x->tag, EXPAND_TAG_LEN);
	p += EXPAND_TAG_LEN;
	*p++ = (uint8_t)(len >> 8);
	*p++ = (uint8_t)len;
	memcpy(p, x->label, len);
	p += len;
	*p++ = (uint8_t)(x->n >> 8);
	*p++ = (uint8_t)x->n;
	*p++ = (uint8_t)(x->next >> 24);
	*p++ = (uint8_t)(x->next >> 16);
	*p++ = (uint8_t)(x->next >> 8);
	*p++ = (uint8_t)x->next;
	r = hash_mac(x->block, x->beta, sizeof(x->beta), m, (size_t)(p - m));
	if (r != 0)
		return (r);
	x->next++;
	x->used = 0;
	return (0);
}

/* Orders chits by the bytes of their ids. */
static int
expand_chit_cmp_cb(const void *a, const void *b)
{
	const struct expand_chit *x = a, *y = b;

	return (strcmp(x->id, y->id));
}

void
expand_init_roll(
    struct expand *x, const uint8_t beta[32], const char *label, unsigned sides)
{
	expand_init(
	    x, EXPAND_TAG_ROLL, beta, label, sides, 2, EXPAND_SIDES_MAX);
}

void
expand_init_draw(
    struct expand *x, const uint8_t beta[32], const char *label, unsigned n)
{
	expand_init(x, EXPAND_TAG_DRAW, beta, label, n, 1, EXPAND_BAG_MAX);
}

int
expand_uniform(struct expand *x, unsigned m, unsigned *out)
{
	unsigned limit, value;
	size_t at;
	int r;

	if (x->tag == NULL || m < 1 || m > 65535)
		return (ERR_INVALID);
	limit = 65536 - 65536 % m;
	do {
		if (x->used == EXPAND_VALUES) {
			if ((r = expand_block(x)) != 0)
				return (r);
		}
		at = 2 * (size_t)x->used++;
		value = (unsigned)x->block[at] << 8 | x->block[at + 1];
	} while (value >= limit);
	*out = value % m;
	return (0);
}

int
expand_roll(const uint8_t beta[32], const char *label, unsigned sides,
    unsigned count, uint16_t *dice)
{
	struct expand x;
	uint16_t made[EXPAND_DICE_MAX];
	unsigned i, value;
	int r;

	if (count < 1 || count > EXPAND_DICE_MAX)
		return (ERR_INVALID);
	expand_init_roll(&x, beta, label, sides);
	for (i = 0; i < count; i++) {
		if ((r = expand_uniform(&x, sides, &value)) != 0)
			return (r);
		made[i] = (uint16_t)(1 + value);
	}
	memcpy(dice, made, count * sizeof(dice[0]));
	return (0);
}

int
expand_draw(const uint8_t beta[32], const char *label, const char *const *ids,
    unsigned n, unsigned count, uint16_t *picks)
{
	struct expand_chit left[EXPAND_BAG_MAX];
	struct expand x;
	uint16_t made[EXPAND_BAG_MAX];
	unsigned i, value;
	int r;

	if (n < 1 || n > EXPAND_BAG_MAX || count < 1 || count > n)
		return (ERR_INVALID);
	for (i = 0; i < n; i++) {
		left[i].id = ids[i];
		left[i].index = (uint16_t)i;
	}
	qsort(left, n, sizeof(left[0]), expand_chit_cmp_cb);
	for (i = 1; i < n; i++) {
		if (strcmp(left[i - 1].id, left[i].id) == 0)
			return (ERR_INVALID);
	}
	expand_init_draw(&x, beta, label, n);
	for (i = 0; i < count; i++) {
		if ((r = expand_uniform(&x, n - i, &value)) != 0)
			return (r);
		made[i] = left[value].index;
		memmove(&left[value], &left[value + 1],
		    (n - i - value - 1) * sizeof(left[0]));
	}
	memcpy(picks, made, count * sizeof(picks[0]));
	return (0);
}
