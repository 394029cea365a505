/* SPDX-License-Identifier: ISC */
/* What the files of the report share: struct report and its parts. */
#ifndef UMPIRE_CLIENT_REPORT_REPORT_INT_H
#define UMPIRE_CLIENT_REPORT_REPORT_INT_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "common/record/order.h"

struct battle;
struct battle_line;
struct doc;
struct game_entry;
struct record_line;
struct render;
struct report_sheets;
struct rules_system;

struct report {
	struct doc *d; /* borrowed, or owned if has_doc */
	bool has_doc;
	bool has_turns; /* turns have headings */
	const struct battle *b;
	const struct rules_system *sys; /* NULL: unknown here */
	struct render *rd; /* of the combat that is told */
	char *sides[3]; /* owned */
	char *fate; /* owned: why the combat does not count; NULL: it does */
	char *asked; /* owned: kind of the question asked last, "" if none */
	int64_t next; /* line to go on with */
	uint64_t odds_left; /* what chances may still cost (report_sheet.h) */
	struct report_sheets *sheets; /* borrowed: that are kept; NULL */
	int combat; /* combats so far */
	int turn; /* 0 before play */
	int headed; /* turn of the last heading; -1: none yet */
	int most_headed; /* the greatest turn that had one; 0: none yet */
	bool is_over; /* the combat has its result */
	int64_t undone; /* line that took it back; -1: none did */
	bool wants_gap; /* a combat was told last */
};

/* ---- report_line.c ---- */

/* Runs events through the renderer, and tells them if is_told. */
void report_events(struct report *rp, const json_t *events, bool is_told);

/* Tells an entry of this sentence, after the empty line that it wants. */
void report_entry(
    struct report *rp, const struct record_line *ln, const char *text);

/* A sentence of the kinds that describe.h tells; free(). */
char *report_sentence(const struct report *rp, const struct battle_line *bl);

/* Why a line does not count: "taken back by line 9"; NULL: it does; free(). */
char *report_fate(const struct game_entry *en);

/* Tells what became of a line later. */
void report_marks(struct report *rp, int64_t seq);

/* Tells who has to answer before a line goes on. */
void report_owes(struct report *rp, const struct record_line *ln);

/* Tells the standing orders that a line opens. */
void report_standing(struct report *rp, const struct battle_line *bl);

/* Tells an order outside of combats. */
void report_other(struct report *rp, const struct battle_line *bl);

/* Tells a statement about an account's keys; one that is none is left out. */
void report_key(struct report *rp, const struct record_line *ln);

/* Tells a line of the server. */
void report_server(struct report *rp, const struct record_line *ln);

/* ---- report_json.c ---- */

/* One line as JSON for programs; o is NULL if it has no order.  New. */
json_t *report_json(const struct report *rp, const struct record_line *ln,
    const struct order *o);

/*
 * What a line opens: both choices where secrets are held, or the one that an
 * `open` order brings; then standing orders that act; new.
 */
json_t *report_opened(const struct record_line *ln, const struct order *o);

#endif
