/* SPDX-License-Identifier: ISC */
/*
 * How far apart the server's clock and those of the others were, by what their
 * orders say (record S3): who sees it can tell orders that were kept back, and
 * lines with another time than their own.
 */
#ifndef UMPIRE_CLIENT_REPORT_CLOCKS_H
#define UMPIRE_CLIENT_REPORT_CLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

struct buf;
struct out;

/* A clock beside the server's; clocks_clear() frees what it holds. */
struct clocks {
	bool is_told; /* there are orders that say when they were signed */
	int64_t late_ms; /* most from signing to the line's time; from 0 on */
	int64_t early_ms; /* the other way */
	json_t *lines; /* owned: where it is more than two minutes */
};

void clocks_init(struct clocks *c);
void clocks_clear(struct clocks *c);

/* Notes the time of a line and that of the order in it. */
void clocks_note(struct clocks *c, int64_t line, int64_t at_ms, int64_t now_ms);

/* Appends "anna's orders were recorded up to 3 s after they were signed". */
void clocks_write(struct buf *out, const char *who, const struct clocks *c);

/* Adds "at_less_now_ms", "now_less_at_ms" and "lines" to an object. */
void clocks_put(json_t *v, const struct clocks *c);

/*
 * Those of all who gave orders in a good record of a tournament, for programs:
 * [{"account","at_less_now_ms","now_less_at_ms","lines"}]; new.
 */
json_t *clocks_tournament_json(const char *bytes, size_t len);

/*
 * The same for people: a row for each clock that was more than two minutes
 * apart, up to some, or one for all clocks.
 */
void clocks_tournament_print(struct out *o, const char *bytes, size_t len);

#endif
