/* SPDX-License-Identifier: ISC */
/*
 * The command line parser.  It knows no option by name; what a value means
 * is the subcommand's to say.
 */
#include "client/ui/opt.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"

#define OPT_WORD_MAX 31 /* longest word that distances are worked out for */

void
opt_init(struct opt_set *s)
{
	memset(s, 0, sizeof(*s));
}

void
opt_clear(struct opt_set *s)
{
	free(s->values);
	free(s->operands);
	opt_init(s);
}

/* The smaller of two numbers. */
static unsigned
opt_min(unsigned a, unsigned b)
{
	return (a < b ? a : b);
}

unsigned
opt_distance(const char *a, const char *b)
{
	unsigned d[OPT_WORD_MAX + 2][OPT_WORD_MAX + 2];
	size_t i, j, m = strlen(a), n = strlen(b);

	if (m > OPT_WORD_MAX || n > OPT_WORD_MAX)
		return (OPT_WORD_MAX);
	for (i = 0; i <= m; i++)
		d[i][0] = (unsigned)i;
	for (j = 0; j <= n; j++)
		d[0][j] = (unsigned)j;
	for (i = 1; i <= m; i++) {
		for (j = 1; j <= n; j++) {
			d[i][j] = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
			d[i][j] = opt_min(d[i][j], d[i - 1][j] + 1);
			d[i][j] = opt_min(d[i][j], d[i][j - 1] + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				d[i][j] = opt_min(d[i][j], d[i - 2][j - 2] + 1);
		}
	}
	return (d[m][n]);
}

/* Finds an option by its name (n bytes of it) or, for n 1, its letter. */
static const struct opt_def *
opt_find(const struct opt_def *defs, const char *name, size_t n, bool is_letter)
{
	for (; defs != NULL && defs->name != NULL; defs++) {
		if (is_letter ? defs->letter == *name
			      : strlen(defs->name) == n &&
			    strncmp(defs->name, name, n) == 0)
			return (defs);
	}
	return (NULL);
}

/* Says that an option is unknown and which one may be meant. */
static int
opt_unknown(const char *word, const char *name, size_t n,
    const struct opt_def *a, const struct opt_def *b, struct errinfo *e)
{
	const struct opt_def *tables[2] = {a, b}, *d, *best = NULL;
	unsigned least = 3, dist;
	char *s;
	size_t i;

	s = xalloc_strn(name, n);
	for (i = 0; i < 2; i++) {
		for (d = tables[i]; d != NULL && d->name != NULL; d++) {
			dist = opt_distance(s, d->name);
			if (n >= 3 && strncmp(d->name, s, n) == 0)
				dist = 0;
			if (dist < least) {
				least = dist;
				best = d;
			}
		}
	}
	free(s);
	if (best != NULL)
		return (err_set(e, ERR_INVALID, NULL,
		    "unknown option '%s'; did you mean '--%s'?", word,
		    best->name));
	return (err_set(e, ERR_INVALID, NULL,
	    "unknown option '%s' (words that begin with a dash go after "
	    "'--')",
	    word));
}

/* Reads the option at argv[*i]; moves *i to its last word. */
static int
opt_one(struct opt_set *s, int argc, char **argv, int *i,
    const struct opt_def *a, const struct opt_def *b, struct errinfo *e)
{
	const char *word = argv[*i], *name, *value = NULL;
	const struct opt_def *d;
	bool is_letter = word[1] != '-';
	size_t n;

	name = word + (is_letter ? 1 : 2);
	n = is_letter ? 1 : strcspn(name, "=");
	if ((d = opt_find(a, name, n, is_letter)) == NULL)
		d = opt_find(b, name, n, is_letter);
	if (d == NULL || (is_letter && d->arg == NULL && name[1] != '\0'))
		return (opt_unknown(word, name, n, a, b, e));
	if (is_letter && name[1] != '\0')
		value = name + 1;
	else if (!is_letter && name[n] == '=')
		value = name + n + 1;
	if (d->arg == NULL && value != NULL)
		return (err_set(e, ERR_INVALID, NULL,
		    "option '--%s' takes no value", d->name));
	if (d->arg != NULL && value == NULL) {
		if (*i + 1 >= argc)
			return (err_set(e, ERR_INVALID, NULL,
			    "option '--%s' needs a value: --%s %s", d->name,
			    d->name, d->arg));
		value = argv[++*i];
	}
	if (!d->is_many && d->arg != NULL && opt_has(s, d->name))
		return (err_set(e, ERR_INVALID, NULL,
		    "option '--%s' is given twice", d->name));
	s->values = xalloc_more(s->values, s->n, sizeof(*s->values));
	s->values[s->n].def = d;
	s->values[s->n++].value = value;
	return (0);
}

int
opt_parse(struct opt_set *s, int argc, char **argv, const struct opt_def *a,
    const struct opt_def *b, bool only_first, int *used, struct errinfo *e)
{
	bool is_over = false;
	char **operands;
	int i, r;

	operands = xalloc(
	    ((size_t)s->n_operands + (size_t)argc + 1) * sizeof(*operands));
	if (s->n_operands > 0)
		memcpy(operands, s->operands,
		    (size_t)s->n_operands * sizeof(*operands));
	free(s->operands);
	s->operands = operands;
	for (i = 0; i < argc; i++) {
		if (!is_over && strcmp(argv[i], "--") == 0) {
			is_over = true;
			continue;
		}
		/* "-" is standard input; "-1" and the like are words. */
		if (is_over || argv[i][0] != '-' ||
		    (argv[i][1] != '-' &&
			!isalpha((unsigned char)argv[i][1]))) {
			if (only_first)
				break;
			operands[s->n_operands++] = argv[i];
			continue;
		}
		if ((r = opt_one(s, argc, argv, &i, a, b, e)) != 0)
			return (r);
	}
	if (used != NULL)
		*used = i;
	return (0);
}

bool
opt_has(const struct opt_set *s, const char *name)
{
	size_t i;

	for (i = 0; i < s->n; i++) {
		if (strcmp(s->values[i].def->name, name) == 0)
			return (true);
	}
	return (false);
}

const char *
opt_get(const struct opt_set *s, const char *name)
{
	const char *value = NULL, *v;
	size_t i = 0;

	while ((v = opt_next(s, name, &i)) != NULL)
		value = v;
	return (value);
}

const char *
opt_next(const struct opt_set *s, const char *name, size_t *i)
{
	for (; *i < s->n; (*i)++) {
		if (strcmp(s->values[*i].def->name, name) == 0)
			return (s->values[(*i)++].value);
	}
	return (NULL);
}

bool
opt_number_in(const char *s, size_t len, int64_t lo, int64_t hi, int64_t *out)
{
	int64_t v = 0;
	size_t i;

	if (len == 0 || len > 16 || strspn(s, "0123456789") < len)
		return (false);
	for (i = 0; i < len; i++)
		v = v * 10 + (s[i] - '0');
	if (v < lo || v > hi)
		return (false);
	*out = v;
	return (true);
}

bool
opt_number(const char *s, int64_t lo, int64_t hi, int64_t *out)
{
	return (opt_number_in(s, strlen(s), lo, hi, out));
}
