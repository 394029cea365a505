/* SPDX-License-Identifier: ISC */
/* Lines out of a stream of bytes, with a limit on their length. */
#ifndef UMPIRE_COMMON_BASE_FRAME_H
#define UMPIRE_COMMON_BASE_FRAME_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/buf.h"

struct frame {
	struct buf in; /* bytes that came and are not yet taken */
	size_t max; /* longest line, without its LF */
	size_t scanned; /* bytes after those taken that hold no LF */
	size_t taken; /* bytes of in that were given out */
	bool is_lost; /* a line was over the limit */
};

/* Makes an empty reader for lines of at most max bytes without the LF. */
void frame_init(struct frame *f, size_t max);

/* Frees what it holds. */
void frame_clear(struct frame *f);

/*
 * Adds bytes from outside.  ERR_NOMEM; ERR_TOOBIG if the next line is known
 * to be over the limit: framing is lost.  Whole lines before such a line are
 * still to be had.  If the caller takes all whole lines between two feeds,
 * it never holds more than twice the longest line and one feed's bytes.
 */
int frame_feed(struct frame *f, const void *p, size_t n)
    __attribute__((warn_unused_result));

/*
 * Takes the next whole line, without LF (and without a CR before it).
 * 0: *line (borrowed until the next call) and *len are set.  ERR_NOTFOUND:
 * no whole line yet.  ERR_TOOBIG: the line is over the limit; framing is
 * lost and the connection should end.
 */
int frame_next(struct frame *f, const char **line, size_t *len)
    __attribute__((warn_unused_result));

#endif
