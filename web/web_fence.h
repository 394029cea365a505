/* SPDX-License-Identifier: ISC */
/*
 * The form of what comes before it is taken apart: a NUL, a line end without
 * its CR, a CR without its LF, a line that goes on, a name that is none.
 */
#ifndef UMPIRE_WEB_WEB_FENCE_H
#define UMPIRE_WEB_WEB_FENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum web_fence_state {
	WEB_FENCE_START, /* before a request */
	WEB_FENCE_REQUEST, /* in its first line */
	WEB_FENCE_LINE, /* where a header begins, or the last line */
	WEB_FENCE_NAME,
	WEB_FENCE_VALUE,
};

struct web_fence {
	unsigned char state;
	bool has_cr; /* the last byte was a CR */
	bool is_bad; /* and stays so */
};

void web_fence_init(struct web_fence *f);

/* Looks at the next bytes. */
void web_fence_take(struct web_fence *f, const unsigned char *p, size_t n);

/* True if any so far were out of form. */
bool web_fence_is_bad(const struct web_fence *f);

/* True if a value of Accept-Encoding has gzip, and not with q=0. */
bool web_fence_takes_gzip(const char *value);

/* The line that a value of Last-Event-ID names; -2: it names none. */
int64_t web_fence_last_id(const char *value);

/*
 * Reads a value of Range, "bytes=FROM-TO", of a body of len bytes: *n bytes
 * from *from on, none if they lie behind its end.  False, and the whole body is
 * meant: it is of another form, or NULL, or of several parts.
 */
bool web_fence_range(const char *s, size_t len, size_t *from, size_t *n);

/*
 * True if a value of If-None-Match is "*" or names this ETag (without quotes)
 * or that of the same body gzipped; weak ones count (RFC 9110 13.1.2).
 */
bool web_fence_names(const char *value, const char *etag);

#endif
