/* SPDX-License-Identifier: ISC */
/*
 * Cuts a stream into lines.  Every byte is looked at once, however the
 * stream is cut up, and what was taken is moved out of the way only when it
 * is at least half of what is held.  Does not look into the lines.
 */
#include "common/base/frame.h"

#include <string.h>

#include "common/base/err.h"

void
frame_init(struct frame *f, size_t max)
{
	*f = (struct frame){.max = max};
	buf_init(&f->in, 0);
}

void
frame_clear(struct frame *f)
{
	buf_clear(&f->in);
	frame_init(f, f->max);
}

/* True if the n bytes at p, which hold no LF, cannot be a line's start. */
static bool
frame_is_over(const struct frame *f, const char *p, size_t n)
{
	/* The last byte may turn out to be the CR before the LF. */
	return (n > f->max && (n > f->max + 1 || p[n - 1] != '\r'));
}

/* Looks for the end of the next line; *end is NULL if it has not come. */
static int
frame_find(struct frame *f, const char **start, const char **end)
{
	const size_t n = f->in.len - f->taken;

	*end = NULL;
	if (f->is_lost)
		return (ERR_TOOBIG);
	if (n == 0)
		return (0);
	*start = f->in.data + f->taken;
	*end = memchr(*start + f->scanned, '\n', n - f->scanned);
	f->scanned = *end == NULL ? n : (size_t)(*end - *start);
	if (frame_is_over(f, *start, f->scanned)) {
		f->is_lost = true;
		return (ERR_TOOBIG);
	}
	return (0);
}

int
frame_feed(struct frame *f, const void *p, size_t n)
{
	const char *end, *start;

	if (f->is_lost)
		return (ERR_TOOBIG);
	if (f->taken > 0 && f->taken >= f->in.len / 2) {
		buf_drain(&f->in, f->taken);
		f->taken = 0;
	}
	buf_add(&f->in, p, n);
	if (buf_error(&f->in) != 0)
		return (buf_error(&f->in));
	return (frame_find(f, &start, &end));
}

int
frame_next(struct frame *f, const char **line, size_t *len)
{
	const char *end, *start;
	size_t n;
	int r;

	if ((r = frame_find(f, &start, &end)) != 0)
		return (r);
	if (end == NULL)
		return (ERR_NOTFOUND);
	n = f->scanned;
	f->taken += n + 1;
	f->scanned = 0;
	if (n > 0 && start[n - 1] == '\r')
		n--;
	*line = start;
	*len = n;
	return (0);
}
