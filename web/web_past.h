/* SPDX-License-Identifier: ISC */
/*
 * Pictures of games as they were after an earlier line: the lines up to there
 * are verified once more, a few milliseconds at a time, one game at a time,
 * with a rest after each that is as long as it took.  What was verified last is
 * kept for a while, so that the next line of the same game costs one line.
 */
#ifndef UMPIRE_WEB_WEB_PAST_H
#define UMPIRE_WEB_WEB_PAST_H

#include <stdint.h>

struct buf;
struct web_past;
struct web_past_job;
struct web_site;

/*
 * The end of a job: r is 0, and svg has the picture, to be taken. ERR_NOTFOUND:
 * the game has no such line any more; ERR_BUSY: not now.
 */
typedef void web_past_done(void *arg, int r, struct buf *svg);

struct web_past *web_past_new(struct web_site *s);
void web_past_free(struct web_past *p);

/*
 * Has a picture made of the game with this whole id as it was after line n.
 * NULL: too many wait.  Else done is called later, once, unless it is
 * cancelled; the job is gone then.
 */
struct web_past_job *web_past_ask(struct web_past *p, const char *hex,
    int64_t n, web_past_done *done, void *arg);
void web_past_cancel(struct web_past_job *job);

/* The longest slice since the last time it was asked for, in microseconds. */
int64_t web_past_slowest(struct web_past *p);

#endif
