/* SPDX-License-Identifier: ISC */
/* What the files of a tournament's pages share. */
#ifndef UMPIRE_WEB_PAGE_PAGE_CUP_INT_H
#define UMPIRE_WEB_PAGE_PAGE_CUP_INT_H

#include <jansson.h>

#include "common/tournament/tournament_sheet.h"
#include "web/page/page_int.h"

struct people;
struct terms;

struct page_cup_work;

/* Makes a part of a page; false: there is more of it, for the next step. */
typedef bool page_cup_part(struct page_cup_work *w);

struct page_cup_work {
	struct buf *b; /* borrowed, while it makes a step */
	const struct page_site *s; /* borrowed */
	struct page_cup_in own;
	const struct page_cup_in *in; /* that */
	enum page_cup what;
	int n; /* round or entrant */
	int round; /* that is shown */
	const struct terms *terms; /* the tournament's, as the next */
	const json_t *view;
	struct people *people; /* owned */
	page_cup_part *const *part; /* the next; NULL behind the last */
	bool has_games, has_points; /* of the round: columns */
	size_t row; /* the next of the part's table */
	size_t at; /* in the record: where the next line begins, */
	int64_t seq; /* and its number */
	int r; /* what went wrong; 0 */
	struct tournament_sheet sheet; /* owned, once it is made */
	struct standing *rows; /* owned, likewise */
	char *title, *path, *about, *record; /* owned: of the head */
	struct page_head head;
};

/* Takes the next rows of n; true: they are the last. */
bool page_cup_rows(struct page_cup_work *w, size_t n, size_t *from, size_t *to);

/*
 * A wide table begins, after headings, NULL-ended; '>' is to the right.  Its
 * caption is for who does not see what stands above it.
 */
void page_cup_table(
    struct buf *b, const char *caption, const char *const headings[]);
void page_cup_table_end(struct buf *b);

/* What an entrant is called; the entrant as a link. */
const char *page_cup_called(const struct page_cup_work *w, int number);
void page_cup_entrant(const struct page_cup_work *w, int number);

/* A result in words: "side 1 wins by forfeit"; free(). */
char *page_cup_result(const char *result);

/* What the umpire says of itself; what directors ruled. */
page_cup_part page_cup_told, page_cup_rulings;

/* The state as JSON; borrowed. */
const json_t *page_cup_view_json(const struct page_cup_view *v);

/* What stands there before a round is shown: who has won, or leads. */
page_cup_part page_cup_show_result;

/* And after it: who has entered, what was ruled, the terms, the record. */
page_cup_part page_cup_show_entrants, page_cup_show_rest;

/* The standings; what the others need; the crosstable; why one has a rank. */
page_cup_part page_cup_rank_standings, page_cup_rank_sheet, page_cup_rank_make,
    page_cup_rank_cross, page_cup_rank_why;

#endif
