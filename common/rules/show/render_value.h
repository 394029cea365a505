/* SPDX-License-Identifier: ISC */
/* How the renderer shows values and fills in the system's sentences. */
#ifndef UMPIRE_COMMON_RULES_SHOW_RENDER_VALUE_H
#define UMPIRE_COMMON_RULES_SHOW_RENDER_VALUE_H

#include <stdbool.h>

#include <jansson.h>

struct buf;
struct rules_show;
struct rules_system;

enum render_last {
	RENDER_NOTHING,
	RENDER_ROLL,
	RENDER_SCORE,
	RENDER_ASKED,
	RENDER_ELSE,
};

struct render {
	const struct rules_system *sys;
	const struct rules_show *show;
	json_t *names; /* owned: id -> how the unit is called */
	json_t *named; /* owned: name -> id of its unit; true: of several */
	json_t *facts; /* owned: id -> what the facts say of it */
	json_t *combat; /* owned: the facts of the combat; NULL: none yet */
	bool hides_ids; /* of units whose name no other has */
	enum render_last last; /* kind of the last event */
};

/*
 * Returns the system's text for the key a/b, or a/b/c where c is not NULL;
 * NULL if it has none.
 */
const char *render_value_word(
    const struct render *rd, const char *a, const char *b, const char *c);

/*
 * As render_value_word(), with what the facts make of c (in the event), or of
 * `what` where that is NULL (rules_show's cause), instead of c if there are
 * words for it.
 */
const char *render_value_cause(const struct render *rd, const json_t *event,
    const char *a, const char *b, const char *c, const char *what);

/* Returns how the unit with this id is called; the id if it has no name. */
const char *render_value_name(const struct render *rd, const char *id);

/*
 * Adds a value that is not a list, as the member `name` has it: by the system's
 * word "value/NAME/VALUE", by the unit's name if the system has a word
 * "unit/NAME", else as it is.
 */
void render_value_scalar(
    const struct render *rd, const char *name, const json_t *v, struct buf *b);

/* Adds any value, as the member `name` has it; a list with commas. */
void render_value_any(
    const struct render *rd, const char *name, const json_t *v, struct buf *b);

/* Adds a text with the members of obj that it names in braces; {} is self. */
void render_value_template(const struct render *rd, const char *text,
    const json_t *obj, const char *self, struct buf *b);

/*
 * Adds the members of the object v that the text `said` does not name and
 * that say something, `joint` before the first, commas between.
 */
void render_value_members(const struct render *rd, const json_t *v,
    const char *said, const char *joint, struct buf *b);

/* True for an object, and for an array that holds arrays or objects. */
bool render_value_is_container(const json_t *v);

#endif
