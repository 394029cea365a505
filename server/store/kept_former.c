/* SPDX-License-Identifier: ISC */
#include "server/store/kept_former.h"

#include "common/base/buf.h"
#include "server/store/store.h"

/* Appends a line. */
static int
kept_former_line_cb(void *arg, int64_t seq, const char *bytes, size_t len)
{
	struct buf *out = arg;

	(void)seq;
	buf_add(out, bytes, len);
	buf_putc(out, '\n');
	return (buf_error(out));
}

int
kept_former_named(struct store *st, const struct store_former_row *row,
    struct terms_continues *c)
{
	struct buf line;
	int r;

	buf_init(&line, 0);
	r = store_former_each(st, row->fid, 0, 0, kept_former_line_cb, &line);
	if (r == 0)
		r = verify_former_named(buf_str(&line), line.len, c);
	buf_clear(&line);
	return (r);
}

int
kept_former_find(struct store *st, const struct terms_continues *c,
    struct store_former_row *rows, size_t *n)
{
	struct terms_continues next = *c;
	int r = 0;

	for (*n = 0; r == 0; ++*n) {
		if (*n == VERIFY_FORMER_MAX)
			return (ERR_NOTFOUND);
		r = store_former_find(
		    st, next.tournament, next.line, &rows[*n]);
		if (r != 0)
			return (r);
		r = kept_former_named(st, &rows[*n], &next);
	}
	return (r == ERR_NOTFOUND ? 0 : r);
}

int
kept_former_read(struct store *st, const struct store_former_row *rows,
    size_t n, struct buf *out)
{
	size_t i;
	int r = 0;

	for (i = 0; r == 0 && i < n; i++)
		r = store_former_each(
		    st, rows[i].fid, 0, rows[i].seq, kept_former_line_cb, out);
	return (r);
}
