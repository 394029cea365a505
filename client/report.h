/* SPDX-License-Identifier: ISC */
/*
 * A record for people: who did what and when, each combat with all its
 * modifiers and reasons, chats.  Lines are told in order; what was not told
 * is still followed, so that turns and combats have their numbers.
 */
#ifndef UMPIRE_CLIENT_REPORT_H
#define UMPIRE_CLIENT_REPORT_H

#include <stdint.h>

#include <jansson.h>

struct copy;
struct game;
struct out;
struct report;

/* Starts before line 0 of a copy that has one; the copy must outlive it. */
struct report *report_new(struct out *o, const struct copy *c);

/* Frees it; NULL is allowed. */
void report_free(struct report *rp);

/* Prints the game in one line: its name, system, sides and players. */
void report_heading(struct report *rp, const char *name);

/*
 * Goes through lines up to and including number `to`, and prints those from
 * `from` on (of combat number `combat` only, 0: all).  With --json each is
 * appended to the array `list` instead, if that is not NULL.
 */
void report_lines(
    struct report *rp, int64_t from, int64_t to, int combat, json_t *list);

/* Combats so far. */
int report_combats(const struct report *rp);

/* How a side is called: its name in the roster, else "side 1"; free(). */
char *report_side(const json_t *view, int side);

#endif
