/* SPDX-License-Identifier: ISC */
/*
 * The members of a unit, or of another object of a system's facts and rosters,
 * a row each, by which they are read, written and described.  How members
 * depend on each other is the system's own business.
 */
#ifndef UMPIRE_COMMON_RULES_SCHEMA_H
#define UMPIRE_COMMON_RULES_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "common/base/err.h"

struct js_at;

#define SCHEMA_ROWS_MAX 32

/* The type of a member, and that of what it is read into. */
enum schema_type {
	SCHEMA_ID, /* an id: char[FACTS_ID_MAX + 1] */
	SCHEMA_TEXT, /* a text for people: struct facts_text */
	SCHEMA_BOOL, /* bool */
	SCHEMA_COUNT, /* an integer from lo to hi: int */
	SCHEMA_WORD, /* one of words: an enum, lo being the first word */
	SCHEMA_SET, /* a list of words: unsigned, a bit a word */
	SCHEMA_FLAGS, /* an object of booleans named by words: bool[] */
	SCHEMA_OBJECT, /* an object of rows: the struct itself */
	/*
	 * The system reads it, and writes it over a null: a list of objects
	 * of rows, or, where it has no rows, the id of one of those.
	 */
	SCHEMA_OWN,
};

/* Where members stand, as bits. */
#define SCHEMA_FACTS 0x1U /* in the facts of a combat */
#define SCHEMA_GIVEN 0x2U /* in a roster that a player gives */
#define SCHEMA_KEPT 0x4U /* in a roster as the game keeps it */
#define SCHEMA_OUT 0x8U /* in one, of a unit that is out of play */
#define SCHEMA_ATTACKER 0x10U /* in the facts, but of one side alone */
#define SCHEMA_DEFENDER 0x20U
#define SCHEMA_KIND 0x100U /* in the facts of the first kind of a system */

/* Who owns a member: the printed counter, the combat, the game. */
#define SCHEMA_PRINTED (SCHEMA_FACTS | SCHEMA_GIVEN | SCHEMA_KEPT | SCHEMA_OUT)
#define SCHEMA_STATED SCHEMA_FACTS
#define SCHEMA_NOTED (SCHEMA_KEPT | SCHEMA_OUT)
#define SCHEMA_KEPT_STATED (SCHEMA_NOTED | SCHEMA_FACTS)

/* Where an object of the facts that belongs to a side stands. */
#define SCHEMA_SIDE(side) (SCHEMA_FACTS | SCHEMA_ATTACKER << (side))

/* Where a roster's unit stands, by how it is read (enum rules_roster). */
#define SCHEMA_ROSTER(how) (SCHEMA_GIVEN << (how))

/* One member; a table of them is ended by a NULL name. */
struct schema_row {
	const char *name;
	enum schema_type type;
	unsigned in; /* where it stands */
	size_t offset; /* of what it is read into */
	const char *const *words; /* ended by NULL */
	const struct schema_row *rows; /* OBJECT; OWN: of a list's objects */
	bool is_required;
	/* COUNT: null too, read as -1; WORD: null for a number below lo. */
	bool has_null;
	int lo, hi; /* COUNT; WORD: the number of the first word */
	unsigned zero_in; /* COUNT: where 0 will do, although lo is 1 */
	/*
	 * COUNT, WORD: what is read where the member is missing; a WORD is
	 * not written if it has a number below lo.
	 */
	int fallback;
	const char *what; /* for people: type and meaning; NULL if not GIVEN */
};

/* The beginning of a row: its name, and the member m of struct s it is. */
#define SCHEMA_ROW(s, m, n, t, where)                          \
	.name = (n), .type = SCHEMA_##t, .in = SCHEMA_##where, \
	.offset = offsetof(struct s, m)

/* Who is told of each fault, where not only the first counts. */
struct schema_faults {
	/* is_name: it is the member's name that is wrong, not its value. */
	void (*tell)(void *arg, const struct errinfo *e, bool is_name);
	void *arg;
	size_t n; /* how many were told */
};

/* Tells of a fault, and counts it. */
void schema_tell(
    struct schema_faults *f, const struct errinfo *e, bool is_name);

/* Finds the row of a member among rows (NULL: none); NULL if it is not there.
 */
const struct schema_row *schema_find(
    const struct schema_row *rows, const char *name);

/* Row i of those that a roster owns, the id aside; NULL past the last. */
const struct schema_row *schema_field(const struct schema_row *rows, size_t i);

/*
 * Reads obj, which is at `at`, into *out, a struct as the rows have it: those
 * rows that stand in any of `in`.  ERR_INVALID for other members, and for what
 * their types refuse; a member that the game keeps is refused as such where a
 * player gives it.
 */
int schema_read(const struct schema_row *rows, unsigned in, const json_t *obj,
    const struct js_at *at, void *out, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Tells of all that schema_read() would refuse for its first fault, and of
 * lists of objects of rows and ids that the system reads itself; how members
 * depend on each other stays the system's.  ERR_NOMEM.
 */
int schema_check(const struct schema_row *rows, unsigned in, const json_t *obj,
    const struct js_at *at, struct schema_faults *f)
    __attribute__((warn_unused_result));

/* Tells of each member of obj that is not known, as js_members().  ERR_NOMEM.
 */
int schema_check_members(const json_t *obj, const struct js_at *at,
    const char *const known[], struct schema_faults *f)
    __attribute__((warn_unused_result));

/*
 * Adds the rows that stand in any of `in` to obj, defaults written out;
 * non-zero without memory.
 */
int schema_put(const struct schema_row *rows, unsigned in, const void *from,
    json_t *obj) __attribute__((warn_unused_result));

/* The same as a new object, or NULL. */
json_t *schema_json(
    const struct schema_row *rows, unsigned in, const void *from);

/* The same of n structs of `size` bytes each, as a new array, or NULL. */
json_t *schema_list(const struct schema_row *rows, unsigned in,
    const void *first, size_t n, size_t size);

/* As schema_json() for a roster; *out is new.  ERR_NOMEM. */
int schema_roster(const struct schema_row *rows, const void *from, json_t **out)
    __attribute__((warn_unused_result));

#endif
