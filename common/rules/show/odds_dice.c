/* SPDX-License-Identifier: ISC */
/*
 * The odometer and the generator behind the odds calculator's dice.  The
 * generator is xoshiro256** by Blackman and Vigna, its state filled by their
 * splitmix64; numbers are made uniform by Lemire's multiplication with
 * rejection.  It is not fit for secrets, and no game uses it.
 */
#include "common/rules/show/odds_dice.h"

#include <string.h>

/* Rotates x to the left. */
static uint64_t
odds_dice_rotate(uint64_t x, unsigned k)
{
	return (x << k | x >> (64 - k));
}

/* The generator's next 64 bits. */
static uint64_t
odds_dice_bits(struct odds_dice *d)
{
	uint64_t *s = d->state, out, t = s[1] << 17;

	out = odds_dice_rotate(s[1] * 5, 7) * 9;
	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = odds_dice_rotate(s[3], 45);
	return (out);
}

uint32_t
odds_dice_pick(struct odds_dice *d, uint32_t n)
{
	uint64_t wide;
	uint32_t least;

	wide = (odds_dice_bits(d) >> 32) * n;
	if ((uint32_t)wide < n) {
		/* 2^32 mod n of the low halves would come too often. */
		least = (0U - n) % n;
		while ((uint32_t)wide < least)
			wide = (odds_dice_bits(d) >> 32) * n;
	}
	return ((uint32_t)(wide >> 32));
}

/* Takes the next place, which has so many sides, and gives what it shows. */
static int
odds_dice_take(
    struct odds_dice *d, unsigned sides, uint16_t *shows, struct errinfo *e)
{
	d->count *= sides;
	if (!d->is_walk) {
		*shows = (uint16_t)odds_dice_pick(d, sides);
		return (0);
	}
	if (d->at == ODDS_DICE_PLACES)
		return (err_set(e, ERR_FAULT, NULL, "too many dice to walk"));
	if (d->at == d->n) {
		d->shows[d->n] = 0;
		d->sides[d->n++] = (uint16_t)sides;
	}
	if (d->sides[d->at] != sides)
		return (err_set(e, ERR_FAULT, NULL,
		    "the rules roll differently after the same dice"));
	*shows = d->shows[d->at++];
	return (0);
}

/* combat_dice: a roll. */
static int
odds_dice_roll_cb(void *arg, const char *label, unsigned sides, unsigned count,
    uint16_t *dice, struct errinfo *e)
{
	unsigned i;
	int r;

	(void)label;
	for (i = 0; i < count; i++) {
		if ((r = odds_dice_take(arg, sides, &dice[i], e)) != 0)
			return (r);
		dice[i]++;
	}
	return (0);
}

/*
 * One more chit where only its kind matters: kinds come in ascending order, and
 * an outcome stands for all orders of all chits that are as it.
 */
static int
odds_dice_draw_kind(struct odds_dice *d, unsigned n, const uint16_t *had,
    unsigned nhad, uint16_t *pick, struct errinfo *e)
{
	uint16_t first[ROLLS_BAG_MAX], left[ROLLS_BAG_MAX];
	uint16_t same[ROLLS_BAG_MAX], open[ROLLS_BAG_MAX], shows = 0;
	bool is_had[ROLLS_BAG_MAX];
	const uint16_t least = nhad == 0 ? 0 : d->kinds[had[nhad - 1]];
	unsigned i, k, n_open = 0;
	double count = d->count;
	int r;

	memset(left, 0, n * sizeof(left[0]));
	memset(same, 0, n * sizeof(same[0]));
	memset(is_had, 0, n * sizeof(is_had[0]));
	for (i = 0; i < nhad; i++) {
		is_had[had[i]] = true;
		same[d->kinds[had[i]]]++;
	}
	for (i = 0; i < n; i++) {
		k = d->kinds[i];
		if (!is_had[i] && left[k]++ == 0)
			first[k] = (uint16_t)i;
	}
	for (k = least; k < n; k++) {
		if (left[k] > 0)
			open[n_open++] = (uint16_t)k;
	}
	d->is_nothing = n_open == 0;
	if (d->is_nothing)
		return (ERR_NOTFOUND);
	if ((r = odds_dice_take(d, n_open, &shows, e)) != 0)
		return (r);
	k = open[shows];
	d->count = count * (n - nhad);
	/* It may have been any of those before it that are of its kind. */
	d->ways = d->ways * (nhad + 1) * left[k] / (same[k] + 1);
	*pick = first[k];
	return (0);
}

