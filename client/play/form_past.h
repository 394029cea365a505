/* SPDX-License-Identifier: ISC */
/*
 * The combats that a game has seen, as its verified record tells them: what
 * was said of a unit in its last one is proposed for the next.
 */
#ifndef UMPIRE_CLIENT_PLAY_FORM_PAST_H
#define UMPIRE_CLIENT_PLAY_FORM_PAST_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

struct battle;
struct declare_field;

#define FORM_PAST_MAX 64 /* combats that are looked at, the newest */

struct form_past_combat {
	int side; /* that declared it */
	json_t *combat; /* owned; the rules took it */
};

/* The newest comes first; form_past_clear() frees them. */
struct form_past {
	struct form_past_combat list[FORM_PAST_MAX];
	size_t n;
};

/*
 * Reads the combats of a record that stand: those taken back, objected to or
 * not yet answered are left out.
 */
void form_past_read(struct form_past *past, const struct battle *b);
void form_past_clear(struct form_past *past);

/* The last combat that a side declared, borrowed; NULL: none. */
const json_t *form_past_last(const struct form_past *past, int side);

/*
 * What a member was in the last combat of a unit or pair (element, one of the
 * objects that the row `of` is about); borrowed, NULL if nothing was said.  A
 * pair is the same if both its ends are.
 */
const json_t *form_past_of(const struct form_past *past,
    const struct declare_field *of, const json_t *element, const char *name);

/* True if somewhere in v an object has this id (NULL: false). */
bool form_past_has_id(const json_t *v, const char *id);

/*
 * What a member of the combat ("terrain", "target.terrain") was in the last
 * one that this side declared against all of these ids; likewise.
 */
const json_t *form_past_at(const struct form_past *past, int side,
    const json_t *ids, const char *path);

#endif
