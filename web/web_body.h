/* SPDX-License-Identifier: ISC */
/*
 * Bodies of pages, as they are sent: gzipped, where that makes them smaller.
 * Each is there once, however many it is sent to, and goes when nobody has it.
 */
#ifndef UMPIRE_WEB_WEB_BODY_H
#define UMPIRE_WEB_WEB_BODY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/buf.h"
#include "common/base/err.h"

#define WEB_ETAG 96 /* bytes of an entity tag, without quotes, and its end */

/* A body; web_body_unref() gives it up. */
struct web_body {
	int refs;
	size_t len; /* as it is without gzip */
	size_t n; /* bytes of data */
	bool is_gzip;
	bool has_words; /* it shows what people wrote */
	int64_t made_ms; /* monotonic; of what is soon old */
	int64_t epoch; /* likewise */
	char etag[WEB_ETAG]; /* without quotes; "" : none */
	unsigned char *data; /* owned */
	/* web_body.c's own: the same bytes without gzip, while anybody has
	 * them; whose plain one it is; borrowed, NULL: none. */
	struct web_body *plain, *packed;
};

/* Makes a body out of bytes, which it takes, as they are.  New. */
struct web_body *web_body_plain(struct buf *b);

/* A body gzipped at once, for what is short. */
struct web_body *web_body_gzip(struct buf *b);

/* Gzips step by step. */
struct web_body_work;
struct web_body_work *web_body_work_new(struct buf *b); /* takes the bytes */
/* Goes on for a few milliseconds; the body (new) once it is done, else NULL. */
struct web_body *web_body_work_step(struct web_body_work *q);
void web_body_work_free(struct web_body_work *q);

struct web_body *web_body_ref(struct web_body *b);
void web_body_unref(struct web_body *b);

/*
 * The same without gzip, to be given up, too: one for all who have it at a
 * time.  ERR_NOMEM, ERR_BAD.
 */
int web_body_unpack(struct web_body *b, struct web_body **out)
    __attribute__((warn_unused_result));

/* The bytes without gzip, appended to out.  ERR_NOMEM, ERR_BAD. */
int web_body_inflate(const struct web_body *b, struct buf *out)
    __attribute__((warn_unused_result));

#endif
