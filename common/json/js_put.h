/* SPDX-License-Identifier: ISC */
/*
 * JSON written straight into a buffer, in the form of js_dump(), for texts
 * that are made often.  Each call appends a value with its name in front, or
 * without one (NULL) where it is an element of an array; commas come by
 * themselves, where the buffer is not empty and does not end in a bracket that
 * opens.  Failures stay in the buffer.
 */
#ifndef UMPIRE_COMMON_JSON_JS_PUT_H
#define UMPIRE_COMMON_JSON_JS_PUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

struct buf;

/* Begins an object ('{') or an array ('['). */
void js_put_open(struct buf *out, const char *name, char bracket);

/* Ends the object ('}') or array (']') that was begun last. */
void js_put_close(struct buf *out, char bracket);

/* s: UTF-8; NULL for null. */
void js_put_str(struct buf *out, const char *name, const char *s);
void js_put_int(struct buf *out, const char *name, int64_t n);
void js_put_bool(struct buf *out, const char *name, bool is);
void js_put_null(struct buf *out, const char *name);

/* A string of n bytes in lower-case hex. */
void js_put_hex(struct buf *out, const char *name, const void *p, size_t n);

/* A time as clock_format() writes it. */
void js_put_at(struct buf *out, const char *name, int64_t ms);

/* A value, which is borrowed; NULL for null. */
void js_put_json(struct buf *out, const char *name, const json_t *v);

/* The same, but frees it; for NULL *out fails with ERR_NOMEM. */
void js_put_new(struct buf *out, const char *name, json_t *v);

#endif
