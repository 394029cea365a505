/* SPDX-License-Identifier: ISC */
/*
 * The numbered list of a question, as a screen can show it: first words in a
 * column, each choice on one line where all of them would not fit otherwise,
 * and a page at a time where even that is too much.
 */
#ifndef UMPIRE_CLIENT_UI_ASK_LIST_H
#define UMPIRE_CLIENT_UI_ASK_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

/* Where questions go and answers come from. */
struct ask_io {
	/*
	 * Reads a line after a prompt: *line is new, without its end and
	 * blanks around.  words (borrowed, may be NULL) is an array of texts
	 * that complete it.  0, or ERR_CLOSED when nobody is left to answer.
	 */
	int (*line)(
	    void *arg, const char *prompt, const json_t *words, char **line);
	/*
	 * Shows a paragraph, which is wrapped and made safe for a terminal;
	 * indent columns before each line after the first.
	 */
	void (*say)(void *arg, int indent, const char *text);
	void *arg;
	/*
	 * How large the screen is, so that lists are cut and shown a page at a
	 * time; NULL: as long as they are.
	 */
	void (*size)(void *arg, int *rows, int *columns);
};

struct ask_list {
	const struct ask_io *io; /* borrowed, as all that follows */
	const char *title; /* NULL: none */
	const char *const *labels;
	size_t n;
	size_t shown; /* choices that were listed so far */
	size_t page; /* that are listed at a time */
	int first; /* columns of the first words; 0: they are no column */
	int columns; /* of the screen */
	bool is_cut; /* a choice has one line, whatever is lost by that */
};

/*
 * Sets the list up and shows its first page, below an empty line and the
 * title.  The labels live as long as the list; nothing is to be freed.
 */
void ask_list_begin(struct ask_list *l, const struct ask_io *io,
    const char *title, const char *const labels[], size_t n);

/* True if there is a page that has not been shown. */
bool ask_list_has_more(const struct ask_list *l);

/* Shows the next page. */
void ask_list_more(struct ask_list *l);

/* Begins the list again, with nothing cut. */
void ask_list_whole(struct ask_list *l);

#endif
