/* SPDX-License-Identifier: ISC */
/*
 * The clocks of the sides (record S6.7): how much time counts between two
 * instants, and what each line does to what is left.
 */
#ifndef UMPIRE_COMMON_GAME_GAME_CLOCK_H
#define UMPIRE_COMMON_GAME_GAME_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

struct game;

/* One side's clock (S6.7); times in milliseconds. */
struct game_clock_side {
	int64_t left;
	int64_t since; /* -1: stands still */
	int64_t away_until; /* 0: no holiday */
	int64_t holidays; /* days left */
};

/*
 * A side's notice that it will claim the other's time (S6.7), and what of the
 * time since does not count for the other: its holidays and the pauses, as
 * [begin, end, whether it is a pause], in the order of their lines.
 */
struct game_notice {
	int64_t seq; /* -1: none stands */
	int64_t at_ms;
	int64_t now_ms;
	bool is_passed; /* says the witness: its time has passed (S6.9) */
	json_t *stops; /* owned; NULL: none */
};

struct game_clock {
	struct game_clock_side sides[3]; /* 1 and 2 */
	struct game_notice notices[3]; /* by the side that gave it */
	int64_t paused_until; /* 0: no pause */
	int64_t claim_seq; /* a claim that waits for a ruling; -1 */
	int claim_side; /* whose claim it is */
};

/*
 * The time from one instant to another that does not fall on the days of
 * the week that are skipped (struct order_clock), and the earliest instant
 * from `from` on by which so much has passed.  All in milliseconds.
 */
int64_t game_clock_counted(unsigned skip, int64_t from, int64_t to);
int64_t game_clock_reach(unsigned skip, int64_t from, int64_t need);

/*
 * What `restored` does to the clocks (S4.3): they stand still, the time since
 * the line before is not counted, nobody claims any longer.
 */
void game_clock_restored(struct game *g);

/* All clocks at their first time; play begins at at_ms. */
void game_clock_start(struct game *g, int64_t at_ms);

/*
 * What a line that was taken does to the clocks.  is_state: it is a state
 * line; is_move: one that gives fresh time, which a ruling and an accept that
 * moves no pool do not (S6.7).
 */
void game_clock_settle(
    struct game *g, int64_t at_ms, bool is_state, bool is_move);

/* Takes the time up to at_ms from the sides that run; they run on. */
void game_clock_count(struct game *g, int64_t at_ms);

/* True while the game waits for this side, and its clock may run. */
bool game_clock_owes(const struct game *g, int side);

/*
 * The notice of a side begins with the line that is being taken, signed at
 * now_ms; whether so much time that counts for the other side has passed since
 * one that stands, by its own line's time and by what was signed; no notice
 * stands any longer.  ERR_NOMEM.
 */
int game_notice_begin(struct game *g, int side, int64_t now_ms)
    __attribute__((warn_unused_result));
bool game_notice_is_over(const struct game *g, int side, int64_t now_ms);
void game_notice_end(struct game *g);

/* As game_deadline_ms(), for sides 1 and 2 alone. */
int64_t game_clock_deadline(const struct game *g, int side);

/*
 * Effects of the line that is being taken (g->now_ms), after the time up to
 * it was counted: a pause by agreement begins, it ends, a side goes on
 * holiday, a ruling gives a side more time and ends the claim that waited.
 * ERR_NOMEM.
 */
int game_clock_pause(struct game *g, int64_t days)
    __attribute__((warn_unused_result));
int game_clock_resume(struct game *g) __attribute__((warn_unused_result));
int game_clock_holiday(struct game *g, int side, int64_t days)
    __attribute__((warn_unused_result));
void game_clock_extend(struct game *g, int side, int64_t seconds);

#endif
