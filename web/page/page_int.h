/* SPDX-License-Identifier: ISC */
/* What the files of the pages share. */
#ifndef UMPIRE_WEB_PAGE_PAGE_INT_H
#define UMPIRE_WEB_PAGE_PAGE_INT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/base/buf.h"
#include "common/game/game.h"
#include "web/page/page.h"

struct report;
struct rosters;
struct scene;

/* ---- page_frame.c: what stands around a body ---- */

/* The head of a page; all borrowed, NULL: not there. */
struct page_head {
	const char *title; /* of the window */
	const char *about; /* a sentence for search engines and previews */
	const char *preview; /* a preview's title; NULL: title */
	const char *path; /* its address without the site's */
	const char *feed; /* the path of its feed, */
	const char *record; /* of the record, */
	const char *picture; /* of a picture for previews */
	const char *picture_says; /* in words */
	const char *game; /* that live.js follows, from line seq on */
	int64_t seq;
	int64_t epoch; /* texts that were erased by then */
	const char *cup; /* a tournament that cup_live.js follows, */
	const char *mark; /* and how it stood */
	const char *skip; /* what the skip link says; NULL: the usual */
	bool has_verify; /* verify.js */
	bool is_hidden; /* from search engines */
	bool is_embed; /* for frames: no way around, links leave the frame */
};

/* Begins a page, up to and with <main>; ends it. */
void page_begin(
    struct buf *b, const struct page_site *s, const struct page_head *h);
void page_end(
    struct buf *b, const struct page_site *s, const struct page_head *h);

/* Says that the umpire does not answer, and since when; nothing if it does. */
void page_away(struct buf *b, const struct page_site *s);

/* A warning in a box. */
void page_warn(struct buf *b, const char *text);

/*
 * Appends a time as an element: "12:01" of a day that the reader knows
 * (has_day false), else "2026-11-20 12:01"; in UTC.
 */
void page_time(struct buf *b, int64_t ms, bool has_day);

/* Appends a part of an address: what is not plain there is in percents. */
void page_path_text(struct buf *b, const char *s);

/* A link to a player: "<a href="/u/anna"><bdi>Anna K.</bdi></a>". */
void page_player(struct buf *b, const char *account, const char *called);

/* True for a draw, agreed or ruled: other games just have no winner. */
bool page_is_drawn(const json_t *result);

/*
 * What the players of an event got against each other, from rows of game.list,
 * in games in which each was alone on a side; is_all: there are no more games.
 * What was called off before it began is none.  Nothing if none is over.
 */
void page_cross(struct buf *b, const json_t *games, bool is_all);

/* A link to an event. */
void page_event(struct buf *b, const char *event);

/* How long, for people: "12 minutes"; free(). */
char *page_duration(int64_t ms);

/* ---- page_tell.c: turns and combats as parts ---- */

struct page_plan;
struct page_tell;

/*
 * A writer of a document (client/report/doc.h) that appends parts: combats are
 * sections with the id c<N>, lines have the id l<N>.  is_here: what is told
 * is a part of the game's own page, and needs less to link to what is the
 * game's.  Both are borrowed.
 */
struct page_tell *page_tell_new(
    const struct page_game *g, const struct page_plan *plan, bool is_here);
void page_tell_free(struct page_tell *t);

/* The document, to be told to. */
struct doc *page_tell_doc(struct page_tell *t);

/*
 * The lines of combats before that one are not told, but linked to where they
 * are: the combat's own page.
 */
void page_tell_set_brief(struct page_tell *t, int before);

/* Moves what is told so far, and is whole, to the end of *out. */
void page_tell_take(struct page_tell *t, struct buf *out);

/* Ends what is open, first. */
void page_tell_end(struct page_tell *t, struct buf *out);

/* ---- page_sketch.c: drawings ---- */

/* Draws a combat; `id` is its own in the page.  How wide it is, in pixels. */
int page_sketch(struct buf *b, const struct scene *s, const char *id);

/* ---- page_plan.c: where turns and combats are ---- */

/* Lines of one turn in a row; after a takeback a turn may come again. */
struct page_span {
	int turn; /* 0: before the first */
	int again; /* how often it was there before */
	int64_t from, to; /* lines, both told */
	bool is_undone; /* the game went back to before it */
	int combats; /* declared before it */
	int n_combats; /* declared in it */
};

struct page_plan {
	struct page_span *spans; /* owned, n of them */
	size_t n;
	int64_t *declared; /* owned: the line of each combat, from 1 on */
	int combats;
	int64_t last; /* line */
	int turns; /* the greatest turn */
};

/* Reads the turns of lines 0 .. last. */
void page_plan_make(struct page_plan *p, const struct battle *b, int64_t last);
void page_plan_clear(struct page_plan *p);

/* The span that holds a line. */
const struct page_span *page_plan_find(const struct page_plan *p, int64_t seq);

/* The last line of a combat (from 1 on). */
int64_t page_plan_combat_end(
    const struct page_plan *p, const struct battle *b, int combat);

/* How a span is called: "Turn 3: French"; free(). */
char *page_plan_name(const struct page_span *sp, const struct game *g);

/* ---- page_now.c: how it stands ---- */

/* What a side is called where that begins a line; free(). */
char *page_now_side(const struct game *g, int side);

/* The heading: "Turn 3, French", or how the game ended; free(). */
char *page_now_heading(const struct battle *b);

/* The same for a preview, with what is left; free(). */
char *page_now_about(const struct battle *b, const struct page_plan *p);

/*
 * The panel, and the list of turns: those from `here` on are in the same page.
 */
void page_now_put(struct buf *b, const struct page_game *g,
    const struct page_plan *p, size_t here);

/* Whom the open combat waits for. */
void page_now_combat(struct buf *b, const struct battle *battle);

/* The strength that both sides have left; nothing where it is not known. */
void page_now_forces(struct buf *b, const struct battle *battle);

/* ---- page_dice.c ---- */

/* The proofs of the dice of a line; ERR_NOTFOUND if it has none. */
int page_dice(struct buf *b, const struct page_site *s,
    const struct page_game *g, const struct page_plan *plan, int64_t seq)
    __attribute__((warn_unused_result));

/* True if dice or chits fell in a line. */
bool page_dice_fell(const struct battle *b, int64_t seq);

/* ---- page_card.c, page_csv.c ---- */

/* The picture of a game as it stands. */
void page_card(
    struct buf *b, const struct page_site *s, const struct page_game *g);

/* The dice of lines from .. to as rows; with the headings if from is 0. */
void page_csv(struct buf *b, const struct page_game *g,
    const struct page_plan *p, int64_t from, int64_t to);

/* ---- page_feed.c, page_say.c ---- */

/* The feed of one game.  That of *b. */
int page_feed_game(struct buf *b, const struct page_site *s,
    const struct page_game *g, const struct page_plan *p)
    __attribute__((warn_unused_result));

/* How a combat came out, NULL: it has not; free(). */
char *page_outcome(
    const struct page_game *g, const struct page_plan *p, int combat);

/* What a line outside of combats did, in a sentence; free(). */
char *page_sentence(
    const struct page_game *g, const struct page_plan *p, int64_t seq);

/* A game: as the list calls it, else "French against Austrians"; free(). */
char *page_game_title(const struct page_game *g);

#endif
