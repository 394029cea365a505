/* SPDX-License-Identifier: ISC */
/*
 * The dice and chits of one combat: rolls and draws in the order asked for, in
 * tables of fixed size, and their form in the record (umpire-record.7, S6.4).
 */
#ifndef UMPIRE_COMMON_RULES_ROLLS_H
#define UMPIRE_COMMON_RULES_ROLLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/base/err.h"
#include "common/rules/side.h"

#define ROLLS_ID_MAX 32 /* bytes of a chit's id */
#define ROLLS_SIDES_MAX 1000
#define ROLLS_BAG_MAX 1000

/* One roll, or all draws of one label. */
struct rolls_rec {
	char label[COMBAT_LABEL_MAX + 1];
	uint32_t hash; /* of the label */
	uint16_t sides; /* 0: a draw */
	uint16_t bag; /* draw: chits in the bag */
	uint16_t first; /* index into dice or chits */
	uint16_t n; /* dice, or chits drawn */
};

/* One chit drawn.  Its index in the bag holds within a run of the rules. */
struct rolls_chit {
	char id[ROLLS_ID_MAX + 1];
	uint16_t index;
};

/* Plain data, no ownership; all zeros is empty. */
struct rolls {
	struct rolls_rec recs[COMBAT_ROLLS_MAX];
	uint16_t dice[COMBAT_DICE_MAX];
	struct rolls_chit chits[COMBAT_CHITS_MAX];
	size_t n_recs, n_dice, n_chits;
};

/* True for a label: [a-z0-9][a-z0-9._/-]{0,95}. */
bool rolls_is_label(const char *s);

/*
 * True if a roll of n dice with so many sides (0: a draw of n chits) can be
 * added under label: it is a label that was not used, and there is room.
 */
bool rolls_fits(
    const struct rolls *t, const char *label, unsigned sides, size_t n);

/*
 * Adds a roll whose n dice stand already behind the others, at
 * dice[n_dice]; rolls_fits() said that it can.
 */
void rolls_add(struct rolls *t, const char *label, unsigned sides, size_t n);

/* Adds an empty draw from a bag; rolls_fits() said that it can. */
void rolls_add_draw(struct rolls *t, const char *label, unsigned bag);

/* Adds a chit to the last record, which is a draw; there is room. */
void rolls_add_chit(struct rolls *t, const char *id);

/* Forgets the records from number n on. */
void rolls_forget(struct rolls *t, size_t n);

/*
 * The index of a chit of a bag of n: number `nth`, from 0, of those that are
 * not among the nhad that were drawn.  nth < n - nhad.
 */
uint16_t rolls_chit_left(
    unsigned n, const uint16_t *had, unsigned nhad, unsigned nth);

/* The records from number `from` on as a new array, or NULL. */
json_t *rolls_json(const struct rolls *t, size_t from);

/*
 * Reads what rolls_json(t, 0) gave into *t.  ERR_INVALID for anything else;
 * *t is then unspecified.
 */
int rolls_restore(struct rolls *t, const json_t *list, struct errinfo *e)
    __attribute__((warn_unused_result));

#endif
