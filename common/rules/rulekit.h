/* SPDX-License-Identifier: ISC */
/*
 * Calls for the code of a rule system while it runs: it asks for what it needs,
 * in the order of its rulebook, and says what happens.  Every call that can end
 * the run returns non-zero then, and the system returns that at once.  Nothing
 * here allocates.
 */
#ifndef UMPIRE_COMMON_RULES_RULEKIT_H
#define UMPIRE_COMMON_RULES_RULEKIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/rules/event.h"
#include "common/rules/question.h"
#include "common/rules/side.h"

/* The system's own facts struct, as its parse() left it. */
const void *combat_facts(const struct combat *c);

/*
 * The system's own state_size bytes, zeroed at the start of every run; they
 * stay after it for result().
 */
void *combat_state(const struct combat *c);

/* The data in force (rules_settings), NULL if the system has none. */
const void *combat_data(const struct combat *c);

/* The ruling with this index in the system's list. */
int combat_ruling(const struct combat *c, size_t index);

/*
 * Asks `side` for a decision of this kind with these members and gives the
 * recorded answer.  ERR_PENDING if there is none: the question is then open.
 */
int combat_decide(struct combat *c, enum combat_side side, const char *kind,
    const struct question_member *members, size_t n_members,
    struct question_answer *a) __attribute__((warn_unused_result));

/* As combat_decide(), for one member that is true or false. */
int combat_decide_bool(struct combat *c, enum combat_side side,
    const char *kind, const char *name, bool *answer)
    __attribute__((warn_unused_result));

/* As combat_decide(), for a question that has a rule of its own. */
int combat_decide_rule(struct combat *c, enum combat_side side,
    const char *kind, const struct question_rule *rule,
    struct question_answer *a) __attribute__((warn_unused_result));

/*
 * Asks both sides one question each, in secret and together: members[0] is the
 * attacker's, members[1] the defender's, each with one member.  Both questions
 * are told before either answer, and no answer before both are in (record S8).
 * Answers as combat_decide() gives them.
 */
int combat_decide_secret(struct combat *c, const char *kind,
    const struct question_member members[2], struct question_answer answers[2])
    __attribute__((warn_unused_result));

/*
 * Rolls n dice with `sides` sides under a label of its own, which fmt makes:
 * recorded dice, or new ones from the dice source.
 */
int combat_roll(struct combat *c, uint16_t *dice, unsigned n, unsigned sides,
    const char *fmt, ...)
    __attribute__((format(printf, 5, 6), warn_unused_result));

/*
 * Draws one more chit from the bag of n ids under this label; *pick is its
 * index.  Draws of one label follow each other, with no roll between.
 */
int combat_draw(struct combat *c, const char *label, const char *const *ids,
    unsigned n, uint16_t *pick) __attribute__((warn_unused_result));

/*
 * For whoever goes through all outcomes of the dice (common/rules/show/odds.h):
 * before chits are drawn, that those of the same kind do the same, and that
 * it does not matter in which order they come.  kinds[0 .. n - 1] are those of
 * the bag, numbered from 0 without a gap.  combat_knows_alike(): it was said
 * before of the same dice, so that this and the next combat_meet() need not say
 * what they would.
 */
bool combat_knows_alike(const struct combat *c);
void combat_alike(struct combat *c, const uint16_t *kinds, size_t n);

/*
 * Likewise: of all that was rolled so far only these bytes matter for what
 * follows and for the system's outcome(), so that outcomes which come here with
 * the same ones are counted together; `at` says which place of the rules this
 * is, since not all come by each.  The answers of a policy must not depend
 * on more.  0, or what run() is to return.
 */
int combat_meet(struct combat *c, unsigned at, const void *matters, size_t len)
    __attribute__((warn_unused_result));

/* True if somebody goes through all outcomes so, and is to be told. */
bool combat_is_walked(const struct combat *c);

/* True if somebody gets to know what happens; else no event need be made. */
bool combat_is_told(const struct combat *c);

/*
 * Says that something happened: an event of the kind e.  Where nobody is told,
 * the arguments are not worked out: they must have no effects.
 */
#define combat_emit(c, ...) \
	(combat_is_told(c) ? combat_emit_event(c, __VA_ARGS__) : (void)0)
void combat_emit_event(struct combat *c, const char *e,
    const struct event_field *fields, size_t n);

/*
 * Says that something became of a unit or a side, which the field `who`
 * names: a `change` of what and why, with n more fields.  Likewise.
 */
#define COMBAT_CHANGE_MORE 6 /* at most */
#define combat_change(c, ...) \
	(combat_is_told(c) ? combat_change_event(c, __VA_ARGS__) : (void)0)
void combat_change_event(struct combat *c, struct event_field who,
    const char *what, const char *why, const struct event_field *more,
    size_t n);

/*
 * Ends the run with ERR_INVALID at this place of the facts: the decisions given
 * show that they will not do.
 */
int combat_refuse(struct combat *c, const char *where, const char *fmt, ...)
    __attribute__((format(printf, 3, 4), warn_unused_result));

/* Ends the run with ERR_FAULT: the rules code found itself wrong. */
int combat_fault(struct combat *c, const char *fmt, ...)
    __attribute__((format(printf, 2, 3), warn_unused_result));

#endif
