/* SPDX-License-Identifier: ISC */
/*
 * What somebody should look at in a tournament whose record holds (record
 * S21.1): what people decided rather than games, what nobody answered, what
 * was lost, and what could not be looked at.
 */
#ifndef UMPIRE_CLIENT_REPORT_TOURNAMENT_LOOKS_H
#define UMPIRE_CLIENT_REPORT_TOURNAMENT_LOOKS_H

#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

struct out;
struct tournament;
struct verify_tournament_seen;

struct tournament_looks {
	json_t *games; /* owned: what each that was read told */
	/*
	 * Owned: [{"what","line"?,"round"?,"table"?,"leg"?,"game"?,"text"}], of
	 * one kind together.
	 */
	json_t *list;
	int64_t changes; /* of units, in games, by agreement and in force */
	int64_t missing; /* texts that lines of the tournament name */
	int64_t missing_in_games; /* and those of its games */
};

void tournament_looks_init(struct tournament_looks *l);
void tournament_looks_clear(struct tournament_looks *l);

/* verify_tournament_options.seen; arg is the struct. */
void tournament_looks_seen_cb(
    void *arg, const struct verify_tournament_seen *seen);

/*
 * Goes through a record that holds, as far as t, and fills the list; view is
 * tournament_view()'s.
 */
void tournament_looks_find(struct tournament_looks *l,
    const struct tournament *t, const json_t *view, const char *bytes,
    size_t len);

/* Prints the list, each with a mark, then how many texts are not here. */
void tournament_looks_print(struct out *o, const struct tournament_looks *l);

/* The members of it for programs. */
void tournament_looks_json(const struct tournament_looks *l, json_t *v);

#endif
