/* SPDX-License-Identifier: ISC */
/*
 * A combat as a conversation: facts, rolls that nobody chooses, decisions that
 * one side owes.  Only what was said is saved: whenever a roll or a decision is
 * added, the combat runs again from its start.  No I/O, no clock, no
 * randomness; a run allocates nothing.
 */
#ifndef UMPIRE_COMMON_RULES_COMBAT_H
#define UMPIRE_COMMON_RULES_COMBAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/base/err.h"
#include "common/rules/side.h"

struct combat;
struct event;
struct question;
struct question_answer;
struct question_item;
struct question_pick;
struct rules_system;
struct rules_settings;

enum combat_status {
	COMBAT_NEW, /* not run yet */
	COMBAT_ROLLING, /* stopped before a roll: no dice source was given */
	COMBAT_PENDING, /* a decision is owed */
	COMBAT_RESOLVED, /* over; the result stands */
};

/*
 * Where new rolls come from.  Both return 0 or a negative ERR_*, which ends
 * the run with that code; a roll that was given is recorded in the combat
 * and never asked for again.
 */
struct combat_dice {
	/* Fills dice[0 .. count - 1] with 1 .. sides. */
	int (*roll)(void *arg, const char *label, unsigned sides,
	    unsigned count, uint16_t *dice, struct errinfo *e);
	/*
	 * Draws one more chit of this label: had[0 .. nhad - 1] are indexes
	 * into ids that this label has drawn already; *pick is another.
	 */
	int (*draw)(void *arg, const char *label, const char *const *ids,
	    unsigned n, const uint16_t *had, unsigned nhad, uint16_t *pick,
	    struct errinfo *e);
	/*
	 * For a source that goes through all outcomes, else NULL: told what
	 * the rules say by combat_alike() and combat_meet(); knows_alike():
	 * what alike() was told before still holds, and what matters is known.
	 * What meet() returns ends the run if it is not 0.
	 */
	void (*alike)(void *arg, const uint16_t *kinds, size_t n);
	bool (*knows_alike)(void *arg);
	int (*meet)(void *arg, unsigned at, const void *matters, size_t len);
	void *arg;
};

/*
 * Answers questions inline while a combat runs, instead of ending the run:
 * for calculating odds.  decide() fills *a; items that it gives lie in room,
 * which has space for n_room.  0, or a negative ERR_* that ends the run.
 * The answers are recorded as combat_answer()'s are.
 */
struct combat_policy {
	int (*decide)(void *arg, const struct combat *c,
	    const struct question *q, struct question_answer *a,
	    struct question_item *room, size_t n_room);
	void *arg;
};

/*
 * Takes the events of a run as they happen; ev is borrowed for the call.
 * 0, or a negative ERR_*, with which combat_run() then ends.
 */
typedef int combat_sink(
    void *arg, const struct combat *c, const struct event *ev);

/*
 * Opens a combat of facts, complete and with the roster merged in (a JSON
 * object as the system lays it out; borrowed, copied where needed).
 * settings is borrowed and must outlive the combat.  ERR_INVALID with the
 * place ("combat.contacts[2].edge") for facts that the rules refuse;
 * ERR_NOMEM.  *out is new; combat_free() frees it.
 */
int combat_new(const struct rules_system *sys,
    const struct rules_settings *settings, const json_t *facts,
    struct combat **out, struct errinfo *e) __attribute__((warn_unused_result));

/* Frees a combat; NULL is allowed. */
void combat_free(struct combat *c);

/* The system that the combat is fought by. */
const struct rules_system *combat_system(const struct combat *c);

/*
 * Runs from the start with all that is recorded until it is over, a decision
 * is owed, or a roll is needed that is not recorded.  With dice NULL that
 * stops the run before the first new roll: status COMBAT_ROLLING, which is
 * no failure.  0 with the status set; the dice source's own error; ERR_FAULT
 * if the rules code broke its contract (a label twice, too many rolls).
 */
