/* SPDX-License-Identifier: ISC */
/*
 * FIDE's Tournament Report File, of 2016 and of 2026, as text in memory: read
 * into a crosstable, and written from one.
 *
 * What is read: lines that end in CR, LF or both; columns that are characters
 * of UTF-8 or, in a file that is none, of Latin-1; the tags of tournaments of
 * single players, and the XX? and BB? tags of JaVaFo and bbpPairings.  A line
 * that is not understood is an error that names it, and so is one that only
 * tournaments of teams have: nothing is skipped but comments (###).
 */
#ifndef UMPIRE_COMMON_PAIRING_TRF_H
#define UMPIRE_COMMON_PAIRING_TRF_H

#include <stddef.h>

#include "common/base/err.h"

struct buf;
struct crosstable;

#define TRF_NAME 33 /* characters */

/* What a file says of a player beside the games; UTF-8. */
struct trf_player {
	char sex[1 * 4 + 1];
	char title[3 * 4 + 1];
	char name[TRF_NAME * 4 + 1];
	char federation[3 * 4 + 1];
	char id[11 * 4 + 1];
	char birth[10 * 4 + 1];
	int points; /* half points, as the file has them */
	int rank; /* 0: none */
	int line; /* in the file that was read */
};

/* A line that neither pairings nor tie-breaks need. */
struct trf_line {
	char tag[4];
	char *text; /* from the fifth column on; owned */
};

struct trf {
	struct crosstable *table; /* owned, as all below */
	struct trf_player *players; /* one of each index of the table */
	size_t n_lines;
	struct trf_line *lines; /* in their order */
	/*
	 * The first line that asks of pairings what is not done here, such as
	 * acceleration, and what it asks; line 0: none.
	 */
	int unpairable_line;
	char unpairable[80];
};

/* Makes an empty tournament of so many players and rounds.  NULL: no memory. */
struct trf *trf_new(size_t n_players, int n_rounds);

/* Frees it and what it owns. */
void trf_free(struct trf *t);

/* The text of the first line of that tag; NULL: there is none. */
const char *trf_text(const struct trf *t, const char *tag);

/*
 * Adds a line that is written as it is, before the players; the text must not
 * break the line.  ERR_NOMEM.
 */
int trf_add(struct trf *t, const char *tag, const char *text)
    __attribute__((warn_unused_result));

/*
 * Reads a file: *out is new.  ERR_MALFORMED, ERR_INVALID or ERR_TOOBIG with
 * "line N" as the place; ERR_NOMEM.
 */
int trf_read(const char *text, size_t len, struct trf **out, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Appends the file to out, in the form of 2026, lines ended by CR and LF.
 * Failures stay in the buffer: ERR_TOOBIG, too, if somebody has more points
 * than its columns hold.
 */
void trf_write(const struct trf *t, struct buf *out);

#endif
