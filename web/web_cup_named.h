/* SPDX-License-Identifier: ISC */
/*
 * What the lines of a tournament name: its games, and how far they must reach,
 * and the tournament itself.  Whoever judges a line says what is wrong with it.
 */
#ifndef UMPIRE_WEB_WEB_CUP_NAMED_H
#define UMPIRE_WEB_WEB_CUP_NAMED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/crypt/hash.h"
#include "web/page/page.h"

/* A game. */
struct web_cup_game {
	char hex[2 * HASH_LEN + 1];
	int64_t need; /* the last line of it that is named; -1 */
	int64_t have; /* lines that are here, as far as is known */
	enum page_cup_game told; /* by the verdict */
};

/* All of them, in the order in which lines name them first. */
struct web_cup_named {
	json_t *index; /* owned: game in hex -> its number in games */
	struct web_cup_game *games; /* owned */
	size_t n;
};

void web_cup_named_init(struct web_cup_named *k);
void web_cup_named_clear(struct web_cup_named *k);

/* Notes which games a line names. */
void web_cup_named_line(struct web_cup_named *k, const char *line, size_t len);

/* A game; NULL: no line names it.  Borrowed until the next line. */
struct web_cup_game *web_cup_named_game(
    const struct web_cup_named *k, const char *hex);

/* True if a line, which is no side line, is of another tournament than hex. */
bool web_cup_named_is_other(const char *line, size_t len, const char *hex);

#endif
