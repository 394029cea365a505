/* SPDX-License-Identifier: ISC */
/* What the writers of documents share. */
#ifndef UMPIRE_CLIENT_REPORT_DOC_INT_H
#define UMPIRE_CLIENT_REPORT_DOC_INT_H

#include <stdint.h>

#include <jansson.h>

#define DOC_DAY 11 /* bytes of "2026-11-20"; "" for none yet */

struct doc_title;

/*
 * When a game was played, and on whose clock: "2026-11-20, times in UTC"; or
 * two days with "to"; free().
 */
char *doc_days(const struct doc_title *t);

/*
 * What stands below a title in formats without markup of their own for it:
 * "EVENT, RULES: A against B, director C, game N, DAYS"; free().
 */
char *doc_players(const struct doc_title *t);

/*
 * When a line was written, for entries below each other: with the day only
 * where it is another than in `day`, which is then this one.  Returns buf.
 */
const char *doc_when(char buf[32], char day[DOC_DAY], int64_t at_ms);

/* Members of struct doc: nothing is to be closed or drawn. */
void doc_nothing_cb(void *d);
void doc_no_dice_cb(void *d, json_int_t sides, const json_t *values);

#endif
