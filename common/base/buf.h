/* SPDX-License-Identifier: ISC */
/*
 * A growing byte buffer with a maximum.  Appending never fails loudly: the
 * first failure (no memory, over the maximum) is kept, later appends do
 * nothing, and buf_error() is to be asked before the bytes are used.
 */
#ifndef UMPIRE_COMMON_BASE_BUF_H
#define UMPIRE_COMMON_BASE_BUF_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

struct buf {
	char *data; /* owned; not terminated unless buf_str() was called */
	size_t len;
	size_t cap;
	size_t max; /* bytes at most; 0 is no limit */
	int error; /* 0, ERR_NOMEM or ERR_TOOBIG */
};

/* Makes *b empty, with a maximum of max bytes (0: none); no allocation. */
void buf_init(struct buf *b, size_t max);

/* Frees what *b holds and leaves it as after buf_init() with the same max. */
void buf_clear(struct buf *b);

/* Empties *b (and its error) and keeps the memory for the next use. */
void buf_reset(struct buf *b);

/* Returns the first failure since init or reset: 0, ERR_NOMEM, ERR_TOOBIG. */
int buf_error(const struct buf *b) __attribute__((warn_unused_result));

/* Makes it fail with one of those, unless it has failed before. */
void buf_fail(struct buf *b, int error);

/* Appends n bytes. */
void buf_add(struct buf *b, const void *p, size_t n);

/* Appends a terminated string without its terminator. */
void buf_puts(struct buf *b, const char *s);

/* Appends one byte. */
void buf_putc(struct buf *b, int c);

/* Appends formatted text. */
void buf_printf(struct buf *b, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* As buf_printf(), with a va_list. */
void buf_vprintf(struct buf *b, const char *fmt, va_list ap)
    __attribute__((format(printf, 2, 0)));

/* Appends n bytes as lower-case hex. */
void buf_hex(struct buf *b, const void *p, size_t n);

/* Appends unsigned big-endian integers (record S1). */
void buf_u8(struct buf *b, unsigned v);
void buf_u16(struct buf *b, unsigned v);
void buf_u32(struct buf *b, uint32_t v);
void buf_u64(struct buf *b, uint64_t v);

/* Removes the first n bytes (n <= len). */
void buf_drain(struct buf *b, size_t n);

/*
 * Terminates the bytes (the terminator does not count in len) and returns
 * them, borrowed until *b changes; "" after a failure, never NULL.
 */
const char *buf_str(struct buf *b);

/*
 * Hands over the bytes, terminated, and leaves *b empty: the caller frees
 * the result with free().  NULL after a failure (see buf_error()).
 */
char *buf_take(struct buf *b, size_t *len);

#endif
