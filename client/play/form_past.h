/* SPDX-License-Identifier: ISC */
/*
 * The combats that a game has seen, as its verified record tells them: what
 * was said of a unit in its last one is proposed for the next.
 */
#ifndef UMPIRE_CLIENT_PLAY_FORM_PAST_H
#define UMPIRE_CLIENT_PLAY_FORM_PAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

struct battle;
struct declare_field;

#define FORM_PAST_MAX 64 /* combats that are looked at, the newest */

/* What became of a combat. */
enum form_past_what {
	FORM_PAST_STANDS, /* it was fought: nobody had to agree, or they did */
	FORM_PAST_OBJECTED,
	FORM_PAST_VOID, /* not agreed to so far or ever, or taken back */
};

struct form_past_combat {
	int64_t seq; /* the line that declared it */
	int side; /* that declared it */
	enum form_past_what what;
	char *why; /* owned: of an objection; NULL: none was given */
	json_t *combat; /* owned; the rules took it */
};

/* The newest comes first; form_past_clear() frees them. */
struct form_past {
	struct form_past_combat list[FORM_PAST_MAX];
	size_t n;
};

/* Reads the combats of a record, whatever became of them. */
void form_past_read(struct form_past *past, const struct battle *b);
void form_past_clear(struct form_past *past);

/*
 * The last combat of a side that was fought or objected to, borrowed; NULL:
 * none.
 */
const struct form_past_combat *form_past_last(
    const struct form_past *past, int side);

/*
 * The newest combat that a side declared in line `from` or later and that is
 * the same as this one, whatever became of it; likewise.
 */
const struct form_past_combat *form_past_same(
    const struct form_past *past, int side, int64_t from, const json_t *combat);

/*
 * What a member was in the last combat that was fought, of a unit or pair
 * (element, one of the objects that the row `of` is about); borrowed, NULL if
 * nothing was said.  A pair is the same if both its ends are.
 */
const json_t *form_past_of(const struct form_past *past,
    const struct declare_field *of, const json_t *element, const char *name);

/* True if somewhere in v an object has this id (NULL: false). */
bool form_past_has_id(const json_t *v, const char *id);

/*
 * What a member of the combat ("terrain", "target.terrain") was in the last
 * one that this side fought after declaring it against all of these ids;
 * likewise.
 */
const json_t *form_past_at(const struct form_past *past, int side,
    const json_t *ids, const char *path);

#endif
