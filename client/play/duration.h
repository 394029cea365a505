/* SPDX-License-Identifier: ISC */
/*
 * Times in the words of people: spans ("1d12h"), the clock of a game and the
 * delay at which others see it, read and told.
 *
 *   3d/order,grace=12h,skip=sat+sun,holidays=14,then=forfeit
 *   10d+1d/side,cap=14d,then=default
 */
#ifndef UMPIRE_CLIENT_PLAY_DURATION_H
#define UMPIRE_CLIENT_PLAY_DURATION_H

#include <stdint.h>

#include <jansson.h>

#include "common/base/err.h"

struct order_clock;

#define DURATION_YEAR_S 31536000 /* the longest time of a clock */
#define DURATION_DELAY_TURNS 9999
#define DURATION_DELAY_MINUTES 10080

/*
 * Reads a span of lo .. hi seconds: numbers, each with its unit s, m, h or
 * d, the largest first.  ERR_INVALID with a text that names `what`.
 */
int duration_span(const char *s, const char *what, int64_t lo, int64_t hi,
    int64_t *out, struct errinfo *e) __attribute__((warn_unused_result));

/* A span in its two largest units: "2 days 3 h", "45 min".  free(). */
char *duration_words(int64_t seconds);

/*
 * Reads an instant: as a record has it, or, by the clock of this machine,
 * "2026-12-05" (as it begins) or "2026-12-05 18:00".  ERR_INVALID with a text
 * that names `what`.
 */
int duration_instant(const char *s, const char *what, int64_t *ms,
    struct errinfo *e) __attribute__((warn_unused_result));

/* When something is due, as seen now: "in 2 days 3 h", "5 min ago".  free() */
char *duration_due(int64_t now_ms, int64_t due_ms);

/*
 * Reads a clock as people write it, or as the JSON object of a create order
 * (record S5).  ERR_INVALID with a text that says what is wrong.  *clock is
 * new.
 */
int duration_clock(const char *spec, json_t **clock, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * How long a notice stands that a claim will follow, and a witness may be
 * silent, in a game with so much time for an order, unless it is said.
 */
int64_t duration_notice(int64_t first_s);

/* A game's clock in words; free(). */
char *duration_clock_words(const struct order_clock *clock);

/*
 * Reads a delay, "2t" or "90m" ("3h", "1d"): *member is the option of a
 * create order that it sets, "delay" or "delay_minutes", to *n.
 * ERR_INVALID.
 */
int duration_delay(const char *s, const char **member, int64_t *n,
    struct errinfo *e) __attribute__((warn_unused_result));

#endif
