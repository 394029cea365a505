/* SPDX-License-Identifier: ISC */
/* What the files of the report share. */
#ifndef UMPIRE_CLIENT_REPORT_REPORT_INT_H
#define UMPIRE_CLIENT_REPORT_REPORT_INT_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "client/report/report.h"
#include "common/record/order.h"
#include "common/record/order_kind.h"

struct doc;
struct record_line;
struct render;
struct rules_system;
struct story;

struct report {
	struct doc *d; /* borrowed, or owned if has_doc */
	bool has_doc;
	bool has_turns; /* turns have headings */
	const struct copy *c;
	struct story *st; /* owned; of the first told lines of the copy */
	int64_t told; /* lines of the copy that st knows */
	const struct rules_system *sys; /* NULL: unknown here */
	struct render *rd; /* of the combat that is told */
	char *sides[3]; /* owned; 1 and 2 are used */
	int64_t undone; /* the line by which the combat was taken back; -1 */
	char *asked; /* owned: kind of the question asked last, "" if none */
	int64_t next; /* line to go on with */
	enum order_kind owing; /* of the line that owed an answer last */
	int combat; /* combats so far */
	int turn; /* 0 before play */
	int headed; /* turn of the last heading; -1: none yet */
	int most_headed; /* the greatest turn that had one; 0: none yet */
	bool is_over; /* the combat has its result */
	bool wants_gap; /* a combat was told last */
};

/* Who gave a line's order, for people; free(). */
char *report_author(const struct report *rp, const struct record_line *ln);

/* Who sits in a seat, for people; free(). */
char *report_who(const struct report *rp, int seat);

/* True for the orders that a combat is made of. */
bool report_is_combat(enum order_kind kind);

/* True for the line of an order that belongs to a combat. */
bool report_is_fought(const struct report *rp, const struct record_line *ln,
    const struct order *o);

/* Tells events by the renderer. */
void report_events(struct report *rp, const json_t *events);

/* Tells who has to answer before a line goes on. */
void report_owes(struct report *rp, const struct record_line *ln);

/* Tells what became of a line later. */
void report_marks(struct report *rp, const struct record_line *ln);

/* Tells the standing orders that a line opens. */
void report_standing(
    struct report *rp, const struct record_line *ln, const struct order *o);

/* Tells an entry of this sentence, after the empty line that it wants. */
void report_entry(
    struct report *rp, const struct record_line *ln, const char *text);

/* A sentence of the kinds that story.h tells; free(). */
char *report_story(
    struct report *rp, const struct record_line *ln, const struct order *o);

/* Tells an order outside of combats. */
void report_other(
    struct report *rp, const struct record_line *ln, const struct order *o);

/* Tells a line of the server. */
void report_server(struct report *rp, const struct record_line *ln);

/* One line as JSON for programs; o is NULL if it has no order.  New. */
json_t *report_json(
    struct report *rp, const struct record_line *ln, const struct order *o);

/*
 * What a line opens: both choices where secrets are held, or the one that an
 * `open` order brings; then standing orders that act; new.
 */
json_t *report_opened(const struct record_line *ln, const struct order *o);

#endif
