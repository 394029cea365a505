/* SPDX-License-Identifier: ISC */
/*
 * Options and operands of a command line, by tables, so that help texts,
 * completion and parsing cannot differ.
 */
#ifndef UMPIRE_CLIENT_UI_OPT_H
#define UMPIRE_CLIENT_UI_OPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"

/* An option; a table of them ends with name NULL. */
struct opt_def {
	const char *name; /* without the dashes */
	char letter; /* short form, 0 if none */
	const char *arg; /* name of its value; NULL: a flag */
	bool is_many; /* may be given more than once */
	const char *what; /* for people, lower case */
};

/* What was given; opt_clear() frees it. Strings are borrowed from argv. */
struct opt_set {
	struct opt_value *values; /* owned; in the order given */
	size_t n;
	char **operands; /* owned array */
	int n_operands;
};

struct opt_value {
	const struct opt_def *def;
	const char *value; /* NULL for flags */
};

void opt_init(struct opt_set *s);
void opt_clear(struct opt_set *s);

/*
 * Reads argv[0 .. argc - 1] by the tables a and b (b may be NULL) and adds to
 * *s.  Options may stand between operands; "--" ends them.  With only_first
 * it stops at the first operand, and *used says how many words were taken.
 * ERR_INVALID with a text for people.
 */
int opt_parse(struct opt_set *s, int argc, char **argv, const struct opt_def *a,
    const struct opt_def *b, bool only_first, int *used, struct errinfo *e)
    __attribute__((warn_unused_result));

/* True if the option was given. */
bool opt_has(const struct opt_set *s, const char *name);

/* The value of an option, NULL if it was not given; the last, if many. */
const char *opt_get(const struct opt_set *s, const char *name);

/*
 * The next value of a repeatable option: *i starts at 0 and is moved on;
 * NULL when there are no more.
 */
const char *opt_next(const struct opt_set *s, const char *name, size_t *i);

/* Reads a decimal number lo .. hi; false for anything else. */
bool opt_number(const char *s, int64_t lo, int64_t hi, int64_t *out);

/* The same of the first len bytes of s. */
bool opt_number_in(
    const char *s, size_t len, int64_t lo, int64_t hi, int64_t *out);

/*
 * How many insertions, deletions, changes and swaps of neighbours lead from
 * a to b; for suggestions after a slip.  Words over 31 bytes are far apart.
 */
unsigned opt_distance(const char *a, const char *b);

#endif
