/* SPDX-License-Identifier: ISC */
/*
 * The bodies of pages: HTML, Atom and CSV out of games and rows that are given.
 * Nothing here does input or output, reads a clock, or knows HTTP.  All texts
 * may be strangers': they go through client/report/markup.h, or in XML through
 * svg_text(), and into addresses in percents.  Nothing stands inline that a
 * strict policy forbids: no script, no style.
 */
#ifndef UMPIRE_WEB_PAGE_PAGE_H
#define UMPIRE_WEB_PAGE_PAGE_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "common/base/err.h"

struct battle;
struct buf;
struct page_cup_view;
struct page_cup_work;
struct page_work;
struct tournament;
struct report_sheets;

/* What all pages are told; all borrowed, "" where there is nothing. */
struct page_site {
	const char *css; /* addresses: "/s/HASH/umpire.css" */
	const char *icon; /* SVG */
	const char *live_js;
	const char *cup_js;
	const char *verify_js;
	const char *worker_js;
	const char *wasm; /* "": records cannot be checked in the browser */
	const char *wasm_hash; /* SHA-256 of its bytes, in hex */
	const char *reader; /* the same in one file, to be kept; "" */
	bool has_png; /* /g/<id>/N.png is there, for previews of links */
	const char *base; /* "https://games.example.org"; "": not known */
	const char *title; /* what the site is called */
	const char *key; /* the server's identity key, in hex */
	int64_t now_ms;
	int64_t away_ms; /* for how long the umpire has not answered; 0 */
};

/* A game that pages tell of; all borrowed. */
struct page_game {
	const struct battle *b; /* its verified lines */
	const char *id; /* its address is /g/<id>/ */
	const char *gid; /* its whole id */
	int64_t seq; /* the last line to be told */
	int64_t epoch; /* texts of it that were erased */
	int64_t total; /* lines that the server has: more are being checked */
	bool is_cut; /* it has more lines, which are not read here */
	int64_t at_ms; /* when the last line came here */
	const char *title; /* of its row; "" */
	const char *doubt; /* what does not hold; NULL: all is well */
	const char *evidence; /* address of proof against the server; "" */
	bool is_damaged; /* the server takes no orders: its record is bad, */
	bool is_recovering; /* or it may have lost lines */
	/*
	 * Sheets of combats that were made before (client/report), which cost
	 * more than all else; one for each game, to be kept with it.  NULL:
	 * none are kept.
	 */
	struct report_sheets *sheets;
};

/* What can be made of a game. */
enum page_kind {
	PAGE_GAME,
	PAGE_TURN, /* n: the turn */
	PAGE_COMBAT, /* n: the combat */
	PAGE_PART, /* a fragment: combat n, as of as_of */
	PAGE_NOW, /* likewise what is now, and the turns */
	PAGE_LINES, /* likewise turn n */
	PAGE_DICE, /* the proofs of the dice of line n */
	PAGE_EMBED,
	PAGE_FEED,
	PAGE_CSV,
	PAGE_CARD, /* a picture, SVG */
};

/*
 * Begins a body.  ERR_NOTFOUND if there is no such turn, combat, line or dice.
 * What is given must stay as it is until the work is freed.  New.
 */
int page_work_new(enum page_kind kind, const struct page_site *s,
    const struct page_game *g, int64_t n, int64_t as_of, struct page_work **out)
    __attribute__((warn_unused_result));

/* Goes on for a few milliseconds at most, appending to out.  ERR_NOMEM. */
int page_work_step(struct page_work *w, struct buf *out, bool *is_done)
    __attribute__((warn_unused_result));

/* True if it shows what people wrote, their names among it. */
bool page_work_has_words(const struct page_work *w);

/* Frees it; NULL is allowed. */
void page_work_free(struct page_work *w);

/*
 * The lines that a fragment (PAGE_PART, PAGE_LINES, PAGE_NOW: none) tells as of
 * as_of, at most.  ERR_NOTFOUND.
 */
int page_span(const struct page_game *g, enum page_kind kind, int64_t n,
    int64_t as_of, int64_t *from, int64_t *to)
    __attribute__((warn_unused_result));

/* Where a line is told. */
struct page_place {
	int turn;
	int combat; /* its number; 0: none */
};

/*
 * Says line seq in a sentence ("" if there is nothing to say), and where it is
 * told.  ERR_NOTFOUND: there is no such line.
 */
int page_say(const struct page_game *g, int64_t seq, struct buf *out,
    struct page_place *at) __attribute__((warn_unused_result));

/* Where a line is told that is there. */
struct page_place page_where(const struct page_game *g, int64_t seq);

/* Says how the game stands, in a few words. */
int page_now(const struct page_game *g, struct buf *out)
    __attribute__((warn_unused_result));

/* How somebody's dice fell; of all kinds of rolls but free ones. */
struct page_luck {
	int games;
	int64_t dice;
	double pips; /* more than even, below 0: less */
	double variance; /* of the pips, if dice are fair */
};

/* Lists of games. */
enum page_rows_what {
	PAGE_ROWS_LOBBY,
	PAGE_ROWS_LIVE,
	PAGE_ROWS_EVENT,
	PAGE_ROWS_PLAYER,
};

