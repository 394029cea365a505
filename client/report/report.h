/* SPDX-License-Identifier: ISC */
/*
 * A record for people: who did what and when, each combat with all its
 * modifiers and reasons, chats.  Lines are told in order; what was not told
 * is still followed, so that turns and combats have their numbers.
 */
#ifndef UMPIRE_CLIENT_REPORT_REPORT_H
#define UMPIRE_CLIENT_REPORT_REPORT_H

#include <stdint.h>

#include <jansson.h>

struct battle;
struct doc;
struct out;
struct report;
struct report_sheets;

/*
 * Starts before line 0 of a battle that has one; the battle must outlive it.
 * It tells as text on o.
 */
struct report *report_new(struct out *o, const struct battle *b);

/* The same to a document, which must outlive it. */
struct report *report_new_doc(struct doc *d, const struct battle *b);

/* Sets the turns off by headings from now on. */
void report_want_turns(struct report *rp);

/* Frees it; NULL is allowed. */
void report_free(struct report *rp);

/* Tells the game in one line: its name, system, sides and players. */
void report_heading(struct report *rp, const char *name);

/*
 * Goes through lines up to and including number `to`, and tells those from
 * `from` on (of combat number `combat` only, 0: all).  If list is not NULL
 * each is appended to that array as JSON instead.
 */
void report_lines(
    struct report *rp, int64_t from, int64_t to, int combat, json_t *list);

/* Takes the score sheets from those that are kept (report_sheet.h). */
void report_keep_sheets(struct report *rp, struct report_sheets *ss);

/*
 * Goes on at another line, which begins a turn or a combat: that turn (0 before
 * play), and so many combats were declared before it.
 */
void report_go(struct report *rp, int64_t seq, int turn, int combats);

/* Combats so far. */
int report_combats(const struct report *rp);

#endif
