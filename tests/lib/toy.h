/* SPDX-License-Identifier: ISC */
/*
 * A rule system made for tests, whose rules each test sets, with dice that
 * fall as the test wants and functions to hold a combat against texts.
 */
#ifndef UMPIRE_TESTS_LIB_TOY_H
#define UMPIRE_TESTS_LIB_TOY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/json/js.h"
#include "common/rules/combat.h"
#include "common/rules/event.h"
#include "common/rules/question.h"
#include "common/rules/rulekit.h"
#include "common/rules/rules.h"
#include "tests/lib/quoted.h"

/* Chits, or what units are called. */
extern const char *const toy_ids[3];

/* How the test's dice behave. */
extern struct toy_luck {
	uint16_t die; /* what every die shows */
	uint16_t pick; /* the next chit's index */
	int error; /* what the source fails with, or 0 */
	unsigned calls; /* how often it was asked */
	unsigned had; /* chits that had been drawn at the last draw */
} toy_luck;

/* The facts are {"n":integer}. */
struct toy_facts {
	int64_t n;
};

/* What its rules add up. */
struct toy_state {
	int sum;
};

/* The system, its settings, and dice that fall as toy_luck says. */
extern const struct rules_system toy_system;
extern const struct rules_settings toy_settings;
extern const struct combat_dice toy_dice;

/* Opens a toy combat with these rules and the usual luck. */
struct combat *toy_new(int (*rules)(struct combat *c));

/* Gives an answer written as JSON, a quoted_text(). */
int toy_answer(struct combat *c, const char *text, struct errinfo *e);

/* The events from number `from` on have this text, a quoted_text(). */
void toy_events_are(struct combat *c, size_t from, const char *text);

/* Rolls two dice, asks the defender for some of three, rolls one more. */
int toy_usual(struct combat *c);

/* The events of toy_usual() up to its question, and after the answer. */
#define TOY_BEGIN                                                       \
	"{'e':'combat','n':1},{'e':'roll','label':'first/x','sides':6," \
	"'dice':[4,4]},{'e':'ask','side':'defender','kind':'choose',"   \
	"'options':{'units':{'some':['a','b','c']}}}"
#define TOY_END                                                           \
	"{'e':'decision','side':'defender','kind':'choose','units':['c'," \
	"'a']},{'e':'roll','label':'last','sides':10,'dice':[5]},"        \
	"{'e':'note','why':null,'is':true},{'e':'result','sum':258}"

/* What toy_ask() asks. */
extern struct question_member toy_members[3];
extern size_t toy_n_members;

/* Asks twice what the test set. */
int toy_ask(struct combat *c);

#endif
