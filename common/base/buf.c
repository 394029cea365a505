/* SPDX-License-Identifier: ISC */
/*
 * The growing buffer.  Memory doubles, with one byte to spare for the
 * terminator; the maximum counts the bytes, not the memory.  After a failure
 * the bytes from before it stay, and nobody gets them through buf_str() or
 * buf_take().
 */
#include "common/base/buf.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/err.h"
#include "common/base/hex.h"

#define BUF_FIRST 64 /* bytes of the first allocation */

void
buf_init(struct buf *b, size_t max)
{
	*b = (struct buf){.max = max};
}

void
buf_clear(struct buf *b)
{
	free(b->data);
	buf_init(b, b->max);
}

void
buf_reset(struct buf *b)
{
	b->len = 0;
	b->error = 0;
}

int
buf_error(const struct buf *b)
{
	return (b->error);
}

void
buf_fail(struct buf *b, int error)
{
	if (b->error == 0)
		b->error = error;
}

/* Makes room for n more bytes and a terminator; false after a failure. */
static bool
buf_reserve(struct buf *b, size_t n)
{
	size_t cap, need;
	char *data;

	if (b->error != 0)
		return (false);
	if (n > SIZE_MAX / 4 - b->len || (b->max != 0 && n > b->max - b->len)) {
		b->error = ERR_TOOBIG;
		return (false);
	}
	need = b->len + n + 1;
	if (need <= b->cap)
		return (true);
	cap = b->cap < BUF_FIRST / 2 ? BUF_FIRST : 2 * b->cap;
	if (cap < need)
		cap = need;
	if ((data = realloc(b->data, cap)) == NULL) {
		b->error = ERR_NOMEM;
		return (false);
	}
	b->data = data;
	b->cap = cap;
	return (true);
}

void
buf_add(struct buf *b, const void *p, size_t n)
{
	if (n == 0 || !buf_reserve(b, n))
		return;
	memcpy(b->data + b->len, p, n);
	b->len += n;
}

void
buf_puts(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

void
buf_putc(struct buf *b, int c)
{
	if (buf_reserve(b, 1))
		b->data[b->len++] = (char)c;
}

void
buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(b, fmt, ap);
	va_end(ap);
}

void
buf_vprintf(struct buf *b, const char *fmt, va_list ap)
{
	va_list again;
	size_t room;
	int n;

	if (!buf_reserve(b, 0))
		return;
	/* Mostly there is room for it already. */
	room = b->cap - b->len;
	va_copy(again, ap);
	n = vsnprintf(b->data + b->len, room, fmt, again);
	va_end(again);
	if (n < 0) {
		b->error = ERR_NOMEM;
		return;
	}
	if (!buf_reserve(b, (size_t)n))
		return;
	if ((size_t)n >= room)
		(void)vsnprintf(b->data + b->len, (size_t)n + 1, fmt, ap);
	b->len += (size_t)n;
}

void
buf_hex(struct buf *b, const void *p, size_t n)
{
	if (n > SIZE_MAX / 8) {
		if (b->error == 0)
			b->error = ERR_TOOBIG;
		return;
	}
	if (n == 0 || !buf_reserve(b, 2 * n))
		return;
	hex_format(b->data + b->len, p, n);
	b->len += 2 * n;
}

/* Appends the last n bytes of v, most significant first. */
static void
buf_number(struct buf *b, uint64_t v, size_t n)
{
	uint8_t bytes[8];
	size_t i;

	for (i = 0; i < n; i++)
		bytes[i] = (uint8_t)(v >> (8 * (n - 1 - i)));
	buf_add(b, bytes, n);
}

void
buf_u8(struct buf *b, unsigned v)
{
	assert(v <= UINT8_MAX);
	buf_number(b, v, 1);
}

void
buf_u16(struct buf *b, unsigned v)
{
	assert(v <= UINT16_MAX);
	buf_number(b, v, 2);
}

void
buf_u32(struct buf *b, uint32_t v)
{
	buf_number(b, v, 4);
}

void
buf_u64(struct buf *b, uint64_t v)
{
	buf_number(b, v, 8);
}

void
buf_drain(struct buf *b, size_t n)
{
	assert(n <= b->len);
	if (n == 0)
		return;
	b->len -= n;
	memmove(b->data, b->data + n, b->len);
}

const char *
buf_str(struct buf *b)
{
	if (!buf_reserve(b, 0))
		return ("");
	b->data[b->len] = '\0';
	return (b->data);
}

char *
buf_take(struct buf *b, size_t *len)
{
	char *data;

	if (!buf_reserve(b, 0))
		return (NULL);
	data = b->data;
	data[b->len] = '\0';
	if (len != NULL)
		*len = b->len;
	buf_init(b, b->max);
	return (data);
}
