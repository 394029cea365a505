/* SPDX-License-Identifier: ISC */
/*
 * Exporting a copy: the lines, then the side lines that they name, texts
 * before blobs, each kind sorted by its hash.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/replica/replica.h"
#include "common/base/hex.h"
#include "common/game/verify.h"
#include "common/record/record.h"

/* A side line and the key that it is sorted by. */
struct replica_raw {
	const char *line; /* borrowed */
	size_t len;
};

/* Orders side lines: texts, then blobs, each by hash, for qsort(). */
static int
replica_raw_compare_cb(const void *a, const void *b)
{
	const struct replica_raw *x = a, *y = b;
	bool is_blob_x = strncmp(x->line, "{\"blob\"", 7) == 0;
	bool is_blob_y = strncmp(y->line, "{\"blob\"", 7) == 0;
	size_t n = x->len < y->len ? x->len : y->len;

	if (is_blob_x != is_blob_y)
		return (is_blob_x ? 1 : -1);
	/* The bytes before the hash are the same in both. */
	return (memcmp(x->line, y->line, n));
}

/* The words of 64 hex digits in some lines, as a set; new. */
static json_t *
replica_hashes_in(const char *lines)
{
	json_t *set = xalloc_json(json_object());
	char hex[2 * HASH_LEN + 1] = "";
	size_t n;

	for (; *lines != '\0'; lines += n == 0 ? 1 : n) {
		n = strspn(lines, "0123456789abcdef");
		if (n != 2 * HASH_LEN)
			continue;
		memcpy(hex, lines, n);
		xalloc_set(set, hex, json_true());
	}
	return (set);
}

/* An export in the making: its lines, then their side lines. */
struct replica_export {
	const struct buf *lines; /* borrowed; NULL: they are there already */
	const struct buf *side; /* borrowed */
	struct verify *v; /* borrowed: says which texts lines name; NULL: */
	json_t *named; /* owned: those */
	size_t done; /* bytes of lines, */
	size_t found; /* and of side */
	struct replica_raw *all; /* owned: n side lines */
	size_t n;
	size_t next; /* that is to be written */
	bool is_sorted;
};

/* Takes up the side lines of the next so many bytes that lines name. */
static void
replica_export_find(struct replica_export *x, size_t bytes)
{
	const char *p = x->side->data + x->found, *end;
	const char *last = x->side->data + x->side->len, *from = p;
	char hex[2 * HASH_LEN + 1] = "";
	uint8_t hash[HASH_LEN];

	for (; p < last && (size_t)(p - from) < bytes; p = end + 1) {
		if ((end = memchr(p, '\n', (size_t)(last - p))) == NULL)
			end = last - 1; /* half a line is none */
		/* {"text":"<hash>... and {"blob":"<hash>... */
		if (*end != '\n' || end - p < 9 + 2 * HASH_LEN ||
		    !record_is_side(p, (size_t)(end - p)) ||
		    hex_parse(hash, HASH_LEN, p + 9, 2 * HASH_LEN) != 0)
			continue;
		memcpy(hex, p + 9, 2 * HASH_LEN);
		if (x->v != NULL ? !verify_is_named(x->v, hash)
				 : json_object_get(x->named, hex) == NULL)
			continue;
		x->all = xalloc_more(x->all, x->n, sizeof(*x->all));
		x->all[x->n].line = p;
		x->all[x->n++].len = (size_t)(end - p) + 1;
	}
	x->found = (size_t)(p - x->side->data);
}

/* Writes about so many bytes of the side lines, each once. */
static void
replica_export_write(struct replica_export *x, size_t bytes, struct buf *out)
{
	const size_t from = out->len;
	const struct replica_raw *raw;

	for (; x->next < x->n && out->len - from < bytes; x->next++) {
		raw = &x->all[x->next];
		if (x->next == 0 || replica_raw_compare_cb(raw - 1, raw) != 0)
			buf_add(out, raw->line, raw->len);
		if (buf_error(out) != 0)
			return;
	}
}

bool
replica_export_step(struct replica_export *x, size_t bytes, struct buf *out)
{
	size_t left = x->lines == NULL ? 0 : x->lines->len - x->done;

	if (left > 0) {
		if (left > bytes)
			left = bytes;
		buf_add(out, x->lines->data + x->done, left);
		x->done += left;
	} else if (x->found < x->side->len) {
		replica_export_find(x, bytes);
	} else if (!x->is_sorted) {
		if (x->n > 0)
			qsort(x->all, x->n, sizeof(*x->all),
			    replica_raw_compare_cb);
		x->is_sorted = true;
	} else {
		replica_export_write(x, bytes, out);
	}
	return (buf_error(out) != 0 || (x->is_sorted && x->next == x->n));
}

struct replica_export *
replica_export_new(const struct replica *c)
{
	struct replica_export *x = xalloc(sizeof(*x));

	x->lines = &c->lines;
	x->side = &c->side;
	x->v = c->v;
	return (x);
}

void
replica_export_free(struct replica_export *x)
{
	if (x == NULL)
		return;
	free(x->all);
	json_decref(x->named);
	free(x);
}

/* All of it at once; x is freed. */
static int
replica_export_all(struct replica_export *x, struct buf *out, struct errinfo *e)
{
	int r;

	while (!replica_export_step(x, SIZE_MAX, out))
		continue;
	replica_export_free(x);
	if ((r = buf_error(out)) != 0)
		return (err_set(e, r, NULL, "%s", err_text(r)));
	return (0);
}

int
replica_export(const struct replica *c, struct buf *out, struct errinfo *e)
{
	return (replica_export_all(replica_export_new(c), out, e));
}

int
replica_read_raw(const struct profile *p, const uint8_t id[HASH_LEN],
    struct buf *out, struct errinfo *e)
{
	struct replica_export *x;
	struct buf side;
	char *end;
	int r;

	if ((r = profile_game_read(p, id, ".jsonl", 0, out, e)) != 0)
		return (r);
	/* Half a line is what a crash left. */
	(void)buf_str(out);
	end = out->len == 0 ? NULL : memrchr(out->data, '\n', out->len);
	out->len = end == NULL ? 0 : (size_t)(end - out->data) + 1;
	buf_init(&side, 0);
	r = profile_game_read(p, id, ".side", 0, &side, e);
	if (r == 0 || r == ERR_NOTFOUND) {
		x = xalloc(sizeof(*x));
		x->side = &side;
		x->named = replica_hashes_in(buf_str(out));
		r = replica_export_all(x, out, e);
	}
	buf_clear(&side);
	return (r);
}
