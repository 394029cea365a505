/* SPDX-License-Identifier: ISC */
/*
 * Structs as JSON objects and back, by a table with a row a member: what is
 * kept is written and read by the same words.
 */
#ifndef UMPIRE_COMMON_JSON_FIELD_H
#define UMPIRE_COMMON_JSON_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

struct buf;
struct errinfo;

enum field_type {
	FIELD_INT, /* int, or an enum by its number; lo .. hi */
	FIELD_NUMBER, /* int64_t; lo .. hi */
	FIELD_LINE, /* int64_t: the number of a line; lo .. the last one */
	FIELD_COUNT, /* size_t; lo .. hi */
	FIELD_BOOL, /* bool */
	FIELD_WORD, /* int or enum, by its name in words */
	FIELD_HEX, /* uint8_t[size] */
	FIELD_TEXT, /* char[size], its NUL among them */
	FIELD_ID, /* likewise; js_is_id() */
	FIELD_OBJECT, /* json_t *, the struct's own */
	FIELD_ARRAY, /* likewise */
	FIELD_SET, /* likewise, name -> true; a list of names of hi bytes */
	FIELD_FLAGS, /* bool[size]; a list */
};

/* One member. */
struct field {
	const char *name;
	enum field_type type;
	size_t offset;
	size_t size;
	int64_t lo, hi;
	/*
	 * It may be missing, which leaves the struct's as it is, and is not
	 * written if it is `first`, false, "" or NULL.  Sets and flags always
	 * may.
	 */
	bool may;
	int64_t first;
	/*
	 * Offset of a bool by which it is there or not (0: none): the first
	 * member that has it, in hex, sets it, and others must agree.
	 */
	size_t flag;
	const char *const *words; /* NULL-ended */
};

/* A row for member m of struct s; more members of struct field may follow. */
#define FIELD(s, m, n, t, ...) \
	FIELD_SIZED(s, m, sizeof(((struct s *)0)->m), n, t, __VA_ARGS__)

/* The same with another size than the member's. */
#define FIELD_SIZED(s, m, z, n, t, ...)                      \
	{                                                    \
		.name = (n), .type = (t), .size = (z),       \
		.offset = offsetof(struct s, m), __VA_ARGS__ \
	}
#define FIELD_END            \
	{                    \
		.name = NULL \
	}

/* Appends the members of *from, in the table's order. */
void field_write(const struct field *fields, const void *from, struct buf *out);

/* The same of n structs of this size as a list, which is not there if empty. */
void field_write_list(const struct field *fields, const char *name,
    const void *list, size_t n, size_t size, struct buf *out);

/*
 * Reads them of the object v into *to.  ERR_INVALID with the member's name;
 * ERR_NOMEM.  What was read before that stays in *to.
 */
int field_read(const struct field *fields, const json_t *v, int64_t lines,
    void *to, struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Reads a list that may be missing, with at most one element a line, into a
 * new array of *n structs, which were zero before.  After an error the array
 * and *n are there too, the last element half read.
 */
int field_read_list(const struct field *fields, const json_t *v,
    const char *name, int64_t lines, size_t size, void **list, size_t *n,
    struct errinfo *e) __attribute__((warn_unused_result));

#endif
