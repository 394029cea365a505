/* SPDX-License-Identifier: ISC */
/* What a form has put together, in words. */
#ifndef UMPIRE_CLIENT_PLAY_FORM_TELL_H
#define UMPIRE_CLIENT_PLAY_FORM_TELL_H

#include <jansson.h>

#define FORM_TELL_UNIT "unit" /* names the id in an element of an order */

struct form_walk;
struct declare_field;
struct render;

/* A unit of a roster for a list: "fr-1  1er Ligne: infantry, ..."; free(). */
char *form_tell_unit(const struct render *rd, const json_t *unit);

/*
 * One object that the member in is a list of, in short: an id, or the ends of
 * a pair; free().
 */
char *form_tell_short(const struct declare_field *in, const json_t *element);

/*
 * A decision without its kind: a single member's value alone, several with
 * their names; free().
 */
char *form_tell_decision(const json_t *decision);

/* A copy with a capital letter at its beginning; free(). */
char *form_tell_capital(const char *s);

/* Tells the whole combat of a walk. */
void form_tell_combat(const struct form_walk *w);

#endif
