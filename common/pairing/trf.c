/* SPDX-License-Identifier: ISC */
#include "common/pairing/trf.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/err.h"
#include "common/pairing/crosstable.h"

struct trf *
trf_new(size_t n_players, int n_rounds)
{
	struct trf *t;

	if ((t = calloc(1, sizeof(*t))) == NULL)
		return (NULL);
	t->table = crosstable_new(n_players, n_rounds);
	t->players = calloc(n_players + 1, sizeof(*t->players));
	if (t->table == NULL || t->players == NULL) {
		trf_free(t);
		return (NULL);
	}
	return (t);
}

void
trf_free(struct trf *t)
{
	size_t i;

	if (t == NULL)
		return;
	for (i = 0; i < t->n_lines; i++)
		free(t->lines[i].text);
	free(t->lines);
	free(t->players);
	crosstable_free(t->table);
	free(t);
}

const char *
trf_text(const struct trf *t, const char *tag)
{
	size_t i;

	for (i = 0; i < t->n_lines; i++)
		if (strcmp(t->lines[i].tag, tag) == 0)
			return (t->lines[i].text);
	return (NULL);
}

int
trf_add(struct trf *t, const char *tag, const char *text)
{
	struct trf_line *l;
	char *copy;

	if ((copy = strdup(text)) == NULL)
		return (ERR_NOMEM);
	l = realloc(t->lines, (t->n_lines + 1) * sizeof(*l));
	if (l == NULL) {
		free(copy);
		return (ERR_NOMEM);
	}
	t->lines = l;
	l = &l[t->n_lines++];
	memset(l->tag, 0, sizeof(l->tag));
	memcpy(l->tag, tag, strnlen(tag, sizeof(l->tag) - 1));
	l->text = copy;
	return (0);
}
