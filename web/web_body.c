/* SPDX-License-Identifier: ISC */
#include "web/web_body.h"

#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "client/base/xalloc.h"

#define WEB_BODY_WORK_STEP 65536 /* bytes: about two milliseconds */
#define WEB_BODY_WORK_LEAST 256 /* shorter bodies are sent as they are */

struct web_body_work {
	z_stream z;
	struct buf in;
	size_t done; /* bytes of in that were taken */
	unsigned char *out; /* owned */
	size_t n;
};

struct web_body *
web_body_plain(struct buf *b)
{
	struct web_body *body = xalloc(sizeof(*body));

	body->refs = 1;
	body->len = body->n = b->len;
	body->data = (unsigned char *)buf_take(b, &body->n);
	if (body->data == NULL)
		xalloc_die();
	return (body);
}

struct web_body_work *
web_body_work_new(struct buf *b)
{
	struct web_body_work *q = xalloc(sizeof(*q));

	q->in = *b;
	buf_init(b, b->max);
	/* 31: windows of 32 KiB, and gzip's head. */
	if (q->in.len >= WEB_BODY_WORK_LEAST &&
	    deflateInit2(&q->z, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) !=
		Z_OK)
		xalloc_die();
	if (q->in.len >= WEB_BODY_WORK_LEAST)
		q->out = xalloc(deflateBound(&q->z, q->in.len));
	return (q);
}

struct web_body *
web_body_work_step(struct web_body_work *q)
{
	size_t n = q->in.len - q->done;
	struct web_body *body;
	int flush;

	if (q->out != NULL) {
		flush = n > WEB_BODY_WORK_STEP ? Z_NO_FLUSH : Z_FINISH;
		if (n > WEB_BODY_WORK_STEP)
			n = WEB_BODY_WORK_STEP;
		q->z.next_in = (unsigned char *)q->in.data + q->done;
		q->z.avail_in = (unsigned)n;
		q->z.next_out = q->out + q->n;
		q->z.avail_out = (unsigned)(q->in.len + 4096);
		(void)deflate(&q->z, flush); /* there is room for all */
		q->n = (size_t)(q->z.next_out - q->out);
		q->done += n;
		if (flush != Z_FINISH)
			return (NULL);
	}
	if (q->out == NULL || q->n >= q->in.len)
		return (web_body_plain(&q->in));
	body = xalloc(sizeof(*body));
	body->refs = 1;
	body->len = q->in.len;
	body->n = q->n;
	body->is_gzip = true;
	body->data = q->out;
	q->out = NULL;
	if ((body->data = realloc(body->data, body->n)) == NULL)
		xalloc_die();
	(void)deflateEnd(&q->z);
	return (body);
}

void
web_body_work_free(struct web_body_work *q)
{
	if (q == NULL)
		return;
	if (q->out != NULL)
		(void)deflateEnd(&q->z);
	buf_clear(&q->in);
	free(q->out);
	free(q);
}

struct web_body *
web_body_gzip(struct buf *b)
{
	struct web_body_work *q = web_body_work_new(b);
	struct web_body *body;

	while ((body = web_body_work_step(q)) == NULL)
		;
	web_body_work_free(q);
	return (body);
}

struct web_body *
web_body_ref(struct web_body *b)
{
	b->refs++;
	return (b);
}

void
web_body_unref(struct web_body *b)
{
	if (b == NULL || --b->refs > 0)
		return;
	if (b->plain != NULL)
		b->plain->packed = NULL;
	if (b->packed != NULL)
		b->packed->plain = NULL;
	free(b->data);
	free(b);
}

int
web_body_inflate(const struct web_body *b, struct buf *out)
{
	unsigned char chunk[16384];
	z_stream z = {.next_in = b->data, .avail_in = (unsigned)b->n};
	int r;

	if (!b->is_gzip) {
		buf_add(out, b->data, b->n);
		return (buf_error(out));
	}
	if (inflateInit2(&z, 31) != Z_OK)
		return (ERR_NOMEM);
	do {
		z.next_out = chunk;
		z.avail_out = sizeof(chunk);
		r = inflate(&z, Z_NO_FLUSH);
		buf_add(out, chunk, sizeof(chunk) - z.avail_out);
	} while (r == Z_OK);
	(void)inflateEnd(&z);
	return (r == Z_STREAM_END ? buf_error(out) : ERR_BAD);
}

int
web_body_unpack(struct web_body *b, struct web_body **out)
{
	struct buf bytes;
	int r;

	if (!b->is_gzip || b->plain != NULL) {
		*out = web_body_ref(b->is_gzip ? b->plain : b);
		return (0);
	}
	buf_init(&bytes, 0);
	if ((r = web_body_inflate(b, &bytes)) != 0) {
		buf_clear(&bytes);
		return (r);
	}
	*out = b->plain = web_body_plain(&bytes);
	b->plain->packed = b;
	return (0);
}
