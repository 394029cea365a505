/* SPDX-License-Identifier: ISC */
/* What the files of a tournament's pages share. */
#ifndef UMPIRE_WEB_PAGE_PAGE_CUP_INT_H
#define UMPIRE_WEB_PAGE_PAGE_CUP_INT_H

#include <jansson.h>

#include "web/page/page_int.h"

struct people;
struct terms;
struct tournament_sheet;

struct page_cup_work {
	struct buf *b;
	const struct page_cup_in *in;
	const struct terms *terms;
	struct people *people; /* owned, as the next */
	json_t *view;
	int n; /* round or entrant */
};

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

/* The tables of a round.  ERR_NOTFOUND. */
int page_cup_round(const struct page_cup_work *w, int n);

/* What stands there before a round is shown: who has won, or leads. */
void page_cup_show_result(const struct page_cup_work *w);

/* And after it: who has entered, what was ruled, the terms, the record. */
void page_cup_show_rest(const struct page_cup_work *w);

/* The standings, and the crosstable. */
void page_cup_rank_standings(const struct page_cup_work *w);
void page_cup_rank_cross(
    const struct page_cup_work *w, const struct tournament_sheet *s);

/* Why an entrant stands where they do.  ERR_NOTFOUND. */
int page_cup_rank_why(
    const struct page_cup_work *w, const struct tournament_sheet *s);

#endif
