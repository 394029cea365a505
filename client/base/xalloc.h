/* SPDX-License-Identifier: ISC */
/*
 * Memory for the client: a failure prints one line and ends the program
 * with EX_OSERR, so that callers need no check.  The daemon and the
 * libraries never use these.
 */
#ifndef UMPIRE_CLIENT_BASE_XALLOC_H
#define UMPIRE_CLIENT_BASE_XALLOC_H

#include <stdarg.h>
#include <stddef.h>

#include <jansson.h>

struct buf;

/* Ends the program, which has run out of memory. */
void xalloc_die(void) __attribute__((noreturn));

/* Zeroed memory of n bytes; free() frees it. */
void *xalloc(size_t n);

/*
 * Makes room after n elements of `size` bytes for at least one more, zeroed: p
 * is what this gave for the last of them, NULL for none.  Returns the
 * elements, which may have moved; free() frees them.
 */
void *xalloc_more(void *p, size_t n, size_t size);

/* A copy of s, terminated; free() frees it. */
char *xalloc_str(const char *s);

/* A copy of the first n bytes of s, terminated; free() frees it. */
char *xalloc_strn(const char *s, size_t n);

/* Formatted text; free() frees it. */
char *xalloc_printf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *xalloc_vprintf(const char *fmt, va_list ap)
    __attribute__((format(printf, 1, 0)));

/*
 * Takes the bytes of a buffer that has no maximum, terminated; free() frees
 * them.
 */
char *xalloc_take(struct buf *b);

/* Dies if v is NULL; returns it. */
json_t *xalloc_json(json_t *v);

/* A new JSON string; bytes that are not UTF-8 become '?'. */
json_t *xalloc_json_str(const char *s);

/* Sets a member, or appends an element; value is stolen and may be NULL. */
void xalloc_set(json_t *object, const char *name, json_t *value);
void xalloc_append(json_t *array, json_t *value);

/* A new, complete copy. */
json_t *xalloc_copy(const json_t *v);

/* The compact JSON text of v; free() frees it. */
char *xalloc_dump(const json_t *v);

#endif
