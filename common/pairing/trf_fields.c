/* SPDX-License-Identifier: ISC */
#include "common/pairing/trf_fields.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/base/err.h"
#include "common/base/utf8.h"
#include "common/pairing/crosstable.h"
#include "common/pairing/trf.h"

int
trf_bad(struct trf_reader *rd, int r, const char *fmt, ...)
{
	char where[32];
	va_list ap;

	(void)snprintf(where, sizeof(where), "line %d", rd->line);
	va_start(ap, fmt);
	r = err_vset(rd->e, r, where, fmt, ap);
	va_end(ap);
	return (r);
}

int
trf_next(struct trf_reader *rd)
{
	const char *end = rd->p;
	size_t len = 0, used;
	uint32_t *col, c;

	if (rd->left == 0)
		return (ERR_NOTFOUND);
	while (len < rd->left && end[len] != '\r' && end[len] != '\n')
		len++;
	if (len + 1 > rd->cap) {
		if ((col = realloc(rd->col, (len + 1) * sizeof(*col))) == NULL)
			return (ERR_NOMEM);
		rd->col = col;
		rd->cap = len + 1;
	}
	rd->line++;
	rd->n = 0;
	while (rd->p < end + len) {
		used = 1;
		c = (unsigned char)*rd->p;
		if (rd->is_utf8)
			used = utf8_get(rd->p, (size_t)(end + len - rd->p), &c);
		rd->p += used;
		rd->col[rd->n++] = c;
	}
	rd->left -= len;
	used = rd->left == 0                                       ? 0
	    : rd->left > 1 && rd->p[0] == '\r' && rd->p[1] == '\n' ? 2
								   : 1;
	rd->p += used;
	rd->left -= used;
	while (rd->n > 0 && rd->col[rd->n - 1] == ' ')
		rd->n--;
	return (0);
}

uint32_t
trf_at(const struct trf_reader *rd, size_t i)
{
	return (i < rd->n ? rd->col[i] : ' ');
}

bool
trf_blank(const struct trf_reader *rd, size_t from, size_t to)
{
	for (; from < to; from++)
		if (trf_at(rd, from) != ' ')
			return (false);
	return (true);
}

bool
trf_tagged(const struct trf_reader *rd, const char *tag)
{
	size_t i;

	for (i = 0; i < 3; i++)
		if (trf_at(rd, i) != (unsigned char)tag[i])
			return (false);
	return (true);
}

void
trf_string(const struct trf_reader *rd, size_t from, size_t to, char *out)
{
	size_t len = 0;

	while (from < to && trf_at(rd, from) == ' ')
		from++;
	while (from < to && trf_at(rd, to - 1) == ' ')
		to--;
	for (; from < to; from++)
		len += utf8_put(out + len, trf_at(rd, from));
	out[len] = '\0';
}

int
trf_int(struct trf_reader *rd, size_t from, size_t to, const char *what, int lo,
    int hi, int *out)
{
	uint32_t c;
	int n = 0;

	while (from < to && trf_at(rd, from) == ' ')
		from++;
	while (from < to && trf_at(rd, to - 1) == ' ')
		to--;
	for (; from < to; from++) {
		c = trf_at(rd, from);
		if (c < '0' || c > '9' || n > hi)
			break;
		n = n * 10 + (int)(c - '0');
	}
	if (from < to || n < lo || n > hi)
		return (trf_bad(rd, ERR_MALFORMED,
		    "%s must be a number, %d to %d", what, lo, hi));
	*out = n;
	return (0);
}

int
trf_half(struct trf_reader *rd, size_t from, size_t to, const char *what,
    bool may_be_negative, int *out)
{
	bool is_negative, is_good;
	size_t digits = 0;
	int n = 0;

	while (from < to && trf_at(rd, from) == ' ')
		from++;
	while (from < to && trf_at(rd, to - 1) == ' ')
		to--;
	if (from == to)
		return (0);
	is_negative = may_be_negative && trf_at(rd, from) == '-';
	if (is_negative)
		from++;
	for (; from < to && n <= CROSSTABLE_POINTS_MAX; from++, digits++) {
		if (trf_at(rd, from) < '0' || trf_at(rd, from) > '9')
			break;
		n = n * 10 + (int)(trf_at(rd, from) - '0');
	}
	n *= 2;
	is_good = digits > 0;
	if (from + 2 == to && trf_at(rd, from) == '.' &&
	    (trf_at(rd, from + 1) == '0' || trf_at(rd, from + 1) == '5')) {
		if (trf_at(rd, from + 1) == '5')
			n++;
		from += 2;
	}
	if (!is_good || from < to || n > CROSSTABLE_POINTS_MAX)
		return (trf_bad(rd, ERR_MALFORMED,
		    "%s must be points, whole or half, 0.0 to 99.5", what));
	*out = is_negative ? -n : n;
	return (0);
}

int
trf_someone(struct trf_reader *rd, size_t from, size_t to, int *out)
{
	int number, i, r;

	r = trf_int(
	    rd, from, to, "a player", 1, CROSSTABLE_PLAYERS_MAX, &number);
	if (r != 0)
		return (r);
	if ((i = crosstable_find(rd->t->table, number)) < 0)
		return (
		    trf_bad(rd, ERR_INVALID, "there is no player %d", number));
	*out = i;
	return (0);
}

bool
trf_word(const struct trf_reader *rd, size_t *from, size_t *to)
{
	*from = *to;
	while (*from < rd->n && trf_at(rd, *from) == ' ')
		(*from)++;
	for (*to = *from; *to < rd->n && trf_at(rd, *to) != ' ';)
		(*to)++;
	return (*from < *to);
}
