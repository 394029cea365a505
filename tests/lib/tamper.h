/* SPDX-License-Identifier: ISC */
/*
 * A whole record for tests that tamper with it as its own server could: each
 * line is marked anew with the server's key, so that only what it says can
 * give it away.
 */
#ifndef UMPIRE_TESTS_LIB_TAMPER_H
#define UMPIRE_TESTS_LIB_TAMPER_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "common/game/verify.h"

#include "tests/lib/table.h"

/* The lines of the record, by number. */
enum tamper_line {
	CREATE,
	JOIN,
	READY_2,
	READY_1, /* moves the pool */
	CHAT_1,
	FIGHT, /* dice, then an open question */
	STAGGER, /* side 1's answer, which draws nothing */
	GUNS, /* a question first, no dice */
	RETIRE, /* side 2's answer: dice, result */
	END_1, /* moves the pool */
	CHAT_2,
	END_2,
	RESIGN_2,
	CLOSE_1,
	CLOSE_2,
	LINES,
};

/* Verifying as usual, and without rules. */
extern const struct verify_options tamper_plain;
extern const struct verify_options tamper_no_rules;

/* The game. */
extern struct table tamper_table;

/* Plays the game that all tests tamper with. */
int tamper_setup_cb(void **state);

/* Ends it. */
int tamper_teardown_cb(void **state);

/* Line i as a value; new. */
json_t *tamper_line_value(size_t i);

/* The lines before number n, with their LF. */
void tamper_put_lines(struct buf *b, size_t n);

/* Appends a line, marked anew, with its LF. */
void tamper_put_marked(struct buf *b, const json_t *line);

/* Appends the side line of the roster. */
void tamper_put_roster(struct buf *b);

/*
 * Verifies what b holds and frees it; on all CPUs the same comes out as on
 * one.
 */
int tamper_verify(struct buf *b, const struct verify_options *opt,
    struct verify_report *rep, struct errinfo *e);

/* Line i is this one (stolen): bad, there, at this place, for this reason. */
void tamper_bad(size_t i, json_t *line, const char *where, const char *why);

/* Line i is this one (stolen): good. */
void tamper_good(size_t i, json_t *line);

/* Line i is this one (stolen): not checkable here, for this reason. */
void tamper_newer(size_t i, json_t *line, const char *why);

/* Line i with a member set, or gone if value is NULL; new. */
json_t *tamper_with(size_t i, const char *name, json_t *value);

/* Line i with a member put before `events`, where it stands in lines; new. */
json_t *tamper_with_more(size_t i, const char *name, json_t *value);

/* Puts an order (stolen) into a line, signed with a seat's key. */
void tamper_sign_into(json_t *line, int seat, json_t *order);

/* The order in line i as a value; new. */
json_t *tamper_order_value(size_t i);

/* Line i, whose order has a member set and is signed again by seat; new. */
json_t *tamper_with_order(size_t i, int seat, const char *name, json_t *value);

/* As tamper_with_order() for a member of its args. */
json_t *tamper_with_arg(size_t i, int seat, const char *name, json_t *value);

/* A member of line i's order; new. */
json_t *tamper_order_member(size_t i, const char *name);

/* A member of line i; new. */
json_t *tamper_line_member(size_t i, const char *name);

/* The hash of line i; new. */
json_t *tamper_line_hash(size_t i);

/* Line FIGHT with its rolls; *rolls is borrowed from it. */
json_t *tamper_fight(json_t **dice, json_t **rolls);

#endif