/* A list; all borrowed, NULL where there is nothing. */
struct page_rows {
	enum page_rows_what what;
	const char *name; /* the event, the player's account */
	const char *called; /* the player's name for people */
	const char *system; /* filters in force */
	const char *event;
	const char *phase;
	const json_t *games; /* rows of game.list, newest first */
	const char *more; /* goes on at ?before= this */
	const json_t *tournaments; /* rows of tournament.list */
	const struct page_luck *luck; /* of a player */
	int digits; /* of ids in links */
};

int page_lobby(const struct page_site *s, const struct page_rows *r,
    struct buf *out) __attribute__((warn_unused_result));

/* An error's page; why is a sentence. */
int page_error(const struct page_site *s, int status, const char *why,
    struct buf *out) __attribute__((warn_unused_result));

/* Several games answer to the digits of an address: links to them. */
int page_choice(const struct page_site *s, const json_t *games, int digits,
    struct buf *out) __attribute__((warn_unused_result));

/* Pages that are always the same. */
enum page_fixed { PAGE_FIXED_VERIFY, PAGE_FIXED_ODDS };

int page_fixed(const struct page_site *s, enum page_fixed what, struct buf *out)
    __attribute__((warn_unused_result));

/*
 * The styles that /verify needs beside its own, for Content-Security-Policy's
 * style-src: the battle that is told in a frame there has one in itself.
 */
int page_verify_styles(struct buf *out) __attribute__((warn_unused_result));

/* A feed of several games: its head, each game's entries, its end. */
int page_feed_open(const struct page_site *s, const char *self,
    const char *title, int64_t updated_ms, struct buf *out)
    __attribute__((warn_unused_result));
int page_feed_add(const struct page_site *s, const struct page_game *g,
    struct buf *out) __attribute__((warn_unused_result));
int page_feed_close(struct buf *out) __attribute__((warn_unused_result));

/* A tournament's pages. */
enum page_cup {
	PAGE_CUP_SHOW, /* /t/<id>/ */
	PAGE_CUP_STANDINGS, /* /t/<id>/standings */
	PAGE_CUP_CROSSTABLE, /* /t/<id>/crosstable */
	PAGE_CUP_ROUND, /* /t/<id>/r/N */
	PAGE_CUP_WHY, /* /t/<id>/why/N: what entrant N has each value from */
};

/* What was found of a game of a tournament. */
enum page_cup_game {
	PAGE_CUP_GAME_UNKNOWN, /* it is not checked yet, or nothing holds */
	PAGE_CUP_GAME_GOOD, /* its record was read, and it is as it tells */
	PAGE_CUP_GAME_AWAY, /* its record could not be read */
	PAGE_CUP_GAME_NEWER, /* it was, but cannot be judged here */
};

/* How a tournament was checked with its games. */
struct page_cup_check {
	bool is_there; /* else it is not done here */
	bool is_done; /* else not yet */
	bool is_bad;
	int64_t lines; /* of which it tells */
	int64_t at_ms; /* when that was */
	int64_t dice; /* checked, those of the games among them */
	int named; /* games */
	int has; /* of those, whose records could be read */
	/* What is bad, or why not all could be judged; NULL: nothing. */
	const char *why;
};

/* A tournament that pages tell of; all borrowed. */
struct page_cup_in {
	const struct tournament *t; /* verified */
	const char *id; /* its address is /t/<id>/ */
	/* A text by its hash; NULL: it is not held. */
	const char *(*text)(void *arg, const char *hex);
	void *arg;
	/* What was found of a game, by its id. */
	enum page_cup_game (*game)(void *arg, const char *hex);
	const struct page_cup_check *check;
	const char *mark; /* changes with all that pages tell */
	const struct page_cup_view *view; /* whole */
	const char *record; /* its lines, with LF */
	size_t record_len;
	int64_t lines; /* that were verified */
	int64_t total; /* that the server has: more are being checked */
	const char *doubt; /* what does not hold; NULL: all is well */
	const char *evidence; /* address of proof against the server; "" */
	int64_t at_ms; /* when the last line came here */
};

/*
 * The state as pages need it, made once for all of them while the tournament
 * has no other line.  Where there are many entrants a step takes some
 * milliseconds; true: it was the last.  New.
 */
struct page_cup_view *page_cup_view_new(void);
bool page_cup_view_step(struct page_cup_view *v, const struct tournament *t);
bool page_cup_view_is_whole(const struct page_cup_view *v);
void page_cup_view_free(struct page_cup_view *v);

/* Says how it stands, in a sentence. */
int page_cup_now(const struct page_cup_in *in, struct buf *out)
    __attribute__((warn_unused_result));

/*
 * Begins a page.  ERR_NOTFOUND: there is no such round or entrant, or, of what
 * hangs on rounds, none is paired yet.  What in has may go; what that points to
 * must stay as it is until the work is freed, and the tournament take no line.
 * New.
 */
int page_cup_new(enum page_cup what, const struct page_site *s,
    const struct page_cup_in *in, int n, struct page_cup_work **out)
    __attribute__((warn_unused_result));

/*
 * Goes on for a few milliseconds at most, appending to out.  ERR_NOTFOUND, as
 * above, ERR_NOMEM.
 */
int page_cup_step(struct page_cup_work *w, struct buf *out, bool *is_done)
    __attribute__((warn_unused_result));

/* Frees it; NULL is allowed. */
void page_cup_free(struct page_cup_work *w);

#endif
