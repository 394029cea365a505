/* SPDX-License-Identifier: ISC */
/*
 * A battle that is told: a record of which every line was verified, the texts
 * beside it, and what people are called.  Whoever has these says here how to
 * get at them; a report reads nothing else.
 */
#ifndef UMPIRE_CLIENT_REPORT_BATTLE_H
#define UMPIRE_CLIENT_REPORT_BATTLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/game/game_entry.h"
#include "common/record/order.h"
#include "common/record/record.h"

struct game;
struct verify;
struct verify_report;

/* Why a text is not held. */
enum battle_lack {
	BATTLE_LACK_UNKNOWN, /* it was said to others, or nobody said why */
	BATTLE_LACK_ERASED,
	BATTLE_LACK_LOST, /* by the server, and nobody has brought it back */
};

struct battle {
	void *arg; /* given to each */
	/* The verifier that took the lines; borrowed. */
	struct verify *(*verify)(void *arg);
	/* Line number seq, borrowed, not terminated; NULL if there is none. */
	const char *(*line)(void *arg, int64_t seq, size_t *len);
	/* A text or blob by its hash, borrowed; NULL if it is not held. */
	const char *(*text)(void *arg, const char *hex);
	/* Why one is not held. */
	enum battle_lack (*lack)(void *arg, const char *hex);
	/*
	 * What to call an account, and the name that it gave itself (NULL: it
	 * has none); borrowed until there is another line.
	 */
	const char *(*called)(void *arg, const char *account);
	const char *(*name)(void *arg, const char *account);
};

/* A line with its order, as read; battle_clear() frees what it holds. */
struct battle_line {
	struct record_line ln;
	struct order o;
};

/* The game as the lines leave it, borrowed; NULL while there are none. */
const struct game *battle_game(const struct battle *b);

/* The verifier's report. */
const struct verify_report *battle_proof(const struct battle *b);

/* How many lines there are. */
int64_t battle_lines(const struct battle *b);

/*
 * What line seq did and what became of it; borrowed until there is another
 * line.  One that is not there did nothing.
 */
const struct game_entry *battle_entry(const struct battle *b, int64_t seq);

/*
 * True for a line that stands and is of a kind that a takeback may name;
 * whether it is in reach is game_undoable()'s.
 */
bool battle_is_undoable(const struct battle *b, int64_t seq);

/*
 * Reads line seq.  False if it holds no order, or cannot be read; *bl then
 * holds nothing.
 */
bool battle_read(const struct battle *b, int64_t seq, struct battle_line *bl);
void battle_clear(struct battle_line *bl);

/* What stands for a text that is not held: "(erased)"; static. */
const char *battle_lack_words(const struct battle *b, const char *hex);

/*
 * The text beside an order that says why or what for: NULL if it has none,
 * what battle_lack_words() says if it is not held.  Borrowed.
 */
const char *battle_why(const struct battle *b, const struct order *o);

/* The hash of that text; NULL.  Borrowed. */
const char *battle_why_ref(const struct order *o);

/*
 * The account that sat in a seat when line seq was written, which is another
 * than now if it was refused since, or somebody else got the seat; "" if
 * nobody.
 */
const char *battle_account(const struct battle *b, int seat, int64_t seq);

/* How a side is called: its name in the roster, else "side 1"; free(). */
char *battle_side(const struct game *g, int side);

/* The same of a side that its roster calls so, or not at all (NULL). */
char *battle_side_named(const char *name, int side);

/* Who plays a side: "anna, carl", "" if nobody does yet; free(). */
char *battle_players(const struct battle *b, int side);

/* Who sits in a seat: "Anna K.", "the director", "seat 3"; free(). */
char *battle_who(const struct battle *b, int seat);

/* Who sat there when line seq was written; free(). */
char *battle_who_then(const struct battle *b, int seat, int64_t seq);

#endif