int combat_run(struct combat *c, const struct combat_dice *dice,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Sets who answers questions (NULL: nobody) and who gets to know of events
 * (NULL: nobody) in the runs that follow; both are borrowed.  combat_events()
 * uses neither.
 */
void combat_set_policy(struct combat *c, const struct combat_policy *p);
void combat_set_sink(struct combat *c, combat_sink *sink, void *arg);

/*
 * Forgets all rolls and decisions, for the next of many runs; the facts,
 * policy and sink stay.  The status is COMBAT_NEW.
 */
void combat_reset(struct combat *c);

/*
 * How the last run ended; COMBAT_NEW after anything was added or taken back
 * since, and after a run that failed.
 */
enum combat_status combat_status(const struct combat *c);

/*
 * The question that is open after a run that ended COMBAT_PENDING: who owes
 * it, and its kind (static).  Not to be called in another status.
 */
enum combat_side combat_asked_side(const struct combat *c);
const char *combat_asked_kind(const struct combat *c);

/*
 * The open question as {"side","kind","options"}; new, NULL without memory.
 */
json_t *combat_asked(const struct combat *c);

/* The open question itself, borrowed until the next run. */
const struct question *combat_question(const struct combat *c);

/* An answer to it as a decision object (new).  ERR_NOMEM. */
int combat_decision(const struct combat *c, const struct question_answer *a,
    json_t **decision) __attribute__((warn_unused_result));

/*
 * True if the open question is one of two that both sides answer in secret
 * and together (record S8); the attacker's is answered first.
 */
bool combat_asked_secret(const struct combat *c);

/*
 * The open question of a side that owes one: combat_asked_side(), or either
 * where it is secret.  combat_check_of() says whether a decision is a lawful
 * answer to it (ERR_INVALID, as combat_answer() has it) and changes nothing.
 */
json_t *combat_asked_of(const struct combat *c, enum combat_side side);
int combat_check_of(const struct combat *c, enum combat_side side,
    const json_t *decision, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Gives the decision object {"kind":...,...} to the open question.
 * ERR_INVALID (e.where as "decision.units[1]") for the wrong kind, unknown
 * members or an answer that is not among the options, or if no question is
 * open; ERR_FAULT if the rules ask for more decisions than a combat may
 * have.  Nothing is then changed.  After success combat_run() goes on with
 * it.
 */
int combat_answer(struct combat *c, const json_t *decision, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Makes a lawful answer to the open question by chance, as a decision object
 * (new) that combat_answer() takes.  ERR_NOMEM.
 */
int combat_sample(const struct combat *c, const struct question_pick *p,
    json_t **decision) __attribute__((warn_unused_result));

/*
 * The answer to the open question that word number `word` of the system's
 * policy for its kind gives (common/rules/rules.h), as a decision object
 * (new) that combat_answer() takes.  ERR_NOTFOUND if the kind has no such
 * policy or word; ERR_FAULT if the policy's answer is not lawful; ERR_NOMEM.
 */
int combat_policy_answer(const struct combat *c, int word, json_t **decision)
    __attribute__((warn_unused_result));

/*
 * The ids of the units that a decision on the open question would leave
 * with nothing (removed, of struct rules_game) before anything else is asked
 * or rolled; *units is a new array, without those that had nothing before.  The
 * combat is as it was.  ERR_INVALID as combat_answer() has it; ERR_NOMEM.
 */
int combat_removed_by(struct combat *c, const json_t *decision, json_t **units,
    struct errinfo *e) __attribute__((warn_unused_result));

/* Takes the last answer back (one that no run has rolled dice after). */
void combat_unanswer(struct combat *c);

/*
 * The events so far from the start of the combat, as an array of objects
 * (umpire-record.7), those before number `from` left out: what a line adds
 * is combat_events(c, number of events in earlier lines).  *out is new.
 * After a run that ended with ERR_FAULT these are the events up to the fault
 * (record S4.4).  ERR_NOMEM, or ERR_FAULT if only this run fails.
 */
int combat_events(struct combat *c, size_t from, json_t **out)
    __attribute__((warn_unused_result));

/* The result object of a resolved combat; new, NULL without memory. */
json_t *combat_result(const struct combat *c);

/*
 * Recorded rolls and draws in the order asked, from number `from` on, as the
 * array "rolls" of a line's dice (record S6.4); *out is new.
 */
size_t combat_roll_count(const struct combat *c);
int combat_rolls(const struct combat *c, size_t from, json_t **out)
    __attribute__((warn_unused_result));

/*
 * Puts back what a saved combat had: rolls as combat_rolls(c, 0) gives
 * them.  Decisions are put back by combat_answer() after combat_run().
 * Only before the first run.  ERR_INVALID, ERR_NOMEM.
 */
int combat_restore_rolls(struct combat *c, const json_t *rolls,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Forgets rolls from number n on, and the decisions that were asked for after
 * one of them: after a fault, or in tests.  The status is COMBAT_NEW until
 * the next run.
 */
void combat_forget_rolls(struct combat *c, size_t n);

#endif
