/* SPDX-License-Identifier: ISC */
/*
 * A library of rosters by names: those that the player has saved, in their
 * profile's data (rosters/NAME.json), and the samples in the folder of data
 * (datafile.h).  A saved one hides a sample of its name.
 */
#ifndef UMPIRE_CLIENT_CMD_LIBRARY_H
#define UMPIRE_CLIENT_CMD_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

struct cmd_ctx;

#define LIBRARY_NAME_MAX 64 /* bytes of a name */

/* Where rosters that were named on a command line are. */
struct library_place {
	char *path; /* owned, to be freed by the caller; "-": standard input */
	bool is_library; /* the word was a name of the library */
	bool is_own; /* then: the player saved it; else it is a sample */
};

/*
 * True for a name that rosters may have in a library: letters, digits, '.',
 * '_' and '-', not beginning with a sign nor ending in ".json", so that none
 * is a path.
 */
bool library_is_name(const char *s);

/* True if a sample that came with umpire has this name. */
bool library_is_sample(const char *name);

/*
 * Finds the rosters that a word of the command line names: a file of that
 * name, else one of the library.  What looks like a path ("-", a slash,
 * ".json") is one.  Prints that there is neither, with names like it: 0, or
 * an exit status.
 */
int library_find(struct cmd_ctx *cx, const char *word,
    struct library_place *out) __attribute__((warn_unused_result));

/* The same of a name of the library alone. */
int library_find_name(struct cmd_ctx *cx, const char *name,
    struct library_place *out) __attribute__((warn_unused_result));

/* A roster that has a name. */
struct library_entry {
	char *name; /* owned */
	char *path; /* owned */
	json_t *blob; /* owned; an object with "sides", not checked */
	bool is_own;
};

struct library {
	struct library_entry *list; /* owned; the player's first, by name */
	size_t n;
};

/* Reads all that there are; library_clear() frees what *l holds. */
void library_read(const struct cmd_ctx *cx, struct library *l);
void library_clear(struct library *l);

#endif
