/* SPDX-License-Identifier: ISC */
/*
 * How a player's dice fell, over the games of a list that are held here, every
 * line of them verified.  What is counted of a game is kept with it; a game
 * that has too many lines to be counted at once is left out.
 */
#ifndef UMPIRE_WEB_WEB_LUCK_H
#define UMPIRE_WEB_WEB_LUCK_H

#include <jansson.h>

struct page_luck;
struct web_site;

/* Counts over rows of game.list. */
void web_luck_count(struct web_site *s, const char *account,
    const json_t *games, struct page_luck *out);

#endif
