/* SPDX-License-Identifier: ISC */
/*
 * The lines of a TRF file taken apart by columns, for trf_read.c alone.
 * Columns are counted from 0, one less than in the format's text.  What fails
 * says why, with the line's number.
 */
#ifndef UMPIRE_COMMON_PAIRING_TRF_FIELDS_H
#define UMPIRE_COMMON_PAIRING_TRF_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct errinfo;
struct trf;
struct trf_bye;

struct trf_reader {
	const char *p; /* rest of the file */
	size_t left;
	bool is_utf8;
	int line; /* number, from 1 */
	uint32_t *col; /* the line's characters, blanks at its end gone */
	size_t n;
	size_t cap;
	struct trf *t;
	size_t n_byes;
	struct trf_bye *byes;
	bool has_bye_points; /* said, not taken from a win */
	struct errinfo *e;
};

/* Says what is wrong with the line; returns r. */
int trf_bad(struct trf_reader *rd, int r, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * Takes the next line apart into characters.  ERR_NOTFOUND at the end;
 * ERR_NOMEM.
 */
int trf_next(struct trf_reader *rd) __attribute__((warn_unused_result));

/* The character at a column; a blank behind the end. */
uint32_t trf_at(const struct trf_reader *rd, size_t i);

/* True if the columns from..to-1 are blank. */
bool trf_blank(const struct trf_reader *rd, size_t from, size_t to);

/* True if the line has that tag. */
bool trf_tagged(const struct trf_reader *rd, const char *tag);

/*
 * Finds the next word of a line of words, behind *to; false at its end, else
 * it is in the columns *from..*to-1.
 */
bool trf_word(const struct trf_reader *rd, size_t *from, size_t *to);

/*
 * Copies columns as UTF-8, without blanks at both ends; out has room for four
 * bytes a column and a terminator.
 */
void trf_string(const struct trf_reader *rd, size_t from, size_t to, char *out);

/*
 * Reads a number of digits alone; what is its name for people.  Blank is 0 if
 * lo is, else an error.  ERR_MALFORMED.
 */
int trf_int(struct trf_reader *rd, size_t from, size_t to, const char *what,
    int lo, int hi, int *out) __attribute__((warn_unused_result));

/*
 * Reads points such as 11.5 as half points; blank leaves *out alone.
 * ERR_MALFORMED.
 */
int trf_half(struct trf_reader *rd, size_t from, size_t to, const char *what,
    bool may_be_negative, int *out) __attribute__((warn_unused_result));

/*
 * Reads the pairing number of somebody who is there; *out is the index.
 * ERR_MALFORMED, ERR_INVALID.
 */
int trf_someone(struct trf_reader *rd, size_t from, size_t to, int *out)
    __attribute__((warn_unused_result));

#endif
