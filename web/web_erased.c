/* SPDX-License-Identifier: ISC */
#include "web/web_erased.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/replica/replica.h"
#include "client/report/battle.h"
#include "common/base/hex.h"
#include "common/crypt/hash.h"
#include "common/game/game.h"
#include "common/record/order_kind.h"

/* A text. */
struct web_erased_text {
	uint8_t hash[HASH_LEN];
	int64_t number;
};

struct web_erased {
	struct web_erased_text *all; /* owned: by hash */
	size_t n;
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
	if (at < we->n && memcmp(we->all[at].hash, hash, HASH_LEN) == 0)
		return;
	we->all = xalloc_more(we->all, we->n, sizeof(*we->all));
	memmove(
	    we->all + at + 1, we->all + at, (we->n - at) * sizeof(*we->all));
	memcpy(we->all[at].hash, hash, HASH_LEN);
	we->all[at].number = number;
	we->n++;
}

size_t
web_erased_count(const struct web_erased *we)
{
	return (we->n);
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
web_erased_line(
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
	int64_t number = web_erased_line(we, c, seq), other;

	if (en->to >= 0 && en->to < seq) {
		other = web_erased_line(we, c, en->to);
		if (other > number)
			number = other;
	}
	return (number);
}

int64_t
web_erased_of(const struct web_erased *we, const struct replica *c,
    int64_t from, int64_t to)
{
	int64_t number = 0, seq, n;

	for (seq = 0; we->n > 0 && seq < c->n; seq++) {
		if (seq >= from && seq <= to)
			n = web_erased_told(we, c, seq);
		else if (web_erased_is_name(c, seq))
			n = web_erased_line(we, c, seq);
		else
			continue;
		if (n > number)
			number = n;
	}
	return (number);
}

int64_t
web_erased_next(const struct web_erased *we, const struct replica *c,
    int64_t from, int64_t since, bool *is_name)
{
	int64_t seq;

	for (seq = from; we->n > 0 && seq < c->n; seq++) {
		if (web_erased_told(we, c, seq) <= since)
			continue;
		*is_name = web_erased_is_name(c, seq);
		return (seq);
	}
	return (-1);
}
