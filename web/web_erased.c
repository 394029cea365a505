/* SPDX-License-Identifier: ISC */
#include "web/web_erased.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/replica/replica.h"
#include "client/report/battle.h"
#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/crypt/hash.h"
#include "common/game/game.h"
#include "common/record/order_kind.h"

#define WEB_ERASED_DIGITS 8 /* of a number, as it is written */

/* A text. */
struct web_erased_text {
	uint8_t hash[HASH_LEN];
	int64_t number;
};

/* A line that shows one that was erased. */
struct web_erased_line {
	int64_t seq;
	int64_t number; /* of the last of them */
	bool is_name;
};

struct web_erased {
	struct web_erased_text *all; /* owned: by hash */
	size_t n;
	/* Lines are looked through once, not for each who asks. */
	struct web_erased_line *lines; /* owned: by number */
	size_t n_lines;
	size_t texts; /* that they were looked for */
	int64_t seq; /* the next line to be looked at */
};

struct web_erased *
web_erased_new(void)
{
	return (xalloc(sizeof(struct web_erased)));
}

void
web_erased_free(struct web_erased *we)
{
	if (we == NULL)
		return;
	free(we->all);
	free(we->lines);
	free(we);
}

/* Where a hash is, or would be. */
static size_t
web_erased_place(const struct web_erased *we, const uint8_t hash[HASH_LEN])
{
	size_t lo = 0, hi = we->n, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (memcmp(we->all[mid].hash, hash, HASH_LEN) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return (lo);
}

void
web_erased_add(struct web_erased *we, const char *hex, int64_t number)
{
	uint8_t hash[HASH_LEN];
	size_t at;

	if (hex == NULL || hex_parse(hash, HASH_LEN, hex, strlen(hex)) != 0)
		return;
	at = web_erased_place(we, hash);
	if (we->n >= WEB_ERASED_MAX ||
	    (at < we->n && memcmp(we->all[at].hash, hash, HASH_LEN) == 0))
		return;
	we->all = xalloc_more(we->all, we->n, sizeof(*we->all));
	memmove(
	    we->all + at + 1, we->all + at, (we->n - at) * sizeof(*we->all));
	memcpy(we->all[at].hash, hash, HASH_LEN);
	we->all[at].number = number;
	we->n++;
}

void
web_erased_write(const struct web_erased *we, struct buf *out)
{
	size_t i;

	for (i = 0; i < we->n; i++) {
		buf_hex(out, we->all[i].hash, HASH_LEN);
		buf_printf(out, " %lld\n", (long long)we->all[i].number);
	}
}

bool
web_erased_read(struct web_erased *we, const char *p, size_t n)
{
	const char *end = p + n, *lf;
	char line[2 * HASH_LEN + WEB_ERASED_DIGITS + 2], *rest;
	int64_t number;
	size_t len;

	for (; p < end; p = lf + 1) {
		if ((lf = memchr(p, '\n', (size_t)(end - p))) == NULL)
			return (false);
		len = (size_t)(lf - p);
		if (len >= sizeof(line) || len <= 2 * HASH_LEN + 1 ||
		    p[2 * HASH_LEN] != ' ')
			return (false);
		memcpy(line, p, len);
		line[2 * HASH_LEN] = line[len] = '\0';
		number = strtoll(line + 2 * HASH_LEN + 1, &rest, 10);
		if (*rest != '\0' || number < 1 || number > WEB_ERASED_MAX)
			return (false);
		len = we->n;
		web_erased_add(we, line, number);
		if (we->n == len)
			return (false);
	}
	return (true);
}

/* True if the text that a line names is what somebody is called. */
static bool
web_erased_is_name(const struct replica *c, int64_t seq)
{
	const struct game_entry *en = battle_entry(replica_battle(c), seq);
	const char *text = order_kind_row(en->kind)->text;

	return (text != NULL && strcmp(text, "name") == 0);
}

/* The highest number among the texts that a line names; 0. */
static int64_t
web_erased_named(
    const struct web_erased *we, const struct replica *c, int64_t seq)
{
	const char *p, *end;
	uint8_t hash[HASH_LEN];
	int64_t number = 0;
	size_t at, len;

	p = replica_get(c, seq, &len);
	end = p + len;
	/* Refs stand in the order, whose quotes have a backslash. */
	while ((p = memchr(p, '"', (size_t)(end - p))) != NULL) {
		p++;
		if (end - p <= 2 * HASH_LEN || p[2 * HASH_LEN] != '\\' ||
		    hex_parse(hash, HASH_LEN, p, 2 * HASH_LEN) != 0)
			continue;
		at = web_erased_place(we, hash);
		if (at < we->n &&
		    memcmp(we->all[at].hash, hash, HASH_LEN) == 0 &&
		    we->all[at].number > number)
			number = we->all[at].number;
		p += 2 * HASH_LEN;
	}
	return (number);
}

/* The same of a line, and of the one that it is about. */
static int64_t
web_erased_told(
    const struct web_erased *we, const struct replica *c, int64_t seq)
{
	const struct game_entry *en = battle_entry(replica_battle(c), seq);
	int64_t number = web_erased_named(we, c, seq), other;

	if (en->to >= 0 && en->to < seq) {
		other = web_erased_named(we, c, en->to);
		if (other > number)
			number = other;
	}
	return (number);
}

/* Looks through the lines that it has not seen, or all for a new text. */
static void
web_erased_look(struct web_erased *we, const struct replica *c)
{
	struct web_erased_line *ln;
	int64_t number;

	if (we->texts != we->n) {
		free(we->lines);
		we->lines = NULL;
		we->n_lines = 0;
		we->seq = 0;
		we->texts = we->n;
	}
	for (; we->n > 0 && we->seq < c->n; we->seq++) {
		if ((number = web_erased_told(we, c, we->seq)) == 0)
			continue;
		we->lines =
		    xalloc_more(we->lines, we->n_lines, sizeof(*we->lines));
		ln = &we->lines[we->n_lines++];
		ln->seq = we->seq;
		ln->number = number;
		ln->is_name = web_erased_is_name(c, we->seq);
	}
}

int64_t
web_erased_of(
    struct web_erased *we, const struct replica *c, int64_t from, int64_t to)
{
	const struct web_erased_line *ln;
	int64_t number = 0;
	size_t i;

	web_erased_look(we, c);
	for (i = 0; i < we->n_lines; i++) {
		ln = &we->lines[i];
		if ((ln->is_name || (ln->seq >= from && ln->seq <= to)) &&
		    ln->number > number)
			number = ln->number;
	}
	return (number);
}

int64_t
web_erased_next(struct web_erased *we, const struct replica *c, int64_t from,
    int64_t since, bool *is_name)
{
	const struct web_erased_line *ln;
	size_t i;

	web_erased_look(we, c);
	for (i = 0; i < we->n_lines; i++) {
		ln = &we->lines[i];
		if (ln->seq >= from && ln->number > since) {
			*is_name = ln->is_name;
			return (ln->seq);
		}
	}
	return (-1);
}
