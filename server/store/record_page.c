/* SPDX-License-Identifier: ISC */
/*
 * A line has at most 262,144 bytes without control characters, so as a JSON
 * string it has at most twice as many and one always fits.  Side lines are
 * read for all the lines together, so that each stands once; if they do not
 * fit, lines are given up until they do, and of a lone line the blobs that
 * are left over are named instead.
 */
#include "server/store/record_page.h"

#include <string.h>

#include "common/base/err.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/record/rpc.h"
#include "server/store/store.h"
#include "server/store/store_former.h"
#include "server/store/store_tournament.h"

#define RECORD_PAGE_SPARE \
	32768 /* for what else is in the message, and omitted */
#define RECORD_PAGE_ROOM (RPC_REPLY_MAX - RECORD_PAGE_SPARE)
#define RECORD_PAGE_ROOM_SIDE \
	(RECORD_PAGE_ROOM / 2) /* lines, if side lines follow */
#define RECORD_PAGE_MAX 2048 /* lines of one message */

/* The state of one reading. */
struct record_page_reader {
	struct record_page *ln;
	bool is_tournament;
	size_t room; /* bytes that lines may take */
	size_t ends[RECORD_PAGE_MAX]; /* where each line ends in ln->lines */
	size_t n;
	size_t side_room; /* bytes that side lines may take */
	bool may_omit;
	bool is_over; /* the side lines did not fit */
	struct buf line; /* one side line */
};

void
record_page_init(struct record_page *ln)
{
	buf_init(&ln->lines, 0);
	buf_init(&ln->side, 0);
	buf_init(&ln->omitted, 0);
	ln->next = 0;
}

void
record_page_clear(struct record_page *ln)
{
	buf_clear(&ln->lines);
	buf_clear(&ln->side);
	buf_clear(&ln->omitted);
}

/* Adds one line; 1 ends the reading. */
static int
record_page_line_cb(void *arg, int64_t seq, const char *bytes, size_t len)
{
	struct record_page_reader *rd = arg;
	struct buf *out = &rd->ln->lines;
	const size_t before = out->len;

	(void)seq;
	if (rd->n > 0)
		buf_putc(out, ',');
	js_dump_string(bytes, len, out);
	if (buf_error(out) != 0)
		return (buf_error(out));
	if (rd->n > 0 && out->len > rd->room) {
		out->len = before;
		return (1);
	}
	rd->ends[rd->n++] = out->len;
	return (rd->n == RECORD_PAGE_MAX || out->len > rd->room ? 1 : 0);
}

/* Notes a side line that does not fit; 1 ends the reading. */
static int
record_page_side_over(
    struct record_page_reader *rd, const uint8_t hash[HASH_LEN])
{
	struct buf *out = &rd->ln->omitted;

	if (!rd->may_omit) {
		rd->is_over = true;
		return (1);
	}
	buf_puts(out, out->len > 0 ? ",\"" : "\"");
	buf_hex(out, hash, HASH_LEN);
	buf_putc(out, '"');
	return (buf_error(out));
}

/* Adds one side line; 1 ends the reading. */
static int
record_page_side_cb(void *arg, bool is_blob, const uint8_t hash[HASH_LEN],
    const uint8_t *salt, const char *value, size_t len)
{
	struct record_page_reader *rd = arg;
	struct buf *out = &rd->ln->side;
	const size_t before = out->len;

	/* Written out it is longer still: it need not be tried. */
	if (before + len > rd->side_room)
		return (record_page_side_over(rd, hash));
	buf_reset(&rd->line);
	if (is_blob)
		record_write_blob(&rd->line, hash, value, len);
	else
		record_write_text(&rd->line, hash, salt, value, len);
	if (buf_error(&rd->line) != 0)
		return (buf_error(&rd->line));
	if (before > 0)
		buf_putc(out, ',');
	js_dump_string(rd->line.data, rd->line.len, out);
	if (buf_error(out) != 0)
		return (buf_error(out));
	if (out->len <= rd->side_room)
		return (0);
	out->len = before;
	return (record_page_side_over(rd, hash));
}

/* Reads the side lines of the lines that there are, or of fewer. */
static int
record_page_read_side(struct record_page_reader *rd, struct store *st,
    int64_t gid, int64_t from, unsigned sides)
{
	int64_t to;
	int r;

	for (;;) {
		rd->ln->lines.len = rd->ends[rd->n - 1];
		rd->side_room = RECORD_PAGE_ROOM - rd->ln->lines.len;
		rd->may_omit = rd->n == 1;
		rd->is_over = false;
		buf_reset(&rd->ln->side);
		to = from + (int64_t)rd->n - 1;
		r = rd->is_tournament ? store_tournament_side_each(st, gid,
					    from, to, record_page_side_cb, rd)
				      : store_side_each(st, gid, from, to,
					    sides, record_page_side_cb, rd);
		if (r < 0)
			return (r);
		if (!rd->is_over)
			return (0);
		rd->n /= 2;
	}
}

/* Reads lines of a game, or of a tournament. */
static int
record_page_read_any(struct store *st, bool is_tournament, int64_t gid,
    int64_t from, int64_t to, unsigned sides, struct record_page *ln)
{
	struct record_page_reader rd;
	int r;

	rd.ln = ln;
	rd.is_tournament = is_tournament;
	rd.n = 0;
	rd.room = sides != 0 ? RECORD_PAGE_ROOM_SIDE : RECORD_PAGE_ROOM;
	buf_init(&rd.line, 0);
	buf_reset(&ln->lines);
	buf_reset(&ln->side);
	buf_reset(&ln->omitted);
	r = is_tournament
	    ? store_tournament_each(st, gid, from, to, record_page_line_cb, &rd)
	    : store_record_each(st, gid, from, to, record_page_line_cb, &rd);
	if (r >= 0)
		r = 0;
	if (r == 0 && sides != 0 && rd.n > 0)
		r = record_page_read_side(&rd, st, gid, from, sides);
	if (r == 0)
		ln->next = from + (int64_t)rd.n;
	buf_clear(&rd.line);
	return (r);
}

int
record_page_read(struct store *st, int64_t gid, int64_t from, int64_t to,
    unsigned sides, struct record_page *ln)
{
	return (record_page_read_any(st, false, gid, from, to, sides, ln));
}

int
record_page_read_tournament(struct store *st, int64_t tid, int64_t from,
    int64_t to, bool with_side, struct record_page *ln)
{
	return (record_page_read_any(st, true, tid, from, to, with_side, ln));
}

int
record_page_read_former(struct store *st, int64_t fid, int64_t from, int64_t to,
    struct record_page *ln)
{
	struct record_page_reader rd = {.ln = ln, .room = RECORD_PAGE_ROOM};
	int r;

	buf_init(&rd.line, 0);
	buf_reset(&ln->lines);
	buf_reset(&ln->side);
	buf_reset(&ln->omitted);
	r = store_former_each(st, fid, from, to, record_page_line_cb, &rd);
	if (r >= 0) {
		ln->next = from + (int64_t)rd.n;
		r = 0;
	}
	buf_clear(&rd.line);
	return (r);
}

void
record_page_write_side(
    const struct record_page *ln, bool with_side, struct buf *out)
{
	if (with_side) {
		buf_puts(out, ",\"side\":[");
		buf_add(out, ln->side.data, ln->side.len);
		buf_putc(out, ']');
	}
	if (ln->omitted.len > 0) {
		buf_puts(out, ",\"omitted\":[");
		buf_add(out, ln->omitted.data, ln->omitted.len);
		buf_putc(out, ']');
	}
}
