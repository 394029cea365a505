/* SPDX-License-Identifier: ISC */
/*
 * Between the words that a player types and the decision object that goes
 * into an order.  The options of the open question say what may be said, so
 * this file knows no rule system:
 *   retire austrian-3        some of the ids; "none" and "all" too
 *   stagger b a=no           all ids in their order, a word on each;
 *                            "all" stands for those not named yet
 *   retreat lost russian-2   those that are eliminated; "all": nobody is
 *   pursue yes               one of some values
 *   kind member=value ...    where a decision has several members
 */
#ifndef UMPIRE_CLIENT_PLAY_DECISION_H
#define UMPIRE_CLIENT_PLAY_DECISION_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "common/base/err.h"

/*
 * True if the units that this member of a decision lists are eliminated by
 * being named.  The words are such that nobody does it by mistake, and the
 * harmless one comes first: "all" (retreat), or "lost" before the units.
 */
bool decision_is_lost(const char *member);

/* True if a decision with these options can be said in words. */
bool decision_has_words(const json_t *options);

/*
 * Reads n words (the kind first) as a decision on the open question, whose
 * kind and options these are.  ERR_INVALID with a text that says what may be
 * said.  *decision is new.
 */
int decision_parse(const char *kind, const json_t *options, int n,
    const char *const *words, json_t **decision, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * The typical answers as words, each as one text that decision_parse() takes
 * when it is split at spaces; a new array, empty where only JSON will do.
 */
json_t *decision_typical(const char *kind, const json_t *options);

/* The form of an answer, for people: "retire none|UNIT ..."; free(). */
char *decision_form(const char *kind, const json_t *options);

#endif