/* combat_dice: one more chit, of those that were not drawn yet. */
static int
odds_dice_draw_cb(void *arg, const char *label, const char *const *ids,
    unsigned n, const uint16_t *had, unsigned nhad, uint16_t *pick,
    struct errinfo *e)
{
	struct odds_dice *d = arg;
	uint16_t left = 0;
	int r;

	(void)label;
	(void)ids;
	if (d->is_walk && d->n_kinds == n)
		return (odds_dice_draw_kind(d, n, had, nhad, pick, e));
	if ((r = odds_dice_take(arg, n - nhad, &left, e)) != 0)
		return (r);
	*pick = rolls_chit_left(n, had, nhad, left);
	return (0);
}

/* combat_dice: keeps which chits do the same. */
static void
odds_dice_alike_cb(void *arg, const uint16_t *kinds, size_t n)
{
	struct odds_dice *d = arg;

	memcpy(d->kinds, kinds, n * sizeof(*kinds));
	d->n_kinds = n;
	d->kinds_at = d->at;
}

/* combat_dice: dice that do not move say the same again. */
static bool
odds_dice_knows_alike_cb(void *arg)
{
	const struct odds_dice *d = arg;

	return (d->n_kinds > 0);
}

/* combat_dice: passes on what matters. */
static int
odds_dice_meet_cb(void *arg, unsigned at, const void *matters, size_t len)
{
	struct odds_dice *d = arg;

	return (d->meet == NULL ? 0 : d->meet(d->meet_arg, at, matters, len));
}

/* Empties *d for one use or the other. */
static void
odds_dice_init(struct odds_dice *d, bool is_walk)
{
	memset(d, 0, sizeof(*d));
	d->source.roll = odds_dice_roll_cb;
	d->source.draw = odds_dice_draw_cb;
	d->source.alike = odds_dice_alike_cb;
	d->source.knows_alike = odds_dice_knows_alike_cb;
	d->source.meet = odds_dice_meet_cb;
	d->source.arg = d;
	d->is_walk = is_walk;
	odds_dice_begin(d);
}

void
odds_dice_walk(struct odds_dice *d)
{
	odds_dice_init(d, true);
}

void
odds_dice_walk_from(
    struct odds_dice *d, const uint16_t *shows, const uint16_t *sides, size_t n)
{
	memcpy(d->shows, shows, n * sizeof(*shows));
	memcpy(d->sides, sides, n * sizeof(*sides));
	d->n = d->fixed = n;
}

void
odds_dice_seed(struct odds_dice *d, uint64_t seed)
{
	uint64_t z;
	size_t i;

	odds_dice_init(d, false);
	for (i = 0; i < 4; i++) {
		seed += 0x9e3779b97f4a7c15U;
		z = (seed ^ seed >> 30) * 0xbf58476d1ce4e5b9U;
		z = (z ^ z >> 27) * 0x94d049bb133111ebU;
		d->state[i] = z ^ z >> 31;
	}
}

void
odds_dice_begin(struct odds_dice *d)
{
	d->at = 0;
	d->count = d->ways = 1;
	if (d->kinds_at > d->fixed || d->fixed == 0)
		d->n_kinds = 0;
	d->is_nothing = false;
}

bool
odds_dice_next(struct odds_dice *d)
{
	/* A run takes the same places again, so none is beyond d->at. */
	while (d->n > d->fixed) {
		if (++d->shows[d->n - 1] < d->sides[d->n - 1])
			return (true);
		d->n--;
	}
	return (false);
}
