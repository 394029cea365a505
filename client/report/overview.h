/* SPDX-License-Identifier: ISC */
/*
 * What was done to a game, for somebody who must decide something
 * (umpire-record.7, S10.2): how it ended, what each side objected to, had taken
 * back, changed and claimed, and what wants looking at.
 */
#ifndef UMPIRE_CLIENT_REPORT_OVERVIEW_H
#define UMPIRE_CLIENT_REPORT_OVERVIEW_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

struct battle;

/* What the seats of one side, 1 or 2, did; 0: the director. */
struct overview_side {
	int objections;
	int takebacks; /* that it asked for and that are in force */
	int changes; /* of units or rosters that it proposed, in force */
	int rulings; /* in force */
	int idle_rulings; /* that are not, or not yet */
	int claims; /* with an effect */
	int idle_claims; /* without any */
	int notices; /* of claims */
	int silences; /* of the witness, claimed with effect */
	int stand_ins; /* answers in its stead */
};

struct overview {
	const struct battle *b; /* borrowed */
	struct overview_side sides[3];
	int judged; /* lines that the director agreed or objected to as judge */
	int unjudged; /* that stand because the director did not */
	int64_t missing; /* texts that lines name and that are not held */
	int64_t forfeit; /* the line that gave a game to who claimed it; -1 */
	int anew; /* notes that the witness's store was lost */
	int64_t fault; /* the last line that says the rules failed; -1 */
	json_t *looks; /* owned: [{"what","line"?,"text"}] */
	/* Owned: [{"line","accepted","seat","left","came"}], by operator-key.
	 */
	json_t *newcomers;
	/* overview_step()'s own */
	int64_t next; /* the line that it goes on with */
	json_t *seen; /* owned: hashes of texts; NULL: all is done */
};

/*
 * Begins to go through a battle that has a game, which must have no other lines
 * until that is done.
 */
void overview_begin(struct overview *ov, const struct battle *b);

/* Goes on for so many lines; true when *ov is filled. */
bool overview_step(struct overview *ov, int64_t lines);

/* Goes through a battle that has a game, and fills *ov. */
void overview_init(struct overview *ov, const struct battle *b);

/* Frees what it holds. */
void overview_clear(struct overview *ov);

/*
 * Adds something that wants looking at: a word for programs, the line that it
 * is about (-1: none) and a sentence without its end.
 */
void overview_look(struct overview *ov, const char *what, int64_t line,
    const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/*
 * What a side did beside playing, or the director: "2 objections, 1 claim
 * without effect"; "no objections, ..." where that is nothing; free().
 */
char *overview_side_words(const struct overview *ov, int side);

/*
 * What the director answered and judged in somebody's stead, or did not;
 * NULL: nothing.  free().
 */
char *overview_director_words(const struct overview *ov);

/* How the game ended and who won, "resign" and 1, or nulls; new. */
json_t *overview_result_json(const struct overview *ov);

/* The sides: [{"side","name","players","objections",...}], new. */
json_t *overview_sides_json(const struct overview *ov);

#endif
