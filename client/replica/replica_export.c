/* SPDX-License-Identifier: ISC */
/*
 * Exporting a copy: the lines, then the side lines that they name, texts
 * before blobs, each kind sorted by its hash.
 */
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

/*
 * Appends to some lines the side lines whose hashes they name, as v says, or
 * without it the lines themselves: sorted, each once.
 */
static int
replica_export_side(const struct buf *side, struct verify *v, struct buf *out,
    struct errinfo *e)
{
	const char *end, *last = side->data + side->len, *p;
	json_t *named = v == NULL ? replica_hashes_in(buf_str(out)) : NULL;
	char hex[2 * HASH_LEN + 1] = "";
	uint8_t hash[HASH_LEN];
	struct replica_raw *all;
	size_t i, n = 0;
	int r;

	all = xalloc((side->len / (9 + 2 * HASH_LEN) + 1) * sizeof(*all));
	for (p = side->data; p < last; p = end + 1) {
		if ((end = memchr(p, '\n', (size_t)(last - p))) == NULL)
			break;
		/* {"text":"<hash>... and {"blob":"<hash>... */
		if (end - p < 9 + 2 * HASH_LEN ||
		    !record_is_side(p, (size_t)(end - p)) ||
		    hex_parse(hash, HASH_LEN, p + 9, 2 * HASH_LEN) != 0)
			continue;
		memcpy(hex, p + 9, 2 * HASH_LEN);
		if (v != NULL ? !verify_is_named(v, hash)
			      : json_object_get(named, hex) == NULL)
			continue;
		all[n].line = p;
		all[n++].len = (size_t)(end - p) + 1;
	}
	if (n > 0)
		qsort(all, n, sizeof(*all), replica_raw_compare_cb);
	for (i = 0; i < n; i++) {
		if (i == 0 || replica_raw_compare_cb(&all[i - 1], &all[i]) != 0)
			buf_add(out, all[i].line, all[i].len);
	}
	free(all);
	json_decref(named);
	if ((r = buf_error(out)) != 0)
		return (err_set(e, r, NULL, "%s", err_text(r)));
	return (0);
}

int
replica_export(const struct replica *c, struct buf *out, struct errinfo *e)
{
	buf_add(out, c->lines.data, c->lines.len);
	return (replica_export_side(&c->side, c->v, out, e));
}

int
replica_read_raw(const struct profile *p, const uint8_t id[HASH_LEN],
    struct buf *out, struct errinfo *e)
{
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
	if (r == 0 || r == ERR_NOTFOUND)
		r = replica_export_side(&side, NULL, out, e);
	buf_clear(&side);
	return (r);
}
